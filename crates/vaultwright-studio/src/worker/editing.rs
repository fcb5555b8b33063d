//! What a text field asks while one writes: colours, completion, what the thing at a place is.

use std::sync::Arc;

use serde_json::{Value, json};
use vaultwright::Engine;
use vaultwright_authoring::{Completion, Document, Place, Places, Unit};

use super::fault::Fault;
use super::pack::{FileHere, Need, WorkerPack};
use super::params;
use super::text::TextPlaces;

/// How many completions are told.
const MAX_COMPLETIONS: usize = 300;

/// Returns the pieces of a text by what they are; this needs no pack.
pub fn tokens(params: &Value) -> Result<Value, Fault> {
    let file = params::file(params)?;
    let document = Document::new(&file.path, file.bytes);
    let places = Places::new(document.text(), Unit::Utf16);
    let tokens = vaultwright_authoring::tokens(&document);
    let tokens: Vec<Value> = tokens
        .iter()
        .map(|token| {
            let (from, to) = places.range(&token.span);
            json!([
                from.line,
                from.column,
                to.column.saturating_sub(from.column),
                token.class.name()
            ])
        })
        .collect();
    Ok(json!({ "tokens": tokens }))
}

pub fn complete(pack: &mut WorkerPack, params: &Value) -> Result<Value, Fault> {
    let place = position(params)?;
    let (engine, file) = pack.with_file(params, Need::File)?;
    let document = document(engine, &file)?;
    let places = Places::new(document.text(), Unit::Utf16);
    let shown = TextPlaces::of(document.text());
    let found = vaultwright_authoring::complete(&document, places.offset(place), engine);
    let items = found.iter().take(MAX_COMPLETIONS).map(
        |Completion { label, text, span, kind, detail, documentation }| {
            json!({
                "label": label, "kind": kind, "detail": detail,
                "documentation": Some(documentation).filter(|text| !text.is_empty()),
                "edit": { "range": shown.range(span), "text": text },
            })
        },
    );
    Ok(json!({ "items": items.collect::<Vec<_>>() }))
}

pub fn hover(pack: &mut WorkerPack, params: &Value) -> Result<Value, Fault> {
    let place = position(params)?;
    let (engine, file) = pack.with_file(params, Need::File)?;
    let document = document(engine, &file)?;
    let places = Places::new(document.text(), Unit::Utf16);
    let found = vaultwright_authoring::hover(&document, places.offset(place), engine);
    engine.take_messages();
    Ok(found.map_or_else(
        || json!({}),
        |hover| json!({ "markdown": hover.markdown, "range": TextPlaces::of(document.text()).range(&hover.span) }),
    ))
}

/// Returns the file as the engine has it.
fn document(engine: &Engine, file: &FileHere) -> Result<Document, Fault> {
    let library = engine.library();
    let own = library.files.iter().find(|other| other.source.name == file.name);
    let own = own.ok_or_else(|| Fault::new("the file is not loaded"))?;
    Ok(Document::of(Arc::clone(own)))
}

fn position(params: &Value) -> Result<Place, Fault> {
    let side = |name: &str| {
        let number = params["position"][name].as_u64().and_then(|n| u32::try_from(n).ok());
        number.ok_or_else(|| Fault::new("'position' is missing"))
    };
    Ok(Place { line: side("line")?, column: side("column")? })
}
