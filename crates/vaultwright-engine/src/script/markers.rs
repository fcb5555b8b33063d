//! What scripts see of markers, and what markers answer when they are asked (spec 07 §5.3, §6.1).

use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

use vaultwright_level::{Level, LevelMarker, MarkerId, MarkerKind};
use vaultwright_lua::Failure;
use vaultwright_lua::mlua::{
    self, AnyUserData, Function, IntoLuaMulti, Lua, RegistryKey, Table, UserData, UserDataMethods,
    Value,
};
use vaultwright_map::Point;

use crate::state::host::Host;
use crate::state::marker_tables::MarkerTables;
use crate::state::slot::Slot;

/// A marker as scripts see it.
pub(crate) struct MarkerObject {
    pub(crate) id: MarkerId,
    slot: Rc<Slot<Host>>,
}

impl UserData for MarkerObject {
    fn add_methods<M: UserDataMethods<Self>>(methods: &mut M) {
        use crate::script::arguments::{Int, Text, bad_argument};
        methods.add_method("pos", |_, this, ()| {
            match this.slot.with(|host| Ok(host.marker_position(this.id)))? {
                Some(p) => Ok((p.x, p.y)),
                None => Err(bad_argument("the marker is no more")),
            }
        });
        methods.add_method("move", |_, this, (x, y): (Int, Int)| {
            let to = Point::new(x.0, y.0);
            this.slot.with(|host| {
                host.level.markers.move_to(this.id, to);
                host.note_change(|| format!("marker moves to {},{}", to.x, to.y));
                Ok(())
            })
        });
        methods.add_method("remove", |_, this, ()| {
            this.slot.with(|host| {
                host.remove_marker(this.id);
                Ok(())
            })
        });
        methods.add_method("property", |lua, this, name: Text| {
            this.slot.with(|host| {
                let marker = host.level.markers.get(this.id).cloned();
                Ok(marker
                    .map(|marker| property(lua, host, &marker, &name.str()))
                    .unwrap_or_default())
            })
        });
    }
}

/// Returns the object by which scripts know a marker.
pub(crate) fn marker_object(
    lua: &Lua,
    known: &mut HashMap<MarkerId, RegistryKey>,
    slot: &Rc<Slot<Host>>,
    id: MarkerId,
) -> mlua::Result<AnyUserData> {
    if let Some(key) = known.get(&id) {
        return lua.registry_value(key);
    }
    let object = lua.create_userdata(MarkerObject { id, slot: Rc::clone(slot) })?;
    // Not the object itself: the interpreter has room for fewer of these than there are cells.
    known.insert(id, lua.create_registry_value(&object)?);
    Ok(object)
}

/// Returns the table of a marker, if it is one of Lua.
pub(crate) fn table_of(
    lua: &Lua,
    tables: &MarkerTables,
    level: &Level,
    id: MarkerId,
) -> Option<Table> {
    tables.of(lua, &level.markers.get(id)?.kind)
}

/// Calls a method of a marker's table with the table, the marker and an argument, and returns what
/// it answers: nothing if the table does not have it.
pub(crate) fn answer(
    lua: &Lua,
    host: &mut Host,
    (id, table): (MarkerId, Table),
    method: &str,
    argument: impl IntoLuaMulti,
) -> mlua::Result<Value> {
    let Some(method) = host.lend(|| table.get::<Option<Function>>(method))? else {
        return Ok(Value::Nil);
    };
    let object = marker_object(lua, &mut host.play.marker_objects, &host.slot, id)?;
    let mut arguments = argument.into_lua_multi(lua)?;
    arguments.push_front(Value::UserData(object));
    arguments.push_front(Value::Table(table));
    host.lend(|| method.call(arguments))
}

/// Returns an answer as text: empty for what is none.
pub(crate) fn text_of(lua: &Lua, answer: Value) -> String {
    match answer {
        Value::String(_) | Value::Integer(_) | Value::Number(_) => {
            let text = lua.coerce_string(answer).ok().flatten();
            text.map_or(String::new(), |text| text.to_string_lossy())
        }
        _ => String::new(),
    }
}

/// Returns what a marker answers for a property; empty for nothing (spec 07 §5.3).
pub(crate) fn property(lua: &Lua, host: &mut Host, marker: &LevelMarker, name: &str) -> String {
    let table = match &marker.kind {
        MarkerKind::Properties(properties) => {
            let name = if name == "desc" { "feature_description" } else { name };
            return properties.get(name).cloned().unwrap_or_default();
        }
        kind => match host.markers.of(lua, kind) {
            Some(table) => table,
            None => return String::new(),
        },
    };
    match answer(lua, host, (marker.id, table), "property", name) {
        Ok(answer) => text_of(lua, answer),
        Err(error) => {
            let message = message_of(&error);
            host.say_error(&format!("Lua marker property ({name}) error: {message}"));
            format!("error (prop:{name}): {message}")
        }
    }
}

/// Returns the first answer of a cell's markers to a property.
pub(crate) fn property_at(lua: &Lua, host: &mut Host, p: Point, name: &str) -> String {
    let markers: Vec<LevelMarker> = host.level.markers.at(p).cloned().collect();
    let answers = markers.iter().map(|marker| property(lua, host, marker, name));
    answers.into_iter().find(|answer| !answer.is_empty()).unwrap_or_default()
}

/// Returns the markers that answer for a property, row by row, and what they answer.
pub(crate) fn markers_with(lua: &Lua, host: &mut Host, name: &str) -> Vec<(LevelMarker, String)> {
    let all: Vec<LevelMarker> = host.level.markers.by_row().into_iter().cloned().collect();
    let answers = all.into_iter().map(|marker| {
        let answer = property(lua, host, &marker, name);
        (marker, answer)
    });
    answers.filter(|(_, answer)| !answer.is_empty()).collect()
}

/// Asks the first Lua marker of each cell whether it offers it to a portal vault (spec 07 §2.3),
/// and notes that with the marker.
pub(crate) fn ask_for_portals(lua: &Lua, host: &mut Host) {
    for (id, first) in lua_markers(host) {
        let offers = first && answers(lua, host, id, "portal");
        host.level.markers.note_portal(id, offers);
    }
}

/// Asks the first Lua marker of each cell whether it is an end of a transporter, which no map of
/// one cell may cover, and notes that with the marker.
pub(crate) fn ask_for_transporters(lua: &Lua, host: &mut Host) {
    for (id, first) in lua_markers(host) {
        let ends = ["_transporter_name", "_transporter_dest_name"];
        let is_end = first && ends.iter().any(|end| answers(lua, host, id, end));
        host.level.markers.note_transporter(id, is_end);
    }
}

/// Returns the Lua markers in order of making, and which of them is the first of its cell.
fn lua_markers(host: &Host) -> Vec<(MarkerId, bool)> {
    let mut seen = BTreeSet::new();
    let markers = host.level.markers.iter().filter(|m| matches!(m.kind, MarkerKind::Lua(_)));
    markers.map(|marker| (marker.id, seen.insert(marker.at))).collect()
}

fn answers(lua: &Lua, host: &mut Host, id: MarkerId, name: &str) -> bool {
    let marker = host.level.markers.get(id).cloned();
    marker.is_some_and(|marker| !property(lua, host, &marker, name).is_empty())
}

/// Returns what an error says, without the stack.
pub(crate) fn message_of(error: &mlua::Error) -> String {
    Failure::new(error).message
}
