//! Undoing the changes of a script.
//!
//! Vaults share the tables and functions of libraries and global preludes. A snapshot stores every
//! table and Lua function that can be reached from the globals, through tables, upvalues and
//! environments, and restores what has changed. This is done after every map that ran Lua, so it
//! must cost almost nothing, and leave alone what no map has touched: a table that has been written
//! to is marked (`layout/`). Its parts are compared as memory, and restored including the order
//! of `pairs`.
//!
//! Lua has no function for this. Every function below leaves the stack unchanged and calls nothing
//! that raises errors, except when memory runs out.

use std::ffi::{c_int, c_void};

use foldhash::{HashMap, HashSet, HashSetExt};
use mlua::ffi::{self, lua_State};
use mlua::{RegistryKey, Table};

use crate::Interpreter;
use crate::dialect::SaidByLibraries;
use crate::layout::{FunctionObject, Slot, TableImage, TableObject, Upvalue, upvalues};
use crate::library::forget_numbers;
use crate::raw_tables::{RawTable, RawValue};

/// Of fewer bytes it does not matter that nobody needs them any more.
const MUCH: usize = 8 << 20;

/// The state of globals to return to.
pub struct Snapshot {
    /// The Lua table that keeps everything remembered alive, so that its address means it.
    keeper: RegistryKey,
    /// Which of the interpreter's snapshots it is.
    number: u32,
    /// The tables, each with its metatable.
    tables: Vec<(*mut TableObject, *mut TableObject)>,
    /// What the tables held, in the same order.
    images: Vec<TableImage>,
    /// The functions, each with its environment.
    functions: Vec<(*mut FunctionObject, *mut TableObject)>,
    /// The variables of the functions, each once.
    upvalues: Vec<(*mut Upvalue, Slot)>,
    /// How many bytes were in use when garbage was last collected for it.
    held: usize,
    /// What libraries had said of global names.
    said: Option<SaidByLibraries>,
}

impl Interpreter {
    /// Stores the current state.
    pub fn snapshot(&self) -> mlua::Result<Snapshot> {
        let keeper = self.lua().create_table()?;
        let mut walk = Walk::default();
        // SAFETY: the walk keeps to the rules in the module's comment.
        unsafe {
            self.lua().exec_raw::<()>((&keeper, self.lua().globals()), |state| {
                // Afterwards the tables hold no entries of things that are no more.
                ffi::lua_gc(state, ffi::LUA_GCCOLLECT, 0);
                walk.run(state);
            })?;
        }
        let number = self.meter.snapshots.get() + 1;
        self.meter.snapshots.set(number);
        let keeper = self.lua().create_registry_value(keeper)?;
        self.meter.watch_environments(walk.functions.iter().map(|at| at.cast_const().cast()));
        self.meter.watched_for.set(number);
        let mut variables = HashSet::new();
        // SAFETY: the keeper holds all of them.
        unsafe {
            walk.tables.iter().for_each(|&at| (*at).watch());
            let images: Vec<_> = walk.tables.iter().map(|&at| TableImage::of(at)).collect();
            let metatables = images.iter().map(TableImage::metatable);
            let all = walk.functions.iter().flat_map(|&at| upvalues(at)).copied();
            let upvalues = all.filter(|&at| variables.insert(at));
            Ok(Snapshot {
                keeper,
                number,
                tables: walk.tables.iter().copied().zip(metatables).collect(),
                images,
                functions: walk.functions.iter().map(|&at| (at, (*at).environment)).collect(),
                upvalues: upvalues.map(|at| (at, Upvalue::held(at))).collect(),
                held: self.meter.used_memory(),
                said: SaidByLibraries::of(self.lua()),
            })
        }
    }
}

/// The globals as bits, to find those that a chunk has set.
#[derive(Default)]
pub struct GlobalNames(HashMap<u64, u64>);

impl GlobalNames {
    /// Stores the current globals. Returns those that are new or different, as opaque names.
    pub fn take_up(&mut self, interpreter: &Interpreter) -> Vec<u64> {
        let globals = interpreter.lua().globals();
        // SAFETY: the handle holds the table, and nothing is written to here.
        let table = unsafe { RawTable::of(globals.to_pointer()) };
        let now = table.into_iter().flat_map(RawTable::entries);
        let now = now.map(|(name, value)| (bits(name), bits(value)));
        let (mut changed, mut count) = (Vec::new(), 0);
        for (name, value) in now.clone() {
            count += 1;
            if self.0.insert(name, value) != Some(value) {
                changed.push(name);
            }
        }
        if count < self.0.len() {
            // Some are gone.
            self.0 = now.collect();
        }
        changed
    }

    /// Returns the texts of the names that `wanted` accepts, of those that are globals now.
    pub fn texts_of(
        interpreter: &Interpreter,
        wanted: impl Fn(u64) -> bool,
    ) -> Vec<(u64, Box<[u8]>)> {
        let globals = interpreter.lua().globals();
        // SAFETY: the handle holds the table, and nothing is written to here.
        let table = unsafe { RawTable::of(globals.to_pointer()) };
        let names = table.into_iter().flat_map(RawTable::entries).map(|(name, _)| name);
        let texts = names.filter_map(|name| match name {
            RawValue::Text(text) if wanted(bits(name)) => Some((bits(name), text.bytes().into())),
            _ => None,
        });
        texts.collect()
    }
}

impl Snapshot {
    /// Restores what has changed since the snapshot, in the interpreter that it was taken from.
    pub fn restore(&mut self, interpreter: &Interpreter) -> mlua::Result<()> {
        self.restore_but(interpreter, None)
    }

    /// Restores what has changed since the snapshot, except for the entries of one table.
    pub fn restore_but(
        &mut self,
        interpreter: &Interpreter,
        kept: Option<&Table>,
    ) -> mlua::Result<()> {
        // A snapshot of another interpreter has another keeper.
        interpreter.lua().registry_value::<Table>(&self.keeper)?;
        let kept = kept.map_or(std::ptr::null(), Table::to_pointer);
        let result = self.put_back(interpreter, kept.cast_mut().cast());
        if let Some(said) = &self.said {
            said.put_back(interpreter.lua());
        }
        // What a large map has left behind is of no use any more: let the next one begin with as
        // little as every other.
        let used = interpreter.meter.used_memory();
        if used > interpreter.limits().memory / 4 || used > MUCH.max(3 * self.held) {
            interpreter.collect()?;
            self.held = interpreter.meter.used_memory();
        }
        result
    }

    fn put_back(&mut self, interpreter: &Interpreter, kept: *mut TableObject) -> mlua::Result<()> {
        let meter = &interpreter.meter;
        // Since another snapshot was taken or put back, tables say what has changed since then.
        let is_watched = meter.watched_for.replace(self.number) == self.number;
        // SAFETY: the keeper holds every object, and whatever their images hold.
        unsafe {
            if meter.numbered.get() > 0 {
                interpreter.lua().exec_raw::<()>((), |state| forget_numbers(state))?;
            }
            if meter.environments_set.replace(false) || !is_watched {
                for &(at, environment) in &self.functions {
                    (*at).environment = environment;
                }
            }
            for &(at, held) in &self.upvalues {
                Upvalue::put_back(at, held);
            }
            for (&(at, metatable), image) in self.tables.iter().zip(&mut self.images) {
                if is_watched && (*at).is_untouched() && (*at).metatable == metatable {
                    let is_kept = at == kept;
                    debug_assert!(is_kept || image.is_of(at), "a table was written to unnoticed");
                    continue;
                }
                if at == kept {
                    (*at).metatable = metatable;
                    continue;
                }
                if !image.put_back(at) {
                    let (elements, nodes) = image.sizes();
                    interpreter.lua().exec_raw::<()>((), |state| {
                        ffi::lua_createtable(state, elements, nodes);
                        let fresh = ffi::lua_topointer(state, -1).cast_mut().cast();
                        image.put_back_with(at, fresh);
                        ffi::lua_settop(state, 0);
                    })?;
                }
            }
        }
        Ok(())
    }
}

/// Everything that can be reached.
#[derive(Default)]
struct Walk {
    seen: HashSet<*const c_void>,
    tables: Vec<*mut TableObject>,
    functions: Vec<*mut FunctionObject>,
}

const KEEPER: c_int = 1;
/// The place in the keeper of the number of objects still to be visited; they lie behind it.
const FIRST: c_int = 1;

impl Walk {
    /// Stack: keeper, globals; empty afterwards.
    ///
    /// # Safety
    /// The state must be that of the function that runs.
    unsafe fn run(&mut self, state: *mut lua_State) {
        // SAFETY: upheld by the caller.
        unsafe {
            ffi::lua_checkstack(state, 20);
            self.enlist(state);
            // All texts share one metatable, which no table leads to.
            ffi::lua_pushstring(state, c"".as_ptr());
            if ffi::lua_getmetatable(state, -1) != 0 {
                self.enlist(state);
            }
            ffi::lua_settop(state, KEEPER);
            let mut index = FIRST;
            while index <= self.seen.len() as c_int {
                ffi::lua_rawgeti(state, KEEPER, index.into());
                let at = ffi::lua_topointer(state, -1).cast_mut();
                if ffi::lua_type(state, -1) == ffi::LUA_TTABLE {
                    self.tables.push(at.cast());
                    self.visit_table(state);
                } else if ffi::lua_type(state, -1) == ffi::LUA_TFUNCTION
                    && ffi::lua_iscfunction(state, -1) == 0
                {
                    self.functions.push(at.cast());
                    self.visit_function(state);
                }
                ffi::lua_settop(state, KEEPER);
                index += 1;
            }
            ffi::lua_settop(state, 0);
        }
    }

    /// Pops a value; the keeper gets it if it is an object that has not been seen.
    ///
    /// # Safety
    /// The state must be that of the function that runs, with a value on top.
    unsafe fn enlist(&mut self, state: *mut lua_State) {
        // SAFETY: upheld by the caller.
        unsafe {
            let at = match ffi::lua_type(state, -1) {
                ffi::LUA_TSTRING => ffi::lua_tolstring(state, -1, std::ptr::null_mut()).cast(),
                _ => ffi::lua_topointer(state, -1),
            };
            if !at.is_null() && self.seen.insert(at) {
                ffi::lua_rawseti(state, KEEPER, self.seen.len() as _);
            } else {
                ffi::lua_pop(state, 1);
            }
        }
    }

    /// Stack: …, the table.
    ///
    /// # Safety
    /// The state must be that of the function that runs, with a table on top.
    unsafe fn visit_table(&mut self, state: *mut lua_State) {
        // SAFETY: upheld by the caller.
        unsafe {
            let table = ffi::lua_gettop(state);
            ffi::lua_pushnil(state);
            while ffi::lua_next(state, table) != 0 {
                ffi::lua_pushvalue(state, -2);
                self.enlist(state);
                self.enlist(state);
            }
            if ffi::lua_getmetatable(state, table) != 0 {
                self.enlist(state);
            }
        }
    }

    /// Stack: …, the function.
    ///
    /// # Safety
    /// The state must be that of the function that runs, with a function on top.
    unsafe fn visit_function(&mut self, state: *mut lua_State) {
        // SAFETY: upheld by the caller.
        unsafe {
            let function = ffi::lua_gettop(state);
            let mut number = 1;
            while !ffi::lua_getupvalue(state, function, number).is_null() {
                self.enlist(state);
                number += 1;
            }
            ffi::lua_getfenv(state, function);
            self.enlist(state);
        }
    }
}

/// What tells a value from others while it is alive. Texts are kept once: the same one has the same
/// address.
fn bits(value: RawValue) -> u64 {
    match value {
        RawValue::Nil => 0,
        RawValue::Flag(flag) => flag.into(),
        RawValue::Number(number) => number.to_bits(),
        RawValue::Text(text) => text.address() as u64,
        RawValue::Table(table) => table.address() as u64,
        RawValue::Other(address) => address as u64,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Limits;

    fn run(lua: &Interpreter, text: &str) -> String {
        lua.load("test", text.as_bytes()).unwrap().call::<String>(()).unwrap()
    }

    #[test]
    fn globals_tables_upvalues_and_metatables_are_put_back() {
        let lua = Interpreter::new(Limits::default()).unwrap();
        run(
            &lua,
            "list = {1, 2, {3}}; do local n = 0; function count() n = n + 1; return n end end return ''",
        );
        let mut snapshot = lua.snapshot().unwrap();
        let change = "list[1] = 9; list[3][1] = 8; list.new = 1; fresh = true; count(); \
                      string.extra = 1; list[2] = nil; setmetatable(_G, {__index = function() return 5 end}); \
                      return ''";
        let look = "return table.concat({tostring(list[1]), tostring(list[2]), tostring(list[3][1]), \
                    tostring(list.new), tostring(fresh), tostring(count()), tostring(string.extra)}, ' ')";
        run(&lua, change);
        snapshot.restore(&lua).unwrap();
        assert_eq!(run(&lua, look), "1 2 3 nil nil 1 nil");
        snapshot.restore(&lua).unwrap();
        assert_eq!(run(&lua, look), "1 2 3 nil nil 1 nil");
    }

    #[test]
    fn one_table_may_keep_its_entries() {
        let lua = Interpreter::new(Limits::default()).unwrap();
        run(&lua, "kept = {1, {2}}; other = {1}; return ''");
        let mut snapshot = lua.snapshot().unwrap();
        let change = "kept[1] = 5; kept.new = 6; kept[2][1] = 7; other[1] = 8; \
                      setmetatable(kept, {__index = function() return 9 end}); return ''";
        let look = "return table.concat({tostring(kept[1]), tostring(kept.new), tostring(kept[2][1]), \
                    tostring(other[1]), tostring(kept.none)}, ' ')";
        run(&lua, change);
        let kept: Table = lua.lua().globals().get("kept").unwrap();
        snapshot.restore_but(&lua, Some(&kept)).unwrap();
        assert_eq!(run(&lua, look), "5 6 2 1 nil");
        snapshot.restore(&lua).unwrap();
        assert_eq!(run(&lua, look), "1 nil 2 1 nil");
    }

    #[test]
    fn the_order_of_pairs_and_the_environments_of_functions_are_put_back() {
        let lua = Interpreter::new(Limits::default()).unwrap();
        run(
            &lua,
            "t = {}; for i = 1, 40 do t['k' .. i] = i end; for i = 1, 40, 3 do t['k' .. i] = nil end; \
             few = {1, 2, x = 3}; none = {}; function f() return own end; own = 'mine'; return ''",
        );
        let keys = "local s = {}; for _, t in ipairs{t, few, none} do \
                    for k, v in pairs(t) do s[#s + 1] = k .. v end end; return table.concat(s, ' ') .. f()";
        let before = run(&lua, keys);
        let mut snapshot = lua.snapshot().unwrap();
        for times in [1, 3, 100] {
            for _ in 0..3 {
                run(
                    &lua,
                    &format!(
                        "for i = 1, {times} do t['new' .. i] = i; few[#few + 1] = i; none[i] = i; \
                         none['a' .. i] = i; t['k' .. i] = nil end; setfenv(f, {{own = 'other'}}); return ''"
                    ),
                );
                snapshot.restore(&lua).unwrap();
                lua.lua().gc_collect().unwrap();
                assert_eq!(run(&lua, keys), before);
            }
        }
    }

    #[test]
    fn much_that_a_map_leaves_behind_does_not_stay_in_memory() {
        let lua = Interpreter::new(Limits::default()).unwrap();
        let mut snapshot = lua.snapshot().unwrap();
        let held = lua.meter.used_memory();
        run(&lua, "text = string.rep('x', 9 * 1024 * 1024); return ''");
        snapshot.restore(&lua).unwrap();
        assert!(lua.meter.used_memory() < held + (1 << 20));
        // Of a library that holds as much anyway it is not asked again and again.
        run(&lua, "text = string.rep('x', 9 * 1024 * 1024); return ''");
        let mut snapshot = lua.snapshot().unwrap();
        run(&lua, "more = string.rep('y', 9 * 1024 * 1024); return ''");
        snapshot.restore(&lua).unwrap();
        assert!(lua.meter.used_memory() > held + (18 << 20));
    }

    #[test]
    fn whatever_writes_to_a_table_is_noticed() {
        let lua = Interpreter::new(Limits::default()).unwrap();
        run(
            &lua,
            "list = {5, 3, 4}; keys = {a = 1}; meta = {}; function f() return own end; own = 'mine'; \
             return ''",
        );
        let look = "local s = {}; for _, t in ipairs{list, keys, meta} do for k, v in pairs(t) do \
                    s[#s + 1] = k .. '=' .. tostring(v) end end; \
                    return table.concat(s, ' ') .. ' ' .. f() .. tostring(getmetatable(list))";
        let before = run(&lua, look);
        let mut snapshot = lua.snapshot().unwrap();
        for change in [
            "list[2] = 9",
            "list.more = 1",
            "rawset(list, 1, 2)",
            "table.insert(list, 7)",
            "table.insert(list, 1, 7)",
            "table.insert(keys, 7)",
            "table.remove(list)",
            "table.remove(list, 1)",
            "table.sort(list)",
            "table.sort(list, function(a, b) return a > b end)",
            "pcall(table.sort, list, function(a, b) if a == 4 then error('') end return a > b end)",
            "setmetatable(list, meta)",
            "setmetatable(list, {__index = keys}); local _ = list.x; keys.__newindex = meta; list.x = 1",
            "setfenv(f, {own = 'other'})",
            "setfenv(0, _G); local g = f; pcall(setfenv, g, {own = 'other'})",
            "local function h() setfenv(2, {own = 'other'}) end; local old = f; \
             coroutine.wrap(function() list[3] = nil; keys.a = nil end)()",
        ] {
            run(&lua, &format!("{change}; return ''"));
            snapshot.restore(&lua).unwrap();
            assert_eq!(run(&lua, look), before, "{change}");
        }
    }

    #[test]
    fn snapshots_that_take_turns_do_not_believe_each_other() {
        let lua = Interpreter::new(Limits::default()).unwrap();
        let look = "return t[1] .. f()";
        run(&lua, "t = {'first'}; function f() return own end; own = 1; return ''");
        let mut first = lua.snapshot().unwrap();
        run(&lua, "t[1] = 'second'; setfenv(f, {own = 2}); return ''");
        let mut second = lua.snapshot().unwrap();
        for _ in 0..2 {
            first.restore(&lua).unwrap();
            assert_eq!(run(&lua, look), "first1");
            second.restore(&lua).unwrap();
            assert_eq!(run(&lua, look), "second2");
        }
    }

    #[test]
    fn tables_lie_in_memory_as_we_think() {
        let lua = Interpreter::new(Limits::default()).unwrap();
        run(&lua, "t = setmetatable({1, 2, 3, a = 1, b = 2, c = 3, d = 4, e = 5}, {}); return ''");
        let table: Table = lua.lua().globals().raw_get("t").unwrap();
        // SAFETY: the table is alive.
        let image = unsafe { TableImage::of(table.to_pointer().cast()) };
        assert_eq!(image.sizes(), (3, 8));
        assert!(run(&lua, "return tostring(#t)") == "3");
    }
}
