//! Random picks outside of their table (VW367), and chances that are always or never true (VW364).

use super::conditions::Constant;
use super::ranges::Ranges;
use super::tree::{Expr, ExprKind, Statement};
use super::walk::Parts;
use foldhash::{HashMap, HashMapExt, HashSet};

/// Finds random numbers outside of the table they pick from.
pub(super) fn find(parts: &Parts, ranges: &Ranges) -> Vec<Constant> {
    let tables = Tables::of(parts);
    let mut found = Vec::new();
    if tables.0.is_empty() {
        return found;
    }
    found.extend(loops(parts, &tables));
    for expr in &parts.exprs {
        let ExprKind::Index(table, key) = &expr.kind else { continue };
        let Some(size) = table.name().and_then(|name| tables.0.get(name)) else { continue };
        let Some((low, high)) = number(key, &tables, ranges) else { continue };
        let name = table.name().unwrap_or_default();
        let size = *size as f64;
        let message = if low < 1.0 {
            format!("'{name}[{low}]' may be picked, but the first element is number 1")
        } else if high > size {
            format!("'{name}[{high}]' may be picked, but '{name}' has {size} elements")
        } else if low == 1.0 && high < size && high > low {
            format!("the last element of '{name}' is never picked: the number is at most {high}")
        } else {
            continue;
        };
        found.push(Constant {
            message,
            hint: "util.random_from(list) picks any element of a list; crawl.random2(n) is 0 to \
                   n - 1",
            span: key.span.clone(),
        });
    }
    found
}

/// Finds loops over numbers that no element of a list has: `for i = 0, 2 do … list[i]`.
fn loops(parts: &Parts, tables: &Tables) -> Vec<Constant> {
    let mut found = Vec::new();
    for statement in &parts.statements {
        let Statement::For(name, bounds, block) = statement else { continue };
        let [first, last] = &bounds[..] else { continue };
        let (Some(low), high) = (constant(first, tables), constant(last, tables)) else { continue };
        let inside = Parts::of(block);
        // Who asks for the number may leave that one out.
        let is_asked = inside.exprs.iter().any(|expr| match &expr.kind {
            ExprKind::Binary("==" | "~=" | "<" | ">" | "<=" | ">=" | "or" | "and", a, b) => {
                a.name() == Some(name) || b.name() == Some(name)
            }
            _ => false,
        });
        let picks = inside.exprs.iter().find_map(|expr| {
            let ExprKind::Index(table, key) = &expr.kind else { return None };
            let size = tables.0.get(table.name()?)?;
            (key.name() == Some(name)).then_some((table.name()?, *size, expr))
        });
        let Some((list, size, expr)) = picks.filter(|_| !is_asked) else { continue };
        let message = match high {
            _ if low < 1.0 => format!("'{list}[{low}]' is nil: the first element is number 1"),
            Some(high) if high > size as f64 => {
                format!("'{list}[{high}]' is nil: '{list}' has {size} elements")
            }
            _ => continue,
        };
        let hint = "for _, value in ipairs(list) goes through a list, for i = 1, #list counts";
        found.push(Constant { message, hint, span: expr.span.clone() });
    }
    found
}

/// The lists that are written out once and never changed, with how many elements they have.
struct Tables<'t>(HashMap<&'t str, usize>);

impl<'t> Tables<'t> {
    fn of(parts: &Parts<'t>) -> Tables<'t> {
        let mut sizes: HashMap<&str, Option<usize>> = HashMap::new();
        for statement in &parts.statements {
            let Statement::Local(names, values) = statement else { continue };
            for (index, name) in names.iter().enumerate() {
                let size = values.get(index).and_then(list_size);
                let known = sizes.contains_key(name);
                sizes.insert(name, size.filter(|_| !known));
            }
        }
        let lists = sizes.into_iter().filter_map(|(name, size)| Some((name, size?)));
        let mut lists: HashMap<&str, usize> = lists.collect();
        if !lists.is_empty() {
            let spoiled: HashSet<&str> = spoiled(parts).into_iter().collect();
            lists.retain(|name, _| !spoiled.contains(name));
        }
        Tables(lists)
    }
}

/// Returns the names that may come to stand for something else, or whose lists may be changed.
fn spoiled<'t>(parts: &Parts<'t>) -> Vec<&'t str> {
    let mut spoiled = Vec::new();
    for statement in &parts.statements {
        match statement {
            Statement::Assign(targets, _) => {
                spoiled.extend(targets.iter().filter_map(|target| match &target.kind {
                    ExprKind::Index(table, _) => table.name(),
                    _ => target.name(),
                }));
            }
            Statement::Function(_, function) | Statement::LocalFunction(_, function) => {
                spoiled.extend(&function.parameters);
            }
            Statement::ForIn(names, ..) => spoiled.extend(names),
            Statement::For(name, ..) => spoiled.push(name),
            _ => {}
        }
    }
    for expr in &parts.exprs {
        let ExprKind::Call(call) = &expr.kind else { continue };
        let keeps = |path: &str| {
            matches!(path, "ipairs" | "pairs" | "unpack") || path.starts_with("util.random")
        };
        if !call.function.path().is_some_and(|path| keeps(&path)) {
            spoiled.extend(call.arguments.iter().filter_map(Expr::name));
        }
    }
    spoiled
}

fn list_size(expr: &Expr) -> Option<usize> {
    let ExprKind::Table(fields) = &expr.kind else { return None };
    let open = |expr: &Expr| {
        matches!(expr.kind, ExprKind::Varargs | ExprKind::Header(_) | ExprKind::Call(_))
    };
    let is_list = fields.iter().all(|field| field.key.is_none());
    let is_open = fields.last().is_some_and(|field| open(&field.value));
    (is_list && !is_open && !fields.is_empty()).then_some(fields.len())
}

/// Returns the lowest and the highest that an expression can be.
fn number(expr: &Expr, tables: &Tables, ranges: &Ranges) -> Option<(f64, f64)> {
    match &expr.kind {
        ExprKind::Paren(inner) => number(inner, tables, ranges),
        ExprKind::Name(_) => ranges.range(expr),
        ExprKind::Binary("+", left, right) => {
            let (a, b) = (number(left, tables, ranges)?, number(right, tables, ranges)?);
            Some((a.0 + b.0, a.1 + b.1))
        }
        ExprKind::Number(_) | ExprKind::Unary("#", _) => {
            let value = constant(expr, tables)?;
            Some((value, value))
        }
        ExprKind::Call(call) => {
            let argument = |index: usize| constant(call.arguments.get(index)?, tables);
            match &*call.function.path()? {
                "crawl.random2" => Some((0.0, (argument(0)? - 1.0).max(0.0))),
                "crawl.random_range" => Some((argument(0)?, argument(1)?)),
                _ => None,
            }
        }
        _ => None,
    }
}

fn constant(expr: &Expr, tables: &Tables) -> Option<f64> {
    match &expr.kind {
        ExprKind::Paren(inner) => constant(inner, tables),
        ExprKind::Number(number) => Some(*number),
        ExprKind::Unary("#", list) => tables.0.get(list.name()?).map(|size| *size as f64),
        ExprKind::Call(call) if call.function.path().as_deref() == Some("table.getn") => {
            tables.0.get(call.arguments.first()?.name()?).map(|size| *size as f64)
        }
        ExprKind::Binary("-", left, right) => {
            Some(constant(left, tables)? - constant(right, tables)?)
        }
        ExprKind::Binary("+", left, right) => {
            Some(constant(left, tables)? + constant(right, tables)?)
        }
        _ => None,
    }
}
