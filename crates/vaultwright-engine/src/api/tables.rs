//! Every table of the API, and the library over it.

use vaultwright_lua::mlua::{self, Lua, Table};
use vaultwright_lua::{Failure, Interpreter};

use super::table::Api;
use super::{
    colour, crawl, debug, dgn_branches, dgn_clouds, dgn_definition, dgn_events,
    dgn_layout_painters, dgn_layouts, dgn_level, dgn_markers, dgn_occupants, dgn_painters,
    dgn_placement, dgn_selection, dgn_terrain, documents, feat, file, floor_halo, grid_object,
    items, loading, los, mons, native, noise, random_name, spec_list, travel, unsupported, view,
    you,
};
use crate::pack::sources::EngineError;
use crate::state::host::Host;

/// Creates every table of the API.
pub(crate) fn install(lua: &Lua, host: &Host) -> mlua::Result<()> {
    let globals = lua.globals();
    let (content, root, slot) = (&*host.content, &host.root, &host.slot);
    let table = |name: &str| -> mlua::Result<Api<'_>> {
        let table = match globals.raw_get::<Option<Table>>(name)? {
            Some(table) => table,
            None => {
                let table = lua.create_table()?;
                globals.raw_set(name, &table)?;
                table
            }
        };
        Ok(Api { lua, content, root, slot, table })
    };
    let dgn = table("dgn")?;
    dgn_definition::install(&dgn)?;
    dgn_painters::install(&dgn)?;
    dgn_layout_painters::install(&dgn)?;
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
    loading::install(&Api { lua, content, root, slot, table: globals.clone() })?;
    if content.rules.old_names {
        documents::install(&dgn, &table("env")?)?;
    }
    for (name, functions) in unsupported::TABLES {
        unsupported::install(&table(name)?, name, functions)?;
    }
    globals.raw_set("CORPSE_NEVER_DECAYS", "corpse-no-decay")?;
    globals.raw_set("chk_startgame", lua.create_table()?)?;
    globals.raw_set("callback", lua.create_table()?)?;
    Ok(())
}

/// Runs the standard library: the root's own, or ours.
pub(crate) fn load_library(interpreter: &Interpreter, host: &mut Host) -> Result<(), EngineError> {
    // Once all functions of the host and of the Lua that is spoken exist, and before any script
    // runs.
    native::remember_originals(interpreter.lua())
        .map_err(|error| host.root.named_in(Failure::new(&error)))?;
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
    for file in files {
        if host.loading.libraries.iter().any(|loaded| loaded == file) {
            continue;
        }
        // A tree whose version lacks a file does not ask for it.
        let Some(text) = loading::text(&host.content, &host.root, file)? else { continue };
        interpreter.refill();
        loading::run(interpreter.lua(), host, file, &text).map_err(|error| {
            let failure = Failure::of_chunk(&error, &interpreter.budget());
            host.root.named_in(failure)
        })?;
    }
    Ok(())
}
