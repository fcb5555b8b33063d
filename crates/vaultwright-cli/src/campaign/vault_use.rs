//! `vaultwright mapstat --against`: are vaults used as often as in a table of recorded levels?

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

use vaultwright::Library;
use vaultwright::stats::{compare_kinds, read_shard};

use super::Surveyed;
use crate::{Failure, Outcome, output, recorded};

/// How improbable a difference has to be to count as one, over all places together.
const SIGNIFICANT: f64 = 0.001;

/// By place: how many levels there are, and how often each map stands on one.
type Uses = BTreeMap<String, (u64, BTreeMap<String, u64>)>;

/// Compares place by place with a chi-square test, and prints a table. Entries of branches and
/// temples of other gods are left out: where they stand is drawn at the start of a game, which
/// recorded levels lack.
pub fn compare_vault_use(surveyed: &Surveyed, path: &Path) -> Result<Outcome, Failure> {
    let library = surveyed.engine.library();
    let ours = surveyed_uses(surveyed, &library);
    let table = recorded::read_table(path)?;
    let table = String::from_utf8_lossy(&table);
    let columns = Columns::of(table.lines().next().unwrap_or_default());
    let columns = columns.map_err(|error| format!("{} {error}", path.display()))?;
    let theirs = recorded_uses(&table, &columns, &library);
    if !columns.of_games && ours.len() > 1 {
        eprintln!(
            "note: levels of the table that were built each in a game of their own do not have what \
             games have only once above them: compare those one by one, or the table of \
             `levels --games`"
        );
    }
    let common: Vec<&String> = ours.keys().filter(|place| theirs.contains_key(*place)).collect();
    if common.is_empty() {
        return Err(format!("{} has no level of these places", path.display()).into());
    }
    let threshold = SIGNIFICANT / common.len() as f64;
    let mut out =
        "| place | levels | recorded | maps | of them frequent | chi² | p | |\n".to_owned();
    out.push_str("| --- | ---: | ---: | ---: | ---: | ---: | ---: | --- |\n");
    let mut different = 0;
    for place in common {
        let ((levels, ours), (recorded, theirs)) = (&ours[place], &theirs[place]);
        let test = compare_kinds(place, ours, theirs);
        let verdict = if test.p < threshold { "differs" } else { "" };
        different += usize::from(test.p < threshold);
        let maps = ours.keys().chain(theirs.keys().filter(|map| !ours.contains_key(*map))).count();
        // Writing to a string cannot fail.
        let _ = writeln!(
            out,
            "| {place} | {levels} | {recorded} | {maps} | {} | {:.1} | {:.3} | {verdict} |",
            test.columns, test.statistic, test.p
        );
    }
    output::write(None, out.as_bytes())?;
    eprintln!("{different} places differ at p < {threshold:.1e} each");
    Ok(if different > 0 { Outcome::Findings } else { Outcome::Clean })
}

fn counts(library: &Library, name: &str) -> bool {
    let Some(index) = library.find(name) else { return true };
    let tags = &library[index].selection.tags;
    !tags.iter().any(|tag| tag.ends_with("_entry") || tag.starts_with("temple_overflow"))
}

fn surveyed_uses(surveyed: &Surveyed, library: &Library) -> Uses {
    let mut uses = Uses::new();
    let shards = surveyed.manifest.own_shards();
    let shards =
        shards.filter_map(|shard| read_shard(surveyed.folder.path(), &surveyed.manifest, shard));
    for level in shards.flat_map(|shard| shard.games).flat_map(|game| game.levels) {
        let (levels, maps) = uses.entry(level.place.clone()).or_default();
        *levels += u64::from(level.built);
        for vault in level.vaults.iter().filter(|vault| vault.host.is_empty()) {
            if counts(library, &vault.map) {
                *maps.entry(vault.map.clone()).or_default() += 1;
            }
        }
    }
    uses
}

/// The columns that are read of a recorded table.
struct Columns {
    place: usize,
    status: usize,
    vaults: usize,
    /// Whether it is a table of whole games, which `levels --games` writes.
    of_games: bool,
}

impl Columns {
    /// Finds the columns by the names in the header; the error names one that is missing.
    fn of(header: &str) -> Result<Columns, String> {
        let names: Vec<&str> = header.split('\t').collect();
        let column = |name: &str| {
            let found = names.iter().position(|&other| other == name);
            found.ok_or_else(|| format!("has no column {name}"))
        };
        let (place, status, vaults) = (column("place")?, column("status")?, column("vaults")?);
        Ok(Columns { place, status, vaults, of_games: names.first() == Some(&"seed") })
    }
}

/// Counts the uses of vaults in a recorded table. Subvaults stand in brackets behind their host,
/// and do not count.
fn recorded_uses(table: &str, columns: &Columns, library: &Library) -> Uses {
    let mut uses = Uses::new();
    for line in table.lines().skip(1) {
        let fields: Vec<&str> = line.split('\t').collect();
        let field = |column: usize| fields.get(column).copied().unwrap_or_default();
        if field(columns.status) != "ok" {
            continue;
        }
        let (levels, maps) = uses.entry(field(columns.place).to_owned()).or_default();
        *levels += 1;
        let vaults = match columns.of_games {
            true => listed(field(columns.vaults), library),
            false => field(columns.vaults).to_owned(),
        };
        let mut inside = false;
        for part in vaults.split(", ").filter(|part| !part.is_empty()) {
            let (name, opened) = part.split_once(" [").map_or((part, false), |(n, _)| (n, true));
            if !inside && counts(library, name) {
                *maps.entry(name.to_owned()).or_default() += 1;
            }
            inside = (inside || opened) && !part.ends_with(']');
        }
    }
    uses
}

/// Returns a list in words, `a, b and c`, with commas only.
fn listed(words: &str, library: &Library) -> String {
    let bare = |words: &str| words.split(" [").next().unwrap_or(words).to_owned();
    match words.rsplit_once(" and ") {
        // Names may have that word in them.
        Some((others, last)) if library.find(&bare(words)).is_none() => format!("{others}, {last}"),
        _ => words.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_found_by_their_names() {
        let library = Library::default();
        let uses = |table: &str| {
            let columns = Columns::of(table.lines().next().expect("a header")).expect("columns");
            recorded_uses(table, &columns, &library)
        };
        let levels = uses("place\tseed\tstatus\tvaults\nD:1\t1\tok\ta, b [x, y], c\n");
        let games = uses("seed\tplace\tstatus\tvaults\n1\tD:1\tok\ta, b [x, y] and c\n");
        assert_eq!(levels, games);
        assert_eq!(levels["D:1"].1.keys().collect::<Vec<_>>(), ["a", "b", "c"]);
        assert!(Columns::of("place\tseed\thash").is_err());
    }
}
