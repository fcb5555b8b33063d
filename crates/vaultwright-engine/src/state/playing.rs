//! A level in play.

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap, VecDeque};
use std::ops::Range;
use std::rc::Rc;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use vaultwright_content::{BranchId, ChannelId, PlayTables};
use vaultwright_level::{Level, LevelMonster, MarkerId};
use vaultwright_lua::mlua::RegistryKey;
use vaultwright_map::{LevelPlace, Point};

use super::clouds::Clouds;
use super::host::Host;
use super::listeners::Listeners;
use super::monster_names::called;
use super::world::{MonsterNumber, World};
use crate::observe::event::BuildEvent;
use crate::pack::source_file::SourceFile;

/// What a level in play keeps beside its cells.
#[derive(Default)]
pub(crate) struct PlayState {
    /// Somebody is playing: terrain changes raise events, messages go to the world.
    pub(crate) live: bool,
    /// Time that the player was away for is made up for: only errors are heard.
    pub(crate) unheard: bool,
    pub(crate) listeners: Listeners,
    pub(crate) clouds: Clouds,
    /// Ticks of the player's current action.
    pub(crate) time_taken: i32,
    /// Ticks since the game began.
    pub(crate) elapsed: i64,
    /// Where errors that were said have come from, by their text.
    pub(crate) error_places: BTreeMap<String, (Arc<SourceFile>, Range<usize>)>,
    /// The tables of properties that scripts have given to monsters.
    pub(crate) monster_properties: BTreeMap<MonsterNumber, RegistryKey>,
    /// The objects by which scripts know markers.
    pub(crate) marker_objects: HashMap<MarkerId, RegistryKey>,
    /// What scripts have given to monsters of levels to which the player has not come yet, by where
    /// they stand.
    pub(crate) unborn_properties: BTreeMap<(LevelPlace, Point), RegistryKey>,
    /// Levels that the player is not on.
    pub(crate) away: BTreeMap<LevelPlace, AwayLevel>,
    /// From where the player came through portals to their branches.
    pub(crate) portals_entered: BTreeMap<BranchId, LevelPlace>,
    /// The levels of the game that are still to be made, in order.
    pub(crate) upcoming: VecDeque<LevelPlace>,
}

impl PlayState {
    /// Forgets the level without leaving it, as when one that is not kept is left.
    pub(crate) fn forget_level(&mut self) {
        self.listeners = Listeners::default();
        self.clouds = Clouds::default();
        self.marker_objects.clear();
    }
}

/// A level that the player is not on.
pub(crate) struct AwayLevel {
    pub(crate) level: Level,
    /// When it was left; `None` if the player has never been there.
    pub(crate) left: Option<i64>,
    /// Its Lua markers as their classes have written them; none before the first visit.
    pub(crate) written: Vec<(MarkerId, SavedMarker)>,
}

/// A Lua marker as its class has written it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct SavedMarker {
    pub(crate) class: String,
    pub(crate) bytes: Vec<u8>,
}

impl Host {
    pub(crate) fn world(&self) -> Rc<RefCell<dyn World>> {
        Rc::clone(&self.world)
    }

    pub(crate) fn is_live(&self) -> bool {
        self.play.live
    }

    /// Says something to the player. While nobody plays, errors and diagnostics are for whoever
    /// reads the messages of a build, and nobody hears the rest.
    pub(crate) fn say(&mut self, text: &str, channel: ChannelId) {
        // A script that has no room left for this ends at its next instruction.
        if self.keep(text.len() + std::mem::size_of::<String>()).is_ok() {
            self.say_kept(text, channel);
        }
    }

    fn say_kept(&mut self, text: &str, channel: ChannelId) {
        if !self.is_live() {
            let tables = self.content.play();
            if ["error", "diagnostic", "warn"]
                .iter()
                .any(|name| tables.channel(name) == Some(channel))
            {
                self.log(text);
            }
            return;
        }
        if self.play.unheard && self.content.play().channel("error") != Some(channel) {
            return;
        }
        self.note_change(|| format!("says \"{text}\""));
        self.world().borrow_mut().message(text, channel);
    }

    /// Says that something has failed: also that a script has no room or time left.
    pub(crate) fn say_error(&mut self, text: &str) {
        const SHORT: usize = 500;
        let channel = self.content.play().channel("error").unwrap_or(PlayTables::PLAIN);
        let is_kept = self.keep(text.len() + std::mem::size_of::<String>()).is_ok();
        let end = text.char_indices().nth(SHORT).map_or(text.len(), |(end, _)| end);
        self.say_kept(if is_kept { text } else { &text[..end] }, channel);
    }

    pub(crate) fn marker_position(&self, id: MarkerId) -> Option<Point> {
        self.level.markers.get(id).map(|marker| marker.at)
    }

    pub(crate) fn markers_by_column(&self) -> Vec<MarkerId> {
        self.level.markers.by_column().iter().map(|marker| marker.id).collect()
    }

    /// Takes a monster away that has not died, with what scripts have given to it.
    pub(crate) fn remove_monster(&mut self, number: MonsterNumber) {
        self.world.borrow_mut().remove_monster(number);
        self.play.monster_properties.remove(&number);
    }

    /// Takes a marker away. Whoever listens for it hears nothing any more.
    pub(crate) fn remove_marker(&mut self, id: MarkerId) {
        let removed = self.level.markers.remove(id);
        self.play.marker_objects.remove(&id);
        if let Some(marker) = removed {
            self.note_change(|| format!("marker at {},{} is removed", marker.at.x, marker.at.y));
        }
    }

    /// Takes away all markers of a cell, and all who listen there or for them (spec 07 §3).
    pub(crate) fn clear_markers_at(&mut self, p: Point) {
        let all = &self.level;
        let gone: Vec<MarkerId> = all.markers.at(p).map(|marker| marker.id).collect();
        for &id in &gone {
            self.play.listeners.remove_global(id);
            self.remove_marker(id);
        }
        if !gone.is_empty() {
            self.play.listeners.cells.remove(&p);
        }
    }

    /// Tells those who watch that something has changed in play.
    pub(crate) fn note_change(&self, change: impl FnOnce() -> String) {
        if self.observers.borrow().want_changes() {
            self.tell(&BuildEvent::Change(&change()));
        }
    }

    pub(crate) fn is_solid(&self, p: Point) -> bool {
        let feature = self.level.feature(p);
        feature.is_none_or(|id| self.content.features().get(id).flags.solid())
    }

    /// Returns the cells where clouds block sight.
    pub(crate) fn opaque_clouds(&self) -> Vec<Point> {
        let kinds = &self.content.play().clouds;
        let play = &self.play;
        let opaque = play.clouds.0.iter().filter(|(_, cloud)| kinds[cloud.kind.0].opaque);
        opaque.map(|(&p, _)| p).collect()
    }

    /// Tells the world that sight has changed.
    pub(crate) fn look(&self) {
        let size = self.content.level_size();
        self.with_opaque(|opaque| self.world().borrow_mut().look(size, opaque));
    }

    /// Hands out the test of which cells block sight.
    pub(crate) fn with_opaque<T>(&self, action: impl FnOnce(&dyn Fn(Point) -> bool) -> T) -> T {
        let (level, play) = (&self.level, &self.play);
        let (features, kinds) = (self.content.features(), &self.content.play().clouds);
        action(&|p: Point| {
            level.feature(p).is_none_or(|id| features.get(id).flags.opaque())
                || play.clouds.0.get(&p).is_some_and(|cloud| kinds[cloud.kind.0].opaque)
        })
    }

    /// Runs something that makes a level while somebody plays: nobody is told of its terrain, and
    /// nothing that it says is heard.
    pub(crate) fn while_making<R>(&mut self, run: impl FnOnce(&mut Host) -> R) -> R {
        let before = std::mem::replace(&mut self.play.live, false);
        let result = run(self);
        self.play.live = before;
        result
    }

    /// Runs something of which the player hears nothing, but for errors of scripts.
    pub(crate) fn while_unheard<R>(&mut self, run: impl FnOnce(&mut Host) -> R) -> R {
        let before = std::mem::replace(&mut self.play.unheard, true);
        let result = run(self);
        self.play.unheard = before;
        result
    }

    /// Runs something with stand-ins for the world's monsters and the player on the level, so that
    /// what is created finds a cell of its own.
    pub(crate) fn among_stand_ins<R>(&mut self, run: impl FnOnce(&mut Host) -> R) -> R {
        let cells = {
            let world = self.world.borrow();
            let taken = |&p: &Point| world.monster_at(p).is_some() || world.player() == p;
            self.level.points().filter(taken).collect::<Vec<Point>>()
        };
        let nobody = LevelMonster::default();
        self.level.monsters.extend(cells.iter().map(|&p| (p, nobody.clone())));
        let result = run(self);
        cells.iter().for_each(|p| drop(self.level.monsters.remove(p)));
        result
    }

    /// Hands the monsters and items that building has put on the level over to the world.
    pub(crate) fn hand_over(&mut self) {
        let level = &mut self.level;
        let (mut monsters, items) =
            (std::mem::take(&mut level.monsters), std::mem::take(&mut level.items));
        // Nobody here lies in wait: lurkers stand where they were put.
        for (at, lurker) in std::mem::take(&mut level.lurkers) {
            monsters.entry(at).or_insert(lurker);
        }
        let (world, content) = (self.world(), Arc::clone(&self.content));
        for (at, monster) in monsters {
            let names = called(&content, &monster).names(&monster);
            let kind = names.kind.clone();
            let number = world.borrow_mut().add_monster(at, &monster, names);
            // Nothing of a monster that had its number before it.
            self.play.monster_properties.remove(&number);
            if let Some(properties) = self.play.unborn_properties.remove(&(self.game.place, at)) {
                self.play.monster_properties.insert(number, properties);
            }
            self.note_change(|| format!("{kind} appears at {},{}", at.x, at.y));
        }
        for (at, items) in items {
            for item in items {
                world.borrow_mut().add_item(at, &item);
                self.note_change(|| format!("{} appears at {},{}", item.spec, at.x, at.y));
            }
        }
    }
}
