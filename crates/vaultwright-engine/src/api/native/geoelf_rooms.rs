//! `layout/geoelf_rooms.lua`: drawing a room of the Elven Halls (spec 06 §15.13).
//!
//! Which shape a room gets, how it is turned and what is painted on the map is native. How a
//! decorated room is laid out is left to the function of the library that does it.

use std::cell::RefCell;
use std::rc::Rc;

use vaultwright_lua::charge;
use vaultwright_lua::kept_tables::{Mark, read_marks};
use vaultwright_lua::mlua::{self, Function, IntoLuaMulti, Lua, MultiValue, Table, Value};
use vaultwright_map::Point;
use vaultwright_native::{ElfShape, part_of_elf_room, turned_elf_cell};
use vaultwright_rng::Streams;

use super::geoelf::{DIRECTION_COUNT, LAYING_OUT, Library, Shape};
use super::v_rooms::plain;
use super::{native_library, whole};
use crate::script::arguments::{MapRef, is_true};
use crate::script::environment::plain_map;
use crate::state::host::Host;
use crate::state::map_cell::MapCell;

/// What a cell of a room costs, in instructions.
const CELL: u64 = 4;

/// The radius of the rooms that are drawn: smaller and larger ones no layout has.
const RADIUS: std::ops::RangeInclusive<i32> = 2..=30;

/// What the library lays out on a cell, beside what is left as it is, and glyphs.
const AROUND: u8 = 1;
const BORDER: u8 = 2;
const WITHIN: u8 = 3;
const PLANT: u8 = 4;
const FEATURE: u8 = 5;
const GLASS_PLANT: u8 = 6;
const GLASS_FEATURE: u8 = 7;

/// Replaces `geoelf.rooms.draw`.
pub(super) fn install(
    lua: &Lua,
    host: &Host,
    geoelf: &Table,
    library: &Rc<Library>,
) -> mlua::Result<()> {
    let Value::Table(rooms) = geoelf.raw_get("rooms")? else { return Ok(()) };
    let Value::Function(interpreted) = rooms.raw_get("draw")? else { return Ok(()) };
    let begun = Rc::new(RefCell::new(None::<Begun>));
    let begin = {
        let (slot, library, begun) = (Rc::clone(&host.slot), Rc::clone(library), Rc::clone(&begun));
        lua.create_function(move |lua, arguments: MultiValue| {
            let room = match library.is_untouched(lua)? {
                true => Room::of(lua, &library, &arguments)?,
                false => None,
            };
            let Some(room) = room else { return Value::Nil.into_lua_multi(lua) };
            slot.with(|host| {
                if !room.is_plain(host, &library) {
                    return Value::Nil.into_lua_multi(lua);
                }
                room.pay(lua)?;
                let start = room.is_decorated().then(|| host.game.streams.clone());
                let (shape, layout) = room.draw_shape(&mut host.game.streams, &library);
                let Some(start) = start else {
                    let part = |cell| Mark::Number(part_of_elf_room(layout, room.radius, cell));
                    room.paint(host, &library, shape, part);
                    return false.into_lua_multi(lua);
                };
                let function = library.shapes[shape].function.clone();
                let (radius, decorated) = (room.radius, room.decorated.clone());
                *begun.borrow_mut() = Some(Begun { room, shape, start });
                match layout {
                    ElfShape::Cross { indent: more } | ElfShape::Octagon { cut: more } => {
                        (function, radius, more, decorated).into_lua_multi(lua)
                    }
                    _ => (function, radius, decorated).into_lua_multi(lua),
                }
            })
        })?
    };
    let (slot, library) = (Rc::clone(&host.slot), Rc::clone(library));
    let finish = lua.create_function(move |_, parts: Value| {
        let Some(Begun { room, shape, start }) = begun.borrow_mut().take() else {
            return Ok(false);
        };
        slot.with(|host| {
            let Some(parts) = room.parts(parts)? else {
                host.game.streams = start;
                return Ok(false);
            };
            let (size, side) = (room.size(), 2 * room.size() + 1);
            let part = |(x, y)| parts[((x + size) * side + y + size) as usize];
            room.paint(host, &library, shape, part);
            Ok(true)
        })
    })?;
    let draw: Function = native_library(lua)?.raw_get("elf_rooms")?;
    rooms.raw_set("draw", draw.call::<Function>((begin, finish, interpreted))?)
}

/// A decorated room that is being laid out.
struct Begun {
    room: Room,
    shape: usize,
    /// From where its shape was drawn.
    start: Streams,
}

/// A room to draw on a map.
struct Room {
    map: Rc<MapCell>,
    centre: (i32, i32),
    radius: i32,
    /// The directions in which corridors leave it.
    corridors: [bool; DIRECTION_COUNT],
    decorated: Value,
    /// Whether what is around it becomes floor.
    is_open: bool,
}

impl Room {
    /// From the arguments of the Lua (environment, rooms, corridors, index, decorated, open); none
    /// for what is not plain.
    fn of(lua: &Lua, library: &Library, arguments: &MultiValue) -> mlua::Result<Option<Room>> {
        let argument = |index: usize| arguments.get(index).cloned().unwrap_or(Value::Nil);
        let (Value::Table(environment), Some(rooms), Some(corridors), Some(index)) =
            (argument(0), plain(argument(1)), plain(argument(2)), whole(&argument(3)))
        else {
            return Ok(None);
        };
        let count = whole(&rooms.raw_get("count")?);
        if index < 0 || count.is_none_or(|count| index >= count) {
            return Ok(None);
        }
        let Some(room) = plain(rooms.raw_get(index)?) else { return Ok(None) };
        let numbers = ["center_x", "center_y", "radius"].map(|name| room.raw_get::<Value>(name));
        let [x, y, radius] = numbers;
        let (Some(x), Some(y), Some(radius), Some(from)) =
            (whole(&x?), whole(&y?), whole(&radius?), plain(room.raw_get("corridor")?))
        else {
            return Ok(None);
        };
        let mut active = [false; DIRECTION_COUNT];
        for (direction, active) in active.iter_mut().enumerate() {
            let corridor: Value = from.raw_get(direction)?;
            if corridor.is_nil() {
                continue;
            }
            let corridor = match whole(&corridor) {
                Some(corridor) => plain(corridors.raw_get(corridor)?),
                None => None,
            };
            let Some(corridor) = corridor else { return Ok(None) };
            let Some(status) = whole(&corridor.raw_get("status")?) else { return Ok(None) };
            *active = status == library.active;
        }
        let Some(MapRef(map)) = plain_map(lua, &environment)? else { return Ok(None) };
        Ok(RADIUS.contains(&radius).then(|| Room {
            map,
            centre: (x, y),
            radius,
            corridors: active,
            decorated: argument(4),
            is_open: is_true(&argument(5)),
        }))
    }

    /// How far from its centre it is painted.
    fn size(&self) -> i32 {
        self.radius + 2
    }

    fn is_decorated(&self) -> bool {
        is_true(&self.decorated)
    }

    fn pay(&self, lua: &Lua) -> mlua::Result<()> {
        let side = 2 * self.size() as u64 + 1;
        charge(lua, side * side * CELL)
    }

    /// Whether its cells are on the map, with glyphs that the library knows.
    fn is_plain(&self, host: &Host, library: &Library) -> bool {
        let Ok(def) = self.map.def.try_borrow() else { return false };
        let mut cells = self.cells(host);
        cells.all(|(_, at)| def.grid.get(at).is_some_and(|glyph| library.knows(glyph)))
    }

    /// Its cells that may be painted, beside its centre and on the map: all but those on the edge
    /// of the level and beyond.
    fn cells(&self, host: &Host) -> impl Iterator<Item = ((i32, i32), Point)> {
        let level = host.content.level_size();
        let (right, bottom) = (level.width() - 2, level.height() - 2);
        let ((x, y), size) = (self.centre, self.size());
        let columns = (x - size).max(1)..=(x + size).min(right);
        columns.flat_map(move |column| {
            let rows = (y - size).max(1)..=(y + size).min(bottom);
            rows.map(move |row| ((column - x, row - y), Point::new(column, row)))
        })
    }

    /// Draws a shape that its corridors can leave: its number, and how it is laid out.
    fn draw_shape(&self, streams: &mut Streams, library: &Library) -> (usize, ElfShape) {
        let frequency = |shape: &Shape| {
            let mut directions = self.corridors.iter().zip(shape.connections);
            if directions.all(|(&active, open)| open || !active) { shape.frequency } else { 0 }
        };
        let shape = streams.pick_weighted(library.shapes.iter().map(frequency)).unwrap_or(0);
        let layout = match LAYING_OUT[shape] {
            "square" => ElfShape::Square,
            "diamond" => ElfShape::Diamond,
            "triangle" => ElfShape::Triangle,
            "hexagon" => ElfShape::Hexagon,
            "cross" => {
                let drawn = streams.random2(self.radius - 2);
                ElfShape::Cross { indent: (drawn + 2).min(self.radius - 1) }
            }
            _ => {
                let cut = 1.4 * f64::from(self.radius) + streams.random_real();
                ElfShape::Octagon { cut: cut.floor() as i32 }
            }
        };
        (shape, layout)
    }

    /// What a function of the library has laid out; none for what is not plain.
    fn parts(&self, parts: Value) -> mlua::Result<Option<Vec<Mark>>> {
        let Some(parts) = plain(parts) else { return Ok(None) };
        if whole(&parts.raw_get("size")?) != Some(self.size()) {
            return Ok(None);
        }
        let parts = read_marks(&parts, -self.size(), self.size());
        let is_part = |mark: &Mark| !matches!(mark, Mark::Number(part) if *part > GLASS_FEATURE);
        Ok(parts.filter(|parts| parts.iter().all(is_part)))
    }

    /// Draws how it is turned and what stands in it, and paints it on the map.
    fn paint(
        &self,
        host: &mut Host,
        library: &Library,
        shape: usize,
        part: impl Fn((i32, i32)) -> Mark,
    ) {
        let streams = &mut host.game.streams;
        let turn = library.shapes[shape].turns.draw(streams);
        let (feature, plant) = (library.features.draw(streams), library.plants.draw(streams));
        let cells = self.cells(host);
        let Ok(mut def) = self.map.def.try_borrow_mut() else { return };
        let grid = &mut def.grid;
        for (cell, at) in cells {
            let glyph = grid.glyph(at);
            let part = match part(turned_elf_cell(turn, cell)) {
                Mark::Number(part) => part,
                Mark::Glyph(glyph) => {
                    grid.set(at, glyph);
                    continue;
                }
            };
            let painted = match part {
                AROUND if self.is_open => library.around.get(glyph),
                BORDER => library.border.get(glyph),
                WITHIN => library.within.get(glyph),
                PLANT => plant,
                FEATURE => feature,
                GLASS_PLANT => library.glass.get(plant),
                GLASS_FEATURE => library.glass.get(feature),
                _ => continue,
            };
            grid.set(at, painted);
        }
    }
}
