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

    /// Forgets all of them.
    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }
}
