//! Lists of lists of small tables, read as numbers: as keys for sorting them.

use std::ffi::{CStr, c_int};
use std::ptr;

use mlua::{Lua, Result, Table, ffi};

use crate::cells::is_plain;

/// Returns of each element of a list, which is a list itself, the fields of each of its elements in
/// their order; none unless all of them are plain tables and all fields numbers.
pub fn read_number_lists(
    lua: &Lua,
    list: &Table,
    fields: &[&CStr],
) -> Result<Option<Vec<Vec<f64>>>> {
    let mut lists = Vec::new();
    let mut plain = true;
    // SAFETY: reading without metamethods raises no error once there is room on the stack, so
    // nothing jumps over what is pushed; stack slots are taken and given back in pairs.
    unsafe {
        lua.exec_raw::<()>(list, |state| {
            ffi::luaL_checkstack(state, fields.len() as c_int + 8, ptr::null());
            for field in fields {
                ffi::lua_pushstring(state, field.as_ptr());
            }
            plain = is_plain(state, 1);
            let count = ffi::lua_objlen(state, 1);
            while plain && lists.len() < count {
                ffi::lua_rawgeti(state, 1, lists.len() as ffi::lua_Integer + 1);
                plain = is_plain(state, -1);
                let mut numbers = Vec::new();
                let elements = if plain { ffi::lua_objlen(state, -1) } else { 0 };
                let mut index = 1;
                while plain && index <= elements {
                    ffi::lua_rawgeti(state, -1, index as ffi::lua_Integer);
                    plain = is_plain(state, -1);
                    let mut field = 0;
                    while plain && field < fields.len() {
                        ffi::lua_pushvalue(state, 2 + field as c_int);
                        ffi::lua_rawget(state, -2);
                        plain = ffi::lua_type(state, -1) == ffi::LUA_TNUMBER;
                        numbers.push(ffi::lua_tonumber(state, -1));
                        ffi::lua_pop(state, 1);
                        field += 1;
                    }
                    ffi::lua_pop(state, 1);
                    index += 1;
                }
                ffi::lua_pop(state, 1);
                lists.push(numbers);
            }
            ffi::lua_settop(state, 0);
        })?;
    }
    Ok(plain.then_some(lists))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_plain_tables_of_numbers_are_read() -> Result<()> {
        let lua = Lua::new();
        let read = |text: &str| {
            let list: Table = lua.load(text).eval()?;
            read_number_lists(&lua, &list, &[c"a", c"b"])
        };
        let lists = read("return { { { a = 1, b = 2 }, { b = 4, a = 3 } }, { } }")?;
        assert_eq!(lists, Some(vec![vec![1.0, 2.0, 3.0, 4.0], vec![]]));
        assert_eq!(read("return {}")?, Some(Vec::new()));
        for odd in [
            "{ { { a = 1 } } }",
            "{ { { a = 1, b = '2' } } }",
            "{ { 1 } }",
            "{ 1 }",
            "{ { setmetatable({ a = 1, b = 2 }, {}) } }",
            "setmetatable({}, {})",
        ] {
            assert_eq!(read(&format!("return {odd}"))?, None, "{odd}");
        }
        Ok(())
    }
}
