//! Doors: opening and closing them, and how markers affect this (spec 07 §13, §14.5).

use vaultwright_content::FeatureId;
use vaultwright_engine::{EventKind, Play, World};
use vaultwright_map::{COMPASS, ORTHOGONAL, Point};

use crate::door_words;
use crate::sandbox::Sandbox;
use crate::session::{Done, Session, TURN, is_open, nearest};

/// Whether a door is open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Door {
    Open,
    Closed,
}

impl Door {
    /// Returns what the door of a cell turns into: runed and broken doors become plain ones, clear
    /// ones stay clear.
    fn feature(self, play: &Play<Sandbox>, p: Point) -> Option<FeatureId> {
        let features = play.content().features();
        let clear = features.get(play.level().feature(p)?).name.contains("clear");
        features.by_name(match (self, clear) {
            (Door::Open, false) => "open_door",
            (Door::Open, true) => "open_clear_door",
            (Door::Closed, false) => "closed_door",
            (Door::Closed, true) => "closed_clear_door",
        })
    }
}

/// Returns the door on a cell, except for sealed doors, which cannot be used.
pub(crate) fn door_of(play: &Play<Sandbox>, p: Point) -> Option<Door> {
    let feature = play.content().features().get(play.level().feature(p)?);
    match feature.flags.door() && !feature.flags.sealed() {
        true if feature.flags.closed_door() => Some(Door::Closed),
        true => Some(Door::Open),
        false => None,
    }
}

/// Returns the cells of a door that open and close together, column by column (spec 07 §8.5, §13
/// `connected_exclude`).
pub(crate) fn door_cells(play: &mut Play<Sandbox>, p: Point) -> Vec<Point> {
    let Some(kind) = door_of(play, p) else { return Vec::new() };
    let excluded =
        |play: &mut Play<Sandbox>, q: Point| !asked(play, q, "connected_exclude").is_empty();
    let mut cells = vec![p];
    if excluded(play, p) {
        return cells;
    }
    let mut next = 0;
    while let Some(&cell) = cells.get(next) {
        next += 1;
        for q in ORTHOGONAL.map(|step| cell.offset(step)) {
            if door_of(play, q) == Some(kind) && !cells.contains(&q) && !excluded(play, q) {
                cells.push(q);
            }
        }
    }
    cells.sort_unstable();
    cells
}

/// Returns the value that a cell's markers give for a property; empty if there is none.
pub(crate) fn asked(play: &mut Play<Sandbox>, p: Point, property: &str) -> String {
    if play.is_marked(p) { play.property_at(p, property) } else { String::new() }
}

impl Session {
    /// Opens the door on a cell, with all connected cells.
    pub fn open_door(&mut self, p: Point) -> Done {
        let play = &mut self.play;
        if door_of(play, p) != Some(Door::Closed) {
            return Done::No("There is no closed door there.".to_owned());
        }
        if asked(play, p, "veto_open") == "veto" {
            let reason = asked(play, p, "veto_reason");
            let shut = "The door is shut tight!".to_owned();
            return Done::No(if reason.is_empty() { shut } else { reason });
        }
        let prompt = asked(play, p, "door_open_prompt");
        if !prompt.is_empty() && !play.world_mut().confirm(&format!("{prompt} (y/N)")) {
            return Done::No("You leave the door closed.".to_owned());
        }
        self.use_door(p, Door::Open);
        Done::Yes
    }

    /// Closes the door on a cell, with all connected cells.
    pub fn close_door(&mut self, p: Point) -> Done {
        if door_of(self.play(), p) != Some(Door::Open) {
            return Done::No("There is no open door there.".to_owned());
        }
        let cells = door_cells(&mut self.play, p);
        let player = self.world().player();
        if cells.iter().any(|&q| q == player || self.world().monster_at(q).is_some()) {
            return Done::No("Something is in the doorway.".to_owned());
        }
        for q in cells {
            self.clear_doorway(q);
        }
        self.use_door(p, Door::Closed);
        Done::Yes
    }

    /// Closes every open door next to the player.
    pub fn close_doors(&mut self) -> Done {
        let player = self.world().player();
        let cells = COMPASS.map(|step| player.offset(step));
        let is_open = |play: &Play<Sandbox>, p: Point| door_of(play, p) == Some(Door::Open);
        let open = cells.into_iter().filter(|&p| is_open(&self.play, p));
        let open: Vec<Point> = open.collect();
        let mut done = Done::No("There is no open door next to you.".to_owned());
        for p in open {
            // A door that was closed with another is already closed.
            if is_open(&self.play, p) {
                done = self.close_door(p);
            }
        }
        done
    }

    /// Lets a monster open a door, unless a marker forbids it. The event is sent for the cell `p`
    /// only.
    pub fn monster_opens(&mut self, p: Point) -> Done {
        if asked(&mut self.play, p, "door_restrict") == "veto" {
            return Done::No("The monster may not.".to_owned());
        }
        for q in door_cells(&mut self.play, p) {
            if let Some(feature) = Door::Open.feature(self.play(), q) {
                self.play.set_door(q, feature);
            }
        }
        self.raise_at(EventKind::DoorOpened, p);
        Done::Yes
    }

    /// Lets the player use a door: first the message is printed, then each cell changes and its
    /// event is sent.
    fn use_door(&mut self, p: Point, to: Door) {
        let words = door_words::told(&mut self.play, p, to);
        self.say(&words);
        let event = if to == Door::Open { EventKind::DoorOpened } else { EventKind::DoorClosed };
        for q in door_cells(&mut self.play, p) {
            if let Some(feature) = to.feature(&self.play, q) {
                self.play.set_door(q, feature);
                self.raise_at(event, q);
            }
        }
        self.pass(TURN);
    }

    /// Pushes items in a doorway to the nearest free cell.
    fn clear_doorway(&mut self, p: Point) {
        let items = self.world().items_at(p);
        for item in items {
            let to = {
                let level = self.play().level();
                nearest(level, p, |q| q != p && is_open(level, self.play().content(), q))
            };
            if let Some(to) = to {
                self.move_item(item, to);
            }
        }
    }
}
