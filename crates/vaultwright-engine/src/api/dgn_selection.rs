//! `dgn`: finding maps (spec 06 §3.7, §3.8).

use vaultwright_lua::mlua::{self, Error, Lua, Value, Variadic};
use vaultwright_map::{MapId, split_trimmed};

use super::table::Api;
use crate::pack::sources::DataRoot;
use crate::script::arguments::{Int, MapRef, Text, is_true};
use crate::script::problem::note_said;
use crate::select::choice::{Wanted, choose};
use crate::state::host::Phase;

pub(crate) fn install(api: &Api) -> mlua::Result<()> {
    api.function("map_by_tag", |_, host, (tag, rest): (Text, Variadic<Value>)| {
        let check_depth = rest.first().is_none_or(is_true) && host.game.depth_checks;
        let words = tag.str().into_owned();
        let tags = &split_trimmed(' ', &words);
        let found = choose(host, Wanted::Tags { tags, check_depth, chance: false });
        Ok(found.map(|index| MapRef(host.look_up(index))))
    })?;
    api.function("map_by_name", |_, host, name: Text| {
        let found = host.library_asked().find(&name.str());
        Ok(found.map(|index| MapRef(host.look_up(index))))
    })?;
    api.function("map_by_index", |lua, host, index: Int| {
        let count = host.library_asked().maps.len() as i32;
        let known = (0..count).contains(&index.0);
        values(lua, known.then(|| MapRef(host.look_up(MapId(index.0 as usize)))))
    })?;
    api.function("map_count", |_, host, ()| Ok(host.library_asked().maps.len()))?;
    api.function("map_parameters", |lua, host, ()| {
        lua.create_sequence_from(host.roll.parameters.iter().cloned())
    })?;
    api.function("last_builder_error", |_, host, ()| Ok(host.last_error()))?;
    api.function("uniq_tag_used", |_, host, tag: Text| {
        Ok(host.game.used.tags.contains(tag.str().as_ref()))
    })?;
    // 0.28 was asked.
    api.function("load_des_file", |lua, host, path: Text| {
        let path = path.str();
        // Of files elsewhere scripts learn nothing.
        let is_inside = !path.contains("..") && !path.starts_with('/');
        if let DataRoot::Directory(folder) = &host.root
            && !(is_inside && folder.join(path.as_ref()).is_file())
        {
            return Err(Error::runtime(format!("Cannot find data file '{path}' anywhere")));
        }
        let is_library = host.files.is_empty();
        if host.phase == Phase::Compile && !is_library {
            let what = "dgn.load_des_file: no file can be read while another is";
            return Err(Error::runtime(format!("{what}, the game ends with an error")));
        }
        // All files below des/ are read without being asked for.
        let told = match path.starts_with("des/") {
            false => Some("is not read: only files below des/ are"),
            true => is_library.then_some("is read in its turn, as all files below des/"),
        };
        if let Some(told) = told {
            let text = format!("dgn.load_des_file: {path} {told}");
            note_said(lua, &host.files, &mut host.messages, text);
        }
        Ok(())
    })
}

/// Returns one value, or none at all.
fn values(_: &Lua, value: Option<MapRef>) -> mlua::Result<Variadic<MapRef>> {
    Ok(value.into_iter().collect())
}
