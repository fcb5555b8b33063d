//! How things look, as pages draw them.

use serde_json::{Value, json};
use vaultwright::content::Content;
use vaultwright::render::{Cell, Colour, Shape};

/// Returns a colour as `#rrggbb`.
pub fn hex(colour: Colour) -> String {
    let [red, green, blue] = colour.rgb();
    format!("#{red:02x}{green:02x}{blue:02x}")
}

/// Returns what kind of thing a cell shows, in a word.
pub fn kind(shape: Shape) -> &'static str {
    match shape {
        Shape::Outside => "outside",
        Shape::Buried => "buried",
        Shape::Wall => "wall",
        Shape::Floor => "floor",
        Shape::Door => "door",
        Shape::Liquid => "liquid",
        Shape::Tree => "tree",
        Shape::Stairs => "stairs",
        Shape::Monster => "monster",
        Shape::Item => "item",
        Shape::Other => "other",
    }
}

/// Returns a row of a table of symbols.
pub fn symbol(cell: &Cell, name: &str) -> Value {
    json!({
        "symbol": cell.glyph.to_string(),
        "colour": hex(cell.colour),
        "name": name,
        "kind": kind(cell.shape),
    })
}

/// Returns the symbol and colour of a feature or monster of this name.
pub fn look_of(what: &str, content: &Content) -> Option<(String, String)> {
    let (features, monsters) = (content.features(), content.monsters());
    if let Some(id) = features.by_name(what) {
        let feature = features.get(id);
        return Some((feature.glyph.to_string(), hex(Colour::of(&feature.colour))));
    }
    let monster = monsters.get(monsters.by_name(what)?);
    Some((monster.glyph.clone(), hex(Colour::of(&monster.colour))))
}
