//! `items`: which items this game has (spec 06 §7.1).

use vaultwright_lua::mlua;

use super::Api;
use super::arguments::{Text, bad_argument};
use crate::host::Phase;

pub(super) fn install(api: &Api) -> mlua::Result<()> {
    api.function("pickable", |_, host, spec: Text| {
        let slot = host
            .with_context(|ctx| vaultwright_map::parse_item_slot(&spec.str(), false, ctx))
            .map_err(|_| bad_argument(format!("Invalid item spec '{}'.", spec.str())))?;
        let name = slot.alternatives.first().map(|alternative| alternative.text.to_lowercase());
        let sets = &host.content.items().sets;
        // Before a game every member is available; then only the first of each set.
        Ok(host.phase.get() == Phase::Compile
            || !sets
                .iter()
                .any(|set| set.members.iter().skip(1).any(|member| Some(member) == name.as_ref())))
    })
}
