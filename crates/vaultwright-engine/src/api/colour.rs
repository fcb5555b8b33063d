//! `colour`: redefining an elemental colour (spec 06 §10.4).

use vaultwright_lua::mlua::{self, Function};
use vaultwright_map::{ErrorCode, SpecError};

use super::table::Api;
use crate::script::arguments::{Text, spec_error};

pub(crate) fn install(api: &Api) -> mlua::Result<()> {
    api.function("add_colour", |_, host, (name, _generator): (Text, Function)| {
        // Colours are evaluated when they are shown; the generator is only checked to exist.
        let (name, content) = (name.str(), &host.content);
        if content.names().colours.contains(&name) {
            return Ok(());
        }
        if !content.rules.new_colours {
            let message = format!("Unknown colour: {name}");
            return Err(spec_error(SpecError::whole(ErrorCode::NewColour, message)));
        }
        host.own_colours.insert(name.into_owned());
        Ok(())
    })
}
