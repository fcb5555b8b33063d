//! Finding the words of an error in a text.

/// Returns where words occur in a text, ignoring case. Prefers a place where they are a whole
/// alternative except for its tags, then one outside the author's own text, then the first place.
#[must_use]
pub fn find_words(text: &[u8], words: &[u8]) -> Option<usize> {
    find_alone(text, words)
        .or_else(|| find_where(text, words, is_no_text))
        .or_else(|| find_where(text, words, |_| true))
}

/// Finds the first occurrence of words with suitable text before it.
fn find_where(hay: &[u8], needle: &[u8], fits: impl Fn(&[u8]) -> bool) -> Option<usize> {
    let mut places = hay.windows(needle.len().max(1)).enumerate();
    let found = places.find(|(at, part)| part.eq_ignore_ascii_case(needle) && fits(&hay[..*at]));
    found.map(|(at, _)| at)
}

/// Tags whose value is the author's own text, which may contain any name.
const TEXTS: [&[u8]; 7] =
    [b"name:", b"title:", b"owner:", b"type:", b"suffix:", b"dbname:", b"itemname:"];

/// Returns whether the position after these words is outside the text of a tag.
fn is_no_text(before: &[u8]) -> bool {
    let ends_with = |tag: &&[u8]| {
        let start = before.len().checked_sub(tag.len());
        start.is_some_and(|start| before[start..].eq_ignore_ascii_case(tag))
    };
    !TEXTS.iter().any(ends_with)
}

/// Finds words that are a whole alternative except for its tags: for example `worm` after `swamp
/// worm`.
fn find_alone(hay: &[u8], needle: &[u8]) -> Option<usize> {
    let separates = |byte: u8| b"/,;|.:=(){}[]\"'\\\n".contains(&byte);
    // Names contain neither of these, unlike tags such as `w:5` and `generate_awake`.
    let is_tag = |word: &[u8]| word.iter().any(|byte| b":_".contains(byte));
    let is_blank = |byte: &u8| byte.is_ascii_whitespace();
    let ends = |text: &[u8]| {
        let text = text.trim_ascii_end();
        let word = text.iter().rposition(is_blank).map_or(text, |at| &text[at + 1..]);
        text.last().is_none_or(|&last| separates(last)) || is_tag(word)
    };
    let begins = |text: &[u8]| {
        let text = text.trim_ascii_start();
        let word = text.iter().position(is_blank).map_or(text, |at| &text[..at]);
        text.first().is_none_or(|&first| separates(first)) || is_tag(word)
    };
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_' || *byte == b'-';
    find_where(hay, needle, |before| {
        let behind = &hay[before.len() + needle.len()..];
        !before.last().is_some_and(is_word)
            && !behind.first().is_some_and(is_word)
            && ends(before)
            && begins(behind)
            && is_no_text(before)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_stand_alone_are_the_culprits() {
        for (text, culprit, place) in [
            ("swamp worm / worm", "worm", Some(13)),
            ("kite shield / shield good_item", "shield", Some(14)),
            ("scroll of brand weapon w:3 / w:5 weapon", "weapon", Some(33)),
            ("1 = generate_awake worm", "worm", Some(19)),
            ("swamp worm, \\\n  worm / rat", "worm", Some(16)),
            ("tapeworm / worm-eater", "worm", None),
            ("orc name:skeleton n_adj / skeleton", "skeleton", Some(26)),
            ("name:weapons type:weapons", "weapons", None),
            ("swamp worm", "worm", None),
        ] {
            assert_eq!(find_alone(text.as_bytes(), culprit.as_bytes()), place, "{text}");
        }
    }

    #[test]
    fn what_is_nowhere_alone_is_found_outside_of_texts() {
        let found = |text: &str, words: &str| find_words(text.as_bytes(), words.as_bytes());
        assert_eq!(found("weapons shop name:weapons type:weapons", "weapons"), Some(0));
        assert_eq!(found("randbook title:fier disc:fier", "fier"), Some(25));
        assert_eq!(found("rat name:rta", "rta"), Some(9));
        assert_eq!(found("rat", "newt"), None);
    }
}
