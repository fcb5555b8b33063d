//! The dungeon of the recorded tables.

use vaultwright_content::Content;
use vaultwright_map::{Dungeon, LevelPlace};

/// Returns the branch entries that recorded levels have (goldens/README, "State behind the
/// levels").
pub(crate) fn recorded_dungeon(content: &Content) -> Dungeon {
    let branches = content.branches();
    let mut dungeon = Dungeon::standard(branches);
    let id = |name: &str| branches.by_name(name).map(|branch| branch.id);
    for (branch, parent, depth) in [
        ("Temple", "D", 4),
        ("Lair", "D", 9),
        ("Orc", "D", 12),
        ("Vaults", "D", 13),
        ("Depths", "D", 15),
        ("Swamp", "Lair", 3),
        ("Spider", "Lair", 3),
        ("Slime", "Lair", 6),
        ("Elf", "Orc", 2),
        ("Crypt", "Vaults", 3),
        ("Tomb", "Crypt", 3),
        ("Zig", "Depths", 1),
        ("Zot", "Depths", 4),
    ] {
        if let (Some(branch), Some(parent)) = (id(branch), id(parent)) {
            dungeon.set_entry(branch, LevelPlace { branch: parent, depth });
        }
    }
    dungeon.choose_set_members(vec![0; content.items().sets.len()]);
    dungeon
}
