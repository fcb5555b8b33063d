//! -engine
