//! Lists of lists of small tables, read as numbers: as keys for sorting them.

use std::ffi::{CStr, c_int};
use std::ptr;

use mlua::{Lua, Result, Table, ffi};

use crate::cells::is_plain;
use crate::layout::set_element;

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

/// Puts the elements of a list in another order, given by their numbers from 0. Returns whether it
/// was done: a list may be too long, or another one than the numbers are of.
pub fn put_in_order(lua: &Lua, list: &Table, order: &[usize]) -> Result<bool> {
    let count = order.len();
    let is_of = count <= LONGEST && order.iter().all(|&number| number < count);
    if !is_of || list.raw_len() != count {
        return Ok(false);
    }
    // SAFETY: as above; elements that are there are set, which takes no memory.
    unsafe {
        lua.exec_raw::<()>(list, |state| {
            ffi::luaL_checkstack(state, count as c_int + 4, ptr::null());
            for number in 1..=count {
                ffi::lua_rawgeti(state, 1, number as ffi::lua_Integer);
            }
            for (place, &number) in order.iter().enumerate() {
                ffi::lua_pushvalue(state, number as c_int + 2);
                set_element(state, 1, place as c_int + 1);
            }
            ffi::lua_settop(state, 0);
        })?;
    }
    Ok(true)
}

/// The stack has room for some 8,000 values.
const LONGEST: usize = 4000;

/// Returns the places that a field of each element of a list says, which is a table with `x` and
/// `y`; none unless all of them are plain tables and whole numbers.
pub fn read_places(lua: &Lua, list: &Table, field: &CStr) -> Result<Option<Vec<(i32, i32)>>> {
    let mut places = Vec::new();
    let mut plain = true;
    // SAFETY: as above.
    unsafe {
        lua.exec_raw::<()>(list, |state| {
            ffi::luaL_checkstack(state, 16, ptr::null());
            for name in [field, c"x", c"y"] {
                ffi::lua_pushstring(state, name.as_ptr());
            }
            let top = ffi::lua_gettop(state);
            plain = is_plain(state, 1);
            let count = ffi::lua_objlen(state, 1);
            places.reserve(count);
            while plain && places.len() < count {
                ffi::lua_rawgeti(state, 1, places.len() as ffi::lua_Integer + 1);
                plain = is_plain(state, -1);
                if plain {
                    ffi::lua_pushvalue(state, 2);
                    ffi::lua_rawget(state, -2);
                    plain = is_plain(state, -1);
                }
                let mut place = [0, 0];
                for (name, number) in [3, 4].into_iter().zip(&mut place) {
                    if plain {
                        ffi::lua_pushvalue(state, name);
                        ffi::lua_rawget(state, top + 2);
                        let value = ffi::lua_tonumber(state, -1);
                        *number = value as i32;
                        plain = ffi::lua_type(state, -1) == ffi::LUA_TNUMBER
                            && f64::from(*number) == value;
                    }
                }
                ffi::lua_settop(state, top);
                places.push(place.into());
            }
            ffi::lua_settop(state, 0);
        })?;
    }
    Ok(plain.then_some(places))
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

    #[test]
    fn elements_are_put_in_order() -> Result<()> {
        let lua = Lua::new();
        let list: Table = lua.load("return { 'a', 2, { 'c' }, false }").eval()?;
        assert!(put_in_order(&lua, &list, &[3, 2, 0, 1])?);
        lua.globals().set("list", &list)?;
        let told: String = lua
            .load("return tostring(list[1]) .. list[2][1] .. list[3] .. list[4] .. #list")
            .eval()?;
        assert_eq!(told, "falseca24");
        for odd in [&[0, 1, 2][..], &[0, 1, 2, 4], &[0, 1, 2, 3, 4]] {
            assert!(!put_in_order(&lua, &list, odd)?, "{odd:?}");
        }
        Ok(())
    }

    #[test]
    fn places_are_read_where_all_are_plain() -> Result<()> {
        let lua = Lua::new();
        let read = |text: &str| {
            let list: Table = lua.load(format!("return {text}")).eval()?;
            read_places(&lua, &list, c"at")
        };
        let places = read("{ { at = { x = 3, y = -4 } }, { at = { y = 1, x = 0, z = 5 } } }")?;
        assert_eq!(places, Some(vec![(3, -4), (0, 1)]));
        assert_eq!(read("{}")?, Some(Vec::new()));
        for odd in [
            "{ { at = { x = 1 } } }",
            "{ { at = { x = 1.5, y = 2 } } }",
            "{ { at = { x = '1', y = 2 } } }",
            "{ {} }",
            "{ 1 }",
            "{ setmetatable({ at = { x = 1, y = 2 } }, {}) }",
        ] {
            assert_eq!(read(odd)?, None, "{odd}");
        }
        Ok(())
    }
}
