//! `v_paint.lua`: what the cells of a floor plan of the Vaults can be used for (spec 06 §15.9).

use std::ffi::CStr;

use vaultwright_lua::cells::{Field, list_of_cells, read_flags, write_cells};
use vaultwright_lua::charge;
use vaultwright_lua::closures::{replace_upvalue, upvalues};
use vaultwright_lua::mlua::{self, Function, IntoLuaMulti, Lua, MultiValue, Table, Value};
use vaultwright_lua::plan_functions::cell_reader;
use vaultwright_native::{Usage, usage_of_plan};

use super::{LibraryFile, are_original, counterpart, native_library, stands_for, v_painting};

/// The text of 0.24 to 0.33.
pub(super) const TEXTS: &[&str] =
    &["868a8bbff65fd786c20a93055036281581c6d14223bc6d7ccda7ed4b2ec55e03"];

/// What the Lua of the function calls.
pub(super) const USED: &[&str] = &["ipairs", "pairs"];

/// What a cell costs, in instructions.
pub(super) const CELL: u64 = 16;

/// The largest plan, in cells to a side, and the largest distance from a wall: the Lua of larger
/// ones uses up its budget.
const MAX_SIZE: usize = 200;
const MAX_DISTANCE: usize = 10;

/// Replaces the functions that read a cell, the one that paints a plan, and what that asks for how
/// a plan is used.
pub(super) fn install(file: &LibraryFile) -> mlua::Result<()> {
    let lua = file.lua;
    // Where a layout has no cell there is rock.
    for (name, is_layout) in [("vaults_get_usage", false), ("vaults_get_layout", true)] {
        if let Value::Function(interpreted) = lua.globals().raw_get(name)?
            && file.is_proved(name, &interpreted)?
        {
            let reader = cell_reader(lua, &interpreted, is_layout)?;
            stands_for(lua, &reader, &interpreted);
            lua.globals().raw_set(name, reader)?;
        }
    }
    let Value::Function(paint) = lua.globals().raw_get("paint_vaults_layout")? else {
        return Ok(());
    };
    replace_upvalue(lua, &paint, DETERMINING, |interpreted| {
        let is_all_known = file.is_proved(DETERMINING, &interpreted)?;
        let but = &[NEW, SET];
        let is_known = file.proof_but(DETERMINING_ALONE, &interpreted, &[], but)?.is_some();
        if is_all_known {
            return counterpart(lua, interpreted, |lua, arguments| match are_original(lua, USED) {
                true => Ok(usage_of(lua, &arguments)?.map_or(Value::Nil, Value::Table)),
                false => Ok(Value::Nil),
            });
        }
        match is_known {
            true => with_their_own_setting(lua, interpreted),
            false => Ok(interpreted),
        }
    })?;
    v_painting::install(file, paint)
}

/// The function that tells how a plan is used, and those that it holds: what makes a table of
/// usage, and what writes a cell of it.
const DETERMINING: &str = "determine_usage_from_layout";
const NEW: &str = "new_usage";
const SET: &str = "set_usage";
/// The first, whatever the others do.
const DETERMINING_ALONE: &str = "determine_usage_from_layout alone";

/// What tells how a plan is used, with the functions of the library that make the table and write
/// its cells: in 0.34 these are others.
fn with_their_own_setting(lua: &Lua, interpreted: Function) -> mlua::Result<Function> {
    let held = upvalues(lua, &interpreted)?;
    let function = |name| {
        held.iter().find(|(held, _)| held == name).and_then(|(_, value)| value.as_function())
    };
    let (Some(new), Some(set)) = (function(NEW), function(SET)) else { return Ok(interpreted) };
    let letters = lua.create_function(|lua, arguments: MultiValue| {
        let plan = if are_original(lua, USED) { plan_of(lua, &arguments)? } else { None };
        let Some(plan) = plan else { return Value::Nil.into_lua_multi(lua) };
        let usages = plan.usages();
        let columns = (0..plan.width).flat_map(|x| (0..plan.height).map(move |y| (x, y)));
        let letters: Vec<u8> = columns.map(|(x, y)| letter(usages[y * plan.width + x])).collect();
        (plan.width, plan.height, lua.create_string(letters)?).into_lua_multi(lua)
    })?;
    let using: Function = native_library(lua)?.raw_get("using")?;
    let used: Function = using.call((letters, new, set, &interpreted))?;
    stands_for(lua, &used, &interpreted);
    Ok(used)
}

/// What the native_library knows a usage by.
fn letter(usage: Usage) -> u8 {
    match usage {
        Usage::None => b'n',
        Usage::Between => b'-',
        Usage::Restricted { border: true } => b'b',
        Usage::Restricted { border: false } => b'r',
        Usage::Open => b'o',
        Usage::Eligible { dx: -1, .. } => b'l',
        Usage::Eligible { dx: 1, .. } => b'g',
        Usage::Eligible { dy: -1, .. } => b'u',
        Usage::Eligible { .. } => b'd',
    }
}

/// The distance from walls that the options ask for, if it is plain.
pub(super) fn distance_from_walls(options: &Table) -> Option<usize> {
    size(options, "min_distance_from_wall").filter(|distance| (1..=MAX_DISTANCE).contains(distance))
}

fn size(table: &Table, name: &str) -> Option<usize> {
    match table.raw_get::<Value>(name) {
        Ok(Value::Integer(size)) => usize::try_from(size).ok(),
        Ok(Value::Number(size)) if size.fract() == 0.0 && size > 0.0 => Some(size as usize),
        _ => None,
    }
}

/// The floor of a layout, as it is given with options.
struct Floor {
    width: usize,
    height: usize,
    floor: Vec<bool>,
    distance: usize,
}

impl Floor {
    fn usages(&self) -> Vec<Usage> {
        usage_of_plan(self.width, self.height, &self.floor, self.distance)
    }
}

/// The table of usage of a layout (layout, options); none for arguments that are not plain.
fn usage_of(lua: &Lua, arguments: &MultiValue) -> mlua::Result<Option<Table>> {
    let Some(plan) = plan_of(lua, arguments)? else { return Ok(None) };
    write_usage(lua, plan.width, plan.height, &plan.usages()).map(Some)
}

/// The floor of a layout (layout, options), paid for; none for arguments that are not plain.
fn plan_of(lua: &Lua, arguments: &MultiValue) -> mlua::Result<Option<Floor>> {
    let (Some(Value::Table(layout)), Some(Value::Table(options))) =
        (arguments.front(), arguments.get(1))
    else {
        return Ok(None);
    };
    let fits = |size: &usize| (1..=MAX_SIZE).contains(size);
    let (Some(width), Some(height), Some(distance)) = (
        size(layout, "width").filter(fits),
        size(layout, "height").filter(fits),
        distance_from_walls(options),
    ) else {
        return Ok(None);
    };
    let Some(solid) = read_flags(lua, layout, width, height, c"solid")? else { return Ok(None) };
    charge(lua, (width * height) as u64 * CELL)?;
    Ok(Some(Floor { width, height, floor: solid.iter().map(|solid| !solid).collect(), distance }))
}

/// Returns the table of usage of a plan: cells that a room can start from are numbered column by
/// column.
pub(super) fn write_usage(
    lua: &Lua,
    width: usize,
    height: usize,
    usages: &[Usage],
) -> mlua::Result<Table> {
    let mut spots = Vec::new();
    let mut numbers = vec![0; usages.len()];
    for x in 0..width {
        for y in 0..height {
            if let Usage::Open | Usage::Eligible { .. } = usages[y * width + x] {
                spots.push((x, y));
                numbers[y * width + x] = spots.len();
            }
        }
    }
    // In the order in which the Lua fills its table: `pairs` shows it.
    let grid = lua.create_table_with_capacity(0, 3)?;
    grid.raw_set("eligibles", false)?;
    grid.raw_set("width", width)?;
    grid.raw_set("height", height)?;
    const USAGE: &CStr = c"usage";
    write_cells(lua, &grid, width, height, |x, y, cell| {
        let number = Field::Number(numbers[y * width + x] as f64);
        let spot = Field::Point(x as f64, y as f64);
        match usages[y * width + x] {
            Usage::None | Usage::Between => cell.push((USAGE, Field::Text(c"none"))),
            Usage::Restricted { border } => {
                cell.push((USAGE, Field::Text(c"restricted")));
                if border {
                    cell.push((c"reason", Field::Text(c"border")));
                }
            }
            Usage::Open => {
                cell.push((USAGE, Field::Text(c"open")));
                cell.push((c"spot", spot));
                cell.push((c"eligibles_index", number));
                return 2;
            }
            Usage::Eligible { dx, dy } => {
                cell.push((USAGE, Field::Text(c"eligible")));
                cell.push((c"normal", Field::Point(f64::from(dx), f64::from(dy))));
                cell.push((c"depth", Field::Number(1.0)));
                cell.push((c"spot", spot));
                cell.push((c"eligibles_index", number));
                return 4;
            }
        }
        cell.len()
    })?;
    grid.raw_set("eligibles", list_of_cells(lua, &grid, &spots)?)?;
    Ok(grid)
}
