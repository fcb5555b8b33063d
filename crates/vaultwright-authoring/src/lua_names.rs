//! Names in Lua: functions, and maps, tags and functions named in strings.

use std::ops::Range;

use vaultwright::lint::{LuaWord, lua_words};

use crate::document::LuaText;
use crate::locals::{Scope, scopes};
use crate::names::{Found, NameKind, Role, push, subvault_tags, words};

/// What the strings passed to a function name.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Naming {
    /// Tags separated by blanks.
    Tags,
    /// `A : tag:20 / another`.
    Subvault,
    /// A map.
    Map,
    /// A function, if the string is a single word.
    Function,
}

/// Functions whose string arguments are passed on to the call around them.
const TRANSPARENT: [&[u8]; 2] = [b"random_from", b"random_weighted_from"];

/// Returns what the strings in a call name; `None` if nothing known.
fn naming_of_call(function: &[u8]) -> Option<Naming> {
    match function {
        b"tags" | b"tags_remove" | b"has_tag" => Some(Naming::Tags),
        b"map_by_tag" | b"uniq_tag_used" | b"map_register_flag" => Some(Naming::Tags),
        b"subvault" => Some(Naming::Subvault),
        b"map_by_name" => Some(Naming::Map),
        b"function_at_spot" | b"function_in_los" | b"global_function" => Some(Naming::Function),
        b"set_branch_epilogue" => Some(Naming::Function),
        b"warning_machine" | b"trigger_machine" | b"tw_machine" => Some(Naming::Function),
        _ => None,
    }
}

/// Returns what the string after a key of a table names, inside a call or not.
fn naming_of_key(key: &[u8], function: Option<&[u8]>) -> Option<Naming> {
    match (key, function) {
        (b"tag", Some(b"find_map" | b"place_maps")) => Some(Naming::Tags),
        (b"name", Some(b"find_map" | b"place_maps")) => Some(Naming::Map),
        (b"func" | b"callback", _) => Some(Naming::Function),
        _ if key.ends_with(b"_func") => Some(Naming::Function),
        _ => None,
    }
}

/// An open bracket.
#[derive(Default)]
struct Bracket<'t> {
    /// The function called with it.
    function: Option<&'t [u8]>,
    /// The key whose value is being written.
    key: Option<&'t [u8]>,
    is_table: bool,
}

/// Adds functions that are defined with `function name`, calls and mentions of them, and what texts
/// name.
pub(crate) fn lua_names(lua: &LuaText, found: &mut Vec<Found>) {
    let text = &lua.text[..];
    let mut words = lua_words(text);
    words.retain(|(word, _)| *word != LuaWord::Comment);
    let scopes = scopes(text, &words);
    let mut own = Vec::new();
    let mut reader =
        Reader { text, words: &words, scopes: &scopes, open: Vec::new(), found: &mut own };
    for index in 0..words.len() {
        reader.read(index);
    }
    for (name, _) in &mut own {
        name.span = lua.start + name.span.start..lua.start + name.span.end;
    }
    found.extend(own);
}

struct Reader<'t, 'f> {
    text: &'t [u8],
    words: &'t [(LuaWord, Range<usize>)],
    scopes: &'t [Scope],
    open: Vec<Bracket<'t>>,
    found: &'f mut Vec<Found>,
}

impl<'t> Reader<'t, '_> {
    fn span(&self, index: usize) -> Range<usize> {
        self.words[index].1.clone()
    }

    /// Returns a word; empty if there is none at that index.
    fn word(&self, index: Option<usize>) -> &'t [u8] {
        index.filter(|&index| index < self.words.len()).map_or(b"", |i| &self.text[self.span(i)])
    }

    fn before(&self, index: usize) -> &'t [u8] {
        self.word(index.checked_sub(1))
    }

    fn after(&self, index: usize) -> &'t [u8] {
        self.word(Some(index + 1))
    }

    /// Returns the name of the function whose argument starts at a word.
    fn called_before(&self, index: usize) -> Option<&'t [u8]> {
        let before = index.checked_sub(1)?;
        (self.words[before].0 == LuaWord::Name).then(|| self.word(Some(before)))
    }

    fn read(&mut self, index: usize) {
        let word = self.word(Some(index));
        match self.words[index].0 {
            LuaWord::Sign => self.bracket(index, word),
            LuaWord::Name => self.name(index),
            LuaWord::Text => self.literal(index),
            _ => {}
        }
    }

    fn bracket(&mut self, index: usize, sign: &[u8]) {
        match sign {
            b"(" | b"{" => {
                let function = self.called_before(index);
                let is_path = |at: &usize| {
                    self.words[*at].0 == LuaWord::Name
                        || matches!(self.word(Some(*at)), b"." | b":")
                };
                let start = (0..index).rev().find(|at| !is_path(at));
                let is_declaration = sign == b"(" && self.word(start) == b"function";
                let function = function.filter(|_| !is_declaration);
                let is_table = sign == b"{";
                self.open.push(Bracket { function, key: None, is_table });
            }
            b")" | b"}" => drop(self.open.pop()),
            b"," | b";" => {
                if let Some(bracket) = self.open.last_mut() {
                    bracket.key = None;
                }
            }
            _ => {}
        }
    }

    fn name(&mut self, index: usize) {
        let (word, before, after) = (self.word(Some(index)), self.before(index), self.after(index));
        if after == b"=" && self.open.last().is_some_and(|bracket| bracket.is_table) {
            if let Some(bracket) = self.open.last_mut() {
                bracket.key = Some(word);
            }
            return;
        }
        let is_call = matches!(after, b"(" | b"{") || self.is_text(index + 1);
        let role = match (before, after) {
            (b"function", b"(") => Role::Definition,
            // A function in a table, or a member.
            (b"function" | b"." | b":", _) => return,
            _ if self.scopes[index] != Scope::Free => return,
            _ if is_call => Role::Use,
            (_, b"=" | b"." | b":" | b"[") => return,
            _ => Role::Mention,
        };
        push(self.text, self.span(index), NameKind::Function, role, self.found);
    }

    fn is_text(&self, index: usize) -> bool {
        self.words.get(index).is_some_and(|(word, _)| *word == LuaWord::Text)
    }

    fn literal(&mut self, index: usize) {
        let (before, after) = (self.before(index), self.after(index));
        let is_compared = |sign: &[u8]| matches!(sign, b"==" | b"~=" | b"<" | b">");
        let Some(inner) = inner(self.text, self.span(index)) else { return };
        if is_compared(before) || is_compared(after) {
            return;
        }
        let Some(naming) = self.naming(index) else { return };
        let (text, cut) = (self.text, (before == b"..", after == b".."));
        let mut own = Vec::new();
        match naming {
            Naming::Tags => {
                let role = if self.gives_tags(index) { Role::Definition } else { Role::Use };
                for span in words(text, &inner) {
                    push(text, span, NameKind::Tag, role, &mut own);
                }
            }
            Naming::Subvault => {
                let from = if cut.0 { Some(behind_glyph(&text[inner.clone()])) } else { None };
                subvault_tags(text, &inner, from, &mut own);
            }
            Naming::Map => push(text, inner.clone(), NameKind::Map, Role::Use, &mut own),
            Naming::Function => {
                let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
                if text[inner.clone()].iter().all(is_part) {
                    push(text, inner.clone(), NameKind::Function, Role::Use, &mut own);
                }
            }
        }
        // Where a piece of a string is continued with `..`, it is not a whole name.
        own.retain(|(name, _)| {
            !(cut.0 && name.span.start == inner.start || cut.1 && name.span.end == inner.end)
        });
        self.found.extend(own);
    }

    /// Returns whether a string gives the map tags, like `TAGS:` does.
    fn gives_tags(&self, index: usize) -> bool {
        let direct = self.called_before(index);
        let around = || self.open.iter().rev().find_map(|bracket| bracket.function);
        direct.or_else(around) == Some(b"tags")
    }

    /// Returns what a string names.
    fn naming(&self, index: usize) -> Option<Naming> {
        if let Some(function) = self.called_before(index) {
            return naming_of_call(function);
        }
        let mut key = None;
        for bracket in self.open.iter().rev() {
            key = key.or(bracket.key);
            let Some(function) = bracket.function.filter(|name| !TRANSPARENT.contains(name)) else {
                continue;
            };
            return match key {
                Some(key) => naming_of_key(key, Some(function)),
                None => naming_of_call(function),
            };
        }
        naming_of_key(key?, None)
    }
}

/// Returns the range between the quotes of a string; `None` if it is not closed or has escapes.
fn inner(text: &[u8], span: Range<usize>) -> Option<Range<usize>> {
    let literal = &text[span.clone()];
    let margin = match literal {
        [open @ (b'"' | b'\''), .., close] if open == close => 1,
        [b'[', rest @ .., b']'] => rest.iter().position(|&byte| byte == b'[')? + 2,
        _ => return None,
    };
    let inner = span.start + margin..span.end.checked_sub(margin)?;
    let is_plain = margin > 1 || !text.get(inner.clone())?.contains(&b'\\');
    (inner.start < inner.end && is_plain).then_some(inner)
}

/// Returns where the tags start in a later piece of the string of a subvault, whose glyph may be in
/// the piece before: `glyph .. " : tag"`, but `tag .. " / another"` and `tag .. ":20"`.
fn behind_glyph(piece: &[u8]) -> usize {
    let sign = piece.iter().position(|byte| matches!(byte, b':' | b'=' | b'/'));
    let Some(colon) = sign.filter(|&at| piece[at] != b'/') else { return 0 };
    let next = piece[colon + 1..].trim_ascii_start().first();
    if next.is_some_and(u8::is_ascii_digit) { 0 } else { colon + 1 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(source: &str) -> Vec<(NameKind, Role, String)> {
        let mut found = Vec::new();
        lua_names(&LuaText { start: 0, text: source.into() }, &mut found);
        found.into_iter().map(|(name, role)| (name.kind, role, name.text)).collect()
    }

    fn of(source: &str, kind: NameKind) -> Vec<String> {
        let all = named(source).into_iter();
        all.filter(|(own, ..)| *own == kind).map(|(.., text)| text).collect()
    }

    #[test]
    fn texts_of_calls_name_tags_and_maps() {
        let tags = |source| of(source, NameKind::Tag).join(" ");
        assert_eq!(tags("subvault('T : room:20 / hall')"), "room hall");
        assert_eq!(tags("subvault 'T : room'"), "room");
        assert_eq!(tags("dgn.map_by_tag(\"room\", true)"), "room");
        assert_eq!(tags("e.tags_remove('a b') tags([[c d]]) has_tag('e')"), "a b c d e");
        assert_eq!(tags("tags(util.random_from({ 'a', 'b' }))"), "a b");
        assert_eq!(tags("dgn.place_maps { tag = 'room', count = f('no') }"), "room");
        assert_eq!(tags("tags('uniq_' .. x .. ' b c') tags(x == 'd')"), "b c");
        assert_eq!(tags("subvault('T : a / b' .. n) subvault(g .. ' : c') "), "a c");
        assert_eq!(tags("subvault('T : ' .. n .. ':20 / d')"), "d");
        assert_eq!(tags("crawl.mpr('room') x = { tag = 'room' } tags('a\\tb')"), "");
        assert_eq!(of("dgn.map_by_name('pond') name('pond')", NameKind::Map), ["pond"]);
    }

    #[test]
    fn texts_name_functions_where_functions_are_asked_for() {
        let functions = |source| of(source, NameKind::Function).join(" ");
        assert_eq!(functions("f('lava', \"A = \" .. 'lava') x = you.god() == 'lava'"), "f");
        assert_eq!(functions("function_at_spot('wake', {})"), "function_at_spot wake");
        assert_eq!(functions("T:new { func = 'wake', msg = 'lava' }"), "wake");
        assert_eq!(functions("function a.wake() end"), "");
    }

    #[test]
    fn functions_are_defined_called_mentioned_and_hidden() {
        let found = named("function wake(d) local x, y = d end hook(wake) wake()");
        let roles = |name: &str| -> Vec<Role> {
            found.iter().filter(|(.., text)| text == name).map(|(_, role, _)| *role).collect()
        };
        assert_eq!(roles("wake"), [Role::Definition, Role::Mention, Role::Use]);
        for local in ["d", "x", "y"] {
            assert_eq!(roles(local), [] as [Role; 0]);
        }
    }
}
