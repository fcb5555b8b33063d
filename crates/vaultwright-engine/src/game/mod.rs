//! Whole games: what is drawn when one begins, and its levels in the order in which they are made
//! (spec 05 §2.3, §3).

mod appearances;
mod recorded;
mod start;
mod survey;
mod temple;

use std::collections::{HashMap, HashSet, VecDeque};

use serde::{Deserialize, Serialize};
use vaultwright_content::{Branches, Content};
use vaultwright_level::Level;
use vaultwright_map::{Dungeon, LevelPlace};

use crate::build::AbyssState;
use crate::engine::{Engine, LevelResult};
use crate::tides::Tide;

pub(crate) use recorded::recorded_dungeon;
pub(crate) use start::begin_game;
pub(crate) use survey::survey_order;
pub use survey::{Selection, Survey, SurveyedLevel};
pub(crate) use temple::god_tag;

/// The levels of a game, one after the other, in the order in which they are made (spec 05 §3.2). A
/// portal's level follows the level on which the portal opens. After a level that cannot be built the game goes
/// on with the next.
pub struct Game<'e> {
    engine: &'e mut Engine,
    next: VecDeque<LevelPlace>,
    built: HashSet<LevelPlace>,
    with_portals: bool,
    traced: bool,
}

impl Iterator for Game<'_> {
    type Item = (LevelPlace, LevelResult);

    fn next(&mut self) -> Option<Self::Item> {
        let place = self.next.pop_front()?;
        let result = self.engine.build_next(place, self.traced);
        self.built.insert(place);
        if let (Ok(built), true) = (&result, self.with_portals) {
            let portals = portals_on(self.engine.content(), &built.level);
            let portals = portals.into_iter().filter(|portal| !self.built.contains(portal));
            for portal in portals.rev().collect::<Vec<_>>() {
                self.next.push_front(portal);
            }
        }
        Some((place, result))
    }
}

impl Drop for Game<'_> {
    fn drop(&mut self) {
        self.engine.undo_scripts();
    }
}

impl<'e> Game<'e> {
    /// Begins a game; the engine has drawn its dungeon.
    pub(crate) fn new(engine: &'e mut Engine, planned: Vec<LevelPlace>) -> Game<'e> {
        let next = planned.into();
        Game { engine, next, built: HashSet::new(), with_portals: true, traced: false }
    }

    /// The same game of somebody who enters no portal: without the levels that only portals lead to, the
    /// Vestibule of Hell among them.
    pub fn without_portals(mut self) -> Game<'e> {
        self.with_portals = false;
        let dungeon = self.engine.dungeon();
        let start = LevelPlace::START.branch;
        self.next.retain(|place| place.branch == start || dungeon.entry(place.branch).is_some());
        self
    }

    /// The same game; its levels note the steps of their builds if they are `traced`.
    pub fn traced(mut self, traced: bool) -> Game<'e> {
        self.traced = traced;
        self
    }

    /// The 32-bit words drawn from each stream since the game began.
    pub fn words(&self) -> Vec<u64> {
        self.engine.host().rng.borrow().draws().map(|(_, words)| words).collect()
    }

    /// Builds a level out of turn, in the game as it stands.
    pub fn build_apart(&mut self, place: LevelPlace) -> LevelResult {
        self.engine.build_next(place, false)
    }

    /// The levels still to come, in order, as far as they are known now: portals show up when the level
    /// is built on which they open.
    pub fn upcoming(&self) -> impl Iterator<Item = LevelPlace> + '_ {
        self.next.iter().copied()
    }

    /// Which branches the game has, how deep they are and where they are entered.
    pub fn dungeon(&self) -> Dungeon {
        self.engine.dungeon()
    }
}

/// The levels of the portals that open on a level, in the order in which they are built.
fn portals_on(content: &Content, level: &Level) -> Vec<LevelPlace> {
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

/// What a game keeps beside used maps and monsters.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct GameState {
    /// The Temple, if the game has chosen one.
    pub(crate) temple: Option<Temple>,
    /// The temples of the Dungeon that take the other gods: depth, and altars by god.
    pub(crate) overflow_temples: Vec<(i32, Vec<String>)>,
    /// How the levels built so far hang together.
    pub(crate) connections: HashMap<LevelPlace, Connections>,
    /// Where in the Abyss the player is, if he ever was there.
    pub(crate) abyss: Option<AbyssState>,
    /// How many areas of the Abyss have been made.
    #[serde(default)]
    pub(crate) abyss_areas: u32,
    /// How many levels of Pandemonium have been made.
    pub(crate) pandemonium_levels: i32,
    /// How high the water of the Shoals stands.
    pub(crate) tide: Tide,
    /// How many ghosts of levels that were thrown away lie in the bones file of a level or branch.
    pub(crate) bones: HashMap<String, usize>,
}

/// The Temple of a game.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Temple {
    /// The name of its map.
    pub(crate) map: String,
    /// What tells its map how many altars are wanted.
    pub(crate) parameter: String,
    /// The gods in the order of the list; the last comes first.
    pub(crate) gods: Vec<String>,
}

/// Of each of three stairs down: the zone it is in, and whether that is known to lead to the top
/// (spec 05 §9.6).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Connections {
    pub(crate) region: [Option<usize>; 3],
    pub(crate) connected: [bool; 3],
}

impl Default for Connections {
    fn default() -> Connections {
        Connections { region: [Some(0); 3], connected: [true; 3] }
    }
}
