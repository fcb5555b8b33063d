//! `dgn`: functions that define a map (spec 06 §3.1, §3.2, §3.4).

use std::rc::Rc;

use vaultwright_content::Populations;
use vaultwright_lua::mlua::{self, Error, FromLua, Lua, MultiValue, Value, Variadic};
use vaultwright_map::connect::{Sought, flood};
use vaultwright_map::{DepthRanges, Grid, MonsterKind, MonsterSlot, Point};
use vaultwright_syntax::Header;

use super::dgn_level::shown_colour;
use super::spec_list::monster_slot;
use super::table::Api;
use crate::resolve::declare::{
    number_statement, plain_statement, prioritised_chance, range_statement, statement,
};
use crate::script::arguments::{
    Int, MapRef, Num, Text, bad_argument, lua_string, number, spec_error, text, truncate,
};
use crate::script::environment::current_object;
use crate::script::problem::call_in;
use crate::state::host::{Host, Phase};
use crate::state::map_cell::MapCell;
use crate::state::session::Messages;

pub(crate) fn install(api: &Api) -> mlua::Result<()> {
    names(api)?;
    levels(api)?;
    tags(api)?;
    details(api)?;
    likelihood(api)?;
    library(api)?;
    statements(api)?;
    terrain(api)?;
    spawning(api)?;
    drawing(api)?;
    super::map_markers::install(api)?;
    tests(api)?;
    subvaults(api)
}

fn names(api: &Api) -> mlua::Result<()> {
    api.function("name", |_, _, map: MapRef| Ok(map.0.def.borrow().name.clone()))?;
    api.function("filename", |_, host, map: MapRef| {
        let file = host.files[map.0.origin.file].clone();
        Ok(file.source.base_name().to_owned())
    })
}

/// Installs what says on which levels a map may stand.
fn levels(api: &Api) -> mlua::Result<()> {
    if api.content.rules.old_names {
        // What a default-depth line says: it holds for maps without a DEPTH of their own.
        api.function("default_depth", |lua, host, (map, ranges): (MapRef, Text)| {
            let is_empty = map.0.def.borrow().depths.is_empty();
            match is_empty {
                true => Ok(statement(lua, host, &map.0, Header::Depth, ranges.str().as_bytes())?),
                false => Ok(()),
            }
        })?;
    }
    api.function("depth", |lua, host, (map, args): (MapRef, Variadic<Value>)| {
        match args.first() {
            None => {
                let shown = map.0.def.borrow().depths.describe(host.content.branches());
                return Ok(Variadic::from_iter([shown]));
            }
            Some(Value::Nil) => map.0.def.borrow_mut().depths = DepthRanges::default(),
            Some(_) => each_text(lua, host, &map.0, Header::Depth, &args)?,
        }
        Ok(Variadic::new())
    })?;
    api.function("place", |lua, host, (map, args): (MapRef, Variadic<Value>)| {
        match args.first() {
            None => {}
            Some(Value::Nil) => map.0.def.borrow_mut().place = DepthRanges::default(),
            Some(_) => each_text(lua, host, &map.0, Header::Place, &args[..1])?,
        }
        let shown = map.0.def.borrow().place.describe(host.content.branches());
        Ok(shown)
    })
}

fn tags(api: &Api) -> mlua::Result<()> {
    api.function("tags", |lua, host, (map, args): (MapRef, Variadic<Value>)| {
        let mut def = map.0.def.borrow_mut();
        match args.first() {
            None => {}
            Some(Value::Nil) => def.tags.clear(),
            Some(value) => match text(value, lua) {
                Some(words) => {
                    host.keep(words.len())?;
                    def.add_tags(&String::from_utf8_lossy(&words));
                }
                None => return Err(bad_argument("tags: string expected")),
            },
        }
        let all = def.tag_string();
        host.charge(all.len() as u64)?;
        Ok(all)
    })?;
    api.function("has_tag", |_, _, (map, tag): (MapRef, Text)| {
        Ok(map.0.def.borrow().has_tag(&tag.str()))
    })?;
    api.function("tags_remove", |_, _, (map, words): (MapRef, Variadic<Text>)| {
        let mut def = map.0.def.borrow_mut();
        for words in words.iter() {
            def.remove_tags(&words.str());
        }
        Ok(def.tag_string())
    })
}

fn details(api: &Api) -> mlua::Result<()> {
    api.function("desc", |lua, _, (map, args): (MapRef, Variadic<Value>)| {
        let mut def = map.0.def.borrow_mut();
        if let Some(value) = args.first() {
            let text = Option::<Text>::from_lua(value.clone(), lua)?;
            def.description = text.map_or_else(String::new, |text| text.str().trim().to_owned());
        }
        Ok(def.description.clone())
    })?;
    api.function("order", |_, _, (map, n): (MapRef, Num)| {
        let order = truncate(n.0);
        number_statement(&map.0, Header::Order, order.into()).map_err(spec_error)?;
        Ok(order)
    })?;
    api.function("orient", |lua, host, (map, args): (MapRef, Variadic<Value>)| {
        match args.first() {
            None => {}
            Some(Value::Nil) => map.0.def.borrow_mut().orient = None,
            Some(_) => each_text(lua, host, &map.0, Header::Orient, &args[..1])?,
        }
        let orient = map.0.def.borrow().orient;
        Ok(orient.map_or("", |orient| orient.name()))
    })
}

/// Installs `chance` and `weight`, for all levels and for some.
fn likelihood(api: &Api) -> mlua::Result<()> {
    for (name, header) in [("chance", Header::Chance), ("weight", Header::Weight)] {
        type Numbers = (MapRef, Variadic<Value>);
        api.function(name, move |lua, host, (map, args): Numbers| {
            let Some(value) = args.first() else {
                // No chance at all is none that is changed.
                return match header {
                    Header::Chance => Ok(()),
                    _ => Err(bad_argument("weight: number expected")),
                };
            };
            let second = args.get(1).filter(|_| host.content.rules.chance_priority_is_checked);
            let second = Option::<Num>::from_lua(second.cloned().unwrap_or(Value::Nil), lua)?;
            match number(value) {
                Some(n) if header == Header::Chance && second.is_some() => {
                    let chance = second.map_or(0.0, |second| second.0);
                    host.with_context(|ctx| {
                        prioritised_chance(ctx, &map.0, None, n as i64, chance as i64)
                    })
                    .map_err(spec_error)
                }
                Some(n) => number_statement(&map.0, header, truncate(n).into()).map_err(spec_error),
                None if value.is_nil() || header == Header::Chance => Ok(()),
                None => Err(bad_argument("weight: number expected")),
            }
        })?;
        let ranged = format!("depth_{name}");
        type Ranged = (MapRef, Text, Num, Value);
        api.function(&ranged, move |lua, host, (map, ranges, n, second): Ranged| {
            let prioritised =
                header == Header::Chance && host.content.rules.chance_priority_is_checked;
            let second = if prioritised { second } else { Value::Nil };
            let chance = Option::<Num>::from_lua(second, lua)?;
            host.with_context(|ctx| match chance {
                Some(chance) => {
                    let (priority, chance) = (n.0 as i64, chance.0 as i64);
                    prioritised_chance(ctx, &map.0, Some(&ranges.str()), priority, chance)
                }
                None => {
                    let n = truncate(n.0).into();
                    range_statement(ctx, &map.0, header, &ranges.str(), n)
                }
            })
            .map_err(spec_error)
        })?;
    }
    Ok(())
}

fn library(api: &Api) -> mlua::Result<()> {
    api.function("is_validating", |_, _, map: MapRef| Ok(map.0.validating.get()))?;
    api.function("map_register_flag", |_, host, tag: Text| {
        host.loading.extra_flags.insert(tag.str().into_owned());
        Ok(())
    })?;
    api.function("original_map", |_, host, map: MapRef| {
        let listed = host.library_asked().find(&map.0.def.borrow().name);
        Ok(listed.map(|index| MapRef(host.look_up(index))))
    })?;
    api.function("_current_map", |lua, host, ()| current_object(lua, host))
}

fn each_text(
    lua: &Lua,
    host: &mut Host,
    map: &Rc<MapCell>,
    header: Header,
    args: &[Value],
) -> mlua::Result<()> {
    if args.is_empty() {
        return Err(bad_argument("Expected args, got none."));
    }
    for value in args {
        if value.is_nil() {
            return Err(bad_argument("Unexpected nil."));
        }
        let Some(text) = text(value, lua) else {
            let name = header.lua_function();
            return Err(bad_argument(format!(
                "{name}: string expected, got {}",
                value.type_name()
            )));
        };
        say(lua, host, map, header, &text)?;
    }
    Ok(())
}

/// Carries out what Lua says as a header of its name does.
fn say(
    lua: &Lua,
    host: &mut Host,
    map: &Rc<MapCell>,
    header: Header,
    text: &[u8],
) -> mlua::Result<()> {
    map.say(text, || Ok(statement(lua, host, map, header, text)?), || call_in(lua, map.origin.file))
}

/// Installs the functions that say what the headers of their names say.
fn statements(api: &Api) -> mlua::Result<()> {
    use Header::{
        Clear, Colour, Fheight, Ftile, Item, Kfeat, Kitem, Kmask, Kmons, Kprop, Lfloorcol,
        Lfloortile, Lrockcol, Lrocktile, Mons, Nsubst, Rtile, Shuffle, Subst, Subvault, Tile,
    };
    let quick = |header| {
        move |host: &mut Host, map: &Rc<MapCell>, text: &[u8]| {
            plain_statement(host, map, header, text).map_err(spec_error)
        }
    };
    type Arguments = (MapRef, Variadic<Value>);
    let each = |header| {
        move |lua: &Lua, host: &mut Host, (map, args): Arguments| {
            each_text(lua, host, &map.0, header, &args)
        }
    };
    for header in [Subst, Nsubst, Shuffle, Clear, Colour, Ftile, Rtile, Tile, Kprop, Fheight] {
        api.quick_statement(header.lua_function(), quick(header), each(header))?;
    }
    api.function(Subvault.lua_function(), each(Subvault))?;
    for header in [Kfeat, Kmons, Kitem, Kmask] {
        let usual = move |lua: &Lua, host: &mut Host, (map, text): (MapRef, Text)| {
            say(lua, host, &map.0, header, &text.0)
        };
        api.quick_statement(header.lua_function(), quick(header), usual)?;
    }
    for header in [Mons, Item] {
        let usual = move |lua: &Lua, host: &mut Host, (map, args): Arguments| match args.first() {
            None => Ok(()),
            Some(Value::Nil) => {
                let mut def = map.0.def.borrow_mut();
                if header == Mons {
                    def.monsters.clear()
                } else {
                    def.items.clear()
                }
                Ok(())
            }
            Some(_) => each_text(lua, host, &map.0, header, &args[..1]),
        };
        api.quick_statement(header.lua_function(), quick(header), usual)?;
    }
    for header in [Lfloorcol, Lrockcol, Lfloortile, Lrocktile] {
        let name = header.lua_function();
        api.function(name, move |lua, host, (map, args): (MapRef, Variadic<Value>)| {
            // An argument that is nil is one that is wrong, and of tiles none is, too.
            let asked = matches!(header, Lfloorcol | Lrockcol) && args.is_empty();
            if !asked {
                let value = args.first().unwrap_or(&Value::Nil);
                let Some(text) = text(value, lua) else {
                    return Err(bad_argument(format!("{name}: string expected")));
                };
                say(lua, host, &map.0, header, &text)?;
            }
            let def = map.0.def.borrow();
            Ok(match header {
                Lfloorcol => shown_colour(&host.content, Some(&def.floor_colour)),
                Lrockcol => shown_colour(&host.content, Some(&def.rock_colour)),
                Lfloortile => def.floor_tile.clone(),
                _ => def.rock_tile.clone(),
            })
        })?;
    }
    Ok(())
}

fn terrain(api: &Api) -> mlua::Result<()> {
    api.function("set_feature_name", |_, host, args: MultiValue| {
        let args: Vec<Value> = args.into_iter().collect();
        let [map, feature, name] = &args[..] else {
            return Err(bad_argument("set_feature_name takes a feature and the new name."));
        };
        let (Some(feature), Some(name)) = (as_text(feature), as_text(name)) else {
            return Err(bad_argument("set_feature_name takes a feature and the new name."));
        };
        let Some(id) = host.content.features().by_name(&feature) else {
            return Err(bad_argument(format!("unknown feature '{feature}'.")));
        };
        with_map(map, |map| map.def.borrow_mut().feature_names.insert(id, name.clone()))?;
        Ok(())
    })?;
    api.function("set_border_fill_type", |_, host, (map, args): (MapRef, Variadic<Text>)| {
        let [feature] = &args[..] else {
            return Err(bad_argument("set_border_fill_type requires a feature."));
        };
        let features = host.content.features();
        let name = feature.str();
        let Some(id) = features.by_name(&name) else {
            return Err(bad_argument(format!("unknown feature '{name}'.")));
        };
        if !features.get(id).flags.valid_border() {
            let message = format!("set_border_fill_type cannot be the feature '{name}'.");
            return Err(bad_argument(message));
        }
        map.0.def.borrow_mut().border_fill = Some(id);
        Ok(())
    })
}

fn spawning(api: &Api) -> mlua::Result<()> {
    api.function("set_random_mon_list", |lua, host, args: MultiValue| {
        let (map, args) = with_optional_map(args)?;
        let [spec] = &args[..] else {
            let few = args.is_empty();
            return Err(bad_argument(if few {
                "Too few arguments."
            } else {
                "Too many arguments."
            }));
        };
        let slot = host.with_context(|ctx| monster_slot(lua, ctx, spec))?;
        let list = random_list(host.content.populations(), slot, &mut host.messages)?;
        match map {
            Some(map) => map.0.def.borrow_mut().random_monsters = Some(list),
            None if host.phase == Phase::Mapgen => {
                host.level.random_monsters = Some(list);
            }
            None => {}
        }
        Ok(())
    })?;
    api.function("spawn_random_rate", |_, host, args: MultiValue| {
        let (map, args) = with_optional_map(args)?;
        let rate = args.first().and_then(number).map(truncate);
        match (map, rate) {
            (Some(map), Some(rate)) => map.0.def.borrow_mut().spawn_rate = Some(rate),
            (None, Some(rate)) if host.phase == Phase::Mapgen => {
                host.level.spawn_rate = rate;
            }
            _ => {}
        }
        Ok(host.level.spawn_rate)
    })
}

/// Returns the map that a function was called with, if any, and the other arguments.
fn with_optional_map(args: MultiValue) -> mlua::Result<(Option<MapRef>, Vec<Value>)> {
    let mut args: Vec<Value> = args.into_iter().collect();
    let map = match args.first() {
        Some(Value::UserData(data)) => data.borrow::<MapRef>().ok().map(|map| map.clone()),
        _ => None,
    };
    if map.is_some() {
        args.remove(0);
    }
    Ok((map, args))
}

/// Returns the text of a slot that is fit to be a level's list of random monsters (spec 03 §6.6).
fn random_list(
    populations: &Populations,
    slot: MonsterSlot,
    messages: &mut Messages,
) -> mlua::Result<String> {
    if slot.alternatives.is_empty() {
        return Err(bad_argument("Mon list is empty."));
    }
    let mut texts = Vec::new();
    for (index, alternative) in slot.alternatives.into_iter().enumerate() {
        let number = index + 1;
        if matches!(alternative.kind, MonsterKind::PandemoniumLord) {
            continue;
        }
        let unplaced = alternative.place.is_none();
        // One of deeper levels is fine, as 0.28 was asked.
        let any = MonsterKind::Random { out_of_depth: 0, zombie: None };
        if unplaced && alternative.kind == any {
            return Err(bad_argument(format!(
                "mon #{number}: can't use random monster in list specifying random monsters"
            )));
        }
        let branch = alternative.place.map(|place| place.branch);
        if branch.is_some_and(|id| populations.of(id).is_empty()) {
            return Err(bad_argument(format!(
                "mon #{number}: Can't use a place with no natural monsters as a monster place."
            )));
        }
        if alternative.colour.is_some() || !alternative.items.is_empty() {
            let told = "colours and items are ignored in a list of random monsters";
            messages.add(None, format!("mon #{number}: {told}"));
        }
        texts.push(alternative.text.clone());
    }
    match texts.is_empty() {
        true => Err(bad_argument("Mon list contains only pandemonium lords.")),
        false => Ok(texts.join(" / ")),
    }
}

fn as_text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.to_string_lossy()),
        Value::Integer(n) => Some(n.to_string()),
        Value::Number(n) => Some(n.to_string()),
        _ => None,
    }
}

fn with_map<R>(value: &Value, f: impl FnOnce(&MapCell) -> R) -> mlua::Result<R> {
    match value {
        Value::UserData(data) => Ok(f(&data.borrow::<MapRef>()?.0)),
        _ => Err(bad_argument("Invalid map object")),
    }
}

/// Far beyond a level; a script that draws more does not end.
const MAX_SIDE: usize = 1000;

fn drawing(api: &Api) -> mlua::Result<()> {
    let one = |value: Value| Ok(Variadic::from_iter([value]));
    api.function("map", move |lua, _, (map, args): (MapRef, Variadic<Value>)| {
        let mut def = map.0.def.borrow_mut();
        if args.len() == 2 && args.iter().all(|value| number(value).is_some()) {
            let at = Point::new(coordinate(&args[0]), coordinate(&args[1]));
            return match def.grid.get(at) {
                Some(glyph) => one(Value::String(lua_string(lua, [glyph])?)),
                None => Err(Error::runtime(format!("Invalid coords: {}, {}", at.x, at.y))),
            };
        }
        match args.first() {
            None => {
                let rows = def.grid.rows().map(|row| lua_string(lua, row));
                let rows: Vec<_> = rows.collect::<mlua::Result<_>>()?;
                one(Value::Table(lua.create_sequence_from(rows)?))
            }
            Some(Value::Nil) => {
                def.clear_drawing();
                Ok(Variadic::new())
            }
            Some(value) => match text(value, lua) {
                Some(row) => {
                    if row.len() > MAX_SIDE || def.grid.rows().len() >= MAX_SIDE {
                        return Err(bad_argument("map: a map may not be larger than 1000x1000"));
                    }
                    def.grid.push_row(&row);
                    Ok(Variadic::new())
                }
                None => Err(bad_argument("map: string expected")),
            },
        }
    })?;
    api.function("normalise", |_, _, map: MapRef| {
        map.0.def.borrow_mut().grid.normalise();
        Ok(())
    })?;
    api.function("mapsize", |_, _, map: MapRef| {
        let def = map.0.def.borrow();
        Ok((def.grid.width(), def.grid.height()))
    })?;
    api.function("width", |_, _, map: MapRef| Ok(map.0.def.borrow().grid.width()))?;
    api.function("height", |_, _, map: MapRef| Ok(map.0.def.borrow().grid.height()))?;
    api.function("gly_point", |_, _, (map, glyph): (MapRef, Text)| {
        let def = map.0.def.borrow();
        let wanted = glyph.0.first().copied();
        let found = def.grid.points().find(|&p| def.grid.get(p) == wanted);
        Ok(found.map(|p| Variadic::from_iter([p.x, p.y])).unwrap_or_default())
    })?;
    api.function("gly_points", |_, _, (map, glyph): (MapRef, Text)| {
        let def = map.0.def.borrow();
        let wanted = glyph.0.first().copied();
        let found = def.grid.points().rev().filter(|&p| def.grid.get(p) == wanted);
        Ok(Variadic::from_iter(found.flat_map(|p| [p.x, p.y])))
    })
}

fn coordinate(value: &Value) -> i32 {
    number(value).map_or(-1, truncate)
}

fn tests(api: &Api) -> mlua::Result<()> {
    for (name, all) in [("points_connected", true), ("any_point_connected", false)] {
        api.function(name, move |_, host, (map, args): (MapRef, Variadic<Int>)| {
            let points = points_of(&args, 2)?;
            let def = map.0.def.borrow();
            let wanted = &points[1..];
            let found =
                host.with_context(|ctx| flood(&def, points[0], Sought::Points(wanted), ctx));
            Ok(if all { found.missed.is_empty() } else { found.missed.len() < wanted.len() })
        })?;
    }
    api.function("has_exit_from", |_, host, (map, args): (MapRef, Variadic<Int>)| {
        let points = points_of(&args, 1)?;
        let def = map.0.def.borrow();
        // Further points end the search as soon as they are all met (as 0.28 was asked).
        let sought = Sought::Exit(&points[1..]);
        Ok(host.with_context(|ctx| flood(&def, points[0], sought, ctx)).exit)
    })
}

/// Returns the points of coordinates, or an error if they are fewer than needed.
fn points_of(coordinates: &[Int], needed: usize) -> mlua::Result<Vec<Point>> {
    if coordinates.len() < 2 * needed {
        let points = "Not enough points to test connectedness";
        return Err(bad_argument(format!("{points} (need at least {needed})")));
    }
    Ok(coordinates.chunks_exact(2).map(|pair| Point::new(pair[0].0, pair[1].0)).collect())
}

fn subvaults(api: &Api) -> mlua::Result<()> {
    api.function("is_subvault", |_, _, map: MapRef| Ok(map.0.def.borrow().mask.is_some()))?;
    api.function("subvault_size", |_, _, map: MapRef| {
        let def = map.0.def.borrow();
        Ok(def.mask.as_ref().map_or((0, 0), |mask| (mask.width, mask.height)))
    })?;
    api.function("subvault_cell_valid", |_, _, (map, x, y): (MapRef, Int, Int)| {
        let def = map.0.def.borrow();
        Ok(def.mask.as_ref().is_some_and(|mask| mask.contains(Point::new(x.0, y.0))))
    })?;
    api.function("default_subvault_glyphs", |_, _, map: MapRef| {
        let mut def = map.0.def.borrow_mut();
        let Some(mask) = def.mask.clone() else { return Ok(()) };
        def.clear_drawing();
        let mut grid = Grid::default();
        grid.extend(mask.width, mask.height, b' ');
        for p in grid.points().filter(|&p| mask.contains(p)) {
            grid.set(p, b'.');
        }
        def.grid = grid;
        Ok(())
    })
}
