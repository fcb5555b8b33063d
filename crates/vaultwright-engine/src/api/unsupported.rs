//! Functions of the game around the levels: they exist, and say so when they are called.

use vaultwright_lua::mlua::{self, Error, MultiValue};

use super::table::Api;

/// Tables with such functions.
pub(crate) const TABLES: &[(&str, &[&str])] = &[
    ("crawl", CRAWL),
    ("you", YOU),
    ("los", &["findray", "make_ray"]),
    ("file", &["write", "writefile"]),
    (
        "debug",
        &[
            "bouncy_beam",
            "builder_ignore_depth",
            "check_moncasts",
            "check_uniques",
            "cpp_assert",
            "cull_monsters",
            "disable",
            "dismiss_adjacent",
            "dismiss_monsters",
            "down_stairs",
            "dump_map",
            "dungeon_setup",
            "enter_dungeon",
            "flush_map_memory",
            "generate_level",
            "get_rng_state",
            "god_wrath",
            "goto_place",
            "handle_monster_move",
            "los_changed",
            "randomize_uniques",
            "reset_player_data",
            "reset_rng",
            "reset_uniques",
            "reveal_mimics",
            "save_uniques",
            "seen_monsters_react",
            "test_explore",
            "up_stairs",
            "vault_names",
            "viewwindow",
        ],
    ),
    ("monster", &["get_monster_at"]),
    ("wiz", &["identify_all_items", "map_level", "quick_fsim"]),
    ("spells", SPELLS),
    ("autofight", &["best_aim", "is_candidate_for_attack", "is_piercing"]),
    ("food", FOOD),
    ("kills", KILLS),
    ("options", &[]),
    ("dgnevent", &["arg1", "arg2", "dest", "pos", "ticks", "type"]),
    ("mapmarker", &["move", "pos", "property", "remove"]),
];

const CRAWL: &[&str] = &["call_dlua", "message_filter", "regex"];

const YOU: &[&str] = &[
    "change_species",
    "delete_all_mutations",
    "delete_mutation",
    "delete_temp_mutations",
    "die",
    "dock_piety",
    "enter_wizard_mode",
    "gain_exp",
    "init",
    "lose_piety",
    "mutate",
    "piety",
    "random_teleport",
    "set_xl",
];

const SPELLS: &[&str] = &[
    "cast",
    "describe",
    "dir",
    "dir_or_target",
    "fail",
    "fail_severity",
    "god_hates",
    "god_likes",
    "god_loathes",
    "hunger",
    "letter",
    "level",
    "mana_cost",
    "max_power",
    "max_range",
    "memorised",
    "min_range",
    "path",
    "power",
    "power_perc",
    "range",
    "targ_obj",
    "target",
];

const FOOD: &[&str] = &[
    "can_eat",
    "dangerous",
    "do_eat",
    "eat",
    "edible",
    "ischunk",
    "isfruit",
    "ismeaty",
    "isveggie",
    "prompt_eat_chunks",
    "prompt_inv_menu",
];

const KILLS: &[&str] = &[
    "base_name",
    "desc",
    "exp",
    "holiness",
    "isghost",
    "ispandemon",
    "isunique",
    "modifier",
    "monnum",
    "nkills",
    "rawwrite",
    "summary",
    "symbol",
    "write",
];

/// Adds the functions of a table, but for those that the version does not have: what became of
/// them is told where one is called.
pub(crate) fn install(api: &Api, table: &str, names: &[&str]) -> mlua::Result<()> {
    for &name in names {
        if api.content.elsewhere("lua", &format!("{table}.{name}")).is_some() {
            continue;
        }
        let message = format!("{table}.{name} needs a game that a level engine is not");
        // Should one be written after all, it is not shadowed; a test finds the row.
        if !api.table.contains_key(name)? {
            api.function(name, move |_, _, _: MultiValue| -> mlua::Result<()> {
                Err(Error::runtime(message.clone()))
            })?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use vaultwright_content::{Content, Edition, Rules};

    use super::*;
    use crate::{Engine, EngineOptions};

    #[test]
    fn what_is_listed_is_provided_by_nothing_else() {
        for edition in [Edition::V0_25, Edition::V0_28, Edition::Trunk] {
            let options = EngineOptions { edition: Some(edition), ..EngineOptions::default() };
            let mut engine = Engine::new(options).expect("an engine");
            let content = Content::new(Rules::of(edition));
            let mut wrong = Vec::new();
            for (table, names) in TABLES {
                for name in *names {
                    let full = format!("{table}.{name}");
                    let call = format!("{full}()");
                    // SAFETY: the engine stays on this thread.
                    let called = unsafe { engine.with_lua(|lua| lua.load(call).exec()) };
                    let refused =
                        called.is_err_and(|e| e.to_string().contains("needs a game that"));
                    if refused != content.elsewhere("lua", &full).is_none() {
                        wrong.push(full);
                    }
                }
            }
            assert!(wrong.is_empty(), "{edition:?}: {}", wrong.join(", "));
        }
    }
}
