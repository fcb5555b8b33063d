//! Things that every roll of a map should have once, and some do not (VW383), ways down on the last
//! level of a branch (VW384), and portal levels without an exit (VW386).

use std::collections::BTreeMap;

use vaultwright_content::Content;
use vaultwright_engine::{LibraryMap, Problem};
use vaultwright_level::Level;
use vaultwright_map::{Dungeon, LevelPlace, Orient};

use crate::tag_groups::ALTAR;
use crate::{codes, warning};

/// Returns the exit of the level that a portal leads to, if the level has neither it nor stairs
/// that become it.
fn missing_exit<'c>(level: &Level, place: LevelPlace, content: &'c Content) -> Option<&'c str> {
    let branch = content.branches().get(place.branch).filter(|branch| !branch.connected)?;
    let exit = branch.exit_of_level(place.depth)?;
    let features = content.features();
    let leads_out = |id| {
        let feature = features.get(id);
        feature.name == exit || feature.flags.stone_stair_up()
    };
    (!level.features().iter().any(|&id| leads_out(id))).then_some(exit)
}

/// Returns whether a level that others lead on to has no stairs at all, up or down.
fn lacks_stairs(level: &Level, place: LevelPlace, content: &Content) -> bool {
    let is_connected = content.branches().get(place.branch).is_some_and(|branch| branch.connected);
    let leads_on = |id| {
        let feature = content.features().get(id);
        let flags = &feature.flags;
        flags.stone_stair_up() || flags.stone_stair_down() || feature.name.starts_with("exit_")
    };
    is_connected && !level.features().iter().any(|&id| leads_on(id))
}

/// How often things have been there, roll by roll.
pub(crate) struct Counts {
    /// The runes, orbs and gems that the map names.
    treasures: Vec<String>,
    /// Whether the map names a shaft.
    has_shaft: bool,
    /// Features promised by a tag: an altar, the entrance of a branch.
    promised: Vec<(String, String)>,
    /// For each thing, the number of rolls with each number of it.
    seen: BTreeMap<String, BTreeMap<usize, u64>>,
    rolls: u64,
    /// The ways down on last levels.
    down: BTreeMap<String, LevelPlace>,
    /// Whether the map is a whole level, on which nothing else creates an exit.
    is_level: bool,
    /// The missing exits of portal levels, with their numbers.
    no_way_out: BTreeMap<String, u64>,
    /// Where the map is a level without stairs, and how often it is.
    without_stairs: Option<(LevelPlace, u64)>,
}

const TREASURES: [&str; 2] = ["rune of zot", "orb of zot"];

impl Counts {
    pub(crate) fn of(entry: &LibraryMap, content: &Content) -> Counts {
        let text = &entry.file.source.text[entry.syntax().span.clone()];
        let text = String::from_utf8_lossy(text).to_lowercase();
        let mut promised = Vec::new();
        for tag in &entry.selection.tags {
            if let Some(god) = tag.strip_prefix(ALTAR) {
                promised.push((tag.clone(), format!("altar_{god}")));
            }
            for branch in content.branches().iter().filter(|branch| !branch.entry.is_empty()) {
                let name = branch.name.to_lowercase();
                if *tag == format!("{name}_entry") {
                    promised.push((tag.clone(), branch.entry.clone()));
                }
            }
        }
        let items = content.items();
        let is_gem = |name: &&str| items.by_name(name).is_some_and(|item| item.class == "gem");
        let treasures = TREASURES.into_iter().chain(items.names().filter(is_gem));
        let named = treasures.filter(|name| text.contains(name)).map(str::to_owned);
        Counts {
            treasures: named.collect(),
            has_shaft: text.contains("shaft"),
            promised,
            seen: BTreeMap::new(),
            rolls: 0,
            down: BTreeMap::new(),
            is_level: !entry.selection.place.is_empty()
                && entry.selection.orient == Some(Orient::Encompass),
            no_way_out: BTreeMap::new(),
            without_stairs: None,
        }
    }

    /// Returns whether there is nothing to count.
    pub(crate) fn wants_nothing(&self) -> bool {
        self.treasures.is_empty() && !self.has_shaft && self.promised.is_empty() && !self.is_level
    }

    pub(crate) fn add(&mut self, level: &Level, place: LevelPlace, content: &Content) {
        self.rolls += 1;
        let mut here: BTreeMap<String, usize> = BTreeMap::new();
        for item in level.items.values().flatten().filter(|item| !item.mimic) {
            let spec = item.spec.to_lowercase();
            for treasure in self.treasures.iter().filter(|treasure| spec.contains(*treasure)) {
                *here.entry(treasure.clone()).or_default() += 1;
            }
        }
        let names: Vec<&str> = level
            .points()
            .filter_map(|p| level.feature(p))
            .map(|id| content.features().get(id).name.as_str())
            .collect();
        for (_, feature) in &self.promised {
            let count = names.iter().filter(|name| **name == feature).count();
            here.insert(feature.clone(), count);
        }
        for (name, count) in here {
            *self.seen.entry(name).or_default().entry(count).or_default() += 1;
        }
        self.ways_down(&names, place, content);
        if self.is_level && lacks_stairs(level, place, content) {
            self.without_stairs.get_or_insert((place, 0)).1 += 1;
        }
        if self.is_level
            && let Some(missing) = missing_exit(level, place, content)
        {
            *self.no_way_out.entry(missing.to_owned()).or_default() += 1;
        }
    }

    fn ways_down(&mut self, names: &[&str], place: LevelPlace, content: &Content) {
        let levels = Dungeon::standard(content.branches()).levels(place.branch);
        if levels <= 1 || place.depth != levels {
            return;
        }
        for name in names.iter().filter(|name| matches!(**name, "shaft" | "trap_shaft")) {
            self.down.entry((*name).to_owned()).or_insert(place);
        }
    }

    /// Returns where the map is a level on which there are never any stairs.
    pub(crate) fn without_stairs(&self) -> Option<LevelPlace> {
        self.without_stairs.filter(|(_, times)| *times == self.rolls).map(|(place, _)| place)
    }

    pub(crate) fn problems(&self, entry: &LibraryMap, content: &Content) -> Vec<Problem> {
        let mut problems = Vec::new();
        let mut tell = |code, message: String, hint: &str| {
            let problem = warning(&entry.file, code, entry.syntax().name.span(), message, hint);
            problems.push(Problem { map: Some(entry.selection.name.clone()), ..problem });
        };
        for (name, rolls) in &self.seen {
            let with: u64 = rolls.iter().filter(|(count, _)| **count > 0).map(|(_, n)| n).sum();
            let once = rolls.get(&1).copied().unwrap_or(0);
            let without = self.rolls - with;
            let promise = self.promised.iter().find(|(_, feature)| feature == name);
            let of = self.rolls;
            // A thing that is only sometimes there is a chance given by the author.
            let is_broken = with == 0 && promise.is_some() && of > 0;
            if is_broken || (without > 0 && 2 * with > of) {
                let tag = promise.map(|(tag, _)| format!(", which the tag '{tag}' promises"));
                let tag = tag.unwrap_or_default();
                let message = format!("no {name}{tag} ({without} of {of} rolls)");
                tell(codes::UNEVEN_COUNT, message, "see that one of the choices always brings it");
            }
            let more = with - once;
            if more > 0 && once > 0 {
                let message = format!("more than one {name} ({more} of {of} rolls)");
                tell(codes::UNEVEN_COUNT, message, "see that the choices exclude each other");
            }
        }
        for (name, place) in &self.down {
            let place = place.name(content.branches());
            let message = format!("{name} in {place}, the last level of its branch");
            let hint =
                "there is nothing below: leave the level out of DEPTH, or place it elsewhere";
            tell(codes::DOWN_AT_LAST, message, hint);
        }
        for (exit, times) in &self.no_way_out {
            let message = format!("no {exit}: nobody gets out ({times} of {} rolls)", self.rolls);
            let hint =
                format!("give it one (`KFEAT: < = {exit}`); the game ends where there is none");
            tell(codes::NO_WAY_OUT, message, &hint);
        }
        problems
    }
}
