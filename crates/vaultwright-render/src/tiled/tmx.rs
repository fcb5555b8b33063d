//! The XML of Tiled.

use std::fmt::Write;

use serde_json::Value;

use super::{COLUMNS, TiledMap, TiledObject, hex, property};
use crate::{Attributes, escape_xml};

/// Returns the map in Tiled's XML format.
pub fn to_tmx(map: &TiledMap) -> String {
    let side = map.side;
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let layers = map.objects.len() + map.layers.len();
    let (width, height) = (map.width, map.height);
    let count: usize = map.objects.iter().map(|(_, objects)| objects.len()).sum();
    // Writing to a string cannot fail.
    let _ = writeln!(
        out,
        "<map version=\"1.10\" tiledversion=\"1.10.2\" orientation=\"orthogonal\" \
         renderorder=\"right-down\" width=\"{width}\" height=\"{height}\" \
         tilewidth=\"{side}\" tileheight=\"{side}\" infinite=\"0\" nextlayerid=\"{}\" \
         nextobjectid=\"{}\">",
        layers + 1,
        count + 1
    );
    properties(&mut out, &map.properties);
    tileset(&mut out, map);
    for (index, (name, data)) in map.layers.iter().enumerate() {
        let _ = writeln!(
            out,
            "<layer id=\"{}\" name=\"{name}\" width=\"{width}\" height=\"{height}\">\n\
             <data encoding=\"csv\">",
            index + 1
        );
        let rows: Vec<String> = data
            .chunks(width.max(1))
            .map(|row| row.iter().map(usize::to_string).collect::<Vec<_>>().join(","))
            .collect();
        out.push_str(&rows.join(",\n"));
        out.push_str("\n</data>\n</layer>\n");
    }
    let (mut last, first) = (0, map.layers.len() + 1);
    for (index, (name, objects)) in map.objects.iter().enumerate() {
        let _ = writeln!(out, "<objectgroup id=\"{}\" name=\"{name}\">", first + index);
        for placed in objects {
            last += 1;
            object(&mut out, last, placed, side);
        }
        out.push_str("</objectgroup>\n");
    }
    out.push_str("</map>\n");
    out
}

fn tileset(out: &mut String, map: &TiledMap) {
    let side = map.side;
    let columns = if map.image.is_some() { COLUMNS } else { 0 };
    let _ = writeln!(
        out,
        "<tileset firstgid=\"1\" name=\"features\" tilewidth=\"{side}\" tileheight=\"{side}\" \
         tilecount=\"{}\" columns=\"{columns}\">",
        map.tiles.len()
    );
    if let Some(image) = &map.image {
        let (width, height) = map.image_size();
        let _ = writeln!(
            out,
            "<image source=\"{}\" width=\"{width}\" height=\"{height}\"/>",
            escape_xml(image)
        );
    }
    for (id, tile) in map.tiles.iter().enumerate() {
        let _ = writeln!(out, "<tile id=\"{id}\" type=\"{}\">", escape_xml(&tile.class));
        let colour = hex(tile.colour);
        let glyph = tile.glyph.to_string();
        let solid = tile.solid.to_string();
        written(
            out,
            &[("colour", "color", &colour), ("glyph", "string", &glyph), ("solid", "bool", &solid)],
        );
        out.push_str("</tile>\n");
    }
    out.push_str("</tileset>\n");
}

fn object(out: &mut String, id: usize, object: &TiledObject, side: i32) {
    let (x, y) = object.corner(side);
    let gid = match object.tile {
        0 => String::new(),
        tile => format!(" gid=\"{tile}\""),
    };
    let _ = writeln!(
        out,
        "<object id=\"{id}\" name=\"{}\" type=\"{}\"{gid} x=\"{x}\" y=\"{y}\" \
         width=\"{}\" height=\"{}\">",
        escape_xml(&object.name),
        object.class,
        object.size.0 * side,
        object.size.1 * side
    );
    properties(out, &object.properties);
    out.push_str("</object>\n");
}

fn properties(out: &mut String, attributes: &Attributes) {
    let typed: Vec<(&str, &str, String)> = attributes
        .iter()
        .map(|(name, value)| {
            let (kind, value) = property(value);
            let text = match value {
                Value::String(text) => text,
                value => value.to_string(),
            };
            (name.as_str(), kind, text)
        })
        .collect();
    let list: Vec<(&str, &str, &str)> =
        typed.iter().map(|(name, kind, text)| (*name, *kind, text.as_str())).collect();
    written(out, &list);
}

/// Writes name, type and value of each property.
fn written(out: &mut String, list: &[(&str, &str, &str)]) {
    if list.is_empty() {
        return;
    }
    out.push_str("<properties>\n");
    for (name, kind, value) in list {
        let _ = writeln!(
            out,
            "<property name=\"{}\" type=\"{kind}\" value=\"{}\"/>",
            escape_xml(name),
            escape_xml(value)
        );
    }
    out.push_str("</properties>\n");
}
