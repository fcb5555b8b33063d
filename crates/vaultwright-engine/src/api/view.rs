//! `view`: what the player knows around him (spec 06 §10.2), which a level engine does not: the
//! answers of a player who has seen nothing.

use vaultwright_lua::mlua::{self, Error, MultiValue, Value};
use vaultwright_map::Point;

use super::table::Api;
use crate::script::arguments::Int;
use crate::state::host::Host;

/// How far a player sees at most.
const MAX_RANGE: i32 = 8;

pub(crate) fn install(api: &Api) -> mlua::Result<()> {
    type Rest = (Int, Int, MultiValue);
    api.function("feature_at", |_, _, _: Rest| Ok("unseen"))?;
    api.function("get_map", |lua, _, _: MultiValue| lua.create_table())?;
    api.function("is_safe_square", |_, host, (x, y, _rest): Rest| {
        Ok(host.on_map(from_player(host, x, y)))
    })?;
    for name in ["cloud_at", "trap_at"] {
        api.function(name, |_, _, _: Rest| Ok(Value::Nil))?;
    }
    api.function("update_monsters", |_, _, _: MultiValue| Ok(()))?;
    // With nothing in his hands he reaches those beside him.
    api.function("can_reach", |_, _, (x, y, _rest): Rest| {
        let far = x.0.saturating_abs().max(y.0.saturating_abs());
        match far {
            0..=MAX_RANGE => Ok(far <= 1),
            _ => Err(Error::runtime(format!("Point ({},{}) is out of bounds", x.0, y.0))),
        }
    })?;
    // What he has not seen could be seen through.
    api.function("cell_see_cell", |_, host, (x1, y1, x2, y2): (Int, Int, Int, Int)| {
        let (from, to) = (from_player(host, x1, y1), from_player(host, x2, y2));
        let far = || (from.x - to.x).abs().max((from.y - to.y).abs());
        Ok(host.on_map(from) && host.on_map(to) && (1..=MAX_RANGE).contains(&far()))
    })?;
    for name in ["invisible_monster", "withheld"] {
        api.function(name, |_, _, _: Rest| Ok(false))?;
    }
    for name in [
        "cell_see_cell_no_trans",
        "cell_see_cell_solid",
        "cell_see_cell_solid_see",
        "in_known_map_bounds",
        "seen_at",
    ] {
        api.function(name, |_, _, _: MultiValue| Ok(false))?;
    }
    Ok(())
}

/// Returns a cell of the level that is told from where the player stands.
fn from_player(host: &Host, x: Int, y: Int) -> Point {
    let player = host.world().borrow().player();
    Point::new(player.x.saturating_add(x.0), player.y.saturating_add(y.0))
}
