//! Placing a map when no level is being built (spec 04 §15).

use std::rc::Rc;

use vaultwright_lua::mlua::Lua;
use vaultwright_map::Orient;

use super::overlays::drop_stale_looks;
use super::vault::{NotPlaced, Request, place_map};
use crate::state::host::Host;
use crate::state::map_cell::MapCell;
use crate::state::site::on_site;

/// Places a map: on the level as it is, or on a new one if the map takes up all of it.
pub(crate) fn place_in_play(
    lua: &Lua,
    host: &mut Host,
    map: &Rc<MapCell>,
    request: &Request,
) -> Result<usize, NotPlaced> {
    if host.is_building() {
        return place_map(lua, host, map, request);
    }
    let encompass = map.def.borrow().orient == Some(Orient::Encompass);
    if encompass {
        if request.aim.checked {
            let name = map.def.borrow().name.clone();
            let message = "Cannot generate encompass map";
            let message = format!("{message} '{name}' with check_collision=true");
            host.log(&message);
            return Err(NotPlaced::Refused { reason: Some(message) });
        }
        // A new level is made: terrain is written, not changed.
        clear_world(host);
        host.reset_level();
        let placed = host.while_building(|host| place_map(lua, host, map, request));
        if host.content.rules.features_of_vaults_are_kept {
            on_site(host, drop_stale_looks);
        }
        return placed;
    }
    place_map(lua, host, map, request)
}

/// Takes from the world in play what was on a level that is gone; what the new one brings comes
/// later (spec 10 §5).
fn clear_world(host: &mut Host) {
    if !host.is_live() {
        return;
    }
    host.play.forget_level();
    let world = host.world();
    for p in host.level.points() {
        let (monster, items) = (world.borrow().monster_at(p), world.borrow().items_at(p));
        monster.into_iter().for_each(|number| host.remove_monster(number));
        items.into_iter().for_each(|number| world.borrow_mut().move_item(number, None));
    }
}
