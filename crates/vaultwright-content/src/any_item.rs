//! The kinds of `any weapon` and `any armour` (packs/tables/0.28/any_item.json). Measured on 0.28.

use serde::Deserialize;

/// A list of kinds of weapons or armour from which one is drawn.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub(crate) struct AnyList {
    /// For weapons `all`, `rare`, `better` or `common`; for armour these or `rarest`, followed by
    /// `armour`, and `pieces of armour`.
    pub(crate) list: String,
    /// The kinds in draw order, with their weights, or with how many of ten times they are taken.
    pub(crate) kinds: Vec<(String, i32)>,
}
