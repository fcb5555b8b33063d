//! Which markers are told of what.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use vaultwright_level::MarkerId;
use vaultwright_map::Point;

use vaultwright_level::EventKind;

/// Who is told of what (spec 07 §8.3).
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Listeners {
    pub(crate) global: Vec<GlobalListener>,
    /// Every mask ever registered; it never shrinks.
    pub(crate) global_mask: u32,
    pub(crate) cells: BTreeMap<Point, CellListeners>,
}

/// A listener for what happens anywhere on the level.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct GlobalListener {
    pub(crate) marker: MarkerId,
    pub(crate) mask: u32,
    /// Ticks for which it does not want to hear of turns, if any.
    pub(crate) asleep: Option<i32>,
    /// Ticks of the turns that it has slept through.
    pub(crate) owed: i32,
}

/// The listeners of a cell. They share one mask: each is told what any of them waits for.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct CellListeners {
    pub(crate) mask: u32,
    pub(crate) markers: Vec<MarkerId>,
}

impl Listeners {
    pub(crate) fn add_global(&mut self, mask: u32, marker: MarkerId) {
        self.global_mask |= mask;
        match self.global.iter_mut().find(|listener| listener.marker == marker) {
            Some(listener) => listener.mask |= mask,
            None => self.global.push(GlobalListener { marker, mask, asleep: None, owed: 0 }),
        }
    }

    pub(crate) fn add_at(&mut self, p: Point, mask: u32, marker: MarkerId) {
        let cell = self.cells.entry(p).or_default();
        cell.mask |= mask;
        if !cell.markers.contains(&marker) {
            cell.markers.push(marker);
        }
    }

    pub(crate) fn remove_global(&mut self, marker: MarkerId) {
        self.global.retain(|listener| listener.marker != marker);
    }

    /// Takes a marker off a cell, which keeps its record and its mask.
    pub(crate) fn remove_at(&mut self, p: Point, marker: MarkerId) {
        if let Some(cell) = self.cells.get_mut(&p) {
            cell.markers.retain(|&other| other != marker);
        }
    }

    /// Lets what waits on a cell wait on another from now on, in place of what waited there.
    pub(crate) fn move_cell(&mut self, from: Point, to: Point) {
        if let Some(cell) = self.cells.remove(&from) {
            self.cells.insert(to, cell);
        }
    }

    /// Returns whether a listener may have to be told.
    pub(crate) fn wait_for(&self, kind: EventKind, at: Point) -> bool {
        match kind.is_global() {
            true => self.global_mask & kind.code() != 0,
            false => self.cells.get(&at).is_some_and(|cell| cell.mask & kind.code() != 0),
        }
    }

    /// Returns the cells with listeners for it.
    pub(crate) fn cells_waiting_for(&self, kind: EventKind) -> impl Iterator<Item = Point> + '_ {
        let waiting = move |cell: &CellListeners| cell.mask & kind.code() != 0;
        self.cells.iter().filter(move |(_, cell)| waiting(cell)).map(|(&p, _)| p)
    }

    /// Returns whom to tell, in order.
    pub(crate) fn of(&self, kind: EventKind, at: Point) -> Vec<MarkerId> {
        let code = kind.code();
        if !self.wait_for(kind, at) {
            return Vec::new();
        }
        if kind.is_global() {
            let waiting = self.global.iter().filter(|listener| listener.mask & code != 0);
            return waiting.map(|listener| listener.marker).collect();
        }
        self.cells.get(&at).map_or(Vec::new(), |cell| cell.markers.clone())
    }

    /// Lets a listener hear of no turns until so many ticks have passed.
    pub(crate) fn sleep(&mut self, marker: MarkerId, ticks: i32) {
        if let Some(listener) = self.global.iter_mut().find(|listener| listener.marker == marker) {
            listener.asleep = Some(ticks);
        }
    }

    /// Lets a turn pass, and returns those who are awake or wake up, each with the ticks that it
    /// has not heard of.
    pub(crate) fn pass_turn(&mut self, ticks: i32) -> Vec<(MarkerId, i32)> {
        let turn = EventKind::Turn.code();
        let mut awake = Vec::new();
        for listener in self.global.iter_mut().filter(|listener| listener.mask & turn != 0) {
            if let Some(left) = &mut listener.asleep {
                *left = left.saturating_sub(ticks);
                if *left > 0 {
                    listener.owed = listener.owed.saturating_add(ticks);
                    continue;
                }
            }
            listener.asleep = None;
            awake.push((listener.marker, std::mem::take(&mut listener.owed).saturating_add(ticks)));
        }
        awake
    }

    /// Wakes a listener. Returns the ticks that it has slept through.
    pub(crate) fn wake(&mut self, marker: MarkerId) -> i32 {
        let listener = self.global.iter_mut().find(|listener| listener.marker == marker);
        listener.map_or(0, |listener| {
            listener.asleep = None;
            std::mem::take(&mut listener.owed)
        })
    }

    /// Returns those who have slept through some ticks.
    pub(crate) fn owed(&self) -> Vec<MarkerId> {
        let owed = self.global.iter().filter(|listener| listener.owed != 0);
        owed.map(|listener| listener.marker).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_has_one_mask_for_all() {
        let (here, there) = (Point::new(3, 4), Point::new(5, 6));
        let mut listeners = Listeners::default();
        listeners.add_at(here, EventKind::PlayerMove.code(), 1);
        listeners.add_at(here, EventKind::FeatChange.code(), 2);
        listeners.add_at(here, EventKind::FeatChange.code(), 1);
        assert_eq!(listeners.of(EventKind::PlayerMove, here), [1, 2]);
        assert_eq!(listeners.of(EventKind::DoorOpened, here), [0; 0]);
        listeners.remove_at(here, 1);
        listeners.move_cell(here, there);
        assert_eq!(listeners.of(EventKind::PlayerMove, there), [2]);
        assert_eq!(listeners.of(EventKind::PlayerMove, here), [0; 0]);
    }

    #[test]
    fn sleepers_hear_of_all_ticks_at_once() {
        let mut listeners = Listeners::default();
        for marker in [1, 2] {
            listeners.add_global(EventKind::Turn.code(), marker);
        }
        listeners.sleep(1, 25);
        assert_eq!(listeners.pass_turn(10), [(2, 10)]);
        assert_eq!(listeners.pass_turn(10), [(2, 10)]);
        assert_eq!(listeners.pass_turn(10), [(1, 30), (2, 10)]);
        listeners.sleep(1, 25);
        assert_eq!(listeners.pass_turn(10), [(2, 10)]);
        assert_eq!((listeners.owed(), listeners.wake(1)), (vec![1], 10));
        assert_eq!(listeners.pass_turn(10), [(1, 10), (2, 10)]);
    }
}
