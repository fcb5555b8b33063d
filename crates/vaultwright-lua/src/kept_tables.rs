//! Tables of a library: whether there is still all in them that its file has left, and the marks in
//! a grid.

use mlua::{Lua, Result, Table, Value};

use crate::known_functions::Name;
use crate::raw_tables::{RawTable, RawValue};

/// What a table held under some of its keys.
pub struct KeptTable(Vec<(Key, Kept)>);

enum Key {
    Text(Name),
    Whole(i32),
}

enum Kept {
    /// Of the number behind a list's last.
    Nothing,
    Flag(bool),
    Number(f64),
    Text(Name),
    Function(mlua::Function),
    Table(KeptTable),
}

impl KeptTable {
    /// Returns what a table holds now, and those in it, under texts and whole numbers, but for some
    /// names; none if there is more than that, or if it holds itself.
    pub fn of(lua: &Lua, table: &Table, but: &[&str]) -> Result<Option<KeptTable>> {
        KeptTable::within(lua, table, but, 8)
    }

    fn within(lua: &Lua, table: &Table, but: &[&str], depth: usize) -> Result<Option<KeptTable>> {
        let mut kept = Vec::new();
        let Some(depth) = depth.checked_sub(1) else { return Ok(None) };
        for pair in table.pairs::<Value, Value>() {
            let (key, value) = pair?;
            let key = match &key {
                Value::String(name) if but.iter().any(|but| name == but) => continue,
                Value::String(name) => Key::Text(Name::of(lua, name.clone())?),
                Value::Integer(number) => match i32::try_from(*number) {
                    Ok(number) => Key::Whole(number),
                    Err(_) => return Ok(None),
                },
                _ => return Ok(None),
            };
            let value = match value {
                Value::Boolean(flag) => Kept::Flag(flag),
                Value::Integer(number) => Kept::Number(number as f64),
                Value::Number(number) => Kept::Number(number),
                Value::String(text) => Kept::Text(Name::of(lua, text)?),
                Value::Function(function) => Kept::Function(function),
                Value::Table(table) => match KeptTable::within(lua, &table, but, depth)? {
                    Some(table) => Kept::Table(table),
                    None => return Ok(None),
                },
                _ => return Ok(None),
            };
            kept.push((key, value));
        }
        if let Ok(length @ 1..) = i32::try_from(table.raw_len()) {
            kept.push((Key::Whole(length + 1), Kept::Nothing));
        }
        Ok(Some(KeptTable(kept)))
    }

    /// Returns whether a table holds that still, without metamethods; keys that are new do not
    /// count, unless they make a list longer.
    pub fn is_in(&self, table: &Table) -> bool {
        // SAFETY: the handle holds the table and what is in it, and nothing is written to here.
        let table = unsafe { RawTable::of(table.to_pointer()) };
        table.is_some_and(|table| self.is_held_by(table))
    }

    fn is_held_by(&self, table: RawTable) -> bool {
        self.0.iter().all(|(key, kept)| {
            let value = match key {
                Key::Text(name) => table.hashed_field(name.hashed()),
                Key::Whole(number) => table.element(*number),
            };
            match (kept, value) {
                (Kept::Nothing, RawValue::Nil) => true,
                (Kept::Flag(kept), RawValue::Flag(flag)) => *kept == flag,
                (Kept::Number(kept), RawValue::Number(number)) => *kept == number,
                (Kept::Text(kept), RawValue::Text(text)) => kept.hashed() == text.hashed(),
                (Kept::Function(kept), RawValue::Other(address)) => kept.to_pointer() == address,
                (Kept::Table(kept), RawValue::Table(table)) => kept.is_held_by(table),
                _ => false,
            }
        })
    }
}

/// What a grid has on a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// A small whole number.
    Number(u8),
    /// A text of one character.
    Glyph(u8),
}

/// Returns what a grid has from a column and row to another, the rows of a column one after the
/// other; none unless its columns are plain tables, and everything in them is a mark.
pub fn read_marks(table: &Table, from: i32, to: i32) -> Option<Vec<Mark>> {
    // SAFETY: the handle holds the table and what is in it, and nothing is written to here.
    let table = unsafe { RawTable::of(table.to_pointer()) }?;
    let mut marks = Vec::new();
    for x in from..=to {
        let column = table.element(x).plain_table()?;
        for y in from..=to {
            marks.push(match column.element(y) {
                RawValue::Text(text) => match text.bytes() {
                    &[glyph] => Mark::Glyph(glyph),
                    _ => return None,
                },
                value => Mark::Number(u8::try_from(value.whole()?).ok()?),
            });
        }
    }
    table.is_plain().then_some(marks)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: &str = "a = {
        flag = false, number = 2.5, text = 'x', name = print, own = 1,
        list = { { 'y', 1 }, { 'z', 2 } }, [0] = 7, [-3] = {},
    }";

    fn is_kept(change: &str) -> Result<bool> {
        let lua = Lua::new();
        lua.load(TABLE).exec()?;
        let table: Table = lua.globals().get("a")?;
        let kept = KeptTable::of(&lua, &table, &["own"])?.expect("a table that can be kept");
        lua.gc_collect()?;
        lua.load(change).exec()?;
        lua.gc_collect()?;
        Ok(kept.is_in(&table))
    }

    #[test]
    fn a_change_of_what_was_held_shows() -> Result<()> {
        for none in ["", "a.own = 2", "a.other = 1", "a.list[1][1] = 'y'", "a.list.x = 3"] {
            assert!(is_kept(none)?, "{none}");
        }
        for change in [
            "a.flag = nil",
            "a.flag = 0",
            "a.number = 2",
            "a.text = 'y'",
            "a.name = type",
            "a.list[3] = 1",
            "a.list[2] = nil",
            "a.list[2][1] = 'y'",
            "a.list[2][2] = '2'",
            "a.list[1] = { 'y' }",
            "a[0] = 8",
            "a[-3] = 1",
        ] {
            assert!(!is_kept(change)?, "{change}");
        }
        Ok(())
    }

    #[test]
    fn what_is_not_understood_is_not_kept() -> Result<()> {
        let lua = Lua::new();
        for odd in
            ["a = {} a.a = a", "a = { [1.5] = 1 }", "a = { coroutine.create(function() end) }"]
        {
            lua.load(odd).exec()?;
            let table: Table = lua.globals().get("a")?;
            assert!(KeptTable::of(&lua, &table, &[])?.is_none(), "{odd}");
        }
        Ok(())
    }

    #[test]
    fn marks_are_read_by_column() -> Result<()> {
        let lua = Lua::new();
        let read = |text: &str| -> Result<Option<Vec<Mark>>> {
            let grid: Table = lua.load(text).eval()?;
            Ok(read_marks(&grid, -1, 0))
        };
        let grid = read("return { [-1] = { [-1] = 1, [0] = '2' }, [0] = { [-1] = 3, [0] = 4 } }")?;
        let marks = [Mark::Number(1), Mark::Glyph(b'2'), Mark::Number(3), Mark::Number(4)];
        assert_eq!(grid, Some(marks.to_vec()));
        for odd in ["[0] = 2.5", "[0] = 'xx'", "[0] = 256", "[0] = -1", "[0] = {}", ""] {
            let column = format!("{{ [-1] = 1, {odd} }}");
            let grid = format!("return {{ [-1] = {column}, [0] = {column} }}");
            assert_eq!(read(&grid)?, None, "{odd}");
        }
        assert_eq!(read("return { [-1] = 1, [0] = 2 }")?, None);
        Ok(())
    }
}
