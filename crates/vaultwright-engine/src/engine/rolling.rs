//! Rolling maps without a level.

use vaultwright_map::{LevelPlace, MapDef, MapId, PickTrace, Point};
use vaultwright_rng::StreamId;

use super::errors::RollError;
use super::session::Engine;
use crate::pack::library::LibraryMap;
use crate::pack::problem::{ChunkError, Problem};
use crate::resolve::ground::Aim;
use crate::resolve::roll::{
    NoRoll, NotRolled, Rolled, RunError, is_vetoed, resolve, run_definition,
};
use crate::script::environment::flush_environment;
use crate::state::cell_lines::CellLines;
use crate::state::map_cell::MapCell;

/// The result of rolling a map.
pub type Resolution = Result<Box<Resolved>, RollError>;

/// One run of a map's chunks.
#[must_use]
pub struct Roll {
    /// The map, unless a Lua error stopped the roll.
    pub map: Option<MapDef>,
    /// Whether the map passed validation.
    pub valid: bool,
    /// The Lua error, if there was one.
    pub problem: Option<Box<Problem>>,
    /// The picks, if they were requested.
    pub trace: Option<PickTrace>,
}

/// A rolled map, and how it was rolled.
#[derive(Debug)]
#[must_use]
pub struct Resolved {
    /// The definition after all Lua, transforms, subvaults and turns.
    pub map: MapDef,
    /// The position of its top left cell on the level.
    pub position: Point,
    /// The number of 32-bit draws from each stream that was used.
    pub draws: Vec<(StreamId, u64)>,
    /// The number of tries.
    pub tries: usize,
    /// The source lines that wrote each cell, if they were requested.
    pub lines: Option<CellLines>,
}

impl Engine {
    /// Rolls a map completely, in a game that has just begun: runs its Lua, applies transforms,
    /// subvaults, mirroring and rotation, and finds a position, retrying up to 25 times. The level
    /// is that of [`Engine::set_home`].
    pub fn resolve(&mut self, map: MapId, seed: u64) -> Resolution {
        self.resolve_noting(map, seed, None)
    }

    /// Like [`Engine::resolve`], but also records which lines write each cell
    /// ([`Resolved::lines`]).
    pub fn resolve_with_lines(&mut self, map: MapId, seed: u64) -> Resolution {
        self.resolve_noting(map, seed, Some(CellLines::default()))
    }

    fn resolve_noting(&mut self, map: MapId, seed: u64, lines: Option<CellLines>) -> Resolution {
        let library = self.library();
        let Some(listed) = library.get(map) else { return Err(RollError::NoSuchMap) };
        self.start_game(seed);
        self.settle_at(self.home.unwrap_or(LevelPlace::START));
        self.interpreter.refill();
        let map = MapCell::of(listed);
        map.lines.replace(lines);
        let lua = self.interpreter.lua();
        let result = resolve(lua, &mut self.host, &map, Aim::default());
        let resolution = match result {
            Ok(rolled) => Ok(Box::new(self.finish(rolled))),
            Err(not_rolled) => Err(roll_error(not_rolled, listed)),
        };
        self.restore_after();
        resolution
    }

    /// Runs a map's statements and Lua a single time and returns the grid as drawn, with transforms
    /// and subvaults, but not mirrored, rotated or positioned. For statistics; use
    /// [`Engine::resolve`] for a usable map.
    pub fn roll(&mut self, map: MapId, seed: u64, trace: Option<PickTrace>) -> Roll {
        self.roll_at(map, self.home.unwrap_or(LevelPlace::START), seed, trace)
    }

    /// Sets the level on which a single map is rolled. On that of [`Engine::set_home`], its
    /// subvaults are those allowed there; the recorded rolls allow all.
    pub(super) fn settle_at(&mut self, place: LevelPlace) {
        self.host.game.place = place;
        self.host.game.depth_checks = self.home == Some(place);
    }

    /// Like [`Engine::roll`], on the given level.
    pub fn roll_at(
        &mut self,
        map: MapId,
        place: LevelPlace,
        seed: u64,
        trace: Option<PickTrace>,
    ) -> Roll {
        let library = self.library();
        let mut roll = Roll { map: None, valid: false, problem: None, trace };
        let Some(listed) = library.get(map) else { return roll };
        self.start_game(seed);
        self.settle_at(place);
        self.interpreter.refill();
        let map = MapCell::of(listed);
        map.def.borrow_mut().reset_for_use();
        let lua = self.interpreter.lua();
        flush_environment(lua, &listed.selection.name);
        let trace = roll.trace.take();
        let (ran, trace) = self.host.tracing_picks(trace, |host| run_definition(lua, host, &map));
        roll.trace = trace;
        match ran {
            Ok(()) => roll.valid = true,
            Err(RunError::Invalid(_)) => {}
            Err(RunError::Fatal(error)) => {
                roll.problem = Some(problem_of(*error, listed));
            }
        }
        if roll.problem.is_none() {
            roll.map = Some(map.def.take());
        }
        self.restore_after();
        roll
    }

    /// Returns whether the veto of a map keeps it from a level of the caller's choice; an error in
    /// it does.
    pub fn is_vetoed_at(&mut self, map: MapId, place: LevelPlace, seed: u64) -> bool {
        let library = self.library();
        let Some(listed) = library.get(map) else { return false };
        self.start_game(seed);
        self.settle_at(place);
        self.interpreter.refill();
        let map = MapCell::of(listed);
        let is_vetoed = is_vetoed(self.interpreter.lua(), &mut self.host, &map);
        self.restore_after();
        is_vetoed
    }

    fn finish(&self, rolled: Rolled) -> Resolved {
        let draws = self.host.game.streams.draws().filter(|&(_, count)| count > 0).collect();
        let lines = rolled.map.lines.take();
        let lines = lines.map(|lines| lines.turned(&rolled.map.def.borrow()));
        Resolved {
            lines,
            map: rolled.map.def.take(),
            position: rolled.position,
            draws,
            tries: rolled.tries,
        }
    }
}

/// Returns the error in a map's Lua, with its location in the source.
pub(super) fn problem_of(error: ChunkError, map: &LibraryMap) -> Box<Problem> {
    let name = Some(map.selection.name.clone());
    Box::new(error.into_problem(&map.file, map.syntax().name.span(), name))
}

/// Converts the reason why a map was not rolled into the public error.
fn roll_error(NotRolled { reason, invalid, tries }: NotRolled, map: &LibraryMap) -> RollError {
    let message = match reason {
        NoRoll::Lua(error) => return RollError::Lua { problem: problem_of(*error, map), tries },
        NoRoll::LeftOut(name) => format!("'{name}' is left out"),
        NoRoll::Vetoed => "vetoed".to_owned(),
        NoRoll::NeverFits => invalid.unwrap_or_default(),
    };
    RollError::Refused { message, tries }
}
