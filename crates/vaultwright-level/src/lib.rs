//! -level
