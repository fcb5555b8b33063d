//! Painters that change cells at random.

use super::{Absence, Area, is_in, painter_error};
use crate::SpecError;
use crate::grid::{ADJACENT, GlyphSet, Grid, ORTHOGONAL, Point};
use vaultwright_rng::Streams;

/// Replaces one cell showing `find`, chosen with one draw.
pub fn replace_random(
    grid: &mut Grid,
    area: Area,
    find: u8,
    replace: u8,
    absence: Absence,
    rng: &mut Streams,
) -> Result<(), SpecError> {
    let cells: Vec<Point> = area.points().filter(|&p| grid.get(p) == Some(find)).collect();
    if cells.is_empty() {
        return absence.said(|| format!("Could not find '{}'", char::from(find)));
    }
    grid.set(cells[rng.random2(cells.len() as i32) as usize], replace);
    Ok(())
}

/// Replaces the cell showing `find` that is closest to a centre.
pub fn replace_closest(
    grid: &mut Grid,
    area: Area,
    centre: Point,
    find: u8,
    replace: u8,
    absence: Absence,
    rng: &mut Streams,
) -> Result<(), SpecError> {
    let mut best: Option<(i32, Point)> = None;
    let mut count = 0;
    for p in area.points().filter(|&p| grid.get(p) == Some(find)) {
        let distance = (p.x - centre.x).abs().max((p.y - centre.y).abs());
        match best {
            Some((nearest, _)) if distance > nearest => {}
            Some((nearest, _)) if distance == nearest => {
                count += 1;
                if rng.one_chance_in(count) {
                    best = Some((distance, p));
                }
            }
            _ => {
                best = Some((distance, p));
                count = 1;
            }
        }
    }
    match best {
        Some((_, p)) => {
            grid.set(p, replace);
            Ok(())
        }
        None => absence.said(|| format!("Could not find '{}'", char::from(find))),
    }
}

fn neighbours(boxy: bool) -> &'static [(i32, i32)] {
    if boxy { &ADJACENT } else { &ORTHOGONAL }
}

/// Options of [`remove_isolated_glyphs`].
pub struct IsolatedGlyphs<'a> {
    /// The glyphs of the set.
    pub find: &'a [u8],
    /// The glyph for those without such a neighbour.
    pub replace: u8,
    /// The chance for each cell, in percent.
    pub percent: i32,
    /// Whether to consider eight neighbours instead of four.
    pub boxy: bool,
}

/// Replaces cells of a set that have no neighbour in the set.
pub fn remove_isolated_glyphs(
    grid: &mut Grid,
    area: Area,
    options: &IsolatedGlyphs,
    rng: &mut Streams,
) {
    let IsolatedGlyphs { find, replace, percent, boxy } = options;
    let find = GlyphSet::new(find);
    for p in area.inside(grid).points() {
        if is_in(&find, grid.get(p)) && rng.x_chance_in_y(*percent, 100) {
            let company = neighbours(*boxy).iter().any(|&d| is_in(&find, grid.get(p.offset(d))));
            if !company {
                grid.set(p, *replace);
            }
        }
    }
}

/// Options of [`widen_paths`].
pub struct WidenPaths<'a> {
    /// The glyphs to widen into.
    pub find: &'a [u8],
    /// The replacement glyph.
    pub replace: u8,
    /// The glyphs of paths.
    pub passable: &'a [u8],
    /// The chance for each passable neighbour, in percent.
    pub percent: i32,
    /// Whether to consider eight neighbours instead of four.
    pub boxy: bool,
}

/// Turns cells next to paths into path.
pub fn widen_paths(grid: &mut Grid, area: Area, options: &WidenPaths, rng: &mut Streams) {
    let chances = widening_chances(options.percent);
    let (find, passable) = (GlyphSet::new(options.find), GlyphSet::new(options.passable));
    let mut marked = Vec::new();
    for p in area.inside(grid).points() {
        if !is_in(&find, grid.get(p)) {
            continue;
        }
        let open = neighbours(options.boxy)
            .iter()
            .filter(|&&d| is_in(&passable, grid.get(p.offset(d))))
            .count();
        if rng.x_chance_in_y(chances[open], 100) {
            marked.push(p);
        }
    }
    for p in marked {
        grid.set(p, options.replace);
    }
}

fn widening_chances(percent: i32) -> [i32; 9] {
    match percent {
        30 => [0, 30, 52, 66, 76, 84, 89, 92, 95],
        50 => [0, 50, 75, 88, 94, 97, 99, 100, 100],
        _ => {
            let a = 10 - i64::from(percent / 10);
            let mut chances = [0; 9];
            for (k, chance) in chances.iter_mut().enumerate().skip(1) {
                let k = k as u32;
                // Above 100 percent the number wraps; such values make no sense.
                *chance = (100 - a.wrapping_pow(k).wrapping_mul(10) / 10i64.pow(k - 1)) as i32;
            }
            chances
        }
    }
}

/// Options of [`spotty_map`].
pub struct Spotty<'a> {
    /// The glyphs to dig out.
    pub replace: &'a [u8],
    /// The replacement glyph.
    pub fill: u8,
    /// Whether spots are blocks of nine instead of crosses.
    pub boxy: bool,
    /// The number of spots; `None` for a random number.
    pub iterations: Option<i32>,
}

/// Digs spots next to open ground.
pub fn spotty_map(grid: &mut Grid, area: Area, options: &Spotty, rng: &mut Streams) {
    // Drawn before the area is examined (spec 05 §15.1).
    let drawn = rng.random2(if options.boxy { 750 } else { 1500 });
    let Some(inner) = area.shrunk(4) else { return };
    let iterations = options.iterations.unwrap_or(drawn);
    let limit = 10 * i64::from(iterations);
    let replace = GlyphSet::new(options.replace);
    let mut attempts = 0i64;
    for _ in 0..iterations {
        let at = loop {
            if attempts > limit {
                return;
            }
            attempts += 1;
            let x = rng.random_range(inner.x1, inner.x2);
            let y = rng.random_range(inner.y1, inner.y2);
            let at = Point::new(x, y);
            let cross =
                [(0, 0), (1, 0), (-1, 0), (2, 0), (-2, 0), (0, 1), (0, -1), (0, 2), (0, -2)];
            if cross.iter().any(|&d| !is_in(&replace, grid.get(at.offset(d)))) {
                break at;
            }
        };
        let block = ADJACENT.iter().filter(|&&(dx, dy)| options.boxy || dx == 0 || dy == 0);
        for p in block.map(|&d| at.offset(d)).chain([at]) {
            if is_in(&replace, grid.get(p)) {
                grid.set(p, options.fill);
            }
        }
    }
}

/// Options of [`smear_map`].
pub struct Smear<'a> {
    /// The number of cells.
    pub iterations: i32,
    /// The spreading glyph.
    pub smear: u8,
    /// The glyphs that it spreads onto; empty for any.
    pub onto: &'a [u8],
    /// Whether to spread only orthogonally.
    pub boxy: bool,
}

/// Spreads a glyph onto its neighbours.
pub fn smear_map(
    grid: &mut Grid,
    area: Area,
    options: &Smear,
    rng: &mut Streams,
) -> Result<(), SpecError> {
    let Some(inner) = area.shrunk(1) else { return Ok(()) };
    // The upper bound of x is y2: a bug of the reference that must be kept (spec 02 §15.5).
    if inner.x1 > inner.y2 || inner.y1 > inner.y2 {
        return Err(painter_error("smear_map: the area is wider from the left than it is high"));
    }
    let limit = 10 * i64::from(options.iterations);
    let mut attempts = 0i64;
    for _ in 0..options.iterations {
        let at = loop {
            if attempts > limit {
                return Ok(());
            }
            attempts += 1;
            let x = rng.random_range(inner.x1, inner.y2);
            let y = rng.random_range(inner.y1, inner.y2);
            let at = Point::new(x, y);
            let allowed = match grid.get(at) {
                None => false,
                Some(glyph) => options.onto.is_empty() || options.onto.contains(&glyph),
            };
            let next_to = |steps: &[(i32, i32)]| {
                steps.iter().any(|&d| grid.get(at.offset(d)) == Some(options.smear))
            };
            if allowed && (next_to(&ORTHOGONAL) || (!options.boxy && next_to(&ADJACENT))) {
                break at;
            }
        };
        grid.set(at, options.smear);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chances_come_of_any_number() {
        assert_eq!(widening_chances(40), [0, 40, 64, 79, 88, 93, 96, 98, 99]);
        let least_and_most = [i32::MIN, i32::MAX].map(|percent| widening_chances(percent)[1]);
        assert_eq!(least_and_most, [-2_147_483_640, 2_147_483_640]);
    }
}
