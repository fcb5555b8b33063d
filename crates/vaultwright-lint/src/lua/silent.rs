//! Which statements of a chunk have not run, of which it is known what lines did.

use std::collections::BTreeSet;

use vaultwright_engine::SourceFile;
use vaultwright_syntax::Chunk;

use super::parser;
use super::text::{LuaText, MARKER_CALL};
use super::tree::{Block, Expr, ExprKind, Span, Statement};

/// Returns the lines on which statements of a chunk begin of which no line has run. Nothing is said
/// of those that Lua makes no code of, of headers, and of expressions of markers.
pub(crate) fn silent_lines(chunk: &Chunk, file: &SourceFile, ran: &BTreeSet<u32>) -> Vec<u32> {
    let lua = LuaText::of(chunk, &file.source.text);
    let Some(block) = parser::parse(&lua) else { return Vec::new() };
    let mut search = Search { lua: &lua, file, ran, silent: BTreeSet::new() };
    search.block(&block);
    search.silent.into_iter().collect()
}

struct Search<'s> {
    lua: &'s LuaText,
    file: &'s SourceFile,
    ran: &'s BTreeSet<u32>,
    silent: BTreeSet<u32>,
}

impl Search<'_> {
    fn block(&mut self, block: &Block) {
        for (statement, span) in block.statements.iter().zip(&block.spans) {
            self.statement(statement, span);
        }
    }

    fn statement(&mut self, statement: &Statement, span: &Span) {
        if is_made(statement) {
            return;
        }
        if let Some(end) = self.end_of_code(statement, span) {
            let (first, last) = (self.line(span.start), self.line(end.saturating_sub(1)));
            if self.ran.range(first..=last.max(first)).next().is_none() {
                self.silent.insert(first);
            }
        }
        match statement {
            Statement::Local(_, values) | Statement::Return(values) => self.functions_in(values),
            Statement::Assign(targets, values) => {
                self.functions_in(targets);
                self.functions_in(values);
            }
            Statement::Call(call) => self.functions_of(call),
            Statement::Do(block) => self.block(block),
            Statement::While(condition, block) | Statement::Repeat(block, condition) => {
                self.functions_of(condition);
                self.block(block);
            }
            Statement::If(arms, last) => {
                for (condition, block) in arms {
                    self.functions_of(condition);
                    self.block(block);
                }
                last.iter().for_each(|block| self.block(block));
            }
            Statement::For(_, values, block) | Statement::ForIn(_, values, block) => {
                self.functions_in(values);
                self.block(block);
            }
            Statement::Function(_, function) | Statement::LocalFunction(_, function) => {
                self.block(&function.body);
            }
            Statement::Break | Statement::Jump => {}
        }
    }

    fn functions_in(&mut self, exprs: &[Expr]) {
        exprs.iter().for_each(|expr| self.functions_of(expr));
    }

    /// Looks at the statements of functions within an expression.
    fn functions_of(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Function(function) => self.block(&function.body),
            _ => expr.each_part(&mut |part| self.functions_of(part)),
        }
    }

    /// Returns where the part of a statement ends that runs whenever Lua comes to it; `None` if it
    /// may be no code.
    fn end_of_code(&self, statement: &Statement, span: &Span) -> Option<usize> {
        match statement {
            Statement::Local(_, values) => {
                let is_constant = self.lua.text[span.clone()].windows(7).any(|w| w == b"<const>");
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

    fn line(&self, at: usize) -> u32 {
        let place = self.lua.source_of(&(at..at + 1)).start;
        self.file.lines.position(place).line
    }
}

/// Returns whether a statement stands for a header or a marker, not for Lua that the author wrote.
fn is_made(statement: &Statement) -> bool {
    let Statement::Call(expr) = statement else { return false };
    match &expr.kind {
        ExprKind::Header(_) => true,
        ExprKind::Call(call) => call.function.name() == Some(MARKER_CALL),
        _ => false,
    }
}

/// Returns where a condition ends that something asks for when the program runs.
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
