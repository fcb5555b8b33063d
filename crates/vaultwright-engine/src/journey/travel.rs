//! Entering and leaving levels (spec 07 §7).

use std::sync::Arc;

use vaultwright_lua::mlua::Lua;
use vaultwright_map::{LevelPlace, MapDef, Point};
use vaultwright_syntax::ChunkKind;

use super::turns::{catch_up, clear_clouds};
use crate::builder::attempt::build_level;
use crate::observe::veto::LevelError;
use crate::pack::problem::ChunkError;
use crate::play::dispatch::{raise, wake_all};
use crate::play::marshal::{read_markers, write_markers};
use crate::play::protocol::{Telling, activate_markers, init_markers};
use crate::play::told::waiting;
use crate::resolve::roll::run_chunk;
use crate::script::environment::{Hook, fire_hook};
use crate::state::host::Host;
use crate::state::listeners::Listeners;
use crate::state::map_cell::MapCell;
use crate::state::playing::AwayLevel;
use vaultwright_level::{Event, EventKind};

/// The ways in which the player leaves a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leaving {
    /// By the stairs or portal underfoot.
    Stairs,
    /// In another way: falling, banished.
    Otherwise,
}

/// Leaves the level: drops its listeners and saves its markers (spec 07 §7.2, steps 1 and 2).
pub(crate) fn leave(lua: &Lua, host: &mut Host, way: Leaving) -> Result<(), String> {
    let world = host.world();
    let (player, ticks) = (world.borrow().player(), host.play.time_taken);
    if way == Leaving::Stairs || !host.content.rules.climbing_needs_stairs_underfoot {
        raise(lua, host, Event::at(EventKind::PlayerClimb, player, ticks));
    }
    raise(lua, host, Event::global(EventKind::LeaveLevel, ticks));
    wake_all(lua, host);
    // Nothing listens any more to what clouds leave behind.
    let listeners = std::mem::take(&mut host.play.listeners);
    // If a marker cannot be saved, the level stays as it is.
    let clouds = host.play.clouds.clone();
    let with_clouds = (!clouds.0.is_empty()).then(|| (clouds, host.level.clone()));
    clear_clouds(lua, host);
    let written = write_markers(lua, host).inspect_err(|_| {
        host.play.listeners = listeners;
        if let Some((clouds, level)) = with_clouds {
            (host.play.clouds, host.level) = (clouds, level);
        }
    })?;
    let place = host.game.place;
    world.borrow_mut().leave_level(place);
    let level = host.level.clone();
    let left = Some(host.play.elapsed);
    let play = &mut host.play;
    play.marker_objects.clear();
    play.away.insert(place, AwayLevel { level, left, written });
    Ok(())
}

/// Makes a level the current one: as it was left, or built now. Builds the levels that come before
/// it in this game, too.
pub(crate) fn bring(lua: &Lua, host: &mut Host, place: LevelPlace) -> Result<Arrival, LevelError> {
    if !host.play.away.contains_key(&place) {
        build_up_to(lua, host, place)?;
    }
    let away = host.play.away.remove(&place);
    let Some(away) = away else { return Err(LevelError::NotInGame) };
    host.game.place = place;
    host.level = away.level;
    host.world().borrow_mut().enter_level(place);
    match away.left {
        None => {
            host.hand_over();
            Ok(Arrival { left: None })
        }
        Some(left) => {
            let markers = host.level.markers.clone();
            if let Err(error) = read_markers(lua, host, &away.written) {
                // It stays what it was for who comes again.
                host.world().borrow_mut().leave_level(place);
                let mut level = host.level.take(host.content.features());
                level.markers = markers;
                let away = AwayLevel { level, left: away.left, written: away.written };
                host.play.away.insert(place, away);
                return Err(LevelError::Scripts(error));
            }
            Ok(Arrival { left: Some(left) })
        }
    }
}

/// What is known about a level that the player enters.
pub(crate) struct Arrival {
    /// The time when the player left it, if ever.
    left: Option<i64>,
}

impl Arrival {
    /// The player has never been there.
    pub(crate) const FIRST: Arrival = Arrival { left: None };
}

/// Builds the levels of the game in order, up to the given one. A level that is not part of the
/// game is built out of turn.
fn build_up_to(lua: &Lua, host: &mut Host, place: LevelPlace) -> Result<(), LevelError> {
    let planned = host.play.upcoming.contains(&place);
    loop {
        let next = if planned { host.play.upcoming.pop_front() } else { None };
        let next = next.unwrap_or(place);
        host.play.forget_level();
        host.reset_level();
        let way_in = host.play.portals_entered.get(&next.branch).copied();
        if let Some(from) =
            way_in.filter(|_| host.content.branches().traits(next.branch).depth_of_entry)
        {
            host.game.dungeon.set_way_in(next.branch, from);
        }
        build_level(lua, host, next)?;
        // Markers are initialised before the player arrives.
        init_markers(lua, host);
        // The next one begins anew.
        let level = host.level.take(host.content.features());
        let away = AwayLevel { level, left: None, written: Vec::new() };
        host.play.away.insert(next, away);
        if next == place {
            return Ok(());
        }
    }
}

/// Activates the level that [`bring`] has brought, before the player arrives (spec 07 §7.2, steps 4
/// to 8).
pub(crate) fn wake_level(lua: &Lua, host: &mut Host, arrival: &Arrival) {
    activate_markers(lua, host, Telling::Aloud);
    if let Some(left) = arrival.left {
        let absence = host.play.elapsed.saturating_sub(left);
        if absence > 0 {
            catch_up(lua, host, absence);
        }
    }
    clear_clouds(lua, host);
}

/// Puts the player on one of its cells (spec 07 §7.2, steps 9 to 16).
pub(crate) fn set_foot(lua: &Lua, host: &mut Host, arrival: &Arrival, at: Point) {
    host.world().borrow_mut().move_player(at);
    host.look();
    let ticks = host.play.time_taken;
    raise(lua, host, Event::at(EventKind::PlayerMove, at, ticks));
    raise(lua, host, Event::global(EventKind::EnteringLevel, ticks));
    let mut ticks = ticks;
    if host.content.rules.first_arrival_is_quick {
        let way = if arrival.left.is_none() { ticks } else { ticks.saturating_mul(2) };
        ticks = host.game.streams.div_rand_round(way.saturating_mul(3), 4);
    } else {
        ticks = host.game.streams.div_rand_round(ticks.saturating_mul(3), 2);
    }
    host.play.time_taken = ticks;
    if arrival.left.is_none() {
        run_epilogues(lua, host);
    }
    raise(lua, host, Event::global(EventKind::EnteredLevel, ticks));
    host.look();
}

/// Continues a saved game like the reference does: reads the markers from what they have written,
/// activates them with their messages, and sends the event that a game was loaded (spec 07 §7.3).
pub(crate) fn reload(lua: &Lua, host: &mut Host) -> Result<(), String> {
    let written = write_markers(lua, host)?;
    let play = &mut host.play;
    play.listeners = Listeners::default();
    play.marker_objects.clear();
    read_markers(lua, host, &written)?;
    activate_markers(lua, host, Telling::Aloud);
    let ticks = host.play.time_taken;
    raise(lua, host, Event::global(EventKind::EnteringLevel, ticks));
    let loaded = Event { arg1: 1, ..Event::global(EventKind::EnteredLevel, ticks) };
    raise(lua, host, loaded);
    host.look();
    Ok(())
}

/// Runs the epilogues of the level's vaults, in the order in which they were placed (spec 07 §18).
fn run_epilogues(lua: &Lua, host: &mut Host) {
    let maps: Vec<Arc<MapDef>> =
        host.level.vaults.iter().map(|vault| Arc::clone(&vault.map)).collect();
    let library = Arc::clone(&host.library);
    for map in maps {
        let Some(index) = library.find(&map.name) else { continue };
        if waiting(lua, &library, &map.name).next().is_none() {
            continue;
        }
        let map = MapCell::new(Arc::unwrap_or_clone(map), library[index].origin);
        let map_name = map.def.borrow().name.clone();
        let tell = |host: &mut Host, what: &str, error: &ChunkError| {
            if !error.is_failed_placement() {
                host.say_error(&format!("Lua error{what}: {}", error.message));
            }
        };
        let hook = |host: &mut Host, hook: Hook| {
            if let Err(error) = fire_hook(lua, host, &map, hook) {
                let error = ChunkError::of_lua(&error, host);
                tell(host, &format!(" running hook '{hook}' on map '{map_name}'"), &error);
            }
        };
        hook(host, Hook::PRE_EPILOGUE);
        if let Err(error) = run_chunk(lua, host, &map, ChunkKind::Epilogue) {
            tell(host, "", &error);
        }
        hook(host, Hook::POST_EPILOGUE);
    }
}
