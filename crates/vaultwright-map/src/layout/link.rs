//! Choosing which points to connect by passages: neighbours, so that all points are connected.

use super::Spend;
use crate::grid::Point;
use vaultwright_rng::Streams;

/// Which links are wanted.
#[derive(Clone, Debug)]
pub struct Links {
    /// The pairs of points that may be linked, by index. `None` for all pairs of neighbours: no
    /// third point is in the circle whose diameter they define (the Gabriel graph, a subgraph of
    /// the Delaunay triangulation).
    pub pairs: Option<Vec<(usize, usize)>>,
    /// The chance to link a pair that is already connected, in percent.
    pub extra: i32,
}

/// Chooses links: the shortest that connect all points (as far as the pairs do), then others at
/// random, all ordered by length. Draws: `random2(100)` for each pair that is not needed, unless
/// `extra` is 0 or below.
pub fn link_points<E>(
    points: &[Point],
    links: &Links,
    rng: &mut Streams,
    spend: Spend<E>,
) -> Result<Vec<(usize, usize)>, E> {
    let length = |&(a, b): &(usize, usize)| squared(points[a], points[b]);
    let mut pairs = match &links.pairs {
        Some(pairs) => {
            let count = points.len();
            pairs.iter().copied().filter(|&(a, b)| a < count && b < count && a != b).collect()
        }
        None => neighbours(points, spend)?,
    };
    pairs.sort_by_key(|pair| (length(pair), *pair));
    // Connected points have the same group name.
    let mut group: Vec<usize> = (0..points.len()).collect();
    let mut chosen = Vec::new();
    for (a, b) in pairs {
        spend(1)?;
        let (kept, gone) = (named(&mut group, a), named(&mut group, b));
        let needed = kept != gone;
        if needed {
            group[gone] = kept;
        }
        if needed || (links.extra > 0 && rng.random2(100) < links.extra) {
            chosen.push((a, b));
        }
    }
    Ok(chosen)
}

/// Returns the name of a point's group, and updates the points on the way.
fn named(group: &mut [usize], point: usize) -> usize {
    let mut at = point;
    while group[at] != at {
        group[at] = group[group[at]];
        at = group[at];
    }
    at
}

/// Returns the squared distance; points may be anywhere.
fn squared(a: Point, b: Point) -> i128 {
    let (dx, dy) = between(a, b);
    dx * dx + dy * dy
}

/// Returns the vector from the second point to the first.
fn between(a: Point, b: Point) -> (i128, i128) {
    (i128::from(a.x) - i128::from(b.x), i128::from(a.y) - i128::from(b.y))
}

/// Returns the pairs of points with no third point in the circle between them.
fn neighbours<E>(points: &[Point], spend: Spend<E>) -> Result<Vec<(usize, usize)>, E> {
    let mut pairs = Vec::new();
    for a in 0..points.len() {
        for b in a + 1..points.len() {
            spend(1 + points.len() as u64 / 16)?;
            // The angle at a point in the circle is obtuse.
            let lies_between = |c: &Point| {
                let ((dx, dy), (ex, ey)) = (between(points[a], *c), between(points[b], *c));
                dx * ex + dy * ey < 0
            };
            if !points.iter().any(lies_between) {
                pairs.push((a, b));
            }
        }
    }
    Ok(pairs)
}

#[cfg(test)]
mod tests {
    use super::super::drawn::{draws, freely, streams};
    use super::*;

    fn linked(points: &[(i32, i32)], links: &Links) -> (Vec<(usize, usize)>, u64) {
        let points: Vec<Point> = points.iter().map(|&(x, y)| Point::new(x, y)).collect();
        let mut rng = streams(1);
        (link_points(&points, links, &mut rng, &mut freely).unwrap(), draws(&rng))
    }

    #[test]
    fn a_way_from_each_to_each_is_the_shortest() {
        // A square with a point in its middle, and one far away.
        let points = [(0, 0), (10, 0), (0, 10), (10, 10), (4, 5), (40, 5)];
        let tree = Links { pairs: None, extra: 0 };
        let (links, draws) = linked(&points, &tree);
        assert_eq!(links, [(0, 4), (2, 4), (1, 4), (3, 4), (1, 5)]);
        assert_eq!(draws, 0);
        let (all, draws) = linked(&points, &Links { extra: 100, ..tree });
        // The sides of the square, and both links to the far point.
        assert_eq!(all.len() as u64, 5 + draws);
        assert!(all.contains(&(3, 5)) && all.contains(&(0, 1)) && !all.contains(&(0, 3)));
    }

    #[test]
    fn pairs_can_be_given_and_nonsense_among_them_is_left_out() {
        let pairs = Some(vec![(0, 1), (1, 9), (2, 2), (1, 0)]);
        let links = Links { pairs, extra: 0 };
        assert_eq!(linked(&[(0, 0), (5, 0), (9, 0)], &links).0, [(0, 1)]);
        assert!(linked(&[], &Links { pairs: None, extra: 50 }).0.is_empty());
    }
}
