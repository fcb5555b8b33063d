//! `mapgrd[x][y]`: the glyphs of a map (spec 06 §4.2). The object itself is Lua (`lua/mapgrd.lua`),
//! which keeps its columns; here is what reads and writes a cell.

use vaultwright_lua::mlua::{self, Error, Function, Table, Value};
use vaultwright_map::Point;

use super::table::Api;
use crate::script::arguments::{Int, MapRef, lua_string, text};

pub(crate) fn install(api: &Api) -> mlua::Result<()> {
    let glyphs: Table = api.lua.create_sequence_from(
        (0..=255u8).map(|glyph| lua_string(api.lua, [glyph])).collect::<mlua::Result<Vec<_>>>()?,
    )?;
    let get = api.lua.create_function(|_, (map, x, y): (MapRef, Int, Int)| {
        let def = map.0.def.borrow();
        match def.grid.get(Point::new(x.0, y.0)) {
            Some(glyph) => Ok(u16::from(glyph) + 1),
            None => Err(invalid(x.0, y.0)),
        }
    })?;
    let set = api.lua.create_function(|lua, (map, x, y, value): (MapRef, Int, Int, Value)| {
        let Some(&[glyph]) = text(&value, lua).as_deref() else {
            return Err(Error::runtime("mapgrd must be set to a single char."));
        };
        let mut def = map.0.def.borrow_mut();
        match def.grid.set(Point::new(x.0, y.0), glyph) {
            true => Ok(()),
            false => Err(invalid(x.0, y.0)),
        }
    })?;
    let build: Function =
        api.lua.load(include_str!("../../lua/mapgrd.lua")).set_name("=mapgrd.lua").eval()?;
    let table: Function = build.call((get, set, glyphs))?;
    api.table.raw_set("mapgrd_table", table)
}

fn invalid(x: i32, y: i32) -> Error {
    Error::runtime(format!("Invalid coords: {x}, {y}"))
}
