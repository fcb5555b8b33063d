//! Pictures as PNG.

use std::collections::HashMap;
use std::sync::Arc;

use crate::glyphs::coverage;
use crate::tiles::{SIDE, Sprite, blended};
use crate::{Cell, Outline, Picture, Shape};

/// The size of a cell, in pixels.
pub(crate) const CELL: usize = 16;
/// The size of a letter's cell in the name of an outline in pixels, and the distance of letters.
const LETTER: (usize, usize) = (14, 9);

/// Returns a PNG image: walls as blocks, everything else as the familiar glyph in its colour, and
/// outlines with their names. If the picture has the game's tiles, cells have their size.
pub fn to_png(picture: &Picture) -> Vec<u8> {
    to_png_of(picture, if picture.sprites.is_empty() { CELL } else { SIDE })
}

/// Like [`to_png`], with a different cell size in pixels.
pub fn to_png_of(picture: &Picture, side: usize) -> Vec<u8> {
    let side = side.max(1);
    let mut image = Image::new(picture.width.max(1) * side, picture.height.max(1) * side);
    let mut drawn: HashMap<Cell, Vec<Rgb>> = HashMap::new();
    let mut tiles: HashMap<*const Sprite, Vec<Rgb>> = HashMap::new();
    for (y, row) in picture.rows().enumerate() {
        for (x, cell) in row.iter().enumerate() {
            if let Some(sprite) = picture.sprite(x, y) {
                let pixels = tiles.entry(Arc::as_ptr(sprite)).or_insert_with(|| flat(sprite, side));
                image.put(x * side, y * side, side, pixels);
                continue;
            }
            let pixels = drawn.entry(*cell).or_insert_with(|| cell_pixels(cell, side));
            image.put(x * side, y * side, side, pixels);
        }
    }
    for outline in &picture.outlines {
        draw_outline(&mut image, outline, side);
    }
    let mut taken: Vec<(usize, usize, usize)> = Vec::new();
    for outline in &picture.outlines {
        draw_name(&mut image, outline, side, &mut taken);
    }
    encode(image.width, image.height, image.pixels.as_flattened())
}

type Rgb = [u8; 3];

/// Returns a tile drawn on the background of a picture.
fn flat(sprite: &Sprite, side: usize) -> Vec<Rgb> {
    let [r, g, b] = BACKGROUND;
    let over = |pixel| blended([r, g, b, 255], pixel);
    sprite.scaled(side).into_iter().map(over).map(|[r, g, b, _]| [r, g, b]).collect()
}

/// An image under construction.
pub(crate) struct Image {
    pub(crate) width: usize,
    pub(crate) height: usize,
    pub(crate) pixels: Vec<Rgb>,
}

impl Image {
    pub(crate) fn new(width: usize, height: usize) -> Image {
        Image { width, height, pixels: vec![BACKGROUND; width * height] }
    }

    /// Copies a square.
    pub(crate) fn put(&mut self, x: usize, y: usize, side: usize, pixels: &[Rgb]) {
        for (row, line) in pixels.chunks(side).enumerate() {
            let at = (y + row) * self.width + x;
            self.pixels[at..at + side].copy_from_slice(line);
        }
    }

    fn set(&mut self, x: usize, y: usize, colour: Rgb) {
        if x < self.width && y < self.height {
            self.pixels[y * self.width + x] = colour;
        }
    }
}

/// Writes an RGB image.
pub(crate) fn encode(width: usize, height: usize, pixels: &[u8]) -> Vec<u8> {
    encode_in(png::ColorType::Rgb, width, height, pixels)
}

/// Writes an image with transparency.
pub(crate) fn encode_rgba(width: usize, height: usize, pixels: &[u8]) -> Vec<u8> {
    encode_in(png::ColorType::Rgba, width, height, pixels)
}

fn encode_in(colours: png::ColorType, width: usize, height: usize, pixels: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    let mut encoder = png::Encoder::new(&mut out, width as u32, height as u32);
    encoder.set_color(colours);
    encoder.set_depth(png::BitDepth::Eight);
    // Writing to a Vec cannot fail, and the size of the buffer is right.
    if let Ok(mut writer) = encoder.write_header() {
        let _ = writer.write_image_data(pixels);
    }
    out
}

const BACKGROUND: Rgb = [17, 17, 20];
const GROUND: Rgb = [30, 29, 31];

/// Returns the pixels of a cell.
pub(crate) fn cell_pixels(cell: &Cell, side: usize) -> Vec<Rgb> {
    let ink = ink(cell);
    let covered = shown_glyph(cell).map(|glyph| coverage(glyph, side));
    let cells = (0..side * side).map(|index| {
        let under = match cell.shape {
            Shape::Wall => wall(cell.colour.rgb(), index % side, index / side, side),
            _ => ground(cell),
        };
        covered.as_ref().map_or(under, |covered| mix(under, ink, covered[index].into()))
    });
    cells.collect()
}

/// Returns the background of a cell.
pub(crate) fn ground(cell: &Cell) -> Rgb {
    let share = match cell.shape {
        Shape::Outside => return BACKGROUND,
        Shape::Buried => return mix(BACKGROUND, cell.colour.rgb(), 70),
        Shape::Wall => return mix(BACKGROUND, cell.colour.rgb(), 150),
        Shape::Liquid => 80,
        Shape::Door => 70,
        Shape::Stairs => 50,
        Shape::Monster => 45,
        Shape::Tree => 40,
        Shape::Item => 18,
        Shape::Floor | Shape::Other => 0,
    };
    mix(GROUND, cell.colour.rgb(), share)
}

/// Returns the colour of the glyph of a cell.
pub(crate) fn ink(cell: &Cell) -> Rgb {
    let colour = cell.colour.rgb();
    match cell.shape {
        Shape::Floor if cell.glyph != '@' => mix(GROUND, colour, 120),
        Shape::Wall => colour.map(|c| c.saturating_add(60)),
        // Black letters would be invisible.
        _ => colour.map(|c| c.max(60)),
    }
}

/// Returns the glyph drawn on a cell; none on plain walls.
pub(crate) fn shown_glyph(cell: &Cell) -> Option<char> {
    match (cell.shape, cell.glyph) {
        (Shape::Outside | Shape::Buried, _) | (_, ' ') => None,
        (Shape::Wall, '#' | '▓' | '█' | 'x') => None,
        (Shape::Floor, '.') => Some('·'),
        (_, glyph) => Some(glyph),
    }
}

/// Returns a block with light edges at the top and left, and dark ones at the bottom and right.
fn wall(colour: Rgb, x: usize, y: usize, side: usize) -> Rgb {
    if x == 0 || y == 0 {
        mix(BACKGROUND, colour, 215)
    } else if x + 1 >= side || y + 1 >= side {
        mix(BACKGROUND, colour, 95)
    } else {
        mix(BACKGROUND, colour, 150)
    }
}

/// Blends a colour over another, with an opacity of `share` out of 255.
fn mix(under: Rgb, over: Rgb, share: u16) -> Rgb {
    let blend = |a: u8, b: u8| ((u16::from(a) * (255 - share) + u16::from(b) * share) / 255) as u8;
    [0, 1, 2].map(|i| blend(under[i], over[i]))
}

fn draw_outline(image: &mut Image, outline: &Outline, side: usize) {
    let colour = outline.colour();
    for (x, y) in outline.cells() {
        for step in 0..side {
            for thick in 0..(side / 8).max(1) {
                let (left, top) = (x * side, y * side);
                if !outline.has(x as i32, y as i32 - 1) {
                    image.set(left + step, top + thick, colour);
                }
                if !outline.has(x as i32, y as i32 + 1) {
                    image.set(left + step, top + side - 1 - thick, colour);
                }
                if !outline.has(x as i32 - 1, y as i32) {
                    image.set(left + thick, top + step, colour);
                }
                if !outline.has(x as i32 + 1, y as i32) {
                    image.set(left + side - 1 - thick, top + step, colour);
                }
            }
        }
    }
}

/// Draws the name of an outline at its top, below other names where it would cover one.
fn draw_name(
    image: &mut Image,
    outline: &Outline,
    side: usize,
    taken: &mut Vec<(usize, usize, usize)>,
) {
    let (height, advance) = LETTER;
    let width = outline.name.chars().count() * advance + 6;
    let Some((x, y)) = outline.cells().next() else { return };
    let left = (x * side).min(image.width.saturating_sub(width));
    let mut top = (y * side).saturating_sub(height);
    let crosses = |top: usize, &(l, t, w): &(usize, usize, usize)| {
        left < l + w && l < left + width && top < t + height && t < top + height
    };
    while taken.iter().any(|other| crosses(top, other)) && top + 2 * height < image.height {
        top += 1;
    }
    taken.push((left, top, width));
    for y in top..top + height {
        for x in left..left + width {
            image.set(x, y, [8, 8, 10]);
        }
    }
    for (index, glyph) in outline.name.chars().enumerate() {
        let covered = coverage(glyph, height);
        for (at, &share) in covered.iter().enumerate() {
            let (x, y) = (left + index * advance + at % height, top + at / height);
            if share > 0 && glyph != ' ' && x < image.width && y < image.height {
                let under = image.pixels[y * image.width + x];
                image.set(x, y, mix(under, outline.colour(), share.into()));
            }
        }
    }
}
