//! Taking specs apart: tags, weights, keys, lists.

use crate::{ErrorCode, SpecError};

/// The text primitives that all spec parsers share (spec 02 §5, spec 03 §2).
pub(crate) struct SpecText(String);

impl SpecText {
    pub(crate) fn new(text: &str) -> SpecText {
        SpecText(trim(text).to_owned())
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }

    pub(crate) fn contains(&self, part: &str) -> bool {
        find(&self.0, part).is_some()
    }

    /// Removes one occurrence of a word tag. Returns whether it was there (spec 03 §2.2).
    pub(crate) fn strip(&mut self, tag: &str) -> bool {
        let text = &self.0;
        if find(text, tag).is_none() {
            return false;
        }
        if text == tag {
            self.0.clear();
            return true;
        }
        let inner = format!(" {tag} ");
        let removed = if let Some(at) = text.find(&inner) {
            format!("{}{}", &text[..at], &text[at + inner.len() - 1..])
        } else if let Some(rest) = text.strip_prefix(tag).and_then(|rest| rest.strip_prefix(' ')) {
            rest.to_owned()
        } else if text.find(&inner[..inner.len() - 1])
            == Some((text.len()).wrapping_sub(tag.len() + 1))
        {
            text[..text.len() - tag.len() - 1].to_owned()
        } else {
            return false;
        };
        self.0 = trim(&removed).to_owned();
        true
    }

    /// Removes a value tag, which ends with a colon, and gives its value (spec 03 §2.3); a tag
    /// without one is as good as none.
    pub(crate) fn value(&mut self, prefix: &str) -> Option<String> {
        self.value_or_empty(prefix).filter(|value| !value.is_empty())
    }

    /// As [`SpecText::value`], for those who complain of a tag without a value.
    pub(crate) fn value_or_empty(&mut self, prefix: &str) -> Option<String> {
        let bytes = self.0.as_bytes();
        if !bytes.contains(&b':') {
            return None;
        }
        let mut colons = bytes.iter().enumerate().filter(|&(_, &byte)| byte == b':');
        let start = colons.find_map(|(colon, _)| {
            let at = bytes[..=colon].strip_suffix(prefix.as_bytes())?.len();
            (at == 0 || bytes[at - 1].is_ascii_whitespace()).then_some(colon + 1)
        })?;
        let at = start - prefix.len();
        let end = self.0[start..].find(' ').map_or(self.0.len(), |space| start + space);
        let value = self.0[start..end].to_owned();
        let after = (end + 1).min(self.0.len());
        let rest = format!("{}{}", &self.0[..at], &self.0[after..]);
        self.0 = trim(&rest).to_owned();
        Some(value)
    }

    /// Removes a value tag. Returns its number, if it is one.
    pub(crate) fn number(&mut self, prefix: &str) -> Option<i32> {
        parse_int(&self.value(prefix)?)
    }

    /// Takes `weight:N` or else `w:N` (spec 03 §2.4).
    pub(crate) fn weight(&mut self) -> Option<i32> {
        self.number("weight:").or_else(|| self.number("w:"))
    }
}

/// Returns where a short word stands in a short text: `str::find` prepares for long ones.
fn find(text: &str, word: &str) -> Option<usize> {
    let (text, word) = (text.as_bytes(), word.as_bytes());
    let Some(&first) = word.first() else { return Some(0) };
    let last = text.len().checked_sub(word.len())?;
    (0..=last).find(|&at| text[at] == first && text[at..].starts_with(word))
}

/// Trims space, tab, CR and LF.
pub(crate) fn trim(text: &str) -> &str {
    text.trim_matches([' ', '\t', '\r', '\n'])
}

/// Cuts at every separator, trims the pieces, drops empty ones.
pub fn split_trimmed(separator: char, text: &str) -> Vec<&str> {
    text.split(separator).map(trim).filter(|piece| !piece.is_empty()).collect()
}

/// Parses optional white space and sign, decimal digits, nothing after.
pub(crate) fn parse_int(text: &str) -> Option<i32> {
    let text = text.trim_start();
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    text.parse().ok()
}

/// Returns the leading digits as a number, 0 if there are none.
pub(crate) fn leading_number(text: &str) -> i32 {
    let negative = text.starts_with('-');
    let digits = text.trim_start_matches(['+', '-']);
    let end = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
    let number = digits[..end].parse::<i32>().unwrap_or(0);
    if negative { -number } else { number }
}

/// Returns a declaration split at its separator (spec 02 §5.1): key, separator, argument.
pub fn split_key(text: &[u8]) -> Result<(&[u8], u8, &[u8]), SpecError> {
    let bad = |fault: &str| {
        let message = format!("{fault} in '{}'", String::from_utf8_lossy(text));
        Err(SpecError::whole(ErrorCode::BadKey, message))
    };
    let separator = text.iter().skip(1).position(|&b| b == b'=' || b == b':');
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

/// Returns a weighted list with `/` (spec 02 §5.2): values in lower case with their weights.
pub fn weighted_list(text: &str) -> Result<Vec<(String, i32)>, SpecError> {
    let mut list = Vec::new();
    for piece in split_trimmed('/', text) {
        let mut piece = SpecText::new(&piece.to_lowercase());
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
    fn a_value_that_is_empty_is_none() {
        let mut text = SpecText::new("orc ench: name:a");
        assert_eq!(text.value("ench:"), None);
        assert_eq!(text.as_str(), "orc name:a");
    }
}
