//! What calls come to, and what was wrong. No panic crosses this border.

use std::cell::RefCell;
use std::ffi::{CStr, CString, c_char};
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::VW_ABI_VERSION;
use crate::text::c_text;

/// What a call came to.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// It was done.
    VwOk = 0,
    /// A pointer is null, a text is no UTF-8, or an option says what cannot be.
    VwBadArgument = 1,
    /// The program was compiled against another header than this library's.
    VwWrongVersion = 2,
    /// The engine belongs to another thread.
    VwWrongThread = 3,
    /// A pack or a file cannot be read, or its tables are wrong.
    VwBadPack = 4,
    /// No place or map has this name.
    VwUnknownName = 5,
    /// No attempt at the level succeeded, or the map does not fit or does not compile.
    VwNoLevel = 6,
    /// A fault of this library's own: please report it. The engine or game must not be used any
    /// more, only freed.
    VwInternal = 7,
    /// The player or a monster cannot do that; the message is for the player. What came before it,
    /// such as the first steps of `explore`, has been done.
    VwRefused = 8,
    /// The bytes are no saved game, or one of another pack or version; or the game has something
    /// that cannot be saved.
    VwBadSave = 9,
}

/// Why a call failed.
pub(crate) struct Failed(pub Status, pub String);

thread_local! {
    static LAST: RefCell<CString> = RefCell::default();
}

/// Runs what a function does; its failure, or its panic, becomes a status and a message.
pub(crate) fn guarded(work: impl FnOnce() -> Result<(), Failed>) -> Status {
    let failed = match catch_unwind(AssertUnwindSafe(work)) {
        Ok(Ok(())) => return Status::VwOk,
        Ok(Err(failed)) => failed,
        Err(panic) => {
            let text = panic.downcast_ref::<String>().cloned();
            let text = text.or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()));
            Failed(Status::VwInternal, text.unwrap_or_default())
        }
    };
    LAST.with_borrow_mut(|last| *last = c_text(&failed.1));
    failed.0
}

/// Returns a text of the caller's.
pub(crate) fn text_of<'t>(text: *const c_char, what: &str) -> Result<&'t str, Failed> {
    if text.is_null() {
        return Err(Failed(Status::VwBadArgument, format!("{what} is missing")));
    }
    // SAFETY: it is not null; that it ends with a zero is the caller's promise.
    let text = unsafe { CStr::from_ptr(text) };
    text.to_str().map_err(|_| Failed(Status::VwBadArgument, format!("{what} is not UTF-8")))
}

/// Returns what a pointer leads to.
pub(crate) fn at<'t, T>(pointer: *const T, what: &str) -> Result<&'t T, Failed> {
    // SAFETY: unless it is null it was made here and is not freed yet, which is the caller's
    // promise.
    unsafe { pointer.as_ref() }.ok_or_else(|| null(what))
}

/// Returns the same, to be changed.
pub(crate) fn at_mut<'t, T>(pointer: *mut T, what: &str) -> Result<&'t mut T, Failed> {
    // SAFETY: as in `at`, and nobody else uses it meanwhile.
    unsafe { pointer.as_mut() }.ok_or_else(|| null(what))
}

fn null(what: &str) -> Failed {
    Failed(Status::VwBadArgument, format!("{what} is null"))
}

/// Returns what was wrong with the last call of this thread that failed. It is good until the next
/// one fails.
#[unsafe(no_mangle)]
pub extern "C" fn vw_last_error() -> *const c_char {
    LAST.with_borrow(|last| last.as_ptr())
}

/// Returns the version of the header that this library was built with: compare it with
/// `VW_ABI_VERSION`.
#[unsafe(no_mangle)]
pub extern "C" fn vw_abi_version() -> u32 {
    VW_ABI_VERSION
}

/// Returns the version of the library, such as `0.2.0`.
#[unsafe(no_mangle)]
pub extern "C" fn vw_version() -> *const c_char {
    const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), "\0");
    VERSION.as_ptr().cast()
}
