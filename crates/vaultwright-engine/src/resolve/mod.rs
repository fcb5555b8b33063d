//! From a listed map to a rolled one.

pub(crate) mod declare;
pub(crate) mod expressions;
pub(crate) mod ground;
pub(crate) mod markers;
pub(crate) mod roll;
pub(crate) mod subvault;
