//! The attributes of a thing on a level, by name, with the same names in JSON, in Tiled's
//! properties and in the program's descriptions of cells. Usual values are left out.

use std::num::NonZeroI32;

use serde_json::{Map, Value, json};
use vaultwright_content::Content;
use vaultwright_level::{LevelItem, LevelMarker, LevelMonster, MarkerKind, ScriptValue};
use vaultwright_map::{
    Attitude, BookSpec, Enchantment, ItemAlternative, ItemDetails, ItemKind, ItemLevel,
    MonsterAlternative, MonsterDetails, ShopSpec, SpellSlot,
};

/// Names with values, ordered by name.
pub type Attributes = Map<String, Value>;

/// Adds a value, unless it is false, 0, empty or null.
fn put(to: &mut Attributes, name: &str, value: impl Into<Value>) {
    let value = value.into();
    let usual = match &value {
        Value::Null => true,
        Value::Bool(flag) => !flag,
        Value::Number(number) => number.as_i64() == Some(0),
        Value::String(text) => text.is_empty(),
        Value::Array(list) => list.is_empty(),
        Value::Object(members) => members.is_empty(),
    };
    if !usual {
        to.insert(name.to_owned(), value);
    }
}

/// Returns the attributes of a monster: its kind, its state, what it carries, and its spec.
pub fn monster_attributes(monster: &LevelMonster, content: &Content) -> Attributes {
    let mut out = Attributes::new();
    let monsters = content.monsters();
    let name_of = |id| monsters.get(id).name.clone();
    match monster.undead {
        Some((undead, base)) => {
            out.insert("kind".to_owned(), undead.name().into());
            put(&mut out, "base", base.or(monster.kind).map(name_of));
        }
        None => {
            out.insert("kind".to_owned(), monster.kind.map(name_of).into());
        }
    }
    put(&mut out, "spec", monster.spec.as_str());
    put(&mut out, "name", monster.name.as_deref());
    put(&mut out, "origin", monster.origin.as_str());
    put(&mut out, "awake", monster.awake);
    put(&mut out, "patrolling", monster.patrolling);
    put(&mut out, "leader", monster.leader.map(|p| json!([p.x, p.y])));
    put(&mut out, "rolled", monster.rolled);
    put(&mut out, "spells", monster.spells().iter().map(spell).collect::<Vec<_>>());
    let items = monster.items.iter().map(|item| Value::from(asked_item(item, content)));
    put(&mut out, "items", items.collect::<Vec<_>>());
    if let Some(asked) = &monster.asked {
        asked_monster(&mut out, asked);
    }
    out
}

fn asked_monster(out: &mut Attributes, asked: &MonsterAlternative) {
    put(out, "hd", asked.hit_dice.map(NonZeroI32::get));
    put(out, "hp", asked.hit_points.map(NonZeroI32::get));
    let attitude = Some(asked.attitude).filter(|&attitude| attitude != Attitude::Hostile);
    put(out, "attitude", attitude.map(Attitude::name));
    put(out, "colour", asked.colour.as_deref());
    put(out, "band", asked.band);
    let MonsterDetails {
        books: _,
        experience,
        god,
        god_gift,
        tile,
        description_key,
        name_use,
        enchantments,
        summoned_for,
        summoned_by,
        summoner,
        shifter,
        seen,
        corpse,
        power,
    } = &asked.details;
    put(out, "experience", *experience);
    put(out, "god", god.as_deref());
    put(out, "god_gift", *god_gift);
    put(out, "tile", tile.as_deref());
    put(out, "description_key", description_key.as_deref());
    put(out, "name_use", name_use.as_slice());
    put(out, "enchantments", enchantments.iter().map(enchantment).collect::<Vec<_>>());
    put(out, "summoned_for", *summoned_for);
    put(out, "summoned_by", summoned_by.as_deref());
    put(out, "summoner", summoner.as_deref());
    put(out, "shifter", shifter.as_deref());
    put(out, "seen", *seen);
    if let Some(leaves) = corpse {
        out.insert("corpse".to_owned(), (*leaves).into());
    }
    put(out, "power", power[0]);
    put(out, "band_power", power[1]);
}

fn spell(slot: &SpellSlot) -> Value {
    json!({ "spell": slot.spell, "frequency": slot.frequency, "flags": slot.flags })
}

fn enchantment(state: &Enchantment) -> Value {
    let mut out = Attributes::new();
    put(&mut out, "name", state.name.as_str());
    put(&mut out, "permanent", state.permanent);
    put(&mut out, "duration", state.duration);
    put(&mut out, "degree", state.degree);
    Value::Object(out)
}

/// Returns the attributes of an item on the level.
pub fn item_attributes(item: &LevelItem, content: &Content) -> Attributes {
    let mut out = match item.made.as_ref().or(item.asked.as_ref()) {
        Some(asked) => asked_item(asked, content),
        None => glyph_item(&item.spec),
    };
    put(&mut out, "rolled", item.made.is_some() && item.made != item.asked);
    put(&mut out, "mimic", item.mimic);
    out.insert("spec".to_owned(), item.spec.as_str().into());
    out
}

/// Returns the attributes of the item that a map glyph stands for.
fn glyph_item(glyph: &str) -> Attributes {
    let mut out = Attributes::new();
    put(&mut out, "class", (glyph == "$").then_some("gold"));
    let level = match glyph {
        "*" => Some("star"),
        "|" => Some("superb"),
        _ => None,
    };
    put(&mut out, "level", level);
    out
}

/// Returns the attributes of the item in a spec. If `class` is `any` and there is no `kind`, both
/// are drawn.
pub(crate) fn asked_item(item: &ItemAlternative, content: &Content) -> Attributes {
    let mut out = Attributes::new();
    asked_kind(&mut out, &item.kind, content);
    put(&mut out, "spec", item.text.as_str());
    let quantity = item.quantity.filter(|quantity| quantity.is_positive());
    put(&mut out, "quantity", quantity.map(NonZeroI32::get));
    put(&mut out, "ego", item.ego.as_deref());
    if let Some(plus) = item.plus {
        out.insert("plus".to_owned(), plus.into());
    }
    let level = match item.level {
        ItemLevel::Default => Value::Null,
        ItemLevel::Number(level) => level.into(),
        ItemLevel::Good => "good".into(),
        ItemLevel::Star => "star".into(),
        ItemLevel::Superb => "superb".into(),
        ItemLevel::Damaged => "damaged".into(),
        ItemLevel::Bad => "bad".into(),
        ItemLevel::Mundane => "mundane".into(),
        ItemLevel::Randart => "randart".into(),
    };
    put(&mut out, "level", level);
    asked_details(&mut out, &item.details);
    out
}

fn asked_kind(out: &mut Attributes, kind: &ItemKind, content: &Content) {
    let items = content.items();
    match kind {
        ItemKind::Nothing => put(out, "class", "nothing"),
        ItemKind::Any => put(out, "class", "any"),
        ItemKind::Class(class) => put(out, "class", class.as_str()),
        ItemKind::Item(name) => {
            put(out, "class", items.by_name(name).map(|known| known.class.clone()));
            put(out, "kind", name.as_str());
        }
        ItemKind::Unrand(name) => {
            let unrand = items.unrand(name);
            put(out, "class", unrand.map(|known| known.class.clone()));
            put(out, "kind", unrand.map(|known| known.item.clone()));
            put(out, "artefact", name.as_str());
        }
        ItemKind::Corpse { monster, skeleton } => {
            put(out, "class", "corpse");
            put(out, "kind", if *skeleton { "skeleton" } else { "corpse" });
            put(out, "monster", monster.as_str());
        }
        ItemKind::Randbook(book) => {
            put(out, "class", "book");
            put(out, "kind", "randbook");
            themed_book(out, book);
        }
        ItemKind::Parchment(parchment) => {
            put(out, "class", "book");
            put(out, "kind", "parchment");
            put(out, "spell", parchment.spell.as_deref());
            put(out, "schools", parchment.school.map(|school| vec![school]));
            put(out, "spell_level", parchment.level);
        }
        ItemKind::Acquire { class, god } => {
            put(out, "class", class.as_str());
            put(out, "acquire", true);
            put(out, "god", god.as_deref());
        }
    }
}

fn asked_details(out: &mut Attributes, details: &ItemDetails) {
    let ItemDetails {
        name,
        mundane,
        properties,
        charges,
        special,
        identified,
        tile,
        worn_tile,
        flags,
    } = details;
    put(out, "name", name.as_deref());
    put(out, "mundane", *mundane);
    let properties = properties.iter().map(|(name, value)| (name.clone(), Value::from(*value)));
    put(out, "properties", Value::Object(properties.collect()));
    put(out, "charges", *charges);
    put(out, "special", *special);
    put(out, "identified", identified.as_deref());
    put(out, "tile", tile.as_deref());
    put(out, "worn_tile", worn_tile.as_deref());
    put(out, "flags", flags.as_slice());
}

fn themed_book(out: &mut Attributes, book: &BookSpec) {
    put(out, "schools", book.schools.iter().flatten().copied().collect::<Vec<_>>());
    put(out, "spell_count", book.size);
    put(out, "spell_levels", book.most_levels);
    put(out, "title", book.title.as_deref());
    put(out, "spells", book.spells.as_slice());
    put(out, "owner", book.owner.as_deref());
}

/// Returns the attributes of a shop. `stock` contains the lists that its items are picked from, one
/// item each.
pub fn shop_attributes(shop: Option<&ShopSpec>, content: &Content) -> Attributes {
    let mut out = Attributes::new();
    let Some(shop) = shop else {
        out.insert("kind".to_owned(), "random".into());
        return out;
    };
    let kind = if shop.kind == "any" { "random" } else { &shop.kind };
    out.insert("kind".to_owned(), kind.into());
    put(&mut out, "name", shop.name.as_deref());
    put(&mut out, "type", shop.type_name.as_deref());
    put(&mut out, "suffix", shop.suffix.as_deref());
    if let Some(count) = shop.count {
        out.insert("count".to_owned(), count.into());
    }
    if let Some(greed) = shop.greed {
        out.insert("greed".to_owned(), greed.into());
    }
    put(&mut out, "use_all", shop.use_all);
    put(&mut out, "gozag", shop.gozag);
    let slots = shop.items.iter().flat_map(|slot| &slot.alternatives);
    let stock = slots.map(|item| {
        let mut attributes = asked_item(item, content);
        attributes.insert("weight".to_owned(), item.weight.into());
        Value::Object(attributes)
    });
    put(&mut out, "stock", stock.collect::<Vec<_>>());
    out
}

/// Returns the attributes of a marker. `values` is the contents of its Lua table.
pub fn marker_attributes(
    marker: &LevelMarker,
    values: Option<&ScriptValue>,
    content: &Content,
) -> Attributes {
    let mut out = Attributes::new();
    let feature = |id| content.features().get(id).name.clone();
    let kind = match &marker.kind {
        MarkerKind::Feature(id) => {
            put(&mut out, "feature", feature(*id));
            "feature"
        }
        MarkerKind::Lua(_) => {
            if let Some(ScriptValue::Table { class, entries }) = values {
                put(&mut out, "class", class.as_deref());
                put(&mut out, "values", Value::Object(members(entries)));
            }
            "lua"
        }
        MarkerKind::Properties(properties) => {
            put(&mut out, "values", json!(properties));
            "properties"
        }
        MarkerKind::Position { feature: id, to } => {
            put(&mut out, "feature", feature(*id));
            put(&mut out, "to", to.map(|p| json!([p.x, p.y])));
            "position"
        }
        MarkerKind::Terrain(change) => {
            put(&mut out, "old", feature(change.old));
            put(&mut out, "new", feature(change.new));
            put(&mut out, "duration", change.duration);
            put(&mut out, "cause", format!("{:?}", change.cause));
            put(&mut out, "colour", change.colour.as_deref());
            "terrain"
        }
    };
    out.insert("kind".to_owned(), kind.into());
    out
}

/// Returns a script's value as JSON: lists as arrays, other tables as objects with a `class`, and
/// functions and shared tables as `{"function": NAME}`.
fn script(value: &ScriptValue) -> Value {
    match value {
        ScriptValue::Flag(flag) => (*flag).into(),
        ScriptValue::Number(number) => number_value(*number),
        ScriptValue::Text(text) => text.as_str().into(),
        ScriptValue::Named(name) => json!({ "function": name }),
        ScriptValue::Again => Value::Null,
        ScriptValue::Table { class, entries } => {
            let counted = |(index, (key, _)): (usize, &(ScriptValue, ScriptValue))| {
                *key == ScriptValue::Number(index as f64 + 1.0)
            };
            if class.is_none() && !entries.is_empty() && entries.iter().enumerate().all(counted) {
                return entries.iter().map(|(_, value)| script(value)).collect();
            }
            let mut out = members(entries);
            if let Some(class) = class.as_ref().filter(|class| !class.is_empty()) {
                out.insert("class".to_owned(), class.as_str().into());
            }
            Value::Object(out)
        }
    }
}

/// Returns the members of a table, without empty tables.
fn members(entries: &[(ScriptValue, ScriptValue)]) -> Attributes {
    let empty = |value: &ScriptValue| matches!(value, ScriptValue::Table { entries, .. } if entries.is_empty());
    let told = entries.iter().filter(|(_, value)| !empty(value));
    told.map(|(key, value)| (key_text(key), script(value))).collect()
}

fn key_text(key: &ScriptValue) -> String {
    match key {
        ScriptValue::Text(text) | ScriptValue::Named(text) => text.clone(),
        ScriptValue::Number(number) => number_value(*number).to_string(),
        ScriptValue::Flag(flag) => flag.to_string(),
        ScriptValue::Table { .. } | ScriptValue::Again => "table".to_owned(),
    }
}

/// Returns a number as JSON, without a decimal point if it is an integer.
fn number_value(number: f64) -> Value {
    match number.fract() == 0.0 && number.abs() < 9e15 {
        true => (number as i64).into(),
        false => number.into(),
    }
}

/// Returns attributes as text: `name value, name value`.
pub fn in_words(attributes: &Attributes) -> String {
    let pairs = attributes.iter().map(|(name, value)| match value {
        Value::String(text) => format!("{name} {text}"),
        Value::Bool(true) => name.clone(),
        value => format!("{name} {value}"),
    });
    pairs.collect::<Vec<_>>().join(", ")
}
