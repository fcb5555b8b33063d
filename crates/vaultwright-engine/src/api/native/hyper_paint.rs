//! `layout/hyper_paint.lua`: painting rectangles of floor, rock and walls into a plan
//! (spec 06 §15.13).

use vaultwright_lua::mlua::{self, Function, IntoLuaMulti, LuaString, MultiValue, Table, Value};
use vaultwright_lua::plan_filling::plan_filler;

use super::hyper_usage::PlanTool;
use super::known_place::KnownPlace;
use super::v_rooms::{plain, point};
use super::{LibraryFile, are_original, native_library, stands_for};

/// The text of 0.28.
pub(super) const TEXTS: &[&str] =
    &["d2ab4acd0b6909cfe08bbddf069d066113d20aeca94b73157da91d393c128c6d"];

const FILE: &str = "dlua/layout/hyper_paint.lua";

/// What the Lua of the function calls.
pub(super) const USED: &[&str] =
    &["feat.has_solid_floor", "feat.is_door", "feat.is_wall", "ipairs", "table.insert"];

/// What fills rectangles with one kind of cells.
const KINDS: &[&str] = &["floor", "space", "wall"];
/// Corners that are further away are left to the Lua.
const MAX_DISTANCE: i32 = 1000;

/// Replaces `hyper.paint.paint_grid`.
pub(super) fn install(file: &LibraryFile) -> mlua::Result<()> {
    let lua = file.lua;
    let Some(hyper) = plain(lua.globals().raw_get("hyper")?) else { return Ok(()) };
    let Some(paint) = plain(hyper.raw_get("paint")?) else { return Ok(()) };
    let Value::Function(interpreted) = paint.raw_get("paint_grid")? else { return Ok(()) };
    if !file.is_proved("hyper.paint.paint_grid", &interpreted)? {
        return Ok(());
    }
    let flags = KnownPlace::new("hyper.paint.feature_flags", FILE, 98);
    let filler = PlanTool::new(plan_filler);
    let corners = lua.create_function(move |lua, arguments: MultiValue| {
        let item = arguments.front().cloned().and_then(plain);
        let untouched = are_original(lua, USED) && flags.is_there(lua)?;
        let corners = item.filter(|_| untouched).map(|item| corners_of(&item)).transpose()?;
        match (corners.flatten(), filler.get(lua)?) {
            (Some((first, last)), Some(fill)) => {
                (fill, first.0, first.1, last.0, last.1).into_lua_multi(lua)
            }
            _ => Value::Nil.into_lua_multi(lua),
        }
    })?;
    let painting: Function = native_library(lua)?.raw_get("painting")?;
    let painted: Function = painting.call((corners, &interpreted))?;
    stands_for(lua, &painted, &interpreted);
    paint.raw_set("paint_grid", painted)
}

/// A corner of a rectangle.
type Corner = (i32, i32);

/// The corners of what is painted, if it is a rectangle of one kind of cells.
fn corners_of(item: &Table) -> mlua::Result<Option<(Corner, Corner)>> {
    let is_known = |kind: &LuaString| KINDS.iter().any(|known| *kind == **known);
    if !matches!(item.raw_get("type")?, Value::String(kind) if is_known(&kind)) {
        return Ok(None);
    }
    for name in ["shape", "usage", "open", "exit", "wrap"] {
        if !item.raw_get::<Value>(name)?.is_nil() {
            return Ok(None);
        }
    }
    let corner = |name: &str| match plain(item.raw_get(name)?) {
        Some(corner) => point(&corner),
        None => Ok(None),
    };
    let corners = corner("corner1")?.zip(corner("corner2")?);
    let is_near = |side: i32| side.abs() <= MAX_DISTANCE;
    Ok(corners.filter(|(first, last)| [first.0, first.1, last.0, last.1].into_iter().all(is_near)))
}
