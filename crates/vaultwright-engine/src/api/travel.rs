//! `travel`: what a player's travel commands ask and keep (spec 06 §10.3); nothing is kept here.

use vaultwright_lua::mlua::{self, Error, MultiValue};
use vaultwright_map::LevelPlace;

use super::table::Api;
use crate::script::arguments::{Int, Text};

pub(crate) fn install(api: &Api) -> mlua::Result<()> {
    api.function("feature_traversable", |_, host, name: Text| {
        let features = host.content.features();
        let id = features.by_name(&name.str());
        Ok(id.is_some_and(|id| features.get(id).flags.traversable()))
    })?;
    api.function("feature_solid", |_, host, name: Text| {
        let features = host.content.features();
        Ok(features.by_name(&name.str()).is_none_or(|id| features.get(id).flags.solid()))
    })?;
    api.function("find_deepest_explored", |_, host, (name, _rest): (Text, MultiValue)| {
        let branches = host.content.branches();
        match branches.by_name(&name.str()) {
            // A game begins on the first level of its first branch.
            Some(branch) => Ok(i32::from(branch.id == LevelPlace::START.branch)),
            None => Err(Error::runtime(format!("Bad branch name: '{}'", name.str()))),
        }
    })?;
    api.function("is_excluded", |_, _, _: (Int, Int, MultiValue)| Ok(false))?;
    for name in ["del_exclude", "set_exclude", "set_travel_trail"] {
        api.function(name, |_, _, _: (Int, Int, MultiValue)| Ok(()))?;
    }
    for name in ["set_waypoint", "waypoint_delta"] {
        api.function(name, |_, _, _: (Int, MultiValue)| Ok(()))?;
    }
    api.function("clear_travel_trail", |_, _, _: MultiValue| Ok(()))
}
