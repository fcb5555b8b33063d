//! `layout/omnigrid.lua`: the order of groups of cells, for sorting (spec 06 §15.13).

use vaultwright_lua::mlua::{self, Function, Lua, Table};
use vaultwright_lua::number_lists::read_number_lists;

use super::util::{Order, remember_order};
use crate::state::host::Host;

/// The text of 0.28 to 0.30.
pub(super) const TEXTS: &[&str] =
    &["e5d2816741441a94c32699da05f1003f7ef5ab15ed318b09a6a826030ae9f6ef"];

/// Has `util.sort` know the order.
pub(super) fn install(lua: &Lua, _: &Host) -> mlua::Result<()> {
    let omnigrid: Table = lua.globals().get("omnigrid")?;
    // Our own library has no function for it.
    if let Some(function) = omnigrid.get::<Option<Function>>("group_comparison")? {
        remember_order(lua, Order { file: "omnigrid", function, keys });
    }
    Ok(())
}

/// Each group by the number of its cells, then by its cells in their order: x1, x2, y1, y2; none
/// for groups that are not plain.
fn keys(lua: &Lua, groups: &Table) -> mlua::Result<Option<Vec<Vec<f64>>>> {
    let keys = read_number_lists(lua, groups, &[c"x1", c"x2", c"y1", c"y2"])?;
    Ok(keys.filter(|keys| keys.iter().flatten().all(|side| !side.is_nan())))
}
