//! What is known of the value of an expression, and what its calls tell.

use std::borrow::Cow;

use super::super::text::MARKER_CALL;
use super::super::tree::{Call, Expr, ExprKind, Span};
use super::super::value::Value;
use super::probes::CATCHING;
use super::{Called, Event, Global, Use, Walker};

/// No more operands of `or` are looked at for what a local may be.
const MAX_ALTERNATIVES: usize = 6;

/// Functions that take a first argument that need not be there, to see whether it is.
const TESTS: [&str; 3] = ["type", "pcall", "assert"];

impl<'t> Walker<'_, 't> {
    /// An expression of which only counts whether it is true.
    pub(super) fn asked(&mut self, expr: &'t Expr<'t>) {
        let outer = std::mem::replace(&mut self.condition, true);
        self.value(expr);
        self.condition = outer;
    }

    /// An expression that stands behind the `or` of a global.
    fn otherwise(&mut self, expr: &'t Expr<'t>) -> Value<'t> {
        self.otherwise = true;
        self.value(expr)
    }

    pub(super) fn value(&mut self, expr: &'t Expr<'t>) -> Value<'t> {
        let condition = std::mem::replace(&mut self.condition, false);
        let otherwise = std::mem::replace(&mut self.otherwise, false);
        let use_ = match (condition, otherwise) {
            (true, _) => Use::Asked,
            (false, true) => Use::Otherwise,
            (false, false) => Use::Other,
        };
        match &expr.kind {
            ExprKind::Text(text) => Value::of_text(text.clone(), self.chunk, expr.span.clone()),
            ExprKind::Paren(inner) => {
                (self.condition, self.otherwise) = (condition, otherwise);
                self.value(inner)
            }
            ExprKind::Function(function) => self.function(function),
            ExprKind::Name(_) | ExprKind::Index(..) => self.read(expr, use_),
            ExprKind::Call(call) => self.call(call, &expr.span),
            &ExprKind::Header(piece) => {
                self.tell(Event::Header { piece, always: self.depth == 0 });
                Value::default()
            }
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

    fn binary(
        &mut self,
        sign: &str,
        left: &'t Expr<'t>,
        right: &'t Expr<'t>,
        condition: bool,
    ) -> Value<'t> {
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
                let is_global = left.path().is_some() && !self.is_local_root(left);
                let other = match is_global {
                    true => self.otherwise(right),
                    false => self.value(right),
                };
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
                        self.tell(Event::Compared { path: path.into_owned(), value });
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
    fn compared(&mut self, expr: &'t Expr<'t>) -> Value<'t> {
        self.condition = true;
        self.value(expr)
    }

    pub(super) fn read(&mut self, expr: &'t Expr<'t>, use_: Use) -> Value<'t> {
        match &expr.kind {
            ExprKind::Name(name) => {
                if let Some(local) = self.find(name) {
                    let (value, given) = (Value::clone(&local.value), local.given);
                    if let (Use::Asked, Some(given)) = (use_, given) {
                        self.ask_for(given, MAX_ALTERNATIVES);
                    }
                    return value;
                }
                self.note_asked(use_, name);
                let global = (self.surroundings.global)(name);
                if !global.exists {
                    let locals = self.locals.iter().map(|local| local.name);
                    let (locals, span) = (locals.collect(), expr.span.clone());
                    self.tell(Event::Read { name, use_, span, locals });
                }
                match self.global(name) {
                    Some(value) => value.clone(),
                    None => self.of_library(global, &expr.span),
                }
            }
            ExprKind::Index(table, key) => {
                let path = expr.path().filter(|_| !self.is_local_root(table));
                self.read_field(expr, path.as_deref(), (table, key), use_)
            }
            _ => self.value(expr),
        }
    }

    /// Reads a field; the path is that of a global table's.
    fn read_field(
        &mut self,
        expr: &'t Expr<'t>,
        path: Option<&str>,
        (table, key): (&'t Expr<'t>, &'t Expr<'t>),
        use_: Use,
    ) -> Value<'t> {
        let known = self.read(table, Use::Indexed);
        let (key, _) = self.key(key);
        if let Some(path) = path {
            self.note_asked(use_, path);
            let global = (self.surroundings.global)(path);
            if !global.exists {
                let (path, span) = (path.to_owned(), expr.span.clone());
                self.tell(Event::Member { path, use_, span });
            }
            if known.fields.is_none() {
                return self.of_library(global, &expr.span);
            }
        }
        known.at(&key)
    }

    /// Remembers a global of which the file asks whether it is there, so that it may use it.
    fn note_asked(&mut self, use_: Use, path: &str) {
        if use_ == Use::Asked {
            let name = path.strip_prefix("_G.").unwrap_or(path);
            self.asked.insert(Cow::Owned(name.to_owned()));
        }
    }

    /// Remembers the globals of which a local is given the first that is there; with it they are
    /// asked for.
    fn ask_for(&mut self, given: &'t Expr<'t>, most: usize) {
        match &given.kind {
            ExprKind::Binary("or" | "and", left, right) if most > 0 => {
                self.ask_for(left, most - 1);
                self.ask_for(right, most - 1);
            }
            ExprKind::Paren(inner) if most > 0 => self.ask_for(inner, most - 1),
            ExprKind::Name(_) | ExprKind::Index(..) => {
                let path = given.path().filter(|_| !self.is_local_root(given));
                if let Some(path) = path {
                    self.note_asked(Use::Asked, &path);
                }
            }
            _ => {}
        }
    }

    fn of_library(&self, global: Global, span: &Span) -> Value<'t> {
        let text = global.text.map(Cow::Owned);
        text.map(|text| Value::of_text(text, self.chunk, span.clone())).unwrap_or_default()
    }

    pub(super) fn call(&mut self, call: &'t Call<'t>, span: &Span) -> Value<'t> {
        let path = call.function.path();
        let is_local = self.is_local_root(&call.function);
        if path.as_deref() == Some(MARKER_CALL) {
            call.arguments.iter().for_each(|argument| drop(self.value(argument)));
            return Value::default();
        }
        let use_ = if call.method.is_none() { Use::Called } else { Use::Indexed };
        let function = match &call.function.kind {
            ExprKind::Index(table, key) => {
                let path = path.as_deref().filter(|_| !is_local);
                self.read_field(&call.function, path, (table, key), use_)
            }
            _ => self.read(&call.function, use_),
        };
        let function = if call.method.is_none() { function } else { Value::default() };
        let name = path.as_deref().unwrap_or_default();
        let arguments = match CATCHING.contains(&name) {
            true => self.caught(call, TESTS.contains(&name) && !is_local),
            false => self.arguments(call, TESTS.contains(&name) && !is_local),
        };
        if let ("rawget", [table, name]) = (name, &call.arguments[..])
            && let (Some("_G"), Some(name)) = (table.name(), name.text())
        {
            self.note_asked(Use::Asked, &String::from_utf8_lossy(name));
        }
        for &number in &function.functions {
            let parameters = &mut self.functions.parameters[number];
            for (parameter, argument) in parameters.iter_mut().zip(&arguments) {
                parameter.join(argument);
            }
        }
        let Some(path) = path.map(|path| match call.method {
            Some(method) => Cow::Owned(format!("{path}:{method}")),
            None => path,
        }) else {
            return Value::default();
        };
        let of_environment = self.is_of_environment(call);
        if of_environment || !is_local {
            self.tell_call(call, (&path, of_environment), &arguments, span);
        }
        self.result(call, &path, &function, &arguments)
    }

    /// Returns the arguments of a call, of which the first may be tested.
    pub(super) fn arguments(&mut self, call: &'t Call<'t>, tests: bool) -> Vec<Value<'t>> {
        let arguments = call.arguments.iter().enumerate().map(|(index, argument)| {
            self.condition = tests && index == 0;
            self.value(argument)
        });
        arguments.collect()
    }

    /// Returns whether a call is one as `e.mons("rat")`, where `e` is the environment of a map.
    fn is_of_environment(&self, call: &Call) -> bool {
        let ExprKind::Index(table, _) = &call.function.kind else { return false };
        table.name().is_some_and(|name| name == "_G" || self.is_local(name))
    }

    /// Tells of a call, of which `of_environment` says whether it is one of a map's environment.
    fn tell_call(
        &mut self,
        call: &'t Call<'t>,
        (path, of_environment): (&str, bool),
        arguments: &[Value<'t>],
        span: &Span,
    ) {
        let of_map = of_environment || (!path.contains('.') && !path.contains(':'));
        let is_table = |argument: &Expr| matches!(argument.kind, ExprKind::Table(_));
        if call.arguments.iter().any(is_table) && (self.surroundings.is_interesting)(path) {
            self.tell_fields(call, path, arguments);
        }
        let name = path.rsplit('.').next().filter(|_| of_environment).unwrap_or(path);
        if (self.surroundings.is_interesting)(name) {
            self.tell(Event::Call(Called {
                path: name.to_owned(),
                of_map,
                arguments: arguments.to_vec(),
                spans: call.arguments.iter().map(|argument| argument.span.clone()).collect(),
                span: span.clone(),
                is_sure: self.depth == 0,
                is_tried: self.caught + self.probed > 0
                    || call.arguments.iter().any(|argument| self.is_probe(argument)),
            }));
        }
    }

    /// Tells of the fields of tables that a function is given.
    fn tell_fields(&mut self, call: &'t Call<'t>, path: &str, arguments: &[Value<'t>]) {
        for (argument, value) in call.arguments.iter().zip(arguments) {
            let ExprKind::Table(fields) = &argument.kind else { continue };
            let values = value.fields.iter().flat_map(|fields| &fields.named);
            for (field, (_, value)) in fields.iter().zip(values) {
                let key = field.key.as_ref().and_then(|key| key.text());
                if let Some(key) = key.filter(|_| !value.texts.is_empty()) {
                    let (path, value) = (path.to_owned(), value.clone());
                    self.tell(Event::Field { path, key, value });
                }
            }
        }
    }

    fn result(
        &mut self,
        call: &'t Call<'t>,
        path: &str,
        function: &Value<'t>,
        arguments: &[Value<'t>],
    ) -> Value<'t> {
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
            "table.insert" | "table.remove" | "table.sort" => {
                self.changed(call, path, arguments);
                Value::default()
            }
            _ => result,
        }
    }
}
