//! Monster and item lists parsed once (spec 06 §3.10, §3.11).

use vaultwright_lua::mlua::{self, AnyUserData, UserData, Value};
use vaultwright_map::{Context, ItemSlot, MonsterSlot, parse_item_slot, parse_monster_slot};

use super::table::Api;
use crate::script::arguments::{Text, bad_argument, spec_error, text};

/// A monster list object.
#[derive(Clone)]
pub(crate) struct MonsterList(pub(crate) MonsterSlot);

/// An item list object.
#[derive(Clone)]
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
pub(crate) fn item_slot(
    lua: &mlua::Lua,
    ctx: &mut Context,
    value: &Value,
) -> mlua::Result<ItemSlot> {
    if let Value::UserData(data) = value {
        return Ok(data.borrow::<ItemList>()?.0.clone());
    }
    let Some(spec) = text(value, lua) else {
        return Err(bad_argument("Expected item list object or string"));
    };
    let spec = String::from_utf8_lossy(&spec);
    parse_item_slot(&spec, ctx).map_err(spec_error)
}

/// Returns a monster slot from a list object or a text.
pub(crate) fn monster_slot(
    lua: &mlua::Lua,
    ctx: &mut Context,
    value: &Value,
) -> mlua::Result<MonsterSlot> {
    if let Value::UserData(data) = value {
        return Ok(data.borrow::<MonsterList>()?.0.clone());
    }
    let Some(spec) = text(value, lua) else {
        return Err(bad_argument("Expected monster list object or string"));
    };
    let spec = String::from_utf8_lossy(&spec);
    parse_monster_slot(&spec, ctx).map_err(spec_error)
}
