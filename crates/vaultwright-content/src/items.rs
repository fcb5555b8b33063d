//! Item kinds, their classes, egos and sets.

use foldhash::{HashMap, HashMapExt, HashSet};
use serde::Deserialize;

use crate::Edition;
use crate::pack_faults::none_of;

/// An item kind.
#[derive(Clone, Debug)]
pub struct Item {
    /// The class, such as `weapon`.
    pub class: String,
    /// The name written in specs.
    pub name: String,
    /// The sub-type number.
    pub sub: i32,
    /// Where armour is worn, such as `Body Armour`; empty for anything else.
    pub slot: String,
    /// Whether it only exists for old saves.
    pub legacy: bool,
}

/// A brand of a weapon, missile or armour.
#[derive(Clone, Debug)]
pub struct Ego {
    /// The class it belongs to.
    pub class: String,
    /// The name after `ego:`.
    pub name: String,
    /// The item kinds that may have it.
    pub allowed: Vec<String>,
}

/// A fixed artefact.
#[derive(Clone, Debug)]
pub struct Unrand {
    /// The full name.
    pub name: String,
    /// Its name and its quoted short name in the form used for comparison: lower case, `_` for
    /// blanks, no apostrophes.
    pub spellings: Vec<String>,
    /// Its class.
    pub class: String,
    /// The item kind that it belongs to; empty if it has its own kind.
    pub item: String,
}

/// A group of which each game has one member.
#[derive(Clone, Debug)]
pub struct ItemSet {
    /// The name after `any`.
    pub name: String,
    /// The members in draw order.
    pub members: Vec<String>,
}

/// The items of a pack.
pub struct Items {
    items: Vec<Item>,
    by_name: HashMap<String, usize>,
    /// The class names written after `any`.
    pub classes: Vec<String>,
    /// What is written above things of each class, in the same order.
    titles: Vec<String>,
    /// How many kinds each class ever had, in the same order.
    subtypes: Vec<i32>,
    /// Egos.
    pub egos: Vec<Ego>,
    /// Fixed artefacts in table order.
    pub unrands: Vec<Unrand>,
    /// The first of them that each spelling refers to.
    unrand_of: HashMap<String, usize>,
    /// Item sets in draw order.
    pub sets: Vec<ItemSet>,
}

#[derive(Clone, Deserialize, Default)]
#[serde(default)]
pub(crate) struct Row {
    kind: String,
    class: String,
    name: String,
    quoted: String,
    slot: String,
    item: String,
    plural: String,
    legacy: bool,
    sub: i32,
    subtypes: i32,
    order: i32,
    shadowed_by: Option<serde_json::Value>,
    members: Vec<String>,
    ego: String,
    ok: Vec<String>,
}

impl Row {
    /// Returns the key that identifies a row of the table.
    pub(crate) fn key(&self) -> [String; 4] {
        [&self.kind, &self.class, &self.name, &self.ego].map(String::clone)
    }

    /// Returns the error in a row of a pack.
    pub(crate) fn fault(&self, classes: &HashSet<&str>) -> Option<String> {
        let kinds = ["class", "item", "ego", "unrand", "set"];
        let has_class = matches!(&*self.kind, "item" | "ego" | "unrand");
        none_of("kind", &self.kind, &kinds).or_else(|| {
            if !has_class || classes.contains(&*self.class) {
                return None;
            }
            let mut classes: Vec<&str> = classes.iter().copied().collect();
            classes.sort_unstable();
            none_of("class", &self.class, &classes)
        })
    }
}

/// An item of releases without tables, or of old releases. None of these occur at random.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct OldItem {
    class: String,
    name: String,
    sub: i32,
    #[serde(default)]
    slot: String,
    until: String,
}

impl OldItem {
    /// Returns its row, if an edition has it.
    pub(crate) fn row(self, edition: Edition) -> Option<Row> {
        let OldItem { class, name, sub, slot, until } = self;
        let known = edition <= Edition::last_of(&until);
        let row = Row { kind: "item".into(), class, name, sub, slot, ..Row::default() };
        known.then_some(Row { legacy: true, ..row })
    }
}

impl Items {
    /// Returns the classes of all items.
    pub(crate) fn classes(&self) -> impl Iterator<Item = &str> {
        self.classes.iter().map(String::as_str)
    }

    pub(crate) fn new(mut rows: Vec<Row>) -> Items {
        let mut items = Items {
            items: Vec::new(),
            by_name: HashMap::new(),
            classes: Vec::new(),
            titles: Vec::new(),
            subtypes: Vec::new(),
            egos: Vec::new(),
            unrands: Vec::new(),
            unrand_of: HashMap::new(),
            sets: Vec::new(),
        };
        rows.sort_by_key(|row| if row.kind == "set" { row.order } else { 0 });
        for row in rows {
            match row.kind.as_str() {
                "class" => {
                    items.classes.push(row.class);
                    items.titles.push(row.plural);
                    items.subtypes.push(row.subtypes);
                }
                "item" => {
                    if row.shadowed_by.is_none() {
                        items.by_name.entry(row.name.clone()).or_insert(items.items.len());
                    }
                    let Row { class, name, sub, slot, legacy, .. } = row;
                    items.items.push(Item { class, name, sub, slot, legacy });
                }
                "ego" => {
                    let Row { class, ego: name, ok: allowed, .. } = row;
                    items.egos.push(Ego { class, name, allowed });
                }
                "unrand" => {
                    let spellings: Vec<String> = [&row.name, &row.quoted]
                        .into_iter()
                        .filter(|name| !name.is_empty())
                        .map(|name| unrand_spelling(name))
                        .collect();
                    for spelling in &spellings {
                        let number = items.unrands.len();
                        items.unrand_of.entry(spelling.clone()).or_insert(number);
                    }
                    let Row { name, class, item, .. } = row;
                    items.unrands.push(Unrand { name, spellings, class, item });
                }
                "set" => items.sets.push(ItemSet { name: row.name, members: row.members }),
                _ => {}
            }
        }
        items
    }

    /// Makes a name refer to an item with another name.
    pub(crate) fn add_alias(&mut self, name: &str, of: &str) {
        if let Some(&index) = self.by_name.get(of) {
            self.by_name.entry(name.to_owned()).or_insert(index);
        }
    }

    /// Returns the item with this exact name in lower case.
    pub fn by_name(&self, name: &str) -> Option<&Item> {
        self.by_name.get(name).map(|&index| &self.items[index])
    }

    /// Returns the kinds of a class that still exist.
    pub fn of_class(&self, class: &str) -> impl Iterator<Item = &Item> {
        self.items.iter().filter(move |item| item.class == class && !item.legacy)
    }

    /// Returns what is written above things of a class, such as `Hand Weapons`; `None` for an
    /// unknown class.
    pub fn title_of_class(&self, class: &str) -> Option<&str> {
        let place = self.classes.iter().position(|own| own == class)?;
        Some(&self.titles[place])
    }

    /// Returns how many kinds of a class there ever were, those among them that are gone; 0 for an
    /// unknown class.
    pub fn kinds_ever(&self, class: &str) -> i32 {
        let place = self.classes.iter().position(|own| own == class);
        place.map_or(0, |index| self.subtypes[index])
    }

    /// Returns the first artefact named in a spec's text (spec 03 §7.6).
    pub fn unrand(&self, text: &str) -> Option<&Unrand> {
        self.unrand_of.get(&unrand_spelling(text)).map(|&number| &self.unrands[number])
    }

    /// Returns all item names that can be written in a spec, in table order; those of one item by
    /// the alphabet.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let mut names: Vec<(&String, &usize)> = self.by_name.iter().collect();
        names.sort_unstable_by_key(|&(name, index)| (index, name));
        names.into_iter().map(|(name, _)| name.as_str())
    }
}

fn unrand_spelling(name: &str) -> String {
    name.to_lowercase().replace(' ', "_").replace('\'', "")
}
