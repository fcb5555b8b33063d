//! What is wrong with a file.

use serde_json::{Value, json};
use vaultwright::syntax::{ChunkKind, PieceBody};
use vaultwright::{Engine, Problem, Severity, SourceFile, lint};

use super::fault::Fault;
use super::pack::WorkerPack;
use super::text::TextPlaces;

pub fn check(pack: &mut WorkerPack, params: &Value) -> Result<Value, Fault> {
    let (engine, file) = pack.with_findings(params)?;
    let library = engine.library();
    let own = library.files.iter().find(|other| other.source.name == file.name);
    let own = own.ok_or_else(|| Fault::new("the file is not loaded"))?;
    let places = TextPlaces::of(own.source.text.to_vec());
    let findings = file.problems.iter();
    let findings: Vec<Value> = findings.map(|problem| finding(problem, &places)).collect();
    Ok(json!({ "findings": findings, "maps": maps(engine, own, &places) }))
}

fn finding(problem: &Problem, places: &TextPlaces) -> Value {
    let fixes = problem.fix.iter().map(|fix| {
        let edits = fix.edits.iter();
        let edits = edits.map(|e| json!({ "range": places.range(&e.span), "text": e.text }));
        let edits: Vec<Value> = edits.collect();
        json!({ "title": fix.title, "safe": fix.safe, "edits": edits })
    });
    let fixes: Vec<Value> = fixes.collect();
    json!({
        "code": lint::code_of(problem),
        "severity": if problem.severity == Severity::Error { "error" } else { "warning" },
        "message": problem.message,
        "hint": problem.hint,
        "map": problem.map,
        "range": places.range(&problem.span),
        "fixes": fixes,
    })
}

/// Returns the maps of a file, and where their drawings are.
fn maps(engine: &Engine, file: &SourceFile, places: &TextPlaces) -> Vec<Value> {
    let library = engine.library();
    let text = &file.source.text;
    let maps = file.tree.maps.iter().map(|map| {
        let name = map.name.str(text);
        let rows = map.chunk(ChunkKind::Map).pieces.iter().filter_map(|piece| match &piece.body {
            PieceBody::Row(row) => Some((piece.line, row.span())),
            _ => None,
        });
        let rows: Vec<_> = rows.collect();
        let mut value = json!({
            "name": name,
            "range": places.range(&map.span),
            "compiles": library.find(&name).is_some(),
        });
        if let Some((line, span)) = rows.first() {
            value["rows"] = json!({
                "first_line": line - 1,
                "count": rows.len(),
                "column": places.position(span.start)["column"],
            });
        }
        value
    });
    maps.collect()
}
