//! The levels of a game for statistics: all selected ones, whatever happens to the others (spec 08
//! §5.3, §6.3).

use std::collections::VecDeque;

use vaultwright_content::{Branch, Branches};
use vaultwright_level::Level;
use vaultwright_map::{Dungeon, LevelPlace, PickTrace};
use vaultwright_rng::{GAMEPLAY, Streams};

use super::levels::LevelResult;
use super::session::Engine;
use crate::game::order::{Route, plan};
use crate::observe::tally::{SurveyOptions, Tally, Tallying};

/// The levels of a game, one after the other. Unlike a [`Game`](crate::Game) it also builds
/// branches that the game lacks, skips levels that are not selected, and continues after a level
/// that cannot be built.
#[must_use]
pub struct Survey<'e> {
    engine: &'e mut Engine,
    route: Route,
}

impl Engine {
    /// Begins the game of a seed for statistics (spec 08 §5.3).
    pub fn survey(
        &mut self,
        seed: u64,
        selection: Selection,
        options: SurveyOptions,
    ) -> Survey<'_> {
        Survey::new(self, seed, selection, options)
    }

    /// Returns every level that a survey can build, in the order of a game that has all branches.
    pub fn survey_order(&self) -> Vec<LevelPlace> {
        survey_order(self)
    }
}

/// Selects the levels of a game that are built.
#[derive(Clone, Copy)]
pub enum Selection<'s> {
    /// All levels, including those of branches that the game lacks. A portal's level comes with the
    /// level on which the portal opens.
    All,
    /// Only the levels for which the function returns true.
    Only(&'s dyn Fn(LevelPlace) -> bool),
    /// The levels that the game has, up to the last one for which the function returns true.
    GameUntil(&'s dyn Fn(LevelPlace) -> bool),
}

/// A level of a survey, with its tally.
pub struct SurveyedLevel {
    /// The place of the level.
    pub place: LevelPlace,
    /// The level, or the reason why it could not be built.
    pub result: LevelResult,
    /// What happened to maps during the build.
    pub tally: Tally,
}

impl<'e> Survey<'e> {
    /// Begins the game of a seed.
    pub(crate) fn new(
        engine: &'e mut Engine,
        seed: u64,
        selection: Selection,
        options: SurveyOptions,
    ) -> Survey<'e> {
        engine.start_game(seed);
        engine.refill();
        let planned = engine.plan_game();
        let next = match selection {
            Selection::All => listed_for_statistics(engine.content().branches(), planned),
            Selection::Only(wanted) => {
                let mut listed = listed_for_statistics(engine.content().branches(), planned);
                listed.retain(|&place| wanted(place));
                listed
            }
            Selection::GameUntil(wanted) => until_last(engine, planned, wanted),
        };
        let route = Route::new(next).without(&options.left_out_places);
        let route = match selection {
            Selection::Only(_) => route.without_portals(),
            Selection::All | Selection::GameUntil(_) => route,
        };
        let picks = options.picks.then(PickTrace::default);
        let tallying = Tallying { picks, tally: Tally::default() };
        engine.host.observers.borrow_mut().tallying = Some(tallying);
        engine.host.survey = options;
        Survey { engine, route }
    }

    /// Returns the next level.
    pub fn upcoming(&self) -> Option<LevelPlace> {
        self.route.upcoming().next()
    }

    /// Returns the engine. The levels refer to its tables and library.
    pub fn engine(&self) -> &Engine {
        self.engine
    }
}

impl Iterator for Survey<'_> {
    type Item = SurveyedLevel;

    fn next(&mut self) -> Option<SurveyedLevel> {
        let place = self.route.step()?;
        let result = self.engine.build_next(place, None);
        if let Ok(built) = &result {
            self.route.open_portals(self.engine.content(), &built.level);
            reveal(&mut self.engine.host.game.streams, &built.level);
        }
        let host = &self.engine.host;
        let mut observers = host.observers.borrow_mut();
        let tallying = observers.tallying.as_mut();
        let tally = tallying.map_or_else(Tally::default, |books| books.take(&host.library));
        Some(SurveyedLevel { place, result, tally })
    }
}

impl Drop for Survey<'_> {
    fn drop(&mut self) {
        let host = &mut self.engine.host;
        host.observers.borrow_mut().tallying = None;
        host.survey = SurveyOptions::default();
        self.engine.restore_after();
    }
}

/// Makes the draws of revealing a finished level to the player, one for every cell, as statistics
/// do with each level. Tides of later levels continue from there (spec 08 §6.4).
fn reveal(streams: &mut Streams, level: &Level) {
    streams.enter(GAMEPLAY);
    for _ in level.features() {
        streams.random2(100);
    }
    streams.leave();
}

/// Returns the game's levels up to the last selected one, or all of them if a selected level is
/// reached by a portal.
fn until_last(
    engine: &Engine,
    mut planned: Vec<LevelPlace>,
    wanted: &dyn Fn(LevelPlace) -> bool,
) -> VecDeque<LevelPlace> {
    let branches = engine.content().branches();
    let portals = branches.iter().filter(|branch| branch.order_portal.is_some());
    let by_portal = portals.into_iter().any(|b| wanted(LevelPlace { branch: b.id, depth: 1 }));
    if !by_portal {
        let last = planned.iter().rposition(|&place| wanted(place));
        planned.truncate(last.map_or(0, |last| last + 1));
    }
    planned.into()
}

/// Returns the game's levels, then those of all other finished branches.
fn listed_for_statistics(branches: &Branches, planned: Vec<LevelPlace>) -> VecDeque<LevelPlace> {
    let others = other_levels(branches, &planned);
    planned.into_iter().chain(others).collect()
}

/// Returns every level that a survey can build, in the order of a game that has all branches.
pub(crate) fn survey_order(engine: &Engine) -> Vec<LevelPlace> {
    let branches = engine.content().branches();
    let mut dungeon = Dungeon::standard(branches);
    for branch in branches.iter().filter(|branch| !branch.unfinished) {
        dungeon.set_entry(branch.id, LevelPlace::START);
    }
    let planned = plan(branches, &dungeon);
    let others = other_levels(branches, &planned);
    planned.into_iter().chain(others).collect()
}

/// Returns the levels of finished branches that are not planned: first the branches that have their
/// own place in statistics, then the others in their logical order.
fn other_levels(branches: &Branches, planned: &[LevelPlace]) -> Vec<LevelPlace> {
    let mut others: Vec<_> = branches
        .iter()
        .filter(|branch| !branch.unfinished)
        .filter(|branch| !planned.iter().any(|place| place.branch == branch.id))
        .collect();
    let first = |branch: &Branch| branch.order_statistics.unwrap_or(i32::MAX);
    others.sort_by_key(|branch| (first(branch), branch.order_logical));
    let levels = |branch: &Branch| {
        let id = branch.id;
        (1..=branch.levels).map(move |depth| LevelPlace { branch: id, depth })
    };
    others.into_iter().flat_map(levels).collect()
}

#[cfg(test)]
mod tests {
    use vaultwright_content::{Content, Edition, Rules};

    use super::*;
    use crate::engine::session::EngineOptions;
    use crate::pack::sources::DataRoot;

    #[test]
    fn pandemonium_and_ziggurats_follow_the_branches_of_the_game() {
        let content = Content::new(Rules::of(Edition::Trunk));
        let branches = content.branches();
        let place = |name: &str| {
            let branch = branches.by_name(name).expect("a branch").id;
            LevelPlace { branch, depth: 1 }
        };
        let others = other_levels(branches, &[place("D"), place("Geh")]);
        let names: Vec<String> = others.iter().map(|place| place.name(branches)).collect();
        assert_eq!(names[..2], ["Pan", "Zig:1"]);
        assert_eq!(names[27..30], ["Zig:27", "Temple", "Lair:1"]);
    }

    #[test]
    fn statistics_build_as_many_levels_as_observed() {
        // Of spec 08 §5.3.
        let edition = Some(Edition::Trunk);
        let options = EngineOptions { root: DataRoot::Bare, edition, ..EngineOptions::default() };
        let engine = Engine::new(options).expect("an engine");
        let order = engine.survey_order();
        let branches: std::collections::BTreeSet<_> = order.iter().map(|p| p.branch).collect();
        assert_eq!((order.len(), branches.len()), (145, 37));
    }

    #[test]
    fn a_level_that_is_revealed_draws_for_each_of_its_cells() {
        let content = Content::new(Rules::of(Edition::Trunk));
        let mut streams = Streams::from_seed(1, 46);
        reveal(&mut streams, &Level::solid(&content));
        assert_eq!(streams.draws_of(GAMEPLAY), 5600);
    }
}
