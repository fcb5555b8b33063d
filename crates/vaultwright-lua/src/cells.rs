//! Tables of tables of cells, `grid[y][x]`, read and written as wholes: one by one, entries cost
//! more than most of what is done with them.
//!
//! Only plain tables are read. An error of the interpreter (there is no memory) leaves a function
//! by a jump over its frame, so nothing that is dropped is made while its functions are called.

use std::ffi::{CStr, c_char, c_int, c_void};
use std::ptr;

use mlua::ffi::{self, lua_State};
use mlua::{Lua, Result, Table};

use crate::layout::set_element;

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

/// Returns a field of every cell, row by row; none unless all tables are plain ones and the field
/// is true or false everywhere. The first cell is `grid[0][0]`.
pub fn read_flags(
    lua: &Lua,
    grid: &Table,
    width: usize,
    height: usize,
    field: &CStr,
) -> Result<Option<Vec<bool>>> {
    let mut flags = Vec::with_capacity(width * height);
    let mut plain = true;
    // SAFETY: stack slots are taken and given back in pairs; `flags` has room for all that is
    // pushed.
    unsafe {
        lua.exec_raw::<()>(grid, |state| {
            plain = ffi::lua_getmetatable(state, 1) == 0;
            ffi::lua_settop(state, 1);
            ffi::lua_pushstring(state, field.as_ptr());
            let mut y = 0;
            while plain && y < height {
                ffi::lua_rawgeti(state, 1, y as ffi::lua_Integer);
                plain = is_plain(state, -1);
                let mut x = 0;
                while plain && x < width {
                    ffi::lua_rawgeti(state, -1, x as ffi::lua_Integer);
                    plain = is_plain(state, -1);
                    if plain {
                        ffi::lua_pushvalue(state, 2);
                        ffi::lua_rawget(state, -2);
                        plain = ffi::lua_type(state, -1) == ffi::LUA_TBOOLEAN;
                        flags.push(ffi::lua_toboolean(state, -1) != 0);
                        ffi::lua_pop(state, 1);
                    }
                    ffi::lua_pop(state, 1);
                    x += 1;
                }
                ffi::lua_pop(state, 1);
                y += 1;
            }
            ffi::lua_settop(state, 0);
        })?;
    }
    Ok(plain.then_some(flags))
}

/// What a field of a cell holds, as far as it can be told apart.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Held {
    /// Nothing.
    Nil,
    /// True or false.
    Flag(bool),
    /// One of the words that are known, by its index.
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

/// A cell of a grid.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Found {
    /// There is none.
    Nothing,
    /// It is no plain table, or its row is none.
    Odd,
    /// Its fields have been read.
    Cell,
}

/// Reads single cells of a grid.
pub struct CellReader<'a> {
    state: *mut lua_State,
    fields: usize,
    words: &'a [*const c_void],
}

/// How many words a reader knows at most.
const WORDS: usize = 8;

/// Runs something that reads cells of `grid[y][x]` one by one: of each the fields that are named,
/// whose texts are told apart where they are among the words (at most eight). What runs may look at
/// tables, but must not call Lua; none if the grid is not a plain table.
pub fn read_cells<R>(
    lua: &Lua,
    grid: &Table,
    fields: &[&CStr],
    words: &[&CStr],
    run: impl FnOnce(&mut CellReader) -> R,
) -> Result<Option<R>> {
    let mut result = None;
    // SAFETY: reading without metamethods raises no error, and there is room for what it pushes, so
    // nothing jumps over what runs.
    unsafe {
        lua.exec_raw::<()>(grid, |state| {
            ffi::luaL_checkstack(state, (fields.len() + words.len() + 8) as c_int, ptr::null());
            if is_plain(state, 1) {
                for field in fields {
                    ffi::lua_pushstring(state, field.as_ptr());
                }
                let mut known = [ptr::null(); WORDS];
                for (word, known) in words.iter().zip(&mut known) {
                    ffi::lua_pushstring(state, word.as_ptr());
                    // Texts are interned: the same text has the same address.
                    *known = ffi::lua_tolstring(state, -1, ptr::null_mut()).cast();
                }
                let count = words.len().min(WORDS);
                let fields = fields.len();
                result = Some(run(&mut CellReader { state, fields, words: &known[..count] }));
            }
            ffi::lua_settop(state, 0);
        })?;
    }
    Ok(result)
}

impl CellReader<'_> {
    /// Returns the address of the cell at a place, null if there is none.
    pub fn address(&mut self, x: i32, y: i32) -> *const c_void {
        let state = self.state;
        // SAFETY: `read_cells` has made room, and the stack is left as it was.
        unsafe {
            let top = ffi::lua_gettop(state);
            push_element(state, 1, x, y);
            let address = ffi::lua_topointer(state, -1);
            ffi::lua_settop(state, top);
            address
        }
    }

    /// Returns the elements of a list that is a field of a cell, by the field's index; none if it
    /// is not one of plain tables alone.
    pub fn list(&mut self, x: i32, y: i32, field: usize) -> Option<Vec<*const c_void>> {
        // SAFETY: the list lies on top of the stack.
        let elements = |state| unsafe { elements_of(state, ffi::lua_gettop(state)) };
        self.with_field(x, y, field, elements).unwrap_or_else(|| Some(Vec::new()))
    }

    /// Returns what is made of the text in a field of a cell; none if there is none.
    pub fn text<R>(
        &mut self,
        x: i32,
        y: i32,
        field: usize,
        made: impl FnOnce(&[u8]) -> R,
    ) -> Option<R> {
        let text = |state| {
            let mut length = 0;
            // SAFETY: the field lies on top of the stack, and a text lives as long as the cell.
            unsafe {
                (ffi::lua_type(state, -1) == ffi::LUA_TSTRING).then(|| {
                    let text = ffi::lua_tolstring(state, -1, &mut length);
                    made(std::slice::from_raw_parts(text.cast(), length))
                })
            }
        };
        self.with_field(x, y, field, text).flatten()
    }

    /// Looks at a field of a cell, which lies on top of the stack then; none if there is no cell.
    fn with_field<R>(
        &mut self,
        x: i32,
        y: i32,
        field: usize,
        look: impl FnOnce(*mut lua_State) -> R,
    ) -> Option<R> {
        let state = self.state;
        // SAFETY: as above; nothing is made that would be collected before it is used.
        unsafe {
            let top = ffi::lua_gettop(state);
            push_element(state, 1, x, y);
            let is_there = ffi::lua_type(state, -1) == ffi::LUA_TTABLE && field < self.fields;
            let result = is_there.then(|| {
                ffi::lua_pushvalue(state, 2 + field as c_int);
                ffi::lua_rawget(state, -2);
                look(state)
            });
            ffi::lua_settop(state, top);
            result
        }
    }

    /// Reads the fields of a cell, as many as there is room for.
    pub fn read(&mut self, x: i32, y: i32, held: &mut [Held]) -> Found {
        self.read_wanted(x, y, held, |_, _| true)
    }

    /// Reads those fields of a cell that are wanted by what the first holds; others stay as they
    /// are.
    pub fn read_wanted(
        &mut self,
        x: i32,
        y: i32,
        held: &mut [Held],
        wanted: impl Fn(usize, Held) -> bool,
    ) -> Found {
        let state = self.state;
        // SAFETY: `read_cells` has made room, and the stack is left as it was.
        unsafe {
            let top = ffi::lua_gettop(state);
            ffi::lua_rawgeti_(state, 1, y);
            let mut found = element(state);
            if found == Found::Cell {
                ffi::lua_rawgeti_(state, -1, x);
                found = element(state);
            }
            if found == Found::Cell {
                let count = held.len().min(self.fields);
                for field in 0..count {
                    if field == 0 || wanted(field, held[0]) {
                        ffi::lua_pushvalue(state, field as c_int + 2);
                        ffi::lua_rawget(state, -2);
                        held[field] = self.held();
                        ffi::lua_pop(state, 1);
                    }
                }
            }
            ffi::lua_settop(state, top);
            found
        }
    }

    /// The value on top of the stack.
    unsafe fn held(&self) -> Held {
        let state = self.state;
        unsafe {
            match ffi::lua_type(state, -1) {
                ffi::LUA_TNIL => Held::Nil,
                ffi::LUA_TBOOLEAN => Held::Flag(ffi::lua_toboolean(state, -1) != 0),
                ffi::LUA_TTABLE => Held::Table(ffi::lua_topointer(state, -1)),
                ffi::LUA_TNUMBER => Held::Number(ffi::lua_tonumber(state, -1)),
                ffi::LUA_TSTRING => {
                    let text = ffi::lua_tolstring(state, -1, ptr::null_mut()).cast();
                    let index = self.words.iter().position(|&word| word == text);
                    index.map_or(Held::Text, Held::Word)
                }
                _ => Held::Other,
            }
        }
    }
}

/// What the value on top of the stack is, as an element of a grid.
unsafe fn element(state: *mut lua_State) -> Found {
    unsafe {
        match ffi::lua_type(state, -1) {
            ffi::LUA_TNIL => Found::Nothing,
            _ if is_plain(state, -1) => Found::Cell,
            _ => Found::Odd,
        }
    }
}

/// Pushes the element of a table of tables, nil if there is none.
unsafe fn push_element(state: *mut lua_State, rows: c_int, x: c_int, y: c_int) {
    unsafe {
        ffi::lua_rawgeti_(state, rows, y);
        if ffi::lua_type(state, -1) == ffi::LUA_TTABLE {
            ffi::lua_rawgeti_(state, -1, x);
        } else {
            ffi::lua_pushnil(state);
        }
        ffi::lua_remove(state, -2);
    }
}

/// The elements of a list; none if it has others than plain tables, or other keys.
unsafe fn elements_of(state: *mut lua_State, list: c_int) -> Option<Vec<*const c_void>> {
    unsafe {
        if !is_plain(state, list) {
            return None;
        }
        let length = ffi::lua_objlen(state, list) as c_int;
        let mut elements = Vec::with_capacity(length.max(0) as usize);
        for number in 1..=length {
            ffi::lua_rawgeti_(state, list, number);
            let plain = is_plain(state, -1);
            elements.push(ffi::lua_topointer(state, -1));
            ffi::lua_pop(state, 1);
            if !plain {
                return None;
            }
        }
        // What comes after the last element would be another key.
        match length {
            0 => ffi::lua_pushnil(state),
            length => ffi::lua_pushnumber(state, length.into()),
        }
        let more = ffi::lua_next(state, list) != 0;
        (!more).then_some(elements)
    }
}

/// Whether a value is a table without metatable.
///
/// # Safety
/// The state must be one of an interpreter, with room for a value on its stack.
pub(crate) unsafe fn is_plain(state: *mut lua_State, index: c_int) -> bool {
    unsafe {
        if ffi::lua_type(state, index) != ffi::LUA_TTABLE {
            return false;
        }
        let has = ffi::lua_getmetatable(state, index) != 0;
        if has {
            ffi::lua_pop(state, 1);
        }
        !has
    }
}

/// Writes new cells into `grid[y][x]`, whose rows are new as well. `fields` gives those of a cell,
/// in the order in which they are set, and says how many the table has when it is made (`pairs`
/// shows it).
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
    unsafe fn push(&mut self, state: *mut lua_State, text: &'static CStr) {
        for (index, kept) in (2..).zip(&mut self.0) {
            if *kept == text.as_ptr() {
                return unsafe { ffi::lua_pushvalue(state, index) };
            }
            if kept.is_null() {
                *kept = text.as_ptr();
                unsafe {
                    ffi::lua_pushstring(state, text.as_ptr());
                    ffi::lua_pushvalue(state, -1);
                    ffi::lua_replace(state, index);
                }
                return;
            }
        }
        unsafe {
            ffi::lua_pushstring(state, text.as_ptr());
        }
    }
}

unsafe fn push(state: *mut lua_State, field: Field, texts: &mut Texts) {
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

/// Returns the elements of a list, by their addresses; none if it is not one of plain tables alone.
pub fn read_list(lua: &Lua, list: &Table) -> Result<Option<Vec<*const c_void>>> {
    let mut elements = None;
    // SAFETY: reading raises no error: the key that `lua_next` goes on from is in the table.
    unsafe {
        lua.exec_raw::<()>(list, |state| {
            ffi::luaL_checkstack(state, 8, ptr::null());
            elements = elements_of(state, 1);
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
