//! Goes through a tree from the outside to the inside.

use super::tree::{Block, Expr, ExprKind, Function, Statement};

/// Hands out all statements and expressions, those of functions included: what stands around
/// comes first.
pub(super) fn walk<'t>(
    block: &'t Block<'t>,
    statement: &mut dyn FnMut(&'t Statement<'t>),
    expr: &mut dyn FnMut(&'t Expr<'t>),
) {
    Walk { statement, expr }.block(block);
}

struct Walk<'w, 't> {
    statement: &'w mut dyn FnMut(&'t Statement<'t>),
    expr: &'w mut dyn FnMut(&'t Expr<'t>),
}

impl<'t> Walk<'_, 't> {
    fn block(&mut self, block: &'t Block<'t>) {
        block.statements.iter().for_each(|statement| self.statement(statement));
    }

    fn exprs(&mut self, exprs: &'t [Expr<'t>]) {
        exprs.iter().for_each(|expr| self.expr(expr));
    }

    fn statement(&mut self, statement: &'t Statement<'t>) {
        (self.statement)(statement);
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
                self.function(function);
            }
            Statement::Break | Statement::Jump => {}
        }
    }

    fn function(&mut self, function: &'t Function<'t>) {
        self.block(&function.body);
    }

    fn expr(&mut self, expr: &'t Expr<'t>) {
        (self.expr)(expr);
        match &expr.kind {
            ExprKind::Function(function) => self.function(function),
            _ => expr.each_part(&mut |part| self.expr(part)),
        }
    }
}
