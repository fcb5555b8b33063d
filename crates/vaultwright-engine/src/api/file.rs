//! `file`: the data folder (spec 06 §11.1).

use vaultwright_lua::mlua::{self, Error};

use super::Api;
use super::arguments::Text;
use crate::sources::{DataRoot, des_files_below};

pub(super) fn install(api: &Api) -> mlua::Result<()> {
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
    api.function("major_version", |_, _, ()| Ok(34))
}
