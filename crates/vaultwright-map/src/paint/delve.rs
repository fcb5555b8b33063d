//! The painter that digs burrows.

use crate::grid::{COMPASS, GlyphSet, Grid, Point, TRAVERSABLE};
use vaultwright_rng::Streams;

/// Arguments of [`delve`].
pub struct Delve {
    /// The minimum number of dug neighbours.
    pub ngb_min: i32,
    /// The maximum number of dug neighbours.
    pub ngb_max: i32,
    /// The chance to connect two tunnels, in percent.
    pub connchance: i32,
    /// The number of cells to dig; negative for the default share.
    pub cellnum: i32,
    /// The number of newest candidates to draw from.
    pub top: i32,
}

impl Default for Delve {
    fn default() -> Delve {
        Delve { ngb_min: 2, ngb_max: 3, connchance: 0, cellnum: -1, top: 125 }
    }
}

/// How many times the search restarts when it has no candidates left.
const RETRIES: usize = 50;

/// Digs `x` cells into caves (spec 02 §15.7).
pub fn delve(grid: &mut Grid, options: &Delve, rng: &mut Streams) {
    let ring = Ring { stride: grid.width().max(0) as usize + 2 };
    let ground = ring.ground(grid);
    let steps = COMPASS.map(|step| ring.step(step));
    let mut dug_around = vec![0; ground.len()];
    for (at, _) in ground.iter().enumerate().filter(|(_, ground)| **ground == Ground::Dug) {
        note_dug(&mut dug_around, at, &steps);
    }
    let diggable = grid.find(&GlyphSet::new(b"x"));
    let (store, dug) = (Vec::new(), 0);
    let mut dig =
        Digging { grid, rng, options, ring, steps, ground, dug_around, diggable, store, dug };
    let diggable = dig.seed();
    const SHARES: [i32; 12] = [8, 8, 8, 7, 6, 5, 5, 4, 4, 4, 3, 3];
    let share = SHARES[(options.ngb_min + options.ngb_max).clamp(2, 11) as usize];
    let target = match options.cellnum {
        n if n < 0 => diggable / share,
        n => n.min(diggable),
    };
    if target <= 0 {
        return;
    }
    for retry in 0..=RETRIES {
        if !dig.run(target) || dig.dug >= target || retry == RETRIES {
            return;
        }
        dig.seed();
    }
}

/// The glyphs that count as dug.
const OPEN: GlyphSet = GlyphSet::new(TRAVERSABLE);

/// The state of a cell.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ground {
    Dug,
    Diggable,
    Other,
}

/// A table of the map's cells with a ring around them, so that no step leaves it.
#[derive(Clone, Copy)]
struct Ring {
    stride: usize,
}

impl Ring {
    fn index(self, p: Point) -> usize {
        (p.y + 1) as usize * self.stride + (p.x + 1) as usize
    }

    fn step(self, (dx, dy): (i32, i32)) -> isize {
        dy as isize * self.stride as isize + dx as isize
    }

    fn ground(self, grid: &Grid) -> Vec<Ground> {
        let mut ground = vec![Ground::Other; self.stride * (grid.height().max(0) as usize + 2)];
        for (row, y) in grid.rows().zip(0..) {
            let cells = &mut ground[self.index(Point::new(0, y))..];
            for (cell, &glyph) in cells.iter_mut().zip(row) {
                *cell = match glyph {
                    b'x' => Ground::Diggable,
                    glyph if OPEN.contains(glyph) => Ground::Dug,
                    _ => Ground::Other,
                };
            }
        }
        ground
    }
}

struct Digging<'a> {
    grid: &'a mut Grid,
    rng: &'a mut Streams,
    options: &'a Delve,
    ring: Ring,
    /// The offsets to the neighbours of a cell, in compass order.
    steps: [isize; 8],
    ground: Vec<Ground>,
    /// The dug neighbours of each cell: a bit for each, in compass order.
    dug_around: Vec<u8>,
    /// The cells that could be dug when the search began, and some added since.
    diggable: Vec<Point>,
    store: Vec<Point>,
    dug: i32,
}

impl Digging<'_> {
    fn is_diggable(&self, p: Point) -> bool {
        self.grid.contains(p) && self.ground[self.ring.index(p)] == Ground::Diggable
    }

    /// Fills the store with the edge of the open area. Returns the number of diggable cells.
    fn seed(&mut self) -> i32 {
        let Digging { ring, ground, dug_around, .. } = self;
        self.diggable.retain(|&p| ground[ring.index(p)] == Ground::Diggable);
        let cells = &self.diggable;
        self.store.extend(cells.iter().filter(|&&p| dug_around[ring.index(p)] != 0));
        if self.store.is_empty() && !cells.is_empty() {
            let count = cells.len() as i32;
            let x = cells.iter().map(|p| p.x).sum::<i32>() / count;
            let y = cells.iter().map(|p| p.y).sum::<i32>() / count;
            let distance = |p: &Point| (p.x - x).pow(2) + (p.y - y).pow(2);
            // `min_by_key` returns the first of equal cells.
            self.store.extend(cells.iter().min_by_key(|p| distance(p)).copied());
        }
        cells.len() as i32
    }

    /// Removes a candidate from the last `top`. Returns `None` if there is none; (0, 0) counts as
    /// none.
    fn pull(&mut self, top: i32) -> Option<Point> {
        let top = top.min(self.store.len() as i32);
        if self.store.is_empty() {
            return None;
        }
        let index = self.store.len() - 1 - self.rng.random2(top) as usize;
        Some(self.store.remove(index)).filter(|&p| p != Point::new(0, 0))
    }

    /// Runs one round. Returns false if no further round is possible.
    fn run(&mut self, target: i32) -> bool {
        let Some(centre) = self.pull(999_999) else { return false };
        self.store.push(centre);
        let minimum = self.dug + 2 * self.options.ngb_min;
        while self.dug < minimum && self.dug < target {
            let Some(p) = self.pull(self.options.top) else { break };
            let distance = (p.x - centre.x).pow(2) + (p.y - centre.y).pow(2);
            if self.is_diggable(p) && distance <= 2 {
                self.try_dig(p, 0);
            }
        }
        while self.dug < target {
            let Some(p) = self.pull(self.options.top) else { break };
            if self.is_diggable(p) {
                self.try_dig(p, self.options.ngb_min);
            }
        }
        true
    }

    fn try_dig(&mut self, p: Point, least: i32) {
        let here = self.ring.index(p);
        let around = self.dug_around[here];
        let count = around.count_ones() as i32;
        if count < least || count > self.options.ngb_max {
            return;
        }
        if groups(around) > 1 && !self.rng.x_chance_in_y(self.options.connchance, 100) {
            return;
        }
        self.grid.set(p, b'.');
        self.ground[here] = Ground::Dug;
        note_dug(&mut self.dug_around, here, &self.steps);
        self.dug += 1;
        let mut slots: [usize; 8] = std::array::from_fn(|slot| slot);
        for left in (1..=8usize).rev() {
            let k = self.rng.random2(left as i32) as usize;
            let slot = slots[k];
            slots[k] = slots[left - 1];
            if self.ground[here.wrapping_add_signed(self.steps[slot])] == Ground::Diggable {
                self.store.push(p.offset(COMPASS[slot]));
            }
        }
    }
}

/// Records in the neighbours of a cell that it is dug, given the offset to each.
fn note_dug(dug_around: &mut [u8], dug: usize, steps: &[isize; 8]) {
    for (slot, &step) in steps.iter().enumerate() {
        // As seen from that cell, it is on the opposite side.
        dug_around[dug.wrapping_add_signed(step)] |= 1 << ((slot + 4) % 8);
    }
}

/// Returns the number of separate groups of dug neighbours, given as bits in compass order. A group
/// ends where the next cell is not dug, but an orthogonal neighbour continues past a diagonal cell.
fn groups(dug: u8) -> i32 {
    const STRAIGHT: u8 = 0b0101_0101;
    let goes_on = dug.rotate_right(1) | dug.rotate_right(2) & STRAIGHT;
    match (dug & !goes_on).count_ones() {
        0 => i32::from(dug & 1),
        count => count as i32,
    }
}
