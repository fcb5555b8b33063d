//! Slips in Lua that an error shows by its message and the text around it: where the slip is, what
//! to write, and the change that writes it.

use std::borrow::Cow;
use std::ops::Range;

use memchr::memmem;
use vaultwright_engine::{Code, Fix, Problem, SourceFile};
use vaultwright_syntax::Header;

use crate::call_slips;
use crate::fixes::{doubtful_edit, edit};
use crate::lua::unknown_parameters;
use crate::spans::{line_around, map_begun, trimmed};

/// What is meant by a line that fails.
pub(crate) struct Slip {
    pub(crate) span: Range<usize>,
    pub(crate) hint: String,
    pub(crate) fix: Option<Box<Fix>>,
}

/// No more text is looked through for what else is said of a name.
const MAX_TEXT: usize = 200_000;
/// No more lines, and bytes, are looked at for the head of a function.
pub(crate) const MAX_LINES: usize = 200;
const MAX_ABOVE: usize = 20_000;

/// Functions of a map beside those of its headers.
const OF_MAPS: [&str; 6] =
    ["lua_marker", "set_random_mon_list", "hook", "extend_map", "set_feature_name", "remove_tags"];

/// Returns the slip behind an error of Lua, if its kind is known.
pub(crate) fn of(problem: &Problem) -> Option<Slip> {
    if problem.code != Code::Lua {
        return None;
    }
    call_slips::of(problem)
        .or_else(|| environment_not_handed(problem))
        .or_else(|| without_environment(problem))
        .or_else(|| first_is_environment(problem))
        .or_else(|| local_function(problem))
        .or_else(|| comma_missing(problem))
        .or_else(|| comment_of_others(problem))
        .or_else(|| uncalled(problem))
        .or_else(|| index_0(problem))
        .or_else(|| of_timed_markers(problem))
}

/// Returns whether a name is a function of the map, which Lua outside maps does not see.
fn is_of_maps(name: &str) -> bool {
    OF_MAPS.contains(&name) || Header::all().any(|(header, _)| header.lua_function() == name)
}

pub(crate) fn text_of(file: &SourceFile) -> &[u8] {
    let text = &*file.source.text;
    &text[..text.len().min(MAX_TEXT)]
}

/// Returns the line of a problem and where it is.
pub(crate) fn line_of(problem: &Problem) -> Option<(&str, Range<usize>)> {
    let text = &problem.file.source.text;
    let at = line_around(text, problem.span.start);
    Some((std::str::from_utf8(&text[at.clone()]).ok()?, at))
}

/// Returns the word that a message has in quotes behind some words.
pub(crate) fn quoted<'m>(message: &'m str, before: &str) -> Option<&'m str> {
    let (_, rest) = message.split_once(before)?;
    rest.split_once('\'').map(|(word, _)| word)
}

pub(crate) fn is_part(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

fn name_at_end(text: &str) -> &str {
    &text[text.trim_end_matches(is_part).len()..]
}

/// Returns the name and the parameters of the function in which a line stands, by its head above.
fn function_around(text: &[u8], at: usize) -> Option<(&str, Vec<&str>)> {
    let first = at.saturating_sub(MAX_ABOVE);
    let text = &text[first..line_around(text, at).end.min(at + MAX_ABOVE)];
    let before = |line: &Range<usize>| Some(line_around(text, line.start.checked_sub(1)?));
    let own = Some(line_around(text, at - first));
    std::iter::successors(own, before).take(MAX_LINES).find_map(|line| {
        let head = std::str::from_utf8(&text[line]).ok()?;
        let head = head.trim_start_matches(':').trim_start();
        let head = head.strip_prefix("local ").unwrap_or(head).strip_prefix("function ")?;
        let (name, rest) = head.split_once('(')?;
        let (parameters, _) = rest.split_once(')')?;
        Some((name.trim(), parameters.split(',').map(str::trim).collect()))
    })
}

/// `: own_portal()` of a function that takes the environment of the map.
fn environment_not_handed(problem: &Problem) -> Option<Slip> {
    let name = quoted(&problem.message, "attempt to index local '")?;
    let (line, _) = line_of(problem)?;
    let used = line.split_once(&format!("{name}.")).map(|(_, behind)| behind)?;
    let end = used.find(|c| !is_part(c)).unwrap_or(used.len());
    let text = text_of(&problem.file);
    let (function, parameters) = function_around(text, problem.span.start.min(text.len()))?;
    if !is_of_maps(&used[..end]) || parameters.first() != Some(&name) {
        return None;
    }
    let call = format!("{function}(");
    let map = problem.map.as_deref();
    let is_empty = |at: &usize| {
        let behind = text[at + call.len()..].trim_ascii_start();
        let before = text[..*at].last();
        behind.starts_with(b")")
            && before.is_none_or(|byte| !is_part(char::from(*byte)))
            && map.is_none_or(|map| map_name_at(&problem.file, *at).as_deref() == Some(map))
    };
    let at = memmem::find_iter(text, call.as_bytes()).take(MAX_LINES).find(is_empty)?;
    let inside = at + call.len();
    let end = inside + text[inside..].iter().position(|byte| *byte == b')')?;
    let fix = if parameters.len() == 1 { edit } else { doubtful_edit };
    Some(Slip {
        span: at..end + 1,
        hint: format!("call it with _G, the environment of the map: {function}(_G)"),
        fix: fix("hand over _G", inside..end, "_G"),
    })
}

/// Returns the name of the map in which a byte lies.
pub(crate) fn map_name_at(file: &SourceFile, at: usize) -> Option<Cow<'_, str>> {
    let map = &file.tree.maps[map_begun(file, at)?];
    Some(map.name.str(&file.source.text))
}

/// `kfeat("O = enter_sewer")` in a function outside maps.
fn without_environment(problem: &Problem) -> Option<Slip> {
    let name = quoted(&problem.message, "attempt to call global '")?;
    if !is_of_maps(name) || map_begun(&problem.file, problem.span.start).is_some() {
        return None;
    }
    let text = &problem.file.source.text;
    let function = function_around(text, problem.span.start);
    let first = function.and_then(|(_, parameters)| parameters.first().copied());
    let span = problem.span.clone();
    let is_name = text.get(span.clone()) == Some(name.as_bytes());
    match first.filter(|first| matches!(*first, "e" | "_G" | "env")) {
        Some(own) => {
            let called = format!("{own}.{name}");
            let hint = format!("outside a map write {called}(…): '{own}' is the map's environment");
            let fix = is_name.then(|| edit(&format!("write {called}"), span.clone(), &called));
            Some(Slip { span, hint, fix: fix.flatten() })
        }
        None => {
            let hint = format!(
                "'{name}' is of maps: outside of one take its environment, as in \
                 function f(e) e.{name}(…) end, and call f(_G)"
            );
            Some(Slip { span, hint, fix: None })
        }
    }
}

/// `decorative_floor("p", …)`, of which the first argument is the environment.
fn first_is_environment(problem: &Problem) -> Option<Slip> {
    let message = &*problem.message;
    let of_field = quoted(message, "attempt to call field '").is_some_and(is_of_maps);
    let of_nothing = quoted(message, "attempt to index local '") == Some("e");
    let (line, at) = line_of(problem)?;
    let opens = line.match_indices('(').find(|(open, _)| {
        let (function, behind) = (name_at_end(&line[..*open]), line[open + 1..].trim_start());
        let is_such = (of_field && behind.starts_with(['"', '\'']))
            || (of_nothing && behind.starts_with(')'));
        is_such && !function.is_empty() && !is_of_maps(function)
    });
    let (open, _) = opens?;
    let function = name_at_end(&line[..open]);
    let inside = at.start + open + 1;
    let more = if of_field { "_G, " } else { "_G" };
    Some(Slip {
        span: problem.span.clone(),
        hint: format!("the first argument of {function} is _G, the environment of the map"),
        fix: doubtful_edit("hand over _G", inside..inside, more),
    })
}

/// A function that others are to find, and that is `local` outside maps.
fn local_function(problem: &Problem) -> Option<Slip> {
    let message = &*problem.message;
    let name = quoted(message, "Could not resolve '")
        .or_else(|| quoted(message, "attempt to call global '"))?;
    let head = format!("local function {name}");
    let text = text_of(&problem.file);
    let is_whole = |at: &usize| {
        let behind = text.get(at + head.len());
        let is_outside = map_begun(&problem.file, *at).is_none();
        // It is no comment, and stands before the call.
        let line = line_around(text, *at);
        let is_first = text[line.start..*at].iter().all(|byte| b" \t:".contains(byte));
        let is_named = behind.is_none_or(|byte| !is_part(char::from(*byte)));
        is_named && is_outside && is_first && *at < problem.span.start
    };
    let at = memmem::find_iter(text, head.as_bytes()).take(MAX_LINES).find(is_whole)?;
    let line = problem.file.lines.position(at).line;
    Some(Slip {
        span: problem.span.clone(),
        hint: format!("line {line} has it as `local`, for its block alone: write it without"),
        fix: edit("remove the word `local`", at..at + "local ".len(), ""),
    })
}

/// Words that begin something else than a field of a table.
const KEYWORDS: [&str; 13] = [
    "and", "do", "else", "elseif", "end", "for", "if", "local", "or", "return", "then", "until",
    "while",
];

/// A table or a call whose parts no comma parts.
fn comma_missing(problem: &Problem) -> Option<Slip> {
    let message = &*problem.message;
    let is_table = message.contains("'}' expected");
    let near =
        quoted(message, " near '").filter(|_| is_table || message.contains("')' expected"))?;
    let is_item = near.starts_with(|c: char| is_part(c) || matches!(c, '"' | '\'' | '{'));
    if !is_item || KEYWORDS.contains(&near) || near == "function" {
        return None;
    }
    let (line, at) = line_of(problem)?;
    let text = &problem.file.source.text;
    let code = line.trim_start().trim_start_matches(':').trim_start();
    if !code.starts_with(near) {
        let hint = format!("a comma is missing before {near}");
        return line.contains(near).then(|| Slip { span: problem.span.clone(), hint, fix: None });
    }
    let before = line_around(text, at.start.checked_sub(1)?);
    let before = trimmed(text, before)?;
    let words = std::str::from_utf8(&text[before.clone()]).ok()?;
    let own = words.trim_start_matches(':').trim_start();
    if own.is_empty() || own.starts_with("--") {
        return None;
    }
    if words.ends_with([',', ';', '{', '(']) {
        return None;
    }
    let number = problem.file.lines.position(before.start).line;
    // What ends a list can only stand in one.
    let goes_on = code.trim_end().ends_with(',') || {
        let count = |sign| code.matches(sign).count();
        count('}') > count('{') || count(')') > count('(')
    };
    let fix = if goes_on { edit } else { doubtful_edit };
    let has_comment = words.contains("--");
    let end = before.end;
    let hint = match (goes_on, is_table) {
        (true, _) => format!("a comma is missing at the end of line {number}"),
        (false, true) => format!("a comma or a '}}' is missing at the end of line {number}"),
        (false, false) => format!("a comma or a ')' is missing at the end of line {number}"),
    };
    Some(Slip {
        span: before,
        hint,
        fix: if has_comment { None } else { fix("write a comma", end..end, ",") },
    })
}

/// `// a comment`, as other languages write it.
fn comment_of_others(problem: &Problem) -> Option<Slip> {
    let message = &*problem.message;
    let (line, at) = line_of(problem)?;
    let slashes = line.find("//")?;
    let quotes = |sign: char| line[..slashes].matches(sign).count() % 2;
    let is_text = quotes('"') + quotes('\'') > 0 || line[..slashes].contains("--");
    let behind = line[slashes + 2..].trim_start();
    let mut words = behind.split(' ').map(|word| word.trim_end_matches(['.', ',', '!']));
    let is_word = |word: &str| !word.is_empty() && word.bytes().all(|b| b.is_ascii_alphabetic());
    let first = words.next().filter(|_| !is_text)?;
    let is_prose = is_word(first) && words.next().is_some_and(is_word);
    let is_name = behind.starts_with(|c: char| c.is_ascii_alphabetic());
    let is_unknown = quoted(message, "attempt to perform arithmetic on global '")
        .is_some_and(|name| behind.starts_with(name));
    let hint = match message.contains("near '/'") {
        _ if is_unknown || (is_prose && message.contains(" near '")) => "a comment begins with --",
        true if is_name => "a comment begins with --; to divide write math.floor(a / b)",
        _ => return None,
    };
    let start = at.start + slashes;
    let span = start..start + 2;
    let fix = doubtful_edit("write -- for //", span.clone(), "--");
    Some(Slip { span, hint: hint.to_owned(), fix })
}

/// `you.absdepth > 8`, where the function is not called.
fn uncalled(problem: &Problem) -> Option<Slip> {
    let message = &*problem.message;
    let compares = message.contains("attempt to compare") && message.contains("function");
    let is_function = message.contains("attempt to perform arithmetic on")
        || message.contains("attempt to concatenate");
    if !(compares || is_function && message.contains("(a function value)")) {
        return None;
    }
    let (line, at) = line_of(problem)?;
    let paths = ["you.", "dgn.", "crawl."].into_iter().flat_map(|table| {
        line.match_indices(table).filter_map(move |(start, _)| {
            let rest = &line[start + table.len()..];
            let length = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
            let end = start + table.len() + length;
            let is_whole = name_at_end(&line[..start]).is_empty();
            let is_called = line[end..].trim_start().starts_with(['(', '"', '{', '.']);
            (length > 0 && is_whole && !is_called).then_some(start..end)
        })
    });
    let mut paths = paths;
    let path = paths.next()?;
    let name = &line[path.clone()];
    let end = at.start + path.end;
    let is_sure = paths.next().is_none() && name.starts_with("you.");
    let fix = if is_sure { edit } else { doubtful_edit };
    Some(Slip {
        span: at.start + path.start..end,
        hint: format!("write {name}(): without () it is the function itself"),
        fix: fix(&format!("write {name}()"), end..end, "()"),
    })
}

/// `guards[0]` of a list, which counts from 1.
fn index_0(problem: &Problem) -> Option<Slip> {
    const FIRST: &str = "[0]";
    if !problem.message.contains("field '?' (a nil value)") {
        return None;
    }
    let (line, at) = line_of(problem)?;
    let open = line.find(FIRST)?;
    let name = name_at_end(&line[..open]);
    let start = at.start + open;
    Some(Slip {
        span: start - name.len()..start + FIRST.len(),
        hint: format!("a list counts from 1: {name}[0] is nothing"),
        fix: doubtful_edit("write 1", start + 1..start + 2, "1"),
    })
}

/// What a timed marker or its messages lack.
fn of_timed_markers(problem: &Problem) -> Option<Slip> {
    let message = &*problem.message;
    let (line, _) = line_of(problem)?;
    let slip =
        |hint: &str| Some(Slip { span: problem.span.clone(), hint: hint.to_owned(), fix: None });
    if message.contains("attempt to perform arithmetic on") && message.contains("string value") {
        return match line.contains("time_messages") {
            true => slip("the first argument of time_messages is the number of turns"),
            false if line.contains('+') => slip("'+' adds numbers: texts are joined with '..'"),
            false => None,
        };
    }
    if message.contains("No noisemaker specified") {
        return slip(
            "a timed_msg has its texts as messages = time_messages(…), or a noisemaker that makes \
             the noise",
        );
    }
    if !message.contains("(msg = nil)") {
        return None;
    }
    let keys = keys_from(&problem.file.source.text, problem.span.start);
    let names: Vec<&str> = keys.iter().map(|(name, _)| *name).collect();
    let unknown = unknown_parameters("timed_marker", &names);
    let key = match unknown[..] {
        [one] => keys.iter().find(|(name, _)| *name == one),
        _ => None,
    };
    let Some((name, at)) = key else {
        return slip("write msg = timed_msg { … } in it");
    };
    let line = problem.file.lines.position(at.start).line;
    Some(Slip {
        span: at.clone(),
        hint: format!("line {line}: timed_marker has no parameter '{name}': write msg = …"),
        fix: edit("write msg", at.clone(), "msg"),
    })
}

/// Returns the names of the fields of the first table from a byte on, and where they are.
fn keys_from(text: &[u8], start: usize) -> Vec<(&str, Range<usize>)> {
    let mut keys = Vec::new();
    let mut depth = 0;
    let mut quote = None;
    let mut at = start;
    while let Some(&byte) = text.get(at).filter(|_| at < start + MAX_TEXT / 10) {
        match (quote, byte) {
            (Some(_), b'\\') => at += 1,
            (Some(open), _) if open == byte => quote = None,
            (Some(_), _) => {}
            (None, b'"' | b'\'') => quote = Some(byte),
            (None, b'{') => depth += 1,
            (None, b'}') if depth <= 1 => break,
            (None, b'}') => depth -= 1,
            (None, b'=') if depth == 1 && text.get(at + 1) != Some(&b'=') => {
                let before = text[start..at].trim_ascii_end();
                let is_name = |byte: &&u8| is_part(char::from(**byte));
                let length = before.iter().rev().take_while(is_name).count();
                let span = start + before.len() - length..start + before.len();
                let name = std::str::from_utf8(&text[span.clone()]).unwrap_or_default();
                keys.extend((length > 0).then_some((name, span)));
            }
            _ => {}
        }
        at += 1;
    }
    keys
}
