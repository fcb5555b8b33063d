//! `dgn`: markers of a map that is being drawn (spec 07 §4).

use vaultwright_lua::mlua::{self, Value, Variadic};
use vaultwright_syntax::Header;

use super::table::Api;
use crate::resolve::declare::statement;
use crate::resolve::markers::{Maker, add_markers};
use crate::script::arguments::{MapRef, bad_argument, text};

pub(crate) fn install(api: &Api) -> mlua::Result<()> {
    api.function("marker", |lua, host, (map, args): (MapRef, Variadic<Value>)| {
        match args.first() {
            Some(Value::Nil) => map.0.def.borrow_mut().markers.clear(),
            Some(value) => {
                if let Some(spec) = text(value, lua) {
                    statement(lua, host, &map.0, Header::Marker, &spec)?;
                }
            }
            None => {}
        }
        Ok(())
    })?;
    api.function("lua_marker", |lua, host, (map, args): (MapRef, Variadic<Value>)| {
        let wrong = || bad_argument("Expected marker key and marker function/table.");
        let [key, value] = &args[..] else { return Err(wrong()) };
        let key = text(key, lua).ok_or_else(wrong)?;
        let maker = match value {
            Value::Function(function) => Maker::Function(function),
            Value::Table(_) => Maker::Table(value),
            _ => return Err(wrong()),
        };
        add_markers(lua, host, &map.0, &key, &maker)
    })
}
