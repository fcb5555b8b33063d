//! Tables of the steps of builds, and the first step at which two of them part (goldens/README,
//! "The trace").

use std::collections::BTreeMap;
use std::path::Path;

use vaultwright::{LevelResult, Step};

use crate::recorded::{check_header, nothing_compared, read_table};
use crate::{Failure, Outcome, output};

/// The columns of a table.
pub const COLUMNS: &[&str] =
    &["place", "seed", "row", "attempt", "step", "draws", "hash", "monsters", "items", "arg"];

/// The step of an item for which a recorded table has a row, also if the item lies in a shop's
/// stock.
const VAULT_ITEM: &[u8] = b"vault_item";

/// Returns the rows of a build.
pub fn rows(place: &str, seed: u64, result: &LevelResult) -> Vec<u8> {
    let Ok(built) = result else {
        return format!("{place}\t{seed}\t0\t50\tfailed\t-\t-\t-\t-\t\n").into_bytes();
    };
    let mut out = String::new();
    for (index, step) in built.steps.iter().enumerate() {
        let (row, Step { attempt, name, draws, detail, .. }) = (index + 1, step);
        let state = step.state.map_or("-\t-\t-".to_owned(), |state| {
            format!("{:016x}\t{}\t{}", state.hash, state.monsters, state.items)
        });
        let detail = detail.replace(['\t', '\n'], " ");
        out += &format!("{place}\t{seed}\t{row}\t{attempt}\t{name}\t{draws}\t{state}\t{detail}\n");
    }
    // Texts of maps are bytes.
    out.chars().map(|c| u8::try_from(c).unwrap_or(b'?')).collect()
}

/// Tells for each level at which step it parts from the recorded build: by its name, its draws or
/// its terrain. What a step says of itself is not compared, nor are creatures and items.
pub fn compare(builds: &[Vec<u8>], path: &Path) -> Result<Outcome, Failure> {
    let table = read_table(path)?;
    check_header(&table, COLUMNS, path)?;
    let mut recorded: BTreeMap<(&[u8], &[u8]), Vec<Row>> = BTreeMap::new();
    for row in table.split(|&b| b == b'\n').skip(1).filter_map(Row::of) {
        if !row.is_stock() {
            recorded.entry((row.place, row.seed)).or_default().push(row);
        }
    }
    let (mut equal, mut unknown) = (0, 0);
    let mut parted: BTreeMap<String, usize> = BTreeMap::new();
    for build in builds {
        let own: Vec<Row> = build.split(|&b| b == b'\n').filter_map(Row::of).collect();
        let Some(first) = own.first() else { continue };
        let Some(other) = recorded.get(&(first.place, first.seed)) else {
            unknown += 1;
            continue;
        };
        let Some((step, what)) = first_parting(&own, other) else {
            equal += 1;
            continue;
        };
        let (place, seed) =
            (String::from_utf8_lossy(first.place), String::from_utf8_lossy(first.seed));
        output::line(format_args!("{place} seed {seed}: {what}"))?;
        *parted.entry(step).or_default() += 1;
    }
    let differ: usize = parted.values().sum();
    for (step, count) in &parted {
        output::line(format_args!("{count:5} part at {step}"))?;
    }
    let told = format!(
        "{equal} builds take the same steps, {differ} part, {unknown} are not in the table"
    );
    output::line(told)?;
    if equal + differ == 0 {
        return Err(nothing_compared(path));
    }
    Ok(if differ == 0 { Outcome::Clean } else { Outcome::Findings })
}

/// The columns of a row that are compared, and those that tell where it is.
struct Row<'a> {
    place: &'a [u8],
    seed: &'a [u8],
    number: &'a [u8],
    attempt: &'a [u8],
    step: &'a [u8],
    draws: &'a [u8],
    hash: &'a [u8],
    arg: &'a [u8],
}

impl Row<'_> {
    fn of(line: &[u8]) -> Option<Row<'_>> {
        let mut fields = line.split(|&b| b == b'\t');
        let mut next = || fields.next();
        let (place, seed, number, attempt) = (next()?, next()?, next()?, next()?);
        let (step, draws, hash) = (next()?, next()?, next()?);
        let (_monsters, _items, arg) = (next()?, next()?, next()?);
        Some(Row { place, seed, number, attempt, step, draws, hash, arg })
    }

    /// Returns whether it tells of an item that is nowhere on the level: the stock of a shop,
    /// which is not made here.
    fn is_stock(&self) -> bool {
        self.step == VAULT_ITEM && self.arg.ends_with(b" 0,0")
    }

    fn shown(&self) -> String {
        let text = |bytes| String::from_utf8_lossy(bytes).into_owned();
        let (number, attempt, step) = (text(self.number), text(self.attempt), text(self.step));
        let (draws, hash, arg) = (text(self.draws), text(self.hash), text(self.arg));
        format!("row {number}, attempt {attempt}: {step} {arg} (draws {draws}, hash {hash})")
    }
}

/// Returns the step after which two builds are not the same any more, and both rows.
fn first_parting(own: &[Row], recorded: &[Row]) -> Option<(String, String)> {
    let is_same = |a: &Row, b: &Row| {
        (a.attempt, a.step, a.draws, a.hash) == (b.attempt, b.step, b.draws, b.hash)
    };
    let same = own.iter().zip(recorded).take_while(|(a, b)| is_same(a, b)).count();
    let (a, b) = (own.get(same), recorded.get(same));
    let step = b.or(a)?.step;
    let shown = |row: Option<&Row>| row.map_or("nothing".to_owned(), Row::shown);
    let what = format!("{}\n  recorded: {}", shown(a), shown(b));
    Some((String::from_utf8_lossy(step).into_owned(), what))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(text: &str) -> Vec<Row<'_>> {
        text.lines().filter_map(|line| Row::of(line.as_bytes())).collect()
    }

    #[test]
    fn the_first_row_with_other_draws_is_told() {
        let own =
            "D:2\t1\t1\t1\tattempt\t0\tab\t0\t0\t\nD:2\t1\t2\t1\ttrap\t7\tab\t0\t0\t3,3 Zot\n";
        let other = own.replace("\t7\t", "\t8\t");
        assert_eq!(first_parting(&rows(own), &rows(own)), None);
        let (step, what) = first_parting(&rows(own), &rows(&other)).unwrap_or_default();
        assert_eq!(step, "trap");
        assert!(what.contains("3,3 Zot (draws 7"), "{what}");
        assert!(what.contains("recorded: row 2, attempt 1: trap 3,3 Zot (draws 8"), "{what}");
    }

    #[test]
    fn creatures_do_not_count_and_missing_rows_do() {
        let own = "D:2\t1\t1\t1\tattempt\t0\tab\t0\t0\t\nD:2\t1\t2\t1\tfinished\t7\tab\t4\t0\t\n";
        let other = own.replace("\t4\t0\t", "\t5\t0\t");
        assert_eq!(first_parting(&rows(own), &rows(&other)), None);
        let (step, what) = first_parting(&rows(own)[..1], &rows(own)).unwrap_or_default();
        assert_eq!(step, "finished");
        assert!(what.starts_with("nothing"), "{what}");
    }
}
