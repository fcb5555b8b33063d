//! Names that are looked up in one table and then in another, as those of a vault's chunks are: the
//! interpreter's own, since every global that such a chunk uses is.

use std::ffi::c_int;

use mlua::ffi::{self, lua_State};
use mlua::{Function, Lua, Result, Table, Variadic};

use crate::layout::{arguments, push};
use crate::raw_tables::{RawTable, RawText, RawValue};

/// The upvalues.
const FIRST: c_int = ffi::lua_upvalueindex(1);
const SECOND: c_int = ffi::lua_upvalueindex(2);
const OTHERWISE: c_int = ffi::lua_upvalueindex(3);

/// Returns a function for `__index` which answers what the second table has under a name that the
/// first does not have. Anything else is left to `otherwise`, which is called with the same
/// arguments: names of the first table, keys that are no texts, tables with a metatable.
pub fn lookup(lua: &Lua, first: &Table, second: &Table, otherwise: &Function) -> Result<Function> {
    // SAFETY: the values are pushed in the order of the upvalues.
    unsafe {
        lua.exec_raw((first, second, otherwise), |state| {
            ffi::lua_pushcclosure(state, index, 3);
        })
    }
}

/// Arguments: anything, the key.
unsafe extern "C-unwind" fn index(state: *mut lua_State) -> c_int {
    // SAFETY: the closure has the upvalues that it was made with; nothing runs that could write to
    // a table before what is found is on the stack, for which a function has room.
    unsafe {
        if let [_, key, ..] = arguments(state)
            && let Some(name) = RawText::of(key)
            && let Some(first) = plain(state, FIRST)
            && let Some(second) = plain(state, SECOND)
            && first.field_slot(name).is_none()
        {
            match second.field_slot(name) {
                Some(value) => push(state, *value),
                None => ffi::lua_pushnil(state),
            }
            return 1;
        }
        let count = ffi::lua_gettop(state);
        ffi::lua_pushvalue(state, OTHERWISE);
        ffi::lua_insert(state, 1);
        ffi::lua_call(state, count, 1);
        1
    }
}

/// Returns a function that takes an environment, what names have been bound to in it, and the table
/// that [`lookup`] looks in first. It answers whether each name of the environment is still bound
/// to the same, or is neither bound nor in that table; `others` may be in both. It answers false
/// also where it cannot tell: of keys that are no texts, of a table with a metatable.
pub fn is_bound(lua: &Lua, others: &[&str]) -> Result<Function> {
    let others = others.iter().map(|name| lua.create_string(name)).collect::<Result<Variadic<_>>>();
    // SAFETY: the names are the upvalues.
    unsafe {
        lua.exec_raw(others?, |state| {
            ffi::lua_pushcclosure(state, compare, ffi::lua_gettop(state));
        })
    }
}

/// Arguments: the environment, what is bound, the table.
unsafe extern "C-unwind" fn compare(state: *mut lua_State) -> c_int {
    // SAFETY: the arguments hold what is read, and nothing is written to.
    unsafe {
        let tables = [1, 2, 3].map(|index| RawTable::on_stack(state, index));
        let answer = match tables {
            [Some(environment), Some(bound), Some(first)] => {
                let is_other = |name| {
                    let others = (1..).map(ffi::lua_upvalueindex);
                    let mut others = others.map_while(|index| RawText::on_stack(state, index));
                    others.any(|other| other == name)
                };
                let is_same = |(key, value)| match key {
                    RawValue::Text(name) => match bound.field(name) {
                        RawValue::Nil => first.field_slot(name).is_none() || is_other(name),
                        bound => value == bound,
                    },
                    _ => false,
                };
                first.is_plain() && environment.entries().all(is_same)
            }
            _ => false,
        };
        ffi::lua_pushboolean(state, answer.into());
        1
    }
}

/// Returns whether there is anything at the end of a path of names that leads from table to table,
/// without metamethods; an empty table is nothing.
pub fn holds(table: &Table, path: &[&str]) -> bool {
    // SAFETY: the handle holds the table, and nothing is written to here.
    let table = unsafe { RawTable::of(table.to_pointer()) };
    let found = path.iter().fold(table.map(RawValue::Table), |found, name| match found {
        Some(RawValue::Table(table)) => Some(table.field_named(name.as_bytes())),
        _ => None,
    });
    match found {
        None | Some(RawValue::Nil) => false,
        Some(RawValue::Table(table)) => table.entries().next().is_some(),
        Some(_) => true,
    }
}

unsafe fn plain<'a>(state: *mut lua_State, table: c_int) -> Option<RawTable<'a>> {
    unsafe { RawTable::of(ffi::lua_topointer(state, table)).filter(|table| table.is_plain()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Interpreter, Limits};

    #[test]
    fn names_are_bound_as_long_as_nobody_gives_them_something_else() {
        let interpreter = Interpreter::new(Limits::default()).unwrap();
        let lua = interpreter.lua();
        lua.globals().set("is_bound", is_bound(lua, &["map", "other"]).unwrap()).unwrap();
        let told: String = lua
            .load(
                "local f, g = function() end, function() end
                local first = { f = g, g = g, map = g }
                local told = {}
                local function tell(env, bound)
                    told[#told + 1] = is_bound(env, bound, first) and 1 or 0
                end
                tell({}, {})
                tell({ f = f, map = 1, other = 2, own = 3 }, { f = f })
                tell({ f = f, g = 4 }, { f = f })
                tell({ f = g }, { f = f })
                tell({ f = f }, { f = f, g = g })
                tell({ 'a' }, {})
                setmetatable(first, {})
                tell({}, {})
                tell(1, {})
                tell()
                return table.concat(told)",
            )
            .eval()
            .unwrap();
        assert_eq!(told, "110010000");
    }

    #[test]
    fn what_a_path_leads_to_is_something_but_for_an_empty_table() {
        let interpreter = Interpreter::new(Limits::default()).unwrap();
        let table: Table = interpreter
            .lua()
            .load(
                "return { a = { b = { c = 1 }, empty = {}, no = false, list = { 5 } },
                    was = { x = 1 } }, 1",
            )
            .eval()
            .unwrap();
        let was: Table = table.get("was").unwrap();
        was.set("x", mlua::Nil).unwrap();
        let holds = |path: &[&str]| holds(&table, path);
        assert!(holds(&["a"]) && holds(&["a", "b", "c"]) && holds(&["a", "no"]));
        assert!(holds(&["a", "list"]) && holds(&[]));
        assert!(!holds(&["b"]) && !holds(&["a", "empty"]) && !holds(&["was"]));
        assert!(!holds(&["a", "no", "x"]) && !holds(&["a", "b", "d"]));
    }

    #[test]
    fn what_the_first_table_lacks_is_in_the_second_and_the_rest_is_left_to_a_function() {
        let interpreter = Interpreter::new(Limits::default()).unwrap();
        let lua = interpreter.lua();
        let [first, second]: [Table; 2] = ["first", "second"].map(|name| {
            let table = lua.create_table().unwrap();
            lua.globals().set(name, &table).unwrap();
            table
        });
        let otherwise = lua.load("return function(env, key) return tostring(key) .. '!' end");
        let index = lookup(lua, &first, &second, &otherwise.eval().unwrap()).unwrap();
        lua.globals().set("index", index).unwrap();
        let told: String = lua
            .load(
                "first.a, first.b, second.b, second.c, second.d = 1, false, 2, 'three', false
                local env = setmetatable({}, { __index = index })
                local told = {}
                local function tell() for _, key in ipairs { 'a', 'b', 'c', 'd', 'e', 7 } do
                    told[#told + 1] = tostring(env[key])
                end end
                tell()
                setmetatable(second, { __index = { e = 5 } })
                tell()
                collectgarbage()
                told[#told + 1] = tostring(index())
                return table.concat(told, ' ')",
            )
            .eval()
            .unwrap();
        assert_eq!(told, "a! b! three false nil 7! a! b! c! d! e! 7! nil!");
    }
}
