//! `debug`: the host's table of that name; Lua's own debug library is not available.

use vaultwright_lua::mlua;

use super::table::Api;
use crate::script::arguments::Text;

pub(crate) fn install(api: &Api) -> mlua::Result<()> {
    api.function("traceback", |lua, _, message: Option<Text>| {
        let message = message.map(|message| message.str().into_owned());
        lua.traceback(message.as_deref(), 1)
    })
}
