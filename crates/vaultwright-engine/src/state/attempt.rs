//! What is known while a level is made.

use std::collections::BTreeSet;

use vaultwright_map::{MapId, Point};

use super::host::Host;
use crate::observe::event::BuildEvent;
use crate::observe::veto::Veto;
use crate::pack::problem::ChunkError;

/// What is known while a level is made. Each attempt begins with one of its own; a veto drops it.
#[derive(Debug)]
pub(crate) struct Attempt {
    /// Which attempt it is, from 1; 0 before the first.
    pub(crate) number: usize,
    /// A level is being built: terrain is written, not changed.
    pub(crate) building: bool,
    /// Whether vaults may be drawn at random.
    pub(crate) random_maps: bool,
    /// Whether zones are to be counted before the next vault, and what was counted.
    pub(crate) counting_zones: bool,
    pub(crate) base_zones: usize,
    /// While the Abyss is filled: vaults may stand anywhere on the cells just made, and not on
    /// these, which a shift has kept.
    pub(crate) kept: Option<BTreeSet<Point>>,
    /// Cells whose items are in the way of maps already: those at which a script has put one, and
    /// with it all that others had put before (0.28 was asked).
    pub(crate) laid_out: BTreeSet<Point>,
    /// A map's own Lua has failed: from now on every failure to place is a veto.
    pub(crate) spoilt: bool,
    /// The Lua error behind that, until a veto carries it away.
    pub(crate) untold: Option<Box<ChunkError>>,
    /// What `dgn.last_builder_error` says.
    pub(crate) last_error: String,
}

impl Default for Attempt {
    fn default() -> Attempt {
        Attempt {
            number: 0,
            building: false,
            random_maps: true,
            counting_zones: false,
            base_zones: 0,
            kept: None,
            laid_out: BTreeSet::new(),
            spoilt: false,
            untold: None,
            last_error: String::new(),
        }
    }
}

impl Attempt {
    /// Notes that a map's own Lua has failed.
    pub(crate) fn spoil(&mut self, error: Box<ChunkError>) {
        (self.spoilt, self.untold) = (true, Some(error));
    }

    /// Returns whether a shift of the Abyss has kept a cell.
    pub(crate) fn is_kept(&self, p: Point) -> bool {
        self.kept.as_ref().is_some_and(|kept| kept.contains(&p))
    }
}

impl Host {
    /// Begins an attempt at a level.
    pub(crate) fn begin(&mut self, attempt: Attempt) {
        self.attempt = attempt;
        self.tell(&BuildEvent::Attempt(self.attempt.number));
    }

    /// Returns whether a level is being built.
    pub(crate) fn is_building(&self) -> bool {
        self.attempt.building
    }

    /// Runs something as part of building a level.
    pub(crate) fn while_building<R>(&mut self, run: impl FnOnce(&mut Host) -> R) -> R {
        let before = std::mem::replace(&mut self.attempt.building, true);
        let result = run(self);
        self.attempt.building = before;
        result
    }

    /// Runs something that fills the Abyss but for some cells that are kept.
    pub(crate) fn while_filling<R>(
        &mut self,
        kept: BTreeSet<Point>,
        run: impl FnOnce(&mut Host) -> R,
    ) -> R {
        let before = self.attempt.kept.replace(kept);
        let result = run(self);
        self.attempt.kept = before;
        result
    }

    /// Returns whether zones are to be counted before the next vault.
    pub(crate) fn counts_zones(&self) -> bool {
        let attempt = &self.attempt;
        attempt.counting_zones && attempt.base_zones == 0
    }

    /// Sets what `dgn.last_builder_error` says.
    pub(crate) fn set_last_error(&mut self, message: impl Into<String>) {
        self.attempt.last_error = message.into();
    }

    /// Returns the veto of a map that the level needs and that has no place on it. It tells the
    /// last error of the attempt, whichever map that was of (spec 04 §12.2, §12.4).
    pub(crate) fn not_placed(&self, map: MapId) -> Veto {
        let reason = Some(self.last_error()).filter(|error| !error.is_empty());
        Veto::NotPlaced { map: self.library.name_of(map).to_owned(), reason }
    }

    /// Returns what `dgn.last_builder_error` says.
    pub(crate) fn last_error(&self) -> String {
        self.attempt.last_error.clone()
    }
}
