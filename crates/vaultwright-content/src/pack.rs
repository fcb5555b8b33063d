//! The tables in a pack, applied to the embedded ones (docs/packs.md).

use std::collections::hash_map::Entry;
use std::hash::Hash;
use std::path::{Component, Path};

use foldhash::{HashMap, HashMapExt, HashSet, HashSetExt};
use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, Visitor};
use serde_json::error::Category;
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use crate::features::MAX_FEATURES;
use crate::monsters::MAX_MONSTERS;
use crate::pack_faults::{self, MonsterWords};
use crate::pack_row::PackRow;
use crate::populations::PopulationRow;
use crate::traits::KnownTraits;
use crate::{
    Branch, BranchId, Content, God, LairScripts, LevelSize, Monster, Spell, TileSource, bands,
    features, items,
};

/// The text of a table, and its name in reports.
#[derive(Clone, Debug)]
pub struct TableText {
    /// Path or other name.
    pub file: String,
    /// An array of objects in JSON.
    pub text: String,
}

/// The tables of a pack. Branches, populations and gods replace the embedded ones. Rows of the
/// others replace those with the same name, or are added.
#[derive(Clone, Debug, Default)]
pub struct PackTables {
    /// The size of levels.
    pub level_size: LevelSize,
    /// The branches of the game, the root first.
    pub branches: Option<TableText>,
    /// Terrain features.
    pub features: Option<TableText>,
    /// Monster kinds.
    pub monsters: Option<TableText>,
    /// Which monsters live where.
    pub populations: Option<TableText>,
    /// Items.
    pub items: Option<TableText>,
    /// Bands: which monsters follow which.
    pub bands: Option<TableText>,
    /// Gods and their altars.
    pub gods: Option<TableText>,
    /// Spells that monsters and items may have.
    pub spells: Option<TableText>,
    /// Kinds of shops.
    pub shops: Option<TableText>,
    /// YAML files of one monster kind each, which replace rows of the version's table.
    pub monster_files: Vec<TableText>,
    /// YAML files of one species each.
    pub species_files: Vec<TableText>,
    /// YAML files of one background each.
    pub background_files: Vec<TableText>,
    /// The source of the names of its tiles.
    pub tiles: TileSource,
}

impl PackTables {
    /// Returns the table for a file name without extension; `None` if there is no such table.
    pub fn by_name(&mut self, name: &str) -> Option<&mut Option<TableText>> {
        Some(match name {
            "branches" => &mut self.branches,
            "features" => &mut self.features,
            "monsters" => &mut self.monsters,
            "monster_populations" => &mut self.populations,
            "items" => &mut self.items,
            "bands" => &mut self.bands,
            "gods" => &mut self.gods,
            "spells" => &mut self.spells,
            "shops" => &mut self.shops,
            _ => return None,
        })
    }
}

/// An error in a table, with its position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableError {
    /// The table's file.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1.
    pub column: usize,
    /// The message.
    pub message: String,
}

impl std::fmt::Display for TableError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}:{}: {}", self.file, self.line, self.column, self.message)
    }
}

impl std::error::Error for TableError {}

/// The parsed rows of a pack.
#[derive(Default)]
pub(crate) struct PackRows {
    pub(crate) branches: Option<Vec<Branch>>,
    pub(crate) features: Vec<features::Row>,
    pub(crate) monsters: Vec<Monster>,
    pub(crate) populations: Option<Vec<PopulationRow>>,
    pub(crate) items: Vec<items::Row>,
    pub(crate) bands: Vec<bands::Row>,
    pub(crate) gods: Option<Vec<God>>,
    pub(crate) spells: Vec<Spell>,
    pub(crate) shops: Vec<Shop>,
    pub(crate) monster_files: Vec<TableText>,
    pub(crate) species_files: Vec<TableText>,
    pub(crate) background_files: Vec<TableText>,
    pub(crate) tiles: TileSource,
}

/// A kind of shop.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Shop {
    pub(crate) name: String,
}

impl PackRows {
    pub(crate) fn parse(tables: &PackTables) -> Result<PackRows, TableError> {
        let own = tables.branches.as_ref();
        let branches = own.map(|table| branches(table, tables.level_size)).transpose()?;
        let features = optional::<features::Row>(&tables.features)?;
        let monsters = optional(&tables.monsters)?;
        let mut populations = None;
        if let Some(table) = &tables.populations {
            let rows = rows::<PopulationRow>(table)?;
            populations = Some(rows.into_iter().map(|(_, row)| row).collect());
        }
        let mut gods = None;
        if let Some(table) = &tables.gods {
            gods = Some(rows::<God>(table)?.into_iter().map(|(_, god)| god).collect());
        }
        Ok(PackRows {
            branches,
            features,
            monsters,
            populations,
            items: optional(&tables.items)?,
            bands: optional(&tables.bands)?,
            gods,
            spells: optional(&tables.spells)?,
            shops: optional(&tables.shops)?,
            monster_files: tables.monster_files.clone(),
            species_files: tables.species_files.clone(),
            background_files: tables.background_files.clone(),
            tiles: tables.tiles.clone(),
        })
    }
}

/// Checks that everything the rows of a pack refer to exists.
pub(crate) fn check_references(content: &Content, tables: &PackTables) -> Result<(), TableError> {
    if let Some(table) = &tables.features {
        check_count(table, "features", content.features().len(), MAX_FEATURES)?;
        let known: HashSet<String> =
            content.embedded_features().into_iter().flat_map(|row| row.is).collect();
        check(table, |row: &features::Row| pack_faults::feature(row, &known, content))?;
    }
    if let Some(table) = &tables.branches {
        check_count(table, "branches", content.branches().len(), MAX_BRANCHES)?;
        let known = KnownTraits::load();
        let mut by_name = HashMap::new();
        for branch in content.branches().iter() {
            by_name.entry(&*branch.name).or_insert(branch);
        }
        check(table, |row: &Branch| pack_faults::branch(row, &known, &by_name, content))?;
    }
    if let Some(table) = &tables.monsters {
        check_count(table, "monsters", content.monsters().len(), MAX_MONSTERS)?;
        let known = MonsterWords::of(&content.embedded_monsters());
        check(table, |row: &Monster| known.fault(row, content))?;
    }
    if let Some(table) = &tables.items {
        let classes: HashSet<&str> = content.items().classes().collect();
        check(table, |row: &items::Row| row.fault(&classes))?;
    }
    if let Some(table) = &tables.populations {
        check(table, |row: &PopulationRow| row.fault(content.monsters(), content.branches()))?;
    }
    if let Some(table) = &tables.bands {
        let mut branches: HashSet<&str> =
            content.branches().iter().map(|branch| &*branch.name).collect();
        let of_version = content.embedded_branches();
        branches.extend(of_version.iter().map(|branch| &*branch.name));
        check(table, |row: &bands::Row| row.fault(content, &branches))?;
    }
    if let Some(table) = &tables.gods {
        check(table, |row: &God| pack_faults::god(row, content))?;
    }
    Ok(())
}

/// The largest number of branches.
const MAX_BRANCHES: usize = 1000;

/// Fails if there are more rows than ids, at the last of a table.
fn check_count(table: &TableText, what: &str, count: usize, most: usize) -> Result<(), TableError> {
    if count <= most {
        return Ok(());
    }
    let last = table.text.rfind('{').unwrap_or(0);
    let message = format!("a pack has at most {most} {what}, those of the version among them");
    Err(error_at(table, last, message))
}

/// Fails at the first row that something is wrong with.
fn check<Row: PackRow>(
    table: &TableText,
    fault: impl Fn(&Row) -> Option<String>,
) -> Result<(), TableError> {
    let mut rows = rows::<Row>(table)?.into_iter();
    match rows.find_map(|(offset, row)| Some((offset, fault(&row)?))) {
        Some((offset, message)) => Err(error_at(table, offset, message)),
        None => Ok(()),
    }
}

/// Returns `base` with the rows of a pack: rows with the same key are replaced, others appended.
pub(crate) fn overlaid<Row: Clone, Key: Eq + Hash>(
    mut base: Vec<Row>,
    own: &[Row],
    key: impl Fn(&Row) -> Key,
) -> Vec<Row> {
    if own.is_empty() {
        return base;
    }
    let mut places: HashMap<Key, usize> = HashMap::new();
    for (index, row) in base.iter().enumerate() {
        places.entry(key(row)).or_insert(index);
    }
    for row in own {
        match places.entry(key(row)) {
            Entry::Occupied(place) => base[*place.get()] = row.clone(),
            Entry::Vacant(place) => {
                place.insert(base.len());
                base.push(row.clone());
            }
        }
    }
    base
}

/// Returns an error at the row that `offset` points into.
pub(crate) fn error_at(table: &TableText, offset: usize, message: String) -> TableError {
    let before = table.text.get(..offset).unwrap_or(&table.text);
    let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
    TableError {
        file: table.file.clone(),
        line: before.matches('\n').count() + 1,
        column: before[line_start..].chars().count() + 1,
        message,
    }
}

/// Returns the rows of a table, each with its offset in the text.
pub(crate) fn rows<Row: PackRow>(table: &TableText) -> Result<Vec<(usize, Row)>, TableError> {
    if table.text.starts_with('\u{feff}') {
        let message = "the file begins with a byte-order mark: save it as UTF-8 without one";
        return Err(error_at(table, 0, message.to_owned()));
    }
    let raw: Vec<&RawValue> =
        serde_json::from_str(&table.text).map_err(|error| json_error(table, 0, &error))?;
    let keys = Row::keys();
    let start = table.text.as_ptr() as usize;
    let mut rows = Vec::with_capacity(raw.len());
    for row in raw {
        let text = row.get();
        let offset = text.as_ptr() as usize - start;
        let fields = fields(table, offset, text)?;
        let names: Map<String, Value> =
            serde_json::from_str(text).map_err(|error| json_error(table, offset, &error))?;
        if let Some(key) = names.keys().find(|key| !keys.contains(&key.as_str())) {
            let message = format!("no key of this table is '{key}' (keys: {})", keys.join(", "));
            return Err(error_at(table, offset, message));
        }
        let parsed = serde_json::from_value(Value::Object(names.clone())).map_err(|error| {
            let message = without_position(&error);
            match key_at_fault::<Row>(&names, &message).and_then(|key| fields.get(key)) {
                Some((key, at)) => error_at(table, *at, format!("{key}: {message}")),
                None => error_at(table, offset, message),
            }
        })?;
        rows.push((offset, parsed));
    }
    Ok(rows)
}

/// Returns the keys of a row with the offsets of their values in the table.
fn fields(
    table: &TableText,
    offset: usize,
    row: &str,
) -> Result<HashMap<String, (String, usize)>, TableError> {
    let Pairs(pairs) = serde_json::from_str(row).map_err(|error| match error.classify() {
        Category::Data => error_at(table, offset, "a row is an object: {\"name\": …}".to_owned()),
        _ => json_error(table, offset, &error),
    })?;
    let mut fields = HashMap::new();
    for (key, value) in pairs {
        let at = value.get().as_ptr() as usize - table.text.as_ptr() as usize;
        if fields.insert(key.clone(), (key.clone(), at)).is_some() {
            return Err(error_at(table, at, format!("the key '{key}' stands in this row twice")));
        }
    }
    Ok(fields)
}

/// The keys and values of an object, also those that are repeated.
struct Pairs<'t>(Vec<(String, &'t RawValue)>);

impl<'t> Deserialize<'t> for Pairs<'t> {
    fn deserialize<D: Deserializer<'t>>(from: D) -> Result<Pairs<'t>, D::Error> {
        struct AsPairs;
        impl<'t> Visitor<'t> for AsPairs {
            type Value = Pairs<'t>;

            fn expecting(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'t>>(self, mut map: A) -> Result<Pairs<'t>, A::Error> {
                let mut pairs = Vec::new();
                while let Some(pair) = map.next_entry()? {
                    pairs.push(pair);
                }
                Ok(Pairs(pairs))
            }
        }
        from.deserialize_map(AsPairs)
    }
}

/// Returns the key whose value is the cause of an error: without it, the error is another. `None`
/// if a key is missing.
fn key_at_fault<'n, Row: PackRow>(names: &'n Map<String, Value>, told: &str) -> Option<&'n str> {
    if told.starts_with("missing field") {
        return None;
    }
    let is_cause = |key: &&String| {
        let mut others = names.clone();
        others.remove(*key);
        let parsed: Result<Row, _> = serde_json::from_value(Value::Object(others));
        parsed.map_or_else(|error| without_position(&error) != told, |_| true)
    };
    names.keys().find(is_cause).map(String::as_str)
}

/// Returns an error of JSON in a part of the table that begins at `offset`.
fn json_error(table: &TableText, offset: usize, error: &serde_json::Error) -> TableError {
    let part = table.text.get(offset..).unwrap_or_default();
    let lines = part.split_inclusive('\n').take(error.line().saturating_sub(1));
    let line_start: usize = lines.map(str::len).sum();
    // It counts bytes, up to the one it has just read.
    let mut at = (offset + line_start + error.column().saturating_sub(1)).min(table.text.len());
    while !table.text.is_char_boundary(at) {
        at -= 1;
    }
    error_at(table, at, without_position(error))
}

fn optional<Row: PackRow>(table: &Option<TableText>) -> Result<Vec<Row>, TableError> {
    let Some(table) = table else { return Ok(Vec::new()) };
    Ok(rows(table)?.into_iter().map(|(_, row)| row).collect())
}

fn branches(table: &TableText, level_size: LevelSize) -> Result<Vec<Branch>, TableError> {
    let mut rows = rows::<Branch>(table)?;
    if rows.is_empty() {
        return Err(error_at(table, 0, "a game needs at least one branch".to_owned()));
    }
    let names: HashSet<String> = rows.iter().map(|(_, branch)| branch.name.clone()).collect();
    let mut seen = HashSet::new();
    for (index, (offset, branch)) in rows.iter_mut().enumerate() {
        branch.id = BranchId(index);
        if !seen.insert(branch.name.clone()) {
            let message = format!("a branch named '{}' exists already", branch.name);
            return Err(error_at(table, *offset, message));
        }
        let fault = fault_of_place(branch, &names).or_else(|| fault_of_lair(branch, level_size));
        if let Some(message) = fault {
            return Err(error_at(table, *offset, message));
        }
        // A pack only gives this where it differs from the order of its table.
        if branch.order_logical == 0 {
            branch.order_logical = index as i32;
        }
        if branch.connected && branch.order_generation.is_none() {
            branch.order_generation = Some(index as i32);
        }
    }
    Ok(rows.into_iter().map(|(_, branch)| branch).collect())
}

/// Returns what is wrong with the name, levels, parent or flags of a branch.
fn fault_of_place(branch: &Branch, names: &HashSet<String>) -> Option<String> {
    let (name, parent) = (&branch.name, &branch.parent);
    if name.is_empty() || !name.chars().all(|c| c.is_ascii_alphanumeric()) {
        return Some(format!("'{name}' cannot name a branch: write letters and digits only"));
    }
    if !(1..=99).contains(&branch.levels) {
        return Some(format!("{name} has {} levels: write 1 to 99", branch.levels));
    }
    if branch.id == BranchId(0) && !parent.is_empty() {
        return Some(format!("{name} stands first, so it is the root and has no parent"));
    }
    if !parent.is_empty() && !names.contains(parent) {
        return Some(format!("no branch is named '{parent}', the parent of {name}"));
    }
    if !parent.is_empty() && (branch.mindepth < 1 || branch.maxdepth < branch.mindepth) {
        let message = format!("{name} needs mindepth and maxdepth: 1 or more, the smaller first");
        return Some(message);
    }
    let flag = branch.flags.iter().find(|flag| !BRANCH_FLAGS.contains(&flag.as_str()))?;
    let known = BRANCH_FLAGS.join(", ");
    Some(format!("no flag of a branch is '{flag}' (flags: {known})"))
}

/// Returns what is wrong with the LAIR scripts of a branch.
fn fault_of_lair(branch: &Branch, level_size: LevelSize) -> Option<String> {
    let lair = branch.lair.as_ref()?;
    let most = LairScripts::max_floor(level_size);
    let fits = |(width, height)| width <= most.0 && height <= most.1;
    let goes_down = |part: Component| matches!(part, Component::Normal(_) | Component::CurDir);
    if !Path::new(&lair.scripts).components().all(goes_down) {
        return Some(format!(
            "'{}' is no folder of the pack: scripts lie in it, below pack.json",
            lair.scripts
        ));
    }
    if lair.floor().is_some_and(fits) {
        return None;
    }
    let (rooms, room) = (lair.rooms, lair.room_size);
    Some(format!(
        "floors of {} x {} rooms of {} x {} cells do not fit on a level: write 1 x 1 to {} x {} \
         cells altogether",
        rooms.0, rooms.1, room.0, room.1, most.0, most.1
    ))
}

/// Returns the message of a JSON error without the position, which is reported separately.
fn without_position(error: &serde_json::Error) -> String {
    let text = error.to_string();
    text.split(" at line ").next().unwrap_or(&text).to_owned()
}

const BRANCH_FLAGS: &[&str] = &[
    "dangerous_end",
    "fully_map",
    "islanded",
    "no_items",
    "no_map",
    "no_shafts",
    "no_x_level_travel",
    "one_zone",
    "spotty",
];
#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Content, Edition, Rules};

    fn content(tables: PackTables) -> Result<Content, TableError> {
        Content::with_tables(Rules::of(Edition::Trunk), &tables)
    }

    fn table(text: &str) -> Option<TableText> {
        Some(TableText { file: "t.json".to_owned(), text: text.to_owned() })
    }

    #[test]
    fn rows_replace_those_of_the_same_name_or_are_added() {
        let tables = PackTables {
            branches: table(r#"[{"name": "Root", "levels": 3, "absdepth": 0, "connected": true}]"#),
            features: table(
                r#"[{"name": "moss", "glyph": ",", "colour": "green", "is": ["floor"]},
                    {"name": "tree", "glyph": "T", "is": ["solid"]}]"#,
            ),
            monsters: table(r#"[{"name": "marsh hare", "glyph": "h"}]"#),
            populations: table(
                r#"[{"branch": "Root", "monster": "marsh hare", "min": 1, "max": 3, "rarity": 5}]"#,
            ),
            ..PackTables::default()
        };
        let content = content(tables).expect("tables without errors");
        assert_eq!(content.branches().len(), 1);
        let features = content.features();
        let moss = features.by_name("moss").expect("a new feature");
        assert_eq!(features.by_number(features.get(moss).number), Some(moss));
        let tree = features.by_name("tree").expect("an old feature");
        assert_eq!(features.get(tree).glyph, 'T');
        assert_eq!(content.populations().of(BranchId(0)).len(), 1);
        assert!(content.populations().of(BranchId(0))[0].monster.is_some());
    }

    #[test]
    fn gods_bands_spells_and_shops_of_a_pack_count() {
        let tables = PackTables {
            monsters: table(
                r#"[{"name": "hare king", "glyph": "h"}, {"name": "hare", "glyph": "h"}]"#,
            ),
            bands: table(
                r#"[{"kind": "leader", "leader": "hare king", "bands": [{"band": "hares", "min": 2, "max": 4}]},
                    {"kind": "members", "band": "hares", "slot": 1, "and_later": true, "members": [["hare", 10]]},
                    {"kind": "leader", "leader": "orc", "bands": []}]"#,
            ),
            gods: table(r#"[{"name": "Moss", "altar": "altar_xom", "temple_order": 1}]"#),
            spells: table(r#"[{"name": "Grow Ears"}]"#),
            shops: table(r#"[{"name": "carrots"}]"#),
            ..PackTables::default()
        };
        let content = content(tables).expect("tables without errors");
        let monster = |name| content.monsters().by_name(name).expect("a monster");
        assert_eq!(content.bands().leader(monster("hare king")).len(), 1);
        assert!(content.bands().leader(monster("orc"))[0].bands.is_empty(), "replaced");
        let names = content.names();
        assert_eq!(names.temple_gods().len(), 1);
        assert!(names.god("moss").is_some() && names.god("Xom").is_none());
        assert!(names.spell("grow ears").is_some_and(|spell| spell.monster_valid));
        assert!(names.shops.contains("carrots") && names.shops.contains("weapon"));
    }

    #[test]
    fn what_bands_and_gods_name_has_to_exist() {
        let bands = |text| content(PackTables { bands: table(text), ..PackTables::default() });
        let gods = |text| content(PackTables { gods: table(text), ..PackTables::default() });
        for (read, part) in [
            (bands(r#"[{"kind": "leader", "leader": "grue"}]"#), "no monster is named 'grue'"),
            (
                bands(r#"[{"kind": "members", "band": "b", "members": [["grue", 1]]}]"#),
                "no monster is named 'grue'",
            ),
            (bands(r#"[{"kind": "friends"}]"#), "no kind of row"),
            (
                gods(r#"[{"name": "Moss", "altar": "altar_moss"}]"#),
                "'altar_moss', the altar of Moss",
            ),
        ] {
            let error = read.err().expect("an error");
            assert_eq!((error.line, error.column), (1, 2));
            assert!(error.message.contains(part), "{error}");
        }
    }

    #[test]
    fn errors_name_the_row() {
        for (text, position, part) in [
            ("[", (1, 1), "EOF"),
            ("[\n  {\"name\": \"A\", \"levels\": 0, \"absdepth\": 0}]", (2, 3), "1 to 99"),
            ("[\n{\"name\": \"A\", \"level\": 1}]", (2, 1), "no key of this table is 'level'"),
            ("[{\"name\": \"A\", \"absdepth\": 0}]", (1, 2), "levels"),
            (
                "[{\"name\": \"A\", \"levels\": 1, \"absdepth\": 0},\n {\"name\": \"B\", \"levels\": 1, \
                 \"absdepth\": 0, \"parent\": \"C\"}]",
                (2, 2),
                "no branch is named 'C'",
            ),
            ("[3]", (1, 2), "a row is an object"),
        ] {
            let tables = PackTables { branches: table(text), ..PackTables::default() };
            let error = content(tables).err().expect("an error");
            assert_eq!((error.line, error.column), position, "{text}: {error}");
            assert!(error.message.contains(part), "{error}");
        }
        let unknown =
            table(r#"[{"branch": "D", "monster": "grue", "min": 1, "max": 1, "rarity": 1}]"#);
        let tables = PackTables { populations: unknown, ..PackTables::default() };
        let error = content(tables).err().expect("an error");
        assert!(error.message.contains("no monster is named 'grue'"), "{error}");
    }
}
