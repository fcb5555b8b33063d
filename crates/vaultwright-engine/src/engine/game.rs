//! The levels of a game, in the order in which they are built.

use vaultwright_level::Journal;
use vaultwright_map::{Dungeon, LevelPlace, MapId};

use super::levels::LevelResult;
use super::session::Engine;
use crate::game::order::Route;
use crate::observe::veto::LevelError;

/// The levels of a game, one after the other, in the order in which they are built (spec 05 §3.2).
/// A portal's level follows the level on which the portal opens. If a level cannot be built, the
/// game continues with the next.
#[must_use]
pub struct Game<'e> {
    engine: &'e mut Engine,
    route: Route,
    traced: bool,
    terse: bool,
    forced: Option<(MapId, Vec<LevelPlace>)>,
    filmed: Vec<LevelPlace>,
}

impl Engine {
    /// Begins the game of a seed: its levels, one after the other. Each level continues with the
    /// draws of its branch, with the vaults and monsters that earlier levels have not used up, and
    /// with what scripts have stored, for example in `dgn.persist` (spec 05 §2, §3).
    pub fn game(&mut self, seed: u64) -> Game<'_> {
        self.start_game(seed);
        self.refill();
        let planned = self.plan_game();
        Game::new(self, planned)
    }

    /// Builds a level of the game of a seed, after all levels that come before it. A level that
    /// this game lacks, or that is only built when the player enters it, is built in a new game.
    pub fn level(&mut self, place: LevelPlace, seed: u64) -> LevelResult {
        let mut game = self.game(seed);
        if !game.upcoming().any(|upcoming| upcoming == place) {
            return game.build_apart(place);
        }
        let found = game.find(|(built, _)| *built == place);
        found.map_or(Err(LevelError::NotInGame), |(_, result)| result)
    }
}

impl Iterator for Game<'_> {
    type Item = (LevelPlace, LevelResult);

    fn next(&mut self) -> Option<Self::Item> {
        let place = self.route.step()?;
        let mut result = self.build(place, self.traced.then(Journal::default));
        if let Ok(built) = &mut result {
            self.engine.finish_level(place, &mut built.level, self.traced || self.terse);
            self.route.open_portals(self.engine.content(), &built.level);
        }
        Some((place, result))
    }
}

impl Drop for Game<'_> {
    fn drop(&mut self) {
        self.engine.restore_after();
    }
}

impl<'e> Game<'e> {
    /// Begins a game whose dungeon the engine has already drawn.
    pub(crate) fn new(engine: &'e mut Engine, planned: Vec<LevelPlace>) -> Game<'e> {
        Game {
            engine,
            route: Route::new(planned),
            traced: false,
            terse: false,
            forced: None,
            filmed: Vec::new(),
        }
    }

    /// Leaves out the levels that only portals lead to, including the Vestibule of Hell, as for a
    /// player who enters no portal.
    pub fn without_portals(mut self) -> Game<'e> {
        let dungeon = self.engine.dungeon();
        let start = LevelPlace::START.branch;
        let stays =
            |place: &LevelPlace| place.branch == start || dungeon.entry(place.branch).is_some();
        let planned: Vec<LevelPlace> = self.route.upcoming().filter(stays).collect();
        self.route = Route::new(planned).without_portals();
        self
    }

    /// Returns the same game; its levels note the steps of their builds, and leave out what their
    /// scripts hold, as [`Game::terse`] does.
    pub fn traced(mut self) -> Game<'e> {
        self.traced = true;
        self
    }

    /// Returns the same game; its levels leave out what their scripts hold
    /// ([`BuildConditions::without_scripts`](super::levels::BuildConditions::without_scripts)).
    pub fn terse(mut self) -> Game<'e> {
        self.terse = true;
        self
    }

    /// Makes the given levels have the map, whatever its DEPTH, CHANCE and WEIGHT say.
    pub fn forcing(mut self, map: MapId, places: Vec<LevelPlace>) -> Game<'e> {
        self.forced = Some((map, places));
        self
    }

    /// Makes the build steps of the given levels record what they change.
    pub fn filming(mut self, places: Vec<LevelPlace>) -> Game<'e> {
        self.filmed = places;
        self
    }

    fn build(&mut self, place: LevelPlace, journal: Option<Journal>) -> LevelResult {
        let forced = self.forced.as_ref().filter(|(_, places)| places.contains(&place));
        self.engine.host.game.state.forced = forced.map(|(map, _)| *map);
        let journal = match self.filmed.contains(&place) {
            true => Some(Journal::filming()),
            false => journal,
        };
        self.engine.build_next(place, journal)
    }

    /// Returns the number of 32-bit words drawn from each stream since the game began.
    pub fn draws(&self) -> Vec<u64> {
        self.engine.host.game.streams.draws().map(|(_, draws)| draws).collect()
    }

    /// Builds a level out of turn, in the game as it stands, with what its scripts hold whatever
    /// has been asked of the game.
    pub fn build_apart(&mut self, place: LevelPlace) -> LevelResult {
        let mut result = self.build(place, None);
        if let Ok(built) = &mut result {
            self.engine.finish_level(place, &mut built.level, false);
        }
        result
    }

    /// Returns the remaining levels known so far, in order. Portals appear once the level on which
    /// they open is built.
    pub fn upcoming(&self) -> impl Iterator<Item = LevelPlace> + '_ {
        self.route.upcoming()
    }

    /// Returns the dungeon: which branches the game has, how deep they are and where they are
    /// entered.
    pub fn dungeon(&self) -> Dungeon {
        self.engine.dungeon()
    }
}
