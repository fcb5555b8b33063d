//! `file`: the data folder, and what markers are written to (spec 06 §11.1, §11.2).

use vaultwright_lua::mlua::{self, Error, Value};

use super::table::Api;
use crate::pack::sources::{DataRoot, des_files_below};
use crate::play::marshal::with_handle;
use crate::script::arguments::{Text, number, truncate};

pub(crate) fn install(api: &Api) -> mlua::Result<()> {
    for name in ["datadir_files_recursive", "datadir_files"] {
        let recursive = name.ends_with("recursive");
        api.function(name, move |lua, host, (folder, _extension): (Text, Option<Text>)| {
            let DataRoot::Directory(root) = &host.root else { return lua.create_table() };
            let missing =
                || Error::runtime(format!("Cannot find data directory: '{}'", folder.str()));
            if folder.str().contains("..") {
                return Err(missing());
            }
            let base = root.join(folder.str().as_ref());
            let files = des_files_below(&base).map_err(|_| missing())?;
            let names = files
                .iter()
                .filter_map(|path| path.strip_prefix(&base).ok())
                .map(|path| path.to_string_lossy().into_owned())
                .filter(|path| recursive || !path.contains('/'));
            lua.create_sequence_from(names)
        })?;
    }
    api.function("major_version", |_, _, ()| Ok(34))?;
    // Whatever a class asks for, a save of ours is newer.
    api.function("minor_version", |_, _, _: Value| Ok(i16::MAX))?;
    marshalling(api)
}

/// Installs what writes and reads what a marker keeps (spec 07 §17.2).
fn marshalling(api: &Api) -> mlua::Result<()> {
    const NUMBER: u8 = 1;
    const TEXT: u8 = 2;
    const NIL: u8 = 4;
    const BOOLEAN: u8 = 5;
    let too_long = || Error::runtime("Cannot marshall a string of more than 32767 bytes");
    let at_end = || Error::runtime("nothing is left to unmarshall");
    api.function("marshall", move |_, _, (handle, value): (Value, Value)| {
        with_handle(&handle, |bytes| {
            match (&value, number(&value)) {
                (Value::Function(_), _) => {
                    return Err(Error::runtime("Cannot marshall a function"));
                }
                (_, Some(number)) => bytes.put_int(truncate(number)),
                (Value::Boolean(value), _) => bytes.put_byte(u8::from(*value)),
                (Value::String(text), _) if !bytes.put_text(&text.as_bytes()) => {
                    return Err(too_long());
                }
                _ => {}
            }
            Ok(())
        })
    })?;
    api.function("marshall_meta", move |_, _, (handle, value): (Value, Value)| {
        with_handle(&handle, |bytes| {
            match (&value, number(&value)) {
                (_, Some(number)) => {
                    bytes.put_byte(NUMBER);
                    bytes.put_int(truncate(number));
                }
                (Value::Boolean(value), _) => {
                    bytes.put_byte(BOOLEAN);
                    bytes.put_byte(u8::from(*value));
                }
                (Value::String(text), _) => {
                    bytes.put_byte(TEXT);
                    if !bytes.put_text(&text.as_bytes()) {
                        return Err(too_long());
                    }
                }
                (Value::Nil, _) => bytes.put_byte(NIL),
                (other, _) => {
                    return Err(Error::runtime(format!("Cannot marshall {}", other.type_name())));
                }
            }
            Ok(())
        })
    })?;
    api.function("unmarshall_number", move |_, _, handle: Value| {
        with_handle(&handle, |bytes| bytes.int().ok_or_else(at_end))
    })?;
    api.function("unmarshall_boolean", move |_, _, handle: Value| {
        with_handle(&handle, |bytes| bytes.byte().map(|byte| byte != 0).ok_or_else(at_end))
    })?;
    api.function("unmarshall_string", move |lua, _, handle: Value| {
        let text = with_handle(&handle, |bytes| bytes.text().ok_or_else(at_end))?;
        lua.create_string(text)
    })?;
    api.function("unmarshall_meta", move |lua, _, handle: Value| {
        with_handle(&handle, |bytes| match bytes.byte() {
            Some(NUMBER) => bytes.int().map(|n| Value::Integer(n.into())).ok_or_else(at_end),
            Some(TEXT) => {
                let text = bytes.text().ok_or_else(at_end)?;
                lua.create_string(text).map(Value::String)
            }
            Some(NIL) => Ok(Value::Nil),
            Some(BOOLEAN) => bytes.byte().map(|b| Value::Boolean(b != 0)).ok_or_else(at_end),
            _ => Err(Error::runtime("Unexpected type signature.")),
        })
    })
}
