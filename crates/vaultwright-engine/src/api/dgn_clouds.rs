//! `dgn`: clouds (spec 06 §3.13, spec 07 §16).

use vaultwright_content::{CloudKindId, Content};
use vaultwright_lua::mlua::{self, Value, Variadic};
use vaultwright_map::Point;

use super::dgn_placement::out_of_bounds;
use super::table::Api;
use crate::journey::turns::leave_puddles;
use crate::script::arguments::{Int, Text, bad_argument, number, repetitions, text, truncate};
use crate::state::clouds::AreaCloud;
use crate::state::host::{Host, Parts};

pub(crate) fn install(api: &Api) -> mlua::Result<()> {
    api.function("cloud_at", |_, host, (x, y): (Int, Int)| {
        let p = Point::new(x.0, y.0);
        if !host.in_bounds(p) {
            return Err(out_of_bounds(p));
        }
        let cloud = host.play.clouds.0.get(&p);
        let kinds = &host.content.play().clouds;
        Ok(cloud.map_or("none".to_owned(), |cloud| kinds[cloud.kind.0].name.clone()))
    })?;
    type Area = (Int, Int, Int, Int, Int, Int, Text, Variadic<Value>);
    api.function("apply_area_cloud", |lua, host, arguments: Area| {
        let (x, y, low, high, rolls, size, name, rest) = arguments;
        let p = Point::new(x.0, y.0);
        let wrong = |message: &str| Err(bad_argument(message));
        if !host.in_bounds(p) {
            return Err(not_in_bounds(p));
        }
        if low.0 < 0 {
            return wrong("pow_min must be non-negative");
        }
        if high.0 < low.0 {
            return wrong("pow_max must not be less than pow_min");
        }
        if high.0 == 0 {
            return wrong("pow_max must be positive");
        }
        if rolls.0 <= 0 {
            return wrong("pow_rolls must be positive");
        }
        if size.0 < 1 {
            return wrong("size must be positive.");
        }
        // A cloud has no room for more.
        let cells = host.content.level_size().cells();
        repetitions(
            "a number of rolls for all cells",
            rolls.0.saturating_mul(size.0.min(cells as i32)),
        )?;
        let kind = cloud_kind(&host.content, &name)?;
        check_killer(lua, rest.first())?;
        let spread = spread(rest.get(1))?;
        let area = AreaCloud { kind, power: (low.0, high.0), rolls: rolls.0, size: size.0, spread };
        let world = host.world();
        let in_sight = |q: Point| world.borrow().sees(q);
        let laid = host.with_parts(|Parts { play, level, .. }, ctx| {
            play.clouds.lay(level, p, &area, in_sight, ctx)
        });
        after(host, kind, &laid);
        Ok(())
    })?;
    type One = (Int, Int, Text, Int, Variadic<Value>);
    api.function("place_cloud", |lua, host, (x, y, name, power, rest): One| {
        let p = Point::new(x.0, y.0);
        if !host.in_bounds(p) {
            return Err(not_in_bounds(p));
        }
        let kind = cloud_kind(&host.content, &name)?;
        check_killer(lua, rest.first())?;
        let spread = spread(rest.get(1))?;
        let clouds = &mut host.play.clouds;
        let placed = clouds.place(&host.level, &host.content, p, kind, power.0, spread);
        if placed {
            after(host, kind, &[p]);
        }
        Ok(())
    })?;
    api.function("delete_cloud", |lua, host, (x, y): (Int, Int)| {
        let p = Point::new(x.0, y.0);
        if !host.in_bounds(p) {
            return Err(out_of_bounds(p));
        }
        let removed =
            host.with_parts(|Parts { play, level, .. }, ctx| play.clouds.remove(level, p, ctx));
        if let Some((kind, puddle)) = removed {
            leave_puddles(lua, host, puddle);
            after(host, kind, &[p]);
        }
        Ok(())
    })
}

/// Notes a change of clouds, and has sight worked out anew if it may be another.
fn after(host: &Host, kind: CloudKindId, cells: &[Point]) {
    let kind = &host.content.play().clouds[kind.0];
    host.note_change(|| format!("{} on {} cells", kind.name, cells.len()));
    if kind.opaque {
        host.look();
    }
}

fn not_in_bounds(p: Point) -> mlua::Error {
    bad_argument(format!("Point ({},{}) isn't in bounds.", p.x, p.y))
}

fn cloud_kind(content: &Content, name: &Text) -> mlua::Result<CloudKindId> {
    let kind = content.play().cloud(&name.str());
    kind.ok_or_else(|| bad_argument(format!("Invalid cloud type '{}'", name.str())))
}

fn check_killer(lua: &mlua::Lua, killer: Option<&Value>) -> mlua::Result<()> {
    let Some(killer) = killer.and_then(|value| text(value, lua)) else { return Ok(()) };
    let killer = String::from_utf8_lossy(&killer).into_owned();
    match killer.is_empty() || killer.eq_ignore_ascii_case("other") {
        true => Ok(()),
        false => Err(bad_argument(format!("Invalid kill category '{killer}'"))),
    }
}

/// Returns how far clouds spread; -1 is for "as the kind does".
fn spread(value: Option<&Value>) -> mlua::Result<Option<i32>> {
    match value.and_then(number).map(truncate) {
        None | Some(-1) => Ok(None),
        Some(spread @ 0..=100) => Ok(Some(spread)),
        Some(_) => Err(bad_argument("spread_rate must be between -1 and 100,inclusive")),
    }
}
