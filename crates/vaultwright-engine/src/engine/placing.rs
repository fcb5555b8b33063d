//! Placing single maps: on empty levels, in caves, on levels that are already built.

use vaultwright_level::Level;
use vaultwright_map::{LevelPlace, MapId};

use super::errors::PlaceError;
use super::rolling::problem_of;
use super::session::Engine;
use crate::builder::layouts::delve::dig_caves;
use crate::pack::library::LibraryMap;
use crate::place::in_play::place_in_play;
use crate::place::vault::{NotPlaced, Request};
use crate::resolve::ground::Aim;
use crate::script::markers::ask_for_transporters;
use crate::state::map_cell::MapCell;
use crate::state::site::on_site;

/// Why a map is not placed of which nothing else is said.
const FITS_NOWHERE: &str = "it fits nowhere";

/// The ground on which a single map is placed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ground {
    /// Floor inside a border of rock. The map may stand anywhere, and its exits are not connected.
    #[default]
    Floor,
    /// Solid rock, otherwise like `Floor`.
    Rock,
    /// Caves. The map stands where there is room for it, and its exits are connected to them.
    Cave,
    /// The level as it is built otherwise, with room and exits as for `Cave`.
    Level,
}

impl Ground {
    /// Returns whether the map must find room and be connected to the rest of the level.
    pub fn is_real(self) -> bool {
        matches!(self, Ground::Cave | Ground::Level)
    }
}

/// How many times a map looks for room.
const TRIES: usize = 20;

/// The conditions under which a single map is placed.
#[derive(Clone, Debug, Default)]
pub struct PlaceConditions {
    /// The ground before the map is placed.
    pub ground: Ground,
    /// Tags that the map gets in addition.
    pub tags: Vec<String>,
}

/// The result of placing a map: the level with the map on it.
pub type Placement = Result<Box<Level>, PlaceError>;

impl Engine {
    /// Places a map on an empty level of floor in a new game, without checking for collisions or
    /// connecting exits (goldens/README: place).
    pub fn place(&mut self, map: MapId, seed: u64) -> Placement {
        self.place_under(map, seed, &PlaceConditions::default())
    }

    /// Like [`Engine::place`], under other conditions.
    pub fn place_under(
        &mut self,
        map: MapId,
        seed: u64,
        conditions: &PlaceConditions,
    ) -> Placement {
        self.place_at(map, self.home.unwrap_or(LevelPlace::START), seed, conditions)
    }

    /// Like [`Engine::place_under`], as if on the given level. This also decides what scripts learn
    /// about the level.
    pub fn place_at(
        &mut self,
        map: MapId,
        place: LevelPlace,
        seed: u64,
        conditions: &PlaceConditions,
    ) -> Placement {
        let library = self.library();
        let Some(listed) = library.get(map) else {
            return Err(PlaceError::NoSuchMap);
        };
        let built = match conditions.ground {
            Ground::Level => Some(self.build(place, seed).map_err(PlaceError::NoLevel)?),
            Ground::Floor | Ground::Rock | Ground::Cave => None,
        };
        self.start_game(seed);
        self.settle_at(place);
        self.interpreter.refill();
        let is_real = conditions.ground.is_real();
        match (conditions.ground, built) {
            (_, Some(built)) => self.host.level = built.level,
            (Ground::Rock, None) => {
                self.host.level.reset(self.host.content.features());
            }
            (Ground::Cave, None) => on_site(&mut self.host, dig_caves),
            (Ground::Floor | Ground::Level, None) => {}
        }
        let aim = if is_real { Aim::CHECKED } else { Aim::default() };
        let request = Request { aim, no_exits: !is_real, ..Request::default() };
        let mut tries = if is_real { TRIES } else { 1 };
        let placed = loop {
            let map = MapCell::of(listed);
            map.def.borrow_mut().tags.extend(conditions.tags.iter().cloned());
            let placed = place_in_play(self.interpreter.lua(), &mut self.host, &map, &request);
            tries -= 1;
            if !matches!(placed, Err(NotPlaced::Refused { .. })) || tries == 0 {
                break placed;
            }
        };
        let placement = match placed {
            Ok(_) => {
                // Whoever looks at the level later cannot query its markers any more.
                ask_for_transporters(self.interpreter.lua(), &mut self.host);
                let mut level = Box::new(self.host.level.clone());
                self.finish_level(place, &mut level, false);
                Ok(level)
            }
            Err(not_placed) => Err(place_error(not_placed, listed)),
        };
        self.restore_after();
        placement
    }
}

/// Returns why a map was not placed, as it is told outside.
pub(super) fn place_error(not_placed: NotPlaced, map: &LibraryMap) -> PlaceError {
    match not_placed {
        NotPlaced::Veto { veto, problem } => {
            PlaceError::Vetoed { veto, problem: problem.map(|error| problem_of(*error, map)) }
        }
        NotPlaced::Refused { reason } => {
            PlaceError::Refused(reason.unwrap_or_else(|| FITS_NOWHERE.to_owned()))
        }
    }
}
