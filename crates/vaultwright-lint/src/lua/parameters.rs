//! Parameters of markers and triggerers that are close to one that is read, but are none
//! (VW362).

use std::rc::Rc;

use vaultwright_engine::{Code, Severity};

use super::calls::calls;
use super::value::{Known, Value};
use super::{Look, Tree};
use crate::codes;
use crate::near::Near;

/// Names that are shorter have too many neighbours.
const MIN_LENGTH: usize = 4;

impl Look<'_> {
    /// Looks at the keys of the table that a class of markers is given, and at its `props`.
    pub(super) fn parameters(&mut self, tree: usize, function: &str, arguments: &[Value]) {
        let calls = calls();
        let takes = |row: &&super::calls::ParameterRow| row.functions.iter().any(|f| f == function);
        let Some(row) = calls.parameters.iter().find(takes) else { return };
        let Some(table) = arguments.first() else { return };
        let properties: Vec<&str> = calls.marker_properties.iter().map(String::as_str).collect();
        let mut known: Vec<&str> = row.takes.iter().map(String::as_str).collect();
        if row.properties {
            known.extend(&properties);
        }
        self.keys(tree, function, &table.keys().texts, &known);
        if known.contains(&"props") {
            for (name, value) in table.fields.iter().flat_map(|fields| &fields.named) {
                if name.as_deref() == Some(b"props") {
                    self.keys(tree, function, &value.keys().texts, &properties);
                }
            }
        }
    }

    fn keys(&mut self, tree: usize, function: &str, keys: &[Rc<Known>], known: &[&str]) {
        for key in keys {
            let text = String::from_utf8_lossy(&key.text).into_owned();
            if text.len() < MIN_LENGTH || known.contains(&text.as_str()) {
                continue;
            }
            let most = if text.len() < 7 { 1 } else { 2 };
            // Each letter more or less is a change.
            let alike = known.iter().filter(|name| name.len().abs_diff(text.len()) <= most);
            let distances = alike.map(|name| (crate::name_distance(name, &text), name));
            let close: Vec<_> = distances.filter(|(distance, _)| *distance <= most).collect();
            let close_ones = close.len();
            let Some((_, name)) = close.into_iter().min_by_key(|(distance, _)| *distance) else {
                continue;
            };
            let message = format!("{function} has no parameter '{text}'");
            let is_sure = close_ones == 1;
            let near = Near { word: text.clone(), name: (*name).to_owned(), is_sure };
            let place = self.place_of(key, &text);
            let Tree { map, .. } = &self.trees[tree];
            let code = Code::Lint(codes::UNKNOWN_ARGUMENT);
            self.tell(*map, code, Severity::Warning, message, Some(near.into()), place);
        }
    }
}
