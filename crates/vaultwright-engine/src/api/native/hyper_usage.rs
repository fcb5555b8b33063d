//! `layout/hyper_usage.lua`: on which cells of a plan rooms can be built, and what they can be
//! joined to (spec 06 §15.13).

use std::cell::RefCell;
use std::collections::HashSet;
use std::ffi::{CStr, c_void};

use vaultwright_lua::cells::{CellReader, Found, Held, read_cells, read_list};
use vaultwright_lua::charge;
use vaultwright_lua::known_functions::KnownFunction;
use vaultwright_lua::mlua::{self, Function, Lua, MultiValue, Table, Value};
use vaultwright_lua::plan_functions::{cell_reader, plan_functions};
use vaultwright_lua::plan_tables::{CellChange, ListEntry, write_changes, write_list};
use vaultwright_native::{PlanCell, PlanChange, PlanEntry, PlanList, analyse_plan};

use super::v_rooms::{NORMALS, is_true, plain};
use super::{
    LibraryFile, Members, are_original, counterpart, hyper_plan, original, stands_for, whole,
};

/// The text of 0.24 to 0.33.
pub(super) const TEXTS: &[&str] =
    &["d714fe7a57ed2e13b27bb5c4a36e4c7124cf6d5c7c43edc4190c1d85d8fc4cbb"];
/// The text of `vector.lua` of all releases from 0.24 on.
pub(super) const VECTORS: &[&str] =
    &["33342e25c8ab2cab6d175c9853188dafb54379a3737d86f80368f45779c1cb7f"];

/// What the Lua of the function calls.
pub(super) const USED: &[&str] = &["ipairs", "table.insert", "table.remove"];

/// What a cell costs, in instructions.
const CELL: u64 = 20;
/// The largest side of a plan.
const MAX_SIDE: i32 = 200;

/// Replaces `hyper.usage.analyse_grid_usage`, and what makes new plans.
pub(super) fn install(file: &LibraryFile) -> mlua::Result<()> {
    let lua = file.lua;
    let Some(usage) = usage_table(lua)? else { return Ok(()) };
    hyper_plan::install(file, &usage)?;
    install_functions_of_cells(file, &usage)?;
    let Some(interpreted) = usage.raw_get::<Option<Function>>("analyse_grid_usage")? else {
        return Ok(());
    };
    let relied = &["dlua/layout/vector.lua"];
    let Some(proof) = file.proof("hyper.usage.analyse_grid_usage", &interpreted, relied)? else {
        return Ok(());
    };
    let mut called = Members(Vec::new());
    for name in ["get_usage", "set_usage"] {
        match usage.raw_get(name)? {
            Value::Function(function) => called.add(lua, name, function)?,
            _ => return Ok(()),
        }
    }
    let analyse = counterpart(lua, interpreted, move |lua, arguments| {
        let untouched = are_original(lua, USED)
            && proof.holds(lua)
            && usage_table(lua)?.is_some_and(|usage| called.are_in(&usage));
        match (untouched, normals(lua)?) {
            (true, Some(normals)) if analysed(lua, &arguments, &normals)? => {
                Ok(Value::Boolean(true))
            }
            _ => Ok(Value::Nil),
        }
    })?;
    usage.raw_set("analyse_grid_usage", analyse)
}

/// Replaces those that read and write a cell.
fn install_functions_of_cells(file: &LibraryFile, usage: &Table) -> mlua::Result<()> {
    let lua = file.lua;
    let (Value::Function(read), Value::Function(write)) =
        (usage.raw_get("get_usage")?, usage.raw_get("set_usage")?)
    else {
        return Ok(());
    };
    let [Some(ipairs), Some(insert), Some(remove)] =
        [0, 1, 2].map(|used| original(lua, USED[used]))
    else {
        return Ok(());
    };
    if !file.is_proved("hyper.usage.get_usage", &read)? {
        return Ok(());
    }
    let library = (read, write);
    if !file.is_proved("hyper.usage.set_usage", &library.1)? {
        let read = cell_reader(lua, &library.0, false)?;
        stands_for(lua, &read, &library.0);
        return usage.raw_set("get_usage", read);
    }
    let (read, write) = plan_functions(lua, &library.0, &library.1, [&ipairs, &insert, &remove])?;
    stands_for(lua, &read, &library.0);
    stands_for(lua, &write, &library.1);
    let known = |path, function: &Function| KnownFunction::new(lua, path, function.clone());
    lua.set_app_data(PlanFunctions {
        read: known("hyper.usage.get_usage", &read)?,
        write: known("hyper.usage.set_usage", &write)?,
    });
    usage.raw_set("get_usage", read)?;
    usage.raw_set("set_usage", write)
}

/// The functions that read and write a cell.
pub(super) struct PlanFunctions {
    read: KnownFunction,
    write: KnownFunction,
}

impl PlanFunctions {
    /// Whether no script has replaced them.
    pub(super) fn are_untouched(lua: &Lua) -> bool {
        let globals = lua.globals();
        let functions = lua.app_data_ref::<PlanFunctions>();
        functions.is_some_and(|known| known.read.is_in(&globals) && known.write.is_in(&globals))
    }

    /// What writes a cell.
    fn write(lua: &Lua) -> Option<Function> {
        Some(lua.app_data_ref::<PlanFunctions>()?.write.function().clone())
    }
}

/// A function of the interpreter that writes many cells of plans: made from the one that writes a
/// cell.
pub(super) struct PlanTool {
    make: fn(&Lua, &Function) -> mlua::Result<Function>,
    /// It, and the function it was made from.
    made: RefCell<Option<(*const c_void, Function)>>,
}

impl PlanTool {
    pub(super) fn new(make: fn(&Lua, &Function) -> mlua::Result<Function>) -> PlanTool {
        PlanTool { make, made: RefCell::new(None) }
    }

    /// It, unless a script has replaced a function that reads or writes a cell.
    pub(super) fn get(&self, lua: &Lua) -> mlua::Result<Option<Function>> {
        if !PlanFunctions::are_untouched(lua) {
            return Ok(None);
        }
        let Some(write) = PlanFunctions::write(lua) else { return Ok(None) };
        if let Some((_, tool)) =
            self.made.borrow().as_ref().filter(|(from, _)| *from == write.to_pointer())
        {
            return Ok(Some(tool.clone()));
        }
        let tool = (self.make)(lua, &write)?;
        *self.made.borrow_mut() = Some((write.to_pointer(), tool.clone()));
        Ok(Some(tool))
    }
}

fn usage_table(lua: &Lua) -> mlua::Result<Option<Table>> {
    let Some(hyper) = plain(lua.globals().raw_get("hyper")?) else { return Ok(None) };
    Ok(plain(hyper.raw_get("usage")?))
}

/// The corners, in the order of the library.
const DIAGONALS: [(i32, i32); 4] = [(-1, -1), (-1, 1), (1, 1), (1, -1)];

/// The directions of the sides, if these and those of corners are the library's.
pub(super) fn normals(lua: &Lua) -> mlua::Result<Option<Table>> {
    let Some(vector) = plain(lua.globals().raw_get("vector")?) else { return Ok(None) };
    let (Some(normals), Some(directions)) =
        (plain(vector.raw_get("normals")?), plain(vector.raw_get("directions")?))
    else {
        return Ok(None);
    };
    for (number, at) in NORMALS.into_iter().enumerate() {
        let Some(normal) = plain(normals.raw_get(number + 1)?) else { return Ok(None) };
        if whole(&normal.raw_get("dir")?) != Some(number as i32) || !points_to(&normal, at)? {
            return Ok(None);
        }
    }
    for (number, at) in NORMALS.into_iter().chain(DIAGONALS).enumerate() {
        match plain(directions.raw_get(number + 1)?) {
            Some(direction) if points_to(&direction, at)? => {}
            _ => return Ok(None),
        }
    }
    let complete = normals.raw_len() == 4 && directions.raw_len() == 8;
    Ok(complete.then_some(normals))
}

fn points_to(direction: &Table, (x, y): (i32, i32)) -> mlua::Result<bool> {
    Ok(whole(&direction.raw_get("x")?) == Some(x) && whole(&direction.raw_get("y")?) == Some(y))
}

const FIELDS: &[&CStr] =
    &[c"vault", c"wall", c"solid", c"carvable", c"eligibles_index", c"eligibles_which", c"anchors"];
const ANCHORS: usize = 6;
const WORDS: &[&CStr] = &[c"open", c"closed"];

/// A cell of the plan, and how many anchors it has.
type Cell = (PlanCell, usize);

/// Analyses the plan that is the first argument; false, with nothing done, if it is not plain.
fn analysed(lua: &Lua, arguments: &MultiValue, normals: &Table) -> mlua::Result<bool> {
    let Some(grid) = arguments.front().cloned().and_then(plain) else { return Ok(false) };
    let (Some(width), Some(height)) =
        (whole(&grid.raw_get("width")?), whole(&grid.raw_get("height")?))
    else {
        return Ok(false);
    };
    let is_sane = |side: i32| (1..=MAX_SIDE).contains(&side);
    let (Some(lists), Some(anchor_list)) =
        (plain(grid.raw_get("eligibles")?), plain(grid.raw_get("anchors")?))
    else {
        return Ok(false);
    };
    let (Some(open), Some(closed)) =
        (plain(lists.raw_get("open")?), plain(lists.raw_get("closed")?))
    else {
        return Ok(false);
    };
    let (Some(open_cells), Some(closed_cells), Some(anchors)) =
        (read_list(lua, &open)?, read_list(lua, &closed)?, read_list(lua, &anchor_list)?)
    else {
        return Ok(false);
    };
    let seen: HashSet<_> = [&open, &closed, &anchor_list].map(|list| list.to_pointer()).into();
    if !is_sane(width) || !is_sane(height) || seen.len() < 3 {
        return Ok(false);
    }
    let cells = read_cells(lua, &grid, FIELDS, WORDS, |reader| read(reader, width, height, seen))?;
    let Some(cells) = cells.flatten() else { return Ok(false) };
    charge(lua, cells.len() as u64 * CELL)?;

    let (width, height) = (width as usize, height as usize);
    let plain_cells: Vec<PlanCell> = cells.iter().map(|(cell, _)| *cell).collect();
    let lengths = [open_cells.len(), closed_cells.len()];
    let (changes, entries) = analyse_plan(width, height, &plain_cells, lengths);
    let anchors = anchors_after(width, height, &cells, &changes, anchors.len());
    let written: Vec<CellChange> = changes.iter().map(change).collect();
    write_changes(lua, &grid, normals, width, &written)?;
    for (list, entries) in [&open, &closed].into_iter().zip(entries) {
        let entry = |entry: &PlanEntry| match *entry {
            PlanEntry::Before(index) => ListEntry::Before(index + 1),
            PlanEntry::Cell(cell) => ListEntry::Cell { x: cell % width, y: cell / width },
        };
        let entries: Vec<ListEntry> = entries.iter().map(entry).collect();
        write_list(lua, &grid, list, &entries)?;
    }
    write_list(lua, &grid, &anchor_list, &anchors)?;
    Ok(true)
}

fn change(change: &PlanChange) -> CellChange {
    let listed = change.listed.map(|(list, number)| (list == PlanList::Closed, number));
    CellChange { doors: change.doors, buffer: change.buffer, listed }
}

/// The cells of a plan, row by row; none if they are not plain, or a table is there twice or among
/// those that have been seen.
fn read(
    reader: &mut CellReader,
    width: i32,
    height: i32,
    mut seen: HashSet<*const c_void>,
) -> Option<Vec<Cell>> {
    let mut cells = Vec::with_capacity((width * height) as usize);
    seen.reserve(2 * cells.capacity());
    for (y, x) in (0..height).flat_map(|y| (0..width).map(move |x| (y, x))) {
        let mut held = [Held::Nil; FIELDS.len()];
        if reader.read(x, y, &mut held) != Found::Cell || !seen.insert(reader.address(x, y)) {
            return None;
        }
        let number = match held[4] {
            Held::Number(number) if number.fract() == 0.0 && number.abs() < 1e9 => {
                Some(number as i64)
            }
            Held::Nil | Held::Flag(false) => None,
            _ => return None,
        };
        let listed = match (number, held[5]) {
            (Some(number), Held::Word(0)) => Some((PlanList::Open, number)),
            (Some(number), Held::Word(1)) => Some((PlanList::Closed, number)),
            (None, _) => None,
            _ => return None,
        };
        let [vault, wall, solid, carvable] = [held[0], held[1], held[2], held[3]].map(is_true);
        let cell = PlanCell { vault, wall, solid, carvable, listed };
        let anchors = match held[ANCHORS] {
            Held::Table(address) => {
                // Of two cells with the same list one would see what is added for the other.
                if !seen.insert(address) {
                    return None;
                }
                reader.list(x, y, ANCHORS)?.len()
            }
            // A wall without a list is an error where floor is beside it.
            Held::Nil if !wall => 0,
            _ => return None,
        };
        cells.push((cell, anchors));
    }
    Some(cells)
}

/// The list of all anchors: those of each cell that is listed again are added, and stay where they
/// were.
fn anchors_after(
    width: usize,
    height: usize,
    cells: &[Cell],
    changes: &[PlanChange],
    before: usize,
) -> Vec<ListEntry> {
    let mut all: Vec<ListEntry> = (1..=before).map(ListEntry::Before).collect();
    for (x, y) in (0..width).flat_map(|x| (0..height).map(move |y| (x, y))) {
        let ((cell, own), change) = (&cells[y * width + x], &changes[y * width + x]);
        if !cell.vault {
            let new = change.doors.iter().filter(|&&door| door).count();
            all.extend((1..=own + new).map(|number| ListEntry::Anchor { x, y, number }));
        }
    }
    all
}
