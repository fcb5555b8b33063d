//! The order in which the levels of a game are made.

use vaultwright_content::{Branches, Content};
use vaultwright_level::{Level, is_mimic};
use vaultwright_map::{Dungeon, LevelPlace};

/// The levels of the portals that open on a level, in the order in which they are built.
pub(crate) fn portals_on(content: &Content, level: &Level) -> Vec<LevelPlace> {
    let mut portals: Vec<_> = content
        .branches()
        .iter()
        .filter_map(|branch| Some((branch.order_portal?, branch)))
        .filter(|(_, branch)| {
            // What only looks like an entrance leads nowhere.
            let stands = |entry| {
                let entrances = content.features().set_of(|id| id == entry);
                level.cells_with(&entrances).iter().any(|&p| !is_mimic(level, content, p))
            };
            content.features().by_name(&branch.entry).is_some_and(stands)
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

#[cfg(test)]
mod tests {
    use vaultwright_content::{Edition, Rules};
    use vaultwright_level::mask;
    use vaultwright_map::Point;

    use super::*;

    #[test]
    fn a_mimic_of_an_entrance_opens_no_portal() {
        let content = Content::new(Rules::of(Edition::Trunk));
        let mut level = Level::solid(&content);
        let [sewer, other] = [Point::new(20, 20), Point::new(30, 30)];
        let entrance = |name| content.features().by_name(name).expect("an entrance");
        level.set_feature(sewer, entrance("enter_sewer"));
        level.set_feature(other, entrance("enter_ossuary"));
        assert_eq!(portals_on(&content, &level).len(), 2);
        level.change_mask(sewer, mask::MIMIC, 0);
        let left = portals_on(&content, &level);
        assert_eq!(
            left.iter().map(|place| place.name(content.branches())).collect::<Vec<_>>(),
            ["Ossuary"]
        );
    }
}
