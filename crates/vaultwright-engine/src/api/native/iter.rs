//! `iter.lua`: the cells of a rectangle (spec 06 §15.2).

use vaultwright_lua::closures::upvalues;
use vaultwright_lua::mlua::{self, Lua, MultiValue, Table, Value};
use vaultwright_lua::rectangles::rectangle;

use super::{LibraryFile, Members, are_original, counterpart, place_of, plain_number};

/// The text of 0.24 to 0.30.
pub(super) const TEXTS: &[&str] =
    &["6541afccf544271dec974d9f7652414912d836b8991e15cf784dc54827dad6aa"];
/// The text of `point.lua` from 0.24 to trunk.
pub(super) const POINTS: &[&str] =
    &["72faa32d5d0d4d466d16af9fc1e74bf737ac728b18805bb51bf4e15d2f95183a"];

/// What the Lua of the functions calls.
pub(super) const USED: &[&str] = &["setmetatable"];

/// Replaces `iter.rectangle_iterator.new`, for rectangles without a filter.
pub(super) fn install(file: &LibraryFile) -> mlua::Result<()> {
    let lua = file.lua;
    let Value::Table(iter) = lua.globals().raw_get("iter")? else { return Ok(()) };
    let Value::Table(iterators) = iter.raw_get("rectangle_iterator")? else { return Ok(()) };
    let Value::Function(interpreted) = iterators.raw_get("new")? else { return Ok(()) };
    if !file.is_proved("iter.rectangle_iterator.new", &interpreted)? {
        return Ok(());
    }
    let mut members = Members::functions_of(lua, &iterators)?;
    members.0.retain(|(name, _)| name != "new");
    let new = counterpart(lua, interpreted, move |lua, arguments| {
        match plain_sides(&arguments)?.zip(metatable_of_points(lua)?) {
            Some((sides, points))
                if are_original(lua, USED) && is_theirs(&arguments, &members)? =>
            {
                rectangle(lua, sides, &points).map(Value::Function)
            }
            _ => Ok(Value::Nil),
        }
    })?;
    iterators.raw_set("new", new)
}

/// The sides between two corners, if there is no filter: left, top, right, bottom.
fn plain_sides(arguments: &MultiValue) -> mlua::Result<Option<[f64; 4]>> {
    let (Some(Value::Table(first)), Some(Value::Table(last)), None | Some(Value::Nil)) =
        (arguments.get(1), arguments.get(2), arguments.get(3))
    else {
        return Ok(None);
    };
    let mut sides = [0.0; 4];
    for (side, (corner, name)) in
        sides.iter_mut().zip([(first, "x"), (first, "y"), (last, "x"), (last, "y")])
    {
        let Some(number) = plain_number(&corner.raw_get(name)?) else { return Ok(None) };
        *side = number;
    }
    let [left, top, right, bottom] = sides;
    Ok((left <= right && top <= bottom).then_some(sides))
}

/// What `dgn.point` gives points, if it is the library's.
fn metatable_of_points(lua: &Lua) -> mlua::Result<Option<Table>> {
    let Value::Table(dgn) = lua.globals().raw_get("dgn")? else { return Ok(None) };
    let Value::Function(point) = dgn.raw_get("point")? else { return Ok(None) };
    if place_of(lua, &point).is_none_or(|(file, _)| file != "dlua/point.lua") {
        return Ok(None);
    }
    let held = upvalues(lua, &point)?;
    Ok(held.into_iter().find_map(|(name, value)| match value {
        Value::Table(table) if name == "point_metatable" => Some(table),
        _ => None,
    }))
}

/// Whether the iterator is the library's, with the functions that it had. It gets what the Lua
/// gives it, too.
fn is_theirs(arguments: &MultiValue, members: &Members) -> mlua::Result<bool> {
    let Some(Value::Table(iterators)) = arguments.front() else { return Ok(false) };
    if !members.are_in(iterators) {
        return Ok(false);
    }
    iterators.set("__index", iterators)?;
    Ok(true)
}
