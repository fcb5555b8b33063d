//! Which names can be renamed, and to what.

use std::sync::Arc;

use vaultwright::content::{EngineTag, TagMatch};
use vaultwright::lint::{LuaWord, lua_words};
use vaultwright::syntax::Header;
use vaultwright::{Engine, SourceFile};

use crate::functions::script_functions;
use crate::{Name, NameKind, occurrences};

/// Checks that a name belongs to the pack and can be renamed. Some tags have a meaning for the
/// engine, and some functions are provided by it.
///
/// # Errors
///
/// The message says what the name belongs to.
pub fn check_renamable(
    name: &Name,
    files: &[Arc<SourceFile>],
    engine: &Engine,
) -> Result<(), String> {
    let text = &name.text;
    match name.kind {
        NameKind::Map => Ok(()),
        NameKind::Tag if is_engines_tag(text, engine) => {
            Err(format!("the engine itself looks for the tag '{text}'"))
        }
        NameKind::Tag => Ok(()),
        NameKind::Function if is_engines_function(text) => {
            Err(format!("'{text}' is a function of the engine"))
        }
        NameKind::Function => {
            let places = occurrences(name, files);
            match places.iter().any(|place| place.is_definition) {
                true => Ok(()),
                false => Err(format!("no vault file here has 'function {text}'")),
            }
        }
    }
}

/// Checks that something can have a new name.
///
/// # Errors
///
/// The message says why not.
pub fn check_new_name(
    name: &Name,
    new_name: &str,
    files: &[Arc<SourceFile>],
    engine: &Engine,
) -> Result<(), String> {
    let fits = match name.kind {
        NameKind::Function => is_lua_name(new_name),
        NameKind::Tag | NameKind::Map => is_word(new_name),
    };
    if !fits {
        return Err(format!("{new_name:?} cannot be a name"));
    }
    if new_name == name.text {
        return Ok(());
    }
    let other = Name { text: new_name.to_owned(), ..name.clone() };
    let is_given = || occurrences(&other, files).iter().any(|place| place.is_definition);
    match name.kind {
        NameKind::Map if is_given() => Err(format!("a map named '{new_name}' exists already")),
        NameKind::Function if is_engines_function(new_name) => {
            Err(format!("'{new_name}' is a function of the engine"))
        }
        NameKind::Function if is_given() => {
            Err(format!("a function named '{new_name}' exists already"))
        }
        NameKind::Function if engine.lua_names("_G").iter().any(|name| name == new_name) => {
            Err(format!("the Lua here has a '{new_name}' already"))
        }
        NameKind::Tag if is_engines_tag(new_name, engine) => {
            Err(format!("the engine itself looks for the tag '{new_name}'"))
        }
        NameKind::Tag => match same_family(&name.text, new_name, engine) {
            Ok(()) => Ok(()),
            Err((part, true)) => Err(format!("the engine reads tags with '{part}' otherwise")),
            Err((part, false)) => Err(format!("without '{part}' the engine reads it otherwise")),
        },
        _ => Ok(()),
    }
}

/// Returns whether something can stand wherever the file says a tag or a map: behind headers, in
/// lists of tags, in texts of Lua.
fn is_word(name: &str) -> bool {
    let is_part = |byte: u8| byte.is_ascii_graphic() && !b"/:,;=|!#\"'\\()[]{}".contains(&byte);
    !name.is_empty() && name.bytes().all(is_part)
}

fn is_lua_name(name: &str) -> bool {
    lua_words(name.as_bytes()) == [(LuaWord::Name, 0..name.len())]
}

/// Returns whether a tag is one of the engine's, or has an ending of one. The text before such an
/// ending is then the engine's, too, such as the name of a branch.
fn is_engines_tag(tag: &str, engine: &Engine) -> bool {
    let mut tags = engine.content().names().tags.iter();
    tags.any(|row| row.matches != TagMatch::Prefix && row.recognises(tag))
}

/// Checks that the engine treats two tags as the same kind. The error contains the prefix that only
/// one of them has, and whether that is the new one.
fn same_family<'e>(old: &str, new: &str, engine: &'e Engine) -> Result<(), (&'e str, bool)> {
    let differs = |row: &&EngineTag| row.recognises(old) != row.recognises(new);
    match engine.content().names().tags.iter().find(differs) {
        Some(row) => Err((&row.tag, row.recognises(new))),
        None => Ok(()),
    }
}

fn is_engines_function(name: &str) -> bool {
    /// The names that every Lua has.
    const OF_LUA: [&str; 18] = [
        "assert",
        "error",
        "getfenv",
        "getmetatable",
        "ipairs",
        "next",
        "pairs",
        "pcall",
        "print",
        "rawequal",
        "rawget",
        "rawset",
        "select",
        "setfenv",
        "setmetatable",
        "tonumber",
        "tostring",
        "type",
    ];
    let is_header = || Header::all().any(|(header, _)| header.lua_function() == name);
    OF_LUA.contains(&name)
        || is_header()
        || script_functions().iter().any(|function| function.name == name)
}

#[cfg(test)]
mod tests {
    use vaultwright::{DataRoot, EngineOptions};

    use super::*;
    use crate::{Document, name_at};

    const TEXT: &str = "{{\nfunction wake() end\nkfeat('A = x')\nother()\n}}\nNAME: pond\n\
        TAGS: wet unrand uniq_wet\nMAP\nA\nENDMAP\nNAME: hall\nMAP\nx\nENDMAP\n";

    /// Returns the message against renaming the name at a word.
    fn refusal(word: &str, new_name: &str) -> String {
        let root = DataRoot::Bare;
        let engine = Engine::new(EngineOptions { root, ..EngineOptions::default() });
        let engine = engine.expect("an engine");
        let document = Document::new("a.des", TEXT.as_bytes());
        let files = [Arc::clone(document.file())];
        let name = name_at(&document, TEXT.find(word).expect("a word")).expect("a name");
        let checked = check_renamable(&name, &files, &engine)
            .and_then(|()| check_new_name(&name, new_name, &files, &engine));
        checked.err().unwrap_or_default()
    }

    #[test]
    fn names_of_the_engine_and_names_that_exist_are_refused() {
        let refused = [
            ("unrand", "mine", "the engine itself looks for the tag 'unrand'"),
            ("kfeat", "mine", "'kfeat' is a function of the engine"),
            ("other", "mine", "no vault file here has 'function other'"),
            ("wake", "9x", "\"9x\" cannot be a name"),
            ("wake", "end", "\"end\" cannot be a name"),
            ("wake", "crawl", "the Lua here has a 'crawl' already"),
            ("wet", "x\"y", "\"x\\\"y\" cannot be a name"),
            ("wet", "x\\y", "\"x\\\\y\" cannot be a name"),
            ("wake", "tags", "'tags' is a function of the engine"),
            ("pond", "hall", "a map named 'hall' exists already"),
            ("wet", "a b", "\"a b\" cannot be a name"),
            ("wet", "transparent", "the engine itself looks for the tag 'transparent'"),
            ("wet", "uniq_x", "the engine reads tags with 'uniq_' otherwise"),
            ("uniq_wet", "wet", "without 'uniq_' the engine reads it otherwise"),
        ];
        for (word, new_name, message) in refused {
            assert_eq!(refusal(word, new_name), message);
        }
        for (word, new_name) in [("wake", "rouse"), ("pond", "lake"), ("uniq_wet", "uniq_dry")] {
            assert_eq!(refusal(word, new_name), "");
        }
    }
}
