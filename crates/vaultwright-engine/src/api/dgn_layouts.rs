//! `dgn`: the host layouts (spec 06 §3.5).

use vaultwright_lua::mlua::{self, Error, Value, Variadic};

use super::dgn_level::feature_of;
use super::table::Api;
use crate::builder::layouts::basic::lay_basic;
use crate::builder::layouts::city::{lay_bigger_room, lay_chaotic_city};
use crate::builder::layouts::shoals::lay_shoals;
use crate::builder::layouts::swamp::lay_swamp;
use crate::observe::veto::Veto;
use crate::state::host::{Host, Phase};
use crate::state::site::{Site, on_site};

pub(crate) fn install(api: &Api) -> mlua::Result<()> {
    api.function("layout_basic", |_, host, _: Variadic<Value>| {
        paint(host, |site| {
            lay_basic(site);
            Ok(())
        })
    })?;
    api.function("layout_swamp", |_, host, _: Variadic<Value>| {
        paint(host, |site| {
            lay_swamp(site);
            Ok(())
        })
    })?;
    api.function("layout_shoals", |_, host, _: Variadic<Value>| paint(host, lay_shoals))?;
    api.function("layout_bigger_room", |_, host, _: Variadic<Value>| paint(host, lay_bigger_room))?;
    api.function("layout_chaotic_city", |_, host, arguments: Variadic<Value>| {
        // The first argument is the map.
        let material = arguments.get(1).and_then(|value| feature_of(&host.content, value));
        paint(host, |site| {
            lay_chaotic_city(site, material);
            Ok(())
        })
    })
}

/// Paints the level, if there is one to paint.
fn paint(host: &mut Host, paint: impl FnOnce(&mut Site) -> Result<(), Veto>) -> mlua::Result<()> {
    if host.phase == Phase::Compile {
        return Ok(());
    }
    on_site(host, paint).map_err(|veto| Error::runtime(veto.to_string()))
}
