//! Monster and item lists parsed once (spec 06 §3.10, §3.11).

use vaultwright_lua::mlua::{self, AnyUserData, Lua, UserData, Value};
use vaultwright_map::{
    Context, ItemSlot, MonsterSlot, SpecError, parse_item_slot, parse_monster_slot,
};

use super::table::Api;
use crate::script::arguments::{Text, bad_argument, spec_error, text};

/// A monster list object.
#[derive(Clone)]
pub(crate) struct MonsterList(pub(crate) MonsterSlot);

/// An item list object.
pub(crate) struct ItemList(pub(crate) ItemSlot);

impl UserData for MonsterList {}
impl UserData for ItemList {}

pub(crate) fn install(api: &Api) -> mlua::Result<()> {
    api.function("monster_spec", |lua, host, spec: Text| -> mlua::Result<AnyUserData> {
        let slot = host.with_context(|ctx| parse_monster_slot(&spec.str(), ctx));
        lua.create_userdata(MonsterList(slot.map_err(spec_error)?))
    })?;
    api.function("item_spec", |lua, host, spec: Text| -> mlua::Result<AnyUserData> {
        let slot = host.with_context(|ctx| parse_item_slot(&spec.str(), ctx));
        lua.create_userdata(ItemList(slot.map_err(spec_error)?))
    })
}

/// Returns an item slot from a list object or a text.
pub(crate) fn item_slot(lua: &Lua, ctx: &mut Context, value: &Value) -> mlua::Result<ItemSlot> {
    let parse = |spec: &str| parse_item_slot(spec, ctx);
    slot(lua, value, "item", |list: &ItemList| list.0.clone(), parse)
}

/// Returns a monster slot from a list object or a text.
pub(crate) fn monster_slot(
    lua: &Lua,
    ctx: &mut Context,
    value: &Value,
) -> mlua::Result<MonsterSlot> {
    let parse = |spec: &str| parse_monster_slot(spec, ctx);
    slot(lua, value, "monster", |list: &MonsterList| list.0.clone(), parse)
}

fn slot<L: 'static, S>(
    lua: &Lua,
    value: &Value,
    what: &str,
    of_list: impl FnOnce(&L) -> S,
    parse: impl FnOnce(&str) -> Result<S, SpecError>,
) -> mlua::Result<S> {
    if let Value::UserData(data) = value {
        return Ok(of_list(&*data.borrow::<L>()?));
    }
    let Some(spec) = text(value, lua) else {
        return Err(bad_argument(format!("Expected {what} list object or string")));
    };
    parse(&String::from_utf8_lossy(&spec)).map_err(spec_error)
}
