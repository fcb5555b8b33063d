//! Whether the level hangs together, and what can be mended (spec 05 §9, §23.3).

use std::collections::BTreeMap;

use vaultwright_level::{is_passable, passable_cells, passable_zones};
use vaultwright_map::{LevelPlace, Point, Zones};

use super::closets::{Gait, close, closets};
use super::hatches::add_hatches;
use super::interlevel::ensure_interlevel;
use super::ruination::is_firewood;
use super::stair_fixup::{VaultStairs, fix_stone_stairs};
use crate::observe::veto::Veto;
use crate::place::zones::{
    Hatches, can_walk_to, is_open_liquid, lie_beside, stairless, traps, zones_ever_passable,
    zones_with_traps,
};
use crate::state::game::Connections;
use crate::state::site::Site;

/// Zones of up to so many cells may be filled.
const SMALL_ZONE: usize = 11;

/// The zones of a level before vaults were placed on it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ZonesBefore {
    /// How many vaults stood on it.
    pub(crate) vaults: usize,
    /// How many zones it had; 0 if they have not been counted.
    pub(crate) count: usize,
}

/// What becomes of closets, which cannot be left by a player who has teleported there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Closets {
    /// Nobody teleports there.
    Closed,
    /// A level with one is thrown away.
    Vetoed,
}

/// Checks a level, in the order that the rules ask for.
pub(crate) fn verify_connectivity(
    site: &mut Site,
    connections: &mut BTreeMap<LevelPlace, Connections>,
    before: ZonesBefore,
    closets: Closets,
) -> Result<(), Veto> {
    if site.level.vaults.len() > before.vaults && before.count > 0 {
        check_zone_count(site, before)?;
    }
    let rules = &site.ctx.content.rules;
    let branch = site.ctx.content.branches().get(site.ctx.place.branch);
    let islanded = site.level.flags.contains("islanded");
    let connected = !islanded
        && branch.is_some_and(|branch| {
            branch.connected && !branch.flags.iter().any(|flag| flag == "islanded")
        });
    if rules.stairs_fixed_before_zones {
        fix_stairs(site)?;
    }
    if connected {
        check_ways_out(site)?;
    }
    if !rules.stairs_fixed_before_zones {
        fix_stairs(site)?;
    }
    if !entrances_connected(site) {
        return Err(Veto::DisconnectedEntrance);
    }
    site.note("entrances_connected", |_| String::new());
    if !add_hatches(site) {
        return Err(Veto::NoHatches);
    }
    site.note("hatches_connected", |_| String::new());
    if connected && rules.more_isolation_checks {
        check_ways_without_hatches(site)?;
        close_closets(site, closets)?;
    }
    if connected && !ensure_interlevel(site, connections) {
        return Err(Veto::Interlevel);
    }
    Ok(())
}

/// Vaults must not have cut the level into more zones than it had.
fn check_zone_count(site: &mut Site, before: ZonesBefore) -> Result<(), Veto> {
    let mut zones = passable_zones(site.level, site.ctx.content);
    if !site.traits().abyss {
        if fill_small_zones(site, &zones) {
            zones = passable_zones(site.level, site.ctx.content);
        }
        site.note("small_zones_filled", |_| String::new());
    }
    let now = zones.count();
    site.note("zones_after", |_| format!("before={} now={now}", before.count));
    if now <= before.count {
        return Ok(());
    }
    let vaults = site.level.vaults[before.vaults..].iter().map(|vault| vault.map.name.clone());
    Err(Veto::MoreZones { before: before.count, now, vaults: vaults.collect() })
}

/// Fills small zones without stairs and vaults with rock. Returns whether there were any.
fn fill_small_zones(site: &mut Site, zones: &Zones) -> bool {
    let sizes = zones.sizes();
    let doomed: Vec<Point> = stairless(site, zones, Hatches::Count)
        .into_iter()
        .filter(|zone| sizes[zone - 1] <= SMALL_ZONE)
        .map(|zone| zones.cells(zone))
        .filter(|zone| zone.iter().all(|&p| !site.masked(p)))
        .flatten()
        .filter(|&p| {
            let flags = site.flags(p);
            (flags.solid_floor() || flags.door())
                && (!site.level.monsters.contains_key(&p) || is_firewood(site, p))
        })
        .collect();
    let rock = site.rock_wall();
    for &p in &doomed {
        site.set(p, rock);
        site.level.monsters.remove(&p);
        site.level.items.remove(&p);
    }
    !doomed.is_empty()
}

fn fix_stairs(site: &mut Site) -> Result<(), Veto> {
    let fixed = site.traits().stairs_stay
        || fix_stone_stairs(site, VaultStairs::Stay)
        || fix_stone_stairs(site, VaultStairs::MayGo);
    if fixed { Ok(()) } else { Err(Veto::StairsNotFixed) }
}

/// Checks that every zone has a way out, by some rules also those that lie behind traps.
fn check_ways_out(site: &Site) -> Result<(), Veto> {
    let closed = |zones: &Zones| stairless(site, zones, Hatches::Count).len();
    let count = closed(&passable_zones(site.level, site.ctx.content));
    site.note("stairless_zones", |_| format!("n={count}"));
    if count > 0 {
        return Err(Veto::Isolated);
    }
    // Who walks over traps, too, finds more zones only where traps lie beside none.
    let lie_beside_zones = |cells: &[Point]| {
        lie_beside(site.level, passable_cells(site.level, site.ctx.content), cells)
    };
    if site.ctx.content.rules.more_isolation_checks
        && !lie_beside_zones(&traps(site))
        && closed(&zones_with_traps(site)) > 0
    {
        return Err(Veto::IsolatedByTraps);
    }
    Ok(())
}

/// Checks that who crosses deep water and lava needs no hatch to leave.
fn check_ways_without_hatches(site: &Site) -> Result<(), Veto> {
    let (level, content) = (&*site.level, site.ctx.content);
    // Water and lava only join zones that have room.
    if stairless(site, &passable_zones(level, content), Hatches::Ignored).is_empty() {
        return Ok(());
    }
    let zones = zones_ever_passable(site);
    // A zone without room to stand shuts no one in.
    let has_room = |zone: &Vec<Point>| zone.iter().any(|&p| is_passable(level, content, p));
    let closed =
        stairless(site, &zones, Hatches::Ignored).into_iter().map(|zone| zones.cells(zone));
    match closed.filter(has_room).last() {
        Some(zone) => Err(Veto::OnlyHatches(in_vault(site, zone[0]))),
        None => Ok(()),
    }
}

/// Keeps teleports out of closets, or throws the level away for having any.
fn close_closets(site: &mut Site, wanted: Closets) -> Result<(), Veto> {
    let liquids = site.has_any(|id| is_open_liquid(site.flags_of(id)));
    // Where there is nothing to fly over, a flier has no closets of his own.
    let gaits = if liquids { &[Gait::Walking, Gait::Flying][..] } else { &[Gait::Walking] };
    for &gait in gaits {
        let found = closets(site, gait);
        match (wanted, found.last()) {
            (Closets::Vetoed, Some(spots)) => {
                return Err(Veto::TeleportCloset(in_vault(site, spots[0])));
            }
            (Closets::Vetoed, None) => {}
            (Closets::Closed, _) => close(site, found.into_iter().flatten()),
        }
    }
    Ok(())
}

/// Returns the name of the vault that a cell belongs to, if any.
fn in_vault(site: &Site, p: Point) -> Option<String> {
    site.level.vault_at(p).map(|vault| vault.map.name.clone())
}

/// Returns whether the way out of the first level is connected with a way down (spec 05 §4.2).
pub(crate) fn way_down_from_the_exit(site: &Site) -> bool {
    if !site.ctx.place.branch.is_root() || site.ctx.place.depth != 1 {
        return true;
    }
    let (exit, hatch) = (site.known().exit_dungeon, site.known().escape_hatch_down);
    let exits = site.cells_with(|id| id == exit);
    exits.first().is_none_or(|&first| {
        can_walk_to(site, first, |p| site.is(p, hatch) || site.flags(p).stone_stair_down())
    })
}

fn entrances_connected(site: &Site) -> bool {
    let hell = site.known().enter_hell;
    let entrances = site.cells_with(|id| site.flags_of(id).branch_entrance() && id != hell);
    entrances.into_iter().all(|p| {
        can_walk_to(site, p, |q| {
            let flags = site.flags(q);
            flags.stone_stair_up() || flags.stone_stair_down()
        })
    })
}

#[cfg(test)]
mod tests {
    use vaultwright_level::mask;

    use super::*;
    use crate::state::drawn::Drawn;

    #[test]
    fn an_entrance_is_connected_with_stairs() {
        let connected = |rows: &[&str]| Drawn::of(rows).run(|site| entrances_connected(site));
        assert!(connected(&["#######", "#O...1#", "#######"]));
        assert!(!connected(&["#######", "#O.#.1#", "#######"]));
        assert!(!connected(&["#######", "#O...h#", "#######"]), "a hatch is no stair");
        assert!(connected(&["#######", "#.....#", "#######"]), "there is none");
    }

    #[test]
    fn small_zones_without_stairs_and_vaults_are_filled() {
        let fill = |site: &mut Site| {
            let zones = passable_zones(site.level, site.ctx.content);
            fill_small_zones(site, &zones)
        };
        let rows = ["################", "#..#1.#........#", "#..#..#........#", "################"];
        let filled =
            ["################", "####1.#........#", "####..#........#", "################"];
        let mut drawn = Drawn::of(&rows);
        drawn.run(fill);
        assert_eq!(drawn.rows(), filled);
        let mut drawn = Drawn::of(&rows).masked(mask::VAULT, (1, 1), (1, 1));
        drawn.run(fill);
        assert_eq!(drawn.rows(), rows);
    }

    #[test]
    fn one_comes_down_from_the_way_out() {
        let leads_down =
            |place, rows: &[&str]| Drawn::on(place, rows).run(|site| way_down_from_the_exit(site));
        assert!(leads_down("D:1", &["#####", "#<.1#", "#####"]));
        assert!(leads_down("D:1", &["#####", "#<.h#", "#####"]));
        assert!(!leads_down("D:1", &["#####", "#<#1#", "#####"]));
        assert!(leads_down("D:2", &["#####", "#<#1#", "#####"]), "it is asked of the first level");
    }
}
