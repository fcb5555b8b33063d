//! `v_rooms.lua`: writing a room of the Vaults into a plan and on the level (spec 06 §15.9, step
//! 3).
//!
//! Everything is read, and decided, before anything is written, so that what is not plain can be
//! left to the Lua.

use std::ffi::CStr;

use vaultwright_content::{FeatureId, Features};
use vaultwright_lua::cells::{Held, read_cells};
use vaultwright_lua::mlua::{self, Lua, Table, Value};
use vaultwright_lua::room_building::{BuiltCell, DoorList, Doors, NewUse, build_room};
use vaultwright_lua::room_tables::{RoomPlace, list_room_cells};
use vaultwright_map::Point;
use vaultwright_native::{Built, Exit, Spot, SpotUse, Stand, WallSpot, build_wall};

use super::super::dgn_level::write_feature;
use super::v_room_places::Place;
use super::v_room_plan::{PLAN_WORDS, spot_from, spot_of};
use super::v_rooms::{is_true, plain};
use crate::state::host::Host;

/// What a room has on a cell.
struct RoomCell {
    vault: bool,
    wall: bool,
    connected: bool,
    side: u8,
    /// Whether others may use it.
    empty: bool,
    /// What it is made of, where that is to be written.
    feature: Option<FeatureId>,
}

/// Builds a room that fits at these places: the list of its cells, and of those that doors can be
/// in; none, with nothing written, for what is not plain.
pub(super) fn build(
    lua: &Lua,
    host: &mut Host,
    place: &Place,
    places: &[RoomPlace],
    stand: Stand,
) -> mlua::Result<Option<(Table, Doors)>> {
    if host.is_live() {
        return Ok(None);
    }
    let room = place.room.table();
    let (Some(grid), Some(masks)) =
        (plain(room.raw_get("grid")?), plain(room.raw_get("mask_grid")?))
    else {
        return Ok(None);
    };
    let features = host.content.features();
    let wall = features.by_name(&place.wall.to_string_lossy());
    let Some(cells) = room_cells(lua, features, place, (&grid, &masks), places)? else {
        return Ok(None);
    };
    let (Some(from), Some(spots)) = (spot_of(&place.from)?, spots(lua, place, places)?) else {
        return Ok(None);
    };
    let (Some(_), Some(normals)) = (plain(place.plan.raw_get("eligibles")?), normals(lua)?) else {
        return Ok(None);
    };
    for (at, cell) in places.iter().zip(&cells) {
        if let Some(feature) = if cell.wall { wall } else { cell.feature } {
            write_feature(lua, host, Point::new(at.plan.0, at.plan.1), feature);
        }
    }
    let built = places.iter().zip(&cells).zip(&spots);
    let built = built.map(|((at, cell), spot)| {
        let (usage, door) = becomes(cell, *spot, from, stand.turns);
        BuiltCell { at: at.plan, usage, door }
    });
    let built: Vec<BuiltCell> = built.collect();
    let depth = match place.from.raw_get("depth")? {
        Value::Integer(depth) => depth as f64,
        Value::Number(depth) => depth,
        _ => 1.0,
    };
    let list = list_room_cells(lua, &place.plan, &grid, &masks, places)?;
    let doors = build_room(lua, &place.plan, room, &list, &normals, depth + 1.0, &built)?;
    Ok(Some((list, doors)))
}

fn normals(lua: &Lua) -> mlua::Result<Option<Table>> {
    match lua.globals().raw_get("hypervaults")? {
        Value::Table(layouts) => Ok(plain(layouts.raw_get("normals")?)),
        _ => Ok(None),
    }
}

/// What becomes of a cell of the plan, and the list of doors that it is on.
fn becomes(cell: &RoomCell, spot: Spot, from: Spot, turns: u8) -> (NewUse, Option<DoorList>) {
    if cell.vault {
        return (if cell.empty { NewUse::Empty } else { NewUse::Vault }, None);
    }
    if !cell.wall {
        return (NewUse::Kept, None);
    }
    let (built, exit) = build_wall(WallSpot {
        was: spot.usage,
        from: from.usage,
        same_room: spot.room == from.room,
        connected: cell.connected,
    });
    let usage = match built {
        Built::Kept => NewUse::Kept,
        Built::Door => NewUse::Door,
        Built::Cell => NewUse::Cell,
        Built::Wall => NewUse::Wall,
        Built::Entrance => NewUse::Entrance {
            in_rock: from.usage == SpotUse::Eligible,
            normal: (cell.side + turns) % 4 + 1,
        },
    };
    let door = exit.map(|exit| match exit {
        Exit::Outer => DoorList::Outer,
        Exit::Inner => DoorList::Inner,
        Exit::Other => DoorList::Others(cell.side),
    });
    (usage, door)
}

/// What a room has at each place; none if that is not plain.
fn room_cells(
    lua: &Lua,
    features: &Features,
    place: &Place,
    (grid, masks): (&Table, &Table),
    places: &[RoomPlace],
) -> mlua::Result<Option<Vec<RoomCell>>> {
    const MASK: &[&CStr] = &[c"vault", c"wall", c"connected", c"dir"];
    let cells = read_cells(lua, masks, MASK, &[], |reader| {
        let mut cell = |&RoomPlace { room: (x, y), .. }: &RoomPlace| {
            let mut held = [Held::Nil; 4];
            reader.read(x, y, &mut held);
            let [vault, wall, connected] = [held[0], held[1], held[2]].map(is_true);
            let side = match held[3] {
                Held::Number(side) => [0, 1, 2, 3].into_iter().find(|&at| f64::from(at) == side),
                _ => None,
            };
            // Only there somebody asks for it.
            let side = if wall && connected && !vault { side? } else { 0 };
            Some(RoomCell { vault, wall, connected, side, empty: false, feature: None })
        };
        places.iter().map(&mut cell).collect::<Option<Vec<_>>>()
    })?;
    let Some(mut cells) = cells.flatten() else { return Ok(None) };
    let kind: Value = place.room.table().raw_get("type")?;
    let is_grid = matches!(kind, Value::String(kind) if kind == "grid");
    let mut last: (Vec<u8>, Option<FeatureId>) = Default::default();
    read_cells(lua, grid, &[c"empty", c"space", c"feature"], &[], |reader| {
        for (cell, &RoomPlace { room: (x, y), .. }) in cells.iter_mut().zip(places) {
            let mut held = [Held::Nil; 2];
            reader.read(x, y, &mut held);
            let [empty, space] = held.map(is_true);
            cell.empty = empty;
            if is_grid && !cell.wall && !space {
                let feature = reader.text(x, y, 2, |name| {
                    if last.0 != name {
                        last = (name.to_vec(), features.by_name(&String::from_utf8_lossy(name)));
                    }
                    last.1
                });
                cell.feature = feature.flatten();
            }
        }
    })?;
    Ok(Some(cells))
}

/// What each place of the plan is used for; none if that is not plain.
fn spots(lua: &Lua, place: &Place, places: &[RoomPlace]) -> mlua::Result<Option<Vec<Spot>>> {
    const FIELDS: &[&CStr] = &[c"usage", c"reason", c"room", c"eligibles_index"];
    let spots = read_cells(lua, &place.plan, FIELDS, PLAN_WORDS, |reader| {
        let mut spot = |&RoomPlace { plan: (x, y), .. }: &RoomPlace| {
            let mut held = [Held::Nil; 4];
            reader.read(x, y, &mut held);
            match held[3] {
                Held::Nil => {}
                Held::Number(number) if number.fract() == 0.0 && number.abs() < 1e6 => {}
                _ => return None,
            }
            spot_from([held[0], held[1], held[2]])
        };
        places.iter().map(&mut spot).collect::<Option<Vec<_>>>()
    })?;
    Ok(spots.flatten())
}
