//! `dgn`: monsters and items on the level (spec 06 §3.10, §3.11).

use vaultwright_lua::mlua::{self, UserData, UserDataFields, UserDataMethods, Value, Variadic};
use vaultwright_map::{Point, parse_item_slot, split_trimmed};

use super::Api;
use super::arguments::{Int, bad_argument, spec_error, text};
use super::dgn_markers::inner;
use super::spec_list::{ItemList, monster_slot};
use crate::place::{create_slot_monster, place_item};

/// A monster as scripts see it while a level is made.
struct MonsterObject {
    name: String,
    at: Point,
}

impl UserData for MonsterObject {
    fn add_fields<F: UserDataFields<Self>>(fields: &mut F) {
        for field in ["name", "type_name", "full_name", "base_name"] {
            fields.add_field_method_get(field, |_, this| Ok(this.name.clone()));
        }
        fields.add_field_method_get("x", |_, this| Ok(this.at.x));
        fields.add_field_method_get("y", |_, this| Ok(this.at.y));
    }

    fn add_methods<M: UserDataMethods<Self>>(methods: &mut M) {
        // What these change is the business of the game.
        for method in ["set_prop", "add_ench", "del_ench", "set_max_hp"] {
            methods.add_method(method, |_, _, _: Variadic<Value>| Ok(()));
        }
    }
}

pub(super) fn install(api: &Api) -> mlua::Result<()> {
    api.function("create_monster", |lua, host, (x, y, spec): (Int, Int, Value)| {
        let p = inner(x, y)?;
        let slot = monster_slot(lua, host, &spec)?;
        let mut level = host.level.borrow_mut();
        let mut population = host.population.borrow_mut();
        let place = host
            .with_context(|ctx| create_slot_monster(&mut level, &slot, p, &mut population, ctx));
        let object = place.map(|at| {
            let kind = level.monsters.get(&at).and_then(|monster| monster.kind);
            let name = kind.map(|id| host.content.monsters().get(id).name.clone());
            MonsterObject { name: name.unwrap_or_default(), at }
        });
        object.map(|object| lua.create_userdata(object)).transpose()
    })?;
    api.function("mons_at", |lua, host, (x, y): (Int, Int)| {
        let at = inner(x, y)?;
        let level = host.level.borrow();
        let object = level.monsters.get(&at).map(|monster| {
            let name = monster.kind.map(|id| host.content.monsters().get(id).name.clone());
            MonsterObject { name: name.unwrap_or_default(), at }
        });
        object.map(|object| lua.create_userdata(object)).transpose()
    })?;
    api.function("dismiss_monsters", |_, host, _: Variadic<Value>| {
        let mut level = host.level.borrow_mut();
        Ok(std::mem::take(&mut level.monsters).len())
    })?;
    api.function("create_item", |lua, host, (x, y, spec): (Int, Int, Value)| {
        let p = inner(x, y)?;
        let slots = match &spec {
            Value::UserData(data) => data.borrow::<ItemList>()?.0.clone(),
            value => {
                let Some(spec) = text(value, lua) else {
                    return Err(bad_argument("Expected item list object or string"));
                };
                let spec = String::from_utf8_lossy(&spec).into_owned();
                host.with_context(|ctx| {
                    let pieces = split_trimmed(',', &spec).into_iter();
                    pieces.map(|s| parse_item_slot(s, false, ctx)).collect::<Result<Vec<_>, _>>()
                })
                .map_err(spec_error)?
            }
        };
        let mut level = host.level.borrow_mut();
        host.with_context(|ctx| {
            slots.iter().for_each(|slot| place_item(&mut level, slot, p, ctx));
        });
        Ok(())
    })?;
    api.function("items_at", |lua, host, (x, y): (Int, Int)| {
        let p = inner(x, y)?;
        let level = host.level.borrow();
        let list = lua.create_table()?;
        for item in level.items.get(&p).into_iter().flatten().rev() {
            let object = lua.create_table()?;
            object.raw_set("spec", item.spec.as_str())?;
            list.push(object)?;
        }
        Ok(list)
    })
}
