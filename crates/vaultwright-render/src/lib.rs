//! Pictures of maps and levels: text, ANSI, SVG, PNG, JSON and Tiled.
//!
//! A [`Picture`] is what a person should see of a rolled map: a glyph, a colour and a shape for
//! each cell. The writers know nothing about maps.

#![cfg_attr(not(test), warn(clippy::expect_used, clippy::panic, clippy::unreachable))]

mod ansi;
mod attributes;
mod film;
mod glyphs;
mod heat;
mod json;
mod ldtk;
mod legend;
mod level;
mod level_json;
mod outline;
mod picture;
mod png;
mod svg;
mod text;
mod tiled;
mod tiles;
mod xml;

pub use ansi::to_ansi;
pub use attributes::{
    Attributes, in_words, item_attributes, marker_attributes, monster_attributes, shop_attributes,
};
pub use film::{Film, to_apng, to_gif};
pub use heat::{HeatMap, heat_to_pixels, heat_to_png, heat_to_svg};
pub use json::map_to_json;
pub use ldtk::to_ldtk;
pub use legend::{LegendEntry, legend, meaning};
pub use level::{changed_cell, item_cell, level_picture, monster_cell};
pub use level_json::{LEVEL_FORMAT, LevelJson, level_to_json, mask_names, property_names};
pub use outline::Outline;
pub use picture::{Cell, Colour, Picture, Shape};
pub use png::{to_png, to_png_of};
pub use svg::to_svg;
pub use text::{side_by_side, to_text};
pub use tiled::{TiledMap, TiledObject, TiledTile, cell_attributes, tileset_png, to_tmj, to_tmx};
pub use tiles::{Sprite, TileSet};
pub use xml::escape_xml;
