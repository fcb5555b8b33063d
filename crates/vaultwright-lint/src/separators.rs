//! Lists of names with the wrong separator.

use vaultwright_content::Content;
use vaultwright_engine::Problem;
use vaultwright_map::ErrorCode;

use crate::spans::line_around;

/// The maximum length of a list written by a person.
const MAX_LENGTH: usize = 500;

/// Returns the correct separator for words that are unknown as a whole, if one of the parts is a
/// name.
pub(crate) fn hint(
    problem: &Problem,
    code: ErrorCode,
    words: &str,
    content: &Content,
) -> Option<String> {
    if words.len() > MAX_LENGTH {
        return None;
    }
    let is_item = |name: &str| content.items().by_name(name).is_some();
    let is_name = |name: &str| match code {
        ErrorCode::UnknownMonster => content.monsters().by_name(name).is_some(),
        ErrorCode::UnknownItem => is_item(name),
        ErrorCode::UnknownFeature => content.features().by_name(name).is_some(),
        _ => false,
    };
    let has = |sign: char, is_name: &dyn Fn(&str) -> bool| {
        words.contains(sign) && words.split(sign).any(|part| is_name(part.trim()))
    };
    // The text after an alternative of an item is read as a monster.
    let is_alternative = (has('.', &is_item) || is_item(words)) && is_behind_items(problem);
    if code == ErrorCode::UnknownMonster && is_alternative {
        let hint = "between alternatives of what a monster carries stands '|': '/' begins another \
                    monster";
        return Some(hint.to_owned());
    }
    let wrong = ['|', ','].into_iter().find(|&sign| has(sign, &is_name))?;
    Some(format!("between alternatives stands '/', not '{wrong}'"))
}

/// Returns whether items of a monster precede the words on the same line.
fn is_behind_items(problem: &Problem) -> bool {
    let text = &problem.file.source.text;
    let start = line_around(text, problem.span.start).start;
    let before = &text[start..problem.span.start];
    let of_monster = before.rsplit(|&byte| byte == b',').next().unwrap_or(before);
    of_monster.contains(&b';') && of_monster.trim_ascii_end().ends_with(b"/")
}
