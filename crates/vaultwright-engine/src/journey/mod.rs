//! Coming and going, and time that passes on a level in play (spec 07 §7, §15).

pub(crate) mod arrival_of_vaults;
pub(crate) mod travel;
pub(crate) mod turns;
