//! Whole games beside recorded ones: where each parts from its own, and how many levels are equal.

use std::collections::{BTreeMap, BTreeSet};

use vaultwright::map::split_place;
use vaultwright::rng::{SYSTEM_SPECIFIC, StreamId};

use crate::{Failure, Outcome, output};

/// The columns of a table of games.
pub const COLUMNS: &[&str] =
    &["seed", "place", "status", "vaults", "zones", "features", "monsters", "draws"];

/// The columns in which levels are compared, from `status` on.
const COMPARED: usize = COLUMNS.len() - 2;

/// Tells of each game where it parts from the recorded one, then how many levels are equal in each
/// branch. The draws of a level are those that were made since the level before it.
pub fn compare(own: &str, recorded: &str) -> Result<Outcome, Failure> {
    let (own, recorded) = (games(own)?, recorded_games(recorded)?);
    let mut counts = Counts::default();
    let (mut unknown, mut differing) = (Vec::new(), 0);
    for (seed, levels) in &own {
        let Some(others) = recorded.get(seed) else {
            unknown.push(seed.to_string());
            continue;
        };
        if let Some(difference) = first_difference(levels, others, &[]) {
            differing += 1;
            output::line(format_args!("game {seed}: {difference}"))?;
            // What a machine's own files decide shapes no level; the level to look at comes later.
            let shaping = first_difference(levels, others, &[SYSTEM_SPECIFIC]);
            match shaping {
                Some(shaping) if shaping != difference => {
                    output::line(format_args!("  and then {shaping}"))?;
                }
                Some(_) => {}
                None => output::line("  which is all")?,
            }
        }
        counts.add(levels, others);
    }
    if unknown.len() == own.len() {
        return Err("the table has none of these games".into());
    }
    counts.print()?;
    output::line(format_args!(
        "{} games equal, {differing} differ",
        own.len() - differing - unknown.len()
    ))?;
    if !unknown.is_empty() {
        output::line(format_args!("not in the table: {}", unknown.join(", ")))?;
    }
    let clean = differing == 0 && unknown.is_empty();
    Ok(if clean { Outcome::Clean } else { Outcome::Findings })
}

/// A level of a game.
struct Level<'a> {
    place: &'a str,
    /// From `status` on; `draws` as they stand in the table.
    columns: Vec<&'a str>,
    /// The words drawn from each stream since the level before.
    drawn: Vec<u64>,
}

impl Level<'_> {
    fn branch(&self) -> &str {
        split_place(self.place).0
    }

    /// Returns whether a column is the same, counted from `status`; draws of some streams may be
    /// passed over.
    fn same(&self, other: &Level, column: usize, passed_over: &[StreamId]) -> bool {
        if column + 1 < COMPARED {
            return self.columns.get(column) == other.columns.get(column);
        }
        let streams = 0..self.drawn.len().max(other.drawn.len());
        let mut streams = streams.filter(|stream| !passed_over.contains(stream));
        streams.all(|stream| self.drawn.get(stream) == other.drawn.get(stream))
    }
}

type Games<'a> = BTreeMap<u64, Vec<Level<'a>>>;

/// Reads a table of the user's, which must have its header and be whole.
fn recorded_games(table: &str) -> Result<Games<'_>, Failure> {
    let Some((header, rows)) = table.split_once('\n') else {
        return Err("the table is empty".into());
    };
    if header.trim_end() != COLUMNS.join("\t") {
        let columns = COLUMNS.join(", ");
        return Err(format!("this is no table of games, whose columns are {columns}").into());
    }
    if rows.is_empty() {
        return Err("the table has no games".into());
    }
    if !rows.ends_with('\n') {
        return Err("the table is cut off: its last line has no end".into());
    }
    games(rows)
}

fn games(rows: &str) -> Result<Games<'_>, Failure> {
    let mut games = Games::new();
    let mut before: (u64, Vec<u64>) = (0, Vec::new());
    for (number, line) in rows.lines().enumerate() {
        let wrong = |what: &str| Failure::from(format!("row {} of the table {what}", number + 1));
        let fields: Vec<&str> = line.split('\t').collect();
        let &[seed, place, status, ..] = &fields[..] else {
            return Err(wrong("has no seed, place and status"));
        };
        let seed: u64 = seed.parse().map_err(|_| wrong("has no number as its seed"))?;
        if status == "ok" && fields.len() != COLUMNS.len() {
            return Err(wrong(&format!("has {} columns of {}", fields.len(), COLUMNS.len())));
        }
        if before.0 != seed {
            if games.contains_key(&seed) {
                return Err(wrong("goes on with a game that has ended"));
            }
            before = (seed, Vec::new());
        }
        let mut drawn = Vec::new();
        if status == "ok" {
            let words: Result<Vec<u64>, _> =
                fields[COLUMNS.len() - 1].split_ascii_whitespace().map(str::parse).collect();
            let words = words.map_err(|_| wrong("has draws that are no numbers"))?;
            let so_far = |stream: usize| before.1.get(stream).copied().unwrap_or(0);
            let since = words.iter().enumerate();
            drawn = since.map(|(stream, word)| word.saturating_sub(so_far(stream))).collect();
            before.1 = words;
        }
        let columns = fields[2..].to_vec();
        games.entry(seed).or_default().push(Level { place, columns, drawn });
    }
    Ok(games)
}

/// Returns the first level in which a game parts from the recorded one, and how.
fn first_difference(own: &[Level], recorded: &[Level], passed_over: &[StreamId]) -> Option<String> {
    for (own, other) in own.iter().zip(recorded) {
        if own.place != other.place {
            return Some(format!("makes {} where the table has {}", own.place, other.place));
        }
        let columns: Vec<usize> =
            (0..COMPARED).filter(|&at| !own.same(other, at, passed_over)).collect();
        if columns.is_empty() {
            continue;
        }
        let shown = columns.iter().map(|&at| format!("\n  {}", told(own, other, at)));
        return Some(format!("{} differs{}", own.place, shown.collect::<String>()));
    }
    let missing = |level: Option<&Level>| level.map(|level| level.place.to_owned());
    match (missing(own.get(recorded.len())), missing(recorded.get(own.len()))) {
        (Some(place), _) => Some(format!("goes on with {place}, where the table ends")),
        (_, Some(place)) => Some(format!("ends before {place}")),
        (None, None) => None,
    }
}

/// Returns what two levels have in a column, ours first.
fn told(own: &Level, other: &Level, column: usize) -> String {
    let name = COLUMNS[column + 2];
    let value = |level: &Level| level.columns.get(column).copied().unwrap_or("").to_owned();
    match name {
        "features" => {
            let (own, other) = (value(own), value(other));
            let (ours, theirs) = (counted(&own), counted(&other));
            let names: BTreeSet<&str> = ours.keys().chain(theirs.keys()).copied().collect();
            let number = |counts: &BTreeMap<&str, &str>, name: &str| {
                counts.get(name).copied().unwrap_or("0").to_owned()
            };
            let pairs = names.iter().map(|name| (name, number(&ours, name), number(&theirs, name)));
            let differing = pairs.filter(|(_, ours, theirs)| ours != theirs);
            let texts: Vec<String> =
                differing.map(|(name, ours, theirs)| format!("{name} {ours}/{theirs}")).collect();
            format!("features: {}", texts.join(", "))
        }
        "draws" => {
            let at = |words: &[u64], stream: usize| words.get(stream).copied().unwrap_or(0);
            let streams = 0..own.drawn.len().max(other.drawn.len());
            let pairs =
                streams.map(|stream| (stream, at(&own.drawn, stream), at(&other.drawn, stream)));
            let differing = pairs.filter(|(_, ours, theirs)| ours != theirs);
            let texts: Vec<String> = differing
                .map(|(stream, ours, theirs)| format!("stream {stream} {ours}/{theirs}"))
                .collect();
            format!("draws of this level: {}", texts.join(", "))
        }
        _ => format!("{name}: {} / {}", value(own), value(other)),
    }
}

/// Returns `name=count` words.
fn counted(features: &str) -> BTreeMap<&str, &str> {
    features.split(' ').filter_map(|word| word.split_once('=')).collect()
}

/// How many levels are equal, by branch.
#[derive(Default)]
struct Counts {
    branches: Vec<(String, Count)>,
}

#[derive(Clone, Default)]
struct Count {
    levels: usize,
    all: usize,
    columns: [usize; COMPARED],
}

impl Count {
    fn add(&mut self, other: &Count) {
        self.levels += other.levels;
        self.all += other.all;
        for (sum, count) in self.columns.iter_mut().zip(other.columns) {
            *sum += count;
        }
    }
}

impl Counts {
    /// Counts the recorded levels of a game.
    fn add(&mut self, own: &[Level], recorded: &[Level]) {
        for other in recorded {
            let mut count = Count { levels: 1, ..Count::default() };
            if let Some(own) = own.iter().find(|own| own.place == other.place) {
                let equal: [bool; COMPARED] = std::array::from_fn(|at| own.same(other, at, &[]));
                count.all = usize::from(equal.iter().all(|&equal| equal));
                count.columns = equal.map(usize::from);
            }
            let branch = other.branch();
            let at = self.branches.iter().position(|(name, _)| name == branch);
            match at {
                Some(at) => self.branches[at].1.add(&count),
                None => self.branches.push((branch.to_owned(), count)),
            }
        }
    }

    fn print(&self) -> Result<(), Failure> {
        let columns = &COLUMNS[3..];
        let header: String = columns.iter().map(|name| format!(" {name:>8}")).collect();
        output::line(format_args!("{:<12} {:>6} {:>6}{header}", "equal in", "levels", "all"))?;
        let mut sum = Count::default();
        for (branch, count) in &self.branches {
            sum.add(count);
            output::line(format_args!("{}", Counts::line(branch, count)))?;
        }
        output::line(format_args!("{}", Counts::line("total", &sum)))
    }

    fn line(name: &str, count: &Count) -> String {
        let columns: String =
            count.columns[1..].iter().map(|equal| format!(" {equal:>8}")).collect();
        format!("{name:<12} {:>6} {:>6}{columns}", count.levels, count.all)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GAME: &str = "1\tTemple\tok\ta, b and c\t0\tfloor=10 tree=2\t0\t0 5 0\n\
                        1\tD:1\tok\tx\t1\tfloor=7\t3\t0 9 4\n";

    fn table(rows: &str) -> String {
        format!("{}\n{rows}", COLUMNS.join("\t"))
    }

    fn parting(own: &str, recorded: &str) -> Option<String> {
        let (own, recorded) = (games(own).expect("rows"), games(recorded).expect("rows"));
        first_difference(&own[&1], &recorded[&1], &[])
    }

    #[test]
    fn the_first_level_that_differs_is_told_with_both_values() {
        assert_eq!(parting(GAME, GAME), None);
        let other = GAME.replace("floor=7", "floor=8 lava=1").replace("0 9 4", "0 9 6");
        let told = parting(GAME, &other).expect("a difference");
        assert!(told.starts_with("D:1 differs"), "{told}");
        assert!(told.contains("features: floor 7/8, lava 0/1"), "{told}");
        assert!(told.contains("draws of this level: stream 2 4/6"), "{told}");
        assert!(matches!(compare(GAME, &table(&other)), Ok(Outcome::Findings)));
        assert!(matches!(compare(GAME, &table(GAME)), Ok(Outcome::Clean)));
    }

    #[test]
    fn what_a_machine_decides_is_passed_over_to_find_what_shapes_levels() {
        let other = GAME.replace("0 9 4", "0 9 6");
        let (own, recorded) = (games(GAME).expect("rows"), games(&other).expect("rows"));
        assert_eq!(first_difference(&own[&1], &recorded[&1], &[SYSTEM_SPECIFIC]), None);
        assert!(matches!(compare(GAME, &table(&other)), Ok(Outcome::Findings)));
    }

    #[test]
    fn later_levels_are_counted_by_their_own_draws() {
        let other = GAME.replace("0 5 0", "0 6 0").replace("0 9 4", "0 10 4");
        let (own, recorded) = (games(GAME).expect("rows"), games(&other).expect("rows"));
        let mut counts = Counts::default();
        counts.add(&own[&1], &recorded[&1]);
        let levels: Vec<_> = counts.branches.iter().map(|(n, c)| (n.as_str(), c.all)).collect();
        assert_eq!(levels, [("Temple", 0), ("D", 1)]);
    }

    #[test]
    fn a_game_that_ends_early_or_goes_another_way_differs() {
        let first = GAME.lines().next().expect("a row").to_owned() + "\n";
        assert_eq!(parting(&first, GAME).expect("a difference"), "ends before D:1");
        assert!(parting(GAME, &first).expect("a difference").contains("where the table ends"));
        let other = GAME.replace("\tD:1\t", "\tD:2\t");
        assert_eq!(parting(GAME, &other).expect("one"), "makes D:1 where the table has D:2");
    }

    #[test]
    fn empty_cut_and_foreign_tables_are_errors() {
        let cut = table(GAME);
        for bad in [
            "",
            &table(""),
            cut.trim_end(),
            &cut[..cut.len() - 12],
            &format!("{}\n", &cut[..cut.len() - 12]),
            "place\tseed\tstatus\nD:1\t1\tok\n",
            &table(&GAME.replace("1\tTemple", "7\tTemple").replace("1\tD:1", "7\tD:1")),
            &table(&format!("{GAME}2{}{GAME}", &GAME[1..GAME.find('\n').expect("a line") + 1])),
        ] {
            assert!(compare(GAME, bad).is_err(), "{bad:?}");
        }
    }
}
