//! Lua values as they are: tables with what they share, their classes and functions by global name.

use std::collections::{HashMap, HashSet, VecDeque};
use std::ffi::c_void;

use serde::{Deserialize, Serialize};
use vaultwright_lua::members::members;
use vaultwright_lua::mlua::{self, Error, Lua, Table, Value};
use vaultwright_lua::table_list::TableList;

/// How deep inside tables global names are looked for: `callback.open_gate` is two deep.
const MAX_NAME_DEPTH: usize = 3;

/// A value; tables by their number.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) enum Pickled {
    Nil,
    Boolean(bool),
    Number(f64),
    Text(Vec<u8>),
    Table(u32),
    /// A function or table that scripts know by this name.
    Global(String),
}

/// A table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct PickledTable {
    metatable: Pickled,
    entries: Vec<(Pickled, Pickled)>,
}

/// Values that hang together.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Pickles {
    tables: Vec<PickledTable>,
    pub(crate) roots: Vec<Pickled>,
}

/// Tables to begin with, and what each is in words.
pub(crate) struct Roots {
    tables: TableList,
    words: Vec<String>,
}

impl Roots {
    /// Returns none.
    pub(crate) fn new(lua: &Lua) -> mlua::Result<Roots> {
        Ok(Roots { tables: TableList::new(lua)?, words: Vec::new() })
    }

    pub(crate) fn add(&mut self, table: &Table, words: String) -> mlua::Result<()> {
        self.words.push(words);
        self.tables.push(table)
    }
}

/// Writes tables down, with all that they hold. An error names the way to what cannot be written.
pub(crate) fn pickle(lua: &Lua, roots: &Roots) -> mlua::Result<Pickles> {
    let own = roots.tables.iter().map(|root| Ok(root?.to_pointer()));
    let mut writer = Writer {
        names: global_names(lua, &own.collect::<mlua::Result<_>>()?, |_| true)?,
        numbers: HashMap::new(),
        tables: TableList::new(lua)?,
        ways: VecDeque::new(),
    };
    let mut pickles = Pickles::default();
    for (root, words) in roots.tables.iter().zip(&roots.words) {
        let root = writer.value(&Value::Table(root?), words)?;
        pickles.roots.push(root);
    }
    // Each table may lead to more.
    while let Some(way) = writer.ways.pop_front()
        && let Some(table) = writer.tables.get(pickles.tables.len())?
    {
        let metatable = match table.metatable() {
            Some(metatable) => writer.value(&Value::Table(metatable), &format!("{way}'s class"))?,
            None => Pickled::Nil,
        };
        let mut entries = Vec::new();
        // What `pairs` gives, whatever the metatable says.
        for pair in table.pairs::<Value, Value>() {
            let (key, value) = pair?;
            let inner = format!("{way}.{}", key.to_string().unwrap_or_default());
            entries.push((writer.value(&key, &inner)?, writer.value(&value, &inner)?));
        }
        pickles.tables.push(PickledTable { metatable, entries });
    }
    Ok(pickles)
}

struct Writer {
    names: HashMap<*const c_void, String>,
    numbers: HashMap<*const c_void, u32>,
    /// The tables by their number.
    tables: TableList,
    /// How those are reached that are not written yet, the next first.
    ways: VecDeque<String>,
}

impl Writer {
    fn value(&mut self, value: &Value, way: &str) -> mlua::Result<Pickled> {
        Ok(match value {
            Value::Nil => Pickled::Nil,
            Value::Boolean(value) => Pickled::Boolean(*value),
            Value::Integer(number) => Pickled::Number(*number as f64),
            Value::Number(number) => Pickled::Number(*number),
            Value::String(text) => Pickled::Text(text.as_bytes().to_vec()),
            Value::Table(table) => {
                let pointer = table.to_pointer();
                if let Some(name) = self.names.get(&pointer) {
                    return Ok(Pickled::Global(name.clone()));
                }
                let next = self.numbers.len() as u32;
                let number = *self.numbers.entry(pointer).or_insert(next);
                if number == next {
                    self.tables.push(table)?;
                    self.ways.push_back(way.to_owned());
                }
                Pickled::Table(number)
            }
            Value::Function(function) => match self.names.get(&function.to_pointer()) {
                Some(name) => Pickled::Global(name.clone()),
                None => {
                    let message = format!("{way} is a function without a global name");
                    return Err(Error::runtime(message));
                }
            },
            other => {
                let message = format!("{way} is a {}, which cannot be saved", other.type_name());
                return Err(Error::runtime(message));
            }
        })
    }
}

/// Returns the tables that scripts know by name, and the functions that are wanted, the shortest
/// name each, but for some tables.
pub(crate) fn global_names(
    lua: &Lua,
    but: &HashSet<*const c_void>,
    is_wanted: impl Fn(*const c_void) -> bool,
) -> mlua::Result<HashMap<*const c_void, String>> {
    let mut names = HashMap::new();
    let globals = lua.globals();
    let mut tables = TableList::new(lua)?;
    tables.push(&globals)?;
    let mut waiting = VecDeque::from([(0, String::new(), 0)]);
    while let Some((number, prefix, depth)) = waiting.pop_front()
        && let Some(table) = tables.get(number)?
    {
        let mut members = members(lua, &table, &is_wanted)?;
        members.retain(|it| it.pointer != globals.to_pointer() && !but.contains(&it.pointer));
        // In order of names, whatever the order of the table.
        members.sort_by(|a, b| a.name.cmp(&b.name));
        for member in members {
            if names.contains_key(&member.pointer) {
                continue;
            }
            let name = format!("{prefix}{}", member.name);
            if member.is_table
                && depth + 1 < MAX_NAME_DEPTH
                && let Some(inner) = table.raw_get::<Option<Table>>(member.name)?
            {
                waiting.push_back((tables.len(), format!("{name}."), depth + 1));
                tables.push(&inner)?;
            }
            names.insert(member.pointer, name);
        }
    }
    Ok(names)
}

/// Makes the tables again. Returns the roots in their order.
pub(crate) fn unpickle(lua: &Lua, pickles: &Pickles) -> mlua::Result<TableList> {
    let mut tables = TableList::new(lua)?;
    for _ in &pickles.tables {
        tables.push(&lua.create_table()?)?;
    }
    let value = |pickled: &Pickled| -> mlua::Result<Value> {
        Ok(match pickled {
            Pickled::Nil => Value::Nil,
            Pickled::Boolean(value) => Value::Boolean(*value),
            Pickled::Number(number) => Value::Number(*number),
            Pickled::Text(text) => Value::String(lua.create_string(text)?),
            Pickled::Table(number) => {
                let table = tables.get(*number as usize)?;
                Value::Table(table.ok_or_else(|| Error::runtime("a table is missing"))?)
            }
            Pickled::Global(name) => global(lua, name)?,
        })
    };
    for (table, pickled) in tables.iter().zip(&pickles.tables) {
        let table = table?;
        for (key, entry) in &pickled.entries {
            table.raw_set(value(key)?, value(entry)?)?;
        }
        if let Value::Table(metatable) = value(&pickled.metatable)? {
            table.set_metatable(Some(metatable))?;
        }
    }
    let mut roots = TableList::new(lua)?;
    for pickled in &pickles.roots {
        match value(pickled)? {
            Value::Table(table) => roots.push(&table)?,
            _ => return Err(Error::runtime("a marker is no table")),
        }
    }
    Ok(roots)
}

fn global(lua: &Lua, name: &str) -> mlua::Result<Value> {
    let mut value = Value::Table(lua.globals());
    for part in name.split('.') {
        value = match value {
            Value::Table(table) => table.raw_get(part)?,
            _ => Value::Nil,
        };
    }
    match value {
        Value::Nil => Err(Error::runtime(format!("the pack has no '{name}' any more"))),
        value => Ok(value),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCRIPT: &str = r#"
        Class = { name = "Class" }
        Class.__index = Class
        function Class.act() return "acted" end
        local shared = { 1, 2.5, "7" }
        root = setmetatable({ a = shared, b = shared, act = Class.act, [true] = "yes" }, Class)
        root.itself = root
        return root
    "#;

    fn the_root(lua: &Lua, script: &str) -> mlua::Result<Roots> {
        let mut roots = Roots::new(lua)?;
        roots.add(&lua.load(script).eval()?, "the root".to_owned())?;
        Ok(roots)
    }

    #[test]
    fn more_tables_than_there_are_handles_come_back() -> mlua::Result<()> {
        let lua = Lua::new();
        let script = "many = {} for n = 1, 20000 do many[n] = { n = n, inner = {} } end \
                      local root = {} for n = 1, 20000 do root[n] = { n = n, inner = {} } end return root";
        let pickles = pickle(&lua, &the_root(&lua, script)?)?;
        let back = unpickle(&lua, &pickles)?.get(0)?;
        let last: Table = back.expect("the root").raw_get(20_000)?;
        assert_eq!(last.raw_get::<i32>("n")?, 20_000);
        Ok(())
    }

    #[test]
    fn tables_come_back_as_they_were() -> mlua::Result<()> {
        let lua = Lua::new();
        let pickles = pickle(&lua, &the_root(&lua, SCRIPT)?)?;
        lua.globals().set("back", unpickle(&lua, &pickles)?.get(0)?)?;
        let same = lua.load(
            "return back ~= root and back.a == back.b and back.itself == back and back.a[2] == 2.5 \
             and back.a[3] == '7' and back[true] == 'yes' and back.act() == 'acted' \
             and getmetatable(back) == Class and rawequal(back.act, Class.act)",
        );
        assert!(same.eval::<bool>()?);
        Ok(())
    }

    #[test]
    fn what_has_no_name_is_an_error_that_says_where() -> mlua::Result<()> {
        let lua = Lua::new();
        let roots = the_root(&lua, "return { deep = { f = function() end } }")?;
        let error = pickle(&lua, &roots).expect_err("a nameless function");
        assert!(error.to_string().contains("the root.deep.f is a function without a global name"));
        let missing = Pickles {
            tables: vec![PickledTable {
                metatable: Pickled::Nil,
                entries: vec![(Pickled::Number(1.0), Pickled::Global("no.such".to_owned()))],
            }],
            roots: vec![Pickled::Table(0)],
        };
        let error = unpickle(&lua, &missing).expect_err("a name that is not there");
        assert!(error.to_string().contains("the pack has no 'no.such' any more"));
        Ok(())
    }
}
