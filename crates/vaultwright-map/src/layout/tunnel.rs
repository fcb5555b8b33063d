//! Tunnels along the cheapest way (A*).

use std::collections::BTreeMap;

use crate::grid::{Grid, ORTHOGONAL, Point};
use crate::paint::Area;
use vaultwright_rng::Streams;

/// A way to dig.
#[derive(Clone, Debug)]
pub struct Tunnel {
    /// One end.
    pub from: Point,
    /// The other.
    pub to: Point,
    /// What a step onto each glyph costs, by glyph; `None` where no step may go. At least 1.
    pub costs: Box<[Option<i32>; 256]>,
    /// Each cell costs up to so much more, by chance: ways wind.
    pub wander: i32,
    /// What is dug with.
    pub fill: u8,
    /// The width of the tunnel in cells, to the right and downwards of the way.
    pub thickness: i32,
    /// Glyphs that stay as they are.
    pub keep: crate::GlyphSet,
}

/// Digs the cheapest way between two cells, along rows and columns, inside the area. Returns its
/// steps; `None` (and nothing dug) if there is no way. The ends cost nothing, whatever they show.
/// Draws: `random2(wander + 1)` for each cell of the area, row by row, if `wander` is above 0.
pub fn dig_tunnel(grid: &mut Grid, area: Area, tunnel: &Tunnel, rng: &mut Streams) -> Option<i32> {
    // What a step onto each cell of the area costs; none where no step may go.
    let mut costs: Vec<Option<i64>> = Vec::with_capacity(area.points().len());
    for p in area.points() {
        let own = grid.get(p).and_then(|glyph| tunnel.costs[usize::from(glyph)]);
        let more = match tunnel.wander {
            ..=0 => 0,
            wander => rng.random2(wander.saturating_add(1)),
        };
        costs.push(own.map(|own| i64::from(own.max(1)) + i64::from(more)));
    }
    let inside = |p: Point| area.contains(p) && grid.contains(p);
    if !inside(tunnel.from) || !inside(tunnel.to) {
        return None;
    }
    let width = area.width() as usize;
    let index = |p: Point| (p.y - area.y1) as usize * width + (p.x - area.x1) as usize;
    costs[index(tunnel.to)] = Some(1);
    // A step costs at least 1, so that this never promises too much.
    let left = |p: Point| i64::from((p.x - tunnel.to.x).abs() + (p.y - tunnel.to.y).abs());
    // What the cheapest known way to each cell costs, and the cell before it.
    let mut best: Vec<(i64, Point)> = vec![(i64::MAX, tunnel.from); costs.len()];
    best[index(tunnel.from)].0 = 0;
    // By what the whole way will cost at least. Of equal ones, the cell that was found last: it is
    // nearer to the end.
    let mut open = BTreeMap::from([(left(tunnel.from), vec![(0, tunnel.from)])]);
    while let Some(mut cheapest) = open.first_entry() {
        let Some((paid, at)) = cheapest.get_mut().pop() else {
            cheapest.remove();
            continue;
        };
        if at == tunnel.to {
            break;
        }
        if best[index(at)].0 < paid {
            continue;
        }
        for next in ORTHOGONAL.map(|step| at.offset(step)) {
            if !area.contains(next) {
                continue;
            }
            let beside = index(next);
            let Some(step) = costs[beside] else { continue };
            let paid = paid + step;
            let known = &mut best[beside];
            if paid < known.0 {
                *known = (paid, at);
                open.entry(paid + left(next)).or_default().push((paid, next));
            }
        }
    }
    if best[index(tunnel.to)].0 == i64::MAX {
        return None;
    }
    let mut way = vec![tunnel.to];
    let mut at = tunnel.to;
    while at != tunnel.from {
        at = best[index(at)].1;
        way.push(at);
    }
    for &at in &way {
        for dy in 0..tunnel.thickness.max(1) {
            for dx in 0..tunnel.thickness.max(1) {
                let p = at.offset((dx, dy));
                if area.contains(p) && !tunnel.keep.contains(grid.glyph(p)) {
                    grid.set(p, tunnel.fill);
                }
            }
        }
    }
    Some(way.len() as i32 - 1)
}

#[cfg(test)]
mod tests {
    use super::super::drawn::{draws, reached, rows, streams};
    use super::*;
    use crate::GlyphSet;

    fn tunnel(from: (i32, i32), to: (i32, i32), costs: &[(u8, Option<i32>)]) -> Tunnel {
        let mut by_glyph = Box::new([Some(1); 256]);
        for &(glyph, cost) in costs {
            by_glyph[usize::from(glyph)] = cost;
        }
        Tunnel {
            from: Point::new(from.0, from.1),
            to: Point::new(to.0, to.1),
            costs: by_glyph,
            wander: 0,
            fill: b'.',
            thickness: 1,
            keep: GlyphSet::new(b"+"),
        }
    }

    const ROCK: [&str; 5] = ["xxxxxxx", "xxxcxxx", "xxxcxxx", "xxxcxxx", "xxx+xxx"];

    #[test]
    fn the_way_goes_around_what_costs_much_and_never_through_what_is_closed() {
        let mut grid = Grid::from_rows(ROCK);
        let area = Area::of(&grid);
        let costs = [(b'x', Some(3)), (b'c', None), (b'+', Some(1))];
        let way = tunnel((1, 3), (5, 3), &costs);
        assert_eq!(dig_tunnel(&mut grid, area, &way, &mut streams(1)), Some(6));
        assert_eq!(rows(&grid)[3..], ["x..c..x", "xx.+.xx"]);
        let mut dear = Grid::from_rows(ROCK);
        let costs = [(b'c', Some(4)), (b'+', Some(9))];
        let way = tunnel((1, 3), (5, 3), &costs);
        assert_eq!(dig_tunnel(&mut dear, area, &way, &mut streams(1)), Some(4));
        assert_eq!(rows(&dear)[3], "x.....x");
    }

    #[test]
    fn no_way_digs_nothing() {
        let mut grid = Grid::from_rows(["x.c.x"; 3]);
        let before = grid.clone();
        let area = Area::of(&grid);
        let way = tunnel((1, 1), (3, 1), &[(b'c', None)]);
        assert_eq!(dig_tunnel(&mut grid, area, &way, &mut streams(1)), None);
        let outside = tunnel((1, 1), (9, 9), &[]);
        assert_eq!(dig_tunnel(&mut grid, area, &outside, &mut streams(1)), None);
        assert_eq!(grid, before);
    }

    #[test]
    fn ways_that_wander_are_longer_and_still_ways() {
        for seed in 1..=10 {
            let mut grid = Grid::from_rows(vec!["x".repeat(40); 30]);
            let area = Area::new(1, 1, 38, 28);
            let wide = Tunnel { wander: 20, thickness: 2, ..tunnel((2, 2), (36, 26), &[]) };
            let mut rng = streams(seed);
            let steps = dig_tunnel(&mut grid, area, &wide, &mut rng).expect("a way");
            assert!(steps >= 58, "{steps}");
            assert_eq!(draws(&rng), 38 * 28);
            let open = rows(&grid).concat().matches('.').count();
            assert_eq!(reached(&grid, wide.from, ".", &ORTHOGONAL), open);
            assert!(open as i32 > steps);
        }
    }
}
