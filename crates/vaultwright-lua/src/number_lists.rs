//! Lists of lists of small tables, read as numbers: as keys for sorting them. Lists of places.

use std::ffi::{CStr, c_int};
use std::ptr;

use mlua::{Lua, Result, Table, ffi};

use crate::layout::set_element;
use crate::raw_tables::{RawTable, RawText, RawValue};

/// Returns of each element of a list, which is a list itself, the fields of each of its elements in
/// their order; none unless all of them are plain tables and all fields numbers.
pub fn read_number_lists(
    lua: &Lua,
    list: &Table,
    fields: &[&CStr],
) -> Result<Option<Vec<Vec<f64>>>> {
    let mut lists = None;
    // SAFETY: nothing is written to while the tables are read, which are held by the list, and this
    // by the stack.
    unsafe {
        lua.exec_raw::<()>(list, |state| {
            ffi::luaL_checkstack(state, fields.len() as c_int + 8, ptr::null());
            for field in fields {
                ffi::lua_pushstring(state, field.as_ptr());
            }
            let names = (2..).take(fields.len()).map(|index| RawText::on_stack(state, index));
            let names: Option<Vec<RawText>> = names.collect();
            lists = names.zip(RawTable::on_stack(state, 1)).and_then(|(names, list)| {
                plain_elements(list)?.map(|list| numbers_of(list?, &names)).collect()
            });
            ffi::lua_settop(state, 0);
        })?;
    }
    Ok(lists)
}

/// The elements of a plain list, as plain tables; none of those that are none.
fn plain_elements(list: RawTable) -> Option<impl ExactSizeIterator<Item = Option<RawTable>>> {
    list.is_plain().then(|| list.elements().map(RawValue::plain_table))
}

/// The fields of each element of a list, in their order.
fn numbers_of(list: RawTable, names: &[RawText]) -> Option<Vec<f64>> {
    let elements = plain_elements(list)?;
    let mut numbers = Vec::with_capacity(elements.len() * names.len());
    for element in elements {
        let element = element?;
        for name in names {
            numbers.push(element.field(*name).number()?);
        }
    }
    Some(numbers)
}

/// Puts the elements of a list in another order, given by their numbers from 0. Returns whether it
/// was done: a list may be too long, or another one than the numbers are of.
pub fn put_in_order(lua: &Lua, list: &Table, order: &[usize]) -> Result<bool> {
    let count = order.len();
    let is_of = count <= MAX_LENGTH && order.iter().all(|&number| number < count);
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
const MAX_LENGTH: usize = 4000;

/// Returns a list of tables with `x` and `y`.
pub fn list_of_places(lua: &Lua, places: &[(i32, i32)]) -> Result<Table> {
    const LIST: c_int = 1;
    const X_NAME: c_int = 2;
    const Y_NAME: c_int = 3;
    const PLACE: c_int = 4;
    // SAFETY: nothing that has to be dropped is alive where the interpreter may raise an error.
    unsafe {
        lua.exec_raw((), |state| {
            ffi::luaL_checkstack(state, 8, ptr::null());
            ffi::lua_createtable(state, places.len() as c_int, 0);
            ffi::lua_pushstring(state, c"x".as_ptr());
            ffi::lua_pushstring(state, c"y".as_ptr());
            for (number, &(x, y)) in (1..).zip(places) {
                ffi::lua_createtable(state, 0, 2);
                for (name, side) in [(X_NAME, x), (Y_NAME, y)] {
                    ffi::lua_pushvalue(state, name);
                    ffi::lua_pushnumber(state, side.into());
                    ffi::lua_rawset(state, PLACE);
                }
                ffi::lua_rawseti(state, LIST, number);
            }
            ffi::lua_settop(state, LIST);
        })
    }
}

/// Returns the places that a field of each element of a list says, which is a table with `x` and
/// `y`; none unless all of them are plain tables and whole numbers.
pub fn read_places(lua: &Lua, list: &Table, field: &CStr) -> Result<Option<Vec<(i32, i32)>>> {
    let mut places = None;
    // SAFETY: as above.
    unsafe {
        lua.exec_raw::<()>(list, |state| {
            ffi::luaL_checkstack(state, 8, ptr::null());
            for name in [field, c"x", c"y"] {
                ffi::lua_pushstring(state, name.as_ptr());
            }
            let name = |index| RawText::on_stack(state, index);
            if let (Some(list), Some(field), Some(x), Some(y)) =
                (RawTable::on_stack(state, 1), name(2), name(3), name(4))
            {
                places = plain_elements(list).and_then(|elements| {
                    let place = |element: Option<RawTable>| {
                        let place = element?.field(field).plain_table()?;
                        Some((place.field(x).whole()?, place.field(y).whole()?))
                    };
                    elements.map(place).collect()
                });
            }
            ffi::lua_settop(state, 0);
        })?;
    }
    Ok(places)
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
    fn places_are_listed_as_tables_with_two_fields() -> Result<()> {
        let lua = Lua::new();
        lua.globals().set("list", list_of_places(&lua, &[(3, -4), (0, i32::MAX)])?)?;
        lua.globals().set("none", list_of_places(&lua, &[])?)?;
        let told: String = lua
            .load(
                "local told = { #none }
                for _, place in ipairs(list) do
                    local fields = 0
                    for _ in pairs(place) do fields = fields + 1 end
                    told[#told + 1] = fields .. ':' .. place.x .. ',' .. place.y
                end
                return table.concat(told, ' ')",
            )
            .eval()?;
        assert_eq!(told, "0 2:3,-4 2:0,2147483647");
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
