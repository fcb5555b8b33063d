//! The order in which the levels of a game are made.

use std::collections::{BTreeSet, HashSet, VecDeque};

use vaultwright_content::{Branches, Content};
use vaultwright_level::{Level, is_mimic};
use vaultwright_map::{Dungeon, LevelPlace};

/// The levels of a game that are still to be made. A portal's level follows that on which the
/// portal opens.
pub(crate) struct Route {
    next: VecDeque<LevelPlace>,
    /// What does not come again.
    done: HashSet<LevelPlace>,
    /// Whether portals are entered.
    portals: bool,
}

impl Route {
    /// Begins with the levels that are planned, and enters portals.
    pub(crate) fn new(planned: impl IntoIterator<Item = LevelPlace>) -> Route {
        Route { next: planned.into_iter().collect(), done: HashSet::new(), portals: true }
    }

    /// Returns the same without portals.
    pub(crate) fn without_portals(self) -> Route {
        Route { portals: false, ..self }
    }

    /// Returns the same without some levels, wherever they would come.
    pub(crate) fn without(mut self, places: &BTreeSet<LevelPlace>) -> Route {
        self.next.retain(|place| !places.contains(place));
        self.done.extend(places);
        self
    }

    /// Takes the next level off the list.
    pub(crate) fn step(&mut self) -> Option<LevelPlace> {
        let place = loop {
            let place = self.next.pop_front()?;
            if self.done.insert(place) {
                break place;
            }
        };
        Some(place)
    }

    /// Takes up the portals of a level that has been made: their levels come next.
    pub(crate) fn open_portals(&mut self, content: &Content, level: &Level) {
        if self.portals {
            let portals = portals_on(content, level);
            for portal in portals.into_iter().rev().filter(|place| !self.done.contains(place)) {
                self.next.push_front(portal);
            }
        }
    }

    /// Returns the levels that are known to come.
    pub(crate) fn upcoming(&self) -> impl Iterator<Item = LevelPlace> + '_ {
        self.next.iter().copied().filter(|place| !self.done.contains(place))
    }
}

/// Returns the levels of the portals that open on a level, in the order in which they are built.
fn portals_on(content: &Content, level: &Level) -> Vec<LevelPlace> {
    let mut portals: Vec<_> = content
        .branches()
        .iter()
        .filter_map(|branch| Some((branch.order_portal?, branch)))
        .filter(|(_, branch)| {
            // What only looks like an entrance leads nowhere.
            let stands = |entry| {
                let entrances = content.features().set_of(|id| id == entry);
                level.cells_with(&entrances).iter().any(|&p| !is_mimic(level, p))
            };
            content.features().by_name(&branch.entry).is_some_and(stands)
        })
        .map(|(order, branch)| (order, LevelPlace { branch: branch.id, depth: 1 }))
        .collect();
    portals.sort_by_key(|&(order, _)| order);
    portals.into_iter().map(|(_, place)| place).collect()
}

/// Returns the levels of a dungeon in the order in which they are made.
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
    fn a_portal_comes_next_and_once() {
        let content = Content::new(Rules::of(Edition::Trunk));
        let branches = content.branches();
        let place = |text| {
            LevelPlace::parse(text, branches, &Dungeon::standard(branches)).expect("a place")
        };
        let planned = ["D:1", "D:2", "Sewer"].map(place);
        let mut level = Level::solid(&content);
        let gate = content.features().by_name("enter_sewer").expect("a gate");
        level.set_feature(Point::new(5, 5), gate);
        let mut route = Route::new(planned);
        assert_eq!(route.step(), Some(place("D:1")));
        route.open_portals(&content, &level);
        assert_eq!(route.step(), Some(place("Sewer")));
        assert_eq!(route.upcoming().collect::<Vec<_>>(), [place("D:2")]);
        route.open_portals(&content, &level);
        assert_eq!([route.step(), route.step()], [Some(place("D:2")), None]);
        let mut route = Route::new(planned).without(&BTreeSet::from([place("Sewer")]));
        route.open_portals(&content, &level);
        assert_eq!([route.step(), route.step()], [Some(place("D:1")), Some(place("D:2"))]);
        let mut route = Route::new(planned).without_portals();
        route.open_portals(&content, &level);
        assert_eq!(route.step(), Some(place("D:1")));
    }

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
