//! Zones of a level under construction (spec 05 §9.1).

use std::collections::HashSet;

use vaultwright_content::{Content, FeatureId};
use vaultwright_level::{Level, Zones, is_passable};
use vaultwright_map::{Context, Point};

use super::site::Site;

/// The zones that a walker finds, opaque vaults left out.
pub(crate) fn passable_zones(level: &Level, content: &Content) -> Zones {
    Zones::of(level, |p| is_passable(level, content, p))
}

/// How many zones a walker finds.
pub(crate) fn count_zones(level: &Level, content: &Content) -> usize {
    passable_zones(level, content).count()
}

/// The features by which a zone can be left (spec 05 §9.1).
pub(super) fn exit_stairs(ctx: &Context, hatches: bool) -> HashSet<FeatureId> {
    let content = ctx.content;
    let features = content.features();
    let bottom = ctx.place.depth >= ctx.dungeon.levels(ctx.place.branch);
    let exits = content
        .branches()
        .iter()
        .filter(|branch| branch.connected && branch.exit != "exit_hell")
        .map(|branch| branch.exit.as_str());
    let always = ["exit_pandemonium", "transit_pandemonium", "exit_abyss"];
    let named = exits.chain(always).filter_map(|name| features.by_name(name));
    let stairs = features.iter().filter(|(_, feature)| {
        let flags = feature.flags;
        flags.stone_stair_up()
            || (!bottom && (flags.stone_stair_down() || (hatches && flags.hatch())))
    });
    named.chain(stairs.map(|(id, _)| id)).collect()
}

/// The zones without a way out.
pub(super) fn stairless<'z>(
    site: &Site,
    zones: &'z Zones,
    hatches: bool,
) -> impl Iterator<Item = &'z Vec<Point>> {
    let exits = exit_stairs(site.ctx, hatches);
    let has_exit: Vec<bool> = zones
        .cells
        .iter()
        .map(|zone| zone.iter().any(|&p| exits.contains(&site.feature(p))))
        .collect();
    zones.cells.iter().zip(has_exit).filter(|(_, has_exit)| !has_exit).map(|(zone, _)| zone)
}

/// Swamp: fills zones without stairs and vaults with mangroves, walking and swimming.
pub(crate) fn fill_stairless_swamp(site: &mut Site) {
    let mangrove = site.id("mangrove");
    for swimming in [false, true] {
        let (level, content) = (&*site.level, site.ctx.content);
        let zones = Zones::of(level, |p| {
            let flags = level.feature(p).map(|id| content.features().get(id).flags);
            let swims = swimming && flags.is_some_and(|f| f.deep_water() || f.lava());
            swims || is_passable(level, content, p)
        });
        let doomed: Vec<Point> = stairless(site, &zones, true)
            .filter(|zone| zone.iter().all(|&p| !site.masked(p)))
            .flatten()
            .copied()
            .collect();
        for p in doomed {
            site.set(p, mangrove);
            site.level.monsters.remove(&p);
            site.level.items.remove(&p);
        }
    }
}
