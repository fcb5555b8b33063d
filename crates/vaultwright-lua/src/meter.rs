//! The resources used by scripts: a single account for instructions, the work of host and library
//! functions, text stored by the host, and, as a last resort, time.
//!
//! Everything except time is counted, so that a script ends at the same point on every machine.
//! When a resource is used up, every further instruction fails until the account is refilled, and
//! `pcall` does not return the error to the script.

use std::cell::{Cell, OnceCell, RefCell};
use std::collections::{BTreeSet, HashSet};
use std::ffi::{CStr, c_int, c_void};
use std::rc::Rc;
use std::time::{Duration, Instant};

use mlua::ffi::{self, lua_State};
use mlua::{Error, Lua};

use crate::Limits;
use crate::library::Scratch;
use crate::memory::Memory;

/// How often the account is looked at, in instructions.
const STRIDE: u32 = 1000;
/// The same while instructions take long. It divides the other, so that what is counted is the
/// same.
const SHORT_STRIDE: u32 = 10;
/// A stride takes long if it takes this much time; a usual one takes a thousandth of it.
const LONG: Duration = Duration::from_millis(20);

/// At how much memory in percent of what scripts hold their garbage is collected. They make much
/// of it and hold little: collecting seldom is faster, but fresh memory takes time as well.
pub(crate) const PAUSE: c_int = 250;
/// The same while there is little in all.
const PAUSE_OF_LITTLE: c_int = 400;
const LITTLE_MEMORY: usize = 16 << 20;

/// What has been used up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Spent {
    Instructions,
    Time,
    Text,
    Memory,
}

impl Spent {
    pub(crate) fn message(self) -> &'static str {
        self.c_message().to_str().unwrap_or_default()
    }

    pub(crate) fn c_message(self) -> &'static CStr {
        match self {
            Spent::Instructions => c"instruction budget used up",
            Spent::Time => c"time limit used up",
            Spent::Text => c"budget of texts used up",
            Spent::Memory => c"not enough memory",
        }
    }
}

/// What several chunks may use together.
#[derive(Clone, Copy, Debug)]
struct Series {
    instructions: u64,
    text: usize,
}

/// The account of an interpreter.
pub(crate) struct Meter {
    limits: Limits,
    /// What the chunks of a series may still use together.
    series: Cell<Option<Series>>,
    left: Cell<u64>,
    text_left: Cell<usize>,
    spent: Cell<Option<Spent>>,
    /// Instructions of short strides that do not make a long one yet.
    counted: Cell<u32>,
    /// When the first stride since the account was filled ended, and how long the thread had been
    /// at work then: to ask at every filling would take longer than most of what scripts do.
    began: Cell<Option<(Instant, Duration)>>,
    last: Cell<Instant>,
    last_at_work: Cell<Duration>,
    main: Cell<*mut lua_State>,
    memory: OnceCell<Rc<Memory>>,
    lines: RefCell<Option<BTreeSet<(String, u32)>>>,
    watcher: RefCell<Option<LineWatcher>>,
    /// What matching a pattern needs.
    pub(crate) scratch: RefCell<Scratch>,
    /// How many snapshots have been taken.
    pub(crate) snapshots: Cell<u32>,
    /// The snapshot since which tables note whether they are written to.
    pub(crate) watched_for: Cell<u32>,
    /// The functions that have an environment to return to.
    with_environment: RefCell<HashSet<*const c_void>>,
    /// One of them has been given another.
    pub(crate) environments_set: Cell<bool>,
    /// How many objects have been given a number by `tostring`.
    pub(crate) numbered: Cell<u32>,
    /// Whole numbers that functions of the library take may have no fraction, as in Lua 5.4.
    pub(crate) only_whole: Cell<bool>,
}

/// A callback for each line that runs next, with its chunk and its number there.
pub type LineWatcher = Rc<dyn Fn(&str, u32)>;

/// A handle to the remaining budget of an interpreter's scripts.
#[derive(Clone)]
pub struct Budget(pub(crate) Rc<Meter>);

impl Budget {
    /// Resets the budget for the next chunk.
    pub fn refill(&self) {
        self.0.refill();
    }

    /// Returns the budget of the scripts of a state; `None` if it is not one of an interpreter.
    pub fn of(lua: &Lua) -> Option<Budget> {
        Some(Budget(Rc::clone(&*lua.app_data_ref::<Rc<Meter>>()?)))
    }

    /// Limits what all of the next chunks may use together: so many full budgets. Once that is
    /// used up, nothing is refilled any more. `None` ends the limit.
    pub fn limit_series(&self, fills: Option<u32>) {
        let limits = &self.0.limits;
        self.0.series.set(None);
        self.0.refill();
        self.0.series.set(fills.map(|fills| Series {
            instructions: limits.instructions.saturating_mul(u64::from(fills)),
            text: limits.text.saturating_mul(fills as usize),
        }));
    }

    /// Resets the budget for the next chunk of a series, of which this part of a full budget is
    /// taken. Returns an error if the series has used up what it may.
    pub fn refill_in_series(&self, part: u64) -> mlua::Result<()> {
        if let Some(series) = self.0.series.get() {
            let cost = (self.0.limits.instructions / part.max(1)).max(1);
            let instructions = series.instructions.saturating_sub(cost);
            self.0.series.set(Some(Series { instructions, ..series }));
        }
        self.0.refill();
        self.still_open()
    }

    /// Charges work of the host for a script, in instructions. Returns an error if it exceeds the
    /// rest of the budget.
    pub fn spend(&self, work: u64) -> mlua::Result<()> {
        self.0.take(work);
        self.still_open()
    }

    /// Sets the callback for every line that runs next. Returns the previous one.
    pub fn watch_lines(&self, watcher: Option<LineWatcher>) -> Option<LineWatcher> {
        self.0.watch_lines(watcher)
    }

    /// Runs Lua of the host itself, which is not charged to the script.
    pub fn exempt<T>(&self, work: impl FnOnce() -> T) -> T {
        let left = self.0.left.get();
        self.0.left.set(left.max(self.0.limits.instructions));
        let result = work();
        self.0.left.set(left);
        result
    }

    /// Charges the size of a text that the host stores for a script.
    pub fn keep(&self, bytes: usize) -> mlua::Result<()> {
        match self.0.text_left.get().checked_sub(bytes) {
            Some(left) => self.0.text_left.set(left),
            None => self.0.end(Spent::Text),
        }
        self.still_open()
    }

    /// Returns what has been used up since the last refill.
    pub(crate) fn spent(&self) -> Option<Spent> {
        self.0.spent.get()
    }

    fn still_open(&self) -> mlua::Result<()> {
        match self.0.spent.get() {
            Some(spent) => Err(Error::RuntimeError(spent.message().to_owned())),
            None => Ok(()),
        }
    }
}

/// Where the registry keeps the address of the account.
static KEY: u8 = 0;

impl Meter {
    /// Opens the account of a state.
    pub(crate) fn install(lua: &Lua, limits: Limits) -> mlua::Result<Rc<Meter>> {
        let now = Instant::now();
        let meter = Rc::new(Meter {
            limits,
            series: Cell::default(),
            left: Cell::new(limits.instructions),
            text_left: Cell::new(limits.text),
            spent: Cell::new(None),
            counted: Cell::new(0),
            began: Cell::new(None),
            last: Cell::new(now),
            last_at_work: Cell::new(Duration::ZERO),
            main: Cell::new(std::ptr::null_mut()),
            memory: OnceCell::new(),
            lines: RefCell::default(),
            watcher: RefCell::default(),
            scratch: RefCell::default(),
            snapshots: Cell::new(0),
            watched_for: Cell::new(0),
            with_environment: RefCell::default(),
            environments_set: Cell::new(false),
            numbered: Cell::new(0),
            only_whole: Cell::default(),
        });
        // The state keeps it for as long as it lives itself.
        lua.set_app_data(Rc::clone(&meter));
        let at = Rc::as_ptr(&meter);
        // SAFETY: a light value in the registry, and the address of an account that lives as long.
        unsafe {
            lua.exec_raw::<()>((), |state| {
                ffi::lua_pushlightuserdata(state, at.cast_mut().cast());
                ffi::lua_rawsetp(state, ffi::LUA_REGISTRYINDEX, (&raw const KEY).cast());
                (*at).main.set(state);
            })?;
        }
        meter.set_hook(meter.main.get(), STRIDE);
        Ok(meter)
    }

    /// The account of a state.
    ///
    /// # Safety
    /// The state must be one of an interpreter; the account lives as long as that.
    pub(crate) unsafe fn of<'a>(state: *mut lua_State) -> &'a Meter {
        // SAFETY: upheld by the caller.
        unsafe {
            ffi::lua_rawgetp(state, ffi::LUA_REGISTRYINDEX, (&raw const KEY).cast());
            let at = ffi::lua_touserdata(state, -1);
            ffi::lua_pop(state, 1);
            &*at.cast_const().cast::<Meter>()
        }
    }

    /// Begins to note whether functions are given another environment.
    pub(crate) fn watch_environments(&self, functions: impl Iterator<Item = *const c_void>) {
        self.environments_set.set(false);
        *self.with_environment.borrow_mut() = functions.collect();
    }

    /// Returns whether what a function has for an environment is to be put back.
    pub(crate) fn watches_environment(&self, function: *const c_void) -> bool {
        self.with_environment.borrow().contains(&function)
    }

    /// The address to give to functions as an upvalue.
    pub(crate) fn address(&self) -> *mut c_void {
        (self as *const Meter).cast_mut().cast()
    }

    /// Takes what has been used since the account was filled from what the series may use. Returns
    /// whether anything of that is left.
    fn settle(&self) -> bool {
        let Some(Series { instructions, text }) = self.series.get() else { return true };
        let used = self.limits.instructions.saturating_sub(self.left.get());
        let kept = self.limits.text.saturating_sub(self.text_left.get());
        let (instructions, text) = (instructions.saturating_sub(used), text.saturating_sub(kept));
        self.series.set(Some(Series { instructions, text }));
        match (instructions, text) {
            (0, _) => self.end(Spent::Instructions),
            (_, 0) => self.end(Spent::Text),
            _ => return true,
        }
        false
    }

    /// Fills the account, unless a series of chunks has used up what it may.
    pub(crate) fn refill(&self) {
        if !self.settle() {
            return;
        }
        self.left.set(self.limits.instructions);
        self.text_left.set(self.limits.text);
        let spent = self.spent.take();
        self.counted.set(0);
        self.began.set(None);
        // Where memory was short, what the chunk before has left behind makes room.
        if let Some(memory) = self.memory.get()
            && (memory.has_refused() || spent == Some(Spent::Memory))
        {
            memory.collect();
        }
        self.set_hook(self.main.get(), STRIDE);
    }

    /// Begins notes of the lines that run.
    pub(crate) fn start_line_notes(&self) {
        self.lines.replace(Some(BTreeSet::new()));
        self.set_hook(self.main.get(), STRIDE);
    }

    /// Ends the notes of lines; those that were noted.
    pub(crate) fn stop_line_notes(&self) -> BTreeSet<(String, u32)> {
        let notes = self.lines.take();
        self.set_hook(self.main.get(), STRIDE);
        notes.unwrap_or_default()
    }

    /// Sets the callback for every line that runs next; returns the one before.
    pub(crate) fn watch_lines(&self, watcher: Option<LineWatcher>) -> Option<LineWatcher> {
        let before = self.watcher.replace(watcher);
        let stride = if self.spent.get().is_some() { 1 } else { STRIDE };
        self.set_hook(self.main.get(), stride);
        before
    }

    /// How much may still be used.
    pub(crate) fn left(&self) -> u64 {
        self.left.get()
    }

    /// How many bytes of source may be compiled at once.
    pub(crate) fn longest_source(&self) -> usize {
        self.limits.source
    }

    /// Looks after the memory of the state from now on.
    pub(crate) fn limit_memory(&self, lua: &Lua) -> mlua::Result<()> {
        let memory = Memory::install(lua, self.limits.memory, look_soon)?;
        self.memory.set(memory).map_err(|_| Error::runtime("the memory is limited already"))
    }

    /// Ends [`Meter::limit_memory`].
    pub(crate) fn leave_memory(&self) {
        if let Some(memory) = self.memory.get() {
            memory.leave();
        }
    }

    /// Returns how many bytes are in use.
    pub(crate) fn used_memory(&self) -> usize {
        self.memory.get().map_or(0, |memory| memory.used())
    }

    /// Notes a coroutine that scripts have begun.
    pub(crate) fn note_coroutine(&self, state: *mut lua_State) {
        if let Some(memory) = self.memory.get() {
            memory.note_coroutine(state);
        }
    }

    /// Raises an error if so many bytes are not to be had.
    ///
    /// # Safety
    /// As [`Meter::charge`].
    pub(crate) unsafe fn make_room(&self, state: *mut lua_State, bytes: usize) {
        let Some(memory) = self.memory.get() else { return };
        // SAFETY: upheld by the caller.
        unsafe {
            if memory.has_no_room_for(bytes) {
                ffi::lua_gc(state, ffi::LUA_GCCOLLECT, 0);
            }
            if memory.has_no_room_for(bytes) {
                self.end(Spent::Memory);
                self.raise(state, Spent::Memory)
            }
        }
    }

    /// What has been used up.
    pub(crate) fn spent(&self) -> Option<Spent> {
        self.spent.get()
    }

    /// Ends everything.
    pub(crate) fn end(&self, spent: Spent) {
        if self.spent.get().is_none() {
            self.spent.set(Some(spent));
        }
    }

    /// Takes what something is worth; what comes next sees whether that was more than is left.
    pub(crate) fn take(&self, work: u64) {
        let left = self.left.get().saturating_sub(work);
        self.left.set(left);
        if left == 0 {
            self.end(Spent::Instructions);
        }
    }

    /// Takes what the work of a function is worth; raises an error if that is more than is left.
    ///
    /// # Safety
    /// The state must be that of the function that runs; nothing in its frames may need to be
    /// dropped.
    pub(crate) unsafe fn charge(&self, state: *mut lua_State, work: u64) {
        self.take(work);
        if let Some(spent) = self.spent.get() {
            // SAFETY: upheld by the caller.
            unsafe { self.raise(state, spent) }
        }
    }

    /// Raises the error that ends everything, with file, line and function.
    ///
    /// # Safety
    /// As [`Meter::charge`].
    pub(crate) unsafe fn raise(&self, state: *mut lua_State, spent: Spent) -> ! {
        self.set_hook(state, 1);
        let message = spent.c_message().as_ptr();
        unsafe {
            // SAFETY: all zeros is a record that has not been filled in.
            let mut frame: ffi::lua_Debug = std::mem::zeroed();
            let mut level = 0;
            // The innermost function that has lines.
            while ffi::lua_getstack(state, level, &mut frame) != 0 {
                ffi::lua_getinfo(state, c"Sln".as_ptr(), &mut frame);
                if frame.currentline > 0 {
                    let (place, line) = (frame.short_src.as_ptr(), frame.currentline);
                    let main = CStr::from_ptr(frame.what) == c"main";
                    // A function that was called by a computed key has a name of this kind.
                    let nameless = frame.name.is_null() || CStr::from_ptr(frame.name) == c"?";
                    match (main, nameless) {
                        (true, _) => {
                            ffi::lua_pushfstring(state, c"%s:%d: %s".as_ptr(), place, line, message)
                        }
                        (false, true) => ffi::lua_pushfstring(
                            state,
                            c"%s:%d: %s in the function of line %d".as_ptr(),
                            place,
                            line,
                            message,
                            frame.linedefined,
                        ),
                        (false, false) => ffi::lua_pushfstring(
                            state,
                            c"%s:%d: %s in function '%s'".as_ptr(),
                            place,
                            line,
                            message,
                            frame.name,
                        ),
                    };
                    ffi::lua_error(state)
                }
                level += 1;
            }
            ffi::lua_pushstring(state, message);
            ffi::lua_error(state)
        }
    }

    /// Has the next instruction fail, after something was used up.
    pub(crate) fn hurry(&self, state: *mut lua_State) {
        self.set_hook(state, 1);
    }

    fn set_hook(&self, state: *mut lua_State, stride: u32) {
        let told = self.lines.borrow().is_some() || self.watcher.borrow().is_some();
        let lines = if told { ffi::LUA_MASKLINE } else { 0 };
        // SAFETY: the state is one of the interpreter's; setting a hook may be done at any time.
        unsafe {
            ffi::lua_sethook(state, Some(hook), ffi::LUA_MASKCOUNT | lines, stride as c_int);
        }
    }

    /// Has the collector wait for more garbage while there is little in all.
    fn pace_collector(&self, state: *mut lua_State) {
        let pause = if self.used_memory() < LITTLE_MEMORY { PAUSE_OF_LITTLE } else { PAUSE };
        // SAFETY: sets a number of a state that lives.
        unsafe { ffi::lua_gc(state, ffi::LUA_GCSETPAUSE, pause) };
    }

    /// Counts a stride; what has been used up.
    fn count(&self, state: *mut lua_State) -> Option<Spent> {
        if self.spent.get().is_some() {
            return self.spent.get();
        }
        // SAFETY: as above.
        let stride = unsafe { ffi::lua_gethookcount(state) } as u32;
        let counted = self.counted.get() + stride;
        self.counted.set(counted % STRIDE);
        if counted >= STRIDE {
            self.take(STRIDE.into());
            self.pace_collector(state);
        }
        // SAFETY: this is called by the hook of the state.
        if self.memory.get().is_some_and(|memory| unsafe { memory.is_used_up(state) }) {
            self.end(Spent::Memory);
        }
        let now = Instant::now();
        let mut passed = now - self.last.replace(now);
        match self.began.get() {
            None => {
                self.began.set(Some((now, time_at_work())));
                passed = Duration::ZERO;
            }
            Some((began, at_work)) if now - began > self.limits.time => {
                // What other programs took of the machine is not the script's fault.
                if time_at_work().saturating_sub(at_work) > self.limits.time {
                    self.end(Spent::Time);
                }
            }
            Some(_) => {}
        }
        if stride == 1 && counted < STRIDE {
            // Left over from an account that was closed.
            self.set_hook(state, STRIDE);
        } else if passed > LONG && stride == STRIDE {
            let at_work = time_at_work();
            if at_work.saturating_sub(self.last_at_work.replace(at_work)) > LONG {
                self.set_hook(state, SHORT_STRIDE);
            }
        } else if stride == SHORT_STRIDE && counted >= STRIDE && passed < LONG / 20 {
            self.set_hook(state, STRIDE);
        }
        self.spent.get()
    }

    fn note_line(&self, state: *mut lua_State, frame: *mut ffi::lua_Debug) {
        // SAFETY: the frame is the one that the hook is called for; its texts live until it
        // returns.
        let (chunk, line) = unsafe {
            ffi::lua_getinfo(state, c"Sl".as_ptr(), frame);
            let chunk = CStr::from_ptr((*frame).short_src.as_ptr());
            (chunk.to_string_lossy().into_owned(), (*frame).currentline)
        };
        let line = u32::try_from(line).unwrap_or(0);
        let watcher = self.watcher.borrow().clone();
        if let Some(watcher) = watcher {
            watcher(&chunk, line);
        }
        if let Some(lines) = &mut *self.lines.borrow_mut() {
            lines.insert((chunk, line));
        }
    }
}

unsafe extern "C-unwind" fn hook(state: *mut lua_State, frame: *mut ffi::lua_Debug) {
    // SAFETY: the interpreter calls it with the frame that runs; where it is set there is an
    // account.
    unsafe {
        let meter = Meter::of(state);
        if (*frame).event == ffi::LUA_HOOKLINE {
            meter.note_line(state, frame);
        } else if let Some(spent) = meter.count(state) {
            meter.raise(state, spent);
        }
    }
}

/// Has the next instruction of a state look at the account.
///
/// # Safety
/// The state must be one of an interpreter with an account.
unsafe fn look_soon(state: *mut lua_State) {
    // SAFETY: upheld by the caller.
    unsafe {
        let mask = ffi::lua_gethookmask(state) | ffi::LUA_MASKCOUNT;
        ffi::lua_sethook(state, Some(hook), mask, 1);
    }
}

/// How long this thread has been at work.
#[cfg(unix)]
fn time_at_work() -> Duration {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the clock writes one record.
    let known = unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &mut time) } == 0;
    if known { Duration::new(time.tv_sec as u64, time.tv_nsec as u32) } else { Duration::MAX }
}

/// Where the time at work is not known, all time counts.
#[cfg(not(unix))]
fn time_at_work() -> Duration {
    use std::sync::OnceLock;
    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed()
}
