//! Checks of the neighbours of cells, for all cells of a table at once.

/// Returns for each cell whether it or any of its neighbours is set, in rows of this width. The
/// result is unspecified in the outermost ring.
#[must_use]
pub fn beside_any(cells: &[bool], width: usize) -> Vec<bool> {
    let mut beside = vec![false; cells.len()];
    let mut columns = vec![false; width];
    let rows = cells.chunks_exact(width.max(1));
    let threes = rows.clone().zip(rows.clone().skip(1)).zip(rows.skip(2));
    for (((above, here), below), beside) in
        threes.zip(beside.chunks_exact_mut(width.max(1)).skip(1))
    {
        for (any, ((above, here), below)) in
            columns.iter_mut().zip(above.iter().zip(here).zip(below))
        {
            *any = above | here | below;
        }
        let behind = |by: usize| columns.get(by..).unwrap_or_default();
        let sides = columns.iter().zip(behind(1)).zip(behind(2));
        for (beside, ((left, here), right)) in beside[1..].iter_mut().zip(sides) {
            *beside = left | here | right;
        }
    }
    beside
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::{ADJACENT, Point};

    #[test]
    fn a_cell_is_beside_what_is_around_it() {
        let (width, height) = (9, 6);
        let at = |p: Point| (p.y * width + p.x) as usize;
        let cells: Vec<bool> = (0..width * height).map(|cell| cell * cell % 17 == 4).collect();
        let beside = beside_any(&cells, width as usize);
        for (x, y) in (1..height - 1).flat_map(|y| (1..width - 1).map(move |x| (x, y))) {
            let p = Point::new(x, y);
            let expected = cells[at(p)] || ADJACENT.iter().any(|&step| cells[at(p.offset(step))]);
            assert_eq!(beside[at(p)], expected, "{p:?}");
        }
    }
}
