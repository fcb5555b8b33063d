//! Parts of specs without effect: alternatives with errors that the reference forgets (VW351),
//! tiles that no definition file names (VW354), failing functions of markers (VW201), numbers that
//! are invalid or ignored (VW352), words without a meaning in their place (VW355).

use std::ops::Range;

use vaultwright_content::{Content, TileUse};
use vaultwright_engine::{Code, Fix, Problem, Severity};
use vaultwright_map::{ErrorCode, LostFate, LostSpec};

use crate::fixes::{doubtful_edit, edit};
use crate::hints::add_hint;
use crate::near::{Near, nearest};
use crate::spans::trimmed;
use crate::{View, codes, hints};

pub(crate) fn check(view: &View, problems: &mut Vec<Problem>) {
    for (number, lost) in view.entry.selection.lost.iter().enumerate() {
        let span = place_of(view, lost);
        let near = near_word(lost, number, view.engine.content());
        let (code, message, hint) = told(lost, near.as_ref());
        // A tree may describe something that has another name in its version.
        let is_unknown = lost.fate == LostFate::NotInTables;
        let named =
            is_unknown.then(|| called_elsewhere(&lost.culprit, view.engine.content())).flatten();
        let fix = fix_of(lost, near.as_ref(), view.text(), &span);
        let hint = named.unwrap_or(hint);
        let warning = view.warning(codes::LOST_ITEM, span, message, &hint);
        let mut problem = Problem { code, fix, ..warning };
        if code == Code::Lua {
            // An error of Lua, though the map lives with it.
            let usual = problem.hint.take();
            let is_doubtful = lost.fate == LostFate::OfStandIn;
            problem.severity = if is_doubtful { Severity::Warning } else { Severity::Error };
            add_hint(&mut problem, view.engine.content());
            problem.hint = problem.hint.or(usual);
        }
        problems.push(problem);
    }
}

/// Returns whether words have no effect, and nothing else is wrong.
pub(crate) fn says_nothing(lost: &LostSpec) -> bool {
    matches!(lost.fate, LostFate::NoNumber | LostFate::UnknownWord)
}

/// Returns whether a tile is doubtful or does not exist.
pub(crate) fn is_tile(lost: &LostSpec) -> bool {
    matches!(lost.fate, LostFate::DoubtfulTile | LostFate::NoTileOfLevel)
}

/// Similar tile names are only searched for the first findings: there can be thousands.
const MAX_NEAR: usize = 20;

/// Returns the word that was meant, if a similar one is valid there; for tiles, only if at most
/// this many findings precede it.
pub(crate) fn near_word(lost: &LostSpec, before: usize, content: &Content) -> Option<Near> {
    match lost.fate {
        _ if is_tile(lost) && before >= MAX_NEAR => None,
        LostFate::UnknownWord => nearest(&lost.culprit, vaultwright_map::words_of_monsters()),
        // Definition files do not give the use of a tile, and only they cause doubtful tiles.
        _ if is_tile(lost) => nearest(&lost.culprit, content.names().tiles.names(TileUse::Cell)),
        _ => None,
    }
}

/// Returns the fix for words without effect.
pub(crate) fn fix_of(
    lost: &LostSpec,
    near: Option<&Near>,
    text: &[u8],
    span: &Range<usize>,
) -> Option<Box<Fix>> {
    match lost.fate {
        LostFate::NoNumber => blank_at_number(&lost.culprit, text, span),
        _ => near?.fix(text, span),
    }
}

/// Returns the fix that adds a blank between a number and the following word, or removes one
/// between a tag and its number.
fn blank_at_number(word: &str, text: &[u8], span: &Range<usize>) -> Option<Box<Fix>> {
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
    // The word may be unknown.
    doubtful_edit(&format!("write a blank before '{rest}'"), at..at, " ")
}

/// Returns the finding that a lost spec is, with its hint.
pub(crate) fn told(lost: &LostSpec, near: Option<&Near>) -> (Code, String, String) {
    let (text, error) = (&lost.text, &lost.message);
    if let Some(near) = near {
        let code = if is_tile(lost) { codes::DOUBTFUL_TILE } else { codes::UNKNOWN_WORD };
        return (Code::Lint(code), error.clone(), near.hint());
    }
    let (code, message, hint) = match lost.fate {
        LostFate::Kept => (
            Code::Lint(codes::LOST_ITEM),
            format!("what is wrong with '{text}' is forgotten without a word: {error}"),
            "take out what cannot be; the alternative is made without it",
        ),
        LostFate::Dropped => (
            Code::Lint(codes::LOST_ITEM),
            format!("'{text}' is dropped without a word: {error}"),
            match text.split_whitespace().any(|word| word.ends_with(':')) {
                true => "what a tag says stands right behind its colon",
                false => "mend it, or take it out; the alternatives behind it hide the mistake",
            },
        ),
        LostFate::NotInTables => (
            Code::Lint(codes::LOST_ITEM),
            format!("{error}, though the data folder may have it"),
            "a stand-in takes its place; where the tree has files of monsters they tell more",
        ),
        LostFate::NoNumber => {
            (Code::Lint(codes::NO_NUMBER), error.clone(), hint_of_number(&lost.culprit))
        }
        LostFate::UnknownWord => (
            Code::Lint(codes::UNKNOWN_WORD),
            error.clone(),
            "take it out, or write what can stand there",
        ),
        LostFate::DoubtfulTile => (
            Code::Lint(codes::DOUBTFUL_TILE),
            error.clone(),
            "the game refuses the map if it has no such tile",
        ),
        LostFate::NoTileOfLevel => (
            Code::Lint(codes::DOUBTFUL_TILE),
            error.clone(),
            "the game passes over it: the level keeps the tile of its branch",
        ),
        LostFate::NoMarker => {
            (Code::Lua, error.clone(), "the game goes on without this marker, and says so")
        }
        LostFate::OfStandIn => (Code::Lua, error.clone(), "check the tree with its dlua/"),
        LostFate::VetoFails => (
            Code::Lua,
            format!("{error} (an error in a veto vetoes: the map is never placed)"),
            "the game does not say so",
        ),
        LostFate::HookStops => (
            Code::Lua,
            error.clone(),
            "the game goes on without the rest of the hooks, and says so",
        ),
    };
    (code, message, hint.to_owned())
}

fn hint_of_number(word: &str) -> &'static str {
    let value = word.split_once(':').map_or(word, |(_, value)| value);
    let digits = value.strip_prefix(['-', '+']).unwrap_or(value);
    match digits.bytes().all(|byte| byte.is_ascii_digit()) {
        _ if value.is_empty() => "write the number right behind the colon",
        true => "correct the number, or take it out",
        false => "write a whole number, and a blank before what follows",
    }
}

/// Returns what a name means in other versions; it may be followed by other words.
fn called_elsewhere(words: &str, content: &Content) -> Option<String> {
    let words = words.split(';').next()?.trim().to_lowercase();
    let shorter = words.rmatch_indices(' ').map(|(blank, _)| &words[..blank]);
    let codes = [ErrorCode::UnknownMonster, ErrorCode::UnknownItem, ErrorCode::BadItemSpec];
    let look_up = |name| codes.iter().find_map(|&code| hints::elsewhere(code, name, content));
    let (name, elsewhere) = std::iter::once(&words[..]).chain(shorter).find_map(look_up)?;
    Some(elsewhere.describe(&name))
}

/// Returns the position of the words in the source. If they were concatenated by Lua, returns the
/// line with the call, or the map's name.
fn place_of(view: &View, lost: &LostSpec) -> Range<usize> {
    let (source, text, culprit) = (view.text(), &lost.text[..], &lost.culprit[..]);
    let in_comment = |at: usize| {
        let line = source[..at].iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        source[line..].trim_ascii_start().starts_with(b"#")
    };
    let find = |words: &str, within: Range<usize>| {
        let start = within.start;
        let mut found = memchr::memmem::find_iter(&source[within], words.as_bytes());
        let at = found.find(|&at| !words.is_empty() && !in_comment(start + at))? + start;
        Some(at..at + words.len())
    };
    // The last line counts completely: the end of a Lua block is not part of the map.
    let Range { start, end } = view.map.span;
    let rest = source[end..].iter().position(|&byte| byte == b'\n');
    let end = rest.map_or(source.len(), |rest| end + rest);
    let Some(whole) = find(text, start..end) else {
        let line = lost.line.map(|line| view.file.lines.line(line));
        return line.map_or_else(
            || view.map.name.span(),
            |line| trimmed(source, line.clone()).unwrap_or(line),
        );
    };
    match culprit.is_empty() {
        true => whole,
        false => find(culprit, whole.clone()).unwrap_or(whole),
    }
}
