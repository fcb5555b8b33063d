//! Monsters as scripts see them (spec 06 §8.2).

use std::collections::BTreeMap;
use std::num::NonZeroI32;
use std::rc::Rc;
use std::sync::Arc;

use vaultwright_content::{Content, Monster};
use vaultwright_lua::mlua::{
    self, AnyUserData, Error, Function, Lua, MetaMethod, RegistryKey, Table, UserData,
    UserDataMethods, Value, Variadic,
};
use vaultwright_map::{Attitude, MonsterAlternative, Point};

use super::item_object::spec_object;
use crate::script::arguments::number;
use crate::state::host::Host;
use crate::state::monster_names::{Called, Named, called};
use crate::state::playing::PlayState;
use crate::state::site::{Site, on_site};
use crate::state::slot::Slot;
use crate::state::world::{MonsterNumber, PlayMonster, World};

/// How often a cell is drawn for a monster that is sent away.
const MAX_TRIES: usize = 1000;

/// A monster: one that exists in play, or one of a level that is being made.
struct MonsterObject {
    slot: Rc<Slot<Host>>,
    number: Option<MonsterNumber>,
    monster: PlayMonster,
    /// What one of a level in the making is called, and its attitude.
    unborn: Option<(Called, Attitude)>,
}

/// Returns the object of a monster in play.
pub(crate) fn monster_object(
    lua: &Lua,
    slot: &Rc<Slot<Host>>,
    world: &dyn World,
    number: MonsterNumber,
) -> mlua::Result<Option<AnyUserData>> {
    let Some(monster) = world.monster(number) else { return Ok(None) };
    let number = Some(number);
    let object = MonsterObject { slot: Rc::clone(slot), number, monster, unborn: None };
    lua.create_userdata(object).map(Some)
}

/// Returns the object of a monster on a level that is being made.
pub(crate) fn monster_at(lua: &Lua, host: &Host, at: Point) -> mlua::Result<Option<AnyUserData>> {
    let Some(monster) = host.level.monsters.get(&at) else { return Ok(None) };
    let peaceful = monster.is_peaceful();
    let called = called(&host.content, monster);
    let names = called.names(monster);
    let attitude = monster.asked.as_ref().map_or(Attitude::Hostile, |asked| asked.attitude);
    let monster = PlayMonster { names, at, peaceful };
    let (slot, unborn) = (Rc::clone(&host.slot), Some((called, attitude)));
    lua.create_userdata(MonsterObject { slot, number: None, monster, unborn }).map(Some)
}

/// Returns a property that a script has given to a monster.
pub(crate) fn monster_property(
    lua: &Lua,
    play: &PlayState,
    number: MonsterNumber,
    name: &str,
) -> Option<Value> {
    property(lua, play.monster_properties.get(&number)?, name)
}

fn property(lua: &Lua, properties: &RegistryKey, name: &str) -> Option<Value> {
    let properties: Table = lua.registry_value(properties).ok()?;
    properties.raw_get::<Option<Value>>(name).ok().flatten()
}

impl UserData for MonsterObject {
    fn add_methods<M: UserDataMethods<Self>>(methods: &mut M) {
        methods.add_meta_method(MetaMethod::Index, |lua, this, key: String| {
            this.slot.with(|host| this.get(lua, host, &key))
        });
        // What scripts set here is the business of the game.
        methods.add_meta_method(MetaMethod::NewIndex, |_, _, _: (Value, Value)| Ok(()));
    }
}

impl MonsterObject {
    fn get(&self, lua: &Lua, host: &Host, key: &str) -> mlua::Result<Value> {
        if let Some((called, attitude)) = &self.unborn
            && let Some(value) = self.unborn_field(lua, host, (called, *attitude), key)?
        {
            return Ok(value);
        }
        match self.field(lua, host, key)? {
            Some(value) => Ok(value),
            None => self.method(lua, key),
        }
    }

    /// Returns what is known of the monster by a name; `None` for what scripts call.
    fn field(&self, lua: &Lua, host: &Host, key: &str) -> mlua::Result<Option<Value>> {
        let text = |text: &str| lua.create_string(text).map(Value::String);
        let current = self.number.and_then(|number| host.world().borrow().monster(number));
        let monster = current.as_ref().unwrap_or(&self.monster);
        let names = &monster.names;
        let player = || host.world().borrow().player();
        let value = match key {
            "name" => text(&names.name)?,
            "full_name" => text(&names.full)?,
            "base_name" => text(&names.base)?,
            "type_name" | "db_name" | "entry_name" => text(&names.kind)?,
            "mname" => self.telling(lua, &names.name)?,
            "mfull_name" => self.telling(lua, &names.full)?,
            "mbase_name" => self.telling(lua, &names.base)?,
            "x" => Value::Number((monster.at.x - player().x).into()),
            "y" => Value::Number((monster.at.y - player().y).into()),
            "hd" if self.hit_dice(host) > 0 => Value::Number(self.hit_dice(host).into()),
            "hd" | "experience" | "hp" | "unique" => of_kind(&host.content, &names.kind, key),
            "muse" => {
                let monsters = host.content.monsters();
                let kind = monsters.by_name(&names.kind).map(|id| monsters.get(id));
                text(kind.map_or("nothing", |kind| &kind.uses))?
            }
            "beh" => match host.level.monsters.get(&self.monster.at) {
                Some(unborn) if self.number.is_none() => {
                    text(if unborn.awake { "wander" } else { "sleep" })?
                }
                _ => Value::Nil,
            },
            "you_can_see" => Value::Boolean(host.world().borrow().sees(monster.at)),
            "wont_attack" => Value::Boolean(false),
            "mid" => Value::Number(self.number.unwrap_or(0).into()),
            _ => return Ok(None),
        };
        Ok(Some(value))
    }

    /// Returns a function that answers a name.
    fn telling(&self, lua: &Lua, name: &str) -> mlua::Result<Value> {
        let name = name.to_owned();
        self.function(lua, move |lua, _, _| lua.create_string(&name).map(Value::String))
    }

    /// Returns a function of the monster; nil if it has none of this name.
    fn method(&self, lua: &Lua, key: &str) -> mlua::Result<Value> {
        let (number, at) = (self.number, self.monster.at);
        match key {
            "random_teleport" => self.function(lua, move |_, host, _| {
                let world = host.world();
                on_site(host, |site| match number {
                    Some(number) => teleport(site, &mut *world.borrow_mut(), number),
                    None => teleport_unborn(site, at),
                });
                Ok(Value::Nil)
            }),
            "set_prop" => self.property_writer(lua),
            "get_prop" | "has_prop" => self.property_reader(lua, key == "has_prop"),
            "dismiss" => self.function(lua, move |_, host, _| {
                match number {
                    Some(number) => host.remove_monster(number),
                    None => drop(host.level.monsters.remove(&at)),
                }
                Ok(Value::Nil)
            }),
            "get_inventory" => self.function(lua, |lua, _, _| lua.create_table().map(Value::Table)),
            "add_ench" | "del_ench" | "set_hp" | "set_max_hp" | "add_energy" | "run_ai"
            | "speak" | "handle_behaviour" => self.function(lua, |_, _, _| Ok(Value::Nil)),
            _ => Ok(Value::Nil),
        }
    }

    fn property_writer(&self, lua: &Lua) -> mlua::Result<Value> {
        let (number, at) = (self.number, self.monster.at);
        self.function(lua, move |lua, host, arguments| {
            let place = host.game.place;
            let play = &mut host.play;
            match number {
                Some(number) => {
                    set_property(lua, &mut play.monster_properties, number, arguments)?;
                }
                None => set_property(lua, &mut play.unborn_properties, (place, at), arguments)?,
            }
            Ok(Value::Nil)
        })
    }

    /// Returns the function that answers a property, or, with `asks`, whether there is one.
    fn property_reader(&self, lua: &Lua, asks: bool) -> mlua::Result<Value> {
        let (number, at) = (self.number, self.monster.at);
        self.function(lua, move |lua, host, arguments| {
            let name = arguments.first().and_then(|name| name.as_string());
            let value = name.and_then(|name| {
                let (play, name) = (&host.play, name.to_string_lossy());
                let place = (host.game.place, at);
                match number {
                    Some(number) => monster_property(lua, play, number, &name),
                    None => property(lua, play.unborn_properties.get(&place)?, &name),
                }
            });
            Ok(match asks {
                true => Value::Boolean(value.is_some()),
                false => value.unwrap_or(Value::Nil),
            })
        })
    }

    /// Returns a field of a monster of a level that is being made, where it has one of its own.
    fn unborn_field(
        &self,
        lua: &Lua,
        host: &Host,
        (called, attitude): (&Called, Attitude),
        key: &str,
    ) -> mlua::Result<Option<Value>> {
        let text = |text: &str| lua.create_string(text).map(|text| Some(Value::String(text)));
        let with_article = |named: &Named| {
            let named = named.clone();
            let named = self.function(lua, move |lua, _, arguments| {
                let how = arguments.first().and_then(|how| how.as_string());
                let how = how.map(|how| how.to_string_lossy()).unwrap_or_default();
                lua.create_string(named.with(&how)).map(Value::String)
            })?;
            Ok(Some(named))
        };
        let monster = host.level.monsters.get(&self.monster.at);
        match key {
            "full_name" => text(&called.full.text),
            "base_name" => text(&called.base.text),
            "db_name" => text(&called.key),
            "mname" => with_article(&called.name),
            "mfull_name" => with_article(&called.full),
            "mbase_name" => with_article(&called.base),
            "hd" if self.hit_dice(host) == 0 => {
                // The dead have as many as they had.
                let base = monster.and_then(|monster| monster.undead?.1);
                let hit_dice = base.map(|base| host.content.monsters().get(base).hd);
                Ok(hit_dice.map(|hit_dice| Value::Number(hit_dice.into())))
            }
            "hp" if self.hit_points(host) != 0 => {
                Ok(Some(Value::Number(self.hit_points(host).into())))
            }
            // It is worth something, at least: how much nobody has told.
            "experience" if monster.is_some_and(|monster| monster.undead.is_some()) => {
                let base = monster.and_then(|monster| monster.undead?.1);
                let worth = base.map_or(1, |base| host.content.monsters().get(base).exp.max(1));
                Ok(Some(Value::Number(worth.into())))
            }
            // Only enemies sleep.
            "beh" if attitude != Attitude::Hostile => text("wander"),
            "wont_attack" => {
                let is_on_our_side = matches!(attitude, Attitude::Friendly | Attitude::GoodNeutral);
                Ok(Some(Value::Boolean(is_on_our_side)))
            }
            "dancing_weapon" if called.kind == key.replace('_', " ") => text(&called.kind),
            "shapeshifter" if called.kind.ends_with(key) => text(&called.kind),
            "targetx" | "targety" => Ok(Some(Value::Number(0.0))),
            "get_inventory" => {
                let items = monster.map_or(Vec::new(), |monster| monster.items.clone());
                let slot = Rc::clone(&self.slot);
                let inventory = self.function(lua, move |lua, _, _| {
                    let objects = items.iter().map(|item| {
                        spec_object(lua, &slot, &item.text, Some(Arc::clone(item)), None)
                    });
                    let objects = objects.collect::<mlua::Result<Vec<_>>>()?;
                    lua.create_sequence_from(objects).map(Value::Table)
                })?;
                Ok(Some(inventory))
            }
            _ => Ok(None),
        }
    }

    /// Returns the hit dice that the spec asks for, of a monster of a level that is being made.
    fn hit_dice(&self, host: &Host) -> i32 {
        self.asked(host).and_then(|asked| asked.hit_dice).map_or(0, NonZeroI32::get)
    }

    /// Returns the hit points that the spec asks for, of such a monster.
    fn hit_points(&self, host: &Host) -> i32 {
        self.asked(host).and_then(|asked| asked.hit_points).map_or(0, NonZeroI32::get)
    }

    fn asked<'h>(&self, host: &'h Host) -> Option<&'h MonsterAlternative> {
        let unborn = host.level.monsters.get(&self.monster.at).filter(|_| self.number.is_none());
        unborn?.asked.as_deref()
    }

    /// Returns a function that scripts call with a dot; with a colon it works as well.
    fn function(
        &self,
        lua: &Lua,
        function: impl Fn(&Lua, &mut Host, &[Value]) -> mlua::Result<Value> + 'static,
    ) -> mlua::Result<Value> {
        let slot = Rc::clone(&self.slot);
        let wrapped: Function = lua.create_function(move |lua, arguments: Variadic<Value>| {
            let skip = usize::from(matches!(arguments.first(), Some(Value::UserData(_))));
            slot.with(|host| function(lua, host, &arguments[skip..]))
        })?;
        Ok(Value::Function(wrapped))
    }
}

/// Returns what the table says of a kind.
fn of_kind(content: &Content, kind: &str, key: &str) -> Value {
    let monsters = content.monsters();
    let kind = monsters.by_name(kind).map(|id| monsters.get(id));
    let number = |of: fn(&Monster) -> i32| Value::Number(kind.map_or(0, of).into());
    match key {
        "hd" => number(|kind| kind.hd),
        "hp" => number(|kind| kind.hp10 / 10),
        "experience" => number(|kind| kind.exp),
        _ => Value::Boolean(kind.is_some_and(|kind| kind.has("unique"))),
    }
}

/// Moves a monster to another cell, any that is free.
fn teleport(site: &mut Site, world: &mut dyn World, number: MonsterNumber) {
    let free = |p| world.monster_at(p).is_none() && world.player() != p;
    if let Some(p) = elsewhere(site, |_, p| free(p)) {
        world.move_monster(number, p);
    }
}

/// Moves one of a level that is being made.
fn teleport_unborn(site: &mut Site, at: Point) {
    let to = elsewhere(site, |site, p| !site.level.monsters.contains_key(&p));
    if let Some(to) = to
        && let Some(monster) = site.level.monsters.remove(&at)
    {
        site.level.monsters.insert(to, monster);
    }
}

/// Draws a cell that is open and free.
fn elsewhere(site: &mut Site, is_free: impl Fn(&Site, Point) -> bool) -> Option<Point> {
    (0..MAX_TRIES).find_map(|_| {
        let p = site.random_in_margin(1);
        (!site.flags(p).solid() && is_free(site, p)).then_some(p)
    })
}

fn set_property<K: Ord + Copy>(
    lua: &Lua,
    of_monsters: &mut BTreeMap<K, RegistryKey>,
    monster: K,
    arguments: &[Value],
) -> mlua::Result<()> {
    check_value(arguments)?;
    let [name, value, ..] = arguments else {
        return Err(Error::runtime("set_prop: a key and a value expected"));
    };
    let properties: Table = match of_monsters.get(&monster) {
        Some(key) => lua.registry_value(key)?,
        None => {
            let table = lua.create_table()?;
            of_monsters.insert(monster, lua.create_registry_value(&table)?);
            table
        }
    };
    let value = match value {
        Value::Number(number) => Value::Number(number.trunc()),
        other => other.clone(),
    };
    properties.raw_set(name, value)
}

/// Checks that a value is one that a property of a monster may have.
fn check_value(arguments: &[Value]) -> mlua::Result<()> {
    let name = arguments.first().cloned().unwrap_or(Value::Nil);
    match arguments.get(1) {
        Some(
            Value::Nil
            | Value::Boolean(_)
            | Value::String(_)
            | Value::Function(_)
            | Value::Integer(_)
            | Value::Number(_),
        ) => Ok(()),
        other if other.and_then(number).is_some() => Ok(()),
        _ => Err(Error::runtime(format!(
            "Don't know how to set monster property of the given value type for property '{}'",
            name.to_string().unwrap_or_default()
        ))),
    }
}
