//! Drawings in letters.

use vaultwright::content::Content;

use super::cells::{Drawing, Thing, of_char};
use crate::worker::fault::Fault;

/// Columns between two stops of the tabulator.
const TAB: usize = 8;

pub fn read(bytes: &[u8], content: &Content) -> Result<Drawing, Fault> {
    let text = String::from_utf8_lossy(bytes);
    let rows: Vec<Vec<char>> = text.lines().take(10_000).map(expanded).collect();
    let width = rows.iter().map(Vec::len).max().unwrap_or(0);
    let mut drawing = Drawing::new(width, rows.len())?;
    for (y, row) in rows.iter().enumerate() {
        for (x, &c) in row.iter().enumerate() {
            drawing.cells[y * width + x] = of_char(c, content);
        }
    }
    if drawing.cells.contains(&Thing::Glyph(b'x')) && text.contains('#') {
        drawing.notes.push("# was taken for a wall, which is x in a vault".to_owned());
    }
    Ok(drawing)
}

/// Returns a row with blanks for its tabs.
fn expanded(line: &str) -> Vec<char> {
    let mut row = Vec::new();
    for c in line.chars().take(2000) {
        match c {
            '\t' => row.resize((row.len() / TAB + 1) * TAB, ' '),
            '\u{feff}' => {}
            c => row.push(c),
        }
    }
    row
}
