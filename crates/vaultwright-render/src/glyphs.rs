//! Letters and symbols drawn in strokes, at any size.

use std::collections::HashMap;
use std::sync::OnceLock;

/// Each line contains a glyph and its strokes. Columns are 0 to 8; rows are 0 (the top of
/// capitals), 4 (the top of small letters), a (the baseline) to c.
const STROKES: &str = include_str!("strokes.txt");

/// The grid of the strokes, with room around.
const GRID: (f32, f32) = (8.0, 12.0);

type Point = (f32, f32);

/// Returns the coverage of each pixel of a square by a glyph, 0 to 255, row by row.
pub(crate) fn coverage(glyph: char, side: usize) -> Vec<u8> {
    let Some(strokes) = strokes().get(&glyph) else { return box_of(side) };
    let scale = side as f32 / 16.0;
    let width = 0.95 * scale;
    let to = |(x, y): Point| {
        let (left, top) = ((16.0 - GRID.0 * 1.12) / 2.0, (16.0 - 11.6) / 2.0);
        ((left + x * 1.12) * scale, (top + y * 1.12 - 0.0) * scale)
    };
    let segments: Vec<(Point, Point)> = strokes
        .iter()
        .flat_map(|stroke| {
            let single = (stroke.len() == 1).then(|| (to(stroke[0]), to(stroke[0])));
            stroke.windows(2).map(|ends| (to(ends[0]), to(ends[1]))).chain(single)
        })
        .collect();
    let cells = (0..side * side).map(|index| {
        let p = ((index % side) as f32 + 0.5, (index / side) as f32 + 0.5);
        let near = segments.iter().map(|&(a, b)| distance(p, a, b) - dot(a, b, scale));
        let near = near.fold(f32::MAX, f32::min);
        ((width + 0.5 - near).clamp(0.0, 1.0) * 255.0) as u8
    });
    cells.collect()
}

#[cfg(test)]
fn is_drawn(glyph: char) -> bool {
    strokes().contains_key(&glyph)
}

/// Returns how much thicker than a line a dot is.
fn dot(a: Point, b: Point, scale: f32) -> f32 {
    if a == b { 0.45 * scale } else { 0.0 }
}

/// Returns the distance of a point from the line between two others.
fn distance(p: Point, a: Point, b: Point) -> f32 {
    let (dx, dy) = (b.0 - a.0, b.1 - a.1);
    let length = dx * dx + dy * dy;
    let t = match length > 0.0 {
        true => (((p.0 - a.0) * dx + (p.1 - a.1) * dy) / length).clamp(0.0, 1.0),
        false => 0.0,
    };
    let (x, y) = (a.0 + t * dx - p.0, a.1 + t * dy - p.1);
    (x * x + y * y).sqrt()
}

/// Returns the symbol for a glyph without strokes.
fn box_of(side: usize) -> Vec<u8> {
    let (low, high) = (side / 4, side - side / 4 - 1);
    let inside = |v: usize| (low..=high).contains(&v);
    let edge = |v: usize| v == low || v == high;
    let cells = (0..side * side).map(|index| (index % side, index / side));
    cells
        .map(|(x, y)| if inside(x) && inside(y) && (edge(x) || edge(y)) { 255 } else { 0 })
        .collect()
}

fn strokes() -> &'static HashMap<char, Vec<Vec<Point>>> {
    static PARSED: OnceLock<HashMap<char, Vec<Vec<Point>>>> = OnceLock::new();
    PARSED.get_or_init(|| STROKES.lines().filter_map(parse).collect())
}

fn parse(line: &str) -> Option<(char, Vec<Vec<Point>>)> {
    let glyph = line.chars().next()?;
    let strokes = line[glyph.len_utf8()..].split_whitespace().map(|stroke| {
        let digits: Vec<f32> =
            stroke.chars().filter_map(|c| c.to_digit(16)).map(|digit| digit as f32).collect();
        digits.chunks_exact(2).map(|pair| (pair[0], pair[1])).collect()
    });
    Some((glyph, strokes.collect()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_letter_is_drawn_and_no_two_alike() {
        let mut seen = HashMap::new();
        for glyph in ('!'..='~').chain("≈∩†‡©⌠÷ßΘΔΣλψω".chars()) {
            assert!(is_drawn(glyph), "{glyph}");
            if let Some(other) = seen.insert(coverage(glyph, 16), glyph) {
                panic!("{glyph} looks like {other}");
            }
        }
    }

    #[test]
    fn strokes_are_pairs_on_the_grid() {
        for line in STROKES.lines() {
            let (glyph, strokes) = parse(line).expect("a glyph");
            let digits = line[glyph.len_utf8()..].split_whitespace();
            assert!(digits.clone().all(|stroke| stroke.len() % 2 == 0), "{line}");
            let inside = |&(x, y): &Point| x <= GRID.0 && y <= GRID.1;
            assert!(strokes.iter().flatten().all(inside), "{line}");
        }
    }
}
