//! Stairs at the ends of a branch (spec 05 §11.2).

use vaultwright_content::FeatureId;
use vaultwright_level::MarkerKind;
use vaultwright_map::Point;

use crate::state::site::Site;

/// Takes away the stairs that lead out of the branch, and makes its exit.
pub(crate) fn finish_branch_ends(site: &mut Site) {
    let place = site.ctx.place;
    let Some(branch) = site.ctx.content.branches().get(place.branch) else { return };
    let levels = site.ctx.dungeon.levels(place.branch);
    let (bottom, top) = (place.depth >= levels, place.depth == 1);
    let floor = site.floor();
    let exit = site.id(&branch.exit);
    let escape = branch.escape.as_str();
    let in_vault = if levels == 1 {
        exit
    } else if top {
        site.known().escape_hatch_down
    } else if escape.is_empty() {
        site.known().escape_hatch_up
    } else {
        site.id(escape)
    };
    let (hatch_down, hatch_up) = (site.known().escape_hatch_down, site.known().escape_hatch_up);
    let (mut vault_stairs, mut other_stairs): (Vec<Point>, Vec<Point>) = Default::default();
    let is_way = |site: &Site, id| {
        let flags = site.flags_of(id);
        flags.stone_stair_down() || flags.stone_stair_up() || id == hatch_down || id == hatch_up
    };
    for p in site.cells_with(|id| is_way(site, id)) {
        let flags = site.flags(p);
        let is = |site: &Site, id| site.is(p, id);
        let replacement = if site.masked(p) { in_vault } else { floor };
        if bottom && (flags.stone_stair_down() || is(site, hatch_down)) {
            site.set(p, replacement);
        }
        if !top {
            continue;
        }
        if is(site, hatch_up) {
            site.set(p, replacement);
        } else if flags.stone_stair_up() {
            if place.branch.is_root() {
                lead_out(site, p, exit);
            } else if site.masked(p) {
                vault_stairs.push(p);
            } else {
                other_stairs.push(p);
            }
        }
    }
    let mut stairs = if vault_stairs.is_empty() { other_stairs } else { vault_stairs };
    if !stairs.is_empty() {
        site.ctx.rng.shuffle(&mut stairs);
        for (index, p) in stairs.into_iter().enumerate() {
            match index {
                0 => lead_out(site, p, exit),
                _ => site.set(p, floor),
            }
        }
    }
}

/// Makes stairs a way out; a marker remembers for those who come in which stairs they were.
fn lead_out(site: &mut Site, p: Point, exit: FeatureId) {
    let stairs = site.feature(p);
    site.level.markers.add(p, MarkerKind::Feature(stairs));
    site.set(p, exit);
}

/// Makes every way up lead out, in the hells.
pub(crate) fn escape_upwards(site: &mut Site) {
    let branch = site.ctx.content.branches().get(site.ctx.place.branch);
    let Some(escape) = branch.map(|branch| site.id(&branch.escape)) else { return };
    let up: Vec<FeatureId> =
        ["stone_stairs_up_i", "stone_stairs_up_ii", "stone_stairs_up_iii", "escape_hatch_up"]
            .map(|name| site.id(name))
            .to_vec();
    for p in site.cells_with(|id| up.contains(&id)) {
        site.set(p, escape);
    }
}

#[cfg(test)]
mod tests {
    use vaultwright_level::mask;

    use super::*;
    use crate::state::drawn::Drawn;

    #[test]
    fn the_first_level_leads_out_of_the_dungeon() {
        let mut drawn = Drawn::on("D:1", &["abcu", "123h"]);
        drawn.run(finish_branch_ends);
        assert_eq!(drawn.rows(), ["<<<.", "123h"]);
        drawn.run(|site| {
            let remembered = site.level.markers.iter().map(|marker| match marker.kind {
                MarkerKind::Feature(id) => site.ctx.content.features().get(id).name.as_str(),
                _ => "",
            });
            let stairs = ["i", "ii", "iii"].map(|number| format!("stone_stairs_up_{number}"));
            assert!(remembered.eq(stairs.iter().map(String::as_str)));
        });
    }

    #[test]
    fn the_top_of_a_branch_has_one_way_out() {
        let mut drawn = Drawn::on("Lair:1", &["a.b.c", "1.2.3"]);
        drawn.run(finish_branch_ends);
        let rows = drawn.rows();
        assert_eq!(rows[0].matches('L').count(), 1, "{rows:?}");
        assert_eq!((rows[0].matches('.').count(), rows[1].as_str()), (4, "1.2.3"));
    }

    #[test]
    fn that_of_a_vault_is_taken_first() {
        let mut drawn = Drawn::on("Lair:1", &["a.b.c"]).masked(mask::VAULT, (2, 0), (2, 0));
        drawn.run(finish_branch_ends);
        assert_eq!(drawn.rows(), ["a.L.c"]);
    }

    #[test]
    fn the_bottom_has_no_way_down_but_hatches_up_where_vaults_had_some() {
        let mut drawn = Drawn::on("Lair:5", &["abcu", "12.h"]).masked(mask::VAULT, (0, 1), (0, 1));
        drawn.run(finish_branch_ends);
        assert_eq!(drawn.rows(), ["abcu", "u..."]);
    }

    #[test]
    fn every_way_up_leads_out_of_hell() {
        let mut drawn = Drawn::on("Dis:3", &["abcu", "123h"]);
        drawn.run(escape_upwards);
        assert_eq!(drawn.rows(), ["DDDD", "123h"]);
    }
}
