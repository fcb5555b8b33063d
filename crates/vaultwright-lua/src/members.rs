//! The members of tables, found without creating a handle for each of thousands of values.

use std::ffi::c_void;

use mlua::ffi::{self, lua_State};
use mlua::{Lua, Result, Table};

/// A table or a function that a table holds under a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    /// The key.
    pub name: String,
    /// Its identity.
    pub pointer: *const c_void,
    /// Whether it is a table.
    pub is_table: bool,
}

/// Returns the tables, and those of the functions that are wanted, that a table holds under texts,
/// in no order.
pub fn members(
    lua: &Lua,
    table: &Table,
    is_wanted: impl Fn(*const c_void) -> bool,
) -> Result<Vec<Member>> {
    let mut members = Vec::new();
    // SAFETY: going through a table that nothing writes to raises no error once there is room on
    // the stack, so nothing jumps over what is made; stack slots are taken and given back in pairs.
    unsafe {
        lua.exec_raw::<()>(table, |state| {
            ffi::luaL_checkstack(state, 8, std::ptr::null());
            ffi::lua_pushnil(state);
            while ffi::lua_next(state, 1) != 0 {
                if let Some(member) = member_on_top(state, &is_wanted) {
                    members.push(member);
                }
                ffi::lua_pop(state, 1);
            }
            ffi::lua_settop(state, 0);
        })?;
    }
    Ok(members)
}

/// Reads the key and value on top of the stack.
///
/// # Safety
/// The state must be one of an interpreter, with both on its stack.
unsafe fn member_on_top(
    state: *mut lua_State,
    is_wanted: &impl Fn(*const c_void) -> bool,
) -> Option<Member> {
    // SAFETY: upheld by the caller.
    unsafe {
        let is_table = match ffi::lua_type(state, -1) {
            ffi::LUA_TTABLE => true,
            ffi::LUA_TFUNCTION => false,
            _ => return None,
        };
        let pointer = ffi::lua_topointer(state, -1);
        let is_named = ffi::lua_type(state, -2) == ffi::LUA_TSTRING;
        if !is_named || !(is_table || is_wanted(pointer)) {
            return None;
        }
        let mut length = 0;
        let text = ffi::lua_tolstring(state, -2, &mut length);
        let text = std::slice::from_raw_parts(text.cast::<u8>(), length);
        let name = String::from_utf8_lossy(text).into_owned();
        Some(Member { name, pointer, is_table })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_and_functions_under_texts_are_members() -> Result<()> {
        let lua = Lua::new();
        let table: Table = lua.load("return { 'x', {}, a = {}, b = print, c = 1 }").eval()?;
        let mut found = members(&lua, &table, |_| true)?;
        found.sort_by(|a, b| a.name.cmp(&b.name));
        let names: Vec<_> = found.iter().map(|it| (it.name.as_str(), it.is_table)).collect();
        assert_eq!(names, [("a", true), ("b", false)]);
        assert_eq!(found[0].pointer, table.get::<Table>("a")?.to_pointer());
        Ok(())
    }
}
