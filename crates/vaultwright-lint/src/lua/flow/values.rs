//! What is known of the value of an expression, and what its calls tell.

use std::rc::Rc;

use super::super::text::{HEADER_CALL, MARKER_CALL};
use super::super::tree::{Call, Expr, ExprKind, Field, Span};
use super::super::value::{Fields, Value};
use super::{Event, Use, Walker};

impl Walker<'_> {
    /// An expression of which only counts whether it is true.
    pub(super) fn asked(&mut self, expr: &Expr) {
        let outer = std::mem::replace(&mut self.condition, true);
        self.value(expr);
        self.condition = outer;
    }

    pub(super) fn value(&mut self, expr: &Expr) -> Value {
        let condition = std::mem::replace(&mut self.condition, false);
        let use_ = if condition { Use::Asked } else { Use::Other };
        match &expr.kind {
            ExprKind::Text(text) => Value::of_text(text.clone(), self.chunk, expr.span.clone()),
            ExprKind::Paren(inner) => {
                self.condition = condition;
                self.value(inner)
            }
            ExprKind::Function(function) => self.function(function),
            ExprKind::Name(_) | ExprKind::Index(..) => self.read(expr, use_),
            ExprKind::Call(call) => self.call(call, &expr.span),
            ExprKind::Table(fields) => self.table(fields),
            ExprKind::Binary(sign, left, right) => self.binary(sign, left, right, condition),
            ExprKind::Unary(sign, operand) => {
                self.condition = *sign == "not";
                self.value(operand);
                Value::default()
            }
            ExprKind::Nil
            | ExprKind::True
            | ExprKind::False
            | ExprKind::Number(_)
            | ExprKind::Varargs => Value::default(),
        }
    }

    fn binary(&mut self, sign: &str, left: &Expr, right: &Expr, condition: bool) -> Value {
        match sign {
            "and" => {
                self.asked(left);
                self.condition = condition;
                self.value(right)
            }
            "or" => {
                self.condition = true;
                let mut value = self.value(left);
                self.condition = condition;
                let other = self.value(right);
                value.join(&other);
                value
            }
            ".." => {
                let (left, right) = (self.value(left), self.value(right));
                left.concat(&right)
            }
            "==" | "~=" => {
                let (one, other) = (self.compared(left), self.compared(right));
                for (called, value) in [(left, other), (right, one)] {
                    if let ExprKind::Call(call) = &called.kind
                        && call.method.is_none()
                        && let Some(path) = call.function.path()
                        && !self.is_local_root(&call.function)
                        && !value.texts.is_empty()
                    {
                        self.tell(Event::Compared { path, value });
                    }
                }
                Value::default()
            }
            _ => {
                self.value(left);
                self.value(right);
                Value::default()
            }
        }
    }

    /// Returns a side of a comparison: that nothing is there may be what is asked.
    fn compared(&mut self, expr: &Expr) -> Value {
        self.condition = true;
        self.value(expr)
    }

    pub(super) fn read(&mut self, expr: &Expr, use_: Use) -> Value {
        match &expr.kind {
            ExprKind::Name(name) => {
                if let Some(number) = self.find(name) {
                    return self.vars[number].value.clone();
                }
                if !(self.surroundings.exists)(name) {
                    let locals = self.scopes.iter().flatten().map(|(local, _)| local.clone());
                    let (locals, span) = (locals.collect(), expr.span.clone());
                    self.tell(Event::Read { name: name.clone(), use_, span, locals });
                }
                if let Some(value) = self.globals.get(name) {
                    return value.clone();
                }
                self.of_library(name, &expr.span)
            }
            ExprKind::Index(table, key) => {
                let known = self.read(table, Use::Indexed);
                let key = self.value(key);
                if let Some(path) = expr.path().filter(|_| !self.is_local_root(table)) {
                    if !(self.surroundings.exists)(&path) {
                        let path = path.clone();
                        self.tell(Event::Member { path, use_, span: expr.span.clone() });
                    }
                    if known.fields.is_none() {
                        return self.of_library(&path, &expr.span);
                    }
                }
                known.at(&key)
            }
            _ => self.value(expr),
        }
    }

    fn of_library(&self, path: &str, span: &Span) -> Value {
        let text = (self.surroundings.constant)(path);
        text.map(|text| Value::of_text(text, self.chunk, span.clone())).unwrap_or_default()
    }

    pub(super) fn table(&mut self, fields: &[Field]) -> Value {
        let mut known = Fields::default();
        for Field { key, value } in fields {
            let name = key.as_ref().map(|key| self.value(key)).unwrap_or_default();
            let value = self.value(value);
            let text = match &name.texts[..] {
                [name] => Some(name.text.clone()),
                _ => None,
            };
            known.named.push((text, value));
            known.keys.join(&name);
        }
        Value { fields: Some(Rc::new(known)), ..Value::default() }
    }

    pub(super) fn call(&mut self, call: &Call, span: &Span) -> Value {
        let path = call.function.path();
        if let Some(path) = path.as_deref().filter(|path| path.starts_with('_'))
            && (path == HEADER_CALL || path == MARKER_CALL)
        {
            if let Some(Expr { kind: ExprKind::Number(number), .. }) = call.arguments.first() {
                let always = self.depth == 0;
                self.tell(Event::Header { piece: *number as usize, always });
            } else {
                call.arguments.iter().for_each(|argument| drop(self.value(argument)));
            }
            return Value::default();
        }
        let function = match call.method {
            None => self.read(&call.function, Use::Called),
            Some(_) => {
                self.read(&call.function, Use::Indexed);
                Value::default()
            }
        };
        let arguments: Vec<Value> =
            call.arguments.iter().map(|argument| self.value(argument)).collect();
        for &number in &function.functions {
            let parameters = &mut self.functions.parameters[number];
            for (parameter, argument) in parameters.iter_mut().zip(&arguments) {
                parameter.join(argument);
            }
        }
        let Some(path) = path.map(|path| match &call.method {
            Some(method) => format!("{path}:{method}"),
            None => path,
        }) else {
            return Value::default();
        };
        self.tell_call(call, &path, &arguments, span);
        self.result(call, &path, &function, &arguments)
    }

    fn tell_call(&mut self, call: &Call, path: &str, arguments: &[Value], span: &Span) {
        let is_local = self.is_local_root(&call.function);
        // `e.mons("rat")`, where `e` is the environment of a map.
        let of_environment = match &call.function.kind {
            ExprKind::Index(table, _) => {
                table.name().is_some_and(|name| name == "_G" || self.find(name).is_some())
            }
            _ => false,
        };
        if is_local && !of_environment {
            return;
        }
        let of_map = of_environment || (!path.contains('.') && !path.contains(':'));
        let name = if of_environment { path.split('.').next_back().unwrap_or(path) } else { path };
        for (argument, value) in call.arguments.iter().zip(arguments) {
            let ExprKind::Table(fields) = &argument.kind else { continue };
            if !(self.surroundings.is_interesting)(path) {
                continue;
            }
            for (field, (_, value)) in
                fields.iter().zip(value.fields.iter().flat_map(|fields| &fields.named))
            {
                let key = field.key.as_ref().and_then(|key| key.text());
                if let Some(key) = key.filter(|_| !value.texts.is_empty()) {
                    let key = String::from_utf8_lossy(key).into_owned();
                    let (path, value) = (path.to_owned(), value.clone());
                    self.events.push(Event::Field { path, key, value });
                }
            }
        }
        if !(self.surroundings.is_interesting)(name) {
            return;
        }
        let spans = call.arguments.iter().map(|argument| argument.span.clone()).collect();
        self.tell(Event::Call {
            path: name.to_owned(),
            of_map,
            arguments: arguments.to_vec(),
            spans,
            span: span.clone(),
        });
    }

    fn result(&mut self, call: &Call, path: &str, function: &Value, arguments: &[Value]) -> Value {
        let mut result = Value::default();
        for &number in &function.functions {
            let known = self.functions.results[number].clone();
            result.join(&known);
        }
        let argument = |index: usize| arguments.get(index).cloned().unwrap_or_default();
        match path {
            "util.random_from" | "util.random_element" | "crawl.random_element" | "next" => {
                argument(0).elements()
            }
            "util.random_weighted_from" => argument(1).elements(),
            "table.insert" => {
                if let (Some(table), Some(value)) = (call.arguments.first(), arguments.last()) {
                    self.add_to_table(table, &Value::default(), value);
                }
                Value::default()
            }
            _ => result,
        }
    }
}
