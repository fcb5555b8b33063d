//! Words of specs that want a number and have none (VW352): what cannot be read as one is passed
//! over without a word.

use std::ops::Range;

use vaultwright_engine::{Fix, Problem};
use vaultwright_syntax::{Argument, ChunkKind, Header, PieceBody};

use crate::fixes::{doubtful_edit, edit};
use crate::{View, codes};

const OF_ITEMS: &[&str] =
    &["q", "level", "mimic", "charges", "weight", "w", "numspells", "slevels"];
const OF_MONSTERS: &[&str] = &["hd", "hp", "exp", "dur", "weight", "w"];

/// A word whose number cannot be read.
pub(crate) struct BadNumber {
    /// Where it begins in the text.
    pub(crate) at: usize,
    pub(crate) word: String,
    pub(crate) hint: &'static str,
}

pub(crate) fn check(view: &View, problems: &mut Vec<Problem>) {
    for piece in &view.map.chunk(ChunkKind::Main).pieces {
        let PieceBody::Call(header, Argument::Text(text)) = &piece.body else { continue };
        for bad in bad_numbers(*header, text.bytes(view.text())) {
            let whole = text.span();
            let is_copy = view.text().get(whole.clone()) == Some(text.bytes(view.text()));
            let start = whole.start + bad.at;
            let span = match is_copy {
                true => start..start + bad.word.len(),
                false => text.locate(view.text(), &bad.word),
            };
            let fix = fix_of(&bad.word, view.text(), &span);
            let problem = view.warning(codes::NO_NUMBER, span, message(&bad.word), bad.hint);
            problems.push(Problem { fix, ..problem });
        }
    }
}

/// Returns what is said of such a word.
pub(crate) fn message(word: &str) -> String {
    match word.ends_with(':') {
        true => format!("there is no number behind '{word}', so it says nothing"),
        false => format!("'{word}' has no number that can be read, so it says nothing"),
    }
}

/// Finds the words without a number in what a header takes.
pub(crate) fn bad_numbers(header: Header, text: &[u8]) -> Vec<BadNumber> {
    let words = match header {
        Header::Item | Header::Kitem => OF_ITEMS,
        Header::Mons | Header::Kmons => OF_MONSTERS,
        _ => return Vec::new(),
    };
    if memchr::memchr(b':', text).is_none() {
        return Vec::new();
    }
    let is_gap =
        |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, b',' | b'/' | b'|' | b';');
    let (mut found, mut start) = (Vec::new(), 0);
    for part in text.split(is_gap) {
        let at = start;
        start += part.len() + 1;
        let Some(colon) = part.iter().position(|&byte| byte == b':') else { continue };
        let is_known = words.iter().any(|word| word.as_bytes() == &part[..colon]);
        let value = &part[colon + 1..];
        let digits = value.strip_prefix(b"-").or(value.strip_prefix(b"+")).unwrap_or(value);
        if !is_known || (!digits.is_empty() && digits.iter().all(u8::is_ascii_digit)) {
            continue;
        }
        let hint = match value.is_empty() {
            true => "write the number right behind the colon",
            false => "write a whole number, and a blank before what follows",
        };
        let word = String::from_utf8_lossy(part).into_owned();
        found.push(BadNumber { at, word, hint });
    }
    found
}

/// Returns a blank between a number and the word that follows it.
pub(crate) fn fix_of(word: &str, text: &[u8], span: &Range<usize>) -> Option<Box<Fix>> {
    let (_, value) = word.split_once(':')?;
    let digits = value.len() - value.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let rest = &value[digits..];
    if value.is_empty() {
        let behind = text.get(span.end..)?;
        let blanks = behind.iter().take_while(|&&byte| byte == b' ').count();
        let follows = behind.get(blanks).is_some_and(u8::is_ascii_digit) && blanks > 0;
        let gap = span.end..span.end + blanks;
        return follows.then(|| edit("remove the blank before the number", gap, ""))?;
    }
    let is_word = rest.len() > 2 && rest.bytes().all(|b| b.is_ascii_alphabetic() || b == b'_');
    if digits == 0 || !is_word || text.get(span.clone())? != word.as_bytes() {
        return None;
    }
    let at = span.end - rest.len();
    // The word may be none that is known.
    doubtful_edit(&format!("write a blank before '{rest}'"), at..at, " ")
}
