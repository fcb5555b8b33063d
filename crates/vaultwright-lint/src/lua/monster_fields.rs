//! Fields that monsters do not have (VW361): reading one gives nil, and calling it is an error.

use super::kinds::given_by;
use super::tree::{Call, ExprKind};
use super::walk::Parts;
use super::{Finding, Look};
use crate::codes;
use crate::near::{Advice, nearest};

/// The functions that give a monster or nil.
const GIVERS: [&str; 2] = ["dgn.mons_at", "dgn.create_monster"];

/// What a monster has, in any version.
const FIELDS: [&str; 41] = [
    "add_ench",
    "add_energy",
    "base_name",
    "beh",
    "dancing_weapon",
    "db_name",
    "del_ench",
    "dismiss",
    "energy",
    "entry_name",
    "experience",
    "full_name",
    "get_info",
    "get_inventory",
    "get_prop",
    "handle_behaviour",
    "has_prop",
    "hd",
    "hp",
    "in_local_population",
    "mbase_name",
    "mfull_name",
    "mid",
    "mname",
    "muse",
    "name",
    "random_teleport",
    "run_ai",
    "set_hp",
    "set_max_hp",
    "set_prop",
    "shapeshifter",
    "speak",
    "targetx",
    "targety",
    "type_name",
    "unique",
    "wont_attack",
    "x",
    "y",
    "you_can_see",
];

impl Look<'_> {
    pub(super) fn monster_fields(&mut self, number: usize, parts: &Parts) {
        let text = &self.trees[number].lua.text;
        let has = |word: &str| memchr::memmem::find(text, word.as_bytes()).is_some();
        if !has("dgn.") || !GIVERS.iter().any(|giver| has(giver)) {
            return;
        }
        let gives = |call: &Call| {
            call.method.is_none()
                && call.function.path().is_some_and(|path| GIVERS.contains(&&*path))
        };
        let given = given_by(parts, &gives);
        for expr in &parts.exprs {
            let ExprKind::Index(table, key) = &expr.kind else { continue };
            let is_monster = table.name().is_some_and(|name| given.contains_key(name));
            let Some(field) = key.text().filter(|_| is_monster) else { continue };
            let field = String::from_utf8_lossy(field).into_owned();
            if FIELDS.contains(&&*field) {
                continue;
            }
            let advice = nearest(&field, FIELDS.iter().copied()).map_or_else(
                || Advice::from("docs/lua.md says what a monster has".to_owned()),
                Advice::from,
            );
            let message = format!("a monster has no '{field}'");
            self.warn(number, &expr.span, Finding::of(codes::UNKNOWN_NAME, message, advice));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_documented_fields_are_known() {
        let table = vaultwright_packs::file("tables/common/lua_api.json");
        let reference: serde_json::Value = serde_json::from_str(table).expect("the reference");
        let functions = reference["functions"].as_array().expect("a list").iter();
        let names = functions.filter_map(|function| function["name"].as_str());
        for name in names.filter_map(|name| name.strip_prefix("monster.")) {
            assert!(FIELDS.contains(&name), "{name}");
        }
    }
}
