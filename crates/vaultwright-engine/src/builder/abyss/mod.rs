//! The Abyss (spec 05 §19).

pub(crate) mod copied;
pub(crate) mod morph;
pub(crate) mod rune;
pub(crate) mod shift;
pub(crate) mod state;
pub(crate) mod terrain;
pub(crate) mod window;
