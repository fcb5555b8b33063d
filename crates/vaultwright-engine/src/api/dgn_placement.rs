//! `dgn`: placing maps (spec 04 §17, spec 06 §3.7).

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use vaultwright_level::VaultPlacement;
use vaultwright_lua::mlua::{
    self, AnyUserData, Error, FromLua, Function, IntoLuaMulti, Lua, MultiValue, UserData,
    UserDataMethods, Value, Variadic,
};
use vaultwright_map::{
    Context, LevelPlace, MapDef, Point, SUBVAULT_GLYPH, Turn, glyph_feature, map_feature,
};

use super::dgn_branches::level_of;
use super::table::Api;
use crate::journey::arrival_of_vaults::settle_vault;
use crate::pack::library::{Library, Origin};
use crate::place::in_play::place_in_play;
use crate::place::register::{give_ids, register, register_uniqueness};
use crate::place::vault::{Request, write_contents};
use crate::resolve::ground::Aim;
use crate::resolve::roll::{NoRoll, resolve};
use crate::script::arguments::{Int, MapRef, bad_argument, is_true, number, text, truncate};
use crate::select::choice::{Wanted, choose};
use crate::state::host::Host;
use crate::state::map_cell::MapCell;
use crate::state::site::on_site;

/// What a roll that a script asks for takes of its budget, in instructions: it copies the map and
/// runs its statements, and a map may ask for itself.
const WORK_OF_ROLL: u64 = 50_000;

/// What `place_map` and `resolve_map` give to be used again.
enum Handle {
    /// A resolved map, with the exits of its earlier uses.
    Resolved(Rc<MapCell>, RefCell<Vec<Point>>),
    /// A placement of the level, by index.
    Placed(usize),
}

impl UserData for Handle {}

/// A placement as scripts see it (spec 06 §4.4).
struct PlacementObject(VaultPlacement, Option<Origin>);

impl PlacementObject {
    fn new(library: &Library, vault: VaultPlacement) -> PlacementObject {
        let listed = library.find(&vault.map.name).map(|id| &library[id]);
        let origin = listed.map(|listed| listed.origin);
        PlacementObject(vault, origin)
    }
}

impl UserData for PlacementObject {
    fn add_methods<M: UserDataMethods<Self>>(methods: &mut M) {
        methods.add_method("pos", |lua, this, ()| point(lua, this.0.at));
        methods.add_method("size", |lua, this, ()| {
            point(lua, Point::new(this.0.size.0, this.0.size.1))
        });
        methods.add_method("orient", |_, this, ()| {
            Ok(this.0.orient.map_or("", |orient| orient.name()))
        });
        methods.add_method("exits", |lua, this, ()| {
            let exits = this.0.exits.iter().map(|&exit| point(lua, exit));
            lua.create_sequence_from(exits.collect::<mlua::Result<Vec<_>>>()?)
        });
        methods.add_method("map", |_, this, ()| {
            let name = &this.0.map.name;
            let origin = this.1.ok_or_else(|| {
                Error::runtime(format!("the map '{name}' of this placement is not in the library"))
            })?;
            Ok(MapRef(MapCell::new(MapDef::clone(&this.0.map), origin)))
        });
    }
}

/// Returns a point of the library (spec 06 §4.5).
pub(crate) fn point(lua: &Lua, p: Point) -> mlua::Result<Value> {
    let dgn: mlua::Table = lua.globals().raw_get("dgn")?;
    dgn.get::<Function>("point")?.call((p.x, p.y))
}

pub(crate) fn install(api: &Api) -> mlua::Result<()> {
    placing(api)?;
    reusing(api)?;
    choosing(api)?;
    queries(api)
}

/// Returns an optional boolean, which takes its default only when it is absent: nil is false (spec
/// 04 §17).
fn flag(arguments: &[Value], index: usize, default: bool) -> bool {
    arguments.get(index).map_or(default, is_true)
}

fn placing(api: &Api) -> mlua::Result<()> {
    api.function("place_map", |lua, host, (map, rest): (MapRef, Variadic<Value>)| {
        place_map(lua, host, &map, &rest)
    })?;
    api.function("resolve_map", |lua, host, args: Variadic<Value>| resolve_map(lua, host, &args))?;
    api.function("with_map_anchors", |lua, host, arguments: Variadic<Value>| {
        let Some(Value::Function(action)) = arguments.last() else {
            return Err(bad_argument("with_map_anchors: the last argument must be a function"));
        };
        let numbers: Vec<i32> =
            arguments[..arguments.len() - 1].iter().filter_map(number).map(truncate).collect();
        let anchors = numbers.chunks_exact(2).map(|pair| Point::new(pair[0], pair[1])).collect();
        let result = host.with_anchors(anchors, |host| host.lend(|| action.call::<Value>(())));
        result?.into_lua_multi(lua)
    })?;
    api.function("with_map_bounds_fn", |lua, host, arguments: Variadic<Value>| {
        let [Value::Function(test), Value::Function(action)] = &arguments[..] else {
            return Err(bad_argument("Expected map-bounds check fn and action fn."));
        };
        let result =
            host.with_bounds_test(test.clone(), |host| host.lend(|| action.call::<Value>(())));
        result?.into_lua_multi(lua)
    })
}

fn place_map(lua: &Lua, host: &mut Host, map: &MapRef, rest: &[Value]) -> mlua::Result<MultiValue> {
    let mut centre = None;
    if let (Some(x), Some(y)) = (rest.get(2).and_then(number), rest.get(3).and_then(number)) {
        let p = Point::new(truncate(x), truncate(y));
        if !host.in_bounds(p) {
            return Err(out_of_bounds(p));
        }
        centre = Some(p);
    }
    let parameter = match rest.get(4) {
        None => String::new(),
        Some(value) => match text(value, lua) {
            Some(words) => String::from_utf8_lossy(&words).into_owned(),
            None => {
                let got = value.type_name();
                let message = "bad argument #6 to 'place_map' (string expected, got ";
                return Err(bad_argument(format!("{message}{got})")));
            }
        },
    };
    let request = Request {
        aim: Aim { centre, checked: flag(rest, 0, true) },
        no_exits: flag(rest, 1, false),
        primary: false,
    };
    let copy = MapCell::new(map.0.def.borrow().clone(), map.0.origin);
    let place = |host: &mut Host| place_in_play(lua, host, &copy, &request);
    let placed = host.with_parameter(Some(&parameter), place);
    if let (Ok(index), true) = (&placed, host.is_live()) {
        settle_vault(lua, host, *index);
    }
    match placed {
        // The handle is that of the last placement: a hook may have made others.
        Ok(_) => {
            let last = host.level.vaults.len().saturating_sub(1);
            lua.create_userdata(Handle::Placed(last))?.into_lua_multi(lua)
        }
        Err(not_placed) => {
            not_placed.swallow(host);
            Ok(MultiValue::new())
        }
    }
}

fn resolve_map(lua: &Lua, host: &mut Host, arguments: &[Value]) -> mlua::Result<MultiValue> {
    // Nil is no map, and none at all is a mistake.
    let map = arguments.first().ok_or_else(|| bad_argument("dgn.mtmap expected, got no value"))?;
    let Some(map) = Option::<MapRef>::from_lua(map.clone(), lua)? else {
        return Value::Nil.into_lua_multi(lua);
    };
    host.charge(WORK_OF_ROLL)?;
    let copy = MapCell::new(map.0.def.borrow().clone(), map.0.origin);
    match resolve(lua, host, &copy, Aim { centre: None, checked: flag(arguments, 1, true) }) {
        Ok(rolled) => {
            let handle = Handle::Resolved(Rc::clone(&rolled.map), RefCell::default());
            (MapRef(rolled.map), lua.create_userdata(handle)?).into_lua_multi(lua)
        }
        Err(failure) => {
            // Once a map's own Lua has failed, the level is spoilt (spec 04 §12.3).
            if let NoRoll::Lua(error) = failure.reason {
                host.attempt.spoil(error);
            }
            (Value::Nil, Value::Nil).into_lua_multi(lua)
        }
    }
}

/// Returns what is asked of the map of a handle.
fn read_handle<R>(
    host: &mut Host,
    handle: &Value,
    ask: impl FnOnce(&MapDef, &mut Context) -> R,
) -> mlua::Result<R> {
    let expected = || bad_argument("Expected vault_placement");
    let Value::UserData(data) = handle else { return Err(expected()) };
    match &*data.borrow::<Handle>().map_err(|_| expected())? {
        Handle::Resolved(map, _) => Ok(host.with_context(|ctx| ask(&map.def.borrow(), ctx))),
        Handle::Placed(index) => host.with_parts(|parts, ctx| {
            let placed = parts.level.vaults.get(*index).ok_or_else(expected)?;
            Ok(ask(&placed.map, ctx))
        }),
    }
}

/// Uses the map of a handle again, and what else it keeps: a placement keeps what is made of it.
fn reuse_handle<R>(
    host: &mut Host,
    handle: &Value,
    use_map: impl FnOnce(&mut Host, &RefCell<MapDef>, &RefCell<Vec<Point>>) -> mlua::Result<R>,
) -> mlua::Result<R> {
    let expected = || bad_argument("Expected vault_placement");
    let Value::UserData(data) = handle else { return Err(expected()) };
    let handle = data.borrow::<Handle>().map_err(|_| expected())?;
    match &*handle {
        Handle::Resolved(map, exits) => use_map(host, &map.def, exits),
        Handle::Placed(index) => {
            let placed = host.level.vaults.get(*index).cloned().ok_or_else(expected)?;
            let map = RefCell::new(MapDef::clone(&placed.map));
            let result = use_map(host, &map, &RefCell::new(placed.exits));
            if let Some(placement) = host.level.vaults.get_mut(*index) {
                placement.map = Arc::new(map.into_inner());
            }
            result
        }
    }
}

fn reusing(api: &Api) -> mlua::Result<()> {
    type Arguments = (Value, Int, Int, Variadic<Value>);
    api.function("reuse_map", |lua, host, (handle, x, y, rest): Arguments| {
        let at = Point::new(x.0, y.0);
        if !host.in_bounds(at) {
            return Err(out_of_bounds(at));
        }
        let rotation = rest.get(2).map(|turn| Int::from_lua(turn.clone(), lua)).transpose()?;
        let rotation = rotation.map_or(0, |turn| turn.0);
        let (place, vault) = (flag(&rest, 3, true), flag(&rest, 4, false));
        reuse_handle(host, &handle, |host, map, exits| {
            let mut def = map.borrow_mut();
            if flag(&rest, 0, false) {
                def.turn(Turn::MirrorX);
            }
            if flag(&rest, 1, false) {
                def.turn(Turn::MirrorY);
            }
            match rotation {
                0 => {}
                1 => def.turn(Turn::Clockwise),
                _ => def.turn(Turn::Anticlockwise),
            }
            let written = write_contents(host, &mut def, at);
            let mut exits = exits.borrow_mut();
            exits.extend(written);
            if place {
                if vault {
                    register_uniqueness(&mut host.game.used, &def, &host.content.rules);
                }
                on_site(host, |site| {
                    if vault {
                        give_ids(site.level, &def, at);
                    }
                    register(site.level, &def, at, &exits, site.ctx);
                });
            }
            Ok(())
        })
    })?;
    api.function("inspect_map", |_, host, (handle, x, y): (Value, Int, Int)| {
        read_handle(host, &handle, |def, ctx| {
            let features = ctx.content.features();
            let cell = Point::new(x.0, y.0);
            let Some(glyph) = def.grid.get(cell) else {
                return (features.len() as i32, false, false);
            };
            // Unlike tests of what is connected: a glyph with masks alone means what it means.
            let decided = glyph == SUBVAULT_GLYPH || def.spec_at(cell).is_some_and(|s| s.decides());
            let feature = match decided {
                true => map_feature(def, cell, ctx),
                false => glyph_feature(glyph, ctx),
            };
            let number = features.get(feature.unwrap_or_else(|| features.floor())).number;
            (number, glyph == b'@', glyph == b' ')
        })
    })
}

fn choosing(api: &Api) -> mlua::Result<()> {
    for (name, by_depth) in [("map_in_depth", true), ("map_by_place", false)] {
        api.function(name, move |_, host, (level, rest): (Value, Variadic<Value>)| {
            if matches!(&level, Value::UserData(data) if data.is::<MapRef>()) {
                // A map in its place is a level that there is not (as 0.28 was asked).
                return Ok(None);
            }
            let Some(place): Option<LevelPlace> = level_of(&host.content, &host.game, &level)?
            else {
                return Ok(None);
            };
            let minivault = flag(&rest, 0, by_depth);
            let found = choose(
                host,
                match by_depth {
                    true => Wanted::Depth { place, minivault, extra: None },
                    false => Wanted::Place { place, minivault, extra: None },
                },
            );
            Ok(found.map(|index| MapRef(host.look_up(index))))
        })?;
    }
    Ok(())
}

fn queries(api: &Api) -> mlua::Result<()> {
    api.function("vault_at", |lua, host, (x, y): (Int, Int)| {
        let p = Point::new(x.0, y.0);
        if !host.on_map(p) {
            return Err(out_of_bounds(p));
        }
        let found = host.level.vault_at(p).cloned();
        let object = found.map(|vault| PlacementObject::new(&host.library_asked(), vault));
        object.map(|object| lua.create_userdata(object)).transpose()
    })?;
    api.function("maps_used_here", |lua, host, ()| {
        let vaults = host.level.vaults.clone();
        let objects = vaults
            .into_iter()
            .map(|vault| lua.create_userdata(PlacementObject::new(&host.library_asked(), vault)));
        lua.create_sequence_from(objects.collect::<mlua::Result<Vec<AnyUserData>>>()?)
    })?;
    api.function("reset_level", |_, host, ()| {
        host.reset_level();
        Ok(())
    })
}

pub(crate) fn out_of_bounds(p: Point) -> Error {
    Error::runtime(format!("Point ({},{}) is out of bounds", p.x, p.y))
}
