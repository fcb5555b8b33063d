//! Pictures as PNG.

use crate::{Cell, Picture, Shape};

/// Pixels of a cell's side.
pub(crate) const CELL: usize = 12;

/// A PNG image: walls are blocks, liquids waves, doors bars, stairs steps, monsters discs, items
/// diamonds.
pub fn to_png(picture: &Picture) -> Vec<u8> {
    let (width, height) = (picture.width.max(1) * CELL, picture.height.max(1) * CELL);
    let mut pixels = vec![0u8; width * height * 3];
    for (y, row) in picture.rows().enumerate() {
        for (x, cell) in row.iter().enumerate() {
            for py in 0..CELL {
                for px in 0..CELL {
                    let at = ((y * CELL + py) * width + x * CELL + px) * 3;
                    pixels[at..at + 3].copy_from_slice(&pixel(cell, px, py));
                }
            }
        }
    }
    encode(width, height, &pixels)
}

/// Writes an RGB image.
pub(crate) fn encode(width: usize, height: usize, pixels: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    let mut encoder = png::Encoder::new(&mut out, width as u32, height as u32);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    // Writing to a Vec cannot fail, and the size of the buffer is right.
    if let Ok(mut writer) = encoder.write_header() {
        let _ = writer.write_image_data(pixels);
    }
    out
}

const BACKGROUND: [u8; 3] = [23, 23, 27];
const GROUND: [u8; 3] = [48, 46, 44];

fn pixel(cell: &Cell, x: usize, y: usize) -> [u8; 3] {
    let colour = cell.colour.rgb();
    let dark = colour.map(|c| c / 2 + 8);
    let (cx, cy) = (x as i32 * 2 - 11, y as i32 * 2 - 11);
    let lit = |inside: bool| if inside { colour } else { GROUND };
    match cell.shape {
        Shape::Outside => BACKGROUND,
        Shape::Wall => {
            if x == 0 || y == 0 {
                colour
            } else if x == CELL - 1 || y == CELL - 1 {
                colour.map(|c| c / 3)
            } else {
                dark
            }
        }
        Shape::Floor if cell.glyph == '@' => lit(cx.abs().max(cy.abs()) <= 3),
        Shape::Floor => lit(cx.abs() <= 1 && cy.abs() <= 1),
        Shape::Door => {
            lit((2..10).contains(&x) && (1..11).contains(&y) && !(x + y).is_multiple_of(5))
        }
        Shape::Liquid => {
            if (y + x / 3).is_multiple_of(4) {
                colour
            } else {
                dark
            }
        }
        Shape::Tree => lit(cx * cx + cy * cy <= 90 && !(x * 7 + y * 3).is_multiple_of(5)),
        Shape::Stairs => {
            lit(x + 1 >= y && (1..11).contains(&x) && (1..11).contains(&y) && !y.is_multiple_of(3))
        }
        Shape::Monster => lit(cx * cx + cy * cy <= 64),
        Shape::Item => lit(cx.abs() + cy.abs() <= 9),
        Shape::Other => lit(cx.abs().max(cy.abs()) <= 8 && cx.abs().max(cy.abs()) >= 5),
    }
}
