//! Functions that a table is checked for repeatedly: whether it still has them.

use std::ffi::c_void;

use mlua::ffi;
use mlua::{Function, Lua, LuaString, Result, Table};

use crate::raw_tables::{Hashed, RawTable, RawText, RawValue};

/// A function and its name.
#[derive(Clone)]
pub struct KnownFunction {
    /// The name of the table that has it, if that is a member itself, and its own.
    path: Vec<Name>,
    function: Function,
    address: *const c_void,
}

/// A name, found without making a text of it.
#[derive(Clone)]
pub(crate) struct Name {
    text: Hashed,
    /// Keeps the text, so that no other gets its address.
    _held: LuaString,
}

impl KnownFunction {
    /// Creates a known function with a name, or with `table.name`.
    pub fn new(lua: &Lua, path: &str, function: Function) -> Result<KnownFunction> {
        let path = path.split('.').map(|name| Name::new(lua, name)).collect::<Result<_>>()?;
        let address = function.to_pointer();
        Ok(KnownFunction { path, function, address })
    }

    /// Returns the function.
    pub fn function(&self) -> &Function {
        &self.function
    }

    /// Returns whether a table has it under its name, ignoring metamethods.
    pub fn is_in(&self, table: &Table) -> bool {
        let Some((name, tables)) = self.path.split_last() else { return false };
        // SAFETY: the handle holds the table, and nothing is written to here.
        let mut found = unsafe { RawTable::of(table.to_pointer()) };
        for name in tables {
            found = match found.map(|table| table.hashed_field(name.text)) {
                Some(RawValue::Table(table)) => Some(table),
                _ => None,
            };
        }
        let value = found.map(|table| table.hashed_field(name.text));
        value == Some(RawValue::Other(self.address))
    }
}

impl Name {
    fn new(lua: &Lua, name: &str) -> Result<Name> {
        Name::of(lua, lua.create_string(name)?)
    }

    /// Returns a text as a name.
    pub(crate) fn of(lua: &Lua, held: LuaString) -> Result<Name> {
        let mut text = None;
        // SAFETY: the text lies on the stack while it is read.
        unsafe {
            lua.exec_raw::<()>(&held, |state| {
                text = RawText::on_stack(state, 1).map(RawText::hashed);
                ffi::lua_settop(state, 0);
            })?;
        }
        let none = || mlua::Error::runtime("a text that is none");
        Ok(Name { text: text.ok_or_else(none)?, _held: held })
    }

    /// Returns what it is found by.
    pub(crate) fn hashed(&self) -> Hashed {
        self.text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_are_known_by_their_names() -> Result<()> {
        let lua = Lua::new();
        let globals = lua.globals();
        let known = |path: &str, code: &str| -> Result<bool> {
            let function: Function = lua.load(code).eval()?;
            lua.gc_collect()?;
            Ok(KnownFunction::new(&lua, path, function)?.is_in(&globals))
        };
        lua.load("a = { f = print, g = function() end }").exec()?;
        assert!(known("print", "print")? && known("a.f", "print")? && known("a.g", "a.g")?);
        for (path, code) in [
            ("print", "type"),
            ("a.g", "print"),
            ("a.h", "print"),
            ("b.f", "print"),
            ("a", "print"),
        ] {
            assert!(!known(path, code)?, "{path} {code}");
        }
        let sort = KnownFunction::new(&lua, "table.sort", lua.load("table.sort").eval()?)?;
        assert!(sort.is_in(&globals));
        lua.load("table = setmetatable({}, { __index = table })").exec()?;
        assert!(!sort.is_in(&globals));
        Ok(())
    }
}
