//! Markers of a map that is being drawn (spec 07 §4).

use std::rc::Rc;

use vaultwright_lua::compile;
use vaultwright_lua::mlua::{self, Function, Lua, Value};
use vaultwright_map::{MapMarker, MarkerPayload, split_key};

use crate::pack::problem::ChunkError;
use crate::script::environment::run_in_environment;
use crate::state::host::Host;
use crate::state::map_cell::MapCell;

/// Adds markers that share a table.
pub(crate) fn add_table(
    lua: &Lua,
    host: &mut Host,
    map: &Rc<MapCell>,
    key: &[u8],
    table: &Value,
) -> mlua::Result<()> {
    add_markers(lua, host, map, key, |_| Ok(Made::Table(table.clone())))
}

/// Adds markers whose tables a function makes.
pub(crate) fn add_of_function(
    lua: &Lua,
    host: &mut Host,
    map: &Rc<MapCell>,
    key: &[u8],
    function: &Function,
) -> mlua::Result<()> {
    let make = |host: &mut Host| table_of_function(lua, host, map, function).map(Made::or_none);
    add_markers(lua, host, map, key, make)
}

/// What makes the table of a marker.
enum Maker<'f> {
    /// A function of a script, in the environment of the map.
    Function(&'f Function),
    /// The expression behind `lua:`, in the environment of the map.
    Expression(&'f Function),
    /// The expression behind `lua_mapless:`, which knows of no map.
    Mapless(&'f Function),
}

/// What a cell gets.
enum Made {
    Table(Value),
    /// No marker.
    Nothing,
    /// No marker, and so do the cells after it.
    End,
}

impl Made {
    fn or_none(table: Option<Value>) -> Made {
        table.map_or(Made::Nothing, Made::Table)
    }

    fn or_end(table: Option<Value>) -> Made {
        table.map_or(Made::End, Made::Table)
    }
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
    let function = match compile(lua, name, &[b"return ", expression].concat()) {
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
    add_markers(lua, host, map, key, |host| {
        marker_table(lua, host, map, &maker).map(Made::or_end)
    })?;
    Ok(true)
}

/// Adds one marker for each cell, last row first; what makes them is asked once per cell (spec 02
/// §9.6).
fn add_markers(
    lua: &Lua,
    host: &mut Host,
    map: &Rc<MapCell>,
    key: &[u8],
    make: impl Fn(&mut Host) -> mlua::Result<Made>,
) -> mlua::Result<()> {
    let cells = map.def.borrow().marker_cells(key);
    for at in cells {
        let table = match make(host)? {
            Made::Table(table) => table,
            Made::Nothing => continue,
            Made::End => break,
        };
        let payload = MarkerPayload::Lua(host.markers.keep(lua, table)?);
        map.def.borrow_mut().markers.push(MapMarker { at, payload });
    }
    Ok(())
}

/// Returns the table that a function makes for a marker, in the environment of a map.
pub(crate) fn table_of_function(
    lua: &Lua,
    host: &mut Host,
    map: &Rc<MapCell>,
    function: &Function,
) -> mlua::Result<Option<Value>> {
    marker_table(lua, host, map, &Maker::Function(function))
}

/// Returns the table that a maker makes; problems are reported and leave no marker (spec 07 §4.4).
/// While a map is compiled an error in a function of it is one of the map.
fn marker_table(
    lua: &Lua,
    host: &mut Host,
    map: &Rc<MapCell>,
    maker: &Maker,
) -> mlua::Result<Option<Value>> {
    let (what, made) = match maker {
        Maker::Function(function) | Maker::Expression(function) => {
            ("lua_marker", run_in_environment(lua, host, map, function))
        }
        Maker::Mapless(function) => {
            host.ran_lua = true;
            let run = |host: &mut Host| host.lend(|| function.call::<Value>(()));
            ("lua_marker_mapless", host.with_current(map, run))
        }
    };
    match made {
        Ok(table @ Value::Table(_)) => return Ok(Some(table)),
        Ok(_) => {}
        Err(error) if map.validating.get() && matches!(maker, Maker::Function(_)) => {
            return Err(error);
        }
        Err(error) => {
            let message = ChunkError::of_lua(&error, host).message;
            host.log(format!("{what} exec error: {message}"));
            if matches!(maker, Maker::Function(_)) {
                return Ok(None);
            }
        }
    }
    host.log("lua_marker: Expected table, didn't get it.");
    Ok(None)
}
