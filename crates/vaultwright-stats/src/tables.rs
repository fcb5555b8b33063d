//! Tables for DuckDB, Polars, pandas: one Parquet file for each kind of thing (docs/statistics.md).

use std::path::Path;
use std::sync::Arc;

use parquet::basic::{Compression, LogicalType, Repetition, Type as Physical};
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, Int32Type, Int64Type};
use parquet::errors::{ParquetError, Result};
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::Type;
use vaultwright_files::WholeFile;

use crate::plan::Manifest;
use crate::record::GameTimes;
use crate::shard::Shard;
use crate::summary::Summary;
use crate::table_columns::{self as row, ColumnKind, Pick, Row, TABLES, Value};
use crate::table_rows::shard_rows;

/// The number of rows that are buffered and written together.
const ROWS_TOGETHER: usize = 1 << 15;

use ColumnKind::{Flag, Long, Number, Seed, Text};

/// Writes the tables of a campaign, shard by shard.
pub struct TableWriter {
    tables: Vec<Table>,
}

impl TableWriter {
    /// Creates a file for each table in a folder. The metadata of each describes the campaign.
    pub fn create(folder: &Path, manifest: &Manifest) -> Result<TableWriter> {
        std::fs::create_dir_all(folder)?;
        let about = about(manifest);
        let tables =
            TABLES.iter().map(|(name, columns)| Table::create(folder, name, columns, &about));
        Ok(TableWriter { tables: tables.collect::<Result<_>>()? })
    }

    /// Adds the records of a shard.
    pub fn add(&mut self, shard: &Shard, times: &[GameTimes]) -> Result<()> {
        shard_rows(shard, times, &mut |row| self.add_row(row))
    }

    /// Adds what is known about the whole campaign, and finishes the files.
    pub fn finish(mut self, summary: &Summary) -> Result<()> {
        for ((map, function, argument, part), (weights, counts)) in &summary.picks {
            for (alternative, (weight, count)) in weights.iter().zip(counts).enumerate() {
                let statement = function.to_uppercase();
                self.add_row(row::picks(Pick {
                    map,
                    statement: &statement,
                    argument,
                    part: *part,
                    alternative,
                    weight: *weight,
                    count: *count,
                }))?;
            }
        }
        self.tables.into_iter().try_for_each(Table::finish)
    }

    fn add_row(&mut self, row: Row) -> Result<()> {
        let found = self.tables.iter_mut().find(|known| known.name == row.table);
        found.ok_or_else(|| wrong(row.table))?.push(row.values)
    }
}

/// Returns what was requested of a campaign, under `vaultwright.…`: the same for any number of
/// workers and parts.
fn about(manifest: &Manifest) -> Vec<KeyValue> {
    let plan = &manifest.plan;
    let facts = [
        ("version", manifest.program.clone()),
        ("rules", manifest.rules.clone()),
        ("pack", manifest.pack.clone()),
        ("first_seed", plan.first_seed.to_string()),
        ("games", plan.games.to_string()),
        ("levels", plan.levels.ranges().unwrap_or("all").to_owned()),
    ];
    facts
        .into_iter()
        .map(|(key, value)| KeyValue::new(format!("vaultwright.{key}"), value))
        .collect()
}

/// A file with buffered rows.
struct Table {
    name: &'static str,
    columns: Vec<Values>,
    rows: usize,
    writer: SerializedFileWriter<WholeFile>,
}

/// The buffered values of a column.
enum Values {
    Text(Vec<ByteArray>),
    Number(Vec<i32>),
    Long(Vec<i64>),
    Flag(Vec<bool>),
}

impl Table {
    fn create(
        folder: &Path,
        name: &'static str,
        columns: &[(&str, ColumnKind)],
        about: &[KeyValue],
    ) -> Result<Table> {
        let fields = columns.iter().map(|&(name, kind)| {
            let (physical, logical) = match kind {
                Text => (Physical::BYTE_ARRAY, Some(LogicalType::String)),
                Number => (Physical::INT32, None),
                Seed => (Physical::INT64, Some(LogicalType::integer(64, false))),
                Long => (Physical::INT64, None),
                Flag => (Physical::BOOLEAN, None),
            };
            let field = Type::primitive_type_builder(name, physical)
                .with_repetition(Repetition::REQUIRED)
                .with_logical_type(logical);
            field.build().map(Arc::new)
        });
        let fields = fields.collect::<Result<Vec<_>>>()?;
        let schema = Arc::new(Type::group_type_builder(name).with_fields(fields).build()?);
        let properties = WriterProperties::builder()
            .set_compression(Compression::SNAPPY)
            .set_created_by(format!("vaultwright {}", env!("CARGO_PKG_VERSION")))
            .set_key_value_metadata(Some(about.to_vec()))
            .build();
        let file = WholeFile::create(&folder.join(format!("{name}.parquet")))?;
        let writer = SerializedFileWriter::new(file, schema, Arc::new(properties))?;
        let values = |&(_, kind): &(&str, ColumnKind)| match kind {
            Text => Values::Text(Vec::new()),
            Number => Values::Number(Vec::new()),
            Seed | Long => Values::Long(Vec::new()),
            Flag => Values::Flag(Vec::new()),
        };
        Ok(Table { name, columns: columns.iter().map(values).collect(), rows: 0, writer })
    }

    fn push(&mut self, row: Vec<Value>) -> Result<()> {
        for (column, value) in self.columns.iter_mut().zip(row) {
            match (column, value) {
                (Values::Text(values), Value::Text(value)) => values.push(ByteArray::from(value)),
                (Values::Number(values), Value::Number(value)) => values.push(value),
                (Values::Long(values), Value::Long(value)) => values.push(value),
                (Values::Flag(values), Value::Flag(value)) => values.push(value),
                _ => return Err(wrong(self.name)),
            }
        }
        self.rows += 1;
        if self.rows >= ROWS_TOGETHER { self.flush() } else { Ok(()) }
    }

    fn flush(&mut self) -> Result<()> {
        if self.rows == 0 {
            return Ok(());
        }
        let mut group = self.writer.next_row_group()?;
        let mut columns = self.columns.iter_mut();
        while let (Some(mut writer), Some(values)) = (group.next_column()?, columns.next()) {
            match values {
                Values::Text(values) => {
                    writer.typed::<ByteArrayType>().write_batch(values, None, None)?;
                    values.clear();
                }
                Values::Number(values) => {
                    writer.typed::<Int32Type>().write_batch(values, None, None)?;
                    values.clear();
                }
                Values::Long(values) => {
                    writer.typed::<Int64Type>().write_batch(values, None, None)?;
                    values.clear();
                }
                Values::Flag(values) => {
                    writer.typed::<BoolType>().write_batch(values, None, None)?;
                    values.clear();
                }
            }
            writer.close()?;
        }
        group.close()?;
        self.rows = 0;
        Ok(())
    }

    fn finish(mut self) -> Result<()> {
        self.flush()?;
        Ok(self.writer.into_inner()?.finish()?)
    }
}

fn wrong(table: &str) -> ParquetError {
    ParquetError::General(format!("a row of the table {table} does not fit its columns"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{
        GameRecord, LevelRecord, MapError, MonsterRecord, VaultRecord, VetoRecord,
    };
    use crate::shard::tests::manifest;
    use parquet::file::reader::{FileReader, SerializedFileReader};

    fn read(folder: &Path, table: &str) -> Vec<String> {
        let file = std::fs::File::open(folder.join(format!("{table}.parquet"))).expect("a file");
        let reader = SerializedFileReader::new(file).expect("a table");
        let rows = reader.get_row_iter(None).expect("rows");
        rows.map(|row| row.expect("a row").to_string()).collect()
    }

    #[test]
    fn tables_are_read_back() {
        let vault = VaultRecord {
            map: "pond".to_owned(),
            host: String::new(),
            x: 3,
            y: 4,
            width: 5,
            height: 6,
            orient: "float".to_owned(),
            turns: "mirror_x clockwise".to_owned(),
            rotation: 90,
            layout: false,
        };
        let rat = MonsterRecord {
            kind: "rat".to_owned(),
            spec: String::new(),
            name: "Sméagol".to_owned(),
            origin: "pond".to_owned(),
            x: 8,
            y: 0,
            awake: true,
            base: String::new(),
            hit_dice: 1,
            hit_points: 25,
        };
        let level = LevelRecord {
            place: "D:3".to_owned(),
            branch: "D".to_owned(),
            depth: 3,
            built: true,
            attempts: 2,
            vetoes: vec![VetoRecord { kind: "hook failed".into(), reason: "too wet".into() }],
            errors: vec![MapError { map: "pond".to_owned(), message: "a:1: leak".to_owned() }],
            vaults: vec![vault],
            monsters: vec![rat],
            vault_cells: vec![0, 1],
            ..LevelRecord::default()
        };
        let seed = u64::MAX;
        let games = vec![GameRecord { seed, levels: vec![level], casualties: Vec::new() }];
        let times = GameTimes { seed, levels: vec![("D:3".to_owned(), 77)], maps: Vec::new() };
        let folder = std::env::temp_dir().join(format!("vw-tables-test-{}", std::process::id()));
        let mut writer = TableWriter::create(&folder, &manifest()).expect("files");
        let shard = Shard { games, picks: Vec::new() };
        writer.add(&shard, &[times]).expect("written");
        writer.finish(&Summary::default()).expect("ended");
        assert_eq!(
            read(&folder, "vaults"),
            [
                r#"{seed: 18446744073709551615, place: "D:3", branch: "D", depth: 3, map: "pond", host: "", x: 3, y: 4, width: 5, height: 6, orient: "float", turns: "mirror_x clockwise", rotation: 90, layout: false}"#
            ]
        );
        let monsters = read(&folder, "monsters");
        assert!(monsters[0].contains("Sméagol") && monsters[0].contains("in_vault: true"));
        assert_eq!(read(&folder, "vetoes").len(), 1);
        assert!(read(&folder, "level_times")[0].contains("micros: 77"));
        assert!(read(&folder, "items").is_empty(), "a table without rows is a table too");
        let file = std::fs::File::open(folder.join("items.parquet")).expect("a file");
        let reader = SerializedFileReader::new(file).expect("Parquet");
        let about = reader.metadata().file_metadata().key_value_metadata().expect("metadata");
        let told = |key: &str| {
            let found = about.iter().find(|pair| pair.key == format!("vaultwright.{key}"));
            found.and_then(|pair| pair.value.clone()).unwrap_or_default()
        };
        assert_eq!(
            [told("version"), told("rules"), told("first_seed"), told("games"), told("levels")],
            ["0", "0.28", "7", "4", "all"]
        );
        std::fs::remove_dir_all(&folder).expect("removed");
    }

    #[test]
    fn the_documents_name_every_table_and_column() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/statistics.md");
        let text = std::fs::read_to_string(path).expect("the document");
        for (table, columns) in TABLES {
            let row = text.lines().find(|line| line.starts_with(&format!("| `{table}` |")));
            let row = row.unwrap_or_else(|| panic!("the table {table} is not described"));
            for (column, _) in *columns {
                let common = ["seed", "place", "branch", "depth"].contains(column);
                assert!(common || row.contains(&format!("`{column}`")), "{table}: {column}");
            }
        }
    }
}
