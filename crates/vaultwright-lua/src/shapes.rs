//! Tables that are made like another, with the same names in the same nodes: to set one field after
//! the other takes several times as long.

use std::ffi::c_int;

use mlua::ffi::{self, lua_State};

use crate::layout::{Slot, TableObject, arguments};

/// More fields than this no table has that is made so.
const MAX_FIELDS: usize = 8;

/// What tables of a kind have in common.
#[derive(Clone, Copy)]
pub(crate) struct Shape {
    like: *const TableObject,
    made_with: c_int,
    /// The number of the node of each field.
    places: [usize; MAX_FIELDS],
}

impl Shape {
    /// Pushes the table that others will be like, made for so many fields, with those of the names
    /// that lie at these stack indices, in the order in which they are set; none if it has no room
    /// for them.
    ///
    /// # Safety
    /// The state must be that of the function that runs, with room for three values; the table must
    /// stay on the stack, and as it is, for as long as the shape is used. No name may come twice.
    pub(crate) unsafe fn push(
        state: *mut lua_State,
        made_with: c_int,
        names: &[c_int],
    ) -> Option<Shape> {
        // SAFETY: upheld by the caller.
        unsafe {
            if made_with < 1 || names.len() > MAX_FIELDS.min(made_with as usize) {
                return None;
            }
            ffi::lua_createtable(state, 0, made_with);
            for &name in names {
                ffi::lua_pushvalue(state, name);
                ffi::lua_pushboolean(state, 0);
                ffi::lua_rawset(state, -3);
            }
            let like = ffi::lua_topointer(state, -1).cast::<TableObject>();
            let mut places = [0; MAX_FIELDS];
            for (&name, place) in names.iter().zip(&mut places) {
                let name = arguments(state).get(name as usize - 1)?.address();
                let is_named = |key: &Slot| key.kind() == ffi::LUA_TSTRING && key.address() == name;
                *place = (*like).nodes().iter().position(|node| is_named(&node.key))?;
            }
            Some(Shape { like, made_with, places })
        }
    }

    /// Pushes a new table with these values, in the order of the names; those that are missing are
    /// false.
    ///
    /// # Safety
    /// As [`Shape::push`], with room for a value; the values must be alive, and copies: the stack
    /// may move.
    pub(crate) unsafe fn push_like(&self, state: *mut lua_State, values: &[Slot]) {
        // SAFETY: upheld by the caller.
        unsafe {
            ffi::lua_createtable(state, 0, self.made_with);
            let table = ffi::lua_topointer(state, -1).cast_mut().cast::<TableObject>();
            // It is new, so the collector has not looked at it, and nothing runs before it has all.
            if (*table).be_like(&*self.like) {
                for (&place, value) in self.places.iter().zip(values) {
                    (*table).set_value(place, *value);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use mlua::{Lua, Table};

    use super::*;

    #[test]
    fn tables_are_like_those_whose_fields_are_set_one_by_one() -> mlua::Result<()> {
        let lua = Lua::new();
        // SAFETY: the shape stays on the stack until the end.
        let made: mlua::Variadic<Table> = unsafe {
            lua.exec_raw((), |state| {
                ffi::luaL_checkstack(state, 120, std::ptr::null());
                for name in [c"usage", c"reason", c"room", c"cell", c"mask", c"depth"] {
                    ffi::lua_pushstring(state, name.as_ptr());
                }
                let shape = Shape::push(state, 6, &[1, 2, 3, 4, 5, 6]).unwrap();
                for number in 0..100 {
                    let text = *arguments(state).get(number % 6).unwrap();
                    let values = [text, Slot::of_number(number as f64), Slot::of_flag(true)];
                    shape.push_like(state, &values);
                }
                for _ in 0..7 {
                    ffi::lua_remove(state, 1);
                }
            })?
        };
        lua.gc_collect()?;
        let equal: mlua::Function = lua
            .load(
                "return function(made, number)
                    local names = { [0] = 'usage', 'reason', 'room', 'cell', 'mask', 'depth' }
                    local text = names[number % 6]
                    local one_by_one = { usage = 0, reason = 0, room = 0, cell = 0, mask = 0,
                        depth = 0 }
                    one_by_one.usage, one_by_one.reason, one_by_one.room = text, number, true
                    one_by_one.cell, one_by_one.mask, one_by_one.depth = false, false, false
                    -- The free nodes that are left are the same, too.
                    for _, more in ipairs { 'eligibles_index', 'eligibles_which', 'spot' } do
                        made[more], one_by_one[more] = more, more
                    end
                    local key, value = next(one_by_one)
                    for other, its in pairs(made) do
                        if other ~= key or its ~= value then return false end
                        key, value = next(one_by_one, key)
                    end
                    return key == nil
                end",
            )
            .eval()?;
        assert_eq!(made.len(), 100);
        for (number, table) in made.iter().enumerate() {
            assert!(equal.call::<bool>((table, number))?, "{number}");
        }
        Ok(())
    }
}
