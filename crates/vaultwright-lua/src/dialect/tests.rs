//! What texts in Lua 5.4 give, and what is said of those that are wrong.

use super::*;
use crate::Limits;

fn interpreter(dialect: Dialect) -> Interpreter {
    let interpreter = Interpreter::new(Limits::default()).expect("an interpreter");
    interpreter.use_dialect(dialect, "the rules of 0.99").expect("a dialect");
    interpreter
}

fn result(text: &str) -> String {
    let interpreter = interpreter(Dialect::Lua54);
    let lua = interpreter.lua();
    let chunk = compile(lua, "chunk", text.as_bytes());
    let value = chunk.and_then(|chunk| chunk.call::<Value>(()));
    match value.and_then(|value| lua.coerce_string(value)) {
        Ok(Some(text)) => text.to_string_lossy().to_string(),
        Ok(None) => "nothing".to_owned(),
        Err(error) => Failure::new(&error).to_string(),
    }
}

#[test]
fn operators_of_whole_numbers() {
    for (text, expected) in [
        ("return 7 // 2", "3"),
        ("return -7 // 2 * 3", "-12"),
        ("local a = {10} return 2^a[1]//3//2", "170"),
        ("return 6 & 3 | 8 ~ 1", "11"),
        ("return ~0", "-1"),
        ("return 1 << 4 >> 2 << 1", "8"),
        ("return -1 >> 60", "15"),
        ("return 0xff & ~0xf", "240"),
        ("return 1 | 2 == 3", "true"),
        ("return 'a' .. 7 // 2 .. 'b'", "a3b"),
        ("return (function(x) return x // 2 end)(9)", "4"),
        ("return '10' // '3'", "3"),
        ("return 1 // 0", "chunk:1: attempt to divide by zero"),
        ("return 1.0 // 0", "inf"),
        ("local x = 6 / 2 return -x // 0", "-inf"),
        ("local n = 0\nreturn 1 % n", "chunk:2: attempt to perform 'n%0'"),
        ("return (7 % (0))", "chunk:1: attempt to perform 'n%0'"),
        ("local n, m = 5, -7 return m % n .. 7 % -n", "3-3"),
        ("local n = 2.0 return 'n' .. 7 % n", "n1.0"),
        ("local n = 0.0 return tostring(1 % n == 1 % n)", "false"),
        ("local t = {}\n\nreturn 2 % #t + t % t", "chunk:3: attempt to perform 'n%0'"),
        (
            "local t = {}\n\nreturn 2 % t",
            "chunk:3: attempt to perform arithmetic on local 't' (a table value)",
        ),
        (
            "local t = setmetatable({}, { __mod = function() return 'mine' end })\nreturn t % t",
            "mine",
        ),
        ("\nreturn 1.5 & 1", "chunk:2: number has no integer representation"),
        (
            "local t = {}\n\nreturn t // 2",
            "chunk:3: attempt to perform arithmetic on local 't' (a table value)",
        ),
        (
            "local t = setmetatable({}, { __idiv = function() return 'mine' end })\nreturn t // 2",
            "mine",
        ),
        ("return 0x1p4 .. '' .. 0xFFFFFFFFFFFFFFFF", "16.0-1"),
    ] {
        let (found, expected) = (result(text), expected.replace("true", "nothing"));
        assert_eq!(found, expected, "{text}");
    }
}

#[test]
fn floats_are_written_with_a_fraction() {
    for (text, expected) in [
        ("return 'w:' .. 10 / 2", "w:5.0"),
        ("return 'w:' .. 11 / 2", "w:5.5"),
        ("local w = 10 / 2 return 'w:' .. w .. '!'", "w:5.0!"),
        ("local w = 10 / 2 w = w + 1 return tostring(w)", "6.0"),
        ("local w = 10 / 2 w = 7 return 'w:' .. w", "w:7"),
        ("local w if true then w = 4 / 2 else w = 3.0 end return w .. ''", "2.0"),
        ("local w = 10 / 2 local function f() w = 3 end f() return 'w:' .. w", "w:3"),
        ("return 'n' .. 2^3 .. 7.0 // 2", "n8.03.0"),
        ("return string.format('%s %d', 4 / 2, 4 / 2)", "2.0 2"),
        ("return ('%s'):format(4 / 2)", "2.0"),
        ("return 'n' .. math.floor(10 / 2)", "n5"),
        ("for i = 1.0, 2 do return 'n' .. i end", "n1.0"),
        ("for i = 1, 4 / 2 do return 'n' .. i end", "n1"),
        ("local tostring = function() return 'own' end return tostring(4 / 2)", "own"),
        ("return 'n' .. math.sqrt(16)", "n4.0"),
        ("return 'w:' .. 10", "w:10"),
        ("w = 10 / 2 return 'w:' .. w", "w:5.0"),
        ("w = 10 / 2 w = 5 return 'w:' .. w", "w:5"),
        ("w = 4 function f() w = w / 2 end f() return 'w:' .. w", "w:2.0"),
        ("return 'w:' .. math.abs(-4 / 2)", "w:2.0"),
        ("return 'w:' .. math.max(8 / 2, 6 / 2)", "w:4.0"),
        ("return 'w:' .. math.max(1, 8 / 2) .. '!'", "w:4.0!"),
        ("return 'w:' .. math.max(5, 8 / 2)", "w:5"),
        ("return 'w:' .. math.max(4, 8 / 2) .. math.max(8 / 2, 4)", "w:44.0"),
        ("return 'w:' .. math.min(8 / 2, 9)", "w:4.0"),
        ("return tostring(math.min(3, 8 / 2))", "3"),
        ("local x = math.max(1, 8 / 2) return 'w:' .. x", "w:4.0"),
        ("local x = math.max(4, 6 / 2) return 'w:' .. x", "w:4"),
        ("local x = 8 / 2 return 'w:' .. math.max(1, x) .. math.min(2, x)", "w:4.02"),
        ("local d, x = 4, 8 / 2 return 'w:' .. math.max(d, x, 6 / 2)", "w:4"),
        ("return 'w:' .. math.max (\n 1, 8 / 2)", "w:4.0"),
    ] {
        assert_eq!(result(text), expected, "{text}");
    }
}

/// As PUC Lua 5.4.4 has them, but that 5.1 names operands first.
#[test]
fn errors_of_operators_name_the_wrong_operand() {
    for (text, expected) in [
        ("return 10 % nil", "arithmetic on a nil value"),
        ("return 1 // nil", "arithmetic on a nil value"),
        ("return 1 | nil", "bitwise operation on a nil value"),
        ("local x\nreturn 1 // x", "arithmetic on local 'x' (a nil value)"),
        ("local x return x % 1", "arithmetic on local 'x' (a nil value)"),
        ("local x return (function() return 2 % x end)()", "on upvalue 'x' (a nil value)"),
        ("local t = {} return 1.0 // t.y", "arithmetic on field 'y' (a nil value)"),
        ("local t = {} return t & nowhere", "operation on local 't' (a table value)"),
        ("return 1 | nowhere", "bitwise operation on global 'nowhere' (a nil value)"),
        ("return ~nowhere", "bitwise operation on global 'nowhere' (a nil value)"),
        ("local n = 0 return n // n", "attempt to divide by zero"),
    ] {
        let found = result(text);
        assert!(found.starts_with("chunk:") && found.ends_with(expected), "{text}: {found}");
    }
}

/// As PUC Lua 5.4.4 has them, but for what needs it.
#[test]
fn what_51_lets_pass_is_an_error() {
    for (text, expected) in [
        ("for i = 1, 2, 0 do end", "chunk:1: 'for' step is zero"),
        ("local s = 0\nfor i = 1, 2, s do end", "chunk:2: 'for' step is zero"),
        ("for i = 3, 1, -1 do return i end", "3"),
        ("local goto = 1", "chunk:1: <name> expected near 'goto'"),
        ("local t = {} return t.goto", "chunk:1: <name> expected near 'goto'"),
        ("::a::\n::a::", "chunk:2: label 'a' already defined on line 1"),
        ("::a:: do\n::a:: end", "chunk:2: label 'a' already defined on line 1"),
        ("do ::a:: end do ::a:: end ::a:: return 1", "1"),
        (
            "local a <const> = 1\nfunction a() end",
            "chunk:2: attempt to assign to const variable 'a'",
        ),
        ("local r = math.fmod(5, 0)", "chunk:1: bad argument #2 to 'fmod' (zero)"),
        ("return math.fmod(-7, '3') .. math.fmod(7, 4)", "-13"),
        ("function _ENV.f() return 4 end return f()", "4"),
        ("return string.format('%5q', 'a')", "specifier '%q' cannot have modifiers"),
        ("return ('% s'):format('a')", "invalid conversion specification: '% s'"),
        ("return ('%0s'):format('a')", "invalid conversion specification: '%0s'"),
        ("return ('%.123d'):format(1)", "invalid conversion specification: '%.123d'"),
        ("return ('%y'):format(1)", "invalid conversion '%y' to 'format'"),
        ("return ('%5s'):format('a\\0b')", "string contains zeros)"),
        ("return ('%d'):format(2^63)", "(number has no integer representation)"),
        (
            "local r = coroutine.close(coroutine.create(function() end))",
            "chunk:1: coroutine.close needs Lua 5.4 itself, and this program runs 5.1: let \
                 the coroutine end",
        ),
    ] {
        let found = result(text);
        assert!(found.ends_with(expected), "{text}: {found}");
    }
    for text in [
        "local _ENV = {}",
        "local function _ENV() end",
        "for _ENV in pairs({}) do end",
        "local function f(_ENV) return x end",
        "function _ENV:f() end",
        "_ENV = {}",
    ] {
        assert!(result(text).contains("_ENV needs Lua 5.4 itself"), "{text}");
    }
}

#[test]
fn only_54_passes_on_what_stands_behind_the_handler() {
    for (dialect, expected) in [(Dialect::Lua51, 0), (Dialect::Lua54, 2)] {
        let interpreter = interpreter(dialect);
        let text =
            b"return select(2, xpcall(function(...) return select('#', ...) end, type, 1, 2))";
        let chunk = interpreter.load("chunk", text).expect("a chunk");
        assert_eq!(chunk.call::<i32>(()).expect("a number"), expected, "{dialect:?}");
    }
}

/// As PUC Lua 5.4.4 has them.
#[test]
fn formats_of_54() {
    for (text, expected) in [
        ("return ('%a %A %a'):format(2.5, 10, 0)", "0x1.4p+1 0X1.4P+3 0x0p+0"),
        (
            "return ('%10a|%-10a|%+a|%.1a|%#a|%010a'):format(2, 2, 2, 1.23, 1, 2)",
            "    0x1p+1|0x1p+1    |+0x1p+1|0x1.4p+0|0x1.p+0|0x00001p+1",
        ),
        ("return #('%s'):format('a\\0b') .. #('%c%c'):format(0, 65)", "32"),
        ("return ('%q'):format('\\0d\\r\\t\\0012\\127')", "\"\\0d\\13\\9\\0012\\127\""),
        ("return ('%5.3s|%-4d|%+.2f|%5c'):format('abcdef', 7, 1, 66)", "  abc|7   |+1.00|    B"),
        ("return tostring(-(math.min(2.0, 1)))", "-1"),
        ("return tostring(-(math.min(2.0, 3)))", "-2.0"),
        ("return tostring(- -math.min(2.0, 1))", "1"),
        ("return string.len(4 / 2) .. string.reverse(4 / 2)", "30.2"),
        ("return tostring(select(2, coroutine.running()))", "true"),
        ("return type(coroutine.running())", "thread"),
    ] {
        assert_eq!(result(text), expected, "{text}");
    }
}

/// As PUC Lua 5.4.4 has them.
#[test]
fn variables_that_hold_now_floats_now_whole_numbers_are_written_as_what_they_hold() {
    for (text, expected) in [
        ("local x = 3 if x > 2 then x = x / 3 end return 'w:' .. x", "w:1.0"),
        ("local x = 3 if x > 5 then x = x / 3 end return 'w:' .. x", "w:3"),
        ("local s = 0 for i = 1, 4 do s = s + i / 2 end return 'w:' .. s", "w:5.0"),
        ("local s = 0 for i = 1, 0 do s = s + i / 2 end return 'w:' .. s * 2", "w:0"),
        ("local x = true and 8 / 2 or 3 return 'w:' .. x", "w:4.0"),
        ("local x = false and 8 / 2 or 3 return 'w:' .. x", "w:3"),
        ("return 'w:' .. (1 > 2 and 3 or 8 / 2) .. (1 < 2 and 3 or 8 / 2)", "w:4.03"),
        (
            "local function f(w) if w > 4 then w = w / 2 end return 'w:' .. w end return f(8) .. f(4)",
            "w:4.0w:4",
        ),
        ("local x, y = 1, 4 / 2 x, y = y, x return x .. '|' .. y", "2.0|1"),
        ("local x local function set() x = 8 / 2 end x = 5 set() return 'w:' .. x", "w:4.0"),
        (
            "local s = '' for i = 1, 2 do if i == 2 then i = i / 2 end s = s .. i end return s",
            "11.0",
        ),
        (
            "local x = 6 / 2 do local x = 7 if x then x = x + 0.0 end end x = 5 return 'w:' .. x",
            "w:5",
        ),
        (
            "local s = '' for i = 1, 4 do local x = i if i == 3 then goto next end if i % 2 == 0 then x = x / 2 end s = s .. x .. ' ' ::next:: end return s",
            "1 1.0 2.0 ",
        ),
    ] {
        assert_eq!(result(text), expected, "{text}");
    }
}

#[test]
fn functions_may_have_as_many_variables_as_ever() {
    let variables: Vec<String> =
        (0..119).map(|n| format!("local a{n} = {n} if x then a{n} = a{n} / 2 end")).collect();
    let text = format!("local x = true {} return a4 .. a118", variables.join("\n"));
    assert_eq!(result(&text), "2.059", "the later ones are written as 5.1 does");
}

#[test]
fn results_of_functions_of_the_text_are_floats_if_they_return_nothing_else() {
    for (text, expected) in [
        ("local function f() return 10 / 2 end return 'w:' .. f()", "w:5.0"),
        ("function half(x) return x / 2 end return 'w:' .. half(8) .. half(9)", "w:4.04.5"),
        ("local t = {} function t.f() return 4 / 2 end return 'w:' .. t.f()", "w:2"),
        ("u = {} function u.f() return 4 / 2 end return 'w:' .. u.f()", "w:2.0"),
        (
            "local function f(x) if x then return 1 end return 8 / 2 end return 'w:' .. f(true)",
            "w:1",
        ),
        (
            "local function f() return 8 / 2 end f = function() return 3 end return 'w:' .. f()",
            "w:3",
        ),
        (
            "g = function() return 3 end local h = g function g() return 4 / 2 end return 'w:' .. h()",
            "w:3",
        ),
        (
            "local function f(n) if n == 0 then return 0.0 end return f(n - 1) + 1 end return 'w:' .. f(3)",
            "w:3.0",
        ),
        ("local function f() return (function() return 3 end)() end return 'w:' .. f()", "w:3"),
    ] {
        assert_eq!(result(text), expected, "{text}");
    }
}

#[test]
fn jumps_become_loops() {
    for (text, expected) in [
        (
            "local s = ''
              for i = 1, 5 do
                if i % 2 == 0 then goto continue end
                s = s .. i
                ::continue::
              end
              return s",
            "135",
        ),
        (
            "local s = ''
              for i = 1, 9 do
                if i == 2 then goto continue end
                if i == 4 then break end
                local j = i
                s = s .. j
                ::continue::
              end
              return s",
            "13",
        ),
        (
            "local s = ''
              for i = 1, 3 do
                for j = 1, 3 do
                  if j == 2 then goto next end
                  s = s .. i .. j .. ' '
                end
                ::next::
              end
              return s",
            "11 21 31 ",
        ),
        (
            "local s = ''
              for i = 1, 3 do
                for j = 1, 3 do
                  while true do
                    if i == 2 then goto done end
                    break
                  end
                  s = s .. i .. j .. ' '
                end
              end
              do return 'not here' end
              ::done::
              return s",
            "11 12 13 ",
        ),
        (
            "local n = 0
              ::again::
              n = n + 1
              if n < 5 then goto again end
              return n",
            "5",
        ),
        (
            "local n, s = 0, ''
              while true do
                ::again::
                n = n + 1
                for _ = 1, 3 do if n == 2 then goto again end end
                if n == 4 then break end
                s = s .. n
              end
              return s",
            "13",
        ),
        ("for i = 1, 3 do do break end; ; ; end ; return 1", "1"),
        ("while true do break break end return 2", "2"),
        ("repeat goto out ::out:: until true return 3", "3"),
        ("goto nowhere", "chunk:1: no visible label 'nowhere' for <goto>"),
        ("do ::inner:: end\ngoto inner", "chunk:2: no visible label 'inner' for <goto>"),
        (
            "goto over\nlocal a = 1\n::over::\nreturn a",
            "chunk:1: <goto over> jumps into the scope of the local variable of line 2",
        ),
    ] {
        assert_eq!(result(text), expected, "{text}");
    }
}

#[test]
fn other_forms() {
    for (text, expected) in [
            ("local a <const>, b <const> = 1, 2 return a + b", "3"),
            ("local a <const> = 1\na = 2", "chunk:2: attempt to assign to const variable 'a'"),
            ("local a <fixed> = 1", "chunk:1: unknown attribute 'fixed'"),
            ("return '\\x41\\u{e4}\\z\n   b'", "Aäb"),
            ("local s = 'a\\z\n  b'\nerror('here')", "chunk:3: here"),
            ("return '\\q' // 1", "chunk:1: invalid escape sequence '\\q'"),
            ("local function f(x) return x end\nreturn f\n(4)", "4"),
            ("local t = setmetatable({}, { __len = function() return 9 end }) return #t", "9"),
            ("_ENV.x = 4 return x", "4"),
            ("return table.unpack(table.move({ 1, 2, 3 }, 2, 3, 1))", "2"),
            ("return table.pack(1, nil, nil).n", "3"),
            ("return math.type(1) .. math.type(1.5) .. tostring(math.tointeger(2^3))", "integerfloat8"),
            ("return string.format('%s %s %d', nil, true, 3)", "nil true 3"),
            ("return string.format('%d', 2.5)", "bad argument #2 to 'format' (number has no integer representation)"),
            ("local t = setmetatable({}, { __pairs = function() return function(_, k) if not k then return 1 end end end })
              for k in pairs(t) do return k end", "1"),
            ("\nlocal s = string.format('%d', {})", "chunk:2: bad argument #2 to 'format' (number expected, got table)"),
            ("local t = setmetatable({ 7 }, { __index = function(_, i) if i < 4 then return i end end })
              local s = 0 for _, v in ipairs(t) do s = s + v end return s", "12"),
            ("local s = '' for k, v in pairs(setmetatable({ a = 1 }, {})) do s = s .. k .. v end return s", "a1"),
            ("local p = setmetatable({}, { __pairs = function(t) return 1, 2, 3, 4 end }) return select('#', pairs(p))", "3"),
            ("\nlocal f = ipairs\nf('abc')", "chunk:3: bad argument #1 to 'ipairs' (table expected, got string)"),
            ("\nfor _ in pairs(nil) do end", "chunk:2: bad argument #1 to 'pairs' (table expected, got nil)"),
            ("\nfor _ in ipairs() do end", "chunk:2: bad argument #1 to 'ipairs' (table expected, got no value)"),
            ("return math.log(8, 2) .. string.format('%5.1f|%-3s|%%', 1, 'a')", "3.0  1.0|a  |%"),
            ("return tostring(math.log(2^29, 2) == 29 and math.log('8', 2) == 3)", "true"),
            ("return tostring(tonumber('inf') or tonumber('NaN') or tonumber('-+5', 8))", "nil"),
            ("return tonumber('-ff', 16) .. tonumber(' -1010 ', 2) .. tonumber('z', 36)", "-255-1035"),
            ("return tonumber('0x10') .. tonumber(' 12 ') .. tonumber(7) .. tonumber('n', 36)", "1612723"),
            ("return _VERSION", "Lua 5.4"),
            ("return ('ab'):rep(3, '-') .. ('x'):rep(0, ',') .. ('y'):rep(2)", "ab-ab-abyy"),
            ("return #table.move({ 1, 2 }, 1, 0, 5)", "2"),
            ("local s = '' for w in ('a b c'):gmatch('()%a', 3) do s = s .. w end return s", "35"),
            ("for w in ('abc'):gmatch('%a*', 9) do return 'some' end return 'none'", "none"),
            ("return tostring(('abc'):find('', 4)) .. tostring(('abc'):find('', 5))", "4nil"),
            ("return tostring(('abc'):match('.*', 5))", "nil"),
            ("return select(2, pcall(assert, nil, { 7 }))[1]", "7"),
            ("return select(2, pcall(assert, false))", "assertion failed!"),
            ("return ('abc'):gsub('%w*', 'x')", "x"),
            ("return (('a,b'):gsub('%a*', '<%0>'))", "<a>,<b>"),
            ("local s = '' for w in ('ab c'):gmatch('%a*') do s = s .. w .. '.' end return s", "ab.c."),
            ("return ('abc'):gsub('b', '%x')", "invalid use of '%' in replacement string"),
            ("return (('abc'):gsub('d', '%x'))", "abc"),
            ("return (('abc'):gsub('b', '%%%0'))", "a%bc"),
            ("return string.format('%q %q %q', 0.5, 12, 1 / 3)", "0x1p-1 12 0x1.5555555555555p-2"),
            ("return string.format('%q %q %q|%s', nil, true, 'a', 1)", "nil true \"a\"|1"),
            ("return string.format('%q', {})", "bad argument #2 to 'format' (value has no literal form)"),
        ] {
            let found = result(text);
            assert!(found.ends_with(expected), "{text}: {found}");
        }
    let refused = result("local f <close> = nil");
    assert!(refused.starts_with("chunk:1: <close> needs Lua 5.4 itself"), "{refused}");
}

#[test]
fn a_text_of_the_other_lua_is_told() {
    let interpreter = interpreter(Dialect::Lua51);
    let error = interpreter.load("chunk", b"local a = 1\nreturn a // 2").expect_err("5.4");
    assert_eq!(
        error.to_string(),
        "chunk:2: unexpected symbol near '/': this is Lua 5.4, and the rules of 0.99 want Lua 5.1"
    );
    let error = interpreter.load("chunk", b"return 1 +").expect_err("neither");
    assert!(!error.to_string().contains("5.4"), "{error}");
    interpreter.remove_names_of_other_version().expect("nothing fails");
    let chunk = interpreter.load("chunk", b"return table.unpack == nil and unpack ~= nil");
    assert!(chunk.expect("a chunk").call::<bool>(()).expect("an answer"));
}

#[test]
fn what_is_wrong_first_is_told() {
    for (text, expected) in [
        ("return 1 2 0.1.x", "chunk:1: '<eof>' expected near '2'"),
        ("x = 1 // 2 =\n'\\q'", "chunk:1: unexpected symbol near '='"),
        ("x = 1 // 2\ny = 0.1.x", "chunk:2: malformed number near '0.1.x'"),
        ("\nx = 0.1.x", "chunk:2: malformed number near '0.1.x'"),
    ] {
        assert_eq!(result(text), expected, "{text}");
    }
}

#[test]
fn variables_that_nothing_shows_need_no_companion() {
    let text = b"local a = 1 a = a / 2 return a";
    let translation = translate(text, false, &|_| false, &mut Facts::default());
    let translation = translation.unwrap_or_else(|_| unreachable!("it is Lua"));
    assert!(translation.is_none_or(|translation| translation.text == text));
}

#[test]
fn every_text_keeps_its_lines() {
    let text = "local a = 7\n// 2\nfor i = 1, 2 do\n  if a then goto\n  on end\n  ::on\n::\nend\nerror('x')\n";
    assert_eq!(result(text), "chunk:9: x");
}

#[test]
fn hostile_texts_end() {
    for text in [
        "(".repeat(100_000),
        "a//".repeat(5000),
        "goto a ".repeat(3000),
        "~".repeat(9999),
        "::a::".repeat(100_000),
        "local a <const> = 1 // 1 ".repeat(100_000),
    ] {
        let interpreter = interpreter(Dialect::Lua54);
        assert!(interpreter.load("chunk", text.as_bytes()).is_err());
    }
}
