//! What a map tries out: calls that may fail, and questions for the release that runs it.
//!
//! Which way it goes from there is known when it runs, and what runs is told of anyway.

use super::super::tree::{Call, Expr, ExprKind};
use super::super::value::Value;
use super::Walker;

/// Functions that catch the errors of those that they are given.
pub(super) const CATCHING: [&str; 2] = ["pcall", "xpcall"];

impl<'t> Walker<'_, 't> {
    /// Returns the arguments of a call that catches errors, of which the first may be tested.
    pub(super) fn caught(&mut self, call: &'t Call<'t>, tests: bool) -> Vec<Value<'t>> {
        self.caught += 1;
        let arguments = self.arguments(call, tests);
        self.caught -= 1;
        for argument in &arguments {
            self.functions.caught.extend(&argument.functions);
        }
        arguments
    }

    /// Returns whether an expression has to do with what was tried.
    pub(super) fn is_probe(&self, expr: &Expr) -> bool {
        let mut is_one = match &expr.kind {
            ExprKind::Name(name) => {
                let local = self.locals.iter().rev().find(|local| local.name == *name);
                local.is_some_and(|local| local.is_probe)
            }
            ExprKind::Call(call) => is_asking(&call.function),
            _ => false,
        };
        expr.each_part(&mut |part| is_one = is_one || self.is_probe(part));
        is_one
    }
}

fn is_asking(function: &Expr) -> bool {
    match &function.kind {
        ExprKind::Name(name) => CATCHING.contains(name),
        ExprKind::Index(table, field) => {
            table.name() == Some("crawl") && field.text() == Some(b"version")
        }
        _ => false,
    }
}
