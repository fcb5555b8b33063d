//! Which statements of a chunk have not run, according to the lines that ran.

use std::collections::BTreeSet;

use vaultwright_engine::SourceFile;
use vaultwright_syntax::Chunk;

use super::parser;
use super::text::{LuaText, MARKER_CALL};
use super::tree::{Expr, ExprKind, Span, Statement};
use super::walk::Parts;

/// Returns the lines of statements in a chunk of which no line has run. Leaves out statements
/// without code, headers, and expressions of markers.
pub(crate) fn silent_lines(chunk: &Chunk, file: &SourceFile, ran: &BTreeSet<u32>) -> Vec<u32> {
    let lua = LuaText::of(chunk, &file.source.text);
    let Some(block) = parser::parse(&lua) else { return Vec::new() };
    let line = |at: usize| file.lines.position(lua.source_of(&(at..at + 1)).start).line;
    let parts = Parts::of(&block);
    let mut silent = BTreeSet::new();
    let mut made_until = 0;
    for (statement, &span) in parts.statements.iter().zip(&parts.spans) {
        if is_made(statement) {
            made_until = span.end;
        }
        if span.start < made_until {
            continue;
        }
        if let Some(end) = end_of_code(&lua, statement, span) {
            let (first, last) = (line(span.start), line(end.saturating_sub(1)));
            if ran.range(first..=last.max(first)).next().is_none() {
                silent.insert(first);
            }
        }
    }
    silent.into_iter().collect()
}

/// Returns the end of the part of a statement that always runs when Lua reaches it; `None` if it
/// may have no code.
fn end_of_code(lua: &LuaText, statement: &Statement, span: &Span) -> Option<usize> {
    match statement {
        Statement::Local(_, values) => {
            let is_constant = lua.text[span.clone()].windows(7).any(|w| w == b"<const>");
            let is_nothing = values.iter().all(|value| matches!(value.kind, ExprKind::Nil));
            (!is_constant && !is_nothing).then_some(span.end)
        }
        Statement::Assign(..) | Statement::Call(_) | Statement::Return(_) => Some(span.end),
        Statement::If(arms, _) => end_of_condition(&arms.first()?.0),
        Statement::While(condition, _) => end_of_condition(condition),
        Statement::For(_, values, _) | Statement::ForIn(_, values, _) => {
            Some(values.last()?.span.end)
        }
        Statement::Do(_)
        | Statement::Repeat(..)
        | Statement::Function(..)
        | Statement::LocalFunction(..)
        | Statement::Break
        | Statement::Jump => None,
    }
}

/// Returns whether a statement stands for a header or a marker, not for Lua written by the author.
fn is_made(statement: &Statement) -> bool {
    let Statement::Call(expr) = statement else { return false };
    match &expr.kind {
        ExprKind::Header(_) => true,
        ExprKind::Call(call) => call.function.name() == Some(MARKER_CALL),
        _ => false,
    }
}

/// Returns the end of a condition that is evaluated when the program runs.
fn end_of_condition(condition: &Expr) -> Option<usize> {
    match &condition.kind {
        ExprKind::Nil
        | ExprKind::True
        | ExprKind::False
        | ExprKind::Number(_)
        | ExprKind::Text(_) => None,
        ExprKind::Paren(inner) | ExprKind::Unary(_, inner) => {
            end_of_condition(inner).map(|_| condition.span.end)
        }
        _ => Some(condition.span.end),
    }
}
