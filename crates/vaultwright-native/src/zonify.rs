//! Filling all zones except the largest (spec 06 §15.10).
//!
//! A zone is an 8-connected set of cells of one kind. Zones are found in a fixed order, since the
//! first of two zones of the same size is kept.

/// The cells `left..=right` by `top..=bottom`, none of them negative.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Area {
    /// The first column.
    pub left: usize,
    /// The first row.
    pub top: usize,
    /// The last column, at least `left`.
    pub right: usize,
    /// The last row, at least `top`.
    pub bottom: usize,
}

/// The order in which a walk visits the cells around it.
const AROUND: [(isize, isize); 8] =
    [(0, -1), (-1, 0), (0, 1), (1, 0), (-1, -1), (-1, 1), (1, 1), (1, -1)];

/// Returns the cells to fill, as (x, y), zone by zone: those of all zones of kind `group`, except
/// for the `keep` largest with more than `min_size` cells. Returns `None` if no zone is to be kept.
/// `kind` is called once for each cell.
///
/// # Panics
///
/// If the area's last column or row is before its first.
pub fn fill_smallest_zones<Kind: PartialEq + Copy>(
    area: Area,
    group: Kind,
    keep: usize,
    min_size: f64,
    mut kind: impl FnMut(usize, usize) -> Kind,
) -> Vec<(usize, usize)> {
    if keep == 0 {
        return Vec::new();
    }
    let width = area.right - area.left + 1;
    let height = area.bottom - area.top + 1;
    // The area is surrounded by a ring that counts as seen, so that no step leaves the table.
    let stride = width + 2;
    let first = kind(area.left, area.top);
    let mut kinds = vec![first; stride * (height + 2)];
    let mut seen = vec![true; kinds.len()];
    for y in 0..height {
        for x in 0..width {
            let cell = (y + 1) * stride + x + 1;
            seen[cell] = false;
            if (x, y) != (0, 0) {
                kinds[cell] = kind(area.left + x, area.top + y);
            }
        }
    }
    let zones = zones(stride, &kinds, seen);
    let mut largest: Vec<usize> = (0..zones.len())
        .filter(|&zone| kinds[zones[zone][0]] == group && zones[zone].len() as f64 > min_size)
        .collect();
    // A stable sort: of equal zones, the first one found comes first.
    largest.sort_by_key(|&zone| std::cmp::Reverse(zones[zone].len()));
    let kept = &largest[..keep.min(largest.len())];
    let filled = zones
        .iter()
        .enumerate()
        .filter(|(zone, cells)| kinds[cells[0]] == group && !kept.contains(zone));
    let cells = filled.flat_map(|(_, cells)| cells);
    cells.map(|cell| (area.left + cell % stride - 1, area.top + cell / stride - 1)).collect()
}

/// Returns the zones in the order in which they are found, each with its cells in the order
/// visited. The search starts at the first cell. When a zone is complete, the cells at its border
/// start further zones, each followed by all that start from its own border. Cells already `seen`
/// belong to no zone.
fn zones<Kind: PartialEq>(stride: usize, kinds: &[Kind], seen: Vec<bool>) -> Vec<Vec<usize>> {
    let mut seen = seen;
    let mut zones = Vec::new();
    // The cells that may start a zone; those at the end come first.
    let mut starts = vec![stride + 1];
    let mut path = Vec::new();
    while let Some(start) = starts.pop() {
        if seen[start] {
            continue;
        }
        let (cells, mut border) = walk(stride, kinds, start, &mut seen, &mut path);
        zones.push(cells);
        border.reverse();
        starts.append(&mut border);
    }
    zones
}

/// Walks through the zone of a cell. Returns its cells and those that border on it, in the order in
/// which they are met. `path` is used for the way back to the start: each cell with its next step.
fn walk<Kind: PartialEq>(
    stride: usize,
    kinds: &[Kind],
    start: usize,
    seen: &mut [bool],
    path: &mut Vec<(usize, usize)>,
) -> (Vec<usize>, Vec<usize>) {
    let steps = AROUND.map(|(dx, dy)| dy * stride as isize + dx);
    let (mut cells, mut border) = (vec![start], Vec::new());
    path.push((start, 0));
    seen[start] = true;
    while let Some((cell, turn)) = path.last_mut() {
        let Some(&step) = steps.get(*turn) else {
            path.pop();
            continue;
        };
        *turn += 1;
        let beside = cell.wrapping_add_signed(step);
        if seen[beside] {
            continue;
        }
        if kinds[beside] == kinds[start] {
            seen[beside] = true;
            cells.push(beside);
            path.push((beside, 0));
        } else {
            border.push(beside);
        }
    }
    (cells, border)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Fills the smaller zones of dots in a drawing with `x`.
    fn filled(rows: &[&str], keep: usize, min_size: f64) -> Vec<String> {
        let mut grid: Vec<Vec<u8>> = rows.iter().map(|row| row.bytes().collect()).collect();
        let area = Area { left: 0, top: 0, right: grid[0].len() - 1, bottom: grid.len() - 1 };
        let cells =
            fill_smallest_zones(area, true, keep, min_size, |x, y| rows[y].as_bytes()[x] == b'.');
        for (x, y) in cells {
            grid[y][x] = b'x';
        }
        grid.iter().map(|row| String::from_utf8_lossy(row).into_owned()).collect()
    }

    #[test]
    fn only_the_largest_zone_stays() {
        let rows = ["..#..", "..#..", "###..", "....#", "#####", "....."];
        assert_eq!(filled(&rows, 1, 1.0), ["xx#..", "xx#..", "###..", "....#", "#####", "xxxxx"]);
    }

    #[test]
    fn zones_touch_at_corners() {
        assert_eq!(filled(&[".#", "#."], 1, 1.0), [".#", "#."]);
    }

    #[test]
    fn of_equal_zones_the_first_found_stays() {
        assert_eq!(filled(&["..#.."], 1, 1.0), ["..#xx"]);
        assert_eq!(filled(&["..#.."], 2, 1.0), ["..#.."]);
    }

    #[test]
    fn what_borders_on_a_zone_is_found_before_what_borders_on_the_zone_before() {
        // If the borders were processed in the order in which they are met, the cell at the lower
        // left would come before the one at the upper right.
        let rows = ["#...#.", ".#.###", ".#.##.", "##.#..", ".#...#"];
        let kept_two = ["#...#.", ".#.###", ".#.##.", "##.#..", "x#...#"];
        assert_eq!(filled(&rows, 2, 0.0), kept_two);
    }

    #[test]
    fn a_zone_that_is_not_larger_than_the_minimum_goes_even_if_nothing_stays() {
        assert_eq!(filled(&["..#."], 1, 2.0), ["xx#x"]);
    }

    #[test]
    fn nothing_is_filled_where_no_zone_is_to_be_kept() {
        assert_eq!(filled(&["..#."], 0, 1.0), ["..#."]);
    }

    #[test]
    fn cells_that_are_cut_off_by_the_edge_do_not_meet_around_it() {
        assert_eq!(filled(&[".#.", ".#."], 1, 1.0), [".#x", ".#x"]);
    }
}
