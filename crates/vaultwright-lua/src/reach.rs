//! Everything that a function of a library can reach, as bytes: two functions with the same bytes
//! do the same, as long as names are not reassigned.
//!
//! A function reaches what its code contains, its upvalues, and the globals that it reads with
//! their fields. If it uses a table in another way, it reaches everything in the table.

use std::collections::{BTreeSet, HashMap};
use std::ffi::c_void;

use mlua::{Function, Lua, Result, Table, Value};

use crate::closures::upvalues;
use crate::code::Code;

/// How a reached function is represented.
pub enum Counts {
    /// A function of the host, by a unique name.
    Named(String),
    /// Like another function.
    As(Function),
    /// By what it reaches itself.
    AsItIs,
}

/// Returns what a function reaches, except for upvalues and globals with these names. Returns
/// `None` if that cannot be determined, or is more than a small part of a library: a function of
/// the host without a name, a userdata, a large table.
pub fn reach(
    lua: &Lua,
    function: &Function,
    but: &[&str],
    counts: &dyn Fn(&Function) -> Option<Counts>,
) -> Result<Option<Vec<u8>>> {
    let mut walk = Walk { lua, counts, but, bytes: Vec::new(), seen: HashMap::new(), steps: 0 };
    let told = match counts(function) {
        Some(Counts::AsItIs) => walk.code(function, 0)?,
        _ => walk.function(function, 0)?,
    };
    Ok(told.then_some(walk.bytes))
}

/// Returns what a function that does not exist yet will reach, without its upvalues.
pub fn reach_of_code(
    lua: &Lua,
    code: &Code,
    counts: &dyn Fn(&Function) -> Option<Counts>,
) -> Result<Option<Vec<u8>>> {
    let mut walk =
        Walk { lua, counts, but: &[], bytes: Vec::new(), seen: HashMap::new(), steps: 0 };
    let parts = code.all();
    let told = walk.parts(&parts) && walk.globals(&parts, 0)?;
    Ok(told.then_some(walk.bytes))
}

/// The most values that are looked at.
const MAX_VALUES: usize = 4000;
/// How deep they may lie in each other.
const MAX_DEPTH: usize = 60;
/// The most bytes that they are told by: twenty times what any of 0.28 has.
const MAX_BYTES: usize = 256 << 10;

struct Walk<'a> {
    lua: &'a Lua,
    counts: &'a dyn Fn(&Function) -> Option<Counts>,
    but: &'a [&'a str],
    bytes: Vec<u8>,
    /// The functions and tables that have been come to, by their address, with their numbers.
    seen: HashMap<*const c_void, usize>,
    steps: usize,
}

impl Walk<'_> {
    fn function(&mut self, function: &Function, depth: usize) -> Result<bool> {
        match (self.counts)(function) {
            Some(Counts::Named(name)) => {
                self.text(b'h', name.as_bytes());
                Ok(true)
            }
            Some(Counts::As(other)) if depth < MAX_DEPTH => self.function(&other, depth + 1),
            Some(Counts::AsItIs) => self.code(function, depth),
            _ => Ok(false),
        }
    }

    fn code(&mut self, function: &Function, depth: usize) -> Result<bool> {
        if self.is_seen(function.to_pointer()) {
            return Ok(true);
        }
        let Some(code) = Code::of(function).filter(|_| depth < MAX_DEPTH) else { return Ok(false) };
        let parts = code.all();
        if !self.parts(&parts) {
            return Ok(false);
        }
        for (name, value) in upvalues(self.lua, function)? {
            if depth == 0 && self.but.contains(&name.as_str()) {
                continue;
            }
            if !self.value(&value, depth + 1)? {
                return Ok(false);
            }
        }
        self.globals(&parts, depth)
    }

    /// The code of a function and of those in it.
    fn parts(&mut self, parts: &[&Code]) -> bool {
        parts.iter().all(|part| {
            self.text(b'f', &part.bytes);
            self.bytes.len() <= MAX_BYTES
        })
    }

    /// The globals that a function reads, or one in it. What a metatable would answer for is not
    /// told.
    fn globals(&mut self, parts: &[&Code], depth: usize) -> Result<bool> {
        let but = self.but;
        let is_left_out = |path: &&&Vec<Vec<u8>>| {
            path.first().is_some_and(|global| but.iter().any(|name| *global == name.as_bytes()))
        };
        let reads: BTreeSet<&Vec<Vec<u8>>> = parts.iter().flat_map(|part| &part.reads).collect();
        for path in reads.iter().filter(|path| !is_left_out(path)) {
            let mut value = Value::Table(self.lua.globals());
            for name in path.iter() {
                self.text(b'g', name);
                let Value::Table(table) = value else {
                    value = Value::Nil;
                    break;
                };
                value = table.raw_get(self.lua.create_string(name)?)?;
                if value.is_nil() && table.metatable().is_some() {
                    return Ok(false);
                }
            }
            if !self.value(&value, depth + 1)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn value(&mut self, value: &Value, depth: usize) -> Result<bool> {
        self.steps += 1;
        if self.steps > MAX_VALUES || depth > MAX_DEPTH || self.bytes.len() > MAX_BYTES {
            return Ok(false);
        }
        match value {
            Value::Nil => self.text(b'n', b""),
            Value::Boolean(value) => self.text(b'b', &[u8::from(*value)]),
            Value::Integer(value) => self.text(b'd', &(*value as f64).to_le_bytes()),
            Value::Number(value) => self.text(b'd', &value.to_le_bytes()),
            Value::String(value) => self.text(b's', &value.as_bytes()),
            Value::Function(function) => return self.function(function, depth),
            Value::Table(table) => return self.table(table, depth),
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// All that a table has: who is given one may call what it has by any name.
    fn table(&mut self, table: &Table, depth: usize) -> Result<bool> {
        if self.is_seen(table.to_pointer()) {
            return Ok(true);
        }
        let mut fields: Vec<(Vec<u8>, Value)> = Vec::new();
        for pair in table.pairs::<Value, Value>() {
            let (key, value) = pair?;
            match key {
                Value::String(key) => fields.push((key.as_bytes().to_vec(), value)),
                // No name begins with a 0.
                Value::Integer(key) => fields.push((format!("\0{key}").into(), value)),
                _ => return Ok(false),
            }
            if fields.len() > MAX_VALUES {
                return Ok(false);
            }
        }
        fields.sort_by(|a, b| a.0.cmp(&b.0));
        self.text(b't', &(fields.len() as u64).to_le_bytes());
        for (key, value) in fields {
            self.text(b'k', &key);
            if !self.value(&value, depth + 1)? {
                return Ok(false);
            }
        }
        match table.metatable() {
            Some(metatable) => self.table(&metatable, depth + 1),
            None => Ok(true),
        }
    }

    /// Whether a value has been come to; its number is told then.
    fn is_seen(&mut self, address: *const c_void) -> bool {
        if let Some(&number) = self.seen.get(&address) {
            self.text(b'r', &(number as u64).to_le_bytes());
            return true;
        }
        self.seen.insert(address, self.seen.len());
        false
    }

    fn text(&mut self, kind: u8, text: &[u8]) {
        self.bytes.push(kind);
        self.bytes.extend((text.len() as u64).to_le_bytes());
        self.bytes.extend(text);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reach_of(text: &str) -> Option<Vec<u8>> {
        reach_but(text, &[])
    }

    /// What the function `f` of a text comes to, but for what it holds by some names.
    fn reach_but(text: &str, but: &[&str]) -> Option<Vec<u8>> {
        let lua = Lua::new();
        lua.load(text).set_name("=text").exec().expect("no error");
        let name = lua.globals().get::<Function>("name").expect("a function");
        let counts = |function: &Function| {
            let info = function.info();
            if function.to_pointer() == name.to_pointer() {
                return None;
            }
            Some(match info.source.as_deref() {
                Some("=text") => Counts::AsItIs,
                _ => Counts::Named("host".to_owned()),
            })
        };
        let f = lua.globals().get("f").expect("a function");
        reach(&lua, &f, but, &counts).expect("no error")
    }

    const TEXT: &str = "function name() end
        local list = { 1, 2, x = { y = 3 } }
        lib = { g = function(n) return n + list[1] end, h = function() return 1 end }
        local function held(n) return lib.g(n) end
        function f(n) if n > 0 then return f(n - 1) end return held(n) + lib.z end";

    #[test]
    fn a_function_comes_to_what_its_code_holds_and_names() {
        let reached = reach_of(TEXT).expect("what it comes to");
        for (part, other) in [
            ("n + list", "list + n"),
            ("y = 3", "y = 4"),
            ("{ 1, 2,", "{ 1, 3,"),
            ("lib.g(n)", "lib.h(n)"),
            ("f(n - 1)", "f(n - 2)"),
            ("lib = {", "lib = { z = 1,"),
        ] {
            assert!(TEXT.contains(part), "{part}");
            assert!(reach_of(&TEXT.replace(part, other)).is_some_and(|other| other != reached));
        }
        for (part, other) in [
            ("return 1", "return 2"),
            ("function name", "-- a comment\n\nfunction name"),
            ("lib = {", "more = 1 lib = {"),
            (
                "local function held(n) return lib.g(n) end",
                "local function held(m) return lib.g(m) end",
            ),
        ] {
            assert!(TEXT.contains(part), "{part}");
            assert!(reach_of(&TEXT.replace(part, other)).is_some_and(|other| other == reached));
        }
    }

    #[test]
    fn very_much_code_is_come_to_by_none() {
        let text = |count: usize| {
            let calls = "g('a text that is long', x) ".repeat(count);
            format!("function name() end function f(x) {calls} end")
        };
        assert!(reach_of(&text(100)).is_some());
        assert!(reach_of(&text(20_000)).is_none());
    }

    #[test]
    fn what_a_function_holds_may_be_left_out() {
        let other = TEXT.replace("lib.g(n)", "lib.h(n)");
        let without = reach_but(TEXT, &["held"]);
        assert!(without.is_some() && without == reach_but(&other, &["held"]));
        let other = TEXT.replace("n + list", "list + n");
        assert!(reach_but(TEXT, &["lib"]) == reach_but(&other, &["lib"]));
        let other = TEXT.replace("lib.g(n)", "lib.g(n + 1)");
        assert!(reach_but(TEXT, &["lib"]) != reach_but(&other, &["lib"]));
    }

    #[test]
    fn what_nobody_knows_is_come_to_by_none() {
        for (part, other) in [
            ("held(n) +", "name(n) +"),
            ("lib.z", "lib[name]"),
            ("{ 1, 2,", "{ [2.5] = 1, 2,"),
            ("{ 1, 2,", "{ name, 2,"),
        ] {
            assert!(reach_of(&TEXT.replace(part, other)).is_none(), "{other}");
        }
        let deep = "local t = {} for _ = 1, 100 do t = { t } end function f() return t end";
        let wide = "local t = {} for i = 1, 9000 do t[i] = i end function f() return t end";
        let ring = "local t = {} t.t = setmetatable(t, { __index = t }) function f() return t end";
        let name = "function name() end ";
        assert!(reach_of(&[name, deep].concat()).is_none());
        assert!(reach_of(&[name, wide].concat()).is_none());
        assert!(reach_of(&[name, ring].concat()).is_some());
    }
}
