//! The files of the embedded starter pack.

/// The pack's declaration.
pub(crate) const PACK: &str = vaultwright_packs::file("starter/pack.json");

/// Returns the `.des` files with their paths below the pack's folder, in load order.
pub(crate) fn sources() -> impl Iterator<Item = (&'static str, &'static str)> {
    vaultwright_packs::below("starter/des")
}

pub(crate) fn tables() -> impl Iterator<Item = (&'static str, &'static str)> {
    vaultwright_packs::below("starter/tables")
}
