//! Numbering the stairs up so that a branch can be walked through (spec 05 §9.6).

use std::collections::BTreeMap;
use std::sync::Arc;

use vaultwright_level::travelable_cells;
use vaultwright_map::{LevelPlace, Point, Zones};

use super::stairs::is_in_hell;
use crate::state::game::Connections;
use crate::state::site::Site;

/// Renumbers the stairs up and notes how this level hangs together with the one above. Returns
/// false if the stairs do not lead through the level. A level above that has not been built counts
/// as one whose stairs all lead to the top.
pub(crate) fn ensure_interlevel(
    site: &mut Site,
    connections: &mut BTreeMap<LevelPlace, Connections>,
) -> bool {
    let place = site.ctx.place;
    let above = LevelPlace { depth: place.depth - 1, ..place };
    let mut links = Links {
        above: connections.get(&above).copied().unwrap_or_default(),
        own: Connections::default(),
    };
    if !links.renumber(site) {
        return false;
    }
    if place.depth > 1 {
        connections.insert(above, links.above);
    }
    connections.insert(place, links.own);
    true
}

/// How a level is linked with the one above.
struct Links {
    above: Connections,
    own: Connections,
}

/// The stairs of a level by number, and the zones they stand in.
struct Stairs {
    ups: [Option<Point>; 3],
    downs: [Option<Point>; 3],
    up_zones: [Option<usize>; 3],
    down_zones: [Option<usize>; 3],
    /// How many stairs up a level of this kind has.
    count: usize,
    /// Whether the branch ends here, so that no stair leads on.
    bottom: bool,
}

impl Stairs {
    /// Returns the stairs of a level, or `None` if one is missing or exists twice.
    fn of(site: &Site) -> Option<Stairs> {
        let place = site.ctx.place;
        let bottom = place.depth >= site.ctx.dungeon.levels(place.branch);
        let count = if place.depth == 1 || is_in_hell(site.ctx.content, place) { 1 } else { 3 };
        let zones = travel_zones(site);
        let (ups, downs) = (locate(site, "up")?, locate(site, "down")?);
        if ups.iter().take(count).any(Option::is_none) {
            return None;
        }
        let zone = |p: Option<Point>| p.and_then(|p| zones.zone_of(p));
        let (up_zones, down_zones) = (ups.map(zone), downs.map(zone));
        Some(Stairs { ups, downs, up_zones, down_zones, count, bottom })
    }

    /// Returns whether a stair down can be reached from a stair up.
    fn leads_down(&self, up: usize) -> bool {
        let reached = |d: usize| self.downs[d].is_some() && self.down_zones[d] == self.up_zones[up];
        !self.bottom && (0..3).any(reached)
    }

    /// Returns the first stair up that is free and as wanted.
    fn first_free(&self, arrivals: &Arrivals, wanted: impl Fn(usize) -> bool) -> Option<usize> {
        (0..self.count).find(|&j| !arrivals.at.contains(&Some(j)) && wanted(j))
    }
}

/// Where the stairs down of the level above arrive.
struct Arrivals {
    /// The stair up at which each of them arrives.
    at: [Option<usize>; 3],
    /// The zones of the level that lead to the top by that.
    connected: Vec<Option<usize>>,
}

impl Links {
    fn renumber(&mut self, site: &mut Site) -> bool {
        let Some(stairs) = Stairs::of(site) else { return false };
        let Some(arrivals) = self.arrivals(&stairs) else { return false };
        for (number, arrives) in ["i", "ii", "iii"].into_iter().zip(arrivals.at) {
            if let Some(p) = arrives.and_then(|j| stairs.ups[j]) {
                let id = site.id(&format!("stone_stairs_up_{number}"));
                site.set(p, id);
            }
        }
        site.note("interlevel", |_| {
            let number = |j| arrivals.at.iter().position(|&at| at == Some(j)).map_or(0, |i| i + 1);
            format!("up_i={} up_ii={} up_iii={}", number(0), number(1), number(2))
        });
        let leads_up = |zone: Option<usize>| zone.is_some() && arrivals.connected.contains(&zone);
        self.own =
            Connections { region: stairs.down_zones, connected: stairs.down_zones.map(leads_up) };
        true
    }

    /// Chooses where the stairs of the level above arrive. Returns `None` if one could not walk
    /// through the level then.
    fn arrivals(&mut self, stairs: &Stairs) -> Option<Arrivals> {
        let goes_on = |&j: &usize| stairs.bottom || stairs.leads_down(j);
        let first_above = (0..3).find(|&i| self.above.connected[i])?;
        let first = (0..stairs.count).find(goes_on)?;
        let mut arrivals = Arrivals { at: [None; 3], connected: vec![stairs.up_zones[first]] };
        arrivals.at[first_above] = Some(first);
        self.lead_regions_up(stairs, &mut arrivals);
        self.lead_zones_up(stairs, &mut arrivals);
        self.arrive_anywhere(stairs, &mut arrivals);
        let leads_up = |j: usize| arrivals.connected.contains(&stairs.up_zones[j]);
        let is_whole = !stairs.bottom || (0..stairs.count).all(leads_up);
        is_whole.then_some(arrivals)
    }

    /// Has regions above that do not lead to the top yet reach for zones that do.
    fn lead_regions_up(&mut self, stairs: &Stairs, arrivals: &mut Arrivals) {
        for i in 0..3 {
            let region = self.above.region[i];
            let seen = (0..i).any(|lower| self.above.region[lower] == region);
            if arrivals.at[i].is_some() || self.above.connected[i] || seen {
                continue;
            }
            let is_connected = |j: usize| arrivals.connected.contains(&stairs.up_zones[j]);
            let to_connected = stairs.first_free(arrivals, is_connected);
            if to_connected.is_some() {
                arrivals.at[i] = to_connected;
                self.connect_region(i);
            } else {
                arrivals.at[i] = stairs.first_free(arrivals, |j| stairs.leads_down(j));
            }
        }
    }

    /// Has connected stairs above reach for zones that are not connected yet.
    fn lead_zones_up(&self, stairs: &Stairs, arrivals: &mut Arrivals) {
        for i in 0..3 {
            if arrivals.at[i].is_some() || !self.above.connected[i] {
                continue;
            }
            let dead_end = stairs.first_free(arrivals, |j| {
                !stairs.leads_down(j) && !arrivals.connected.contains(&stairs.up_zones[j])
            });
            if let Some(j) = dead_end {
                arrivals.at[i] = Some(j);
                arrivals.connected.push(stairs.up_zones[j]);
            }
        }
    }

    /// Has the stairs above that are left arrive wherever a stair is free.
    fn arrive_anywhere(&mut self, stairs: &Stairs, arrivals: &mut Arrivals) {
        for i in 0..3 {
            if arrivals.at[i].is_some() {
                continue;
            }
            let Some(j) = stairs.first_free(arrivals, |_| true) else { continue };
            arrivals.at[i] = Some(j);
            if arrivals.connected.contains(&stairs.up_zones[j]) {
                self.connect_region(i);
            } else if self.above.connected[i] {
                arrivals.connected.push(stairs.up_zones[j]);
            }
        }
    }

    /// Notes that the zone above to which a stair belongs leads to the top.
    fn connect_region(&mut self, i: usize) {
        let region = self.above.region[i];
        for other in 0..3 {
            if self.above.region[other] == region {
                self.above.connected[other] = true;
            }
        }
    }
}

/// Returns the zones in which a traveller can walk.
fn travel_zones(site: &Site) -> Arc<Zones> {
    site.level.zones(&travelable_cells(site.level, site.ctx.content))
}

/// Returns where the three stairs of a direction are; `None` if one of them exists twice.
fn locate(site: &Site, direction: &str) -> Option<[Option<Point>; 3]> {
    let mut found = [None; 3];
    let ids =
        ["i", "ii", "iii"].map(|number| site.id(&format!("stone_stairs_{direction}_{number}")));
    for p in site.cells_with(|id| ids.contains(&id)) {
        for (slot, &id) in found.iter_mut().zip(&ids) {
            if site.is(p, id) && !site.mimic(p) && slot.replace(p).is_some() {
                return None;
            }
        }
    }
    Some(found)
}

#[cfg(test)]
mod tests {
    use vaultwright_level::mask;

    use super::*;
    use crate::state::drawn::Drawn;

    fn renumbered(rows: &[&str], above: Connections) -> (bool, Vec<String>, Connections) {
        let mut drawn = Drawn::of(rows);
        let mut links = Links { above, own: Connections::default() };
        let leads_through = drawn.run(|site| links.renumber(site));
        (leads_through, drawn.rows(), links.own)
    }

    #[test]
    fn one_hall_keeps_its_numbers() {
        let rows = ["#########", "#abc.123#", "#########"];
        let (leads_through, shown, own) = renumbered(&rows, Connections::default());
        assert!(leads_through);
        assert_eq!(shown, rows);
        assert_eq!(own.connected, [true; 3]);
    }

    #[test]
    fn the_way_from_the_top_arrives_where_it_goes_on() {
        // Only the third stair up is in the hall with the stairs down.
        let rows = ["###########", "#ab#c.123.#", "###########"];
        let above =
            Connections { region: [Some(1), Some(2), Some(2)], connected: [true, false, false] };
        let (leads_through, shown, own) = renumbered(&rows, above);
        assert!(leads_through);
        assert_eq!(&shown[1][3..5], "#a", "{shown:?}");
        assert_eq!(own.connected, [true; 3]);
    }

    #[test]
    fn a_mimic_in_the_way_is_taken_for_floor() {
        let mut drawn = Drawn::of(&["#########", "#abcs123#", "#########"]);
        let mut links = Links { above: Connections::default(), own: Connections::default() };
        let leads_through = drawn.run(|site| {
            let (gap, statue) = (Drawn::cell(4, 1), site.id("granite_statue"));
            site.set(gap, statue);
            assert_eq!(travel_zones(site).count(), 2);
            site.level.change_mask(gap, mask::MIMIC, 0);
            links.renumber(site)
        });
        assert!(leads_through);
    }

    #[test]
    fn a_level_without_a_way_down_or_with_a_stair_twice_is_none() {
        let walled = ["#########", "#abc#123#", "#########"];
        assert!(!renumbered(&walled, Connections::default()).0);
        let twice = ["##########", "#abca.123#", "##########"];
        assert!(!renumbered(&twice, Connections::default()).0);
        let missing = ["#######", "#ab123#", "#######"];
        assert!(!renumbered(&missing, Connections::default()).0);
    }
}
