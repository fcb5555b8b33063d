//! Functions that need a level in play: they exist, and say so when they are called.

use vaultwright_lua::mlua::{self, Error, MultiValue};

use super::Api;

/// Tables with functions that a later version provides.
pub(super) const TABLES: &[(&str, &[&str])] = &[
    ("dgn", DGN),
    ("crawl", CRAWL),
    ("you", YOU),
    ("items", &[
        "acquirement_items", "equipped_at", "excluded_from_set", "fire", "fired_item",
        "get_items_at", "index_to_letter", "inslot", "inventory", "item_for_set",
        "letter_to_index", "pickup", "shop_inventory", "shopping_list", "slot_is_available",
        "swap_consumable_slots", "swap_gear_slots", "swap_slots",
    ]),
    ("los", &["cell_see_cell", "findray", "make_ray"]),
    ("file", &[
        "marshall", "marshall_meta", "minor_version", "unmarshall_boolean", "unmarshall_meta",
        "unmarshall_number", "unmarshall_string", "write", "writefile",
    ]),
    ("debug", &[
        "bouncy_beam", "builder_ignore_depth", "check_moncasts", "check_uniques", "cpp_assert",
        "cull_monsters", "disable", "dismiss_adjacent", "dismiss_monsters", "down_stairs",
        "dump_map", "dungeon_setup", "enter_dungeon", "flush_map_memory", "generate_level",
        "get_rng_state", "god_wrath", "goto_place", "handle_monster_move", "los_changed",
        "randomize_uniques", "reset_player_data", "reset_rng", "reset_uniques",
        "reveal_mimics", "save_uniques", "seen_monsters_react", "test_explore", "up_stairs",
        "vault_names", "viewwindow",
    ]),
    ("view", &[
        "can_reach", "cell_see_cell", "cell_see_cell_no_trans", "cell_see_cell_solid",
        "cell_see_cell_solid_see", "feature_at", "get_map", "in_known_map_bounds",
        "invisible_monster", "is_safe_square", "seen_at", "update_monsters", "withheld",
    ]),
    ("travel", &[
        "clear_travel_trail", "del_exclude", "feature_solid", "feature_traversable",
        "is_excluded", "set_exclude", "set_travel_trail",
        "set_waypoint", "waypoint_delta",
    ]),
    ("monster", &["get_monster_at"]),
    ("wiz", &["identify_all_items", "map_level", "quick_fsim"]),
    ("spells", &[]),
    ("autofight", &[]),
    ("kills", &[]),
    ("options", &[]),
    ("dgnevent", &["arg1", "arg2", "dest", "pos", "ticks", "type"]),
    ("mapmarker", &["move", "pos", "property", "remove"]),
];

const DGN: &[&str] = &[
    "apply_area_cloud", "apply_tide", 
    "cloud_at", "colour_at", "count_tele_zones",
    "create_item", "create_monster", "delete_cloud", "dismiss_monsters",
    "feature_desc", "feature_desc_at",     "floor_halo", "fprop_at",
    "fprop_changed", "inspect_map", "item_from_index", "item_property",
    "item_property_remove", "item_property_set", "layout_basic",
    "layout_bigger_room", "layout_chaotic_city", "layout_shoals", "layout_swamp",
    "map_by_place", "map_in_depth", "max_monsters", "mons_from_mid",
    "noisy", "place_cloud", "place_map", "place_transporter",
    "random_walk", "register_feature_marker", "register_listener", "register_lua_marker",
    "remove_listener", "remove_marker", "reset_feature_name_for", "reset_level", "resolve_map",
    "reuse_map", "seen_destroy_feat", "shop_inventory_at", "stash_items", "terrain_changed",
    "tile_feat_changed", "tile_floor_changed", "with_map_anchors",
    "with_map_bounds_fn",
];

const CRAWL: &[&str] = &[
    "bane_description", "bane_name", "bindkey", "c_input_line", "call_dlua", "do_commands",
    "do_targeted_command", "get_command", "get_target", "getch", "kbhit", "message_filter",
    "msgch_name", "msgch_num", "process_command", "process_keys", "read_options", "regex",
    "runmacro", "sendkeys", "set_sendkeys_errors", "setopt",
];

const YOU: &[&str] = &[
    "apply_draining", "change_species", "delete_all_mutations", "delete_mutation",
    "delete_temp_mutations", "die", "dock_piety", "gain_bane", "gain_exp", "init", "lose_piety",
    "moveto", "mutate", "ostracise", "piety", "random_teleport", "set_xl", "stop_activity",
    "stop_running", "teleport_to", "xl_to_remove_bane",
];

/// Adds those of the names that nothing else provides.
pub(super) fn install(api: &Api, table: &str, names: &[&str]) -> mlua::Result<()> {
    for &name in names {
        if api.table.contains_key(name)? {
            continue;
        }
        let message = format!(
            "{table}.{name} needs a level in play, which this version cannot provide yet"
        );
        api.function(name, move |_, _, _: MultiValue| -> mlua::Result<()> {
            Err(Error::runtime(message.clone()))
        })?;
    }
    Ok(())
}
