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
    ("spells", &["cast", "describe", "god_loathes", "hunger", "power_perc"]),
    ("view", &["trap_at"]),
    ("autofight", &[]),
    ("kills", &[]),
    ("options", &[]),
    ("dgnevent", &["arg1", "arg2", "dest", "pos", "ticks", "type"]),
    ("mapmarker", &["move", "pos", "property", "remove"]),
];

const CRAWL: &[&str] = &[
    "bane_description",
    "bane_name",
    "bindkey",
    "call_dlua",
    "do_commands",
    "do_targeted_command",
    "endgame",
    "getch",
    "kbhit",
    "message_filter",
    "process_command",
    "process_keys",
    "read_options",
    "regex",
    "runmacro",
    "sendkeys",
    "set_sendkeys_errors",
    "setopt",
    "tutorial_hunger",
    "yesnoquit",
];

const YOU: &[&str] = &[
    "ability_info",
    "ability_letters",
    "ability_table",
    "antimagic",
    "apply_draining",
    "can_consume_corpses",
    "change_species",
    "contam_max_damage",
    "delete_all_mutations",
    "delete_mutation",
    "delete_temp_mutations",
    "die",
    "dock_piety",
    "gain_bane",
    "gain_exp",
    "hunger_name",
    "init",
    "known_items",
    "like_chunks",
    "lose_piety",
    "mutate",
    "ostracise",
    "piety",
    "quiver_allows_autofight",
    "quiver_enabled",
    "quiver_uses_mp",
    "random_teleport",
    "res_magic",
    "rooted",
    "rot",
    "set_xl",
    "shrouded",
    "stop_activity",
    "stop_running",
    "unarmed_damage_rating",
    "unarmed_ego",
    "xl_to_remove_bane",
];

/// Adds the functions of a table.
pub(crate) fn install(api: &Api, table: &str, names: &[&str]) -> mlua::Result<()> {
    for &name in names {
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
    use super::*;
    use crate::{Engine, EngineOptions};

    #[test]
    fn what_is_listed_is_provided_by_nothing_else() {
        let mut engine = Engine::new(EngineOptions::default()).expect("an engine");
        let mut shadowed = Vec::new();
        for (table, names) in TABLES {
            for name in *names {
                let call = format!("{table}.{name}()");
                // SAFETY: the engine stays on this thread.
                let called = unsafe { engine.with_lua(|lua| lua.load(call).exec()) };
                let refused = called.is_err_and(|e| e.to_string().contains("needs a game that"));
                if !refused {
                    shadowed.push(format!("{table}.{name}"));
                }
            }
        }
        assert!(shadowed.is_empty(), "{}", shadowed.join(", "));
    }
}
