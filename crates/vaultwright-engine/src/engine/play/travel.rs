//! Entering and leaving levels.

use vaultwright_content::BranchId;
use vaultwright_map::{LevelPlace, MapId, Point};

use super::super::errors::PlaceError;
use super::super::placing::place_error;
use super::Play;
use crate::journey::travel::{self, Arrival, Leaving};
use crate::observe::veto::LevelError;
use crate::place::in_play::place_in_play;
use crate::place::vault::Request;
use crate::play::protocol::{self, Telling};
use crate::resolve::ground::Aim;
use crate::select::choice::{Wanted, choose};
use crate::state::map_cell::MapCell;
use crate::state::playing::PlayState;
use crate::state::world::World;

impl<W: World + 'static> Play<W> {
    /// Puts a map on the level where it happens to fit, or with its middle on a cell, as if the
    /// level had been built with it. Returns the cell of its top left corner.
    ///
    /// # Errors
    ///
    /// If there is no such map or no such cell, or the map does not fit or spoils the level.
    pub fn place_vault(&mut self, map: MapId, centre: Option<Point>) -> Result<Point, PlaceError> {
        let at = self.put_vault(map, centre)?;
        self.engine.parts().1.hand_over();
        Ok(at)
    }

    /// The same before the world knows of it.
    fn put_vault(&mut self, map: MapId, centre: Option<Point>) -> Result<Point, PlaceError> {
        let library = self.engine.library();
        let listed = library.get(map).ok_or(PlaceError::NoSuchMap)?;
        let map = MapCell::of(listed);
        let (lua, host) = self.engine.refilled();
        if let Some(at) = centre.filter(|&at| host.level.feature(at).is_none()) {
            let message = format!("{},{} is no cell of the level", at.x, at.y);
            return Err(PlaceError::Refused(message));
        }
        let request =
            Request { no_exits: true, aim: Aim { centre, checked: false }, ..Request::default() };
        let placed = host.while_making(|host| place_in_play(lua, host, &map, &request));
        let index = placed.map_err(|not_placed| place_error(not_placed, listed))?;
        Ok(host.level.vaults.get(index).map_or(Point::new(0, 0), |vault| vault.at))
    }

    /// Takes the player to a level of the game, leaving the current level, if there is one. `at`
    /// chooses the cell on the new level.
    ///
    /// # Errors
    ///
    /// If scripts of a level fail, or the level cannot be made: then the player is back where he
    /// stood.
    pub fn travel(
        &mut self,
        from: Option<Leaving>,
        place: LevelPlace,
        at: impl FnOnce(&mut Play<W>) -> Point,
    ) -> Result<(), LevelError> {
        let (lua, host) = self.engine.refilled();
        let stood = host.world().borrow().player();
        match from {
            Some(way) => travel::leave(lua, host, way).map_err(LevelError::Scripts)?,
            None => host.play.forget_level(),
        }
        host.world().borrow_mut().move_player(Point::new(0, 0));
        let before = host.game.place;
        // From Pandemonium to Pandemonium, the player enters another level of it.
        if place == before && host.traits().pandemonium {
            forget_for_ever(&mut host.play, &mut *host.world.borrow_mut(), before);
        }
        // Every ziggurat is a different one.
        if host.content.branches().traits(place.branch).another_each_time {
            forget_for_ever(&mut host.play, &mut *host.world.borrow_mut(), place);
        }
        // Scripts of the level may query where the exit leads.
        let entered = host.play.portals_entered.clone();
        let branch = host.content.branches().get(place.branch);
        let portal = branch.is_some_and(|b| b.parent.is_empty() && !b.entry.is_empty());
        if from.is_some() && portal && before.branch != place.branch {
            host.play.portals_entered.insert(place.branch, before);
        }
        let arrival = host.while_making(|host| travel::bring(lua, host, place));
        match arrival {
            Ok(arrival) => {
                self.arrive(&arrival, at);
                Ok(())
            }
            Err(error) => {
                host.play.portals_entered = entered;
                self.return_to(before, stood);
                Err(error)
            }
        }
    }

    /// Takes the player to a level that is one map with a tag, drawn by weight, as the `dst` of a
    /// marker asks for (spec 07 §13). The level that is left is gone: no way leads back.
    ///
    /// # Errors
    ///
    /// If no map has the tag, scripts of the level that is left fail, or the map cannot be placed:
    /// then the player is back where he stood.
    pub fn travel_to_tag(
        &mut self,
        tag: &str,
        at: impl FnOnce(&mut Play<W>) -> Point,
    ) -> Result<(), LevelError> {
        let (lua, host) = self.engine.refilled();
        let chosen = choose(host, Wanted::Tags { tags: &[tag], check_depth: false, chance: true });
        let index = chosen.ok_or_else(|| LevelError::NoMapWithTag(tag.to_owned()))?;
        let (place, stood) = (host.game.place, host.world().borrow().player());
        travel::leave(lua, host, Leaving::Stairs).map_err(LevelError::Scripts)?;
        host.world().borrow_mut().move_player(Point::new(0, 0));
        host.level.reset_open(host.content.features());
        if let Err(error) = self.put_vault(index, None) {
            self.return_to(place, stood);
            return Err(LevelError::NotPlaced(error.message()));
        }
        let (lua, host) = self.engine.parts();
        forget_for_ever(&mut host.play, &mut *host.world.borrow_mut(), place);
        host.world().borrow_mut().enter_level(place);
        host.hand_over();
        protocol::init_markers(lua, host);
        self.arrive(&Arrival::FIRST, at);
        Ok(())
    }

    /// Puts the player where `at` says, once markers are active.
    fn arrive(&mut self, arrival: &Arrival, at: impl FnOnce(&mut Play<W>) -> Point) {
        let (lua, host) = self.engine.parts();
        travel::wake_level(lua, host, arrival);
        let at = at(self);
        let (lua, host) = self.engine.parts();
        travel::set_foot(lua, host, arrival, at);
    }

    /// Returns to a cell of the level after leaving it led nowhere.
    fn return_to(&mut self, place: LevelPlace, cell: Point) {
        let (lua, host) = self.engine.parts();
        if !host.play.away.contains_key(&place) {
            return;
        }
        match travel::bring(lua, host, place) {
            Ok(arrival) => self.arrive(&arrival, |_| cell),
            Err(error) => host.say_error(&format!("No way leads back: {error}")),
        }
    }

    /// Activates everything on the level, as when the player first enters it: initialises and
    /// activates markers, runs epilogues, and sends the event that the level is entered.
    pub fn enter(&mut self, at: Point) {
        let (lua, host) = self.engine.refilled();
        host.hand_over();
        protocol::init_markers(lua, host);
        self.arrive(&Arrival::FIRST, |_| at);
    }

    /// Leaves the level; the player is nowhere then.
    pub fn leave(&mut self, way: Leaving) -> Result<(), LevelError> {
        let (lua, host) = self.engine.refilled();
        travel::leave(lua, host, way).map_err(LevelError::Scripts)
    }

    /// Returns to the level that was left last.
    pub fn come_back(&mut self, at: Point) -> Result<(), LevelError> {
        let (lua, host) = self.engine.refilled();
        let place = host.game.place;
        let arrival = travel::bring(lua, host, place)?;
        self.arrive(&arrival, |_| at);
        Ok(())
    }

    /// Calls `init` and `activate` of all markers without entering the level.
    pub fn activate(&mut self) {
        self.activate_with(Telling::Aloud);
    }

    /// Like [`Play::activate`], but the markers print no messages.
    pub fn activate_quietly(&mut self) {
        self.activate_with(Telling::Quietly);
    }

    fn activate_with(&mut self, telling: Telling) {
        let (lua, host) = self.engine.refilled();
        protocol::init_markers(lua, host);
        protocol::activate_markers(lua, host, telling);
    }

    /// Saves the markers and reads them again, as the reference does with a game that is loaded.
    pub fn reload(&mut self) -> Result<(), LevelError> {
        let (lua, host) = self.engine.refilled();
        travel::reload(lua, host).map_err(LevelError::Scripts)
    }

    /// Permanently discards a level that the player has left.
    pub fn discard(&mut self, place: LevelPlace) {
        let host = &mut self.engine.host;
        forget_for_ever(&mut host.play, &mut *host.world.borrow_mut(), place);
    }

    /// Returns the level from which a branch is entered; for a portal, the level from which the
    /// player entered it.
    pub fn came_from(&self, branch: BranchId) -> Option<LevelPlace> {
        let play = &self.host().play;
        let entry = self.host().game.dungeon.entry(branch);
        play.portals_entered.get(&branch).copied().or(entry)
    }
}

/// Discards a level that the player has left, here and in the world.
fn forget_for_ever(play: &mut PlayState, world: &mut dyn World, place: LevelPlace) {
    play.away.remove(&place);
    world.forget_level(place);
}
