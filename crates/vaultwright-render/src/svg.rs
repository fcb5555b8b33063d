//! Pictures as SVG.

use std::collections::HashSet;
use std::fmt::Write;
use std::sync::Arc;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use crate::png::{ground, ink, shown_glyph};
use crate::{Outline, Picture, Shape, Sprite, escape_xml};

const CELL: usize = 16;

/// Returns an SVG image: a square for each cell, its glyph in its colour, and outlines with their
/// names.
pub fn to_svg(picture: &Picture) -> String {
    let (width, height) = (picture.width * CELL, picture.height * CELL);
    let mut out = String::new();
    // Writing to a String cannot fail.
    let _ = writeln!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" font-family=\"monospace\" font-size=\"14\" \
         text-anchor=\"middle\">\n<rect width=\"100%\" height=\"100%\" fill=\"#111114\"/>"
    );
    let sprites = distinct(picture);
    let number = |sprite: &Arc<Sprite>| {
        sprites.iter().position(|known| Arc::ptr_eq(known, sprite)).unwrap_or(0)
    };
    if !sprites.is_empty() {
        out.push_str("<defs>\n");
        for (number, sprite) in sprites.iter().enumerate() {
            let _ = writeln!(
                out,
                "<image id=\"t{number}\" width=\"{CELL}\" height=\"{CELL}\" \
                 href=\"data:image/png;base64,{}\"/>",
                STANDARD.encode(sprite.to_png())
            );
        }
        out.push_str("</defs>\n");
    }
    for (y, row) in picture.rows().enumerate() {
        for (x, cell) in row.iter().enumerate() {
            if let Some(sprite) = picture.sprite(x, y) {
                let (left, top) = (x * CELL, y * CELL);
                let _ =
                    writeln!(out, "<use href=\"#t{}\" x=\"{left}\" y=\"{top}\"/>", number(sprite));
                continue;
            }
            if cell.shape == Shape::Outside {
                continue;
            }
            let _ = write!(
                out,
                "<rect x=\"{}\" y=\"{}\" width=\"{CELL}\" height=\"{CELL}\" fill=\"{}\"/>",
                x * CELL,
                y * CELL,
                hex(ground(cell)),
            );
            if let Some(glyph) = shown_glyph(cell) {
                let weight = match cell.shape {
                    Shape::Monster | Shape::Item => " font-weight=\"bold\"",
                    _ => "",
                };
                let _ = write!(
                    out,
                    "<text x=\"{}\" y=\"{}\" fill=\"{}\"{weight}>{}</text>",
                    x * CELL + CELL / 2,
                    y * CELL + 12,
                    hex(ink(cell)),
                    escape_xml(&glyph.to_string())
                );
            }
            out.push('\n');
        }
    }
    for outline in &picture.outlines {
        outlined(&mut out, outline);
    }
    out.push_str("</svg>\n");
    out
}

/// Returns the tiles of a picture without duplicates.
fn distinct(picture: &Picture) -> Vec<Arc<Sprite>> {
    let mut seen = HashSet::new();
    let all = picture.sprites.iter().flatten();
    all.filter(|sprite| seen.insert(Arc::as_ptr(sprite))).cloned().collect()
}

/// Draws the border of an outline as one path, and its name at its top.
fn outlined(out: &mut String, outline: &Outline) {
    let colour = hex(outline.colour());
    let mut path = String::new();
    for (x, y) in outline.cells() {
        let (column, row) = (x as i32, y as i32);
        let (left, top) = (x * CELL, y * CELL);
        let (right, bottom) = (left + CELL, top + CELL);
        for (dx, dy, from, to) in [
            (0, -1, (left, top), (right, top)),
            (0, 1, (left, bottom), (right, bottom)),
            (-1, 0, (left, top), (left, bottom)),
            (1, 0, (right, top), (right, bottom)),
        ] {
            if !outline.has(column + dx, row + dy) {
                let _ = write!(path, "M{} {}L{} {}", from.0, from.1, to.0, to.1);
            }
        }
    }
    let Some((x, y)) = outline.cells().next() else { return };
    let _ = writeln!(
        out,
        "<path d=\"{path}\" stroke=\"{colour}\" stroke-width=\"2\" fill=\"none\"/>\
         <text x=\"{}\" y=\"{}\" fill=\"{colour}\" stroke=\"#08080a\" stroke-width=\"3\" \
         paint-order=\"stroke\" text-anchor=\"start\" font-size=\"12\">{}</text>",
        x * CELL,
        (y * CELL).saturating_sub(3).max(10),
        escape_xml(&outline.name)
    );
}

fn hex([r, g, b]: [u8; 3]) -> String {
    format!("#{r:02x}{g:02x}{b:02x}")
}
