//! Names over all files: where they are given, where they are used, and new ones in their place.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use lsp_types::{Location, OneOf, SymbolKind, TextEdit, Uri, WorkspaceEdit, WorkspaceSymbol};
use vaultwright::{Engine, SourceFile};
use vaultwright_authoring::{
    Name, Occurrence, Places, Unit, check_new_name, check_renamable, name_at, occurrences,
};

use crate::convert::{offset, range};
use crate::documents::Open;
use crate::uri::uri_of;

/// The most symbols that are told at once.
const MAX_SYMBOLS: usize = 512;

/// Returns where the name at a position stands in all files.
pub fn places_of_name(
    open: &Open,
    at: lsp_types::Position,
    engine: &Engine,
    unit: Unit,
) -> Vec<Location> {
    let found = found(open, at, engine);
    found.iter().filter_map(|place| location(open, place, unit)).collect()
}

/// Returns where the name at a position is given.
pub fn definitions_of_name(
    open: &Open,
    at: lsp_types::Position,
    engine: &Engine,
    unit: Unit,
) -> Vec<Location> {
    let found = found(open, at, engine);
    let given = found.iter().filter(|place| place.is_definition);
    given.filter_map(|place| location(open, place, unit)).collect()
}

/// Returns the name at a position, `None` if there is none.
///
/// # Errors
///
/// If it is not the pack's to change.
pub fn renamable(
    open: &Open,
    at: lsp_types::Position,
    engine: &Engine,
) -> Result<Option<Name>, String> {
    let name = name_at(&open.document, offset(&open.places, at));
    if let Some(name) = &name {
        check_renamable(name, &files(open, engine), engine)?;
    }
    Ok(name)
}

/// Returns the edits that give a map, tag or function another name.
///
/// # Errors
///
/// If there is no such name, it is the engine's, or the new one cannot be one.
// The protocol's own type has an address for key.
#[allow(clippy::mutable_key_type)]
pub fn rename(
    open: &Open,
    at: lsp_types::Position,
    engine: &Engine,
    unit: Unit,
    new_name: &str,
) -> Result<WorkspaceEdit, String> {
    let name = renamable(open, at, engine)?.ok_or("there is no name here")?;
    let files = files(open, engine);
    check_new_name(&name, new_name, &files, engine)?;
    let mut changes: HashMap<Uri, Vec<TextEdit>> = HashMap::new();
    for place in occurrences(&name, &files) {
        if let Some(location) = location(open, &place, unit) {
            let edit = TextEdit { range: location.range, new_text: new_name.to_owned() };
            changes.entry(location.uri).or_default().push(edit);
        }
    }
    Ok(WorkspaceEdit { changes: Some(changes), ..WorkspaceEdit::default() })
}

/// Returns the maps of all files whose names have these letters in this order.
pub fn symbols(query: &str, engine: &Engine, unit: Unit) -> Vec<WorkspaceSymbol> {
    let query = query.to_lowercase();
    let library = engine.library();
    let mut found = Vec::new();
    for file in &library.files {
        let text = &file.source.text;
        let maps = file.tree.maps.iter().filter(|map| fits(&query, &map.name.str(text)));
        let maps: Vec<_> = maps.collect();
        if maps.is_empty() {
            continue;
        }
        let Some(uri) = uri_of(Path::new(&*file.source.name)) else { continue };
        let places = Places::new(text.to_vec(), unit);
        for map in maps {
            if found.len() == MAX_SYMBOLS {
                return found;
            }
            found.push(WorkspaceSymbol {
                name: map.name.str(text).into_owned(),
                kind: SymbolKind::CLASS,
                tags: None,
                container_name: Some(file.source.base_name().to_owned()),
                location: OneOf::Left(Location {
                    uri: uri.clone(),
                    range: range(&places, &map.name.span()),
                }),
                data: None,
            });
        }
    }
    found
}

fn fits(query: &str, name: &str) -> bool {
    let mut letters = name.chars().flat_map(char::to_lowercase);
    query.chars().all(|wanted| letters.any(|letter| letter == wanted))
}

fn found(open: &Open, at: lsp_types::Position, engine: &Engine) -> Vec<Occurrence> {
    let Some(name) = name_at(&open.document, offset(&open.places, at)) else { return Vec::new() };
    occurrences(&name, &files(open, engine))
}

/// Returns all files, the one that is written first.
fn files(open: &Open, engine: &Engine) -> Vec<Arc<SourceFile>> {
    let own = open.source().name;
    let library = engine.library();
    let mut files: Vec<Arc<SourceFile>> =
        library.files.iter().filter(|file| file.source.name != own).cloned().collect();
    // The text as it is now, whatever is loaded.
    files.insert(0, Arc::clone(open.document.file()));
    files
}

fn location(open: &Open, place: &Occurrence, unit: Unit) -> Option<Location> {
    if Arc::ptr_eq(&place.file, open.document.file()) {
        return Some(Location { uri: open.uri.clone(), range: range(&open.places, &place.span) });
    }
    let uri = uri_of(Path::new(&*place.file.source.name))?;
    let places = Places::new(place.file.source.text.to_vec(), unit);
    Some(Location { uri, range: range(&places, &place.span) })
}
