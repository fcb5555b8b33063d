//! Splitting specs: tags, weights, keys, lists.

use std::borrow::Cow;
use std::ops::Range;

use memchr::memchr;

use crate::grid::GlyphSet;
use crate::lost_spec::Unheard;
use crate::{ErrorCode, SpecError};

/// The text primitives shared by all spec parsers (spec 02 §5, spec 03 §2).
pub(crate) struct SpecText<'a> {
    /// The text, trimmed.
    text: Cow<'a, str>,
    /// The initials of its words: most tags are absent, which this shows quickly.
    initials: GlyphSet,
    /// Removed words that have no effect.
    unheard: Vec<Unheard>,
}

impl<'a> SpecText<'a> {
    pub(crate) fn new(text: &'a str) -> SpecText<'a> {
        SpecText::of(Cow::Borrowed(trim(text)))
    }

    fn of(text: Cow<'a, str>) -> SpecText<'a> {
        let mut initials = GlyphSet::default();
        let mut is_first = true;
        for byte in text.bytes() {
            if is_first {
                initials.add(byte);
            }
            // Includes more than white space: too many initials do no harm.
            is_first = byte <= b' ';
        }
        SpecText { text, initials, unheard: Vec::new() }
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.text
    }

    pub(crate) fn contains(&self, part: &str) -> bool {
        find(&self.text, part).is_some()
    }

    /// Removes one occurrence of a word tag. Returns whether it was found (spec 03 §2.2).
    #[inline]
    pub(crate) fn strip(&mut self, tag: &str) -> bool {
        self.has_word_like(tag) && self.strip_word(tag)
    }

    fn strip_word(&mut self, tag: &str) -> bool {
        let text = &*self.text;
        if find(text, tag).is_none() {
            return false;
        }
        if text == tag {
            self.cut(0..tag.len());
            return true;
        }
        let inner = &*[" ", tag, " "].concat();
        let part = if let Some(at) = find(text, inner) {
            at..at + inner.len() - 1
        } else if text.starts_with(&inner[1..]) {
            0..tag.len()
        } else if find(text, &inner[..inner.len() - 1]) == Some(text.len() - tag.len() - 1) {
            text.len() - tag.len() - 1..text.len()
        } else {
            return false;
        };
        self.cut(part);
        true
    }

    /// Removes a value tag, which ends with a colon, and returns its value (spec 03 §2.3). A tag
    /// without a value counts as absent.
    #[inline]
    pub(crate) fn value(&mut self, prefix: &str) -> Option<String> {
        self.value_or_empty(prefix).filter(|value| !value.is_empty())
    }

    /// Like [`SpecText::value`], but returns an empty value for a tag without one, so that it can
    /// be reported.
    #[inline]
    pub(crate) fn value_or_empty(&mut self, prefix: &str) -> Option<String> {
        if !self.has_word_like(prefix) {
            return None;
        }
        self.take_value(prefix)
    }

    fn take_value(&mut self, prefix: &str) -> Option<String> {
        let bytes = self.text.as_bytes();
        let begins_word = |at: usize| at == 0 || bytes[at - 1].is_ascii_whitespace();
        let at = (0..bytes.len())
            .find(|&at| begins_word(at) && bytes[at..].starts_with(prefix.as_bytes()))?;
        let start = at + prefix.len();
        let end = bytes[start..].iter().position(|&byte| byte == b' ');
        let end = end.map_or(bytes.len(), |space| start + space);
        let value = self.text[start..end].to_owned();
        self.cut(at..(end + 1).min(self.text.len()));
        Some(value)
    }

    #[inline]
    fn has_word_like(&self, tag: &str) -> bool {
        tag.bytes().next().is_some_and(|first| self.initials.contains(first))
    }

    /// Removes a part, and the white space that is then at either end.
    pub(crate) fn cut(&mut self, part: Range<usize>) {
        let text = match &self.text {
            Cow::Borrowed(text) if part.start == 0 => Cow::Borrowed(trim(&text[part.end..])),
            Cow::Borrowed(text) if part.end == text.len() => {
                Cow::Borrowed(trim(&text[..part.start]))
            }
            text => {
                let rest = [&text[..part.start], &text[part.end..]].concat();
                Cow::Owned(trim(&rest).to_owned())
            }
        };
        let unheard = std::mem::take(&mut self.unheard);
        *self = SpecText { unheard, ..SpecText::of(text) };
    }

    /// Removes a value tag. Returns its value if it is a number.
    pub(crate) fn number(&mut self, prefix: &str) -> Option<i32> {
        let value = self.value_or_empty(prefix)?;
        let number = parse_int(&value);
        if number.is_none() {
            self.unheard.push(Unheard::no_number(prefix, &value));
        }
        number
    }

    /// Records words that have no effect, although no error is reported.
    pub(crate) fn note(&mut self, unheard: Unheard) {
        self.unheard.push(unheard);
    }

    /// Returns the words found so far that have no effect.
    pub(crate) fn take_unheard(&mut self) -> Vec<Unheard> {
        std::mem::take(&mut self.unheard)
    }

    /// Removes `weight:N` or else `w:N` (spec 03 §2.4).
    pub(crate) fn weight(&mut self) -> Option<i32> {
        self.number("weight:").or_else(|| self.number("w:"))
    }
}

/// Finds a short word in a short text: `str::find` is optimised for long ones.
pub(crate) fn find(text: &str, word: &str) -> Option<usize> {
    let (text, word) = (text.as_bytes(), word.as_bytes());
    let Some(&first) = word.first() else { return Some(0) };
    let last = text.len().checked_sub(word.len())?;
    (0..=last).find(|&at| text[at] == first && text[at..].starts_with(word))
}

/// Trims space, tab, CR and LF.
pub(crate) fn trim(text: &str) -> &str {
    let white = |byte: &u8| matches!(byte, b' ' | b'\t' | b'\r' | b'\n');
    let bytes = text.as_bytes();
    let start = bytes.iter().position(|byte| !white(byte)).unwrap_or(bytes.len());
    let end = bytes.iter().rposition(|byte| !white(byte)).map_or(start, |at| at + 1);
    &text[start..end]
}

/// Splits at every separator, trims the pieces, and drops empty ones.
pub fn split_trimmed(separator: char, text: &str) -> Vec<&str> {
    text.split(separator).map(trim).filter(|piece| !piece.is_empty()).collect()
}

/// Like [`split_trimmed`], as an iterator.
pub(crate) fn pieces(separator: u8, text: &str) -> impl Iterator<Item = &str> {
    debug_assert!(separator.is_ascii());
    let mut rest = Some(text);
    let split = std::iter::from_fn(move || {
        let text = rest.take()?;
        let Some(at) = memchr(separator, text.as_bytes()) else { return Some(text) };
        rest = Some(&text[at + 1..]);
        Some(&text[..at])
    });
    split.map(trim).filter(|piece| !piece.is_empty())
}

/// Converts bytes to text, with a mark in place of invalid UTF-8. Like [`String::from_utf8_lossy`],
/// which takes several times as long for valid text.
pub fn text_of(bytes: &[u8]) -> Cow<'_, str> {
    std::str::from_utf8(bytes).map_or_else(|_| String::from_utf8_lossy(bytes), Cow::Borrowed)
}

/// Parses optional white space and sign, then decimal digits, and nothing else.
pub(crate) fn parse_int(text: &str) -> Option<i32> {
    let text = text.trim_start();
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    text.parse().ok()
}

/// Parses a number as `parse_int` does. Of one that is too large the lower 32 bits are left, as
/// 0.28 was asked.
pub(crate) fn cut_number(text: &str) -> Option<i32> {
    let text = text.trim_start();
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    let is_number = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
    is_number.then(|| leading_number(text))
}

/// Returns the leading digits as a number, 0 if there are none. Of one that is too large the lower
/// 32 bits are left (as 0.28 was asked).
pub(crate) fn leading_number(text: &str) -> i32 {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    let end = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
    let number = match digits[..end].parse::<i64>() {
        Ok(number) => number,
        Err(_) if end == 0 => 0,
        Err(_) => i64::MAX,
    };
    if text.starts_with('-') { -number as i32 } else { number as i32 }
}

/// Splits a declaration at its separator (spec 02 §5.1). Returns the key, the separator and the
/// argument. Blanks before it, which only scripts can give it, count: what is behind the first byte
/// may be the separator.
pub fn split_key(text: &[u8]) -> Result<(&[u8], u8, &[u8]), SpecError> {
    let bad = |fault: &str| {
        let message = format!("{fault} in '{}'", String::from_utf8_lossy(text));
        Err(SpecError::whole(ErrorCode::BadKey, message))
    };
    let behind_first = text.get(1..).unwrap_or_default();
    let separator = behind_first.iter().position(|&b| b == b'=' || b == b':');
    let Some(at) = separator.map(|at| at + 1) else {
        return bad("malformed declaration - must use = or :");
    };
    let (key, argument) = (trim_bytes(&text[..at]), trim_bytes(&text[at + 1..]));
    if key.is_empty() {
        return bad("selector '' must be <= -1 characters");
    }
    if argument.is_empty() {
        return bad("no substitute defined");
    }
    Ok((key, text[at], argument))
}

pub(crate) fn trim_bytes(text: &[u8]) -> &[u8] {
    let white = |b: &u8| matches!(b, b' ' | b'\t' | b'\r' | b'\n');
    let start = text.iter().position(|b| !white(b)).unwrap_or(text.len());
    let end = text.iter().rposition(|b| !white(b)).map_or(start, |at| at + 1);
    &text[start..end]
}

/// Parses a weighted list with `/` (spec 02 §5.2). Returns the values in lower case with their
/// weights.
pub fn weighted_list(text: &str) -> Result<Vec<(String, i32)>, SpecError> {
    let mut list = Vec::new();
    for piece in pieces(b'/', text) {
        let lower = piece.to_lowercase();
        let mut piece = SpecText::new(&lower);
        let mut weight = piece.weight();
        let mut value = piece.as_str().to_owned();
        if weight.is_none()
            && let Some((name, suffix)) = piece.as_str().split_once(':')
        {
            weight = parse_int(suffix).filter(|&weight| weight > 0);
            if weight.is_none() {
                return Err(SpecError::new(
                    ErrorCode::BadWeight,
                    format!("Invalid weight specifier in \"{text}\""),
                    suffix,
                ));
            }
            value = trim(name).to_owned();
        }
        list.push((value, weight.unwrap_or(10)));
    }
    Ok(list)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stripped(text: &str, tag: &str) -> (bool, String) {
        let mut text = SpecText::new(text);
        (text.strip(tag), text.as_str().to_owned())
    }

    #[test]
    fn words_are_stripped_by_the_four_rules() {
        assert_eq!(stripped("band", "band"), (true, String::new()));
        assert_eq!(stripped("orc band", "band"), (true, "orc".into()));
        assert_eq!(stripped("band orc", "band"), (true, "orc".into()));
        assert_eq!(stripped("a band b", "band"), (true, "a b".into()));
        assert_eq!(stripped("orc band band", "band"), (true, "orc band".into()));
        assert_eq!(stripped("orc bandit band", "band"), (false, "orc bandit band".into()));
    }

    #[test]
    fn values_end_at_a_blank() {
        let mut text = SpecText::new("orc w: 5");
        assert_eq!(text.number("w:"), None);
        assert_eq!(text.as_str(), "orc 5");
        let mut text = SpecText::new("orc w:7 weight:8");
        assert_eq!(text.weight(), Some(8));
        assert_eq!(text.as_str(), "orc w:7");
    }

    #[test]
    fn tags_begin_words_whatever_was_taken_before() {
        let mut text = SpecText::new(" w:3 orc\tatt:x  hd:4 band ");
        assert!(text.value("tt:").is_none() && !text.strip("rc"));
        assert_eq!(text.value("att:").as_deref(), Some("x"));
        assert_eq!((text.number("hd:"), text.number("w:")), (Some(4), Some(3)));
        assert!(text.strip("band") && !text.strip("w:3"));
        assert_eq!(text.as_str(), "orc");
        assert!(text.strip("orc") && !text.strip("orc"));
        assert_eq!(text.as_str(), "");
    }

    #[test]
    fn of_a_number_that_is_too_large_32_bits_are_left() {
        for (text, left) in [
            ("5", Some(5)),
            (" +5", Some(5)),
            ("4294967297", Some(1)),
            ("-2147483649", Some(i32::MAX)),
            ("99999999999999999999", Some(-1)),
            ("1.5", None),
            ("", None),
        ] {
            assert_eq!(cut_number(text), left, "{text}");
        }
    }

    #[test]
    fn pieces_are_those_that_are_not_blank() {
        let text = " a b,, \t,c ,";
        assert_eq!(pieces(b',', text).collect::<Vec<_>>(), ["a b", "c"]);
        assert_eq!(pieces(b',', text).collect::<Vec<_>>(), split_trimmed(',', text));
        assert_eq!(pieces(b'/', "").count(), 0);
    }

    #[test]
    fn what_is_no_text_is_marked() {
        assert_eq!(
            (text_of(b"a\xffb"), text_of("ü".as_bytes())),
            ("a\u{fffd}b".into(), "ü".into())
        );
    }

    #[test]
    fn a_value_that_is_empty_is_none() {
        let mut text = SpecText::new("orc ench: name:a");
        assert_eq!(text.value("ench:"), None);
        assert_eq!(text.as_str(), "orc name:a");
    }
}
