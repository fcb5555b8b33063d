//! Colours of a terminal.

use std::fmt::Write;

use crate::{Colour, Picture};

/// Returns one row with ANSI colour codes.
pub fn to_ansi(picture: &Picture, row: usize) -> String {
    let mut out = String::new();
    let mut current: Option<Colour> = None;
    for cell in picture.row(row) {
        if cell.glyph != ' ' && current != Some(cell.colour) {
            let [r, g, b] = cell.colour.rgb();
            // Writing to a String cannot fail.
            let _ = write!(out, "\x1b[38;2;{r};{g};{b}m");
            current = Some(cell.colour);
        }
        out.push(cell.glyph);
    }
    if current.is_some() {
        out.push_str("\x1b[0m");
    }
    out
}
