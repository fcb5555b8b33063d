//! What a TAB in a row of a drawing takes away: all that stands behind it (VW007).

use vaultwright_engine::{Code, Problem};
use vaultwright_syntax::SyntaxErrorKind;

use crate::spans::syntax_errors_from;
use crate::{View, codes};

pub(crate) fn check(view: &View, problems: &mut Vec<Problem>) {
    let map = view.map.span.clone();
    let text = &view.text()[map.clone()];
    if memchr::memchr(b'\t', text).is_none() || view.has_no_drawing() {
        return;
    }
    let (mut start, mut is_drawing) = (map.start, false);
    for line in text.split_inclusive(|&byte| byte == b'\n') {
        match line.trim_ascii_end() {
            b"MAP" => is_drawing = true,
            row if row.starts_with(b"ENDMAP") => is_drawing = false,
            row if is_drawing => problems.extend(lost_behind_tab(view, start, row)),
            _ => {}
        }
        start += line.len();
    }
}

/// Returns a finding about the text behind a TAB in a row.
fn lost_behind_tab(view: &View, start: usize, row: &[u8]) -> Option<Problem> {
    let tab = memchr::memchr(b'\t', row)?;
    let message = match tab {
        0 => "the row begins with a TAB, so all of it is lost",
        _ => "the row ends at this TAB: what stands behind it is lost",
    };
    let span = start + tab..start + row.len();
    // The parser has told of text that it takes for something else.
    let next = syntax_errors_from(view.file, span.start).first();
    if next.is_some_and(|error| span.contains(&error.span.start)) {
        return None;
    }
    let hint = "write spaces in place of the TAB";
    let problem = view.warning(codes::SIGN_AS_GLYPH, span, message.to_owned(), hint);
    Some(Problem { code: Code::Syntax(SyntaxErrorKind::BadRow), ..problem })
}
