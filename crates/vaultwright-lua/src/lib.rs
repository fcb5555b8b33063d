//! -lua
