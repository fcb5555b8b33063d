//! `dgn`: markers on the level (spec 06 §3.12, §4.7).

use std::rc::Rc;

use vaultwright_level::{LevelMarker, in_bounds};
use vaultwright_lua::mlua::{
    self, Function, IntoLuaMulti, Lua, Table, UserData, UserDataMethods, Value, Variadic,
};
use vaultwright_map::{MarkerPayload, Point};

use super::Api;
use super::arguments::{Int, Text, bad_argument, number, truncate};
use super::dgn_level::feature_of;
use super::dgn_placement::{out_of_bounds, point};
use crate::host::Host;

/// A Lua marker as scripts see it: the number of its table in the host's store.
struct MarkerObject {
    id: u32,
    host: Rc<Host>,
}

impl UserData for MarkerObject {
    fn add_methods<M: UserDataMethods<Self>>(methods: &mut M) {
        methods.add_method("pos", |lua, this, ()| match position(&this.host, this.id) {
            Some(p) => (p.x, p.y).into_lua_multi(lua),
            None => Err(bad_argument("the marker is no more")),
        });
        methods.add_method("move", |_, this, (x, y): (Int, Int)| {
            let mut level = this.host.level.borrow_mut();
            if let Some(marker) = level.markers.iter_mut().find(|m| is(m, this.id)) {
                marker.at = Point::new(x.0, y.0);
            }
            Ok(())
        });
        methods.add_method("remove", |_, this, ()| {
            this.host.level.borrow_mut().markers.retain(|marker| !is(marker, this.id));
            Ok(())
        });
        methods.add_method("property", |lua, this, name: Text| {
            property(lua, &this.host, this.id, &name.str())
        });
    }
}

fn is(marker: &LevelMarker, id: u32) -> bool {
    marker.payload == MarkerPayload::Lua(id)
}

fn position(host: &Host, id: u32) -> Option<Point> {
    host.level.borrow().markers.iter().find(|marker| is(marker, id)).map(|marker| marker.at)
}

/// What a Lua marker answers for a property, empty for nothing.
fn property(lua: &Lua, host: &Rc<Host>, id: u32, name: &str) -> mlua::Result<String> {
    let table: Table = match host.markers.borrow().get(id as usize) {
        Some(key) => lua.registry_value(key)?,
        None => return Ok(String::new()),
    };
    let Ok(method) = table.get::<Function>("property") else { return Ok(String::new()) };
    let object = lua.create_userdata(MarkerObject { id, host: Rc::clone(host) })?;
    let answer: Value = method.call((table, object, name))?;
    Ok(match answer {
        Value::String(text) => text.to_string_lossy(),
        Value::Boolean(true) => "true".to_owned(),
        Value::Integer(_) | Value::Number(_) => {
            lua.coerce_string(answer)?.map_or(String::new(), |text| text.to_string_lossy())
        }
        _ => String::new(),
    })
}

/// The Lua markers that answer a property, row by row; an empty value matches any answer.
fn matching(
    lua: &Lua,
    host: &Rc<Host>,
    name: &str,
    value: &str,
    limit: usize,
) -> mlua::Result<Vec<(u32, Point)>> {
    let mut all: Vec<(u32, Point)> = host
        .level
        .borrow()
        .markers
        .iter()
        .filter_map(|marker| match marker.payload {
            MarkerPayload::Lua(id) => Some((id, marker.at)),
            MarkerPayload::Feature(_) => None,
        })
        .collect();
    all.sort_by_key(|(_, at)| (at.y, at.x));
    let mut found = Vec::new();
    for (id, at) in all {
        let answer = property(lua, host, id, name)?;
        if !answer.is_empty() && (value.is_empty() || answer == value) {
            found.push((id, at));
            if found.len() == limit {
                break;
            }
        }
    }
    Ok(found)
}

pub(super) fn install(api: &Api) -> mlua::Result<()> {
    type Search = (Text, Option<Text>, Option<Int>);
    let parts = |(name, value, limit): Search| {
        let value = value.map_or(String::new(), |value| value.str().into_owned());
        (name.str().into_owned(), value, limit.map_or(0, |limit| limit.0.max(0) as usize))
    };
    api.function("num_matching_markers", move |lua, host, search: Search| {
        let (name, value, _) = parts(search);
        Ok(matching(lua, host, &name, &value, 0)?.len())
    })?;
    api.function("find_marker_position_by_prop", move |lua, host, search: Search| {
        let (name, value, _) = parts(search);
        match matching(lua, host, &name, &value, 1)?.first() {
            Some((_, at)) => (at.x, at.y).into_lua_multi(lua),
            None => (Value::Nil, Value::Nil).into_lua_multi(lua),
        }
    })?;
    api.function("find_marker_positions_by_prop", move |lua, host, search: Search| {
        let (name, value, limit) = parts(search);
        let found = matching(lua, host, &name, &value, limit)?;
        let points = found.into_iter().map(|(_, at)| point(lua, at));
        lua.create_sequence_from(points.collect::<mlua::Result<Vec<_>>>()?)
    })?;
    api.function("find_markers_by_prop", move |lua, host, search: Search| {
        let (name, value, limit) = parts(search);
        let found = matching(lua, host, &name, &value, limit)?;
        let objects = found.into_iter().map(|(id, _)| MarkerObject { id, host: Rc::clone(host) });
        let objects = objects.map(|object| lua.create_userdata(object));
        lua.create_sequence_from(objects.collect::<mlua::Result<Vec<_>>>()?)
    })?;
    api.function("marker_at_pos", |lua, host, (x, y): (Int, Int)| {
        let p = Point::new(x.0, y.0);
        let level = host.level.borrow();
        let found = level.markers.iter().find_map(|marker| match marker.payload {
            MarkerPayload::Lua(id) if marker.at == p => Some(id),
            _ => None,
        });
        drop(level);
        let object = found.map(|id| MarkerObject { id, host: Rc::clone(host) });
        object.map(|object| lua.create_userdata(object)).transpose()
    })?;
    api.function("register_feature_marker", |_, host, (x, y, feature): (Int, Int, Value)| {
        let p = inner(x, y)?;
        let Some(feature) = feature_of(host, &feature) else {
            return Err(bad_argument("Invalid dungeon feature"));
        };
        add(host, p, MarkerPayload::Feature(feature));
        Ok(())
    })?;
    api.function("register_lua_marker", |lua, host, (x, y, value): (Int, Int, Value)| {
        let p = inner(x, y)?;
        let marker = match value {
            Value::Function(function) => function.call::<Value>(())?,
            other => other,
        };
        if !matches!(marker, Value::Table(_)) {
            return Err(bad_argument("Expected marker table or function"));
        }
        let key = lua.create_registry_value(marker)?;
        let id = host.markers.borrow().len() as u32;
        host.markers.borrow_mut().push(key);
        add(host, p, MarkerPayload::Lua(id));
        Ok(())
    })?;
    // Nothing happens on a level that is being built, so nobody can be told of it.
    for name in ["register_listener", "remove_listener"] {
        api.function(name, |_, _, arguments: Variadic<Value>| {
            arguments.iter().filter_map(number).map(truncate).for_each(drop);
            Ok(())
        })?;
    }
    Ok(())
}

fn add(host: &Host, at: Point, payload: MarkerPayload) {
    let marker = LevelMarker { at, payload, portal: false, transporter: false };
    host.level.borrow_mut().markers.push(marker);
}

pub(super) fn inner(x: Int, y: Int) -> mlua::Result<Point> {
    let p = Point::new(x.0, y.0);
    if in_bounds(p) { Ok(p) } else { Err(out_of_bounds(p)) }
}
