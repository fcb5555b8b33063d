//! `v_rooms.lua`: building a room of the Vaults at a place (spec 06 §15.9, step 3).
//!
//! How the room would stand is drawn and looked at natively, and so it is written into the plan and
//! on the level. Vaults and doors are our own Lua (`lua/native.lua`), since they are functions of
//! scripts and of the library.

use std::rc::Rc;

use vaultwright_lua::cells::{Found, Held, read_cells};
use vaultwright_lua::charge;
use vaultwright_lua::mlua::{
    self, Function, IntoLuaMulti, Lua, LuaString, MultiValue, Table, Value,
};
use vaultwright_lua::room_building::Doors;
use vaultwright_lua::room_tables::RoomPlace;
use vaultwright_map::Point;
use vaultwright_native::{RoomShape, Stand, room_fits};

use super::v_room_building::build;
use super::v_room_plan::{PLAN_FIELDS, PLAN_WORDS, Plan, spot_of};
use super::v_room_vetoes::{Answer, Veto};
use super::v_rooms::{CELL, Drawn, FILES, Library, Room, USED, plain, point};
use super::{LibraryFile, are_original, native_library, place_of, stands_for, whole};
use crate::state::host::Host;
use crate::state::slot::Slot;

/// What is called where a room is built, beside that.
pub(super) const BUILDING: &[&str] = &["dgn.grid", "dgn.reuse_map"];

/// What a cell of a room costs that is built, in instructions.
const BUILT: u64 = 20;

/// Replaces `vaults_maybe_place_vault`.
pub(super) fn install(file: &LibraryFile) -> mlua::Result<()> {
    let (lua, host) = (file.lua, file.host);
    let globals = lua.globals();
    let Value::Function(interpreted) = globals.raw_get("vaults_maybe_place_vault")? else {
        return Ok(());
    };
    let Some(proof) = file.proof("vaults_maybe_place_vault", &interpreted, FILES)? else {
        return Ok(());
    };
    let Some(library) = Library::without_places(lua)? else { return Ok(()) };
    let slot = Rc::clone(&host.slot);
    let build = lua.create_function(move |lua, arguments: MultiValue| {
        let untouched = proof.holds(lua)
            && are_original(lua, USED)
            && are_original(lua, BUILDING)
            && library.is_untouched(lua)?;
        let place = if untouched { Place::of(lua, &arguments)? } else { None };
        let Some(place) = place else { return Value::Nil.into_lua_multi(lua) };
        let (start, drawn) = slot.with(|host| {
            let start = host.game.streams.clone();
            Ok((start, place.drawn(host)?))
        })?;
        let built = match &drawn {
            None => None,
            Some(Drawn::Nohow) => Some(None),
            Some(Drawn::So { .. }) if place.is_vetoed => Some(None),
            Some(Drawn::So { stand, .. }) => place.built(lua, &slot, *stand)?,
        };
        match (built, drawn) {
            (Some(Some((list, doors))), Some(Drawn::So { stand, door, .. })) => {
                let (x, y) = stand.place(0, 0);
                (list, doors.outer, doors.inner, doors.others, stand.turns, door, x, y)
                    .into_lua_multi(lua)
            }
            (Some(_), _) => false.into_lua_multi(lua),
            (None, _) => {
                slot.with(|host| {
                    host.game.streams = start;
                    Ok(())
                })?;
                Value::Nil.into_lua_multi(lua)
            }
        }
    })?;
    let building: Function = native_library(lua)?.raw_get("building")?;
    let build: Function = building.call((build, &interpreted))?;
    stands_for(lua, &build, &interpreted);
    globals.raw_set("vaults_maybe_place_vault", build)
}

/// A place for a room.
pub(super) struct Place {
    at: (i32, i32),
    pub(super) plan: Table,
    /// The cell of the plan that the room grows from.
    pub(super) from: Table,
    pub(super) room: Room,
    shape: RoomShape,
    /// The feature of its walls.
    pub(super) wall: LuaString,
    is_vetoed: bool,
}

impl Place {
    /// From the arguments of the Lua (environment, place, plan, cell, room, options); none for what
    /// is not plain.
    fn of(lua: &Lua, arguments: &MultiValue) -> mlua::Result<Option<Place>> {
        let argument = |index: usize| arguments.get(index).cloned().and_then(plain);
        let (Some(Value::Table(at)), Some(plan), Some(from), Some(room), Some(options)) =
            (arguments.get(1), argument(2), argument(3), argument(4), argument(5))
        else {
            return Ok(None);
        };
        let Some(at) = point(at)? else { return Ok(None) };
        // Where a script is asked before the room is looked at, most places are vetoed: the Lua has
        // less to do for these than it takes to read the room.
        let Some(is_vetoed) = is_vetoed(lua, &options, &from)? else { return Ok(None) };
        // Errors of others would tell where the Lua has called them.
        let decorating = match options.raw_get("decorate_walls_callback")? {
            Value::Nil => true,
            Value::Function(function) => place_of(lua, &function).is_some(),
            _ => false,
        };
        let (depth, wall) = (from.raw_get("depth")?, options.raw_get("layout_wall_type")?);
        let is_plain = matches!(depth, Value::Nil | Value::Integer(_) | Value::Number(_))
            && !room.raw_get::<Value>("vplace")?.is_nil()
                | !matches!(room.raw_get("type")?, Value::String(kind) if kind == "vault");
        let Value::String(wall) = wall else { return Ok(None) };
        if !decorating || !is_plain {
            return Ok(None);
        }
        let Some(room) = Room::of(room)? else { return Ok(None) };
        let Some(shape) = room.shape(lua)? else { return Ok(None) };
        if !has_plain_features(lua, &room)? {
            return Ok(None);
        }
        Ok(Some(Place { at, plan, from, room, shape, wall, is_vetoed }))
    }

    /// Draws how the room would stand; none for what is not plain.
    fn drawn(&self, host: &mut Host) -> mlua::Result<Option<Drawn>> {
        let drawn = self.room.draw(&mut host.game.streams, self.at, &self.from)?;
        let Some(drawn) = drawn else { return Ok(None) };
        let Drawn::So { stand, door, wall } = &drawn else { return Ok(Some(drawn)) };
        let (width, height) = self.room.size();
        let mut corners = [(-1, -1), (width, height)].map(|(x, y)| stand.place(x, y)).into_iter();
        // What lies beyond the level is an error of the function that is called.
        if !corners.all(|(x, y)| host.on_map(Point::new(x, y))) {
            return Ok(None);
        }
        let side = whole(&door.raw_get("dir")?);
        if side != Some(i32::from(*wall)) {
            return Ok(None);
        }
        Ok(Some(drawn))
    }

    /// Whether the room can stand so; none if that is not known, or a cell is not plain.
    fn fits(&self, lua: &Lua, stand: Stand) -> mlua::Result<Option<bool>> {
        let Some(from) = spot_of(&self.from)? else { return Ok(None) };
        let fits = read_cells(lua, &self.plan, PLAN_FIELDS, PLAN_WORDS, |cells| {
            let mut plan = Plan::new(cells);
            let fits = room_fits(&self.shape, stand, from, &mut |x, y| plan.spot(x, y));
            (fits.filter(|_| !plan.odd), plan.looked_at)
        })?;
        let Some((fits, looked_at)) = fits else { return Ok(None) };
        charge(lua, looked_at * CELL)?;
        Ok(fits)
    }

    /// Writes the room into the plan and on the level: the list of its cells, and of those that
    /// doors can be in; nothing if it does not fit. None, with nothing written, for what is not
    /// plain.
    fn built(
        &self,
        lua: &Lua,
        slot: &Slot<Host>,
        stand: Stand,
    ) -> mlua::Result<Option<Option<(Table, Doors)>>> {
        match self.fits(lua, stand)? {
            None => return Ok(None),
            Some(false) => return Ok(Some(None)),
            Some(true) => {}
        }
        let places =
            self.shape.cells().map(|room| RoomPlace { room, plan: stand.place(room.0, room.1) });
        let places: Vec<RoomPlace> = places.collect();
        charge(lua, places.len() as u64 * BUILT)?;
        slot.with(|host| build(lua, host, self, &places, stand)).map(|built| built.map(Some))
    }
}

/// Whether no room may grow from a cell; none where a script says so.
fn is_vetoed(lua: &Lua, options: &Table, from: &Table) -> mlua::Result<Option<bool>> {
    let Some(mut veto) = Veto::of(lua, options)? else { return Ok(None) };
    Ok(match veto.answer(from)? {
        Answer::Given(answer) => Some(answer),
        Answer::NotYet(growth) => Some(veto.ask(lua, from, growth)?),
        Answer::Odd => None,
    })
}

/// Whether what a room has on its cells is told by names of features.
fn has_plain_features(lua: &Lua, room: &Room) -> mlua::Result<bool> {
    let Some(grid) = plain(room.table().raw_get("grid")?) else { return Ok(false) };
    let (width, height) = room.size();
    let plain = read_cells(lua, &grid, &[c"feature"], &[], |cells| {
        let mut places = (-1..=height).flat_map(|y| (-1..=width).map(move |x| (x, y)));
        places.all(|(x, y)| {
            let mut held = [Held::Nil];
            match cells.read(x, y, &mut held) {
                Found::Cell => matches!(held[0], Held::Nil | Held::Text),
                Found::Nothing => true,
                Found::Odd => false,
            }
        })
    })?;
    Ok(plain.unwrap_or(false))
}
