//! Painters that make no draws.

use foldhash::{HashSet, HashSetExt};

use super::{Absence, Area, check_coordinate, is_in, painter_error};
use crate::SpecError;
use crate::grid::{ADJACENT, GlyphSet, Grid, Point};

/// Returns the number of cells of the area whose glyph is in the set.
pub fn count_in_box(grid: &Grid, area: Area, set: &[u8]) -> i32 {
    let set = GlyphSet::new(set);
    area.glyphs(grid).into_iter().filter(|&glyph| is_in(&set, glyph)).count() as i32
}

/// Returns whether the glyph of any cell of the area is in the set.
pub fn find_in_box(grid: &Grid, area: Area, set: &[u8]) -> bool {
    let set = GlyphSet::new(set);
    area.points().any(|p| is_in(&set, grid.get(p)))
}

/// Fills an area; its outline gets `border`.
pub fn fill_area(grid: &mut Grid, area: Area, fill: u8, border: u8) {
    grid.fill(area, border);
    if let Some(inner) = area.shrunk(1) {
        grid.fill(inner, fill);
    }
}

/// Replaces the glyphs of a set.
pub fn replace_area(grid: &mut Grid, area: Area, find: &[u8], replace: u8) {
    let find = GlyphSet::new(find);
    for p in area.points() {
        if is_in(&find, grid.get(p)) {
            grid.set(p, replace);
        }
    }
}

/// Steps from a cell until one shows `find`, and replaces it.
pub fn replace_first(
    grid: &mut Grid,
    from: Point,
    step: (i32, i32),
    find: u8,
    replace: u8,
    absence: Absence,
) -> Result<(), SpecError> {
    check_coordinate("x", from.x, grid.width())?;
    check_coordinate("y", from.y, grid.height())?;
    for (name, value) in [("xdir", step.0), ("ydir", step.1)] {
        if !(-1..=1).contains(&value) {
            return Err(painter_error(format!("Invalid {name}: {value}")));
        }
    }
    let mut p = from;
    while let Some(glyph) = grid.get(p) {
        if glyph == find {
            grid.set(p, replace);
            return Ok(());
        }
        if step == (0, 0) {
            return Err(painter_error("replace_first needs a direction: xdir and ydir are 0"));
        }
        p = p.offset(step);
    }
    absence.said(|| format!("Could not find feature '{}' to replace", char::from(find)))
}

fn check_centre(grid: &Grid, centre: Point) -> Result<(), SpecError> {
    check_coordinate("x", centre.x, grid.width())?;
    check_coordinate("y", centre.y, grid.height())
}

fn draw_around(
    grid: &mut Grid,
    centre: Point,
    radius: i32,
    fill: u8,
    shape: impl Fn(i32, i32) -> bool,
) -> Result<(), SpecError> {
    check_centre(grid, centre)?;
    for dy in -radius..=radius {
        for dx in -radius..=radius {
            if shape(dx, dy) {
                grid.set(centre.offset((dx, dy)), fill);
            }
        }
    }
    Ok(())
}

/// Fills the cells with dx² + dy² < (r + ½)².
pub fn make_circle(grid: &mut Grid, centre: Point, r: i32, fill: u8) -> Result<(), SpecError> {
    let limit = (f64::from(r) + 0.5).powi(2);
    draw_around(grid, centre, r, fill, |dx, dy| f64::from(dx * dx + dy * dy) < limit)
}

/// Fills the cells with |dx| + |dy| ≤ r.
pub fn make_diamond(grid: &mut Grid, centre: Point, r: i32, fill: u8) -> Result<(), SpecError> {
    check_centre(grid, centre)?;
    let Point { x, y } = centre;
    if r > x || r > y || x + r > grid.width() || y + r > grid.height() {
        let message = format!("make_diamond arguments too large: ({x}, {y}, {r})");
        return Err(painter_error(message));
    }
    draw_around(grid, centre, r, fill, |dx, dy| dx.abs() + dy.abs() <= r)
}

/// Fills the (2r + 1)² block.
pub fn make_square(grid: &mut Grid, centre: Point, r: i32, fill: u8) -> Result<(), SpecError> {
    draw_around(grid, centre, r, fill, |_, _| true)
}

/// Fills the block without its corners.
pub fn make_rounded_square(
    grid: &mut Grid,
    centre: Point,
    r: i32,
    fill: u8,
) -> Result<(), SpecError> {
    draw_around(grid, centre, r, fill, |dx, dy| dx.abs() != r || dy.abs() != r)
}

/// Fills every zone of passable cells that contains no wanted cell.
pub fn fill_disconnected(grid: &mut Grid, area: Area, fill: u8, passable: &[u8], wanted: &[u8]) {
    let (passable, wanted) = (GlyphSet::new(passable), GlyphSet::new(wanted));
    let mut seen = HashSet::new();
    for start in area.points() {
        if !is_in(&passable, grid.get(start)) || !seen.insert(start) {
            continue;
        }
        let mut zone = vec![start];
        let mut next = 0;
        while next < zone.len() {
            let cell = zone[next];
            next += 1;
            for p in ADJACENT.map(|step| cell.offset(step)) {
                if area.contains(p) && is_in(&passable, grid.get(p)) && seen.insert(p) {
                    zone.push(p);
                }
            }
        }
        if !zone.iter().any(|&p| is_in(&wanted, grid.get(p))) {
            for p in zone {
                grid.set(p, fill);
            }
        }
    }
}
