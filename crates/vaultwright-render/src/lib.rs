//! -render
