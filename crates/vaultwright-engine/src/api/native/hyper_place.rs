//! `layout/hyper_place.lua`: whether a room can stand at a place of a plan, and writing it there
//! (spec 06 §15.13).

use std::ffi::CStr;
use std::rc::Rc;
use std::sync::Arc;

use vaultwright_content::FeatureId;
use vaultwright_lua::cells::{Found, Held, read_cells};
use vaultwright_lua::charge;
use vaultwright_lua::mlua::{self, Function, IntoLuaMulti, Lua, MultiValue, Table, Value};
use vaultwright_lua::room_coords::{Coord, PlacedCell, read_coords, write_coords};
use vaultwright_lua::room_settling::room_settler;
use vaultwright_map::Point;
use vaultwright_native::{CellRule, PlacedSpot, PlanSpot, placed_cells};

use super::super::dgn_level::{feature_of, write_feature};
use super::hyper_usage::{PlanFunctions, PlanTool, normals};
use super::known_place::KnownPlace;
use super::v_rooms::{NORMALS, is_true, plain, point};
use super::{LibraryFile, are_original, native_library, place_of, plain_number, stands_for, whole};
use crate::state::host::Host;

/// The text of `hyper_strategy.lua` of 0.28.
pub(super) const STRATEGIES: &[&str] =
    &["7f346deefd4c0a0039fe4c625c681e514a78d9ac31864d35c76a097a81edfc29"];
/// The text of `hyper_decor.lua` of 0.28.
pub(super) const DECORATIONS: &[&str] =
    &["ec344c9a8f58fd69c461ef2521b543f0683fd8655b09a73593a0aa87d6de8eb6"];

/// What the Lua of the functions calls.
pub(super) const USED: &[&str] = &["dgn.grid", "ipairs", "table.insert", "table.remove"];

/// What a cell costs, in instructions.
const CELL: u64 = 12;
/// The largest side of a room.
const MAX_SIDE: i32 = 200;

/// The functions of the library that the Lua calls.
struct Library {
    mapped: KnownPlace,
    any: KnownPlace,
    free: KnownPlace,
    open: KnownPlace,
}

impl Library {
    fn new() -> Library {
        let strategy = |path, line| KnownPlace::new(path, "dlua/layout/hyper_strategy.lua", line);
        Library {
            mapped: KnownPlace::new("vector.add_mapped", "dlua/layout/vector.lua", 31),
            any: strategy("hyper.place.cell_veto_none", 198),
            free: strategy("hyper.place.cell_veto_standard", 181),
            open: strategy("hyper.place.cell_veto_open", 231),
        }
    }

    fn is_untouched(&self, lua: &Lua) -> mlua::Result<bool> {
        Ok(are_original(lua, USED)
            && PlanFunctions::are_untouched(lua)
            && self.mapped.is_there(lua)?
            && self.any.is_there(lua)?
            && self.free.is_there(lua)?
            && self.open.is_there(lua)?)
    }
}

/// Replaces `hyper.place.process_room_place` and `hyper.place.apply_room`.
pub(super) fn install(file: &LibraryFile) -> mlua::Result<()> {
    let (lua, host) = (file.lua, file.host);
    let Some(hyper) = plain(lua.globals().raw_get("hyper")?) else { return Ok(()) };
    let Some(place) = plain(hyper.raw_get("place")?) else { return Ok(()) };
    let (Value::Function(process), Value::Function(apply)) =
        (place.raw_get("process_room_place")?, place.raw_get("apply_room")?)
    else {
        return Ok(());
    };
    if !file.is_proved("hyper.place.process_room_place", &process)?
        || !file.is_proved("hyper.place.apply_room", &apply)?
    {
        return Ok(());
    }
    let library = Rc::new(Library::new());
    let native_library = native_library(lua)?;

    let known = Rc::clone(&library);
    let find = lua.create_function(move |lua, arguments: MultiValue| {
        let place = match known.is_untouched(lua)? {
            true => Place::of(lua, &arguments, &known)?,
            false => None,
        };
        match place.map(|place| place.coords(lua)).transpose()?.flatten() {
            Some(Some((coords, (x, y)))) => (coords, x, y).into_lua_multi(lua),
            Some(None) => false.into_lua_multi(lua),
            None => Value::Nil.into_lua_multi(lua),
        }
    })?;
    let standing: Function = native_library.raw_get("standing")?;
    let processed: Function = standing.call((find, &process))?;
    stands_for(lua, &processed, &process);
    place.raw_set("process_room_place", processed)?;

    let (slot, settler) = (Rc::clone(&host.slot), PlanTool::new(room_settler));
    let settle = lua.create_function(move |lua, arguments: MultiValue| {
        let room = match library.is_untouched(lua)? {
            true => Built::of(lua, &arguments)?,
            false => None,
        };
        let (Some(room), Some(settler)) = (room, settler.get(lua)?) else {
            return Value::Nil.into_lua_multi(lua);
        };
        let built = slot.with(|host| room.write(lua, host))?;
        match built {
            true => room.for_settler(lua, settler),
            false => Value::Nil.into_lua_multi(lua),
        }
    })?;
    let settling: Function = native_library.raw_get("settling")?;
    let applied: Function = settling.call((settle, &apply))?;
    stands_for(lua, &applied, &apply);
    place.raw_set("apply_room", applied)
}

/// A place for a room in a plan.
struct Place {
    plan: Table,
    grid: Table,
    size: (i32, i32),
    /// Where the first cell of the room is.
    base: (i32, i32),
    axes: Axes,
    rule: CellRule,
    /// The address of the room that it is joined to.
    joined: Held,
}

/// Where the right and the bottom of a room are.
struct Axes {
    right: (i32, i32),
    down: (i32, i32),
}

impl Axes {
    fn of(turns: u8) -> Axes {
        let normal = |side: u8| NORMALS[usize::from((turns + side) % 4)];
        Axes { right: normal(3), down: normal(2) }
    }

    fn place(&self, (left, top): (i32, i32), x: i32, y: i32) -> (i32, i32) {
        let (right, down) = (self.right, self.down);
        (left + x * right.0 + y * down.0, top + x * right.1 + y * down.1)
    }
}

/// Quarter turns against the clock.
fn turns(value: &Value) -> Option<u8> {
    whole(value).and_then(|turns| u8::try_from(turns).ok()).filter(|&turns| turns < 4)
}

/// A point whose sides are whole, and no noughts with a sign, which sums would keep.
fn usual_point(value: Value) -> mlua::Result<Option<(i32, i32)>> {
    let Some(table) = plain(value) else { return Ok(None) };
    for name in ["x", "y"] {
        let side = plain_number(&table.raw_get(name)?);
        if side.is_some_and(|side| side == 0.0 && side.is_sign_negative()) {
            return Ok(None);
        }
    }
    point(&table)
}

const PLAN_FIELDS: &[&CStr] = &[c"vault", c"solid", c"wall", c"restricted", c"room"];
const ROOM_FIELDS: &[&CStr] = &[c"space", c"buffer"];

impl Place {
    /// From the arguments of the Lua (anchor, place, room, strategy, build, plan, options); none
    /// for what is not plain.
    fn of(lua: &Lua, arguments: &MultiValue, library: &Library) -> mlua::Result<Option<Place>> {
        let argument = |index: usize| arguments.get(index).cloned().and_then(plain);
        let (Some(anchor), Some(place), Some(room), Some(strategy)) =
            (argument(0), argument(1), argument(2), argument(3))
        else {
            return Ok(None);
        };
        let (Some(build), Some(plan), Some(options)) = (argument(4), argument(5), argument(6))
        else {
            return Ok(None);
        };
        // The Lua reads a global that it never sets.
        let globals = lua.globals();
        let is_asked = !options.raw_get::<Value>("veto_place_callback")?.is_nil()
            || !strategy.raw_get::<Value>("veto_place")?.is_nil()
            || !globals.raw_get::<Value>("chosen_wall")?.is_nil();
        if is_asked || globals.metatable().is_some() || normals(lua)?.is_none() {
            return Ok(None);
        }
        let (Some(turns), Some((x, y)), Some(at)) = (
            turns(&anchor.raw_get("dir")?),
            usual_point(anchor.raw_get("origin")?)?,
            usual_point(place.raw_get("pos")?)?,
        ) else {
            return Ok(None);
        };
        let (Some(from), Some(size), Some(grid)) = (
            plain(place.raw_get("usage")?),
            usual_point(room.raw_get("size")?)?,
            plain(room.raw_get("grid")?),
        ) else {
            return Ok(None);
        };
        let is_sane = |side: i32| (1..=MAX_SIDE).contains(&side);
        let Some((rule, joined)) = rule(&room, &build, &from, library)? else { return Ok(None) };
        if !is_sane(size.0) || !is_sane(size.1) {
            return Ok(None);
        }
        let axes = Axes::of(turns);
        let base = axes.place(at, -x, -y);
        Ok(Some(Place { plan, grid, size, base, axes, rule, joined }))
    }

    /// The list of cells under the room, and where it begins; nothing if it must not stand there.
    /// None for what is not plain.
    #[expect(clippy::type_complexity, reason = "what is asked for may be nothing")]
    fn coords(&self, lua: &Lua) -> mlua::Result<Option<Option<(Table, (i32, i32))>>> {
        let (width, height) = self.size;
        let Some(room) = self.room(lua)? else { return Ok(None) };
        let cells = read_cells(lua, &self.plan, PLAN_FIELDS, &[], |reader| {
            let (mut odd, mut looked_at) = (false, 0);
            let cells = placed_cells(width as usize, &room, self.rule, |x, y| {
                let (x, y) = self.axes.place(self.base, x, y);
                let mut held = [Held::Nil; PLAN_FIELDS.len()];
                looked_at += 1;
                match reader.read(x, y, &mut held) {
                    Found::Cell => {}
                    Found::Nothing => return None,
                    Found::Odd => {
                        odd = true;
                        return None;
                    }
                }
                let [vault, solid, wall, restricted] =
                    [held[0], held[1], held[2], held[3]].map(is_true);
                let same_room = held[4] == self.joined;
                Some(PlanSpot { vault, solid, wall, restricted, same_room })
            });
            (!odd).then_some((cells, looked_at))
        })?;
        let Some((cells, looked_at)) = cells.flatten() else { return Ok(None) };
        charge(lua, (looked_at + (width * height) as u64) * CELL)?;
        let Some(cells) = cells else { return Ok(Some(None)) };
        let coord = |(x, y)| ((x, y), self.axes.place(self.base, x, y));
        let coords: Vec<Coord> = cells.into_iter().map(coord).collect();
        let list = write_coords(lua, &self.plan, &self.grid, &coords)?;
        Ok(Some(Some((list, self.base))))
    }

    /// What the room has on its cells, row by row; none if they are not plain.
    fn room(&self, lua: &Lua) -> mlua::Result<Option<Vec<PlacedSpot>>> {
        let (width, height) = self.size;
        let spots = read_cells(lua, &self.grid, ROOM_FIELDS, &[], |reader| {
            let mut spots = Vec::with_capacity((width * height) as usize);
            for (y, x) in (0..height).flat_map(|y| (0..width).map(move |x| (y, x))) {
                let mut held = [Held::Nil; 2];
                if reader.read(x, y, &mut held) != Found::Cell {
                    return None;
                }
                let [space, buffer] = held.map(is_true);
                spots.push(PlacedSpot { space, buffer });
            }
            Some(spots)
        })?;
        Ok(spots.flatten())
    }
}

/// On which cells of a plan a room can stand that is joined to one of them, and the room of that
/// cell; none if a script's function says it, or that cell is not plain.
fn rule(
    room: &Table,
    build: &Table,
    from: &Table,
    library: &Library,
) -> mlua::Result<Option<(CellRule, Held)>> {
    let Some(generator) = plain(room.raw_get("generator_used")?) else { return Ok(None) };
    let mut veto: Value = generator.raw_get("veto_cell")?;
    if veto.is_nil() {
        veto = build.raw_get("veto_cell")?;
    }
    if veto.is_nil() {
        let Some(strategy) = plain(build.raw_get("strategy")?) else { return Ok(None) };
        veto = strategy.raw_get("veto_cell")?;
    }
    let Value::Function(veto) = veto else { return Ok(None) };
    let joined = match from.raw_get("room")? {
        Value::Nil => Held::Nil,
        Value::Table(room) if room.metatable().is_none() => Held::Table(room.to_pointer()),
        _ => return Ok(None),
    };
    let solid = !matches!(from.raw_get("solid")?, Value::Nil | Value::Boolean(false));
    let rule = if library.any.is(&veto) {
        CellRule::Any
    } else if library.free.is(&veto) {
        CellRule::Free
    } else if library.open.is(&veto) {
        CellRule::Open { to_wall: solid }
    } else {
        return Ok(None);
    };
    Ok(Some((rule, joined)))
}

/// A room that has a place in a plan.
struct Built {
    plan: Table,
    coords: Table,
    room: Table,
    base: (i32, i32),
    turns: u8,
    depth: f64,
    wall: Value,
    normals: Table,
    /// What decorates its walls.
    decorate: Function,
}

impl Built {
    /// From the arguments of the Lua (state, room, build, plan, options); none for what is not
    /// plain.
    fn of(lua: &Lua, arguments: &MultiValue) -> mlua::Result<Option<Built>> {
        let argument = |index: usize| arguments.get(index).cloned().and_then(plain);
        let (Some(state), Some(room), Some(build)) = (argument(0), argument(1), argument(2)) else {
            return Ok(None);
        };
        let (Some(plan), Some(options), Some(normals)) = (argument(3), argument(4), normals(lua)?)
        else {
            return Ok(None);
        };
        let is_grid = matches!(room.raw_get("type")?, Value::String(kind) if kind == "grid");
        if !is_grid || !options.raw_get::<Value>("test")?.is_nil() {
            return Ok(None);
        }
        let (Some(coords), Some(from), Some(base), Some(turns)) = (
            plain(state.raw_get("coords")?),
            plain(state.raw_get("usage")?),
            usual_point(state.raw_get("base")?)?,
            turns(&state.raw_get("dir")?),
        ) else {
            return Ok(None);
        };
        let depth = match from.raw_get("depth")? {
            Value::Nil => 1.0,
            Value::Integer(depth) => depth as f64,
            Value::Number(depth) => depth,
            _ => return Ok(None),
        };
        let wall = match options.raw_get("layout_wall_type")? {
            Value::Nil | Value::Boolean(false) => Value::String(lua.create_string("rock_wall")?),
            wall => wall,
        };
        let (true, Some(decorate)) = (stands_as(&state, turns)?, decorator(lua, &build, &options)?)
        else {
            return Ok(None);
        };
        Ok(Some(Built { plan, coords, room, base, turns, depth, wall, normals, decorate }))
    }

    /// Writes the room on the level; false, with nothing written, for what is not plain.
    fn write(&self, lua: &Lua, host: &mut Host) -> mlua::Result<bool> {
        if host.is_live() {
            return Ok(false);
        }
        type Cells = Vec<PlacedCell<Option<FeatureId>>>;
        let content = Arc::clone(&host.content);
        let mut last: Option<(Vec<u8>, Option<FeatureId>)> = None;
        let feature = |name: &[u8]| match &last {
            Some((known, feature)) if known == name => *feature,
            _ => {
                let text = lua.create_string(name).ok().map(Value::String);
                let found = text.and_then(|text| feature_of(&content, &text));
                last = Some((name.to_vec(), found));
                found
            }
        };
        let cells: Option<Cells> = read_coords(lua, &self.plan, &self.coords, feature)?;
        let Some(cells) = cells else { return Ok(false) };
        if !cells.iter().all(|cell| host.on_map(Point::new(cell.at.0, cell.at.1))) {
            return Ok(false);
        }
        self.room.raw_set("wall_type", &self.wall)?;
        for cell in &cells {
            if let Some(Some(feature)) = cell.feature {
                write_feature(lua, host, Point::new(cell.at.0, cell.at.1), feature);
            }
        }
        Ok(true)
    }

    /// What writes it into the plan and what decorates it, and what that is to be told.
    fn for_settler(&self, lua: &Lua, settler: Function) -> mlua::Result<MultiValue> {
        let (axes, (x, y)) = (Axes::of(self.turns), self.base);
        let (right, down) = (axes.right, axes.down);
        let mut values = (settler, &self.decorate, &self.normals, x, y).into_lua_multi(lua)?;
        values.extend((right.0, right.1, down.0, down.1).into_lua_multi(lua)?);
        values.extend((self.turns, self.depth + 1.0).into_lua_multi(lua)?);
        Ok(values)
    }
}

/// Whether the state says that a room is turned so.
fn stands_as(state: &Table, turns: u8) -> mlua::Result<bool> {
    let Some(normals) = plain(state.raw_get("normals")?) else { return Ok(false) };
    let axes = Axes::of(turns);
    Ok(usual_point(normals.raw_get("x")?)? == Some(axes.right)
        && usual_point(normals.raw_get("y")?)? == Some(axes.down))
}

/// What decorates the walls, if it is the library's: errors of others would tell where the Lua has
/// called them.
fn decorator(lua: &Lua, build: &Table, options: &Table) -> mlua::Result<Option<Function>> {
    let mut decorate: Value = build.raw_get("wall_decorator")?;
    if decorate.is_nil() {
        decorate = options.raw_get("decorate_walls_callback")?;
    }
    if decorate.is_nil() {
        let Some(hyper) = plain(lua.globals().raw_get("hyper")?) else { return Ok(None) };
        let Some(rooms) = plain(hyper.raw_get("rooms")?) else { return Ok(None) };
        decorate = rooms.raw_get("decorate_walls")?;
    }
    let Value::Function(decorate) = decorate else { return Ok(None) };
    Ok(place_of(lua, &decorate).is_some().then_some(decorate))
}
