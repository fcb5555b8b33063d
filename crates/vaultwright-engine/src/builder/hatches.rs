//! Escape hatches that make a way down of every zone (spec 05 §9.4).

use vaultwright_content::{Branch, FeatureId};
use vaultwright_level::passable_zones;
use vaultwright_map::{Point, Zones};

use super::stairs::{DOWN, UP};
use crate::place::zones::{Hatches, stairless};
use crate::state::site::Site;

/// Gives every zone a way down. Returns false if a level that has to be in one piece is not, or if
/// there is no room.
pub(crate) fn add_hatches(site: &mut Site) -> bool {
    let place = site.ctx.place;
    let Some(branch) = site.ctx.content.branches().get(place.branch) else { return true };
    // Of the branch, or as a vault has said (BFLAGS).
    let islanded = branch.flags.iter().any(|flag| flag == "islanded");
    if islanded || site.level.flags.contains("islanded") {
        return true;
    }
    let zones = passable_zones(site.level, site.ctx.content);
    if is_one_zone(site, branch) {
        return zones.count() <= 1;
    }
    if !branch.connected {
        return true;
    }
    if place.depth >= site.ctx.dungeon.levels(place.branch) {
        return stairless(site, &zones, Hatches::Count).is_empty();
    }
    let ids =
        |names: &[&str]| -> Vec<FeatureId> { names.iter().map(|name| site.id(name)).collect() };
    let mut ways = vec![(
        "escape_hatch_down",
        ids(&[
            DOWN[0],
            DOWN[1],
            DOWN[2],
            "exit_hell",
            "exit_pandemonium",
            "transit_pandemonium",
            "exit_abyss",
            "abyssal_stair",
            "escape_hatch_down",
        ]),
    )];
    if branch.traits.hatch_up_from_each_zone {
        ways.push((
            "escape_hatch_up",
            ids(&[UP[0], UP[1], UP[2], &branch.exit, "escape_hatch_up"]),
        ));
    }
    for (name, known) in ways {
        let hatch = site.id(name);
        let is_way = site.ctx.content.features().set_of(|id| known.contains(&id));
        for zone in zones.without(site.level.cells_with(&is_way)) {
            let Some((p, tries)) = add_to_zone(site, &zones, zone, hatch) else { return false };
            site.note("hatch_added", |_| {
                format!("{name} {},{} zone={zone} tries={tries}", p.x, p.y)
            });
        }
    }
    true
}

/// Returns whether the level has to be in one piece.
fn is_one_zone(site: &Site, branch: &Branch) -> bool {
    let place = site.ctx.place;
    let root_top = place.branch.is_root() && place.depth == 1;
    let second = branch.traits.second_level_in_one_piece
        && place.depth == 2
        && site.ctx.content.rules.second_elf_is_one_zone;
    // A pack may ask for it, too.
    branch.traits.pandemonium
        || root_top
        || second
        || branch.flags.iter().any(|flag| flag == "one_zone")
}

/// Puts a hatch into a zone. Returns where, and after how many tries; `None` if the zone has no
/// floor.
fn add_to_zone(
    site: &mut Site,
    zones: &Zones,
    zone: usize,
    feature: FeatureId,
) -> Option<(Point, usize)> {
    let floor = site.floor();
    let suits = |site: &Site, p: Point| zones.zone_of(p) == Some(zone) && site.is(p, floor);
    let mut place = None;
    let mut tries = 0;
    while tries < 2000 {
        tries += 1;
        let p = site.random_on_level();
        if suits(site, p) {
            place = Some(p);
            break;
        }
    }
    let p = place.or_else(|| site.level.points().find(|&p| suits(site, p)))?;
    site.set(p, feature);
    Some((p, tries))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::drawn::Drawn;

    const TWO_ROOMS: [&str; 3] = ["#######", "#1.#..#", "#######"];

    #[test]
    fn each_zone_gets_a_way_down() {
        let mut drawn = Drawn::on("D:3", &TWO_ROOMS);
        assert!(drawn.run(add_hatches));
        let rows = drawn.rows();
        assert_eq!(&rows[1][..4], "#1.#");
        assert!(["h.", ".h"].contains(&&rows[1][4..6]), "{rows:?}");
    }

    #[test]
    fn the_first_level_is_in_one_piece() {
        assert!(!Drawn::on("D:1", &TWO_ROOMS).run(add_hatches));
        assert!(Drawn::on("D:1", &["#####", "#1.a#", "#####"]).run(add_hatches));
    }

    #[test]
    fn at_the_bottom_each_zone_has_a_way_up() {
        assert!(!Drawn::on("Lair:5", &["#######", "#a.#..#", "#######"]).run(add_hatches));
        assert!(Drawn::on("Lair:5", &["#######", "#a.#.b#", "#######"]).run(add_hatches));
    }

    #[test]
    fn islands_stay_apart() {
        let mut drawn = Drawn::on("Tomb:2", &TWO_ROOMS);
        assert!(drawn.run(add_hatches));
        assert_eq!(drawn.rows(), TWO_ROOMS);
    }
}
