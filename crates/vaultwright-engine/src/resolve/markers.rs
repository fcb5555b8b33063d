//! Markers of a map that is being drawn (spec 07 §4).

use std::rc::Rc;

use vaultwright_lua::mlua::{self, Function, Lua, Value};
use vaultwright_lua::{TextOf, compile_of};
use vaultwright_map::{LostFate, MapMarker, MarkerPayload, split_key};

use crate::pack::problem::{ChunkError, Code};
use crate::script::environment::run_in_environment;
use crate::state::host::Host;
use crate::state::map_cell::MapCell;

/// What gives a marker its table.
pub(crate) enum Maker<'m> {
    /// The table itself: markers share it.
    Table(&'m Value),
    /// A function of a script, in the environment of the map.
    Function(&'m Function),
    /// The expression behind `lua:`, in the environment of the map.
    Expression(&'m Function),
    /// The expression behind `lua_mapless:`, which knows of no map.
    Mapless(&'m Function),
}

/// Adds the markers of `K = lua:EXPRESSION` or `K = lua_mapless:EXPRESSION`. Returns false if a
/// spec is none of these.
pub(crate) fn add_expression(
    lua: &Lua,
    host: &mut Host,
    map: &Rc<MapCell>,
    spec: &[u8],
) -> mlua::Result<bool> {
    let Ok((key, _, argument)) = split_key(spec) else { return Ok(false) };
    let in_map = argument.strip_prefix(b"lua:");
    let Some(expression) = in_map.or_else(|| argument.strip_prefix(b"lua_mapless:")) else {
        return Ok(false);
    };
    let name = if in_map.is_some() { "lua_marker" } else { "lua_marker_mapless" };
    let text = [b"return ", expression].concat();
    let function = match compile_of(lua, name, &text, TextOf::Map(map.origin.file)) {
        Ok(function) => function,
        Err(error) => {
            host.log(format!("{name} load error: {error}"));
            return Ok(true);
        }
    };
    let maker = match in_map {
        Some(_) => Maker::Expression(&function),
        None => Maker::Mapless(&function),
    };
    add_markers(lua, host, map, key, &maker)?;
    Ok(true)
}

/// Adds one marker for each cell, last row first; what makes them is asked once per cell (spec 02
/// §9.6).
pub(crate) fn add_markers(
    lua: &Lua,
    host: &mut Host,
    map: &Rc<MapCell>,
    key: &[u8],
    maker: &Maker,
) -> mlua::Result<()> {
    let cells = map.def.borrow().marker_cells(key);
    for at in cells {
        if let Some(table) = make_table(lua, host, map, maker)? {
            let payload = MarkerPayload::Lua(host.markers.keep(lua, table)?);
            map.def.borrow_mut().markers.push(MapMarker { at, payload });
        } else if matches!(maker, Maker::Expression(_) | Maker::Mapless(_)) {
            // An expression that has failed is asked for no further cell.
            break;
        }
    }
    Ok(())
}

/// Returns the table for a marker; problems are reported and leave no marker (spec 07 §4.4). While
/// a map is compiled an error in a function of it is one of the map.
pub(crate) fn make_table(
    lua: &Lua,
    host: &mut Host,
    map: &Rc<MapCell>,
    maker: &Maker,
) -> mlua::Result<Option<Value>> {
    let (what, made) = match maker {
        Maker::Table(table) => return Ok(Some((*table).clone())),
        Maker::Function(function) | Maker::Expression(function) => {
            ("lua_marker", run_in_environment(lua, host, map, function))
        }
        Maker::Mapless(function) => {
            host.ran_lua = true;
            let run = |host: &mut Host| host.lend(|| function.call::<Value>(()));
            ("lua_marker_mapless", host.with_current(map, run))
        }
    };
    let is_function = matches!(maker, Maker::Function(_));
    match made {
        Ok(table @ Value::Table(_)) => return Ok(Some(table)),
        Ok(_) => {}
        Err(error) => {
            let told = ChunkError::of_lua(&error, host);
            // What a map may use is used up for all of it.
            if matches!(told.code, Code::LuaBudget | Code::LuaMemory) {
                return Err(error);
            }
            if is_function && map.validating.get() {
                map.lose(told.into_lost(LostFate::NoMarker));
                return Ok(None);
            }
            host.log(format!("{what} exec error: {}", told.with_place()));
            if is_function {
                return Ok(None);
            }
        }
    }
    host.log("lua_marker: Expected table, didn't get it.");
    Ok(None)
}
