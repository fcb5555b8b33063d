//! What happens on the level, which events its markers receive, and what they did.

use std::collections::BTreeMap;
use std::sync::Arc;

use vaultwright_map::Point;

use super::Play;
use crate::api::monster_object::{monster_object, monster_property};
use crate::builder::abyss::shift::shift_abyss;
use crate::journey::turns;
use crate::observe::timeline::Moment;
use crate::play::dispatch;
use crate::play::protocol::{self, Telling};
use crate::state::world::{MonsterNumber, World};
use vaultwright_level::{Event, EventKind};

impl<W: World + 'static> Play<W> {
    /// Sends an event to everything that listens for it.
    pub fn raise(&mut self, event: Event) {
        if !self.host().play.listeners.wait_for(event.kind, event.at) {
            return;
        }
        let (lua, host) = self.engine.refilled();
        dispatch::raise(lua, host, event);
    }

    /// Sends a look event to each cell in sight, from the eye outwards (spec 07 §8.5).
    pub fn raise_in_sight(&mut self, eye: Point) {
        let world = self.host().world();
        let looking = self.host().play.listeners.cells_waiting_for(EventKind::PlayerLos);
        let mut cells: Vec<Point> = looking.filter(|&p| world.borrow().sees(p)).collect();
        let order = |p: &Point| {
            let (dx, dy) = (p.x - eye.x, p.y - eye.y);
            (dy.abs(), dx.abs(), dx < 0, dy < 0)
        };
        cells.sort_by_key(order);
        for p in cells {
            self.raise(Event::at(EventKind::PlayerLos, p, self.time_taken()));
        }
    }

    /// Reports that a monster has died, after running its death function, if it has one (spec 07
    /// §8.5, §12.9). The world still knows the monster, but it is no longer on the level.
    /// Afterwards what scripts have given to it is forgotten, and its number may be that of
    /// another.
    pub fn monster_died(&mut self, number: MonsterNumber, at: Point, killer: usize) {
        let (lua, host) = self.engine.refilled();
        let function = monster_property(lua, &host.play, number, "monster_dies_lua_key");
        if let Some(function) = function.and_then(|value| value.as_function().cloned()) {
            let content = Arc::clone(&host.content);
            let killer = content.play().killer_name(killer).unwrap_or("none");
            // The function may act on the world.
            let monster = monster_object(lua, &host.slot, &*host.world().borrow(), number);
            let called =
                monster.and_then(|monster| host.lend(|| function.call::<()>((monster, killer))));
            if let Err(error) = called {
                protocol::say_lua_error(host, "Lua error: ", &error);
            }
        }
        let (arg1, arg2) = (number as i32, killer as i32);
        self.raise(Event { arg1, arg2, ..Event::at(EventKind::MonsterDies, at, 0) });
        self.engine.parts().1.play.monster_properties.remove(&number);
    }

    /// Returns whether a script has given a monster a property with this name.
    pub fn has_monster_property(&self, number: MonsterNumber, name: &str) -> bool {
        monster_property(self.lua(), &self.host().play, number, name).is_some()
    }

    /// Returns the value of a property that a script has given to a monster: its text, or what its
    /// function returns for the monster. An error of the function becomes a message.
    pub fn monster_answer(&mut self, number: MonsterNumber, name: &str) -> Option<String> {
        let (lua, host) = self.engine.refilled();
        let value = monster_property(lua, &host.play, number, name)?;
        let Some(function) = value.as_function() else {
            return value.as_string().map(|text| text.to_string_lossy());
        };
        let monster = monster_object(lua, &host.slot, &*host.world().borrow(), number);
        let answer =
            monster.and_then(|monster| host.lend(|| function.call::<Option<String>>(monster)));
        answer.unwrap_or_else(|error| {
            protocol::say_lua_error(host, "Lua error: ", &error);
            None
        })
    }

    /// Runs what the level does while the player acts, before monsters act.
    pub fn environment_step(&mut self) {
        let (lua, host) = self.engine.refilled();
        turns::environment_step(lua, host);
    }

    /// Ages clouds and advances the clock.
    pub fn end_of_action(&mut self) {
        let (lua, host) = self.engine.parts();
        turns::end_of_action(lua, host);
    }

    /// Lets time pass elsewhere.
    pub fn let_time_pass(&mut self, ticks: i32) {
        let elapsed = self.elapsed().saturating_add(i64::from(ticks));
        self.engine.host.play.elapsed = elapsed;
    }

    /// Moves the window over the Abyss if the player is far from its middle. Returns whether it
    /// moved. The markers outside the new window are gone; those of new vaults are activated.
    pub fn follow_abyss(&mut self) -> bool {
        let (lua, host) = self.engine.refilled();
        let moved = shift_abyss(lua, host);
        if moved {
            host.hand_over();
            protocol::activate_markers(lua, host, Telling::Aloud);
            let player = host.world().borrow().player();
            self.raise(Event::at(EventKind::PlayerMove, player, self.time_taken()));
            self.look();
        }
        moved
    }

    /// Starts recording a timeline.
    pub fn keep_timeline(&mut self) {
        self.host().observers.borrow_mut().timeline.get_or_insert_default();
    }

    /// Returns the latest moments at which something changed.
    pub fn timeline(&self) -> Vec<Moment> {
        let observers = self.host().observers.borrow();
        observers.timeline.iter().flat_map(|timeline| timeline.moments().cloned()).collect()
    }

    /// Starts counting how often markers receive events.
    pub fn count_events(&mut self) {
        self.host().observers.borrow_mut().told_events.get_or_insert_default();
    }

    /// Returns how often markers of each class received each event since counting began.
    pub fn counted_events(&self) -> BTreeMap<(String, EventKind), u64> {
        let observers = self.host().observers.borrow();
        observers.told_events.as_ref().map_or_else(BTreeMap::new, |told| told.0.clone())
    }
}
