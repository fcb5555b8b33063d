//! Telling markers what happens (spec 07 §8.4).

use vaultwright_content::Rules;
use vaultwright_level::MarkerId;
use vaultwright_lua::mlua::Lua;

use super::protocol::{EventObject, class_of, notify};
use crate::observe::event::BuildEvent;
use crate::state::host::Host;
use crate::state::listeners::Listeners;
use vaultwright_level::{Event, EventKind};

/// Tells everybody who waits for it.
pub(crate) fn raise(lua: &Lua, host: &mut Host, event: Event) {
    if event.kind == EventKind::Turn {
        return pass_turn(lua, host, event);
    }
    let waiting = host.play.listeners.of(event.kind, event.at);
    for marker in waiting {
        if !was_removed(&host.play.listeners, &host.content.rules, &event, marker) {
            catch_up_with_turns(lua, host, marker);
            tell(lua, host, marker, event);
        }
    }
}

/// Tells a turn to those who are awake; the others hear of it when they wake up.
fn pass_turn(lua: &Lua, host: &mut Host, event: Event) {
    let awake = host.play.listeners.pass_turn(event.ticks);
    for (marker, ticks) in awake {
        if !was_removed(&host.play.listeners, &host.content.rules, &event, marker) {
            tell(lua, host, marker, Event { ticks, ..event });
        }
    }
}

/// Tells a sleeper of the turns that it has slept through, and lets it hear of each from now on.
pub(crate) fn catch_up_with_turns(lua: &Lua, host: &mut Host, marker: MarkerId) {
    let ticks = host.play.listeners.wake(marker);
    if ticks != 0 {
        tell(lua, host, marker, Event::global(EventKind::Turn, ticks));
        host.play.listeners.wake(marker);
    }
}

/// Tells all sleepers of what they have slept through.
pub(crate) fn wake_all(lua: &Lua, host: &mut Host) {
    let owed = host.play.listeners.owed();
    owed.into_iter().for_each(|marker| catch_up_with_turns(lua, host, marker));
}

/// Returns whether a listener that was to be told has been removed meanwhile.
fn was_removed(listeners: &Listeners, rules: &Rules, event: &Event, marker: MarkerId) -> bool {
    if !rules.removed_listeners_are_skipped || !event.kind.is_global() {
        return false;
    }
    !listeners
        .global
        .iter()
        .any(|listener| listener.marker == marker && listener.mask & event.kind.code() != 0)
}

/// Tells a marker what has happened.
pub(crate) fn tell(lua: &Lua, host: &mut Host, marker: MarkerId, event: Event) {
    let Ok(object) = lua.create_userdata(EventObject(event)) else { return };
    if !host.observers.borrow().want_telling() {
        notify(lua, host, marker, &object);
        return;
    }
    let Some(class) = &class_of(lua, host, marker) else { return };
    let at = host.marker_position(marker).unwrap_or(event.at);
    let time = host.play.elapsed;
    host.tell(&BuildEvent::Telling { time, event, marker: (marker, at), class });
    notify(lua, host, marker, &object);
    host.tell(&BuildEvent::Told);
}
