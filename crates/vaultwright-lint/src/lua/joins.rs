//! Strings that are concatenated without a blank between them (VW352): `"orc hd:" .. 5 .. "w:3"`.

use super::conditions::Constant;
use super::ranges::Ranges;
use super::tree::{Call, Expr, ExprKind};
use super::walk::Parts;

/// Words of specs that can follow a number.
const WORDS: [&str; 15] = [
    "w",
    "q",
    "hd",
    "hp",
    "ego",
    "plus",
    "name",
    "tile",
    "att",
    "spells",
    "charges",
    "perm_ench",
    "dbname",
    "god",
    "level",
];

/// Finds words of specs that are joined to the text before them.
pub(super) fn find(parts: &Parts, ranges: &Ranges) -> Vec<Constant> {
    let mut found = Vec::new();
    for expr in &parts.exprs {
        if let ExprKind::Call(call) = &expr.kind {
            found.extend(count_of_none(call, ranges));
        }
        let ExprKind::Binary("..", left, right) = &expr.kind else { continue };
        // `a .. b .. c` is `a .. (b .. c)`.
        let next = match &right.kind {
            ExprKind::Binary("..", next, _) => next,
            _ => right,
        };
        let is_number = |expr: &Expr| match &expr.kind {
            ExprKind::Number(_) => true,
            ExprKind::Call(call) => call.function.path().is_some_and(|path| {
                path.starts_with("crawl.random") || path == "you.depth" || path == "you.absdepth"
            }),
            _ => ranges.range(expr).is_some(),
        };
        let Some(text) = next.text().filter(|_| is_number(inner(left))) else {
            continue;
        };
        let word = text.split(|&byte| byte == b':').next().unwrap_or_default();
        let is_word = text.contains(&b':') && WORDS.iter().any(|own| own.as_bytes() == word);
        let continues = text.first().is_some_and(|byte| byte.is_ascii_alphabetic())
            && text.contains(&b'_')
            && text.iter().all(|byte| byte.is_ascii_lowercase() || *byte == b'_');
        if is_word || continues {
            let shown = String::from_utf8_lossy(text);
            found.push(Constant {
                message: format!("'{shown}' is joined to the number before it without a blank"),
                hint: "begin the text with a blank",
                span: next.span.clone(),
            });
        }
    }
    found
}

/// Finds `nsubst("A = " .. n .. ":1")` with an `n` that may be 0, which is no count.
fn count_of_none(call: &Call, ranges: &Ranges) -> Option<Constant> {
    call.function.name().filter(|name| *name == "nsubst")?;
    let ExprKind::Binary("..", before, rest) = &call.arguments.first()?.kind else { return None };
    let ExprKind::Binary("..", number, behind) = &rest.kind else { return None };
    let behind = match &behind.kind {
        ExprKind::Binary("..", behind, _) => behind,
        _ => behind,
    };
    let is_count = before.text()?.trim_ascii_end().ends_with(b"=")
        && behind.text()?.trim_ascii_start().starts_with(b":");
    let (low, _) = ranges.range(inner(number)).filter(|(low, _)| is_count && *low <= 0.0)?;
    Some(Constant {
        message: format!("the number may be {low}, which NSUBST takes for no count: an error then"),
        hint: "draw from 1 on, or leave the call out if it is 0",
        span: number.span.clone(),
    })
}

fn inner<'e, 't>(expr: &'e Expr<'t>) -> &'e Expr<'t> {
    match &expr.kind {
        ExprKind::Paren(within) => inner(within),
        _ => expr,
    }
}
