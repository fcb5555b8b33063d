//! The order in which the levels of a game are made.

use vaultwright_content::{Branches, Content};
use vaultwright_level::Level;
use vaultwright_map::{Dungeon, LevelPlace};

/// The levels of the portals that open on a level, in the order in which they are built.
pub(crate) fn portals_on(content: &Content, level: &Level) -> Vec<LevelPlace> {
    let mut portals: Vec<_> = content
        .branches()
        .iter()
        .filter_map(|branch| Some((branch.order_portal?, branch)))
        .filter(|(_, branch)| {
            let entry = content.features().by_name(&branch.entry);
            entry.is_some_and(|entry| level.features().contains(&entry))
        })
        .map(|(order, branch)| (order, LevelPlace { branch: branch.id, depth: 1 }))
        .collect();
    portals.sort_by_key(|&(order, _)| order);
    portals.into_iter().map(|(_, place)| place).collect()
}

/// The levels of a dungeon in the order in which they are made.
pub(crate) fn plan(branches: &Branches, dungeon: &Dungeon) -> Vec<LevelPlace> {
    let reachable = |branch: &&vaultwright_content::Branch| {
        branch.parent.is_empty() || dungeon.entry(branch.id).is_some()
    };
    let mut ordered: Vec<_> = branches
        .iter()
        .filter(reachable)
        .filter_map(|branch| Some((branch.order_generation?, branch)))
        .collect();
    ordered.sort_by_key(|&(order, _)| order);
    let levels = |id| (1..=dungeon.levels(id)).map(move |depth| LevelPlace { branch: id, depth });
    ordered.into_iter().flat_map(|(_, branch)| levels(branch.id)).collect()
}
