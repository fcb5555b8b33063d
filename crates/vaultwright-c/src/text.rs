//! Texts as C has them.

use std::ffi::CString;

/// Returns a text with a zero at its end; what is behind a zero in it is lost.
pub(crate) fn c_text(text: &str) -> CString {
    let whole = text.split('\0').next().unwrap_or_default();
    // There is no zero in it any more.
    CString::new(whole).unwrap_or_default()
}
