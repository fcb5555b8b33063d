//! What scripts in Lua 5.4 do that 5.1 does otherwise.

use vaultwright_lua::mlua::Value;
use vaultwright_lua::{Dialect, Failure, Interpreter, Limits, TextOf};

fn result(text: &str) -> String {
    let interpreter = Interpreter::new(Limits::default()).expect("an interpreter");
    interpreter.use_dialect(Dialect::Lua54, "the rules of 0.99").expect("a dialect");
    let chunk = interpreter.load("chunk", text.as_bytes());
    let value = chunk.and_then(|f| f.call::<Value>(()).map_err(|error| Failure::new(&error)));
    match value.map(|value| interpreter.lua().coerce_string(value)) {
        Ok(Ok(Some(text))) => text.to_string_lossy().to_string(),
        Ok(_) => "nothing".to_owned(),
        Err(error) => error.to_string(),
    }
}

/// As PUC Lua 5.4.4 does.
#[test]
fn what_5_1_does_otherwise_is_as_in_5_4() {
    for (text, expected) in [
        ("--[[ t[[1] ]] return [[ a [[ ]=] ]] .. #[[\n[[x]]", " a [[ ]=] 3"),
        ("local s = [[\n[[\n]]\nerror('x')", "chunk:4: x"),
        ("return 'a\\\r\nb'\r\n", "a\nb"),
        ("return (('a b\\t!'):gsub('%g', 'x'))", "x x\tx"),
        ("return (('a b\\t!'):gsub('[%G!]', '_'))", "a_b__"),
        ("return ('(g) ]g'):match('%b()%G[]%g]+') .. ('x%g'):find('%g', 1, true)", "(g) ]g2"),
        ("return select(2, pcall(assert, nil, 'm'))", "m"),
        ("assert(1 > 2)", "chunk:1: assertion failed!"),
        (
            "return ('x'):rep(3 / 2)",
            "chunk:1: bad argument #1 to 'rep' (number has no integer representation)",
        ),
        ("return ('abc'):sub(4 / 2) .. ('x'):rep(6 / 3)", "bcxx"),
        (
            "return tostring(pcall(table.concat, { 1 }, '', 1, 1.5)) .. tostring(pcall(select, 1.5, 1))",
            "falsefalse",
        ),
        (
            "return ('abc'):sub(1, math.huge)",
            "chunk:1: bad argument #2 to 'sub' (number has no integer representation)",
        ),
        ("local n = math.huge return 5 % n .. ' ' .. -5 % n", "5 inf"),
        // No digit is lost.
        ("return 1e3 % 0.7", "0.40000000000006"),
        (
            "local n = 2 * math.pi return 1e3 % n .. ' ' .. -1e3 % n",
            "0.97353615844579 5.3096491487338",
        ),
        ("local n = 3 return -7 % n .. ' ' .. 7 % -n .. ' ' .. -6 % n", "2 -2 0"),
        ("return ('%.17g %s'):format(3 ^ 0.5, 4 ^ 0.5)", "1.7320508075688772 2.0"),
        ("return string.format('%d %.1f', 2.0 ^ 53, 6 / 4)", "9007199254740992 1.5"),
        (
            "you = { depth_fraction = function() return 1 end } return 'w:' .. you.depth_fraction()",
            "w:1.0",
        ),
        (
            "local t = {} for _, s in ipairs { '1e2', '-12 ', ' 0x10', '' } do t[#t + 1] = tostring(tonumber(s, 10)) end \
             return table.concat(t, ' ') .. tostring(tonumber('0x10', 16)) .. tonumber('-fF', 16)",
            "nil -12 nil nilnil-255",
        ),
        (
            "local t = setmetatable({}, { __len = function() return 7 end })\nreturn #t + #'ab' + #nil",
            "chunk:2: attempt to get length of a nil value",
        ),
        ("return '7' & 1", "chunk:1: attempt to perform bitwise operation on a string value"),
        (
            "local t = { 1, 2 } table.insert(t, 4, 5)",
            "chunk:1: bad argument #2 to 'insert' (position out of bounds)",
        ),
        ("return tostring(pcall(table.insert, { 1 }, 0, 5))", "false"),
        ("local t = { 1, 2 } table.insert(t, 3, 5) return #t .. t[3]", "35"),
        // With a gap the length is what it is said to be.
        ("local t = { [1] = 1, [9] = 9 } table.insert(t, 9, 5) return t[9]", "5"),
        (
            "return table.remove({ 1 }, 3)",
            "chunk:1: bad argument #2 to 'remove' (position out of bounds)",
        ),
        (
            "return tostring(pcall(table.remove, { 1 }, 0)) .. tostring(table.remove({}, 0))",
            "falsenil",
        ),
        (
            "return tostring(pcall(table.remove, {}, -1)) .. tostring(table.remove({ 1 }, 2))",
            "falsenil",
        ),
        (
            "local t = { [0] = 7 } return select('#', table.remove({})) .. table.remove(t) .. #t",
            "170",
        ),
    ] {
        assert_eq!(result(text), expected, "{text}");
    }
}

#[test]
fn expressions_may_be_as_long_and_deep_as_in_5_4() {
    let joined = vec!["'a'"; 195].join(" .. ");
    assert_eq!(result(&format!("local x = 4 // 2 return #({joined})")), "195");
    let nested = format!("{}1{}", "(".repeat(185), ")".repeat(185));
    assert_eq!(result(&format!("local x = 4 // 2 return {nested}")), "1");
    let lists = format!("{}4 // 2{}", "{".repeat(185), "}".repeat(185));
    assert_eq!(result(&format!("return #{lists}")), "1");
    let refused = result(&format!("return 4 // 2 .. {}", vec!["'a'"; 250].join(" .. ")));
    assert!(refused.contains("levels"), "{refused}");
}

/// As PUC Lua 5.4.4 has them.
#[test]
fn global_variables_are_written_as_what_they_were_given_last() {
    for (text, expected) in [
        ("w = 10 if #'a' > 0 then w = w / 2 end return 'w:' .. w", "w:5.0"),
        ("w = 10 if #'a' > 1 then w = w / 2 end return 'w:' .. w", "w:10"),
        ("w = 4 / 2 w = 3 return 'w:' .. w", "w:3"),
        ("v, w = 1, 4 / 2 v, w = w, v return v .. w", "2.01"),
        ("function halve() w = w / 2 end w = 8 halve() halve() return w .. ''", "2.0"),
        ("w = 8 local function double(n) w = n * 2 end w = w / 2 double(3) return w .. ''", "6"),
        (
            "w = 1 for i = 1, 3 do w = w * i if i > 2 then w = w / 1 end end return 'w:' .. w",
            "w:6.0",
        ),
        ("w = 1\nw = w + 0.5\nw = w + 0.5\nreturn tostring(w)", "2.0"),
        ("y = 3 y = y * 1.0 z = y return string.format('%s', z)", "3.0"),
    ] {
        assert_eq!(result(text), expected, "{text}");
    }
}

/// As PUC Lua 5.4.4 has them.
#[test]
fn parameters_of_local_functions_are_floats_if_they_are_called_with_nothing_else() {
    for (text, expected) in [
        ("local function f(w) return 'w:' .. w end return f(10 / 2) .. f(2.0)", "w:5.0w:2.0"),
        ("local function f(w) return 'w:' .. w end return f(10 / 2 + 1) .. f(3)", "w:6w:3"),
        ("local function f(x, w) return x .. w end local y = 8 / 2 return f(1, y)", "14.0"),
        ("local function f(w) return 'w:' .. w end local g = f return g(3) .. f(10 / 2)", "w:3w:5"),
        (
            "local function f(w) return 'w:' .. w end return f(10 / 2) .. select(2, pcall(f, 4))",
            "w:5w:4",
        ),
        (
            "local function f(w, n) if n > 0 then return f(w / 2, n - 1) end return 'w:' .. w end return f(8 / 1, 2)",
            "w:2.0",
        ),
        (
            "local function f(w, n) if n > 0 then return f(n, n - 1) end return 'w:' .. w end return f(8 / 1, 2)",
            "w:1",
        ),
        (
            "local function f(a, w) return 'w:' .. w end return f((function() return 1, 3 end)())",
            "w:3",
        ),
        ("local function f(w) return 'w:' .. tostring(w) end return f()", "w:nil"),
        (
            "local function f(w) return 'w:' .. w end do local function f(w) return w end f(7) end return f(8 / 2)",
            "w:4.0",
        ),
        ("local t = {} local function f(w) return 'w:' .. w end t.f = f return t.f(3)", "w:3"),
    ] {
        assert_eq!(result(text), expected, "{text}");
    }
}

/// 5.4 writes 10 / 2 as `5.0`, also where another text has divided.
#[test]
fn texts_know_which_functions_and_variables_of_others_are_floats() {
    let interpreter = Interpreter::new(Limits::default()).expect("an interpreter");
    interpreter.use_dialect(Dialect::Lua54, "the rules of 0.99").expect("a dialect");
    let run = |text: &str, of: TextOf| {
        let chunk = interpreter.load_of("chunk", text.as_bytes(), of).expect("a chunk");
        let value = chunk.call::<Value>(()).expect("a result");
        let text = interpreter.lua().coerce_string(value).expect("no error");
        text.map_or("nothing".to_owned(), |text| text.to_string_lossy())
    };
    run("lib = {} function lib.half(n) return n / 2 end", TextOf::Library);
    run(
        "function half(n) return n / 2 end function twice(n) return lib.half(n) * 4 end\n\
         least = 10 / 2 most = 5 function some(n) if n > 5 then return n / 2 end return 3 end",
        TextOf::File(1),
    );
    let told = "return half(4) .. ' ' .. least .. ' ' .. lib.half(4) .. ' ' .. twice(1)";
    assert_eq!(run(told, TextOf::Map(1)), "2.0 5.0 2.0 2.0");
    assert_eq!(run("return most .. ' ' .. some(2)", TextOf::Map(1)), "5 3");
    // What another text has given a variable is still there where this one gives it nothing.
    let halved = |name: &str, when: &str| {
        format!("if #'a' {when} 1 then {name} = {name} / 2 end return 'w:' .. {name}")
    };
    assert_eq!(run(&halved("most", ">"), TextOf::Map(1)), "w:5");
    assert_eq!(run(&halved("least", ">"), TextOf::Map(1)), "w:5.0");
    assert_eq!(run(&halved("most", "=="), TextOf::Map(1)), "w:2.5");
    // A map's own names are its own, and the names of other files are not looked at.
    assert_eq!(
        run("local half = tostring least = 5 return half(4) .. least", TextOf::Map(1)),
        "45"
    );
    assert_eq!(run("least = 5 return least .. lib.half(4)", TextOf::Map(2)), "52.0");
    // What is defined last counts.
    run("function lib.half(n) return 1 end", TextOf::Library);
    assert_eq!(run("return 'w:' .. lib.half(4)", TextOf::Map(2)), "w:1");
}

/// As PUC Lua 5.4.4 reads them.
#[test]
fn hexadecimal_floats_and_escapes_are_read() {
    for (text, expected) in [
        ("return 0x1p2000 .. ' ' .. 0x0p99999", "inf 0.0"),
        ("return 0x1.8p-2147483648 .. ' ' .. 0x1p99999999999999999999", "0.0 inf"),
        ("return tostring(0x1p-1074 == 2^-1074) .. 0x.8p1 .. 0xA.8p0", "true1.010.5"),
        ("return tostring(0x1.99999999999999999999999999999999999p4 == 25.6)", "true"),
        ("return 0x1p+", "chunk:1: malformed number near '0x1p'"),
        ("return '\\x+4'", "chunk:1: hexadecimal digit expected"),
        ("return '\\u941}'", "chunk:1: missing '{'"),
        ("return '\\u{}'", "chunk:1: hexadecimal digit expected"),
        ("return '\\u{41'", "chunk:1: missing '}'"),
        ("return '\\u{80000000}'", "chunk:1: UTF-8 value too large"),
        ("return ('\\u{7FFFFFFF}'):byte() .. #'\\u{7FFFFFFF}\\u{D800}\\u{7f}'", "25310"),
        ("return '\\u{e4}\\u{20ac}\\u{1F409}\\x41'", "ä€🐉A"),
    ] {
        assert_eq!(result(text), expected, "{text}");
    }
}

#[test]
fn a_step_of_0_is_an_error_wherever_it_stands() {
    let text = "local s = 0\nfor i = 1,\n  5, s do return 'x' end";
    assert!(result(text).ends_with("'for' step is zero"), "{}", result(text));
}

/// A function that a field holds is another one when the field, or the table, is given a value.
#[test]
fn functions_in_tables_give_floats_until_they_are_replaced() {
    for (text, expected) in [
        ("tt = {} function tt.b() return 4 / 2 end return tostring(tt.b())", "2.0"),
        ("tt = {} function tt . b() return 4 / 2 end return tostring(tt.b())", "2.0"),
        (
            "tt = {} function tt.b() return 4 / 2 end tt.b = function() return 2 end \
             return tostring(tt.b())",
            "2",
        ),
        (
            "tt = {} function tt.b() return 4 / 2 end tt = { b = function() return 2 end } \
             return tostring(tt.b())",
            "2",
        ),
        (
            "t = { u = {} } function t.u.b() return 4 / 2 end t.u = { b = t.u.b } \
             function t.u.c() return 6 / 2 end t = t or {} \
             return tostring(t.u.b()) .. tostring(t.u.c())",
            "23.0",
        ),
        (
            "tt = {} local function f() tt = { b = function() return 2 end } end \
             function tt.b() return 4 / 2 end f() return tostring(tt.b())",
            "2",
        ),
    ] {
        assert_eq!(result(text), expected, "{text}");
    }
}

/// Texts see what libraries and their own file say, whatever else was compiled before.
#[test]
fn texts_do_not_hear_what_others_have() {
    let interpreter = Interpreter::new(Limits::default()).expect("an interpreter");
    interpreter.use_dialect(Dialect::Lua54, "the rules of 0.99").expect("a dialect");
    let run = |text: &str, of: TextOf| {
        let chunk = interpreter.load_of("chunk", text.as_bytes(), of).expect("a chunk");
        let value = chunk.call::<Value>(()).map_err(|error| Failure::new(&error).to_string());
        match value.map(|value| interpreter.lua().coerce_string(value).expect("no error")) {
            Ok(text) => text.map_or("nothing".to_owned(), |text| text.to_string_lossy()),
            Err(message) => message,
        }
    };
    let nobody = "return #zzz + 1 // 2";
    let told = "chunk:1: attempt to get length of global 'zzz' (a nil value)";
    assert_eq!(run(nobody, TextOf::Map(1)), told);
    run("local mt = { __len = print }", TextOf::Map(2));
    assert_eq!(run(nobody, TextOf::Map(1)), told);
    run("long = setmetatable({}, { __len = function() return 7 end })", TextOf::File(1));
    assert_eq!(run(nobody, TextOf::Map(1)), told);
    assert_eq!(run("return #long", TextOf::Map(1)), "7");
    // What a library that is loaded later says is forgotten with all else it did.
    run("lib = {} function lib.half(n) return n / 2 end", TextOf::Library);
    let mut snapshot = interpreter.snapshot().expect("a snapshot");
    run("function lib.half(n) return 1 end", TextOf::Library);
    assert_eq!(run("return 'w:' .. lib.half(4)", TextOf::Map(1)), "w:1");
    snapshot.restore(&interpreter).expect("as before");
    assert_eq!(run("return 'w:' .. lib.half(4)", TextOf::Map(1)), "w:2.0");
    // A table that the file sets anew is another one.
    run("lib = { half = function(n) return n end }", TextOf::File(1));
    assert_eq!(run("return 'w:' .. lib.half(4)", TextOf::Map(1)), "w:4");
}

#[test]
fn texts_with_many_names_are_translated_soon() {
    let names = |count: usize| (0..count).map(|n| format!("q{n} = 1\n")).collect::<String>();
    let dots = ".a".repeat(100_000);
    let begin = std::time::Instant::now();
    let text = format!("x = 1 / 2\n{}return 'w:' .. x", names(45_000));
    assert_eq!(result(&text), "w:0.5");
    let interpreter = Interpreter::new(Limits::default()).expect("an interpreter");
    interpreter.use_dialect(Dialect::Lua54, "the rules of 0.99").expect("a dialect");
    let text = format!("return 1 // 2, a{dots}");
    assert!(interpreter.load("chunk", text.as_bytes()).is_ok());
    assert!(begin.elapsed().as_secs() < 10, "{:?}", begin.elapsed());
}
