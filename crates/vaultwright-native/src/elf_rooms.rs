//! The rooms of the Elven Halls: which part of a room each cell is, without decoration, and how a
//! room is turned.

/// The shape of a room.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ElfShape {
    /// A square.
    Square,
    /// A square that stands on its corner.
    Diamond,
    /// A square without its corners, which are as large as this.
    Cross {
        /// The length of a corner's side.
        indent: i32,
    },
    /// A triangle that points to the east.
    Triangle,
    /// A hexagon whose corners are in the east and west.
    Hexagon,
    /// A square with its corners cut.
    Octagon {
        /// How far from the centre the cuts lie, in steps along the axes.
        cut: i32,
    },
}

/// What a room of a radius has on a cell beside its centre: 3 within, 2 on its border, 1 around
/// that, and 0 where it is not.
pub fn part_of_elf_room(shape: ElfShape, radius: i32, (x, y): (i32, i32)) -> u8 {
    let (across, down) = (x.abs(), y.abs());
    // Those that do not reach the side of their square are one cell larger.
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

/// What lies so far out along a slope: within, and two bands of a width around that.
fn slope(distance: i32, within: i32, width: i32) -> i32 {
    match distance - within {
        ..=0 => 3,
        beyond if beyond <= width => 2,
        beyond if beyond <= 2 * width => 1,
        _ => 0,
    }
}

/// Which cell of a room comes to lie on a cell beside its centre once it is turned: by 4 its axes
/// change places, then by 1 east and west do, by 2 north and south.
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
