//! The context of a draw: tables, streams, place, dungeon.

use std::collections::{BTreeMap, BTreeSet};

use vaultwright_content::{Content, LevelSize};
use vaultwright_rng::Streams;

use crate::own_monsters::OwnMonsters;
use crate::parsed_specs::ParsedSpecs;
use crate::{Dungeon, LevelPlace};

/// What a spec needs besides the map: tables, random streams, and the level it is for.
pub struct Context<'a> {
    /// The tables and rules.
    pub content: &'a Content,
    /// The random streams.
    pub rng: &'a mut Streams,
    /// The current level.
    pub place: LevelPlace,
    /// The branches of the game.
    pub dungeon: &'a Dungeon,
    /// The random monsters of the current level, for specs that draw one when they are parsed.
    pub own: OwnMonsters<'a>,
    /// A callback for picks, if they are recorded.
    pub picked: Option<&'a dyn Fn(&Pick)>,
    /// A cache of parsed specs, if there is one.
    pub parsed: Option<&'a ParsedSpecs>,
    /// Colours that scripts have defined.
    pub own_colours: &'a BTreeSet<String>,
}

impl<'a> Context<'a> {
    /// Returns a context that records and caches nothing.
    pub fn new(
        content: &'a Content,
        rng: &'a mut Streams,
        place: LevelPlace,
        dungeon: &'a Dungeon,
    ) -> Context<'a> {
        const NONE: &BTreeSet<String> = &BTreeSet::new();
        let own = OwnMonsters::default();
        Context { content, rng, place, dungeon, own, picked: None, parsed: None, own_colours: NONE }
    }

    /// Returns whether there is a colour of this name.
    pub fn knows_colour(&self, name: &str) -> bool {
        self.content.names().colours.contains(name) || self.own_colours.contains(name)
    }

    /// Returns the size of levels.
    pub fn level_size(&self) -> LevelSize {
        self.content.level_size()
    }

    /// Picks an index by weight. `segment` is the part of the running statement, for recording.
    #[inline]
    pub fn pick(&mut self, segment: usize, weights: &[i32]) -> Option<usize> {
        let chosen = match weights {
            // A single alternative needs no draw.
            [weight] => (*weight > 0).then_some(0),
            _ => self.rng.pick_weighted(weights.iter().copied()),
        };
        if let Some(tell) = self.picked {
            tell(&Pick { segment, weights, chosen });
        }
        chosen
    }

    /// Picks the index of one of several things, by their weights, as [`Context::pick`] does.
    #[inline]
    pub fn pick_of<T>(
        &mut self,
        segment: usize,
        things: &[T],
        weight: impl Fn(&T) -> i32,
    ) -> Option<usize> {
        if self.picked.is_some() {
            let weights: Vec<i32> = things.iter().map(weight).collect();
            return self.pick(segment, &weights);
        }
        match things {
            [thing] => (weight(thing) > 0).then_some(0),
            _ => self.rng.pick_weighted(things.iter().map(weight)),
        }
    }

    /// Picks one alternative and removes the others (a `fix` slot).
    pub(crate) fn keep_one<T>(&mut self, alternatives: &mut Vec<T>, weight: impl Fn(&T) -> i32) {
        if let Some(index) = self.pick_of(0, alternatives, weight) {
            alternatives.swap(0, index);
            alternatives.truncate(1);
        }
    }

    /// Makes the draws of something created with its own generator: four, whatever happens inside.
    pub fn spend_isolated(&mut self) {
        self.rng.enter_sub();
        self.rng.leave();
    }

    /// Returns whether the current level may have shafts (spec 05 §10.4).
    pub fn is_shaft_level(&self) -> bool {
        self.content.branches().get(self.place.branch).is_some_and(|branch| {
            branch.connected
                && !branch.flags.iter().any(|flag| flag == "no_shafts")
                && self.place.depth < self.dungeon.levels(branch.id)
        })
    }

    /// Returns whether random traps of the current level may be shafts.
    pub fn draws_shafts(&self) -> bool {
        let branch = self.content.branches().get(self.place.branch);
        let in_hell = branch.is_some_and(|branch| branch.hell_subbranch);
        self.is_shaft_level() && (!in_hell || self.content.rules.hells_have_shafts)
    }

    /// Returns the absolute depth of the current level; D:1 is 1.
    pub fn absolute_depth(&self) -> i32 {
        self.dungeon.absolute_depth(self.place, self.content.branches())
    }
}

/// A statement of a map in the trace: its function and argument.
pub type StatementKey = (&'static str, String);

/// A pick among alternatives.
#[derive(Clone, Copy, Debug)]
pub struct Pick<'a> {
    /// The part of the statement that picks.
    pub segment: usize,
    /// The weights of the alternatives.
    pub weights: &'a [i32],
    /// The index of the picked alternative; `None` if no weight is above 0.
    pub chosen: Option<usize>,
}

/// Counts which alternatives were picked, statement by statement.
#[derive(Clone, Debug, Default)]
pub struct PickTrace {
    map: String,
    statement: Option<StatementKey>,
    /// The maps and statements around the running one.
    outer: Vec<(String, Option<StatementKey>)>,
    /// (map, statement, segment) → (weights, times each alternative was picked).
    pub picks: BTreeMap<PickKey, PickCounts>,
}

/// Map, statement, and the part of the statement.
pub type PickKey = (String, StatementKey, usize);
/// The weights of the alternatives, and how many times each was picked.
pub type PickCounts = (Vec<i32>, Vec<u64>);

impl PickTrace {
    /// Attributes the following statements to a map, until [`PickTrace::resume`].
    pub fn begin(&mut self, map: &str) {
        let outer = (std::mem::replace(&mut self.map, map.to_owned()), self.statement.take());
        self.outer.push(outer);
    }

    /// Returns to the previous map.
    pub fn resume(&mut self) {
        (self.map, self.statement) = self.outer.pop().unwrap_or_default();
    }

    /// Sets the statement that the following picks belong to.
    pub fn enter(&mut self, function: &'static str, argument: &str) {
        self.statement = Some((function, argument.to_owned()));
    }

    /// Records a pick of the current statement.
    pub fn record(&mut self, pick: &Pick) {
        let Some(statement) = self.statement.clone() else { return };
        let (_, counts) = self
            .picks
            .entry((self.map.clone(), statement, pick.segment))
            .or_insert_with(|| (pick.weights.to_vec(), vec![0; pick.weights.len()]));
        if let Some(count) = pick.chosen.and_then(|index| counts.get_mut(index)) {
            *count += 1;
        }
    }
}
