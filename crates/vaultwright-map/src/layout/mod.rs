//! Painters of whole layouts, which the reference does not have; docs/layouts.md shows each.
//!
//! They work on maps of any size, make the draws in their comments, and no others. If the amount of
//! work depends on what is drawn, a painter asks before each part whether it may continue.

mod cave;
mod distance;
mod link;
mod noise_bands;
mod paint_like;
mod pattern_sets;
mod regions;
mod rewrite;
mod sample;
mod scatter;
mod split;
mod tunnel;
mod walk;

pub use cave::{Cave, grow_cave};
pub use distance::{DistanceBand, DistanceBands, distance_field, paint_by_distance};
pub use link::{Links, link_points};
pub use noise_bands::{NoiseBand, NoiseBands, NoiseLimit, paint_noise};
pub use paint_like::{Likeness, paint_like};
pub use regions::{Metric, Regions, paint_regions};
pub use rewrite::{How, Rewrite, RewriteRule, RewriteStep, rewrite_map};
pub use sample::{Sample, SampleReading};
pub use scatter::{Scatter, scatter_points};
pub use split::{SplitRooms, split_rooms};
pub use tunnel::{Tunnel, dig_tunnel};
pub use walk::{Walk, walk_cave};

/// Called before a painter does this much more work (about the number of cells examined). An error
/// stops it.
pub type Spend<'a, E> = &'a mut dyn FnMut(u64) -> Result<(), E>;

#[cfg(test)]
mod drawn {
    //! Grids of tests as rows of text.

    use super::{Sample, SampleReading};
    use crate::grid::{Grid, Point};
    use vaultwright_rng::Streams;

    pub(super) const ROOMS: [&str; 6] =
        ["xxxxxx", "x...xx", "x...xx", "x...xx", "xxxxxx", "xxxxxx"];

    /// How samples are read without rotation.
    pub(super) const UPRIGHT: SampleReading =
        SampleReading { size: 2, turned: false, wrapped: true };

    pub(super) fn sample(rows: &[&str], reading: SampleReading) -> Sample {
        let rows: Vec<&[u8]> = rows.iter().map(|row| row.as_bytes()).collect();
        Sample::new(&rows, reading).expect("a sample")
    }

    pub(super) fn rows(grid: &Grid) -> Vec<String> {
        grid.rows().map(|row| String::from_utf8_lossy(row).into_owned()).collect()
    }

    pub(super) fn filled(width: usize, height: usize, glyph: &str) -> Grid {
        Grid::from_rows(vec![glyph.repeat(width); height])
    }

    pub(super) fn streams(seed: u64) -> Streams {
        Streams::from_seed(seed, 43)
    }

    pub(super) fn draws(rng: &Streams) -> u64 {
        rng.draws().map(|(_, draws)| draws).sum()
    }

    /// Returns the number of cells with these glyphs that can be reached from one of them.
    pub(super) fn reached(grid: &Grid, from: Point, glyphs: &str, steps: &[(i32, i32)]) -> usize {
        let mut seen = std::collections::HashSet::from([from]);
        let mut next = vec![from];
        while let Some(at) = next.pop() {
            for p in steps.iter().map(|&step| at.offset(step)) {
                let open = grid.get(p).is_some_and(|glyph| glyphs.as_bytes().contains(&glyph));
                if open && seen.insert(p) {
                    next.push(p);
                }
            }
        }
        seen.len()
    }

    /// Allows unlimited work.
    pub(super) fn freely(_: u64) -> Result<(), ()> {
        Ok(())
    }
}
