//! The sums of a campaign's records (spec 08 §6.1).

use std::collections::{BTreeMap, BTreeSet};

use vaultwright_content::{BranchId, Content, LevelSize};
use vaultwright_engine::Veto;
use vaultwright_map::{LevelPlace, PickCounts};

use crate::per_game::{Games, Hits};
use crate::record::{Casualty, GameRecord, GameTimes, LevelRecord, PickRecord, cell_index};
use crate::shard::Shard;

/// The sums of a campaign's records.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    /// The number of games.
    pub games: u64,
    /// The games, with the levels that were built.
    pub per_game: Games,
    /// Levels of branches that the content does not have, of which nothing else is counted.
    pub of_unknown_branches: u64,
    /// Levels that were tried.
    pub tried: u64,
    /// The number of levels for which no attempt succeeded.
    pub failed: u64,
    /// The number of attempts at levels.
    pub attempts: u64,
    /// The number of vetoes, including those that scripts ignored.
    pub vetoes: u64,
    /// Sums by level, in the order of the table of branches.
    pub places: BTreeMap<LevelPlace, PlaceSummary>,
    /// Sums by map name.
    pub maps: BTreeMap<String, MapSummary>,
    /// Sums by kind of reason.
    pub veto_kinds: BTreeMap<String, VetoSummary>,
    /// Heat maps by branch.
    pub heat: BTreeMap<BranchId, Heat>,
    /// What was left out, in the order of the games.
    pub casualties: Vec<Casualty>,
    /// Picks among alternatives, by map, function, argument and part.
    pub picks: BTreeMap<(String, String, String, usize), PickCounts>,
    /// The times in microseconds: levels by place, and maps with how often they were resolved.
    pub times: Times,
}

/// How often something happened, and where it first did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Occurrence {
    /// The number of times.
    pub count: u64,
    /// The seed of the first game in which it happened.
    pub seed: u64,
    /// The level in that game.
    pub place: String,
}

/// How often attempts were discarded for one kind of reason.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct VetoSummary {
    /// All of them.
    pub all: Occurrence,
    /// By the full reason, which names maps.
    pub reasons: BTreeMap<String, Occurrence>,
}

/// The summary of a level over all games.
#[derive(Clone, Debug, Default)]
pub struct PlaceSummary {
    /// The number of times it was tried.
    pub tried: u64,
    /// The number of times no attempt succeeded.
    pub failed: u64,
    /// The number of attempts.
    pub attempts: u64,
    /// The number of vetoes.
    pub vetoes: u64,
    /// The number of vetoes that the reference does not count.
    pub uncounted: u64,
    /// The last reason why it could not be built.
    pub last_failure: String,
    /// The maps placed there, including discarded attempts.
    pub used: BTreeSet<String>,
    /// Sums over the levels that were built.
    pub sums: Sums,
}

impl PlaceSummary {
    /// Adds a level of the place, and which maps were used on it.
    fn add(&mut self, level: &LevelRecord) {
        let reasons = || level.vetoes.iter().chain(&level.swallowed_vetoes);
        self.tried += 1;
        self.attempts += u64::from(level.attempts);
        self.vetoes += reasons().count() as u64;
        self.uncounted += reasons().filter(|veto| !Veto::is_counted(&veto.kind)).count() as u64;
        if !level.built {
            self.failed += 1;
            self.last_failure = level.vetoes.last().map_or(String::new(), |of| of.reason.clone());
        }
        let used = level.maps.iter().filter(|map| map.uses > 0);
        self.used.extend(used.map(|map| map.map.clone()));
        let sums = &mut self.sums;
        sums.vaults += level.own_vaults().count() as u64;
        sums.monsters += level.monsters.len() as u64;
        sums.items += level.items.len() as u64;
        sums.vault_cells +=
            level.vault_cells.iter().map(|b| u64::from(b.count_ones())).sum::<u64>();
        sums.zones += u64::from(level.zones);
        sums.open += u64::from(level.shape.open);
        sums.dead_ends += u64::from(level.shape.dead_ends);
        sums.chokepoints += u64::from(level.shape.chokepoints);
        sums.loops += u64::from(level.shape.loops);
        sums.openness += u64::from(level.shape.openness);
        sums.way_down += u64::from(level.shape.way_down);
    }
}

/// Sums over levels.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sums {
    /// The number of vaults, without layouts and subvaults.
    pub vaults: u64,
    /// The number of monsters.
    pub monsters: u64,
    /// The number of items on the floor.
    pub items: u64,
    /// The number of cells in vaults.
    pub vault_cells: u64,
    /// The number of zones.
    pub zones: u64,
    /// The number of walkable cells.
    pub open: u64,
    /// The number of open cells with only one open neighbour.
    pub dead_ends: u64,
    /// The number of open cells that are the only way to some part of the level.
    pub chokepoints: u64,
    /// The number of solid parts that can be walked around.
    pub loops: u64,
    /// The average number of open neighbours of open cells, times a hundred.
    pub openness: u64,
    /// The number of steps from a staircase up to one down.
    pub way_down: u64,
}

/// The maximum number of example levels of a map.
const MAX_EXAMPLES: usize = 3;

/// The summary of a map over all games.
#[derive(Clone, Debug, Default)]
pub struct MapSummary {
    /// The number of times it was to be resolved.
    pub tries: u64,
    /// The number of times it was placed, including discarded attempts.
    pub uses: u64,
    /// The number of times it is on a finished level.
    pub successes: u64,
    /// The number of times it is on a finished level as a subvault.
    pub as_subvault: u64,
    /// The levels on which it was placed, including discarded attempts.
    pub used_on: BTreeSet<LevelPlace>,
    /// The number of finished levels with it, by level.
    pub levels: BTreeMap<LevelPlace, u64>,
    /// On how many finished levels of each game it is.
    pub per_game: Hits,
    /// The first of these levels, with the seeds of their games.
    pub examples: Vec<(u64, String)>,
    /// Its Lua errors.
    pub errors: BTreeMap<String, Occurrence>,
    /// The last Lua error.
    pub last_error: String,
    /// Games in which it was no longer used because it exceeded the limits of its Lua.
    pub struck: Occurrence,
}

/// Where things are on the levels of a branch: counts by cell, row by row.
#[derive(Clone, Debug, Default)]
pub struct Heat {
    /// The number of levels, all of one size.
    pub levels: u64,
    /// The size of the levels.
    pub size: LevelSize,
    /// Cells of vaults.
    pub vaults: Vec<u32>,
    /// Stairs and other ways out.
    pub stairs: Vec<u32>,
    /// Items.
    pub items: Vec<u32>,
    /// Monsters.
    pub monsters: Vec<u32>,
}

/// The times taken, in microseconds of wall-clock time.
#[derive(Clone, Debug, Default)]
pub struct Times {
    /// For each level, the number of builds and the total time.
    pub places: BTreeMap<String, (u64, u64)>,
    /// For each map, the number of times it was resolved and the total time.
    pub maps: BTreeMap<String, (u64, u64)>,
}

impl Summary {
    /// Adds the records of a shard.
    pub fn add(&mut self, shard: &Shard, content: &Content) {
        for game in &shard.games {
            self.add_game(game, content);
        }
        for pick in &shard.picks {
            self.add_pick(pick);
        }
    }

    /// Adds the times of a shard.
    pub fn add_times(&mut self, times: &[GameTimes]) {
        for game in times {
            for (place, micros) in &game.levels {
                let sum = self.times.places.entry(place.clone()).or_default();
                *sum = (sum.0 + 1, sum.1 + micros);
            }
            for (map, tries, micros) in &game.maps {
                let sum = self.times.maps.entry(map.clone()).or_default();
                *sum = (sum.0 + u64::from(*tries), sum.1 + micros);
            }
        }
    }

    /// Returns the number of levels that were built.
    pub fn built(&self) -> u64 {
        self.tried - self.failed
    }

    fn add_game(&mut self, game: &GameRecord, content: &Content) {
        self.games += 1;
        self.casualties.extend(game.casualties.iter().cloned());
        for level in &game.levels {
            self.add_level(game.seed, level, content);
        }
        let is_built = |level: &&LevelRecord| {
            level.built && content.branches().by_name(&level.branch).is_some()
        };
        let (mut levels, mut maps) = (0, BTreeMap::<&String, u64>::new());
        for level in game.levels.iter().filter(is_built) {
            levels += 1;
            let seen: BTreeSet<&String> = level.vaults.iter().map(|vault| &vault.map).collect();
            seen.into_iter().for_each(|map| *maps.entry(map).or_default() += 1);
        }
        self.per_game.add(levels);
        for (map, hits) in maps {
            self.maps.entry(map.clone()).or_default().per_game.add(hits, levels);
        }
    }

    fn add_level(&mut self, seed: u64, level: &LevelRecord, content: &Content) {
        let Some(branch) = content.branches().by_name(&level.branch) else {
            self.of_unknown_branches += 1;
            return;
        };
        let place = LevelPlace { branch: branch.id, depth: level.depth };
        let reasons = || level.vetoes.iter().chain(&level.swallowed_vetoes);
        self.tried += 1;
        self.failed += u64::from(!level.built);
        self.attempts += u64::from(level.attempts);
        self.vetoes += reasons().count() as u64;
        for veto in reasons() {
            let kind = self.veto_kinds.entry(veto.kind.clone()).or_default();
            kind.all.note(seed, &level.place);
            kind.reasons.entry(veto.reason.clone()).or_default().note(seed, &level.place);
        }
        self.places.entry(place).or_default().add(level);
        self.add_maps(seed, place, level);
        if level.built {
            self.heat.entry(place.branch).or_default().add(level, content);
        }
    }

    /// Adds what became of the maps that a level was to have.
    fn add_maps(&mut self, seed: u64, place: LevelPlace, level: &LevelRecord) {
        for map in &level.maps {
            let entry = self.maps.entry(map.map.clone()).or_default();
            entry.tries += u64::from(map.tries);
            entry.uses += u64::from(map.uses);
            if map.uses > 0 {
                entry.used_on.insert(place);
            }
        }
        for error in &level.errors {
            let entry = self.maps.entry(error.map.clone()).or_default();
            entry.errors.entry(error.message.clone()).or_default().note(seed, &level.place);
            entry.last_error.clone_from(&error.message);
        }
        for map in &level.struck {
            self.maps.entry(map.clone()).or_default().struck.note(seed, &level.place);
        }
        let mut seen = BTreeSet::new();
        for vault in &level.vaults {
            let entry = self.maps.entry(vault.map.clone()).or_default();
            if vault.host.is_empty() {
                entry.successes += 1;
            } else {
                entry.as_subvault += 1;
            }
            if seen.insert(&vault.map) {
                *entry.levels.entry(place).or_default() += 1;
                if entry.examples.len() < MAX_EXAMPLES {
                    entry.examples.push((seed, level.place.clone()));
                }
            }
        }
    }

    fn add_pick(&mut self, pick: &PickRecord) {
        let key = (pick.map.clone(), pick.function.clone(), pick.argument.clone(), pick.part);
        add_picks(&mut self.picks, key, &pick.weights, &pick.counts);
    }
}

/// Adds how often the alternatives of a statement were picked.
pub(crate) fn add_picks<K: Ord>(
    sums: &mut BTreeMap<K, PickCounts>,
    statement: K,
    weights: &[i32],
    counts: &[u64],
) {
    let none = || (weights.to_vec(), vec![0; counts.len()]);
    let (_, sum) = sums.entry(statement).or_insert_with(none);
    sum.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
}

impl Occurrence {
    fn note(&mut self, seed: u64, place: &str) {
        if self.count == 0 {
            (self.seed, self.place) = (seed, place.to_owned());
        }
        self.count += 1;
    }
}

impl Heat {
    fn add(&mut self, level: &LevelRecord, content: &Content) {
        if self.levels == 0 {
            self.size = level.size;
            for counts in [&mut self.vaults, &mut self.stairs, &mut self.items, &mut self.monsters]
            {
                counts.resize(level.size.cells(), 0);
            }
        }
        self.levels += 1;
        for (cell, count) in self.vaults.iter_mut().enumerate() {
            let byte = level.vault_cells.get(cell / 8).copied().unwrap_or(0);
            *count += u32::from(byte >> (cell % 8) & 1);
        }
        let is_stair = |name: &str| {
            let id = content.features().by_name(name);
            id.is_some_and(|id| {
                let flags = content.features().get(id).flags;
                flags.stair() || flags.gate() || flags.branch_entrance()
            })
        };
        let stairs = level.sights.iter().filter(|sight| is_stair(&sight.feature));
        let cells = stairs.map(|sight| (sight.x, sight.y));
        count(&mut self.stairs, self.size, cells);
        count(&mut self.items, self.size, level.items.iter().map(|item| (item.x, item.y)));
        count(&mut self.monsters, self.size, level.monsters.iter().map(|m| (m.x, m.y)));
    }
}

fn count(counts: &mut [u32], size: LevelSize, cells: impl Iterator<Item = (i32, i32)>) {
    for cell in cells.filter_map(|(x, y)| cell_index(size, x, y)) {
        if let Some(count) = counts.get_mut(cell) {
            *count += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use vaultwright_content::{Edition, Rules};

    use super::*;

    #[test]
    fn levels_of_branches_that_nobody_knows_are_counted_as_such() {
        let content = Content::new(Rules::of(Edition::Trunk));
        let level = |branch: &str| LevelRecord { branch: branch.to_owned(), ..Default::default() };
        let levels = vec![level("D"), level("Nowhere")];
        let game = GameRecord { levels, ..GameRecord::default() };
        let mut summary = Summary::default();
        summary.add(&Shard { games: vec![game], picks: Vec::new() }, &content);
        assert_eq!((summary.tried, summary.of_unknown_branches), (1, 1));
    }
}
