//! The known name closest to an unknown one.

use std::ops::Range;

use vaultwright_engine::{Edit, Fix};

/// A word and the name that it resembles.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Near {
    /// The word in the text.
    pub(crate) word: String,
    /// The name to write.
    pub(crate) name: String,
    /// Whether no other name can be meant.
    pub(crate) is_sure: bool,
}

impl Near {
    /// Returns a name that replaces an old one.
    pub(crate) fn renamed(word: impl Into<String>, name: impl Into<String>) -> Near {
        Near { word: word.into(), name: name.into(), is_sure: true }
    }

    pub(crate) fn hint(&self) -> String {
        format!("did you mean '{}'?", self.name)
    }

    /// Returns the fix that replaces the word by the name; `None` unless the word occurs in these
    /// bytes exactly once.
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

/// Returns the name with the fewest changes, if there are few enough; among equal ones that with
/// the same first letter, then the alphabetically first. If no name is close enough, returns the
/// shortest one that the word abbreviates.
pub(crate) fn nearest<'a>(word: &str, names: impl Iterator<Item = &'a str>) -> Option<Near> {
    let folded_word = word.to_lowercase();
    let first = folded_word.chars().next()?;
    let (mut close, mut longer) = (Vec::new(), Vec::new());
    let length = folded_word.len();
    let begins = |name: &str| name.chars().flat_map(char::to_lowercase).next() == Some(first);
    let letters = letters_of(&folded_word);
    // Most names can be ruled out: each additional or missing letter is a change.
    let may_be_near = |name: &str| {
        let (own, most) = (letters_of(name), most_changes(length));
        let is_longer = name.len() > length && (letters & !own) == 0 && begins(name);
        let other = |a: u32, b: u32| (a & !b).count_ones() as usize;
        let is_near = name.len().abs_diff(length) <= most
            && other(letters, own) <= most
            && other(own, letters) <= most;
        is_longer || is_near || !name.is_ascii() || !folded_word.is_ascii()
    };
    for name in names.filter(|name| *name != word && !name.is_empty() && may_be_near(name)) {
        let folded = name.to_lowercase();
        if let Some(changes) = changes(&folded_word, &folded) {
            close.push((changes.number, !folded.starts_with(first), name, changes));
        } else if is_short_for(&folded_word, &folded) {
            longer.push((name.len(), name));
        }
    }
    close.sort_unstable_by_key(|&(number, is_other, name, _)| (number, is_other, name));
    close.dedup_by_key(|&mut (.., name, _)| name);
    longer.sort_unstable();
    longer.dedup();
    let begun =
        |&&(_, name): &&(usize, &str)| begins_with_words(&name.to_lowercase(), &folded_word);
    let begun: Vec<&str> = longer.iter().filter(begun).map(|(_, name)| *name).collect();
    let doubtful =
        |name: &str| Some(Near { word: word.to_owned(), name: name.to_owned(), is_sure: false });
    let Some(&(number, _, name, changes)) = close.first() else {
        let (_, name) = longer.first().filter(|_| word.chars().count() >= 3)?;
        // That many names begin with a word tells of none that it is meant.
        return (begun.len() <= MAX_BEGUN).then(|| doubtful(name))?;
    };
    // Something that is more than a misspelling may be an amount.
    let is_amount = |letter: &char| *letter == ':' || letter.is_ascii_digit();
    let amounts = |text: &str| text.chars().filter(is_amount).collect::<String>();
    let is_alone = close.get(1).is_none_or(|&(other, ..)| other > number);
    let is_sure = match number {
        _ if amounts(word) != amounts(name) => false,
        0 => true,
        1 => is_alone && changes.of >= if changes.is_exchange { 4 } else { 3 },
        2 => is_alone && changes.of >= 6,
        _ => false,
    };
    match begun.first() {
        // The words of a longer name are less of a mistake than other letters.
        Some(name) if !is_sure => (begun.len() <= MAX_BEGUN).then(|| doubtful(name))?,
        _ => Some(Near { word: word.to_owned(), name: name.to_owned(), is_sure }),
    }
}

/// Of more names than these that begin with a word none is proposed.
const MAX_BEGUN: usize = 3;

/// Returns whether a name begins with some words, and more follow.
fn begins_with_words(name: &str, words: &str) -> bool {
    name.strip_prefix(words).is_some_and(|rest| rest.starts_with(is_gap))
}

/// The changes from a word to a name.
#[derive(Clone, Copy)]
struct Changes {
    /// The number of changed letters; reordered words count as one.
    number: usize,
    /// The number of letters compared, without words at the start and end that both share.
    of: usize,
    /// Whether letters are replaced, and not only added, removed or reordered.
    is_exchange: bool,
}

/// Returns the changes from a word to a name, if there are few.
fn changes(word: &str, name: &str) -> Option<Changes> {
    if has_other_letters(word, name, most_changes(word.len())) {
        return None;
    }
    let (of_word, of_name) = (word.split(is_gap), name.split(is_gap));
    if of_word.clone().eq(of_name.clone()) {
        // Only gaps are written another way.
        return Some(Changes { number: 0, of: word.chars().count(), is_exchange: false });
    }
    let before = letters_shared(of_word.clone().zip(of_name.clone()));
    let behind = letters_shared(of_word.clone().rev().zip(of_name.clone().rev()));
    let of = word.chars().count().saturating_sub(before + behind);
    let number = match distance_within(word, name, most_changes(of)) {
        Some(number) => number,
        None if word.len() == name.len() && sorted(of_word) == sorted(of_name) => 1,
        None => return None,
    };
    let letters = |word: &str| {
        let mut letters: Vec<char> = word.chars().collect();
        letters.sort_unstable();
        letters
    };
    let is_exchange = word.len() == name.len() && letters(word) != letters(name);
    Some(Changes { number, of, is_exchange })
}

/// Returns how many changes in this many letters may be mistakes.
fn most_changes(letters: usize) -> usize {
    1 + letters / 4
}

fn is_gap(letter: char) -> bool {
    letter == '_' || letter == ' '
}

/// Returns whether each word is the start of the corresponding word of the name.
fn is_short_for(word: &str, name: &str) -> bool {
    let mut of_name = name.split(is_gap);
    word.split(is_gap).all(|own| of_name.next().is_some_and(|other| other.starts_with(own)))
}

/// Returns the number of letters, including a gap for each word, in the leading pairs of equal
/// words.
fn letters_shared<'a>(pairs: impl Iterator<Item = (&'a str, &'a str)>) -> usize {
    pairs.take_while(|(own, other)| own == other).map(|(own, _)| own.chars().count() + 1).sum()
}

fn sorted<'a>(words: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let mut words: Vec<&str> = words.collect();
    words.sort_unstable();
    words
}

/// Returns the edit distance between two names, if it is at most `limit`.
pub(crate) fn distance_within(a: &str, b: &str, limit: usize) -> Option<usize> {
    if has_other_letters(a, b, limit) {
        return None;
    }
    Some(strsim::damerau_levenshtein(a, b)).filter(|&distance| distance <= limit)
}

/// Returns whether the letters of two names show that their distance is more than `limit`: each
/// change removes at most one letter and adds one.
fn has_other_letters(a: &str, b: &str, limit: usize) -> bool {
    let mut more = [0_i32; 32];
    for byte in a.bytes() {
        more[usize::from(byte % 32)] += 1;
    }
    for byte in b.bytes() {
        more[usize::from(byte % 32)] -= 1;
    }
    let letters: u32 = more.iter().map(|count| count.unsigned_abs()).sum();
    a.is_ascii() && b.is_ascii() && letters as usize > 2 * limit
}

/// Returns the letters of a name as bits, ignoring case; other characters share bits.
fn letters_of(name: &str) -> u32 {
    name.bytes().fold(0, |letters, byte| letters | 1 << (byte % 32))
}

/// What to do about a problem, and the name that was meant, if it is about a name.
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
        assert_eq!(near("LAIR"), Some(("Lair".to_owned(), true)));
        assert_eq!(near("orb"), Some(("orc".to_owned(), false)));
        assert_eq!(near("zebra"), None);
    }

    #[test]
    fn words_that_are_shared_tell_nothing() {
        let names = [
            "altar_trog",
            "altar_ru",
            "altar_lugonu",
            "trap_zot",
            "trap_net",
            "dry_fountain",
            "fountain_blue",
            "ogre mage",
            "stone_stairs_down_i",
            "stone_stairs_down_ii",
        ];
        let near = |word: &str| nearest(word, names.into_iter()).map(|n| (n.name, n.is_sure));
        let found = |name: &str, is_sure| Some((name.to_owned(), is_sure));
        assert_eq!(near("altar_Trog"), found("altar_trog", true));
        assert_eq!(near("altar_tro"), found("altar_trog", true));
        assert_eq!(near("altar_lug"), found("altar_lugonu", false));
        assert_eq!(near("altar_tgor"), found("altar_trog", false));
        assert_eq!(near("altar_torg"), found("altar_trog", true));
        assert_eq!(near("altar trog"), found("altar_trog", true));
        assert_eq!(near("st_stairs_down"), found("stone_stairs_down_i", false));
        assert_eq!(near("altar_tso"), None);
        assert_eq!(near("TRAP_ZOT"), found("trap_zot", true));
        assert_eq!(near("trap_foo"), None);
        assert_eq!(near("blue_fountain"), found("fountain_blue", true));
        assert_eq!(near("orc mage"), None);
        assert_eq!(near("stone_stairs_down"), found("stone_stairs_down_i", false));
    }

    #[test]
    fn the_words_of_a_longer_name_are_nearer_than_other_letters() {
        let near = |word: &str| {
            let names = ["no_tide", "no_tele_into", "bloody"];
            nearest(word, names.into_iter()).map(|near| near.name)
        };
        assert_eq!(near("no_tele").as_deref(), Some("no_tele_into"));
        assert_eq!(near("no_tid").as_deref(), Some("no_tide"));
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
