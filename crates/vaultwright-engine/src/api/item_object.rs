//! Items as scripts see them (spec 06 §7.2).

use std::cell::RefCell;
use std::num::NonZeroI32;
use std::rc::Rc;
use std::sync::Arc;

use vaultwright_content::Content;
use vaultwright_level::{Level, LevelItem};
use vaultwright_lua::mlua::{
    self, AnyUserData, Lua, MetaMethod, UserData, UserDataMethods, Value, Variadic,
};
use vaultwright_map::{ItemAlternative, ItemKind, ItemLevel, Point};

use crate::place::items::is_heap;
use crate::script::arguments::number as number_of;
use crate::state::host::Host;
use crate::state::slot::Slot;
use crate::state::world::{ItemNumber, PlayItem, World};

/// An item of a level in play, or of one that is being made.
struct ItemObject {
    slot: Rc<Slot<Host>>,
    number: Option<ItemNumber>,
    item: PlayItem,
    /// What scripts have made of the spec of one that is being made.
    asked: Rc<RefCell<Option<Arc<ItemAlternative>>>>,
}

/// Returns the object of an item in play.
pub(crate) fn item_object(
    lua: &Lua,
    slot: &Rc<Slot<Host>>,
    world: &dyn World,
    number: ItemNumber,
) -> mlua::Result<Option<AnyUserData>> {
    let Some(item) = world.item(number) else { return Ok(None) };
    let asked = Rc::new(RefCell::new(item.asked.clone()));
    let object = ItemObject { slot: Rc::clone(slot), number: Some(number), item, asked };
    lua.create_userdata(object).map(Some)
}

/// Returns the object of an item on a level that is being made, which lies on a cell or is carried.
pub(crate) fn spec_object(
    lua: &Lua,
    slot: &Rc<Slot<Host>>,
    spec: &str,
    asked: Option<Arc<ItemAlternative>>,
    at: Option<Point>,
) -> mlua::Result<AnyUserData> {
    let item = PlayItem { name: spec.to_owned(), at, asked: asked.clone() };
    let asked = Rc::new(RefCell::new(asked));
    lua.create_userdata(ItemObject { slot: Rc::clone(slot), number: None, item, asked })
}

/// Returns the number of an item that a script passes on.
pub(crate) fn item_number(value: &Value) -> Option<ItemNumber> {
    value.as_userdata()?.borrow::<ItemObject>().ok()?.number
}

/// Returns whether a value is the object of an item.
pub(crate) fn is_item(value: &Value) -> bool {
    value.as_userdata().is_some_and(AnyUserData::is::<ItemObject>)
}

impl UserData for ItemObject {
    fn add_methods<M: UserDataMethods<Self>>(methods: &mut M) {
        methods.add_meta_method(MetaMethod::Index, |lua, this, key: String| {
            let current = match this.number {
                Some(number) => this.slot.with(|host| Ok(host.world().borrow().item(number)))?,
                None => None,
            };
            let name = current.as_ref().unwrap_or(&this.item).name.clone();
            let asked = this.asked.borrow().clone();
            if let Some(asked) = asked
                && let Some(told) = this.slot.with(|host| told(lua, &host.content, &asked, &key))?
            {
                return Ok(told);
            }
            match key.as_str() {
                "name" => lua
                    .create_function(move |lua, _: Variadic<Value>| lua.create_string(&name))
                    .map(Value::Function),
                "spec" => lua.create_string(&name).map(Value::String),
                "quantity" => Ok(Value::Number(1.0)),
                "destroy" => this.taking(lua, |_| i32::MAX),
                "dec_quantity" => this.taking(lua, |count| count),
                "inc_quantity" => this.taking(lua, |count| count.saturating_neg()),
                _ => Ok(Value::Nil),
            }
        });
    }
}

impl ItemObject {
    /// Returns the function that takes so many of what is there, as its argument says (1 without
    /// one); it answers whether nothing is left.
    fn taking(&self, lua: &Lua, count: fn(i32) -> i32) -> mlua::Result<Value> {
        let (slot, number) = (Rc::clone(&self.slot), self.number);
        let (at, spec, asked) = (self.item.at, self.item.name.clone(), Rc::clone(&self.asked));
        let take = lua.create_function(move |_, arguments: Variadic<Value>| {
            let told = arguments.first().and_then(number_of).unwrap_or(1.0);
            let held = slot.with(|host| {
                Ok(asked.borrow().as_ref().map_or(1, |asked| held(&host.content, asked)))
            })?;
            let left = held.saturating_sub(count(told as i32));
            let old = asked.borrow().clone();
            if left > 0 {
                let quantity = NonZeroI32::new(left);
                let fewer = |asked: Arc<ItemAlternative>| {
                    Arc::new(ItemAlternative { quantity, ..ItemAlternative::clone(&asked) })
                };
                *asked.borrow_mut() = old.clone().map(fewer);
            }
            slot.with(|host| {
                match (number, at) {
                    (Some(number), _) if left <= 0 => {
                        host.world().borrow_mut().move_item(number, None);
                    }
                    (None, Some(at)) => {
                        let becomes = asked.borrow().clone().filter(|_| left > 0);
                        change_unborn(&mut host.level, at, (&spec, old.as_ref()), becomes);
                    }
                    _ => {}
                }
                Ok(left <= 0)
            })
        });
        take.map(Value::Function)
    }
}

/// Gives the item of this spec that lies on a cell of a level in the making another, or takes it
/// away.
fn change_unborn(
    level: &mut Level,
    at: Point,
    (spec, asked): (&str, Option<&Arc<ItemAlternative>>),
    becomes: Option<Arc<ItemAlternative>>,
) {
    let Some(items) = level.items.get_mut(&at) else { return };
    let is_it = |item: &LevelItem| match (&item.asked, asked) {
        (Some(own), Some(asked)) => Arc::ptr_eq(own, asked),
        (None, None) => item.spec == spec,
        _ => false,
    };
    let Some(index) = items.iter().position(is_it) else { return };
    match becomes {
        Some(becomes) => items[index].asked = Some(becomes),
        None => drop(items.remove(index)),
    }
    if items.is_empty() {
        level.items.remove(&at);
    }
}

/// Returns what the spec of an item that is being made tells of it, in the words of 0.28, which was
/// asked item by item.
fn told(
    lua: &Lua,
    content: &Content,
    item: &ItemAlternative,
    key: &str,
) -> mlua::Result<Option<Value>> {
    let text = |text: Option<&str>| {
        text.map(|text| lua.create_string(text).map(Value::String)).transpose()
    };
    let is_branded = item.ego.as_ref().is_some_and(|ego| ego != "none");
    Ok(match key {
        "base_type" => text(base_type(content, item))?,
        "sub_type" => text(sub_type(content, item))?,
        "ego_type" if is_branded => text(item.ego.as_deref())?,
        "ego_type" => match sub_type(content, item).filter(|_| is_jewellery(content, item)) {
            Some(jewellery) => text(Some(behind_of(jewellery)))?,
            None => text(Some(""))?,
        },
        "quantity" => Some(Value::Number(held(content, item).into())),
        "artefact" => Some(Value::Boolean(
            matches!(item.kind, ItemKind::Unrand(_)) || item.level == ItemLevel::Randart,
        )),
        "branded" => Some(Value::Boolean(is_branded)),
        "equipped" | "is_in_shop" | "is_useless" => Some(Value::Boolean(false)),
        "ininventory" | "is_melded" | "cursed" | "dropped" | "god_gift" => {
            Some(Value::Boolean(false))
        }
        "is_corpse" => {
            Some(Value::Boolean(matches!(item.kind, ItemKind::Corpse { skeleton: false, .. })))
        }
        "class" => class_function(lua, content, item)?,
        "subtype" => {
            let told = text(sub_type(content, item))?.unwrap_or(Value::Nil);
            let told = lua.create_function(move |_, _: Variadic<Value>| Ok(told.clone()))?;
            Some(Value::Function(told))
        }
        _ => None,
    })
}

/// Returns how many there are: one of what does not lie in heaps, whatever is asked for.
fn held(content: &Content, item: &ItemAlternative) -> i32 {
    if is_heap(item, content) {
        item.quantity.map_or(1, |quantity| quantity.get().max(1))
    } else {
        1
    }
}

fn is_jewellery(content: &Content, item: &ItemAlternative) -> bool {
    base_type(content, item) == Some("jewellery")
}

/// Returns the function that says what class an item is of: what is written above its like, and in
/// one word if that is true.
fn class_function(
    lua: &Lua,
    content: &Content,
    item: &ItemAlternative,
) -> mlua::Result<Option<Value>> {
    let Some(class) = class_of(content, item) else { return Ok(None) };
    let title = content.items().title_of_class(class).unwrap_or(class).to_owned();
    let short = base_type(content, item).unwrap_or(class).to_owned();
    let told = lua.create_function(move |lua, asked: Variadic<Value>| {
        let is_short = matches!(asked.first(), Some(Value::Boolean(true)));
        lua.create_string(if is_short { &short } else { &title })
    })?;
    Ok(Some(Value::Function(told)))
}

/// Returns the class of an item, in the words of scripts.
fn base_type<'a>(content: &'a Content, item: &'a ItemAlternative) -> Option<&'a str> {
    class_of(content, item).map(|class| match class {
        "magical staff" => "staff",
        "misc" => "miscellaneous",
        class => class,
    })
}

fn class_of<'a>(content: &'a Content, item: &'a ItemAlternative) -> Option<&'a str> {
    let items = content.items();
    match &item.kind {
        ItemKind::Item(name) => items.by_name(name).map(|item| item.class.as_str()),
        ItemKind::Unrand(name) => items.unrand(name).map(|item| item.class.as_str()),
        ItemKind::Class(class) => {
            items.classes.iter().find(|own| *own == class).map(String::as_str)
        }
        ItemKind::Corpse { .. } => Some("corpse"),
        ItemKind::Randbook(_) => Some("book"),
        _ => None,
    }
}

/// Returns what an item is of its class; a book is written with capitals that no table has.
fn sub_type<'a>(content: &'a Content, item: &'a ItemAlternative) -> Option<&'a str> {
    match (&item.kind, base_type(content, item)?) {
        (ItemKind::Item(name), "potion" | "scroll" | "wand" | "staff") => Some(behind_of(name)),
        (_, class @ ("corpse" | "gold")) => Some(class),
        (_, "rune") => Some("rune of Zot"),
        (_, "orb") => Some("orb of Zot"),
        (_, "book") => None,
        (ItemKind::Item(name), _) => Some(name),
        (ItemKind::Unrand(name), _) => content
            .items()
            .unrand(name)
            .map(|item| item.item.as_str())
            .filter(|own| !own.is_empty()),
        _ => None,
    }
}

/// Returns what stands behind `of`.
fn behind_of(name: &str) -> &str {
    name.split_once(" of ").map_or(name, |(_, behind)| behind)
}
