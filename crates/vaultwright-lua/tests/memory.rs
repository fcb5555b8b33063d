//! Scripts that want more memory than there is.

use vaultwright_lua::mlua::{self, Table};
use vaultwright_lua::{Failure, FailureKind, Interpreter, Limits};

const MAX_MEMORY: usize = 16 << 20;

fn interpreter() -> Interpreter {
    let limits = Limits { memory: MAX_MEMORY, instructions: 20_000_000, ..Limits::default() };
    Interpreter::new(limits).expect("an interpreter")
}

/// Runs a script with its full budget; the kind of its failure, if it fails.
fn run(interpreter: &Interpreter, script: &str) -> Option<FailureKind> {
    interpreter.refill();
    let chunk = interpreter.load("=script", script.as_bytes()).expect("a chunk");
    let error = chunk.call::<()>(()).err()?;
    Some(Failure::of_chunk(&error, &interpreter.budget()).kind)
}

fn is_ended(script: &str) {
    let interpreter = interpreter();
    assert_eq!(run(&interpreter, script), Some(FailureKind::Memory), "{script}");
    // What it held is garbage now, and the next script has all of it.
    assert_eq!(run(&interpreter, "local t = {} for i = 1, 100000 do t[i] = i end"), None);
    let held = interpreter.lua().used_memory();
    assert!(held < 3 * MAX_MEMORY, "{held} bytes after {script}");
}

#[test]
fn tables_that_grow_are_ended() {
    is_ended("local t = {} for i = 1, 1e7 do t[i] = { i } end");
    is_ended("local t = {} for i = 1, 1e7 do t['key ' .. i] = true end");
}

#[test]
fn texts_that_grow_are_ended() {
    // Nearly all of it, and then more than is left: what follows finds all of that as garbage.
    is_ended("local t = {} for i = 1, 15 do t[i] = ('x'):rep(1e6) .. i end t[16] = t[1] .. t[2]");
    is_ended("local s = 'x' while true do s = s .. s end");
    is_ended("local s = ('x'):rep(5e6) s = s .. s .. s .. s .. s .. s .. s .. s");
    is_ended("local s = ('x'):rep(1e6) local t = {} for i = 1, 1000 do t[i] = s .. i end");
    is_ended("local s = ('x'):rep(2e7)");
    is_ended("local s = ('x'):rep(8e6) local t = table.concat { s, s, s, s, s }");
    is_ended("local s = ('x'):rep(4e6) local t = s:gsub('x', 'yyyyyyyyyyyyyyyyyyyy')");
}

#[test]
fn coroutines_are_ended_as_others() {
    is_ended(
        "local s = ('x'):rep(1e6) local kept = {}
         local function fill() for i = 1, 1000 do kept[#kept + 1] = s .. i end end
         local one, two = coroutine.wrap(fill), coroutine.wrap(fill) one() two()",
    );
    is_ended(
        "local s, kept = ('x'):rep(1e6), {}
         local function fill() for i = 1, 100 do kept[#kept + 1] = s .. i coroutine.yield() end end
         local one, two = coroutine.wrap(fill), coroutine.wrap(fill)
         for i = 1, 100 do one() two() end",
    );
    is_ended("local t = {} while true do t[#t + 1] = coroutine.create(function() end) end");
}

#[test]
fn nothing_catches_it() {
    is_ended("while true do pcall(function() local t = {} while true do t = { t } end end) end");
    is_ended(
        "local s = 'x' while true do
           pcall(function() while true do s = s .. s end end)
         end",
    );
}

#[test]
fn garbage_is_no_memory_in_use() {
    let interpreter = interpreter();
    let script = "for i = 1, 200 do local s = ('x'):rep(1e6) .. i end";
    assert_eq!(run(&interpreter, script), None);
    let script = "for i = 1, 20 do local t = {} for j = 1, 1e5 do t[j] = { } end end";
    assert_eq!(run(&interpreter, script), None);
}

#[test]
fn what_functions_of_the_host_make_counts() {
    let interpreter = interpreter();
    let twice = interpreter.lua().create_function(|_, text: String| Ok(text.repeat(2)));
    interpreter.lua().globals().raw_set("twice", twice.expect("a function")).expect("a global");
    let script = "local s = ('x'):rep(1e6) while true do s = twice(s) end";
    assert_eq!(run(&interpreter, script), Some(FailureKind::Memory));
    let script = "local s, t = ('x'):rep(1e6), {} while true do t[#t + 1] = twice(s .. #t) end";
    assert_eq!(run(&interpreter, script), Some(FailureKind::Memory));
    assert_eq!(run(&interpreter, "assert(#twice('abc') == 6)"), None);
}

#[test]
fn a_state_outlives_its_interpreter() -> mlua::Result<()> {
    let interpreter = interpreter();
    let lua = interpreter.lua().clone();
    let table: Table = lua.load("return { ('x'):rep(1000) }").eval()?;
    drop(interpreter);
    table.raw_set(2, lua.create_table()?)?;
    assert_eq!(table.raw_len(), 2);
    Ok(())
}
