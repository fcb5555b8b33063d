//! Conditions that ask for a branch and for a depth that it does not have (VW364).

use vaultwright_content::Branches;

use super::conditions::collect_and;
use super::tree::{Expr, ExprKind};
use super::walk::Parts;
use super::{Finding, Look};
use crate::codes;

impl Look<'_> {
    pub(super) fn depths_of_branches(&mut self, number: usize, parts: &Parts) {
        let text = &self.trees[number].lua.text;
        if memchr::memmem::find(text, b"you.depth()").is_none() {
            return;
        }
        let content = std::sync::Arc::clone(self.engine.content());
        for expr in &parts.exprs {
            if !matches!(expr.kind, ExprKind::Binary("and", ..)) {
                continue;
            }
            let mut facts = Vec::new();
            collect_and(expr, &mut facts);
            let branch = facts.iter().find_map(|fact| branch_of(fact, content.branches()));
            let Some((name, levels)) = branch else { continue };
            for fact in facts {
                let Some((sign, depth)) = depth_of(fact) else { continue };
                if (1..=levels).any(|level| holds(f64::from(level), sign, depth)) {
                    continue;
                }
                let message = format!("{name} has {levels} levels, so this never holds there");
                let hint = "you.depth() counts the levels of the branch, you.absdepth() all";
                let finding = Finding::of(codes::CONSTANT_CONDITION, message, hint.to_owned());
                self.warn(number, &fact.span, finding);
            }
        }
    }
}

/// Returns the branch that a condition asks for, with the number of its levels.
fn branch_of(fact: &Expr, branches: &Branches) -> Option<(String, i32)> {
    let named = |name: &Expr| {
        let branch = branches.called(std::str::from_utf8(name.text()?).ok()?)?;
        // The number of levels of a branch without any is no bound.
        (branch.levels > 0).then(|| (branch.name.clone(), branch.levels))
    };
    let asks = |expr: &Expr, function: &str| match &expr.kind {
        ExprKind::Call(call) => call.function.path().as_deref() == Some(function),
        _ => false,
    };
    match &fact.kind {
        ExprKind::Call(call) if asks(fact, "you.in_branch") => named(call.arguments.first()?),
        ExprKind::Binary("==", left, right) if asks(left, "you.branch") => named(right),
        ExprKind::Binary("==", left, right) if asks(right, "you.branch") => named(left),
        _ => None,
    }
}

/// Returns what a condition compares the depth with.
fn depth_of<'t>(fact: &Expr<'t>) -> Option<(&'static str, f64)> {
    let ExprKind::Binary(sign, left, right) = &fact.kind else { return None };
    let ExprKind::Number(number) = right.kind else { return None };
    let ExprKind::Call(call) = &left.kind else { return None };
    let is_depth = call.function.path().as_deref() == Some("you.depth");
    is_depth.then_some((*sign, number))
}

fn holds(level: f64, sign: &str, depth: f64) -> bool {
    match sign {
        "==" => level == depth,
        "<" => level < depth,
        "<=" => level <= depth,
        ">" => level > depth,
        ">=" => level >= depth,
        _ => true,
    }
}
