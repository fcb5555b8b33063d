//! Patches of ground from noise with octaves.

use crate::grid::{GlyphSet, Grid, Point};
use crate::noise::simplex2;
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
    let (left, top) = (f64::from(rng.random2(10_000)), f64::from(rng.random2(10_000)));
    let scale = if noise.scale > 0.0 { noise.scale } else { 1.0 };
    let octaves = noise.octaves.clamp(1, MAX_OCTAVES);
    let value = |p: Point| {
        let (x, y) = (f64::from(p.x - area.x1) / scale, f64::from(p.y - area.y1) / scale);
        let (mut sum, mut strength, mut whole) = (0.0, 1.0, 0.0);
        for octave in 0..octaves {
            let fine = f64::from(1 << octave);
            sum += strength * simplex2(left + x * fine, top + y * fine);
            whole += strength;
            strength /= 2.0;
        }
        sum / whole
    };
    let cells = area.cells_on(grid, noise.on.as_ref());
    let mut cells: Vec<(f64, Point)> = cells.into_iter().map(|p| (value(p), p)).collect();
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
}
