//! The limit of an interpreter's memory.
//!
//! `mlua` has a limit of its own, but while one is set it makes every value behind a protected call
//! with closures of its own, which costs more than most of what is made. So the limit is looked at
//! here. Whoever asks for memory gets it; what is beyond the limit makes the next instruction of
//! any script collect the garbage, and end the script if too much is still in use (`meter.rs`). One
//! request is refused: to have a block grow beyond the limit by [`LARGE`] and more, as joining long
//! texts does. Only the interpreter's own instructions ask for that, so the error never jumps over
//! a function of the host: those make new blocks, and none of them fills a table of a script.

use std::cell::{Cell, RefCell};
use std::collections::HashSet;
use std::ffi::c_void;
use std::ptr::{self, NonNull};
use std::rc::Rc;

use mlua::Lua;
use mlua::ffi::{self, lua_State};

use crate::kept_blocks::KeptBlocks;

/// How many bytes beyond the limit a block may not grow by.
const LARGE: usize = 1 << 20;

/// The memory of one interpreter.
pub(crate) struct Memory {
    original: ffi::lua_Alloc,
    original_data: *mut c_void,
    main: *mut lua_State,
    /// Has the next instruction of a state look at its account.
    hurry: unsafe fn(*mut lua_State),
    limit: usize,
    used: Cell<usize>,
    /// Whether the limit was crossed since it was last looked at.
    crossed: Cell<bool>,
    refused: Cell<bool>,
    coroutines: RefCell<HashSet<*mut c_void>>,
    /// Blocks of the original's that the interpreter has given back.
    kept: RefCell<KeptBlocks>,
}

impl Memory {
    /// Looks after the memory of an interpreter from now on, until [`Memory::leave`].
    pub(crate) fn install(
        lua: &Lua,
        limit: usize,
        hurry: unsafe fn(*mut lua_State),
    ) -> mlua::Result<Rc<Memory>> {
        // SAFETY: the allocator is replaced by one that asks the original for every block, so that
        // either can free what the other has given. The address stays valid until `leave` puts the
        // original back.
        unsafe {
            let mut memory = None;
            lua.exec_raw::<()>((), |state| {
                let mut data = ptr::null_mut();
                let original = ffi::lua_getallocf(state, &mut data);
                memory = Some(Rc::new(Memory {
                    original,
                    original_data: data,
                    main: state,
                    hurry,
                    limit,
                    used: Cell::new(in_use(state)),
                    crossed: Cell::new(false),
                    refused: Cell::new(false),
                    coroutines: RefCell::default(),
                    kept: RefCell::new(KeptBlocks::new()),
                }));
                let at = memory.as_ref().map_or(ptr::null(), Rc::as_ptr);
                ffi::lua_setallocf(state, allocate, at.cast_mut().cast());
            })?;
            memory.ok_or_else(|| mlua::Error::runtime("the interpreter was not asked"))
        }
    }

    /// Puts the original allocator back; what has been given lives on.
    pub(crate) fn leave(&self) {
        self.crossed.set(false);
        self.give_back();
        // SAFETY: every block is one of the original's. The state lives as long as an interpreter,
        // which is what calls this.
        unsafe {
            ffi::lua_setallocf(self.main, self.original, self.original_data);
        }
    }

    /// Returns how many bytes are in use.
    pub(crate) fn used(&self) -> usize {
        self.used.get()
    }

    /// Returns whether so many bytes more would be too many.
    pub(crate) fn has_no_room_for(&self, bytes: usize) -> bool {
        self.used.get().saturating_add(bytes) > self.limit
    }

    /// Returns whether too much is in use, after collecting the garbage if it seems so.
    ///
    /// # Safety
    /// The state must be the one that runs, in a hook or in a function without an error underway.
    pub(crate) unsafe fn is_used_up(&self, state: *mut lua_State) -> bool {
        if !self.crossed.replace(false) || self.used.get() <= self.limit {
            return false;
        }
        // SAFETY: as above.
        unsafe { ffi::lua_gc(state, ffi::LUA_GCCOLLECT, 0) };
        // Collecting for the sake of every few bytes would take all the time.
        self.used.get() > self.limit / 4 * 3
    }

    /// Notes a coroutine, which has a hook of its own.
    pub(crate) fn note_coroutine(&self, state: *mut lua_State) {
        self.coroutines.borrow_mut().insert(state.cast());
    }

    /// Returns whether a block was refused since this was last asked.
    pub(crate) fn has_refused(&self) -> bool {
        self.refused.replace(false)
    }

    /// Collects what nobody holds any more, and gives it back.
    pub(crate) fn collect(&self) {
        // SAFETY: the state is alive as long as its account; whoever has that may run Lua.
        unsafe { ffi::lua_gc(self.main, ffi::LUA_GCCOLLECT, 0) };
        self.give_back();
    }

    fn give_back(&self) {
        // SAFETY: these are blocks of the original's, with the sizes that they were given with.
        self.kept.borrow_mut().give_back(|block, size| unsafe {
            (self.original)(self.original_data, block.as_ptr(), size, 0);
        });
    }

    fn grow(&self, bytes: usize) {
        let used = self.used.get() + bytes;
        self.used.set(used);
        if used > self.limit && !self.crossed.replace(true) {
            // SAFETY: all of them are alive: those that are freed are forgotten.
            unsafe {
                (self.hurry)(self.main);
                for coroutine in &*self.coroutines.borrow() {
                    (self.hurry)(coroutine.cast());
                }
            }
        }
    }
}

/// How many bytes a state uses.
///
/// # Safety
/// The state must be one of an interpreter.
unsafe fn in_use(state: *mut lua_State) -> usize {
    let count = |what| usize::try_from(unsafe { ffi::lua_gc(state, what, 0) }).unwrap_or(0);
    count(ffi::LUA_GCCOUNT) * 1024 + count(ffi::LUA_GCCOUNTB)
}

/// Gives, changes and takes back blocks, as the interpreter asks for it.
unsafe extern "C" fn allocate(
    data: *mut c_void,
    block: *mut c_void,
    old: usize,
    new: usize,
) -> *mut c_void {
    // SAFETY: the interpreter calls this with the address that it was given, which `leave` takes
    // away before it ends, and with blocks and sizes that it was given.
    unsafe {
        let memory = &*data.cast_const().cast::<Memory>();
        // Some interpreters say there what kind of object a new block is for.
        let held = if block.is_null() { 0 } else { old };
        if new > held {
            let more = new - held;
            if held > 0 && more >= LARGE && memory.has_no_room_for(more) {
                memory.refused.set(true);
                return ptr::null_mut();
            }
            memory.grow(more);
        } else {
            memory.used.set(memory.used.get().saturating_sub(held - new));
        }
        match NonNull::new(block) {
            None if new > 0 => {
                if let Some(kept) = memory.kept.borrow_mut().take(new) {
                    return kept.as_ptr();
                }
            }
            Some(block) if new == 0 => {
                let mut coroutines = memory.coroutines.borrow_mut();
                if !coroutines.is_empty() {
                    coroutines.remove(&block.as_ptr());
                }
                if memory.kept.borrow_mut().keep(block, old) {
                    return ptr::null_mut();
                }
            }
            _ => {}
        }
        (memory.original)(memory.original_data, block, old, new)
    }
}
