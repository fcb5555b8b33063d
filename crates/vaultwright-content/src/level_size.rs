//! The size of the levels of a pack.

use serde::{Deserialize, Serialize};

/// The width and height of every level of a pack, in cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "(i32, i32)", into = "(i32, i32)")]
pub struct LevelSize {
    width: i32,
    height: i32,
}

impl LevelSize {
    /// The size in Crawl, and in packs that do not give one: 80 × 70.
    pub const CRAWL: LevelSize = LevelSize { width: 80, height: 70 };
    /// The minimum width and height.
    pub const MIN_SIDE: i32 = 20;
    /// The maximum width and height.
    pub const MAX_SIDE: i32 = 400;

    /// Creates a size; `None` if a side is shorter than [`LevelSize::MIN_SIDE`] or longer than
    /// [`LevelSize::MAX_SIDE`].
    pub fn new(width: i32, height: i32) -> Option<LevelSize> {
        let sides = LevelSize::MIN_SIDE..=LevelSize::MAX_SIDE;
        (sides.contains(&width) && sides.contains(&height)).then_some(LevelSize { width, height })
    }

    /// Returns the number of columns.
    #[inline]
    pub const fn width(self) -> i32 {
        self.width
    }

    /// Returns the number of rows.
    #[inline]
    pub const fn height(self) -> i32 {
        self.height
    }

    /// Returns the number of cells.
    #[inline]
    pub const fn cells(self) -> usize {
        (self.width * self.height) as usize
    }
}

impl Default for LevelSize {
    fn default() -> LevelSize {
        LevelSize::CRAWL
    }
}

impl TryFrom<(i32, i32)> for LevelSize {
    type Error = String;

    fn try_from((width, height): (i32, i32)) -> Result<LevelSize, String> {
        LevelSize::new(width, height).ok_or_else(|| {
            let (least, most) = (LevelSize::MIN_SIDE, LevelSize::MAX_SIDE);
            format!(
                "levels of {width} by {height} cells: from {least} by {least} to {most} by {most} are possible"
            )
        })
    }
}

impl From<LevelSize> for (i32, i32) {
    fn from(size: LevelSize) -> (i32, i32) {
        (size.width, size.height)
    }
}
