//! Brands of weapons, drawn as their own generators do. Measured on 0.28.

use crate::context::Context;

/// A weapon without a brand.
pub const NO_BRAND: &str = "none";

/// How many times a brand is drawn for a good weapon until it has one.
pub const BRANDS_OF_GOOD: usize = 5;

/// Draws a brand for a kind of weapon, trying at most this many times until there is one.
pub fn draw_brand<'c>(kind: &str, tries: usize, ctx: &mut Context<'c>) -> &'c str {
    let brands = ctx.content.acquirement().brands(kind);
    // If the only entry is "no brand", nothing is drawn.
    if brands.iter().all(|&(brand, _)| brand == NO_BRAND) {
        return NO_BRAND;
    }
    let weights: Vec<i32> = brands.iter().map(|&(_, weight)| weight).collect();
    for _ in 0..tries {
        let drawn = ctx.rng.weighted_table(&weights).map_or(NO_BRAND, |index| brands[index].0);
        if drawn != NO_BRAND {
            return drawn;
        }
    }
    NO_BRAND
}
