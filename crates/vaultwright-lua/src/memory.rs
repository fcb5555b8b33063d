//! The memory limit of an interpreter.
//!
//! `mlua` has its own memory limit, but while one is set, it creates every value in a protected
//! call with new closures, which costs more than most of the values. So the limit is checked here.
//! Every request for memory is granted. Beyond the limit, the next instruction of any script
//! collects the garbage, and ends the script if too much is still in use (`meter.rs`). One kind of
//! request is refused: growing a block beyond the limit by [`LARGE`] or more, as concatenating long
//! strings does. Only the interpreter's own instructions request that, so the error never jumps
//! over a function of the host: those create new blocks, and none of them fills a table of a
//! script.

use std::cell::{Cell, RefCell, UnsafeCell};
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
    /// Whether there are any.
    has_coroutines: Cell<bool>,
    /// Blocks of the original's that the interpreter has given back.
    kept: UnsafeCell<KeptBlocks>,
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
                    has_coroutines: Cell::new(false),
                    kept: UnsafeCell::new(KeptBlocks::new()),
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
        self.has_coroutines.set(true);
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
        // SAFETY: these are blocks of the original's, with the sizes that they were given with; the
        // original asks nothing of us.
        unsafe {
            (*self.kept.get()).give_back(|block, size| {
                (self.original)(self.original_data, block.as_ptr(), size, 0);
            });
        }
    }
}

/// How many bytes a state uses.
///
/// # Safety
/// The state must be one of an interpreter.
unsafe fn in_use(state: *mut lua_State) -> usize {
    // SAFETY: upheld by the caller.
    let count = |what| usize::try_from(unsafe { ffi::lua_gc(state, what, 0) }).unwrap_or(0);
    count(ffi::LUA_GCCOUNT) * 1024 + count(ffi::LUA_GCCOUNTB)
}

/// Gives, changes and takes back blocks, as the interpreter asks for it: that often that whatever
/// is rare is a function of its own, called last, so that nothing has to be put aside for it.
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
        match (NonNull::new(block), new) {
            // Some interpreters say in the old size what kind of object a new block is for.
            (None, _) => memory.give(old, new),
            (Some(block), 0) => memory.take_back(block, old),
            (Some(block), _) => memory.change(block, old, new),
        }
    }
}

impl Memory {
    /// # Safety
    /// Only the interpreter may ask, which takes the block as its own.
    #[inline]
    unsafe fn give(&self, kind: usize, size: usize) -> *mut c_void {
        let used = self.used.get() + size;
        self.used.set(used);
        // SAFETY: nobody else looks at the kept blocks meanwhile.
        let block = match unsafe { (*self.kept.get()).take(size) } {
            Some(kept) => kept.as_ptr(),
            // SAFETY: the original is asked as the interpreter would ask it.
            None => unsafe { (self.original)(self.original_data, ptr::null_mut(), kind, size) },
        };
        if used > self.limit { self.cross(block) } else { block }
    }

    /// # Safety
    /// The block must be one that was given, of this size, and not be used any more.
    #[inline]
    unsafe fn take_back(&self, block: NonNull<c_void>, size: usize) -> *mut c_void {
        self.used.set(self.used.get().saturating_sub(size));
        if self.has_coroutines.get() {
            self.forget_coroutine(block);
        }
        // SAFETY: as above.
        unsafe {
            if (*self.kept.get()).keep(block, size) {
                return ptr::null_mut();
            }
            (self.original)(self.original_data, block.as_ptr(), size, 0)
        }
    }

    /// Forgets a coroutine, if a block that comes back is one.
    #[cold]
    #[inline(never)]
    fn forget_coroutine(&self, block: NonNull<c_void>) {
        let mut coroutines = self.coroutines.borrow_mut();
        coroutines.remove(&block.as_ptr());
        self.has_coroutines.set(!coroutines.is_empty());
    }

    /// # Safety
    /// As [`Memory::take_back`].
    #[inline(never)]
    unsafe fn change(&self, block: NonNull<c_void>, old: usize, new: usize) -> *mut c_void {
        let more = new.saturating_sub(old);
        if more >= LARGE && self.has_no_room_for(more) {
            self.refused.set(true);
            return ptr::null_mut();
        }
        let used = (self.used.get() + new).saturating_sub(old);
        self.used.set(used);
        // SAFETY: the block is the original's.
        let block = unsafe { (self.original)(self.original_data, block.as_ptr(), old, new) };
        if more > 0 && used > self.limit { self.cross(block) } else { block }
    }

    /// Notes that the limit is crossed, and returns the block with which it was.
    #[cold]
    #[inline(never)]
    fn cross(&self, block: *mut c_void) -> *mut c_void {
        if !self.crossed.replace(true) {
            // SAFETY: all of them are alive: those that are freed are forgotten.
            unsafe {
                (self.hurry)(self.main);
                for coroutine in &*self.coroutines.borrow() {
                    (self.hurry)(coroutine.cast());
                }
            }
        }
        block
    }
}
