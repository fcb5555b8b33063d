//! Functions that only the documents of the language know, for the rules that read them.

use vaultwright_lua::mlua::{self, Error, MultiValue};

use super::table::Api;
use crate::script::arguments::{Num, truncate};

/// Installs `env.spawn_random_rate`, and functions of `dgn` that once took declarations back.
pub(crate) fn install(dgn: &Api, env: &Api) -> mlua::Result<()> {
    env.function("spawn_random_rate", |_, host, rate: Num| {
        let rate = truncate(rate.0);
        match &host.roll.current {
            Some(current) => current.map.def.borrow_mut().spawn_rate = Some(rate),
            None => host.level.spawn_rate = rate,
        }
        Ok(rate)
    })?;
    for (name, header) in [("shuffle_remove", "SHUFFLE"), ("subst_remove", "SUBST")] {
        dgn.function(name, move |_, _, _: MultiValue| -> mlua::Result<()> {
            let message = format!("{name}: a {header} is done where it stands, and stays done");
            Err(Error::runtime(message))
        })?;
    }
    Ok(())
}
