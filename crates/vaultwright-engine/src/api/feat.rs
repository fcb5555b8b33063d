//! `feat`: what holds of a feature (spec 06 §9).

use vaultwright_content::{Content, FeatureFlags, FeatureId};
use vaultwright_lua::mlua::{self, Error, Value, Variadic};
use vaultwright_lua::quick::Answer;
use vaultwright_map::Point;

use super::dgn_level::feature_of;
use super::table::Api;
use crate::script::arguments::{bad_argument, number, truncate};
use crate::state::host::Host;

type Predicate = fn(FeatureFlags) -> bool;

const PREDICATES: [(&str, Predicate); 21] = [
    ("is_wall", FeatureFlags::wall),
    ("is_solid", FeatureFlags::solid),
    ("has_solid_floor", FeatureFlags::solid_floor),
    ("is_opaque", FeatureFlags::opaque),
    ("is_door", FeatureFlags::door),
    ("is_closed_door", FeatureFlags::closed_door),
    ("is_statue_or_idol", FeatureFlags::statue),
    ("is_permarock", FeatureFlags::permarock),
    ("is_escape_hatch", FeatureFlags::hatch),
    ("is_travelable_stair", FeatureFlags::travelable_stair),
    ("is_staircase", FeatureFlags::staircase),
    ("is_gate", FeatureFlags::gate),
    ("is_stair", FeatureFlags::stair),
    ("is_portal", FeatureFlags::portal),
    ("is_trap", FeatureFlags::trap),
    ("is_water", FeatureFlags::water),
    ("is_lava", FeatureFlags::lava),
    ("is_altar", FeatureFlags::altar),
    ("is_branch_entrance", FeatureFlags::branch_entrance),
    ("is_critical", FeatureFlags::critical),
    ("is_stone_stair", |flags| flags.stone_stair_up() || flags.stone_stair_down()),
];

pub(crate) fn install(api: &Api) -> mlua::Result<()> {
    for (name, predicate) in PREDICATES {
        add(api, name, move |content, id| predicate(content.features().get(id).flags))?;
    }
    // The one fountain that is shallow water for that.
    add(api, "is_watery", |content, id| {
        let feature = content.features().get(id);
        feature.flags.water() || feature.name == "fountain_blue"
    })?;
    // Nobody plays.
    add(api, "is_player_altar", |_, _| false)
}

fn add(
    api: &Api,
    name: &'static str,
    holds: impl Fn(&Content, FeatureId) -> bool + Copy + 'static,
) -> mlua::Result<()> {
    // Unknown features count as unseen, which is solid and opaque.
    let holds = move |content: &Content, feature: Option<FeatureId>| {
        let feature = feature.or_else(|| content.features().by_number(0));
        feature.is_some_and(|id| holds(content, id))
    };
    let of_number = move |host: &mut Host, numbers: &[f64]| {
        let &[number] = numbers else { return None };
        let feature = feature_of(&host.content, &Value::Number(number));
        Some(Answer::Truth(holds(&host.content, feature)))
    };
    let functions = api.table.clone();
    api.quick_function(name, of_number, move |_, host, args: Variadic<Value>| {
        let feature = match &args[..] {
            [x, y] => {
                let (Some(x), Some(y)) = (number(x), number(y)) else {
                    return Err(bad_argument("number expected"));
                };
                let p = Point::new(truncate(x), truncate(y));
                if !host.in_bounds(p) {
                    let message = format!("Point ({},{}) is out of bounds", p.x, p.y);
                    return Err(Error::runtime(message));
                }
                host.level.feature(p)
            }
            [value @ (Value::String(_) | Value::Integer(_) | Value::Number(_)), ..] => {
                feature_of(&host.content, value)
            }
            // Any other list of arguments gives its last one back, and none the function itself.
            [] => return functions.raw_get(name),
            other => return Ok(other.last().cloned().unwrap_or(Value::Nil)),
        };
        Ok(Value::Boolean(holds(&host.content, feature)))
    })
}
