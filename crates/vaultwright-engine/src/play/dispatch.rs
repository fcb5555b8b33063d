//! Telling markers what happens (spec 07 §8.4).

use std::rc::Rc;

use vaultwright_lua::mlua::Lua;

use super::event::Event;
use super::protocol::{EventObject, notify};
use super::timeline::Moment;
use crate::host::Host;

/// Tells everybody who waits for it.
pub(crate) fn raise(lua: &Lua, host: &Rc<Host>, event: Event) {
    let waiting = host.play.borrow().listeners.of(event.kind, event.at);
    if waiting.is_empty() {
        return;
    }
    let Ok(object) = lua.create_userdata(EventObject(event)) else { return };
    let skip_removed = host.content.rules.removed_listeners_are_skipped && event.kind.is_global();
    for marker in waiting {
        if skip_removed && !is_listening(host, &event, marker) {
            continue;
        }
        let at = host.marker_position(marker).unwrap_or(event.at);
        host.with_timeline(|timeline, time| {
            timeline.begin(Moment { time, event, marker: (marker, at), changes: Vec::new() });
        });
        notify(lua, host, marker, &object);
        host.with_timeline(|timeline, _| timeline.end(false));
    }
}

fn is_listening(host: &Host, event: &Event, marker: u32) -> bool {
    let play = host.play.borrow();
    play.listeners.global.iter().any(|&(mask, m)| m == marker && mask & event.kind.code() != 0)
}
