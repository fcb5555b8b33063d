//! `vaultwright objstat`.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::{Map, Value, json};
use vaultwright::stats::{Levels, ObjectStatistics, Plan, read_shard};

use super::mapstat::{games_and_levels, selected};
use super::{pack, survey};
use crate::arguments::{Common, ObjstatOptions, PlainFormat};
use crate::{Failure, Outcome, output};

pub fn run(common: &Common, options: &ObjstatOptions) -> Result<Outcome, Failure> {
    let (games, levels) = games_and_levels(&options.words)?;
    let plan = Plan {
        first_seed: options.campaign.seed,
        games,
        levels: levels.map_or(Levels::All, Levels::Only),
        force: None,
        veto_closets: false,
        without: options.campaign.without.clone(),
        picks: false,
        kept_games: 0,
    };
    let surveyed =
        survey(common, pack(common, &options.campaign)?, &options.campaign, plan, &|_, _, _| true)?;
    surveyed.tell_lua_errors();
    let ranges = surveyed.manifest.plan.levels.ranges();
    let order = selected(&surveyed.engine, ranges)?;
    let mut statistics = ObjectStatistics::new(&surveyed.engine, order);
    let mut failed: BTreeMap<String, (u64, String)> = BTreeMap::new();
    for shard in surveyed.manifest.own_shards() {
        let records = read_shard(surveyed.folder.path(), &surveyed.manifest, shard);
        for game in records.iter().flat_map(|shard| &shard.games) {
            statistics.add(game);
            for level in game.levels.iter().filter(|level| !level.built) {
                let entry = failed.entry(level.place.clone()).or_default();
                let last = level.vetoes.last().map_or("", |veto| veto.reason.as_str());
                *entry = (entry.0 + 1, last.to_owned());
            }
        }
    }
    match surveyed.folder.kept() {
        Some(folder) => write_files(&statistics, ranges, folder)?,
        None if options.format == PlainFormat::Json => print_json(&statistics)?,
        None => print(&statistics)?,
    }
    if !surveyed.complete {
        eprintln!("stopped before all of {} games were built", surveyed.games());
        return Ok(Outcome::Findings);
    }
    for (place, (times, reason)) in &failed {
        let games = surveyed.games();
        eprintln!("error: {place} was not built in {times} of {games} games: {reason}");
    }
    Ok(if failed.is_empty() { Outcome::Clean } else { Outcome::Findings })
}

/// Writes a file for each class, as the reference writes them.
fn write_files(
    statistics: &ObjectStatistics,
    ranges: Option<&str>,
    folder: &Path,
) -> Result<(), Failure> {
    let mut written = vec![("Info".to_owned(), statistics.info(ranges))];
    for (index, class) in statistics.classes() {
        written.push((class.title.replace(' ', ""), statistics.table(index)));
    }
    for (title, text) in written {
        let path = folder.join(format!("objstat_{title}.tsv"));
        output::write(Some(&path), text.as_bytes())?;
        output::write(None, format!("{}\n", path.display()).as_bytes())?;
    }
    Ok(())
}

/// Prints one table after the other.
fn print(statistics: &ObjectStatistics) -> Result<(), Failure> {
    let tables = statistics.classes().map(|(index, _)| statistics.table(index));
    output::write(None, tables.collect::<Vec<_>>().join("\n").as_bytes())
}

/// Prints the rows of each table as objects, by the names of its columns.
fn print_json(statistics: &ObjectStatistics) -> Result<(), Failure> {
    let value = |cell: &str| cell.parse().map_or_else(|_| json!(cell), |number: f64| json!(number));
    let mut tables = Map::new();
    for (index, class) in statistics.classes() {
        let table = statistics.table(index);
        let mut lines = table.lines();
        let columns: Vec<&str> = lines.next().unwrap_or_default().split('\t').collect();
        let rows = lines.map(|line| {
            let cells = columns.iter().zip(line.split('\t'));
            cells.map(|(column, cell)| ((*column).to_owned(), value(cell))).collect()
        });
        tables.insert(class.title.to_string(), Value::Array(rows.map(Value::Object).collect()));
    }
    output::write(None, format!("{:#}\n", Value::Object(tables)).as_bytes())
}
