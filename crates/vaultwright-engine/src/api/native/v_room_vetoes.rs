//! `v_layouts.lua`: the places that mazes of the Vaults veto (spec 06 §15.9).
//!
//! Its two functions answer by the direction and the depth of the cell that a room would grow from,
//! and by nothing else, draw nothing and remember nothing. So they are asked once for each.

use std::collections::HashMap;

use vaultwright_lua::mlua::{self, Function, Lua, Table, Value};

use super::v_rooms::{plain, point};
use super::{are_original, place_of, plain_number};

pub(super) const FILE: &str = "dlua/v_layouts.lua";

/// The text of 0.28 to 0.32.
pub(super) const TEXTS: &[&str] =
    &["4bf41ec372a5c7e5bfed3d035519d328c8e02730b71b9d422176ab44d8a9c838"];

/// What the functions call.
pub(super) const USED: &[&str] = &["math.floor"];

/// The lines on which they are written.
const LINES: [usize; 2] = [255, 276];

/// Whether rooms may grow from a cell.
pub(super) struct Veto {
    function: Option<Function>,
    /// What the function has answered.
    answers: HashMap<Growth, bool>,
}

/// What is known of a cell.
pub(super) enum Answer {
    /// Whether rooms may not grow from it.
    Given(bool),
    /// The function is to be asked about this first.
    NotYet(Growth),
    /// It is not plain.
    Odd,
}

/// What a veto goes by: the direction and the depth (its bits) of a cell.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Growth {
    direction: Option<(i32, i32)>,
    depth: Option<u64>,
}

impl Veto {
    /// The veto of the options for rooms; none where another function is asked.
    pub(super) fn of(lua: &Lua, options: &Table) -> mlua::Result<Option<Veto>> {
        let function = match options.raw_get("veto_place_callback")? {
            Value::Nil => None,
            Value::Function(function) if is_known(lua, &function) => Some(function),
            _ => return Ok(None),
        };
        Ok(Some(Veto { function, answers: HashMap::new() }))
    }

    /// What is known of a cell, without a call of Lua.
    pub(super) fn answer(&self, from: &Table) -> mlua::Result<Answer> {
        if self.function.is_none() {
            return Ok(Answer::Given(false));
        }
        let Some(growth) = Growth::of(from)? else { return Ok(Answer::Odd) };
        Ok(self
            .answers
            .get(&growth)
            .map_or(Answer::NotYet(growth), |&answer| Answer::Given(answer)))
    }

    /// Asks about a cell of which nothing is known.
    pub(super) fn ask(&mut self, lua: &Lua, from: &Table, growth: Growth) -> mlua::Result<bool> {
        let Some(function) = &self.function else { return Ok(false) };
        let answer = function.call(lua.create_table_from([("usage", from)])?)?;
        self.answers.insert(growth, answer);
        Ok(answer)
    }
}

fn is_known(lua: &Lua, function: &Function) -> bool {
    let place = place_of(lua, function);
    place.is_some_and(|(file, line)| file == FILE && LINES.contains(&line))
        && are_original(lua, USED)
}

impl Growth {
    /// None for what is not plain.
    fn of(from: &Table) -> mlua::Result<Option<Growth>> {
        let direction = match from.raw_get("normal")? {
            Value::Nil => None,
            normal => match plain(normal) {
                Some(normal) => Some(point(&normal)?),
                None => return Ok(None),
            },
        };
        let depth: Value = from.raw_get("depth")?;
        let is_plain = depth.is_nil() || plain_number(&depth).is_some();
        if direction == Some(None) || !is_plain {
            return Ok(None);
        }
        let depth = plain_number(&depth).map(f64::to_bits);
        Ok(Some(Growth { direction: direction.flatten(), depth }))
    }
}
