//! `dgn`: event types and listeners (spec 06 §3.12, spec 07 §6.2, §8.2).

use vaultwright_content::LevelSize;
use vaultwright_level::{Level, MarkerId, MarkerKind};
use vaultwright_lua::mlua::{self, AnyUserData, Value, Variadic};
use vaultwright_map::Point;

use super::table::Api;
use crate::script::arguments::{Int, bad_argument, number, truncate};
use crate::script::markers::MarkerObject;
use vaultwright_level::EventKind;

pub(crate) fn install(api: &Api) -> mlua::Result<()> {
    api.function("dgn_event_type", |_, _, names: Variadic<Value>| {
        // The map, where a script calls it through its own environment.
        let map = usize::from(matches!(names.first(), Some(Value::UserData(_))));
        let words = names.iter().skip(map);
        let code = |value: &Value| match value {
            Value::String(name) => {
                let kind = EventKind::by_name(&name.to_string_lossy());
                Value::Integer(kind.map_or(0, EventKind::code).into())
            }
            Value::Integer(_) | Value::Number(_) => Value::Integer(0),
            _ => Value::Nil,
        };
        Ok(words.map(code).collect::<Variadic<Value>>())
    })?;
    api.function("dgn_event_is_global", |_, _, event: Value| {
        Ok(any_of(&event, EventKind::is_global))
    })?;
    api.function("dgn_event_is_position", |_, _, event: Value| {
        Ok(any_of(&event, EventKind::is_position))
    })?;
    api.function("max_monsters", |_, _, ()| Ok(700))?;
    listeners(api)
}

/// Returns whether something holds of one of the events of a name or a mask.
fn any_of(value: &Value, holds: fn(EventKind) -> bool) -> bool {
    let named = value.as_string().and_then(|name| EventKind::by_name(&name.to_string_lossy()));
    let mask = named.map(EventKind::code).or_else(|| Some(number(value)? as i64 as u32));
    let of_mask = |kind: &EventKind| mask.is_some_and(|mask| mask & kind.code() != 0);
    EventKind::ALL.into_iter().filter(of_mask).any(holds)
}

fn listeners(api: &Api) -> mlua::Result<()> {
    type Registration = (Value, AnyUserData, Variadic<Value>);
    api.function("register_listener", |_, host, (mask, marker, rest): Registration| {
        let id = lua_marker(&host.level, &marker)?;
        let mask = number(&mask).ok_or_else(|| bad_argument("an event mask is a number"))? as u32;
        let at = position(host.level.size(), &rest);
        let listeners = &mut host.play.listeners;
        match at {
            Some(p) => listeners.add_at(p, mask, id),
            None => listeners.add_global(mask, id),
        }
        Ok(())
    })?;
    api.function("remove_listener", |_, host, (marker, rest): (AnyUserData, Variadic<Value>)| {
        let id = lua_marker(&host.level, &marker)?;
        let at = position(host.level.size(), &rest);
        let listeners = &mut host.play.listeners;
        match at {
            Some(p) => listeners.remove_at(p, id),
            None => listeners.remove_global(id),
        }
        Ok(())
    })?;
    // Ours: a marker that has nothing to do for some ticks need not be told of every turn.
    api.function("sleep_turns", |_, host, (marker, ticks): (AnyUserData, Int)| {
        let id = lua_marker(&host.level, &marker)?;
        host.play.listeners.sleep(id, ticks.0);
        Ok(())
    })?;
    api.function("remove_marker", |_, host, marker: AnyUserData| {
        let id = marker.borrow::<MarkerObject>().map_err(|_| not_a_marker())?.id;
        host.remove_marker(id);
        Ok(())
    })
}

/// Returns a cell, if there are just two arguments more and it is in bounds.
fn position(size: LevelSize, rest: &[Value]) -> Option<Point> {
    let [x, y] = rest else { return None };
    let p = Point::new(truncate(number(x)?), truncate(number(y)?));
    p.is_within(size, 1).then_some(p)
}

fn not_a_marker() -> mlua::Error {
    bad_argument("map marker expected")
}

/// Returns the number of a Lua marker; others cannot listen. One that is gone already may still be
/// taken off the lists.
fn lua_marker(level: &Level, object: &AnyUserData) -> mlua::Result<MarkerId> {
    let id = object.borrow::<MarkerObject>().map_err(|_| not_a_marker())?.id;
    match level.markers.get(id).map(|marker| &marker.kind) {
        Some(MarkerKind::Lua(_)) | None => Ok(id),
        Some(_) => Err(bad_argument("only Lua markers can listen")),
    }
}
