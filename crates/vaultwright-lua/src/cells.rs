//! Tables of tables of cells, `grid[y][x]`, read and written as a whole: accessing entries one by
//! one costs more than most of the work done with them.
//!
//! Only plain tables are read. An interpreter error (out of memory) leaves a function by jumping
//! over its frame, so nothing that needs to be dropped is created while its functions are called.

use std::ffi::{CStr, c_char, c_int, c_void};
use std::ptr;

use mlua::ffi::{self, lua_State};
use mlua::{Lua, Result, Table};

use crate::layout::set_element;
use crate::raw_tables::{RawTable, RawText, RawValue};

/// The value of a field of a new cell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Field {
    /// A text.
    Text(&'static CStr),
    /// A number.
    Number(f64),
    /// A table with `x` and `y`.
    Point(f64, f64),
}

/// Returns a field of every cell, row by row. Returns `None` unless all tables are plain and the
/// field is true or false everywhere. The first cell is `grid[0][0]`.
pub fn read_flags(
    lua: &Lua,
    grid: &Table,
    width: usize,
    height: usize,
    field: &CStr,
) -> Result<Option<Vec<bool>>> {
    let mut flags = None;
    // SAFETY: nothing is written to while the tables are read, which the grid holds, and the stack
    // the grid.
    unsafe {
        lua.exec_raw::<()>(grid, |state| {
            ffi::lua_pushstring(state, field.as_ptr());
            if let (Some(grid), Some(field)) =
                (RawTable::on_stack(state, 1), RawText::on_stack(state, 2))
            {
                flags = flags_of(grid, width, height, field);
            }
            ffi::lua_settop(state, 0);
        })?;
    }
    Ok(flags)
}

fn flags_of(grid: RawTable, width: usize, height: usize, field: RawText) -> Option<Vec<bool>> {
    let mut flags = Vec::with_capacity(width * height);
    for y in 0..height as i32 {
        let row = RawValue::Table(grid).plain_table()?.element(y).plain_table()?;
        for x in 0..width as i32 {
            match row.element(x).plain_table()?.field(field) {
                RawValue::Flag(flag) => flags.push(flag),
                _ => return None,
            }
        }
    }
    Some(flags)
}

/// The value of a field of a cell, as far as it can be classified.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Held {
    /// Nothing.
    Nil,
    /// True or false.
    Flag(bool),
    /// One of the known words, by index.
    Word(usize),
    /// A table, by its address.
    Table(*const c_void),
    /// A number.
    Number(f64),
    /// Another text.
    Text,
    /// Anything else.
    Other,
}

/// The result of reading a cell of a grid.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Found {
    /// There is no cell.
    Nothing,
    /// It is not a plain table, or its row is not.
    Odd,
    /// Its fields have been read.
    Cell,
}

/// Reads individual cells of a grid.
pub struct CellReader<'a> {
    grid: RawTable<'a>,
    fields: &'a [RawText<'a>],
    words: &'a [RawText<'a>],
}

/// Runs a function that reads cells of `grid[y][x]` one by one: the named fields of each, whose
/// strings are distinguished if they are among the words. The function may look at tables, but must
/// not call Lua. Returns `None` if the grid is not a plain table.
pub fn read_cells<R>(
    lua: &Lua,
    grid: &Table,
    fields: &[&CStr],
    words: &[&CStr],
    run: impl FnOnce(&mut CellReader) -> R,
) -> Result<Option<R>> {
    let mut result = None;
    // SAFETY: names, words and the grid lie on the stack, and nothing is written to while the
    // reader is used: what has it gets no interpreter.
    unsafe {
        lua.exec_raw::<()>(grid, |state| {
            ffi::luaL_checkstack(state, (fields.len() + words.len() + 8) as c_int, ptr::null());
            for text in fields.iter().chain(words) {
                ffi::lua_pushstring(state, text.as_ptr());
            }
            let count = fields.len() + words.len();
            let texts = (2..).take(count).map(|index| RawText::on_stack(state, index));
            let texts: Option<Vec<RawText>> = texts.collect();
            let grid = RawTable::on_stack(state, 1).filter(|grid| grid.is_plain());
            if let (Some(grid), Some(texts)) = (grid, texts) {
                let (fields, words) = texts.split_at(fields.len());
                result = Some(run(&mut CellReader { grid, fields, words }));
            }
            ffi::lua_settop(state, 0);
        })?;
    }
    Ok(result)
}

impl<'a> CellReader<'a> {
    /// Returns the address of the cell at a place; null if there is none.
    pub fn address(&mut self, x: i32, y: i32) -> *const c_void {
        self.cell(x, y).map_or(ptr::null(), RawTable::address)
    }

    /// Returns the elements of the list in a field of a cell, by the index of the field; `None`
    /// unless all of them are plain tables.
    pub fn list(&mut self, x: i32, y: i32, field: usize) -> Option<Vec<*const c_void>> {
        match self.value(x, y, field) {
            None => Some(Vec::new()),
            Some(list) => elements_of(list.plain_table()?),
        }
    }

    /// Returns the result of a function on the string in a field of a cell; `None` if there is
    /// none.
    pub fn text<R>(
        &mut self,
        x: i32,
        y: i32,
        field: usize,
        made: impl FnOnce(&[u8]) -> R,
    ) -> Option<R> {
        match self.value(x, y, field)? {
            RawValue::Text(text) => Some(made(text.bytes())),
            _ => None,
        }
    }

    /// Reads the fields of a cell, as many as fit into `held`.
    pub fn read(&mut self, x: i32, y: i32, held: &mut [Held]) -> Found {
        self.read_wanted(x, y, held, |_, _| true)
    }

    /// Reads the fields of a cell that are wanted, given the value of the first. The others are
    /// unchanged.
    pub fn read_wanted(
        &mut self,
        x: i32,
        y: i32,
        held: &mut [Held],
        wanted: impl Fn(usize, Held) -> bool,
    ) -> Found {
        let row = match element(self.grid, y) {
            Ok(row) => row,
            Err(found) => return found,
        };
        let cell = match element(row, x) {
            Ok(cell) => cell,
            Err(found) => return found,
        };
        let count = held.len().min(self.fields.len());
        for field in 0..count {
            if field == 0 || wanted(field, held[0]) {
                held[field] = self.held(cell.field(self.fields[field]));
            }
        }
        Found::Cell
    }

    /// What a field of a cell holds; none if there is no cell.
    fn value(&self, x: i32, y: i32, field: usize) -> Option<RawValue<'a>> {
        Some(self.cell(x, y)?.field(*self.fields.get(field)?))
    }

    fn cell(&self, x: i32, y: i32) -> Option<RawTable<'a>> {
        match self.grid.element(y) {
            RawValue::Table(row) => match row.element(x) {
                RawValue::Table(cell) => Some(cell),
                _ => None,
            },
            _ => None,
        }
    }

    fn held(&self, value: RawValue) -> Held {
        match value {
            RawValue::Nil => Held::Nil,
            RawValue::Flag(flag) => Held::Flag(flag),
            RawValue::Table(table) => Held::Table(table.address()),
            RawValue::Number(number) => Held::Number(number),
            RawValue::Text(text) => {
                let index = self.words.iter().position(|word| *word == text);
                index.map_or(Held::Text, Held::Word)
            }
            RawValue::Other(_) => Held::Other,
        }
    }
}

/// The plain table that is an element of a grid or of a row, else what is there.
fn element(table: RawTable, number: i32) -> std::result::Result<RawTable, Found> {
    match table.element(number) {
        RawValue::Nil => Err(Found::Nothing),
        value => value.plain_table().ok_or(Found::Odd),
    }
}

/// The elements of a list; none if it has others than plain tables, or other keys.
fn elements_of(list: RawTable) -> Option<Vec<*const c_void>> {
    if !list.is_plain() || list.count() != list.length() {
        return None;
    }
    let address = |value: RawValue| value.plain_table().map(RawTable::address);
    list.elements().map(address).collect()
}

/// Whether a value is a table without metatable.
///
/// # Safety
/// The state must be one of an interpreter.
pub(crate) unsafe fn is_plain(state: *mut lua_State, index: c_int) -> bool {
    // SAFETY: upheld by the caller.
    unsafe { RawTable::on_stack(state, index).is_some_and(RawTable::is_plain) }
}

/// Writes new cells into `grid[y][x]`, whose rows are new as well. `fields` returns the fields of a
/// cell in the order in which they are set, and the number that the table has when it is created
/// (which affects `pairs`).
pub fn write_cells(
    lua: &Lua,
    grid: &Table,
    width: usize,
    height: usize,
    mut fields: impl FnMut(usize, usize, &mut Vec<(&'static CStr, Field)>) -> usize,
) -> Result<()> {
    let mut cell = Vec::with_capacity(8);
    // SAFETY: stack slots are taken and given back in pairs; what is dropped lives outside.
    unsafe {
        lua.exec_raw::<()>(grid, |state| {
            ffi::luaL_checkstack(state, 8 + KEPT as c_int, ptr::null());
            ffi::lua_settop(state, 1 + KEPT as c_int);
            let mut texts = Texts([ptr::null(); KEPT]);
            for y in 0..height {
                ffi::lua_createtable(state, width.saturating_sub(1) as c_int, 1);
                for x in 0..width {
                    cell.clear();
                    let made_with = fields(x, y, &mut cell);
                    ffi::lua_createtable(state, 0, made_with as c_int);
                    for (name, field) in &cell {
                        texts.push(state, name);
                        push(state, *field, &mut texts);
                        ffi::lua_rawset(state, -3);
                    }
                    ffi::lua_rawseti(state, -2, x as ffi::lua_Integer);
                }
                set_element(state, 1, y as c_int);
            }
            ffi::lua_settop(state, 0);
        })
    }
}

/// How many texts are kept on the stack while cells are written.
const KEPT: usize = 16;

/// Texts that have been pushed before, which lie on the stack behind the grid in this order: to
/// make one takes longer than to set a field.
struct Texts([*const c_char; KEPT]);

impl Texts {
    /// # Safety
    /// The state must be that of the function that runs, with its slots from 2 on kept for these
    /// texts and room for two values.
    unsafe fn push(&mut self, state: *mut lua_State, text: &'static CStr) {
        for (index, kept) in (2..).zip(&mut self.0) {
            if *kept == text.as_ptr() {
                // SAFETY: upheld by the caller.
                return unsafe { ffi::lua_pushvalue(state, index) };
            }
            if kept.is_null() {
                *kept = text.as_ptr();
                // SAFETY: upheld by the caller.
                unsafe {
                    ffi::lua_pushstring(state, text.as_ptr());
                    ffi::lua_pushvalue(state, -1);
                    ffi::lua_replace(state, index);
                }
                return;
            }
        }
        // SAFETY: upheld by the caller.
        unsafe {
            ffi::lua_pushstring(state, text.as_ptr());
        }
    }
}

/// # Safety
/// As [`Texts::push`], with room for four values.
unsafe fn push(state: *mut lua_State, field: Field, texts: &mut Texts) {
    // SAFETY: upheld by the caller.
    unsafe {
        match field {
            Field::Text(text) => texts.push(state, text),
            Field::Number(number) => ffi::lua_pushnumber(state, number),
            Field::Point(x, y) => {
                ffi::lua_createtable(state, 0, 2);
                for (name, number) in [(c"x", x), (c"y", y)] {
                    texts.push(state, name);
                    ffi::lua_pushnumber(state, number);
                    ffi::lua_rawset(state, -3);
                }
            }
        }
    }
}

/// Returns the addresses of the elements of a list; `None` unless all of them are plain tables.
pub fn read_list(lua: &Lua, list: &Table) -> Result<Option<Vec<*const c_void>>> {
    let mut elements = None;
    // SAFETY: as above.
    unsafe {
        lua.exec_raw::<()>(list, |state| {
            elements = RawTable::on_stack(state, 1).and_then(elements_of);
            ffi::lua_settop(state, 0);
        })?;
    }
    Ok(elements)
}

/// Returns a list of cells of `grid[y][x]`.
pub fn list_of_cells(lua: &Lua, grid: &Table, cells: &[(usize, usize)]) -> Result<Table> {
    // SAFETY: stack slots are taken and given back in pairs.
    unsafe {
        lua.exec_raw::<Table>(grid, |state| {
            ffi::lua_createtable(state, cells.len() as c_int, 0);
            for (index, &(x, y)) in cells.iter().enumerate() {
                ffi::lua_rawgeti(state, 1, y as ffi::lua_Integer);
                if ffi::lua_type(state, -1) == ffi::LUA_TTABLE {
                    ffi::lua_rawgeti(state, -1, x as ffi::lua_Integer);
                    ffi::lua_rawseti(state, 2, index as ffi::lua_Integer + 1);
                }
                ffi::lua_pop(state, 1);
            }
            ffi::lua_remove(state, 1);
        })
    }
}
