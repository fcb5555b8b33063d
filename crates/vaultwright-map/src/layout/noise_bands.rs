//! Patches of ground from noise with several octaves.

use crate::grid::{GlyphSet, Grid, Point};
use crate::noise::{MAX_SIMPLEX2, Simplex2};
use crate::paint::Area;
use vaultwright_rng::Streams;

/// Ground chosen by the value of noise.
#[derive(Clone, Debug)]
pub struct NoiseBands {
    /// The approximate size of a hump and a hollow, in cells.
    pub scale: f64,
    /// The number of layers of noise, each half as wide and half as strong as the one before.
    pub octaves: i32,
    /// The glyphs of cells to paint; `None` for all.
    pub on: Option<GlyphSet>,
    /// From low to high values. Cells above the last band keep their glyph.
    pub bands: Vec<NoiseBand>,
}

/// One kind of ground.
#[derive(Clone, Copy, Debug)]
pub struct NoiseBand {
    /// The glyph to paint with.
    pub glyph: u8,
    /// The upper limit of the band.
    pub limit: NoiseLimit,
}

/// The upper limit of a band.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum NoiseLimit {
    /// Below a value; values are about -1 to 1, and mostly near 0.
    Below(f64),
    /// After this percentage of the paintable cells, in addition to the bands before.
    Share(i32),
}

/// More layers than this are too fine to be visible.
const MAX_OCTAVES: i32 = 12;

/// Paints the bands. Draws: `random2(10000)` twice, for the position of the area in the noise.
pub fn paint_noise(grid: &mut Grid, area: Area, noise: &NoiseBands, rng: &mut Streams) {
    let start = (f64::from(rng.random2(10_000)), f64::from(rng.random2(10_000)));
    let scale = if noise.scale > 0.0 { noise.scale } else { 1.0 };
    let mut layers = Layers::over(area, start, scale, noise.octaves.clamp(1, MAX_OCTAVES));
    let on = area.cells_on(grid, noise.on.as_ref());
    let whole = on.len();
    let mut cells = layers.values(on, &noise.bands);
    // Of equal values, the first one in row order comes first.
    let order = |a: &(f64, Point), b: &(f64, Point)| {
        a.0.total_cmp(&b.0).then_with(|| (a.1.y, a.1.x).cmp(&(b.1.y, b.1.x)))
    };
    let (mut share, mut taken) = (0i64, 0);
    let mut left = &mut cells[..];
    for band in &noise.bands {
        let end = match band.limit {
            NoiseLimit::Below(limit) => {
                let (mut end, below) = (0, |&(value, _): &(f64, Point)| value < limit);
                for cell in 0..left.len() {
                    if below(&left[cell]) {
                        left.swap(cell, end);
                        end += 1;
                    }
                }
                end
            }
            NoiseLimit::Share(percent) => {
                share += i64::from(percent.max(0));
                let end = ((whole as i64 * share.min(100) / 100) as usize).saturating_sub(taken);
                if end > 0 && end < left.len() {
                    left.select_nth_unstable_by(end, order);
                }
                end.min(left.len())
            }
        };
        let (painted, others) = left.split_at_mut(end);
        painted.iter().for_each(|&(_, p)| _ = grid.set(p, band.glyph));
        taken += end;
        left = others;
    }
}

/// Layers of noise over an area.
struct Layers {
    origin: Point,
    octaves: Vec<Octave>,
}

/// A layer: the position of its columns and rows in the noise.
struct Octave {
    columns: Vec<f64>,
    rows: Vec<f64>,
    /// Half of that of the previous layer: a power of two.
    strength: f64,
    noise: Simplex2,
}

/// A cell with what is known about its noise.
struct Sum {
    cell: Point,
    /// The layers added so far, weighted by strength: the first one or all of them.
    sum: f64,
    is_whole: bool,
}

impl Layers {
    /// Returns this many layers over an area with its origin somewhere in the noise.
    fn over(area: Area, start: (f64, f64), scale: f64, octaves: i32) -> Layers {
        let octave = |number: i32| {
            let fine = f64::from(1 << number);
            let along = |start: f64, cells: i32| {
                (0..cells).map(|cell| start + f64::from(cell) / scale * fine).collect()
            };
            Octave {
                columns: along(start.0, area.width()),
                rows: along(start.1, area.height()),
                strength: 1.0 / fine,
                noise: Simplex2::default(),
            }
        };
        let origin = Point::new(area.x1, area.y1);
        Layers { origin, octaves: (0..octaves).map(octave).collect() }
    }

    /// Returns the values of the cells that may be in a band, in the order of the cells.
    fn values(&mut self, cells: Vec<Point>, bands: &[NoiseBand]) -> Vec<(f64, Point)> {
        let (whole, origin) = (self.strength(), self.origin);
        let Some(first) = self.octaves.first_mut() else { return Vec::new() };
        let sum = |cell| Sum { cell, sum: 0.0 + first.noise(origin, cell), is_whole: false };
        let mut sums: Vec<Sum> = cells.into_iter().map(sum).collect();
        let top = self.top_of(&mut sums, bands) * whole;
        let Some((first, finer)) = self.octaves.split_first_mut() else { return Vec::new() };
        let mut values = Vec::with_capacity(sums.len());
        'cells: for Sum { cell, mut sum, is_whole } in sums {
            let mut left = whole - first.strength;
            for octave in if is_whole { &mut [][..] } else { &mut *finer } {
                // A margin for rounding errors.
                if sum - left * MAX_SIMPLEX2 > top + 1e-6 {
                    continue 'cells;
                }
                sum += octave.noise(origin, cell);
                left -= octave.strength;
            }
            values.push((sum / whole, cell));
        }
        values
    }

    /// Returns a value that no cell in any band exceeds. This computes all layers for some cells;
    /// the others have the first.
    fn top_of(&mut self, sums: &mut [Sum], bands: &[NoiseBand]) -> f64 {
        let (mut top, mut share) = (f64::NEG_INFINITY, 0);
        for band in bands {
            match band.limit {
                NoiseLimit::Below(limit) => top = top.max(limit),
                NoiseLimit::Share(percent) => share += i64::from(percent.max(0)),
            }
        }
        let wanted = (sums.len() as i64 * share.min(100) / 100) as usize;
        if wanted == 0 {
            return top;
        }
        if wanted == sums.len() {
            return f64::INFINITY;
        }
        // The lowest `wanted` values are not above the highest of any `wanted` values. The best
        // choice is cells whose first layer is low.
        let mut firsts: Vec<i64> = sums.iter().map(|sum| rank(sum.sum)).collect();
        let last = (2 * wanted).min(firsts.len()) - 1;
        let low = *firsts.select_nth_unstable(last).1;
        let (mut values, whole) = (Vec::with_capacity(last + 1), self.strength());
        for sum in sums.iter_mut().filter(|sum| rank(sum.sum) <= low) {
            for octave in &mut self.octaves[1..] {
                sum.sum += octave.noise(self.origin, sum.cell);
            }
            sum.is_whole = true;
            values.push(sum.sum / whole);
        }
        top.max(*values.select_nth_unstable_by(wanted - 1, f64::total_cmp).1)
    }

    /// Returns the total strength of all layers.
    fn strength(&self) -> f64 {
        self.octaves.iter().map(|octave| octave.strength).sum()
    }
}

/// Returns an integer that compares like [`f64::total_cmp`], but faster.
fn rank(value: f64) -> i64 {
    let bits = value.to_bits() as i64;
    bits ^ ((bits >> 63) as u64 >> 1) as i64
}

impl Octave {
    /// Returns the contribution of the layer to a cell of an area with this origin.
    #[inline]
    fn noise(&mut self, origin: Point, cell: Point) -> f64 {
        let column = self.columns[(cell.x - origin.x) as usize];
        self.noise.at(column, self.rows[(cell.y - origin.y) as usize]) * self.strength
    }
}

#[cfg(test)]
mod tests {
    use super::super::drawn::{draws, rows, streams};
    use super::*;

    fn painted(seed: u64, bands: &[(u8, NoiseLimit)], on: Option<GlyphSet>) -> (String, u64) {
        let mut grid = Grid::from_rows(vec!["..x.......".repeat(4); 25]);
        let bands = bands.iter().map(|&(glyph, limit)| NoiseBand { glyph, limit }).collect();
        let noise = NoiseBands { scale: 8.0, octaves: 3, on, bands };
        let mut rng = streams(seed);
        let area = Area::of(&grid);
        paint_noise(&mut grid, area, &noise, &mut rng);
        (rows(&grid).concat(), draws(&rng))
    }

    #[test]
    fn shares_are_met_to_the_cell_and_only_on_wanted_glyphs() {
        let bands = [(b'w', NoiseLimit::Share(20)), (b'W', NoiseLimit::Share(10))];
        let (text, draws) = painted(1, &bands, Some(GlyphSet::new(b".")));
        assert_eq!((text.matches('w').count(), text.matches('W').count()), (180, 90));
        assert_eq!((text.matches('x').count(), draws), (100, 2));
        let (all, _) = painted(1, &[(b'w', NoiseLimit::Share(300))], None);
        assert_eq!(all.matches('w').count(), 1000);
    }

    #[test]
    fn patches_hang_together_and_lie_elsewhere_with_another_seed() {
        let bands = [(b'w', NoiseLimit::Below(-0.2)), (b'W', NoiseLimit::Below(0.1))];
        let (text, _) = painted(1, &bands, None);
        let water = text.matches('w').count();
        assert!((50..600).contains(&water), "{water}");
        // Most cells of deep water have deep water to their right.
        assert!(text.matches("ww").count() * 3 > water);
        assert_ne!(text, painted(2, &bands, None).0);
        let mut nothing = Grid::default();
        let noise = NoiseBands { scale: 0.0, octaves: 99, on: None, bands: Vec::new() };
        let area = Area::of(&nothing);
        paint_noise(&mut nothing, area, &noise, &mut streams(1));
        assert_eq!(nothing, Grid::default());
    }

    #[test]
    fn ranks_are_ordered_as_values_are() {
        let values =
            [f64::NEG_INFINITY, -1.5, -1.0, -0.1, -0.0, 0.0, 1e-9, 0.7, 1.0, f64::INFINITY];
        for (a, b) in values.iter().flat_map(|a| values.iter().map(move |b| (a, b))) {
            assert_eq!(rank(*a).cmp(&rank(*b)), a.total_cmp(b));
        }
    }

    #[test]
    fn what_lies_in_no_band_is_seen_early_and_nothing_else() {
        use NoiseLimit::{Below, Share};
        let area = Area::new(2, 1, 61, 40);
        let cells: Vec<Point> = area.points().collect();
        for octaves in 1..=5 {
            let mut layers = Layers::over(area, (f64::from(octaves) * 77.0, 1234.0), 9.0, octaves);
            let all = layers.values(cells.clone(), &[NoiseBand { glyph: b'w', limit: Share(100) }]);
            let mut sorted: Vec<f64> = all.iter().map(|&(value, _)| value).collect();
            sorted.sort_by(f64::total_cmp);
            assert_eq!(sorted.len(), cells.len());
            let cases: [(&[NoiseLimit], f64); 5] = [
                (&[Below(-0.3), Below(-0.2)], -0.2),
                (&[Share(4), Share(3)], sorted[cells.len() * 7 / 100 - 1]),
                (&[Below(-0.25), Share(60)], sorted[cells.len() * 60 / 100 - 1]),
                (&[Share(1), Below(0.1)], 0.1),
                (&[], f64::NEG_INFINITY),
            ];
            for (limits, top) in cases {
                let bands = limits.iter().map(|&limit| NoiseBand { glyph: b'w', limit });
                let some = layers.values(cells.clone(), &bands.collect::<Vec<_>>());
                let mut found = some.iter().peekable();
                let is_left_out = |cell: &&(f64, Point)| found.next_if_eq(cell).is_none();
                let left_out: Vec<_> = all.iter().filter(is_left_out).collect();
                assert_eq!(some.len() + left_out.len(), all.len());
                assert!(left_out.iter().all(|(value, _)| *value > top));
                let early = left_out.len();
                assert!(early > 0 || octaves == 1 || top > -0.1, "{early} of {limits:?}");
            }
        }
    }
}
