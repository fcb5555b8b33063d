//! The game's own tiles: images from a clone's `rltiles` folder instead of letters.

mod names;
mod sprite;
mod stack;

use std::collections::HashMap;
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use vaultwright_content::{Content, TileDefinitions, TileVariant};
use vaultwright_level::Level;
use vaultwright_map::{MapDef, Point};

pub use sprite::Sprite;
pub(crate) use sprite::{SIDE, blended};
pub(crate) use stack::Stacks;

use crate::Picture;

/// The tiles of an `rltiles` folder. Images are read when they are first drawn; an unreadable image
/// counts as missing.
#[derive(Debug)]
pub struct TileSet {
    folder: PathBuf,
    definitions: TileDefinitions,
    /// Composed images by their layers.
    drawn: Mutex<HashMap<Vec<String>, Option<Arc<Sprite>>>>,
}

impl TileSet {
    /// Opens a folder with the tiles named in its definition files (`dc-*.txt`).
    pub fn open(folder: &Path) -> std::io::Result<TileSet> {
        let files = TileDefinitions::files_in(folder)?;
        Ok(TileSet {
            folder: folder.to_owned(),
            definitions: TileDefinitions::parse(&files),
            drawn: Mutex::default(),
        })
    }

    /// Returns the number of names that the definition files define.
    pub fn len(&self) -> usize {
        self.definitions.names().count()
    }

    /// Returns whether the definition files define no names.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the image of a tile, in the variant with this number.
    pub fn sprite(&self, name: &str, variant: usize) -> Option<Arc<Sprite>> {
        self.drawn(&self.variant(name, variant)?.layers)
    }

    fn variant(&self, name: &str, number: usize) -> Option<&TileVariant> {
        let variants = self.definitions.get(name)?;
        variants.get(number % variants.len().max(1))
    }

    /// Returns images drawn on top of each other; `None` if one of them cannot be read.
    pub(crate) fn drawn(&self, layers: &[String]) -> Option<Arc<Sprite>> {
        // A panic while holding the lock has at most not added an image.
        let mut drawn = self.drawn.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = drawn.get(layers) {
            return known.clone();
        }
        let read = layers.iter().map(|layer| self.read(layer));
        let sprite = read.collect::<Option<Vec<_>>>().filter(|sprites| !sprites.is_empty());
        let sprite = sprite.map(|sprites| Arc::new(Sprite::composed(&sprites)));
        drawn.insert(layers.to_vec(), sprite.clone());
        sprite
    }

    fn read(&self, layer: &str) -> Option<Sprite> {
        let below = Path::new(layer);
        // Definition files may come from anywhere, so they must not name anything outside their
        // folder.
        if !below.components().all(|part| matches!(part, Component::Normal(_))) {
            return None;
        }
        Sprite::read(&self.folder.join(format!("{layer}.png")))
    }
}

impl Picture {
    /// Returns the picture with the game's tiles where they are known. Branches look different: the
    /// abbreviation is that of the level's branch, empty for none.
    pub fn in_tiles(
        mut self,
        tiles: &TileSet,
        level: &Level,
        branch: &str,
        content: &Content,
    ) -> Picture {
        let stacks = Stacks { tiles, content, branch };
        self.sprites = level.points().map(|p| tiles.drawn(&stacks.cell(level, p)?)).collect();
        self
    }

    /// Like [`Picture::in_tiles`], for a map that is not placed.
    pub fn of_map_in_tiles(mut self, tiles: &TileSet, map: &MapDef, content: &Content) -> Picture {
        let stacks = Stacks { tiles, content, branch: "" };
        let drawn = |p: Point| tiles.drawn(&stacks.map_cell(map, p)?);
        self.sprites = map.grid.points().map(drawn).collect();
        self
    }
}
