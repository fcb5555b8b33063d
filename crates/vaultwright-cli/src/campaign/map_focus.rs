//! `mapstat --map NAME`: which levels of a campaign have a map, and what stands there less often.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::Path;

use vaultwright::map::LevelPlace;
use vaultwright::render::{level_picture, to_png};
use vaultwright::stats::record::LevelRecord;
use vaultwright::stats::{Surveyor, read_shard};
use vaultwright_files::file_name;

use super::Surveyed;
use crate::{Failure, output};

/// A map stands less often where the focused one does if so many standard deviations are missing.
const BEYOND_CHANCE: f64 = 3.0;

/// What a campaign knows of a map.
#[derive(Default)]
struct Focus {
    /// Levels that have it, with the seeds of their games, in the order of games.
    found: Vec<(u64, String)>,
    places: BTreeMap<String, Place>,
}

/// The levels of one place, with the map and without it.
#[derive(Default)]
struct Place {
    with: Levels,
    without: Levels,
}

#[derive(Default)]
struct Levels {
    count: u64,
    /// How many of them have another map.
    maps: BTreeMap<String, u64>,
}

impl Focus {
    fn add(&mut self, seed: u64, level: &LevelRecord, map: &str) {
        if !level.built {
            return;
        }
        let has = level.vaults.iter().any(|vault| vault.map == map);
        if has {
            self.found.push((seed, level.place.clone()));
        }
        let place = self.places.entry(level.place.clone()).or_default();
        let levels = if has { &mut place.with } else { &mut place.without };
        levels.count += 1;
        let names: BTreeSet<&String> = level.vaults.iter().map(|vault| &vault.map).collect();
        for name in names.into_iter().filter(|name| *name != map) {
            *levels.maps.entry(name.clone()).or_default() += 1;
        }
    }

    /// Returns the maps that are missing where this one stands: how often they stand there, and
    /// how often they would if the other levels of the same places were the measure; the largest
    /// gap first.
    fn displaced(&self) -> Vec<(&str, u64, f64)> {
        let mut seen: BTreeMap<&str, (u64, f64, f64)> = BTreeMap::new();
        for place in self.places.values().filter(|place| place.with.count > 0) {
            let others = place.without.count.max(1) as f64;
            for (name, count) in &place.without.maps {
                let share = *count as f64 / others;
                let (_, expected, variance) = seen.entry(name).or_default();
                *expected += place.with.count as f64 * share;
                *variance += place.with.count as f64 * share * (1.0 - share);
            }
            for (name, count) in &place.with.maps {
                seen.entry(name).or_default().0 += count;
            }
        }
        let missing = |(_, (here, expected, variance)): &(&str, (u64, f64, f64))| {
            expected - *here as f64 > BEYOND_CHANCE * variance.sqrt().max(0.5)
        };
        let mut displaced: Vec<_> = seen
            .into_iter()
            .filter(missing)
            .map(|(name, (here, expected, _))| (name, here, expected))
            .collect();
        displaced.sort_by(|a, b| (b.2 - b.1 as f64).total_cmp(&(a.2 - a.1 as f64)));
        displaced
    }
}

/// Tells of a map, and draws the first levels that have it into the campaign's folder.
pub fn tell(surveyed: &mut Surveyed, map: &str, top: usize) -> Result<(), Failure> {
    let mut focus = Focus::default();
    for number in surveyed.manifest.own_shards() {
        let shard = read_shard(surveyed.folder.path(), &surveyed.manifest, number);
        for game in shard.map_or(Vec::new(), |shard| shard.games) {
            for level in &game.levels {
                focus.add(game.seed, level, map);
            }
        }
    }
    let command = |place: &str, seed: u64| {
        surveyed.manifest.plan.command_again(place, seed) + &surveyed.pack_options
    };
    let place = |name: &str| surveyed.engine.level_place(name).ok();
    output::write_text(None, &told(&focus, map, top, &place, &command)?, output::Colours::None)?;
    let Some(folder) = surveyed.folder.kept() else { return Ok(()) };
    let folder = folder.join("maps").join(file_name(map));
    draw(surveyed, &focus.found[..focus.found.len().min(top)], &folder)
}

fn told(
    focus: &Focus,
    map: &str,
    top: usize,
    place_named: &dyn Fn(&str) -> Option<LevelPlace>,
    command: &dyn Fn(&str, u64) -> String,
) -> Result<String, Failure> {
    let mut out = String::new();
    let all: u64 = focus.places.values().map(|place| place.with.count + place.without.count).sum();
    let count = focus.found.len();
    let share = 100.0 * count as f64 / all.max(1) as f64;
    writeln!(out, "\n{map} stands on {count} of {all} levels ({share:.2} %)")?;
    let mut places: Vec<_> =
        focus.places.iter().filter(|(_, place)| place.with.count > 0).collect();
    places.sort_by_key(|(name, _)| place_named(name));
    for (name, place) in places {
        let here = place.with.count + place.without.count;
        let share = 100.0 * place.with.count as f64 / here as f64;
        writeln!(out, "  {name:<10} {:>6} of {here} ({share:.2} %)", place.with.count)?;
    }
    if count > 0 {
        writeln!(out, "for example")?;
    }
    for (seed, place) in focus.found.iter().take(top) {
        writeln!(out, "  {}", command(place, *seed))?;
    }
    let displaced = focus.displaced();
    if !displaced.is_empty() {
        writeln!(
            out,
            "maps that stand on these levels less often than on others of the same places"
        )?;
    }
    for (name, here, expected) in displaced.into_iter().take(top) {
        writeln!(out, "  {name:<40} {here:>6}, {expected:.1} expected")?;
    }
    Ok(out)
}

/// Builds levels again and writes pictures of them, vaults outlined.
fn draw(surveyed: &mut Surveyed, found: &[(u64, String)], folder: &Path) -> Result<(), Failure> {
    if found.is_empty() {
        return Ok(());
    }
    output::make_folder(folder)?;
    let surveyor = Surveyor::new(&surveyed.manifest.plan, &surveyed.engine)?;
    for (seed, name) in found {
        let place = surveyed.engine.level_place(name)?;
        let content = std::sync::Arc::clone(surveyed.engine.content());
        let mut built = None;
        surveyor.build_again(&mut surveyed.engine, *seed, &mut |here, result| {
            if here == place {
                built = result.ok();
            }
            here != place
        });
        let Some(built) = built else { continue };
        let picture = level_picture(&built.level, &content).annotated(&built.level);
        let file = format!("{}-{seed}.png", file_name(&name.replace(':', "-")));
        output::write(Some(&folder.join(file)), &to_png(&picture))?;
    }
    eprintln!("see {}", folder.display());
    Ok(())
}

#[cfg(test)]
mod tests {
    use vaultwright::stats::record::VaultRecord;

    use super::*;

    fn level(maps: &[&str]) -> LevelRecord {
        let vault = |map: &&str| VaultRecord { map: (*map).to_owned(), ..VaultRecord::default() };
        let vaults = maps.iter().map(vault).collect();
        LevelRecord { place: "D:2".to_owned(), built: true, vaults, ..LevelRecord::default() }
    }

    #[test]
    fn what_is_missing_beyond_chance_is_told() {
        let mut focus = Focus::default();
        for seed in 0..100 {
            let maps: &[&str] = if seed % 2 == 0 { &["mine", "mine"] } else { &["rival", "third"] };
            focus.add(seed, &level(maps), "mine");
            focus.add(seed, &LevelRecord { built: false, ..level(&["mine"]) }, "mine");
        }
        assert_eq!(focus.found.len(), 50);
        assert_eq!(focus.displaced(), [("rival", 0, 50.0), ("third", 0, 50.0)]);
        let command = |place: &str, seed: u64| format!("show {place} of {seed}");
        let place = |name: &str| {
            let depth = name.strip_prefix("D:")?.parse().ok()?;
            Some(LevelPlace { depth, ..LevelPlace::START })
        };
        let text = told(&focus, "mine", 1, &place, &command).expect("a text");
        assert!(text.contains("mine stands on 50 of 100 levels (50.00 %)"), "{text}");
        assert!(text.contains("  show D:2 of 0\n"), "{text}");
        focus.add(1, &LevelRecord { place: "D:10".to_owned(), ..level(&["mine"]) }, "mine");
        let text = told(&focus, "mine", 1, &place, &command).expect("a text");
        assert!(text.find("  D:2 ") < text.find("  D:10 "), "{text}");
    }
}
