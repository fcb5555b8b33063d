//! Lists of names: colours, properties, masks, shops, gods, spells, tags.

use std::sync::OnceLock;

use foldhash::{HashMap, HashSet};
use serde::Deserialize;

use crate::differences::{Tables, Texts, embedded, table};
use crate::name_rows::{
    ArtefactPropertyRow, BookRow, CellFlagRow, ColourRow, Difference, GodRow, NamedRow, SchoolRow,
    ShopRow, SpeciesRow, SpellRow, TrapRow,
};
use crate::named_file::name_in;
use crate::pack::PackRows;
use crate::pack_faults::nearest_name;
use crate::{Edition, PlacementException, TableError, TileSource, Tiles};

/// The number of a pack's first own kind of shop.
const FIRST_OWN_SHOP: i64 = 1000;

/// Names with numbers, looked up case-sensitively.
#[derive(Clone, Debug, Default)]
pub struct NameList {
    by_name: HashMap<String, i64>,
    order: Vec<String>,
}

impl NameList {
    fn new(rows: impl IntoIterator<Item = (String, i64)>) -> NameList {
        let mut list = NameList::default();
        rows.into_iter().for_each(|(name, value)| list.add(name, value));
        list
    }

    fn add(&mut self, name: String, value: i64) {
        if !self.by_name.contains_key(&name) {
            self.by_name.insert(name.clone(), value);
            self.order.push(name);
        }
    }

    /// Returns the number for a name.
    pub fn get(&self, name: &str) -> Option<i64> {
        self.by_name.get(name).copied()
    }

    /// Returns the name that is meant by a word; `None` if none is near.
    pub fn nearest(&self, word: &str) -> Option<&str> {
        nearest_name(word, self.names())
    }

    /// Returns whether the name is known.
    pub fn contains(&self, name: &str) -> bool {
        self.by_name.contains_key(name)
    }

    /// Returns names and numbers, in table order.
    pub fn entries(&self) -> impl Iterator<Item = (&str, i64)> {
        self.order.iter().map(|name| (name.as_str(), self.by_name[name]))
    }

    /// Returns the names in table order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.order.iter().map(String::as_str)
    }
}

/// A spell.
#[derive(Clone, Debug, Deserialize)]
pub struct Spell {
    /// The title.
    pub name: String,
    /// Whether monsters may have it.
    #[serde(default = "yes")]
    pub monster_valid: bool,
    /// The number.
    #[serde(default)]
    pub id: i64,
    /// The level, from 1.
    #[serde(default)]
    pub level: i32,
    /// The bits of its schools.
    #[serde(skip)]
    pub schools: i64,
    /// Whether players find it in books.
    #[serde(skip)]
    pub in_books: bool,
    /// Its frequency on parchments; most have 100.
    #[serde(skip)]
    pub parchment_weight: i32,
}

fn yes() -> bool {
    true
}

/// A god.
#[derive(Clone, Debug, Deserialize)]
pub struct God {
    /// The full name.
    pub name: String,
    /// Its altar feature.
    pub altar: String,
    /// Whether it cannot be worshipped; its altars become floor.
    #[serde(default)]
    pub unavailable: bool,
    /// Whether it stands for no god, or for any.
    #[serde(default)]
    pub special: bool,
    /// Its position in the temple list, which is sorted by name; `None` for a god without altars in
    /// temples.
    #[serde(default)]
    pub temple_order: Option<i32>,
}

/// How an engine tag is recognised.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs)] // the words of the table
pub enum TagMatch {
    Exact,
    Prefix,
    Suffix,
}

/// A tag with a meaning for the engine.
#[derive(Clone, Debug, Deserialize)]
pub struct EngineTag {
    /// How it is recognised.
    #[serde(rename = "match")]
    pub matches: TagMatch,
    /// The tag or its fixed part.
    pub tag: String,
    /// Its effect.
    #[serde(default)]
    pub effect: String,
    /// Whether it is unrelated to placement, so that no map can be selected by it (spec 01 §14.4).
    #[serde(default)]
    pub registered_flag: bool,
}

impl EngineTag {
    /// Returns whether a tag of a map matches it.
    #[must_use]
    pub fn recognises(&self, tag: &str) -> bool {
        match self.matches {
            TagMatch::Exact => self.tag == tag,
            TagMatch::Prefix => tag.starts_with(&self.tag),
            TagMatch::Suffix => tag.ends_with(&self.tag),
        }
    }
}

/// The name lists of a pack.
pub struct Names {
    /// Base and elemental colours with their aliases.
    pub colours: NameList,
    /// Cell properties with their bits (KPROP).
    pub properties: NameList,
    /// Masks that KMASK may name, with their bits.
    pub masks: NameList,
    /// Kinds of shops.
    pub shops: NameList,
    /// Artefact properties, in lower case.
    pub artefact_properties: NameList,
    /// Those of them that an item either has or lacks, in lower case.
    pub artefact_switches: NameList,
    /// Those of them of which an item cannot have a negative amount, in lower case.
    pub artefact_amounts: NameList,
    /// Clouds.
    pub clouds: NameList,
    /// Enchantments.
    pub enchantments: NameList,
    /// Spell schools, long and short.
    pub schools: NameList,
    /// Trap features.
    pub traps: NameList,
    /// Mutations.
    pub mutations: NameList,
    /// Skills.
    pub skills: NameList,
    /// Species.
    pub species: NameList,
    /// The genus of each species.
    genera: HashMap<String, String>,
    /// The two-letter abbreviation of each species.
    species_letters: HashMap<String, String>,
    /// Backgrounds.
    pub backgrounds: NameList,
    /// Engine tags.
    pub tags: Vec<EngineTag>,
    /// Maps that the placement test treats differently.
    pub placement_exceptions: Vec<PlacementException>,
    /// Schools of magic with their bits, in order.
    pub school_bits: Vec<(String, i64)>,
    /// Gods that books do not mention.
    pub bookless_gods: Vec<String>,
    tables: Tables,
    /// By title in lower case, including those of the pack.
    spells: OnceLock<HashMap<String, Spell>>,
    own_spells: Vec<Spell>,
    gods: Vec<God>,
    /// The problems of files of species and backgrounds. Their names are unknown because of these.
    pub(crate) nameless_files: Vec<TableError>,
    /// Names of tiles.
    pub tiles: Tiles,
}

impl Names {
    /// Returns whether maps cannot be selected by a tag because it is unrelated to placement.
    #[must_use]
    pub fn is_flag_tag(&self, tag: &str) -> bool {
        self.tags.iter().any(|row| row.registered_flag && row.recognises(tag))
    }

    pub(crate) fn new(tables: Tables, edition: Edition) -> Names {
        let differences = table::<Difference>(embedded!("common", "names_0.28"));
        let of_edition = |name: &str, rows: Vec<NamedRow>| {
            let rows = rows.into_iter().map(|row| (row.name, row.id));
            names_of_edition(edition, (name, rows), &differences)
        };
        let by_id = |pick: fn(&Texts) -> &'static str| {
            NameList::new(tables.rows::<NamedRow>(pick).into_iter().map(|row| (row.name, row.id)))
        };
        let properties = tables.rows::<ArtefactPropertyRow>(|texts| texts.artefact_properties);
        let artefact = |has: &dyn Fn(&str) -> bool| {
            let fitting = properties.iter().filter(|row| has(&row.values));
            NameList::new(fitting.map(|row| (row.name.to_lowercase(), row.id)))
        };
        let colours = tables.rows::<ColourRow>(|texts| texts.colours).into_iter();
        let cell_properties = table::<CellFlagRow>(embedded!("common", "fprops")).into_iter();
        let masks = table::<CellFlagRow>(embedded!("common", "masks")).into_iter();
        let shops = table::<ShopRow>(embedded!("common", "shops")).into_iter();
        let schools = tables.rows::<SchoolRow>(|texts| texts.spell_schools);
        let traps = tables.rows::<TrapRow>(|texts| texts.traps).into_iter();
        let species = table::<SpeciesRow>(embedded!("common", "species"));
        let species_names = species.iter().map(|row| (row.name.clone(), row.id));
        let gods = tables.rows::<GodRow>(|texts| texts.gods);
        Names {
            nameless_files: Vec::new(),
            tiles: Tiles::of(&TileSource::Nowhere),
            colours: NameList::new(
                colours.filter(|row| !row.name_not_found).flat_map(ColourRow::names),
            ),
            properties: NameList::new(
                cell_properties
                    .filter(|row| row.is_known(edition))
                    .map(|row| (row.name, row.value))
                    .chain([("nothing".to_owned(), 0)]),
            ),
            masks: NameList::new(
                masks
                    .filter(|row| row.kmask && row.is_known(edition))
                    .map(|row| (row.name, row.value)),
            ),
            shops: NameList::new(shops.filter(|row| row.accepted).flat_map(ShopRow::names)),
            artefact_properties: artefact(&|_| true),
            artefact_switches: artefact(&|values| values == "0 or 1"),
            artefact_amounts: artefact(&|values| values == ">= 0"),
            clouds: by_id(|texts| texts.clouds),
            enchantments: by_id(|texts| texts.enchantments),
            school_bits: schools.iter().map(|row| (row.name.clone(), row.id)).collect(),
            schools: NameList::new(
                schools.into_iter().flat_map(|row| [(row.name, row.id), (row.short, row.id)]),
            ),
            traps: NameList::new(traps.map(|row| (row.name, row.feature_id))),
            mutations: of_edition("mutations", table(embedded!("common", "mutations"))),
            skills: of_edition("skills", table(embedded!("common", "skills"))),
            species: names_of_edition(edition, ("species", species_names), &differences),
            genera: species.iter().map(|row| (row.name.clone(), row.genus.clone())).collect(),
            species_letters: species.into_iter().map(|row| (row.name, row.abbrev)).collect(),
            backgrounds: of_edition("backgrounds", table(embedded!("common", "backgrounds"))),
            tags: table(embedded!("common", "tags")),
            placement_exceptions: table(embedded!("common", "placement_checks")),
            tables,
            spells: OnceLock::new(),
            own_spells: Vec::new(),
            bookless_gods: books().into_iter().filter_map(|row| row.bookless_god).collect(),
            gods: gods.into_iter().map(God::from).collect(),
        }
    }

    /// Adds the names of a pack.
    pub(crate) fn with_own(mut self, pack: &PackRows) -> Names {
        self.tiles = Tiles::of(&pack.tiles);
        if let Some(gods) = &pack.gods {
            self.gods.clone_from(gods);
        }
        self.own_spells.clone_from(&pack.spells);
        for (list, files) in [
            (&mut self.species, &pack.species_files),
            (&mut self.backgrounds, &pack.background_files),
        ] {
            for file in files {
                match name_in(file) {
                    Ok(name) => {
                        let next = list.by_name.values().max().map_or(0, |last| last + 1);
                        list.add(name, next);
                    }
                    Err(error) => self.nameless_files.push(error),
                }
            }
        }
        for (number, shop) in pack.shops.iter().enumerate() {
            self.shops.add(shop.name.clone(), FIRST_OWN_SHOP + number as i64);
        }
        self
    }

    /// Returns the spell with this full title. Titles are not case-sensitive.
    pub fn spell(&self, name: &str) -> Option<&Spell> {
        self.spells().get(&name.to_lowercase())
    }

    /// Returns the titles of all spells, unordered.
    pub fn spell_titles(&self) -> impl Iterator<Item = &str> {
        self.spells().values().map(|spell| spell.name.as_str())
    }

    /// Returns the spells in players' books, ordered by number.
    pub fn book_spells(&self) -> Vec<&Spell> {
        let spells = self.spells().values();
        let mut spells: Vec<&Spell> = spells.filter(|spell| spell.in_books).collect();
        spells.sort_by_key(|spell| spell.id);
        spells
    }

    /// Reads the spells on first access: they are the largest of these tables.
    fn spells(&self) -> &HashMap<String, Spell> {
        self.spells.get_or_init(|| {
            let rows = self.tables.rows(|texts| texts.spells);
            let mut spells = with_books(rows, &self.school_bits, &books());
            let own = self.own_spells.iter().cloned();
            spells.extend(own.map(|spell| (spell.name.to_lowercase(), spell)));
            spells
        })
    }

    /// Returns the god with this full name. Names are not case-sensitive.
    pub fn god(&self, name: &str) -> Option<&God> {
        let known = |god: &&God| !god.name.is_empty() && god.name.eq_ignore_ascii_case(name);
        self.gods.iter().find(known)
    }

    /// Returns the genus of a species, such as `Draconian`.
    pub fn genus(&self, species: &str) -> Option<&str> {
        self.genera.get(species).map(String::as_str)
    }

    /// Returns the two-letter abbreviation of a species, such as `Dr`.
    pub fn species_letters(&self, species: &str) -> Option<&str> {
        self.species_letters.get(species).map(String::as_str)
    }

    /// Returns the gods of the temple in order.
    pub fn temple_gods(&self) -> Vec<&God> {
        let mut gods: Vec<&God> =
            self.gods.iter().filter(|god| god.temple_order.is_some()).collect();
        gods.sort_by_key(|god| god.temple_order);
        gods
    }

    /// Returns the gods.
    pub fn gods(&self) -> &[God] {
        &self.gods
    }
}

/// Returns the names that an edition has of a table for trunk alone: those of 0.28 are stored as
/// differences. Other releases have the names of both.
fn names_of_edition(
    edition: Edition,
    (table, rows): (&str, impl Iterator<Item = (String, i64)>),
    differences: &[Difference],
) -> NameList {
    let own = differences.iter().filter(|difference| difference.table == table);
    let (new, old): (Vec<_>, Vec<_>) = own.partition(|d| d.only_in == "trunk");
    let without_new = edition == Edition::V0_28;
    let with_old = edition != Edition::Trunk;
    let kept = rows.filter(|(name, _)| !without_new || !new.iter().any(|d| d.name == *name));
    let added = old.iter().filter(|_| with_old).map(|d| (d.name.clone(), -1));
    NameList::new(kept.chain(added))
}

impl From<GodRow> for God {
    fn from(row: GodRow) -> God {
        let GodRow { name, altar, unavailable, special, temple_order } = row;
        God { name, altar, unavailable, special, temple_order }
    }
}

fn books() -> Vec<BookRow> {
    table(embedded!("common", "spell_books"))
}

/// Returns the spells by title in lower case, with what is known about books.
fn with_books(
    rows: Vec<SpellRow>,
    schools: &[(String, i64)],
    books: &[BookRow],
) -> HashMap<String, Spell> {
    let exists: HashSet<String> = rows.iter().map(|row| row.name.clone()).collect();
    let rows = rows.into_iter().filter(|row| row.name_resolves_to.is_none());
    let spells = rows.map(|row| {
        let own = || books.iter().filter(|book| book.spell == row.name);
        let left_out = own().any(|book| {
            !book.in_books || book.replaced_by.as_ref().is_some_and(|name| exists.contains(name))
        });
        let bits = schools.iter().filter(|(name, _)| row.schools.contains(name));
        let spell = Spell {
            monster_valid: row.monster_valid,
            id: row.id,
            level: row.level,
            schools: bits.map(|(_, bit)| bit).sum(),
            in_books: row.player && !left_out,
            parchment_weight: own().find_map(|book| book.parchment).unwrap_or(100),
            name: row.name.clone(),
        };
        (row.name.to_lowercase(), spell)
    });
    spells.collect()
}
