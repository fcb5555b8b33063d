//! Pictures as SVG.

use std::fmt::Write;

use crate::{Picture, Shape};

const CELL: usize = 16;

/// An SVG image: a square for each cell, its glyph in its colour.
pub fn to_svg(picture: &Picture) -> String {
    let (width, height) = (picture.width * CELL, picture.height * CELL);
    let mut out = String::new();
    // Writing to a String cannot fail.
    let _ = writeln!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" font-family=\"monospace\" font-size=\"14\" \
         text-anchor=\"middle\">\n<rect width=\"100%\" height=\"100%\" fill=\"#17171b\"/>"
    );
    for (y, row) in picture.rows().enumerate() {
        for (x, cell) in row.iter().enumerate() {
            if cell.shape == Shape::Outside {
                continue;
            }
            let [r, g, b] = cell.colour.rgb();
            let dim = |c: u8| c / if cell.shape == Shape::Floor { 7 } else { 4 };
            let _ = writeln!(
                out,
                "<rect x=\"{}\" y=\"{}\" width=\"{CELL}\" height=\"{CELL}\" \
                 fill=\"#{:02x}{:02x}{:02x}\"/><text x=\"{}\" y=\"{}\" \
                 fill=\"#{r:02x}{g:02x}{b:02x}\">{}</text>",
                x * CELL,
                y * CELL,
                dim(r),
                dim(g),
                dim(b),
                x * CELL + CELL / 2,
                y * CELL + 12,
                escape(cell.glyph)
            );
        }
    }
    out.push_str("</svg>\n");
    out
}

fn escape(glyph: char) -> String {
    match glyph {
        '<' => "&lt;".into(),
        '>' => "&gt;".into(),
        '&' => "&amp;".into(),
        other => other.to_string(),
    }
}
