//! What is known about a value: the strings that it may be.

use std::borrow::Cow;
use std::rc::Rc;

use super::tree::Span;

/// The maximum number of strings to follow.
const MAX_TEXTS: usize = 64;

/// A string that a value may be.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Known<'t> {
    pub(super) text: Cow<'t, [u8]>,
    /// The literals that it consists of: the length, chunk and position of each.
    pub(super) parts: Vec<(usize, usize, Span)>,
}

/// What is known about a value.
#[derive(Clone, Debug, Default)]
pub(super) struct Value<'t> {
    /// The strings that it may be, as far as known.
    pub(super) texts: Vec<Rc<Known<'t>>>,
    /// The values of a table, merged.
    pub(super) fields: Option<Rc<Fields<'t>>>,
    /// The functions that it may be, by number.
    pub(super) functions: Vec<usize>,
}

/// The key of a field.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) enum Key<'t> {
    /// One that is not known.
    #[default]
    Any,
    Text(Cow<'t, [u8]>),
    Number(i64),
}

impl Key<'_> {
    pub(super) fn is(&self, name: &str) -> bool {
        matches!(self, Key::Text(text) if **text == *name.as_bytes())
    }
}

#[derive(Clone, Debug, Default)]
pub(super) struct Fields<'t> {
    /// The values with their keys.
    pub(super) named: Vec<(Key<'t>, Value<'t>)>,
    /// The keys that are strings.
    pub(super) keys: Value<'t>,
}

impl<'t> Value<'t> {
    pub(super) fn of_text(text: Cow<'t, [u8]>, chunk: usize, span: Span) -> Value<'t> {
        let parts = vec![(text.len(), chunk, span)];
        Value { texts: vec![Rc::new(Known { text, parts })], ..Value::default() }
    }

    pub(super) fn of_function(number: usize) -> Value<'t> {
        Value { functions: vec![number], ..Value::default() }
    }

    /// Adds alternatives for the value.
    pub(super) fn join(&mut self, other: &Value<'t>) {
        for text in &other.texts {
            if self.texts.len() < MAX_TEXTS && !self.texts.contains(text) {
                self.texts.push(Rc::clone(text));
            }
        }
        for function in &other.functions {
            if !self.functions.contains(function) {
                self.functions.push(*function);
            }
        }
        match (&mut self.fields, &other.fields) {
            (_, None) => {}
            (mine @ None, Some(theirs)) => *mine = Some(Rc::clone(theirs)),
            (Some(mine), Some(theirs)) if Rc::ptr_eq(mine, theirs) => {}
            (Some(mine), Some(theirs)) if mine.named.len() < 4 * MAX_TEXTS => {
                let mine = Rc::make_mut(mine);
                mine.named.extend(theirs.named.iter().cloned());
                mine.keys.join(&theirs.keys);
            }
            _ => {}
        }
    }

    /// Returns the concatenations of both. Empty strings, with which authors start concatenations,
    /// are left out.
    pub(super) fn concat(&self, other: &Value<'t>) -> Value<'t> {
        let mut texts = Vec::new();
        for left in self.texts.iter().filter(|known| !known.text.is_empty()) {
            for right in other.texts.iter().filter(|known| !known.text.is_empty()) {
                if texts.len() >= MAX_TEXTS {
                    return Value::default();
                }
                let text = Cow::Owned([&left.text[..], &right.text].concat());
                let parts = left.parts.iter().chain(&right.parts).cloned().collect();
                texts.push(Rc::new(Known { text, parts }));
            }
        }
        Value { texts, ..Value::default() }
    }

    /// Returns any element of a table.
    pub(super) fn elements(&self) -> Value<'t> {
        let mut all = Value::default();
        for (_, value) in self.fields.iter().flat_map(|fields| &fields.named) {
            all.join(value);
        }
        all
    }

    /// Returns its string, if there is only one.
    pub(super) fn only_text(&self) -> Option<&Cow<'t, [u8]>> {
        match &self.texts[..] {
            [known] => Some(&known.text),
            _ => None,
        }
    }

    /// Returns the elements with a key; if the key is not known, with any key. What has been put
    /// where nobody knows may have any number.
    pub(super) fn at(&self, key: &Key) -> Value<'t> {
        if *key == Key::Any {
            return self.elements();
        }
        let is_number = matches!(key, Key::Number(_));
        let mut found = Value::default();
        for (name, value) in self.fields.iter().flat_map(|fields| &fields.named) {
            if name == key || is_number && *name == Key::Any {
                found.join(value);
            }
        }
        found
    }

    /// Returns the keys of a table.
    pub(super) fn keys(&self) -> Value<'t> {
        self.fields.as_ref().map(|fields| fields.keys.clone()).unwrap_or_default()
    }
}
