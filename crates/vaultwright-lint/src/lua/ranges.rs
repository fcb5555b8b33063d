//! The ranges of random numbers, and comparisons with numbers outside of them (VW364).

use super::tree::{Call, Expr, ExprKind, Statement};
use super::walk::Parts;
use foldhash::{HashMap, HashMapExt};

/// The numbers that names stand for: from the lowest to the highest.
#[derive(Default)]
pub(super) struct Ranges<'t>(HashMap<&'t str, (f64, f64)>);

impl<'t> Ranges<'t> {
    /// Returns the names of a chunk that are given a random number once and nothing else.
    pub(super) fn of(parts: &Parts<'t>) -> Ranges<'t> {
        let random = parts.statements.iter().filter_map(|statement| match statement {
            Statement::Local(names, values) => match (&names[..], values.first()?) {
                ([name], Expr { kind: ExprKind::Call(call), .. }) => Some((*name, drawn(call)?)),
                _ => None,
            },
            _ => None,
        });
        let mut ranges: HashMap<&str, (f64, f64)> = random.collect();
        if ranges.is_empty() {
            return Ranges::default();
        }
        let mut times: HashMap<&str, usize> = HashMap::new();
        each_given(parts, &mut |name| *times.entry(name).or_default() += 1);
        ranges.retain(|name, _| times.get(name) == Some(&1));
        Ranges(ranges)
    }

    /// Returns what an expression can be.
    pub(super) fn range(&self, expr: &Expr) -> Option<(f64, f64)> {
        match &expr.kind {
            ExprKind::Paren(inner) => self.range(inner),
            ExprKind::Name(name) => self.0.get(*name).copied(),
            ExprKind::Call(call) => drawn(call),
            _ => None,
        }
    }
}

/// Returns what a call draws.
fn drawn(call: &Call) -> Option<(f64, f64)> {
    let number = |index: usize| match call.arguments.get(index)?.kind {
        ExprKind::Number(number) => Some(number),
        _ => None,
    };
    match &*call.function.path()? {
        "crawl.random2" => Some((0.0, (number(0)? - 1.0).max(0.0))),
        "crawl.random_range" => Some((number(0)?, number(1)?)),
        _ => None,
    }
}

/// Hands out the names that are given values, each as often as that happens.
pub(super) fn each_given<'t>(parts: &Parts<'t>, given: &mut impl FnMut(&'t str)) {
    for statement in &parts.statements {
        match statement {
            Statement::Local(names, _) | Statement::ForIn(names, ..) => {
                names.iter().copied().for_each(&mut *given);
            }
            Statement::Assign(targets, _) => {
                targets.iter().filter_map(Expr::name).for_each(&mut *given);
            }
            Statement::For(name, ..) => given(name),
            Statement::Function(path, function) => {
                path.name()
                    .into_iter()
                    .chain(function.parameters.iter().copied())
                    .for_each(&mut *given);
            }
            Statement::LocalFunction(name, function) => {
                given(name);
                function.parameters.iter().copied().for_each(&mut *given);
            }
            _ => {}
        }
    }
    for expr in &parts.exprs {
        if let ExprKind::Function(function) = &expr.kind {
            function.parameters.iter().copied().for_each(&mut *given);
        }
    }
}
