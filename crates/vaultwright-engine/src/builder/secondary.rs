//! The vaults placed on a level that has its shape (spec 05 §7).

use std::sync::Arc;

use vaultwright_level::{is_mimic, mask, portal_places};
use vaultwright_lua::mlua::Lua;
use vaultwright_map::{MapId, Point};

use super::primary::{Forced, forced_map};
use crate::observe::veto::Veto;
use crate::place::vault::{NotPlaced, Request, place_map};
use crate::resolve::ground::Aim;
use crate::script::markers::ask_for_portals;
use crate::select::choice::{Wanted, chance_group, choose, choosing};
use crate::state::host::Host;
use crate::state::site::{Site, on_site};

/// More picks of extra minivaults than any level makes.
const MAX_MINIVAULTS: usize = 10_001;

/// The map that is the way to the Temple where no other fits.
const PLAIN_TEMPLE_ENTRY: &str = "temple_entry_dummy";

/// Places a map where it fits. Returns whether it stands.
fn place_checked(lua: &Lua, host: &mut Host, index: MapId) -> Result<bool, Veto> {
    place_with(lua, host, index, None)
}

/// As [`place_checked`], with a parameter for the map's Lua.
pub(crate) fn place_with(
    lua: &Lua,
    host: &mut Host,
    index: MapId,
    parameter: Option<&str>,
) -> Result<bool, Veto> {
    let request = Request { aim: Aim::CHECKED, ..Request::default() };
    let map = host.copy_of(index);
    match host.with_parameter(parameter, |host| place_map(lua, host, &map, &request)) {
        Ok(_) => Ok(true),
        Err(NotPlaced::Refused { .. }) => Ok(false),
        Err(NotPlaced::Veto { veto, .. }) => Err(veto),
    }
}

/// How branches are entered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Entrances {
    /// By vaults, where there are some that fit.
    InVaults,
    /// By their features alone.
    Bare,
}

/// Places the entrances of the branches that begin here.
pub(crate) fn place_branch_entrances(
    lua: &Lua,
    host: &mut Host,
    entrances: Entrances,
) -> Result<(), Veto> {
    let content = Arc::clone(&host.content);
    let (branches, features) = (content.branches(), content.features());
    let place = host.game.place;
    let level = &host.level;
    let entrances_of_branches = features.set_of(|id| {
        features.get(id).flags.branch_entrance() && features.get(id).name != "enter_hell"
    });
    let cells = level.cells_with(&entrances_of_branches);
    let present: Vec<&str> = cells
        .into_iter()
        .filter(|&p| !is_mimic(level, p))
        .filter_map(|p| Some(features.get(level.feature(p)?).name.as_str()))
        .collect();
    let mut wanted: Vec<_> = branches
        .iter()
        .filter(|branch| {
            !branch.entry.is_empty()
                && !branch.hell
                && !present.contains(&branch.entry.as_str())
                && host.game.dungeon.entry(branch.id) == Some(place)
        })
        .collect();
    wanted.sort_by_key(|branch| branch.order_logical);
    for branch in wanted {
        if entrances == Entrances::InVaults {
            let tag = format!("{}_entry", branch.name.to_lowercase());
            let tags = [tag.as_str()];
            let chosen =
                choose(host, Wanted::Tags { tags: &tags, check_depth: true, chance: false });
            if let Some(index) = chosen
                && place_checked(lua, host, index)?
            {
                host.note("branch_entry", || format!("{} vault", branch.name));
                continue;
            }
            // A tree that has such a map is one whose game never leaves it at bare stairs (spec 05
            // §7.2).
            if branch.traits.temple
                && let Some(index) = host.library.find(PLAIN_TEMPLE_ENTRY)
            {
                if place_checked(lua, host, index)? {
                    continue;
                }
                return Err(Veto::NoTempleEntrance);
            }
        }
        ask_for_portals(lua, host);
        let (how, p) = on_site(host, |site| place_bare_entrance(site, &branch.entry))?;
        host.note("branch_entry", || format!("{} {how} {},{}", branch.name, p.x, p.y));
    }
    Ok(())
}

/// Puts an entrance where a map has marked a place for one, else anywhere. Returns how, as a trace
/// tells it, and where.
fn place_bare_entrance(site: &mut Site, feature: &str) -> Result<(&'static str, Point), Veto> {
    let floor = site.floor();
    let portals = portal_places(site.level, site.ctx.content);
    let free = |site: &Site, p| site.is(p, floor) && !site.level.monsters.contains_key(&p);
    let how = if portals.is_empty() { "bare" } else { "marker" };
    let at = if portals.is_empty() {
        let outside = site.random_cell(|site, p| free(site, p) && !site.masked(p));
        outside.or_else(|| site.random_cell(free))
    } else {
        Some(portals[site.ctx.rng.random2(portals.len() as i32) as usize])
    };
    let Some(p) = at else { return Err(Veto::NoCellForFeature) };
    let id = site.id(feature);
    site.set(p, id);
    site.level.change_mask(p, mask::VAULT, 0);
    Ok((how, p))
}

/// Places the maps whose CHANCE has come.
pub(crate) fn place_chance_vaults(lua: &Lua, host: &mut Host) -> Result<(), Veto> {
    let place = host.game.place;
    let mut winners = choosing(host, |choice| choice.roll_all_chances(place));
    let names = |host: &Host, list: &[MapId]| {
        let names: Vec<String> =
            list.iter().map(|&index| host.library.name_of(index).to_owned()).collect();
        names.join(",")
    };
    host.note("chance_list", || names(host, &winners));
    host.with_context(|ctx| ctx.rng.shuffle(&mut winners));
    let library = Arc::clone(&host.library);
    choosing(host, |choice| choice.by_priority(&mut winners, place));
    host.note("chance_order", || names(host, &winners));
    for index in winners {
        let map = &library[index].selection;
        let unused = !host.game.used.excludes(map, &host.content.rules);
        let group = chance_group(map).map(str::to_owned);
        if unused && place_checked(lua, host, index)? {
            continue;
        }
        let Some(group) = group else { continue };
        let fallback = group.replacen("chance_", "fallback_", 1);
        let tags = [fallback.as_str()];
        let chosen = choose(host, Wanted::Tags { tags: &tags, check_depth: true, chance: false });
        if let Some(index) = chosen {
            place_checked(lua, host, index)?;
        }
    }
    Ok(())
}

/// Minivaults: one by PLACE, then by depth until one is chosen that is not extra.
pub(crate) fn place_minivaults(lua: &Lua, host: &mut Host) -> Result<(), Veto> {
    if let Some(index) = forced_map(host, Forced::Minivault)
        && !place_checked(lua, host, index)?
    {
        return Err(host.not_placed(index));
    }
    let place = host.game.place;
    let own = choose(host, Wanted::Place { place, minivault: true, extra: None });
    if let Some(index) = own {
        place_checked(lua, host, index)?;
    }
    if !host.attempt.random_maps {
        return Ok(());
    }
    for _ in 0..MAX_MINIVAULTS {
        let chosen = choose(host, Wanted::Depth { place, minivault: true, extra: None });
        let Some(index) = chosen else { break };
        let extra = choosing(host, |choice| choice.is_extra(index));
        place_checked(lua, host, index)?;
        if !extra {
            break;
        }
    }
    Ok(())
}

/// Places further vaults outside the Dungeon, until one does not fit.
pub(crate) fn place_extra_vaults(lua: &Lua, host: &mut Host) -> Result<(), Veto> {
    let place = host.game.place;
    if place.branch.is_root() || !host.attempt.random_maps {
        return Ok(());
    }
    loop {
        let chosen = choose(host, Wanted::Depth { place, minivault: false, extra: Some(true) });
        let Some(index) = chosen else { return Ok(()) };
        let encompass =
            host.library[index].selection.orient == Some(vaultwright_map::Orient::Encompass);
        if encompass || !place_checked(lua, host, index)? {
            return Ok(());
        }
    }
}

/// Places unique monsters, which come as vaults.
pub(crate) fn place_uniques(lua: &Lua, host: &mut Host) -> Result<(), Veto> {
    let tags = ["place_unique"];
    let (mut rarity, mut placed) = (2, 0);
    while host.with_context(|ctx| ctx.rng.one_chance_in(rarity)) {
        let count = choosing(host, |choice| choice.list_by_tags(&tags)).len() as i32;
        let go = host.with_context(|ctx| ctx.rng.x_chance_in_y(count, 5));
        host.note("unique_try", || format!("A={rarity} available={count} go={}", u8::from(go)));
        if !go {
            break;
        }
        let chosen = choose(host, Wanted::Tags { tags: &tags, check_depth: true, chance: false });
        let Some(index) = chosen else { break };
        if place_checked(lua, host, index)? {
            placed += 1;
            if placed >= 3 {
                rarity += 1;
            }
        }
    }
    host.note("uniques", || format!("placed={placed}"));
    Ok(())
}

#[cfg(test)]
mod tests {
    use vaultwright_content::{Content, Edition, Features, Rules};
    use vaultwright_level::Level;
    use vaultwright_map::{Dungeon, LevelPlace};

    use super::*;
    use crate::pack::sources::DataRoot;

    /// Returns a level of floor on D:4, where of all branches the Temple alone begins.
    fn above_the_temple() -> Host {
        let content = Arc::new(Content::new(Rules::of(Edition::Trunk)));
        let branches = content.branches();
        let mut host = Host::new(Arc::clone(&content), DataRoot::Bare, None);
        host.level.reset_open(host.content.features());
        host.game.streams = host.streams_of(7);
        host.game.place = LevelPlace { depth: 4, ..LevelPlace::START };
        host.game.dungeon = Dungeon::unset(branches);
        let temple = branches.by_name("Temple").expect("a temple").id;
        host.game.dungeon.set_entry(temple, host.game.place);
        host
    }

    fn entrances(level: &Level, features: &Features) -> Vec<Point> {
        let entrance = features.by_name("enter_temple");
        level.points().filter(|&p| level.feature(p) == entrance).collect()
    }

    #[test]
    fn a_bare_entrance_stands_on_floor_and_counts_as_a_vault() {
        let mut host = above_the_temple();
        assert_eq!(place_branch_entrances(&Lua::new(), &mut host, Entrances::Bare), Ok(()));
        let at = entrances(&host.level, host.content.features());
        assert_eq!(at.len(), 1);
        assert_ne!(host.level.mask(at[0]) & mask::VAULT, 0);
        // One that is there is enough.
        assert_eq!(place_branch_entrances(&Lua::new(), &mut host, Entrances::Bare), Ok(()));
        assert_eq!(entrances(&host.level, host.content.features()), at);
    }

    #[test]
    fn a_level_of_rock_has_no_cell_for_an_entrance() {
        let mut host = above_the_temple();
        host.level.reset(host.content.features());
        let placed = place_branch_entrances(&Lua::new(), &mut host, Entrances::Bare);
        assert_eq!(placed, Err(Veto::NoCellForFeature));
    }
}
