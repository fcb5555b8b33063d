//! `dgn`: monsters and items on the level (spec 06 §3.10, §3.11).

use vaultwright_lua::mlua::{self, Error, FromLua, Value, Variadic};
use vaultwright_map::Point;

use super::dgn_markers::inner;
use super::dismissal::Dismissal;
use super::item_object::{is_item, item_number, item_object, spec_object};
use super::monster_object::{monster_at, monster_object};
use super::spec_list::{item_slot, monster_slot};
use super::table::Api;
use crate::place::items::place_item;
use crate::place::monsters::create_slot_monster;
use crate::play::displacing::Keep;
use crate::play::terrain::change_terrain;
use crate::script::arguments::{Int, Text, bad_argument, number, truncate};
use crate::state::host::{Host, Parts};
use crate::state::site::Site;
use crate::state::world::ItemProperty;

pub(crate) fn install(api: &Api) -> mlua::Result<()> {
    monsters(api)?;
    api.function("create_item", |lua, host, (x, y, spec): (Int, Int, Value)| {
        let p = inner(host.level.size(), x, y)?;
        let slot = host.with_context(|ctx| item_slot(lua, ctx, &spec))?;
        host.with_parts(|Parts { level, observers, population, .. }, ctx| {
            if slot.counts(ctx) {
                let mut site = Site { level, ctx, observers };
                place_item(&mut site, population, &slot, p);
            }
        });
        host.attempt.laid_out.extend(host.level.items.keys());
        if host.is_live() {
            host.hand_over();
        }
        Ok(())
    })?;
    items_on_cells(api)?;
    item_properties(api)
}

fn monsters(api: &Api) -> mlua::Result<()> {
    api.function("create_monster", |lua, host, (x, y, spec): (Int, Int, Value)| {
        let p = inner(host.level.size(), x, y)?;
        let slot = host.with_context(|ctx| monster_slot(lua, ctx, &spec))?;
        if slot.alternatives.is_empty() {
            return Ok(None);
        }
        let live = host.is_live();
        let create = |host: &mut Host| {
            host.with_parts(|Parts { level, population, .. }, ctx| {
                population.in_play = live;
                create_slot_monster(level, &slot, p, population, ctx)
            })
        };
        let before = host.level.feature(p);
        let place = if live { host.among_stand_ins(create) } else { create(host) };
        if live
            && let (Some(before), Some(now)) = (before, host.level.feature(p))
            && before != now
        {
            // The ground was made fit for it: in play that is a change that others hear of.
            host.level.set_feature(p, before);
            change_terrain(lua, host, p, now, Keep { feature: false, items: true });
        }
        let Some(place) = place else { return Ok(None) };
        if !live {
            return monster_at(lua, host, place);
        }
        host.hand_over();
        let number = host.world().borrow().monster_at(place);
        number.map_or(Ok(None), |number| {
            monster_object(lua, &host.slot, &*host.world().borrow(), number)
        })
    })?;
    api.function("mons_at", |lua, host, (x, y): (Int, Int)| {
        let at = inner(host.level.size(), x, y)?;
        if !host.is_live() {
            return monster_at(lua, host, at);
        }
        let number = host.world().borrow().monster_at(at);
        number.map_or(Ok(None), |number| {
            monster_object(lua, &host.slot, &*host.world().borrow(), number)
        })
    })?;
    for name in ["mons_from_mid", "mons_from_index"] {
        api.function(name, |lua, host, number: Int| {
            let number = u32::try_from(number.0).unwrap_or(0);
            monster_object(lua, &host.slot, &*host.world().borrow(), number)
        })?;
    }
    api.function("dismiss_monsters", |lua, host, asked: Variadic<Value>| {
        let pattern = asked.first().map(|pattern| Text::from_lua(pattern.clone(), lua));
        let pattern = pattern.transpose()?;
        let pattern = pattern.as_ref().map(Text::str).unwrap_or_default();
        let dismissal = Dismissal::parse(&pattern)?;
        Ok(match host.is_live() {
            true => dismissal.clear_world(host),
            false => dismissal.clear_level(&mut host.level, &host.content),
        })
    })
}

fn items_on_cells(api: &Api) -> mlua::Result<()> {
    // What the player knows of levels that he has seen: nothing, as far as an engine of levels
    // goes.
    api.function("stash_items", |lua, _, _: Variadic<Value>| {
        Ok((lua.create_table()?, lua.create_table()?))
    })?;
    api.function("items_at", |lua, host, (x, y): (Int, Int)| {
        let p = inner(host.level.size(), x, y)?;
        let list = lua.create_table()?;
        if host.is_live() {
            let numbers = host.world().borrow().items_at(p);
            for number in numbers {
                list.push(item_object(lua, &host.slot, &*host.world().borrow(), number)?)?;
            }
            return Ok(list);
        }
        let items = host.level.items.get(&p).cloned().unwrap_or_default();
        for item in items.iter().rev() {
            let asked = item.asked.clone();
            list.push(spec_object(lua, &host.slot, &item.spec, asked, Some(p))?)?;
        }
        Ok(list)
    })?;
    api.function("item_from_index", |lua, host, number: Int| {
        item_object(lua, &host.slot, &*host.world().borrow(), number.0 as u32)
    })?;
    // Stock is the game's.
    api.function("shop_inventory_at", |_, host, (x, y): (Int, Int)| {
        inner(host.level.size(), x, y).map(|_| ())
    })
}

fn item_properties(api: &Api) -> mlua::Result<()> {
    api.function("item_property_set", |_, host, args: PropertyArguments| {
        let (item, key, kind, values) = args;
        let property = match (kind.str().as_ref(), values.first(), values.get(1)) {
            ("B", Some(value), _) => ItemProperty::Bool(value.as_boolean().unwrap_or(true)),
            ("b", Some(value), _) => ItemProperty::Int(i32::from(integer(value) as i8)),
            ("S", Some(value), _) => ItemProperty::Int(i32::from(integer(value) as i16)),
            ("i", Some(value), _) => ItemProperty::Int(integer(value)),
            ("f", Some(value), _) => ItemProperty::Float(number(value).unwrap_or(0.0) as f32),
            ("s", Some(value), _) => ItemProperty::Text(value.to_string()?),
            ("C", Some(x), Some(y)) => ItemProperty::Cell(Point::new(integer(x), integer(y))),
            (kind, ..) => return Err(wrong_type(kind)),
        };
        if let Some(number) = item_number(&item) {
            host.world().borrow_mut().set_item_property(number, &key.str(), property);
        }
        Ok(())
    })?;
    api.function("item_property", |lua, host, (item, key, kind): (Value, Text, Text)| {
        let kind = kind.str();
        if !["B", "b", "S", "i", "f", "s", "C"].contains(&kind.as_ref()) {
            return Err(wrong_type(&kind));
        }
        let number = item_number(&item);
        let property =
            number.and_then(|number| host.world().borrow().item_property(number, &key.str()));
        let none = Ok(Variadic::new());
        let one = |value: Value| Ok(Variadic::from_iter([value]));
        match (property, kind.as_ref()) {
            (Some(ItemProperty::Bool(value)), "B") => one(Value::Boolean(value)),
            (Some(ItemProperty::Int(value)), "b" | "S" | "i") => one(Value::Number(value.into())),
            (Some(ItemProperty::Float(value)), "f") => one(Value::Number(value.into())),
            (Some(ItemProperty::Text(value)), "s") => one(Value::String(lua.create_string(value)?)),
            (Some(ItemProperty::Cell(p)), "C") => {
                let cell = [p.x, p.y].map(|coordinate| Value::Number(coordinate.into()));
                Ok(Variadic::from_iter(cell))
            }
            _ => none,
        }
    })?;
    api.function("item_property_remove", |_, host, (item, property): (Value, Text)| {
        if !is_item(&item) {
            let message = format!("item.itemaccess expected, got {}", item.type_name());
            return Err(bad_argument(message));
        }
        if let Some(number) = item_number(&item) {
            host.world().borrow_mut().remove_item_property(number, &property.str());
        }
        Ok(())
    })
}

/// The item, the name of the property, its type, the value.
type PropertyArguments = (Value, Text, Text, Variadic<Value>);

fn integer(value: &Value) -> i32 {
    number(value).map_or(0, truncate)
}

fn wrong_type(kind: &str) -> Error {
    let text = match kind.len() {
        1 => format!("Unknown type: '{kind}'"),
        _ => format!("Expected type: [BbSifsC], got: '{kind}'"),
    };
    Error::runtime(text)
}
