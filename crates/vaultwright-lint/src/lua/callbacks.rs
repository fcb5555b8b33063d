//! What the callbacks of triggerables do with their parameters: their order (VW363), methods that
//! these do not have (VW361), and the type of what has set them off (VW362).

use super::name_kind::NameKind;
use super::properties::MAX_SEARCHES;
use super::ranges::each_given;
use super::tree::{Call, Expr, ExprKind, Function, Statement};
use super::walk::Parts;
use super::{Finding, Look};
use crate::codes;
use crate::near::{Advice, nearest};

/// The table that callbacks of the library stand in; others are named in the file.
const TABLE: &str = "callback.";
/// Their parameters, in order (spec 07).
const PARAMETERS: [&str; 5] = ["data", "triggerable", "triggerer", "marker", "ev"];
/// So many parameters of these names are those of a callback.
const MIN_PARAMETERS: usize = 3;

/// The methods of a marker and of an event.
const MARKER: [&str; 4] = ["pos", "move", "property", "remove"];
const EVENT: [&str; 6] = ["type", "pos", "dest", "ticks", "arg1", "arg2"];

impl Look<'_> {
    pub(super) fn callbacks(&mut self, number: usize, parts: &Parts) {
        let text = &self.trees[number].lua.text;
        let has = |word: &str| memchr::memmem::find(text, word.as_bytes()).is_some();
        if has("triggerer.type") {
            self.types(number, parts);
        }
        if !has("function callback.") && !has("triggerable") {
            return;
        }
        for statement in &parts.statements {
            let Statement::Function(path, function) = statement else { continue };
            let own = &function.parameters;
            let are_usual =
                own.len() >= MIN_PARAMETERS && own.iter().all(|name| PARAMETERS.contains(name));
            let is_callback =
                |path: &str| path.starts_with(TABLE) || are_usual && self.is_quoted(path);
            if path.path().is_some_and(|path| is_callback(&path)) {
                match PARAMETERS.starts_with(&function.parameters) {
                    true => self.uses_of_parameters(number, function),
                    false => self.order_of_parameters(number, path, function),
                }
            }
        }
    }

    /// Returns whether the file has a name in quotes, as who names a function does.
    fn is_quoted(&self, name: &str) -> bool {
        let text = &self.file.source.text;
        self.searches.set(self.searches.get() + 1);
        if self.searches.get() > MAX_SEARCHES {
            return false;
        }
        ["\"", "'"].iter().any(|quote| {
            let quoted = [quote, name, quote].concat();
            memchr::memmem::find(text, quoted.as_bytes()).is_some()
        })
    }

    fn order_of_parameters(&mut self, number: usize, path: &Expr, function: &Function) {
        let own = &function.parameters;
        let are_all = own.iter().all(|name| PARAMETERS.contains(name));
        if own.len() < MIN_PARAMETERS || !are_all {
            return;
        }
        let is_other = |(own, usual): &(&&str, &str)| **own != *usual;
        let other = own.iter().zip(PARAMETERS).find(is_other);
        let Some((own, usual)) = other else { return };
        let message = format!("this '{own}' is what triggerables hand over as '{usual}'");
        let hint = format!("the parameters are {}, in this order", PARAMETERS.join(", "));
        self.warn(number, &path.span, Finding::of(codes::WRONG_ARGUMENTS, message, hint));
    }

    /// Looks at what a callback with the usual parameters calls of them.
    fn uses_of_parameters(&mut self, number: usize, function: &Function) {
        let parts = Parts::of(&function.body);
        let mut given = Vec::new();
        each_given(&parts, &mut |name| given.push(name));
        let is_kept = |name: &str| function.parameters.contains(&name) && !given.contains(&name);
        for expr in &parts.exprs {
            let ExprKind::Call(call) = &expr.kind else { continue };
            let (Some(method), Some(owner)) = (call.method, call.function.name()) else { continue };
            if !is_kept(owner) {
                continue;
            }
            match owner {
                "marker" => self.method(number, (expr, "a marker", method), &MARKER),
                "ev" => self.method(number, (expr, "an event", method), &EVENT),
                "triggerable" => self.removal(number, expr, call),
                _ => {}
            }
        }
    }

    fn method(&mut self, number: usize, (expr, what, method): (&Expr, &str, &str), all: &[&str]) {
        if all.contains(&method) {
            return;
        }
        let near = nearest(method, all.iter().copied());
        let advice = near
            .map_or_else(|| Advice::from(format!("{what} has {}", all.join(", "))), Advice::from);
        let message = format!("{what} has no '{method}'");
        self.warn(number, &expr.span, Finding::of(codes::UNKNOWN_NAME, message, advice));
    }

    fn removal(&mut self, number: usize, expr: &Expr, call: &Call) {
        if call.method == Some("remove") && call.arguments.is_empty() {
            let message = "triggerable:remove is called without the marker".to_owned();
            let hint = "write triggerable:remove(marker)".to_owned();
            self.warn(number, &expr.span, Finding::of(codes::WRONG_ARGUMENTS, message, hint));
        }
    }

    /// Looks at what the type of a triggerer is compared with.
    fn types(&mut self, number: usize, parts: &Parts) {
        for expr in &parts.exprs {
            let ExprKind::Binary("==" | "~=", left, right) = &expr.kind else { continue };
            for (one, other) in [(left, right), (right, left)] {
                let is_type = one.path().as_deref() == Some("triggerer.type");
                let Some(text) = other.text().filter(|_| is_type) else { continue };
                let text = String::from_utf8_lossy(text).into_owned();
                if self.names.knows(NameKind::Event, &text, &self.assigned) {
                    continue;
                }
                let message = format!("triggerer.type is never '{text}'");
                let advice = self.names.advice(NameKind::Event, &text);
                let finding = Finding::of(codes::UNKNOWN_ARGUMENT, message, advice);
                self.warn(number, &other.span, finding);
            }
        }
    }
}
