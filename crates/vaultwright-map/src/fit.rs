//! Fitting a subvault into its area.

use crate::Context;
use crate::definition::MapDef;
use crate::subvault::SubvaultMask;
use crate::turn::Turn;

/// Whether a subvault fits its area.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fit {
    /// It fits, in its current orientation.
    Fits,
    /// It is too big; try again.
    TooBig,
}

/// Turns a resolved subvault to fit its mask (spec 02 §7.4).
pub fn fit_subvault(map: &mut MapDef, mask: &SubvaultMask, ctx: &mut Context) -> Fit {
    let (w, h) = (map.grid.width(), map.grid.height());
    let can = w <= mask.height && h <= mask.width && map.may_turn(Turn::Clockwise);
    let must = w > mask.width || h > mask.height;
    if must && !can {
        return Fit::TooBig;
    }
    if must || (can && ctx.rng.coinflip()) {
        let clockwise = ctx.rng.coinflip();
        map.turn(if clockwise { Turn::Clockwise } else { Turn::Anticlockwise });
    }
    let (w, h) = (map.grid.width(), map.grid.height());
    if (w, h) != (mask.width, mask.height) {
        for turn in [Turn::MirrorX, Turn::MirrorY] {
            if map.may_turn(turn) && ctx.rng.coinflip() {
                map.turn(turn);
            }
        }
        return if w <= mask.width && h <= mask.height { Fit::Fits } else { Fit::TooBig };
    }
    if (w, h) != (1, 1) {
        choose_variant(map, mask, ctx);
    }
    Fit::Fits
}

/// Chooses an exact fit: among the map as it is, mirrored left-right, both, and top-bottom, one
/// that loses the fewest cells.
fn choose_variant(map: &mut MapDef, mask: &SubvaultMask, ctx: &mut Context) {
    let variants: [&[Turn]; 4] =
        [&[], &[Turn::MirrorX], &[Turn::MirrorX, Turn::MirrorY], &[Turn::MirrorY]];
    let lost = variants.map(|turns| {
        let mirror_x = turns.contains(&Turn::MirrorX) && map.may_turn(Turn::MirrorX);
        let mirror_y = turns.contains(&Turn::MirrorY) && map.may_turn(Turn::MirrorY);
        map.grid
            .points()
            .filter(|&p| map.grid.glyph(p) != b' ')
            .filter(|&p| {
                let mut q = p;
                if mirror_x {
                    q.x = mask.width - 1 - p.x;
                }
                if mirror_y {
                    q.y = mask.height - 1 - p.y;
                }
                !mask.contains(q)
            })
            .count()
    });
    let mut fewest = lost[0].min(lost[2]);
    if map.may_turn(Turn::MirrorX) {
        fewest = fewest.min(lost[1]);
    }
    if map.may_turn(Turn::MirrorY) {
        fewest = fewest.min(lost[3]);
    }
    let mut index = ctx.rng.random2(4) as usize;
    while lost[index] != fewest {
        index = (index + 1) % 4;
    }
    for &turn in variants[index] {
        map.turn(turn);
    }
}
