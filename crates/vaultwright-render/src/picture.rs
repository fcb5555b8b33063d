//! A picture: glyph, colour and shape of each cell.

use std::sync::Arc;

use vaultwright_content::{Content, FeatureId};
use vaultwright_map::{FeatureKind, KeyedSpec, MapDef, Point, SUBVAULT_GLYPH};

use crate::{Outline, Sprite};

/// A picture of a map or level, cell by cell.
#[derive(Clone, Debug)]
#[must_use]
pub struct Picture {
    /// The width in cells.
    pub width: usize,
    /// The height in cells.
    pub height: usize,
    /// The cells, row by row from the top.
    pub cells: Vec<Cell>,
    /// The outlines drawn on it, with names.
    pub outlines: Vec<Outline>,
    /// For each cell, its tile from the game, if it has one; empty for a picture in letters.
    pub sprites: Vec<Option<Arc<Sprite>>>,
}

/// One cell of a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Cell {
    /// The glyph as a character.
    pub glyph: char,
    /// The colour of the glyph.
    pub colour: Colour,
    /// The kind of thing shown.
    pub shape: Shape,
}

impl Cell {
    /// A cell where there is nothing.
    pub const OUTSIDE: Cell = Cell { glyph: ' ', colour: Colour(0), shape: Shape::Outside };
}

/// The sixteen base colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Colour(pub u8);

/// The kind of thing that a cell shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs)] // the names say it
pub enum Shape {
    Outside,
    /// A wall surrounded by walls.
    Buried,
    Wall,
    Floor,
    Door,
    Liquid,
    Tree,
    Stairs,
    Monster,
    Item,
    Other,
}

/// The base colours by number, as red, green and blue.
const PALETTE: [(&str, [u8; 3]); 16] = [
    ("black", [40, 40, 46]),
    ("blue", [66, 112, 214]),
    ("green", [76, 153, 76]),
    ("cyan", [63, 157, 168]),
    ("red", [190, 66, 60]),
    ("magenta", [164, 84, 168]),
    ("brown", [156, 114, 66]),
    ("lightgrey", [184, 184, 178]),
    ("darkgrey", [104, 104, 110]),
    ("lightblue", [120, 162, 244]),
    ("lightgreen", [130, 214, 120]),
    ("lightcyan", [122, 214, 222]),
    ("lightred", [244, 110, 96]),
    ("lightmagenta", [224, 142, 226]),
    ("yellow", [240, 214, 92]),
    ("white", [250, 250, 246]),
];

impl Colour {
    /// Returns the colour with this name. Elemental colours are shown as the closest base colour,
    /// and unknown ones as grey.
    pub fn of(name: &str) -> Colour {
        let exact = PALETTE.iter().position(|(known, _)| *known == name);
        Colour(exact.unwrap_or(match name {
            "fire" | "lava" => 12,
            "ice" | "water" => 11,
            "earth" => 6,
            "electricity" | "holy" => 14,
            "poison" | "tree" | "swamp_tree" => 10,
            "magic" | "vehumet" => 13,
            "shallows" => 3,
            _ => 7,
        }) as u8)
    }

    /// Returns the colour as red, green and blue.
    pub fn rgb(self) -> [u8; 3] {
        PALETTE[usize::from(self.0 & 15)].1
    }
}

impl Picture {
    /// Returns a picture of a resolved map.
    pub fn of(map: &MapDef, content: &Content) -> Picture {
        let cells = map.grid.points().map(|p| cell(map, p, content)).collect();
        let (width, height) = (map.grid.width() as usize, map.grid.height() as usize);
        Picture { width, height, cells, outlines: Vec::new(), sprites: Vec::new() }
    }

    /// Returns the tile of a cell, given its column and row.
    pub(crate) fn sprite(&self, x: usize, y: usize) -> Option<&Arc<Sprite>> {
        self.sprites.get(y * self.width + x)?.as_ref()
    }

    /// Returns the cells of a row, counted from the top; none beyond the last.
    pub fn row(&self, y: usize) -> &[Cell] {
        self.rows().nth(y).unwrap_or_default()
    }

    /// Returns the cells row by row.
    pub fn rows(&self) -> impl Iterator<Item = &[Cell]> {
        self.cells.chunks(self.width.max(1))
    }
}

fn cell(map: &MapDef, p: Point, content: &Content) -> Cell {
    let glyph = map.grid.glyph(p);
    let overlay = map.overlay.get(p);
    let mut cell = match map.spec_at(p) {
        Some(keyed) if keyed.decides() => keyed_cell(glyph, keyed, content),
        _ => glyph_cell(glyph, content),
    };
    if let Some(colour) = overlay.and_then(|cell| cell.colour.as_deref()) {
        cell.colour = Colour::of(colour);
    }
    cell
}

fn keyed_cell(glyph: u8, keyed: &KeyedSpec, content: &Content) -> Cell {
    let shown = |own: u8| if glyph == SUBVAULT_GLYPH { own } else { glyph };
    if !keyed.monsters.is_empty() {
        return Cell { glyph: char::from(shown(b'1')), colour: Colour(12), shape: Shape::Monster };
    }
    let feature = keyed.features.alternatives.first().map(|choice| &choice.kind);
    let mut cell = match feature {
        Some(FeatureKind::Glyph(own)) => {
            let mut cell = glyph_cell(*own, content);
            cell.glyph = printable(shown(*own));
            cell
        }
        Some(FeatureKind::Feature(id)) => {
            let mut cell = feature_cell(*id, content);
            if glyph != SUBVAULT_GLYPH {
                cell.glyph = printable(glyph);
            }
            cell
        }
        Some(FeatureKind::Trap(_)) => {
            Cell { glyph: printable(shown(b'^')), colour: Colour(13), shape: Shape::Other }
        }
        Some(FeatureKind::Shop(_)) => {
            Cell { glyph: printable(shown(b'O')), colour: Colour(14), shape: Shape::Other }
        }
        None => glyph_cell(b'.', content),
    };
    if !keyed.items.is_empty() && cell.shape == Shape::Floor {
        cell = Cell { glyph: printable(shown(b'd')), colour: Colour(14), shape: Shape::Item };
    }
    cell
}

fn glyph_cell(glyph: u8, content: &Content) -> Cell {
    let (colour, shape) = match glyph {
        b' ' => (Colour(0), Shape::Outside),
        b'0'..=b'9' => (Colour(12), Shape::Monster),
        b'd'..=b'k' | b'$' | b'%' | b'*' | b'|' => (Colour(14), Shape::Item),
        b'@' => (Colour(15), Shape::Floor),
        b'^' => (Colour(13), Shape::Other),
        b't' => (Colour(2), Shape::Tree),
        _ => match content.features().by_map_glyph(glyph) {
            Some(id) => {
                let cell = feature_cell(id, content);
                (cell.colour, cell.shape)
            }
            None => (Colour(8), Shape::Floor),
        },
    };
    Cell { glyph: printable(glyph), colour, shape }
}

pub(crate) fn feature_cell(id: FeatureId, content: &Content) -> Cell {
    let feature = content.features().get(id);
    let flags = feature.flags;
    let shape = if flags.door() {
        Shape::Door
    } else if flags.tree() {
        Shape::Tree
    } else if flags.wall() {
        Shape::Wall
    } else if flags.water() || flags.lava() {
        Shape::Liquid
    } else if flags.stair() || flags.portal() {
        Shape::Stairs
    } else if feature.name == "floor" {
        Shape::Floor
    } else {
        Shape::Other
    };
    let colour = match (shape, feature.colour.as_str()) {
        (Shape::Floor, _) => Colour(7),
        (Shape::Wall, _) if feature.name == "rock_wall" => Colour(6),
        (_, name) => Colour::of(name),
    };
    Cell { glyph: feature.glyph, colour, shape }
}

/// Non-ASCII bytes are shown as in Latin-1, control characters as a middle dot.
fn printable(glyph: u8) -> char {
    if glyph < 32 || glyph == 127 { '·' } else { char::from(glyph) }
}
