//! Time (spec 07 §15).

use vaultwright_level::TerrainCause;
use vaultwright_lua::mlua::Lua;
use vaultwright_map::Point;

use crate::builder::abyss::morph::morph_abyss;
use crate::builder::population::place_some_monsters;
use crate::play::dispatch::raise;
use crate::play::terrain::{Temporary, set_temporary, time_out_terrain};
use crate::play::tides::{has_tides, pass_turns};
use crate::state::host::{Host, Parts};
use crate::state::site::on_site;
use vaultwright_level::{Event, EventKind};

/// Does what a level does while the player acts, before monsters do (spec 07 §15.2).
pub(crate) fn environment_step(lua: &Lua, host: &mut Host) {
    let ticks = host.play.time_taken;
    if ticks == 0 {
        return;
    }
    raise(lua, host, Event::global(EventKind::Turn, ticks));
    morph_abyss(lua, host, ticks);
    if has_tides(&host.level, host.traits()) {
        let turns = host.game.streams.div_rand_round(ticks, 10);
        pass_turns(lua, host, turns);
    }
    time_out_terrain(lua, host, ticks);
    spawn_monsters(host, ticks);
}

/// Brings random monsters to the level, as often as its vaults ask for.
fn spawn_monsters(host: &mut Host, ticks: i32) {
    let rate = host.level.spawn_rate;
    if rate <= 0 {
        return;
    }
    let turns = host.game.streams.div_rand_round(ticks, 10);
    let come = (0..turns).filter(|_| host.game.streams.one_chance_in(rate)).count() as i32;
    if come > 0 {
        host.among_stand_ins(|host| on_site(host, |site| place_some_monsters(site, come)));
        host.hand_over();
    }
}

/// Lets clouds age by an action's time, and the clock go on.
pub(crate) fn end_of_action(lua: &Lua, host: &mut Host) {
    let ticks = host.play.time_taken;
    host.play.elapsed = host.play.elapsed.saturating_add(i64::from(ticks));
    if host.play.clouds.0.is_empty() {
        return;
    }
    let opaque = host.opaque_clouds();
    let puddles =
        host.with_parts(|Parts { play, level, .. }, ctx| play.clouds.decay(level, ticks, ctx));
    leave_puddles(lua, host, puddles);
    if host.opaque_clouds() != opaque {
        host.look();
    }
}

/// Removes all clouds.
pub(crate) fn clear_clouds(lua: &Lua, host: &mut Host) {
    let puddles = host.with_parts(|Parts { play, level, .. }, ctx| play.clouds.clear(level, ctx));
    leave_puddles(lua, host, puddles);
}

/// Lets rain that has ended leave its puddles.
pub(crate) fn leave_puddles(
    lua: &Lua,
    host: &mut Host,
    puddles: impl IntoIterator<Item = (Point, i32)>,
) {
    let water = host.content.features().known().shallow_water;
    for (p, ticks) in puddles {
        let cause = TerrainCause::Flood;
        let puddle = Temporary { feature: water, duration: ticks, cause, owner: 0 };
        set_temporary(lua, host, p, puddle);
    }
}

/// Makes up for what a level has missed when the player comes back after some ticks (spec 07
/// §15.4).
pub(crate) fn catch_up(lua: &Lua, host: &mut Host, absence: i64) {
    let absence = i32::try_from(absence).unwrap_or(i32::MAX);
    if !host.content.rules.absence_in_rounds {
        pass_turns(lua, host, absence / 10);
        time_out_terrain(lua, host, absence);
        raise(lua, host, Event::global(EventKind::Turn, 10 * (absence / 10)));
        clear_clouds(lua, host);
        return;
    }
    clear_clouds(lua, host);
    let rounds = (absence / 10).min(10);
    let rest = absence - 10 * rounds;
    let turns = (rest - 10 * rounds) / 10;
    host.while_unheard(|host| {
        for _ in 0..rounds {
            environment_step(lua, host);
            // The clock has gone on already.
            let now = host.play.elapsed;
            end_of_action(lua, host);
            host.play.elapsed = now;
        }
    });
    pass_turns(lua, host, turns);
    time_out_terrain(lua, host, rest);
    raise(lua, host, Event::global(EventKind::Turn, 10 * (rounds + turns)));
}
