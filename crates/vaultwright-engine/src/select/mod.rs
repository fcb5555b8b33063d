//! Which maps a level gets (spec 04 §2, §3).

pub(crate) mod choice;
