//! The rooms of the Elven Halls: which part of a room each cell belongs to, without decoration, and
//! how rooms are turned.

/// The shape of a room.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ElfShape {
    /// A square.
    Square,
    /// A square standing on its corner.
    Diamond,
    /// A square without its corners.
    Cross {
        /// The side length of a corner.
        indent: i32,
    },
    /// A triangle pointing east.
    Triangle,
    /// A hexagon with corners in the east and west.
    Hexagon,
    /// A square with cut corners.
    Octagon {
        /// The distance of the cuts from the centre, in steps along the axes.
        cut: i32,
    },
}

/// Returns the part of a room that a cell relative to its centre belongs to: 3 for the inside, 2
/// for its border, 1 for the ring around that, and 0 outside.
pub fn part_of_elf_room(shape: ElfShape, radius: i32, (x, y): (i32, i32)) -> u8 {
    let (across, down) = (x.abs(), y.abs());
    // Shapes that do not reach the side of their square are one cell larger.
    let (small, large) = (radius + 2, radius + 3);
    let part = match shape {
        ElfShape::Square => small - across.max(down),
        ElfShape::Diamond => (large - across.max(down)).min(slope(across + down, radius, 2)),
        ElfShape::Octagon { cut } => (large - across.max(down)).min(slope(across + down, cut, 2)),
        ElfShape::Cross { indent } => {
            let arm = large - indent;
            let (upright, level) = ((arm - across, large - down), (arm - down, large - across));
            upright.0.min(upright.1).max(level.0.min(level.1))
        }
        ElfShape::Triangle => {
            let sides = (small + x).min(large - x).min(small - down);
            sides.min(slope(x + 2 * down, radius, 3))
        }
        ElfShape::Hexagon => {
            let within = 2 * radius + radius % 2;
            (large - across.max(down)).min(slope(across + 2 * down, within, 3))
        }
    };
    part.clamp(0, 3) as u8
}

/// Returns the part at a distance along a slope: the inside, and two bands of a width around it.
fn slope(distance: i32, within: i32, width: i32) -> i32 {
    match distance - within {
        ..=0 => 3,
        beyond if beyond <= width => 2,
        beyond if beyond <= 2 * width => 1,
        _ => 0,
    }
}

/// Returns which cell of a room is at a cell relative to its centre after a turn: 4 swaps the axes,
/// then 1 swaps east and west, and 2 north and south.
pub fn turned_elf_cell(turn: u8, (x, y): (i32, i32)) -> (i32, i32) {
    let (x, y) = (if turn & 1 != 0 { -x } else { x }, if turn & 2 != 0 { -y } else { y });
    if turn & 4 != 0 { (y, x) } else { (x, y) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawing(shape: ElfShape, radius: i32) -> Vec<String> {
        let size = radius + 2;
        let part = |x, y| char::from(b'0' + part_of_elf_room(shape, radius, (x, y)));
        (-size..=size).map(|y| (-size..=size).map(|x| part(x, y)).collect()).collect()
    }

    #[test]
    fn rooms_are_those_of_the_library() {
        let square = ["0000000", "0111110", "0122210", "0123210", "0122210", "0111110", "0000000"];
        assert_eq!(drawing(ElfShape::Square, 1), square);
        let diamond = [
            "001111100",
            "011222110",
            "112232211",
            "122333221",
            "123333321",
            "122333221",
            "112232211",
            "011222110",
            "001111100",
        ];
        assert_eq!(drawing(ElfShape::Diamond, 2), diamond);
        assert_eq!(drawing(ElfShape::Octagon { cut: 2 }, 2), diamond);
        let triangle = [
            "000000000",
            "011111100",
            "012222111",
            "012332221",
            "012333321",
            "012332221",
            "012222111",
            "011111100",
            "000000000",
        ];
        assert_eq!(drawing(ElfShape::Triangle, 2), triangle);
        let cross = [
            "00111111100",
            "00122222100",
            "11123332111",
            "12223332221",
            "12333333321",
            "12333333321",
            "12333333321",
            "12223332221",
            "11123332111",
            "00122222100",
            "00111111100",
        ];
        assert_eq!(drawing(ElfShape::Cross { indent: 2 }, 3), cross);
        let hexagon = [
            "00111111100",
            "11122222111",
            "12223332221",
            "12333333321",
            "12333333321",
            "12333333321",
            "12333333321",
            "12333333321",
            "12223332221",
            "11122222111",
            "00111111100",
        ];
        assert_eq!(drawing(ElfShape::Hexagon, 3), hexagon);
        let octagon = [
            "00111111100",
            "01122222110",
            "11223332211",
            "12233333221",
            "12333333321",
            "12333333321",
            "12333333321",
            "12233333221",
            "11223332211",
            "01122222110",
            "00111111100",
        ];
        assert_eq!(drawing(ElfShape::Octagon { cut: 4 }, 3), octagon);
    }

    #[test]
    fn turned_rooms_lie_as_those_of_the_library() {
        let library = [(1, 2), (-1, 2), (1, -2), (-1, -2), (2, 1), (-2, 1), (2, -1), (-2, -1)];
        let cells = (0..).zip(library).map(|(turn, at)| turned_elf_cell(turn, at));
        assert!(cells.eq([(1, 2); 8]));
    }
}
