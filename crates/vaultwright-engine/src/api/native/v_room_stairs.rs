//! `v_rooms.lua`, `layout/hyper_place.lua`: taking stairs out of a room that has been placed, and
//! giving it the walls of the layout (spec 06 §15.9, step 3).

use std::rc::Rc;
use std::sync::Arc;

use vaultwright_lua::charge;
use vaultwright_lua::closures::replace_upvalue;
use vaultwright_lua::mlua::{self, Function, Lua, MultiValue, Table, Value};
use vaultwright_lua::number_lists::read_places;
use vaultwright_map::Point;

use super::super::dgn_level::write_feature;
use super::v_rooms::plain;
use super::{LibraryFile, are_original, counterpart};
use crate::state::host::{Host, Phase};

/// The text of `hyper_place.lua` of 0.24 to 0.30.
pub(super) const HYPER: &[&str] =
    &["3b12353345878a03c5ba0e6811317e877b2d73a2d3bde864ba0e93192caa9556"];

/// What the Lua of the function calls.
pub(super) const USED: &[&str] = &[
    "dgn.feature_name",
    "dgn.grid",
    "dgn.in_bounds",
    "feat.is_stone_stair",
    "ipairs",
    "table.insert",
];

/// What a cell costs, in instructions.
const CELL: u64 = 8;

/// Replaces the function of `v_rooms.lua` that looks at a room once it is placed.
pub(super) fn install(file: &LibraryFile) -> mlua::Result<()> {
    let lua = file.lua;
    let Value::Function(rooms) = lua.globals().raw_get("place_vaults_rooms")? else {
        return Ok(());
    };
    let name = "analyse_vault_post_placement";
    replace_upvalue(lua, &rooms, name, |interpreted| {
        match file.is_proved(name, &interpreted)? {
            true => after_placement(lua, file.host, interpreted),
            false => Ok(interpreted),
        }
    })?;
    Ok(())
}

/// Replaces that of `layout/hyper_place.lua`, which does the same.
pub(super) fn install_hyper(file: &LibraryFile) -> mlua::Result<()> {
    let lua = file.lua;
    let Some(hyper) = plain(lua.globals().raw_get("hyper")?) else { return Ok(()) };
    let Some(place) = plain(hyper.raw_get("place")?) else { return Ok(()) };
    match place.raw_get("analyse_vault_post_placement")? {
        Value::Function(interpreted)
            if file.is_proved("hyper.place.analyse_vault_post_placement", &interpreted)? =>
        {
            let after = after_placement(lua, file.host, interpreted)?;
            place.raw_set("analyse_vault_post_placement", after)
        }
        _ => Ok(()),
    }
}

fn after_placement(lua: &Lua, host: &Host, interpreted: Function) -> mlua::Result<Function> {
    let slot = Rc::clone(&host.slot);
    counterpart(lua, interpreted, move |lua, arguments| {
        let placed = if are_original(lua, USED) { Placed::of(lua, &arguments)? } else { None };
        let Some(placed) = placed else { return Ok(Value::Nil) };
        charge(lua, placed.cells.len() as u64 * CELL)?;
        match slot.with(|host| Ok(placed.without_stairs(lua, host)))? {
            None => Ok(Value::Nil),
            Some(stairs) => {
                placed.result.raw_set("stairs", list(lua, &stairs)?)?;
                Ok(Value::Boolean(true))
            }
        }
    })
}

/// The list of places that the library remembers for stairs.
fn list(lua: &Lua, stairs: &[Point]) -> mlua::Result<Table> {
    let list = lua.create_table()?;
    for (at, number) in stairs.iter().zip(1..) {
        let (entry, pos) =
            (lua.create_table_with_capacity(0, 1)?, lua.create_table_with_capacity(0, 2)?);
        pos.raw_set("x", at.x)?;
        pos.raw_set("y", at.y)?;
        entry.raw_set("pos", pos)?;
        list.raw_set(number, entry)?;
    }
    Ok(list)
}

/// A room that has been placed.
struct Placed {
    cells: Vec<Point>,
    /// The feature of the layout's walls.
    wall: Value,
    result: Table,
}

impl Placed {
    /// From the arguments of the Lua (plan, room, result); none for what is not plain.
    fn of(lua: &Lua, arguments: &MultiValue) -> mlua::Result<Option<Placed>> {
        let argument = |index: usize| arguments.get(index).cloned().and_then(plain);
        let (Some(room), Some(result)) = (argument(1), argument(2)) else { return Ok(None) };
        let Some(list) = plain(result.raw_get("coords_list")?) else { return Ok(None) };
        let Some(cells) = read_places(lua, &list, c"grid_pos")? else { return Ok(None) };
        let cells = cells.into_iter().map(|(x, y)| Point::new(x, y)).collect();
        Ok(Some(Placed { cells, wall: room.raw_get("wall_type")?, result }))
    }

    /// Puts floor in the place of stairs, which are returned, and the layout's walls in that of
    /// rock; none, with nothing done, where the Lua would fail.
    fn without_stairs(&self, lua: &Lua, host: &mut Host) -> Option<Vec<Point>> {
        let content = Arc::clone(&host.content);
        let features = content.features();
        let Value::String(wall) = &self.wall else { return None };
        let building = host.phase == Phase::Mapgen && !host.is_live();
        if !building || !self.cells.iter().all(|&at| host.on_map(at)) {
            return None;
        }
        let named = |name: &str| features.by_name(name);
        let (exit, rock, floor) = (named("exit_vaults"), named("rock_wall")?, named("floor")?);
        let wall = named(&wall.to_string_lossy());
        let mut stairs = Vec::new();
        for &at in &self.cells {
            let Some(feature) = host.level.feature(at) else { continue };
            let flags = features.get(feature).flags;
            let is_stair = flags.stone_stair_up() || flags.stone_stair_down();
            if (is_stair && host.in_bounds(at)) || Some(feature) == exit {
                stairs.push(at);
                write_feature(lua, host, at, floor);
            } else if feature == rock
                && let Some(wall) = wall
            {
                write_feature(lua, host, at, wall);
            }
        }
        Some(stairs)
    }
}
