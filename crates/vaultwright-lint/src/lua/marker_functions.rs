//! What markers are made of: functions that give no table, and classes that are not called or make
//! no marker (VW317); texts for the messages of timed markers (VW370).

use foldhash::HashSet;

use super::order::returns;
use super::text::MARKER_CALL;
use super::tree::{Call, Expr, ExprKind, Statement};
use super::walk::Parts;
use super::{Finding, Look, calls};
use crate::codes;

/// The function that makes messages for a marker, and no marker.
const MESSAGES: &str = "timed_msg";
/// The classes that are given such messages.
const TIMED: [&str; 2] = ["timed_marker", "TimedMarker"];

impl Look<'_> {
    pub(super) fn marker_functions(&mut self, number: usize, parts: &Parts, given: &HashSet<&str>) {
        let text = &self.trees[number].lua.text;
        let has = |word: &str| memchr::memmem::find(text, word.as_bytes()).is_some();
        if !has("marker") && !has(TIMED[1]) {
            return;
        }
        for expr in &parts.exprs {
            let ExprKind::Call(call) = &expr.kind else { continue };
            let Some(name) = call.function.name() else { continue };
            if self.assigned.contains(name) || given.contains(name) {
                continue;
            }
            match (name, &call.arguments[..]) {
                (MARKER_CALL, [function]) => self.marker_of(number, function),
                ("lua_marker", [_, function]) if call.method.is_none() => {
                    self.marker_of(number, function);
                }
                _ if TIMED.contains(&name) => self.messages(number, call),
                _ => {}
            }
        }
    }

    /// Looks at what a marker is made of: the function that gives it, or itself.
    fn marker_of(&mut self, number: usize, given: &Expr) {
        let ExprKind::Function(function) = &given.kind else {
            if let Some(path) = given.path().filter(|path| self.gives_nothing(path) == Some(true)) {
                let hint = "a marker is a table, or what a function returns: return the table";
                self.no_marker(number, given, format!("{path} returns nothing"), hint);
            } else if matches!(&given.kind, ExprKind::Call(_)) {
                self.marker(number, given);
            }
            return;
        };
        if !returns(&function.body) {
            let hint = "write `return` before what makes the marker";
            self.no_marker(number, given, "the function returns nothing".to_owned(), hint);
        } else if let [Statement::Return(values)] = &function.body.statements[..]
            && let [value] = &values[..]
        {
            self.marker(number, value);
        }
    }

    /// Looks at an expression that is to be a marker.
    fn marker(&mut self, number: usize, value: &Expr) {
        let hint = "a marker is a table, such as props_marker { … } makes";
        let what = match &value.kind {
            ExprKind::Nil => "this is nothing",
            ExprKind::True | ExprKind::False => "this is true or false",
            ExprKind::Number(_) => "this is a number",
            ExprKind::Text(_) => "this is a text",
            ExprKind::Function(_) => {
                let hint = "write what it returns alone: MARKER: A = lua:props_marker { … }";
                return self.no_marker(number, value, "this is a function".to_owned(), hint);
            }
            ExprKind::Paren(inner) => return self.marker(number, inner),
            ExprKind::Name(name) => {
                let is_class = calls::calls().parameters_of(name).is_some_and(|row| !row.all);
                if is_class && !self.assigned.contains(*name) && self.names.is_given(name) {
                    let hint = format!("call it: {name} {{ … }}");
                    self.no_marker(number, value, format!("{name} is not called"), &hint);
                }
                return;
            }
            ExprKind::Call(call) => return self.marker_call(number, value, call),
            _ => return,
        };
        self.no_marker(number, value, what.to_owned(), hint);
    }

    fn marker_call(&mut self, number: usize, value: &Expr, call: &Call) {
        let Some(path) = call.function.path().filter(|_| call.method.is_none()) else { return };
        if path == MESSAGES && !self.assigned.contains(MESSAGES) {
            let hint = "give it to one: timed_marker { msg = timed_msg { … }, … }";
            let message = format!("{MESSAGES} makes messages for a marker");
            self.no_marker(number, value, message, hint);
        } else if self.gives_nothing(&path) == Some(true) {
            let hint = "write `return` before what makes the marker in it";
            self.no_marker(number, value, format!("{path} returns nothing"), hint);
        }
    }

    fn no_marker(&mut self, number: usize, value: &Expr, what: String, hint: &str) {
        let message = format!("{what}, so there is no marker");
        let finding = Finding::of(codes::MARKER_OF_NOTHING, message, hint.to_owned());
        self.warn(number, &value.span, finding);
    }

    /// Tells of `timed_marker { msg = "text" }`.
    fn messages(&mut self, number: usize, call: &Call) {
        let Some(ExprKind::Table(fields)) = call.arguments.first().map(|table| &table.kind) else {
            return;
        };
        let is_msg = |key: &Expr| key.text() == Some(b"msg");
        for field in fields.iter().filter(|field| field.key.as_ref().is_some_and(is_msg)) {
            if field.value.text().is_some() {
                let message = "msg of a timed marker is no text, but what says several".to_owned();
                let hint = "write msg = timed_msg { noisemaker = …, verb = … }".to_owned();
                let finding = Finding::of(codes::OTHER_KIND, message, hint);
                self.warn(number, &field.value.span, finding);
            }
        }
    }
}
