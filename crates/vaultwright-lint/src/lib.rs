//! -lint
