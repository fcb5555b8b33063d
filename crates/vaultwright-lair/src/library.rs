//! The library that old scripts load from LAIR's installation folder: our own, under the old names
//! (spec 09 §3.2).

const COMMON: &str = include_str!("../lua/map/common.lua");
const WALLS: &str = include_str!("../lua/map/basicwall_cares_insert.lua");
const HALLWAYS: &str = include_str!("../lua/map/cut_hallways.lua");
const AI: &str = include_str!("../lua/ai/common.lua");

/// The AI of projects without one.
pub const DEFAULT_AI: &str = include_str!("../lua/ai/default.lua");

/// The paths below the share folder at which scripts of all eras look.
const FILES: [(&str, &str); 8] = [
    ("lua/map/common.lua", COMMON),
    ("lua/map/basicwall_cares_insert.lua", WALLS),
    ("lua/map/cut_hallways.lua", HALLWAYS),
    ("lua/ai/common.lua", AI),
    ("lua/common.lua", COMMON),
    ("lua/basicwall_cares_insert.lua", WALLS),
    ("lua/cut_hallways.lua", HALLWAYS),
    ("lua/ai_common.lua", AI),
];

/// Returns the text of a file in the share folder.
pub fn library_file(path: &str) -> Option<&'static str> {
    FILES.iter().find(|(name, _)| *name == path).map(|(_, text)| *text)
}

/// Returns the path below the share folder, if a path refers to that folder: `/usr/share/lair/…`,
/// `share/lair/…`, `lair/…`.
pub fn below_share(path: &str) -> Option<&str> {
    ["/usr/share/lair/", "/usr/local/share/lair/", "share/lair/", "lair/"]
        .iter()
        .find_map(|start| path.strip_prefix(start))
}
