//! A vault that is placed on a level in play (spec 07 §4.6).

use vaultwright_level::MarkerId;
use vaultwright_lua::mlua::Lua;
use vaultwright_map::{Orient, Point};

use crate::play::protocol::{Telling, activate_markers, activate_these};
use crate::play::terrain::{move_player, signal_change};
use crate::state::host::Host;

/// Random cells that are tried for the player.
const THROWS: usize = 500;

/// Makes a vault that has just been written part of the level in play.
pub(crate) fn settle_vault(lua: &Lua, host: &mut Host, vault: usize) {
    host.hand_over();
    let Some(vault) = host.level.vaults.get(vault).cloned() else { return };
    if vault.orient == Some(Orient::Encompass) {
        activate_markers(lua, host, Telling::Aloud);
        return throw_player(lua, host);
    }
    let cells: Vec<Point> = vault.cells().collect();
    for p in cells {
        let markers: Vec<MarkerId> = host.level.markers.at(p).map(|m| m.id).collect();
        activate_these(lua, host, &markers, Telling::Aloud);
        signal_change(lua, host, p);
    }
}

/// Puts the player on a random cell of a level that has become another under his feet.
fn throw_player(lua: &Lua, host: &mut Host) {
    let player = host.world().borrow().player();
    if !host.in_bounds(player) {
        return;
    }
    let size = host.level.size();
    for _ in 0..THROWS {
        let x = host.game.streams.random_range(2, size.width() - 3);
        let p = Point::new(x, host.game.streams.random_range(2, size.height() - 3));
        if is_safe(host, p) {
            return move_player(lua, host, p);
        }
    }
}

/// Returns whether a teleport may end on a cell.
fn is_safe(host: &Host, p: Point) -> bool {
    let closed = host.content.names().properties.get("no_tele_into").unwrap_or(0);
    let Some(feature) = host.level.feature(p) else { return false };
    let flags = host.content.features().get(feature).flags;
    let dangerous = flags.solid() || flags.deep_water() || flags.lava() || flags.trap();
    !dangerous
        && host.level.properties(p) & closed == 0
        && !host.play.clouds.0.contains_key(&p)
        && host.world().borrow().monster_at(p).is_none()
}
