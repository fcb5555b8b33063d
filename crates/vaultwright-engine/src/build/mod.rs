//! Building whole levels (spec 05).

mod heights;
pub(crate) mod layouts;
pub(crate) mod site;
pub(crate) mod stairs;
