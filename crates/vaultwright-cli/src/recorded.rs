//! Comparing results with recorded tables.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use vaultwright_files::{read_within, unpack_gzip};

use crate::{Failure, Outcome, UsageError, output};

/// What a row is of: a map or a place, and a seed.
pub type Key = (Vec<u8>, Vec<u8>);

/// Refuses a format other than that of tables where they are compared.
pub fn refuse_format(against: &Option<PathBuf>, is_other: bool) -> Result<(), UsageError> {
    match against.is_some() && is_other {
        true => Err(UsageError("--against tells in text: leave --format out".to_owned())),
        false => Ok(()),
    }
}

/// Compares rows with a recorded table, column by column.
pub fn compare(columns: &[&str], rows: &[Vec<u8>], path: &Path) -> Result<Outcome, Failure> {
    Recorded::of(columns, &read_table(path)?, path)?.compare(rows)
}

/// The rows of a recorded table.
pub struct Recorded<'t> {
    columns: &'t [&'t str],
    rows: BTreeMap<Key, Vec<&'t [u8]>>,
    path: &'t Path,
}

impl<'t> Recorded<'t> {
    /// Takes up a table with these columns.
    pub fn of(
        columns: &'t [&'t str],
        table: &'t [u8],
        path: &'t Path,
    ) -> Result<Recorded<'t>, Failure> {
        check_header(table, columns, path)?;
        let rows = lines(table).map(|row| (key_of(&row), row)).collect();
        Ok(Recorded { columns, rows, path })
    }

    /// Returns whether a row is another one in the table.
    pub fn differs(&self, row: &[u8]) -> bool {
        let own = fields(row);
        let other = self.rows.get(&key_of(&own));
        other.is_some_and(|other| first_difference(self.columns, &own, other).is_some())
    }

    /// Compares rows, and tells which differ.
    pub fn compare(mut self, rows: &[Vec<u8>]) -> Result<Outcome, Failure> {
        let mut differing: BTreeMap<&str, usize> = BTreeMap::new();
        let (mut equal, mut unknown) = (0, 0);
        for row in rows {
            let own = fields(row);
            match self.rows.remove(&key_of(&own)) {
                None => unknown += 1,
                Some(other) => match first_difference(self.columns, &own, &other) {
                    None => equal += 1,
                    Some(column) => {
                        *differing.entry(column).or_default() += 1;
                        let (name, seed) =
                            (String::from_utf8_lossy(own[0]), String::from_utf8_lossy(own[1]));
                        output::line(format_args!("{name} seed {seed}: {column} differs"))?;
                    }
                },
            }
        }
        let differ: usize = differing.values().sum();
        let by_column: Vec<String> =
            differing.iter().map(|(column, count)| format!("{column} {count}")).collect();
        output::line(format_args!(
            "{equal} rows equal, {differ} differ{}, {unknown} not in the table, {} not rolled",
            if by_column.is_empty() {
                String::new()
            } else {
                format!(" ({})", by_column.join(", "))
            },
            self.rows.len()
        ))?;
        if equal + differ == 0 {
            return Err(nothing_compared(self.path));
        }
        Ok(if differ == 0 { Outcome::Clean } else { Outcome::Findings })
    }
}

/// Returns the fields of all rows of a table that say how something went.
pub fn lines(table: &[u8]) -> impl Iterator<Item = Vec<&[u8]>> {
    table.split(|&b| b == b'\n').skip(1).map(fields).filter(|fields| fields.len() > 3)
}

/// Returns what a row is of.
pub fn key_of(row: &[&[u8]]) -> Key {
    (row[0].to_vec(), row[1].to_vec())
}

/// How many bytes a table may have, unpacked.
const MAX_TABLE_SIZE: u64 = 1 << 30;

/// Returns the text of a table, unpacked if it is packed. One that is empty, or cut off within a
/// line, is an error.
pub fn read_table(path: &Path) -> Result<Vec<u8>, Failure> {
    let named = path.display();
    let bytes = read_within(path, MAX_TABLE_SIZE).map_err(crate::IoFailure::of("read", path))?;
    let table = match bytes.starts_with(&[0x1f, 0x8b]) {
        false => bytes,
        true => unpack_gzip(&bytes, MAX_TABLE_SIZE)
            .map_err(|e| format!("{named} is no whole gzip file: {e}"))?,
    };
    match table.last() {
        None => Err(format!("{named} is empty: it is no table").into()),
        Some(b'\n') => Ok(table),
        Some(_) => Err(format!("{named} is cut off: its last line has no end").into()),
    }
}

/// Checks that the first line of a table has the columns it should have.
pub fn check_header(table: &[u8], columns: &[&str], path: &Path) -> Result<(), Failure> {
    let first = table.split(|&b| b == b'\n').next().unwrap_or_default();
    let first = first.strip_suffix(b"\r").unwrap_or(first);
    if first == columns.join("\t").as_bytes() {
        return Ok(());
    }
    let columns = columns.join(", ");
    Err(format!(
        "{} is another table: its first line has not the columns {columns}",
        path.display()
    )
    .into())
}

/// Returns what to say of a table in which nothing is found that could be compared.
pub fn nothing_compared(path: &Path) -> Failure {
    format!("{} has none of these rows: nothing was compared", path.display()).into()
}

fn fields(line: &[u8]) -> Vec<&[u8]> {
    line.strip_suffix(b"\n").unwrap_or(line).split(|&b| b == b'\t').collect()
}

/// Returns the first column that differs; a row that is not ok counts by its status alone.
fn first_difference<'a>(columns: &[&'a str], own: &[&[u8]], other: &[&[u8]]) -> Option<&'a str> {
    let compared =
        if own.get(2).is_some_and(|&status| status == b"ok") { columns.len() } else { 3 };
    (2..compared).find(|&index| own.get(index) != other.get(index)).map(|index| columns[index])
}
