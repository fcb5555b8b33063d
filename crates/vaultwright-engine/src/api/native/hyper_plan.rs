//! `layout/hyper_usage.lua`: the plan that layouts begin with, from what the level is
//! (spec 06 §15.13).

use std::rc::Rc;

use vaultwright_content::FeatureFlags;
use vaultwright_lua::charge;
use vaultwright_lua::mlua::{self, Function, MultiValue, Table, Value};
use vaultwright_lua::new_plans::{NewCell, write_new_plan};
use vaultwright_map::Point;

use super::{LibraryFile, are_original, counterpart, whole};
use crate::state::host::{Host, Phase};

/// What the Lua of the functions calls.
pub(super) const USED: &[&str] =
    &["dgn.grid", "dgn.in_vault", "feat.has_solid_floor", "feat.is_door", "feat.is_wall"];

/// What a cell costs, in instructions.
const CELL: u64 = 16;
/// The largest side of a plan.
const MAX_SIDE: i32 = 200;

/// Replaces `hyper.usage.new_usage`.
pub(super) fn install(file: &LibraryFile, usage: &Table) -> mlua::Result<()> {
    let (lua, host) = (file.lua, file.host);
    let (Value::Function(interpreted), Value::Function(of_level)) =
        (usage.raw_get("new_usage")?, usage.raw_get("grid_initialiser")?)
    else {
        return Ok(());
    };
    if !file.is_proved("hyper.usage.new_usage", &interpreted)?
        || !file.is_proved("hyper.usage.grid_initialiser", &of_level)?
    {
        return Ok(());
    }
    let slot = Rc::clone(&host.slot);
    let made = counterpart(lua, interpreted, move |lua, arguments| {
        let Some((width, height)) = size(&arguments) else { return Ok(Value::Nil) };
        let cells = match arguments.get(2) {
            None | Some(Value::Nil) => Some(vec![NewCell::Space; (width * height) as usize]),
            Some(Value::Function(function)) if is(function, &of_level) => {
                match are_original(lua, USED) {
                    true => slot.with(|host| Ok(cells_of_level(host, width, height)))?,
                    false => None,
                }
            }
            _ => None,
        };
        let Some(cells) = cells else { return Ok(Value::Nil) };
        charge(lua, cells.len() as u64 * CELL)?;
        let plan = write_new_plan(lua, width as usize, &cells)?;
        // The Lua leaves it in a global, which layouts go on with.
        lua.globals().set("usage_grid", &plan)?;
        Ok(Value::Table(plan))
    })?;
    usage.raw_set("new_usage", made)
}

fn is(function: &Function, other: &Function) -> bool {
    function.to_pointer() == other.to_pointer()
}

/// The sides of the plan that is asked for, if they are plain.
fn size(arguments: &MultiValue) -> Option<(i32, i32)> {
    let side = |index: usize| {
        let side = arguments.get(index).and_then(whole)?;
        (1..=MAX_SIDE).contains(&side).then_some(side)
    };
    side(0).zip(side(1))
}

/// The cells of the level, row by row; none if the plan is larger.
fn cells_of_level(host: &Host, width: i32, height: i32) -> Option<Vec<NewCell>> {
    if !host.on_map(Point::new(width - 1, height - 1)) {
        return None;
    }
    let features = host.content.features();
    let unseen = features.by_number(0);
    let compiling = host.phase == Phase::Compile;
    let cell = |x, y| {
        let at = Point::new(x, y);
        let seen = host.level.feature(at).filter(|_| !compiling);
        let number = seen.map_or(0, |id| features.get(id).number);
        // What scripts see is the number alone.
        let known = features.by_number(number).or(unseen);
        let holds =
            |flag: fn(FeatureFlags) -> bool| known.is_some_and(|id| flag(features.get(id).flags));
        let solid = !holds(FeatureFlags::solid_floor) && !holds(FeatureFlags::door);
        let (vault, wall) = (host.level.mask(at) & 1 != 0, holds(FeatureFlags::wall));
        NewCell::Level { feature: number, vault, solid, wall }
    };
    Some(
        (0..height)
            .flat_map(|y| (0..width).map(move |x| (x, y)))
            .map(|(x, y)| cell(x, y))
            .collect(),
    )
}
