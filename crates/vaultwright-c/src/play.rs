//! Games in play.

use std::ffi::{CString, c_char};
use std::ptr::null;
use std::slice;
use std::thread::{self, ThreadId};

use vaultwright::content::FeatureId;
use vaultwright::map::{LevelPlace, Point};
use vaultwright::play::{Done, Session, SessionOptions};
use vaultwright::{Event, EventKind, SaveError};

use crate::engine::{Engine, map_named, no_level, own, place_named};
use crate::level::{Level, Made};
use crate::status::{Failed, Status, at_mut, guarded, text_of};
use crate::text::c_text;
use crate::told::{cells_told, level_in_play, markers_told, news_told};

/// The most ticks that pass at once.
const MAX_TICKS: u32 = 1_000_000;

/// A game in play: a player who walks about on its levels, monsters and items, and the vaults that
/// respond. It has an interpreter of its own, and belongs to the thread that made it.
pub struct Play {
    session: Session,
    thread: ThreadId,
    /// The level that was told last, and its features: what differs is told next.
    told: Option<(LevelPlace, Vec<FeatureId>)>,
    // What the pointers that were handed out last lead to.
    news: CString,
    markers: CString,
    cells: Vec<u8>,
    saved: Vec<u8>,
}

impl Play {
    fn of(session: Session) -> Play {
        let (news, markers) = (CString::default(), CString::default());
        let (cells, saved) = (Vec::new(), Vec::new());
        Play { session, thread: thread::current().id(), told: None, news, markers, cells, saved }
    }

    /// Carries out what is called by this name.
    fn act(&mut self, action: &str, (x, y): (i32, i32)) -> Result<Done, Failed> {
        let session = &mut self.session;
        Ok(match action {
            "step" => match (-1..=1).contains(&x) && (-1..=1).contains(&y) && (x, y) != (0, 0) {
                true => session.step((x, y)),
                false => return Err(bad(format!("{x},{y} is no step to a neighbouring cell"))),
            },
            "wait" => session.wait(),
            "stairs" => session.take_stairs(),
            "pick_up" => session.pick_up(),
            "drop" => session.drop_item(),
            "close_doors" => session.close_doors(),
            "kill" => session.kill_nearest(),
            "explore" => session.explore(),
            "next_level" => session.next_level(),
            "teleport" => session.teleport(Point::new(x, y)),
            _ => return Err(unknown(format!("no action is named '{action}'"))),
        })
    }
}

fn bad(message: String) -> Failed {
    Failed(Status::VwBadArgument, message)
}

fn unknown(message: String) -> Failed {
    Failed(Status::VwUnknownName, message)
}

fn bad_save(error: SaveError) -> Failed {
    Failed(Status::VwBadSave, error.to_string())
}

fn settled(done: Done) -> Result<(), Failed> {
    match done {
        Done::Yes => Ok(()),
        Done::No(reason) => Err(Failed(Status::VwRefused, reason)),
    }
}

/// Returns the game of a pointer, if it belongs to this thread.
fn mine<'p>(play: *mut Play) -> Result<&'p mut Play, Failed> {
    let play = at_mut(play, "the game in play")?;
    if play.thread == thread::current().id() {
        return Ok(play);
    }
    let message = "the game in play belongs to the thread that made it: save it, and load it here";
    Err(Failed(Status::VwWrongThread, message.to_owned()))
}

/// Makes a game in play of the vaults of an engine; `begin` brings it on its way.
fn made(
    engine: *mut Engine,
    play: *mut *mut Play,
    begin: impl FnOnce(&mut Session) -> Result<(), Failed>,
) -> Result<(), Failed> {
    let engine = own(engine)?;
    let play = at_mut(play, "the place for the game in play")?;
    let apart = engine.engine.share().engine();
    let apart = apart.map_err(|error| Failed(Status::VwBadPack, error.to_string()))?;
    let mut session = Session::new(apart, 1);
    begin(&mut session)?;
    *play = Box::into_raw(Box::new(Play::of(session)));
    Ok(())
}

/// Begins the game of a seed on a level such as `D:3`. With `wander`, monsters walk about. It plays
/// the vaults that the engine has now, and needs the engine no more.
///
/// # Safety
///
/// The pointers lead to what their types say, or are null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn vw_play_at(
    engine: *mut Engine,
    place: *const c_char,
    seed: u64,
    wander: bool,
    play: *mut *mut Play,
) -> Status {
    guarded(|| {
        made(engine, play, |session| {
            let name = text_of(place, "the name of the level")?;
            let place = place_named(session.play().engine(), name)?;
            session.set_options(SessionOptions { wander });
            session.start_at(place, seed).map_err(|error| no_level(name, seed, &error))
        })
    })
}

/// Begins a game beside a map on an empty level of floor.
///
/// # Safety
///
/// The pointers lead to what their types say, or are null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn vw_play_in(
    engine: *mut Engine,
    map: *const c_char,
    seed: u64,
    wander: bool,
    play: *mut *mut Play,
) -> Status {
    guarded(|| {
        made(engine, play, |session| {
            let map = map_named(session.play().engine(), text_of(map, "the map")?)?;
            session.set_options(SessionOptions { wander });
            let started = session.start_in(map, seed);
            started.map_err(|error| Failed(Status::VwNoLevel, error.message()))
        })
    })
}

/// Makes a game in play of the bytes of `vw_play_save`. It goes on as if it had never stopped, if
/// the engine has the vaults and the pack with which it was saved; else this is `VW_BAD_SAVE`.
///
/// # Safety
///
/// The pointers lead to what their types say, or are null; `bytes` to `length` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn vw_play_load(
    engine: *mut Engine,
    bytes: *const u8,
    length: usize,
    play: *mut *mut Play,
) -> Status {
    guarded(|| {
        if bytes.is_null() || length > isize::MAX as usize {
            return Err(bad("the saved game is missing".to_owned()));
        }
        // SAFETY: it is not null, and has so many bytes, which is the caller's promise.
        let bytes = unsafe { slice::from_raw_parts(bytes, length) };
        made(engine, play, |session| session.load(bytes).map_err(bad_save))
    })
}

/// Lets the player act, after which the level and its monsters do. The actions are `step` (by x and
/// y, each -1 to 1; a closed door there is opened), `wait`, `stairs` (also hatches, portals and
/// transporters), `pick_up`, `drop`, `close_doors`, `kill` (the nearest monster in sight),
/// `explore` (until something turns up), `next_level` and `teleport` (to the cell x, y); the others
/// do not look at x and y. What cannot be done is `VW_REFUSED`, and `vw_last_error` tells the
/// player why.
///
/// # Safety
///
/// The pointers lead to what their types say, or are null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn vw_play_act(
    play: *mut Play,
    action: *const c_char,
    x: i32,
    y: i32,
) -> Status {
    guarded(|| {
        let play = mine(play)?;
        let action = text_of(action, "the action")?;
        let done = play.act(action, (x, y))?;
        // They may lead to another level of the same name.
        if action == "stairs" && done == Done::Yes {
            play.told = None;
        }
        settled(done)
    })
}

/// Takes the player to a level of the game, such as `D:4`, without stairs. Levels that were left
/// stay as they are.
///
/// # Safety
///
/// The pointers lead to what their types say, or are null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn vw_play_go(play: *mut Play, place: *const c_char) -> Status {
    guarded(|| {
        let play = mine(play)?;
        let name = text_of(place, "the name of the level")?;
        let place = place_named(play.session.play().engine(), name)?;
        let done = play.session.travel_to(place);
        if done == Done::Yes {
            play.told = None;
        }
        settled(done)
    })
}

/// Lets time pass without the player, 1 to 1,000,000 ticks: his actions take 10.
///
/// # Safety
///
/// The pointer leads to what its type says, or is null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn vw_play_pass(play: *mut Play, ticks: u32) -> Status {
    guarded(|| {
        let play = mine(play)?;
        if ticks == 0 || ticks > MAX_TICKS {
            return Err(bad(format!("{ticks} ticks cannot pass: 1 to {MAX_TICKS} can")));
        }
        play.session.pass(ticks as i32);
        Ok(())
    })
}

/// Sends an event to the markers that listen for it at a cell, such as `door_opened` or
/// `pressure_plate` (docs/vault-to-trigger.md has all). Those of the actions are sent by
/// `vw_play_act`.
///
/// # Safety
///
/// The pointers lead to what their types say, or are null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn vw_play_event(
    play: *mut Play,
    event: *const c_char,
    x: i32,
    y: i32,
) -> Status {
    guarded(|| {
        let session = &mut mine(play)?.session;
        let name = text_of(event, "the event")?;
        let kind = EventKind::by_name(name);
        let kind = kind.ok_or_else(|| unknown(format!("no event is named '{name}'")))?;
        let at = Point::new(x, y);
        if session.play().level().feature(at).is_none() {
            return Err(bad(format!("{x},{y} is no cell of the level")));
        }
        let ticks = session.play().time_taken();
        session.play_mut().raise(Event::at(kind, at, ticks));
        Ok(())
    })
}

/// Moves a monster, by its number in the news, to a free cell; no time passes.
///
/// # Safety
///
/// The pointer leads to what its type says, or is null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn vw_play_move_monster(
    play: *mut Play,
    monster: u32,
    x: i32,
    y: i32,
) -> Status {
    guarded(|| settled(mine(play)?.session.move_monster(monster, Point::new(x, y))))
}

/// Kills a monster, by its number in the news, as the player does; no time passes.
///
/// # Safety
///
/// The pointer leads to what its type says, or is null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn vw_play_kill(play: *mut Play, monster: u32) -> Status {
    const BY_PLAYER: usize = 1;
    guarded(|| settled(mine(play)?.session.kill(monster, BY_PLAYER)))
}

/// Returns what has happened since this was last asked, as JSON, which is good until it is asked
/// again; each message is told once. Its members:
///
/// - `place`, such as `D:3`; `x` and `y` of the player; `ticks` since the game began
/// - `new_level`: the player is on another level than when this was last asked: see `vw_play_level`
/// - `cells`: else the cells whose feature has changed, each `x`, `y` and `feature`, a number in
///   `vw_engine_features`
/// - `messages`: each `text` and `channel`
/// - `monsters` and `items` of the level as they are now: each `number`, `name`, `x`, `y`; of a
///   monster its `kind` and whether the player sees it (`in_sight`), of an item its `spec` and
///   whether he knows its cell (`known`)
/// - `inventory`: the names of what the player carries
/// - `clouds` as they are now: each `x`, `y`, `name` and the ticks that it has left (`life`)
///
/// # Safety
///
/// The pointers lead to what their types say, or are null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn vw_play_news(play: *mut Play, json: *mut *const c_char) -> Status {
    guarded(|| {
        let (play, json) = (mine(play)?, at_mut(json, "the place for the news")?);
        let before = play.told.take();
        play.news = c_text(&news_told(&mut play.session, before.as_ref()));
        let now = play.session.play();
        play.told = Some((now.place(), now.level().features().to_vec()));
        *json = play.news.as_ptr();
        Ok(())
    })
}

/// Returns the markers of the level as a JSON list, which is good until it is asked for again: each
/// `id`, `x`, `y`, `class` (such as `TriggerableFunction`), `description`, `countdown` (ticks until
/// it fires, or null), and `leads` or `follows`, the group of markers that it leads or belongs to,
/// or null.
///
/// # Safety
///
/// The pointers lead to what their types say, or are null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn vw_play_markers(play: *mut Play, json: *mut *const c_char) -> Status {
    guarded(|| {
        let (play, json) = (mine(play)?, at_mut(json, "the place for the markers")?);
        play.markers = c_text(&markers_told(&mut play.session));
        *json = play.markers.as_ptr();
        Ok(())
    })
}

/// Makes the level as it is now, with its monsters and items, as plain memory, which
/// `vw_level_free` frees; its JSON has no seed. `vw_play_news` tells what changes later.
///
/// # Safety
///
/// The pointers lead to what their types say, or are null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn vw_play_level(play: *mut Play, level: *mut *mut Level) -> Status {
    guarded(|| {
        let (session, level) = (&mine(play)?.session, at_mut(level, "the place for the level")?);
        let content = session.play().content();
        let place = Some(session.play().place().name(content.branches()));
        *level = Level::of(level_in_play(session), content, Made { place, seed: None });
        Ok(())
    })
}

/// Returns what the player knows of each cell, in the order of `VwLevel.features`: `VW_KNOWN` of
/// those he has seen, and `VW_IN_SIGHT` of those he sees. They are good until they are asked for
/// again. Null for a game of another thread.
///
/// # Safety
///
/// The pointers lead to what their types say, or are null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn vw_play_cells(play: *mut Play, count: *mut usize) -> *const u8 {
    let mut first = null();
    guarded(|| {
        let count = at_mut(count, "the place for the number")?;
        *count = 0;
        let play = mine(play)?;
        play.cells = cells_told(&play.session);
        *count = play.cells.len();
        first = play.cells.as_ptr();
        Ok(())
    });
    first
}

/// Saves the whole game, levels that were left too. The bytes are good until it is saved again.
///
/// # Safety
///
/// The pointers lead to what their types say, or are null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn vw_play_save(
    play: *mut Play,
    bytes: *mut *const u8,
    length: *mut usize,
) -> Status {
    guarded(|| {
        let bytes = at_mut(bytes, "the place for the bytes")?;
        let length = at_mut(length, "the place for the length")?;
        let play = mine(play)?;
        play.saved = play.session.save().map_err(bad_save)?;
        (*bytes, *length) = (play.saved.as_ptr(), play.saved.len());
        Ok(())
    })
}

/// Frees a game in play; null is nothing to free.
///
/// # Safety
///
/// The game was not freed before.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn vw_play_free(play: *mut Play) -> Status {
    if play.is_null() {
        return Status::VwOk;
    }
    guarded(|| {
        mine(play)?;
        // SAFETY: it was made by `Box::into_raw`, and was not freed before, which is the caller's
        // promise.
        drop(unsafe { Box::from_raw(play) });
        Ok(())
    })
}
