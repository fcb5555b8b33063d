//! Where functions of scripts find what they act on while Lua runs.

use std::cell::{Cell, RefCell};
use std::ptr;
use std::rc::Rc;

use vaultwright_lua::mlua::{self, Error};

/// Gives the function that it is called with a thing to act on, if it can.
pub(crate) type Finder<T> = dyn Fn(&mut dyn FnMut(&mut T));

/// Where a thing lies while Lua runs. Functions of scripts cannot borrow from the stack of those
/// who call Lua, so these lend it to them here ([`Slot::lend`]), until the call returns.
pub(crate) struct Slot<T> {
    /// Null while it is not lent, and while a function has taken it.
    lent: Cell<*mut T>,
    /// The callback that is asked for it then, if one was set.
    finder: RefCell<Option<Rc<Finder<T>>>>,
}

impl<T> Default for Slot<T> {
    fn default() -> Slot<T> {
        Slot { lent: Cell::new(ptr::null_mut()), finder: RefCell::default() }
    }
}

/// Puts back what was in a slot before, on every way out.
struct PutBack<'a, T> {
    slot: &'a Slot<T>,
    before: *mut T,
}

impl<T> Drop for PutBack<'_, T> {
    fn drop(&mut self) {
        self.slot.lent.set(self.before);
    }
}

impl<T> Slot<T> {
    /// Runs something, Lua for the most part, which finds the thing here meanwhile.
    pub(crate) fn lend<R>(&self, thing: &mut T, run: impl FnOnce() -> R) -> R {
        let _put_back = PutBack { slot: self, before: self.lent.replace(thing) };
        run()
    }

    /// Runs a function of scripts with what was lent. Returns an error if nothing was.
    pub(crate) fn with<R>(&self, run: impl FnOnce(&mut T) -> mlua::Result<R>) -> mlua::Result<R> {
        let (mut run, mut result) = (Some(run), None);
        self.show(&mut |thing| result = run.take().map(|run| run(thing)));
        let busy = "this function cannot be called here: what it acts on is in use";
        result.unwrap_or_else(|| Err(Error::runtime(busy)))
    }

    /// Has `find` asked from now on, where nothing was lent.
    pub(crate) fn set_finder(&self, find: Rc<Finder<T>>) {
        *self.finder.borrow_mut() = Some(find);
    }

    /// Shows `act` what was lent or is found; nothing, where it is in use. It is one function for
    /// all that scripts may call, of which there are hundreds.
    fn show(&self, act: &mut dyn FnMut(&mut T)) {
        let taken = self.lent.replace(ptr::null_mut());
        let _put_back = PutBack { slot: self, before: taken };
        // SAFETY: what is in the slot is a pointer that `lend` has made of its exclusive reference,
        // which is not used before that call is over, and which `PutBack` has taken out by then. It
        // is out of the slot while we use it, so there is no second one.
        if let Some(thing) = unsafe { taken.as_mut() } {
            return act(thing);
        }
        let finder = self.finder.borrow().clone();
        if let Some(find) = finder {
            find(act);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the number that a function finds, doubled there.
    fn double(slot: &Slot<u32>) -> mlua::Result<u32> {
        slot.with(|number| {
            *number *= 2;
            Ok(*number)
        })
    }

    #[test]
    fn a_thing_is_found_while_it_is_lent_and_not_before_or_after() {
        let (slot, mut number) = (Slot::default(), 21);
        assert!(double(&slot).is_err());
        assert_eq!(slot.lend(&mut number, || double(&slot).ok()), Some(42));
        assert!(double(&slot).is_err());
        assert_eq!(number, 42);
    }

    #[test]
    fn who_has_it_has_it_alone_until_he_lends_it() {
        let (slot, mut number) = (Slot::default(), 1);
        let inner = slot.lend(&mut number, || {
            slot.with(|number| {
                let meanwhile = double(&slot);
                Ok((meanwhile.is_err(), slot.lend(number, || double(&slot).ok()), *number))
            })
        });
        assert_eq!(inner.ok(), Some((true, Some(2), 2)));
    }

    #[test]
    fn it_comes_back_after_a_panic() {
        let (slot, mut number) = (Slot::<u32>::default(), 1);
        let caught = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            slot.lend(&mut number, || {
                let _: mlua::Result<()> = slot.with(|_| panic!("in a function"));
            });
        }));
        assert!(caught.is_err());
        assert!(double(&slot).is_err());
    }

    #[test]
    fn whoever_was_named_is_asked_where_nobody_lends() {
        let (slot, number) = (Slot::<u32>::default(), Rc::new(RefCell::new(4)));
        let held = Rc::clone(&number);
        slot.set_finder(Rc::new(move |act| {
            if let Ok(mut number) = held.try_borrow_mut() {
                act(&mut number);
            }
        }));
        assert_eq!(double(&slot).ok(), Some(8));
        let busy = number.borrow_mut();
        assert!(double(&slot).is_err());
        drop(busy);
    }
}
