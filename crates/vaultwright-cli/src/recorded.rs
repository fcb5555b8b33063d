//! Comparing results with recorded tables.

use std::collections::BTreeMap;
use std::path::Path;

use vaultwright_files::{read_within, unpack_gzip};

use crate::{Failure, Outcome, output};

type Key = (Vec<u8>, Vec<u8>);

/// Compares rolls with a recorded table, column by column.
pub fn compare(columns: &[&str], rows: &[Vec<u8>], path: &Path) -> Result<Outcome, Failure> {
    let recorded = read_table(path)?;
    check_header(&recorded, columns, path)?;
    let mut expected: BTreeMap<Key, Vec<Vec<u8>>> = BTreeMap::new();
    for line in recorded.split(|&b| b == b'\n').skip(1).filter(|line| !line.is_empty()) {
        let fields = fields(line);
        if fields.len() > 3 {
            expected.insert((fields[0].clone(), fields[1].clone()), fields);
        }
    }
    let mut differing: BTreeMap<&str, usize> = BTreeMap::new();
    let (mut equal, mut unknown) = (0, 0);
    for row in rows {
        let own = fields(row.strip_suffix(b"\n").unwrap_or(row));
        let key = (own[0].clone(), own[1].clone());
        match expected.remove(&key) {
            None => unknown += 1,
            Some(other) => match first_difference(columns, &own, &other) {
                None => equal += 1,
                Some(column) => {
                    *differing.entry(column).or_default() += 1;
                    let (name, seed) =
                        (String::from_utf8_lossy(&own[0]), String::from_utf8_lossy(&own[1]));
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
        if by_column.is_empty() { String::new() } else { format!(" ({})", by_column.join(", ")) },
        expected.len()
    ))?;
    if equal + differ == 0 {
        return Err(nothing_compared(path));
    }
    Ok(if differ == 0 { Outcome::Clean } else { Outcome::Findings })
}

/// How many bytes a table may have, unpacked.
const MAX_TABLE_SIZE: u64 = 1 << 30;

/// Returns the text of a table, unpacked if it is packed. One that is empty, or cut off within a
/// line, is an error.
pub fn read_table(path: &Path) -> Result<Vec<u8>, Failure> {
    let named = path.display();
    let bytes = read_within(path, MAX_TABLE_SIZE)
        .map_err(|e| crate::IoFailure(format!("cannot read {named}: {e}")))?;
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

fn fields(line: &[u8]) -> Vec<Vec<u8>> {
    line.split(|&b| b == b'\t').map(<[u8]>::to_vec).collect()
}

/// Returns the first column that differs; a row that is not ok counts by its status alone.
fn first_difference<'a>(
    columns: &[&'a str],
    own: &[Vec<u8>],
    other: &[Vec<u8>],
) -> Option<&'a str> {
    let compared = if own.get(2).is_some_and(|status| status == b"ok") { columns.len() } else { 3 };
    (2..compared).find(|&index| own.get(index) != other.get(index)).map(|index| columns[index])
}
