//! Levels as JSON (`docs/level.schema.json`).

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};
use vaultwright_content::Content;
use vaultwright_level::{Level, VaultPlacement, mask};
use vaultwright_map::Point;

use crate::attributes::{
    Attributes, item_attributes, marker_attributes, monster_attributes, shop_attributes,
};

/// Counts up when a reader has to change.
pub const LEVEL_FORMAT: u32 = 2;

/// Returns a level as JSON: the rows of features by name, what cells carry besides, vaults,
/// monsters, items, shops and markers. What a cell does not carry is absent.
pub fn level_to_json(level: &Level, content: &Content) -> Value {
    let features = content.features();
    let rows: Vec<Vec<&str>> = level
        .features()
        .chunks(level.size().width() as usize)
        .map(|row| row.iter().map(|&id| features.get(id).name.as_str()).collect())
        .collect();
    let vaults: Vec<Value> = level.vaults.iter().map(|vault| vault_json(vault, content)).collect();
    let monsters = level.monsters.iter();
    let monsters: Vec<Value> =
        monsters.map(|(&p, monster)| at(p, monster_attributes(monster, content))).collect();
    let items = level.items.iter().flat_map(|(&p, items)| items.iter().map(move |i| (p, i)));
    let items: Vec<Value> = items.map(|(p, item)| at(p, item_attributes(item, content))).collect();
    let markers: Vec<Value> = level
        .markers
        .iter()
        .map(|m| at(m.at, marker_attributes(m, level.marker_values.get(&m.id), content)))
        .collect();
    let mut out = json!({
        "version": LEVEL_FORMAT,
        "width": level.size().width(),
        "height": level.size().height(),
        "floor_colour": level.floor_colour,
        "rock_colour": level.rock_colour,
        "features": rows,
        "vaults": vaults,
        "monsters": monsters,
        "items": items,
        "markers": markers,
    });
    let mut add = |name: &str, value: Value| {
        let empty = value.as_object().is_some_and(Map::is_empty)
            || value.as_array().is_some_and(Vec::is_empty);
        if !value.is_null() && !empty {
            out[name] = value;
        }
    };
    add("floor_tile", json!(level.floor_tile));
    add("rock_tile", json!(level.rock_tile));
    add("random_monsters", json!(level.random_monsters));
    add("spawn_rate", json!(Some(level.spawn_rate).filter(|&rate| rate != 0)));
    add("layout_types", json!(level.layout_types));
    add("flags", json!(level.flags));
    let masks = mask_names(content);
    add("masks", runs_by_name(level, |p| named_bits(level.mask(p), &masks)));
    let properties = property_names(content);
    add("properties", runs_by_name(level, |p| named_bits(level.properties(p), &properties)));
    add("colours", runs_by_name(level, |p| level.colours.get(&p).map(String::as_str)));
    add("tiles", tiles(level));
    add("heights", heights(level));
    let shops = shops(level, content).map(|(p, shop)| at(p, shop));
    add("shops", shops.collect());
    let mimics = mimics(level, content);
    let mimics = mimics.map(|(p, feature)| json!({ "x": p.x, "y": p.y, "feature": feature }));
    add("mimics", mimics.collect());
    out
}

/// Attributes with their cell.
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

/// What is known of a placement besides its name and where it stands.
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

/// For each name, the cells that have it, row by row, as `[x, y, how many to the right]`.
fn runs_by_name<'a, Names>(level: &Level, names: impl Fn(Point) -> Names) -> Value
where
    Names: IntoIterator<Item = &'a str>,
{
    let mut runs: BTreeMap<&str, Vec<[i32; 3]>> = BTreeMap::new();
    for p in level.points() {
        for name in names(p) {
            let list = runs.entry(name).or_default();
            match list.last_mut() {
                Some([x, y, count]) if *y == p.y && *x + *count == p.x => *count += 1,
                _ => list.push([p.x, p.y, 1]),
            }
        }
    }
    json!(runs)
}

pub(crate) fn named_bits(bits: i64, names: &[(String, i64)]) -> impl Iterator<Item = &str> {
    let names = if bits == 0 { &[] } else { names };
    let set = names.iter().filter(move |(_, bit)| *bit != 0 && bits & bit == *bit);
    set.map(|(name, _)| name.as_str())
}

/// Returns the bits of a cell's mask by name: those that KMASK knows, and what placing sets.
pub fn mask_names(content: &Content) -> Vec<(String, i64)> {
    let own = [
        ("vault", mask::VAULT),
        ("opaque", mask::OPAQUE),
        ("passable", mask::PASSABLE),
        ("no_tele_closet", mask::NO_TELE_CLOSET),
        ("no_mimic", mask::NO_MIMIC),
    ];
    let known = content.names().masks.entries();
    let mut list: Vec<(String, i64)> = known.map(|(name, bit)| (name.to_owned(), bit)).collect();
    for (name, bit) in own {
        if !list.iter().any(|(_, known)| *known == bit) {
            list.push((name.to_owned(), bit));
        }
    }
    first_of_each(list)
}

/// Returns the properties of cells that KPROP knows, by name.
pub fn property_names(content: &Content) -> Vec<(String, i64)> {
    let known = content.names().properties.entries();
    first_of_each(known.map(|(name, bit)| (name.to_owned(), bit)).collect())
}

/// Without further names of the same bit.
fn first_of_each(list: Vec<(String, i64)>) -> Vec<(String, i64)> {
    let mut out: Vec<(String, i64)> = Vec::new();
    for (name, bit) in list {
        if !out.iter().any(|(_, known)| *known == bit) {
            out.push((name, bit));
        }
    }
    out
}

/// The names of what a cell's mask and properties say.
pub(crate) fn cell_marks(level: &Level, p: Point, content: &Content) -> (Vec<String>, Vec<String>) {
    let owned =
        |bits, names: Vec<(String, i64)>| named_bits(bits, &names).map(str::to_owned).collect();
    (owned(level.mask(p), mask_names(content)), owned(level.properties(p), property_names(content)))
}

fn tiles(level: &Level) -> Value {
    let of = |part: fn(&vaultwright_map::CellTiles) -> Option<&str>| {
        runs_by_name(level, |p| level.tiles.get(&p).and_then(part))
    };
    let named = [
        ("floor", of(|tiles| tiles.floor.as_deref())),
        ("rock", of(|tiles| tiles.rock.as_deref())),
        ("feature", of(|tiles| tiles.feature.as_deref())),
    ];
    let some =
        named.into_iter().filter(|(_, runs)| runs.as_object().is_some_and(|m| !m.is_empty()));
    Value::Object(some.map(|(name, runs)| (name.to_owned(), runs)).collect())
}

/// The cells whose height is not 0, row by row, as `[x, y, how many to the right, height]`.
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

/// The shops, by cell.
pub(crate) fn shops<'a>(
    level: &'a Level,
    content: &'a Content,
) -> impl Iterator<Item = (Point, Attributes)> + 'a {
    let shop = content.features().known().enter_shop;
    level
        .points()
        .filter(move |&p| level.features()[level.index_of(p)] == shop)
        .map(|p| (p, shop_attributes(level.shops.get(&p).map(AsRef::as_ref), content)))
}

/// Cells whose feature is a mimic, with what it seems to be.
pub(crate) fn mimics<'a>(
    level: &'a Level,
    content: &'a Content,
) -> impl Iterator<Item = (Point, &'a str)> + 'a {
    level.points().filter(move |&p| vaultwright_level::is_mimic(level, content, p)).map(move |p| {
        let feature = level.features()[level.index_of(p)];
        (p, content.features().get(feature).name.as_str())
    })
}
