//! Digging caves: around a primary vault of the Spider's Nest (spec 05 §5.2), or all over.

use vaultwright_map::paint::{self, Delve};
use vaultwright_map::{Grid, Point};

use crate::state::site::Site;

/// Caves of a level that is nothing else keep so far from its edge.
const CAVE_MARGIN: i32 = 3;

/// Digs caves into the rock that no vault has taken.
pub(crate) fn delve_around(site: &mut Site) {
    let rng = &mut site.ctx.rng;
    let (mut least, mut most) = (2, rng.random_range(3, 8));
    if rng.one_chance_in(10) {
        least = 1;
        most = rng.random_range(5, 7);
    }
    if rng.one_chance_in(20) {
        (least, most) = (3, 4);
    }
    let connection = [0, 5, 20, 50, 100][rng.random2(5) as usize];
    let top = [1, 20, 125, 500, 999_999][rng.random2(5) as usize];
    site.note("delve_parameters", |_| {
        format!("ngb_min={least} ngb_max={most} connchance={connection} top={top}")
    });
    let (rock, floor) = (site.rock_wall(), site.floor());
    let size = site.level.size();
    let rows = (0..size.height()).map(|y| {
        let glyph = |x| {
            let p = Point::new(x, y);
            let inner = site.level.in_bounds(p);
            if inner && site.is(p, rock) && !site.masked(p) {
                b'x'
            } else if site.is(p, floor) {
                b'.'
            } else {
                b'v'
            }
        };
        (0..size.width()).map(glyph).collect::<Vec<u8>>()
    });
    let mut grid = Grid::from_rows(rows.collect::<Vec<_>>());
    let options = Delve { ngb_min: least, ngb_max: most, connchance: connection, cellnum: -1, top };
    paint::delve(&mut grid, &options, site.ctx.rng);
    for p in site.inner() {
        if site.is(p, rock) && grid.glyph(p) == b'.' {
            site.set(p, floor);
        }
    }
}

/// Makes the level caves in rock, dug from a few cells in its middle.
pub(crate) fn dig_caves(site: &mut Site) {
    site.level.reset(site.ctx.content.features());
    let (size, floor) = (site.level.size(), site.floor());
    let middle = Point::middle_of(size);
    for p in site.level.rectangle(middle.offset((-2, -1)), middle.offset((2, 1))) {
        site.set(p, floor);
    }
    let rows = (0..size.height()).map(|y| {
        let glyph = |x| match Point::new(x, y) {
            p if site.is(p, floor) => b'.',
            p if p.is_within(size, CAVE_MARGIN) => b'x',
            _ => b'v',
        };
        (0..size.width()).map(glyph).collect::<Vec<u8>>()
    });
    let mut grid = Grid::from_rows(rows.collect::<Vec<_>>());
    // Half of what can be dug, in wide passages.
    let cellnum = (size.cells() / 3) as i32;
    let options = Delve { ngb_min: 2, ngb_max: 6, connchance: 60, cellnum, top: 125 };
    paint::delve(&mut grid, &options, site.ctx.rng);
    for p in site.inner() {
        if grid.glyph(p) == b'.' {
            site.set(p, floor);
        }
    }
}
