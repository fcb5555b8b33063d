//! Scripts of LAIR: their findings, and what is known of their functions.

use lsp_types::request::{Completion, HoverRequest, Request as _};
use lsp_types::{CompletionList, CompletionResponse, Diagnostic, DiagnosticSeverity};
use serde_json::Value;
use vaultwright_authoring::{lair_complete, lair_findings, lair_hover};

use crate::assistance::{completion_items, hover_of};
use crate::convert::{offset, range};
use crate::documents::Open;
use crate::server::Refusal;

/// Returns the findings of a script, with the others of its folder as the editor has them.
pub fn diagnostics<'o>(open: &Open, all: impl Iterator<Item = &'o Open>) -> Vec<Diagnostic> {
    let Some(path) = open.path.as_deref() else { return Vec::new() };
    let folder = open.script_folder();
    let beside = |other: &&Open| other.uri != open.uri && other.script_folder() == folder;
    let name_and_text = |other: &Open| {
        let name = other.path.as_deref()?.file_name()?.to_string_lossy().into_owned();
        Some((name, other.document.text().to_vec()))
    };
    let others: Vec<(String, Vec<u8>)> = all.filter(beside).filter_map(name_and_text).collect();
    let found = lair_findings(path, open.document.text(), &others);
    let told = found.into_iter().map(|finding| Diagnostic {
        range: range(&open.places, &finding.span),
        severity: Some(match finding.is_error {
            true => DiagnosticSeverity::ERROR,
            false => DiagnosticSeverity::WARNING,
        }),
        source: Some("vaultwright".to_owned()),
        message: finding.message,
        ..Diagnostic::default()
    });
    told.collect()
}

/// Answers a request about a script; with nothing where there is nothing to say.
pub fn answer(open: &Open, method: &str, params: &Value) -> Result<Value, Refusal> {
    let at = || -> Result<usize, serde_json::Error> {
        Ok(offset(&open.places, serde_json::from_value(params["position"].clone())?))
    };
    let text = open.document.text();
    match method {
        HoverRequest::METHOD => {
            let found = lair_hover(text, at()?).map(|found| hover_of(open, found));
            Ok(serde_json::to_value(found)?)
        }
        Completion::METHOD => {
            let items = completion_items(open, lair_complete(text, at()?));
            let list = CompletionList { is_incomplete: false, items };
            Ok(serde_json::to_value(CompletionResponse::List(list))?)
        }
        _ => Ok(Value::Null),
    }
}
