//! Items as scripts see them (spec 06 §7.2).

use std::rc::Rc;

use vaultwright_lua::mlua::{
    self, AnyUserData, Lua, MetaMethod, UserData, UserDataMethods, Value, Variadic,
};

use crate::state::host::Host;
use crate::state::slot::Slot;
use crate::state::world::{ItemNumber, PlayItem, World};

/// An item of a level in play, or of one that is being made.
struct ItemObject {
    slot: Rc<Slot<Host>>,
    number: Option<ItemNumber>,
    item: PlayItem,
}

/// Returns the object of an item in play.
pub(crate) fn item_object(
    lua: &Lua,
    slot: &Rc<Slot<Host>>,
    world: &dyn World,
    number: ItemNumber,
) -> mlua::Result<Option<AnyUserData>> {
    let Some(item) = world.item(number) else { return Ok(None) };
    let object = ItemObject { slot: Rc::clone(slot), number: Some(number), item };
    lua.create_userdata(object).map(Some)
}

/// Returns the object of an item on a level that is being made.
pub(crate) fn spec_object(
    lua: &Lua,
    slot: &Rc<Slot<Host>>,
    spec: &str,
) -> mlua::Result<AnyUserData> {
    let item = PlayItem { name: spec.to_owned(), at: None };
    lua.create_userdata(ItemObject { slot: Rc::clone(slot), number: None, item })
}

/// Returns the number of an item that a script passes on.
pub(crate) fn item_number(value: &Value) -> Option<ItemNumber> {
    value.as_userdata()?.borrow::<ItemObject>().ok()?.number
}

impl UserData for ItemObject {
    fn add_methods<M: UserDataMethods<Self>>(methods: &mut M) {
        methods.add_meta_method(MetaMethod::Index, |lua, this, key: String| {
            let current = match this.number {
                Some(number) => this.slot.with(|host| Ok(host.world().borrow().item(number)))?,
                None => None,
            };
            let name = current.as_ref().unwrap_or(&this.item).name.clone();
            match key.as_str() {
                "name" => lua
                    .create_function(move |lua, _: Variadic<Value>| lua.create_string(&name))
                    .map(Value::Function),
                "spec" => lua.create_string(&name).map(Value::String),
                "quantity" => Ok(Value::Number(1.0)),
                // There is one of each: less is none.
                "dec_quantity" => {
                    let (slot, number) = (Rc::clone(&this.slot), this.number);
                    let destroy = lua.create_function(move |_, _: Variadic<Value>| {
                        if let Some(number) = number {
                            slot.with(|host| {
                                host.world().borrow_mut().move_item(number, None);
                                Ok(())
                            })?;
                        }
                        Ok(true)
                    });
                    destroy.map(Value::Function)
                }
                _ => Ok(Value::Nil),
            }
        });
    }
}
