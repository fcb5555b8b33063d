//! Maps without a drawing (VW301) or with two (VW372), PLACE together with `veto` (VW302), headers
//! in drawings (VW303), comments after transforms and in drawings (VW304), SHUFFLE with a key
//! (VW305), invalid names (VW373).

use vaultwright_engine::Problem;
use vaultwright_syntax::{Argument, ChunkKind, Header, Map, Piece, PieceBody, SyntaxErrorKind};

use crate::fixes::{comment_of_its_own, edit, end_before};
use crate::glyphs::{has_key, key_of};
use crate::spans::line_around;
use crate::{View, codes};

/// Returns whether there is a single drawing, so that more can be checked.
pub(crate) fn check(view: &View, problems: &mut Vec<Problem>) -> bool {
    let main = view.map.chunk(ChunkKind::Main);
    let dummy = view.entry.selection.has_tag("dummy");
    if view.has_no_drawing() && !view.has_lua() && !dummy {
        problems.push(view.warning(
            codes::NO_DRAWING,
            view.map.name.span(),
            format!("map '{}' has no drawing", view.entry.selection.name),
            "add MAP … ENDMAP, build the grid with Lua, or tag it dummy if it stands for nothing",
        ));
    }
    let place = main.pieces.iter().find(|p| matches!(p.body, PieceBody::Call(Header::Place, _)));
    let veto = view.map.chunk(ChunkKind::Veto);
    if let (Some(place), false) = (place, veto.is_empty(view.text())) {
        problems.push(view.warning(
            codes::PLACE_WITH_VETO,
            place.span(),
            "a map with PLACE has a veto block".to_owned(),
            "if it vetoes, the level it belongs to may stay without its map; use validate, or \
             give the place a second map",
        ));
    }
    two_drawings(view, problems);
    bad_name(view, problems);
    comments_behind(view, problems);
    keys_of_shuffles(view, problems);
    !header_in_drawing(view, problems) && !comment_in_drawing(view, problems)
}

/// Reports a drawing in several pieces: all rows of a map form one, whatever Lua is between them.
fn two_drawings(view: &View, problems: &mut Vec<Problem>) {
    let rows = &view.map.chunk(ChunkKind::Map).pieces;
    let next = rows.windows(2).find(|pair| {
        let is_row = |piece: &Piece| matches!(piece.body, PieceBody::Row(_));
        let between = pair[0].span().end..pair[1].span().start;
        // Usually only the end of a line.
        between.len() > "ENDMAP".len() && pair.iter().all(is_row) && {
            let between = &view.text()[between];
            let mut lines = between.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii);
            lines.any(|line| line == b"ENDMAP")
        }
    });
    let Some([first, second]) = next else { return };
    problems.push(view.warning(
        codes::TWO_DRAWINGS,
        second.span(),
        "the map has two drawings: their rows are put below each other".to_owned(),
        match has_headers_between(view, first, second) {
            true => "is a line `NAME:` missing before the headers of the second?",
            false => {
                "Lua does not choose between drawings: write two maps, and choose with DEPTH, veto \
                 or SUBVAULT"
            }
        },
    ));
}

/// Returns whether the headers of another map stand between two rows.
fn has_headers_between(view: &View, first: &Piece, second: &Piece) -> bool {
    let between = first.span().end..second.span().start;
    view.main().iter().any(|piece| {
        let of_map = [Header::Depth, Header::Tags, Header::Orient, Header::Place, Header::Weight];
        let is_such = matches!(&piece.body, PieceBody::Call(own, _) if of_map.contains(own));
        is_such && between.contains(&piece.span().start)
    })
}

/// Reports comments after headers whose texts are glyphs, and therefore never invalid.
fn comments_behind(view: &View, problems: &mut Vec<Problem>) {
    for piece in view.main() {
        let PieceBody::Call(header, Argument::Text(text)) = &piece.body else { continue };
        if !matches!(header, Header::Subst | Header::Nsubst | Header::Shuffle | Header::Clear) {
            continue;
        }
        let Some(at) = comment_in(text.bytes(view.text())) else { continue };
        let start = piece.span().start + at;
        let (message, hint) = COMMENT_IN_GLYPHS;
        let message = message.to_owned();
        let problem = view.warning(codes::COMMENT_BEHIND, start..piece.span().end, message, hint);
        let fix = comment_of_its_own(view.text(), start, &line_around(view.text(), start));
        problems.push(Problem { fix, ..problem });
    }
}

/// Finds the first row that is a comment: its letters are glyphs of the map.
fn comment_in_drawing(view: &View, problems: &mut Vec<Problem>) -> bool {
    let is_comment = |(_, row): &(&Piece, &[u8])| {
        let words = row.strip_prefix(b"#");
        words.is_some_and(|words| words.starts_with(b" ") && is_remark(words) && varies(words))
    };
    let Some((row, _)) = view.rows().find(is_comment) else { return false };
    if view.main().iter().any(|piece| is_about(view, piece, b'#')) {
        return false;
    }
    let message = "a comment stands in the drawing, and its letters are glyphs".to_owned();
    let hint = "there are no comments between MAP and ENDMAP: move it above MAP";
    problems.push(view.warning(codes::COMMENT_BEHIND, row.span(), message, hint));
    true
}

/// Returns whether there is more than one letter in a text.
fn varies(text: &[u8]) -> bool {
    let mut letters = text.iter().filter(|byte| byte.is_ascii_alphabetic());
    let first = letters.next();
    letters.any(|letter| Some(letter) != first)
}

/// Returns whether a header says something of a glyph.
fn is_about(view: &View, piece: &Piece, glyph: u8) -> bool {
    let PieceBody::Call(header, Argument::Text(text)) = &piece.body else { return false };
    let text = text.bytes(view.text());
    match header {
        Header::Subst | Header::Nsubst | Header::Shuffle | Header::Clear | Header::Subvault => {
            text.contains(&glyph)
        }
        _ => has_key(*header) && key_of(text).is_some_and(|key| key.contains(&glyph)),
    }
}

/// The message and the hint about a comment among glyphs.
pub(crate) const COMMENT_IN_GLYPHS: (&str, &str) = (
    "a comment stands behind the header, and its letters are glyphs",
    "a comment may only stand at the start of a line",
);

/// Returns the start of a comment in a text whose letters are glyphs.
pub(crate) fn comment_in(text: &[u8]) -> Option<usize> {
    let at = text.windows(2).position(|pair| pair == b" #")?;
    is_remark(&text[at + 2..]).then_some(at + 1)
}

/// Reports a SHUFFLE written like a SUBST, unless the drawing shows a `=`.
fn keys_of_shuffles(view: &View, problems: &mut Vec<Problem>) {
    let shuffles = view.main().iter().filter_map(|piece| {
        let PieceBody::Call(Header::Shuffle, Argument::Text(text)) = &piece.body else {
            return None;
        };
        let start = piece.span().start + key_of_shuffle(text.bytes(view.text()))?;
        Some(start..start + 1)
    });
    let mut shuffles = shuffles.peekable();
    if shuffles.peek().is_none() {
        return;
    }
    if shows_equals_sign(view.map, view.text()) {
        return;
    }
    let (message, hint) = KEY_IN_SHUFFLE;
    problems.extend(
        shuffles.map(|span| view.warning(codes::SHUFFLE_KEY, span, message.to_owned(), hint)),
    );
}

/// The message and the hint about a SHUFFLE with a key.
pub(crate) const KEY_IN_SHUFFLE: (&str, &str) = (
    "SHUFFLE has no key: the '=' is one of the glyphs that change places",
    "list the glyphs alone, SHUFFLE: ABC, or write SUBST or NSUBST",
);

/// Returns the position of the `=` in a SHUFFLE written like a SUBST.
pub(crate) fn key_of_shuffle(text: &[u8]) -> Option<usize> {
    let sides: Vec<&[u8]> = text.splitn(3, |&byte| byte == b'=').collect();
    let [key, value] = sides[..] else { return None };
    // Authors who list single glyphs put blanks between the others, too.
    let is_glyphs = |side: &[u8]| {
        let glyphs = side.trim_ascii();
        !glyphs.is_empty() && !glyphs.iter().any(u8::is_ascii_whitespace)
    };
    let is_spaced = key.ends_with(b" ") && value.starts_with(b" ");
    (is_spaced && is_glyphs(key) && is_glyphs(value)).then_some(key.len())
}

/// Returns whether the drawing of a map shows a `=`.
pub(crate) fn shows_equals_sign(map: &Map, source: &[u8]) -> bool {
    map.chunk(ChunkKind::Map).pieces.iter().any(|piece| match &piece.body {
        PieceBody::Row(text) => text.bytes(source).contains(&b'='),
        _ => false,
    })
}

/// Returns whether a text consists of words rather than glyphs, of which nobody lists as many
/// without blanks in between.
fn is_remark(text: &[u8]) -> bool {
    let mut words = text.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
    let is_word = |word: &[u8]| {
        let (_, letters) =
            word.split_at(usize::from(word.first().is_some_and(u8::is_ascii_uppercase)));
        letters.len() > 2
            && word.len() > 3
            && letters.iter().all(u8::is_ascii_lowercase)
            && letters.iter().any(|letter| b"aeiou".contains(letter))
    };
    !text.iter().any(|byte| b"=/:*".contains(byte)) && words.any(is_word)
}

/// Finds the first row that is a header, an end that is not in the first column, or a leftover of a
/// merge.
pub(crate) fn header_in_drawing(view: &View, problems: &mut Vec<Problem>) -> bool {
    let is_end = |row: &[u8]| row.trim_ascii() == b"ENDMAP";
    let header = |row: &[u8]| {
        let may_be = row.first().is_some_and(u8::is_ascii_uppercase) && row.contains(&b':');
        let mut keywords = Header::all().map(|(_, keyword)| keyword);
        may_be && keywords.any(|keyword| row.starts_with(keyword.as_bytes()))
    };
    let is_mark = |row: &[u8]| row.starts_with(b"<<<<<<< ") || row.starts_with(b">>>>>>> ");
    let mut rows = view.rows().filter(|(_, row)| is_end(row) || is_mark(row) || header(row));
    let Some((piece, row)) = rows.next() else { return false };
    let shown = String::from_utf8_lossy(row.trim_ascii()).into_owned();
    let hint = match is_mark(row) {
        true => "a merge was not finished: keep one of the two versions, and take the marks away",
        false => "close the drawing with ENDMAP in the first column",
    };
    let message = format!("'{shown}' is a row of the drawing");
    let problem = view.warning(codes::HEADER_IN_DRAWING, piece.span(), message, hint);
    let span = piece.span();
    // The problem of another row has a fix that ends the drawing there.
    let errors = view.file.tree.errors.iter();
    let mut bad_rows = errors.filter(|error| error.kind == SyntaxErrorKind::BadRow);
    let is_torn = bad_rows.any(|error| view.map.span.contains(&error.span.start));
    let fix = match row {
        row if is_mark(row) || is_torn => None,
        row if is_end(row) => edit("move ENDMAP to the first column", span, "ENDMAP"),
        _ => end_before(view.text(), span.start),
    };
    problems.push(Problem { fix, ..problem });
    true
}

fn bad_name(view: &View, problems: &mut Vec<Problem>) {
    let name = view.map.name.str(view.text()).into_owned();
    let name = name.trim();
    let message = match name.is_empty() {
        true => "the map has no name".to_owned(),
        false if name.contains(char::is_whitespace) => {
            format!("the name '{name}' has blanks in it")
        }
        false => return,
    };
    let mut span = view.map.name.span();
    if span.is_empty() {
        span = view.map.span.start..view.map.span.start + "NAME:".len();
    }
    let hint = "a name is one word of letters, digits and underscores, without a comment behind it";
    problems.push(view.warning(codes::BAD_NAME, span, message, hint));
}
