//! What a draw needs: tables, streams, place, dungeon.

use std::collections::{BTreeMap, BTreeSet};

use vaultwright_content::{Content, LevelSize};
use vaultwright_rng::Streams;

use crate::parsed_specs::ParsedSpecs;
use crate::{Dungeon, LevelPlace};

/// What a spec needs besides the map: tables, randomness, and the level it is for.
pub struct Context<'a> {
    /// The tables and rules.
    pub content: &'a Content,
    /// The random streams.
    pub rng: &'a mut Streams,
    /// The current level.
    pub place: LevelPlace,
    /// The branches of the game.
    pub dungeon: &'a Dungeon,
    /// Where picks are recorded, if anyone asks.
    pub trace: Option<&'a mut PickTrace>,
    /// Where specs that have been parsed are kept, if anywhere.
    pub parsed: Option<&'a ParsedSpecs>,
    /// Colours that scripts have defined.
    pub own_colours: &'a BTreeSet<String>,
}

impl<'a> Context<'a> {
    /// A context in which nothing is recorded or kept.
    pub fn new(
        content: &'a Content,
        rng: &'a mut Streams,
        place: LevelPlace,
        dungeon: &'a Dungeon,
    ) -> Context<'a> {
        const NONE: &BTreeSet<String> = &BTreeSet::new();
        Context { content, rng, place, dungeon, trace: None, parsed: None, own_colours: NONE }
    }

    /// Whether there is a colour of this name.
    pub fn knows_colour(&self, name: &str) -> bool {
        self.content.names().colours.contains(name) || self.own_colours.contains(name)
    }

    /// How large levels are.
    pub fn level_size(&self) -> LevelSize {
        self.content.level_size()
    }

    /// The pick loop, recorded in the trace under `segment`.
    pub fn pick(&mut self, segment: usize, weights: &[i32]) -> Option<usize> {
        let chosen = self.rng.pick_weighted(weights.iter().copied());
        if let Some(trace) = &mut self.trace {
            trace.record(segment, weights, chosen);
        }
        chosen
    }

    /// Picks one alternative and drops the others (a `fix` slot).
    pub(crate) fn keep_one<T>(&mut self, alternatives: &mut Vec<T>, weight: impl Fn(&T) -> i32) {
        let weights: Vec<i32> = alternatives.iter().map(weight).collect();
        if let Some(index) = self.pick(0, &weights) {
            alternatives.swap(0, index);
            alternatives.truncate(1);
        }
    }

    /// The draws of something made in a generator of its own: four, whatever happens inside.
    pub fn spend_isolated(&mut self) {
        self.rng.enter_sub();
        self.rng.leave();
    }

    /// Whether shafts may lie on the current level (spec 03 §9.3).
    pub fn is_shaft_level(&self) -> bool {
        self.content.branches().get(self.place.branch).is_some_and(|branch| {
            branch.connected
                && (!branch.hell_subbranch || self.content.rules.hells_have_shafts)
                && !branch.flags.iter().any(|flag| flag == "no_shafts")
                && self.place.depth < self.dungeon.levels(branch.id)
        })
    }

    /// Absolute depth of the current level, D:1 is 1.
    pub fn absolute_depth(&self) -> i32 {
        self.place.absolute_depth(self.content.branches())
    }
}

/// A statement of a map as the trace knows it: its function and argument.
pub type Site = (&'static str, String);

/// Counts which alternatives were picked, statement by statement.
#[derive(Clone, Debug, Default)]
pub struct PickTrace {
    map: String,
    site: Option<Site>,
    /// (map, statement, segment) → (weights, times each alternative was picked).
    pub picks: BTreeMap<PickKey, PickCounts>,
}

/// Map, statement, and the part of the statement.
pub type PickKey = (String, Site, usize);
/// The weights of the alternatives, and how often each was picked.
pub type PickCounts = (Vec<i32>, Vec<u64>);

impl PickTrace {
    /// Makes the next statements those of a map; what they were before, for [`PickTrace::resume`].
    pub fn begin(&mut self, map: &str) -> (String, Option<Site>) {
        (std::mem::replace(&mut self.map, map.to_owned()), self.site.take())
    }

    /// Returns to the map before.
    pub fn resume(&mut self, (map, site): (String, Option<Site>)) {
        self.map = map;
        self.site = site;
    }

    /// The statement that the next picks belong to.
    pub fn enter(&mut self, function: &'static str, argument: &str) {
        self.site = Some((function, argument.to_owned()));
    }

    /// Notes a pick of the statement entered last.
    pub fn record(&mut self, segment: usize, weights: &[i32], chosen: Option<usize>) {
        let Some(site) = self.site.clone() else { return };
        let (_, counts) = self
            .picks
            .entry((self.map.clone(), site, segment))
            .or_insert_with(|| (weights.to_vec(), vec![0; weights.len()]));
        if let Some(count) = chosen.and_then(|index| counts.get_mut(index)) {
            *count += 1;
        }
    }
}
