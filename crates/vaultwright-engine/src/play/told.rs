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

/// How much is told of a level: values, and for texts as many as they have pieces of
/// [`PIECE`] bytes. A table that is referred to often is told each time, so what takes little
/// memory in Lua could fill all there is.
const MAX_TOLD: usize = 200_000;

/// So many bytes of a text count as a value.
const PIECE: usize = 64;

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
        let mut teller = Teller { names, left: MAX_TOLD };
        let values = tables().map(|(id, table)| (id, teller.table(&table, &mut Vec::new())));
        values_of_markers = values.collect();
    }
    level.marker_values = values_of_markers;
    for vault in &mut level.vaults {
        vault.waiting = waiting(lua, library, &vault.map.name).map(str::to_owned).collect();
    }
}

/// Returns what of a map's Lua runs when the player first comes to its level.
pub(crate) fn waiting(
    lua: &Lua,
    library: &Library,
    name: &str,
) -> impl Iterator<Item = &'static str> {
    let listed = library.find(name).map(|index| &library[index]);
    let chunk = listed.is_some_and(|map| {
        let chunk = map.syntax().chunk(ChunkKind::Epilogue);
        !chunk.is_empty(&map.file.source.text)
    });
    let waits = |hook| has_hook(lua, name, hook);
    let (before, after) = (waits(Hook::PRE_EPILOGUE), waits(Hook::POST_EPILOGUE));
    let parts = [("pre_epilogue", before), ("epilogue", chunk), ("post_epilogue", after)];
    parts.into_iter().filter_map(|(part, waits)| waits.then_some(part))
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
    /// How much may still be told.
    left: usize,
}

impl Teller {
    /// Returns a table; `inside` are those that hold it. Entries that are too many are left out.
    fn table(&mut self, table: &Table, inside: &mut Vec<*const c_void>) -> ScriptValue {
        let pointer = table.to_pointer();
        if inside.contains(&pointer) || inside.len() >= MAX_DEPTH || self.left == 0 {
            return ScriptValue::Again;
        }
        inside.push(pointer);
        let class = table.metatable().map(|class| self.name(class.to_pointer()));
        let mut entries: Vec<(ScriptValue, ScriptValue)> = Vec::new();
        for (key, value) in table.pairs::<Value, Value>().filter_map(Result::ok) {
            if self.left == 0 {
                break;
            }
            let pair = self.value(&key, inside).zip(self.value(&value, inside));
            entries.extend(pair);
        }
        entries.sort_by(|(a, _), (b, _)| {
            order(a).partial_cmp(&order(b)).unwrap_or(std::cmp::Ordering::Equal)
        });
        inside.pop();
        ScriptValue::Table { class, entries }
    }

    fn value(&mut self, value: &Value, inside: &mut Vec<*const c_void>) -> Option<ScriptValue> {
        self.left = self.left.saturating_sub(1);
        Some(match value {
            Value::Boolean(flag) => ScriptValue::Flag(*flag),
            Value::Integer(number) => ScriptValue::Number(*number as f64),
            Value::Number(number) => ScriptValue::Number(*number),
            Value::String(text) => self.text(&text.as_bytes()),
            Value::Function(function) => ScriptValue::Named(self.function(function)),
            Value::Table(table) => match self.names.get(&table.to_pointer()) {
                Some(name) => ScriptValue::Named(name.clone()),
                None => self.table(table, inside),
            },
            _ => return None,
        })
    }

    /// Returns a text, or the beginning of one that is longer than what may still be told.
    fn text(&mut self, text: &[u8]) -> ScriptValue {
        let told = &text[..text.len().min((self.left + 1) * PIECE)];
        self.left = self.left.saturating_sub(told.len() / PIECE);
        ScriptValue::Text(String::from_utf8_lossy(told).into_owned())
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

#[cfg(test)]
mod tests {
    use super::*;

    fn told(text: &str) -> usize {
        fn count(value: &ScriptValue) -> usize {
            match value {
                ScriptValue::Table { entries, .. } => {
                    1 + entries.iter().map(|(a, b)| count(a) + count(b)).sum::<usize>()
                }
                ScriptValue::Text(text) => 1 + text.len() / PIECE,
                _ => 1,
            }
        }
        let lua = Lua::new();
        let table: Table = lua.load(text).eval().expect("a table");
        let mut teller = Teller { names: HashMap::new(), left: MAX_TOLD };
        count(&teller.table(&table, &mut Vec::new()))
    }

    #[test]
    fn shared_tables_and_texts_do_not_fill_the_memory() {
        let shared = |value: &str| {
            format!(
                "local t = {value} for _ = 1, 7 do \
                 local n = {{}} for k = 1, 12 do n[k] = t end t = n end return t"
            )
        };
        assert_eq!(told("local t = { 1 } return { t, { t, 'x' } }"), 13);
        assert!((MAX_TOLD / 2..MAX_TOLD + 100).contains(&told(&shared("{ 1 }"))));
        assert!(told(&shared("{ ('x'):rep(1000000) }")) < 2 * MAX_TOLD);
    }
}
