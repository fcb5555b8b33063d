//! Distances between cells: shores, margins, the deep middle of a lake.

use crate::grid::{ADJACENT, GlyphSet, Grid, ORTHOGONAL, Point};
use crate::neighbours::beside_any;
use crate::paint::Area;

/// Ground chosen by distance.
#[derive(Clone, Debug)]
pub struct DistanceBands {
    /// The glyphs of the cells from which distances are counted.
    pub from: GlyphSet,
    /// The glyphs that can be passed; `None` for all.
    pub through: Option<GlyphSet>,
    /// Whether steps go along rows and columns only.
    pub orthogonal: bool,
    /// The glyphs of cells to paint; `None` for all.
    pub on: Option<GlyphSet>,
    /// From near to far.
    pub bands: Vec<DistanceBand>,
}

/// Ground up to a certain distance.
#[derive(Clone, Copy, Debug)]
pub struct DistanceBand {
    /// The glyph to paint with.
    pub glyph: u8,
    /// The maximum distance in the band, in steps.
    pub up_to: i32,
}

/// Returns the number of steps to each cell of the area, row by row; `None` if it cannot be
/// reached. Cells with a glyph of `from` have 0, anywhere in the area. Each of `steps` leads to one
/// of the eight cells around. Makes no draws.
pub fn distance_field(
    grid: &Grid,
    area: Area,
    from: &GlyphSet,
    through: Option<&GlyphSet>,
    steps: &[(i32, i32)],
) -> Vec<Option<i32>> {
    field_within(grid, area, from, through, steps, i32::MAX)
}

/// The same, up to a maximum number of steps; cells beyond have no distance.
fn field_within(
    grid: &Grid,
    area: Area,
    from: &GlyphSet,
    through: Option<&GlyphSet>,
    steps: &[(i32, i32)],
    most: i32,
) -> Vec<Option<i32>> {
    const CLOSED: i32 = -2;
    const UNSEEN: i32 = -1;
    // With a ring of closed cells around the area, no step leaves the table.
    let stride = area.width().max(0) as usize + 2;
    let mut field = vec![CLOSED; stride * (area.height().max(0) as usize + 2)];
    let mut reached = Vec::with_capacity(field.len());
    let first: [i32; 256] = std::array::from_fn(|glyph| {
        let is_in = |set: &GlyphSet| set.contains(glyph as u8);
        match (is_in(from), through.is_none_or(is_in)) {
            (true, _) => 0,
            (_, true) => UNSEEN,
            _ => CLOSED,
        }
    });
    let glyphs = area.glyphs(grid);
    let rows = glyphs.chunks(area.width().max(1) as usize);
    for (row, glyphs) in field.chunks_mut(stride).skip(1).zip(rows) {
        for (far, glyph) in row[1..].iter_mut().zip(glyphs) {
            *far = glyph.map_or(CLOSED, |glyph| first[usize::from(glyph)]);
        }
    }
    // In a large ground, most cells are surrounded by it and lead to nothing new.
    let unseen: Vec<bool> = field.iter().map(|&far| far == UNSEEN).collect();
    let leads_on = beside_any(&unseen, stride);
    for ((at, &far), leads_on) in field.iter().enumerate().zip(leads_on) {
        if leads_on && far == 0 {
            reached.push(at);
        }
    }
    let steps: Vec<isize> =
        steps.iter().map(|&(dx, dy)| dy as isize * stride as isize + dx as isize).collect();
    let mut next = 0;
    while let Some(&at) = reached.get(next) {
        next += 1;
        let far = field[at] + 1;
        if far > most {
            break;
        }
        for &step in &steps {
            let beside = at.wrapping_add_signed(step);
            if let Some(unseen) = field.get_mut(beside).filter(|far| **far == UNSEEN) {
                *unseen = far;
                reached.push(beside);
            }
        }
    }
    let mut cells = Vec::with_capacity(field.len());
    for row in field.chunks(stride).skip(1).take(area.height().max(0) as usize) {
        cells.extend(row[1..stride - 1].iter().map(|&far| (far >= 0).then_some(far)));
    }
    cells
}

/// Paints cells by their distance. Those of `from` and those beyond the last band keep their glyph.
/// Makes no draws.
pub fn paint_by_distance(grid: &mut Grid, area: Area, bands: &DistanceBands) {
    let steps = if bands.orthogonal { &ORTHOGONAL[..] } else { &ADJACENT[..] };
    let last = bands.bands.iter().map(|band| band.up_to).max().unwrap_or(0);
    let field = field_within(grid, area, &bands.from, bands.through.as_ref(), steps, last);
    for (row, y) in field.chunks(area.width().max(1) as usize).zip(area.y1..) {
        for (far, x) in row.iter().zip(area.x1..) {
            let (p, Some(far @ 1..)) = (Point::new(x, y), *far) else { continue };
            let wanted = || bands.on.is_none_or(|on| on.contains(grid.glyph(p)));
            let band = bands.bands.iter().find(|band| far <= band.up_to).filter(|_| wanted());
            if let Some(band) = band {
                grid.set(p, band.glyph);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::drawn::rows;
    use super::*;

    const LAKE: [&str; 5] = [".......x.", "..w....x.", ".......x.", "xxxxxxxx.", "........."];

    #[test]
    fn bands_lie_around_what_they_are_counted_from() {
        let mut grid = Grid::from_rows(LAKE);
        let area = Area::of(&grid);
        let bands = DistanceBands {
            from: GlyphSet::new(b"w"),
            through: Some(GlyphSet::new(b".w")),
            orthogonal: false,
            on: None,
            bands: vec![
                DistanceBand { glyph: b'W', up_to: 1 },
                DistanceBand { glyph: b'"', up_to: 3 },
            ],
        };
        paint_by_distance(&mut grid, area, &bands);
        let expected = ["\"WWW\"\".x.", "\"WwW\"\".x.", "\"WWW\"\".x.", LAKE[3], LAKE[4]];
        assert_eq!(rows(&grid), expected);
    }

    #[test]
    fn who_asks_for_fewer_steps_gets_the_same_so_far() {
        let grid = Grid::from_rows(LAKE);
        let (area, water) = (Area::of(&grid), GlyphSet::new(b"w"));
        let all = distance_field(&grid, area, &water, None, &ORTHOGONAL);
        for most in 0..9 {
            let within = field_within(&grid, area, &water, None, &ORTHOGONAL, most);
            let expected = all.iter().map(|far| far.filter(|&far| far <= most));
            assert!(within.into_iter().eq(expected), "{most}");
        }
    }

    #[test]
    fn what_cannot_be_reached_has_no_distance() {
        let grid = Grid::from_rows(LAKE);
        let area = Area::new(0, 0, 8, 3);
        let (water, floor) = (GlyphSet::new(b"w"), GlyphSet::new(b"."));
        let field = distance_field(&grid, area, &water, Some(&floor), &ORTHOGONAL);
        assert_eq!(
            field[..9],
            [Some(3), Some(2), Some(1), Some(2), Some(3), Some(4), Some(5), None, None]
        );
        let through_rock = distance_field(&grid, area, &water, None, &ADJACENT);
        assert_eq!(through_rock[8], Some(6));
        assert!(distance_field(&grid, area, &floor, None, &[]).contains(&Some(0)));
    }
}
