//! `v_rooms.lua`: finding a place for a room of the Vaults (spec 06 §15.9, step 3).
//!
//! Of the up to fifty places that are tried for a room most do not do. These are tried natively;
//! where the room fits, the generator is put back to where it was before that place, and the Lua
//! builds the room there.

use std::rc::Rc;

use vaultwright_lua::cells::{Found, Held, read_cells};
use vaultwright_lua::charge;
use vaultwright_lua::known_functions::KnownFunction;
use vaultwright_lua::mlua::{self, Function, IntoLuaMulti, Lua, MultiValue, Table, Value};
use vaultwright_native::{Mask, RoomShape, SpotUse, Stand, room_fits};
use vaultwright_rng::Streams;

use super::v_room_plan::{PLAN_FIELDS, PLAN_WORDS, Plan, spot_of, usage_of};
use super::v_room_vetoes::{Answer, Growth, Veto};
use super::{LibraryFile, Members, are_original, native_library, stands_for, whole};
use crate::state::host::Host;
use crate::state::slot::Slot;

/// The text of 0.28.
pub(super) const TEXTS: &[&str] =
    &["9ef71815087a4124c5d29fbf20e44c244444e9e644fc4b4118c5f9a5e4b1c22a"];

/// The files whose functions the Lua calls.
pub(super) const FILES: &[&str] = &["dlua/iter.lua", "dlua/point.lua", "dlua/v_paint.lua"];

/// What the Lua of the function calls.
pub(super) const USED: &[&str] = &[
    "crawl.random2",
    "crawl.random_range",
    "dgn.max_bounds",
    "getmetatable",
    "ipairs",
    "math.min",
    "pairs",
    "setmetatable",
    "table.insert",
    "type",
];

/// What a try costs, and a cell that is looked at, in instructions.
const TRY: u64 = 60;
pub(super) const CELL: u64 = 8;

/// The largest side of a room: that of the Lua would be as large.
pub(super) const MAX_SIDE: i32 = 100;

/// The functions of libraries that the Lua calls, as they are in the tested texts.
pub(super) struct Library {
    globals: Members,
    point: KnownFunction,
    iterators: Table,
    rectangles: Members,
}

impl Library {
    /// What the Lua calls that finds a place for a room.
    fn of(lua: &Lua) -> mlua::Result<Option<Library>> {
        let Some(mut library) = Library::without_places(lua)? else { return Ok(None) };
        match lua.globals().raw_get("vaults_maybe_place_vault")? {
            Value::Function(function) => {
                library.globals.add(lua, "vaults_maybe_place_vault", function)?;
                Ok(Some(library))
            }
            _ => Ok(None),
        }
    }

    /// What the Lua calls that builds a room at a place.
    pub(super) fn without_places(lua: &Lua) -> mlua::Result<Option<Library>> {
        let globals = lua.globals();
        let mut functions = Members(Vec::new());
        for name in ["vaults_get_usage", "vaults_get_layout", "vaults_set_usage"] {
            match globals.raw_get::<Value>(name)? {
                Value::Function(function) => functions.add(lua, name, function)?,
                _ => return Ok(None),
            }
        }
        let (Value::Table(dgn), Value::Table(iter)) =
            (globals.raw_get("dgn")?, globals.raw_get("iter")?)
        else {
            return Ok(None);
        };
        let (Value::Function(point), Value::Table(iterators), Value::Function(rectangle)) = (
            dgn.raw_get::<Value>("point")?,
            iter.raw_get::<Value>("rectangle_iterator")?,
            iter.raw_get::<Value>("rect_iterator")?,
        ) else {
            return Ok(None);
        };
        let mut rectangles = Members::functions_of(lua, &iterators)?;
        rectangles.add(lua, "rect_iterator", rectangle)?;
        let point = KnownFunction::new(lua, "point", point)?;
        Ok(Some(Library { globals: functions, point, iterators, rectangles }))
    }

    /// Whether no script has replaced any of it.
    pub(super) fn is_untouched(&self, lua: &Lua) -> mlua::Result<bool> {
        let globals = lua.globals();
        let (Value::Table(dgn), Value::Table(iter)) =
            (globals.raw_get("dgn")?, globals.raw_get("iter")?)
        else {
            return Ok(false);
        };
        let iterators = iter.raw_get::<Value>("rectangle_iterator")?;
        Ok(self.globals.are_in(&globals)
            && self.point.is_in(&dgn)
            && iterators.to_pointer() == self.iterators.to_pointer()
            && self.rectangles.are_in_either(&self.iterators, &iter)
            && has_normals(&globals)?)
    }
}

/// The directions of the sides, in the order of the library.
pub(super) const NORMALS: [(i32, i32); 4] = [(0, -1), (-1, 0), (0, 1), (1, 0)];

/// Whether the directions of the library are those.
fn has_normals(globals: &Table) -> mlua::Result<bool> {
    let Value::Table(layouts) = globals.raw_get("hypervaults")? else { return Ok(false) };
    let Value::Table(normals) = layouts.raw_get("normals")? else { return Ok(false) };
    for (number, (x, y)) in NORMALS.into_iter().enumerate() {
        let Value::Table(normal) = normals.raw_get(number + 1)? else { return Ok(false) };
        let expected = [("x", x), ("y", y), ("dir", number as i32)];
        for (name, expected) in expected {
            if whole(&normal.raw_get(name)?) != Some(expected) {
                return Ok(false);
            }
        }
    }
    Ok(normals.raw_len() == NORMALS.len() && normals.metatable().is_none())
}

/// Replaces `place_vaults_room`.
pub(super) fn install(file: &LibraryFile) -> mlua::Result<()> {
    let (lua, host) = (file.lua, file.host);
    let globals = lua.globals();
    let Value::Function(interpreted) = globals.raw_get("place_vaults_room")? else {
        return Ok(());
    };
    // What writes a cell of a plan is only called where a room is built.
    let but = &["vaults_set_usage"];
    let Some(proof) = file.proof_but("place_vaults_room alone", &interpreted, FILES, but)? else {
        return Ok(());
    };
    let (slot, library) = (Rc::clone(&host.slot), Library::of(lua)?);
    let find = lua.create_function(move |lua, arguments: MultiValue| {
        let untouched = match &library {
            Some(library) => {
                proof.holds(lua) && are_original(lua, USED) && library.is_untouched(lua)?
            }
            None => false,
        };
        let outcome = match (untouched, Search::of(lua, &arguments)?) {
            (true, Some(mut search)) => search.run(lua, &slot)?,
            _ => None,
        };
        match outcome {
            None => Value::Nil.into_lua_multi(lua),
            Some(Outcome::Nowhere) => false.into_lua_multi(lua),
            Some(Outcome::Spot { tried, cell }) => {
                (tried, cell.raw_get::<Value>("spot")?, cell).into_lua_multi(lua)
            }
            Some(Outcome::Beside { tried, cell, at: (x, y) }) => {
                (tried, Value::Nil, cell, x, y).into_lua_multi(lua)
            }
        }
    })?;
    let placing: Function = native_library(lua)?.raw_get("placing")?;
    let place: Function = placing.call((find, &interpreted))?;
    stands_for(lua, &place, &interpreted);
    globals.raw_set("place_vaults_room", place)
}

/// How a search ends.
enum Outcome {
    Nowhere,
    /// The room fits at a spot of the list; so many places had been tried before.
    Spot {
        tried: i32,
        cell: Table,
    },
    /// The room fits at a cell near one.
    Beside {
        tried: i32,
        cell: Table,
        at: (i32, i32),
    },
}

/// How far a search comes without a call of Lua.
enum Tried {
    /// To its end.
    All(Outcome),
    /// To a cell of which nobody has said whether a room may grow from it.
    Until { tried: i32, cell: Table, growth: Growth },
}

/// A table without metatable.
pub(super) fn plain(value: Value) -> Option<Table> {
    match value {
        Value::Table(table) if table.metatable().is_none() => Some(table),
        _ => None,
    }
}

pub(super) fn point(table: &Table) -> mlua::Result<Option<(i32, i32)>> {
    Ok(whole(&table.raw_get("x")?).zip(whole(&table.raw_get("y")?)))
}

/// A room that is to be placed.
pub(super) struct Room {
    table: Table,
    size: (i32, i32),
    walls: Vec<Wall>,
}

/// How a room would stand at a place.
pub(super) enum Drawn {
    /// It has no door, so that it stands nowhere.
    Nohow,
    /// With one of its doors there, which is in the wall of a side.
    So { stand: Stand, door: Table, wall: u8 },
}

/// A wall from which a room can be entered.
struct Wall {
    number: i32,
    cells: Table,
    count: i32,
}

/// What is asked for: a place for a room in a plan.
struct Search {
    tried: i32,
    most: f64,
    plan: Table,
    spots: Table,
    room: Room,
    veto: Veto,
}

impl Search {
    /// From the number of places tried before, and the arguments of the Lua (environment, plan,
    /// room, options); none for what is not plain.
    fn of(lua: &Lua, arguments: &MultiValue) -> mlua::Result<Option<Search>> {
        let argument = |index: usize| arguments.get(index).cloned().and_then(plain);
        let (Some(plan), Some(room), Some(options)) = (argument(2), argument(3), argument(4))
        else {
            return Ok(None);
        };
        let (Some(tried), Some(veto)) =
            (arguments.front().and_then(whole), Veto::of(lua, &options)?)
        else {
            return Ok(None);
        };
        let most = match options.raw_get("max_place_tries")? {
            Value::Integer(most) => most as f64,
            Value::Number(most) => most,
            _ => return Ok(None),
        };
        // Without any try the Lua answers otherwise.
        if most.is_nan() || most <= 0.0 {
            return Ok(None);
        }
        let (Some(spots), Some(room)) = (plain(plan.raw_get("eligibles")?), Room::of(room)?) else {
            return Ok(None);
        };
        Ok((spots.raw_len() > 0).then_some(Search { tried, most, plan, spots, room, veto }))
    }

    /// Tries places until the room fits; none, with nothing drawn, for what is not plain.
    fn run(&mut self, lua: &Lua, slot: &Slot<Host>) -> mlua::Result<Option<Outcome>> {
        let Some(shape) = self.room.shape(lua)? else { return Ok(None) };
        let start = slot.with(|host| Ok(host.game.streams.clone()))?;
        loop {
            match slot.with(|host| self.tries(lua, &shape, &mut host.game.streams))? {
                Some(Tried::All(outcome)) => return Ok(Some(outcome)),
                Some(Tried::Until { tried, cell, growth }) => {
                    self.tried = tried;
                    self.veto.ask(lua, &cell, growth)?;
                }
                None => {
                    slot.with(|host| {
                        host.game.streams = start;
                        Ok(())
                    })?;
                    return Ok(None);
                }
            }
        }
    }

    fn tries(
        &self,
        lua: &Lua,
        shape: &RoomShape,
        streams: &mut Streams,
    ) -> mlua::Result<Option<Tried>> {
        let mut looked_at = 0;
        let tried = read_cells(lua, &self.plan, PLAN_FIELDS, PLAN_WORDS, |cells| {
            let mut plan = Plan::new(cells);
            let tried = self.search(shape, &mut plan, streams);
            looked_at = plan.looked_at;
            tried
        })?;
        let Some(tried) = tried.transpose()?.flatten() else { return Ok(None) };
        let count = match &tried {
            Tried::All(Outcome::Spot { tried, .. } | Outcome::Beside { tried, .. })
            | Tried::Until { tried, .. } => *tried,
            Tried::All(Outcome::Nowhere) => self.most as i32,
        };
        charge(lua, (count - self.tried).max(0) as u64 * TRY + looked_at * CELL)?;
        Ok(Some(tried))
    }

    fn search(
        &self,
        shape: &RoomShape,
        plan: &mut Plan,
        streams: &mut Streams,
    ) -> mlua::Result<Option<Tried>> {
        let mut tried = self.tried;
        let count = self.spots.raw_len() as i32;
        while f64::from(tried) < self.most {
            let before_try = streams.clone();
            let number = streams.random_range_avg(1, count, 1);
            let Some(cell) = plain(self.spots.raw_get(number)?) else { return Ok(None) };
            let Value::Table(at) = cell.raw_get("spot")? else { return Ok(None) };
            let Some(mut at) = point(&at)? else { return Ok(None) };
            let mut from = cell.clone();
            let mut beside = false;
            if usage_of(&cell)? == Some(SpotUse::Open) {
                let near = plan.walls_near(at);
                if !near.is_empty() {
                    at = near[streams.random2(near.len() as i32) as usize];
                    let Some(cell) = self.cell(at)? else { return Ok(None) };
                    (from, beside) = (cell, true);
                }
            }
            let is_vetoed = match self.veto.answer(&from)? {
                Answer::Given(answer) => answer,
                Answer::Odd => return Ok(None),
                Answer::NotYet(growth) => {
                    *streams = before_try;
                    return Ok(Some(Tried::Until { tried, cell: from, growth }));
                }
            };
            let before = streams.clone();
            let drawn = self.room.draw(streams, at, &from)?;
            let fits = match (drawn, spot_of(&from)?) {
                (Some(Drawn::Nohow), _) => false,
                (Some(Drawn::So { .. }), Some(_)) if is_vetoed => false,
                (Some(Drawn::So { stand, .. }), Some(spot)) => {
                    match room_fits(shape, stand, spot, &mut |x, y| plan.spot(x, y)) {
                        Some(fits) => fits,
                        None => return Ok(None),
                    }
                }
                _ => return Ok(None),
            };
            if plan.odd {
                return Ok(None);
            }
            if fits {
                *streams = before;
                return Ok(Some(Tried::All(match beside {
                    true => Outcome::Beside { tried, cell: from, at },
                    false => Outcome::Spot { tried, cell: from },
                })));
            }
            tried += 1;
        }
        Ok((!plan.odd).then_some(Tried::All(Outcome::Nowhere)))
    }

    /// The cell of the plan at a place.
    fn cell(&self, (x, y): (i32, i32)) -> mlua::Result<Option<Table>> {
        match plain(self.plan.raw_get(y)?) {
            Some(row) => Ok(plain(row.raw_get(x)?)),
            None => Ok(None),
        }
    }
}

impl Room {
    /// None if it is not plain.
    pub(super) fn of(room: Table) -> mlua::Result<Option<Room>> {
        let (Some(size), Some(walls)) =
            (plain(room.raw_get("size")?), plain(room.raw_get("walls")?))
        else {
            return Ok(None);
        };
        let Some(size) = point(&size)? else { return Ok(None) };
        let is_sane = |side: i32| (1..=MAX_SIDE).contains(&side);
        if !is_sane(size.0) || !is_sane(size.1) {
            return Ok(None);
        }
        let Some(walls) = Room::walls(&walls)? else { return Ok(None) };
        Ok(Some(Room { table: room, size, walls }))
    }

    pub(super) fn table(&self) -> &Table {
        &self.table
    }

    pub(super) fn size(&self) -> (i32, i32) {
        self.size
    }

    /// The walls with an entrance; none if they are not plain.
    fn walls(all: &Table) -> mlua::Result<Option<Vec<Wall>>> {
        let mut walls = Vec::new();
        for number in 0..4 {
            let Some(cells) = plain(all.raw_get(number)?) else { return Ok(None) };
            if !matches!(cells.raw_get("eligible")?, Value::Nil | Value::Boolean(false)) {
                let count = cells.raw_len() as i32;
                walls.push(Wall { number, cells, count });
            }
        }
        Ok(Some(walls))
    }

    /// Draws how the room would stand at a place; none for what is not plain.
    pub(super) fn draw(
        &self,
        streams: &mut Streams,
        at: (i32, i32),
        from: &Table,
    ) -> mlua::Result<Option<Drawn>> {
        if self.walls.is_empty() {
            return Ok(Some(Drawn::Nohow));
        }
        let wall = &self.walls[streams.random2(self.walls.len() as i32) as usize];
        if wall.count == 0 {
            return Ok(Some(Drawn::Nohow));
        }
        let Some(door) = plain(wall.cells.raw_get(streams.random2(wall.count) + 1)?) else {
            return Ok(None);
        };
        let Value::Table(entrance) = door.raw_get("pos")? else { return Ok(None) };
        let direction = match usage_of(from)? {
            Some(SpotUse::Open) => Some(streams.random_range_avg(1, 4, 1) - 1),
            Some(SpotUse::Eligible | SpotUse::EligibleOpen) => direction(from)?,
            _ => None,
        };
        let (Some(entrance), Some(direction)) = (point(&entrance)?, direction) else {
            return Ok(None);
        };
        let turns = (direction - wall.number + 2).rem_euclid(4) as u8;
        let stand = Stand { door: entrance, at, turns };
        let wall = wall.number as u8;
        Ok(Some(Drawn::So { stand, door, wall }))
    }

    /// What the room has on its cells; none if that is not plain.
    pub(super) fn shape(&self, lua: &Lua) -> mlua::Result<Option<RoomShape>> {
        let (Some(masks), Some(grid)) =
            (plain(self.table.raw_get("mask_grid")?), plain(self.table.raw_get("grid")?))
        else {
            return Ok(None);
        };
        let (width, height) = self.size;
        for y in -2..=height + 1 {
            if !matches!(grid.raw_get(y)?, Value::Nil) && plain(grid.raw_get(y)?).is_none() {
                return Ok(None);
            }
        }
        let shape = read_cells(lua, &masks, &[c"vault", c"wall"], &[], |cells| {
            let mut odd = false;
            let mut mask = |x: i32, y: i32, within: bool| {
                let mut held = [Held::Nil; 2];
                let found = cells.read(x, y, &mut held);
                let [vault, wall] = held.map(is_true);
                odd |= found != if within { Found::Cell } else { Found::Nothing };
                match (found, vault, wall) {
                    (Found::Cell, _, true) => Mask::Wall,
                    (Found::Cell, true, _) => Mask::Vault,
                    _ => Mask::Nothing,
                }
            };
            let shape = RoomShape::new(width, height, |x, y| mask(x, y, true));
            for x in -2..=width + 1 {
                mask(x, -2, false);
                mask(x, height + 1, false);
            }
            for y in -1..=height {
                mask(-2, y, false);
                mask(width + 1, y, false);
            }
            (!odd).then_some(shape)
        })?;
        Ok(shape.flatten())
    }
}

pub(super) fn is_true(held: Held) -> bool {
    !matches!(held, Held::Nil | Held::Flag(false))
}

/// Where a spot's floor or room lies, as a number of `NORMALS`.
fn direction(cell: &Table) -> mlua::Result<Option<i32>> {
    let Value::Table(normal) = cell.raw_get("normal")? else { return Ok(None) };
    match normal.raw_get("dir")? {
        Value::Nil => {
            let normal = point(&normal)?;
            Ok(NORMALS.iter().position(|&side| Some(side) == normal).map(|number| number as i32))
        }
        number => Ok(whole(&number).filter(|number| (0..4).contains(number))),
    }
}
