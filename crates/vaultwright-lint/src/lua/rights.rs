//! Texts that reach several kinds of call, `if …:find("^altar_") then kfeat(…) else mons(…) end`:
//! what is right for one of them is not told for another.

use std::ops::Range;

use foldhash::HashMap;
use vaultwright_syntax::{Header, find_words};

use super::calls::calls;
use super::flow::{Called, Event};
use super::name_kind::NameKind;
use super::value::Known;
use super::{Flaw, Look};

/// For each literal, by its chunk and where it starts, the functions that take what it makes.
#[derive(Default)]
pub(super) struct Rights(HashMap<(usize, usize), Vec<String>>);

impl Rights {
    /// Returns whether another function takes the literals that hold some words of a text.
    pub(super) fn has_other(&self, path: &str, known: &Known, words: &str) -> bool {
        let place = match words {
            "" => None,
            _ => find_words(&known.text, words.as_bytes()).map(|at| at..at + words.len()),
        };
        let mut held = parts_in(known, place.unwrap_or(0..known.text.len())).peekable();
        let is_other = |literal| {
            let takers = self.0.get(&literal).into_iter().flatten();
            takers.into_iter().any(|taker| taker != path)
        };
        held.peek().is_some() && held.all(is_other)
    }

    fn add(&mut self, path: &str, known: &Known) {
        for (_, chunk, span) in &known.parts {
            let takers = self.0.entry((*chunk, span.start)).or_default();
            if !takers.iter().any(|taker| taker == path) {
                takers.push(path.to_owned());
            }
        }
    }
}

/// Returns the literals that a part of a text is made of.
fn parts_in(known: &Known, place: Range<usize>) -> impl Iterator<Item = (usize, usize)> {
    let length: usize = known.parts.iter().map(|(length, ..)| length).sum();
    // A text may have something before it that nobody has written.
    let mut end = known.text.len().saturating_sub(length);
    known.parts.iter().filter_map(move |(length, chunk, span)| {
        let start = end;
        end += length;
        (start < place.end && place.start < end).then_some((*chunk, span.start))
    })
}

impl Look<'_> {
    /// Returns which functions take texts that come to them from elsewhere.
    pub(super) fn rights(&mut self, events: &[Vec<Event>]) -> Rights {
        let mut rights = Rights::default();
        for (tree, events) in events.iter().enumerate() {
            for event in events {
                if let Event::Call(called) = event {
                    self.rights_of(tree, called, &mut rights);
                }
            }
        }
        rights
    }

    fn rights_of(&mut self, tree: usize, called: &Called, rights: &mut Rights) {
        let path = called.path.as_str();
        let header = calls().headers.get(path).filter(|_| called.of_map);
        let row = calls().calls.get(path).filter(|_| header.is_none());
        for (index, (value, span)) in called.arguments.iter().zip(&called.spans).enumerate() {
            let kind = row.and_then(|row| row.takes.get(index)).copied();
            for known in &value.texts {
                let is_own = matches!(&known.parts[..], [(_, of, at)] if *of == tree && at == span);
                if !is_own && self.takes(header.copied(), kind, &known.text) {
                    rights.add(path, known);
                }
            }
        }
    }

    /// Returns whether a text is right for a header, or as a name of a kind.
    fn takes(&mut self, header: Option<Header>, kind: Option<NameKind>, text: &[u8]) -> bool {
        let (header, text) = match (header, kind) {
            (Some(header), _) => (header, text.to_vec()),
            (_, Some(NameKind::Monsters)) => (Header::Mons, text.to_vec()),
            (_, Some(NameKind::Items)) => (Header::Kitem, [b"X = ", text].concat()),
            (_, None | Some(NameKind::Unknown)) => return false,
            (_, Some(kind)) => {
                let text = String::from_utf8_lossy(text);
                return self.names.knows(kind, &text, &self.assigned);
            }
        };
        let flaws = self.specs.check(self.engine, header, &text);
        !flaws.iter().any(|flaw| matches!(flaw, Flaw::Error(_)))
    }
}
