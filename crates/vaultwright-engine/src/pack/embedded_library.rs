//! The library inside the program, which stands in for a data folder's own.

macro_rules! library_file {
    ($path:literal) => {
        (concat!("dlua/", $path), include_str!(concat!("../../lua/", $path)))
    };
}

/// Files of the game's library whose classes other files of ours have, which are always loaded.
pub(super) const PARTS_OF_OTHERS: &[&str] = &[
    "dlua/lm_1way.lua",
    "dlua/lm_door.lua",
    "dlua/lm_mon_prop.lua",
    "dlua/lm_mslav.lua",
    "dlua/lm_named_hatch.lua",
    "dlua/lm_pdesc.lua",
    "dlua/lm_replica.lua",
    "dlua/lm_tmsg.lua",
    "dlua/lm_toll.lua",
    "dlua/lm_trans.lua",
];

/// The embedded library files: path below the data root, text.
pub(crate) const LIBRARY: &[(&str, &str)] = &[
    library_file!("util.lua"),
    library_file!("iter.lua"),
    library_file!("point.lua"),
    library_file!("fnwrap.lua"),
    library_file!("equipment.lua"),
    library_file!("dungeon.lua"),
    library_file!("luamark.lua"),
    library_file!("lm_props.lua"),
    library_file!("lm_trig.lua"),
    library_file!("lm_fog.lua"),
    library_file!("lm_timed.lua"),
    library_file!("lm_monst.lua"),
    library_file!("lm_trove.lua"),
    library_file!("lm_items.lua"),
    library_file!("vault.lua"),
    library_file!("sprint.lua"),
    library_file!("gauntlet.lua"),
    library_file!("ghost.lua"),
    library_file!("tutorial.lua"),
    library_file!("v_layouts.lua"),
    library_file!("ziggurat.lua"),
    library_file!("layout/geoelf.lua"),
    library_file!("layout/hyper.lua"),
    library_file!("layout/hyper_caves.lua"),
    library_file!("layout/hyper_decor.lua"),
    library_file!("layout/hyper_paint.lua"),
    library_file!("layout/hyper_place.lua"),
    library_file!("layout/hyper_rooms.lua"),
    library_file!("layout/hyper_usage.lua"),
    library_file!("layout/layout.lua"),
    library_file!("layout/minimum_map_area.lua"),
    library_file!("layout/omnigrid.lua"),
    library_file!("layout/procedural.lua"),
    library_file!("layout/procedural_complex.lua"),
    library_file!("layout/procedural_primitives.lua"),
    library_file!("layout/procedural_transform.lua"),
    library_file!("layout/rooms_primitive.lua"),
    library_file!("layout/theme.lua"),
    library_file!("layout/vector.lua"),
    library_file!("layout/zonify.lua"),
];

/// Those that Lua 5.4 reads otherwise than 5.1.
const FOR_LUA_51: &[&str] =
    &["dlua/layout/hyper_caves.lua", "dlua/layout/procedural.lua", "dlua/ziggurat.lua"];

/// Returns whether a file of a library is the embedded one.
pub(crate) fn is_embedded(file: &str, text: &[u8]) -> bool {
    LIBRARY.iter().any(|(name, own)| *name == file && own.as_bytes() == text)
}

/// Returns whether a file of a library is an embedded one that both Luas read in the same way.
pub(crate) fn is_for_either_lua(file: &str, text: &[u8]) -> bool {
    is_embedded(file, text) && !FOR_LUA_51.contains(&file)
}
