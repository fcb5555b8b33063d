//! Outlines of vaults on a picture, with their names.

use vaultwright_level::Level;

use crate::Picture;

/// The cells of a vault on a picture.
#[derive(Clone, Debug)]
pub struct Outline {
    /// The label.
    pub name: String,
    /// The number of the outline, which determines its colour.
    pub number: usize,
    /// The width of the picture in cells.
    width: usize,
    /// For each cell of the picture, row by row, whether it belongs to the vault.
    inside: Vec<bool>,
}

/// Colours that tell outlines apart.
const COLOURS: [[u8; 3]; 8] = [
    [255, 183, 77],
    [77, 208, 225],
    [240, 98, 146],
    [174, 213, 129],
    [149, 117, 205],
    [255, 241, 118],
    [121, 134, 203],
    [255, 138, 101],
];

impl Outline {
    /// Returns the colour of the outline.
    pub fn colour(&self) -> [u8; 3] {
        COLOURS[self.number % COLOURS.len()]
    }

    /// Returns whether the vault has this cell.
    pub fn has(&self, x: i32, y: i32) -> bool {
        let inside = x >= 0 && y >= 0 && (x as usize) < self.width;
        inside && self.inside.get(y as usize * self.width + x as usize) == Some(&true)
    }

    /// Returns the cells of the vault, row by row.
    pub fn cells(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        let cells = self.inside.iter().enumerate().filter(|(_, inside)| **inside);
        cells.map(|(index, _)| (index % self.width, index / self.width))
    }
}

impl Picture {
    /// Adds the outlines and names of the vaults of the level in the picture, except for layouts
    /// and maps that fill the whole level.
    pub fn annotated(mut self, level: &Level) -> Picture {
        for (number, vault) in level.vaults.iter().enumerate() {
            let mut inside = vec![false; self.cells.len()];
            let whole = vault.map.has_tag("overwritable") || vault.size.0 as usize >= self.width;
            let cells: Vec<_> = match whole {
                true => Vec::new(),
                false => vault.cells().collect(),
            };
            for p in cells {
                let index = p.y as usize * self.width + p.x as usize;
                if p.x >= 0 && p.y >= 0 && (p.x as usize) < self.width && index < inside.len() {
                    inside[index] = true;
                }
            }
            let name = vault.described();
            self.outlines.push(Outline { name, number, width: self.width, inside });
        }
        self
    }

    /// Returns the part between two cells, inclusive.
    pub fn cropped(&self, from: (usize, usize), to: (usize, usize)) -> Picture {
        let (right, bottom) = (to.0.min(self.width - 1), to.1.min(self.height - 1));
        let width = right + 1 - from.0.min(right);
        let height = bottom + 1 - from.1.min(bottom);
        let index = |x: usize, y: usize| (from.1 + y) * self.width + from.0 + x;
        let every = || (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
        let outlines = self.outlines.iter().map(|outline| Outline {
            inside: every().map(|(x, y)| outline.inside[index(x, y)]).collect(),
            width,
            ..outline.clone()
        });
        let outlines = outlines.collect();
        let cells = every().map(|(x, y)| self.cells[index(x, y)]).collect();
        let sprites = match self.sprites.is_empty() {
            true => Vec::new(),
            false => every().map(|(x, y)| self.sprites[index(x, y)].clone()).collect(),
        };
        Picture { width, height, cells, outlines, sprites }
    }
}
