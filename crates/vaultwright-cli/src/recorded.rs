//! Comparing results with recorded tables.

use std::collections::BTreeMap;
use std::io::Read;
use std::path::Path;

use crate::{Failure, Outcome};

type Key = (Vec<u8>, Vec<u8>);

/// Compares rolls with a recorded table, column by column.
pub fn compare(columns: &[&str], rows: &[Vec<u8>], path: &Path) -> Result<Outcome, Failure> {
    let recorded = read_table(path)?;
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
                    println!("{name} seed {seed}: {column} differs");
                }
            },
        }
    }
    let differ: usize = differing.values().sum();
    let by_column: Vec<String> =
        differing.iter().map(|(column, count)| format!("{column} {count}")).collect();
    println!(
        "{equal} rows equal, {differ} differ{}, {unknown} not in the table, {} not rolled",
        if by_column.is_empty() { String::new() } else { format!(" ({})", by_column.join(", ")) },
        expected.len()
    );
    Ok(if differ == 0 { Outcome::Clean } else { Outcome::Findings })
}

/// The text of a table, unpacked if it is packed.
pub fn read_table(path: &Path) -> Result<Vec<u8>, Failure> {
    let bytes = std::fs::read(path).map_err(|e| format!("cannot read {}: {e}", path.display()))?;
    if !bytes.starts_with(&[0x1f, 0x8b]) {
        return Ok(bytes);
    }
    let mut table = Vec::new();
    flate2::read::GzDecoder::new(&bytes[..])
        .read_to_end(&mut table)
        .map_err(|e| format!("{} is no whole gzip file: {e}", path.display()))?;
    Ok(table)
}

fn fields(line: &[u8]) -> Vec<Vec<u8>> {
    line.split(|&b| b == b'\t').map(<[u8]>::to_vec).collect()
}

/// The first column that differs; a row that is not ok counts by its status alone.
fn first_difference<'a>(
    columns: &[&'a str],
    own: &[Vec<u8>],
    other: &[Vec<u8>],
) -> Option<&'a str> {
    let compared = if own.get(2).is_some_and(|status| status == b"ok") { columns.len() } else { 3 };
    (2..compared).find(|&index| own.get(index) != other.get(index)).map(|index| columns[index])
}
