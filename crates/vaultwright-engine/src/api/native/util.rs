//! `util.lua`: sorting by an order that is known (spec 06 §15.1).

use vaultwright_lua::charge;
use vaultwright_lua::mlua::{self, Function, Lua, MultiValue, Table, Value};
use vaultwright_lua::number_lists::put_in_order;

use super::{LibraryFile, are_original, counterpart};

/// The text of 0.26 to 0.30.
pub(super) const TEXTS: &[&str] =
    &["75a0815183de9977d23b1663ba0e32ba5a3a1893ffa1a41f71e2d4e278d20874"];

/// What the Lua of the function and of the orders calls.
pub(super) const USED: &[&str] = &["ipairs", "table.sort"];

/// What a number of a key costs, in instructions.
const NUMBER: u64 = 4;

/// A function of a library that compares two values, as keys: the values are in the order of the
/// lengths of their keys, and of the numbers in these.
pub(super) struct Order {
    pub(super) file: &'static str,
    pub(super) function: Function,
    /// The keys of the values of a list; none if only the function knows.
    pub(super) keys: Keys,
}

type Keys = fn(&Lua, &Table) -> mlua::Result<Option<Vec<Vec<f64>>>>;

/// The orders of the library files that have been loaded.
#[derive(Default)]
struct Orders(Vec<Order>);

/// Has `util.sort` know an order.
pub(super) fn remember_order(lua: &Lua, order: Order) {
    let mut orders = lua.remove_app_data::<Orders>().unwrap_or_default();
    // A file that is loaded again has functions of its own.
    orders.0.retain(|known| known.file != order.file);
    orders.0.push(order);
    lua.set_app_data(orders);
}

/// Replaces `util.sort`.
pub(super) fn install(file: &LibraryFile) -> mlua::Result<()> {
    let lua = file.lua;
    let Value::Table(util) = lua.globals().raw_get("util")? else { return Ok(()) };
    let Value::Function(interpreted) = util.raw_get("sort")? else { return Ok(()) };
    if !file.is_proved("util.sort", &interpreted)? {
        return Ok(());
    }
    let sort = counterpart(lua, interpreted, |lua, arguments| {
        if are_original(lua, USED)
            && let Some(Value::Table(list)) = arguments.front()
            && let Some(order) = order_of(lua, list, &arguments)?
            && put_in_order(lua, list, &order)?
        {
            return Ok(Value::Boolean(true));
        }
        Ok(Value::Nil)
    })?;
    util.raw_set("sort", sort)
}

/// The order of the values of a plain list, by their numbers from 0; none if it is not known, or if
/// two of them are equal: where these end up is the interpreter's business.
fn order_of(lua: &Lua, list: &Table, arguments: &MultiValue) -> mlua::Result<Option<Vec<usize>>> {
    let Some(Value::Function(function)) = arguments.get(1) else { return Ok(None) };
    let orders = lua.app_data_ref::<Orders>();
    let order = orders.as_ref().and_then(|orders| {
        orders.0.iter().find(|order| order.function.to_pointer() == function.to_pointer())
    });
    let Some(order) = order.filter(|_| list.metatable().is_none()) else { return Ok(None) };
    let Some(keys) = (order.keys)(lua, list)? else { return Ok(None) };
    charge(lua, keys.iter().map(|key| 1 + key.len() as u64).sum::<u64>() * NUMBER)?;
    let mut order: Vec<usize> = (0..keys.len()).collect();
    order.sort_by(|&a, &b| compare(&keys[a], &keys[b]));
    let equal = order.windows(2).any(|pair| compare(&keys[pair[0]], &keys[pair[1]]).is_eq());
    Ok((!equal).then_some(order))
}

fn compare(a: &[f64], b: &[f64]) -> std::cmp::Ordering {
    // No number of a key is none.
    let numbers = || a.partial_cmp(b).unwrap_or(std::cmp::Ordering::Equal);
    a.len().cmp(&b.len()).then_with(numbers)
}
