//! Painters of boxes, rooms and caves.

use super::{Area, is_in, painter_error};
use crate::SpecError;
use crate::grid::{ADJACENT, GlyphSet, Grid, Point};
use vaultwright_rng::Streams;

/// Draws a box with walls of a given thickness.
pub fn make_box(
    grid: &mut Grid,
    area: Area,
    floor: u8,
    wall: u8,
    thickness: i32,
) -> Result<(), SpecError> {
    if area.x2 >= grid.width() || area.y2 >= grid.height() || area.x1 < 0 || area.y1 < 0 {
        let (width, height) = (grid.width(), grid.height());
        let message = format!(
            "make_box arguments too large: ({}, {}) on map size ({width}, {height})",
            area.x2, area.y2
        );
        return Err(painter_error(message));
    }
    grid.fill(area, wall);
    if let Some(inner) = area.shrunk(thickness) {
        grid.fill(inner, floor);
    }
    Ok(())
}

/// Fills an octagonal room. Only cells whose glyph is in `replace` are changed; empty means all.
pub fn octa_room(
    grid: &mut Grid,
    area: Area,
    oblique: i32,
    outside: u8,
    inside: u8,
    replace: &[u8],
) {
    let suits = (!replace.is_empty()).then(|| GlyphSet::new(replace));
    let cut = |x: i32| (oblique + area.x1 - x).max(0) + (oblique + x - area.x2).max(0);
    let cuts: Vec<i32> = (area.x1..=area.x2).map(cut).collect();
    for y in area.y1..=area.y2 {
        let depth = (y - area.y1).min(area.y2 - y);
        if suits.is_none() {
            let row = Area { y1: y, y2: y, ..area };
            grid.fill(row, outside);
            // The cut decreases from both sides.
            let is_inside = |cut: &i32| *cut <= depth;
            let ends = cuts.iter().position(is_inside).zip(cuts.iter().rposition(is_inside));
            if let Some((left, right)) = ends {
                let (x1, x2) = (area.x1 + left as i32, area.x1 + right as i32);
                grid.fill(Area { x1, x2, ..row }, inside);
            }
            continue;
        }
        for (x, &cut) in (area.x1..).zip(&cuts) {
            let p = Point::new(x, y);
            if suits.is_none_or(|suits| is_in(&suits, grid.get(p))) {
                grid.set(p, if cut <= depth { inside } else { outside });
            }
        }
    }
}

/// Options of [`make_box_doors`].
pub struct BoxDoors<'a> {
    /// The number of doors.
    pub number: i32,
    /// The thickness of the wall.
    pub thickness: i32,
    /// The outer door.
    pub door: u8,
    /// The glyph of the innermost cell of the passage.
    pub inner_door: u8,
    /// The glyph in between.
    pub between_doors: u8,
    /// Whether doors may not be adjacent.
    pub veto_gates: bool,
    /// The glyphs that a door may lead to.
    pub passable: &'a [u8],
}

/// Makes doors in the walls of a box. Returns the number of doors made.
pub fn make_box_doors(
    grid: &mut Grid,
    area: Area,
    options: &BoxDoors,
    rng: &mut Streams,
) -> Result<i32, SpecError> {
    if area.x2 > grid.width() || area.y2 > grid.height() {
        return Err(painter_error("make_box_doors: the box is larger than the map"));
    }
    let thickness = options.thickness;
    let sx = area.width() - 2 * thickness;
    let sy = area.height() - 2 * thickness;
    let passable = GlyphSet::new(options.passable);
    let mut doors = 0;
    let mut rejected = 0;
    while doors < options.number {
        let roll = rng.random2(2 * sx + 2 * sy);
        let (at, inwards) = if roll < sx {
            (Point::new(area.x1 + thickness + roll, area.y1), (0, 1))
        } else if roll < 2 * sx {
            (Point::new(area.x1 + thickness + roll - sx, area.y2), (0, -1))
        } else if roll < 2 * sx + sy {
            (Point::new(area.x1, area.y1 + thickness + roll - 2 * sx), (1, 0))
        } else {
            (Point::new(area.x2, area.y1 + thickness + roll - 2 * sx - sy), (-1, 0))
        };
        let step = |n: i32| at.offset((inwards.0 * n, inwards.1 * n));
        let side = (inwards.1, inwards.0);
        // For the reference, the column to the right of the map is walkable.
        let is_beside = |p: Point| p.x == grid.width() && (0..grid.height()).contains(&p.y);
        let leads = |n| is_beside(step(n)) || is_in(&passable, grid.get(step(n)));
        let gate = [side, (-side.0, -side.1)]
            .iter()
            .any(|&d| grid.get(at.offset(d)) == Some(options.door));
        if !leads(-1) || !leads(thickness) || (options.veto_gates && gate) {
            rejected += 1;
            if rejected >= 100 * options.number {
                break;
            }
            continue;
        }
        for n in 1..thickness {
            let last = n == thickness - 1;
            grid.set(step(n), if last { options.inner_door } else { options.between_doors });
        }
        grid.set(at, options.door);
        doors += 1;
    }
    Ok(doors)
}

/// Options of [`make_round_box`].
pub struct RoundBox<'a> {
    /// The glyph of the inside.
    pub floor: u8,
    /// The glyph of the wall.
    pub wall: u8,
    /// The glyph of doors.
    pub door: u8,
    /// The number of doors.
    pub door_count: i32,
    /// The glyphs that a door may lead to.
    pub passable: &'a [u8],
    /// Whether doors may not be adjacent.
    pub veto_gates: bool,
    /// Whether to draw nothing if no door is possible.
    pub veto_if_no_doors: bool,
}

/// Draws a round room. Returns whether it was drawn.
pub fn make_round_box(
    grid: &mut Grid,
    area: Area,
    options: &RoundBox,
    rng: &mut Streams,
) -> Result<bool, SpecError> {
    area.checked(grid)?;
    let (sx, sy) = (area.width(), area.height());
    let (rx, ry) = ((sx - 1) as f32 / 2.0, (sy - 1) as f32 / 2.0);
    let on = |p: Point| p.x >= 0 && p.y >= 0 && p.x < sx && p.y < sy;
    let shape = |p: Point| {
        let (x, y) = ((p.x as f32 - rx) / (rx + 0.5), (p.y as f32 - ry) / (ry + 0.5));
        on(p) && x * x + y * y <= 1.0
    };
    let is_floor = |p: Point| {
        let edge = p.x == 0 || p.y == 0 || p.x == sx - 1 || p.y == sy - 1;
        shape(p) && !edge && ADJACENT.iter().all(|&d| shape(p.offset(d)))
    };
    let is_wall = |p: Point| shape(p) && !is_floor(p);
    let on_grid = |p: Point| p.offset((area.x1, area.y1));
    let passable = GlyphSet::new(options.passable);

    let by_column = (0..sx).flat_map(|x| (0..sy).map(move |y| Point::new(x, y)));
    let candidates: Vec<Point> = by_column
        .filter(|&p| is_wall(p))
        .filter(|&p| {
            let at = |d| p.offset(d);
            let along_x = is_wall(at((-1, 0))) && is_wall(at((1, 0)));
            let along_y = is_wall(at((0, -1))) && is_wall(at((0, 1)));
            let none_x = !is_wall(at((-1, 0))) && !is_wall(at((1, 0)));
            let none_y = !is_wall(at((0, -1))) && !is_wall(at((0, 1)));
            let others = if along_x && none_y {
                [(0, -1), (0, 1)]
            } else if along_y && none_x {
                [(-1, 0), (1, 0)]
            } else {
                return false;
            };
            others.iter().any(|&d| {
                let q = at(d);
                !shape(q) && is_in(&passable, grid.get(on_grid(q)))
            })
        })
        .collect();
    let doors = drawn_doors(candidates, options, rng);
    if doors.is_empty() && options.veto_if_no_doors {
        return Ok(false);
    }
    for p in area.points() {
        let local = Point::new(p.x - area.x1, p.y - area.y1);
        if is_wall(local) {
            grid.set(p, options.wall);
        } else if is_floor(local) {
            grid.set(p, options.floor);
        }
    }
    for door in doors {
        grid.set(on_grid(door), options.door);
    }
    Ok(true)
}

/// Draws the doors of a round room from the cells that can have one.
fn drawn_doors(mut candidates: Vec<Point>, options: &RoundBox, rng: &mut Streams) -> Vec<Point> {
    let mut doors: Vec<Point> = Vec::new();
    while (doors.len() as i32) < options.door_count && !candidates.is_empty() {
        let p = candidates.swap_remove(rng.random2(candidates.len() as i32) as usize);
        let next_to = |q: &Point| (p.x - q.x).abs() + (p.y - q.y).abs() == 1;
        if !options.veto_gates || !doors.iter().any(next_to) {
            doors.push(p);
        }
    }
    doors
}

/// Options of [`make_irregular_box`].
pub struct IrregularBox {
    /// The glyph of the inside.
    pub floor: u8,
    /// The glyph of the wall.
    pub wall: u8,
    /// The glyph of doors.
    pub door: u8,
    /// The number of doors.
    pub door_count: i32,
    /// The number of divisions of the horizontal sides.
    pub div_x: i32,
    /// The number of divisions of the vertical sides.
    pub div_y: i32,
    /// The deepest inset of the vertical sides.
    pub in_x: i32,
    /// The deepest inset of the horizontal sides.
    pub in_y: i32,
}

/// Draws a box with irregular sides.
pub fn make_irregular_box(grid: &mut Grid, area: Area, options: &IrregularBox, rng: &mut Streams) {
    let area = Area {
        x1: area.x1.max(0),
        y1: area.y1.max(0),
        x2: area.x2.min(grid.width() - 1),
        y2: area.y2.min(grid.height() - 1),
    };
    let (sx, sy) = (area.width(), area.height());
    if sx <= 0 || sy <= 0 {
        return;
    }
    if sx < 5 || sy < 5 {
        return plain_box(grid, area, options, rng);
    }
    let shape = loop {
        if let Some(shape) = Irregular::draw(sx, sy, options, rng) {
            break shape;
        }
    };
    for p in area.points() {
        let glyph = match shape.cells[((p.y - area.y1) * sx + p.x - area.x1) as usize] {
            Part::Wall => options.wall,
            Part::Door => options.door,
            Part::Floor => options.floor,
            Part::Outside | Part::Unset => continue,
        };
        grid.set(p, glyph);
    }
}

fn plain_box(grid: &mut Grid, area: Area, options: &IrregularBox, rng: &mut Streams) {
    let mut edge = Vec::new();
    for x in area.x1..=area.x2 {
        edge.extend([Point::new(x, area.y1), Point::new(x, area.y2)]);
    }
    for y in area.y1 + 1..area.y2 {
        edge.extend([Point::new(area.x1, y), Point::new(area.x2, y)]);
    }
    for p in area.points() {
        grid.set(p, options.floor);
    }
    for &p in &edge {
        grid.set(p, options.wall);
    }
    for _ in 0..options.door_count.max(0) {
        if edge.is_empty() {
            break;
        }
        let p = edge.swap_remove(rng.random2(edge.len() as i32) as usize);
        grid.set(p, options.door);
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Unset,
    Outside,
    Wall,
    Door,
    Floor,
}

struct Irregular {
    width: i32,
    height: i32,
    cells: Vec<Part>,
    wall_cells: Vec<Point>,
}

/// One side: where it is divided, and the inset of each segment.
struct Side {
    divisions: Vec<i32>,
    insets: Vec<i32>,
}

impl Irregular {
    /// Tries steps 1 to 8 once. Returns `None` if the shape is broken (spec 02 §15.6).
    fn draw(sx: i32, sy: i32, options: &IrregularBox, rng: &mut Streams) -> Option<Irregular> {
        let in_x = options.in_x.max(0).min((sx - 1) / 2 - 1);
        let in_y = options.in_y.max(0).min((sy - 1) / 2 - 1);
        let mut corner = || {
            let x = rng.random2(in_x);
            (x, rng.random2(in_y))
        };
        let (mut tl, mut tr, mut bl, mut br) = (corner(), corner(), corner(), corner());
        limit_pair(&mut tl.0, &mut tr.0, sx - 5, rng);
        limit_pair(&mut bl.0, &mut br.0, sx - 5, rng);
        limit_pair(&mut tl.1, &mut bl.1, sy - 5, rng);
        limit_pair(&mut tr.1, &mut br.1, sy - 5, rng);

        let (div_x, div_y) = (options.div_x.max(0), options.div_y.max(0));
        let mut top = Side::new(divide(tl.0, sx - 1 - tr.0, div_x, rng));
        let mut bottom = Side::new(divide(bl.0, sx - 1 - br.0, div_x, rng));
        let mut left = Side::new(divide(tl.1, sy - 1 - bl.1, div_y, rng));
        let mut right = Side::new(divide(tr.1, sy - 1 - br.1, div_y, rng));
        top.draw_insets(tl.1, tr.1, in_y, rng);
        bottom.draw_insets(bl.1, br.1, in_y, rng);
        left.draw_insets(tl.0, bl.0, in_x, rng);
        right.draw_insets(tr.0, br.0, in_x, rng);
        top.meet(left.first(), sx - 1 - right.first());
        bottom.meet(left.last(), sx - 1 - right.last());
        left.meet(top.first(), sy - 1 - bottom.first());
        right.meet(top.last(), sy - 1 - bottom.last());

        let mut shape = Irregular {
            width: sx,
            height: sy,
            cells: vec![Part::Unset; (sx * sy) as usize],
            wall_cells: Vec::new(),
        };
        shape.draw_side(&top, Point::new);
        shape.draw_side(&bottom, |along, inset| Point::new(along, sy - 1 - inset));
        shape.draw_side(&left, |along, inset| Point::new(inset, along));
        shape.draw_side(&right, |along, inset| Point::new(sx - 1 - inset, along));
        for _ in 0..options.door_count.max(0) {
            if shape.wall_cells.is_empty() {
                break;
            }
            let index = rng.random2(shape.wall_cells.len() as i32) as usize;
            let p = shape.wall_cells.swap_remove(index);
            shape.set(p, Part::Door);
        }
        shape.flood_inside(Point::new(left.first() + 1, top.first() + 1));
        shape.mark_outside();
        (!shape.cells.contains(&Part::Unset)).then_some(shape)
    }

    fn get(&self, p: Point) -> Option<Part> {
        let on = p.x >= 0 && p.y >= 0 && p.x < self.width && p.y < self.height;
        on.then(|| self.cells[(p.y * self.width + p.x) as usize])
    }

    fn set(&mut self, p: Point, part: Part) {
        if self.get(p).is_some() {
            self.cells[(p.y * self.width + p.x) as usize] = part;
        }
    }

    fn wall(&mut self, p: Point) {
        self.set(p, Part::Wall);
        self.wall_cells.push(p);
    }

    /// Writes a wall that cannot have doors.
    fn corner(&mut self, p: Point) {
        self.set(p, Part::Wall);
    }

    fn draw_side(&mut self, side: &Side, at: impl Fn(i32, i32) -> Point) {
        for (segment, &inset) in side.insets.iter().enumerate() {
            let (start, end) = (side.divisions[segment], side.divisions[segment + 1]);
            if segment > 0 {
                let before = side.insets[segment - 1];
                let between = before.min(inset) + 1..before.max(inset);
                let mut cells: Vec<Point> = between.map(|depth| at(start, depth)).collect();
                cells.sort_unstable_by_key(|p| (p.y, p.x));
                for p in cells {
                    self.wall(p);
                }
            }
            self.corner(at(start, inset));
            self.corner(at(end, inset));
            for along in start + 1..end {
                self.wall(at(along, inset));
            }
        }
    }

    fn flood_inside(&mut self, from: Point) {
        let mut stack = vec![from];
        while let Some(p) = stack.pop() {
            if self.get(p) == Some(Part::Unset) {
                self.set(p, Part::Floor);
                stack.extend(crate::grid::ORTHOGONAL.map(|d| p.offset(d)));
            }
        }
    }

    fn mark_outside(&mut self) {
        let (w, h) = (self.width, self.height);
        for x in 0..w {
            self.run_inwards(Point::new(x, 0), (0, 1));
            self.run_inwards(Point::new(x, h - 1), (0, -1));
        }
        for y in 0..h {
            self.run_inwards(Point::new(0, y), (1, 0));
            self.run_inwards(Point::new(w - 1, y), (-1, 0));
        }
    }

    fn run_inwards(&mut self, mut p: Point, step: (i32, i32)) {
        while matches!(self.get(p), Some(Part::Unset | Part::Outside)) {
            self.set(p, Part::Outside);
            p = p.offset(step);
        }
    }
}

impl Side {
    fn new(divisions: Vec<i32>) -> Side {
        Side { divisions, insets: Vec::new() }
    }

    fn first(&self) -> i32 {
        self.insets.first().copied().unwrap_or(0)
    }

    fn last(&self) -> i32 {
        self.insets.last().copied().unwrap_or(0)
    }

    fn draw_insets(&mut self, first: i32, last: i32, deepest: i32, rng: &mut Streams) {
        let segments = (self.divisions.len() - 1).max(1);
        self.insets = vec![first];
        for _ in 1..segments {
            self.insets.push(rng.random2(deepest));
        }
        self.insets[segments - 1] = last;
        let flat = rng.random2(segments as i32) as usize;
        self.insets[flat] = 0;
    }

    fn meet(&mut self, start: i32, end: i32) {
        let last = self.divisions.len() - 1;
        self.divisions[0] = start;
        self.divisions[last] = end;
    }
}

fn limit_pair(a: &mut i32, b: &mut i32, limit: i32, rng: &mut Streams) {
    if limit <= 0 {
        return;
    }
    while *a + *b >= limit {
        if rng.random2(2) == 0 {
            *a = rng.random2(*a);
        } else {
            *b = rng.random2(*b);
        }
    }
}

fn divide(low: i32, high: i32, times: i32, rng: &mut Streams) -> Vec<i32> {
    let mut points = vec![low, high];
    for _ in 0..times {
        let c = rng.random_range(low, high);
        let Some(index) = points.iter().position(|&point| c < point) else { continue };
        let apart = points[index] - c >= 2 && (index == 0 || c - points[index - 1] >= 2);
        if apart {
            points.insert(index, c);
        }
    }
    points
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_octagon_for_all_glyphs_is_the_one_for_each() {
        let all: Vec<u8> = (0..=u8::MAX).collect();
        let grids =
            [Grid::from_rows(["xxxxxxxxx"; 7]), Grid::from_rows(["xx", "xxxxx", "", "xxx"])];
        let corners = || [-2, 0, 1, 4, 6, 9].into_iter();
        let areas = corners().flat_map(|x| corners().map(move |y| Area::new(x, y, 6, 5)));
        for (area, oblique) in areas.flat_map(|area| (-1..8).map(move |oblique| (area, oblique))) {
            for grid in &grids {
                let (mut whole, mut each) = (grid.clone(), grid.clone());
                octa_room(&mut whole, area, oblique, b'c', b'.', b"");
                octa_room(&mut each, area, oblique, b'c', b'.', &all);
                assert_eq!(whole, each, "{area:?} {oblique}");
            }
        }
    }
}
