//! The cells of a rectangle, in order.

use std::iter::FusedIterator;

use crate::grid::Point;

/// An iterator over the cells of a rectangle, row by row from the top, left to right.
#[derive(Clone, Debug)]
pub struct Points {
    /// The next cell from the front.
    front: Point,
    /// The next cell from the back.
    back: Point,
    /// The first and the last column.
    columns: (i32, i32),
    /// The number of remaining cells.
    left: usize,
}

impl Points {
    /// Returns the cells between two corners, inclusive; none if the second corner is left of or
    /// above the first.
    #[inline]
    pub fn between(first: Point, last: Point) -> Points {
        let side = |from: i32, to: i32| (i64::from(to) - i64::from(from) + 1).max(0) as usize;
        let left = side(first.x, last.x).saturating_mul(side(first.y, last.y));
        Points { front: first, back: last, columns: (first.x, last.x), left }
    }
}

impl Iterator for Points {
    type Item = Point;

    #[inline]
    fn next(&mut self) -> Option<Point> {
        self.left = self.left.checked_sub(1)?;
        let here = self.front;
        self.front = match here.x < self.columns.1 {
            true => here.offset((1, 0)),
            false => Point::new(self.columns.0, here.y.wrapping_add(1)),
        };
        Some(here)
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

impl DoubleEndedIterator for Points {
    #[inline]
    fn next_back(&mut self) -> Option<Point> {
        self.left = self.left.checked_sub(1)?;
        let here = self.back;
        self.back = match here.x > self.columns.0 {
            true => here.offset((-1, 0)),
            false => Point::new(self.columns.1, here.y.wrapping_sub(1)),
        };
        Some(here)
    }
}

impl ExactSizeIterator for Points {}
impl FusedIterator for Points {}

#[cfg(test)]
mod tests {
    use super::*;

    fn cells(points: impl Iterator<Item = Point>) -> Vec<(i32, i32)> {
        points.map(|p| (p.x, p.y)).collect()
    }

    #[test]
    fn cells_come_row_by_row_and_backwards() {
        let points = Points::between(Point::new(-1, 2), Point::new(1, 3));
        let expected = [(-1, 2), (0, 2), (1, 2), (-1, 3), (0, 3), (1, 3)];
        assert_eq!(points.len(), 6);
        assert_eq!(cells(points.clone()), expected);
        let mut backwards = expected;
        backwards.reverse();
        assert_eq!(cells(points.clone().rev()), backwards);
        let mut both = points;
        assert_eq!(
            (both.next(), both.next_back()),
            (Some(Point::new(-1, 2)), Some(Point::new(1, 3)))
        );
        assert_eq!(cells(both), expected[1..5]);
    }

    #[test]
    fn what_has_no_cells_gives_none() {
        for last in [(4, 9), (9, 4), (i32::MIN, i32::MIN)] {
            assert_eq!(Points::between(Point::new(5, 5), Point::new(last.0, last.1)).next(), None);
        }
        let corner = Point::new(i32::MAX, i32::MAX);
        assert_eq!(Points::between(corner, corner).count(), 1);
    }
}
