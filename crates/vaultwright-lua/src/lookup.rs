//! Names that are looked up in one table and then in another, as those of a vault's chunks are: the
//! interpreter's own, since every global that such a chunk uses is.

use std::ffi::c_int;

use mlua::ffi::{self, lua_State};
use mlua::{Function, Lua, Result, Table};

use crate::layout::{arguments, push};
use crate::raw_tables::{RawTable, RawText};

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

unsafe fn plain<'a>(state: *mut lua_State, table: c_int) -> Option<RawTable<'a>> {
    unsafe { RawTable::of(ffi::lua_topointer(state, table)).filter(|table| table.is_plain()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Interpreter, Limits};

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
