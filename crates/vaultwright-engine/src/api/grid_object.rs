//! `mapgrd[x][y]`: the glyphs of a map (spec 06 §4.2). The object itself is Lua (`lua/mapgrd.lua`),
//! which keeps its columns; here is what reads and writes a cell.

use std::rc::Rc;

use vaultwright_lua::glyph_columns::{Glyphs, column_maker};
use vaultwright_lua::mlua::{self, AnyUserData, Error, FromLua, Function, Lua, Table, Value};
use vaultwright_map::Point;

use super::table::Api;
use crate::script::arguments::{Int, MapRef, lua_string, text};
use crate::state::map_cell::MapCell;

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
    let columns = columns(api.lua, glyphs.clone())?;
    let build: Function =
        api.lua.load(include_str!("../../lua/mapgrd.lua")).set_name("=mapgrd.lua").eval()?;
    let table: Function = build.call((get, set, glyphs, columns))?;
    api.table.raw_set("mapgrd_table", table)
}

/// Returns the function that answers, for a map, the one that makes the columns of its grid; it is
/// given three others, for what is not plain.
fn columns(lua: &Lua, texts: Table) -> mlua::Result<Function> {
    type Arguments = (AnyUserData, Function, Function, Function);
    lua.create_function(move |lua, (owner, read, write, make): Arguments| {
        let map = MapRef::from_lua(Value::UserData(owner.clone()), lua)?;
        // SAFETY: what the interpreter has as a map is one for good, and has a share of the cell.
        unsafe { column_maker(lua, &owner, Rc::as_ptr(&map.0), &texts, [&read, &write, &make]) }
    })
}

impl Glyphs for MapCell {
    fn glyph(&self, x: i32, y: i32) -> Option<u8> {
        self.def.try_borrow().ok()?.grid.get(Point::new(x, y))
    }

    fn set_glyph(&self, x: i32, y: i32, glyph: u8) -> bool {
        let def = self.def.try_borrow_mut();
        def.is_ok_and(|mut def| def.grid.set(Point::new(x, y), glyph))
    }
}

fn invalid(x: i32, y: i32) -> Error {
    Error::runtime(format!("Invalid coords: {x}, {y}"))
}
