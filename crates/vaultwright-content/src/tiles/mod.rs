//! The names of tiles: which ones exist, and which have variants.

mod definitions;

use std::collections::BTreeSet;
use std::sync::OnceLock;

use serde::Deserialize;

pub use definitions::{TileDefinitions, TileVariant};

use crate::differences::{embedded, table};
use crate::{Edition, TableText};

/// The source of the names of a pack's tiles.
#[derive(Clone, Debug, Default)]
pub enum TileSource {
    /// No source: any name may be valid.
    #[default]
    Nowhere,
    /// The tiles of Crawl 0.28.
    Crawl028,
    /// The definition files of its `rltiles` folder.
    Files(Vec<TableText>),
}

impl TileSource {
    /// Returns the source of an edition's tiles: the tables only have those of 0.28.
    #[must_use]
    pub fn of_edition(edition: Edition) -> TileSource {
        match edition {
            Edition::V0_28 => TileSource::Crawl028,
            _ => TileSource::Nowhere,
        }
    }
}

/// The purpose of a tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TileUse {
    /// A cell: floor, wall, feature.
    Cell,
    /// A monster, or equipment worn.
    Doll,
    /// An item on the floor.
    Item,
}

/// Whether the name of a tile is valid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TileVerdict {
    /// It may be valid.
    Known,
    /// No definition file contains it. The reference rejects it. We only report it, since the files
    /// have more ways to create a name than we know.
    Doubtful,
    /// It is not valid.
    Unknown,
}

/// The names of tiles.
#[derive(Debug)]
pub struct Tiles {
    variants: Vec<Row>,
    known: Known,
}

/// The names, read on first access.
#[derive(Debug)]
enum Known {
    Anything,
    Crawl028(OnceLock<Names028>),
    /// `None` if the files have an unknown format.
    Files(Vec<TableText>, OnceLock<Option<FileNames>>),
}

/// The names in definition files.
#[derive(Debug)]
struct FileNames {
    written: BTreeSet<String>,
    /// The same without numbers and colours.
    plain: BTreeSet<String>,
}

impl FileNames {
    fn read(files: &[TableText]) -> Option<FileNames> {
        let definitions = TileDefinitions::parse(files);
        let written: BTreeSet<String> = definitions.names().map(str::to_owned).collect();
        let plain = written.iter().map(|name| plain(name).to_owned()).collect();
        (written.len() >= MIN_NAMES).then_some(FileNames { written, plain })
    }
}

#[derive(Debug, Default, Deserialize)]
struct Names028 {
    dungeon: BTreeSet<String>,
    dolls: BTreeSet<String>,
    items: BTreeSet<String>,
}

impl Names028 {
    fn read() -> Names028 {
        // The table is embedded, and a test reads it.
        serde_json::from_str(embedded!("common", "tile_names_0.28")).unwrap_or_default()
    }

    fn of_use(&self, used: TileUse) -> &BTreeSet<String> {
        match used {
            TileUse::Cell => &self.dungeon,
            TileUse::Doll => &self.dolls,
            TileUse::Item => &self.items,
        }
    }
}

#[derive(Debug, Deserialize)]
struct Row {
    name: String,
    several: bool,
}

/// With fewer names than this, the definition files have an unknown format.
const MIN_NAMES: usize = 200;

impl Tiles {
    pub(crate) fn of(source: &TileSource) -> Tiles {
        let known = match source {
            TileSource::Nowhere => Known::Anything,
            TileSource::Crawl028 => Known::Crawl028(OnceLock::new()),
            TileSource::Files(files) => Known::Files(files.clone(), OnceLock::new()),
        };
        Tiles { variants: table(embedded!("common", "tiles_0.28")), known }
    }

    /// Returns the verdict on a name. Names are not case-sensitive.
    pub fn verdict(&self, name: &str, used: TileUse) -> TileVerdict {
        if name.is_empty() || matches!(self.known, Known::Anything) {
            return TileVerdict::Known;
        }
        let name = name.to_lowercase();
        let (is_known, otherwise) = match &self.known {
            Known::Anything => (true, TileVerdict::Known),
            Known::Crawl028(names) => {
                let names = names.get_or_init(Names028::read).of_use(used);
                (names.contains(&name), TileVerdict::Unknown)
            }
            Known::Files(files, names) => {
                let names = names.get_or_init(|| FileNames::read(files)).as_ref();
                let is_known = names.is_none_or(|names| names.plain.contains(plain(&name)));
                (is_known, TileVerdict::Doubtful)
            }
        };
        if is_known { TileVerdict::Known } else { otherwise }
    }

    /// Returns the known names for a use, sorted; empty if any name may be valid.
    pub fn names(&self, used: TileUse) -> impl Iterator<Item = &str> {
        let names = match &self.known {
            Known::Anything => None,
            Known::Crawl028(names) => Some(names.get_or_init(Names028::read).of_use(used)),
            Known::Files(files, names) => {
                let names = names.get_or_init(|| FileNames::read(files)).as_ref();
                names.map(|names| &names.written)
            }
        };
        names.into_iter().flatten().map(String::as_str)
    }

    /// Returns whether 0.28 chooses among variants when it draws a tile (spec 04 §18). The last
    /// matching row of the table counts; tiles without a row have one variant.
    pub fn has_variants(&self, name: &str) -> bool {
        let name = name.to_lowercase();
        let row = self.variants.iter().rev().find(|tile| match tile.name.strip_suffix('*') {
            Some(beginning) => name.starts_with(beginning),
            None => tile.name == name,
        });
        row.is_some_and(|tile| tile.several)
    }
}

/// Returns a name without the additions of definition files: the number of a variant, or a colour.
fn plain(name: &str) -> &str {
    const SHADES: [&str; 4] = ["dark", "light", "bright", "mid"];
    const BASES: [&str; 12] = [
        "black", "blue", "green", "cyan", "red", "magenta", "brown", "gray", "grey", "white",
        "yellow", "silver",
    ];
    let mut name = name.trim_end_matches(|last: char| last.is_ascii_digit());
    name = name.trim_end_matches('_');
    for base in BASES {
        if let Some(shorter) = name.strip_suffix(base) {
            let shade = SHADES.iter().find_map(|shade| shorter.strip_suffix(shade));
            if let Some(rest) = shade.unwrap_or(shorter).strip_suffix('_') {
                return rest;
            }
        }
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_of_0_28_can_be_read() {
        let names = Names028::read();
        assert!(names.dungeon.len() > 800 && names.dolls.len() > 1800 && names.items.len() > 800);
        let tiles = Tiles::of(&TileSource::of_edition(Edition::V0_28));
        assert_eq!(tiles.verdict("FLOOR_CRYPT", TileUse::Cell), TileVerdict::Known);
        assert_eq!(tiles.verdict("floor_crypt", TileUse::Doll), TileVerdict::Unknown);
        assert_eq!(tiles.verdict("floor_nonsense", TileUse::Cell), TileVerdict::Unknown);
        assert_eq!(tiles.verdict("", TileUse::Item), TileVerdict::Known);
        for row in tiles.variants.iter().filter(|row| !row.name.ends_with('*')) {
            assert!(names.dungeon.contains(&row.name), "{}", row.name);
        }
    }

    #[test]
    fn names_of_definition_files_are_taken_generously() {
        let mut text: String = (0..300).map(|n| format!("p{n} FLOOR_{}\n", letters(n))).collect();
        text += "pebble FLOOR_PEBBLE\n";
        let files = vec![TableText { file: "dc-floor.txt".to_owned(), text }];
        let tiles = Tiles::of(&TileSource::Files(files));
        for known in ["floor_pebble", "FLOOR_PEBBLE_LIGHTRED", "floor_pebble_3", "floor_pebble0"] {
            assert_eq!(tiles.verdict(known, TileUse::Cell), TileVerdict::Known, "{known}");
        }
        assert_eq!(tiles.verdict("floor_peble", TileUse::Cell), TileVerdict::Doubtful);
        let few = vec![TableText { file: "x".to_owned(), text: "pebble FLOOR_PEBBLE".to_owned() }];
        let tiles = Tiles::of(&TileSource::Files(few));
        assert_eq!(tiles.verdict("x", TileUse::Cell), TileVerdict::Known, "another format");
    }

    fn letters(n: usize) -> String {
        [n / 26, n % 26].iter().map(|&digit| char::from(b'A' + digit as u8)).collect()
    }
}
