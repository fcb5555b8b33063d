//! How Lua values become arguments (spec 06 §1.6).

use std::rc::Rc;

use vaultwright_lua::charge;
use vaultwright_lua::lookup::{PlainField, plain_field};
use vaultwright_lua::mlua::{self, Error, FromLua, Lua, LuaString, Table, UserData, Value};
use vaultwright_map::paint::Area;
use vaultwright_map::{ErrorCode, Grid, SpecError};

use crate::state::map_cell::MapCell;

/// A map object.
#[derive(Clone)]
pub(crate) struct MapRef(pub(crate) Rc<MapCell>);

impl UserData for MapRef {}

impl FromLua for MapRef {
    fn from_lua(value: Value, _: &Lua) -> mlua::Result<MapRef> {
        let found = match &value {
            Value::UserData(data) => data.borrow::<MapRef>().ok().map(|map| map.clone()),
            _ => None,
        };
        found.ok_or_else(|| {
            let got = value.type_name();
            Error::runtime(format!("bad argument #1 (dgn.mtmap expected, got {got})"))
        })
    }
}

/// A number or numeric text, truncated toward zero.
#[derive(Clone, Copy)]
pub(crate) struct Int(pub(crate) i32);

impl FromLua for Int {
    fn from_lua(value: Value, _: &Lua) -> mlua::Result<Int> {
        match number(&value) {
            Some(number) => Ok(Int(truncate(number))),
            None => Err(expected("number", &value)),
        }
    }
}

/// A number or numeric text.
#[derive(Clone, Copy)]
pub(crate) struct Num(pub(crate) f64);

impl FromLua for Num {
    fn from_lua(value: Value, _: &Lua) -> mlua::Result<Num> {
        number(&value).map(Num).ok_or_else(|| expected("number", &value))
    }
}

/// A string; numbers convert.
pub(crate) struct Text(pub(crate) Vec<u8>);

impl Text {
    pub(crate) fn str(&self) -> std::borrow::Cow<'_, str> {
        String::from_utf8_lossy(&self.0)
    }
}

/// How long a text may be to cost no more than the call does.
pub(crate) const LONG_TEXT: usize = 64;

impl FromLua for Text {
    fn from_lua(value: Value, lua: &Lua) -> mlua::Result<Text> {
        let bytes = text(&value, lua).ok_or_else(|| expected("string", &value))?;
        if value.is_string() && bytes.len() > LONG_TEXT {
            // Whatever is done with it, and wherever it is kept.
            charge(lua, bytes.len() as u64)?;
        }
        Ok(Text(bytes))
    }
}

pub(crate) fn text(value: &Value, lua: &Lua) -> Option<Vec<u8>> {
    match value {
        Value::String(text) => Some(text.as_bytes().to_vec()),
        Value::Integer(_) | Value::Number(_) => {
            let text = lua.coerce_string(value.clone()).ok()??;
            Some(text.as_bytes().to_vec())
        }
        _ => None,
    }
}

pub(crate) fn number(value: &Value) -> Option<f64> {
    match value {
        Value::Integer(number) => Some(*number as f64),
        Value::Number(number) => Some(*number),
        Value::String(text) => text_number(&text.to_str().ok()?),
        _ => None,
    }
}

/// Returns the number that a text is for Lua: also hexadecimal behind `0x`, with a fraction and a
/// power of two, up to its first zero byte.
fn text_number(text: &str) -> Option<f64> {
    let text = text.split('\0').next().unwrap_or_default();
    let text = text.trim_matches([' ', '\t', '\n', '\x0b', '\x0c', '\r']);
    let (sign, digits) = match text.strip_prefix('-') {
        Some(digits) => (-1.0, digits),
        None => (1.0, text.strip_prefix('+').unwrap_or(text)),
    };
    match digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        Some(digits) => Some(sign * hexadecimal(digits)?),
        None => text.parse().ok(),
    }
}

/// Returns the number that digits to the base of 16 are: `1.8p3` is twelve.
fn hexadecimal(digits: &str) -> Option<f64> {
    let (digits, power) = match digits.split_once(['p', 'P']) {
        Some((digits, power)) => (digits, power.parse::<i64>().ok()?),
        None => (digits, 0),
    };
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    if whole.is_empty() && fraction.is_empty() {
        return None;
    }
    let digit = |digit: char| digit.to_digit(16).map(f64::from);
    let whole = whole.chars().try_fold(0.0, |number, next| Some(number * 16.0 + digit(next)?))?;
    let mut behind = fraction.chars().rev();
    let fraction = behind.try_fold(0.0, |number, next| Some((number + digit(next)?) / 16.0))?;
    Some((whole + fraction) * (power as f64).exp2())
}

const TWO_TO_63: f64 = 9_223_372_036_854_775_808.0;

pub(crate) fn truncate(number: f64) -> i32 {
    // By way of 64 bits, of which the lower half stays; what they cannot hold is 0.
    if (-TWO_TO_63..TWO_TO_63).contains(&number) { number as i64 as i32 } else { 0 }
}

pub(crate) fn is_true(value: &Value) -> bool {
    !matches!(value, Value::Nil | Value::Boolean(false))
}

fn expected(what: &str, value: &Value) -> Error {
    Error::runtime(format!("bad argument ({what} expected, got {})", value.type_name()))
}

/// Returns an error that scripts see as a message and the engine with its code.
pub(crate) fn spec_error(error: SpecError) -> Error {
    Error::external(error)
}

pub(crate) fn bad_argument(message: impl Into<String>) -> Error {
    spec_error(SpecError::whole(ErrorCode::BadArgument, message))
}

/// More than any level needs, and few enough to end soon.
const MAX_REPETITIONS: i32 = 1_000_000;

/// Refuses numbers of repetitions that would take for ever.
pub(crate) fn repetitions(what: &str, count: i32) -> mlua::Result<i32> {
    if count > MAX_REPETITIONS {
        return Err(bad_argument(format!("{what} of {count} is more than {MAX_REPETITIONS}")));
    }
    Ok(count)
}

/// The table of named values that painters take: the last argument, if it is a table.
pub(crate) struct Options(Option<Table>);

impl From<Table> for Options {
    fn from(table: Table) -> Options {
        Options(Some(table))
    }
}

impl Options {
    pub(crate) fn of(last: Option<&Value>) -> Options {
        Options(last.and_then(|value| value.as_table().cloned()))
    }

    pub(crate) fn get(&self, key: &str) -> mlua::Result<Value> {
        match &self.0 {
            Some(table) if plain_field(table, key) != Some(PlainField::Nil) => table.get(key),
            _ => Ok(Value::Nil),
        }
    }

    pub(crate) fn int(&self, key: &str) -> mlua::Result<Option<i32>> {
        // Most are plain numbers in plain tables, or not there.
        match self.0.as_ref().map_or(Some(PlainField::Nil), |table| plain_field(table, key)) {
            Some(PlainField::Nil) => return Ok(None),
            Some(PlainField::Number(number)) => return Ok(Some(truncate(number))),
            None => {}
        }
        match self.get(key)? {
            Value::Nil => Ok(None),
            value => match number(&value) {
                Some(number) => Ok(Some(truncate(number))),
                None => Err(bad_argument(format!("'{key}' in table, but not an int."))),
            },
        }
    }

    pub(crate) fn int_or(&self, key: &str, default: i32) -> mlua::Result<i32> {
        Ok(self.int(key)?.unwrap_or(default))
    }

    pub(crate) fn bool_or(&self, key: &str, default: bool) -> mlua::Result<bool> {
        match self.get(key)? {
            Value::Nil => Ok(default),
            Value::Boolean(value) => Ok(value),
            _ => Err(bad_argument(format!("'{key}' in table, but not a bool."))),
        }
    }

    pub(crate) fn string(&self, key: &str, lua: &Lua) -> mlua::Result<Option<Vec<u8>>> {
        match self.get(key)? {
            Value::Nil => Ok(None),
            value => match text(&value, lua) {
                Some(text) => Ok(Some(text)),
                None => Err(bad_argument(format!("'{key}' in table, but not a string."))),
            },
        }
    }

    pub(crate) fn string_or(&self, key: &str, default: &[u8], lua: &Lua) -> mlua::Result<Vec<u8>> {
        Ok(self.string(key, lua)?.unwrap_or_else(|| default.to_vec()))
    }

    pub(crate) fn glyph(&self, key: &str, lua: &Lua) -> mlua::Result<Option<u8>> {
        match self.string(key, lua)?.as_deref() {
            None => Ok(None),
            Some(&[glyph]) => Ok(Some(glyph)),
            Some(_) => Err(bad_argument(format!("'{key}' has more than one character."))),
        }
    }

    pub(crate) fn glyph_or(&self, key: &str, default: u8, lua: &Lua) -> mlua::Result<u8> {
        Ok(self.glyph(key, lua)?.unwrap_or(default))
    }

    /// Returns the area of `x1`, `y1`, `x2`, `y2`, the whole grid by default.
    pub(crate) fn area(&self, grid: &Grid) -> mlua::Result<Area> {
        let whole = Area::of(grid);
        let area = Area::new(
            self.int_or("x1", whole.x1)?,
            self.int_or("y1", whole.y1)?,
            self.int_or("x2", whole.x2)?,
            self.int_or("y2", whole.y2)?,
        );
        Ok(if grid.width() == 0 || grid.height() == 0 { whole } else { area })
    }

    /// Returns a number of repetitions; one that would take for ever is refused.
    pub(crate) fn repetitions(&self, key: &str, default: i32) -> mlua::Result<i32> {
        repetitions(key, self.int_or(key, default)?)
    }
}

/// Returns a Lua string of bytes.
pub(crate) fn lua_string(lua: &Lua, bytes: impl AsRef<[u8]>) -> mlua::Result<LuaString> {
    lua.create_string(bytes)
}
