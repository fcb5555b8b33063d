//! Patches of ground from noise with octaves.

use crate::grid::{GlyphSet, Grid, Point};
use crate::noise::{SIMPLEX2_MOST, simplex2};
use crate::paint::Area;
use vaultwright_rng::Streams;

/// Ground by the value of noise.
#[derive(Clone, Debug)]
pub struct NoiseBands {
    /// How many cells a hump and a hollow take, about.
    pub scale: f64,
    /// Layers of noise, each half as wide and half as strong as the one before.
    pub octaves: i32,
    /// Cells with these glyphs are painted; `None` for all.
    pub on: Option<GlyphSet>,
    /// From low values to high ones; what lies above the last band stays as it is.
    pub bands: Vec<NoiseBand>,
}

/// One kind of ground.
#[derive(Clone, Copy, Debug)]
pub struct NoiseBand {
    /// What it is painted with.
    pub glyph: u8,
    /// Where it ends.
    pub limit: NoiseLimit,
}

/// Where a band ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum NoiseLimit {
    /// Below a value; values are about -1 to 1, and mostly near 0.
    Below(f64),
    /// After so many percent of the cells that may be painted, added to the bands before.
    Share(i32),
}

/// More layers than this are too fine to be seen.
const MAX_OCTAVES: i32 = 12;

/// Paints the bands. Draws: `random2(10000)` twice, for where in the noise the area lies.
pub fn paint_noise(grid: &mut Grid, area: Area, noise: &NoiseBands, rng: &mut Streams) {
    let start = (f64::from(rng.random2(10_000)), f64::from(rng.random2(10_000)));
    let layers = Layers {
        origin: Point::new(area.x1, area.y1),
        start,
        scale: if noise.scale > 0.0 { noise.scale } else { 1.0 },
        octaves: noise.octaves.clamp(1, MAX_OCTAVES),
    };
    let mut cells = layers.values(area.cells_on(grid, noise.on.as_ref()), &noise.bands);
    // Of equal values, the one that comes first row by row.
    let order = |a: &(f64, Point), b: &(f64, Point)| {
        a.0.total_cmp(&b.0).then((a.1.y, a.1.x).cmp(&(b.1.y, b.1.x)))
    };
    let (whole, mut share) = (cells.len(), 0i64);
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
                let end = (whole as i64 * share.min(100) / 100) as usize;
                let end = end.saturating_sub(whole - left.len());
                if end > 0 && end < left.len() {
                    left.select_nth_unstable_by(end, order);
                }
                end
            }
        };
        let (painted, others) = left.split_at_mut(end);
        painted.iter().for_each(|&(_, p)| _ = grid.set(p, band.glyph));
        left = others;
    }
}

/// Noise in layers over an area.
struct Layers {
    origin: Point,
    /// Where in the noise the origin lies.
    start: (f64, f64),
    scale: f64,
    octaves: i32,
}

/// A cell with what is known of its noise.
struct Sum {
    cell: Point,
    /// The layers that have been added, each by its strength.
    sum: f64,
    octaves: i32,
}

impl Layers {
    /// Returns the cells with their values. Those that lie in no band have the value infinity,
    /// where that is seen before all layers are added.
    fn values(&self, cells: Vec<Point>, bands: &[NoiseBand]) -> Vec<(f64, Point)> {
        let mut sums: Vec<Sum> =
            cells.into_iter().map(|cell| Sum { cell, sum: 0.0, octaves: 0 }).collect();
        let top = self.top_of(&mut sums, bands) * self.strength_of(self.octaves);
        sums.into_iter()
            .map(|mut sum| {
                while sum.octaves < self.octaves {
                    let left = self.strength_of(self.octaves) - self.strength_of(sum.octaves);
                    // More than all that rounding may take away.
                    if sum.sum - left * SIMPLEX2_MOST > top + 1e-6 {
                        return (f64::INFINITY, sum.cell);
                    }
                    self.add_octave(&mut sum);
                }
                (self.value(&sum), sum.cell)
            })
            .collect()
    }

    /// Returns a value that nothing in any band is above.
    fn top_of(&self, sums: &mut [Sum], bands: &[NoiseBand]) -> f64 {
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
        // So many as are wanted are not above the highest of any so many values: best of those
        // that the first layer makes low.
        sums.iter_mut().for_each(|sum| self.add_octave(sum));
        let looked_at = (2 * wanted).min(sums.len());
        if looked_at < sums.len() {
            sums.select_nth_unstable_by(looked_at, |a, b| a.sum.total_cmp(&b.sum));
        }
        let low = sums[..looked_at].iter_mut();
        let mut values: Vec<f64> = low
            .map(|sum| {
                while sum.octaves < self.octaves {
                    self.add_octave(sum);
                }
                self.value(sum)
            })
            .collect();
        top.max(*values.select_nth_unstable_by(wanted - 1, f64::total_cmp).1)
    }

    fn add_octave(&self, sum: &mut Sum) {
        let fine = f64::from(1 << sum.octaves);
        let along = |c: i32, origin: i32| f64::from(c - origin) / self.scale * fine;
        let (x, y) = (along(sum.cell.x, self.origin.x), along(sum.cell.y, self.origin.y));
        sum.sum += simplex2(self.start.0 + x, self.start.1 + y) / fine;
        sum.octaves += 1;
    }

    fn value(&self, sum: &Sum) -> f64 {
        sum.sum / self.strength_of(self.octaves)
    }

    /// Returns the strength of so many layers together.
    fn strength_of(&self, octaves: i32) -> f64 {
        2.0 - 2.0 / f64::from(1 << octaves)
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
    fn what_lies_in_no_band_is_seen_early_and_nothing_else() {
        use NoiseLimit::{Below, Share};
        let cells: Vec<Point> = Area::new(2, 1, 61, 40).points().collect();
        for octaves in 1..=5 {
            let (origin, start) = (Point::new(2, 1), (f64::from(octaves) * 77.0, 1234.0));
            let layers = Layers { origin, start, scale: 9.0, octaves };
            let all = layers.values(cells.clone(), &[NoiseBand { glyph: b'w', limit: Share(100) }]);
            let mut sorted: Vec<f64> = all.iter().map(|&(value, _)| value).collect();
            sorted.sort_by(f64::total_cmp);
            assert!(sorted.iter().all(|value| value.is_finite()));
            let cases: [(&[NoiseLimit], f64); 5] = [
                (&[Below(-0.3), Below(-0.2)], -0.2),
                (&[Share(4), Share(3)], sorted[cells.len() * 7 / 100 - 1]),
                (&[Below(-0.25), Share(60)], sorted[cells.len() * 60 / 100 - 1]),
                (&[Share(1), Below(0.1)], 0.1),
                (&[], f64::NEG_INFINITY),
            ];
            for (limits, top) in cases {
                let bands = limits.iter().map(|&limit| NoiseBand { glyph: b'w', limit });
                let mut some = layers.values(cells.clone(), &bands.collect::<Vec<_>>());
                some.sort_by_key(|&(_, p)| (p.y, p.x));
                for (some, all) in some.iter().zip(&all) {
                    assert!(some == all || some.0.is_infinite() && all.0 > top);
                }
                let early = some.iter().filter(|(value, _)| value.is_infinite()).count();
                assert!(early > 0 || octaves == 1 || top > -0.1, "{early} of {limits:?}");
            }
        }
    }
}
