//! `vaultwright generate --explain X,Y`: what put a cell there.

use std::fmt::Write;

use vaultwright::Library;
use vaultwright::content::Content;
use vaultwright::level::{Cause, Level, VaultPlacement};
use vaultwright::map::{MapId, Point};
use vaultwright::render::{
    Attributes, cell_attributes, in_words, item_attributes, marker_attributes, monster_attributes,
    shop_attributes,
};

/// Returns what stands on a cell, and what put it there, with file and line.
pub fn explain(level: &Level, p: Point, content: &Content, library: &Library) -> String {
    let mut out = String::new();
    let feature = level.feature(p).map_or("outside", |id| content.features().get(id).name.as_str());
    let cause = match level.cause(p) {
        Cause::Start => "as every level starts".to_owned(),
        Cause::Step(step) => format!("a step of the builder: {step}"),
        Cause::Map(index, name) => {
            format!(
                "the map {}{}",
                located(library, *index, name),
                drawing(level, name, p, library)
            )
        }
        Cause::Exits(index, name) => {
            format!("the way dug to an exit of {}", located(library, *index, name))
        }
    };
    // Writing to a string cannot fail.
    let _ = writeln!(out, "{},{} is {feature}: {cause}", p.x, p.y);
    if let Some(vault) = level.vault_at(p) {
        let index = library.find(&vault.map.name);
        let _ = writeln!(out, "  it belongs to {}", located(library, index, &vault.map.name));
        if !vault.map.description.is_empty() {
            let _ = writeln!(out, "    which describes itself as \"{}\"", vault.map.description);
        }
    }
    if let Some(monster) = level.monsters.get(&p) {
        let kind =
            monster.kind.map_or("drawn when it is made", |id| &content.monsters().get(id).name);
        let of = if monster.origin.is_empty() { "the level" } else { &monster.origin };
        let _ = writeln!(out, "  a monster stands there: {kind} (from {of}: \"{}\")", monster.spec);
        let mut more = monster_attributes(monster, content);
        ["kind", "spec", "origin"].iter().for_each(|name| drop(more.remove(*name)));
        tell(&mut out, "    it has", &more);
    }
    for item in level.items.get(&p).into_iter().flatten() {
        let _ = writeln!(out, "  an item lies there: \"{}\"", item.spec);
        let mut more = item_attributes(item, content);
        more.remove("spec");
        tell(&mut out, "    it is asked to have", &more);
    }
    if let Some(colour) = level.colours.get(&p) {
        let _ = writeln!(out, "  it is coloured {colour}");
    }
    let mut carried = cell_attributes(level, p, content);
    carried.remove("colour");
    tell(&mut out, "  it carries", &carried);
    if feature == "enter_shop" {
        let shop = level.shops.get(&p).map(AsRef::as_ref);
        tell(&mut out, "  it is a shop:", &shop_attributes(shop, content));
    }
    for marker in level.markers.at(p) {
        let values = level.marker_values.get(&marker.id);
        tell(&mut out, "  a marker:", &marker_attributes(marker, values, content));
    }
    out
}

/// Attributes behind some words, if there are any.
fn tell(out: &mut String, words: &str, attributes: &Attributes) {
    if !attributes.is_empty() {
        // Writing to a string cannot fail.
        let _ = writeln!(out, "{words} {}", in_words(attributes));
    }
}

/// Returns `name (file:line)`.
fn located(library: &Library, index: Option<MapId>, name: &str) -> String {
    match index.and_then(|index| library.get(index)) {
        Some(map) => format!("{name} ({}:{})", map.file.source.name, map.syntax().line),
        None => name.to_owned(),
    }
}

/// Returns which glyph of the drawing, and of which subvault, a cell is.
fn drawing(level: &Level, name: &str, p: Point, library: &Library) -> String {
    let covers = |vault: &&VaultPlacement| {
        let (x, y) = (p.x - vault.at.x, p.y - vault.at.y);
        vault.map.name == name && x >= 0 && y >= 0 && x < vault.size.0 && y < vault.size.1
    };
    let Some(vault) = level.vaults.iter().rfind(covers) else { return String::new() };
    let own = Point::new(p.x - vault.at.x, p.y - vault.at.y);
    let inside = vault.map.subvaults.iter().rfind(|subvault| {
        let (from, to) = (subvault.top_left, subvault.bottom_right);
        (from.x..=to.x).contains(&own.x) && (from.y..=to.y).contains(&own.y)
    });
    match inside {
        Some(subvault) => {
            let index = library.find(&subvault.map.name);
            format!(", in its subvault {}", located(library, index, &subvault.map.name))
        }
        None => {
            format!(", as the glyph '{}' of its drawing", char::from(vault.map.grid.glyph(own)))
        }
    }
}
