//! The Lua tables of markers, which levels know by number.

use vaultwright_level::MarkerKind;
use vaultwright_lua::mlua::{self, Lua, RegistryKey, Table, Value};

/// The tables of the markers that scripts have made.
#[derive(Debug, Default)]
pub(crate) struct MarkerTables(Vec<RegistryKey>);

impl MarkerTables {
    /// Keeps the table of a marker. Returns its number.
    pub(crate) fn keep(&mut self, lua: &Lua, table: Value) -> mlua::Result<u32> {
        let number = self.0.len() as u32;
        self.0.push(lua.create_registry_value(table)?);
        Ok(number)
    }

    /// Returns the table of a marker; `None` if it is none of Lua.
    pub(crate) fn of(&self, lua: &Lua, kind: &MarkerKind) -> Option<Table> {
        let MarkerKind::Lua(number) = kind else { return None };
        lua.registry_value(self.0.get(*number as usize)?).ok()
    }

    /// Returns what a marker was given as one of its `props`; `Nil` if it was not. Nothing is
    /// called.
    pub(crate) fn given(&self, lua: &Lua, kind: &MarkerKind, property: &str) -> Value {
        let properties = || self.of(lua, kind)?.raw_get::<Table>("props").ok();
        let given = properties().and_then(|properties| properties.raw_get(property).ok());
        given.unwrap_or(Value::Nil)
    }

    /// Forgets all of them.
    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }
}
