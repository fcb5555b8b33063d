//! Painters of doors.

use super::{Area, is_in, painter_error};
use crate::SpecError;
use crate::grid::{GlyphSet, Grid, Point};
use vaultwright_rng::Streams;

/// Which of the eight neighbours satisfy a condition.
struct Around {
    n: bool,
    s: bool,
    e: bool,
    w: bool,
    ne: bool,
    nw: bool,
    se: bool,
    sw: bool,
}

impl Around {
    fn of(grid: &Grid, p: Point, set: &GlyphSet) -> Around {
        let at = |dx, dy| is_in(set, grid.get(p.offset((dx, dy))));
        Around {
            n: at(0, -1),
            s: at(0, 1),
            e: at(1, 0),
            w: at(-1, 0),
            ne: at(1, -1),
            nw: at(-1, -1),
            se: at(1, 1),
            sw: at(-1, 1),
        }
    }
}

/// Replaces doors that connect nothing (spec 02 §15.8).
pub fn remove_disconnected_doors(
    grid: &mut Grid,
    area: Area,
    door: &[u8],
    open: &[u8],
    replace: u8,
) {
    let (door, open) = (GlyphSet::new(door), GlyphSet::new(open));
    for p in area.inside(grid).points() {
        if is_in(&door, grid.get(p)) && !joins(&Around::of(grid, p, &open)) {
            grid.set(p, replace);
        }
    }
}

fn joins(a: &Around) -> bool {
    let &Around { n, s, e, w, ne, nw, se, sw } = a;
    (!n && !s && (e || w) && (e || se || ne) && (w || sw || nw))
        || (!e && !w && (n || s) && (s || ne || nw) && (n || sw || se))
        || (se && nw && s == e && n == w && (s != w || !(s || w || sw || ne)))
        || (sw && ne && s == w && n == e && (s != e || !(s || e || se || nw)))
}

/// Turns walls between open cells into windows (spec 02 §15.8).
pub fn add_windows(grid: &mut Grid, area: Area, wall: &[u8], open: &[u8], window: u8) {
    let (wall, open) = (GlyphSet::new(wall), GlyphSet::new(open));
    for p in area.inside(grid).points() {
        if is_in(&wall, grid.get(p))
            && fits_window(&Around::of(grid, p, &open), &Around::of(grid, p, &wall))
        {
            grid.set(p, window);
        }
    }
}

fn fits_window(o: &Around, b: &Around) -> bool {
    (o.n && o.s && b.e && b.w)
        || (o.e && o.w && b.n && b.s)
        || (b.e && b.w && ((o.se && o.nw && b.sw && b.ne) || (o.sw && o.ne && b.se && b.nw)))
        || (b.n && b.s && b.e && b.w && ((o.se && o.nw) || (o.sw && o.ne)))
        || (b.s && b.e && o.n && o.w && o.se)
        || (b.s && b.w && o.n && o.e && o.sw)
        || (b.n && b.w && o.s && o.e && o.nw)
        || (b.n && b.e && o.s && o.w && o.ne)
}

/// Options of [`connect_adjacent_rooms`].
pub struct ConnectRooms<'a> {
    /// The glyphs of walls.
    pub wall: &'a [u8],
    /// The glyphs of floor.
    pub floor: &'a [u8],
    /// The glyph of openings.
    pub replace: u8,
    /// The maximum number of cells visited.
    pub max: i32,
    /// The minimum number of cells visited.
    pub min: i32,
    /// The distance for which the wall must be unbroken on both sides.
    pub check_distance: i32,
}

/// Opens walls between rooms (spec 02 §15.6).
pub fn connect_adjacent_rooms(
    grid: &mut Grid,
    area: Area,
    options: &ConnectRooms,
    rng: &mut Streams,
) -> Result<(), SpecError> {
    let &ConnectRooms { min, max, .. } = options;
    let (wall, floor) = (GlyphSet::new(options.wall), GlyphSet::new(options.floor));
    if min < 0 {
        return Err(painter_error(format!("Invalid min connections: {min}")));
    }
    if max < min {
        return Err(painter_error(format!("Invalid max connections: {max} (min is {min})")));
    }
    let count = rng.random_range(min, max);
    // Of an area on the border clipping leaves corners that have changed sides: the reference takes
    // what lies between them.
    let Area { x1, y1, x2, y2 } = area.inside(grid);
    let between = Area { x1: x1.min(x2), y1: y1.min(y2), x2: x1.max(x2), y2: y1.max(y2) };
    let mut cells: Vec<Point> = between.points().collect();
    if cells.is_empty() {
        return Ok(());
    }
    let mut current = rng.random2(cells.len() as i32) as usize;
    let mut visited = 0;
    while !cells.is_empty() && visited < count {
        let p = cells[current];
        if is_in(&wall, grid.get(p)) {
            let is_floor = |step| is_in(&floor, grid.get(p.offset(step)));
            let far = options.check_distance;
            let joins = |along: (i32, i32), side: (i32, i32)| {
                is_floor((-side.0, -side.1))
                    && is_floor(side)
                    && whole(grid, p, along, side, (&wall, &floor), far)
            };
            if joins((1, 0), (0, 1)) || joins((0, 1), (1, 0)) {
                grid.set(p, options.replace);
            }
        }
        visited += 1;
        cells.swap_remove(current);
        if !cells.is_empty() {
            current = rng.random2(cells.len() as i32) as usize;
        }
    }
    Ok(())
}

/// Returns whether the wall is unbroken both ways along an axis, for as long as there is floor on
/// both sides.
fn whole(
    grid: &Grid,
    p: Point,
    along: (i32, i32),
    side: (i32, i32),
    (wall, floor): (&GlyphSet, &GlyphSet),
    check_distance: i32,
) -> bool {
    [1, -1].into_iter().all(|sign| {
        for step in 1..=check_distance {
            let q = p.offset((along.0 * step * sign, along.1 * step * sign));
            let is_floor = |d: (i32, i32)| is_in(floor, grid.get(q.offset(d)));
            if !is_floor(side) || !is_floor((-side.0, -side.1)) {
                return true;
            }
            if !is_in(wall, grid.get(q)) {
                return false;
            }
        }
        true
    })
}
