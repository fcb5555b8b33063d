//! `layout/zonify.lua`: filling all but the largest zones of a map or of the level (spec 06
//! §15.10).

use std::cmp::Reverse;
use std::rc::Rc;

use vaultwright_content::FeatureId;
use vaultwright_level::mask;
use vaultwright_lua::charge;
use vaultwright_lua::mlua::{self, Lua, MultiValue, Table, Value};
use vaultwright_map::{Point, Zones};
use vaultwright_native::{Area, fill_smallest_zones};

use super::{LibraryFile, Members, are_original, counterpart};
use crate::api::dgn_level::{feature_of, write_feature};
use crate::script::arguments::MapRef;
use crate::script::environment::plain_map;
use crate::state::host::{Host, Phase};

/// The text of 0.28 to 0.34 and of trunk.
pub(super) const TEXTS: &[&str] =
    &["2efb8ce30430b32558addc19987948e0acb0321f72e8d7ccc3c13cdcab811b95"];

/// The members of `dgn` that the Lua of these functions calls.
pub(super) const USED: &[&str] =
    &["dgn.mapsize", "dgn.grid", "dgn.in_vault", "dgn.is_passable", "dgn.feature_number"];

/// What a cell costs, in instructions.
const CELL: u64 = 4;

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Floor,
    Wall,
    Vault,
}

/// Replaces the four functions that fill; those they are made of stay Lua.
pub(super) fn install(file: &LibraryFile) -> mlua::Result<()> {
    let (lua, host) = (file.lua, file.host);
    let Value::Table(table) = lua.globals().raw_get("zonify")? else { return Ok(()) };
    let mut blocks = Members::of(lua, &table)?;
    let fills: [(&str, bool, bool); 4] = [
        ("map_fill_zones", true, false),
        ("map_fill_lava_zones", true, true),
        ("grid_fill_zones", false, false),
        ("grid_fill_water_zones", false, true),
    ];
    blocks.0.retain(|(name, _)| fills.iter().all(|(fill, ..)| fill != name));
    let blocks = Rc::new(blocks);
    for (name, on_map, liquid) in fills {
        let (slot, blocks) = (Rc::clone(&host.slot), Rc::clone(&blocks));
        let Value::Function(interpreted) = table.raw_get(name)? else { continue };
        if !file.is_proved(name, &interpreted)? {
            continue;
        }
        let fill = counterpart(lua, interpreted, move |lua, arguments| {
            let zonify = lua.globals().get::<Option<Table>>("zonify")?;
            let untouched = zonify.is_some_and(|zonify| blocks.are_in(&zonify));
            let filled = untouched
                && are_original(lua, USED)
                && match on_map {
                    true => fill_map(lua, &arguments, liquid)?,
                    false => slot.with(|host| fill_level(lua, host, &arguments, liquid))?,
                };
            Ok(if filled { Value::Boolean(true) } else { Value::Nil })
        })?;
        table.raw_set(name, fill)?;
    }
    Ok(())
}

/// How many zones stay, and how large they have to be; none for arguments that are not plain
/// numbers.
fn limits(keep: Option<&Value>, min_size: Option<&Value>) -> Option<(usize, f64)> {
    let number = |value: Option<&Value>, default| match value {
        None | Some(Value::Nil) => Some(default),
        Some(Value::Integer(number)) => Some(*number as f64),
        Some(Value::Number(number)) => Some(*number),
        Some(_) => None,
    };
    let keep = number(keep, 1.0).filter(|keep| keep.fract() == 0.0)?;
    Some((keep.clamp(0.0, 1e6) as usize, number(min_size, 1.0)?))
}

/// Fills zones of a map's glyphs (environment, keep, glyph, min_size); whether it did.
fn fill_map(lua: &Lua, arguments: &MultiValue, lava: bool) -> mlua::Result<bool> {
    let limits = limits(arguments.get(1), arguments.get(3));
    let glyph = match arguments.get(2) {
        None | Some(Value::Nil) => Some(b'x'),
        Some(Value::String(text)) if text.as_bytes().len() == 1 => text.as_bytes().first().copied(),
        Some(_) => None,
    };
    let map = match arguments.front() {
        Some(Value::Table(environment)) => plain_map(lua, environment)?,
        _ => None,
    };
    let (Some((keep, min_size)), Some(glyph), Some(MapRef(map))) = (limits, glyph, map) else {
        return Ok(false);
    };
    let mut def = map.def.borrow_mut();
    let Some(area) = inside(def.grid.width(), def.grid.height()) else { return Ok(false) };
    pay(lua, area)?;
    let kinds: [Kind; 256] = std::array::from_fn(|glyph| match glyph as u8 {
        b'l' if lava => Kind::Floor,
        b'w' | b'l' | b'x' | b'c' | b'v' | b'b' | b't' | b'g' => Kind::Wall,
        _ => Kind::Floor,
    });
    let rows: Vec<&[u8]> = def.grid.rows().collect();
    // What a ragged row does not have is blank.
    let kind = |x: usize, y: usize| kinds[usize::from(*rows[y].get(x).unwrap_or(&b' '))];
    for p in cells_to_fill(area, keep, min_size, kind) {
        def.grid.set(p, glyph);
    }
    Ok(true)
}

/// Fills zones of the level (keep, feature, min_size); whether it did.
fn fill_level(
    lua: &Lua,
    host: &mut Host,
    arguments: &MultiValue,
    water: bool,
) -> mlua::Result<bool> {
    let limits = limits(arguments.front(), arguments.get(2));
    let feature: Option<FeatureId> = match arguments.get(1) {
        None | Some(Value::Nil) => host.content.features().by_name("rock_wall"),
        Some(value @ Value::String(_)) => feature_of(&host.content, value),
        Some(_) => return Ok(false),
    };
    let Some((keep, min_size)) = limits else { return Ok(false) };
    let size = host.content.level_size();
    let Some(area) = inside(size.width(), size.height()) else { return Ok(false) };
    pay(lua, area)?;
    // Writing what is no feature writes nothing.
    let Some(feature) = feature else { return Ok(true) };
    let features = host.content.features();
    // While compiling, scripts see no feature.
    let deep = features.by_name("deep_water").filter(|_| host.phase != Phase::Compile);
    let level = &host.level;
    let kind = |x, y| {
        let here = point(x, y);
        let feature = level.feature(here);
        if level.mask(here) & mask::VAULT != 0 {
            return Kind::Vault;
        }
        let passable = feature.is_some_and(|id| features.get(id).flags.traversable());
        let flooded = water && deep.is_some() && feature == deep;
        if passable || flooded { Kind::Floor } else { Kind::Wall }
    };
    for p in cells_to_fill(area, keep, min_size, kind) {
        write_feature(lua, host, p, feature);
    }
    Ok(true)
}

/// Returns the cells of all zones of floor in an area but the largest ones.
fn cells_to_fill(
    area: Area,
    keep: usize,
    min_size: f64,
    kind: impl Fn(usize, usize) -> Kind,
) -> Vec<Point> {
    let (width, height) = (area.right - area.left + 1, area.bottom - area.top + 1);
    let mut floor = Vec::with_capacity(width * height);
    for y in area.top..=area.bottom {
        floor.extend((area.left..=area.right).map(|x| kind(x, y) == Kind::Floor));
    }
    let zones = Zones::of(width as i32, &floor);
    let Some(is_kept) = largest(&zones.sizes(), keep, min_size) else {
        let cells = fill_smallest_zones(area, Kind::Floor, keep, min_size, kind);
        return cells.into_iter().map(|(x, y)| point(x, y)).collect();
    };
    let corner = point(area.left, area.top);
    let filled = zones.stretches().filter(|&(zone, ..)| !is_kept[zone - 1]);
    let cells = filled.flat_map(|(_, first, length)| {
        (0..length as i32).map(move |x| corner.offset((first.x + x, first.y)))
    });
    cells.collect()
}

/// Returns which zones of these sizes stay; `None` if that depends on which of two of one size is
/// found first.
fn largest(sizes: &[usize], keep: usize, min_size: f64) -> Option<Vec<bool>> {
    let mut large: Vec<usize> =
        (0..sizes.len()).filter(|&zone| sizes[zone] as f64 > min_size).collect();
    large.sort_unstable_by_key(|&zone| Reverse(sizes[zone]));
    let (kept, others) = large.split_at(keep.min(large.len()));
    if let (Some(&last), Some(&next)) = (kept.last(), others.first())
        && sizes[last] == sizes[next]
    {
        return None;
    }
    let mut is_kept = vec![keep == 0; sizes.len()];
    kept.iter().for_each(|&zone| is_kept[zone] = true);
    Some(is_kept)
}

/// All cells but the outermost, if there are any.
fn inside(width: i32, height: i32) -> Option<Area> {
    let last = |size: i32| usize::try_from(size - 2).ok().filter(|&last| last >= 1);
    Some(Area { left: 1, top: 1, right: last(width)?, bottom: last(height)? })
}

fn pay(lua: &Lua, area: Area) -> mlua::Result<()> {
    charge(lua, (area.right * area.bottom) as u64 * CELL)
}

fn point(x: usize, y: usize) -> Point {
    Point::new(x as i32, y as i32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cells_are_those_that_a_walk_in_the_order_of_the_library_finds() {
        let area = Area { left: 1, top: 2, right: 24, bottom: 17 };
        let mut state = 11_u32;
        for round in 0..600 {
            let kinds: Vec<Kind> = (0..30 * 20)
                .map(|_| {
                    state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                    match (state >> 16) % 12 {
                        drawn if drawn < 3 + round % 5 => Kind::Floor,
                        11 => Kind::Vault,
                        _ => Kind::Wall,
                    }
                })
                .collect();
            let kind = |x: usize, y: usize| kinds[y * 30 + x];
            let (keep, min_size) = ((round % 4) as usize, f64::from(round % 7));
            let mut filled = cells_to_fill(area, keep, min_size, kind);
            let walked = fill_smallest_zones(area, Kind::Floor, keep, min_size, kind);
            let mut walked: Vec<Point> = walked.into_iter().map(|(x, y)| point(x, y)).collect();
            filled.sort_by_key(|p| (p.y, p.x));
            walked.sort_by_key(|p| (p.y, p.x));
            assert_eq!(filled, walked);
        }
    }

    #[test]
    fn of_zones_of_one_size_the_order_tells_if_not_all_of_them_stay() {
        let sizes = [5, 9, 5, 1];
        assert_eq!(largest(&sizes, 0, 1.0), Some(vec![true; 4]));
        assert_eq!(largest(&sizes, 1, 1.0), Some(vec![false, true, false, false]));
        assert_eq!(largest(&sizes, 2, 1.0), None);
        assert_eq!(largest(&sizes, 3, 1.0), Some(vec![true, true, true, false]));
        assert_eq!(largest(&sizes, 9, 0.0), Some(vec![true; 4]));
    }
}
