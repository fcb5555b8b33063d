//! Pictures as text.

use crate::Picture;

/// Returns the glyphs, with one line per row.
pub fn to_text(picture: &Picture) -> String {
    let mut out = String::new();
    for row in picture.rows() {
        let line: String = row.iter().map(|cell| cell.glyph).collect();
        out.push_str(line.trim_end());
        out.push('\n');
    }
    out
}

/// Returns pictures side by side, as many as fit into `columns`. `draw` writes one row of a
/// picture.
pub fn side_by_side(
    pictures: &[Picture],
    columns: usize,
    draw: impl Fn(&Picture, usize) -> String,
) -> String {
    let mut out = String::new();
    let mut rest = pictures;
    while let Some(first) = rest.first() {
        let mut width = first.width;
        let more = rest[1..].iter().take_while(|picture| {
            width += picture.width + 3;
            width <= columns
        });
        let count = 1 + more.count();
        let (now, later) = rest.split_at(count);
        let height = now.iter().map(|picture| picture.height).max().unwrap_or(0);
        for y in 0..height {
            let row: Vec<String> = now
                .iter()
                .map(|picture| match y < picture.height {
                    true => draw(picture, y),
                    false => " ".repeat(picture.width),
                })
                .collect();
            out.push_str(row.join("   ").trim_end());
            out.push('\n');
        }
        rest = later;
        if !rest.is_empty() {
            out.push('\n');
        }
    }
    out
}
