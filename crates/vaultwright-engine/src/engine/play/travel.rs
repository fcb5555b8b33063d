//! Entering and leaving levels.

use vaultwright_content::BranchId;
use vaultwright_map::{LevelPlace, MapId, Point};

use super::super::placing::FITS_NOWHERE;
use super::Play;
use crate::journey::travel::{self, Arrival, Leaving};
use crate::observe::veto::LevelError;
use crate::place::in_play::place_in_play;
use crate::place::vault::{NotPlaced, Request, told_at};
use crate::play::protocol::{self, Telling};
use crate::resolve::ground::Aim;
use crate::select::choice::{Wanted, choose};
use crate::state::map_cell::MapCell;
use crate::state::playing::PlayState;
use crate::state::world::World;

impl<W: World + 'static> Play<W> {
    /// Places a map on the level at random, or centred on a cell, as if the level had been built
    /// with it. Returns the cell of its top left corner.
    pub fn place_vault(&mut self, map: MapId, centre: Option<Point>) -> Result<Point, String> {
        let library = self.engine.library();
        let Some(listed) = library.get(map) else { return Err("no such map".to_owned()) };
        let map = MapCell::of(listed);
        let (lua, host) = self.engine.refilled();
        if let Some(at) = centre.filter(|&at| host.level.feature(at).is_none()) {
            return Err(format!("{},{} is no cell of the level", at.x, at.y));
        }
        let request =
            Request { no_exits: true, aim: Aim { centre, checked: false }, ..Request::default() };
        let placed = host.while_making(|host| place_in_play(lua, host, &map, &request));
        let index = placed.map_err(|not_placed| match not_placed {
            NotPlaced::Refused { reason } => reason.unwrap_or_else(|| FITS_NOWHERE.to_owned()),
            NotPlaced::Veto { problem: Some(error), .. } => error.message,
            NotPlaced::Veto { veto, problem: None } => {
                told_at(host.game.place, &host.content, &veto)
            }
        })?;
        host.hand_over();
        Ok(host.level.vaults.get(index).map_or(Point::new(0, 0), |vault| vault.at))
    }

    /// Takes the player to a level of the game, leaving the current level, if there is one. `at`
    /// chooses the cell on the new level.
    pub fn travel(
        &mut self,
        from: Option<Leaving>,
        place: LevelPlace,
        at: impl FnOnce(&mut Play<W>) -> Point,
    ) -> Result<(), LevelError> {
        let (lua, host) = self.engine.refilled();
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
                self.return_to(before);
                Err(error)
            }
        }
    }

    /// Takes the player to a level that consists of one map with a tag, drawn by weight, as a
    /// marker's `dst` requests (spec 07 §13). The previous level is lost: there is no way back.
    pub fn travel_to_tag(
        &mut self,
        tag: &str,
        at: impl FnOnce(&mut Play<W>) -> Point,
    ) -> Result<(), String> {
        let (lua, host) = self.engine.refilled();
        let chosen = choose(host, Wanted::Tags { tags: &[tag], check_depth: false, chance: true });
        let Some(index) = chosen else { return Err(format!("no map has the tag '{tag}'")) };
        travel::leave(lua, host, Leaving::Stairs)?;
        host.world().borrow_mut().move_player(Point::new(0, 0));
        let place = host.game.place;
        forget_for_ever(&mut host.play, &mut *host.world.borrow_mut(), place);
        host.world().borrow_mut().enter_level(place);
        host.level.reset_open(host.content.features());
        self.place_vault(index, None)?;
        let (lua, host) = self.engine.parts();
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

    /// Returns to the level after leaving it failed.
    fn return_to(&mut self, place: LevelPlace) {
        let (lua, host) = self.engine.parts();
        if host.play.away.contains_key(&place)
            && let Ok(arrival) = travel::bring(lua, host, place)
        {
            self.arrive(&arrival, |_| Point::new(1, 1));
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

    /// Leaves the level. The player is then not on any level.
    pub fn leave(&mut self, way: Leaving) -> Result<(), String> {
        let (lua, host) = self.engine.refilled();
        travel::leave(lua, host, way)
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

    /// Saves the markers and loads them again, as the reference does when it loads a game.
    pub fn reload(&mut self) -> Result<(), String> {
        let (lua, host) = self.engine.refilled();
        travel::reload(lua, host)
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
