//! Native counterparts of the Lua library's functions that cost (`vaultwright-native`).
//!
//! A library file of a data folder keeps running as the Lua it is, unless its text is one for
//! which a counterpart is proved equal: then some of its functions are replaced once the file has
//! run. A replacement knows the function it stands for, and calls it whenever anything it would
//! not ask for may have been changed by a script, or when the arguments are not plain ones.

mod omnigrid;
mod procedural;
mod util;
mod v_paint;
mod zonify;

use sha2::{Digest, Sha256};
use vaultwright_lua::mlua::{self, Function, Lua, MultiValue, Table, Value};

use crate::pack::sources::LIBRARY;
use crate::state::host::Host;

/// A library file with a counterpart.
struct Counterpart {
    file: &'static str,
    /// The SHA-256 of the texts for which it is proved.
    texts: &'static [&'static str],
    /// Whether it stands for the embedded library's as well.
    ours: bool,
    install: fn(&Lua, &Host) -> mlua::Result<()>,
}

const COUNTERPARTS: &[Counterpart] = &[
    Counterpart {
        file: "dlua/layout/omnigrid.lua",
        texts: omnigrid::TEXTS,
        ours: false,
        install: omnigrid::install,
    },
    Counterpart {
        file: "dlua/layout/procedural.lua",
        texts: procedural::TEXTS,
        ours: false,
        install: procedural::install,
    },
    Counterpart {
        file: "dlua/layout/procedural_primitives.lua",
        texts: procedural::PRIMITIVES,
        ours: false,
        install: procedural::install_primitives,
    },
    Counterpart {
        file: "dlua/layout/procedural_transform.lua",
        texts: procedural::TRANSFORMS,
        ours: false,
        install: procedural::install_transforms,
    },
    Counterpart { file: "dlua/util.lua", texts: util::TEXTS, ours: false, install: util::install },
    Counterpart {
        file: "dlua/v_paint.lua",
        texts: v_paint::TEXTS,
        ours: false,
        install: v_paint::install,
    },
    Counterpart {
        file: "dlua/layout/zonify.lua",
        texts: zonify::TEXTS,
        ours: true,
        install: zonify::install,
    },
];

/// The functions of the host API and of Lua that counterparts stand for or rely on, as they were
/// installed: `table.name`, or the name of a global.
struct Originals(Vec<(&'static str, Function)>);

/// Notes them, before any script can replace one.
pub(crate) fn remember_originals(lua: &Lua) -> mlua::Result<()> {
    let mut originals = Vec::new();
    for &name in [zonify::USED, procedural::USED, util::USED, v_paint::USED].into_iter().flatten() {
        if let Some(function) = global(lua, name)? {
            originals.push((name, function));
        }
    }
    lua.set_app_data(Originals(originals));
    Ok(())
}

/// The function of a name, `table.name` or that of a global.
fn global(lua: &Lua, name: &str) -> mlua::Result<Option<Function>> {
    let Some((table, name)) = name.split_once('.') else { return lua.globals().raw_get(name) };
    match lua.globals().raw_get::<Value>(table)? {
        Value::Table(table) => table.raw_get(name),
        _ => Ok(None),
    }
}

/// Replaces functions of a library file that has just run, if its text is known.
pub(crate) fn replace(lua: &Lua, host: &Host, file: &str, text: &[u8]) -> mlua::Result<()> {
    let Some(counterpart) = COUNTERPARTS.iter().find(|counterpart| counterpart.file == file) else {
        return Ok(());
    };
    let is_ours = || LIBRARY.iter().any(|(name, own)| *name == file && own.as_bytes() == text);
    let hash = || Sha256::digest(text).iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    if (counterpart.ours && is_ours()) || counterpart.texts.contains(&hash().as_str()) {
        (counterpart.install)(lua, host)?;
    }
    Ok(())
}

/// A function that does what a native one does, and what the interpreted one does where that
/// answers nil; `true` stands for no result.
fn counterpart<Native>(lua: &Lua, interpreted: Function, native: Native) -> mlua::Result<Function>
where
    Native: Fn(&Lua, MultiValue) -> mlua::Result<Value> + 'static,
{
    let join: Function = glue(lua)?.raw_get("join")?;
    join.call((lua.create_function(native)?, interpreted))
}

/// A function that gives the interpreted one what `other` makes of its second argument.
fn with_other_argument<Native>(
    lua: &Lua,
    interpreted: Function,
    other: Native,
) -> mlua::Result<Function>
where
    Native: Fn(&Lua, Value) -> mlua::Result<Value> + 'static,
{
    let prepare: Function = glue(lua)?.raw_get("prepare")?;
    prepare.call((lua.create_function(other)?, interpreted))
}

fn glue(lua: &Lua) -> mlua::Result<Table> {
    lua.load(include_str!("../../../lua/native.lua")).set_name("=native.lua").eval()
}

/// Whether these functions are still the ones of the host API and of Lua.
fn are_original(lua: &Lua, names: &[&str]) -> bool {
    let Some(originals) = lua.app_data_ref::<Originals>() else { return false };
    names.iter().all(|name| {
        let original = originals.0.iter().find(|(original, _)| original == name);
        let now = global(lua, name).ok().flatten();
        match (original, now) {
            (Some((_, function)), Some(now)) => now.to_pointer() == function.to_pointer(),
            _ => false,
        }
    })
}

/// The functions of a library table as its file has left them.
struct Members(Vec<(String, Function)>);

impl Members {
    fn of(table: &Table) -> mlua::Result<Members> {
        let members = table.pairs::<String, Function>();
        Ok(Members(members.collect::<mlua::Result<_>>()?))
    }

    /// Whether the table has them still.
    fn are_in(&self, table: &Table) -> bool {
        self.0.iter().all(|(name, function)| is_same(table, name, function))
    }
}

fn is_same(table: &Table, name: &str, function: &Function) -> bool {
    let now = table.raw_get::<Option<Function>>(name);
    now.is_ok_and(|now| now.is_some_and(|now| now.to_pointer() == function.to_pointer()))
}
