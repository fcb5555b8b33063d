//! What is drawn when a game begins, and the order in which its levels are made (spec 05 §2.3, §3).

pub(crate) mod appearances;
pub(crate) mod order;
pub(crate) mod start;
pub(crate) mod temple;
