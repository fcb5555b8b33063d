//! Tables: under which key what stands in them, as far as that is known.

use std::rc::Rc;

use super::super::tree::{Call, Expr, ExprKind, Field};
use super::super::value::{Fields, Key, Value};
use super::Walker;

/// The maximum number of fields of a table to keep.
const MAX_FIELDS: usize = 256;
/// The same of a table that is written out.
const MAX_WRITTEN: usize = 4096;

impl<'t> Walker<'_, 't> {
    pub(super) fn table(&mut self, fields: &'t [Field<'t>]) -> Value<'t> {
        let mut known = Fields::default();
        let mut number = 0;
        for Field { key, value } in fields {
            let (key, name) = match key {
                Some(key) => self.key(key),
                None => {
                    number += 1;
                    (Key::Number(number), Value::default())
                }
            };
            let value = self.value(value);
            if known.named.len() < MAX_WRITTEN {
                known.named.push((key, value));
            }
            known.keys.join(&name);
        }
        Value { fields: Some(Rc::new(known)), ..Value::default() }
    }

    /// Returns the key that an expression is, and the texts that it may be.
    pub(super) fn key(&mut self, expr: &'t Expr<'t>) -> (Key<'t>, Value<'t>) {
        if let &ExprKind::Number(number) = &expr.kind
            && number.fract() == 0.0
        {
            return (Key::Number(number as i64), Value::default());
        }
        let value = self.value(expr);
        let key = value.only_text().map(|text| Key::Text(text.clone()));
        (key.unwrap_or_default(), value)
    }

    /// Assigns to a field of a table.
    pub(super) fn assign_field(
        &mut self,
        (table, key): (&'t Expr<'t>, &'t Expr<'t>),
        value: &Value<'t>,
    ) {
        let (known, name) = self.key(key);
        let key = match is_next(key, table) {
            true => self.next_of(table),
            false => known,
        };
        self.add_to_table(table, (key, &name), value);
    }

    fn add_to_table(
        &mut self,
        table: &'t Expr<'t>,
        (key, name): (Key<'t>, &Value<'t>),
        value: &Value<'t>,
    ) {
        let Some(named) = table.name() else {
            self.value(table);
            return;
        };
        let nesting = self.nesting;
        let (place, is_own) = match self.find(named) {
            Some(local) => (Rc::make_mut(&mut local.value), local.nesting == nesting),
            None => (self.global_mut(named), false),
        };
        let fields = Rc::make_mut(place.fields.get_or_insert_default());
        if is_own && key != Key::Any && fields.named.len() < MAX_FIELDS {
            fields.named.retain(|(other, _)| *other != key);
        }
        if fields.named.len() < MAX_FIELDS {
            fields.named.push((key, value.clone()));
        }
        fields.keys.join(&Value { texts: name.texts.clone(), ..Value::default() });
    }

    /// Returns the number behind the last of a list, unless it may be another in each round.
    fn next_of(&self, table: &Expr) -> Key<'t> {
        let (loops, nesting) = (self.loops, self.nesting);
        let local = self.locals.iter().rev().find(|local| table.name() == Some(local.name));
        let Some(local) = local.filter(|own| own.loops == loops && own.nesting == nesting) else {
            return Key::Any;
        };
        let Some(fields) = &local.value.fields else { return Key::Any };
        if fields.named.len() >= MAX_FIELDS {
            return Key::Any;
        }
        let mut last = 0;
        for (key, _) in &fields.named {
            match key {
                Key::Any => return Key::Any,
                Key::Number(number) => last = last.max(*number),
                Key::Text(_) => {}
            }
        }
        Key::Number(last.saturating_add(1))
    }

    /// What a function of Lua does to a list.
    pub(super) fn changed(&mut self, call: &'t Call<'t>, path: &str, arguments: &[Value<'t>]) {
        let Some(table) = call.arguments.first() else { return };
        match (path, arguments) {
            ("table.insert", [_, value]) => {
                let key = self.next_of(table);
                self.add_to_table(table, (key, &Value::default()), value);
            }
            ("table.insert", [_, _, value]) => {
                self.shuffle(table, true);
                self.add_to_table(table, (Key::Any, &Value::default()), value);
            }
            _ => self.shuffle(table, path == "table.sort"),
        }
    }

    /// Forgets where in a list what stands, and what is left of it unless it is all there.
    fn shuffle(&mut self, table: &'t Expr<'t>, is_whole: bool) {
        let Some(name) = table.name() else { return };
        let place = match self.find(name) {
            Some(local) => Rc::make_mut(&mut local.value),
            None => self.global_mut(name),
        };
        let Some(fields) = &mut place.fields else { return };
        let fields = Rc::make_mut(fields);
        if !is_whole {
            fields.named.retain(|(key, _)| matches!(key, Key::Text(_)));
        }
        for (key, _) in &mut fields.named {
            if let Key::Number(_) = key {
                *key = Key::Any;
            }
        }
    }
}

/// Returns whether a key is `#t + 1` for the table itself.
fn is_next(key: &Expr, table: &Expr) -> bool {
    let ExprKind::Binary("+", length, one) = &key.kind else { return false };
    let ExprKind::Unary("#", of) = &length.kind else { return false };
    matches!(one.kind, ExprKind::Number(1.0)) && of.name().is_some() && of.name() == table.name()
}
