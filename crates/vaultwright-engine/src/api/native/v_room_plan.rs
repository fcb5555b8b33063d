//! `v_rooms.lua`: what rooms see of the plan that they are placed in (spec 06 §15.9).

use std::ffi::CStr;

use vaultwright_lua::cells::{CellReader, Found, Held};
use vaultwright_lua::mlua::{self, Table, Value};
use vaultwright_native::{Spot, SpotUse};

/// The fields of a cell that say what it is used for, and what these may say.
pub(super) const PLAN_FIELDS: &[&CStr] = &[c"usage", c"reason", c"room"];
pub(super) const PLAN_WORDS: &[&CStr] =
    &[c"none", c"open", c"eligible", c"eligible_open", c"restricted", c"wall", c"border"];

/// What a cell's usage and reason, as indexes of `PLAN_WORDS`, are for a room.
fn usage(usage: Held, reason: Held) -> SpotUse {
    match (usage, reason) {
        (Held::Word(0), _) => SpotUse::None,
        (Held::Word(1), _) => SpotUse::Open,
        (Held::Word(2), _) => SpotUse::Eligible,
        (Held::Word(3), _) => SpotUse::EligibleOpen,
        (Held::Word(4), Held::Word(5)) => SpotUse::RoomWall,
        (Held::Word(4), Held::Word(6)) => SpotUse::Border,
        _ => SpotUse::Other,
    }
}

/// What a cell is used for, from the fields of `PLAN_FIELDS`; none if its room is no table.
pub(super) fn spot_from([use_of, reason, room]: [Held; 3]) -> Option<Spot> {
    let room = match room {
        Held::Nil => 0,
        Held::Table(at) => at as usize,
        _ => return None,
    };
    Some(Spot { usage: usage(use_of, reason), room })
}

/// The usage of a cell that a room may grow from; none for other texts and values.
pub(super) fn usage_of(cell: &Table) -> mlua::Result<Option<SpotUse>> {
    let Value::String(text) = cell.raw_get("usage")? else { return Ok(None) };
    Ok(match &*text.as_bytes() {
        b"open" => Some(SpotUse::Open),
        b"eligible" => Some(SpotUse::Eligible),
        b"eligible_open" => Some(SpotUse::EligibleOpen),
        _ => None,
    })
}

pub(super) fn spot_of(cell: &Table) -> mlua::Result<Option<Spot>> {
    let Some(usage) = usage_of(cell)? else { return Ok(None) };
    Ok(match cell.raw_get("room")? {
        Value::Nil => Some(Spot { usage, room: 0 }),
        Value::Table(room) => {
            let plain = room.metatable().is_none();
            plain.then(|| Spot { usage, room: room.to_pointer() as usize })
        }
        _ => None,
    })
}

/// The largest side of a plan whose cells are remembered.
const MAX_SIDE: i32 = 96;

/// The plan, whose cells are read when they are first asked for.
pub(super) struct Plan<'a, 'b> {
    cells: &'a mut CellReader<'b>,
    known: Vec<Option<Option<Spot>>>,
    pub(super) looked_at: u64,
    /// Whether a cell was not plain.
    pub(super) odd: bool,
}

impl<'a, 'b> Plan<'a, 'b> {
    pub(super) fn new(cells: &'a mut CellReader<'b>) -> Plan<'a, 'b> {
        let known = vec![None; (MAX_SIDE * MAX_SIDE) as usize];
        Plan { cells, known, looked_at: 0, odd: false }
    }

    /// The spot at a place, if there is one.
    pub(super) fn spot(&mut self, x: i32, y: i32) -> Option<Spot> {
        let on_side = |at| (0..MAX_SIDE).contains(&at);
        if !on_side(x) || !on_side(y) {
            return self.read(x, y);
        }
        let index = (y * MAX_SIDE + x) as usize;
        if let Some(spot) = self.known[index] {
            return spot;
        }
        let spot = self.read(x, y);
        self.known[index] = Some(spot);
        spot
    }

    fn read(&mut self, x: i32, y: i32) -> Option<Spot> {
        self.looked_at += 1;
        let mut held = [Held::Nil; 3];
        // Most are open, whose room nobody asks for.
        let wanted = |field: usize, usage: Held| match field {
            1 => usage == Held::Word(4),
            _ => usage != Held::Word(1),
        };
        let found = self.cells.read_wanted(x, y, &mut held, wanted);
        let spot = spot_from(held);
        self.odd |= found == Found::Odd || spot.is_none();
        (found == Found::Cell)
            .then(|| spot.unwrap_or_else(|| Spot { usage: usage(held[0], held[1]), room: 0 }))
    }

    /// The walls of rooms near a spot that another room may be built on, row by row.
    pub(super) fn walls_near(&mut self, (x, y): (i32, i32)) -> Vec<(i32, i32)> {
        let mut near = Vec::new();
        for y in y - 2..=y + 2 {
            for x in x - 2..=x + 2 {
                if self.spot(x, y).is_some_and(|spot| spot.usage == SpotUse::EligibleOpen) {
                    near.push((x, y));
                }
            }
        }
        near
    }
}
