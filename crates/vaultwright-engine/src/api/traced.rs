//! Calls of scripts that tell those who watch a build what they draw (goldens/README, steps `lua`
//! and `lua_random`). The functions are wrapped while a build is traced, so that others pay nothing
//! for it.

use std::cell::Cell;
use std::rc::Rc;

use vaultwright_lua::mlua::{self, Function, Lua, MultiValue, UserData, Value, Variadic};

use crate::observe::event::BuildEvent;
use crate::observe::trace::shown_text;
use crate::script::arguments::MapRef;
use crate::state::host::Host;
use crate::state::map_cell::MapCell;
use crate::state::slot::Slot;

/// The random functions, and how their draws are written.
const RANDOM: [(&str, &str); 9] = [
    ("random2", "r"),
    ("random_range", "rr"),
    ("one_chance_in", "o"),
    ("coinflip", "c"),
    ("x_chance_in_y", "x"),
    ("random2avg", "a"),
    ("roll_dice", "d"),
    ("div_rand_round", "q"),
    ("random_real", "f"),
];
/// Functions that have steps of their own, or none in the recorded traces.
const UNTOLD: [&str; 16] = [
    "place_map",
    "resolve_map",
    "reuse_map",
    "map_by_tag",
    "map_in_depth",
    "map_by_place",
    "create_item",
    "create_monster",
    "subvault",
    "find_map",
    "place_maps",
    "ftile",
    "rtile",
    "tile",
    "flood",
    "layout_swamp",
];

/// Has calls tell what they draw, until the function that this gives is called.
pub(crate) fn trace_calls(lua: &Lua, slot: &Rc<Slot<Host>>) -> mlua::Result<Function> {
    // Draws of traced calls inside the one that is under way.
    let inner = Rc::new(Cell::new(0));
    let enter = {
        let (slot, inner) = (Rc::clone(slot), Rc::clone(&inner));
        lua.create_function(move |_, (name, arguments): (String, MultiValue)| {
            Ok(Call {
                name,
                map: arguments.front().and_then(map_of),
                arguments: shown(arguments.iter()),
                before: slot.with(|host| Ok(host.game.level_draws()))?,
                outer: inner.replace(0),
            })
        })?
    };
    let leave = {
        let slot = Rc::clone(slot);
        lua.create_function(move |_, (call, results): (Call, MultiValue)| {
            slot.with(|host| {
                let drawn = host.game.level_draws().saturating_sub(call.before);
                let own = drawn.saturating_sub(inner.get());
                inner.set(call.outer + drawn);
                let map = call.map.as_ref().map(|map| map.def.borrow());
                let grid = map.as_ref().map(|map| &map.grid);
                host.note_call(&call.name, &call.arguments, own, grid);
                Ok(results)
            })
        })?
    };
    let random = {
        let slot = Rc::clone(slot);
        lua.create_function(
            move |_, (sign, drawn, arguments): (String, Value, Variadic<Value>)| {
                let arguments = match arguments.is_empty() {
                    true => String::new(),
                    false => format!("({})", shown(arguments.iter())),
                };
                let drawn = shown_value(&drawn).unwrap_or_default();
                let draw = format!("{sign}{arguments}={drawn}");
                slot.with(|host| {
                    let draws = host.game.level_draws();
                    host.tell(&BuildEvent::ScriptDraw(draw, draws));
                    Ok(())
                })
            },
        )?
    };
    let untold = lua.create_table_from(UNTOLD.map(|name| (name, true)))?;
    let signs = lua.create_table_from(RANDOM)?;
    let wrap = lua.load(include_str!("../../lua/traced.lua")).set_name("=traced.lua");
    wrap.call((enter, leave, random, untold, signs))
}

/// A call that is under way.
#[derive(Clone)]
struct Call {
    name: String,
    /// The map that it was made for.
    map: Option<Rc<MapCell>>,
    arguments: String,
    /// Draws when it began.
    before: u64,
    /// Draws of the traced calls before it in the call around it.
    outer: u64,
}

impl UserData for Call {}

impl mlua::FromLua for Call {
    fn from_lua(value: Value, _: &Lua) -> mlua::Result<Call> {
        match value {
            Value::UserData(data) => data.borrow::<Call>().map(|call| call.clone()),
            _ => Err(mlua::Error::runtime("a traced call expected")),
        }
    }
}

fn map_of(value: &Value) -> Option<Rc<MapCell>> {
    let Value::UserData(data) = value else { return None };
    data.borrow::<MapRef>().ok().map(|map| Rc::clone(&map.0))
}

/// Returns the plain arguments of a call.
fn shown<'a>(arguments: impl Iterator<Item = &'a Value>) -> String {
    let shown: Vec<String> = arguments.filter_map(shown_value).collect();
    shown.join(",")
}

fn shown_value(value: &Value) -> Option<String> {
    match value {
        Value::Boolean(flag) => Some(u8::from(*flag).to_string()),
        Value::Integer(number) => Some(number.to_string()),
        Value::Number(number) => Some(shown_number(*number)),
        Value::String(text) => Some(shown_text(&text.as_bytes())),
        Value::Table(_) => Some("{}".to_owned()),
        _ => None,
    }
}

/// Returns a number with seventeen digits that count, as far as they are not zero.
fn shown_number(number: f64) -> String {
    if number.fract() == 0.0 || !(1e-5..1e15).contains(&number.abs()) {
        return number.to_string();
    }
    let before_point = number.abs().log10().floor() as i32 + 1;
    let shown = format!("{number:.*}", (17 - before_point).max(0) as usize);
    shown.trim_end_matches('0').to_owned()
}
