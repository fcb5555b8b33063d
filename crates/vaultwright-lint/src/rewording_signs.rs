//! Signs in specs of monsters and items that belong elsewhere.

use vaultwright_content::Content;
use vaultwright_syntax::Header;

use crate::rewording::{Rewording, Spec, fix_of};
use crate::spans::line_around;
use crate::spec_words::{self, Kind};

/// Returns the sign that is meant.
pub(crate) fn of(spec: &Spec) -> Option<Rewording> {
    header_inside(spec)
        .or_else(|| key_inside(spec))
        .or_else(|| equipment(spec))
        .or_else(|| alternatives(spec))
}

/// A header among the words: the line before it does not end where it should.
fn header_inside(spec: &Spec) -> Option<Rewording> {
    let words = spec_words::words(spec.text);
    let is_header = |word: &str| Header::all().any(|(_, keyword)| keyword == word);
    let (at, header) = words.iter().find(|(at, word)| *at > 0 && is_header(word))?;
    let hint = format!("'{header}' begins a line of its own; a line that ends in \\ goes on below");
    let before = spec.text[..*at].trim_end();
    let fix = before.strip_suffix('\\').map(|line| {
        let edit = spec.edit(line.trim_end().len()..before.len(), "");
        fix_of("remove the \\ at the end of the line".to_owned(), vec![edit], true)
    });
    Some(Rewording { hint, fix })
}

/// A key where another stands before, or where there is none.
fn key_inside(spec: &Spec) -> Option<Rewording> {
    let (key, name) = spec.text.split_once('=')?;
    let (key, name) = (key.trim(), spec_words::without_tags(name, spec.kind, spec.content));
    if key.is_empty() || key.contains(char::is_whitespace) || !spec.is_known(&name) {
        return None;
    }
    let text = &spec.problem.file.source.text;
    let line = &text[line_around(text, spec.problem.span.start)];
    let begins = |header: Header| line.starts_with(header.keyword().as_bytes());
    let (own, keyed) = match spec.kind {
        Kind::Monster => (Header::Mons, Header::Kmons),
        Kind::Item => (Header::Item, Header::Kitem),
    };
    let (own, keyed) = (begins(own), keyed.keyword());
    let hint = match own {
        true => format!("a line with a key is another: write {keyed} {key} = …"),
        false => format!("a line has one key: write another line, {keyed} {key} = …"),
    };
    Some(Rewording { hint, fix: None })
}

/// What a monster carries, behind the wrong sign.
fn equipment(spec: &Spec) -> Option<Rewording> {
    if spec.kind != Kind::Monster {
        return None;
    }
    let text = spec.text;
    let signs = [" . ", " with ", ". ", " + ", " & "];
    let (at, sign) = signs.iter().find_map(|sign| Some((text.find(sign)?, sign)))?;
    let (monster, items) = (&text[..at], &text[at + sign.len()..]);
    let is_item = |item: &str| {
        Kind::Item.is_name(&spec_words::without_tags(item, Kind::Item, spec.content), spec.content)
    };
    let is_monster = spec.is_known(&spec_words::without_tags(monster, spec.kind, spec.content));
    if !is_monster || !items.split('.').all(is_item) {
        return None;
    }
    let hint = format!(
        "what a monster carries stands behind ';', not '{}', with '.' between its items",
        sign.trim()
    );
    let edit = spec.edit(at..at + sign.len(), " ; ");
    Some(Rewording { hint, fix: Some(fix_of("write ';'".to_owned(), vec![edit], true)) })
}

/// Items with the sign between them that belongs to monsters.
fn alternatives(spec: &Spec) -> Option<Rewording> {
    if spec.kind != Kind::Item || !spec.text.contains(';') {
        return None;
    }
    let mut parts = spec.text.split(';').enumerate();
    let is_known = |(number, part): (usize, &str)| {
        let name = spec_words::without_tags(part, Kind::Item, spec.content);
        match number {
            0 => spec.is_known(&name),
            _ => Kind::Item.is_name(&name, spec.content),
        }
    };
    if !parts.all(is_known) {
        return None;
    }
    let edits = spec.text.match_indices(';').map(|(at, _)| spec.edit(at..at + 1, "/"));
    let fix = fix_of("write '/'".to_owned(), edits.collect(), false);
    let hint = "between alternatives stands '/', between slots ',': ';' is of what monsters carry";
    Some(Rewording { hint: hint.to_owned(), fix: Some(fix) })
}

impl Spec<'_> {
    /// Returns whether a text is a name where the spec begins.
    fn is_known(&self, name: &str) -> bool {
        let content: &Content = self.content;
        match self.is_class {
            true => self.kind.is_name(&format!("any {name}"), content),
            false => self.kind.is_name(name, content),
        }
    }
}
