//! `layout/omnigrid.lua`: the order of groups of cells, for sorting (spec 06 §15.13).

use vaultwright_lua::mlua::{self, Lua, Table, Value};
use vaultwright_lua::number_lists::read_number_lists;

use super::LibraryFile;
use super::util::{Order, remember_order};

/// The text of 0.28 to 0.30.
pub(super) const TEXTS: &[&str] =
    &["e5d2816741441a94c32699da05f1003f7ef5ab15ed318b09a6a826030ae9f6ef"];

/// Has `util.sort` know the order.
pub(super) fn install(file: &LibraryFile) -> mlua::Result<()> {
    let lua = file.lua;
    let Value::Table(omnigrid) = lua.globals().raw_get("omnigrid")? else { return Ok(()) };
    // Our own library has no function for it.
    if let Value::Function(function) = omnigrid.raw_get("group_comparison")?
        && file.is_proved("omnigrid.group_comparison", &function)?
    {
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
