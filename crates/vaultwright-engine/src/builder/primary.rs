//! The map or layout that a level is built around (spec 05 §5).

use vaultwright_level::Cause;
use vaultwright_lua::mlua::Lua;
use vaultwright_map::{MapId, Orient};

use super::abyss::window::build_abyss;
use super::lair::{build_lair, lair_scripts, lay};
use super::pandemonium::build_pandemonium;
use super::stairs::place_stone_stairs;
use crate::observe::veto::Veto;
use crate::pack::library::Library;
use crate::place::vault::{NotPlaced, Request, Written, place_map, place_map_amid};
use crate::place::zones::{Hatches, fill_stairless_swamp};
use crate::select::choice::{Wanted, choose, choosing, goes_with_layout};
use crate::state::game::GameState;
use crate::state::host::Host;
use crate::state::map_cell::MapCell;
use crate::state::site::on_site;

/// How often a layout is drawn for a primary vault.
const LAYOUT_PICKS: usize = 100;
/// The last draws take any layout.
const COMPATIBLE_PICKS: usize = 89;

/// Builds the primary map. Returns whether more vaults may be placed.
pub(crate) fn build_primary(lua: &Lua, host: &mut Host) -> Result<bool, Veto> {
    let place = host.game.place;
    if host.traits().abyss {
        return build_abyss(lua, host);
    }
    if host.traits().pandemonium {
        return build_pandemonium(lua, host);
    }
    let is_temple = host.traits().temple;
    let temple = is_temple.then(|| temple_map(&host.game.state, &host.library)).flatten();
    if let Some(index) = forced_map(host, Forced::Primary).or(temple) {
        return place_vault(lua, host, index, Told::SizeOfTemple);
    }
    let by_place = Wanted::Place { place, minivault: false, extra: Some(false) };
    let mut chosen = choose(host, by_place);
    if chosen.is_none()
        && let Some(scripts) = lair_scripts(&host.content, place).cloned()
    {
        return build_lair(host, &scripts);
    }
    if chosen.is_none() && place.branch.is_root() && place.depth == 1 {
        let arrival = Wanted::Tags { tags: &["arrival"], check_depth: false, chance: false };
        chosen = choose(host, arrival);
    }
    let mut told = Told::SizeOfTemple;
    if chosen.is_none() && host.attempt.random_maps {
        let by_depth = Wanted::Depth { place, minivault: false, extra: Some(false) };
        chosen = choose(host, by_depth);
        told = Told::Nothing;
    }
    if let Some(index) = chosen {
        return place_vault(lua, host, index, told);
    }
    let layout = choose(host, Wanted::Tags { tags: &["layout"], check_depth: true, chance: true });
    let Some(layout) = layout else {
        return Err(Veto::NoLayout);
    };
    place_primary(lua, host, layout, None)?;
    Ok(true)
}

/// What a map that every level has to have is: one to build around, or a minivault.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Forced {
    Primary,
    Minivault,
}

/// Returns the map that every level has to have.
pub(crate) fn forced(host: &Host) -> Option<MapId> {
    host.game.state.forced.or(host.survey.forced)
}

/// Returns the map that every level has to have, if it is of this kind (spec 08 §6.9).
pub(crate) fn forced_map(host: &Host, kind: Forced) -> Option<MapId> {
    let index = forced(host)?;
    let is_minivault = host.library.get(index)?.selection.has_tag("minivault");
    let is_kind = is_minivault == (kind == Forced::Minivault);
    is_kind.then_some(index)
}

/// Returns the map that the game has chosen for its Temple.
fn temple_map(game: &GameState, library: &Library) -> Option<MapId> {
    library.find(&game.temple.as_ref()?.map)
}

/// What the Lua of a map is told that a level is built around.
enum Told {
    Nothing,
    /// For how many altars the game's Temple is; nothing but an empty parameter where that is not
    /// known. 0.28 was asked: a map chosen for its depth is never told.
    SizeOfTemple,
}

/// Places a vault that the level is built around. Returns whether more may follow.
fn place_vault(lua: &Lua, host: &mut Host, index: MapId, told: Told) -> Result<bool, Veto> {
    let encompass = host.library[index].selection.orient == Some(Orient::Encompass);
    let parameter = match told {
        Told::Nothing => None,
        Told::SizeOfTemple => {
            let temple = host.game.state.temple.as_ref();
            Some(temple.map_or(String::new(), |temple| temple.parameter.clone()))
        }
    };
    place_primary(lua, host, index, parameter.as_deref())?;
    if encompass && !choosing(host, |choice| choice.is_extra(index)) {
        host.attempt.random_maps = false;
    }
    Ok(!encompass)
}

pub(crate) fn place_primary(
    lua: &Lua,
    host: &mut Host,
    index: MapId,
    parameter: Option<&str>,
) -> Result<(), Veto> {
    let map = host.copy_of(index);
    let request = Request { primary: true, ..Request::default() };
    let around = |host: &mut Host, written: &Written| build_around(lua, host, written, &map);
    let place = |host: &mut Host| place_map_amid(lua, host, &map, &request, around);
    match host.with_parameter(parameter, place) {
        Ok(_) => Ok(()),
        Err(NotPlaced::Veto { veto, .. }) => Err(veto),
        Err(NotPlaced::Refused { .. }) => Err(host.not_placed(index)),
    }
}

/// Builds what a level gets around its primary map: a layout, unless it is one, and the stairs.
fn build_around(
    lua: &Lua,
    host: &mut Host,
    written: &Written,
    vault: &MapCell,
) -> Result<(), Veto> {
    let layout = written.is_layout();
    if written.is_encompass() && !layout {
        return Ok(());
    }
    if !layout {
        surround(lua, host, vault)?;
    }
    let before = host.level.begin(Cause::Step("stone stairs"));
    let stairs = on_site(host, |site| place_stone_stairs(site, Hatches::Count));
    host.level.resume(before);
    stairs?;
    if host.traits().swamp {
        on_site(host, fill_stairless_swamp);
    }
    Ok(())
}

/// Builds the layout around a primary vault that does not fill the level (spec 05 §5.2).
pub(crate) fn surround(lua: &Lua, host: &mut Host, vault: &MapCell) -> Result<(), Veto> {
    if host.traits().delved {
        crate::state::site::on_site(host, super::layouts::delve::delve_around);
        host.note("delve", String::new);
        return Ok(());
    }
    if let Some(scripts) = lair_scripts(&host.content, host.game.place).cloned() {
        return lay(host, &scripts).map(|_| ());
    }
    let centre = vault.def.borrow().orient == Some(Orient::Centre);
    let by_tag = |host: &mut Host, tag: &'static str| {
        choose(host, Wanted::Tags { tags: &[tag], check_depth: true, chance: true })
    };
    let central = if centre { by_tag(host, "central") } else { None };
    let parameter = if centre { "central" } else { "layout" };
    let mut layout = central;
    if layout.is_none() {
        for pick in 1..=LAYOUT_PICKS {
            let chosen = by_tag(host, "layout");
            let suits = chosen.is_some_and(|index| {
                let library = &host.library;
                let map = &library[index].selection;
                let types = map.tags.iter().filter_map(|tag| tag.strip_prefix("layout_type_"));
                let types = types.map(str::to_owned).collect();
                !map.has_tag("no_primary_vault")
                    && (pick > COMPATIBLE_PICKS
                        || goes_with_layout(&vault.def.borrow().tags, &types))
            });
            if suits {
                layout = chosen;
                break;
            }
        }
    }
    let Some(index) = layout else {
        return Err(Veto::NoLayoutAround);
    };
    let map = host.copy_of(index);
    let place = |host: &mut Host| place_map(lua, host, &map, &Request::default());
    match host.with_parameter(Some(parameter), place) {
        Err(NotPlaced::Veto { veto, .. }) => Err(veto),
        _ => Ok(()),
    }
}
