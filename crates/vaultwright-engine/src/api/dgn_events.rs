//! `dgn`: event types and other constants of play (spec 06 §3.12).

use vaultwright_lua::mlua::{self, MultiValue, Value, Variadic};

use super::Api;
use super::arguments::number;

/// Names, masks, whether global and whether at a position.
const EVENTS: [(&str, i64, bool, bool); 18] = [
    ("none", 0, false, false),
    ("turn", 1, true, false),
    ("mons_move", 2, false, true),
    ("player_move", 4, false, true),
    ("leave_level", 8, true, false),
    ("entering_level", 16, true, false),
    ("entered_level", 32, true, false),
    ("player_los", 64, false, true),
    ("player_climb", 128, false, false),
    ("monster_dies", 256, true, false),
    ("item_pickup", 512, false, true),
    ("item_moved", 1024, false, true),
    ("feat_change", 2048, false, true),
    ("unused", 4096, false, false),
    ("door_opened", 8192, false, true),
    ("door_closed", 16384, false, true),
    ("hp_warning", 32768, true, false),
    ("pressure_plate", 65536, false, true),
];

pub(super) fn install(api: &Api) -> mlua::Result<()> {
    api.function("dgn_event_type", |_, _, names: Variadic<Value>| {
        let words = names.iter().filter(|value| !matches!(value, Value::UserData(_)));
        Ok(words.map(|value| find(value).map_or(0, |event| event.1)).collect::<Variadic<i64>>())
    })?;
    api.function("dgn_event_is_global", |_, _, event: Value| {
        Ok(find(&event).is_some_and(|event| event.2))
    })?;
    api.function("dgn_event_is_position", |_, _, event: Value| {
        Ok(find(&event).is_some_and(|event| event.3))
    })?;
    api.function("max_monsters", |_, _, ()| Ok(700))?;
    api.function("cloud_at", |_, _, _: MultiValue| Ok("none"))
}

fn find(value: &Value) -> Option<&'static (&'static str, i64, bool, bool)> {
    match value {
        Value::String(name) => {
            let name = name.to_string_lossy();
            EVENTS.iter().find(|event| event.0 == name)
        }
        value => {
            let mask = number(value)? as i64;
            EVENTS.iter().find(|event| event.1 == mask)
        }
    }
}
