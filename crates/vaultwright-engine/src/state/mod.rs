//! What the stages act on.

pub(crate) mod abyss;
pub(crate) mod attempt;
pub(crate) mod cell_lines;
pub(crate) mod clouds;
#[cfg(test)]
pub(crate) mod drawn;
pub(crate) mod fitting;
pub(crate) mod game;
pub(crate) mod glyph_notes;
pub(crate) mod host;
pub(crate) mod left_behind;
pub(crate) mod listeners;
pub(crate) mod looked_up;
pub(crate) mod map_cell;
pub(crate) mod marker_tables;
pub(crate) mod monster_names;
pub(crate) mod notes;
pub(crate) mod player;
pub(crate) mod playing;
pub(crate) mod population;
pub(crate) mod roll;
pub(crate) mod session;
pub(crate) mod site;
pub(crate) mod slot;
pub(crate) mod tallying;
pub(crate) mod tide;
pub(crate) mod used;
pub(crate) mod world;
