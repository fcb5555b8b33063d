//! Maps of the Tiled editor: their tiles by class, by a property, or by number.

use std::collections::BTreeMap;

use base64::Engine as _;
use roxmltree::{Document, Node, ParsingOptions};
use serde_json::Value;
use vaultwright::content::Content;
use vaultwright_files::{inflate_within, unpack_gzip};

use super::cells::{Drawing, Thing, of_char};
use crate::worker::fault::Fault;

/// The most bytes that the data of a layer unpacks to.
const MAX_UNPACKED: u64 = 32 << 20;
/// Tiles may be turned; these bits of their numbers say how.
const TURNED: u32 = 0xf000_0000;
/// Deeper trees of XML are refused: they would use up the stack.
const MAX_NODES: u32 = 1_000_000;

/// A map of tiles, whatever file it comes from.
#[derive(Default)]
struct Map {
    width: usize,
    height: usize,
    /// By number: words that may say what a tile is.
    tiles: BTreeMap<u32, Vec<String>>,
    layers: Vec<Vec<u32>>,
    notes: Vec<String>,
}

pub fn read_xml(bytes: &[u8], content: &Content) -> Result<Drawing, Fault> {
    let text = std::str::from_utf8(bytes).map_err(|_| Fault::new("the file is not in UTF-8"))?;
    let options =
        ParsingOptions { allow_dtd: false, nodes_limit: MAX_NODES, ..ParsingOptions::default() };
    let document = Document::parse_with_options(text, options)
        .map_err(|error| Fault::new(format!("this is no map of Tiled: {error}")))?;
    let root = document.root_element();
    let size = |name: &str| root.attribute(name).and_then(|size| size.parse::<usize>().ok());
    let (width, height) = size("width").zip(size("height")).unwrap_or_default();
    let mut map = Map { width, height, ..Map::default() };
    for set in root.children().filter(|node| node.has_tag_name("tileset")) {
        let first = set.attribute("firstgid").and_then(|first| first.parse().ok()).unwrap_or(1);
        if let Some(source) = set.attribute("source") {
            map.note_outside(source);
        }
        for tile in set.children().filter(|node| node.has_tag_name("tile")) {
            let Some(id) = tile.attribute("id").and_then(|id| id.parse::<u32>().ok()) else {
                continue;
            };
            map.tiles.insert(id.saturating_add(first), words_of(tile));
        }
    }
    // Groups hold layers, too.
    for layer in root.descendants().filter(|node| node.has_tag_name("layer")) {
        let Some(data) = layer.children().find(|node| node.has_tag_name("data")) else { continue };
        map.layers.push(match data.attribute("encoding") {
            Some("csv") => numbers(data.text().unwrap_or_default()),
            Some("base64") => {
                unpacked(data.text().unwrap_or_default(), data.attribute("compression"))?
            }
            _ => {
                let tiles = data.children().filter(|node| node.has_tag_name("tile"));
                tiles
                    .map(|t| t.attribute("gid").and_then(|gid| gid.parse().ok()).unwrap_or(0))
                    .collect()
            }
        });
    }
    map.drawing(content)
}

/// Returns what the XML of a tile says it is.
fn words_of(tile: Node) -> Vec<String> {
    let class = ["type", "class"].into_iter().filter_map(|name| tile.attribute(name));
    let mut words: Vec<String> = class.map(str::to_owned).collect();
    for property in tile.descendants().filter(|node| node.has_tag_name("property")) {
        let name = property.attribute("name").unwrap_or_default();
        if let (true, Some(value)) = (says_what(name), property.attribute("value")) {
            words.push(value.to_owned());
        }
    }
    words
}

pub fn read_json(bytes: &[u8], content: &Content) -> Result<Drawing, Fault> {
    let root: Value = serde_json::from_slice(bytes)
        .map_err(|error| Fault::new(format!("this is no map of Tiled: {error}")))?;
    let size = |name: &str| root[name].as_u64().and_then(|size| usize::try_from(size).ok());
    let (width, height) = size("width").zip(size("height")).unwrap_or_default();
    let mut map = Map { width, height, ..Map::default() };
    for set in root["tilesets"].as_array().into_iter().flatten() {
        let first = set["firstgid"].as_u64().unwrap_or(1) as u32;
        if let Some(source) = set["source"].as_str() {
            map.note_outside(source);
        }
        for tile in set["tiles"].as_array().into_iter().flatten() {
            let Some(id) = tile["id"].as_u64() else { continue };
            let class = ["type", "class"].into_iter().filter_map(|name| tile[name].as_str());
            let mut words: Vec<String> = class.map(str::to_owned).collect();
            for property in tile["properties"].as_array().into_iter().flatten() {
                let name = property["name"].as_str().unwrap_or_default();
                if let (true, Some(value)) = (says_what(name), property["value"].as_str()) {
                    words.push(value.to_owned());
                }
            }
            map.tiles.insert((id as u32).saturating_add(first), words);
        }
    }
    map.add_json_layers(&root["layers"], 0)?;
    map.drawing(content)
}

fn says_what(property: &str) -> bool {
    ["feature", "glyph", "name", "class"].iter().any(|name| property.eq_ignore_ascii_case(name))
}

impl Map {
    fn note_outside(&mut self, source: &str) {
        let note = format!(
            "the tiles of {source} lie in another file, so that only their numbers are known"
        );
        self.notes.push(note);
    }

    fn add_json_layers(&mut self, layers: &Value, depth: usize) -> Result<(), Fault> {
        for layer in layers.as_array().into_iter().flatten() {
            match &layer["data"] {
                Value::Array(data) => {
                    let number = |gid: &Value| gid.as_u64().unwrap_or(0) as u32;
                    self.layers.push(data.iter().map(number).collect());
                }
                Value::String(data) => {
                    self.layers.push(unpacked(data, layer["compression"].as_str())?);
                }
                _ if depth < 16 => self.add_json_layers(&layer["layers"], depth + 1)?,
                _ => {}
            }
        }
        Ok(())
    }

    fn drawing(self, content: &Content) -> Result<Drawing, Fault> {
        let mut drawing = Drawing::new(self.width, self.height)?;
        drawing.notes = self.notes;
        if self.layers.is_empty() {
            return Err(Fault::new("the map has no layer of tiles"));
        }
        // What lies above hides what lies below.
        for layer in &self.layers {
            for (cell, gid) in drawing.cells.iter_mut().zip(layer) {
                let gid = gid & !TURNED;
                if gid != 0 {
                    *cell = thing(gid, self.tiles.get(&gid).map_or(&[], Vec::as_slice), content);
                }
            }
        }
        Ok(drawing)
    }
}

/// Returns what a tile is: the first of its words that is a feature or a glyph.
fn thing(gid: u32, words: &[String], content: &Content) -> Thing {
    for word in words {
        let name = word.trim().to_lowercase().replace(' ', "_");
        if content.features().by_name(&name).is_some() {
            return Thing::Feature(name);
        }
        let mut letters = word.chars();
        if let (Some(c), None) = (letters.next(), letters.next()) {
            return of_char(c, content);
        }
    }
    match words.iter().find(|word| !word.trim().is_empty()) {
        Some(word) => Thing::Unknown(format!("the tile \"{word}\"")),
        None => Thing::Unknown(format!("the tile number {gid}")),
    }
}

fn numbers(text: &str) -> Vec<u32> {
    text.split(',').map(|number| number.trim().parse().unwrap_or(0)).collect()
}

fn unpacked(text: &str, compression: Option<&str>) -> Result<Vec<u32>, Fault> {
    let text: String = text.split_whitespace().collect();
    let bytes = base64::engine::general_purpose::STANDARD.decode(text);
    let bytes = bytes.map_err(|_| Fault::new("the data of a layer is not base64"))?;
    let failed = |error: std::io::Error| Fault::new(format!("a layer cannot be unpacked: {error}"));
    let bytes = match compression {
        None | Some("") => bytes,
        Some("gzip") => unpack_gzip(&bytes, MAX_UNPACKED).map_err(failed)?,
        // Behind two bytes of its head it is what deflate makes.
        Some("zlib") => {
            inflate_within(bytes.get(2..).unwrap_or_default(), MAX_UNPACKED).map_err(failed)?
        }
        Some(other) => {
            return Err(Fault::new(format!("save the map without {other}: as CSV, gzip or zlib")));
        }
    };
    Ok(bytes.chunks_exact(4).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect())
}
