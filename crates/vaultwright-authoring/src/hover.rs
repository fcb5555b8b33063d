//! Information about the thing at a position.

use std::ops::Range;

use vaultwright::Engine;
use vaultwright::content::{EngineTag, Monster, MonsterId};
use vaultwright::lint::{LuaWord, lua_words};
use vaultwright::render::meaning;
use vaultwright::syntax::{Header, TokenKind};

use crate::Document;
use crate::described;
use crate::functions::{ScriptFunction, script_functions};
use crate::locals::{Scope, scopes};
use crate::names::{NameKind, name_at};
use crate::outline::outline;

/// The maximum number of rolls until one shows what the glyphs of a map are.
const MAX_TRIES: u64 = 4;
/// The maximum number of places listed for a monster.
const MAX_PLACES: usize = 8;

/// Information about a thing, and its byte range.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hover {
    /// The text in Markdown.
    pub markdown: String,
    /// The byte range of the thing.
    pub span: Range<usize>,
}

/// Returns information about the thing at a byte: a header, a glyph, a monster, an item, a feature,
/// a mask, a property, a tag, a map or a function. To know its glyphs, the document must be loaded
/// in the engine.
pub fn hover(document: &Document, offset: usize, engine: &mut Engine) -> Option<Hover> {
    if let Some(lua) = document.lua_text_at(offset) {
        let found = function_at(&lua.text, offset - lua.start, script_functions())?;
        let span = lua.start + found.span.start..lua.start + found.span.end;
        return Some(Hover { span, ..found });
    }
    let token = document.token_at(offset)?;
    match token.kind {
        TokenKind::Row => return glyph(document, offset, engine),
        TokenKind::Keyword(header) if offset < token.span().end => {
            let markdown = described::header(header)?;
            return Some(Hover { markdown, span: token.span() });
        }
        _ => {}
    }
    if let Some(name) = name_at(document, offset)
        && name.kind != NameKind::Function
    {
        let markdown = match name.kind {
            NameKind::Tag => tag(&name.text, engine),
            _ => map(&name.text, engine),
        };
        return markdown.map(|markdown| Hover { markdown, span: name.span });
    }
    let (header, start) = document.header_at(offset)?;
    let (words, span) = words_around(document, start, offset);
    let markdown = match header {
        Header::Mons | Header::Kmons => monster(&words, engine).or_else(|| item(&words, engine)),
        Header::Item | Header::Kitem => item(&words, engine),
        Header::Kfeat | Header::Marker => feature(&words, engine),
        Header::Kmask => described::mask(&words),
        Header::Kprop => described::property(&words),
        _ => None,
    };
    Some(Hover { markdown: markdown?, span })
}

/// Returns the words between separators around a byte, without weights.
fn words_around(document: &Document, start: usize, offset: usize) -> (String, Range<usize>) {
    let text = document.text();
    let separates =
        |byte: &u8| matches!(byte, b'/' | b'=' | b',' | b';' | b'|' | b'(' | b')' | b'\n');
    let from = text[start..offset].iter().rposition(&separates).map_or(start, |at| start + at + 1);
    let to = text[offset..].iter().position(&separates).map_or(text.len(), |at| offset + at);
    let piece = &text[from..to];
    let blank = piece.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
    let trimmed = piece.trim_ascii();
    let span = from + blank..from + blank + trimmed.len();
    (String::from_utf8_lossy(trimmed).to_lowercase(), span)
}

/// Returns what is known of the function at a byte of a text of Lua.
pub(crate) fn function_at(
    source: &[u8],
    offset: usize,
    functions: &[ScriptFunction],
) -> Option<Hover> {
    let mut words = lua_words(source);
    words.retain(|(word, _)| *word != LuaWord::Comment);
    let here = words.iter().position(|(_, span)| span.start <= offset && offset <= span.end)?;
    // The longest dotted name that ends here.
    let mut start = words[here].1.start;
    let end = words[here].1.end;
    for pair in words[..here].rchunks(2) {
        let [(_, name), (_, dot)] = pair else { break };
        if &source[dot.clone()] != b"." {
            break;
        }
        start = name.start;
    }
    let is_local = || scopes(source, &words)[here] != Scope::Free;
    if start == words[here].1.start && is_local() {
        return None;
    }
    let whole = std::str::from_utf8(&source[start..end]).ok()?;
    let last = std::str::from_utf8(&source[words[here].1.clone()]).ok()?;
    let named = |name: &str| functions.iter().find(|function| function.name == name);
    // `e.kmons` is the map's function through its environment.
    let function = named(whole).or_else(|| named(last))?;
    Some(Hover { markdown: function.markdown(), span: start..end })
}

fn glyph(document: &Document, offset: usize, engine: &mut Engine) -> Option<Hover> {
    let at = match document.text().get(offset) {
        Some(byte) if !byte.is_ascii_whitespace() => offset,
        _ => offset.checked_sub(1)?,
    };
    let glyph = *document.text().get(at)?;
    let map = outline(document).into_iter().find(|map| map.span.contains(&at))?;
    let index = engine.library().find(&map.name)?;
    let rolled = (1..=MAX_TRIES).find_map(|seed| engine.roll(index, seed, None).map);
    engine.take_messages();
    let rolled = rolled?;
    let outcomes = meaning(&rolled, glyph, engine.content());
    let list: Vec<String> = outcomes
        .iter()
        .map(|(what, share)| match *share {
            share if share > 0.9995 => what.clone(),
            share => format!("{what} {:.0} %", share * 100.0),
        })
        .collect();
    let what = if list.is_empty() { "nothing is known of it".to_owned() } else { list.join(", ") };
    Some(Hover { markdown: format!("`{}` {what}", char::from(glyph)), span: at..at + 1 })
}

fn monster(words: &str, engine: &Engine) -> Option<String> {
    let monsters = engine.content().monsters();
    let (id, monster) =
        longest(words, |name| monsters.by_name(name)).map(|id| (id, monsters.get(id)))?;
    let mut text = format!(
        "**{}** `{}` {}\n\nHD {}, about {} hit points, speed {}, {}",
        monster.name,
        monster.glyph,
        monster.colour,
        monster.hd,
        monster.hp10 / 10,
        monster.speed,
        kinds(monster),
    );
    let places = places_of(id, engine);
    if !places.is_empty() {
        text += &format!("\n\nLives in {}", places.join(", "));
    }
    Some(text)
}

fn kinds(monster: &Monster) -> String {
    let mut kinds = vec![monster.size.clone()];
    kinds.extend(monster.holiness.iter().cloned());
    if monster.has("unique") {
        kinds.push("unique".to_owned());
    }
    kinds.retain(|kind| !kind.is_empty());
    kinds.join(", ")
}

/// Returns the branches and depths whose populations contain a monster.
fn places_of(id: MonsterId, engine: &Engine) -> Vec<String> {
    let content = engine.content();
    let branches = content.branches().iter();
    let places = branches.filter_map(|branch| {
        let population = content.populations().of(branch.id);
        let own = population.iter().filter(|entry| entry.monster == Some(id));
        let (min, max) =
            own.fold((i32::MAX, 0), |(min, max), entry| (min.min(entry.min), max.max(entry.max)));
        let last = max.min(branch.levels.max(1));
        let first = min.max(1);
        (first <= last).then(|| match first == last {
            true => format!("{}:{first}", branch.name),
            false => format!("{}:{first}-{last}", branch.name),
        })
    });
    places.take(MAX_PLACES).collect()
}

fn item(words: &str, engine: &Engine) -> Option<String> {
    let items = engine.content().items();
    let item = longest(words, |name| items.by_name(name));
    if let Some(item) = item {
        return Some(format!("**{}**\n\n{}", item.name, item.class));
    }
    let unrand = longest(words, |name| items.unrand(name))?;
    Some(format!("**{}**\n\nartefact: {}", unrand.name, unrand.item))
}

fn feature(words: &str, engine: &Engine) -> Option<String> {
    let features = engine.content().features();
    let id = longest(words, |name| features.by_name(name))?;
    let feature = features.get(id);
    let mut is = vec![match feature.flags.solid() {
        true => "solid",
        false => "can be entered or seen over",
    }];
    if feature.flags.opaque() {
        is.push("opaque");
    }
    Some(format!("**{}**\n\n{}", feature.name, is.join(", ")))
}

/// Returns the thing named by the longest run of words: `patrolling fire giant hd:9` names a fire
/// giant.
fn longest<T>(words: &str, find: impl Fn(&str) -> Option<T>) -> Option<T> {
    let words: Vec<&str> = words.split_whitespace().collect();
    (1..=words.len()).rev().find_map(|length| {
        words.windows(length).find_map(|run| {
            let name = run.join(" ");
            find(&name).or_else(|| find(name.strip_suffix('s')?))
        })
    })
}

fn tag(text: &str, engine: &Engine) -> Option<String> {
    let known: Vec<&EngineTag> =
        engine.content().names().tags.iter().filter(|tag| tag.recognises(text)).collect();
    let library = engine.library();
    let count = library.maps.iter().filter(|map| map.selection.has_tag(text)).count();
    let mut lines: Vec<String> = known.iter().map(|tag| tag.effect.clone()).collect();
    lines.push(match count {
        1 => "1 map has it".to_owned(),
        count => format!("{count} maps have it"),
    });
    Some(format!("**{text}**\n\n{}", lines.join("\n\n")))
}

fn map(name: &str, engine: &Engine) -> Option<String> {
    let library = engine.library();
    let map = &library[library.find(name)?];
    let mut lines = vec![format!("**{name}** ({})", map.file.source.base_name())];
    if !map.selection.description.is_empty() {
        lines.push(map.selection.description.clone());
    }
    let tags: Vec<&str> = map.selection.tags.iter().map(String::as_str).collect();
    if !tags.is_empty() {
        lines.push(format!("tags: {}", tags.join(" ")));
    }
    Some(lines.join("\n\n"))
}

#[cfg(test)]
mod tests {
    use vaultwright::{DataRoot, EngineOptions};

    use super::*;

    /// Returns what is said at the first `|` of a text, which is taken out.
    fn said(text: &str) -> String {
        let offset = text.find('|').expect("a place");
        let document = Document::new("a.des", text.replacen('|', "", 1).as_bytes());
        let options = EngineOptions { root: DataRoot::Bare, ..EngineOptions::default() };
        let mut engine = Engine::new(options).expect("an engine");
        hover(&document, offset, &mut engine).map(|found| found.markdown).unwrap_or_default()
    }

    #[test]
    fn words_are_explained_where_they_stand() {
        assert!(said("NAME: a\nSU|BST: a = b\n").contains("each cell draws"));
        assert!(said("NAME: a\nKMASK: a = !no_it|em_gen\n").contains("no random items"));
        assert!(said("NAME: a\nKPROP: a = blo|ody\n").contains("splattered"));
        assert!(said("NAME: a\nMARKER: a = lua:fog_mach|ine { size = 3 }\n").contains("cloud"));
        assert!(said("NAME: a\nMONS:| orc\n").contains("HD"));
        assert_eq!(said("NAME: a\nKMASK: a = no_su|ch\n"), "");
    }
}
