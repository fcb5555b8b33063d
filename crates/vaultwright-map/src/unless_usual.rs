//! Numbers of specs that are written only where they are not the usual. Where they are saved, 0
//! stands for the usual.

use std::num::NonZeroI32;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Writes a number, for `#[serde(with = "…")]`.
pub(crate) fn serialize<S: Serializer>(
    number: &Option<NonZeroI32>,
    to: S,
) -> Result<S::Ok, S::Error> {
    number.map_or(0, NonZeroI32::get).serialize(to)
}

/// Reads a number, for `#[serde(with = "…")]`.
pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
    from: D,
) -> Result<Option<NonZeroI32>, D::Error> {
    i32::deserialize(from).map(NonZeroI32::new)
}
