//! `layout/omnigrid.lua`: the order of groups of cells, for sorting (spec 06 §15.13).

use vaultwright_lua::mlua::{self, Function, Lua, LuaString, Table, Value};

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
        let sides = ["x1", "x2", "y1", "y2"].map(|side| lua.create_string(side));
        let [x1, x2, y1, y2] = sides;
        let sides = [x1?, x2?, y1?, y2?];
        let key = Box::new(move |group: &Value| key(group, &sides));
        remember_order(lua, Order { file: "omnigrid", function, key });
    }
    Ok(())
}

/// A group by the number of its cells, then by its cells in their order: x1, x2, y1, y2; none for
/// groups that are not plain.
fn key(group: &Value, sides: &[LuaString; 4]) -> mlua::Result<Option<Vec<f64>>> {
    let Value::Table(cells) = group else { return Ok(None) };
    let count = cells.raw_len();
    let mut key = Vec::with_capacity(1 + 4 * count);
    key.push(count as f64);
    for index in 1..=count {
        let Value::Table(cell) = cells.raw_get(index)? else { return Ok(None) };
        if cell.metatable().is_some() {
            return Ok(None);
        }
        for side in sides {
            match cell.raw_get(side)? {
                Value::Integer(side) => key.push(side as f64),
                Value::Number(side) if !side.is_nan() => key.push(side),
                _ => return Ok(None),
            }
        }
    }
    Ok(cells.metatable().is_none().then_some(key))
}
