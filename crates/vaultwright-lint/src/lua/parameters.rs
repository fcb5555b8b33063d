//! Unknown options of painters, parameters of markers and triggerers that are similar to an
//! existing one, and the targets of triggerers (VW362).

use std::rc::Rc;

use super::calls::calls;
use super::flow::Called;
use super::name_kind::NameKind;
use super::tree::Span;
use super::value::{Key, Known, Value};
use super::{Finding, Look};
use crate::codes;
use crate::near::{Advice, Near, distance_within, nearest};

/// Names that are shorter have too many neighbours.
const MIN_LENGTH: usize = 4;

impl Look<'_> {
    /// Looks at the keys of the table that a painter or a class of markers is given, and at the
    /// `props` of the latter.
    pub(super) fn parameters(&mut self, tree: usize, called: &Called) {
        let Called { path: function, arguments, spans, span: call, .. } = called;
        let calls = calls();
        let Some(row) = calls.parameters_of(function) else { return };
        let Some(table) = arguments.first() else { return };
        if row.all {
            let [span] = &spans[..] else { return };
            // What a function makes of a table, or takes out of it, is not known.
            let is_table = self.trees[tree].lua.text.get(span.start) == Some(&b'{');
            if is_table && self.is_of_map(tree, function, call) {
                // What others have put into a table may be for others to read.
                let mut keys = table.keys().texts;
                keys.retain(|key| is_written_in(key, tree, span));
                self.options(tree, function, &keys, &row.takes);
            }
            return;
        }
        let properties: Vec<&str> = calls.marker_properties.iter().map(String::as_str).collect();
        let mut known: Vec<&str> = row.takes.iter().map(String::as_str).collect();
        if row.properties {
            known.extend(&properties);
        }
        self.keys(tree, function, &table.keys().texts, &known);
        if row.closed && !self.is_of_file(function) {
            self.strange(tree, called, &known);
        }
        if known.contains(&"cloud_type") {
            self.numbers_of_clouds(tree, function, table);
        }
        if known.contains(&"toll") {
            self.toll(tree, function, table);
        }
        if known.contains(&"props") {
            for (name, value) in table.fields.iter().flat_map(|fields| &fields.named) {
                if name.is("props") {
                    self.keys(tree, function, &value.keys().texts, &properties);
                }
            }
        }
    }

    /// Tells of a text where a fog machine takes a number.
    fn numbers_of_clouds(&mut self, tree: usize, function: &str, table: &Value) {
        const BEGINNINGS: [&str; 6] = ["pow_", "size", "delay", "walk_", "spread_", "start_"];
        for (name, value) in table.fields.iter().flat_map(|fields| &fields.named) {
            let Key::Text(name) = name else { continue };
            let name = String::from_utf8_lossy(name);
            if !BEGINNINGS.iter().any(|begin| name.starts_with(begin)) {
                continue;
            }
            let is_number = |text: &str| text.trim().parse::<f64>().is_ok();
            for known in value.texts.iter().filter(|known| known.parts.len() == 1) {
                let text = String::from_utf8_lossy(&known.text).into_owned();
                if is_number(&text) {
                    continue;
                }
                let message = format!("{name} of {function} is a number, and '{text}' is none");
                let hint = format!("write {name} = 5, or another number");
                let place = self.place_of(known, &text);
                let finding = Finding::of(codes::OTHER_KIND, message, hint);
                self.tell(self.trees[tree].map, place, finding);
            }
        }
    }

    /// Looks at what a triggerer waits for, the kind of which its type decides about.
    pub(super) fn target(&mut self, tree: usize, called: &Called) {
        if called.path != "DgnTriggerer:new" {
            return;
        }
        let fields = called.arguments.first().and_then(|table| table.fields.as_ref());
        let named = || fields.iter().flat_map(|fields| &fields.named);
        let of = |wanted: &str| named().rev().find(|(name, _)| name.is(wanted));
        let Some((_, type_)) = of("type") else { return };
        let kind = match type_.only_text().map(|text| &text[..]) {
            Some(b"monster_dies") => NameKind::Victim,
            Some(b"feat_change") => NameKind::PartOfFeature,
            _ => return,
        };
        if let Some((_, target)) = of("target") {
            if kind == NameKind::Victim {
                self.victims(tree, target);
            }
            self.names_of(tree, kind, &called.path, target);
        }
    }

    /// Whether a call is written as that of a function of the map is.
    fn is_of_map(&self, tree: usize, function: &str, call: &Span) -> bool {
        let written = self.trees[tree].lua.text.get(call.clone()).unwrap_or_default();
        ["", "e.", "_G."].iter().any(|environment| {
            let behind = written.strip_prefix(environment.as_bytes());
            behind.is_some_and(|behind| behind.starts_with(function.as_bytes()))
        })
    }

    /// Tells of the options that are not known, unless a script may have put another function in
    /// the painter's place.
    fn options(&mut self, tree: usize, function: &str, keys: &[Rc<Known>], known: &[String]) {
        let is_given = |name: &str| keys.iter().any(|key| key.text == name.as_bytes());
        for key in keys {
            let text = String::from_utf8_lossy(&key.text).into_owned();
            if !known.contains(&text) && self.names.is_painter_of_host(function) {
                // An option that the table has already is not the one that was meant.
                let missing = known.iter().map(String::as_str).filter(|name| !is_given(name));
                let near = nearest(&text, missing);
                let advice = match near {
                    Some(near) => Advice::from(near),
                    None => Advice::from(format!("it knows {}", known.join(", "))),
                };
                self.unknown(tree, format!("{function} has no option '{text}'"), advice, key);
            }
        }
    }

    /// Whether the file has a function of this name itself.
    fn is_of_file(&self, function: &str) -> bool {
        self.assigned.contains(function)
    }

    /// Tells of keys that nobody reads, though they resemble none: those written in the call.
    fn strange(&mut self, tree: usize, called: &Called, known: &[&str]) {
        let ([table], [span]) = (&called.arguments[..], &called.spans[..]) else { return };
        let is_table = self.trees[tree].lua.text.get(span.start) == Some(&b'{');
        for key in
            table.keys().texts.iter().filter(|key| is_table && is_written_in(key, tree, span))
        {
            let text = String::from_utf8_lossy(&key.text).into_owned();
            if known.contains(&text.as_str()) || text.starts_with('_') {
                continue;
            }
            // Of `cloud` and `cloud_type` one is a part of the other.
            let first = text.split('_').next().unwrap_or_default();
            let alike: Vec<&str> = known
                .iter()
                .copied()
                .filter(|name| first.len() > 2 && name.split('_').next() == Some(first))
                .collect();
            let advice = match alike[..] {
                [name] => Near { word: text.clone(), name: name.to_owned(), is_sure: false }.into(),
                [] => Advice::from("nobody reads it: take it out".to_owned()),
                _ => Advice::from(format!("it knows {}", alike.join(", "))),
            };
            self.unknown(tree, format!("{} has no parameter '{text}'", called.path), advice, key);
        }
    }

    pub(super) fn keys(&mut self, tree: usize, function: &str, keys: &[Rc<Known>], known: &[&str]) {
        for key in keys {
            let text = String::from_utf8_lossy(&key.text).into_owned();
            if let Some(advice) = self.of_other_release(&text).filter(|_| known.contains(&&*text)) {
                self.unknown(tree, format!("nobody reads the property '{text}'"), advice, key);
                continue;
            }
            if text.len() < MIN_LENGTH || known.contains(&text.as_str()) {
                continue;
            }
            let most = if text.len() < 7 { 1 } else { 2 };
            // Each letter more or less is a change.
            let alike = known.iter().filter(|name| name.len().abs_diff(text.len()) <= most);
            let distances =
                alike.filter_map(|name| Some((distance_within(name, &text, most)?, name)));
            let close: Vec<_> = distances.collect();
            let close_ones = close.len();
            let Some((_, name)) = close.into_iter().min_by_key(|(distance, _)| *distance) else {
                continue;
            };
            let message = format!("{function} has no parameter '{text}'");
            let is_sure = close_ones == 1;
            let near = Near { word: text.clone(), name: (*name).to_owned(), is_sure };
            self.unknown(tree, message, near.into(), key);
        }
    }

    /// Returns what to write for a property of markers that the library of these rules does not
    /// read by this name. The program's own reads both.
    fn of_other_release(&self, property: &str) -> Option<Advice> {
        if !self.engine.is_of_crawl() {
            return None;
        }
        let is_new = self.engine.content().rules.marker_properties_are_renamed;
        let names = &calls().properties_since_0_31;
        let (old, new) =
            names.iter().find(|(old, new)| property == if is_new { old } else { new })?;
        let (hint, name) = match is_new {
            true => (format!("'{old}' is '{new}' since 0.31"), new),
            false => (format!("'{new}' is '{old}' up to 0.30"), old),
        };
        Some(Advice { hint, near: Some(Near::renamed(property, name)) })
    }

    pub(super) fn unknown(&mut self, tree: usize, message: String, advice: Advice, key: &Known) {
        let place = self.place_of(key, &String::from_utf8_lossy(&key.text));
        let finding = Finding::of(codes::UNKNOWN_ARGUMENT, message, advice);
        self.tell(self.trees[tree].map, place, finding);
    }
}

/// Whether a text is one literal within a span.
fn is_written_in(known: &Known, tree: usize, span: &Span) -> bool {
    let is_within = |(_, of, at): &(usize, usize, Span)| {
        *of == tree && span.start <= at.start && at.end <= span.end
    };
    known.parts.len() == 1 && known.parts.iter().all(is_within)
}
