//! All parts of a tree, from the outside to the inside.

use super::tree::{Block, Expr, ExprKind, Span, Statement};

/// The statements and expressions of a chunk, those of functions included: what stands around
/// comes first.
#[derive(Default)]
pub(super) struct Parts<'t> {
    pub(super) statements: Vec<&'t Statement<'t>>,
    /// Where each of them is written.
    pub(super) spans: Vec<&'t Span>,
    pub(super) exprs: Vec<&'t Expr<'t>>,
}

impl<'t> Parts<'t> {
    pub(super) fn of(block: &'t Block<'t>) -> Parts<'t> {
        let mut parts = Parts::default();
        parts.block(block);
        parts
    }

    fn block(&mut self, block: &'t Block<'t>) {
        for (statement, span) in block.statements.iter().zip(&block.spans) {
            self.spans.push(span);
            self.statement(statement);
        }
    }

    fn exprs(&mut self, exprs: &'t [Expr<'t>]) {
        exprs.iter().for_each(|expr| self.expr(expr));
    }

    fn statement(&mut self, statement: &'t Statement<'t>) {
        self.statements.push(statement);
        match statement {
            Statement::Local(_, values) | Statement::Return(values) => self.exprs(values),
            Statement::Assign(targets, values) => {
                self.exprs(targets);
                self.exprs(values);
            }
            Statement::Call(expr) => self.expr(expr),
            Statement::Do(block) => self.block(block),
            Statement::While(condition, block) | Statement::Repeat(block, condition) => {
                self.expr(condition);
                self.block(block);
            }
            Statement::If(arms, last) => {
                for (condition, block) in arms {
                    self.expr(condition);
                    self.block(block);
                }
                last.iter().for_each(|block| self.block(block));
            }
            Statement::For(_, values, block) | Statement::ForIn(_, values, block) => {
                self.exprs(values);
                self.block(block);
            }
            Statement::Function(_, function) | Statement::LocalFunction(_, function) => {
                self.block(&function.body);
            }
            Statement::Break | Statement::Jump => {}
        }
    }

    fn expr(&mut self, expr: &'t Expr<'t>) {
        self.exprs.push(expr);
        match &expr.kind {
            ExprKind::Function(function) => self.block(&function.body),
            _ => expr.each_part(&mut |part| self.expr(part)),
        }
    }
}
