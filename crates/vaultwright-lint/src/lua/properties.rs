//! Properties of markers that are sought by another name than they have (VW362), fields of `data`
//! that no marker gives (VW361), and methods of a marker and the like that are called with a dot
//! (VW363).

use super::tree::{Expr, ExprKind, Function, Statement};
use super::walk::Parts;
use super::{Finding, Look};
use crate::codes;
use crate::near::{Advice, Near, nearest};

/// The functions that look for the markers with a property.
const SEEKERS: [&str; 5] = [
    "dgn.find_marker_position_by_prop",
    "dgn.find_marker_positions_by_prop",
    "dgn.find_markers_by_prop",
    "iter.slave_iterator",
    "iter.replica_iterator",
];

/// The properties of a marker that name another one.
const NAMING: [&[u8]; 3] = [b"slaved_to", b"slave_to", b"replica_to"];

/// For no more names than these similar ones are sought in a file.
pub(super) const MAX_SEARCHES: usize = 100;

/// What callbacks and listeners are handed over, what it is, and its methods.
const METHODS: [(&str, &str, &[&str]); 3] = [
    ("marker", "the marker", &["pos", "move", "property", "remove"]),
    ("ev", "the event", &["type", "pos", "dest", "ticks", "arg1", "arg2"]),
    ("triggerable", "the triggerable", &["remove", "add_triggerer", "property", "set_property"]),
];

impl Look<'_> {
    /// Tells of markers that are sought by a name which stands nowhere else, and is like another.
    pub(super) fn properties(&mut self, number: usize) {
        let tree = &self.trees[number];
        let text = &tree.lua.text;
        let mentions = |word: &str| memchr::memmem::find(text, word.as_bytes()).is_some();
        if !["_prop", "_iterator", "slave", "replica"].iter().any(|word| mentions(word)) {
            return;
        }
        for expr in Parts::of(&tree.block).exprs {
            match &expr.kind {
                ExprKind::Call(call) => {
                    let path = call.function.path().filter(|_| call.method.is_none());
                    if path.is_some_and(|path| SEEKERS.contains(&&*path)) {
                        call.arguments.iter().take(2).for_each(|name| self.sought(number, name));
                    }
                }
                ExprKind::Table(fields) => {
                    let is_naming =
                        |key: &Expr| key.text().is_some_and(|key| NAMING.contains(&key));
                    let fields =
                        fields.iter().filter(|field| field.key.as_ref().is_some_and(is_naming));
                    fields.for_each(|field| self.sought(number, &field.value));
                }
                _ => {}
            }
        }
    }

    /// Tells of a name that stands only here, if a similar one stands elsewhere in the file.
    fn sought(&mut self, number: usize, expr: &Expr) {
        let Some(name) = expr.text().and_then(|text| std::str::from_utf8(text).ok()) else {
            return;
        };
        if self.times(name) != 1 {
            return;
        }
        let Some(near) = self.like_written(name) else { return };
        let message = format!("no marker of this file has '{name}'");
        self.warn(number, &expr.span, Finding::of(codes::UNKNOWN_ARGUMENT, message, near));
    }

    /// Returns how often a word stands in the file, without a look at all others.
    fn times(&self, word: &str) -> usize {
        let text = &self.file.source.text;
        let is_part = |at: Option<usize>| {
            let byte = at.and_then(|at| text.get(at));
            byte.is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_')
        };
        let is_whole = |&at: &usize| !is_part(at.checked_sub(1)) && !is_part(Some(at + word.len()));
        memchr::memmem::find_iter(text, word).filter(is_whole).count()
    }

    /// Returns a word of the file that a name certainly is, misspelt.
    fn like_written(&self, name: &str) -> Option<Near> {
        // Each search goes through all words of the file.
        self.searches.set(self.searches.get() + 1);
        if self.searches.get() > MAX_SEARCHES {
            return None;
        }
        let words = self.words().keys().filter_map(|word| std::str::from_utf8(word).ok());
        nearest(name, words).filter(|near| near.is_sure && near.name.len() >= 4)
    }

    /// Tells of a method of a marker and the like behind a dot, without it as its argument.
    pub(super) fn methods(&mut self, number: usize) {
        let tree = &self.trees[number];
        let has = |word: &str| memchr::memmem::find(&tree.lua.text, word.as_bytes()).is_some();
        let dotted = METHODS.iter().filter(|(owner, ..)| has(&format!("{owner}.")));
        let (dotted, by_data) = (Vec::from_iter(dotted), has("data."));
        if dotted.is_empty() && !by_data {
            return;
        }
        let parts = Parts::of(&tree.block);
        for (owner, what, methods) in dotted {
            if takes(&parts, owner) {
                self.methods_of(number, &parts, (owner, what, methods));
            }
        }
        if by_data && takes(&parts, "data") {
            self.fields_of_data(number, &parts);
        }
    }

    fn methods_of(
        &mut self,
        number: usize,
        parts: &Parts,
        (owner, what, methods): (&str, &str, &[&str]),
    ) {
        for expr in &parts.exprs {
            let ExprKind::Call(call) = &expr.kind else { continue };
            let method = member(&call.function, owner).filter(|_| call.method.is_none());
            let Some((method, _)) = method.filter(|(name, _)| methods.contains(name)) else {
                continue;
            };
            if call.arguments.first().is_none_or(|own| own.name() != Some(owner)) {
                let message = format!("{owner}.{method} is called without {what}");
                let hint = format!("write {owner}:{method}(…): ':' hands it over");
                let finding = Finding::of(codes::WRONG_ARGUMENTS, message, hint);
                self.warn(number, &call.function.span, finding);
            }
        }
    }

    /// Tells of a field of `data` that nothing ever gives a value, if a similar one is given, or
    /// a callback cannot do without.
    fn fields_of_data(&mut self, number: usize, parts: &Parts) {
        let mut fields: Vec<(&str, &Expr)> =
            parts.exprs.iter().filter_map(|expr| member(expr, "data")).collect();
        fields.sort_by_key(|(name, expr)| (*name, expr.span.start));
        for of_name in fields.chunk_by(|one, other| one.0 == other.0) {
            let Some(&(name, first)) = of_name.first() else { continue };
            // Whatever stands elsewhere in the file may give it.
            if self.times(name) != of_name.len() || is_given(parts, name) {
                continue;
            }
            let advice = match self.like_field(name) {
                Some(near) => Advice::from(near),
                None if is_needed(parts, name) && self.are_callbacks(parts) => {
                    format!("the marker has to bring it: {{ {name} = … }} in its data").into()
                }
                None => continue,
            };
            let message = format!("no data of this file has '{name}'");
            self.warn(number, &first.span, Finding::of(codes::UNKNOWN_NAME, message, advice));
        }
    }

    /// Returns a field given in the file, of which a name is certainly a misspelling.
    fn like_field(&self, name: &str) -> Option<Near> {
        let near = self.like_written(name)?;
        let text = &self.file.source.text;
        let mut places = memchr::memmem::find_iter(text, &near.name);
        let is_given = places.any(|at| {
            let behind = text[at + near.name.len()..].trim_ascii_start();
            behind.starts_with(b"=") && !behind.starts_with(b"==")
        });
        is_given.then_some(near)
    }

    /// Returns whether all functions of a chunk that take `data` take it as triggerables hand it
    /// over, and are named again in this file, so that others have no markers for them.
    fn are_callbacks(&self, parts: &Parts) -> bool {
        let is_callback = |statement: &&Statement| match statement {
            Statement::Function(path, function) => {
                let path = path.path().unwrap_or_default();
                let name = path.rsplit('.').next().unwrap_or_default();
                let own = &function.parameters;
                own.len() >= 3 && own[0] == "data" && self.times(name) > 1
            }
            _ => false,
        };
        let callbacks = parts.statements.iter().copied().filter(is_callback).count();
        callbacks == functions(parts).filter(|f| f.parameters.contains(&"data")).count()
    }
}

/// Returns the field of `NAME.field`.
fn member<'e, 't>(expr: &'e Expr<'t>, name: &str) -> Option<(&'e str, &'e Expr<'t>)> {
    let ExprKind::Index(table, key) = &expr.kind else { return None };
    let key = std::str::from_utf8(key.text()?).ok()?;
    (table.name() == Some(name)).then_some((key, expr))
}

/// Returns whether a statement gives a field of `data` a value that does not come from it.
fn is_given(parts: &Parts, name: &str) -> bool {
    parts.statements.iter().any(|statement| {
        let Statement::Assign(targets, values) = statement else { return false };
        let is_own = |expr: &Expr| member(expr, "data").is_some_and(|(own, _)| own == name);
        targets.iter().any(is_own) && !values.iter().any(|value| mentions(value, &is_own))
    })
}

fn mentions(expr: &Expr, is_own: &dyn Fn(&Expr) -> bool) -> bool {
    let mut found = is_own(expr);
    expr.each_part(&mut |part| found |= mentions(part, is_own));
    found
}

/// Returns whether Lua fails without a field of `data`, and never asks whether it is there.
fn is_needed(parts: &Parts, name: &str) -> bool {
    const OPERATORS: [&str; 11] = ["+", "-", "*", "/", "%", "^", "..", "<", ">", "<=", ">="];
    let is_own = |expr: &Expr| member(expr, "data").is_some_and(|(own, _)| own == name);
    let fails = |expr: &&Expr| match &expr.kind {
        ExprKind::Binary(sign, one, other) => {
            OPERATORS.contains(sign) && (is_own(one) || is_own(other))
        }
        ExprKind::Index(table, _) => is_own(table),
        ExprKind::Call(call) => is_own(&call.function),
        _ => false,
    };
    let asks = |expr: &&Expr| match &expr.kind {
        ExprKind::Binary("and" | "or", one, other) => is_own(one) || is_own(other),
        ExprKind::Binary("==" | "~=", one, other) => {
            let is_nil = |expr: &Expr| matches!(expr.kind, ExprKind::Nil);
            is_own(one) && is_nil(other) || is_own(other) && is_nil(one)
        }
        ExprKind::Unary("not", inner) => is_own(inner),
        _ => false,
    };
    let is_condition = |statement: &&Statement| match statement {
        Statement::If(arms, _) => arms.iter().any(|(condition, _)| is_own(condition)),
        _ => false,
    };
    parts.exprs.iter().any(fails)
        && !parts.exprs.iter().any(asks)
        && !parts.statements.iter().any(is_condition)
}

/// Returns whether a function of a chunk has a parameter of this name.
fn takes(parts: &Parts, name: &str) -> bool {
    functions(parts).any(|function| function.parameters.contains(&name))
}

/// Returns all functions of a chunk.
fn functions<'t>(parts: &Parts<'t>) -> impl Iterator<Item = &'t Function<'t>> {
    let by_statement = parts.statements.iter().filter_map(|statement| match statement {
        Statement::Function(_, function) | Statement::LocalFunction(_, function) => Some(function),
        _ => None,
    });
    let by_expr = parts.exprs.iter().filter_map(|expr| match &expr.kind {
        ExprKind::Function(function) => Some(&**function),
        _ => None,
    });
    by_statement.chain(by_expr)
}
