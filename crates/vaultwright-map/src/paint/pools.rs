//! Painters of pools.

use super::{Area, is_in};
use crate::grid::{ADJACENT, GlyphSet, Grid, ORTHOGONAL, Point};
use vaultwright_rng::Streams;

/// Options of [`add_pools`].
pub struct Pools<'a> {
    /// The glyphs that pools may cover.
    pub replace: &'a [u8],
    /// The glyph between pools.
    pub border: u8,
    /// The number of cells for each pool.
    pub pool_size: i32,
    /// The minimum distance between seeds.
    pub seed_separation: i32,
    /// The glyphs of pools with their weights.
    pub contents: Vec<(u8, i32)>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Cell {
    Forbidden,
    Free,
    Listed,
    Border,
    Pool(usize),
}

/// Covers the open cells with pools that grow from seeds (spec 02 §15.5).
pub fn add_pools(grid: &mut Grid, area: Area, options: &Pools, rng: &mut Streams) {
    let glyphs = fill_list(&options.contents);
    let (w, h) = (area.width(), area.height());
    let index = |p: Point| (p.y * w + p.x) as usize;
    let on = |p: Point| p.x >= 0 && p.y >= 0 && p.x < w && p.y < h;
    let replace = GlyphSet::new(options.replace);
    let mut cells: Vec<Cell> = area
        .points()
        .map(|p| if is_in(&replace, grid.get(p)) { Cell::Free } else { Cell::Forbidden })
        .collect();

    let by_column = (0..w).flat_map(|x| (0..h).map(move |y| Point::new(x, y)));
    let free: Vec<Point> = by_column.filter(|&p| cells[index(p)] == Cell::Free).collect();
    let seeds = choose_seeds(free, options, rng);

    let mut open = Vec::new();
    for (number, &seed) in seeds.iter().enumerate() {
        cells[index(seed)] = Cell::Pool(number);
        for p in ORTHOGONAL.map(|d| seed.offset(d)).into_iter().filter(|&p| on(p)) {
            cells[index(p)] = Cell::Listed;
            open.push(p);
        }
    }
    while !open.is_empty() {
        let at = open.swap_remove(rng.random2(open.len() as i32) as usize);
        let mut result = Cell::Free;
        for p in ADJACENT.map(|d| at.offset(d)).into_iter().filter(|&p| on(p)) {
            match (cells[index(p)], result) {
                (Cell::Pool(number), Cell::Free) => result = Cell::Pool(number),
                (Cell::Pool(number), Cell::Pool(found)) if number == found => {}
                (Cell::Pool(_) | Cell::Forbidden, _) => {
                    result = Cell::Border;
                    break;
                }
                _ => {}
            }
        }
        cells[index(at)] = result;
        if result == Cell::Free {
            continue;
        }
        for p in ORTHOGONAL.map(|d| at.offset(d)).into_iter().filter(|&p| on(p)) {
            if cells[index(p)] == Cell::Free {
                cells[index(p)] = Cell::Listed;
                open.push(p);
            }
        }
    }
    let chosen: Vec<u8> =
        seeds.iter().map(|_| glyphs[rng.random2(glyphs.len() as i32) as usize]).collect();
    for (p, cell) in area.points().zip(&cells) {
        match cell {
            Cell::Pool(number) => grid.set(p, chosen[*number]),
            Cell::Free | Cell::Border | Cell::Listed => grid.set(p, options.border),
            Cell::Forbidden => false,
        };
    }
}

/// Returns each glyph as many times as its weight, sorted; a dot if there are none.
fn fill_list(contents: &[(u8, i32)]) -> Vec<u8> {
    let mut glyphs: Vec<u8> = contents
        .iter()
        .flat_map(|&(glyph, weight)| std::iter::repeat_n(glyph, weight.clamp(0, 10_000) as usize))
        .collect();
    glyphs.sort_unstable();
    if glyphs.is_empty() {
        glyphs.push(b'.');
    }
    glyphs
}

fn choose_seeds(mut free: Vec<Point>, options: &Pools, rng: &mut Streams) -> Vec<Point> {
    let size = options.pool_size.max(1);
    let goal = (free.len() as i32 + rng.random2(size)) / size;
    let apart = options.seed_separation * options.seed_separation;
    let mut seeds: Vec<Point> = Vec::new();
    for _ in 0..goal {
        if free.is_empty() {
            break;
        }
        let p = free.swap_remove(rng.random2(free.len() as i32) as usize);
        let far = |q: &Point| (p.x - q.x).pow(2) + (p.y - q.y).pow(2) >= apart;
        if seeds.iter().all(far) {
            seeds.push(p);
        }
    }
    seeds
}
