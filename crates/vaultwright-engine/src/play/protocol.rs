//! What a level does with its Lua markers (spec 07 §5): init, activate, event, property, describe.

use vaultwright_level::{Event, LevelMarker, MarkerId};
use vaultwright_lua::mlua::{
    self, AnyUserData, IntoLuaMulti, Lua, UserData, UserDataMethods, Value,
};

use crate::pack::problem::ChunkError;
use crate::script::markers::{answer, message_of, property, table_of, text_of};
use crate::state::host::Host;

/// An event as scripts see it.
pub(crate) struct EventObject(pub(crate) Event);

impl UserData for EventObject {
    fn add_methods<M: UserDataMethods<Self>>(methods: &mut M) {
        methods.add_method("type", |_, this, ()| Ok(this.0.kind.code()));
        methods.add_method("pos", |_, this, ()| Ok((this.0.at.x, this.0.at.y)));
        methods.add_method("dest", |_, this, ()| Ok((this.0.to.x, this.0.to.y)));
        methods.add_method("ticks", |_, this, ()| Ok(this.0.ticks));
        methods.add_method("arg1", |_, this, ()| Ok(this.0.arg1));
        methods.add_method("arg2", |_, this, ()| Ok(this.0.arg2));
    }
}

/// Returns the class of a Lua marker, empty if it says none; `None` for other markers.
pub(crate) fn class_of(lua: &Lua, host: &mut Host, id: MarkerId) -> Option<String> {
    let table = table_of(lua, &host.markers, &host.level, id)?;
    let class = host.lend(|| table.get::<Option<String>>("CLASS"));
    Some(class.ok().flatten().unwrap_or_default())
}

/// Calls `init` of all markers, then removes those that ask for it (spec 07 §7.1).
pub(crate) fn init_markers(lua: &Lua, host: &mut Host) {
    for id in host.markers_by_column() {
        call(lua, host, id, "init", ());
    }
    remove_willing(lua, host, &host.markers_by_column(), "post_init_remove");
}

/// Whether markers that are activated say so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Telling {
    Aloud,
    Quietly,
}

/// Calls `activate` of all markers, then removes those that ask for it (spec 07 §7.2).
pub(crate) fn activate_markers(lua: &Lua, host: &mut Host, telling: Telling) {
    activate_these(lua, host, &host.markers_by_column(), telling);
}

/// As [`activate_markers`], for some of them.
pub(crate) fn activate_these(lua: &Lua, host: &mut Host, markers: &[MarkerId], telling: Telling) {
    for &id in markers {
        call(lua, host, id, "activate", telling == Telling::Aloud);
    }
    remove_willing(lua, host, markers, "post_activate_remove");
}

fn remove_willing(lua: &Lua, host: &mut Host, markers: &[MarkerId], wish: &str) {
    for &id in markers {
        let marker = host.level.markers.get(id).cloned();
        if marker.is_some_and(|marker| !property(lua, host, &marker, wish).is_empty()) {
            host.remove_marker(id);
        }
    }
}

/// Calls a method of a Lua marker, if it has it. An error is said, and that is all.
fn call(lua: &Lua, host: &mut Host, id: MarkerId, method: &str, argument: impl IntoLuaMulti) {
    let Some(table) = table_of(lua, &host.markers, &host.level, id) else { return };
    if let Err(error) = answer(lua, host, (id, table), method, argument) {
        host.say_error(&format!("mlua error: {}", message_of(&error)));
    }
}

/// Tells a marker of an event; whether it says no to it.
pub(crate) fn notify(lua: &Lua, host: &mut Host, id: MarkerId, event: &AnyUserData) -> bool {
    let Some(table) = table_of(lua, &host.markers, &host.level, id) else { return false };
    match answer(lua, host, (id, table), "event", event) {
        Ok(answer) => matches!(answer, Value::Boolean(false)),
        Err(error) => {
            say_lua_error(host, "notify_dgn_event: Lua error: ", &error);
            false
        }
    }
}

/// Returns how a marker describes itself for debugging.
pub(crate) fn describe(lua: &Lua, host: &mut Host, marker: &LevelMarker) -> String {
    let Some(table) = host.markers.of(lua, &marker.kind) else { return String::new() };
    match answer(lua, host, (marker.id, table), "describe", ()) {
        Ok(answer) => text_of(lua, answer),
        Err(error) => format!("error (describe): {}", message_of(&error)),
    }
}

/// Of how many errors the places are kept, until they are asked for.
const MAX_ERROR_PLACES: usize = 1000;

/// Says that Lua has failed, and keeps where.
pub(crate) fn say_lua_error(host: &mut Host, what: &str, error: &mlua::Error) {
    let text = format!("{what}{}", message_of(error));
    if let Some(place) = ChunkError::of_lua(error, host).place {
        let places = &mut host.play.error_places;
        if places.len() >= MAX_ERROR_PLACES {
            places.clear();
        }
        places.insert(text.clone(), place);
    }
    host.say_error(&text);
}
