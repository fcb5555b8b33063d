//! The painter of trails.

use super::{check_coordinate, is_in};
use crate::SpecError;
use crate::grid::{GlyphSet, Grid, Point};
use vaultwright_rng::Streams;

/// Options of [`join_the_dots`].
pub struct JoinDots<'a> {
    /// The start.
    pub from: Point,
    /// The end.
    pub to: Point,
    /// The glyphs of cells that are not changed.
    pub passable: &'a [u8],
    /// The glyph of the path.
    pub fill: u8,
    /// Whether to make no draws: diagonal steps first, then x, then y.
    pub force_straight: bool,
    /// Whether diagonal steps are allowed.
    pub allow_diagonals: bool,
    /// The width of the path.
    pub thickness: i32,
}

/// Connects two cells by a path (spec 02 §15.6). `in_vault` tells which level cells belong to
/// vaults.
pub fn join_the_dots(
    grid: &mut Grid,
    options: &JoinDots,
    in_vault: &dyn Fn(Point) -> bool,
    rng: &mut Streams,
) -> Result<(), SpecError> {
    for p in [options.from, options.to] {
        check_coordinate("x", p.x, grid.width())?;
        check_coordinate("y", p.y, grid.height())?;
    }
    if options.from == options.to {
        return Ok(());
    }
    let there = walk(options.from, options.to, options, in_vault, rng);
    let back = walk(options.to, options.from, options, in_vault, rng);
    let first = match (there.crossed.cmp(&back.crossed), there.avoided.cmp(&back.avoided)) {
        (std::cmp::Ordering::Equal, std::cmp::Ordering::Equal) => rng.coinflip(),
        (std::cmp::Ordering::Equal, order) | (order, _) => order.is_lt(),
    };
    let half = options.thickness / 2;
    let passable = GlyphSet::new(options.passable);
    for at in if first { there.cells } else { back.cells } {
        for dx in -half..options.thickness - half {
            for dy in -half..options.thickness - half {
                let p = at.offset((dx, dy));
                let inside =
                    p.x > 0 && p.y > 0 && p.x < grid.width() - 1 && p.y < grid.height() - 1;
                if inside && !is_in(&passable, grid.get(p)) {
                    grid.set(p, options.fill);
                }
            }
        }
    }
    Ok(())
}

struct Path {
    cells: Vec<Point>,
    crossed: u32,
    avoided: u32,
}

fn walk(
    from: Point,
    to: Point,
    options: &JoinDots,
    in_vault: &dyn Fn(Point) -> bool,
    rng: &mut Streams,
) -> Path {
    let mut path = Path { cells: vec![from], crossed: u32::from(in_vault(from)), avoided: 0 };
    let mut at = from;
    while at != to {
        let (dx, dy) = ((to.x - at.x).abs(), (to.y - at.y).abs());
        let step = ((to.x - at.x).signum(), (to.y - at.y).signum());
        let moves = [(step.0, 0), (0, step.1), step];
        let mut good = [dx > 0, dy > 0, dx > 0 && dy > 0 && options.allow_diagonals];
        let vault = moves.map(|d| in_vault(at.offset(d)));
        if (0..3).any(|i| good[i] && !vault[i]) {
            for i in 0..3 {
                if vault[i] {
                    good[i] = false;
                    path.avoided += 1;
                }
            }
        } else {
            path.avoided += 3;
        }
        let [x, y, diagonal] = good;
        let (low, high) = (dx.min(dy), dx.max(dy));
        let taken = if options.force_straight {
            if diagonal { 2 } else { usize::from(!x) }
        } else if diagonal && (rng.x_chance_in_y(low, 2 * high) || (!x && !y)) {
            2
        } else if x && (rng.x_chance_in_y(dx, dx + dy) || !y) {
            0
        } else {
            1
        };
        at = at.offset(moves[taken]);
        path.crossed += u32::from(in_vault(at));
        path.cells.push(at);
    }
    path
}
