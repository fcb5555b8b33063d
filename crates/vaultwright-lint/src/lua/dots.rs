//! Methods of a class of the file that are called with a dot, so that they get no `self` (VW363).

use foldhash::{HashMap, HashMapExt, HashSet};

use super::tree::{Call, Expr, ExprKind, Function, Span, Statement};
use super::walk::Parts;
use super::{Finding, Look, Tree};
use crate::codes;

const SELF: &str = "self";

/// What the file gives the fields of a name.
#[derive(Default)]
struct Given<'t> {
    /// The classes that have a method of this name, which uses `self`.
    classes: HashSet<&'t str>,
    /// The most parameters of these, `self` included.
    parameters: usize,
    /// Whether a field of this name may be something else.
    is_other: bool,
}

/// A call with a dot, which hands over no `self`.
struct Dotted<'t> {
    tree: usize,
    owner: &'t str,
    method: String,
    arguments: usize,
    span: Span,
}

impl Look<'_> {
    /// Tells of `self.method()` and `Class.method()` where the file has the method with a colon.
    pub(super) fn dots(&mut self) {
        let mut given: HashMap<String, Given> = HashMap::new();
        let mut calls = Vec::new();
        let has_self =
            |tree: &Tree| memchr::memmem::find(&tree.lua.text, SELF.as_bytes()).is_some();
        if !self.trees.iter().any(has_self) {
            return;
        }
        for (number, tree) in self.trees.iter().enumerate() {
            let parts = Parts::of(&tree.block);
            add_given(&parts, &mut given);
            calls.extend(parts.exprs.iter().filter_map(|expr| dotted(number, expr)));
        }
        for call in calls {
            let Some(given) = given.get(&call.method).filter(|given| !given.is_other) else {
                continue;
            };
            let lacks_self = match call.owner {
                SELF => call.arguments == 0,
                owner => call.arguments == 0 && given.classes.contains(&owner),
            };
            if !lacks_self || given.parameters == 0 {
                continue;
            }
            let Dotted { owner, method, .. } = &call;
            let message = format!("{owner}.{method} is called without '{SELF}'");
            let hint = match *owner {
                SELF => format!("write {owner}:{method}(…): ':' hands it over"),
                _ => format!("write {owner}.{method}({SELF}), or call the method of an object"),
            };
            self.warn(call.tree, &call.span, Finding::of(codes::WRONG_ARGUMENTS, message, hint));
        }
    }
}

/// Adds the fields that a chunk gives tables.
fn add_given<'t>(parts: &Parts<'t>, given: &mut HashMap<String, Given<'t>>) {
    let mut other = |key: Option<&[u8]>| {
        if let Some(name) = key.and_then(|key| std::str::from_utf8(key).ok()) {
            given.entry(name.to_owned()).or_default().is_other = true;
        }
    };
    for expr in &parts.exprs {
        let ExprKind::Table(fields) = &expr.kind else { continue };
        fields.iter().for_each(|field| other(field.key.as_ref().and_then(Expr::text)));
    }
    for statement in &parts.statements {
        match statement {
            Statement::Assign(targets, _) => {
                targets.iter().for_each(|target| other(field(target).map(|(_, key)| key)));
            }
            Statement::Function(path, function) if !uses_self(function) => {
                other(field(path).map(|(_, key)| key));
            }
            _ => {}
        }
    }
    for statement in &parts.statements {
        let Statement::Function(path, function) = statement else { continue };
        let Some((class, key)) = field(path).filter(|_| uses_self(function)) else { continue };
        let Ok(name) = std::str::from_utf8(key) else { continue };
        let own = given.entry(name.to_owned()).or_default();
        own.classes.insert(class);
        own.parameters = own.parameters.max(function.parameters.len());
    }
}

/// Returns the name and the key of `NAME.key`.
fn field<'e, 't>(expr: &'e Expr<'t>) -> Option<(&'t str, &'e [u8])> {
    let ExprKind::Index(table, key) = &expr.kind else { return None };
    Some((table.name()?, key.text()?))
}

/// Returns whether a function takes `self` first, and needs it.
fn uses_self(function: &Function) -> bool {
    let is_field = |expr: &&Expr| match &expr.kind {
        ExprKind::Index(table, _) => table.name() == Some(SELF),
        ExprKind::Call(call) => call.method.is_some() && call.function.name() == Some(SELF),
        _ => false,
    };
    function.parameters.first() == Some(&SELF)
        && Parts::of(&function.body).exprs.iter().any(is_field)
}

/// Returns a call with a dot that may lack `self`.
fn dotted<'t>(tree: usize, expr: &Expr<'t>) -> Option<Dotted<'t>> {
    let ExprKind::Call(call) = &expr.kind else { return None };
    let (owner, key) = field(&call.function).filter(|_| call.method.is_none())?;
    let method = std::str::from_utf8(key).ok()?.to_owned();
    let span = call.function.span.clone();
    let is_whole = !has_self(call) && !is_open(call);
    is_whole.then_some(Dotted { tree, owner, method, arguments: call.arguments.len(), span })
}

fn has_self(call: &Call) -> bool {
    call.arguments.first().is_some_and(|first| first.name() == Some(SELF))
}

/// Returns whether the last argument may be several values.
fn is_open(call: &Call) -> bool {
    let last = call.arguments.last().map(|last| &last.kind);
    matches!(last, Some(ExprKind::Call(_) | ExprKind::Varargs))
}
