//! A vault that is placed on a level in play (spec 07 §4.6).

use vaultwright_level::MarkerId;
use vaultwright_lua::mlua::Lua;
use vaultwright_map::{Orient, Point};

use super::travel::forget_level;
use crate::play::protocol::{Telling, activate_markers, activate_these};
use crate::play::terrain::signal_change;
use crate::state::host::Host;

/// Makes a vault that has just been written part of the level in play; its markers are those from
/// `first` on.
pub(crate) fn settle_vault(lua: &Lua, host: &mut Host, vault: usize, first: MarkerId) {
    host.hand_over();
    let Some(vault) = host.level.vaults.get(vault).cloned() else { return };
    if vault.orient == Some(Orient::Encompass) {
        forget_level(&mut host.play);
        return activate_markers(lua, host, Telling::Aloud);
    }
    let cells: Vec<Point> = vault.cells().collect();
    for &p in &cells {
        host.clear_markers_at(p, |id| id >= first);
    }
    for &p in &cells {
        let markers: Vec<MarkerId> = host.level.markers.at(p).map(|m| m.id).collect();
        activate_these(lua, host, &markers, Telling::Aloud);
        signal_change(lua, host, p);
    }
}
