//! Texts that functions of the interpreter keep at hand, on the stack or as upvalues: to make a
//! text takes longer than to set a field.

use std::ffi::CStr;

use mlua::ffi::{self, lua_State};

/// Declares texts as `NAMES`, and for each a constant with its place on the stack or among the
/// upvalues: they lie one behind the other, the first at the number given.
macro_rules! names {
    ($first:literal: $($(#[$note:meta])* $place:ident = $text:literal,)+) => {
        const NAMES: &[&::std::ffi::CStr] = &[$($text),+];
        names!(@from $first; $($(#[$note])* $place,)+);
    };
    (@from $at:expr;) => {};
    (@from $at:expr; $(#[$note:meta])* $place:ident, $($others:tt)*) => {
        $(#[$note])*
        const $place: ::std::ffi::c_int = $at;
        names!(@from $at + 1; $($others)*);
    };
}

pub(crate) use names;

/// Pushes texts, the first of them first.
///
/// # Safety
/// The state must be that of the function that runs, with room for the texts.
pub(crate) unsafe fn push_names(state: *mut lua_State, names: &[&CStr]) {
    for name in names {
        // SAFETY: upheld by the caller.
        unsafe { ffi::lua_pushstring(state, name.as_ptr()) };
    }
}

#[cfg(test)]
mod tests {
    use mlua::{Lua, Result};

    use super::*;

    names! { 2:
        WALL = c"wall",
        /// The floor.
        FLOOR = c"floor",
    }

    #[test]
    fn texts_lie_where_their_constants_say() -> Result<()> {
        let lua = Lua::new();
        // SAFETY: there is room for three texts.
        let told: (String, String) = unsafe {
            lua.exec_raw("first", |state| {
                push_names(state, NAMES);
                ffi::lua_pushvalue(state, FLOOR);
                ffi::lua_pushvalue(state, WALL);
                ffi::lua_replace(state, 2);
                ffi::lua_replace(state, 1);
                ffi::lua_settop(state, 2);
            })?
        };
        assert_eq!(told, ("floor".into(), "wall".into()));
        Ok(())
    }
}
