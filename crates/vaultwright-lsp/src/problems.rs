//! Findings, and what mends them.

use std::collections::HashMap;

use lsp_types::{
    CodeAction, CodeActionKind, CodeActionOrCommand, Diagnostic, DiagnosticSeverity,
    NumberOrString, Range, TextEdit, Uri, WorkspaceEdit,
};
use vaultwright::{Edit, Problem, Severity, lint};
use vaultwright_authoring::Places;

use crate::convert::range;

/// Returns findings in the protocol's form.
pub fn diagnostics(problems: &[Problem], places: &Places) -> Vec<Diagnostic> {
    let told = problems.iter().map(|problem| Diagnostic {
        range: range(places, &problem.span),
        severity: Some(match problem.severity {
            Severity::Error => DiagnosticSeverity::ERROR,
            Severity::Warning => DiagnosticSeverity::WARNING,
        }),
        code: Some(NumberOrString::String(lint::code_of(problem).to_string())),
        source: Some("vaultwright".to_owned()),
        message: match &problem.hint {
            Some(hint) => format!("{}\n{hint}", problem.message),
            None => problem.message.clone(),
        },
        ..Diagnostic::default()
    });
    told.collect()
}

/// Returns what keeps a file from being looked at, as a finding on its first line.
pub fn unusable(why: &str) -> Diagnostic {
    Diagnostic {
        severity: Some(DiagnosticSeverity::ERROR),
        source: Some("vaultwright".to_owned()),
        message: format!("nothing is looked at here: {why}"),
        ..Diagnostic::default()
    }
}

/// Returns what mends the findings in a range: each by itself, and all that can be mended unseen.
// The protocol's own type has an address for key.
#[allow(clippy::mutable_key_type)]
pub fn actions(
    problems: &[Problem],
    wanted: Range,
    places: &Places,
    uri: &Uri,
) -> Vec<CodeActionOrCommand> {
    let change = |edits: Vec<TextEdit>| WorkspaceEdit {
        changes: Some(HashMap::from([(uri.clone(), edits)])),
        ..WorkspaceEdit::default()
    };
    let meets = |problem: &&Problem| {
        let own = range(places, &problem.span);
        own.start <= wanted.end && wanted.start <= own.end
    };
    let mut found = Vec::new();
    for problem in problems.iter().filter(meets) {
        let Some(fix) = &problem.fix else { continue };
        found.push(CodeActionOrCommand::CodeAction(CodeAction {
            title: fix.title.clone(),
            kind: Some(CodeActionKind::QUICKFIX),
            diagnostics: Some(diagnostics(std::slice::from_ref(problem), places)),
            edit: Some(change(text_edits(&fix.edits, places))),
            is_preferred: Some(fix.safe),
            ..CodeAction::default()
        }));
    }
    let all = safe_edits(problems);
    if all.len() > 1 {
        found.push(CodeActionOrCommand::CodeAction(CodeAction {
            title: format!("Mend all {} that need no thought", all.len()),
            kind: Some(CodeActionKind::SOURCE_FIX_ALL),
            edit: Some(change(text_edits(&all, places))),
            ..CodeAction::default()
        }));
    }
    found
}

/// Returns the edits of all safe fixes, without those that touch an earlier one.
fn safe_edits(problems: &[Problem]) -> Vec<Edit> {
    let fixes = problems.iter().filter_map(|problem| problem.fix.as_deref());
    let mut edits: Vec<Edit> =
        fixes.filter(|fix| fix.safe).flat_map(|fix| fix.edits.iter().cloned()).collect();
    edits.sort_by_key(|edit| (edit.span.start, edit.span.end));
    let mut end = None;
    edits.retain(|edit| {
        let is_apart = end.is_none_or(|end| edit.span.start > end);
        if is_apart {
            end = Some(edit.span.end);
        }
        is_apart
    });
    edits
}

fn text_edits(edits: &[Edit], places: &Places) -> Vec<TextEdit> {
    let edits = edits.iter();
    edits
        .map(|edit| TextEdit { range: range(places, &edit.span), new_text: edit.text.clone() })
        .collect()
}
