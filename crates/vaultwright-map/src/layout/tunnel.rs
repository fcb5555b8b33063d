//! Tunnels along the cheapest path (A*).

use std::collections::BTreeMap;
use std::num::NonZeroU32;

use crate::grid::{Grid, ORTHOGONAL, Point};
use crate::paint::Area;
use vaultwright_rng::Streams;

/// A tunnel to dig.
#[derive(Clone, Debug)]
pub struct Tunnel {
    /// One end.
    pub from: Point,
    /// The other.
    pub to: Point,
    /// The cost of a step onto each glyph, at least 1; `None` for glyphs that cannot be entered.
    pub costs: Box<[Option<i32>; 256]>,
    /// Each cell costs up to this much more at random, which makes tunnels wind.
    pub wander: i32,
    /// The glyph to dig with.
    pub fill: u8,
    /// The width of the tunnel in cells, to the right of the path and below it.
    pub thickness: i32,
    /// Glyphs that are not changed.
    pub keep: crate::GlyphSet,
}

/// Digs the cheapest path between two cells, along rows and columns, inside the area. Returns its
/// steps. If there is no path, digs nothing and returns `None`. The ends cost nothing, whatever
/// their glyphs. If `wander` is above 0, makes a draw `random2(wander + 1)` for each cell between
/// the ends that may be entered, when it is first examined. Cells are expanded by the minimum cost
/// of a whole path over them, the latest of equal ones first, and examined to the east, west, south
/// and north.
pub fn dig_tunnel(grid: &mut Grid, area: Area, tunnel: &Tunnel, rng: &mut Streams) -> Option<i32> {
    let inside = |p: Point| area.contains(p) && grid.contains(p);
    if !inside(tunnel.from) || !inside(tunnel.to) {
        return None;
    }
    let way = cheapest_way(grid, area, tunnel, rng)?;
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

/// What is known about the cells of an area, surrounded by a ring that no step can enter. Most rows
/// are never examined, and have no table.
struct Ground {
    area: Area,
    stride: usize,
    /// For each row, starting with the ring above the area, the index of its first cell in `seen`.
    rows: Vec<Option<NonZeroU32>>,
    /// The first entry belongs to no row: indices start at 1.
    seen: Vec<Seen>,
}

#[derive(Clone, Copy)]
struct Seen {
    /// The cost of a step onto the cell; [`Seen::UNSEEN`] if it has not been examined.
    cost: u32,
    /// The cost of the cheapest known path to it: the maximum if none is known, the minimum if the
    /// cell cannot be entered.
    best: i64,
    /// The last step of that path.
    step: u8,
}

impl Seen {
    const UNSEEN: Seen = Seen { cost: 0, best: i64::MAX, step: 0 };
    const CLOSED: Seen = Seen { cost: 1, best: i64::MIN, step: 0 };
}

impl Ground {
    fn unseen(area: Area) -> Ground {
        let (stride, height) = (area.width().max(0) as usize + 2, area.height().max(0) as usize);
        // Unused capacity is free; copying what has been seen is not.
        let mut seen = Vec::with_capacity(1 + stride * (height + 2));
        seen.push(Seen::CLOSED);
        Ground { area, stride, rows: vec![None; height + 2], seen }
    }

    /// Returns the index in `seen` of a cell of the area, or of the ring around it.
    #[inline]
    fn place(&mut self, p: Point) -> usize {
        let (column, row) = ((p.x - self.area.x1 + 1) as usize, (p.y - self.area.y1 + 1) as usize);
        match self.rows[row] {
            Some(first) => first.get() as usize + column,
            None => self.add_row(row) + column,
        }
    }

    #[cold]
    fn add_row(&mut self, row: usize) -> usize {
        let first = self.seen.len();
        let is_ring = row == 0 || row + 1 == self.rows.len();
        let inside = if is_ring { Seen::CLOSED } else { Seen::UNSEEN };
        self.seen.resize(first + self.stride, inside);
        let last = self.seen.len() - 1;
        (self.seen[first], self.seen[last]) = (Seen::CLOSED, Seen::CLOSED);
        self.rows[row] = NonZeroU32::new(first as u32);
        first
    }

    /// Returns the cells of the cheapest path to a reached cell, from its end.
    fn way(&mut self, to: Point, from: Point) -> Vec<Point> {
        let (mut way, mut at) = (vec![to], to);
        while at != from {
            let place = self.place(at);
            let (dx, dy) = ORTHOGONAL[usize::from(self.seen[place].step)];
            at = at.offset((-dx, -dy));
            way.push(at);
        }
        way
    }
}

/// Returns the cells of the cheapest path, from the far end.
fn cheapest_way(grid: &Grid, area: Area, tunnel: &Tunnel, rng: &mut Streams) -> Option<Vec<Point>> {
    let mut ground = Ground::unseen(area);
    // The minimum cost of a step, whatever is there.
    for end in [tunnel.to, tunnel.from] {
        let place = ground.place(end);
        ground.seen[place].cost = 1;
    }
    let start = ground.place(tunnel.from);
    ground.seen[start].best = 0;
    let mut look = |p: Point| {
        let own = grid.get(p).and_then(|glyph| tunnel.costs[usize::from(glyph)]);
        let Some(own) = own else { return Seen::CLOSED };
        let more = match tunnel.wander {
            ..=0 => 0,
            wander => rng.random2(wander.saturating_add(1)),
        };
        Seen { cost: own.max(1).unsigned_abs() + more.unsigned_abs(), ..Seen::UNSEEN }
    };
    // A step costs at least 1, so this never overestimates.
    let left = |p: Point| i64::from((p.x - tunnel.to.x).abs() + (p.y - tunnel.to.y).abs());
    let mut open = OpenCells::new(left(tunnel.from));
    open.push(left(tunnel.from), OpenCell { at: tunnel.from, place: start as u32 });
    while let Some((price, OpenCell { at, place })) = open.pop() {
        if at == tunnel.to {
            return Some(ground.way(at, tunnel.from));
        }
        let (here, paid) = (place as usize, price - left(at));
        if ground.seen[here].best < paid {
            continue;
        }
        // Those to the east and west are in the same row.
        let south = ground.place(at.offset(ORTHOGONAL[2]));
        let north = ground.place(at.offset(ORTHOGONAL[3]));
        let places = [here + 1, here - 1, south, north];
        for (number, &place) in places.iter().enumerate() {
            let beside = &mut ground.seen[place];
            if beside.cost == Seen::UNSEEN.cost {
                *beside = look(at.offset(ORTHOGONAL[number]));
            }
            let paid = paid + i64::from(beside.cost);
            if paid < beside.best {
                (beside.best, beside.step) = (paid, number as u8);
                let at = at.offset(ORTHOGONAL[number]);
                open.push(paid + left(at), OpenCell { at, place: place as u32 });
            }
        }
    }
    None
}

/// Cells ordered by the minimum cost of a whole path over them. Of equal ones the latest comes
/// first, which is nearer to the end. The cost never decreases.
struct OpenCells {
    /// The minimum cost that a cell can have.
    least: i64,
    /// For each of the next costs, modulo their number, the index of the latest cell.
    near: [Option<NonZeroU32>; OpenCells::NEAR as usize],
    in_near: usize,
    /// The cells with near costs, each with the index of the previous one with the same cost. The
    /// first entry is unused: indices start at 1.
    cells: Vec<(OpenCell, Option<NonZeroU32>)>,
    /// A free index, linked to another one.
    free: Option<NonZeroU32>,
    /// The other cells.
    far: BTreeMap<i64, Vec<OpenCell>>,
}

/// A reached cell, and its index among the seen cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct OpenCell {
    at: Point,
    place: u32,
}

impl OpenCells {
    /// The number of near costs: more than most steps cost.
    const NEAR: i64 = 64;

    fn new(least: i64) -> OpenCells {
        let none = OpenCell { at: Point::new(0, 0), place: 0 };
        let mut cells = Vec::with_capacity(256);
        cells.push((none, None));
        let near = [None; Self::NEAR as usize];
        OpenCells { least, near, in_near: 0, cells, free: None, far: BTreeMap::new() }
    }

    /// Returns the index of the cells with a near cost.
    fn remainder(price: i64) -> usize {
        price.rem_euclid(Self::NEAR) as usize
    }

    #[inline]
    fn push(&mut self, price: i64, cell: OpenCell) {
        if price - self.least < Self::NEAR {
            self.push_near(price, cell);
        } else {
            self.far.entry(price).or_default().push(cell);
        }
    }

    #[inline]
    fn push_near(&mut self, price: i64, cell: OpenCell) {
        let last = &mut self.near[Self::remainder(price)];
        let open = (cell, *last);
        self.in_near += 1;
        if let Some(free) = self.free {
            let place = &mut self.cells[free.get() as usize];
            self.free = place.1;
            *place = open;
            *last = Some(free);
        } else {
            *last = NonZeroU32::new(self.cells.len() as u32);
            self.cells.push(open);
        }
    }

    /// Removes the cheapest cell, with its cost.
    #[inline]
    fn pop(&mut self) -> Option<(i64, OpenCell)> {
        loop {
            let last = &mut self.near[Self::remainder(self.least)];
            if let Some(place) = *last {
                let (cell, before) = &mut self.cells[place.get() as usize];
                *last = std::mem::replace(before, self.free);
                self.free = Some(place);
                self.in_near -= 1;
                return Some((self.least, *cell));
            }
            self.go_on()?;
        }
    }

    /// Advances to the next cost of a cell; `None` if there are no more cells.
    #[inline(never)]
    fn go_on(&mut self) -> Option<()> {
        self.least = match self.in_near {
            0 => *self.far.first_key_value()?.0,
            _ => self.least + 1,
        };
        // The costs that are near now do not have any cells yet.
        while let Some(first) = self.far.first_entry()
            && first.key() - self.least < Self::NEAR
        {
            let (price, cells) = first.remove_entry();
            cells.into_iter().for_each(|cell| self.push_near(price, cell));
        }
        Some(())
    }
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
    fn cells_come_out_cheapest_first_and_of_equal_ones_the_last() {
        let mut open = OpenCells::new(3);
        let mut sorted: BTreeMap<i64, Vec<OpenCell>> = BTreeMap::new();
        let (mut state, mut price) = (5_u32, 3);
        for number in 0..4000_u32 {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let more = i64::from(state >> 16) % [2, 70, 300][number as usize % 3];
            let cell = OpenCell { at: Point::new(0, 0), place: number };
            open.push(price + more, cell);
            sorted.entry(price + more).or_default().push(cell);
            if number % 5 > 1 {
                let mut first = sorted.first_entry().expect("there are more than are taken");
                price = *first.key();
                assert_eq!(open.pop(), first.get_mut().pop().map(|cell| (price, cell)));
                if first.get().is_empty() {
                    first.remove();
                }
            }
        }
        let of_price = |(price, cells): (i64, Vec<OpenCell>)| {
            cells.into_iter().rev().map(move |cell| (price, cell))
        };
        let rest = sorted.into_iter().flat_map(of_price);
        assert!(rest.map(Some).eq(std::iter::from_fn(|| open.pop().map(Some))));
        assert_eq!(open.pop(), None);
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
    fn only_cells_that_are_looked_at_cost_a_draw() {
        let mut grid = Grid::from_rows(vec!["x".repeat(40); 30]);
        let area = Area::of(&grid);
        let near = Tunnel { wander: 3, ..tunnel((20, 15), (22, 15), &[]) };
        let mut rng = streams(1);
        assert!(dig_tunnel(&mut grid, area, &near, &mut rng).is_some());
        assert!((7..60).contains(&draws(&rng)), "{}", draws(&rng));
        let mut rng = streams(1);
        let straight = Tunnel { wander: 0, ..near };
        assert_eq!(dig_tunnel(&mut grid, area, &straight, &mut rng), Some(2));
        assert_eq!(draws(&rng), 0);
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
            assert!((58..=38 * 28 - 2).contains(&draws(&rng)), "{}", draws(&rng));
            let open = rows(&grid).concat().matches('.').count();
            assert_eq!(reached(&grid, wide.from, ".", &ORTHOGONAL), open);
            assert!(open as i32 > steps);
        }
    }
}
