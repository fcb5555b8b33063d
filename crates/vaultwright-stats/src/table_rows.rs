//! The rows of a shard, table by table, also as columns for in-memory readers.

use crate::record::{GameRecord, GameTimes, LevelRecord};
use crate::shard::Shard;
use crate::table_columns::{self as row, ColumnKind, Row, TABLES, Value};

/// A column without missing values, in Arrow's layout.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Column {
    /// UTF-8: the offsets between values, and all values concatenated.
    Text(Vec<i32>, Vec<u8>),
    /// Signed 32-bit integers.
    Number(Vec<i32>),
    /// 64-bit integers, signed or unsigned depending on the type of the column.
    Long(Vec<i64>),
    /// A bit for each value, the lowest first, and the number of values.
    Flag(Vec<u8>, usize),
}

/// Returns the rows of a shard for one of the [`TABLES`], column by column, and their number.
/// Returns `None` if there is no such table. Picks, which are only known for a whole campaign, have
/// no rows here.
pub fn shard_columns(
    table: &str,
    shard: &Shard,
    times: &[GameTimes],
) -> Option<(usize, Vec<Column>)> {
    let (name, columns) = TABLES.iter().find(|(name, _)| *name == table)?;
    let mut columns: Vec<Column> = columns.iter().map(|(_, kind)| Column::new(*kind)).collect();
    let mut count = 0;
    let taken: Result<(), std::convert::Infallible> = shard_rows(shard, times, &mut |row| {
        if row.table == *name {
            count += 1;
            columns.iter_mut().zip(row.values).for_each(|(column, value)| column.push(&value));
        }
        Ok(())
    });
    taken.ok().map(|()| (count, columns))
}

impl Column {
    fn new(kind: ColumnKind) -> Column {
        match kind {
            ColumnKind::Text => Column::Text(vec![0], Vec::new()),
            ColumnKind::Number => Column::Number(Vec::new()),
            ColumnKind::Seed | ColumnKind::Long => Column::Long(Vec::new()),
            ColumnKind::Flag => Column::Flag(Vec::new(), 0),
        }
    }

    /// Adds a value. The columns and rows of a table are declared together, so their types agree.
    fn push(&mut self, value: &Value) {
        match (self, value) {
            (Column::Text(ends, bytes), Value::Text(text)) => {
                bytes.extend_from_slice(text.as_bytes());
                // No shard has more bytes than 31 bits can count.
                ends.push(i32::try_from(bytes.len()).unwrap_or(i32::MAX));
            }
            (Column::Number(values), Value::Number(value)) => values.push(*value),
            (Column::Long(values), Value::Long(value)) => values.push(*value),
            (Column::Flag(bits, count), Value::Flag(value)) => {
                if *count % 8 == 0 {
                    bits.push(0);
                }
                if let (true, Some(last)) = (*value, bits.last_mut()) {
                    *last |= 1 << (*count % 8);
                }
                *count += 1;
            }
            _ => debug_assert!(false, "a value of another kind than its column"),
        }
    }
}

/// Calls `to` with every row of a shard.
pub(crate) fn shard_rows<E>(
    shard: &Shard,
    times: &[GameTimes],
    to: &mut dyn FnMut(Row) -> Result<(), E>,
) -> Result<(), E> {
    for game in &shard.games {
        game_rows(game, to)?;
    }
    for game in times {
        for (place, micros) in &game.levels {
            to(row::level_times((game.seed, place, *micros)))?;
        }
        for (map, tries, micros) in &game.maps {
            to(row::map_times((game.seed, map, *tries, *micros)))?;
        }
    }
    Ok(())
}

fn game_rows<E>(game: &GameRecord, to: &mut dyn FnMut(Row) -> Result<(), E>) -> Result<(), E> {
    for casualty in &game.casualties {
        to(row::casualties(game.seed, casualty))?;
    }
    game.levels.iter().try_for_each(|level| level_rows(game.seed, level, to))
}

fn level_rows<E>(
    seed: u64,
    level: &LevelRecord,
    to: &mut dyn FnMut(Row) -> Result<(), E>,
) -> Result<(), E> {
    let at = (seed, level);
    to(row::levels(at))?;
    let rows = level.vaults.iter().map(|vault| row::vaults(at, vault));
    let rows = rows.chain(level.maps.iter().map(|map| row::maps(at, map)));
    let rows = rows.chain(level.features.iter().map(|feature| row::features(at, feature)));
    let rows = rows.chain(level.sights.iter().map(|sight| row::sights(at, sight)));
    let rows = rows.chain(level.monsters.iter().map(|monster| row::monsters(at, monster)));
    let rows = rows.chain(level.items.iter().map(|item| row::items(at, item)));
    let rows = rows.chain(level.vetoes.iter().map(|veto| row::vetoes(at, veto, false)));
    let swallowed = level.swallowed_vetoes.iter();
    let rows = rows.chain(swallowed.map(|veto| row::vetoes(at, veto, true)));
    let mut rows = rows.chain(level.errors.iter().map(|error| row::errors(at, error)));
    rows.try_for_each(to)
}

#[cfg(test)]
mod tests {
    use super::{Column, shard_columns};
    use crate::record::{GameRecord, LevelRecord};
    use crate::shard::Shard;
    use crate::table_columns::TABLES;

    #[test]
    fn columns_hold_the_values_of_all_rows() {
        let level = |place: &str, built| LevelRecord {
            place: place.to_owned(),
            built,
            ..LevelRecord::default()
        };
        let levels = (0..9).map(|depth| level(&format!("D:{depth}"), depth == 8)).collect();
        let games = vec![GameRecord { seed: 7, levels, casualties: Vec::new() }];
        let shard = Shard { games, picks: Vec::new() };
        let (rows, columns) = shard_columns("levels", &shard, &[]).expect("a table");
        assert_eq!(rows, 9);
        assert_eq!(columns[0], Column::Long(vec![7; 9]));
        let Column::Text(ends, bytes) = &columns[1] else { panic!("places are texts") };
        assert_eq!((ends[0], ends[9], &bytes[..6]), (0, 27, &b"D:0D:1"[..]));
        assert_eq!(columns[4], Column::Flag(vec![0, 1], 9));
        for (table, kinds) in TABLES {
            let (_, columns) = shard_columns(table, &shard, &[]).expect("a table");
            assert_eq!(columns.len(), kinds.len(), "{table}");
        }
        assert!(shard_columns("nothing", &shard, &[]).is_none());
    }
}
