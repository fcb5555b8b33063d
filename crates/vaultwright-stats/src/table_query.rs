//! Queries of a campaign's tables: filters rows, and counts and sums them by group.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::fs::File;
use std::path::{Path, PathBuf};

use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::Field;
use parquet::schema::types::ColumnDescriptor;
use serde::{Deserialize, Serialize};

/// A query of one table.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct TableQuery {
    /// The table.
    pub table: String,
    /// The conditions that rows must meet.
    #[serde(rename = "where")]
    pub conditions: Vec<Condition>,
    /// The columns to group by. Without any, rows are listed.
    pub group: Vec<String>,
    /// The figures for each group; if empty, the number of its rows.
    pub measure: Vec<Measure>,
    /// The column, or the measure as `sum column`, to sort the answer by.
    pub order: Option<String>,
    /// Whether to sort in descending order.
    pub descending: bool,
    /// The maximum number of rows in the answer.
    pub limit: Option<usize>,
}

/// A condition on rows.
#[derive(Clone, Debug, Deserialize)]
pub struct Condition {
    /// The column.
    pub column: String,
    /// `=`, `!=`, `<`, `<=`, `>`, `>=`, `contains`.
    pub op: String,
    /// The value to compare with.
    pub value: serde_json::Value,
}

/// A figure computed for a group of rows.
#[derive(Clone, Debug, Deserialize)]
pub struct Measure {
    /// `count`, `sum`, `mean`, `min`, `max`.
    pub of: String,
    /// The column; `None` for `count`.
    #[serde(default)]
    pub column: Option<String>,
}

/// A table that can be queried.
#[derive(Clone, Debug, Serialize)]
pub struct TableInfo {
    /// The table's name.
    pub name: String,
    /// The table's columns and their types.
    pub columns: Vec<ColumnInfo>,
    /// The number of rows.
    pub rows: i64,
}

/// A column of a table.
#[derive(Clone, Debug, Serialize)]
pub struct ColumnInfo {
    /// The column's name.
    pub name: String,
    /// `text`, `number` or `flag`.
    pub kind: &'static str,
}

/// An answer: column names and rows.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TableAnswer {
    /// The column names.
    pub columns: Vec<String>,
    /// The values.
    pub rows: Vec<Vec<serde_json::Value>>,
    /// The number of rows before the answer was truncated.
    pub all: usize,
}

/// The maximum number of rows of an answer.
const MAX_ROWS: usize = 10_000;
/// The maximum number of groups.
const MAX_GROUPS: usize = 1_000_000;

/// Returns the tables in a folder, sorted by name.
pub fn tables_in(folder: &Path) -> Result<Vec<TableInfo>, String> {
    let entries = std::fs::read_dir(folder).map_err(|error| error.to_string())?;
    let mut tables = Vec::new();
    for entry in entries.flatten() {
        let path = entry.path();
        let name = path.file_stem().map(|name| name.to_string_lossy().into_owned());
        let (Some(name), true) = (name, path.extension().is_some_and(|e| e == "parquet")) else {
            continue;
        };
        let reader = open(&path)?;
        let file = reader.metadata().file_metadata();
        let columns = file
            .schema_descr()
            .columns()
            .iter()
            .map(|column| ColumnInfo { name: column.name().to_owned(), kind: kind_of(column) });
        tables.push(TableInfo { name, columns: columns.collect(), rows: file.num_rows() });
    }
    tables.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(tables)
}

/// Returns the type of a column: `text`, `number` or `flag`.
fn kind_of(column: &ColumnDescriptor) -> &'static str {
    match column.physical_type() {
        parquet::basic::Type::BOOLEAN => "flag",
        parquet::basic::Type::BYTE_ARRAY => "text",
        _ => "number",
    }
}

/// Answers a query of a table in a folder.
pub fn query_table(folder: &Path, query: &TableQuery) -> Result<TableAnswer, String> {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '_';
    if query.table.is_empty() || !query.table.chars().all(is_plain) {
        return Err(format!("there is no table '{}'", query.table));
    }
    let reader = open(&folder.join(format!("{}.parquet", query.table)))?;
    let schema = reader.metadata().file_metadata().schema_descr_ptr();
    let names: Vec<String> = schema.columns().iter().map(|c| c.name().to_owned()).collect();
    let column = |name: &str| {
        let found = names.iter().position(|other| other == name);
        found.ok_or_else(|| format!("{} has no column '{name}': {}", query.table, names.join(", ")))
    };
    let conditions = query.conditions.iter().map(|condition| {
        let index = column(&condition.column)?;
        Ok((index, test_of(condition, kind_of(&schema.columns()[index]))?))
    });
    let conditions = conditions.collect::<Result<Vec<_>, String>>()?;
    let group = query.group.iter().map(|name| column(name)).collect::<Result<Vec<_>, _>>()?;
    let measures = measures_of(query, &column)?;
    let limit = query.limit.unwrap_or(200).min(MAX_ROWS);
    let fitting = |take: &mut dyn FnMut(Vec<Cell>) -> Result<(), String>| {
        for row in reader.get_row_iter(None).map_err(|error| error.to_string())? {
            let row = row.map_err(|error| error.to_string())?;
            let values: Vec<Cell> =
                row.get_column_iter().map(|(_, field)| Cell::of(field)).collect();
            let fits =
                |(index, test): &(usize, Test)| values.get(*index).is_some_and(|v| test.holds(v));
            if conditions.iter().all(fits) {
                take(values)?;
            }
        }
        Ok(())
    };
    let (columns, mut rows, all) = if query.group.is_empty() && query.measure.is_empty() {
        let most = if query.order.is_some() { usize::MAX } else { limit };
        let (rows, all) = listed(&fitting, most)?;
        (names.clone(), rows, all)
    } else {
        let rows = grouped(&fitting, &group, &measures)?;
        let of_measures = measures.iter().map(|measure| measure.name.clone());
        let all = rows.len();
        (query.group.iter().cloned().chain(of_measures).collect(), rows, all)
    };
    if let Some(order) = &query.order {
        let by = columns.iter().position(|name| name == order);
        let by = by.ok_or_else(|| format!("the answer has no column '{order}'"))?;
        rows.sort_by(|a, b| match query.descending {
            true => b[by].cmp(&a[by]),
            false => a[by].cmp(&b[by]),
        });
    }
    rows.truncate(limit);
    let rows = rows.into_iter().map(|row| row.into_iter().map(Cell::json).collect()).collect();
    Ok(TableAnswer { columns, rows, all })
}

/// Calls a function with each row that fits, until it fails.
type Fitting<'a> =
    dyn Fn(&mut dyn FnMut(Vec<Cell>) -> Result<(), String>) -> Result<(), String> + 'a;

/// Returns the rows, no more than `most` of them, and how many there are.
fn listed(fitting: &Fitting, most: usize) -> Result<(Vec<Vec<Cell>>, usize), String> {
    let (mut rows, mut all) = (Vec::new(), 0);
    fitting(&mut |values| {
        all += 1;
        if rows.len() < most {
            rows.push(values);
        }
        match rows.len() > MAX_GROUPS {
            true => Err("too many rows to sort: ask for fewer".to_owned()),
            false => Ok(()),
        }
    })?;
    Ok((rows, all))
}

/// Returns a row for each group: its columns, and what is measured of it.
fn grouped(
    fitting: &Fitting,
    group: &[usize],
    measures: &[Measuring],
) -> Result<Vec<Vec<Cell>>, String> {
    let mut groups: BTreeMap<Vec<Cell>, Vec<Sum>> = BTreeMap::new();
    fitting(&mut |values| {
        let key = group.iter().map(|&index| values[index].clone()).collect();
        let sums = groups.entry(key).or_insert_with(|| vec![Sum::default(); measures.len()]);
        for (sum, measure) in sums.iter_mut().zip(measures) {
            sum.add(measure.column.and_then(|index| values[index].number()));
        }
        match groups.len() > MAX_GROUPS {
            true => Err("too many groups: ask for fewer columns".to_owned()),
            false => Ok(()),
        }
    })?;
    let rows = groups.into_iter().map(|(mut key, sums)| {
        key.extend(sums.iter().zip(measures).map(|(sum, measure)| sum.value(measure.of)));
        key
    });
    Ok(rows.collect())
}

fn open(path: &PathBuf) -> Result<SerializedFileReader<File>, String> {
    let name = path.file_stem().map_or(String::new(), |name| name.to_string_lossy().into_owned());
    let missing = || format!("there is no table '{name}'");
    // To open a pipe would wait for whoever writes to it.
    let file = path.is_file().then(|| File::open(path).ok()).flatten().ok_or_else(missing)?;
    SerializedFileReader::new(file)
        .map_err(|error| format!("the table '{name}' is damaged: {error}"))
}

/// A value that can be ordered: numbers before texts.
#[derive(Clone, Debug, PartialEq)]
enum Cell {
    Nothing,
    Number(f64),
    Seed(u64),
    Text(String),
}

impl Eq for Cell {}

impl PartialOrd for Cell {
    fn partial_cmp(&self, other: &Cell) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Cell {
    fn cmp(&self, other: &Cell) -> Ordering {
        match (self, other) {
            (Cell::Text(a), Cell::Text(b)) => a.cmp(b),
            (Cell::Seed(a), Cell::Seed(b)) => a.cmp(b),
            (Cell::Text(_), _) => Ordering::Greater,
            (_, Cell::Text(_)) => Ordering::Less,
            (a, b) => a.number().unwrap_or(f64::MIN).total_cmp(&b.number().unwrap_or(f64::MIN)),
        }
    }
}

impl Cell {
    fn of(field: &Field) -> Cell {
        match field {
            Field::Null => Cell::Nothing,
            Field::Bool(flag) => Cell::Number(f64::from(u8::from(*flag))),
            Field::Int(number) => Cell::Number(f64::from(*number)),
            Field::UInt(number) => Cell::Number(f64::from(*number)),
            Field::Long(number) => Cell::Number(*number as f64),
            Field::ULong(number) => Cell::Seed(*number),
            Field::Float(number) => Cell::Number(f64::from(*number)),
            Field::Double(number) => Cell::Number(*number),
            Field::Str(text) => Cell::Text(text.clone()),
            other => Cell::Text(other.to_string()),
        }
    }

    fn number(&self) -> Option<f64> {
        match self {
            Cell::Number(number) => Some(*number),
            Cell::Seed(seed) => Some(*seed as f64),
            Cell::Nothing | Cell::Text(_) => None,
        }
    }

    fn json(self) -> serde_json::Value {
        match self {
            Cell::Nothing => serde_json::Value::Null,
            Cell::Number(number) if number.fract() == 0.0 && number.abs() < 9e15 => {
                (number as i64).into()
            }
            Cell::Number(number) => number.into(),
            // Seeds larger than a page can represent are texts.
            Cell::Seed(seed) if seed > 1 << 53 => seed.to_string().into(),
            Cell::Seed(seed) => seed.into(),
            Cell::Text(text) => text.into(),
        }
    }
}

/// The value that a condition compares with.
struct Test {
    op: Op,
    value: Cell,
}

enum Op {
    Contains,
    Not(Ordering),
    Is(Ordering),
}

/// Returns the test of a condition on a column of a kind.
fn test_of(condition: &Condition, kind: &str) -> Result<Test, String> {
    let compares = !matches!(condition.op.as_str(), "=" | "!=");
    let value = compared_with(&condition.value, kind)
        .filter(|value| *value != Cell::Nothing || !compares)
        .filter(|_| condition.op != "contains" || kind == "text");
    let Some(value) = value else {
        let Condition { column, op, value } = condition;
        return Err(format!("'{column}' holds a {kind} for each row: '{op} {value}' says nothing"));
    };
    let op = match condition.op.as_str() {
        "=" => Op::Is(Ordering::Equal),
        "!=" => Op::Not(Ordering::Equal),
        "<" => Op::Is(Ordering::Less),
        ">" => Op::Is(Ordering::Greater),
        "<=" => Op::Not(Ordering::Greater),
        ">=" => Op::Not(Ordering::Less),
        "contains" => Op::Contains,
        other => return Err(format!("there is no comparison '{other}'")),
    };
    Ok(Test { op, value })
}

/// Returns a value as stored in a column of this type. Numbers may be written as digits, since
/// pages cannot represent all seeds.
fn compared_with(value: &serde_json::Value, kind: &str) -> Option<Cell> {
    use serde_json::Value::{Bool, Null, Number, String};
    let flag = |flag: bool| Cell::Number(f64::from(u8::from(flag)));
    match (kind, value) {
        (_, Null) => Some(Cell::Nothing),
        ("text", String(text)) => Some(Cell::Text(text.clone())),
        ("flag", Bool(value)) => Some(flag(*value)),
        ("flag", String(text)) => text.parse().ok().map(flag),
        ("number", Number(number)) => {
            number.as_u64().map(Cell::Seed).or_else(|| number.as_f64().map(Cell::Number))
        }
        ("number", String(text)) => {
            let whole = text.parse().ok().map(Cell::Seed);
            whole.or_else(|| text.parse().ok().filter(|n: &f64| n.is_finite()).map(Cell::Number))
        }
        _ => None,
    }
}

impl Test {
    fn holds(&self, found: &Cell) -> bool {
        match self.op {
            Op::Contains => match (found, &self.value) {
                (Cell::Text(text), Cell::Text(part)) => text.contains(part.as_str()),
                _ => false,
            },
            Op::Is(order) => found.cmp(&self.value) == order,
            Op::Not(order) => found.cmp(&self.value) != order,
        }
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Count,
    Sum,
    Mean,
    Min,
    Max,
}

struct Measuring {
    of: Kind,
    column: Option<usize>,
    name: String,
}

fn measures_of(
    query: &TableQuery,
    column: &dyn Fn(&str) -> Result<usize, String>,
) -> Result<Vec<Measuring>, String> {
    let count = || Measuring { of: Kind::Count, column: None, name: "count".to_owned() };
    if query.measure.is_empty() {
        return Ok(vec![count()]);
    }
    let one = |measure: &Measure| {
        let of = match measure.of.as_str() {
            "count" => return Ok(count()),
            "sum" => Kind::Sum,
            "mean" => Kind::Mean,
            "min" => Kind::Min,
            "max" => Kind::Max,
            other => return Err(format!("there is no measure '{other}'")),
        };
        let named = measure.column.as_deref();
        let named = named.ok_or_else(|| format!("'{}' is of a column", measure.of))?;
        Ok(Measuring { of, column: Some(column(named)?), name: format!("{} {named}", measure.of) })
    };
    query.measure.iter().map(one).collect()
}

#[derive(Clone, Default)]
struct Sum {
    count: u64,
    numbers: u64,
    sum: f64,
    bounds: Option<(f64, f64)>,
}

impl Sum {
    fn add(&mut self, number: Option<f64>) {
        self.count += 1;
        let Some(number) = number else { return };
        self.numbers += 1;
        self.sum += number;
        let (low, high) = self.bounds.unwrap_or((number, number));
        self.bounds = Some((low.min(number), high.max(number)));
    }

    fn value(&self, of: Kind) -> Cell {
        let bound = |pick: fn((f64, f64)) -> f64| {
            self.bounds.map_or(Cell::Nothing, |bounds| Cell::Number(pick(bounds)))
        };
        match of {
            Kind::Count => Cell::Number(self.count as f64),
            Kind::Sum => Cell::Number(self.sum),
            Kind::Mean if self.numbers > 0 => Cell::Number(self.sum / self.numbers as f64),
            Kind::Mean => Cell::Nothing,
            Kind::Min => bound(|bounds| bounds.0),
            Kind::Max => bound(|bounds| bounds.1),
        }
    }
}
