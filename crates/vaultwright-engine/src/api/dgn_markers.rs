//! `dgn`: markers on the level (spec 06 §3.12, §4.7).

use std::rc::Rc;

use vaultwright_content::LevelSize;
use vaultwright_level::{LevelMarker, MarkerKind};
use vaultwright_lua::mlua::{self, FromLua, Function, IntoLuaMulti, Lua, Value, Variadic};
use vaultwright_map::Point;

use super::dgn_level::feature_of;
use super::dgn_placement::{out_of_bounds, point};
use super::table::Api;
use crate::play::displacing::Keep;
use crate::play::terrain::change_terrain;
use crate::resolve::markers::{Maker, make_table};
use crate::script::arguments::{Int, Text, bad_argument, number, text, truncate};
use crate::script::markers::{marker_object, message_of, property, property_at};
use crate::state::host::Host;

/// Returns the markers that answer a property, row by row; an empty value matches any answer.
fn matching(lua: &Lua, host: &mut Host, name: &str, value: &str, limit: usize) -> Vec<LevelMarker> {
    let all: Vec<LevelMarker> = host.level.markers.by_row().into_iter().cloned().collect();
    let suits = |marker: &LevelMarker| {
        let answer = property(lua, host, marker, name);
        !answer.is_empty() && (value.is_empty() || answer == value)
    };
    let most = if limit == 0 { usize::MAX } else { limit };
    all.into_iter().filter(suits).take(most).collect()
}

/// Returns the cells whose first answer to a property is the wanted one, row by row (spec 07 §3).
pub(crate) fn cells_with_property(
    lua: &Lua,
    host: &mut Host,
    name: &str,
    value: &str,
    limit: usize,
) -> Vec<Point> {
    let mut marked: Vec<Point> =
        host.level.markers.by_row().into_iter().map(|marker| marker.at).collect();
    marked.dedup();
    let suits = |&p: &Point| {
        let answer = property_at(lua, host, p, name);
        !answer.is_empty() && (value.is_empty() || answer == value)
    };
    let most = if limit == 0 { usize::MAX } else { limit };
    marked.into_iter().filter(suits).take(most).collect()
}

pub(crate) fn install(api: &Api) -> mlua::Result<()> {
    type Search = (Text, Variadic<Value>);
    // Only what is left out is any value, or no limit; nil is wrong.
    let parts = |lua: &Lua, (name, rest): Search| -> mlua::Result<(String, String, usize)> {
        let value = rest.first().map(|value| Text::from_lua(value.clone(), lua)).transpose()?;
        let limit = rest.get(1).map(|limit| Int::from_lua(limit.clone(), lua)).transpose()?;
        let value = value.map_or(String::new(), |value| value.str().into_owned());
        Ok((name.str().into_owned(), value, limit.map_or(0, |limit| limit.0.max(0) as usize)))
    };
    // Whatever is no text is no value to be looked for, unlike in the other searches.
    api.function("num_matching_markers", move |lua, host, (name, value): (Text, Value)| {
        let value = text(&value, lua)
            .map_or(String::new(), |value| String::from_utf8_lossy(&value).into_owned());
        Ok(matching(lua, host, &name.str(), &value, 0).len())
    })?;
    api.function("find_marker_position_by_prop", move |lua, host, search: Search| {
        let (name, mut rest) = search;
        // There is no limit to be said.
        rest.truncate(1);
        let (name, value, _) = parts(lua, (name, rest))?;
        match cells_with_property(lua, host, &name, &value, 1).first() {
            Some(at) => (at.x, at.y).into_lua_multi(lua),
            None => (Value::Nil, Value::Nil).into_lua_multi(lua),
        }
    })?;
    api.function("find_marker_positions_by_prop", move |lua, host, search: Search| {
        let (name, value, limit) = parts(lua, search)?;
        let found = cells_with_property(lua, host, &name, &value, limit);
        let points = found.into_iter().map(|at| host.lend(|| point(lua, at)));
        lua.create_sequence_from(points.collect::<mlua::Result<Vec<_>>>()?)
    })?;
    api.function("find_markers_by_prop", move |lua, host, search: Search| {
        let (name, value, limit) = parts(lua, search)?;
        let found = matching(lua, host, &name, &value, limit);
        let objects = found
            .into_iter()
            .map(|marker| marker_object(lua, &mut host.play.marker_objects, &host.slot, marker.id));
        lua.create_sequence_from(objects.collect::<mlua::Result<Vec<_>>>()?)
    })?;
    api.function("marker_at_pos", |lua, host, (x, y): (Int, Int)| {
        let first = host.level.markers.at(Point::new(x.0, y.0)).next().map(|m| m.id);
        first
            .map(|id| marker_object(lua, &mut host.play.marker_objects, &host.slot, id))
            .transpose()
    })?;
    type Ends = (Int, Int, Int, Int);
    api.function("place_transporter", |lua, host, (x1, y1, x2, y2): Ends| {
        let (from, to) = (inner(host.level.size(), x1, y1)?, inner(host.level.size(), x2, y2)?);
        let named = |name: &str| {
            let feature = host.content.features().by_name(name);
            feature.ok_or_else(|| bad_argument(format!("there is no feature '{name}'")))
        };
        let (feature, landing) = (named("transporter")?, named("transporter_landing")?);
        let kind = MarkerKind::Position { feature, to: Some(to) };
        host.level.markers.add(from, kind);
        let keep = Keep { feature: false, items: true };
        change_terrain(lua, host, from, feature, keep);
        change_terrain(lua, host, to, landing, keep);
        Ok(())
    })?;
    api.function("register_feature_marker", |_, host, (x, y, feature): (Int, Int, Value)| {
        let p = inner(host.level.size(), x, y)?;
        if !matches!(feature, Value::String(_)) && number(&feature).is_none() {
            return Err(bad_argument("Feature must be a string or a feature index."));
        }
        let features = host.content.features();
        let feature = feature_of(&host.content, &feature).or_else(|| {
            // A number that no feature has is taken, as 0.28 does; what it stands for nobody knows.
            number(&feature).filter(|&number| truncate(number) != 0)?;
            features.by_number(0)
        });
        let feature = feature.ok_or_else(|| bad_argument("Invalid dungeon feature"))?;
        host.level.markers.add(p, MarkerKind::Feature(feature));
        Ok(())
    })?;
    api.function("register_lua_marker", |lua, host, (x, y, value): (Int, Int, Value)| {
        let p = inner(host.level.size(), x, y)?;
        let marker = match value {
            Value::Function(function) => match made_marker(lua, host, &function)? {
                Some(table) => table,
                None => return Ok(()),
            },
            table @ Value::Table(_) => table,
            _ => return Err(bad_argument("Expected marker table or function")),
        };
        let number = host.markers.keep(lua, marker)?;
        host.level.markers.add(p, MarkerKind::Lua(number));
        Ok(())
    })
}

/// Returns what a function makes for a marker of the level, in the environment of the map at hand
/// if there is one. If that is no table, there is no marker.
fn made_marker(lua: &Lua, host: &mut Host, function: &Function) -> mlua::Result<Option<Value>> {
    let current = host.roll.current.as_ref().map(|current| Rc::clone(&current.map));
    if let Some(map) = current {
        return make_table(lua, host, &map, &Maker::Function(function));
    }
    match host.lend(|| function.call::<Value>(())) {
        Ok(table @ Value::Table(_)) => return Ok(Some(table)),
        Ok(_) => host.log("lua_marker: Expected table, didn't get it."),
        Err(error) => host.log(format!("lua_marker exec error: {}", message_of(&error))),
    }
    Ok(None)
}

pub(crate) fn inner(size: LevelSize, x: Int, y: Int) -> mlua::Result<Point> {
    let p = Point::new(x.0, y.0);
    if p.is_within(size, 1) { Ok(p) } else { Err(out_of_bounds(p)) }
}
