//! `v_paint.lua`: painting a floor plan of the Vaults on a level (spec 06 §15.9, steps 1 and 2).
//!
//! The plan of the Lua has a table for each cell, and nobody sees it: natively there is none.

use std::rc::Rc;

use vaultwright_content::{FeatureId, Features};
use vaultwright_lua::charge;
use vaultwright_lua::mlua::{self, Function, Lua, LuaString, MultiValue, Table, Value};
use vaultwright_map::Point;
use vaultwright_native::usage_of_plan;
use vaultwright_rng::Streams;

use super::super::dgn_level::write_feature;
use super::v_paint::{CELL, distance_from_walls, write_usage};
use super::v_rooms::{plain, point};
use super::{LibraryFile, are_original, counterpart, place_of, whole};
use crate::state::host::Host;

/// What the Lua calls of the host and of Lua.
pub(super) const PAINTING: &[&str] =
    &["crawl.random2", "dgn.grid", "dgn.max_bounds", "feat.has_solid_floor", "ipairs", "pairs"];

/// What it calls of the library, and where that is written.
const OF_LIBRARY: &[(Option<&str>, &str, (&str, usize))] = &[
    (None, "paint_grid", ("dlua/v_paint.lua", 246)),
    (Some("util"), "foreach", ("dlua/util.lua", 191)),
    (Some("util"), "random_weighted_from", ("dlua/util.lua", 298)),
];

/// The wall for which the Lua does more than to paint with it.
const SPECIAL_WALL: &str = "crystal_wall";

/// Replaces `paint_vaults_layout`.
pub(super) fn install(file: &LibraryFile, interpreted: Function) -> mlua::Result<()> {
    let (lua, host) = (file.lua, file.host);
    if !file.is_proved("paint_vaults_layout", &interpreted)? {
        return Ok(());
    }
    let slot = Rc::clone(&host.slot);
    let paint = counterpart(lua, interpreted, move |lua, arguments| {
        if !are_original(lua, PAINTING) || !is_library_untouched(lua)? {
            return Ok(Value::Nil);
        }
        let painted = slot.with(|host| painted(lua, host, &arguments))?;
        Ok(painted.map_or(Value::Nil, Value::Table))
    })?;
    lua.globals().raw_set("paint_vaults_layout", paint)
}

fn is_library_untouched(lua: &Lua) -> mlua::Result<bool> {
    let globals = lua.globals();
    for (table, name, place) in OF_LIBRARY {
        let table = match table {
            None => globals.clone(),
            Some(table) => match globals.raw_get(*table)? {
                Value::Table(table) => table,
                _ => return Ok(false),
            },
        };
        match table.raw_get(*name)? {
            Value::Function(function) if place_of(lua, &function) == Some(*place) => {}
            _ => return Ok(false),
        }
    }
    Ok(true)
}

/// What a cell of a plan has been painted with.
#[derive(Clone, Copy)]
enum Painted {
    /// Nothing: it becomes wall.
    Nothing,
    /// What is on the level stays.
    Space,
    Feature(FeatureId),
}

/// A rectangle that is painted, its corners included.
struct Item {
    with: Painted,
    from: (i32, i32),
    to: (i32, i32),
}

/// Paints on the level, and returns how the plan (paint, options) is used; none, with nothing drawn
/// or written, for what is not plain.
fn painted(lua: &Lua, host: &mut Host, arguments: &MultiValue) -> mlua::Result<Option<Table>> {
    let argument = |index: usize| arguments.get(index).cloned().and_then(plain);
    let (Some(paint), Some(options)) = (argument(0), argument(1)) else { return Ok(None) };
    let Some(distance) = distance_from_walls(&options) else { return Ok(None) };
    if host.is_live() {
        return Ok(None);
    }
    let start = host.game.streams.clone();
    let (wall, is_drawn) = match options.raw_get("layout_wall_weights")? {
        Value::Nil => (text(options.raw_get("layout_wall_type")?), false),
        weights => match plain(weights) {
            Some(weights) => (drawn_wall(&weights, &mut host.game.streams)?, true),
            None => (None, true),
        },
    };
    let features = host.content.features();
    let known = wall.as_ref().and_then(|wall| named(features, wall));
    let items = match known {
        Some(wall) => items(features, &paint, &options, wall)?,
        None => None,
    };
    let (Some(wall), Some(known), Some(items)) = (wall, known, items) else {
        host.game.streams = start;
        return Ok(None);
    };
    let size = host.content.level_size();
    let (width, height) = (size.width() as usize, size.height() as usize);
    charge(lua, (width * height) as u64 * 2 * CELL)?;
    if is_drawn {
        options.raw_set("layout_wall_type", wall)?;
    }
    let cells = cells_of(&items, width, height);
    let is_floor = |cell: &Painted| match cell {
        Painted::Nothing => false,
        Painted::Space => true,
        Painted::Feature(feature) => features.get(*feature).flags.solid_floor(),
    };
    let floor: Vec<bool> = cells.iter().map(is_floor).collect();
    for x in 0..width {
        for y in 0..height {
            let p = Point::new(x as i32, y as i32);
            match cells[y * width + x] {
                Painted::Nothing => write_feature(lua, host, p, known),
                Painted::Space => {}
                Painted::Feature(feature) => write_feature(lua, host, p, feature),
            }
        }
    }
    let usages = usage_of_plan(width, height, &floor, distance);
    write_usage(lua, width, height, &usages).map(Some)
}

/// The wall that `random_weighted_from` draws; none for what is not plain.
fn drawn_wall(weights: &Table, streams: &mut Streams) -> mlua::Result<Option<LuaString>> {
    let (mut sum, mut chosen) = (0i32, None);
    for index in 1..=weights.raw_len() {
        let Some(entry) = plain(weights.raw_get(index)?) else { return Ok(None) };
        let weight = match entry.raw_get("weight")? {
            Value::Nil => Some(10),
            value => whole(&value),
        };
        let (Some(weight), Some(feature)) = (weight, text(entry.raw_get("feature")?)) else {
            return Ok(None);
        };
        let Some(more) = sum.checked_add(weight) else { return Ok(None) };
        sum = more;
        if streams.random2(sum) < weight {
            chosen = Some(feature);
        }
    }
    Ok(chosen.filter(|wall| wall.as_bytes() != SPECIAL_WALL.as_bytes()))
}

/// What is painted, in order; none for what is not plain.
fn items(
    features: &Features,
    paint: &Table,
    options: &Table,
    wall: FeatureId,
) -> mlua::Result<Option<Vec<Item>>> {
    let floor = text(options.raw_get("layout_floor_type")?);
    let Some(floor) = floor.and_then(|floor| named(features, &floor)) else { return Ok(None) };
    let mut items = Vec::new();
    for index in 1..=paint.raw_len() {
        let Some(item) = plain(paint.raw_get(index)?) else { return Ok(None) };
        let (mut kind, mut feature) = (None, None);
        let (mut from, mut to) = (None, None);
        for pair in item.pairs::<Value, Value>() {
            let (Value::String(key), value) = pair? else { return Ok(None) };
            match (&*key.as_bytes(), value) {
                (b"type", Value::String(value)) => kind = Some(value),
                (b"feature", Value::String(value)) => feature = Some(value),
                (b"corner1", value) => from = corner(value)?,
                (b"corner2", value) => to = corner(value)?,
                (b"shape", Value::String(value)) if value == "quad" => {}
                (b"empty", Value::Boolean(_)) => {}
                _ => return Ok(None),
            }
        }
        let with = match (&kind, &feature) {
            (Some(kind), _) if kind == "floor" => Some(Painted::Feature(floor)),
            (Some(kind), _) if kind == "wall" => Some(Painted::Feature(wall)),
            (Some(kind), _) if kind == "space" => Some(Painted::Space),
            (None, Some(feature)) => named(features, feature).map(Painted::Feature),
            _ => None,
        };
        let (Some(with), Some(from), Some(to)) = (with, from, to) else { return Ok(None) };
        items.push(Item { with, from, to });
    }
    Ok(Some(items))
}

fn corner(value: Value) -> mlua::Result<Option<(i32, i32)>> {
    plain(value).map_or(Ok(None), |corner| point(&corner))
}

fn cells_of(items: &[Item], width: usize, height: usize) -> Vec<Painted> {
    let mut cells = vec![Painted::Nothing; width * height];
    for item in items {
        for y in item.from.1.max(0)..=item.to.1.min(height as i32 - 1) {
            for x in item.from.0.max(0)..=item.to.0.min(width as i32 - 1) {
                cells[y as usize * width + x as usize] = item.with;
            }
        }
    }
    cells
}

fn text(value: Value) -> Option<LuaString> {
    match value {
        Value::String(text) => Some(text),
        _ => None,
    }
}

/// The feature of a name; none for empty space, which is painted otherwise.
fn named(features: &Features, name: &LuaString) -> Option<FeatureId> {
    let name = name.to_str().ok().filter(|name| &**name != "space")?;
    features.by_name(&name)
}
