//! The known name nearest to one that is unknown.

use std::ops::Range;

use vaultwright_engine::{Edit, Fix};

/// A word and the name that it looks like.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Near {
    /// What is written.
    pub(crate) word: String,
    /// What to write.
    pub(crate) name: String,
    /// Whether nothing else can be meant.
    pub(crate) is_sure: bool,
}

impl Near {
    /// Returns a name that takes the place of an old one.
    pub(crate) fn renamed(word: impl Into<String>, name: impl Into<String>) -> Near {
        Near { word: word.into(), name: name.into(), is_sure: true }
    }

    /// Returns what to say of it.
    pub(crate) fn hint(&self) -> String {
        format!("did you mean '{}'?", self.name)
    }

    /// Returns the fix that writes the name in place of the word; `None` unless the word stands in
    /// these bytes, once.
    pub(crate) fn fix(&self, text: &[u8], span: &Range<usize>) -> Option<Box<Fix>> {
        let part = text.get(span.clone())?;
        let word = self.word.as_bytes();
        let is_part = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
        let stands = |at: usize| {
            let (before, behind) = (part[..at].last(), part.get(at + word.len()));
            part[at..].len() >= word.len()
                && part[at..at + word.len()].eq_ignore_ascii_case(word)
                && ![before, behind].into_iter().flatten().any(|&byte| is_part(byte))
        };
        let mut places = (0..part.len()).filter(|&at| !word.is_empty() && stands(at));
        let (Some(at), None) = (places.next(), places.next()) else { return None };
        let start = span.start + at;
        let written = String::from_utf8_lossy(&part[at..at + word.len()]).into_owned();
        if written == self.name {
            return None;
        }
        Some(Box::new(Fix {
            title: format!("write '{}' for '{written}'", self.name),
            edits: vec![Edit { span: start..start + word.len(), text: self.name.clone() }],
            safe: self.is_sure,
        }))
    }
}

/// Returns the name with the fewest changes, if that is few enough; of equals the one with the
/// same first letter, then the first in the alphabet.
pub(crate) fn nearest<'a>(word: &str, names: impl Iterator<Item = &'a str>) -> Option<Near> {
    let length = word.chars().count();
    let limit = 1 + length / 4;
    let first = word.chars().next();
    let mut close: Vec<(usize, bool, &str)> = names
        .filter(|name| *name != word)
        // Each letter more or less is a change.
        .filter(|name| !name.is_ascii() || name.len().abs_diff(length) <= limit)
        .filter_map(|name| {
            let folded = name.to_lowercase();
            let other_letter = folded.chars().next() != first;
            Some((distance_within(word, &folded, limit)?, other_letter, name))
        })
        .collect();
    close.sort_unstable();
    close.dedup();
    let &(distance, _, name) = close.first()?;
    let is_alone = close.get(1).is_none_or(|&(other, ..)| other > distance);
    let is_sure = match distance {
        0 => true,
        1 => is_alone && length >= 3,
        2 => is_alone && length >= 6,
        _ => false,
    };
    Some(Near { word: word.to_owned(), name: name.to_owned(), is_sure })
}

/// Returns how many changes lie between two names, if it is no more than `limit`.
pub(crate) fn distance_within(a: &str, b: &str, limit: usize) -> Option<usize> {
    // Each change takes at most one letter away and adds one, so most pairs need no closer look.
    let mut more = [0_i32; 32];
    for byte in a.bytes() {
        more[usize::from(byte % 32)] += 1;
    }
    for byte in b.bytes() {
        more[usize::from(byte % 32)] -= 1;
    }
    let letters: u32 = more.iter().map(|count| count.unsigned_abs()).sum();
    if a.is_ascii() && b.is_ascii() && letters as usize > 2 * limit {
        return None;
    }
    Some(strsim::damerau_levenshtein(a, b)).filter(|&distance| distance <= limit)
}

/// What to do about something, and the name that was meant, if it is that.
#[derive(Clone, Debug)]
pub(crate) struct Advice {
    pub(crate) hint: String,
    pub(crate) near: Option<Near>,
}

impl From<String> for Advice {
    fn from(hint: String) -> Advice {
        Advice { hint, near: None }
    }
}

impl From<Near> for Advice {
    fn from(near: Near) -> Advice {
        Advice { hint: near.hint(), near: Some(near) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_can_mean_nothing_else_is_sure() {
        let names = ["rat", "bat", "orc", "ogre", "salamander", "Lair"];
        let near = |word: &str| nearest(word, names.into_iter()).map(|n| (n.name, n.is_sure));
        assert_eq!(near("ratt"), Some(("rat".to_owned(), true)));
        assert_eq!(near("lat"), Some(("bat".to_owned(), false)));
        assert_eq!(near("salamnder"), Some(("salamander".to_owned(), true)));
        assert_eq!(near("slmander"), Some(("salamander".to_owned(), true)));
        assert_eq!(near("lair"), Some(("Lair".to_owned(), true)));
        assert_eq!(near("zebra"), None);
    }

    #[test]
    fn letters_tell_only_what_is_far() {
        let names =
            ["rat", "bat", "orc", "ogre", "salamander", "tar", "ratt", "r\u{e4}t", "", "RAT"];
        for (a, b) in names.iter().flat_map(|a| names.map(|b| (a, b))) {
            let distance = strsim::damerau_levenshtein(a, b);
            for limit in 0..4 {
                let expected = (distance <= limit).then_some(distance);
                assert_eq!(distance_within(a, b, limit), expected, "{a} {b}");
            }
        }
    }

    #[test]
    fn a_fix_writes_the_whole_word_where_it_stands_once() {
        let near = Near::renamed("mons", "kmons");
        let fix =
            |text: &str| near.fix(text.as_bytes(), &(0..text.len())).map(|f| f.edits[0].span.start);
        assert_eq!(fix("e.mons(x)"), Some(2));
        assert_eq!(fix("kmons(x)"), None);
        assert_eq!(fix("mons(mons)"), None);
    }
}
