//! Placing maps on empty levels.

use vaultwright_level::Level;
use vaultwright_map::LevelPlace;

use super::errors::PlaceError;
use super::rolling::problem_of;
use super::session::Engine;
use crate::place::in_play::place_in_play;
use crate::place::vault::{NotPlaced, Request};
use crate::state::map_cell::MapCell;

/// Under what conditions a map is placed alone.
#[derive(Clone, Debug, Default)]
pub struct PlaceConditions {
    /// The level is solid rock; else floor.
    pub filled: bool,
    /// Tags that the map gets in addition.
    pub tags: Vec<&'static str>,
}

/// What placing a map came to: the level on which it stands.
pub type Placement = Result<Box<Level>, PlaceError>;

impl Engine {
    /// Places a map on an empty level of floor in a game just started, without looking for
    /// collisions and without connecting exits (goldens/README: place).
    pub fn place(&mut self, index: usize, seed: u64) -> Placement {
        self.place_under(index, seed, &PlaceConditions::default())
    }

    /// As [`Engine::place`], under other conditions.
    pub fn place_under(
        &mut self,
        index: usize,
        seed: u64,
        conditions: &PlaceConditions,
    ) -> Placement {
        self.place_at(index, self.home.unwrap_or(LevelPlace::START), seed, conditions)
    }

    /// The same as on a level of the caller's choice, what scripts ask of it included.
    pub fn place_at(
        &mut self,
        index: usize,
        place: LevelPlace,
        seed: u64,
        conditions: &PlaceConditions,
    ) -> Placement {
        let library = self.library();
        let Some(listed) = library.maps.get(index) else {
            return Err(PlaceError::NoSuchMap);
        };
        self.start_game(seed);
        self.host.place.set(place);
        self.interpreter.refill();
        let map = MapCell::new(listed.definition.clone(), listed.origin);
        map.def.borrow_mut().tags.extend(conditions.tags.iter().map(|&tag| tag.to_owned()));
        if conditions.filled {
            self.host.level.borrow_mut().reset(self.host.content.features());
        }
        let request = Request { no_exits: true, ..Request::default() };
        let placed = place_in_play(self.interpreter.lua(), &self.host, &map, &request);
        let placement = match placed {
            Ok(_) => {
                let mut level = Box::new(self.host.level.borrow().clone());
                self.tell(place, &mut level);
                Ok(level)
            }
            Err(not_placed) => {
                let error = self.host.attempt.borrow_mut().problem.take();
                let problem = error.map(|error| problem_of(*error, listed));
                Err(match not_placed {
                    NotPlaced::Veto(veto) => PlaceError::Vetoed { veto, problem },
                    NotPlaced::Refused => PlaceError::Refused(self.host.last_error()),
                })
            }
        };
        self.restore_after();
        placement
    }
}
