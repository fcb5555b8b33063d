//! Signs between glyphs that are taken for glyphs (VW309): a second `=` in SUBST, the digits of a
//! weight behind a blank, the blank between two groups of SHUFFLE, the `=` of a CLEAR.

use vaultwright_engine::{Code, Problem};
use vaultwright_map::ErrorCode;
use vaultwright_syntax::{Argument, ChunkKind, Header, PieceBody};

use crate::structure::{key_of_shuffle, shows_equals_sign};
use crate::{View, codes};

pub(crate) fn check(view: &View, problems: &mut Vec<Problem>) {
    for piece in view.main() {
        let PieceBody::Call(header, Argument::Text(text)) = &piece.body else { continue };
        let bytes = text.bytes(view.text());
        let found = match header {
            Header::Subst => {
                equals_twice(bytes).filter(|_| !shows_equals_sign(view.map, view.text()))
            }
            Header::Shuffle => groups_without_comma(bytes),
            Header::Clear => {
                key_of_clear(bytes).filter(|_| !shows_equals_sign(view.map, view.text()))
            }
            _ => None,
        };
        let found = found.or_else(|| match header {
            Header::Subst | Header::Nsubst => blank_before_weight(bytes),
            _ => None,
        });
        let Some((at, message, hint)) = found else { continue };
        let start = piece.span().start + at;
        let problem =
            view.warning(codes::SIGN_AS_GLYPH, start..start + 1, message.to_owned(), hint);
        problems.push(problem);
    }
}

/// The place of the sign, what is wrong, and what to do.
type Found = (usize, &'static str, &'static str);

/// Finds `? == .w1`.
fn equals_twice(text: &[u8]) -> Option<Found> {
    let first = memchr::memchr(b'=', text).filter(|&at| at > 0)?;
    let behind = text.get(first + 1..)?;
    let has_more = behind.first() == Some(&b'=') && !behind[1..].trim_ascii().is_empty();
    let key = text[..first].trim_ascii();
    (has_more && !key.is_empty()).then_some((
        first + 1,
        "the second '=' is one of the glyphs that come in",
        "one '=' stands between the glyph and what replaces it",
    ))
}

/// Finds `CLEAR: A = .`, which clears `.` as well.
fn key_of_clear(text: &[u8]) -> Option<Found> {
    let at = key_of_shuffle(text)?;
    Some((
        at,
        "CLEAR has no '=': the glyphs on both sides of it are taken away",
        "list those alone that are to go, as in CLEAR: A; SUBST puts others in their place",
    ))
}

/// Moves a map's lack of exits to the CLEAR that takes its floor away, if one looks like a SUBST.
pub(crate) fn find_place(problem: &mut Problem) {
    if problem.code != Code::Spec(ErrorCode::NoExits) {
        return;
    }
    let maps = &problem.file.tree.maps;
    let behind = maps.partition_point(|map| map.span.start <= problem.span.start);
    let map = behind.checked_sub(1).and_then(|at| maps.get(at));
    let source = &problem.file.source.text;
    let pieces = map.iter().flat_map(|map| &map.chunk(ChunkKind::Main).pieces);
    let found = pieces.into_iter().find_map(|piece| {
        let PieceBody::Call(Header::Clear, Argument::Text(text)) = &piece.body else { return None };
        key_of_clear(text.bytes(source)).map(|(.., hint)| (piece.span(), hint))
    });
    if let Some((span, hint)) = found {
        problem.span = span;
        problem.hint = Some(format!("CLEAR has no '=': {hint}"));
    }
}

/// Finds `x = y W: 20`: the weight of a glyph behind a blank, of which each digit is a glyph.
fn blank_before_weight(text: &[u8]) -> Option<Found> {
    let behind = memchr::memchr(b'=', text).filter(|&at| at > 0)? + 1;
    let colons = memchr::memchr_iter(b':', &text[behind..]).map(|at| behind + at);
    let at = colons.into_iter().find(|&at| {
        let rest = &text[at + 1..];
        let digits = rest.trim_ascii_start();
        let word = digits.split(|byte| byte.is_ascii_whitespace()).next().unwrap_or_default();
        let is_number = word.len() > 1 && word.iter().all(u8::is_ascii_digit);
        let has_glyph = at >= 2 && text[at - 2].is_ascii_whitespace();
        has_glyph && rest.len() > digits.len() && is_number
    })?;
    Some((
        at,
        "the weight does not stand right behind the colon, so each of its digits is a glyph",
        "write the weight without a blank: W:20",
    ))
}

/// Finds `AB 12`: two groups of as many glyphs, more than one each.
fn groups_without_comma(text: &[u8]) -> Option<Found> {
    let text_trimmed = text.trim_ascii_end();
    if text_trimmed.iter().any(|byte| matches!(byte, b',' | b'/' | b'=')) {
        return None;
    }
    let mut groups =
        text_trimmed.split(|byte| byte.is_ascii_whitespace()).filter(|g| !g.is_empty());
    let (first, second) = (groups.next()?, groups.next()?);
    if first.len() < 2 || first.len() != second.len() || groups.any(|g| g.len() != first.len()) {
        return None;
    }
    let lead = text.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
    Some((
        lead + first.len(),
        "the blank is one of the glyphs that change places, with all others of the line",
        "write a comma between two groups that change places by themselves",
    ))
}
