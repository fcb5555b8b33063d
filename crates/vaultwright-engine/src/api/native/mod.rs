//! Native counterparts of the Lua library's functions that cost (`vaultwright-native`).
//!
//! A library file of a data folder keeps running as the Lua it is, unless its text is one for
//! which a counterpart is proved equal: then some of its functions are replaced once the file has
//! run. A replacement knows the function it stands for, and calls it whenever anything it would
//! not ask for may have been changed by a script, or when the arguments are not plain ones.

mod fingerprints;
mod geoelf;
mod geoelf_doors;
mod geoelf_rooms;
mod hyper_paint;
mod hyper_place;
mod hyper_plan;
mod hyper_usage;
mod iter;
mod known_place;
mod omnigrid;
mod procedural;
mod proof;
mod util;
mod v_paint;
mod v_painting;
mod v_room_building;
mod v_room_places;
mod v_room_plan;
mod v_room_stairs;
mod v_room_vetoes;
mod v_room_walls;
mod v_rooms;
mod zonify;

use sha2::{Digest, Sha256};
use vaultwright_lua::known_functions::KnownFunction;
use vaultwright_lua::mlua::{self, Function, Lua, MultiValue, Table, Value};

use proof::{LibraryFile, is_known, place_of, remember, remember_changed, stands_for};

use crate::pack::sources::is_embedded;
use crate::state::host::Host;

/// A library file that is known: with counterparts, or one that they rely on.
struct Counterpart {
    file: &'static str,
    /// The SHA-256 of the texts for which it is proved.
    texts: &'static [&'static str],
    /// Whether releases that run Lua 5.4 have a text of these. In others a function may fail there,
    /// by `math.pow` or `table.remove`, where its counterpart does not.
    lua_54: bool,
    /// Whether it stands for the embedded library's as well.
    ours: bool,
    install: fn(&LibraryFile) -> mlua::Result<()>,
}

const COUNTERPARTS: &[Counterpart] = &[
    Counterpart {
        file: "dlua/iter.lua",
        texts: iter::TEXTS,
        lua_54: false,
        ours: false,
        install: iter::install,
    },
    Counterpart {
        file: "dlua/point.lua",
        texts: iter::POINTS,
        lua_54: true,
        ours: false,
        install: nothing,
    },
    Counterpart {
        file: "dlua/layout/geoelf.lua",
        texts: geoelf::TEXTS,
        lua_54: true,
        ours: false,
        install: geoelf::install,
    },
    Counterpart {
        file: "dlua/layout/geoelf_corridors.lua",
        texts: geoelf::CORRIDORS,
        lua_54: true,
        ours: false,
        install: nothing,
    },
    Counterpart {
        file: "dlua/layout/geoelf_directions.lua",
        texts: geoelf::DIRECTIONS,
        lua_54: true,
        ours: false,
        install: nothing,
    },
    Counterpart {
        file: "dlua/layout/geoelf_glyphs.lua",
        texts: geoelf::GLYPHS,
        lua_54: true,
        ours: false,
        install: nothing,
    },
    Counterpart {
        file: "dlua/layout/geoelf_rooms.lua",
        texts: geoelf::ROOMS,
        lua_54: true,
        ours: false,
        install: nothing,
    },
    Counterpart {
        file: "dlua/layout/hyper_place.lua",
        texts: v_room_stairs::HYPER,
        lua_54: false,
        ours: false,
        install: install_hyper_place,
    },
    Counterpart {
        file: "dlua/layout/hyper_decor.lua",
        texts: hyper_place::DECORATIONS,
        lua_54: false,
        ours: false,
        install: nothing,
    },
    Counterpart {
        file: "dlua/layout/hyper_paint.lua",
        texts: hyper_paint::TEXTS,
        lua_54: false,
        ours: false,
        install: hyper_paint::install,
    },
    Counterpart {
        file: "dlua/layout/hyper_strategy.lua",
        texts: hyper_place::STRATEGIES,
        lua_54: true,
        ours: false,
        install: nothing,
    },
    Counterpart {
        file: "dlua/layout/hyper_usage.lua",
        texts: hyper_usage::TEXTS,
        lua_54: false,
        ours: false,
        install: hyper_usage::install,
    },
    Counterpart {
        file: "dlua/layout/omnigrid.lua",
        texts: omnigrid::TEXTS,
        lua_54: false,
        ours: false,
        install: omnigrid::install,
    },
    Counterpart {
        file: "dlua/layout/procedural.lua",
        texts: procedural::TEXTS,
        lua_54: true,
        ours: false,
        install: procedural::install,
    },
    Counterpart {
        file: "dlua/layout/procedural_primitives.lua",
        texts: procedural::PRIMITIVES,
        lua_54: false,
        ours: false,
        install: nothing,
    },
    Counterpart {
        file: "dlua/layout/procedural_transform.lua",
        texts: procedural::TRANSFORMS,
        lua_54: true,
        ours: false,
        install: nothing,
    },
    Counterpart {
        file: "dlua/layout/vector.lua",
        texts: hyper_usage::VECTORS,
        lua_54: true,
        ours: false,
        install: nothing,
    },
    Counterpart {
        file: "dlua/util.lua",
        texts: util::TEXTS,
        lua_54: false,
        ours: false,
        install: util::install,
    },
    Counterpart {
        file: v_room_vetoes::FILE,
        texts: v_room_vetoes::TEXTS,
        lua_54: false,
        ours: false,
        install: nothing,
    },
    Counterpart {
        file: "dlua/v_paint.lua",
        texts: v_paint::TEXTS,
        lua_54: false,
        ours: false,
        install: v_paint::install,
    },
    Counterpart {
        file: "dlua/v_rooms.lua",
        texts: v_rooms::TEXTS,
        lua_54: false,
        ours: false,
        install: install_v_rooms,
    },
    Counterpart {
        file: "dlua/layout/zonify.lua",
        texts: zonify::TEXTS,
        lua_54: true,
        ours: true,
        install: zonify::install,
    },
];

/// What gives rooms of the Vaults their walls, takes stairs out of them, builds them and finds a
/// place for them.
fn install_v_rooms(file: &LibraryFile) -> mlua::Result<()> {
    v_room_walls::install(file)?;
    v_room_stairs::install(file)?;
    v_room_places::install(file)?;
    v_rooms::install(file)
}

/// What finds out whether rooms of `hyper` can stand somewhere, builds them and takes stairs out of
/// them.
fn install_hyper_place(file: &LibraryFile) -> mlua::Result<()> {
    hyper_place::install(file)?;
    v_room_stairs::install_hyper(file)
}

/// Of a file that has no counterparts of its own.
fn nothing(_: &LibraryFile) -> mlua::Result<()> {
    Ok(())
}

/// What the Lua calls that counterparts stand for.
const USED: &[&[&str]] = &[
    geoelf::USED,
    hyper_paint::USED,
    hyper_place::USED,
    hyper_plan::USED,
    hyper_usage::USED,
    iter::USED,
    zonify::USED,
    procedural::USED,
    procedural::DRAWING,
    util::USED,
    v_paint::USED,
    v_painting::PAINTING,
    v_room_places::BUILDING,
    v_room_stairs::USED,
    v_room_vetoes::USED,
    v_rooms::USED,
];

/// The functions of the host API and of Lua that counterparts stand for or rely on, as they were
/// installed: `table.name`, or the name of a global.
struct Originals(Vec<(&'static str, KnownFunction)>);

/// Notes them, before any script can replace one.
pub(crate) fn remember_originals(lua: &Lua) -> mlua::Result<()> {
    let mut originals = Vec::new();
    for &name in USED.iter().copied().flatten() {
        if let Some(function) = global(lua, name)? {
            originals.push((name, KnownFunction::new(lua, name, function)?));
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

/// Replaces functions of a library file that has just run, where they are known. `main` is the
/// file's own function.
pub(crate) fn replace(
    lua: &Lua,
    host: &Host,
    file: &str,
    text: &[u8],
    main: &Function,
) -> mlua::Result<()> {
    let Some(counterpart) = COUNTERPARTS.iter().find(|counterpart| counterpart.file == file) else {
        return Ok(());
    };
    let is_ours = is_embedded(file, text);
    if is_ours && !counterpart.ours {
        return Ok(());
    }
    let is_proved = counterpart.lua_54 || !host.content.rules.lua_54;
    let hash = || Sha256::digest(text).iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    let is_known = is_ours || is_proved && counterpart.texts.contains(&hash().as_str());
    match is_known {
        true => remember(lua, counterpart.file, main),
        false => remember_changed(lua, counterpart.file, main)?,
    }
    (counterpart.install)(&LibraryFile { lua, host, is_known })
}

/// A function of the library with a native one before it, as [`joined`]: where functions are
/// compared it counts as the library's.
fn counterpart<Native>(lua: &Lua, interpreted: Function, native: Native) -> mlua::Result<Function>
where
    Native: Fn(&Lua, MultiValue) -> mlua::Result<Value> + 'static,
{
    let joined = joined(lua, &interpreted, native)?;
    stands_for(lua, &joined, &interpreted);
    Ok(joined)
}

/// A function that does what a native one does, and what the interpreted one does where that
/// answers nil; `true` stands for no result.
fn joined<Native>(lua: &Lua, interpreted: &Function, native: Native) -> mlua::Result<Function>
where
    Native: Fn(&Lua, MultiValue) -> mlua::Result<Value> + 'static,
{
    let join: Function = native_library(lua)?.raw_get("join")?;
    join.call((lua.create_function(native)?, interpreted))
}

/// What joins native functions and those of a library, which has nothing that changes.
struct NativeLibrary(Table);

fn native_library(lua: &Lua) -> mlua::Result<Table> {
    if let Some(library) = lua.app_data_ref::<NativeLibrary>() {
        return Ok(library.0.clone());
    }
    let text = include_str!("../../../lua/native.lua");
    let library: Table = lua.load(text).set_name("=native.lua").eval()?;
    lua.set_app_data(NativeLibrary(library.clone()));
    Ok(library)
}

/// The function of a name as it was installed.
fn original(lua: &Lua, name: &str) -> Option<Function> {
    let originals = lua.app_data_ref::<Originals>()?;
    let mut originals = originals.0.iter();
    originals.find(|(known, _)| *known == name).map(|(_, known)| known.function().clone())
}

/// Whether these functions are still the ones of the host API and of Lua.
fn are_original(lua: &Lua, names: &[&str]) -> bool {
    let Some(originals) = lua.app_data_ref::<Originals>() else { return false };
    let globals = lua.globals();
    names.iter().all(|name| {
        let original = originals.0.iter().find(|(original, _)| original == name);
        original.is_some_and(|(_, function)| function.is_in(&globals))
    })
}

/// The functions of a library table as its file has left them.
struct Members(Vec<(String, KnownFunction)>);

impl Members {
    fn of(lua: &Lua, table: &Table) -> mlua::Result<Members> {
        let mut members = Members(Vec::new());
        for pair in table.pairs::<String, Function>() {
            let (name, function) = pair?;
            members.add(lua, &name, function)?;
        }
        Ok(members)
    }

    /// Those of its values that are functions.
    fn functions_of(lua: &Lua, table: &Table) -> mlua::Result<Members> {
        let mut members = Members(Vec::new());
        for pair in table.pairs::<Value, Value>() {
            if let (Value::String(name), Value::Function(function)) = pair? {
                members.add(lua, &name.to_string_lossy(), function)?;
            }
        }
        Ok(members)
    }

    fn add(&mut self, lua: &Lua, name: &str, function: Function) -> mlua::Result<()> {
        self.0.push((name.to_owned(), KnownFunction::new(lua, name, function)?));
        Ok(())
    }

    /// Whether the table has them still.
    fn are_in(&self, table: &Table) -> bool {
        self.0.iter().all(|(_, function)| function.is_in(table))
    }

    /// Whether each is still in one of two tables.
    fn are_in_either(&self, table: &Table, other: &Table) -> bool {
        self.0.iter().all(|(_, function)| function.is_in(table) || function.is_in(other))
    }
}

/// A number that is no text of one.
fn plain_number(value: &Value) -> Option<f64> {
    match value {
        Value::Integer(number) => Some(*number as f64),
        Value::Number(number) => Some(*number),
        _ => None,
    }
}

/// A number without fraction, not too large to reckon with.
fn whole(value: &Value) -> Option<i32> {
    let number = plain_number(value)?;
    (number.fract() == 0.0 && number.abs() < 1e6).then_some(number as i32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Engine, EngineOptions};

    #[test]
    fn every_function_that_counterparts_rely_on_is_known_as_it_was_installed() {
        let engine = Engine::new(EngineOptions::default()).expect("an engine");
        let originals = engine.interpreter.lua().app_data_ref::<Originals>().expect("originals");
        let is_known = |name: &str| originals.0.iter().any(|(known, _)| *known == name);
        let used = USED.iter().flat_map(|names| names.iter().copied());
        let missing: Vec<&str> = used.filter(|name| !is_known(name)).collect();
        assert_eq!(missing, [""; 0], "their counterparts would never be asked");
    }
}
