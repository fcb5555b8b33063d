//! Pictures of whole levels.

use vaultwright_content::Content;
use vaultwright_level::{CellChange, Level, LevelItem, LevelMonster, cells_of_features};
use vaultwright_map::{ADJACENT, ItemKind, MonsterKind, Point};

use crate::picture::feature_cell;
use crate::{Cell, Colour, Picture, Shape};

/// The look of items of each class: the familiar glyph, and a colour.
const CLASSES: [(&str, char, u8); 17] = [
    ("weapon", ')', 3),
    ("missile", '(', 7),
    ("armour", '[', 6),
    ("wand", '/', 13),
    ("scroll", '?', 15),
    ("jewellery", '=', 11),
    ("potion", '!', 12),
    ("book", ':', 9),
    ("staff", '|', 6),
    ("magical staff", '|', 6),
    ("misc", '}', 10),
    ("talisman", '%', 14),
    ("corpse", '†', 4),
    ("gold", '$', 14),
    ("rune", 'φ', 13),
    ("orb", '0', 15),
    ("gem", '♦', 13),
];

/// Returns a picture of a level: features, on top of them items, and on top of those monsters.
pub fn level_picture(level: &Level, content: &Content) -> Picture {
    let cells = level.points().map(|p| {
        let mut cell = terrain_cell(level, p, content);
        if let Some(item) = level.items.get(&p).and_then(|items| items.first()) {
            cell = item_cell(item, content);
        }
        if let Some(monster) = level.monsters.get(&p) {
            cell = monster_cell(monster, content);
        }
        cell
    });
    let mut cells: Vec<Cell> = cells.collect();
    let walls = bare_walls(level, content);
    for p in level.points() {
        // A wall surrounded by walls.
        let wall = |p: Point| !level.holds(p) || walls[level.index_of(p)];
        if wall(p) && ADJACENT.iter().all(|&step| wall(p.offset(step))) {
            cells[level.index_of(p)].shape = Shape::Buried;
        }
    }
    let (width, height) = (level.size().width() as usize, level.size().height() as usize);
    Picture { width, height, cells, outlines: Vec::new(), sprites: Vec::new() }
}

/// Returns a cell after a build step has changed it.
pub fn changed_cell(change: &CellChange, content: &Content) -> Cell {
    if let Some(monster) = &change.monster {
        return monster_cell(monster, content);
    }
    if let Some(item) = &change.item {
        return item_cell(item, content);
    }
    let mut cell = feature_cell(change.feature, content);
    if let Some(colour) = &change.colour {
        cell.colour = Colour::of(colour);
    }
    cell
}

/// Returns for each cell, row by row, whether it is a wall with nothing in it.
fn bare_walls(level: &Level, content: &Content) -> Vec<bool> {
    let mut walls = cells_of_features(level, content, |id| content.features().get(id).flags.wall());
    let occupied = level.items.keys().chain(level.monsters.keys());
    for &p in occupied.filter(|&&p| level.holds(p)) {
        walls[level.index_of(p)] = false;
    }
    walls
}

/// Returns the feature of a cell in the colours of the level and the cell.
pub(crate) fn terrain_cell(level: &Level, p: Point, content: &Content) -> Cell {
    let Some(feature) = level.feature(p) else { return Cell::OUTSIDE };
    let mut cell = feature_cell(feature, content);
    if let Some(colour) = level.colour_of(p, feature, content.features()) {
        cell.colour = Colour::of(colour);
    }
    cell
}

/// Returns the letter of a monster in its colour; `&` if it is not known yet what it is.
pub fn monster_cell(monster: &LevelMonster, content: &Content) -> Cell {
    let monsters = content.monsters();
    let named = |name: &str| monsters.by_name(name);
    let asked = monster.asked.as_ref();
    let group = match asked.map(|asked| &asked.kind) {
        Some(MonsterKind::RandomDraconian(_) | MonsterKind::ColouredDraconian(_)) => {
            named("draconian")
        }
        Some(MonsterKind::RandomDemonspawn) => named("monstrous demonspawn"),
        Some(MonsterKind::PandemoniumLord) => named("pandemonium lord"),
        _ => None,
    };
    let kind = monster.kind_now(monsters).or(group).map(|id| monsters.get(id));
    let glyph = kind.and_then(|kind| kind.glyph.chars().next()).unwrap_or('&');
    let own = asked.and_then(|asked| asked.colour.as_deref()).filter(|colour| *colour != "any");
    let colour = own.or(kind.map(|kind| kind.colour.as_str()));
    let colour = colour.map_or(Colour(12), Colour::of);
    Cell { glyph, colour, shape: Shape::Monster }
}

/// Returns the sign of an item's class; a star if that is drawn when it is made.
pub fn item_cell(item: &LevelItem, content: &Content) -> Cell {
    let items = content.items();
    let asked = item.made.as_ref().or(item.asked.as_ref());
    let class = match asked.map(|asked| &asked.kind) {
        Some(ItemKind::Class(class) | ItemKind::Acquire { class, .. }) => class.as_str(),
        Some(ItemKind::Item(name)) => items.by_name(name).map_or("", |item| &item.class),
        Some(ItemKind::Unrand(name)) => items.unrand(name).map_or("", |unrand| &unrand.class),
        Some(ItemKind::Randbook(_) | ItemKind::Parchment(_)) => "book",
        Some(ItemKind::Corpse { .. }) => "corpse",
        Some(ItemKind::Nothing | ItemKind::Any) => "",
        None if item.spec == "$" => "gold",
        None => "",
    };
    let look = CLASSES.iter().find(|(known, ..)| *known == class);
    let (glyph, colour) = look.map_or(('*', 14), |&(_, glyph, colour)| (glyph, colour));
    Cell { glyph, colour: Colour(colour), shape: Shape::Item }
}
