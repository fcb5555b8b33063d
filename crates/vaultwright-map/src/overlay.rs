//! What statements assign to single cells: colours, tiles, properties, heights.

use std::borrow::Cow;
use std::sync::Arc;

use foldhash::{HashMap, HashMapExt};
use serde::{Deserialize, Serialize};
use vaultwright_content::{TileUse, TileVerdict};

use crate::grid::{GlyphSet, Grid, Point};
use crate::spec_text::{SpecText, cut_number, split_key, text_of, trim_bytes, weighted_list};
use crate::{Context, ErrorCode, LostSpec, SpecError};

/// The contents of a cell besides its glyph (spec 02 §9).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CellOverlay {
    /// The name of the colour.
    pub colour: Option<Arc<str>>,
    /// The tiles.
    pub tiles: CellTiles,
    /// The property bits.
    pub properties: i64,
    /// The height.
    pub height: Option<i32>,
    /// For a subvault cell, the index of its private keyed spec.
    pub private_spec: Option<usize>,
}

/// The tiles that FTILE, RTILE and TILE assign to a cell.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct CellTiles {
    /// The tile of the floor.
    pub floor: Option<Arc<str>>,
    /// The tile of rock.
    pub rock: Option<Arc<str>>,
    /// The tile of the feature itself.
    pub feature: Option<Arc<str>>,
    /// Whether to use the last variant of the feature's tile.
    pub last: bool,
    /// Whether to always use the same variant (`no_random`).
    pub same: bool,
}

/// The overlay of a map, by cell.
#[derive(Clone, Debug, Default)]
pub struct Overlay {
    width: i32,
    /// The record of each cell: few cells have any content, and many of those the same.
    cells: Vec<Record>,
    records: Vec<CellOverlay>,
}

/// The content of overlay cells, as a number from 1; 0 is none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Record(u32);

/// The overlay statements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // named after their headers
pub enum OverlayKind {
    Colour,
    FloorTile,
    RockTile,
    Tile,
    Property,
    Height,
}

/// The height that means "unset" and is rejected.
const UNSET_HEIGHT: i32 = -31999;

impl Overlay {
    /// Returns whether all cells are empty.
    pub fn is_empty(&self) -> bool {
        self.cells.is_empty()
    }

    /// Returns the content of a cell.
    pub fn get(&self, p: Point) -> Option<&CellOverlay> {
        self.of(self.record(p))
    }

    /// Returns the record of a cell.
    pub(crate) fn record(&self, p: Point) -> Record {
        let is_beside = p.x < 0 || p.y < 0 || p.x >= self.width;
        let cell = self.cells.get((p.y * self.width + p.x) as usize).filter(|_| !is_beside);
        cell.copied().unwrap_or_default()
    }

    /// Returns the content of a record.
    pub(crate) fn of(&self, record: Record) -> Option<&CellOverlay> {
        self.records.get((record.0 as usize).checked_sub(1)?)
    }

    /// Adds a record, not used by any cell yet.
    pub(crate) fn add(&mut self, cell: CellOverlay) -> Record {
        self.records.push(cell);
        Record(self.records.len() as u32)
    }

    /// Assigns a record to a cell of the grid, growing the overlay to the size of the grid.
    pub(crate) fn set(&mut self, grid: &Grid, p: Point, record: Record) {
        self.fit(grid);
        self.cells[(p.y * self.width + p.x) as usize] = record;
    }

    /// Grows the overlay to the size of the grid.
    pub fn fit(&mut self, grid: &Grid) {
        let size = (grid.width(), grid.height());
        if self.width == size.0 && self.cells.len() == (size.0 * size.1) as usize {
            return;
        }
        let fits = |p: &Point| p.x < size.0 && p.y < size.1;
        *self = std::mem::take(self).moved(size, |p| Some(p).filter(fits));
    }

    /// Returns an overlay in which the content of each cell `p` has moved to `to(p)`.
    pub(crate) fn moved(self, size: (i32, i32), to: impl Fn(Point) -> Option<Point>) -> Overlay {
        let mut cells = vec![Record(0); (size.0 * size.1) as usize];
        for (index, &record) in self.cells.iter().enumerate().filter(|(_, it)| **it != Record(0)) {
            let p = to(Point::new(index as i32 % self.width, index as i32 / self.width));
            if let Some(p) = p {
                cells[(p.y * size.0 + p.x) as usize] = record;
            }
        }
        Overlay { width: size.0, cells, records: self.records }
    }

    /// Applies an overlay statement to the cells that currently show a key glyph.
    pub fn apply(
        &mut self,
        kind: OverlayKind,
        text: &[u8],
        grid: &Grid,
        ctx: &mut Context,
        lost: &mut Vec<LostSpec>,
    ) -> Result<(), SpecError> {
        if trim_bytes(text).is_empty() {
            return Ok(());
        }
        let tiles =
            matches!(kind, OverlayKind::FloorTile | OverlayKind::RockTile | OverlayKind::Tile);
        let mut text = Cow::Borrowed(text);
        // Both only affect how tiles are drawn, and may be anywhere in the text (spec 02 §9.1).
        let same = tiles && strip_from(&mut text, "no_random");
        let last = tiles && strip_from(&mut text, "last_tile");
        let (key, separator, argument) = split_key(&text)?;
        let argument = text_of(argument);
        let argument = SpecText::new(&argument);
        let list = weighted_list(argument.as_str())?;
        let weights: Vec<i32> = list.iter().map(|(_, weight)| *weight).collect();
        let values = list
            .iter()
            .map(|(name, _)| Value::parse(kind, name, argument.as_str(), ctx))
            .collect::<Result<Vec<_>, _>>()?;
        if tiles {
            let doubtful = |(name, _): &(String, i32)| {
                LostSpec::of_tile(argument.as_str(), Some(name), TileUse::Cell, ctx)
            };
            lost.extend(list.iter().filter_map(doubtful));
        }
        let places = grid.places(&GlyphSet::new(key));
        if !places.is_empty() {
            self.fit(grid);
        }
        let mut frozen: Option<usize> = None;
        let drawn = places.into_iter().filter_map(|place| {
            let chosen = frozen.or_else(|| ctx.pick(0, &weights));
            // A colour of `none` and a property of `nothing` are never frozen (spec 02 §9.1).
            if separator == b':' && chosen.is_some_and(|index| !values[index].is_unset()) {
                frozen = chosen;
            }
            chosen.map(|index| (place, index))
        });
        self.change_cells(drawn, |index, cell| values[index].store(kind, (last, same), cell));
        Ok(())
    }

    /// Changes cells, each by the value with its index.
    fn change_cells(
        &mut self,
        drawn: impl Iterator<Item = (usize, usize)>,
        change: impl Fn(usize, &mut CellOverlay),
    ) {
        // The result of each record with each value, and that of the last cell, which is mostly the
        // same for the next.
        let mut after: HashMap<(Record, usize), Record> = HashMap::new();
        let mut last_cell = None;
        for (place, index) in drawn {
            let key = (self.cells[place], index);
            let now = match last_cell {
                Some((alike, now)) if alike == key => now,
                _ => *after.entry(key).or_insert_with(|| {
                    let mut cell = self.of(key.0).cloned().unwrap_or_default();
                    change(index, &mut cell);
                    self.add(cell)
                }),
            };
            self.cells[place] = now;
            last_cell = Some((key, now));
        }
        if self.records.len() > 2 * self.cells.len() {
            self.forget_unused();
        }
    }

    /// Removes records that no cell uses any more.
    fn forget_unused(&mut self) {
        let before = std::mem::take(&mut self.records);
        let mut now = vec![Record(0); before.len()];
        for record in self.cells.iter_mut().filter(|record| **record != Record(0)) {
            let old = record.0 as usize - 1;
            if now[old] == Record(0) {
                self.records.push(before[old].clone());
                now[old] = Record(self.records.len() as u32);
            }
            *record = now[old];
        }
    }
}

/// Removes a word from a declaration. Returns whether it was there.
fn strip_from(text: &mut Cow<[u8]>, word: &str) -> bool {
    if !text.windows(word.len()).any(|part| part == word.as_bytes()) {
        return false;
    }
    let decoded = text_of(text);
    let mut left = SpecText::new(&decoded);
    let is_there = left.strip(word);
    if is_there {
        let left = trim_bytes(left.as_str().as_bytes()).to_vec();
        *text = Cow::Owned(left);
    }
    is_there
}

enum Value {
    Name(Arc<str>),
    Tile(Option<Arc<str>>),
    Bits(i64),
    Height(i32),
    NoColour,
}

impl Value {
    fn parse(
        kind: OverlayKind,
        name: &str,
        whole: &str,
        ctx: &Context,
    ) -> Result<Value, SpecError> {
        let names = ctx.content.names();
        let bad = |code| SpecError::new(code, format!("bad spec: '{name}' in '{whole}'"), name);
        match kind {
            OverlayKind::Colour if name == "none" || name == "black" => Ok(Value::NoColour),
            OverlayKind::Colour if ctx.knows_colour(name) => Ok(Value::Name(Arc::from(name))),
            // Anything that is in no table has no effect.
            OverlayKind::Colour if ctx.content.names_are_open() => Ok(Value::NoColour),
            OverlayKind::Colour => Err(bad(ErrorCode::UnknownColour)),
            OverlayKind::Property
                if names.properties.get(name).is_none() && ctx.content.names_are_open() =>
            {
                Ok(Value::Bits(0))
            }
            OverlayKind::Property => names
                .properties
                .get(name)
                .map(Value::Bits)
                .ok_or_else(|| bad(ErrorCode::UnknownProperty)),
            OverlayKind::Height => cut_number(name)
                .filter(|&height| height != UNSET_HEIGHT)
                .map(Value::Height)
                .ok_or_else(|| bad(ErrorCode::BadNumber)),
            OverlayKind::FloorTile | OverlayKind::RockTile | OverlayKind::Tile
                if name.eq_ignore_ascii_case("none") =>
            {
                Ok(Value::Tile(None))
            }
            OverlayKind::FloorTile | OverlayKind::RockTile | OverlayKind::Tile => {
                match names.tiles.verdict(name, TileUse::Cell) {
                    TileVerdict::Unknown => Err(bad(ErrorCode::UnknownTile)),
                    TileVerdict::Known | TileVerdict::Doubtful => {
                        Ok(Value::Tile(Some(Arc::from(name))))
                    }
                }
            }
        }
    }

    fn is_unset(&self) -> bool {
        matches!(self, Value::NoColour | Value::Bits(0))
    }

    fn store(&self, kind: OverlayKind, (last, same): (bool, bool), cell: &mut CellOverlay) {
        match (kind, self) {
            (OverlayKind::Colour, Value::NoColour) => cell.colour = None,
            (OverlayKind::Colour, Value::Name(name)) => cell.colour = Some(Arc::clone(name)),
            (OverlayKind::FloorTile, Value::Tile(name)) => cell.tiles.floor.clone_from(name),
            (OverlayKind::RockTile, Value::Tile(name)) => cell.tiles.rock.clone_from(name),
            (OverlayKind::Tile, Value::Tile(name)) => {
                let feature = name.clone();
                cell.tiles = CellTiles { feature, last, same, ..std::mem::take(&mut cell.tiles) };
            }
            (_, Value::Bits(bits)) => cell.properties |= bits,
            (_, Value::Height(height)) => cell.height = Some(*height),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use vaultwright_content::{Content, Edition, Rules};
    use vaultwright_rng::Streams;

    use super::*;
    use crate::{Dungeon, LevelPlace};

    /// Returns the overlay of a map after some statements.
    fn overlay_of(grid: &Grid, statements: &[(OverlayKind, &str)]) -> Overlay {
        let content = Content::new(Rules::of(Edition::Trunk));
        let dungeon = Dungeon::standard(content.branches());
        let mut rng = Streams::single(1, 1);
        let mut ctx = Context::new(&content, &mut rng, LevelPlace::START, &dungeon);
        let mut overlay = Overlay::default();
        for (kind, text) in statements {
            let result = overlay.apply(*kind, text.as_bytes(), grid, &mut ctx, &mut Vec::new());
            result.expect("a statement");
        }
        overlay
    }

    #[test]
    fn cells_that_carry_the_same_share_a_record() {
        use OverlayKind::{Colour, Height};
        let map = Grid::from_rows(["....x", "....."]);
        let statements =
            [(Colour, ". = red"), (Height, "x. = 3"), (Height, "x = 5"), (Colour, "x = blue")];
        let overlay = overlay_of(&map, &statements);
        let carried = |x, y| {
            let cell = overlay.get(Point::new(x, y)).expect("a record");
            (cell.colour.as_deref().map(str::to_owned), cell.height)
        };
        assert_eq!(carried(0, 0), (Some("red".to_owned()), Some(3)));
        assert_eq!(carried(4, 1), carried(0, 0));
        assert_eq!(carried(4, 0), (Some("blue".to_owned()), Some(5)));
        assert_eq!(overlay.record(Point::new(0, 0)), overlay.record(Point::new(4, 1)));
        assert!(
            overlay.get(Point::new(5, 0)).is_none() && overlay.get(Point::new(0, -1)).is_none()
        );
    }

    #[test]
    fn words_about_drawing_stand_on_either_side() {
        let map = Grid::from_rows(["..x"]);
        let tile = "dngn_mirrored_wall";
        for text in
            [format!("no_random x = last_tile {tile}"), format!("x last_tile = {tile} no_random")]
        {
            let overlay = overlay_of(&map, &[(OverlayKind::Tile, &text)]);
            let tiles = &overlay.get(Point::new(2, 0)).expect("a tile").tiles;
            assert_eq!(
                (tiles.feature.as_deref(), tiles.last, tiles.same),
                (Some(tile), true, true)
            );
            assert!(overlay.get(Point::new(0, 0)).is_none(), "{text}");
        }
    }

    /// As 0.28 was asked.
    #[test]
    fn words_about_drawing_are_words_of_the_whole_declaration() {
        let content = Content::new(Rules::of(Edition::V0_28));
        let mut rng = Streams::single(1, 1);
        let dungeon = Dungeon::standard(content.branches());
        let mut ctx = Context::new(&content, &mut rng, LevelPlace::START, &dungeon);
        let map = Grid::from_rows(["..x"]);
        for (text, told) in [
            ("A = no_random", "no substitute defined in 'A ='"),
            ("A: last_tile", "no substitute defined in 'A:'"),
        ] {
            let (mut overlay, mut lost) = (Overlay::default(), Vec::new());
            let kind = OverlayKind::FloorTile;
            let result = overlay.apply(kind, text.as_bytes(), &map, &mut ctx, &mut lost);
            let message = result.err().map_or_else(String::new, |error| error.message);
            assert!(message.starts_with(told), "{text}: {message}");
        }
    }

    #[test]
    fn records_that_no_cell_has_are_forgotten() {
        let map = Grid::from_rows(["abcd"]);
        let heights: Vec<String> = (0..100).map(|n| format!("abcd = {n} / {}", n + 1)).collect();
        let statements: Vec<_> = heights.iter().map(|it| (OverlayKind::Height, &**it)).collect();
        let overlay = overlay_of(&map, &statements);
        assert!(overlay.records.len() <= 2 * 4, "{}", overlay.records.len());
        for x in 0..4 {
            let height = overlay.get(Point::new(x, 0)).and_then(|cell| cell.height);
            assert!(height == Some(99) || height == Some(100), "{height:?}");
        }
    }
}
