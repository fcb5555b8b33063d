//! Why maps of the pack are on no level of a campaign.

use std::collections::{BTreeMap, BTreeSet};

use vaultwright_engine::{Engine, LibraryMap};
use vaultwright_map::{Dungeon, LevelPlace, MapId};

use crate::plan::Plan;
use crate::summary::{MapSummary, Summary};

/// A map that is on no finished level.
#[derive(Clone, Debug, PartialEq)]
pub struct UnusedMap {
    /// The map's name.
    pub name: String,
    /// The reason, as far as the tables and records show.
    pub why: Unused,
}

/// The reason why a map is not used.
#[derive(Clone, Debug, PartialEq)]
pub enum Unused {
    /// It was tried, but never placed. Contains the number of tries and the last Lua error, if
    /// there was one.
    AlwaysFails(u64, Option<String>),
    /// It was placed, but only in discarded attempts.
    OnlyVetoed(u64),
    /// Its DEPTH or PLACE allows none of the levels that were built.
    NoDepth(String),
    /// It could have been drawn, this many times on average, but other maps were drawn instead.
    BeatenByWeight(f64),
    /// Its CHANCE would have succeeded this many times on average.
    Rare(f64),
    /// Its weight is 0 on every level that was built.
    NoWeight,
    /// Its CHANCE is 0 on every level that was built.
    NoChance,
    /// It is only chosen by its tags, and nothing requested them.
    ByTag(String),
    /// Nothing can choose it: it has no DEPTH, PLACE or tag.
    NothingChooses,
}

impl Unused {
    /// Returns the kind of reason in a few words.
    pub fn kind(&self) -> &'static str {
        match self {
            Unused::AlwaysFails(..) => "always fail",
            Unused::OnlyVetoed(_) => "only on levels thrown away",
            Unused::NoDepth(_) => "no such level",
            Unused::BeatenByWeight(_) => "beaten by weight",
            Unused::Rare(_) => "rare by CHANCE",
            Unused::NoWeight => "weight 0",
            Unused::NoChance => "CHANCE 0",
            Unused::ByTag(_) => "by tag only",
            Unused::NothingChooses => "nothing chooses them",
        }
    }
}

impl std::fmt::Display for Unused {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Unused::AlwaysFails(tries, Some(error)) => write!(f, "failed {tries} times: {error}"),
            Unused::AlwaysFails(tries, None) => {
                write!(f, "failed {tries} times: no room for it, or vetoed")
            }
            Unused::OnlyVetoed(uses) => {
                write!(f, "placed {uses} times, each time the level was thrown away")
            }
            Unused::NoDepth(depths) => write!(f, "no level was built that suits it ({depths})"),
            Unused::BeatenByWeight(expected) => {
                write!(f, "beaten by weight: {expected:.2} uses expected")
            }
            Unused::Rare(expected) => write!(f, "rare by CHANCE: {expected:.2} uses expected"),
            Unused::NoWeight => f.write_str("its weight is 0 on every level that was built"),
            Unused::NoChance => f.write_str("its CHANCE is 0 on every level that was built"),
            Unused::ByTag(tags) => write!(f, "chosen by tag only, and nothing asked for: {tags}"),
            Unused::NothingChooses => f.write_str("nothing chooses it: no DEPTH, PLACE or tag"),
        }
    }
}

/// Returns the maps that are on no finished level of a plan, in load order, without dummies and
/// maps that the plan excludes.
pub fn unused_maps(summary: &Summary, plan: &Plan, engine: &Engine) -> Vec<UnusedMap> {
    let library = engine.library();
    let nothing = MapSummary::default();
    let absent = |map: &&LibraryMap| {
        let seen = summary.maps.get(&map.selection.name).unwrap_or(&nothing);
        let is_meant = plan.without.contains(&map.selection.name);
        seen.levels.is_empty() && !map.selection.has_tag("dummy") && !is_meant
    };
    let expected = expected_uses(summary, engine);
    let why = |map: &LibraryMap| {
        let name = &map.selection.name;
        let seen = summary.maps.get(name).unwrap_or(&nothing);
        if seen.uses > 0 {
            return Unused::OnlyVetoed(seen.uses);
        }
        if seen.tries > 0 {
            let error = seen.errors.keys().next_back().cloned();
            return Unused::AlwaysFails(seen.tries, error);
        }
        match library.find(name).and_then(|index| expected.get(&index)) {
            Some(&(_, Some(weighted))) if weighted > 0.0 => Unused::BeatenByWeight(weighted),
            Some(&(Some(chance), _)) if chance > 0.0 => Unused::Rare(chance),
            Some((_, Some(_))) => Unused::NoWeight,
            Some(_) => Unused::NoChance,
            None => never_asked_for(map, summary, engine),
        }
    };
    let absent = library.maps.iter().filter(absent);
    absent.map(|map| UnusedMap { name: map.selection.name.clone(), why: why(map) }).collect()
}

/// How many times a map would be drawn on average by CHANCE, and in other ways; `None` if it is
/// never drawn in that way.
type Expected = (Option<f64>, Option<f64>);

/// Returns how many times each map would be drawn, over all levels that were tried.
fn expected_uses(summary: &Summary, engine: &Engine) -> BTreeMap<MapId, Expected> {
    let mut expected: BTreeMap<MapId, Expected> = BTreeMap::new();
    for (&place, levels) in &summary.places {
        let odds = engine.odds(place);
        let levels = levels.tried as f64;
        for &(index, share) in &odds.chances {
            *expected.entry(index).or_default().0.get_or_insert(0.0) += share * levels;
        }
        for &(index, share) in odds.minivaults.iter().chain(&odds.vaults).chain(&odds.placed) {
            *expected.entry(index).or_default().1.get_or_insert(0.0) += share * levels;
        }
    }
    expected
}

fn never_asked_for(map: &LibraryMap, summary: &Summary, engine: &Engine) -> Unused {
    let branches = engine.content().branches();
    let dungeon = Dungeon::standard(branches);
    let selection = &map.selection;
    let built = |ranges: &vaultwright_map::DepthRanges| {
        summary.places.keys().any(|&place: &LevelPlace| ranges.usable_at(place, branches, &dungeon))
    };
    for (header, ranges) in [("PLACE", &selection.place), ("DEPTH", &selection.depths)] {
        if !ranges.is_empty() && !built(ranges) {
            return Unused::NoDepth(format!("{header}: {}", ranges.describe(branches)));
        }
    }
    let telling = |tag: &&String| {
        !["no_", "layout_", "nolayout_"].iter().any(|start| tag.starts_with(start))
            && !["minivault", "transparent", "allow_dup", "extra"].contains(&tag.as_str())
    };
    let tags: BTreeSet<&str> = selection.tags.iter().filter(telling).map(String::as_str).collect();
    match tags.is_empty() {
        true => Unused::NothingChooses,
        false => Unused::ByTag(tags.into_iter().collect::<Vec<_>>().join(" ")),
    }
}
