//! `layout/geoelf.lua`: doors in walls of glass become doors of glass (spec 06 §15.13).

use std::rc::Rc;

use vaultwright_lua::charge;
use vaultwright_lua::mlua::{self, Lua, Table, Value};
use vaultwright_map::{Grid, Point};

use super::counterpart;
use super::geoelf::{Doors, Library};
use crate::script::arguments::MapRef;
use crate::script::environment::plain_map;
use crate::state::host::Host;

/// What a cell of the map costs, in instructions.
const CELL: u64 = 4;

/// Replaces `geoelf.make_glass_doors`.
pub(super) fn install(
    lua: &Lua,
    host: &Host,
    geoelf: &Table,
    library: &Rc<Library>,
) -> mlua::Result<()> {
    let Value::Function(interpreted) = geoelf.raw_get("make_glass_doors")? else { return Ok(()) };
    let (slot, library) = (Rc::clone(&host.slot), Rc::clone(library));
    let make = counterpart(lua, interpreted, move |lua, arguments| {
        let Some(Value::Table(environment)) = arguments.front() else { return Ok(Value::Nil) };
        if !library.is_untouched(lua)? {
            return Ok(Value::Nil);
        }
        let Some(MapRef(map)) = plain_map(lua, environment)? else { return Ok(Value::Nil) };
        let size = slot.with(|host| Ok(host.content.level_size()))?;
        let Ok(mut def) = map.def.try_borrow_mut() else { return Ok(Value::Nil) };
        let Some(doors) = doors_in_glass(&def.grid, size.width(), size.height(), &library.doors)
        else {
            return Ok(Value::Nil);
        };
        charge(lua, (size.width() * size.height()) as u64 * CELL)?;
        for door in doors {
            def.grid.set(door, library.doors.glass_door);
        }
        Ok(Value::Boolean(true))
    })?;
    geoelf.raw_set("make_glass_doors", make)
}

/// The doors with glass around them and no other wall, on a map as large as the level; none if it
/// is smaller.
fn doors_in_glass(grid: &Grid, width: i32, height: i32, glyphs: &Doors) -> Option<Vec<Point>> {
    if grid.width() < width || grid.height() < height {
        return None;
    }
    let mut doors = Vec::new();
    for at in (1..height - 1).flat_map(|y| (1..width - 1).map(move |x| Point::new(x, y))) {
        if grid.get(at)? != glyphs.door {
            continue;
        }
        let (mut has_wall, mut has_glass) = (false, false);
        for step in (-1..=1).flat_map(|x| (-1..=1).map(move |y| (x, y))) {
            let glyph = grid.get(at.offset(step))?;
            has_wall |= glyph == glyphs.wall;
            has_glass |= glyph == glyphs.glass;
        }
        if has_glass && !has_wall {
            doors.push(at);
        }
    }
    Some(doors)
}
