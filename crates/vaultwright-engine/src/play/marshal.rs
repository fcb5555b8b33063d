//! How markers are written when a level is left or saved, and read again (spec 07 §5.4, §17.2).

use std::cell::RefCell;

use vaultwright_level::{MarkerId, MarkerKind};
use vaultwright_lua::mlua::{self, Error, Function, Lua, Table, UserData, Value};

use super::dispatch::wake_all;
use crate::script::markers::{marker_object, message_of};
use crate::state::host::Host;
use crate::state::playing::SavedMarker;

/// The handle that scripts pass on: what has been written, or what is still to be read.
pub(crate) struct Handle(RefCell<Bytes>);

impl UserData for Handle {}

#[derive(Debug, Default)]
pub(crate) struct Bytes {
    data: Vec<u8>,
    read: usize,
}

impl Bytes {
    pub(crate) fn put_byte(&mut self, value: u8) {
        self.data.push(value);
    }

    pub(crate) fn put_int(&mut self, value: i32) {
        self.data.extend(value.to_le_bytes());
    }

    /// Writes a text of at most 32,767 bytes, and returns whether it was that short.
    pub(crate) fn put_text(&mut self, text: &[u8]) -> bool {
        let Ok(length) = i16::try_from(text.len()) else { return false };
        self.data.extend(length.to_le_bytes());
        self.data.extend(text);
        true
    }

    pub(crate) fn byte(&mut self) -> Option<u8> {
        self.take::<1>().map(|[byte]| byte)
    }

    pub(crate) fn int(&mut self) -> Option<i32> {
        self.take().map(i32::from_le_bytes)
    }

    pub(crate) fn text(&mut self) -> Option<Vec<u8>> {
        let length = usize::try_from(self.take().map(i16::from_le_bytes)?).ok()?;
        let text = self.data.get(self.read..self.read + length)?.to_vec();
        self.read += length;
        Some(text)
    }

    fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let bytes = self.data.get(self.read..self.read + N)?.try_into().ok()?;
        self.read += N;
        Some(bytes)
    }
}

/// Runs `f` on what a handle holds.
pub(crate) fn with_handle<R>(
    handle: &Value,
    f: impl FnOnce(&mut Bytes) -> mlua::Result<R>,
) -> mlua::Result<R> {
    let wrong = || Error::runtime("bad argument #1 (file handle expected)");
    let Value::UserData(data) = handle else { return Err(wrong()) };
    let handle = data.borrow::<Handle>().map_err(|_| wrong())?;
    f(&mut handle.0.borrow_mut())
}

/// Writes the Lua markers of the level. The error names the marker that cannot be written.
pub(crate) fn write_markers(
    lua: &Lua,
    host: &mut Host,
) -> Result<Vec<(MarkerId, SavedMarker)>, String> {
    let mut written = Vec::new();
    wake_all(lua, host);
    for id in host.markers_by_column() {
        let Some(marker) = host.level.markers.get(id).cloned() else { continue };
        let Some(table) = host.markers.of(lua, &marker.kind) else { continue };
        let saved = write_marker(lua, host, id, &table).map_err(|error| {
            let (x, y) = (marker.at.x, marker.at.y);
            format!("the marker at ({x}, {y}) cannot be saved: {}", message_of(&error))
        })?;
        written.push((id, saved));
    }
    Ok(written)
}

fn write_marker(
    lua: &Lua,
    host: &mut Host,
    id: MarkerId,
    table: &Table,
) -> mlua::Result<SavedMarker> {
    let Some(class) = host.lend(|| table.get::<Option<String>>("CLASS"))? else {
        return Err(Error::runtime("Marker table has no CLASS property"));
    };
    host.lend(|| reader(lua, &class))?;
    let handle = lua.create_userdata(Handle(RefCell::default()))?;
    if let Some(write) = host.lend(|| table.get::<Option<Function>>("write"))? {
        // The reference hands out the marker without its methods here.
        let marker = marker_object(lua, &mut host.play.marker_objects, &host.slot, id)?;
        host.lend(|| write.call::<()>((table, marker, &handle)))?;
    }
    let handle: Handle = handle.take()?;
    Ok(SavedMarker { class, bytes: handle.0.into_inner().data })
}

/// Reads the Lua markers of the level, in the order in which they were written.
pub(crate) fn read_markers(
    lua: &Lua,
    host: &mut Host,
    written: &[(MarkerId, SavedMarker)],
) -> Result<(), String> {
    for (id, saved) in written {
        let table = read_marker(lua, host, *id, saved).map_err(|error| {
            format!("a marker of class {} cannot be read: {}", saved.class, message_of(&error))
        })?;
        let kept = host.markers.keep(lua, Value::Table(table));
        let number = kept.map_err(|error| message_of(&error))?;
        if let Some(kind) = host.level.markers.kind_mut(*id) {
            *kind = MarkerKind::Lua(number);
        }
    }
    Ok(())
}

fn read_marker(
    lua: &Lua,
    host: &mut Host,
    id: MarkerId,
    saved: &SavedMarker,
) -> mlua::Result<Table> {
    let read = host.lend(|| reader(lua, &saved.class))?;
    let bytes = Bytes { data: saved.bytes.clone(), read: 0 };
    let handle = lua.create_userdata(Handle(RefCell::new(bytes)))?;
    let marker = marker_object(lua, &mut host.play.marker_objects, &host.slot, id)?;
    let empty = lua.create_table()?;
    match host.lend(|| read.call::<Value>((empty, marker, handle)))? {
        Value::Table(table) => Ok(table),
        _ => Err(Error::runtime("lua_marker::read error: the reader gives no table")),
    }
}

/// Returns what reads markers of a class: registered for it, or the `read` of a global of its name.
fn reader(lua: &Lua, class: &str) -> mlua::Result<Function> {
    let missing = || {
        let message =
            format!("Marker table ({class}) has no registered reader and no .read method.");
        Error::runtime(message)
    };
    let globals = lua.globals();
    if let Some(registered) = globals.get::<Option<Table>>("MARKER_UNMARSHALL_TABLE")?
        && let Some(read) = registered.get::<Option<Function>>(class)?
    {
        return Ok(read);
    }
    let class = globals.get::<Option<Table>>(class)?.ok_or_else(missing)?;
    class.get::<Option<Function>>("read")?.ok_or_else(missing)
}
