//! Functions that read and write a cell of a plan, `hyper`'s usage grids: the interpreter's own,
//! since layouts and their library look at more cells than they do anything else.
//!
//! What is not plain, and all if a script has replaced a function that the library's call, is left
//! to these, which know the words of errors.

use std::ffi::c_int;

use mlua::ffi::{self, lua_State};
use mlua::{Function, Lua, Result};

use crate::cells::is_plain;
use crate::layout::set_element;
use crate::meter::Meter;
use crate::names::{names, push_names};
use crate::room_building::remove;

/// Returns the functions that read and write a cell: with the plan, the column, the row and what is
/// written. `read_else` and `write_else` are the library's own, `called` what these call: `ipairs`,
/// `table.insert` and `table.remove`.
pub fn plan_functions(
    lua: &Lua,
    read_else: &Function,
    write_else: &Function,
    called: [&Function; 3],
) -> Result<(Function, Function)> {
    // SAFETY: the values are pushed in the order of the upvalues below.
    unsafe {
        let [ipairs, insert, remove] = called;
        lua.exec_raw((read_else, write_else, lua.globals(), ipairs, insert, remove), |state| {
            ffi::luaL_checkstack(state, 40, std::ptr::null());
            ffi::lua_pushvalue(state, 1);
            ffi::lua_pushcclosure(state, read, 1);
            let (first, written) = (2, ffi::lua_gettop(state));
            for value in first..written {
                ffi::lua_pushvalue(state, value);
            }
            push_names(state, NAMES);
            let count = written - first + NAMES.len() as c_int;
            ffi::lua_pushcclosure(state, write, count);
            ffi::lua_replace(state, 2);
            ffi::lua_replace(state, 1);
            ffi::lua_settop(state, 2);
        })
    }
}

/// Returns a function that reads a cell: with the plan, the column and the row. A cell that is not
/// there is nil, or, with `ask_for_nothing`, what the library's function `otherwise` answers.
pub fn cell_reader(lua: &Lua, otherwise: &Function, ask_for_nothing: bool) -> Result<Function> {
    let read = if ask_for_nothing { read_or_ask } else { read };
    // SAFETY: the only upvalue is on the stack.
    unsafe { lua.exec_raw(otherwise, |state| ffi::lua_pushcclosure(state, read, OTHERWISE)) }
}

/// The upvalues: the library's function first, in all.
const OTHERWISE: c_int = 1;
const GLOBALS: c_int = 2;
const IPAIRS: c_int = 3;
const INSERT: c_int = 4;
const REMOVE: c_int = 5;
// The names of fields and globals, behind these.
names! { 6:
    N_IPAIRS = c"ipairs",
    N_TABLE = c"table",
    N_INSERT = c"insert",
    N_REMOVE = c"remove",
    ELIGIBLES = c"eligibles",
    INDEX = c"eligibles_index",
    WHICH = c"eligibles_which",
    ANCHORS = c"anchors",
    VAULT = c"vault",
    CARVABLE = c"carvable",
    SOLID = c"solid",
    SPOT = c"spot",
    OPEN = c"open",
    CLOSED = c"closed",
}

/// The arguments, and what lies behind them once it has been found to be plain.
const PLAN: c_int = 1;
const X: c_int = 2;
const Y: c_int = 3;
const NEW: c_int = 4;
const ROW: c_int = 5;
const OLD: c_int = 6;
/// The list that the cell was on, or nil.
const OLD_LIST: c_int = 7;
const OLD_ANCHORS: c_int = 8;
/// The list that it comes on, or nil.
const NEW_LIST: c_int = 9;
const NEW_ANCHORS: c_int = 10;
/// All anchors of the plan.
const ALL_ANCHORS: c_int = 11;

unsafe extern "C-unwind" fn read(state: *mut lua_State) -> c_int {
    // SAFETY: a function has room for twenty values.
    unsafe { if push_cell(state) { 1 } else { call_otherwise(state) } }
}

unsafe extern "C-unwind" fn read_or_ask(state: *mut lua_State) -> c_int {
    // SAFETY: as above.
    unsafe {
        let count = ffi::lua_gettop(state);
        if push_cell(state) && ffi::lua_type(state, -1) != ffi::LUA_TNIL {
            return 1;
        }
        ffi::lua_settop(state, count);
        call_otherwise(state)
    }
}

/// Pushes the cell that the arguments ask for, nil if there is none; false, with nothing pushed,
/// where anything is not plain.
///
/// # Safety
/// The state must be that of a function made here.
unsafe fn push_cell(state: *mut lua_State) -> bool {
    // SAFETY: upheld by the caller.
    unsafe {
        let count = ffi::lua_gettop(state);
        if count < Y || !is_place(state) {
            return false;
        }
        ffi::lua_pushvalue(state, Y);
        ffi::lua_rawget(state, PLAN);
        if ffi::lua_type(state, -1) == ffi::LUA_TNIL {
            return true;
        }
        if !is_plain(state, -1) {
            ffi::lua_settop(state, count);
            return false;
        }
        ffi::lua_pushvalue(state, X);
        ffi::lua_rawget(state, -2);
        true
    }
}

unsafe extern "C-unwind" fn write(state: *mut lua_State) -> c_int {
    // SAFETY: as above.
    unsafe {
        if ffi::lua_gettop(state) < NEW {
            return call_otherwise(state);
        }
        ffi::lua_settop(state, NEW);
        if is_place(state) && is_plain(state, NEW) && is_untouched(state) {
            match find(state) {
                Some(true) => {
                    replace(state);
                    return 0;
                }
                Some(false) => {
                    ffi::lua_pushboolean(state, 0);
                    return 1;
                }
                None => {}
            }
        }
        ffi::lua_settop(state, NEW);
        call_otherwise(state)
    }
}

/// Whether the first arguments are a plain plan and a place.
///
/// # Safety
/// The state must be that of a function made here.
unsafe fn is_place(state: *mut lua_State) -> bool {
    // SAFETY: upheld by the caller.
    unsafe {
        is_plain(state, PLAN)
            && ffi::lua_type(state, X) == ffi::LUA_TNUMBER
            && ffi::lua_type(state, Y) == ffi::LUA_TNUMBER
    }
}

/// Calls the library's function with all that is on the stack.
///
/// # Safety
/// The state must be that of a function made here.
unsafe fn call_otherwise(state: *mut lua_State) -> c_int {
    // SAFETY: upheld by the caller.
    unsafe {
        let count = ffi::lua_gettop(state);
        ffi::lua_pushvalue(state, ffi::lua_upvalueindex(OTHERWISE));
        ffi::lua_insert(state, 1);
        ffi::lua_call(state, count, ffi::LUA_MULTRET);
        ffi::lua_gettop(state)
    }
}

/// Pushes a field of a table, whose name is an upvalue.
///
/// # Safety
/// The state must be that of [`write`], with a table at the index.
unsafe fn push_field(state: *mut lua_State, table: c_int, name: c_int) {
    // SAFETY: upheld by the caller.
    unsafe {
        ffi::lua_pushvalue(state, ffi::lua_upvalueindex(name));
        ffi::lua_rawget(state, table);
    }
}

/// Whether a script has left alone what the library's function calls.
///
/// # Safety
/// The state must be that of [`write`].
unsafe fn is_untouched(state: *mut lua_State) -> bool {
    // SAFETY: upheld by the caller.
    unsafe {
        let top = ffi::lua_gettop(state);
        let is = |name, function| {
            push_field(state, top + 1, name);
            let same = ffi::lua_rawequal(state, -1, ffi::lua_upvalueindex(function)) != 0;
            ffi::lua_pop(state, 1);
            same
        };
        ffi::lua_pushvalue(state, ffi::lua_upvalueindex(GLOBALS));
        let mut untouched = is(N_IPAIRS, IPAIRS);
        push_field(state, top + 1, N_TABLE);
        ffi::lua_replace(state, top + 1);
        untouched =
            untouched && is_plain(state, top + 1) && is(N_INSERT, INSERT) && is(N_REMOVE, REMOVE);
        ffi::lua_settop(state, top);
        untouched
    }
}

/// Pushes what the cell is and was on; false if there is no such cell, none if anything is not
/// plain.
///
/// # Safety
/// The state must be that of [`write`], with a plain plan, a place and a new cell.
unsafe fn find(state: *mut lua_State) -> Option<bool> {
    // SAFETY: upheld by the caller.
    unsafe {
        ffi::lua_pushvalue(state, Y);
        ffi::lua_rawget(state, PLAN);
        if ffi::lua_type(state, ROW) == ffi::LUA_TNIL {
            return Some(false);
        }
        if !is_plain(state, ROW) {
            return None;
        }
        ffi::lua_pushvalue(state, X);
        ffi::lua_rawget(state, ROW);
        if ffi::lua_type(state, OLD) == ffi::LUA_TNIL {
            return Some(false);
        }
        if !is_plain(state, OLD) {
            return None;
        }
        let plain = push_old_list(state)
            && push_list_or_nil(state, OLD)
            && push_new_list(state)
            && push_list_or_nil(state, NEW);
        if !plain {
            return None;
        }
        push_field(state, PLAN, ANCHORS);
        let anchors = [OLD_ANCHORS, NEW_ANCHORS];
        let asked = anchors.into_iter().any(|list| ffi::lua_type(state, list) != ffi::LUA_TNIL);
        let plain = !asked || (is_plain(state, ALL_ANCHORS) && are_plain(state, OLD_ANCHORS));
        plain.then_some(true)
    }
}

/// Pushes the list that the old cell is on, or nil; whether it is plain.
///
/// # Safety
/// The state must be that of [`write`], with the old cell on its stack.
unsafe fn push_old_list(state: *mut lua_State) -> bool {
    // SAFETY: upheld by the caller.
    unsafe {
        push_field(state, OLD, INDEX);
        let kind = ffi::lua_type(state, -1);
        if kind == ffi::LUA_TNIL {
            return true;
        }
        let number = ffi::lua_tonumber(state, -1);
        ffi::lua_pop(state, 1);
        if kind != ffi::LUA_TNUMBER || number.fract() != 0.0 || number.abs() > 1e9 {
            return false;
        }
        push_field(state, OLD, WHICH);
        if ffi::lua_type(state, -1) != ffi::LUA_TSTRING {
            return false;
        }
        push_field(state, PLAN, ELIGIBLES);
        if !is_plain(state, -1) {
            return false;
        }
        ffi::lua_insert(state, -2);
        ffi::lua_rawget(state, -2);
        ffi::lua_remove(state, -2);
        is_plain(state, -1)
    }
}

/// Pushes the list that the new cell comes on, or nil; whether it is plain.
///
/// # Safety
/// The state must be that of [`write`], with the new cell on its stack.
unsafe fn push_new_list(state: *mut lua_State) -> bool {
    // SAFETY: upheld by the caller.
    unsafe {
        if is_true(state, VAULT) || (!is_true(state, CARVABLE) && is_true(state, SOLID)) {
            ffi::lua_pushnil(state);
            return true;
        }
        let which = which(state);
        push_field(state, PLAN, ELIGIBLES);
        if !is_plain(state, -1) {
            return false;
        }
        ffi::lua_pushvalue(state, ffi::lua_upvalueindex(which));
        ffi::lua_rawget(state, -2);
        ffi::lua_remove(state, -2);
        is_plain(state, -1)
    }
}

/// The name of the list that the new cell belongs to.
///
/// # Safety
/// The state must be that of [`write`], with the new cell on its stack.
unsafe fn which(state: *mut lua_State) -> c_int {
    // SAFETY: upheld by the caller.
    if unsafe { is_true(state, SOLID) } { CLOSED } else { OPEN }
}

/// Whether a field of the new cell is true.
///
/// # Safety
/// The state must be that of [`write`], with the new cell on its stack.
unsafe fn is_true(state: *mut lua_State, name: c_int) -> bool {
    // SAFETY: upheld by the caller.
    unsafe {
        push_field(state, NEW, name);
        let is_true = ffi::lua_toboolean(state, -1) != 0;
        ffi::lua_pop(state, 1);
        is_true
    }
}

/// Pushes the anchors of a cell, or nil; whether they are plain.
///
/// # Safety
/// The state must be that of [`write`], with a cell at the index.
unsafe fn push_list_or_nil(state: *mut lua_State, cell: c_int) -> bool {
    // SAFETY: upheld by the caller.
    unsafe {
        push_field(state, cell, ANCHORS);
        ffi::lua_type(state, -1) == ffi::LUA_TNIL || is_plain(state, -1)
    }
}

/// Whether the elements of a list are plain tables, so that they are equal only to themselves.
///
/// # Safety
/// The state must be that of [`write`], with a plain table or nil at the index.
unsafe fn are_plain(state: *mut lua_State, list: c_int) -> bool {
    // SAFETY: upheld by the caller.
    unsafe {
        if ffi::lua_type(state, list) == ffi::LUA_TNIL {
            return true;
        }
        for number in 1.. {
            ffi::lua_rawgeti_(state, list, number);
            let (end, plain) = (ffi::lua_type(state, -1) == ffi::LUA_TNIL, is_plain(state, -1));
            ffi::lua_pop(state, 1);
            if end || !plain {
                return end;
            }
        }
        true
    }
}

/// Puts the new cell in the place of the old one, with what `find` has pushed.
///
/// # Safety
/// The state must be that of [`write`], behind a [`find`] that has found the cell.
unsafe fn replace(state: *mut lua_State) {
    // SAFETY: upheld by the caller.
    unsafe {
        if ffi::lua_type(state, OLD_LIST) != ffi::LUA_TNIL {
            push_field(state, OLD, INDEX);
            let number = ffi::lua_tonumber(state, -1) as i64;
            ffi::lua_pop(state, 1);
            charge_for(state, OLD_LIST);
            remove(state, OLD_LIST, number);
        }
        // A cell that is written once more keeps them, and they are listed twice.
        let again = ffi::lua_rawequal(state, OLD, NEW) != 0;
        if !again && ffi::lua_type(state, OLD_ANCHORS) != ffi::LUA_TNIL {
            remove_anchors(state);
        }
        if ffi::lua_type(state, NEW_LIST) != ffi::LUA_TNIL {
            enlist(state);
        }
        if ffi::lua_type(state, NEW_ANCHORS) != ffi::LUA_TNIL {
            for number in 1.. {
                ffi::lua_rawgeti_(state, NEW_ANCHORS, number);
                if ffi::lua_type(state, -1) == ffi::LUA_TNIL {
                    ffi::lua_pop(state, 1);
                    break;
                }
                append(state, ALL_ANCHORS);
            }
        }
        ffi::lua_pushvalue(state, X);
        ffi::lua_pushvalue(state, NEW);
        ffi::lua_rawset(state, ROW);
    }
}

/// Pays for moving the elements of a list.
///
/// # Safety
/// The state must be that of [`write`], with a table at the index.
unsafe fn charge_for(state: *mut lua_State, list: c_int) {
    // SAFETY: upheld by the caller.
    unsafe {
        let length = ffi::lua_objlen(state, list) as u64;
        Meter::of(state).charge(state, length / 16);
    }
}

/// Takes each anchor of the old cell off the list of all.
///
/// # Safety
/// As [`replace`]; the old cell must have anchors.
unsafe fn remove_anchors(state: *mut lua_State) {
    // SAFETY: upheld by the caller.
    unsafe {
        for number in 1.. {
            ffi::lua_rawgeti_(state, OLD_ANCHORS, number);
            let anchor = ffi::lua_gettop(state);
            if ffi::lua_type(state, anchor) == ffi::LUA_TNIL {
                ffi::lua_pop(state, 1);
                return;
            }
            charge_for(state, ALL_ANCHORS);
            for at in 1.. {
                ffi::lua_rawgeti_(state, ALL_ANCHORS, at);
                let end = ffi::lua_type(state, -1) == ffi::LUA_TNIL;
                let same = ffi::lua_rawequal(state, -1, anchor) != 0;
                ffi::lua_pop(state, 1);
                if same {
                    remove(state, ALL_ANCHORS, at.into());
                }
                if end || same {
                    break;
                }
            }
            ffi::lua_pop(state, 1);
        }
    }
}

/// Enters the new cell into its list.
///
/// # Safety
/// As [`replace`]; the new cell must come on a list.
unsafe fn enlist(state: *mut lua_State) {
    // SAFETY: upheld by the caller.
    unsafe {
        let which = which(state);
        ffi::lua_pushvalue(state, ffi::lua_upvalueindex(SPOT));
        ffi::lua_createtable(state, 0, 2);
        for (name, number) in [(c"x", X), (c"y", Y)] {
            ffi::lua_pushvalue(state, number);
            ffi::lua_setfield(state, -2, name.as_ptr());
        }
        ffi::lua_rawset(state, NEW);
        ffi::lua_pushvalue(state, NEW);
        append(state, NEW_LIST);
        ffi::lua_pushvalue(state, ffi::lua_upvalueindex(WHICH));
        ffi::lua_pushvalue(state, ffi::lua_upvalueindex(which));
        ffi::lua_rawset(state, NEW);
        ffi::lua_pushvalue(state, ffi::lua_upvalueindex(INDEX));
        ffi::lua_pushnumber(state, ffi::lua_objlen(state, NEW_LIST) as f64);
        ffi::lua_rawset(state, NEW);
    }
}

/// Adds the value on top to a list.
///
/// # Safety
/// The state must be that of [`write`], with a table at the index and a value on top.
unsafe fn append(state: *mut lua_State, list: c_int) {
    // SAFETY: upheld by the caller.
    unsafe {
        let number = ffi::lua_objlen(state, list) as c_int + 1;
        set_element(state, list, number);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Interpreter, Limits};

    const PLAN: &str = "local function cell(n) return { n = n } end
        plan = { anchors = {}, eligibles = { open = {}, closed = {} } }
        plan[0] = { [0] = cell(1), cell(2) }
        local function told(list)
            local parts = {}
            for i, entry in ipairs(list) do parts[i] = tostring(entry.n) end
            return table.concat(parts, ',')
        end
        function all()
            local lists = plan.eligibles
            return told(lists.open) .. '|' .. told(lists.closed) .. '|' .. told(plan.anchors)
        end ";

    fn run(text: &str) -> String {
        let interpreter = Interpreter::new(Limits::default()).unwrap();
        let lua = interpreter.lua();
        let globals = lua.globals();
        let table: mlua::Table = globals.get("table").unwrap();
        let called: [Function; 3] = [
            globals.get("ipairs").unwrap(),
            table.get("insert").unwrap(),
            table.get("remove").unwrap(),
        ];
        let otherwise = "return function(...) return 'else', select('#', ...) end";
        let otherwise: Function = lua.load(otherwise).eval().unwrap();
        let called = [&called[0], &called[1], &called[2]];
        let (read, write) = plan_functions(lua, &otherwise, &otherwise, called).unwrap();
        for (name, ask) in [("read_or_nil", false), ("read_or_ask", true)] {
            globals.set(name, cell_reader(lua, &otherwise, ask).unwrap()).unwrap();
        }
        globals.set("read", read).unwrap();
        globals.set("write", write).unwrap();
        lua.load(format!("{PLAN} {text}")).eval().unwrap()
    }

    #[test]
    fn cells_come_on_the_lists_that_they_belong_to() {
        let written =
            "write(plan, 0, 0, { n = 5, solid = false, anchors = { { n = 'a' }, { n = 'b' } } })
            write(plan, 1, 0, { n = 6, solid = true, carvable = true })
            local first = all()
            write(plan, 0, 0, { n = 7, vault = true, anchors = { { n = 'c' } } })
            write(plan, 1, 0, read(plan, 1, 0))
            local same = plan[0][0].n .. plan[0][1].spot.x .. plan[0][1].eligibles_index
            return first .. ' ' .. all() .. ' ' .. same";
        assert_eq!(run(written), "5|6|a,b |6|c 711");
    }

    #[test]
    fn a_cell_that_is_written_over_itself_has_its_anchors_listed_again() {
        let written = "local cell = { n = 5, anchors = { { n = 'a' } } }
            write(plan, 0, 0, cell) write(plan, 0, 0, cell)
            return all()";
        assert_eq!(run(written), "5||a,a");
    }

    #[test]
    fn cells_that_are_not_there_are_nil_or_asked_for() {
        let read = "local function shown(read)
                local cells = { read(plan, 1, 0), read(plan, 5, 0), read(plan, 0, 5) }
                return cells[1].n .. tostring(cells[2]) .. tostring(cells[3])
            end
            local odd = setmetatable({}, { __index = plan })
            return shown(read_or_nil) .. ' ' .. shown(read_or_ask) .. ' '
                .. read_or_nil(odd, 1, 0) .. read_or_ask(odd, 1, 0) .. read_or_ask(plan, 1)";
        assert_eq!(run(read), "2nilnil 2elseelse elseelseelse");
    }

    #[test]
    fn what_is_not_plain_is_left_to_the_other_functions() {
        let outside = "return tostring(write(plan, 5, 0, {})) .. tostring(write(plan, 0, 5, {}))
            .. tostring(read(plan, 0, 5)) .. tostring(read(plan, 5, 0))";
        assert_eq!(run(outside), "falsefalsenilnil");
        for (odd, count) in [
            ("read(plan, 'x', 0)", 3),
            ("read(plan)", 1),
            ("read(setmetatable({}, {}), 0, 0, 7)", 4),
            ("write(plan, 0, 0, 5)", 4),
            ("write(plan, 0, 0, setmetatable({}, {}))", 4),
            ("write(plan, 0, 0, { anchors = 5 })", 4),
        ] {
            let told = run(&format!("return table.concat({{ {odd} }}, ' ')"));
            assert_eq!(told, format!("else {count}"), "{odd}");
        }
        let replaced = "table.insert = function() end return (write(plan, 0, 0, {}))";
        assert_eq!(run(replaced), "else");
    }
}
