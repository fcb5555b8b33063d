//! -content
