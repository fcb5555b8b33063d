//! `crawl_require`, `dofile`, `loadfile`, `print` and other globals (spec 06 §1.3, §13).

use vaultwright_content::{Content, SaveTags};
use vaultwright_lua::mlua::{self, Error, Function, Lua, MultiValue, Value, Variadic};
use vaultwright_lua::{TextOf, compile_of, text_of};

use super::native;
use super::table::Api;
use crate::pack::sources::{DataRoot, ReadError, is_for_either_lua};
use crate::script::arguments::Text;
use crate::script::problem::note_said;
use crate::state::host::Host;

/// The file of the library that has the numbers of the format of saved games.
const SAVE_TAGS: &str = "dlua/tags.lua";

pub(crate) fn install(api: &Api) -> mlua::Result<()> {
    api.function("crawl_require", |lua, host, name: Text| {
        require(lua, host, &name.str())?;
        Ok(true)
    })?;
    if api.root.uses_require() {
        api.function("require", |lua, host, name: Text| {
            require(lua, host, &name.str())?;
            Ok(true)
        })?;
    }
    api.function("dofile", |lua, host, name: Text| {
        let file = load_file(lua, host, &name.str())?;
        let mut results: MultiValue = host.lend(|| file.call(()))?;
        results.push_front(Value::String(lua.create_string(&name.0)?));
        Ok(results)
    })?;
    api.function("loadfile", |lua, host, name: Text| match load_file(lua, host, &name.str()) {
        Ok(file) => Ok((Value::Function(file), Value::Nil)),
        Err(error) => {
            let message = lua.create_string(error.to_string())?;
            Ok((Value::Nil, Value::String(message)))
        }
    })?;
    api.function("print", |lua, host, values: Variadic<Value>| {
        for value in values.iter().filter_map(Value::as_string) {
            host.keep(value.as_bytes().len())?;
        }
        let shown = values.iter().map(|value| match lua.coerce_string(value.clone()) {
            Ok(Some(text)) => text.to_string_lossy(),
            _ => host.lend(|| text_of(lua, value)).unwrap_or_else(|_| value.type_name().to_owned()),
        });
        let shown: Vec<String> = shown.collect();
        note_said(lua, &host.files, &mut host.messages, shown.join("\t"));
        Ok(())
    })?;
    api.function("pmatch", |_, _, (pattern, text, case): (Text, Text, Option<bool>)| {
        let (pattern, text) = (pattern.str().into_owned(), text.str().into_owned());
        let pattern = pattern.trim_start_matches(['=', '/']).to_owned();
        Ok(match case {
            Some(false) => text.to_lowercase().contains(&pattern.to_lowercase()),
            _ => text.contains(&pattern),
        })
    })
}

/// Runs a data file once.
pub(crate) fn require(lua: &Lua, host: &mut Host, name: &str) -> mlua::Result<()> {
    if host.loading.libraries.iter().any(|loaded| loaded == name) {
        return Ok(());
    }
    let text = read_file(&host.content, &host.root, name)?;
    run(lua, host, name, &text)
}

/// Runs the text of a data file.
pub(super) fn run(lua: &Lua, host: &mut Host, name: &str, text: &[u8]) -> mlua::Result<()> {
    let library = compile_of(lua, &format!("dat/{name}"), text, kind_of(host, name, text))?;
    host.lend(|| library.call::<()>(()))?;
    if !host.interpret {
        native::replace(lua, host, name, text, &library)?;
    }
    host.loading.libraries.push(name.to_owned());
    Ok(())
}

/// Returns whom a data file tells what it knows of floats: one that a map loads nobody, since what
/// others know may not hang on which maps have run before. The embedded library has nothing to
/// tell.
fn kind_of(host: &Host, name: &str, text: &[u8]) -> TextOf {
    match host.roll.current {
        _ if is_for_either_lua(name, text) => TextOf::EitherLua,
        None => TextOf::Library,
        Some(_) => TextOf::Nothing,
    }
}

/// Compiles a data file.
fn load_file(lua: &Lua, host: &Host, name: &str) -> mlua::Result<Function> {
    let text = read_file(&host.content, &host.root, name)?;
    compile_of(lua, &format!("dat/{name}"), &text, kind_of(host, name, &text))
}

/// Reads a data file; names that could leave the data folder are refused.
fn read_file(content: &Content, root: &DataRoot, name: &str) -> mlua::Result<Vec<u8>> {
    let unsafe_name = name.contains("..")
        || name.starts_with('/')
        || name.contains(['\\', '`', '$', '*', '?', '|', '>', '<', '&', '!', ';', '\n']);
    if unsafe_name {
        return Err(Error::runtime(format!("invalid filename: {name}")));
    }
    let text = text(content, root, name).map_err(|error| Error::runtime(error.to_string()))?;
    text.ok_or_else(|| Error::runtime(format!("Can't find \"{name}\"")))
}

/// Reads a data file, or makes what a build would have made; `None` if there is neither. A mark of
/// the byte order before the text is passed over, as 0.28 does.
pub(super) fn text(
    content: &Content,
    root: &DataRoot,
    name: &str,
) -> Result<Option<Vec<u8>>, ReadError> {
    let mut text = root.data_file(name)?.or_else(|| generated(content, root, name));
    if let Some(text) = text.as_mut().filter(|text| text.starts_with(b"\xef\xbb\xbf")) {
        text.drain(..3);
    }
    Ok(text)
}

/// Returns what the reference's build makes, and a checkout lacks.
fn generated(content: &Content, root: &DataRoot, name: &str) -> Option<Vec<u8>> {
    if name != SAVE_TAGS {
        return None;
    }
    let header = root.read_beside("tag-version.h");
    let tags = header.and_then(|header| SaveTags::of_header(&header));
    let tags = tags.unwrap_or_else(|| SaveTags::of(content.rules.edition));
    Some(tags.to_lua().into_bytes())
}

#[cfg(test)]
mod tests {
    use vaultwright_lua::{Dialect, Interpreter, Limits};

    use super::*;
    use crate::pack::sources::LIBRARY;

    #[test]
    fn what_is_taken_as_it_is_both_luas_read_in_the_same_way() {
        let interpreter = Interpreter::new(Limits::default()).expect("an interpreter");
        interpreter.use_dialect(Dialect::Lua54, "a test").expect("the dialect");
        let lua = interpreter.lua();
        for (file, text) in LIBRARY {
            let code = |of| compile_of(lua, file, text.as_bytes(), of).expect("code").dump(false);
            let is_same = code(TextOf::Library) == code(TextOf::EitherLua);
            assert_eq!(is_same, is_for_either_lua(file, text.as_bytes()), "{file}");
        }
    }
}
