//! Scripts in Lua 5.4, run by 5.1.
//!
//! The interpreter is Lua 5.1, for which most of what it must be compatible with was made. A 5.4
//! text is translated in place, line by line, so that errors keep their lines. Features that 5.1
//! cannot provide cause an error that says so. Differences that are not visible in the text are
//! listed in ARCHITECTURE.md.

mod edits;
mod expression;
mod floats;
mod globals;
mod jumps;
mod known;
mod parser;
mod results;
mod scan;
mod statements;
mod telling;
#[cfg(test)]
mod tests;

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use memchr::memmem;
use mlua::chunk::ChunkMode;
use mlua::{Error, Function, Lua, Table, Value};

use crate::interpreter::look_at_source;
use crate::library::{install_54, iteration_54};
use crate::{Failure, Interpreter};
use expression::PREFIX;
use known::{Facts, Heard, Known};
use parser::{Translation, translate};
use scan::Wrong;
use telling::may_be_new;

/// The Lua version of scripts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// The version of the interpreter itself.
    Lua51,
    /// Translated for the interpreter.
    Lua54,
}

/// What an interpreter stores about its dialect.
struct DialectInUse {
    dialect: Dialect,
    /// What requires it, as text: `the rules of 0.28`.
    wanted_by: String,
    /// The functions that translated texts call.
    helpers: HashMap<&'static str, Function>,
    /// What texts reveal about global names, for later texts.
    known: RefCell<Known>,
}

/// The origin of a text, which decides what other texts learn about global names from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextOf {
    /// A library: all texts.
    Library,
    /// The Lua outside the maps of a file: those maps.
    File(usize),
    /// A map of a file: no other text.
    Map(usize),
    /// A text that both versions read in the same way: it is not translated.
    EitherLua,
    /// Anything else.
    Nothing,
}

/// The source of the functions that translated texts call. Scripts cannot see it.
pub(crate) const RUNTIME: &str = "runtime.lua";

const HELPERS: &[&str] = &[
    "idiv",
    "remainder",
    "band",
    "bor",
    "bxor",
    "bnot",
    "shl",
    "shr",
    "text",
    "text_if",
    "extreme",
    "len",
    "environment",
    "step",
];

/// Names that only the other version has: table or none, name.
const ONLY_51: &[(Option<&str>, &str)] = &[
    (None, "unpack"),
    (None, "setfenv"),
    (None, "getfenv"),
    (Some("table"), "getn"),
    (Some("table"), "setn"),
    (Some("table"), "maxn"),
    (Some("table"), "foreach"),
    (Some("table"), "foreachi"),
    (Some("math"), "mod"),
    (Some("math"), "pow"),
    (Some("math"), "atan2"),
    (Some("string"), "gfind"),
];
const ONLY_54: &[(Option<&str>, &str)] = &[(None, "rawlen"), (Some("table"), "unpack")];

impl Interpreter {
    /// Sets the dialect of all texts loaded from now on. `wanted_by` is used in errors about text
    /// in the other dialect.
    pub fn use_dialect(&self, dialect: Dialect, wanted_by: &str) -> Result<(), Failure> {
        let lua = self.lua();
        let helpers = match dialect {
            Dialect::Lua51 => HashMap::new(),
            Dialect::Lua54 => install_runtime(lua).map_err(|error| Failure::new(&error))?,
        };
        lua.set_app_data(DialectInUse {
            dialect,
            wanted_by: wanted_by.to_owned(),
            helpers,
            known: RefCell::default(),
        });
        Ok(())
    }

    /// Removes what only the other version has, since the reference does not have it either.
    pub fn remove_names_of_other_version(&self) -> mlua::Result<()> {
        let lua = self.lua();
        let in_use = lua.app_data_ref::<DialectInUse>().map(|in_use| in_use.dialect);
        let names = match in_use {
            None => return Ok(()),
            Some(Dialect::Lua51) => ONLY_54,
            Some(Dialect::Lua54) => ONLY_51,
        };
        for (table, name) in names {
            let table = match table {
                None => lua.globals(),
                Some(table) => lua.globals().raw_get::<Table>(*table)?,
            };
            table.raw_set(*name, Value::Nil)?;
        }
        Ok(())
    }
}

/// Compiles a text in the dialect of the interpreter. Bytecode is rejected.
pub fn compile(lua: &Lua, name: &str, text: &[u8]) -> mlua::Result<Function> {
    compile_of(lua, name, text, TextOf::Nothing)
}

/// Like [`compile`]; the origin of the text decides which global names are known.
pub fn compile_of(lua: &Lua, name: &str, text: &[u8], of: TextOf) -> mlua::Result<Function> {
    look_at_source(lua, name, text)?;
    let plain = || lua.load(text).set_name(shown_name(name)).set_mode(ChunkMode::Text);
    if of == TextOf::EitherLua {
        return plain().into_function();
    }
    let Some(in_use) = lua.app_data_ref::<DialectInUse>() else { return plain().into_function() };
    let is_new = || may_be_new(text) || in_use.known.borrow().concerns(text, of);
    if in_use.dialect == Dialect::Lua54 && is_new() {
        return match translated(&in_use, text, of) {
            Ok(Some(translation)) => load_translation(lua, &in_use, name, &translation),
            Ok(None) => plain().into_function(),
            Err(wrong) => Err(syntax_error(name, &wrong)),
        };
    }
    let error = match plain().into_function() {
        Err(error @ Error::SyntaxError { .. }) => error,
        other => return other,
    };
    // Rarer forms are only searched for if 5.1 rejects the text.
    match (in_use.dialect, translated(&in_use, text, of)) {
        (Dialect::Lua54, Ok(Some(translation))) => {
            load_translation(lua, &in_use, name, &translation)
        }
        (Dialect::Lua54, Err(wrong)) => Err(syntax_error(name, &wrong)),
        (Dialect::Lua51, Ok(Some(_))) => Err(in_other_dialect(error, &in_use.wanted_by)),
        _ => Err(error),
    }
}

/// What libraries have said of global names at some time.
pub(crate) struct SaidByLibraries(Rc<Heard>);

impl SaidByLibraries {
    /// Returns what has been said so far.
    pub(crate) fn of(lua: &Lua) -> Option<SaidByLibraries> {
        let in_use = lua.app_data_ref::<DialectInUse>()?;
        Some(SaidByLibraries(in_use.known.borrow().of_libraries()))
    }

    /// Forgets what has been said since then.
    pub(crate) fn put_back(&self, lua: &Lua) {
        if let Some(in_use) = lua.app_data_ref::<DialectInUse>() {
            in_use.known.borrow_mut().return_to(&self.0);
        }
    }
}

/// Returns the form of a name that makes the interpreter show it unchanged.
fn shown_name(name: &str) -> String {
    ["=", name].concat()
}

fn translated(
    in_use: &DialectInUse,
    text: &[u8],
    of: TextOf,
) -> Result<Option<Translation>, Wrong> {
    // If any text mentions `__len` that this one can see, `#` must check for it.
    let has_length = memmem::find(text, b"__len").is_some();
    let length_by_metatable = has_length || in_use.known.borrow().has_length(of);
    let mut said = Facts::default();
    let known = |name: &[u8]| in_use.known.borrow().is_float(name, of);
    let translation = translate(text, length_by_metatable, &known, &mut said)?;
    in_use.known.borrow_mut().note(said, has_length, of);
    Ok(translation)
}

/// The helpers are upvalues of the chunk, so that it can have any environment.
fn load_translation(
    lua: &Lua,
    in_use: &DialectInUse,
    name: &str,
    translation: &Translation,
) -> mlua::Result<Function> {
    let load = |text: &[u8]| {
        lua.load(text).set_name(shown_name(name)).set_mode(ChunkMode::Text).into_function()
    };
    if translation.helpers.is_empty() {
        return load(&translation.text);
    }
    let names: Vec<String> =
        translation.helpers.iter().map(|helper| format!("{PREFIX}{helper}")).collect();
    let opening = format!("local {} = ... return function(...) ", names.join(", "));
    let outer = load(&[opening.as_bytes(), &translation.text, b"\nend"].concat())?;
    let helpers = translation.helpers.iter().map(|helper| in_use.helpers.get(helper).cloned());
    let helpers: mlua::Variadic<Option<Function>> = helpers.collect();
    outer.call(helpers)
}

fn syntax_error(name: &str, wrong: &Wrong) -> Error {
    let message = format!("{name}:{}: {}", wrong.line, wrong.message);
    Error::SyntaxError { message, incomplete_input: false }
}

fn in_other_dialect(error: Error, wanted_by: &str) -> Error {
    match error {
        Error::SyntaxError { message, incomplete_input } => Error::SyntaxError {
            message: format!("{message}: this is Lua 5.4, and {wanted_by} want Lua 5.1"),
            incomplete_input,
        },
        other => other,
    }
}

fn install_runtime(lua: &Lua) -> mlua::Result<HashMap<&'static str, Function>> {
    let raw = lua.create_table()?;
    let operator = |name: &str, calculate: fn(i64, i64) -> i64| {
        let function = lua.create_function(move |_, (a, b): (f64, f64)| {
            Ok(whole(a).zip(whole(b)).map(|(a, b)| calculate(a, b) as f64))
        })?;
        raw.raw_set(name, function)
    };
    install_54(lua)?;
    operator("band", |a, b| a & b)?;
    operator("bor", |a, b| a | b)?;
    operator("bxor", |a, b| a ^ b)?;
    operator("shl", shift_left)?;
    operator("shr", |a, b| shift_left(a, b.saturating_neg()))?;
    raw.raw_set(
        "iterate",
        lua.create_function(|lua, step: Function| iteration_54::install(lua, &step))?,
    )?;
    raw.raw_set("main", lua.current_thread())?;
    raw.raw_set("log2", lua.create_function(|_, number: f64| Ok(number.log2()))?)?;
    let runtime = lua.load(include_str!("runtime.lua")).set_name(format!("={RUNTIME}"));
    let table: Table = runtime.call(raw)?;
    HELPERS.iter().map(|name| Ok((*name, table.raw_get(*name)?))).collect()
}

/// Converts a float to a 64-bit integer.
fn whole(value: f64) -> Option<i64> {
    let fits = value.fract() == 0.0 && (-9.3e18..9.3e18).contains(&value);
    fits.then_some(value as i64)
}

/// The shift is unsigned; a negative distance shifts right.
fn shift_left(value: i64, distance: i64) -> i64 {
    let bits = value as u64;
    let moved = match distance {
        0..64 => bits << distance,
        -63..0 => bits >> -distance,
        _ => 0,
    };
    moved as i64
}
