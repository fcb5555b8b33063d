//! Connectivity tests on the grid (spec 02 §16).

use std::collections::VecDeque;

use foldhash::{HashSet, HashSetExt};
use vaultwright_content::FeatureId;

use crate::Context;
use crate::definition::MapDef;
use crate::grid::{FLOOD, Point};
use crate::keyed::map_feature;

/// The result of a flood over the grid.
#[must_use]
pub struct Flood {
    /// The sought points that were not reached.
    pub missed: Vec<Point>,
    /// Whether the flood reached the outside of the map.
    pub exit: bool,
}

/// The target of a flood.
#[derive(Clone, Copy, Debug)]
pub enum Sought<'a> {
    /// All of these points.
    Points(&'a [Point]),
    /// The outside of the map; or all of these points, if there are any.
    Exit(&'a [Point]),
}

/// Floods from a point until it has found what is sought. Features are looked up at every visit,
/// including the draws of undecided ones.
pub fn flood(map: &MapDef, from: Point, sought: Sought, ctx: &mut Context) -> Flood {
    let (Sought::Points(wanted) | Sought::Exit(wanted)) = sought;
    let mut result = Flood { missed: wanted.to_vec(), exit: false };
    if !expandable(from, ctx) {
        return result;
    }
    let mut queue = VecDeque::from([from]);
    // The start is not marked as known: it can be queued a second time.
    let mut known: HashSet<Point> = HashSet::new();
    while let Some(cell) = queue.pop_front() {
        for step in FLOOD {
            let p = cell.offset(step);
            if !map.grid.contains(p) {
                result.exit = true;
                continue;
            }
            if let Some(index) = result.missed.iter().position(|&wanted| wanted == p) {
                result.missed.remove(index);
            }
            match map_feature(map, p, ctx) {
                None => result.exit = true,
                Some(feature) if traversable(feature, ctx) => {
                    if known.insert(p) && expandable(p, ctx) {
                        queue.push_back(p);
                    }
                }
                Some(_) => {}
            }
        }
        let exit = result.exit && matches!(sought, Sought::Exit(_));
        if exit || (!wanted.is_empty() && result.missed.is_empty()) {
            break;
        }
    }
    result
}

/// Returns whether a cell may be expanded. The limits of the level are applied to local
/// coordinates, so cells of the first row and column are not expanded.
fn expandable(p: Point, ctx: &Context) -> bool {
    p.is_within(ctx.level_size(), 1)
}

fn traversable(feature: FeatureId, ctx: &Context) -> bool {
    let flags = ctx.content.features().get(feature).flags;
    let open = !flags.solid() && !flags.deep_water() && !flags.lava();
    open || (flags.closed_door() && !flags.sealed()) || flags.trap()
}
