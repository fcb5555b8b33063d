//! The cells of a room of `hyper` where it stands in a plan: listed, and read.
//!
//! As in [`crate::cells`], nothing that has to be dropped is made while the interpreter's functions
//! are called.

use std::ffi::{CStr, c_int};

use mlua::ffi::{self, lua_State};
use mlua::{Lua, Result, Table};

use crate::layout::{Slot, arguments};
use crate::names::{names, push_names};
use crate::raw_tables::{RawTable, RawText, RawValue, whole};
use crate::shapes::Shape;

/// A place in a room, and that in the plan.
pub type Coord = ((i32, i32), (i32, i32));

names! { 3:
    ROOM_POS = c"room_pos",
    ROOM_CELL = c"room_cell",
    GRID_POS = c"grid_pos",
    GRID_USAGE = c"grid_usage",
    X = c"x",
    Y = c"y",
}

/// Returns the list of the cells of a room, from its grid, and of those of the plan under them.
pub fn write_coords(lua: &Lua, plan: &Table, room: &Table, coords: &[Coord]) -> Result<Table> {
    let (plan_index, room_index, list) = (1, 2, Y + 1);
    // SAFETY: there is room for what is pushed, and every slot is given back.
    unsafe {
        lua.exec_raw::<Table>((plan, room), |state| {
            ffi::luaL_checkstack(state, 32, std::ptr::null());
            push_names(state, NAMES);
            ffi::lua_createtable(state, 0, 0);
            let entry = [ROOM_POS, ROOM_CELL, GRID_POS, GRID_USAGE];
            let (Some(entries), Some(points)) =
                (Shape::push(state, 4, &entry), Shape::push(state, 2, &[X, Y]))
            else {
                return;
            };
            let first = ffi::lua_gettop(state);
            for (&((x, y), (px, py)), number) in coords.iter().zip(1..) {
                let point = |x: i32, y: i32| [x, y].map(|side| Slot::of_number(side.into()));
                points.push_like(state, &point(x, y));
                push_cell(state, room_index, x, y);
                points.push_like(state, &point(px, py));
                push_cell(state, plan_index, px, py);
                let held = arguments(state).get(first as usize..);
                if let Some(&[room_pos, room_cell, grid_pos, grid_usage]) = held {
                    entries.push_like(state, &[room_pos, room_cell, grid_pos, grid_usage]);
                    ffi::lua_rawseti_(state, list, number);
                }
                ffi::lua_settop(state, first);
            }
            ffi::lua_settop(state, list);
            ffi::lua_replace(state, 1);
            ffi::lua_settop(state, 1);
        })
    }
}

/// Pushes a cell of a grid; nil if there is none.
///
/// # Safety
/// The state must be that of the function that runs, with a table at the index and room for two
/// values.
unsafe fn push_cell(state: *mut lua_State, grid: c_int, x: i32, y: i32) {
    // SAFETY: upheld by the caller.
    unsafe {
        ffi::lua_rawgeti_(state, grid, y);
        if ffi::lua_type(state, -1) == ffi::LUA_TTABLE {
            ffi::lua_rawgeti_(state, -1, x);
            ffi::lua_remove(state, -2);
        }
    }
}

/// A cell of a room that is to be built.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlacedCell<F> {
    /// Where it stands in the plan.
    pub at: (i32, i32),
    /// What is made of the text that its feature is; none for a cell that is part of a vault.
    pub feature: Option<F>,
}

/// Reads the cells of a room from the list of them; none for what is not plain, so that it cannot
/// be written into the plan, and where other rooms can be dug from both a cell and what is under
/// it.
pub fn read_coords<F>(
    lua: &Lua,
    plan: &Table,
    list: &Table,
    mut feature: impl FnMut(&[u8]) -> F,
) -> Result<Option<Vec<PlacedCell<F>>>> {
    let mut cells = None;
    // SAFETY: the list holds what is read, and nothing is written to meanwhile; names lie on the
    // stack.
    unsafe {
        lua.exec_raw::<()>((plan, list), |state| {
            ffi::luaL_checkstack(state, 32, std::ptr::null());
            push_names(state, READ);
            let plain = |index| RawTable::on_stack(state, index).filter(|table| table.is_plain());
            if let (Some(plan), Some(list), Some(names)) =
                (plain(1), plain(2), Names::on_stack(state))
            {
                cells = names.cells(plan, list, &mut feature);
            }
            ffi::lua_settop(state, 0);
        })?;
    }
    Ok(cells)
}

/// The names of fields that are read, in the order of `Names`.
const READ: &[&CStr] = &[
    c"room_cell",
    c"grid_usage",
    c"grid_pos",
    c"x",
    c"y",
    c"space",
    c"vault",
    c"feature",
    c"carvable",
    c"anchors",
    c"normal",
    c"dir",
    c"pos",
    c"room_pos",
    c"eligibles",
    c"open",
    c"closed",
    c"eligibles_index",
    c"eligibles_which",
];

/// The names of fields that are read.
struct Names<'a> {
    room: RawText<'a>,
    plan: RawText<'a>,
    at: RawText<'a>,
    x: RawText<'a>,
    y: RawText<'a>,
    space: RawText<'a>,
    vault: RawText<'a>,
    feature: RawText<'a>,
    carvable: RawText<'a>,
    anchors: RawText<'a>,
    normal: RawText<'a>,
    dir: RawText<'a>,
    pos: RawText<'a>,
    room_pos: RawText<'a>,
    lists: RawText<'a>,
    open: RawText<'a>,
    closed: RawText<'a>,
    index: RawText<'a>,
    which: RawText<'a>,
}

impl Names<'_> {
    /// Those that lie on the stack behind the plan and the list.
    ///
    /// # Safety
    /// The names must lie there, in the order of [`READ`], as long as they are used.
    unsafe fn on_stack<'a>(state: *mut lua_State) -> Option<Names<'a>> {
        // SAFETY: upheld by the caller.
        let name = |number: c_int| unsafe { RawText::on_stack(state, number + 3) };
        Some(Names {
            room: name(0)?,
            plan: name(1)?,
            at: name(2)?,
            x: name(3)?,
            y: name(4)?,
            space: name(5)?,
            vault: name(6)?,
            feature: name(7)?,
            carvable: name(8)?,
            anchors: name(9)?,
            normal: name(10)?,
            dir: name(11)?,
            pos: name(12)?,
            room_pos: name(13)?,
            lists: name(14)?,
            open: name(15)?,
            closed: name(16)?,
            index: name(17)?,
            which: name(18)?,
        })
    }

    fn cells<F>(
        &self,
        plan: RawTable,
        list: RawTable,
        feature: &mut impl FnMut(&[u8]) -> F,
    ) -> Option<Vec<PlacedCell<F>>> {
        let lists = plan.field(self.lists).plain_table()?;
        lists.field(self.open).plain_table()?;
        lists.field(self.closed).plain_table()?;
        plan.field(self.anchors).plain_table()?;
        let mut cells = Vec::new();
        for number in 1.. {
            let entry = match list.element(number) {
                RawValue::Nil => break,
                entry => entry.plain_table()?,
            };
            let room = entry.field(self.room).plain_table()?;
            let under = entry.field(self.plan).plain_table()?;
            let at = self.point(entry.field(self.at))?;
            let there = plan.element(at.1).plain_table()?.element(at.0).plain_table()?;
            if there != under || !self.is_listed_plainly(under) || !self.is_listed_plainly(room) {
                return None;
            }
            let is_true = |table: RawTable, name| {
                !matches!(table.field(name), RawValue::Nil | RawValue::Flag(false))
            };
            let dug = is_true(room, self.carvable);
            if is_true(room, self.space) || (dug && is_true(under, self.carvable)) {
                return None;
            }
            self.anchors_are_plain(room.field(self.anchors))?;
            are_plain(under.field(self.anchors))?;
            if dug {
                entry.field(self.room_pos).plain_table()?;
            }
            let feature = match room.field(self.feature) {
                _ if is_true(room, self.vault) => None,
                RawValue::Text(text) => Some(feature(text.bytes())),
                _ => return None,
            };
            cells.push(PlacedCell { at, feature });
        }
        Some(cells)
    }

    /// Whether what is known of the list that a cell is on is plain.
    fn is_listed_plainly(&self, cell: RawTable) -> bool {
        let index = match cell.field(self.index) {
            RawValue::Nil => return true,
            index => index.whole(),
        };
        let is_list = |name| cell.field(self.which) == RawValue::Text(name);
        index.is_some() && (is_list(self.open) || is_list(self.closed))
    }

    fn point(&self, value: RawValue) -> Option<(i32, i32)> {
        let point = value.plain_table()?;
        let side = |name| point.field(name).number().filter(|&side| is_usual(side)).and_then(whole);
        side(self.x).zip(side(self.y))
    }

    fn anchors_are_plain(&self, anchors: RawValue) -> Option<()> {
        if anchors == RawValue::Nil {
            return Some(());
        }
        let anchors = anchors.plain_table()?;
        for number in 1.. {
            let anchor = match anchors.element(number) {
                RawValue::Nil => break,
                anchor => anchor.plain_table()?,
            };
            let side = anchor.field(self.normal).plain_table()?.field(self.dir).whole()?;
            if !(0..4).contains(&side) {
                return None;
            }
            self.point(anchor.field(self.pos))?;
        }
        Some(())
    }
}

/// Looks whether the elements of a list are plain tables, if there is one.
fn are_plain(list: RawValue) -> Option<()> {
    if list == RawValue::Nil {
        return Some(());
    }
    let list = list.plain_table()?;
    for number in 1.. {
        match list.element(number) {
            RawValue::Nil => break,
            element => element.plain_table()?,
        };
    }
    Some(())
}

/// Whether a number is not so large that sums of it are inexact, and not the nought with a sign.
fn is_usual(number: f64) -> bool {
    number.abs() < 1e6 && number.to_bits() != (-0.0_f64).to_bits()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Option<Vec<PlacedCell<String>>> {
        let lua = Lua::new();
        let list: Table = lua.load(format!("return {{ {text} }}")).eval().unwrap();
        let make = "local list = ...
            local plan = { eligibles = { open = {}, closed = {} }, anchors = {} }
            for y = -1, 4 do plan[y] = {} end
            for _, entry in ipairs(list) do
                local at = type(entry) == 'table' and entry.grid_pos
                if at and plan[at.y] then plan[at.y][at.x] = entry.grid_usage end
            end
            return plan";
        let plan: Table = lua.load(make).call(&list).unwrap();
        read_coords(&lua, &plan, &list, |text| String::from_utf8_lossy(text).into_owned()).unwrap()
    }

    #[test]
    fn cells_are_listed_with_what_is_under_them() -> Result<()> {
        let lua = Lua::new();
        let (plan, room): (Table, Table) = lua
            .load(
                "return { [7] = { [5] = { n = 1 } }, [8] = { [5] = { n = 2 } } },
                { [0] = { [0] = { n = 3 }, { n = 4 } } }",
            )
            .eval()?;
        let list = write_coords(&lua, &plan, &room, &[((0, 0), (5, 7)), ((1, 0), (5, 8))])?;
        lua.gc_collect()?;
        let told: String = lua
            .load(
                "local list, parts = ..., {}
                for i, c in ipairs(list) do
                    parts[i] = table.concat({ c.room_pos.x, c.room_pos.y, c.room_cell.n,
                        c.grid_pos.x, c.grid_pos.y, c.grid_usage.n }, ' ')
                end
                return table.concat(parts, '|')",
            )
            .call(list)?;
        assert_eq!(told, "0 0 3 5 7 1|1 0 4 5 8 2");
        Ok(())
    }

    #[test]
    fn plain_cells_are_read() {
        let cell = "{ room_cell = { feature = 'floor', anchors = { { normal = { dir = 2 },
            pos = { x = 0, y = 0 } } } }, grid_usage = { carvable = true },
            grid_pos = { x = 3, y = 4 } }";
        let vault = "{ room_cell = { vault = true, carvable = true }, grid_usage = {},
            grid_pos = { x = 1, y = 0 }, room_pos = {} }";
        let floor = PlacedCell { at: (3, 4), feature: Some("floor".to_owned()) };
        let cells = vec![floor, PlacedCell { at: (1, 0), feature: None }];
        assert_eq!(read(&format!("{cell}, {vault}")), Some(cells));
        assert_eq!(read(""), Some(Vec::new()));
        for odd in [
            "1",
            "{ room_cell = { feature = 'x' }, grid_usage = {}, grid_pos = { x = 1.5, y = 0 } }",
            "{ room_cell = { feature = 'x' }, grid_usage = {}, grid_pos = { x = -0, y = 0 } }",
            "{ room_cell = { feature = 'x' }, grid_pos = { x = 1, y = 0 } }",
            "{ room_cell = { feature = 33 }, grid_usage = {}, grid_pos = { x = 1, y = 0 } }",
            "{ room_cell = { feature = 'x', space = true }, grid_usage = {},
                grid_pos = { x = 1, y = 0 } }",
            "{ room_cell = { feature = 'x', carvable = true }, grid_usage = { carvable = true },
                grid_pos = { x = 1, y = 0 }, room_pos = {} }",
            "{ room_cell = { feature = 'x', anchors = { {} } }, grid_usage = {},
                grid_pos = { x = 1, y = 0 } }",
            "{ room_cell = { feature = 'x' }, grid_usage = { eligibles_index = 1 },
                grid_pos = { x = 1, y = 0 } }",
            "{ room_cell = { feature = 'x' }, grid_usage = { anchors = { 1 } },
                grid_pos = { x = 1, y = 0 } }",
            "{ room_cell = { feature = 'x' }, grid_usage = {}, grid_pos = { x = 1, y = 9 } }",
            "{ room_cell = setmetatable({ feature = 'x' }, {}), grid_usage = {},
                grid_pos = { x = 1, y = 0 } }",
        ] {
            assert_eq!(read(odd), None, "{odd}");
        }
    }
}
