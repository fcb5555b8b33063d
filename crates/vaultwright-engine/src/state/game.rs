//! What a game keeps from level to level.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use vaultwright_content::{BranchId, Branches};
use vaultwright_map::{Dungeon, LevelPlace, MapId};
use vaultwright_rng::{FIRST_BRANCH_STREAM, Streams};

use super::population::Population;
use super::used::UsedMaps;

use super::abyss::AbyssState;
use super::tide::Tide;

/// A game: all that goes on from level to level, but for what scripts keep in Lua.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct RunningGame {
    /// The random streams.
    pub(crate) streams: Streams,
    /// The level under way.
    pub(crate) place: LevelPlace,
    /// Which branches there are, how deep, and where they are entered.
    pub(crate) dungeon: Dungeon,
    /// What else it keeps.
    pub(crate) state: GameState,
    /// Which maps it has used.
    pub(crate) used: UsedMaps,
    /// Who exists.
    pub(crate) population: Population,
    /// The global functions that run after each level of a branch is built.
    pub(crate) branch_epilogues: BTreeMap<BranchId, String>,
    /// Whether maps drawn by tag have to suit the depth.
    pub(crate) depth_checks: bool,
}

impl RunningGame {
    /// Returns a game just begun, in the state in which lone maps are rolled.
    pub(crate) fn new(branches: &Branches, dungeon: Dungeon, seed: u64) -> RunningGame {
        RunningGame {
            streams: Streams::from_seed(seed, FIRST_BRANCH_STREAM + branches.len()),
            place: LevelPlace::START,
            dungeon,
            state: GameState::default(),
            used: UsedMaps::default(),
            population: Population::default(),
            branch_epilogues: BTreeMap::new(),
            depth_checks: false,
        }
    }

    /// Returns what there is while maps are compiled, before any game has begun.
    pub(crate) fn unbegun(branches: &Branches) -> RunningGame {
        RunningGame {
            depth_checks: true,
            ..RunningGame::new(branches, Dungeon::unset(branches), 1)
        }
    }
}

/// What a game keeps beside used maps and monsters.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct GameState {
    /// The index of a map that the level under way has to have.
    #[serde(skip)]
    pub(crate) forced: Option<MapId>,
    /// The Temple, if the game has chosen one.
    pub(crate) temple: Option<Temple>,
    /// The temples of the Dungeon that take the other gods: depth, and altars by god.
    pub(crate) overflow_temples: Vec<(i32, Vec<String>)>,
    /// How the levels built so far hang together.
    pub(crate) connections: BTreeMap<LevelPlace, Connections>,
    /// Where in the Abyss the player is, if he ever was there.
    pub(crate) abyss: Option<AbyssState>,
    /// How many areas of the Abyss have been made.
    #[serde(default)]
    pub(crate) abyss_areas: u32,
    /// How many levels of Pandemonium have been made.
    pub(crate) pandemonium_levels: i32,
    /// How high the water of the Shoals stands.
    pub(crate) tide: Tide,
    /// The flags that vaults have given branches, where rules have them (`BFLAGS`).
    pub(crate) branch_flags: BTreeMap<BranchId, BTreeSet<String>>,
    /// How many ghosts of levels that were thrown away lie in the bones file of a level or branch.
    pub(crate) bones: BTreeMap<String, usize>,
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

/// Returns the tag of a temple for a god.
pub(crate) fn god_tag(god: &str) -> String {
    format!("temple_overflow_{}", god.to_lowercase().replace(' ', "_"))
}
