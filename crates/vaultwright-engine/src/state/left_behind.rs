//! What maps leave behind for those of later files while they are compiled: `dgn.persist`, and the
//! tags that scripts add.

use std::collections::{BTreeSet, HashSet};
use std::ffi::c_void;

use serde::{Deserialize, Serialize};
use vaultwright_lua::mlua::{self, Lua, Table, Value};

/// What is there when the maps of a file have been compiled.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct LeftBehind {
    /// The entries of `dgn.persist`.
    persisted: Persisted,
    /// The tags that scripts have added.
    pub(crate) flags: BTreeSet<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum Persisted {
    /// All of them, in order.
    Plain(Vec<(Plain, Plain)>),
    /// So many, of which some are more than plain values.
    Unknown(usize),
}

/// A value that is the same for every interpreter.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
enum Plain {
    Boolean(bool),
    /// A number by its bits.
    Number(u64),
    Text(Vec<u8>),
    Table(Vec<(Plain, Plain)>),
}

/// How deep tables may lie in each other.
const MAX_DEPTH: usize = 16;

/// How much is taken down, in bytes. Few maps leave more than a handful of words.
const MAX_ROOM: usize = 1 << 20;

/// What has been taken down of a table and those in it.
struct Taken {
    tables: HashSet<*const c_void>,
    room_left: usize,
}

impl Default for Taken {
    fn default() -> Taken {
        Taken { tables: HashSet::new(), room_left: MAX_ROOM }
    }
}

impl Default for Persisted {
    fn default() -> Persisted {
        Persisted::Plain(Vec::new())
    }
}

impl LeftBehind {
    /// Returns what there is now, of a table that scripts keep and the tags that they have added.
    pub(crate) fn of(persistent: Option<&Table>, flags: &BTreeSet<String>) -> LeftBehind {
        let persisted = match persistent {
            Some(table) => match entries(table, 0, &mut Taken::default()) {
                Some(all) => Persisted::Plain(all),
                None => Persisted::Unknown(table.pairs::<Value, Value>().count()),
            },
            None => Persisted::default(),
        };
        LeftBehind { persisted, flags: flags.clone() }
    }

    /// Returns whether all of it can be put back.
    pub(crate) fn is_plain(&self) -> bool {
        matches!(self.persisted, Persisted::Plain(_))
    }

    /// Puts the entries back into a table, in the place of those that it has; not those that are
    /// more than plain values.
    pub(crate) fn fill(&self, lua: &Lua, table: &Table) -> mlua::Result<()> {
        table.clear()?;
        match &self.persisted {
            Persisted::Plain(kept) => set_entries(lua, table, kept),
            Persisted::Unknown(_) => Ok(()),
        }
    }
}

/// Returns the entries of a table in order; `None` if any of them is not plain, or is there twice,
/// so that changing it in one place would change the other, or if there are too many.
fn entries(table: &Table, depth: usize, taken: &mut Taken) -> Option<Vec<(Plain, Plain)>> {
    let is_first = taken.tables.insert(table.to_pointer());
    if depth > MAX_DEPTH || table.metatable().is_some() || !is_first {
        return None;
    }
    let mut all = Vec::new();
    for pair in table.pairs::<Value, Value>() {
        let (key, value) = pair.ok()?;
        all.push((plain(&key, depth, taken)?, plain(&value, depth, taken)?));
    }
    all.sort_unstable();
    Some(all)
}

/// Returns a value of a table that lies so deep; `None` if it is not plain.
fn plain(value: &Value, depth: usize, taken: &mut Taken) -> Option<Plain> {
    let text = value.as_string().map_or(0, |text| text.as_bytes().len());
    taken.room_left = taken.room_left.checked_sub(size_of::<Plain>() + text)?;
    Some(match value {
        Value::Boolean(value) => Plain::Boolean(*value),
        Value::Integer(number) => Plain::Number((*number as f64).to_bits()),
        Value::Number(number) => Plain::Number(number.to_bits()),
        Value::String(text) => Plain::Text(text.as_bytes().to_vec()),
        Value::Table(table) => Plain::Table(entries(table, depth + 1, taken)?),
        _ => return None,
    })
}

fn set_entries(lua: &Lua, table: &Table, entries: &[(Plain, Plain)]) -> mlua::Result<()> {
    for (key, value) in entries {
        table.raw_set(key.to_lua(lua)?, value.to_lua(lua)?)?;
    }
    Ok(())
}

impl Plain {
    fn to_lua(&self, lua: &Lua) -> mlua::Result<Value> {
        Ok(match self {
            Plain::Boolean(value) => Value::Boolean(*value),
            Plain::Number(bits) => Value::Number(f64::from_bits(*bits)),
            Plain::Text(text) => Value::String(lua.create_string(text)?),
            Plain::Table(entries) => {
                let table = lua.create_table()?;
                set_entries(lua, &table, entries)?;
                Value::Table(table)
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use vaultwright_lua::mlua::{Lua, Table};

    use super::LeftBehind;

    fn of(lua: &Lua, text: &str) -> (Table, LeftBehind) {
        let table: Table = lua.load(text).eval().expect("a table");
        let left = LeftBehind::of(Some(&table), &BTreeSet::new());
        (table, left)
    }

    #[test]
    fn plain_tables_are_filled_as_they_were() {
        let lua = Lua::new();
        let (_, left) = of(&lua, "return { a = 1, [2] = 'x', deep = { true, { 0.5 } } }");
        let other = lua.create_table().expect("a table");
        other.raw_set("old", 1).expect("set");
        assert!(left.is_plain() && left.fill(&lua, &other).is_ok());
        assert_eq!(LeftBehind::of(Some(&other), &BTreeSet::new()), left);
        let (_, otherwise) = of(&lua, "return { a = 1, [2] = 'x', deep = { true, { 0.25 } } }");
        assert_ne!(otherwise, left);
    }

    #[test]
    fn many_tables_beside_each_other_are_plain() {
        let nested = |deep| format!("return {}{}", "{".repeat(deep), "}".repeat(deep));
        let many = format!("return {{ {} }}", "{ 1 }, ".repeat(40));
        for (text, is_plain) in [(many, true), (nested(17), true), (nested(18), false)] {
            assert_eq!(of(&Lua::new(), &text).1.is_plain(), is_plain, "{text}");
        }
    }

    #[test]
    fn what_is_not_plain_is_not_known() {
        let lua = Lua::new();
        for text in [
            "return { print }",
            "local a = {} return { a, a }",
            "local a = {} a.a = a return a",
            "return setmetatable({}, {})",
        ] {
            let (table, left) = of(&lua, text);
            assert!(!left.is_plain(), "{text}");
            assert!(left.fill(&lua, &table).is_ok() && table.is_empty());
        }
    }

    #[test]
    fn what_takes_too_much_room_is_not_taken_down() {
        let lua = Lua::new();
        let (_, few) = of(&lua, "{ a = ('x'):rep(1000) }");
        let (_, long) = of(&lua, "{ a = ('x'):rep(2000000) }");
        let (_, many) =
            of(&lua, "(function() local t = {} for i = 1, 99999 do t[i] = i end return t end)()");
        assert!(few.is_plain() && !long.is_plain() && !many.is_plain());
    }
}
