//! The definition files of a clone's `rltiles` folder (`dc-*.txt`): which images the name of a tile
//! stands for.
//!
//! A line contains the path of an image and the names of its tile. A line without a name adds a
//! variant to the tile above. Lines that start with `%` change the meaning of the following lines.

use std::path::{Path, PathBuf};

use foldhash::HashMap;
use vaultwright_files::read_regular;

use crate::TableText;

/// Definition files are no longer than this, in bytes.
const MAX_BYTES: u64 = 64 << 20;

/// Tiles are made from tiles: without these limits, a few lines could exceed the memory.
const MAX_VARIANTS: usize = 256;
const MAX_LAYERS: usize = 32;

/// The contents of the definition files of tiles.
#[derive(Clone, Debug, Default)]
pub struct TileDefinitions {
    /// The variants of each name in lower case; empty if no image is known.
    variants: HashMap<String, Vec<TileVariant>>,
}

/// A variant of a tile: images on top of each other, the lowest first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TileVariant {
    /// The path of each image without its extension, below the `rltiles` folder.
    pub layers: Vec<String>,
}

impl TileDefinitions {
    /// Returns the definition files of a folder, ordered by name.
    pub fn files_in(folder: &Path) -> std::io::Result<Vec<TableText>> {
        let mut paths = Vec::new();
        for entry in std::fs::read_dir(folder)? {
            let path = entry?.path();
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            if name.starts_with("dc-") && name.ends_with(".txt") && path.is_file() {
                paths.push(path);
            }
        }
        paths.sort();
        let read = |path: PathBuf| {
            let text = String::from_utf8_lossy(&read_regular(&path, MAX_BYTES)?).into_owned();
            Ok(TableText { file: path.to_string_lossy().into_owned(), text })
        };
        paths.into_iter().map(read).collect()
    }

    /// Parses several files. Unknown lines are ignored: they only cost an image.
    pub fn parse<'a>(files: impl IntoIterator<Item = &'a TableText>) -> TileDefinitions {
        let mut definitions = TileDefinitions::default();
        for file in files {
            let mut reader = Reader::default();
            for line in file.text.lines() {
                reader.read(line, &mut definitions);
            }
        }
        definitions
    }

    /// Returns the variants of a tile; `None` if no file names it. Names are not case-sensitive.
    pub fn get(&self, name: &str) -> Option<&[TileVariant]> {
        self.variants.get(&name.to_lowercase()).map(Vec::as_slice)
    }

    /// Returns the names of all tiles in lower case, unordered.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.variants.keys().map(String::as_str)
    }

    fn add(&mut self, names: &[String], variant: &TileVariant) {
        for name in names {
            let own = self.variants.entry(name.clone()).or_default();
            let is_new = !variant.layers.is_empty() && own.len() < MAX_VARIANTS;
            own.extend(is_new.then(|| variant.clone()));
        }
    }
}

/// The state that determines the meaning of the next line.
#[derive(Default)]
struct Reader {
    /// The folder of the images (`%sdir`).
    folder: String,
    /// The image below each image (`%back`).
    back: Option<String>,
    /// The images since `%start`.
    composed: Option<TileVariant>,
    /// The names of the tile above.
    last: Vec<String>,
}

impl Reader {
    fn read(&mut self, line: &str, definitions: &mut TileDefinitions) {
        let line = line.split('#').next().unwrap_or_default();
        let mut words = line.split_whitespace();
        let Some(first) = words.next() else { return };
        if first.starts_with("/*") || first.starts_with("//") {
            return;
        }
        let Some(order) = first.strip_prefix('%') else {
            let variant = TileVariant {
                layers: self.back.iter().cloned().chain([self.path(first)]).collect(),
            };
            return self.tile(words, &variant, definitions);
        };
        match order {
            "sdir" => {
                words.next().unwrap_or_default().trim_end_matches('/').clone_into(&mut self.folder)
            }
            "back" => {
                let path = words.next().filter(|word| !word.eq_ignore_ascii_case("none"));
                self.back = path.map(|path| self.path(path));
            }
            "start" => {
                let layers = self.back.iter().cloned().collect();
                self.composed = Some(TileVariant { layers });
            }
            "compose" => {
                let Some(word) = words.next() else { return };
                let of_tile = definitions.get(word).and_then(<[_]>::first).cloned();
                let added = of_tile.map_or_else(|| vec![self.path(word)], |tile| tile.layers);
                let layers = &mut self.composed.get_or_insert_default().layers;
                layers.extend(added);
                layers.truncate(MAX_LAYERS);
            }
            "finish" => {
                let variant = self.composed.take().unwrap_or_default();
                self.tile(words, &variant, definitions);
            }
            "repeat" => {
                let Some(old) = words.next() else { return };
                let variants = definitions.get(old).unwrap_or_default().to_vec();
                let names: Vec<String> = words.map(str::to_lowercase).collect();
                add_all(&names, &variants, definitions);
                self.last = names;
            }
            "variation" => {
                // The tile above is that of a name in a colour.
                let (Some(name), Some(colour)) = (words.next(), words.next()) else { return };
                let variants: Vec<TileVariant> = match self.last.first() {
                    Some(above) => definitions.get(above).unwrap_or_default().to_vec(),
                    None => Vec::new(),
                };
                add_all(&[format!("{name}_{colour}").to_lowercase()], &variants, definitions);
            }
            // In all other lines, a word in capitals is an existing name.
            _ => {
                let names = words.filter(|word| is_name(word)).map(str::to_lowercase);
                definitions.add(&names.collect::<Vec<_>>(), &TileVariant::default());
            }
        }
    }

    /// Adds a tile with its names, or a further variant of the one above.
    fn tile<'a>(
        &mut self,
        words: impl Iterator<Item = &'a str>,
        variant: &TileVariant,
        definitions: &mut TileDefinitions,
    ) {
        let names: Vec<String> =
            words.filter(|word| is_name(word)).map(str::to_lowercase).collect();
        if !names.is_empty() {
            self.last = names;
        }
        definitions.add(&self.last, variant);
    }

    fn path(&self, word: &str) -> String {
        let word = [".png", ".bmp"].iter().find_map(|end| word.strip_suffix(end)).unwrap_or(word);
        match self.folder.is_empty() {
            true => word.to_owned(),
            false => format!("{}/{word}", self.folder),
        }
    }
}

/// Returns whether a word is the name of a tile: those are in capitals.
fn is_name(word: &str) -> bool {
    word.len() > 1
        && word.starts_with(|first: char| first.is_ascii_uppercase())
        && word.bytes().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit() || b == b'_')
}

/// Adds names with all variants of another tile.
fn add_all(names: &[String], variants: &[TileVariant], definitions: &mut TileDefinitions) {
    definitions.add(names, &TileVariant::default());
    for variant in variants {
        definitions.add(names, variant);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> TileDefinitions {
        TileDefinitions::parse([&TableText { file: "dc-x.txt".to_owned(), text: text.to_owned() }])
    }

    fn layers<'a>(definitions: &'a TileDefinitions, name: &str) -> Vec<Vec<&'a str>> {
        let variants = definitions.get(name).expect(name).iter();
        variants.map(|v| v.layers.iter().map(String::as_str).collect()).collect()
    }

    #[test]
    fn a_line_is_a_picture_and_its_names_and_the_next_a_variant() {
        let tiles =
            parse("%sdir dngn/floor\n%rim 0\ngrey0 FLOOR_NORMAL FLOOR_GREY # the usual\ngrey1\n");
        assert_eq!(layers(&tiles, "floor_normal"), [["dngn/floor/grey0"], ["dngn/floor/grey1"]]);
        assert_eq!(layers(&tiles, "FLOOR_GREY").len(), 2);
        assert!(tiles.get("floor_red").is_none());
    }

    #[test]
    fn pictures_are_put_on_one_another() {
        let tiles = parse(
            "%back dngn/ground\n%sdir dngn\naltar DNGN_ALTAR\n%back none\n%start\n%compose tree\n\
             %compose DNGN_ALTAR\n%finish DNGN_GROVE\n",
        );
        assert_eq!(layers(&tiles, "dngn_altar"), [["dngn/ground", "dngn/altar"]]);
        assert_eq!(layers(&tiles, "dngn_grove"), [["dngn/tree", "dngn/ground", "dngn/altar"]]);
    }

    #[test]
    fn tiles_are_repeated_in_other_colours() {
        let tiles = parse(
            "stone FLOOR_PEBBLE\n%hue 1 120\n%repeat FLOOR_PEBBLE FLOOR_PEBBLE_RED\n\
             %variation FLOOR_PEBBLE red\n%variation FLOOR_PEBBLE lightred\n%resetcol\n",
        );
        assert_eq!(layers(&tiles, "floor_pebble_red")[0], ["stone"]);
        assert_eq!(layers(&tiles, "floor_pebble_lightred")[0], ["stone"]);
    }

    #[test]
    fn tiles_of_tiles_of_tiles_end() {
        let composed = (0..64)
            .map(|n| format!("%start\n%compose A{n}_\n%compose A{n}_\n%finish A{}_\n", n + 1));
        let repeated = (0..64).map(|n| format!("%repeat B{n}_ B{}_ B{}_\n", n + 1, n + 1));
        let tiles = parse(&format!(
            "x A0_ B0_\n{}{}",
            composed.collect::<String>(),
            repeated.collect::<String>()
        ));
        assert_eq!(layers(&tiles, "a64_")[0].len(), MAX_LAYERS);
        assert_eq!(layers(&tiles, "b64_").len(), MAX_VARIANTS);
    }

    #[test]
    fn what_is_not_understood_costs_a_picture_and_no_name() {
        let tiles =
            parse("%syn WALL_OLD WALL_NEW\n%weight 3\n%start\n%finish\n%compose\n%\n/* x */\n");
        let mut names: Vec<&str> = tiles.names().collect();
        names.sort_unstable();
        assert_eq!(names, ["wall_new", "wall_old"]);
    }
}
