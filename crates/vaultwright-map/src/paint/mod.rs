//! The library of grid-drawing functions (spec 02 §15).

mod boxes;
mod delve;
mod doors;
mod plain;
mod pools;
mod random;
mod reach;
mod trail;

pub use boxes::{
    BoxDoors, IrregularBox, RoundBox, make_box, make_box_doors, make_irregular_box, make_round_box,
    octa_room,
};
pub use delve::{Delve, delve};
pub use doors::{ConnectRooms, add_windows, connect_adjacent_rooms, remove_disconnected_doors};
pub use plain::{
    count_in_box, fill_area, fill_disconnected, find_in_box, make_circle, make_diamond,
    make_rounded_square, make_square, replace_area, replace_first,
};
pub use pools::{Pools, add_pools};
pub use random::{
    IsolatedGlyphs, Smear, Spotty, WidenPaths, remove_isolated_glyphs, replace_closest,
    replace_random, smear_map, spotty_map, widen_paths,
};
pub use reach::farthest_from;
pub use trail::{JoinDots, join_the_dots};

use crate::grid::{GlyphSet, Grid, Point};
use crate::points::Points;
use crate::{ErrorCode, SpecError};

/// A rectangle, corners inclusive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Area {
    /// The leftmost column.
    pub x1: i32,
    /// The top row.
    pub y1: i32,
    /// The rightmost column.
    pub x2: i32,
    /// The bottom row.
    pub y2: i32,
}

/// Whether a painter fails if it finds nothing to replace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Absence {
    /// It does nothing.
    Fine,
    /// It fails.
    Error,
}

impl Absence {
    fn said(self, message: impl FnOnce() -> String) -> Result<(), SpecError> {
        match self {
            Absence::Fine => Ok(()),
            Absence::Error => Err(painter_error(message())),
        }
    }
}

/// The maximum distance of a rectangle beyond the grid.
const MAX_MARGIN: i32 = 100;

impl Area {
    /// Returns the rectangle with these corners, in any order.
    pub fn new(x1: i32, y1: i32, x2: i32, y2: i32) -> Area {
        Area { x1: x1.min(x2), y1: y1.min(y2), x2: x1.max(x2), y2: y1.max(y2) }
    }

    /// Returns the whole grid.
    pub fn of(grid: &Grid) -> Area {
        Area { x1: 0, y1: 0, x2: grid.width() - 1, y2: grid.height() - 1 }
    }

    /// Returns the area shrunk by a border on each side; `None` if nothing remains.
    pub fn shrunk(self, border: i32) -> Option<Area> {
        let area = Area {
            x1: self.x1 + border,
            y1: self.y1 + border,
            x2: self.x2 - border,
            y2: self.y2 - border,
        };
        (area.x1 <= area.x2 && area.y1 <= area.y2).then_some(area)
    }

    /// Returns the part of the area that is not on the grid's border.
    pub fn inside(self, grid: &Grid) -> Area {
        Area {
            x1: self.x1.max(1),
            y1: self.y1.max(1),
            x2: self.x2.min(grid.width() - 2),
            y2: self.y2.min(grid.height() - 2),
        }
    }

    /// Returns an error unless the area overlaps the grid and is not far outside it. The part
    /// outside is not painted, as in the reference; vaults rely on this.
    pub fn overlapping(self, grid: &Grid) -> Result<Area, SpecError> {
        let (width, height) = (grid.width(), grid.height());
        if self.x2 < 0 || self.x1 >= width || self.y2 < 0 || self.y1 >= height {
            return self.checked(grid);
        }
        check_coordinate("x", self.x1 + MAX_MARGIN, width + MAX_MARGIN)?;
        check_coordinate("x", self.x2, width + MAX_MARGIN)?;
        check_coordinate("y", self.y1 + MAX_MARGIN, height + MAX_MARGIN)?;
        check_coordinate("y", self.y2, height + MAX_MARGIN)?;
        Ok(self)
    }

    /// Returns an error unless the whole area is on the grid.
    pub fn checked(self, grid: &Grid) -> Result<Area, SpecError> {
        check_coordinate("x", self.x1, grid.width())?;
        check_coordinate("x", self.x2, grid.width())?;
        check_coordinate("y", self.y1, grid.height())?;
        check_coordinate("y", self.y2, grid.height())?;
        Ok(self)
    }

    /// Returns the width in cells.
    pub fn width(self) -> i32 {
        self.x2 - self.x1 + 1
    }

    /// Returns the height in cells.
    pub fn height(self) -> i32 {
        self.y2 - self.y1 + 1
    }

    /// Returns whether the area contains a cell.
    #[inline]
    pub fn contains(self, p: Point) -> bool {
        (self.x1..=self.x2).contains(&p.x) && (self.y1..=self.y2).contains(&p.y)
    }

    /// Returns the cells, row by row from the top.
    #[inline]
    pub fn points(self) -> Points {
        Points::between(Point::new(self.x1, self.y1), Point::new(self.x2, self.y2))
    }

    /// Returns the glyphs of the area's cells, row by row; `None` outside the grid.
    pub(crate) fn glyphs(self, grid: &Grid) -> Vec<Option<u8>> {
        let (width, height) = (self.width().max(0) as usize, self.height().max(0) as usize);
        let mut glyphs = vec![None; width * height];
        let left = self.x1.max(0);
        let shown = (left - self.x1) as usize
            ..(self.x2.min(grid.width() - 1) - self.x1 + 1).max(0) as usize;
        if !shown.is_empty() {
            for (row, y) in glyphs.chunks_mut(width).zip(self.y1..) {
                let Some(cells) = grid.row(y) else { continue };
                row[shown.clone()].fill(Some(b' '));
                let cells = cells.get(left as usize..).unwrap_or_default();
                for (glyph, &cell) in row[shown.clone()].iter_mut().zip(cells) {
                    *glyph = Some(cell);
                }
            }
        }
        glyphs
    }

    /// Returns the cells with a glyph of the set, row by row from the top; all cells if there is no
    /// set.
    pub(crate) fn cells_on(self, grid: &Grid, on: Option<&GlyphSet>) -> Vec<Point> {
        let is_on = |glyph: u8| on.is_none_or(|on| on.contains(glyph));
        let shown = Area {
            x1: self.x1.max(0),
            y1: self.y1.max(0),
            x2: self.x2.min(grid.width() - 1),
            y2: self.y2.min(grid.height() - 1),
        };
        let (width, height) = (shown.width().max(0) as usize, shown.height().max(0) as usize);
        let mut cells = Vec::with_capacity(width * height);
        for y in shown.y1..=shown.y2 {
            let row = grid.row(y).and_then(|row| row.get(shown.x1 as usize..)).unwrap_or_default();
            let row = &row[..row.len().min(width)];
            let mut x = shown.x1;
            // The same glyphs are mostly adjacent.
            for same in row.chunk_by(|a, b| a == b) {
                let end = x + same.len() as i32;
                if is_on(same[0]) {
                    cells.extend((x..end).map(|x| Point::new(x, y)));
                }
                x = end;
            }
            // Cells beyond the end of a ragged row are blank.
            if is_on(b' ') {
                cells.extend((shown.x1..=shown.x2).skip(row.len()).map(|x| Point::new(x, y)));
            }
        }
        cells
    }
}

/// Checks that a coordinate is on the grid.
pub fn check_coordinate(axis: &str, value: i32, size: i32) -> Result<(), SpecError> {
    if (0..size).contains(&value) {
        return Ok(());
    }
    Err(painter_error(format!("Invalid {axis} coordinate: {value}")))
}

pub(crate) fn painter_error(message: impl Into<String>) -> SpecError {
    SpecError::whole(ErrorCode::BadPainter, message)
}

#[inline]
pub(crate) fn is_in(set: &GlyphSet, glyph: Option<u8>) -> bool {
    glyph.is_some_and(|glyph| set.contains(glyph))
}

#[cfg(test)]
mod tests {
    //! The vectors of spec 02 §20.3.
    use super::*;
    use crate::TRAVERSABLE;
    use vaultwright_rng::Streams;

    fn filled(w: i32, h: i32, glyph: u8) -> Grid {
        let mut grid = Grid::default();
        grid.extend(w, h, glyph);
        grid
    }

    fn noisy(w: i32, h: i32) -> Grid {
        let mut grid = filled(w, h, b'x');
        for p in grid.points() {
            let open = (7 * p.x + 13 * p.y + 3 * p.x * p.y) % 11 < 4;
            if p.x > 0 && p.y > 0 && open {
                grid.set(p, b'.');
            }
        }
        grid
    }

    fn rooms() -> Grid {
        let mut grid = filled(40, 25, b'.');
        for p in grid.points() {
            if p.x % 8 == 0 || p.y % 6 == 0 {
                grid.set(p, b'x');
            }
        }
        grid
    }

    fn crc(grid: &Grid) -> u32 {
        let mut crc = !0u32;
        for byte in grid.rows().collect::<Vec<_>>().join(&b'\n') {
            crc ^= u32::from(byte);
            for _ in 0..8 {
                crc = if crc & 1 == 1 { crc >> 1 ^ 0xedb8_8320 } else { crc >> 1 };
            }
        }
        !crc
    }

    /// Returns the next number and the checksum after a call.
    fn after(seed: u64, mut grid: Grid, call: impl FnOnce(&mut Grid, &mut Streams)) -> (i32, u32) {
        let mut rng = Streams::from_seed(seed, 43);
        call(&mut grid, &mut rng);
        (rng.random2(1_000_000), crc(&grid))
    }

    #[test]
    fn glyphs_of_an_area_are_those_of_its_cells() {
        let mut ragged = Grid::from_rows(["abc", "d", "efgh"]);
        ragged.push_row(b"");
        let corners = || (-2..6).flat_map(|y| (-2..6).map(move |x| Point::new(x, y)));
        for (from, to) in corners().flat_map(|from| corners().map(move |to| (from, to))) {
            let area = Area::new(from.x, from.y, to.x, to.y);
            let expected: Vec<Option<u8>> = area.points().map(|p| ragged.get(p)).collect();
            assert_eq!(area.glyphs(&ragged), expected, "{area:?}");
            let on = GlyphSet::new(b"bg ");
            let suits = |p: &Point| ragged.get(*p).is_some_and(|glyph| on.contains(glyph));
            let expected: Vec<Point> = area.points().filter(suits).collect();
            assert_eq!(area.cells_on(&ragged, Some(&on)), expected, "{area:?}");
        }
    }

    #[test]
    fn spotty_and_smear() {
        let plain = Spotty { replace: b"x", fill: b'.', boxy: true, iterations: None };
        let got = after(11, filled(30, 20, b'x'), |g, r| spotty_map(g, Area::of(g), &plain, r));
        assert_eq!(got, (21704, 0x793a_b2ea));
        let small = |g: &mut _, r: &mut _| spotty_map(g, Area::new(1, 1, 6, 5), &plain, r);
        let mut drawn = Streams::from_seed(1, 43);
        small(&mut filled(30, 20, b'x'), &mut drawn);
        // As 0.28 shows, the number is drawn even if the area has no room.
        assert_eq!(drawn.draws().map(|(_, count)| count).sum::<u64>(), 1);
        let crosses = Spotty { replace: b"x", fill: b'w', boxy: false, iterations: Some(60) };
        let got = after(12, noisy(30, 20), |g, r| {
            spotty_map(g, Area::new(2, 1, 27, 18), &crosses, r);
        });
        assert_eq!(got, (624_879, 0x9bd2_8ca2));
        let smear = Smear { iterations: 80, smear: b'x', onto: b".", boxy: false };
        let got = after(13, noisy(20, 30), |g, r| {
            smear_map(g, Area::new(1, 1, 18, 18), &smear, r).unwrap();
        });
        assert_eq!(got, (413_582, 0xf9b3_9d9e));
    }

    #[test]
    fn joining() {
        let mut dots = JoinDots {
            from: Point::new(3, 4),
            to: Point::new(36, 15),
            passable: TRAVERSABLE,
            fill: b'.',
            force_straight: false,
            allow_diagonals: false,
            thickness: 1,
        };
        let run = |seed, dots: &JoinDots| {
            after(seed, filled(40, 20, b'x'), |g, r| join_the_dots(g, dots, &|_| false, r).unwrap())
        };
        assert_eq!(run(15, &dots), (889_179, 0x9058_b78d));
        (dots.from, dots.to) = (Point::new(36, 4), Point::new(3, 15));
        (dots.allow_diagonals, dots.thickness, dots.fill) = (true, 3, b'w');
        assert_eq!(run(16, &dots), (490_378, 0x871a_e0d7));
        (dots.force_straight, dots.thickness, dots.fill) = (true, 2, b'.');
        assert_eq!(run(17, &dots), (89_620, 0xe0e2_fa29));
    }

    #[test]
    fn boxes() {
        let got = after(18, filled(30, 20, b'.'), |g, r| {
            let area = Area::new(4, 4, 20, 14);
            make_box(g, area, b'.', b'x', 2).unwrap();
            let doors = BoxDoors {
                number: 5,
                thickness: 2,
                door: b'+',
                inner_door: b'W',
                between_doors: b'w',
                veto_gates: true,
                passable: TRAVERSABLE,
            };
            assert_eq!(make_box_doors(g, area, &doors, r), Ok(5));
        });
        assert_eq!(got, (974_534, 0x53d9_5e1e));
        let round = RoundBox {
            floor: b'.',
            wall: b'x',
            door: b'+',
            door_count: 3,
            passable: TRAVERSABLE,
            veto_gates: true,
            veto_if_no_doors: false,
        };
        let got = after(19, filled(30, 20, b'.'), |g, r| {
            assert_eq!(make_round_box(g, Area::new(4, 3, 20, 14), &round, r), Ok(true));
        });
        assert_eq!(got, (944_684, 0xa494_c1ff));
        let got = after(36, filled(30, 20, b'.'), |g, _| {
            octa_room(g, Area::new(2, 2, 25, 17), 5, b'x', b'.', b"");
        });
        assert_eq!(got, (91124, 0xc435_f196));
    }

    #[test]
    fn irregular_boxes() {
        let mut options = IrregularBox {
            floor: b'.',
            wall: b'x',
            door: b'+',
            door_count: 4,
            div_x: 3,
            div_y: 2,
            in_x: 6,
            in_y: 5,
        };
        for (seed, next, sum) in [
            (20, 41118, 0x4ac6_cfb9),
            (21, 515_105, 0x56cd_8594),
            (22, 195_111, 0x7b74_f15c),
            (23, 18092, 0x750a_5e95),
        ] {
            let got = after(seed, filled(40, 25, b'.'), |g, r| {
                make_irregular_box(g, Area::new(3, 3, 30, 20), &options, r);
            });
            assert_eq!(got, (next, sum), "seed {seed}");
        }
        (options.div_x, options.div_y, options.in_x, options.in_y) = (1, 1, 10000, 10000);
        options.door_count = 3;
        let got = after(24, filled(40, 25, b'.'), |g, r| {
            make_irregular_box(g, Area::new(3, 3, 30, 6), &options, r);
        });
        assert_eq!(got, (738_634, 0x9fa5_b794));
    }

    #[test]
    fn delving() {
        let got = after(25, filled(40, 25, b'x'), |g, r| delve(g, &Delve::default(), r));
        assert_eq!(got, (523_505, 0x54c4_255b));
        let wide = Delve { ngb_min: 1, ngb_max: 5, connchance: 20, cellnum: 200, top: 4 };
        let got = after(26, filled(40, 25, b'x'), |g, r| delve(g, &wide, r));
        assert_eq!(got, (770_313, 0xf0f9_13d2));
        let tight = Delve { ngb_min: 2, ngb_max: 2, ..Delve::default() };
        let got = after(27, noisy(40, 25), |g, r| delve(g, &tight, r));
        assert_eq!(got, (578_145, 0x4862_046b));
    }

    #[test]
    fn pools() {
        let mut house = filled(40, 25, b'.');
        for p in house.points() {
            let outline = p.x == 0 || p.y == 0 || p.x == 39 || p.y == 24;
            if outline || (p.x == 20 && p.y < 12) {
                house.set(p, b'x');
            }
        }
        let options = Pools {
            replace: b".",
            border: b'.',
            pool_size: 60,
            seed_separation: 2,
            contents: vec![(b'w', 2), (b'l', 1)],
        };
        let got = after(28, house, |g, r| add_pools(g, Area::of(g), &options, r));
        assert_eq!(got, (544_890, 0x7891_f7c4));
        let options = Pools {
            replace: b".",
            border: b',',
            pool_size: 30,
            seed_separation: 4,
            contents: vec![(b'w', 20), (b'l', 10), (b'W', 5)],
        };
        let got = after(29, noisy(40, 25), |g, r| add_pools(g, Area::of(g), &options, r));
        assert_eq!(got, (831_865, 0xdc2d_3b45));
    }

    /// 0.28 was asked.
    #[test]
    fn rooms_are_connected_between_corners_that_have_changed_sides() {
        let words = |area: Area, count: i32| {
            let mut rng = Streams::from_seed(1, 46);
            let options = ConnectRooms {
                wall: b"x",
                floor: b".",
                replace: b'+',
                max: count,
                min: count,
                check_distance: 9999,
            };
            let mut grid = filled(6, 6, b'.');
            connect_adjacent_rooms(&mut grid, area, &options, &mut rng).unwrap();
            rng.draws_of(0)
        };
        let on_border = Area::new(5, 1, 5, 4);
        assert_eq!([0, 1, 2, 3, 9].map(|count| words(on_border, count)), [1, 2, 3, 4, 7]);
        assert_eq!(words(Area::new(5, 1, 5, 1), 2), 1);
        assert_eq!(words(Area::new(2, 2, 2, 2), 2), 0);
    }

    #[test]
    fn replacing() {
        let got = after(30, noisy(40, 25), |g, r| {
            let (area, centre) = (Area::of(g), Point::new(10, 10));
            replace_closest(g, area, centre, b'.', b'Z', Absence::Fine, r).unwrap();
            replace_closest(g, area, centre, b'.', b'Y', Absence::Fine, r).unwrap();
            replace_random(g, area, b'x', b'Q', Absence::Fine, r).unwrap();
        });
        assert_eq!(got, (237_868, 0x37a5_5ef9));
        let rooms_options = ConnectRooms {
            wall: b"xcvbmn",
            floor: b".",
            replace: b'+',
            max: 200,
            min: 100,
            check_distance: 9999,
        };
        let got = after(31, rooms(), |g, r| {
            connect_adjacent_rooms(g, Area::of(g), &rooms_options, r).unwrap();
        });
        assert_eq!(got, (81966, 0xa96e_225a));
        let got = after(32, noisy(40, 25), |g, r| {
            let options = IsolatedGlyphs { find: b".", replace: b'o', percent: 60, boxy: false };
            remove_isolated_glyphs(g, Area::of(g), &options, r);
        });
        assert_eq!(got, (796_962, 0xe32a_2178));
        let got = after(33, noisy(40, 25), |g, r| {
            let options = IsolatedGlyphs { find: b"x", replace: b'o', percent: 60, boxy: true };
            remove_isolated_glyphs(g, Area::of(g), &options, r);
        });
        assert_eq!(got, (979_734, 0x504d_efbb));
        for (seed, percent, boxy, expected) in
            [(34, 40, false, (233_711, 0xb1b3_852c)), (35, 30, true, (723_204, 0x07c0_95f3))]
        {
            let widen =
                WidenPaths { find: b"x", replace: b'w', passable: TRAVERSABLE, percent, boxy };
            let got = after(seed, noisy(40, 25), |g, r| widen_paths(g, Area::of(g), &widen, r));
            assert_eq!(got, expected);
        }
    }

    #[test]
    fn doors_and_windows() {
        let mut doors = rooms();
        for p in doors.points() {
            if doors.get(p) == Some(b'x') && (p.x + p.y) % 7 == 0 {
                doors.set(p, b'+');
            }
        }
        doors.set(Point::new(5, 8), b'A');
        let got = after(36, doors, |g, _| {
            remove_disconnected_doors(g, Area::of(g), b"+", TRAVERSABLE, b'!');
        });
        assert_eq!(got, (91124, 0x310e_2e2e));
        let got = after(36, noisy(40, 25), |g, _| {
            add_windows(g, Area::of(g), b"xcvbmn", TRAVERSABLE, b'M');
        });
        assert_eq!(got, (91124, 0xf913_6527));
    }
}
