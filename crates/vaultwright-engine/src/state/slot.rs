//! Where functions of scripts find what they act on while Lua runs.

use std::cell::Cell;
use std::ptr;

use vaultwright_lua::mlua::{self, Error};

use super::host::Host;

/// Where the host lies while Lua runs. Functions of scripts cannot borrow from the stack of those
/// who call Lua, so these lend them the host here ([`Host::lend`]), until the call returns.
#[derive(Default)]
pub(crate) struct Slot {
    /// Null while nobody has lent the host, and while a function has taken it.
    host: Cell<*mut Host>,
}

/// Puts back what was in a slot before, on every way out.
struct PutBack<'a> {
    slot: &'a Slot,
    before: *mut Host,
}

impl Drop for PutBack<'_> {
    fn drop(&mut self) {
        self.slot.host.set(self.before);
    }
}

impl Slot {
    /// Runs a function of scripts with the host that was lent; an error if none was.
    pub(crate) fn with<R>(
        &self,
        run: impl FnOnce(&mut Host) -> mlua::Result<R>,
    ) -> mlua::Result<R> {
        let taken = self.host.replace(ptr::null_mut());
        let _put_back = PutBack { slot: self, before: taken };
        // SAFETY: what is in the slot is a pointer that `Host::lend` has made of its exclusive
        // reference, which is not used before that call is over, and which `PutBack` has taken
        // out by then. It is out of the slot while we use it, so there is no second one.
        match unsafe { taken.as_mut() } {
            Some(host) => run(host),
            None => Err(Error::runtime("this function can only be called while a map is run")),
        }
    }
}

impl Host {
    /// Runs Lua, whose functions act on this host meanwhile.
    pub(crate) fn lend<R>(&mut self, run: impl FnOnce() -> R) -> R {
        let slot = std::rc::Rc::clone(&self.slot);
        let before = slot.host.replace(self);
        let _put_back = PutBack { slot: &slot, before };
        run()
    }
}
