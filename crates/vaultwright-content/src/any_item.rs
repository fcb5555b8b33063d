//! What `any weapon` and `any armour` are (packs/tables/0.28/any_item.json). Measured on 0.28.

use serde::Deserialize;

/// A list of kinds of weapons or armour that one is drawn from.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub(crate) struct AnyList {
    /// `all`, `rare`, `better`, `common`; of armour each with that word behind it, and `pieces of
    /// armour`.
    pub(crate) list: String,
    /// The kinds, in draw order; with how often of ten times they are taken, or their weights.
    pub(crate) kinds: Vec<(String, i32)>,
}
