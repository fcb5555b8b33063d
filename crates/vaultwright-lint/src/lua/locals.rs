//! Names that shadow others, or are assigned and never read (VW366).

use super::conditions::Constant;
use super::tree::{Block, Expr, ExprKind, Function, Span, Statement};

/// What a chunk does with names.
#[derive(Default)]
pub(super) struct Uses<'t> {
    /// Locals that hide one of the same function and are never read.
    pub(super) hiding: Vec<Constant>,
    /// Globals that are assigned to, and where.
    pub(super) assigned: Vec<(&'t str, Span)>,
    /// All names that are read.
    pub(super) read: Vec<&'t str>,
}

/// Follows the names of a chunk.
pub(super) fn find<'t>(block: &'t Block<'t>) -> Uses<'t> {
    let mut names = Names { scopes: Vec::new(), uses: Uses::default() };
    names.block(block);
    names.uses
}

struct Local<'t> {
    name: &'t str,
    /// The value that it begins with, if any.
    span: Option<Span>,
    is_read: bool,
    /// Whether there is one of that name further out in the same function.
    hides: bool,
}

/// What a scope is of.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Scope {
    Block,
    Function,
}

struct Names<'t> {
    /// The scopes that are open.
    scopes: Vec<(Scope, Vec<Local<'t>>)>,
    uses: Uses<'t>,
}

impl<'t> Names<'t> {
    fn scoped(&mut self, scope: Scope, inside: impl FnOnce(&mut Self)) {
        self.scopes.push((scope, Vec::new()));
        inside(self);
        let Some((_, locals)) = self.scopes.pop() else { return };
        for local in locals.into_iter().filter(|local| local.hides && !local.is_read) {
            let Some(span) = local.span else { continue };
            let name = local.name;
            self.uses.hiding.push(Constant {
                message: format!(
                    "this 'local {name}' is never read: it hides the '{name}' outside, which \
                     keeps its value"
                ),
                hint: "remove the word `local`, or the line",
                span,
            });
        }
    }

    fn block(&mut self, block: &'t Block<'t>) {
        self.scoped(Scope::Block, |names| names.statements(block));
    }

    fn statements(&mut self, block: &'t Block<'t>) {
        block.statements.iter().for_each(|statement| self.statement(statement));
    }

    fn declare(&mut self, name: &'t str, span: Option<Span>) {
        let mut hides = false;
        for (at, (scope, locals)) in self.scopes.iter().rev().enumerate() {
            hides |= at > 0 && locals.iter().any(|local| local.name == name);
            if *scope == Scope::Function {
                break;
            }
        }
        if let Some((_, locals)) = self.scopes.last_mut() {
            locals.push(Local { name, span, is_read: false, hides });
        }
    }

    fn find(&mut self, name: &str) -> Option<&mut Local<'t>> {
        let mut locals =
            self.scopes.iter_mut().rev().flat_map(|(_, locals)| locals.iter_mut().rev());
        locals.find(|local| local.name == name)
    }

    fn statement(&mut self, statement: &'t Statement<'t>) {
        match statement {
            Statement::Local(names, values) => {
                self.exprs(values);
                for (index, name) in names.iter().enumerate() {
                    let span = values.get(index).map(|value| value.span.clone());
                    self.declare(name, span.filter(|_| *name != "_"));
                }
            }
            Statement::Assign(targets, values) => {
                self.exprs(values);
                targets.iter().for_each(|target| self.target(target));
            }
            Statement::Call(expr) => self.expr(expr),
            Statement::Do(block) => self.block(block),
            Statement::While(condition, block) => {
                self.expr(condition);
                self.block(block);
            }
            Statement::Repeat(block, condition) => self.scoped(Scope::Block, |names| {
                names.statements(block);
                names.expr(condition);
            }),
            Statement::If(arms, last) => {
                for (condition, block) in arms {
                    self.expr(condition);
                    self.block(block);
                }
                last.iter().for_each(|block| self.block(block));
            }
            Statement::For(name, values, block) => {
                self.exprs(values);
                self.scoped(Scope::Block, |names| {
                    names.declare(name, None);
                    names.block(block);
                });
            }
            Statement::ForIn(own, values, block) => {
                self.exprs(values);
                self.scoped(Scope::Block, |names| {
                    own.iter().for_each(|name| names.declare(name, None));
                    names.block(block);
                });
            }
            Statement::Function(path, function) => {
                if !matches!(path.kind, ExprKind::Name(_)) {
                    self.expr(path);
                }
                self.function(function);
            }
            Statement::LocalFunction(name, function) => {
                self.declare(name, None);
                self.function(function);
            }
            Statement::Return(values) => self.exprs(values),
            Statement::Break | Statement::Jump => {}
        }
    }

    fn target(&mut self, target: &'t Expr<'t>) {
        match target.name() {
            Some(name) if self.find(name).is_none() => {
                self.uses.assigned.push((name, target.span.clone()));
            }
            Some(_) => {}
            None => self.expr(target),
        }
    }

    fn function(&mut self, function: &'t Function<'t>) {
        self.scoped(Scope::Function, |names| {
            function.parameters.iter().for_each(|name| names.declare(name, None));
            names.block(&function.body);
        });
    }

    fn exprs(&mut self, exprs: &'t [Expr<'t>]) {
        exprs.iter().for_each(|expr| self.expr(expr));
    }

    fn expr(&mut self, expr: &'t Expr<'t>) {
        match &expr.kind {
            ExprKind::Name(name) => {
                if let Some(local) = self.find(name) {
                    local.is_read = true;
                }
                self.uses.read.push(name);
            }
            ExprKind::Function(function) => self.function(function),
            _ => expr.each_part(&mut |part| self.expr(part)),
        }
    }
}
