//! Pictures of whole levels.

use vaultwright_content::Content;
use vaultwright_level::Level;
use vaultwright_map::position::{LEVEL_HEIGHT, LEVEL_WIDTH};

use crate::picture::feature_cell;
use crate::{Cell, Colour, Picture, Shape};

/// A picture of a level: features, on them items, on them monsters.
pub fn level_picture(level: &Level, content: &Content) -> Picture {
    let features = content.features();
    let themed = [
        (features.floor(), level.floor_colour.as_deref()),
        (features.rock_wall(), level.rock_colour.as_deref()),
    ];
    let cells = level.points().map(|p| {
        let Some(feature) = level.feature(p) else { return Cell::OUTSIDE };
        let mut cell = feature_cell(feature, content);
        for (of, colour) in themed {
            if let Some(colour) = colour.filter(|_| of == feature) {
                cell.colour = Colour::of(colour);
            }
        }
        if let Some(colour) = level.colours.get(&p) {
            cell.colour = Colour::of(colour);
        }
        if level.items.contains_key(&p) {
            cell = Cell { glyph: '*', colour: Colour(14), shape: Shape::Item };
        }
        if let Some(monster) = level.monsters.get(&p) {
            let kind = monster.kind.map(|id| content.monsters().get(id));
            let glyph = kind.and_then(|kind| kind.glyph.chars().next()).unwrap_or('&');
            let colour = kind.map_or(Colour(12), |kind| Colour::of(&kind.colour));
            cell = Cell { glyph, colour, shape: Shape::Monster };
        }
        cell
    });
    let cells = cells.collect();
    Picture { width: LEVEL_WIDTH as usize, height: LEVEL_HEIGHT as usize, cells }
}
