//! Wrong words beside a right name of a monster or an item: a tag that is written wrong, the sign
//! that is meant, a word too many.

use std::ops::Range;

use vaultwright_content::Content;
use vaultwright_engine::{Edit, Fix, Problem};
use vaultwright_map::{ErrorCode, ZombieKind};

use crate::near::{Near, nearest};
use crate::nearest_names::nearest_name;
use crate::spec_words::{Kind, Reading};
use crate::{rewording_signs, spec_words};

/// What to do about words, and the fix that does it.
pub(crate) struct Rewording {
    pub(crate) hint: String,
    pub(crate) fix: Option<Box<Fix>>,
}

/// No spec that somebody means has more letters.
const MAX_LENGTH: usize = 300;

/// Tags whose value is text.
const TITLES: [&str; 2] = ["name:", "itemname:"];

/// The words at fault, where they stand, and what they are to be.
pub(crate) struct Spec<'a> {
    pub(crate) problem: &'a Problem,
    pub(crate) text: &'a str,
    /// Where they begin within the words that the problem points at.
    pub(crate) start: usize,
    pub(crate) kind: Kind,
    /// Whether they stand behind `any`.
    pub(crate) is_class: bool,
    pub(crate) content: &'a Content,
}

/// Returns what words are meant to be that are no name as a whole, where that is more likely than
/// another name.
pub(crate) fn of(problem: &Problem, code: ErrorCode, content: &Content) -> Option<Rewording> {
    let kind = match code {
        ErrorCode::UnknownMonster => Kind::Monster,
        ErrorCode::UnknownItem | ErrorCode::UnknownItemClass => Kind::Item,
        _ => return None,
    };
    let text = problem.file.source.text.get(problem.span.clone())?;
    let text = std::str::from_utf8(text).ok()?;
    // Lines of Lua are more than a spec.
    if text.len() > MAX_LENGTH || text.contains(['"', '(']) {
        return None;
    }
    let is_class = code == ErrorCode::UnknownItemClass;
    let spec = Spec { problem, text, start: 0, kind, is_class, content };
    if text.contains('/') {
        return spec.of_alternative(code);
    }
    rewording_signs::of(&spec).or_else(|| spec.words_meant(code))
}

impl Spec<'_> {
    /// Returns an edit of some of its bytes.
    pub(crate) fn edit(&self, part: Range<usize>, text: impl Into<String>) -> Edit {
        let start = self.problem.span.start + self.start;
        Edit { span: start + part.start..start + part.end, text: text.into() }
    }

    /// Returns what the first alternative of a list is meant to be that is no name.
    fn of_alternative(&self, code: ErrorCode) -> Option<Rewording> {
        // The key of a header stands before the first of them.
        let key = self.text.find(" = ").map_or(0, |at| at + " = ".len());
        let mut start = key;
        for text in self.text[key..].split('/') {
            let spec = text.split(';').next()?;
            let names = spec_words::without_tags(spec, self.kind, self.content);
            if !self.is_name(&[&names]) {
                let own = Spec { text: spec, start, ..*self };
                return own.blank_in_value(&spec_words::words(spec)).or_else(|| {
                    let near = own.near_tag(&spec_words::words(spec));
                    near.filter(|_| code == ErrorCode::UnknownMonster)
                });
            }
            start += text.len() + 1;
        }
        None
    }

    /// Returns whether some of its words are a name.
    fn is_name(&self, words: &[&str]) -> bool {
        let name = words.join(" ");
        let name = if self.is_class { format!("any {name}") } else { name };
        self.kind.is_name(&name, self.content)
    }

    fn words_meant(&self, code: ErrorCode) -> Option<Rewording> {
        let words = spec_words::words(self.text);
        let by_form = self.undead_in_front(&words).or_else(|| self.blank_in_value(&words));
        by_form.or_else(|| self.tags_meant(&words)).or_else(|| {
            let near = nearest_name(self.problem, code, self.text.trim(), self.content);
            let is_sure = near.as_ref().is_some_and(|near| near.is_sure);
            self.near_tag(&words)
                .filter(|near| near.fix.as_ref().is_some_and(|fix| fix.safe) || !is_sure)
                .or_else(|| near.is_none().then(|| self.word_too_many(&words))?)
        })
    }

    /// `zombie ogre`, `zombie:ogre`: the kind of the dead stands behind.
    fn undead_in_front(&self, words: &[(usize, &str)]) -> Option<Rewording> {
        let (begin, rest) = words.split_first()?;
        let (at, (first, own)) = (begin.0, begin.1.split_once(':').unwrap_or((begin.1, "")));
        ZombieKind::of_name(first).filter(|_| self.kind == Kind::Monster)?;
        let names = rest.iter().map(|(_, word)| *word).filter(|word| !self.is_tag(word));
        let own = Some(own).filter(|own| !own.is_empty());
        let names: Vec<&str> = own.into_iter().chain(names).collect();
        if !self.is_name(&names) {
            return None;
        }
        let last = rest.iter().rfind(|(_, word)| !self.is_tag(word)).unwrap_or(begin);
        let name = format!("{} {first}", names.join(" ").replace('_', " "));
        let hint = format!("write '{name}': of what the dead are made stands in front");
        let end = last.0 + last.1.len();
        let has_tags_between = rest.iter().any(|(at, word)| *at < end && self.is_tag(word));
        let edit = self.edit(at..end, name.clone());
        let fix = fix_of(format!("write '{name}'"), vec![edit], true);
        Some(Rewording { hint, fix: (!has_tags_between).then_some(fix) })
    }

    /// `name:gate keeper`: in what a tag says `_` stands for a blank.
    fn blank_in_value(&self, words: &[(usize, &str)]) -> Option<Rewording> {
        let is_sign = |(_, word): &&(usize, &str)| !matches!(*word, ";" | "/" | "|" | ",");
        // Of the whole line, the name stands between the key and what is carried.
        let key = words.iter().position(|(_, word)| *word == "=").map_or(0, |at| at + 1);
        let words: Vec<_> = words[key..].iter().take_while(is_sign).copied().collect();
        let tag =
            words.iter().position(|(_, word)| TITLES.iter().any(|tag| word.starts_with(tag)))?;
        let behind = words[tag + 1..].iter().take_while(|(_, word)| self.is_of_title(word)).count();
        let of_name = |count: usize| -> Vec<&str> {
            let others = words[..=tag].iter().chain(&words[tag + 1 + count..]);
            others.map(|(_, word)| *word).filter(|word| !self.is_tag(word)).collect()
        };
        let count = (1..=behind).find(|&count| self.is_name(&of_name(count)))?;
        let part = words[tag].0..words[tag + count].0 + words[tag + count].1.len();
        let value: Vec<&str> = words[tag..=tag + count].iter().map(|(_, word)| *word).collect();
        let value = value.join("_");
        let hint = format!("write '{value}': '_' stands for a blank in it");
        let fix = fix_of(format!("write '{value}'"), vec![self.edit(part, value)], true);
        Some(Rewording { hint, fix: Some(fix) })
    }

    /// Returns whether a word may belong to a text: it is no tag, nor means one.
    fn is_of_title(&self, word: &str) -> bool {
        let reading = self.kind.read(word, None, self.content);
        let is_near = || nearest(word, self.kind.flags(self.content)).is_some_and(|n| n.is_sure);
        let says_tag = reading.is_some_and(|reading| reading.tag.is_some());
        !self.is_tag(word) && !word.contains('_') && !says_tag && !is_near()
    }

    /// Returns the tags that words say in another form, if a name is left.
    fn tags_meant(&self, words: &[(usize, &str)]) -> Option<Rewording> {
        let (mut read, mut rest) = (Vec::new(), Vec::new());
        let mut at = 0;
        while let Some(&(start, word)) = words.get(at) {
            let next = words.get(at + 1).map(|(_, word)| *word);
            match self.kind.read(word, next, self.content) {
                Some(reading) => {
                    at += usize::from(reading.takes_next);
                    let (last, word) = words[at];
                    read.push((start..last + word.len(), reading));
                }
                None if !self.is_tag(word) => rest.push(word),
                None => {}
            }
            at += 1;
        }
        let is_name = self.is_name(&rest);
        let (part, first) = read.first()?;
        // What is said in words may be a part of the name that is meant.
        if !is_name && (first.tag.is_none() || first.is_word) {
            return None;
        }
        let hint = match &first.tag {
            Some(tag) => format!("write '{tag}' for '{}'", &self.text[part.clone()]),
            None => format!("take out '{}': {}", &self.text[part.clone()], first.why),
        };
        let edits = read.iter().map(|(part, reading)| self.edit_of(part, reading)).collect();
        Some(Rewording { fix: Some(fix_of(hint.clone(), edits, is_name)), hint })
    }

    fn edit_of(&self, part: &Range<usize>, reading: &Reading) -> Edit {
        match &reading.tag {
            Some(tag) => self.edit(part.clone(), tag.clone()),
            None => self.without(part.clone()),
        }
    }

    /// Returns the edit that takes words out, and the blanks on one side of them.
    fn without(&self, part: Range<usize>) -> Edit {
        let blanks = |text: &str| text.len() - text.trim_start().len();
        let behind = blanks(&self.text[part.end..]);
        let before = part.start - self.text[..part.start].trim_end().len();
        match part.end + behind < self.text.len() {
            true => self.edit(part.start..part.end + behind, ""),
            false => self.edit(part.start - before..part.end, ""),
        }
    }

    /// Returns a word that looks like a tag, if the others are a name.
    fn near_tag(&self, words: &[(usize, &str)]) -> Option<Rewording> {
        words.iter().find_map(|(start, word)| {
            if !self.is_name(&self.names_but(words, *start)) {
                return None;
            }
            let near = match word.split_once(':') {
                Some((tag, value)) => {
                    let near = nearest(tag, self.kind.value_tags(self.content))?;
                    let name = format!("{}:{value}", near.name);
                    Near { word: (*word).to_owned(), name, ..near }
                }
                None => nearest(word, self.kind.flags(self.content))?,
            };
            let title = format!("write '{}' for '{word}'", near.name);
            let edit = self.edit(*start..start + word.len(), near.name.clone());
            Some(Rewording {
                hint: near.hint(),
                fix: Some(fix_of(title, vec![edit], near.is_sure)),
            })
        })
    }

    /// Returns the words that are neither tags nor stand at a place.
    fn names_but<'w>(&self, words: &[(usize, &'w str)], but: usize) -> Vec<&'w str> {
        let others = words.iter().filter(|(at, word)| *at != but && !self.is_tag(word));
        others.map(|(_, word)| *word).collect()
    }

    /// Says which word is unknown, if all others are a name.
    fn word_too_many(&self, words: &[(usize, &str)]) -> Option<Rewording> {
        let others = |at: usize| self.names_but(words, at);
        let is_extra = |at: usize| !others(at).is_empty() && self.is_name(&others(at));
        let (at, word) = words.iter().find(|(at, _)| is_extra(*at))?;
        let name = others(*at).join(" ");
        let name = if self.is_class { format!("any {name}") } else { name };
        let hint = format!("'{name}' is known: '{word}' beside it is neither a tag nor of a name");
        Some(Rewording { hint, fix: None })
    }

    fn is_tag(&self, word: &str) -> bool {
        self.kind.is_tag(word, self.content)
    }
}

pub(crate) fn fix_of(title: String, edits: Vec<Edit>, safe: bool) -> Box<Fix> {
    Box::new(Fix { title, edits, safe })
}
