//! Undoing what a script leaves behind.
//!
//! Vaults share the tables and functions of libraries and global preludes. A snapshot remembers
//! every table that can be reached from the globals, through tables and through the upvalues of
//! Lua functions, and puts back what has changed. Comparing is a walk over raw values without
//! look-ups, so that it can be done after every map.
//!
//! Lua has no function for this: the walk uses its C interface. Every function below leaves the
//! stack as it found it and calls nothing that raises errors, except when memory runs out.

use std::collections::HashMap;
use std::ffi::{c_int, c_void};

use mlua::ffi::{self, lua_State};
use mlua::{RegistryKey, Table, Value, Variadic};

use crate::Interpreter;

/// The state of globals to return to.
pub struct Snapshot {
    /// The Lua table that keeps the objects and copies of their contents alive.
    keeper: RegistryKey,
    objects: Vec<Image>,
    /// How many of the objects, which lie in front, are the globals and the host's tables.
    surface: usize,
}

/// What an object held. Its place in the list is its index in the keeper.
enum Image {
    Table { entries: Vec<(Raw, Raw)>, metatable: Raw },
    Function { upvalues: Vec<Raw> },
}

/// A Lua value as bits: equal exactly if the values are raw-equal, while they are alive.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Raw {
    kind: c_int,
    bits: u64,
}

impl Interpreter {
    /// Remembers the present state.
    ///
    /// `surface` names the tables that scripts reach without calling a function of a library; the
    /// tables in them are taken along.
    pub fn snapshot(&self, surface: &[&str]) -> mlua::Result<Snapshot> {
        let keeper = self.lua().create_table()?;
        let globals = self.lua().globals();
        let mut front = vec![Value::Table(globals.clone())];
        for name in surface {
            let Some(table) = globals.raw_get::<Option<Table>>(*name)? else { continue };
            for pair in table.pairs::<Value, Value>() {
                front.extend(Some(pair?.1).filter(Value::is_table));
            }
            front.push(Value::Table(table));
        }
        let front = Variadic::from_iter(front);
        let mut objects = Vec::new();
        let mut surface = 0;
        // SAFETY: the walk keeps to the rules in the module's comment.
        unsafe {
            self.lua().exec_raw::<()>((globals, &keeper, front), |state| {
                surface = record(state, &mut objects);
                ffi::lua_settop(state, 0);
            })?;
        }
        Ok(Snapshot { keeper: self.lua().create_registry_value(keeper)?, objects, surface })
    }
}

/// The globals as bits, to see which ones a chunk has set.
#[derive(Clone, Default)]
pub struct GlobalNames(HashMap<u64, u64>);

impl GlobalNames {
    /// The globals that are new or different in `later`, as opaque names.
    pub fn changed_in(&self, later: &GlobalNames) -> Vec<u64> {
        let changed = later.0.iter().filter(|(name, value)| self.0.get(name) != Some(value));
        changed.map(|(&name, _)| name).collect()
    }
}

impl Interpreter {
    /// The globals as they are now.
    pub fn global_names(&self) -> mlua::Result<GlobalNames> {
        let mut names = HashMap::new();
        // SAFETY: the walk keeps to the rules in the module's comment.
        unsafe {
            self.lua().exec_raw::<()>(self.lua().globals(), |state| {
                ffi::lua_pushnil(state);
                while ffi::lua_next(state, 1) != 0 {
                    names.insert(raw(state, -2).bits, raw(state, -1).bits);
                    ffi::lua_pop(state, 1);
                }
                ffi::lua_settop(state, 0);
            })?;
        }
        Ok(GlobalNames(names))
    }
}

impl Snapshot {
    /// Puts back what has changed since, anywhere.
    pub fn restore(&self, interpreter: &Interpreter) -> mlua::Result<()> {
        self.restore_first(interpreter, self.objects.len())
    }

    /// Puts back what has changed in the globals and in the tables they hold, which is enough
    /// after a script that has called no function of a library. It has changed something else
    /// only if something here has changed too, or a function was called.
    pub fn restore_surface(&self, interpreter: &Interpreter) -> mlua::Result<()> {
        self.restore_first(interpreter, self.surface)
    }

    fn restore_first(&self, interpreter: &Interpreter, count: usize) -> mlua::Result<()> {
        let keeper: Table = interpreter.lua().registry_value(&self.keeper)?;
        // SAFETY: as above; the keeper is the table that `record` filled.
        unsafe {
            interpreter.lua().exec_raw::<()>(keeper, |state| {
                for (index, image) in self.objects[..count].iter().enumerate() {
                    restore_object(state, slot(index), image);
                }
                ffi::lua_settop(state, 0);
            })
        }
    }

    /// How many tables and functions it watches.
    pub fn len(&self) -> usize {
        self.objects.len()
    }

    /// Whether it watches nothing.
    pub fn is_empty(&self) -> bool {
        self.objects.is_empty()
    }
}

/// Each object takes three places in the keeper: itself, a copy of its contents, and its metatable.
fn slot(index: usize) -> c_int {
    index as c_int * 3 + 1
}

/// The value at a stack index.
unsafe fn raw(state: *mut lua_State, index: c_int) -> Raw {
    unsafe {
        let kind = ffi::lua_type(state, index);
        let bits = match kind {
            ffi::LUA_TNUMBER => ffi::lua_tonumber(state, index).to_bits(),
            ffi::LUA_TBOOLEAN => ffi::lua_toboolean(state, index) as u64,
            // Strings are interned: the same text has the same address.
            ffi::LUA_TSTRING => ffi::lua_tolstring(state, index, std::ptr::null_mut()) as u64,
            ffi::LUA_TNIL => 0,
            _ => ffi::lua_topointer(state, index) as u64,
        };
        Raw { kind, bits }
    }
}

/// Stack: globals, keeper, the tables of the surface. Walks everything that can be reached.
/// How many objects the surface has.
unsafe fn record(state: *mut lua_State, objects: &mut Vec<Image>) -> usize {
    unsafe {
        ffi::lua_checkstack(state, 20);
        let mut seen: HashMap<*const c_void, ()> = HashMap::new();
        for index in 3..=ffi::lua_gettop(state) {
            ffi::lua_pushvalue(state, index);
            enlist(state, &mut seen);
        }
        ffi::lua_settop(state, 2);
        let surface = seen.len();
        let mut index = 0;
        while index < seen.len() {
            ffi::lua_rawgeti(state, 2, slot(index).into());
            let image = match ffi::lua_type(state, -1) {
                ffi::LUA_TTABLE => record_table(state, slot(index), &mut seen),
                _ => record_function(state, slot(index), &mut seen),
            };
            objects.push(image);
            ffi::lua_settop(state, 2);
            index += 1;
        }
        surface
    }
}

/// Pops a value and gives it a place in the keeper if it is a table or a Lua function not seen.
unsafe fn enlist(state: *mut lua_State, seen: &mut HashMap<*const c_void, ()>) {
    unsafe {
        let kind = ffi::lua_type(state, -1);
        // A function without upvalues holds nothing that could change but its environment, which
        // those who set it look after.
        let watched =
            kind == ffi::LUA_TTABLE || (kind == ffi::LUA_TFUNCTION && has_upvalues(state));
        let pointer = ffi::lua_topointer(state, -1);
        if watched && !seen.contains_key(&pointer) {
            let index = seen.len();
            seen.insert(pointer, ());
            ffi::lua_rawseti(state, 2, slot(index).into());
        } else {
            ffi::lua_pop(state, 1);
        }
    }
}

/// Whether the value on top is a Lua function with upvalues.
unsafe fn has_upvalues(state: *mut lua_State) -> bool {
    unsafe {
        if ffi::lua_iscfunction(state, -1) != 0 || ffi::lua_getupvalue(state, -1, 1).is_null() {
            return false;
        }
        ffi::lua_pop(state, 1);
        true
    }
}

/// Stack: globals, keeper, the table.
unsafe fn record_table(
    state: *mut lua_State,
    slot: c_int,
    seen: &mut HashMap<*const c_void, ()>,
) -> Image {
    unsafe {
        let mut entries = Vec::new();
        ffi::lua_newtable(state);
        ffi::lua_pushnil(state);
        while ffi::lua_next(state, 3) != 0 {
            entries.push((raw(state, -2), raw(state, -1)));
            ffi::lua_pushvalue(state, -2);
            ffi::lua_pushvalue(state, -2);
            ffi::lua_rawset(state, 4);
            ffi::lua_pushvalue(state, -2);
            enlist(state, seen);
            enlist(state, seen);
        }
        ffi::lua_rawseti(state, 2, (slot + 1).into());
        let mut metatable = Raw { kind: ffi::LUA_TNIL, bits: 0 };
        if ffi::lua_getmetatable(state, 3) != 0 {
            metatable = raw(state, -1);
            ffi::lua_pushvalue(state, -1);
            ffi::lua_rawseti(state, 2, (slot + 2).into());
            enlist(state, seen);
        }
        Image::Table { entries, metatable }
    }
}

/// Stack: globals, keeper, the function.
unsafe fn record_function(
    state: *mut lua_State,
    slot: c_int,
    seen: &mut HashMap<*const c_void, ()>,
) -> Image {
    unsafe {
        let mut upvalues = Vec::new();
        ffi::lua_newtable(state);
        let mut number = 1;
        while !ffi::lua_getupvalue(state, 3, number).is_null() {
            upvalues.push(raw(state, -1));
            ffi::lua_pushvalue(state, -1);
            ffi::lua_rawseti(state, 4, number.into());
            enlist(state, seen);
            number += 1;
        }
        ffi::lua_rawseti(state, 2, (slot + 1).into());
        Image::Function { upvalues }
    }
}

/// Stack: keeper.
unsafe fn restore_object(state: *mut lua_State, slot: c_int, image: &Image) {
    unsafe {
        ffi::lua_rawgeti(state, 1, slot.into());
        match image {
            Image::Table { entries, metatable } => {
                if !same_entries(state, entries) {
                    restore_table(state, slot);
                }
                restore_metatable(state, slot, *metatable);
            }
            Image::Function { upvalues } => restore_upvalues(state, slot, upvalues),
        }
        ffi::lua_settop(state, 1);
    }
}

/// Stack: keeper, the table.
unsafe fn same_entries(state: *mut lua_State, entries: &[(Raw, Raw)]) -> bool {
    unsafe {
        let mut expected = entries.iter();
        ffi::lua_pushnil(state);
        while ffi::lua_next(state, 2) != 0 {
            let found = (raw(state, -2), raw(state, -1));
            if expected.next() != Some(&found) {
                ffi::lua_settop(state, 2);
                return false;
            }
            ffi::lua_pop(state, 1);
        }
        expected.next().is_none()
    }
}

/// Stack: keeper, the table. Removes what is new, puts back what was.
unsafe fn restore_table(state: *mut lua_State, slot: c_int) {
    unsafe {
        ffi::lua_rawgeti(state, 1, (slot + 1).into());
        ffi::lua_pushnil(state);
        while ffi::lua_next(state, 2) != 0 {
            ffi::lua_pop(state, 1);
            ffi::lua_pushvalue(state, -1);
            ffi::lua_rawget(state, 3);
            let gone = ffi::lua_type(state, -1) == ffi::LUA_TNIL;
            ffi::lua_pop(state, 1);
            if gone {
                // Clearing a present field is allowed during a walk.
                ffi::lua_pushvalue(state, -1);
                ffi::lua_pushnil(state);
                ffi::lua_rawset(state, 2);
            }
        }
        ffi::lua_pushnil(state);
        while ffi::lua_next(state, 3) != 0 {
            ffi::lua_pushvalue(state, -2);
            ffi::lua_insert(state, -2);
            ffi::lua_rawset(state, 2);
        }
        ffi::lua_settop(state, 2);
    }
}

/// Stack: keeper, the table.
unsafe fn restore_metatable(state: *mut lua_State, slot: c_int, metatable: Raw) {
    unsafe {
        if ffi::lua_getmetatable(state, 2) == 0 {
            ffi::lua_pushnil(state);
        }
        if raw(state, -1) != metatable {
            ffi::lua_rawgeti(state, 1, (slot + 2).into());
            ffi::lua_setmetatable(state, 2);
        }
        ffi::lua_settop(state, 2);
    }
}

/// Stack: keeper, the function.
unsafe fn restore_upvalues(state: *mut lua_State, slot: c_int, upvalues: &[Raw]) {
    unsafe {
        for (index, expected) in upvalues.iter().enumerate() {
            let number = index as c_int + 1;
            ffi::lua_getupvalue(state, 2, number);
            if raw(state, -1) != *expected {
                ffi::lua_rawgeti(state, 1, (slot + 1).into());
                ffi::lua_rawgeti(state, -1, number.into());
                ffi::lua_setupvalue(state, 2, number);
            }
            ffi::lua_settop(state, 2);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Limits;

    fn run(lua: &Interpreter, text: &str) -> String {
        lua.load("test", text.as_bytes()).unwrap().call::<String>(()).unwrap()
    }

    #[test]
    fn globals_tables_upvalues_and_metatables_are_put_back() {
        let lua = Interpreter::new(Limits::default()).unwrap();
        run(
            &lua,
            "list = {1, 2, {3}}; do local n = 0; function count() n = n + 1; return n end end return ''",
        );
        let snapshot = lua.snapshot(&[]).unwrap();
        let change = "list[1] = 9; list[3][1] = 8; list.new = 1; fresh = true; count(); \
                      string.extra = 1; list[2] = nil; setmetatable(_G, {__index = function() return 5 end}); \
                      return ''";
        let look = "return table.concat({tostring(list[1]), tostring(list[2]), tostring(list[3][1]), \
                    tostring(list.new), tostring(fresh), tostring(count()), tostring(string.extra)}, ' ')";
        run(&lua, change);
        snapshot.restore(&lua).unwrap();
        assert_eq!(run(&lua, look), "1 2 3 nil nil 1 nil");
        snapshot.restore(&lua).unwrap();
        assert_eq!(run(&lua, look), "1 2 3 nil nil 1 nil");
    }
}
