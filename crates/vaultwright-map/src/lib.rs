//! -map
