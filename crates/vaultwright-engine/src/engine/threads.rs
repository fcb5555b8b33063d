//! An engine may go to another thread.

use super::play::Play;
use super::session::Engine;
use crate::state::world::World;

// SAFETY: what is not `Send` in an engine is the interpreter, the counted pointers to the slot of
// its host and to other parts, and the functions that scripts call, which hold such pointers. All
// of them are reached through the engine alone: no safe public function hands out a pointer, a
// value of Lua or anything that holds one (`tests/threads.rs` lists what is handed out), what users
// put in has to be `Send` (`Announce`), and `Engine::with_lua` and `Play::answer_scripts`, which
// could break this, are `unsafe` and say so. So they go to the other thread together, and nobody
// stays behind who counts with them. The slot is empty whenever nothing of the engine's is under
// way. Neither the interpreter nor `mlua` keeps anything for a thread; the clock that scripts are
// measured by starts anew with each call.
unsafe impl Send for Engine {}

// SAFETY: as above; the engine's host also points to the world, which is `Send` here and which the
// game sees only as long as it borrows the `Play`.
unsafe impl<W: World + Send + 'static> Send for Play<W> {}
