//! What scripts hold of a level as plain data, for those who have no interpreter: the values of Lua
//! markers, and what of its maps' Lua still waits.

use std::collections::{HashMap, HashSet};
use std::ffi::c_void;

use vaultwright_level::{Level, MarkerKind, ScriptValue};
use vaultwright_lua::mlua::{self, Function, Lua, Table, Value};
use vaultwright_lua::table_list::TableList;
use vaultwright_syntax::ChunkKind;

use super::pickle::global_names;
use crate::pack::library::Library;
use crate::script::environment::{Hook, has_hook};
use crate::state::marker_tables::MarkerTables;

/// How deep tables in tables are told.
const MAX_DEPTH: usize = 12;

/// Writes on the level what its scripts hold. Nothing is called and nothing drawn.
pub(crate) fn tell_scripts(
    lua: &Lua,
    markers: &MarkerTables,
    library: &Library,
    level: &mut Level,
) {
    let mut values_of_markers = Default::default();
    let lua_markers = level.markers.iter().filter(|m| matches!(m.kind, MarkerKind::Lua(_)));
    let tables = || {
        lua_markers.clone().filter_map(|marker| Some((marker.id, markers.of(lua, &marker.kind)?)))
    };
    let own: HashSet<_> = tables().map(|(_, table)| table.to_pointer()).collect();
    if !own.is_empty() {
        let mut seen = HashSet::new();
        // Of what is not looked through only the names are not told.
        tables().for_each(|(_, table)| look_through(lua, &table, &mut seen).unwrap_or_default());
        let names = global_names(lua, &own, |it| seen.contains(&it)).unwrap_or_default();
        let teller = Teller { names };
        let values = tables().map(|(id, table)| (id, teller.table(&table, &mut Vec::new())));
        values_of_markers = values.collect();
    }
    level.marker_values = values_of_markers;
    for vault in &mut level.vaults {
        let listed = library.find(&vault.map.name).map(|index| &library[index]);
        let chunk = listed.is_some_and(|map| {
            let chunk = map.syntax().chunk(ChunkKind::Epilogue);
            !chunk.is_empty(&map.file.source.text)
        });
        let waits = |hook| has_hook(lua, &vault.map.name, hook);
        let (before, after) = (waits(Hook::PRE_EPILOGUE), waits(Hook::POST_EPILOGUE));
        let parts = [("pre_epilogue", before), ("epilogue", chunk), ("post_epilogue", after)];
        let waiting = parts.iter().filter(|(_, waits)| *waits);
        vault.waiting = waiting.map(|(part, _)| (*part).to_owned()).collect();
    }
}

/// Finds the functions and tables that a table leads to.
fn look_through(lua: &Lua, table: &Table, seen: &mut HashSet<*const c_void>) -> mlua::Result<()> {
    let mut waiting = TableList::new(lua)?;
    waiting.push(table)?;
    while let Some(table) = waiting.pop()? {
        if !seen.insert(table.to_pointer()) {
            continue;
        }
        for (key, value) in table.pairs::<Value, Value>().filter_map(Result::ok) {
            for held in [key, value] {
                match held {
                    Value::Table(table) => waiting.push(&table)?,
                    Value::Function(function) => {
                        seen.insert(function.to_pointer());
                    }
                    _ => {}
                }
            }
        }
    }
    Ok(())
}

struct Teller {
    names: HashMap<*const c_void, String>,
}

impl Teller {
    /// Returns a table; `inside` are those that hold it.
    fn table(&self, table: &Table, inside: &mut Vec<*const c_void>) -> ScriptValue {
        let pointer = table.to_pointer();
        if inside.contains(&pointer) || inside.len() >= MAX_DEPTH {
            return ScriptValue::Again;
        }
        inside.push(pointer);
        let class = table.metatable().map(|class| self.name(class.to_pointer()));
        let mut entries: Vec<(ScriptValue, ScriptValue)> = table
            .pairs::<Value, Value>()
            .filter_map(Result::ok)
            .filter_map(|(key, value)| {
                Some((self.value(&key, inside)?, self.value(&value, inside)?))
            })
            .collect();
        entries.sort_by(|(a, _), (b, _)| {
            order(a).partial_cmp(&order(b)).unwrap_or(std::cmp::Ordering::Equal)
        });
        inside.pop();
        ScriptValue::Table { class, entries }
    }

    fn value(&self, value: &Value, inside: &mut Vec<*const c_void>) -> Option<ScriptValue> {
        Some(match value {
            Value::Boolean(flag) => ScriptValue::Flag(*flag),
            Value::Integer(number) => ScriptValue::Number(*number as f64),
            Value::Number(number) => ScriptValue::Number(*number),
            Value::String(text) => ScriptValue::Text(text.to_string_lossy()),
            Value::Function(function) => ScriptValue::Named(self.function(function)),
            Value::Table(table) => match self.names.get(&table.to_pointer()) {
                Some(name) => ScriptValue::Named(name.clone()),
                None => self.table(table, inside),
            },
            _ => return None,
        })
    }

    fn name(&self, pointer: *const c_void) -> String {
        self.names.get(&pointer).cloned().unwrap_or_default()
    }

    /// Returns the name of a function, else where it is written.
    fn function(&self, function: &Function) -> String {
        if let Some(name) = self.names.get(&function.to_pointer()) {
            return name.clone();
        }
        let info = function.info();
        match (info.source, info.line_defined) {
            (Some(source), Some(line)) => {
                format!("{}:{line}", source.trim_start_matches(['@', '=']))
            }
            _ => String::new(),
        }
    }
}

/// Numbers before texts before the rest, each by size.
fn order(key: &ScriptValue) -> (u8, f64, &str) {
    match key {
        ScriptValue::Number(number) => (0, *number, ""),
        ScriptValue::Text(text) => (1, 0.0, text),
        ScriptValue::Named(name) => (3, 0.0, name),
        ScriptValue::Flag(flag) => (2, f64::from(u8::from(*flag)), ""),
        ScriptValue::Table { .. } | ScriptValue::Again => (4, 0.0, ""),
    }
}
