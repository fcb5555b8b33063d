//! What is being written at a position.

use std::ops::Range;

use vaultwright::lint::{LuaWord, lua_words};
use vaultwright::syntax::Header;

use crate::Document;
use crate::document::LuaText;

/// What is being written, up to the cursor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Scene {
    /// The first word of a line outside Lua and drawings.
    LineStart(Range<usize>),
    /// A part of a header's argument, from the preceding separator to the cursor.
    Argument(Header, Range<usize>),
    /// A name in Lua, including the tables before it.
    LuaName(Range<usize>),
    /// A part of a Lua string that stands for the argument of a header, up to the cursor.
    LuaText(Header, Range<usize>),
}

/// Returns what is being written at a byte; `None` in drawings, comments and unknown text.
pub(crate) fn scene(document: &Document, offset: usize) -> Option<Scene> {
    let text = document.text();
    let offset = offset.min(text.len());
    if let Some(lua) = document.lua_text_at(offset) {
        return scene_in(&lua, offset);
    }
    if let Some((header, start)) = document.header_at(offset) {
        if is_comment(&text[start..offset]) {
            return None;
        }
        let (header, part) = part(text, start..offset, header)?;
        return Some(Scene::Argument(header, part));
    }
    let line = text[..offset].iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
    let written = &text[line..offset];
    // A header that the scanner does not recognise yet, because its colon is missing.
    let is_word = written.iter().all(|byte| byte.is_ascii_alphabetic() || *byte == b'-');
    let in_drawing = document.map_at(offset).is_some_and(|map| {
        let rows = document.rows(&document.file().tree.maps[map]);
        let drawing = rows.first().zip(rows.last());
        drawing.is_some_and(|(first, last)| first.start <= offset && offset <= last.end)
    });
    (is_word && !in_drawing).then_some(Scene::LineStart(line..offset))
}

/// Returns what is being written in Lua; `None` in a comment or text of several lines.
fn scene_in(lua: &LuaText, offset: usize) -> Option<Scene> {
    let at = offset - lua.start;
    let is_around = |(word, span): &(LuaWord, Range<usize>)| {
        let is_long = lua.text[span.clone()].contains(&b'\n') || *word == LuaWord::Comment;
        is_long && span.start < at && at < span.end
    };
    if lua_words(&lua.text).iter().any(is_around) {
        return None;
    }
    let moved = |span: Range<usize>| lua.start + span.start..lua.start + span.end;
    Some(match lua_scene(&lua.text, 0..at)? {
        Scene::LineStart(span) => Scene::LineStart(moved(span)),
        Scene::Argument(header, span) => Scene::Argument(header, moved(span)),
        Scene::LuaName(span) => Scene::LuaName(moved(span)),
        Scene::LuaText(header, span) => Scene::LuaText(header, moved(span)),
    })
}

fn is_comment(argument: &[u8]) -> bool {
    argument.trim_ascii_start().starts_with(b"#")
}

/// Returns the part of a header's argument that ends at the caret, and the header whose words stand
/// there: behind the `;` of a monster or a shop that is ITEM. `None` where the header says which
/// glyphs it is about, and where CHANCE and WEIGHT want a number.
fn part(text: &[u8], span: Range<usize>, header: Header) -> Option<(Header, Range<usize>)> {
    let written = &text[span.clone()];
    let is_told = |signs: &[u8]| written.iter().any(|byte| signs.contains(byte));
    let wants_other = match header {
        Header::Kmons | Header::Kitem | Header::Kfeat | Header::Kmask | Header::Kprop => {
            !is_told(b"=:")
        }
        Header::Colour | Header::Tile | Header::Ftile | Header::Rtile => !is_told(b"=:"),
        Header::Marker | Header::Subvault => !is_told(b"=:"),
        Header::Chance | Header::Weight => {
            let last = written.iter().rposition(|&byte| matches!(byte, b'(' | b')'));
            last.is_none_or(|at| written[at] == b')')
        }
        _ => false,
    };
    if wants_other {
        return None;
    }
    let has_items = matches!(header, Header::Mons | Header::Kmons | Header::Kfeat);
    let one = written.iter().rposition(|&byte| matches!(byte, b'/' | b',' | b'\n'));
    let is_item = has_items && written[one.unwrap_or(0)..].contains(&b';');
    let separates = |byte: u8| match header {
        Header::Name | Header::Desc | Header::Welcome => false,
        Header::Tags | Header::Kmask | Header::Kprop => matches!(byte, b' ' | b'=' | b'/' | b'!'),
        // The items of a monster.
        _ if byte == b'.' => is_item,
        _ => matches!(byte, b'/' | b'=' | b',' | b';' | b'|' | b'(' | b'!' | b'\n' | b'\\'),
    };
    let from = written.iter().rposition(|&byte| separates(byte)).map_or(0, |at| at + 1);
    let blanks = written[from..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
    let header = if is_item { Header::Item } else { header };
    Some((header, span.start + from + blanks..span.end))
}

/// Returns what is being written at the end of a piece of Lua.
pub(crate) fn lua_scene(text: &[u8], span: Range<usize>) -> Option<Scene> {
    let source = &text[span.clone()];
    let words = lua_words(source);
    let (word, last) = words.last()?;
    let is_at_end = last.end == source.len();
    match word {
        LuaWord::Name if is_at_end => {
            let start = path_start(source, &words);
            Some(Scene::LuaName(span.start + start..span.end))
        }
        LuaWord::Sign if is_at_end && source[last.clone()] == *b"." => {
            let start = path_start(source, &words);
            Some(Scene::LuaName(span.start + start..span.end))
        }
        LuaWord::Text if is_at_end && !is_closed(&source[last.clone()]) => {
            let function = function_around(source, &words[..words.len() - 1])?;
            let start = span.start + last.start + 1;
            let header = header_of(&function)?;
            let (header, part) = part(text, start..span.end, header)?;
            Some(Scene::LuaText(header, part))
        }
        _ => None,
    }
}

/// Returns the start of the dotted name that ends with the last words.
fn path_start(source: &[u8], words: &[(LuaWord, Range<usize>)]) -> usize {
    let mut start = source.len();
    let mut wants_name = !matches!(words.last(), Some((LuaWord::Sign, _)));
    if let (false, Some((_, dot))) = (wants_name, words.last()) {
        start = dot.start;
    }
    let rest = if wants_name { words } else { &words[..words.len() - 1] };
    let mut rest = rest;
    wants_name = true;
    while let [before @ .., (word, span)] = rest {
        let fits = match word {
            LuaWord::Name => wants_name,
            LuaWord::Sign => !wants_name && &source[span.clone()] == b".",
            _ => false,
        };
        if !fits {
            break;
        }
        start = span.start;
        wants_name = !wants_name;
        rest = before;
    }
    start
}

fn is_closed(literal: &[u8]) -> bool {
    literal.len() > 1 && literal.first() == literal.last()
}

/// Returns the function whose bracket is open after these words.
fn function_around(source: &[u8], words: &[(LuaWord, Range<usize>)]) -> Option<String> {
    let mut depth = 0;
    for (index, (word, span)) in words.iter().enumerate().rev() {
        if *word != LuaWord::Sign {
            continue;
        }
        match &source[span.clone()] {
            b")" | b"}" => depth += 1,
            b"{" => depth -= 1,
            b"(" if depth > 0 => depth -= 1,
            b"(" => {
                let before = &words[..index];
                let end = before.last()?.1.end;
                let start = path_start(&source[..end], before);
                return Some(String::from_utf8_lossy(&source[start..end]).into_owned());
            }
            _ => {}
        }
    }
    None
}

/// Returns the header that a function of scripts stands for: `kmons`, `e.kmons`, `dgn.kmons`.
pub(crate) fn header_of(function: &str) -> Option<Header> {
    let name = function.rsplit('.').next()?;
    match name {
        "create_monster" | "monster_spec" => return Some(Header::Mons),
        "create_item" | "item_spec" => return Some(Header::Item),
        _ => {}
    }
    Header::all().find(|(header, _)| header.lua_function() == name).map(|(header, _)| header)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the scene at `|` in a text.
    fn at(text: &str) -> Option<Scene> {
        let caret = text.find('|').expect("a caret");
        let text = text.replacen('|', "", 1);
        scene(&Document::new("a.des", text.as_bytes()), caret)
    }

    fn part_of(text: &str) -> String {
        let clean = text.replacen('|', "", 1);
        let span = match at(text) {
            Some(Scene::LineStart(span) | Scene::Argument(_, span) | Scene::LuaName(span)) => span,
            Some(Scene::LuaText(_, part)) => part,
            None => panic!("nothing is written at the caret of {text:?}"),
        };
        clean[span].to_owned()
    }

    #[test]
    fn headers_are_written_in_parts() {
        assert_eq!(part_of("NAME: a\nMO|"), "MO");
        assert!(matches!(at("NAME: a\nMONS: rat / gi|"), Some(Scene::Argument(Header::Mons, _))));
        assert_eq!(part_of("NAME: a\nMONS: rat / giant f|\n"), "giant f");
        assert_eq!(part_of("NAME: a\nKMONS: A = |\n"), "");
        assert_eq!(part_of("NAME: a\nTAGS: minivault trans|"), "trans");
        assert_eq!(part_of("NAME: a\nKMASK: W = no_m|"), "no_m");
    }

    #[test]
    fn lua_is_written_in_names_and_texts() {
        assert_eq!(part_of("NAME: a\n: dgn.map_|\n"), "dgn.map_");
        assert_eq!(part_of("NAME: a\n: x = crawl.|\n"), "crawl.");
        assert_eq!(part_of("NAME: a\n{{\nlocal y = sub|\n}}\n"), "sub");
        let text = "NAME: a\n: kmons(\"A = rat / bat|\n";
        assert_eq!(part_of(text), "bat");
        assert!(matches!(at(text), Some(Scene::LuaText(Header::Kmons, _))));
    }

    #[test]
    fn items_stand_behind_the_semicolon_of_monsters_and_shops() {
        let item = |text: &str| matches!(at(text), Some(Scene::Argument(Header::Item, _)));
        assert!(item("NAME: a\nMONS: rat / orc ; |\n"));
        assert!(!item("NAME: a\nMONS: orc ; dagger / |\n"));
        assert_eq!(part_of("NAME: a\nMONS: orc ; dagger . ro|\n"), "ro");
        assert!(item("NAME: a\nKFEAT: A = weapon shop ; dag|\n"));
        let text = "NAME: a\n: kmons(\"A = orc ; da|\n";
        assert!(matches!(at(text), Some(Scene::LuaText(Header::Item, _))));
    }

    #[test]
    fn drawings_and_comments_are_left_alone() {
        assert_eq!(at("NAME: a\nMAP\nxx|x\nENDMAP\n"), None);
        assert_eq!(at("# MO|\n"), None);
    }
}
