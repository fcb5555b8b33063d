//! What a cell carries besides its feature, in words: for the cursor of `explore`.

use vaultwright::map::Point;
use vaultwright::play::Session;
use vaultwright::render::{cell_attributes, in_words, shop_attributes};

/// Returns masks, properties, tiles and the height of a cell, and what its shop sells; an empty
/// text for most cells.
pub fn carried(session: &Session, p: Point) -> String {
    let (level, content) = (session.play().level(), session.play().content());
    let mut told = in_words(&cell_attributes(level, p, content));
    if level.feature(p) == Some(content.features().known().enter_shop) {
        let shop = level.shops.get(&p).map(AsRef::as_ref);
        let shop = in_words(&shop_attributes(shop, content));
        told = [told, format!("shop: {shop}")].join(" ").trim().to_owned();
    }
    if told.is_empty() { told } else { format!(" [{told}]") }
}
