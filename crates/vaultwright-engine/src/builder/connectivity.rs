//! Whether the level hangs together, and what can be mended (spec 05 §9, §23.3).

use std::sync::Arc;

use vaultwright_level::{Zones, is_passable};
use vaultwright_map::Point;

use super::closets::{Gait, close, closets};
use super::hatches::add_hatches;
use super::interlevel::ensure_interlevel;
use super::ruination::is_firewood;
use super::stair_fixup::{VaultStairs, fix_stone_stairs};
use crate::observe::veto::Veto;
use crate::place::zones::{
    Hatches, can_walk_to, count_zones, passable_zones, stairless, zones_ever_passable,
    zones_with_traps,
};
use crate::state::host::Host;
use crate::state::notes::note;
use crate::state::site::{Site, on_site};

/// Zones of up to so many cells may be filled.
const SMALL_ZONE: usize = 11;

/// The checks of a level, in the order that the rules ask for. When so many vaults stood on it, it
/// had so many zones, if they have been counted.
pub(crate) fn verify_connectivity(
    host: &mut Host,
    vaults_before: usize,
    base_zones: usize,
) -> Result<(), Veto> {
    if host.level.vaults.len() > vaults_before && base_zones > 0 {
        check_zone_count(host, vaults_before, base_zones)?;
    }
    let content = Arc::clone(&host.content);
    let rules = &content.rules;
    let branch = content.branches().get(host.game.place.branch);
    let islanded = host.level.flags.contains("islanded");
    let connected = !islanded
        && branch.is_some_and(|branch| {
            branch.connected && !branch.flags.iter().any(|flag| flag == "islanded")
        });
    if rules.stairs_fixed_before_zones {
        fix_stairs(host)?;
    }
    if connected {
        check_ways_out(host)?;
    }
    if !rules.stairs_fixed_before_zones {
        fix_stairs(host)?;
    }
    if !on_site(host, |site| entrances_connected(site)) {
        return Err(Veto::DisconnectedEntrance);
    }
    note(host, "entrances_connected", String::new);
    if !on_site(host, add_hatches) {
        return Err(Veto::NoHatches);
    }
    note(host, "hatches_connected", String::new);
    if connected && rules.more_isolation_checks {
        check_ways_without_hatches(host)?;
        close_closets(host)?;
    }
    if connected && !ensure_interlevel(host) {
        return Err(Veto::Interlevel);
    }
    Ok(())
}

/// Vaults must not have cut the level into more zones than it had.
fn check_zone_count(host: &mut Host, vaults_before: usize, base_zones: usize) -> Result<(), Veto> {
    if !host.traits().abyss {
        on_site(host, fill_small_zones);
        note(host, "small_zones_filled", String::new);
    }
    let now = count_zones(&host.level, &host.content);
    note(host, "zones_after", || format!("before={base_zones} now={now}"));
    if now <= base_zones {
        return Ok(());
    }
    let level = &host.level;
    let vaults = level.vaults[vaults_before..].iter().map(|vault| vault.map.name.clone());
    Err(Veto::MoreZones { before: base_zones, now, vaults: vaults.collect() })
}

/// Fills small zones without stairs and vaults with rock.
fn fill_small_zones(site: &mut Site) {
    let zones = passable_zones(site.level, site.ctx.content);
    let sizes = zones.sizes();
    let doomed: Vec<Point> = stairless(site, &zones, Hatches::Count)
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
    for p in doomed {
        site.set(p, rock);
        site.level.monsters.remove(&p);
        site.level.items.remove(&p);
    }
}

fn fix_stairs(host: &mut Host) -> Result<(), Veto> {
    if host.traits().stairs_stay {
        return Ok(());
    }
    let fixed = on_site(host, |site| {
        fix_stone_stairs(site, VaultStairs::Stay) || fix_stone_stairs(site, VaultStairs::MayGo)
    });
    if fixed { Ok(()) } else { Err(Veto::StairsNotFixed) }
}

/// Every zone needs a way out, by some rules also those that lie behind traps.
fn check_ways_out(host: &mut Host) -> Result<(), Veto> {
    let closed = |zones: Zones, site: &Site| stairless(site, &zones, Hatches::Count).len();
    let count = on_site(host, |site| closed(passable_zones(site.level, site.ctx.content), site));
    note(host, "stairless_zones", || format!("n={count}"));
    if count > 0 {
        return Err(Veto::Isolated);
    }
    let has_traps = |site: &Site| site.level.features().iter().any(|&id| site.flags_of(id).trap());
    let isolated = |site: &mut Site| has_traps(site) && closed(zones_with_traps(site), site) > 0;
    if host.content.rules.more_isolation_checks && on_site(host, isolated) {
        return Err(Veto::IsolatedByTraps);
    }
    Ok(())
}

/// Who crosses deep water and lava must not need a hatch to leave.
fn check_ways_without_hatches(host: &mut Host) -> Result<(), Veto> {
    let isolated = on_site(host, |site| {
        let zones = zones_ever_passable(site);
        // Where nobody can stand, nobody is shut in.
        let (level, content) = (&*site.level, site.ctx.content);
        let has_room = |zone: &Vec<Point>| zone.iter().any(|&p| is_passable(level, content, p));
        let closed =
            stairless(site, &zones, Hatches::Ignored).into_iter().map(|zone| zones.cells(zone));
        closed.filter(has_room).last().map(|zone| in_vault(site, zone[0]))
    });
    match isolated {
        Some(vault) => Err(Veto::OnlyHatches(vault)),
        None => Ok(()),
    }
}

/// Keeps teleports out of closets, or throws the level away for having any.
fn close_closets(host: &mut Host) -> Result<(), Veto> {
    let liquids = on_site(host, |site| {
        site.level.features().iter().any(|&id| {
            let flags = site.flags_of(id);
            flags.deep_water() || flags.lava()
        })
    });
    // Where there is nothing to fly over, a flier has no closets of his own.
    let gaits = if liquids { &[Gait::Walking, Gait::Flying][..] } else { &[Gait::Walking] };
    let veto = host.closets_veto();
    for &gait in gaits {
        let vetoed = on_site(host, |site| {
            let found = closets(site, gait);
            if veto {
                return found.last().map(|spots| in_vault(site, spots[0]));
            }
            close(site, found.into_iter().flatten());
            None
        });
        if let Some(vault) = vetoed {
            return Err(Veto::TeleportCloset(vault));
        }
    }
    Ok(())
}

/// Returns the name of the vault that a cell belongs to, if any.
fn in_vault(site: &Site, p: Point) -> Option<String> {
    site.level.vault_at(p).map(|vault| vault.map.name.clone())
}

/// Whether the way out of the first level is connected with a way down (spec 05 §4.2).
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
        let rows = ["################", "#..#1.#........#", "#..#..#........#", "################"];
        let filled =
            ["################", "####1.#........#", "####..#........#", "################"];
        let mut drawn = Drawn::of(&rows);
        drawn.run(fill_small_zones);
        assert_eq!(drawn.rows(), filled);
        let mut drawn = Drawn::of(&rows).masked(mask::VAULT, (1, 1), (1, 1));
        drawn.run(fill_small_zones);
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
