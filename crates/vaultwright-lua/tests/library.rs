//! The library in Rust against the interpreter's own in C: the same calls, the same results.
//!
//! `VAULTWRIGHT_CALLS=3000000` makes a campaign of it.

use vaultwright_lua::mlua::{Function, Lua, LuaOptions, MultiValue, StdLib, Value};
use vaultwright_lua::{Interpreter, Limits};

/// Calls a function of a library: its results, or the error.
const CALL: &str = r#"
    local library, name = ...
    local call = _G[library][name]
    return function(...)
      if name == "gmatch" or name == "gfind" then
        local parts, count = {}, 0
        local ok, wrong = pcall(function(...)
          for a, b, c in call(...) do
            count = count + 1
            parts[count] = tostring(a) .. "," .. tostring(b) .. "," .. tostring(c)
            if count == 40 then break end
          end
        end, ...)
        return ok, wrong, table.concat(parts, ";")
      end
      return pcall(call, ...)
    end
"#;

struct Pair {
    ours: Interpreter,
    theirs: Lua,
}

impl Pair {
    fn new() -> Pair {
        let limits = Limits { instructions: 2_000_000, ..Limits::default() };
        let ours = Interpreter::new(limits).expect("an interpreter");
        let libraries = StdLib::TABLE | StdLib::STRING | StdLib::MATH;
        let theirs = Lua::new_with(libraries, LuaOptions::new()).expect("an interpreter");
        Pair { ours, theirs }
    }

    /// The results of a chunk in both.
    fn run(&self, text: &str) -> [String; 2] {
        self.ours.refill();
        [self.ours.lua(), &self.theirs].map(|lua| {
            let result = lua.load(text).set_name("=test").eval::<MultiValue>();
            match result {
                Ok(values) => values.iter().map(shown).collect::<Vec<_>>().join(" | "),
                Err(error) => format!("fails: {error}"),
            }
        })
    }

    fn same(&self, text: &str) {
        let [ours, theirs] = self.run(text);
        assert_eq!(ours, theirs, "{text}");
    }
}

fn shown(value: &Value) -> String {
    match value {
        Value::String(text) => format!("{:?}", text.as_bytes().escape_ascii().to_string()),
        Value::Number(number) => format!("{number:?}"),
        other => format!("{other:?}"),
    }
}

/// A generator of calls.
struct Dice(u64);

impl Dice {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((self.0 >> 33) % end as u64) as usize
    }

    fn one<'a, T: ?Sized>(&mut self, of: &[&'a T]) -> &'a T {
        of[self.below(of.len())]
    }

    fn text(&mut self, longest: usize) -> Vec<u8> {
        const BYTES: &[u8] = b"aaaabbbc  ((xX)).,-_%09\0\n\r\t\"\\\xe4\xff[]Zz";
        let length = self.below(longest + 1);
        (0..length).map(|_| BYTES[self.below(BYTES.len())]).collect()
    }

    fn pattern(&mut self) -> Vec<u8> {
        const PARTS: &[&[u8]] = &[
            b"a", b"b", b"c", b" ", b"x", b".", b".", b"%a", b"%A", b"%s", b"%S", b"%d", b"%w",
            b"%W", b"%p", b"%c", b"%l", b"%u", b"%x", b"%z", b"%Z", b"%%", b"%.", b"%(", b"[abc]",
            b"[^abc]", b"[a-z]", b"[%a_]", b"[^%s]", b"[]]", b"[^]]", b"[a-]", b"[%]x]", b"[-a]",
            b"[z-a]", b"(", b"(", b")", b")", b"()", b"%1", b"%2", b"%0", b"%b()", b"%bxx",
            b"%bab", b"%f[%a]", b"%f[^%a]", b"%f[%z]", b"^", b"$", b"\0", b"\xe4", b"-", b"*",
            b"[", b"]", b"%", b"%b", b"%f", b"[%", b"[^", b"(a*", b"(.-)", b"(%w+)", b"(a-)b",
        ];
        let mut pattern = Vec::new();
        if self.below(6) == 0 {
            pattern.push(b'^');
        }
        // Most parts are whole, so that most patterns are right.
        let parts = if self.below(4) == 0 { PARTS.len() } else { 53 };
        for _ in 0..self.below(6) {
            pattern.extend_from_slice(PARTS[self.below(parts)]);
            pattern.extend_from_slice(self.one::<[u8]>(&[b"", b"", b"", b"*", b"+", b"-", b"?"]));
        }
        if self.below(6) == 0 {
            pattern.push(b'$');
        }
        pattern
    }

    fn number(&mut self) -> f64 {
        const NUMBERS: &[f64] = &[
            0.0,
            -0.0,
            1.0,
            2.0,
            3.0,
            5.0,
            -1.0,
            -2.0,
            -5.0,
            0.5,
            1.5,
            -2.75,
            100.0,
            255.0,
            256.0,
            65.0,
            1e9,
            2147483647.0,
            2147483648.0,
            -2147483648.0,
            4294967296.0,
            1e15,
            123456.789,
            9.9999999,
            1e-5,
            0.0001,
            1e100,
            -1e308,
            5e-324,
            f64::INFINITY,
            f64::NEG_INFINITY,
            f64::NAN,
            9.223_372_036_854_776e18,
            -9.3e18,
            1.8e19,
            3e19,
            0.1,
            2.5,
            1e21,
            123456789012.0,
            999999.5,
            0.00001234,
        ];
        if self.below(4) == 0 {
            return f64::from_bits((self.below(1 << 31) as u64) << 33 | self.below(1 << 31) as u64);
        }
        NUMBERS[self.below(NUMBERS.len())]
    }

    fn format(&mut self) -> Vec<u8> {
        let mut format = self.text(3);
        for _ in 0..self.below(3) + 1 {
            format.push(b'%');
            let letter = b"cdiouxXeEfgGqsqsdfgxyp%"[self.below(23)];
            for _ in 0..self.below(4) {
                // Some libraries of C forget the zeros of `%#g` when the number is rounded up.
                let flags: &[u8] = if letter | 32 == b'g' { b"-+ 0" } else { b"-+ #00" };
                format.push(flags[self.below(flags.len())]);
            }
            format.extend(self.one::<str>(&["", "", "", "1", "3", "12", "99", "100"]).bytes());
            format.extend(
                self.one::<str>(&["", "", "", ".", ".0", ".1", ".3", ".20", ".99", ".100"]).bytes(),
            );
            format.push(letter);
            format.extend(self.text(2));
        }
        format
    }
}

fn calls() -> usize {
    std::env::var("VAULTWRIGHT_CALLS").ok().and_then(|n| n.parse().ok()).unwrap_or(40_000)
}

#[test]
fn texts_and_patterns_are_the_same() {
    let pair = Pair::new();
    let mut dice = Dice(std::env::var("VAULTWRIGHT_SEED").map_or(7, |n| n.parse().unwrap()));
    let function = |lua: &Lua, name: &str| -> Function {
        lua.load(CALL).call(("string", name)).expect("a function")
    };
    let names = [
        "find", "find", "find", "match", "match", "match", "gmatch", "gmatch", "gfind", "gsub",
        "gsub", "gsub", "format", "format", "format", "sub", "byte", "rep", "char", "lower",
        "upper", "reverse", "len",
    ];
    let functions: Vec<[Function; 2]> = names
        .iter()
        .map(|name| [function(pair.ours.lua(), name), function(&pair.theirs, name)])
        .collect();
    let replace = |lua: &Lua| -> Vec<Value> {
        lua.load(
            "return { function(a) return a end, function() end, function() return {} end, \
             function(a, b) return b end, {a = 'A', b = 7, x = false, [' '] = true}, true, \
             setmetatable({}, {__index = function(_, k) return '<' .. tostring(k) .. '>' end}) }",
        )
        .eval()
        .expect("replacements")
    };
    let replacements = [replace(pair.ours.lua()), replace(&pair.theirs)];
    for _ in 0..calls() {
        let which = dice.below(names.len());
        let text = dice.text(24);
        let (pattern, number, other) = (dice.pattern(), dice.number(), dice.number());
        let (few, format) = (dice.below(4) as f64 - 1.0, dice.format());
        let replacement = dice.below(14);
        let by = [&b"<%0>"[..], b"%1", b"%2%1", b"x%", b"%%", b"a\0b%0", b"%9"][replacement % 7];
        let more = dice.below(3);
        pair.ours.refill();
        let [ours, theirs] = [0, 1].map(|side| {
            let lua = [pair.ours.lua(), &pair.theirs][side];
            let string = |bytes: &[u8]| Value::String(lua.create_string(bytes).expect("a text"));
            let number = |number: f64| Value::Number(number);
            let mut arguments = match names[which] {
                "find" | "match" => {
                    vec![string(&text), string(&pattern), number(few), Value::Boolean(more == 1)]
                }
                "gmatch" | "gfind" => vec![string(&text), string(&pattern)],
                "gsub" => {
                    let by = match replacement {
                        0..7 => string(by),
                        _ => replacements[side][replacement - 7].clone(),
                    };
                    vec![string(&text), string(&pattern), by, number(few + 1.0)]
                }
                "format" => vec![string(&format), number(other), string(&text), number(few)],
                "sub" => vec![string(&text), number(few * 3.0), number(other)],
                // The C library makes no room for more than a few results.
                "byte" => {
                    vec![string(&text[..text.len().min(12)]), number(few * 3.0), number(other)]
                }
                "rep" => {
                    vec![string(&text), number(if other.abs() < 1000.0 { other } else { few })]
                }
                "char" => vec![number(other), number(few + 65.0)],
                _ => vec![string(&text)],
            };
            if more == 0 && arguments.len() > 1 {
                arguments.pop();
            }
            let result = functions[which][side].call::<MultiValue>(MultiValue::from_vec(arguments));
            match result {
                Ok(values) => values.iter().map(shown).collect::<Vec<_>>().join(" | "),
                Err(error) => format!("fails: {error}"),
            }
        });
        assert_eq!(
            ours,
            theirs,
            "{} {:?} {:?} {few} {:?} {:?} {number} {other} {replacement} {more}",
            names[which],
            text.escape_ascii().to_string(),
            pattern.escape_ascii().to_string(),
            format.escape_ascii().to_string(),
            by.escape_ascii().to_string(),
        );
    }
}

#[test]
fn arguments_that_are_wrong_are_told_in_the_same_words() {
    let pair = Pair::new();
    let values = [
        "nil",
        "true",
        "'a'",
        "'7'",
        "1",
        "-3",
        "{}",
        "{1, 2, 3}",
        "print",
        "2^31",
        "-2^31",
        "0/0",
    ];
    let functions = [
        "string.find",
        "string.match",
        "string.gmatch",
        "string.gsub",
        "string.rep",
        "string.sub",
        "string.byte",
        "string.char",
        "string.format",
        "string.len",
        "string.lower",
        "string.upper",
        "string.reverse",
        "table.insert",
        "table.remove",
        "table.concat",
        "table.sort",
        "table.getn",
        "table.setn",
        "table.maxn",
        "table.foreach",
        "table.foreachi",
        "unpack",
        "select",
        "tostring",
        "pcall",
        "coroutine.create",
        "coroutine.resume",
        "coroutine.wrap",
    ];
    let mut dice = Dice(3);
    for function in functions {
        for _ in 0..60 {
            let count = dice.below(4);
            let mut arguments: Vec<&str> = (0..count).map(|_| dice.one(&values)).collect();
            if function == "string.rep" && arguments.get(1).is_some_and(|n| n.contains('^')) {
                arguments.truncate(1);
            }
            // These the C library cannot take.
            let huge = function == "table.insert" || function == "unpack";
            if huge && arguments.iter().any(|n| n.contains('^') || *n == "0/0") {
                continue;
            }
            if function == "tostring" && arguments.first().is_some_and(|a| a.contains(['{', 'p'])) {
                continue;
            }
            let arguments = arguments.join(", ");
            pair.same(&format!(
                "local r = {{pcall({function}, {arguments})}} \
                 for i, v in pairs(r) do if type(v) ~= 'string' and type(v) ~= 'number' then \
                 r[i] = type(v) end end return r[1], r[2], r[3], r[4], r[5]"
            ));
            pair.same(&format!(
                "local function f() local a = {function}({arguments}) return type(a) end \
                 local ok, message = pcall(f) return ok, message"
            ));
        }
    }
    pair.same("return pcall(function() return ('x'):rep({}) end)");
    pair.same(
        "local s = '' for n = -1, 40 do s = s .. ('x'):rep(n) .. ('ab'):rep(n) .. (''):rep(n) .. n end return s",
    );
    pair.same("return pcall(function() return ('x'):bad() end)");
}

#[test]
fn tables_calls_and_coroutines_are_the_same() {
    let pair = Pair::new();
    for text in [
        "local t = {1, 2, 3} table.insert(t, 2, 9) table.insert(t, 7, 5) table.insert(t, -2, 6) table.insert(t, 8) \
         local s = '' for i = -5, 9 do s = s .. tostring(t[i]) .. ' ' end return s, #t",
        "local t = {5, 6, 7, 8} return table.remove(t, 2), table.remove(t), table.remove(t, 9), \
         table.remove({}), table.concat(t, ',')",
        "return table.concat({1, 2.5, 'x'}, '--', 2, 3), table.concat({}, 'x'), table.concat({1}, 'x', 3, 2)",
        "return pcall(table.concat, {1, {}, 3}), pcall(table.concat, {1, 2}, ',', 1, 5)",
        "return table.maxn({1, 2, [9.5] = 1, x = 3}), table.getn({1, 2, nil, 4}), pcall(table.setn, {}, 3)",
        "local s = '' table.foreachi({3, 4, 5}, function(i, v) s = s .. i .. v if i == 2 then return true end end) \
         return s, table.foreach({x = 1}, function(k, v) return k .. v end)",
        "local t = {} for i = 1, 200 do t[i] = {(i * 7919) % 31, i} end table.sort(t, function(a, b) return a[1] < b[1] end) \
         local s = '' for i = 1, 200 do s = s .. t[i][2] .. ' ' end return s",
        "local t = {} for i = 1, 300 do t[i] = (i * 7919) % 101 end table.sort(t) return table.concat(t, ' ')",
        "return pcall(table.sort, {3, 'x', 2})",
        "return pcall(table.sort, {3, 1, 2, 5, 4}, function(a, b) return true end)",
        "return unpack({1, 2, 3}), unpack({1, 2, 3}, 2), unpack({1, nil, 3}, 1, 3), pcall(unpack, {}, 1, 1e6)",
        "return select('#', 1, nil, nil), select(2, 1, 2, 3), select(-1, 1, 2, 3), pcall(select, 0), pcall(select, -9, 1)",
        "return pcall(error, 'x', 0), pcall(error, nil), pcall(function() local x = nil + 1 end)",
        "return xpcall(function() error('x') end, function(m) return 'handled ' .. m end)",
        "return xpcall(function() return 1, 2, 3 end, function() end)",
        "return xpcall(function() error('x') end, function(m) error('y') end)",
        "local co = coroutine.create(function(a, b) local c = coroutine.yield(a + b) error('e' .. c) end) \
         return coroutine.resume(co, 1, 2), coroutine.resume(co, 'z'), coroutine.resume(co), coroutine.status(co)",
        "local f = coroutine.wrap(function(...) local n = select('#', ...) while true do n = n + coroutine.yield(n) end end) \
         return f(1, 2, 3), f(4), f(5)",
        "local f = coroutine.wrap(function() error('inside') end) return pcall(f), pcall(f)",
        "local f = coroutine.wrap(function() error({1}) end) local ok, e = pcall(f) return ok, type(e), e[1]",
        "return pcall(coroutine.resume, 3), pcall(coroutine.create, print), pcall(coroutine.wrap, 7)",
        "local s, minus = '', -1 for i = 0, 20 do for _, n in ipairs { 10 ^ i - 1, 10 ^ i, i / 3, i * minus } do \
         s = s .. tostring(n) .. tostring(-n) .. table.concat({ n, -n * 7, n }, ' ') end end \
         return s, tostring(1 / 0), tostring(-1 / 0), table.concat { 2 ^ 63, -2 ^ 63, 2 ^ 64 }",
        "return tostring(1e15), tostring(-0.0), tostring(0.1), tostring(true), tostring(nil), tostring('x'), \
         tostring(setmetatable({}, {__tostring = function() return 'mine' end}))",
    ] {
        pair.same(text);
    }
}

/// Lists that grow and shrink at both ends and have holes, so that elements lie in the array, in
/// the hash, and on both sides.
const LISTS: &str = r##"
    local seed = ...
    local function random(n) seed = (seed * 16807) % 2147483647 return seed % n end
    local t, log = random(2) == 0 and {} or { "a", "b", "c", "d", "e", "f", "g" }, {}
    for step = 1, 300 do
      local kind, at = random(9), 1 + random(#t + 1)
      if kind < 3 then table.insert(t, at, step)
      elseif kind == 3 then table.insert(t, { step })
      elseif kind < 7 then log[#log + 1] = tostring(type(table.remove(t, at)))
      elseif kind == 7 then t[#t + 1 + random(4)] = step
      else t[1 + random(20)] = random(3) > 0 and step or nil end
      if step % 7 == 0 then
        for key, value in pairs(t) do
          log[#log + 1] = key .. "=" .. (type(value) == "table" and "t" .. value[1] or value)
        end
        log[#log + 1] = "#" .. #t
      end
    end
    return table.concat(log, " ")
"##;

#[test]
fn elements_move_as_in_c_wherever_they_lie() {
    let pair = Pair::new();
    for seed in 1..200 {
        pair.same(&format!("return (function(...) {LISTS} end)({seed})"));
    }
}
