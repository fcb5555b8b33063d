//! `los`: who sees what (spec 06 §10.1).

use vaultwright_lua::mlua;

use super::dgn_markers::inner;
use super::table::Api;
use crate::script::arguments::Int;

pub(crate) fn install(api: &Api) -> mlua::Result<()> {
    // A number: 0 is true in Lua.
    api.function("cell_see_cell", |_, host, (x1, y1, x2, y2): (Int, Int, Int, Int)| {
        let (from, to) = (inner(host.level.size(), x1, y1)?, inner(host.level.size(), x2, y2)?);
        let world = host.world();
        let size = host.content.level_size();
        let sees = host.with_opaque(|opaque| world.borrow().cell_sees(from, to, size, opaque));
        Ok(u8::from(sees))
    })
}
