//! The dungeon of the recorded tables.

use vaultwright_content::Content;
use vaultwright_map::{Dungeon, LevelPlace};

/// Returns the branch entries of the recorded levels (goldens/README, "State behind the levels").
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
            // If a branch is shorter than in 0.28, this is its last level.
            let depth = depth.min(dungeon.levels(parent).max(1));
            dungeon.set_entry(branch, LevelPlace { branch: parent, depth });
        }
    }
    dungeon.choose_set_members(vec![0; content.items().sets.len()]);
    dungeon
}

#[cfg(test)]
mod tests {
    use vaultwright_content::{Edition, Rules};

    use super::*;

    /// The Lair has five levels since 0.29 (spec 05 §23.1): there is no sixth from which the
    /// Slime Pits could be entered.
    #[test]
    fn branches_are_entered_from_levels_that_exist() {
        for edition in Edition::all() {
            let content = Content::new(Rules::of(edition));
            let (branches, dungeon) = (content.branches(), recorded_dungeon(&content));
            for entry in branches.iter().filter_map(|branch| dungeon.entry(branch.id)) {
                let levels = dungeon.levels(entry.branch);
                assert!(entry.depth <= levels, "{edition:?}: {}", entry.name(branches));
            }
            let slime = branches.by_name("Slime").expect("a branch").id;
            let lair = branches.by_name("Lair").expect("a branch").id;
            let entry = dungeon.entry(slime).map(|place| (place.branch, place.depth));
            assert_eq!(entry, Some((lair, dungeon.levels(lair))), "{edition:?}");
        }
    }
}
