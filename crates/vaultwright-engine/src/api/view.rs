//! `view`: what the player knows around him (spec 06 §10.2), which a level engine does not: the
//! answers of a player who has seen nothing.

use vaultwright_lua::mlua::{self, MultiValue};

use super::table::Api;

pub(crate) fn install(api: &Api) -> mlua::Result<()> {
    api.function("feature_at", |_, _, _: MultiValue| Ok("unseen"))?;
    api.function("get_map", |lua, _, _: MultiValue| lua.create_table())?;
    api.function("is_safe_square", |_, _, _: MultiValue| Ok(true))?;
    for name in ["cloud_at", "trap_at", "update_monsters"] {
        api.function(name, |_, _, _: MultiValue| Ok(()))?;
    }
    for name in [
        "can_reach",
        "cell_see_cell",
        "cell_see_cell_no_trans",
        "cell_see_cell_solid",
        "cell_see_cell_solid_see",
        "in_known_map_bounds",
        "invisible_monster",
        "seen_at",
        "withheld",
    ] {
        api.function(name, |_, _, _: MultiValue| Ok(false))?;
    }
    Ok(())
}
