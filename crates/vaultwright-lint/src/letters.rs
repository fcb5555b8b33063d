//! Letters that are several glyphs, since glyphs are bytes (VW320).

use std::ops::Range;

use vaultwright_engine::Problem;
use vaultwright_syntax::{Argument, Header, Piece, PieceBody};

use crate::glyphs::has_key;
use crate::structure::comment_in;
use crate::{View, codes};

/// Reports the first such letter of the drawing, and of each line that names glyphs the first.
pub(crate) fn check(view: &View, problems: &mut Vec<Problem>) {
    let text = view.text();
    if text.get(view.map.span.clone()).is_none_or(<[u8]>::is_ascii) {
        return;
    }
    let place = |within: Range<usize>| {
        let (at, letter) = letter_of_bytes(text.get(within.clone())?)?;
        Some((within.start + at, letter))
    };
    let drawn = view.rows().find_map(|(piece, _)| place(piece.span()));
    let lines = view.main().iter();
    let named =
        lines.filter(|piece| names_one(piece, text)).filter_map(|piece| place(piece.span()));
    for (at, letter) in drawn.into_iter().chain(named) {
        let bytes = letter.len_utf8();
        let shown = match letter.is_whitespace() {
            true => format!("U+{:04X}", u32::from(letter)),
            false => format!("'{letter}'"),
        };
        problems.push(view.warning(
            codes::LETTER_OF_BYTES,
            at..at + bytes,
            format!("{shown} is {bytes} glyphs, since each byte is one"),
            "take a letter of ASCII: this one makes its row longer than it looks",
        ));
    }
}

/// Returns whether a line of a map has such a letter where glyphs stand.
fn names_one(piece: &Piece, source: &[u8]) -> bool {
    let PieceBody::Call(header, Argument::Text(text)) = &piece.body else { return false };
    let text = text.bytes(source);
    if text.is_ascii() {
        return false;
    }
    let glyphs = match header {
        // The letters of a comment are told as such.
        Header::Subst | Header::Nsubst | Header::Shuffle | Header::Clear => {
            comment_in(text).is_none().then_some(text)
        }
        header if *header == Header::Subvault || has_key(*header) => {
            vaultwright_map::split_key(text.trim_ascii()).ok().map(|(key, ..)| key)
        }
        _ => None,
    };
    glyphs.is_some_and(|glyphs| letter_of_bytes(glyphs).is_some())
}

/// Returns the first letter of several bytes and where it stands. What is no UTF-8 is none: there a
/// letter may be one byte.
fn letter_of_bytes(text: &[u8]) -> Option<(usize, char)> {
    let at = text.iter().position(|byte| !byte.is_ascii())?;
    let letter = text[at..].utf8_chunks().next()?.valid().chars().next()?;
    Some((at, letter))
}
