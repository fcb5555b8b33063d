//! Rooms in a rectangle that is split repeatedly (binary space partition).

use crate::grid::{Grid, Point};
use crate::paint::Area;
use vaultwright_rng::Streams;

/// How a rectangle is split.
#[derive(Clone, Copy, Debug)]
pub struct SplitRooms {
    /// The minimum width and height of a part. Its last column and row are wall.
    pub part: i32,
    /// The minimum width and height of a room.
    pub room: i32,
    /// The chance, in percent, to split a part that could be left whole because it is less than two
    /// or three times as large as the minimum.
    pub split: i32,
    /// The glyph of rooms.
    pub floor: u8,
    /// The glyph of passages between the two halves of every part; `None` leaves the rooms
    /// unconnected.
    pub passage: Option<u8>,
}

/// Splits the area, opens a room in each part, and connects the rooms of both halves of every part
/// by a passage with at most one bend. Returns the rooms, those of a left or upper half first.
///
/// Draws, for each part: a coin if it is a square that can be split both ways; `random2(100)`
/// against `split` if it is less than three times as long as `part`; the width of the half
/// (`random_range(part, rest)`). For each room its width, height, left and top
/// (`random_range`). For each passage a cell of a random room of each half (`random2(rooms)`,
/// `random_range` for x and y), and a coin for which way it bends.
pub fn split_rooms(
    grid: &mut Grid,
    area: Area,
    split: &SplitRooms,
    rng: &mut Streams,
) -> Vec<Area> {
    let mut rooms = Vec::new();
    if area.width() > 0 && area.height() > 0 {
        // Anything larger than this is larger than any map.
        let smallest = split.room.clamp(1, 1 << 20) + 1;
        let part_size = split.part.clamp(smallest, 1 << 21);
        let split = SplitRooms { part: part_size, room: smallest - 1, ..*split };
        part(grid, area, &split, rng, &mut rooms);
    }
    rooms
}

/// Splits a part, or opens a room in it.
fn part(grid: &mut Grid, area: Area, split: &SplitRooms, rng: &mut Streams, rooms: &mut Vec<Area>) {
    let (width, height) = (area.width(), area.height());
    let (wide, high) = (width >= 2 * split.part, height >= 2 * split.part);
    let upright = match (wide, high) {
        (true, true) if width == height => rng.coinflip(),
        (true, true) => width > height,
        (wide, _) => wide,
    };
    let long = if upright { width } else { height };
    let whole = !(wide || high) || (long < 3 * split.part && rng.random2(100) >= split.split);
    if whole {
        if let Some(room) = room_in(area, split.room, rng) {
            for p in room.points() {
                grid.set(p, split.floor);
            }
            rooms.push(room);
        }
        return;
    }
    let half = rng.random_range(split.part, long - split.part);
    let (first, second) = if upright {
        (Area { x2: area.x1 + half - 1, ..area }, Area { x1: area.x1 + half, ..area })
    } else {
        (Area { y2: area.y1 + half - 1, ..area }, Area { y1: area.y1 + half, ..area })
    };
    let before = rooms.len();
    part(grid, first, split, rng, rooms);
    let between = rooms.len();
    part(grid, second, split, rng, rooms);
    if let Some(passage) = split.passage
        && before < between
        && between < rooms.len()
    {
        let from = cell_of(&rooms[before..between], rng);
        let to = cell_of(&rooms[between..], rng);
        let bend = if rng.coinflip() { Point::new(to.x, from.y) } else { Point::new(from.x, to.y) };
        for leg in [(from, bend), (bend, to)] {
            for p in Area::new(leg.0.x, leg.0.y, leg.1.x, leg.1.y).points() {
                if grid.glyph(p) != split.floor {
                    grid.set(p, passage);
                }
            }
        }
    }
}

/// Returns a room of at least `smallest` cells each way that leaves out the last column and row of
/// the part.
fn room_in(part: Area, smallest: i32, rng: &mut Streams) -> Option<Area> {
    let (most_wide, most_high) = (part.width() - 1, part.height() - 1);
    if most_wide < smallest || most_high < smallest {
        return None;
    }
    let width = rng.random_range(smallest, most_wide);
    let height = rng.random_range(smallest, most_high);
    let x1 = part.x1 + rng.random_range(0, most_wide - width);
    let y1 = part.y1 + rng.random_range(0, most_high - height);
    Some(Area { x1, y1, x2: x1 + width - 1, y2: y1 + height - 1 })
}

/// Returns a cell of one of the rooms.
fn cell_of(rooms: &[Area], rng: &mut Streams) -> Point {
    let room = rooms[rng.random2(rooms.len() as i32) as usize];
    Point::new(rng.random_range(room.x1, room.x2), rng.random_range(room.y1, room.y2))
}

#[cfg(test)]
mod tests {
    use super::super::drawn::{draws, filled, reached, rows, streams};
    use super::*;
    use crate::grid::ORTHOGONAL;

    const PLAN: SplitRooms =
        SplitRooms { part: 7, room: 3, split: 60, floor: b'.', passage: Some(b',') };

    #[test]
    fn rooms_do_not_touch_and_passages_join_them_all() {
        for seed in 1..=30 {
            let mut grid = filled(60, 40, "x");
            let area = Area::new(1, 1, 58, 38);
            let rooms = split_rooms(&mut grid, area, &PLAN, &mut streams(seed));
            assert!(rooms.len() >= 8, "seed {seed}: {} rooms", rooms.len());
            for (index, room) in rooms.iter().enumerate() {
                assert!(room.width() >= 3 && room.height() >= 3);
                assert!(area.x1 <= room.x1 && room.x2 < area.x2 && room.y2 < area.y2);
                for other in &rooms[..index] {
                    let apart = room.x1 > other.x2 + 1
                        || other.x1 > room.x2 + 1
                        || room.y1 > other.y2 + 1
                        || other.y1 > room.y2 + 1;
                    assert!(apart, "seed {seed}: {room:?} {other:?}");
                }
            }
            let open = rows(&grid).concat().bytes().filter(|glyph| b".,".contains(glyph)).count();
            let start = Point::new(rooms[0].x1, rooms[0].y1);
            let found = reached(&grid, start, ".,", &ORTHOGONAL);
            assert_eq!(found, open, "seed {seed}");
        }
    }

    #[test]
    fn an_area_that_is_too_small_for_two_has_one_room_or_none() {
        let mut grid = filled(10, 10, "x");
        let mut rng = streams(1);
        let rooms = split_rooms(&mut grid, Area::new(1, 1, 8, 8), &PLAN, &mut rng);
        assert_eq!((rooms.len(), draws(&rng)), (1, 4));
        assert!(split_rooms(&mut grid, Area::new(1, 1, 3, 3), &PLAN, &mut rng).is_empty());
    }
}
