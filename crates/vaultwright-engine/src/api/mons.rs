//! `mons`: behaviours of monsters (spec 06 §8.1).

use vaultwright_lua::mlua::{self, Value};

use super::table::Api;

const BEHAVIOURS: [&str; 10] = [
    "sleep", "wander", "seek", "flee", "cornered", "panic", "lurk", "retreat", "withdraw", "batty",
];

pub(crate) fn install(api: &Api) -> mlua::Result<()> {
    api.function("behaviour", |_, _, value: Value| {
        Ok(match &value {
            Value::String(name) => {
                let name = name.to_string_lossy();
                let index = BEHAVIOURS.iter().position(|known| *known == name);
                index.map_or(Value::Nil, |index| Value::Integer(index as _))
            }
            number => number.clone(),
        })
    })
}
