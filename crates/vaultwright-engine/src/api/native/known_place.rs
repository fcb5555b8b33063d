//! Functions of the library that are known by where they are written.

use std::cell::RefCell;

use vaultwright_lua::known_functions::KnownFunction;
use vaultwright_lua::mlua::{self, Function, Lua, Value};

use super::place_of;

/// A function of the library: where it is found, and where it is written.
pub(super) struct KnownPlace {
    /// `table.name`, from the globals on.
    path: &'static str,
    file: &'static str,
    line: usize,
    /// It, once it has been seen.
    seen: RefCell<Option<KnownFunction>>,
}

impl KnownPlace {
    pub(super) fn new(path: &'static str, file: &'static str, line: usize) -> KnownPlace {
        KnownPlace { path, file, line, seen: RefCell::new(None) }
    }

    /// Whether it is where it is found.
    pub(super) fn is_there(&self, lua: &Lua) -> mlua::Result<bool> {
        let globals = lua.globals();
        if self.seen.borrow().as_ref().is_some_and(|function| function.is_in(&globals)) {
            return Ok(true);
        }
        match self.find(lua)? {
            Some(function) if place_of(lua, &function) == Some((self.file, self.line)) => {
                *self.seen.borrow_mut() = Some(KnownFunction::new(lua, self.path, function)?);
                Ok(true)
            }
            _ => Ok(false),
        }
    }

    /// Whether a function is it, once it has been found there.
    pub(super) fn is(&self, function: &Function) -> bool {
        let seen = self.seen.borrow();
        seen.as_ref().is_some_and(|seen| seen.function().to_pointer() == function.to_pointer())
    }

    /// What is where it is found.
    fn find(&self, lua: &Lua) -> mlua::Result<Option<Function>> {
        let mut found = Value::Table(lua.globals());
        for name in self.path.split('.') {
            let Value::Table(table) = found else { return Ok(None) };
            found = table.raw_get(name)?;
        }
        Ok(found.as_function().cloned())
    }
}
