//! The host API: one file for each Lua table (spec 06).

pub(crate) mod colour;
pub(crate) mod crawl;
pub(crate) mod debug;
pub(crate) mod dgn_branches;
pub(crate) mod dgn_clouds;
pub(crate) mod dgn_definition;
pub(crate) mod dgn_events;
pub(crate) mod dgn_layouts;
pub(crate) mod dgn_level;
pub(crate) mod dgn_markers;
pub(crate) mod dgn_occupants;
pub(crate) mod dgn_painters;
pub(crate) mod dgn_placement;
pub(crate) mod dgn_selection;
pub(crate) mod dgn_terrain;
pub(crate) mod feat;
pub(crate) mod file;
pub(crate) mod floor_halo;
pub(crate) mod grid_object;
pub(crate) mod item_object;
pub(crate) mod items;
pub(crate) mod loading;
pub(crate) mod los;
pub(crate) mod mons;
pub(crate) mod monster_object;
pub(crate) mod noise;
pub(crate) mod random_name;
pub(crate) mod spec_list;
pub(crate) mod traced;
pub(crate) mod travel;
pub(crate) mod unsupported;
pub(crate) mod view;
pub(crate) mod you;

use std::rc::Rc;

use vaultwright_lua::Interpreter;
use vaultwright_lua::mlua::{self, FromLuaMulti, IntoLuaMulti, Lua, Table};

use crate::state::host::Host;

/// What a call of a function costs, in instructions.
const CALL: u64 = 10;

/// What calls cost that look at much of a map or level.
const DEAR: &[(&str, u64)] = &[
    ("add_pools", 1000),
    ("add_windows", 1000),
    ("apply_tide", 5000),
    ("connect_adjacent_rooms", 1000),
    ("count_disconnected_zones", 5000),
    ("count_tele_zones", 5000),
    ("delve", 2000),
    ("extend_map", 500),
    ("farthest_from", 500),
    ("fill_area", 500),
    ("fill_disconnected", 1000),
    ("get_map", 500),
    ("join_the_dots", 1000),
    ("layout_basic", 5000),
    ("layout_bigger_room", 5000),
    ("layout_chaotic_city", 5000),
    ("layout_shoals", 5000),
    ("layout_swamp", 5000),
    ("load_des_file", 5000),
    ("make_box", 500),
    ("make_irregular_box", 500),
    ("make_round_box", 500),
    ("octa_room", 500),
    ("place_map", 1000),
    ("remove_disconnected_doors", 1000),
    ("remove_isolated_glyphs", 1000),
    ("replace_area", 500),
    ("resolve_map", 1000),
    ("reuse_map", 1000),
    ("smear_map", 2000),
    ("spotty_map", 1000),
    ("widen_paths", 1000),
];

/// A table of the API while it is filled.
pub(crate) struct Api<'a> {
    lua: &'a Lua,
    host: &'a Rc<Host>,
    table: Table,
}

impl Api<'_> {
    /// Adds a function.
    fn function<A, R>(
        &self,
        name: &str,
        function: impl Fn(&Lua, &Rc<Host>, A) -> mlua::Result<R> + 'static,
    ) -> mlua::Result<()>
    where
        A: FromLuaMulti,
        R: IntoLuaMulti,
    {
        let host = Rc::clone(self.host);
        let price = DEAR.iter().find(|(dear, _)| *dear == name).map_or(CALL, |&(_, price)| price);
        let wrapped = self.lua.create_function(move |lua, args: A| {
            host.charge(price)?;
            function(lua, &host, args)
        })?;
        self.table.raw_set(name, wrapped)
    }
}

/// Creates every table of the API.
pub(crate) fn install(lua: &Lua, host: &Rc<Host>) -> mlua::Result<()> {
    let globals = lua.globals();
    let table = |name: &str| -> mlua::Result<Api<'_>> {
        let table = match globals.raw_get::<Option<Table>>(name)? {
            Some(table) => table,
            None => {
                let table = lua.create_table()?;
                globals.raw_set(name, &table)?;
                table
            }
        };
        Ok(Api { lua, host, table })
    };
    let dgn = table("dgn")?;
    dgn_definition::install(&dgn)?;
    dgn_painters::install(&dgn)?;
    dgn_level::install(&dgn)?;
    dgn_selection::install(&dgn)?;
    dgn_placement::install(&dgn)?;
    dgn_layouts::install(&dgn)?;
    dgn_terrain::install(&dgn)?;
    floor_halo::install(&dgn)?;
    dgn_occupants::install(&dgn)?;
    dgn_markers::install(&dgn)?;
    dgn_branches::install(&dgn)?;
    dgn_events::install(&dgn)?;
    dgn_clouds::install(&dgn)?;
    grid_object::install(&dgn)?;
    spec_list::install(&dgn)?;
    crawl::install(&table("crawl")?)?;
    noise::install(&table("crawl")?)?;
    random_name::install(&table("crawl")?)?;
    you::install(&table("you")?)?;
    feat::install(&table("feat")?)?;
    file::install(&table("file")?)?;
    debug::install(&table("debug")?)?;
    items::install(&table("items")?)?;
    mons::install(&table("mons")?)?;
    colour::install(&table("colour")?)?;
    los::install(&table("los")?)?;
    travel::install(&table("travel")?)?;
    view::install(&table("view")?)?;
    loading::install(&Api { lua, host, table: globals.clone() })?;
    for (name, functions) in unsupported::TABLES {
        unsupported::install(&table(name)?, name, functions)?;
    }
    globals.raw_set("CORPSE_NEVER_DECAYS", "corpse-no-decay")?;
    globals.raw_set("chk_startgame", lua.create_table()?)?;
    globals.raw_set("callback", lua.create_table()?)
}

/// Runs the standard library: the root's own, or ours.
pub(crate) fn load_library(interpreter: &Interpreter, host: &Rc<Host>) -> mlua::Result<()> {
    let files: &[&str] = if host.root.has_own_library() {
        &[
            "dlua/macro.lua",
            "dlua/util.lua",
            "dlua/iter.lua",
            "dlua/tags.lua",
            "dlua/init.lua",
            "dlua/dungeon.lua",
            "dlua/luamark.lua",
            "dlua/mapinit.lua",
        ]
    } else {
        &["dlua/util.lua", "dlua/iter.lua", "dlua/dungeon.lua", "dlua/luamark.lua"]
    };
    // A tree whose version lacks a file does not ask for it; the save tags are made where they are missing.
    for file in files {
        if !host.root.has(file) && *file != loading::SAVE_TAGS {
            continue;
        }
        interpreter.refill();
        loading::require(interpreter.lua(), host, file)?;
    }
    Ok(())
}
