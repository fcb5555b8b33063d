//! What random numbers can be, and comparisons with what they never are (VW364).

use super::tree::{Block, Call, Expr, ExprKind, Function, Statement};
use foldhash::{HashMap, HashMapExt};

/// The numbers that names stand for: from the lowest to the highest.
#[derive(Default)]
pub(super) struct Ranges<'t>(HashMap<&'t str, (f64, f64)>);

impl<'t> Ranges<'t> {
    /// Returns the names of a chunk that are given a random number once and nothing else.
    pub(super) fn of(block: &Block<'t>) -> Ranges<'t> {
        let mut given: Given<'t> = HashMap::new();
        in_block(block, &mut given);
        let once = given.into_iter().filter_map(|(name, ranges)| match ranges[..] {
            [Some(range)] => Some((name, range)),
            _ => None,
        });
        Ranges(once.collect())
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

type Given<'t> = HashMap<&'t str, Vec<Option<(f64, f64)>>>;

fn give<'t>(given: &mut Given<'t>, name: &'t str, range: Option<(f64, f64)>) {
    given.entry(name).or_default().push(range);
}

fn in_block<'t>(block: &Block<'t>, given: &mut Given<'t>) {
    block.statements.iter().for_each(|statement| in_statement(statement, given));
}

fn in_function<'t>(function: &Function<'t>, given: &mut Given<'t>) {
    function.parameters.iter().for_each(|name| give(given, name, None));
    in_block(&function.body, given);
}

fn in_statement<'t>(statement: &Statement<'t>, given: &mut Given<'t>) {
    match statement {
        Statement::Local(names, values) => {
            for (index, name) in names.iter().enumerate() {
                let range = match values.get(index).map(|value| &value.kind) {
                    Some(ExprKind::Call(call)) if names.len() == 1 => drawn(call),
                    _ => None,
                };
                give(given, name, range);
            }
            values.iter().for_each(|value| in_expr(value, given));
        }
        Statement::Assign(targets, values) => {
            targets.iter().filter_map(Expr::name).for_each(|name| give(given, name, None));
            targets.iter().chain(values).for_each(|expr| in_expr(expr, given));
        }
        Statement::Call(expr) => in_expr(expr, given),
        Statement::Do(block) => in_block(block, given),
        Statement::While(condition, block) | Statement::Repeat(block, condition) => {
            in_expr(condition, given);
            in_block(block, given);
        }
        Statement::If(arms, last) => {
            for (condition, block) in arms {
                in_expr(condition, given);
                in_block(block, given);
            }
            last.iter().for_each(|block| in_block(block, given));
        }
        Statement::For(name, values, block) => {
            give(given, name, None);
            values.iter().for_each(|value| in_expr(value, given));
            in_block(block, given);
        }
        Statement::ForIn(names, values, block) => {
            names.iter().for_each(|name| give(given, name, None));
            values.iter().for_each(|value| in_expr(value, given));
            in_block(block, given);
        }
        Statement::Function(path, function) => {
            path.name().into_iter().for_each(|name| give(given, name, None));
            in_function(function, given);
        }
        Statement::LocalFunction(name, function) => {
            give(given, name, None);
            in_function(function, given);
        }
        Statement::Return(values) => values.iter().for_each(|value| in_expr(value, given)),
        Statement::Break | Statement::Jump => {}
    }
}

fn in_expr<'t>(expr: &Expr<'t>, given: &mut Given<'t>) {
    match &expr.kind {
        ExprKind::Function(function) => in_function(function, given),
        ExprKind::Index(table, key) => {
            in_expr(table, given);
            in_expr(key, given);
        }
        ExprKind::Call(call) => {
            in_expr(&call.function, given);
            call.arguments.iter().for_each(|argument| in_expr(argument, given));
        }
        ExprKind::Table(fields) => fields.iter().for_each(|field| in_expr(&field.value, given)),
        ExprKind::Binary(_, left, right) => {
            in_expr(left, given);
            in_expr(right, given);
        }
        ExprKind::Unary(_, inner) | ExprKind::Paren(inner) => in_expr(inner, given),
        _ => {}
    }
}
