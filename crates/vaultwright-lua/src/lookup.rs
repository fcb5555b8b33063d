//! Names that are looked up in one table and then in another, like those in a vault's chunks. This
//! is a native function, since every global in such a chunk uses it. A function of the first table
//! is bound to the environment that first requests it.

use std::ffi::c_int;

use mlua::ffi::{self, lua_State};
use mlua::{Function, Lua, Result, Table, Variadic};

use crate::layout::{Slot, arguments, push};
use crate::raw_tables::{RawTable, RawText, RawValue};

/// No more names have room made for them beforehand.
const MAX_ROOM: ffi::lua_Integer = 64;

/// The upvalues.
const FIRST: c_int = ffi::lua_upvalueindex(1);
const SECOND: c_int = ffi::lua_upvalueindex(2);
const BIND: c_int = ffi::lua_upvalueindex(3);
const OBJECT: c_int = ffi::lua_upvalueindex(4);
const BOUND: c_int = ffi::lua_upvalueindex(5);
const OTHERWISE: c_int = ffi::lua_upvalueindex(6);

/// How an environment gets functions of the first table of a [`lookup`].
pub struct Binding {
    /// bind(function, object) → what the environment gets.
    pub bind: Function,
    /// The name of the object in an environment.
    pub object: mlua::LuaString,
    /// For each environment, a table of the functions bound in it.
    pub bound: Table,
}

/// Returns a function for `__index`. It returns the second table's value for a name that the first
/// does not have, and binds functions of the first, which the environment then has itself.
/// Everything else is passed to `otherwise` with the same arguments: other values of the first
/// table, keys that are not strings, tables with a metatable, and objects that are not
/// environments.
pub fn lookup(
    lua: &Lua,
    first: &Table,
    second: &Table,
    binding: &Binding,
    otherwise: &Function,
) -> Result<Function> {
    let Binding { bind, object, bound } = binding;
    // SAFETY: the values are pushed in the order of the upvalues.
    unsafe {
        lua.exec_raw((first, second, bind, object, bound, otherwise), |state| {
            ffi::lua_pushcclosure(state, index, 6);
        })
    }
}

/// Arguments: anything, the key.
unsafe extern "C-unwind" fn index(state: *mut lua_State) -> c_int {
    // SAFETY: the closure has the upvalues that it was made with; nothing runs that could write to
    // a table before what is found is on the stack, for which a function has room.
    unsafe {
        if let [_, key, ..] = arguments(state)
            && let Some(name) = RawText::of(key)
            && let Some(first) = plain(state, FIRST)
            && let Some(second) = plain(state, SECOND)
        {
            let Some(member) = first.field_slot(name) else {
                match second.field_slot(name) {
                    Some(value) => push(state, *value),
                    None => ffi::lua_pushnil(state),
                }
                return 1;
            };
            if member.kind() == ffi::LUA_TFUNCTION && bind(state, *member) {
                return 1;
            }
        }
        let count = ffi::lua_gettop(state);
        ffi::lua_pushvalue(state, OTHERWISE);
        ffi::lua_insert(state, 1);
        ffi::lua_call(state, count, 1);
        1
    }
}

/// Arguments: the environment, the key. Binds a function and pushes what it has become, unless it
/// is asked for what is no environment.
///
/// # Safety
/// The state must be that of [`index`], and the member alive.
unsafe fn bind(state: *mut lua_State, member: Slot) -> bool {
    const ENVIRONMENT: c_int = 1;
    const KEY: c_int = 2;
    // SAFETY: upheld by the caller.
    unsafe {
        let count = ffi::lua_gettop(state);
        push(state, member);
        let member = count + 1;
        ffi::lua_pushvalue(state, ENVIRONMENT);
        ffi::lua_rawget(state, BOUND);
        let names = count + 2;
        if ffi::lua_type(state, names) != ffi::LUA_TTABLE {
            ffi::lua_settop(state, count);
            return false;
        }
        ffi::lua_pushvalue(state, BIND);
        ffi::lua_pushvalue(state, member);
        ffi::lua_pushvalue(state, OBJECT);
        ffi::lua_rawget(state, ENVIRONMENT);
        ffi::lua_call(state, 2, 1);
        for table in [names, ENVIRONMENT] {
            ffi::lua_pushvalue(state, KEY);
            ffi::lua_pushvalue(state, names + 1);
            ffi::lua_rawset(state, table);
        }
        true
    }
}

/// Returns a function that creates an empty table with room for a given number of names.
pub fn with_room(lua: &Lua) -> Result<Function> {
    // SAFETY: the function takes no upvalues.
    unsafe { lua.exec_raw((), |state| ffi::lua_pushcclosure(state, make_table, 0)) }
}

/// Arguments: the number of names.
unsafe extern "C-unwind" fn make_table(state: *mut lua_State) -> c_int {
    // SAFETY: a function has room for what it pushes.
    unsafe {
        let names = ffi::lua_tointeger(state, 1).clamp(0, MAX_ROOM) as c_int;
        ffi::lua_createtable(state, 0, names);
        1
    }
}

/// Returns a function that takes an environment, what its names were bound to, and the first table
/// of [`lookup`]. It returns whether each name of the environment is either still bound to the same
/// value, or neither bound nor in that table; `others` may be in both. It also returns false if it
/// cannot tell: for keys that are not strings, or for a table with a metatable.
pub fn is_bound(lua: &Lua, others: &[&str]) -> Result<Function> {
    let others = others.iter().map(|name| lua.create_string(name)).collect::<Result<Variadic<_>>>();
    // SAFETY: the names are the upvalues.
    unsafe {
        lua.exec_raw(others?, |state| {
            ffi::lua_pushcclosure(state, compare, ffi::lua_gettop(state));
        })
    }
}

/// Arguments: the environment, what is bound, the table.
unsafe extern "C-unwind" fn compare(state: *mut lua_State) -> c_int {
    // SAFETY: the arguments hold what is read, and nothing is written to.
    unsafe {
        let tables = [1, 2, 3].map(|index| RawTable::on_stack(state, index));
        let answer = match tables {
            [Some(environment), Some(bound), Some(first)] => {
                let is_other = |name| {
                    let others = (1..).map(ffi::lua_upvalueindex);
                    let mut others = others.map_while(|index| RawText::on_stack(state, index));
                    others.any(|other| other == name)
                };
                let is_same = |(key, value)| match key {
                    RawValue::Text(name) => match bound.field(name) {
                        RawValue::Nil => first.field_slot(name).is_none() || is_other(name),
                        bound => value == bound,
                    },
                    _ => false,
                };
                first.is_plain() && environment.entries().all(is_same)
            }
            _ => false,
        };
        ffi::lua_pushboolean(state, answer.into());
        1
    }
}

/// Returns whether a path of names leads from one table to another, ignoring metamethods.
pub fn leads_to(table: &Table, path: &[&str], other: &Table) -> bool {
    // SAFETY: the handles hold both tables, and nothing is written to here.
    let found = unsafe { at_end_of(table, path) };
    matches!(found, Some(RawValue::Table(found)) if found.address() == other.to_pointer())
}

/// Returns whether there is anything at the end of a path of names from table to table, ignoring
/// metamethods. An empty table counts as nothing.
pub fn holds(table: &Table, path: &[&str]) -> bool {
    // SAFETY: the handle holds the table, and nothing is written to here.
    match unsafe { at_end_of(table, path) } {
        None | Some(RawValue::Nil) => false,
        Some(RawValue::Table(table)) => table.entries().next().is_some(),
        Some(_) => true,
    }
}

/// The value of a field, read without the interpreter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PlainField {
    /// Nothing.
    Nil,
    /// A number.
    Number(f64),
}

/// Returns the value of a field of a table without metatable, if it is nil or a number.
pub fn plain_field(table: &Table, name: &str) -> Option<PlainField> {
    // SAFETY: the handle holds the table, and nothing is written to here.
    let table = unsafe { RawTable::of(table.to_pointer()) }.filter(|table| table.is_plain())?;
    match table.field_named(name.as_bytes()) {
        RawValue::Nil => Some(PlainField::Nil),
        RawValue::Number(number) => Some(PlainField::Number(number)),
        _ => None,
    }
}

/// Returns what is at the end of a path.
///
/// # Safety
/// As for [`RawTable::of`].
unsafe fn at_end_of<'a>(table: &'a Table, path: &[&str]) -> Option<RawValue<'a>> {
    // SAFETY: upheld by the caller.
    let table = unsafe { RawTable::of(table.to_pointer()) };
    path.iter().fold(table.map(RawValue::Table), |found, name| match found {
        Some(RawValue::Table(table)) => Some(table.field_named(name.as_bytes())),
        _ => None,
    })
}

/// # Safety
/// What lies at the index must stay alive, and not be written to, as long as it is read.
unsafe fn plain<'a>(state: *mut lua_State, table: c_int) -> Option<RawTable<'a>> {
    // SAFETY: upheld by the caller.
    unsafe { RawTable::of(ffi::lua_topointer(state, table)).filter(|table| table.is_plain()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Interpreter, Limits};

    #[test]
    fn fields_of_plain_tables_are_read_as_the_interpreter_reads_them() {
        let interpreter = Interpreter::new(Limits::default()).unwrap();
        let table = |text: &str| interpreter.lua().load(text).eval::<Table>().unwrap();
        let of = |text: &str| plain_field(&table(text), "a");
        assert_eq!(of("return { a = 2.5, b = 1 }"), Some(PlainField::Number(2.5)));
        assert_eq!(of("return { b = 1 }"), Some(PlainField::Nil));
        assert_eq!(of("return { a = '2' }"), None);
        assert_eq!(of("return setmetatable({}, { __index = { a = 2 } })"), None);
    }

    #[test]
    fn names_are_bound_as_long_as_nobody_gives_them_something_else() {
        let interpreter = Interpreter::new(Limits::default()).unwrap();
        let lua = interpreter.lua();
        lua.globals().set("is_bound", is_bound(lua, &["map", "other"]).unwrap()).unwrap();
        let told: String = lua
            .load(
                "local f, g = function() end, function() end
                local first = { f = g, g = g, map = g }
                local told = {}
                local function tell(env, bound)
                    told[#told + 1] = is_bound(env, bound, first) and 1 or 0
                end
                tell({}, {})
                tell({ f = f, map = 1, other = 2, own = 3 }, { f = f })
                tell({ f = f, g = 4 }, { f = f })
                tell({ f = g }, { f = f })
                tell({ f = f }, { f = f, g = g })
                tell({ 'a' }, {})
                setmetatable(first, {})
                tell({}, {})
                tell(1, {})
                tell()
                return table.concat(told)",
            )
            .eval()
            .unwrap();
        assert_eq!(told, "110010000");
    }

    #[test]
    fn what_a_path_leads_to_is_something_but_for_an_empty_table() {
        let interpreter = Interpreter::new(Limits::default()).unwrap();
        let table: Table = interpreter
            .lua()
            .load(
                "return { a = { b = { c = 1 }, empty = {}, no = false, list = { 5 } },
                    was = { x = 1 } }, 1",
            )
            .eval()
            .unwrap();
        let was: Table = table.get("was").unwrap();
        was.set("x", mlua::Nil).unwrap();
        let holds = |path: &[&str]| holds(&table, path);
        assert!(holds(&["a"]) && holds(&["a", "b", "c"]) && holds(&["a", "no"]));
        assert!(holds(&["a", "list"]) && holds(&[]));
        assert!(!holds(&["b"]) && !holds(&["a", "empty"]) && !holds(&["was"]));
        assert!(!holds(&["a", "no", "x"]) && !holds(&["a", "b", "d"]));
        let [a, b]: [Table; 2] =
            [table.get("a").unwrap(), table.get::<Table>("a").unwrap().get("b").unwrap()];
        assert!(leads_to(&table, &["a"], &a) && leads_to(&table, &["a", "b"], &b));
        assert!(leads_to(&b, &[], &b) && !leads_to(&table, &["a", "b"], &a));
        assert!(!leads_to(&table, &["a", "c"], &b) && !leads_to(&table, &["a", "b", "c"], &b));
    }

    #[test]
    fn what_the_first_table_lacks_is_in_the_second_and_the_rest_is_left_to_a_function() {
        let interpreter = Interpreter::new(Limits::default()).unwrap();
        let lua = interpreter.lua();
        let [first, second]: [Table; 2] = ["first", "second"].map(|name| {
            let table = lua.create_table().unwrap();
            lua.globals().set(name, &table).unwrap();
            table
        });
        let otherwise = lua.load("return function(env, key) return tostring(key) .. '!' end");
        let binding = no_binding(lua);
        let index = lookup(lua, &first, &second, &binding, &otherwise.eval().unwrap()).unwrap();
        lua.globals().set("index", index).unwrap();
        let told: String = lua
            .load(
                "first.a, first.b, second.b, second.c, second.d = 1, false, 2, 'three', false
                local env = setmetatable({}, { __index = index })
                local told = {}
                local function tell() for _, key in ipairs { 'a', 'b', 'c', 'd', 'e', 7 } do
                    told[#told + 1] = tostring(env[key])
                end end
                tell()
                setmetatable(second, { __index = { e = 5 } })
                tell()
                collectgarbage()
                told[#told + 1] = tostring(index())
                return table.concat(told, ' ')",
            )
            .eval()
            .unwrap();
        assert_eq!(told, "a! b! three false nil 7! a! b! c! d! e! 7! nil!");
    }

    /// Returns a way to bind that knows of no environment yet.
    fn no_binding(lua: &Lua) -> Binding {
        let bind = "return function(f, object) return function(...) return f(object, ...) end end";
        Binding {
            bind: lua.load(bind).eval().unwrap(),
            object: lua.create_string("map").unwrap(),
            bound: lua.create_table().unwrap(),
        }
    }

    #[test]
    fn functions_of_the_first_table_are_bound_once_to_the_environment_that_asks() {
        let interpreter = Interpreter::new(Limits::default()).unwrap();
        let lua = interpreter.lua();
        let first: Table = lua
            .load("first = { f = function(...) return table.concat({ ... }, '+') end, n = 7 }; return first")
            .eval()
            .unwrap();
        let binding = no_binding(lua);
        lua.globals().set("bound", &binding.bound).unwrap();
        lua.globals().set("with_room", with_room(lua).unwrap()).unwrap();
        let otherwise = lua.load("return function(env, key) return 'left' .. key end").eval();
        let index = lookup(lua, &first, &lua.globals(), &binding, &otherwise.unwrap()).unwrap();
        lua.globals().set("index", index).unwrap();
        let told: String = lua
            .load(
                "local env = setmetatable(with_room(16), { __index = index })
                local stranger = setmetatable({ map = 'x' }, { __index = index })
                env.map, bound[env] = 'm', with_room(8)
                local told = { env.f('a', 'b'), env.n, stranger.f, index(1, 'f') }
                told[#told + 1] = tostring(rawget(env, 'f') == env.f and bound[env].f == env.f)
                collectgarbage()
                told[#told + 1] = index(env, 'f', 'more')('c')
                return table.concat(told, ' ')",
            )
            .eval()
            .unwrap();
        assert_eq!(told, "m+a+b leftn leftf leftf true m+c");
    }
}
