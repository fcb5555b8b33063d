//! `mons`: behaviours of monsters (spec 06 §8.1).

use vaultwright_lua::mlua::{self, Value, Variadic};

use super::table::Api;
use crate::script::arguments::number;

const BEHAVIOURS: [&str; 10] = [
    "sleep", "wander", "seek", "flee", "cornered", "panic", "lurk", "retreat", "withdraw", "batty",
];

pub(crate) fn install(api: &Api) -> mlua::Result<()> {
    // A number comes back as it is, and for what is unknown nothing.
    api.function("behaviour", |_, _, value: Value| {
        let answer = match &value {
            value if number(value).is_some() => Some(value.clone()),
            Value::String(name) => {
                let name = name.to_string_lossy();
                let index = BEHAVIOURS.iter().position(|known| *known == name);
                index.map(|index| Value::Integer(index as _))
            }
            _ => None,
        };
        Ok(answer.into_iter().collect::<Variadic<Value>>())
    })
}
