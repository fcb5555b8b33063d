//! Levels as JSON (`docs/level.schema.json`).

use std::collections::BTreeMap;
use std::fmt::{self, Display, Formatter};

use serde::{Serialize, Serializer};
use serde_json::{Map, Value, json};
use vaultwright_content::{Content, FeatureId};
use vaultwright_level::{Level, VaultPlacement, mask};
use vaultwright_map::{CellTiles, Point};

use crate::attributes::{
    Attributes, item_attributes, marker_attributes, monster_attributes, shop_attributes,
};

/// The version of the format. It increases when readers have to change.
pub const LEVEL_FORMAT: u32 = 2;

/// Returns a level as JSON: the rows of features by name, what else cells have, vaults, monsters,
/// items, shops and markers. Absent values are left out. Use [`LevelJson::with`] to add the seed
/// and place, which a level does not know.
pub fn level_to_json(level: &Level, content: &Content) -> Value {
    LevelJson::of(level, content).into()
}

/// A level as JSON, as in [`level_to_json`], but written cell by cell while it is serialised.
///
/// Creating a value for each cell would take longer than writing it.
pub struct LevelJson<'a>(BTreeMap<&'a str, Part<'a>>);

enum Part<'a> {
    Value(Value),
    Rows(Rows<'a>),
    Runs(Runs<'a>),
    /// Of several kinds.
    RunsBy(BTreeMap<&'a str, Runs<'a>>),
}

/// The names of features, row by row.
struct Rows<'a> {
    features: &'a [FeatureId],
    width: usize,
    content: &'a Content,
}

/// The cells with each name, row by row, as `[x, y, number of cells to the right]`.
type Runs<'a> = BTreeMap<&'a str, Vec<[i32; 3]>>;

impl<'a> LevelJson<'a> {
    /// Returns a level as JSON.
    pub fn of(level: &'a Level, content: &'a Content) -> LevelJson<'a> {
        let mut out = LevelJson(BTreeMap::new());
        let (features, width) = (level.features(), level.size().width() as usize);
        out.0.insert("features", Part::Rows(Rows { features, width, content }));
        out.add_things(level, content);
        out.add_cells(level, content);
        out
    }

    /// Adds a member, replacing one with the same name.
    #[must_use]
    pub fn with(mut self, name: &'a str, value: impl Into<Value>) -> LevelJson<'a> {
        self.0.insert(name, Part::Value(value.into()));
        self
    }

    /// Returns the text. Faster than serialising, with the same result.
    pub fn to_vec(&self) -> serde_json::Result<Vec<u8>> {
        let mut out = Vec::new();
        for (name, part) in &self.0 {
            out.push(if out.is_empty() { b'{' } else { b',' });
            serde_json::to_writer(&mut out, name)?;
            out.push(b':');
            match part {
                Part::Rows(rows) => rows.write(&mut out)?,
                part => serde_json::to_writer(&mut out, part)?,
            }
        }
        out.push(b'}');
        Ok(out)
    }

    fn add_things(&mut self, level: &Level, content: &Content) {
        let monsters = level.monsters.iter();
        let monsters = monsters.map(|(&p, monster)| at(p, monster_attributes(monster, content)));
        let items = level.items.iter().flat_map(|(&p, items)| items.iter().map(move |i| (p, i)));
        let items = items.map(|(p, item)| at(p, item_attributes(item, content)));
        let markers = level
            .markers
            .iter()
            .map(|m| at(m.at, marker_attributes(m, level.marker_values.get(&m.id), content)));
        let vaults = level.vaults.iter().map(|vault| vault_json(vault, content));
        let always = [
            ("version", json!(LEVEL_FORMAT)),
            ("width", json!(level.size().width())),
            ("height", json!(level.size().height())),
            ("floor_colour", json!(level.floor_colour)),
            ("rock_colour", json!(level.rock_colour)),
            ("vaults", vaults.collect()),
            ("monsters", monsters.collect()),
            ("items", items.collect()),
            ("markers", markers.collect()),
        ];
        self.0.extend(always.map(|(name, value)| (name, Part::Value(value))));
        let shops = shops(level, content).map(|(p, shop)| at(p, shop));
        let mimics = mimics(level, content);
        let mimics = mimics.map(|(p, feature)| json!({ "x": p.x, "y": p.y, "feature": feature }));
        let lurkers = level.lurkers.iter();
        let lurkers = lurkers.map(|(p, monster)| at(*p, monster_attributes(monster, content)));
        let spawn_rate = Some(level.spawn_rate).filter(|&rate| rate != 0);
        self.add_some("floor_tile", json!(level.floor_tile));
        self.add_some("rock_tile", json!(level.rock_tile));
        self.add_some("random_monsters", json!(level.random_monsters));
        self.add_some("spawn_rate", json!(spawn_rate));
        self.add_some("layout_types", json!(level.layout_types));
        self.add_some("flags", json!(level.flags));
        self.add_some("shops", shops.collect());
        self.add_some("mimics", mimics.collect());
        self.add_some("lurkers", lurkers.collect());
    }

    fn add_cells(&mut self, level: &'a Level, content: &'a Content) {
        let masks = mask_names(content);
        self.add_runs("masks", runs_of_bits(level, level.masks(), &masks));
        let properties = property_names(content);
        self.add_runs("properties", runs_of_bits(level, &level.property_bits(), &properties));
        self.add_runs("colours", runs_of_cells(&level.colours, |colour| Some(colour)));
        let tiles = tiles(level);
        if !tiles.is_empty() {
            self.0.insert("tiles", Part::RunsBy(tiles));
        }
        self.add_some("heights", heights(level));
    }

    fn add_some(&mut self, name: &'a str, value: Value) {
        let empty = value.as_object().is_some_and(Map::is_empty)
            || value.as_array().is_some_and(Vec::is_empty);
        if !value.is_null() && !empty {
            self.0.insert(name, Part::Value(value));
        }
    }

    fn add_runs(&mut self, name: &'a str, runs: Runs<'a>) {
        if !runs.is_empty() {
            self.0.insert(name, Part::Runs(runs));
        }
    }
}

impl Serialize for LevelJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl Display for LevelJson<'_> {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        let text = self.to_vec().map_err(|_| fmt::Error)?;
        f.write_str(str::from_utf8(&text).map_err(|_| fmt::Error)?)
    }
}

impl Serialize for Part<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Part::Value(value) => value.serialize(serializer),
            Part::Rows(rows) => rows.serialize(serializer),
            Part::Runs(runs) => runs.serialize(serializer),
            Part::RunsBy(runs) => runs.serialize(serializer),
        }
    }
}

impl Rows<'_> {
    /// Appends the text. A level has few different features for its many cells.
    fn write(&self, out: &mut Vec<u8>) -> serde_json::Result<()> {
        let mut names = vec![Vec::new(); self.content.features().len()];
        out.push(b'[');
        for (y, row) in self.features.chunks(self.width).enumerate() {
            out.extend_from_slice(if y == 0 { b"[" } else { b",[" });
            for (x, &id) in row.iter().enumerate() {
                let name = &mut names[usize::from(id.0)];
                if name.is_empty() {
                    *name = serde_json::to_vec(&self.content.features().get(id).name)?;
                }
                if x > 0 {
                    out.push(b',');
                }
                out.extend_from_slice(name);
            }
            out.push(b']');
        }
        out.push(b']');
        Ok(())
    }
}

impl Serialize for Rows<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let name = |&id| self.content.features().get(id).name.as_str();
        let rows = self.features.chunks(self.width);
        serializer.collect_seq(rows.map(|row| row.iter().map(name).collect::<Vec<&str>>()))
    }
}

impl From<LevelJson<'_>> for Value {
    fn from(level: LevelJson) -> Value {
        let value = |part| match part {
            Part::Value(value) => value,
            Part::Rows(rows) => json!(rows),
            Part::Runs(runs) => json!(runs),
            Part::RunsBy(runs) => json!(runs),
        };
        level.0.into_iter().map(|(name, part)| (name.to_owned(), value(part))).collect()
    }
}

/// Returns attributes together with their cell.
fn at(p: Point, mut attributes: Attributes) -> Value {
    attributes.insert("x".to_owned(), p.x.into());
    attributes.insert("y".to_owned(), p.y.into());
    Value::Object(attributes)
}

fn vault_json(vault: &VaultPlacement, content: &Content) -> Value {
    let mut out = vault_attributes(vault, content);
    out.insert("name".to_owned(), vault.map.name.as_str().into());
    out.insert("width".to_owned(), vault.size.0.into());
    out.insert("height".to_owned(), vault.size.1.into());
    at(vault.at, out)
}

/// Returns what is known about a placement besides its name and position.
pub(crate) fn vault_attributes(vault: &VaultPlacement, content: &Content) -> Attributes {
    let mut out = json!({
        "orient": vault.orient.map_or("", |orient| orient.name()),
        "subvaults": vault.map.subvaults.iter().map(|s| &s.map.name).collect::<Vec<_>>(),
        "exits": vault.exits.iter().map(|exit| [exit.x, exit.y]).collect::<Vec<_>>(),
    });
    if !vault.map.description.is_empty() {
        out["description"] = vault.map.description.as_str().into();
    }
    let tags: Vec<&String> = vault.map.tags.iter().collect();
    if !tags.is_empty() {
        out["tags"] = json!(tags);
    }
    if !vault.waiting.is_empty() {
        out["waiting"] = json!(vault.waiting);
    }
    let named = vault.map.feature_names.iter();
    let named: Map<String, Value> = named
        .map(|(id, name)| (content.features().get(*id).name.clone(), name.as_str().into()))
        .collect();
    if !named.is_empty() {
        out["feature_names"] = Value::Object(named);
    }
    match out {
        Value::Object(members) => members,
        _ => Attributes::new(),
    }
}

/// Returns the runs of cells that have bits, by the names of the bits.
fn runs_of_bits<'a>(level: &Level, bits: &[i64], names: &[(&'a str, i64)]) -> Runs<'a> {
    let mut runs: Vec<Vec<[i32; 3]>> = vec![Vec::new(); names.len()];
    for (row, y) in bits.chunks(level.size().width() as usize).zip(0..) {
        let mut x = 0;
        for same in row.chunk_by(|bits, next| bits == next) {
            let count = same.len() as i32;
            for (runs, _) in runs.iter_mut().zip(names).filter(|(_, (_, bit))| has(same[0], *bit)) {
                extend_runs(runs, [x, y, count]);
            }
            x += count;
        }
    }
    let found = names.iter().map(|&(name, _)| name).zip(runs);
    found.filter(|(_, runs)| !runs.is_empty()).collect()
}

fn has(bits: i64, bit: i64) -> bool {
    bit != 0 && bits & bit == bit
}

/// Returns the runs of cells, by the name of each cell, if it has one.
fn runs_of_cells<'a, T>(
    cells: &'a BTreeMap<Point, T>,
    name: impl Fn(&'a T) -> Option<&'a str>,
) -> Runs<'a> {
    let mut named: Vec<_> =
        cells.iter().filter_map(|(&p, cell)| name(cell).map(|name| (p, name))).collect();
    named.sort_by_key(|(p, _)| (p.y, p.x));
    let mut runs = Runs::new();
    for (p, name) in named {
        extend_runs(runs.entry(name).or_default(), [p.x, p.y, 1]);
    }
    runs
}

/// Adds the next run, in row order, to runs.
fn extend_runs(runs: &mut Vec<[i32; 3]>, next: [i32; 3]) {
    match runs.last_mut() {
        Some([x, y, count]) if *y == next[1] && *x + *count == next[0] => *count += next[2],
        _ => runs.push(next),
    }
}

pub(crate) fn named_bits<'a, 'n>(
    bits: i64,
    names: &'n [(&'a str, i64)],
) -> impl Iterator<Item = &'a str> + use<'a, 'n> {
    let names = if bits == 0 { &[] } else { names };
    let set = names.iter().filter(move |(_, bit)| has(bits, *bit));
    set.map(|&(name, _)| name)
}

/// Returns the bits of a cell's mask with their names: those of KMASK, and those set by placing.
pub fn mask_names(content: &Content) -> Vec<(&str, i64)> {
    let own = [
        ("vault", mask::VAULT),
        ("opaque", mask::OPAQUE),
        ("passable", mask::PASSABLE),
        ("no_tele_closet", mask::NO_TELE_CLOSET),
        ("no_mimic", mask::NO_MIMIC),
    ];
    let known = content.names().masks.entries();
    first_of_each(known.chain(own))
}

/// Returns the properties of cells in KPROP, by name.
pub fn property_names(content: &Content) -> Vec<(&str, i64)> {
    let known = content.names().properties.entries();
    first_of_each(known)
}

/// Returns the names without further names of the same bit.
fn first_of_each<'a>(names: impl Iterator<Item = (&'a str, i64)>) -> Vec<(&'a str, i64)> {
    let mut out: Vec<(&str, i64)> = Vec::new();
    for (name, bit) in names {
        if !out.iter().any(|(_, known)| *known == bit) {
            out.push((name, bit));
        }
    }
    out
}

/// Returns the names of the bits in a cell's mask and properties.
pub(crate) fn cell_marks(level: &Level, p: Point, content: &Content) -> (Vec<String>, Vec<String>) {
    let owned =
        |bits, names: Vec<(&str, i64)>| named_bits(bits, &names).map(str::to_owned).collect();
    (owned(level.mask(p), mask_names(content)), owned(level.properties(p), property_names(content)))
}

/// Returns the runs of tiles, by their use.
fn tiles(level: &Level) -> BTreeMap<&str, Runs<'_>> {
    let of = |part: fn(&CellTiles) -> Option<&str>| runs_of_cells(&level.tiles, part);
    let named = [
        ("floor", of(|tiles| tiles.floor.as_deref())),
        ("rock", of(|tiles| tiles.rock.as_deref())),
        ("feature", of(|tiles| tiles.feature.as_deref())),
    ];
    named.into_iter().filter(|(_, runs)| !runs.is_empty()).collect()
}

/// Returns the cells whose height is not 0, row by row, as `[x, y, number of cells to the right,
/// height]`.
fn heights(level: &Level) -> Value {
    let mut runs: Vec<[i32; 4]> = Vec::new();
    if level.heights.is_some() {
        for p in level.points() {
            let height = level.height(p);
            match runs.last_mut() {
                Some([x, y, n, same]) if *y == p.y && *x + *n == p.x && *same == height => *n += 1,
                _ => runs.push([p.x, p.y, 1, height]),
            }
        }
    }
    runs.retain(|run| run[3] != 0);
    json!(runs)
}

/// Returns the shops, by cell.
pub(crate) fn shops<'a>(
    level: &'a Level,
    content: &'a Content,
) -> impl Iterator<Item = (Point, Attributes)> + 'a {
    let shop = content.features().known().enter_shop;
    let found = level.features().iter().enumerate().filter(move |(_, id)| **id == shop);
    found
        .map(|(index, _)| level.point_of(index))
        .map(|p| (p, shop_attributes(level.shops.get(&p).map(AsRef::as_ref), content)))
}

/// Returns the cells whose feature is a mimic, with the feature it imitates.
pub(crate) fn mimics<'a>(
    level: &'a Level,
    content: &'a Content,
) -> impl Iterator<Item = (Point, &'a str)> + 'a {
    level.points().filter(|&p| vaultwright_level::is_mimic(level, p)).map(|p| {
        let feature = level.features()[level.index_of(p)];
        (p, content.features().get(feature).name.as_str())
    })
}
