//! Which cells a painter can reach.

use foldhash::HashSet;

use super::is_in;
use crate::Context;
use crate::grid::{ADJACENT, GlyphSet, Grid, Point, TRAVERSABLE};

/// The walkable glyphs.
const OPEN: GlyphSet = GlyphSet::new(TRAVERSABLE);

/// Returns the cell farthest from the cells showing one of the glyphs (spec 02 §15.7). Makes at
/// most one draw.
pub fn farthest_from(grid: &Grid, glyphs: &[u8], ctx: &mut Context) -> Option<Point> {
    let (w, h) = (grid.width(), grid.height());
    let backwards = (0..w).rev().flat_map(|x| (0..h).rev().map(move |y| Point::new(x, y)));
    let glyphs = GlyphSet::new(glyphs);
    let by_frontier = ctx.content.rules.farthest_from_by_frontier;
    // In 0.28, blanks are not start cells.
    let starts =
        |&p: &Point| is_in(&glyphs, grid.get(p)) && (by_frontier || grid.get(p) != Some(b' '));
    let start: Vec<Point> = backwards.filter(starts).collect();
    if start.is_empty() {
        return None;
    }
    let mut seen: HashSet<Point> = start.iter().copied().collect();
    let mut discovered = Vec::new();
    let mut frontier = start.clone();
    let mut last = start;
    while !frontier.is_empty() {
        let mut next = Vec::new();
        for &cell in &frontier {
            for p in ADJACENT.map(|step| cell.offset(step)) {
                if is_in(&OPEN, grid.get(p)) && seen.insert(p) {
                    next.push(p);
                }
            }
        }
        discovered.extend_from_slice(&next);
        last = std::mem::replace(&mut frontier, next);
    }
    if by_frontier {
        return Some(last[ctx.rng.random2(last.len() as i32) as usize]);
    }
    // 0.28: among the start cells, or the only cell found, or the last but one (spec 02 §18).
    match discovered[..] {
        [] => Some(last[ctx.rng.random2(last.len() as i32) as usize]),
        [only] => Some(only),
        [.., before_last, _] => Some(before_last),
    }
}
