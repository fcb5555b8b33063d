//! Closets: places one can be teleported into, but never leaves (spec 05 §9.5).

use vaultwright_content::FeatureId;
use vaultwright_level::{mask, travelable_cells};
use vaultwright_map::{Point, Zones};

use crate::place::zones::{Hatches, exit_stairs, is_open_liquid, lie_beside, transporters};
use crate::state::site::Site;

/// The property of cells that no teleport ends on.
const NO_TELE_INTO: &str = "no_tele_into";

/// How a creature moves.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Gait {
    Walking,
    Flying,
}

/// Returns the landing spots of each closet.
pub(crate) fn closets(site: &Site, gait: Gait) -> Vec<Vec<Point>> {
    let (level, content) = (&*site.level, site.ctx.content);
    let mut open = travelable_cells(level, content);
    let others = level.features_where(content.features(), |id| is_crossed(site, id, gait));
    let others = level.cells_with(&others);
    let mut zones = level.zones(&open);
    let mut leads_out = zones_that_lead_out(site, &zones);
    // Where a traveller leaves every zone, who also crosses what lies in or beside them finds no
    // others. So it is mostly, and these zones are asked for again.
    let is_whole = !leads_out.contains(&false) && lie_beside(level, &open, &others);
    if !is_whole {
        others.into_iter().for_each(|p| open[level.index_of(p)] = true);
        zones = level.zones(&open);
        leads_out = zones_that_lead_out(site, &zones);
    }
    let closed = (1..=zones.count()).zip(leads_out).filter(|(_, leads_out)| !leads_out);
    let landing = |p: &Point| is_landing_spot(site, *p, gait);
    closed
        .map(|(zone, _)| zones.cells(zone).into_iter().filter(landing).collect::<Vec<_>>())
        .filter(|spots| !spots.is_empty())
        .collect()
}

/// Keeps teleports out of cells.
pub(crate) fn close(site: &mut Site, cells: impl IntoIterator<Item = Point>) {
    let closed = site.ctx.content.names().properties.get(NO_TELE_INTO).unwrap_or(0);
    for p in cells {
        site.level.change_properties(p, closed, 0);
    }
}

/// Returns whether a creature also crosses a feature that no traveller walks over.
fn is_crossed(site: &Site, id: FeatureId, gait: Gait) -> bool {
    let flags = site.flags_of(id);
    flags.trap() || (gait == Gait::Flying && is_open_liquid(flags))
}

/// Returns for each zone whether it has a stair, a hatch or a trap that never stops teleporting, or
/// a transporter into a zone that leads out.
fn zones_that_lead_out(site: &Site, zones: &Zones) -> Vec<bool> {
    let mut ways_out = exit_stairs(site.ctx, Hatches::Count);
    if let Some(trap) = site.ctx.content.features().by_name("trap_teleport_permanent") {
        ways_out.insert(trap);
    }
    let mut leads_out = vec![true; zones.count()];
    let mut ways_out = site.level.cells_with(&ways_out);
    ways_out.retain(|&p| !site.mimic(p));
    for zone in zones.without(ways_out) {
        leads_out[zone - 1] = false;
    }
    let zone = |p| zones.zone_of(p).map(|number| number - 1);
    let transporters = transporters(site.level, site.known().transporter);
    let links = transporters.into_iter().filter_map(|(from, to)| zone(from).zip(zone(to)));
    let links: Vec<(usize, usize)> = links.collect();
    while let Some(&(from, _)) = links.iter().find(|&&(from, to)| !leads_out[from] && leads_out[to])
    {
        leads_out[from] = true;
    }
    leads_out
}

fn is_landing_spot(site: &Site, p: Point, gait: Gait) -> bool {
    let flags = site.flags(p);
    let closed = site.ctx.content.names().properties.get(NO_TELE_INTO).unwrap_or(0);
    site.level.in_bounds(p)
        && site.level.properties(p) & closed == 0
        && site.level.mask(p) & mask::NO_TELE_CLOSET == 0
        && !flags.solid()
        && (gait == Gait::Flying || !(flags.deep_water() || flags.lava()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::drawn::Drawn;

    fn landing_spots(rows: &[&str], gait: Gait) -> Vec<usize> {
        Drawn::of(rows).run(|site| closets(site, gait).iter().map(Vec::len).collect())
    }

    #[test]
    fn a_room_without_a_way_out_is_a_closet() {
        let rooms = ["#########", "#..1#...#", "#########"];
        assert_eq!(landing_spots(&rooms, Gait::Walking), [3]);
        assert_eq!(landing_spots(&["#####", "#a..#", "#####"], Gait::Walking), [0; 0]);
    }

    #[test]
    fn a_trap_counts_where_it_lies_beside_what_leads_out() {
        let spots = |trap: Point| {
            Drawn::of(&["########", "#..1####", "########"]).run(|site| {
                // No traveller walks over it.
                let dispersal = site.id("trap_dispersal");
                site.set(trap, dispersal);
                closets(site, Gait::Walking).concat()
            })
        };
        assert_eq!(spots(Drawn::cell(2, 1)), []);
        assert_eq!(spots(Drawn::cell(6, 1)), [Drawn::cell(6, 1)]);
    }

    #[test]
    fn who_flies_leaves_over_water() {
        let island = ["#######", "#.~~1.#", "#######"];
        assert_eq!(landing_spots(&island, Gait::Walking), [1]);
        assert_eq!(landing_spots(&island, Gait::Flying), [0; 0]);
    }

    #[test]
    fn the_stairs_of_a_mimic_lead_nowhere() {
        let mut drawn = Drawn::of(&["#####", "#a..#", "#####"]);
        let spots = drawn.run(|site| {
            site.level.change_mask(Drawn::cell(1, 1), mask::MIMIC, 0);
            closets(site, Gait::Walking).concat().len()
        });
        assert_eq!(spots, 3);
    }

    #[test]
    fn nothing_teleports_into_a_closet_that_is_closed() {
        let mut drawn = Drawn::of(&["#####", "#...#", "#####"]);
        let left = drawn.run(|site| {
            let spots = closets(site, Gait::Walking).concat();
            assert_eq!(spots.len(), 3);
            close(site, spots);
            closets(site, Gait::Walking)
        });
        assert!(left.is_empty(), "{left:?}");
    }
}
