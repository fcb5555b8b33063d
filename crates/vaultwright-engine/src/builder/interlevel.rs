//! Numbering the stairs up so that a branch can be walked through (spec 05 §9.6).

use std::collections::HashMap;

use vaultwright_level::{Zones, cells_of_features, is_travelable};
use vaultwright_map::{LevelPlace, Point};

use super::stairs::is_in_hell;
use crate::state::game::Connections;
use crate::state::site::Site;

/// Renumbers the stairs up and notes how this level hangs together with the one above. Returns
/// false if the stairs do not lead through the level. A level above that has not been built counts
/// as one whose stairs all lead to the top.
pub(crate) fn ensure_interlevel(
    site: &mut Site,
    connections: &mut HashMap<LevelPlace, Connections>,
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

impl Links {
    fn renumber(&mut self, site: &mut Site) -> bool {
        let place = site.ctx.place;
        let bottom = place.depth >= site.ctx.dungeon.levels(place.branch);
        let count =
            if place.depth == 1 || is_in_hell(site.ctx.content, site.ctx.place) { 1 } else { 3 };
        let zones = travel_zones(site);
        let (Some(ups), Some(downs)) = (locate(site, "up"), locate(site, "down")) else {
            return false;
        };
        if ups.iter().take(count).any(Option::is_none) {
            return false;
        }
        let zone = |p: Option<Point>| p.and_then(|p| zones.zone_of(p));
        let (up_zones, down_zones) = (ups.map(zone), downs.map(zone));
        let leads_down = |j: usize| {
            !bottom && (0..3).any(|d| downs[d].is_some() && down_zones[d] == up_zones[j])
        };
        if !bottom && !(0..count).any(leads_down) {
            return false;
        }
        let mut connected_zones: Vec<Option<usize>> = Vec::new();
        // The stair up that each stair down of the level above arrives at.
        let mut arrives = [None; 3];
        let first_above = (0..3).find(|&i| self.above.connected[i]);
        let first = (0..count).find(|&j| bottom || leads_down(j));
        let (Some(i), Some(j)) = (first_above, first) else { return false };
        arrives[i] = Some(j);
        connected_zones.push(up_zones[j]);
        let free = |arrives: &[Option<usize>; 3], j: &usize| !arrives.contains(&Some(*j));

        // Regions above that do not lead to the top yet reach for zones that do.
        for i in 0..3 {
            let region = self.above.region[i];
            let seen = (0..i).any(|lower| self.above.region[lower] == region);
            if arrives[i].is_some() || self.above.connected[i] || seen {
                continue;
            }
            let to_connected =
                (0..count).find(|j| free(&arrives, j) && connected_zones.contains(&up_zones[*j]));
            if to_connected.is_some() {
                arrives[i] = to_connected;
                self.connect_region(i);
            } else {
                arrives[i] = (0..count).find(|j| free(&arrives, j) && leads_down(*j));
            }
        }
        // Connected stairs above reach for zones that are not connected yet.
        for i in 0..3 {
            if arrives[i].is_some() || !self.above.connected[i] {
                continue;
            }
            let dead_end = (0..count).find(|j| {
                free(&arrives, j) && !leads_down(*j) && !connected_zones.contains(&up_zones[*j])
            });
            if let Some(j) = dead_end {
                arrives[i] = Some(j);
                connected_zones.push(up_zones[j]);
            }
        }
        for i in 0..3 {
            if arrives[i].is_some() {
                continue;
            }
            let Some(j) = (0..count).find(|j| free(&arrives, j)) else { continue };
            arrives[i] = Some(j);
            if connected_zones.contains(&up_zones[j]) {
                self.connect_region(i);
            } else if self.above.connected[i] {
                connected_zones.push(up_zones[j]);
            }
        }
        if bottom && (0..count).any(|j| !connected_zones.contains(&up_zones[j])) {
            return false;
        }
        for (number, arrives) in ["i", "ii", "iii"].into_iter().zip(arrives) {
            if let Some(p) = arrives.and_then(|j| ups[j]) {
                let id = site.id(&format!("stone_stairs_up_{number}"));
                site.set(p, id);
            }
        }
        site.note("interlevel", |_| {
            let number = |j| arrives.iter().position(|&at| at == Some(j)).map_or(0, |i| i + 1);
            format!("up_i={} up_ii={} up_iii={}", number(0), number(1), number(2))
        });
        self.own = Connections {
            region: down_zones,
            connected: down_zones.map(|zone| zone.is_some() && connected_zones.contains(&zone)),
        };
        true
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
fn travel_zones(site: &Site) -> Zones {
    let (level, content) = (&*site.level, site.ctx.content);
    let cells = cells_of_features(level, content, |id| is_travelable(content, id));
    Zones::of_cells(level.size(), &cells)
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
    fn a_level_without_a_way_down_or_with_a_stair_twice_is_none() {
        let walled = ["#########", "#abc#123#", "#########"];
        assert!(!renumbered(&walled, Connections::default()).0);
        let twice = ["##########", "#abca.123#", "##########"];
        assert!(!renumbered(&twice, Connections::default()).0);
        let missing = ["#######", "#ab123#", "#######"];
        assert!(!renumbered(&missing, Connections::default()).0);
    }
}
