//! Mirroring and rotating maps.

use crate::Context;
use crate::definition::MapDef;
use crate::grid::Point;

/// A mirroring or quarter turn of a map (spec 02 §12).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // the names say it
pub enum Turn {
    MirrorX,
    MirrorY,
    Clockwise,
    Anticlockwise,
}

/// Draws the turns of a top-level vault and applies those that its tags allow. The draws are made
/// regardless of the tags, but not for a map of exactly 1×1. Returns the drawn turns.
pub fn draw_turns(map: &mut MapDef, ctx: &mut Context) -> Vec<Turn> {
    let mut drawn = Vec::new();
    if map.grid.width() == 1 && map.grid.height() == 1 {
        return drawn;
    }
    for mirror in [Turn::MirrorX, Turn::MirrorY] {
        if ctx.rng.coinflip() {
            map.turn(mirror);
            drawn.push(mirror);
        }
    }
    if ctx.rng.coinflip() {
        let turn = if ctx.rng.coinflip() { Turn::Clockwise } else { Turn::Anticlockwise };
        let level = ctx.level_size();
        let longest = level.width().min(level.height());
        if map.grid.width() <= longest && map.grid.height() <= longest {
            map.turn(turn);
        }
        drawn.push(turn);
    }
    drawn
}

impl Turn {
    /// Returns the name of the turn.
    pub fn name(self) -> &'static str {
        match self {
            Turn::MirrorX => "mirror_x",
            Turn::MirrorY => "mirror_y",
            Turn::Clockwise => "clockwise",
            Turn::Anticlockwise => "anticlockwise",
        }
    }

    /// Returns where the turn moves a cell of a map of this size.
    pub fn cell(self, p: Point, (w, h): (i32, i32)) -> Point {
        match self {
            Turn::MirrorX => Point::new(w - 1 - p.x, p.y),
            Turn::MirrorY => Point::new(p.x, h - 1 - p.y),
            Turn::Clockwise => Point::new(h - 1 - p.y, p.x),
            Turn::Anticlockwise => Point::new(p.y, w - 1 - p.x),
        }
    }

    /// Returns the size after the turn of a map of this size.
    pub fn size(self, (w, h): (i32, i32)) -> (i32, i32) {
        match self {
            Turn::MirrorX | Turn::MirrorY => (w, h),
            Turn::Clockwise | Turn::Anticlockwise => (h, w),
        }
    }
}

impl MapDef {
    /// Returns whether the map's tags allow a turn.
    pub fn may_turn(&self, turn: Turn) -> bool {
        !self.has_tag(match turn {
            Turn::MirrorX => "no_hmirror",
            Turn::MirrorY => "no_vmirror",
            Turn::Clockwise | Turn::Anticlockwise => "no_rotate",
        })
    }

    /// Applies a turn unless the map's tags forbid it.
    pub fn turn(&mut self, turn: Turn) {
        if self.may_turn(turn) {
            self.turned.push(turn);
            self.force_turn(turn);
        }
    }

    fn force_turn(&mut self, turn: Turn) {
        self.grid.normalise();
        let (w, h) = (self.grid.width(), self.grid.height());
        let to = move |p: Point| turn.cell(p, (w, h));
        let size = turn.size((w, h));
        if !self.overlay.is_empty() {
            self.overlay.fit(&self.grid);
            self.overlay = std::mem::take(&mut self.overlay).moved(size, |p| Some(to(p)));
        }
        match turn {
            Turn::MirrorX => self.grid.mirror_columns(),
            Turn::MirrorY => self.grid.mirror_rows(),
            Turn::Clockwise => {
                self.grid.transpose();
                self.grid.mirror_columns();
            }
            Turn::Anticlockwise => {
                self.grid.transpose();
                self.grid.mirror_rows();
            }
        }
        for marker in &mut self.markers {
            marker.at = to(marker.at);
        }
        for place in &mut self.subvaults {
            let (a, b) = (to(place.top_left), to(place.bottom_right));
            place.top_left = Point::new(a.x.min(b.x), a.y.min(b.y));
            place.bottom_right = Point::new(a.x.max(b.x), a.y.max(b.y));
            place.map.force_turn(turn);
        }
        self.orient = self.orient.map(|orient| match turn {
            Turn::MirrorX => orient.mirrored_x(),
            Turn::MirrorY => orient.mirrored_y(),
            Turn::Clockwise => orient.clockwise(),
            Turn::Anticlockwise => orient.anticlockwise(),
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Grid, Orient};

    #[test]
    fn turns_move_glyphs_and_orientation() {
        let mut map = MapDef::new("a");
        map.grid = Grid::from_rows(["abc", "d"]);
        map.orient = Some(Orient::Northeast);
        map.turn(Turn::Clockwise);
        let rows = |map: &MapDef| map.grid.rows().map(<[u8]>::to_vec).collect::<Vec<_>>();
        assert_eq!(rows(&map), ["da".as_bytes(), b" b", b" c"]);
        assert_eq!(map.orient, Some(Orient::Southeast));
        map.turn(Turn::Anticlockwise);
        assert_eq!(rows(&map), ["abc".as_bytes(), b"d  "]);
        map.add_tags("no_hmirror");
        map.turn(Turn::MirrorX);
        assert_eq!(rows(&map)[0], b"abc");
    }
}
