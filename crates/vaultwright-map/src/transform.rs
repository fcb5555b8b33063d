//! SUBST, NSUBST, SHUFFLE and CLEAR: parsing them and applying them to the grid.

use std::borrow::Cow;

use crate::grid::{GlyphSet, Grid};
use crate::spec_text::{parse_int, split_key, trim_bytes};
use crate::{Context, ErrorCode, SpecError};

/// A parsed grid transform (spec 02 §6).
#[derive(Clone, Debug)]
#[must_use]
pub enum Transform<'a> {
    /// SUBST: every cell of the key is replaced.
    Subst {
        /// The glyphs to replace.
        key: &'a [u8],
        /// Whether one choice is made for all cells (separator `:`).
        fixed: bool,
        /// The replacements.
        list: ReplacementList<'a>,
    },
    /// NSUBST: a shuffled list of cells is dealt out to segments.
    Nsubst {
        /// The glyphs to replace.
        key: &'a [u8],
        /// The number of cells that each segment takes, whether one choice is made for all of them,
        /// and the replacements.
        segments: Vec<(Count, bool, ReplacementList<'a>)>,
    },
    /// SHUFFLE: glyphs, or blocks of glyphs, swap places.
    Shuffle {
        /// The blocks; single glyphs in the list form.
        blocks: Vec<Vec<u8>>,
        /// Whether it was written with `/`.
        by_block: bool,
    },
    /// CLEAR: cells become blank.
    Clear {
        /// The glyphs to clear.
        key: Vec<u8>,
    },
}

/// The number of cells that an NSUBST segment takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Count {
    /// All remaining cells.
    Rest,
    /// This many cells.
    Cells(usize),
}

/// Glyphs with weights (spec 02 §6.1).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReplacementList<'a> {
    /// The glyphs.
    pub glyphs: Cow<'a, [u8]>,
    /// Their weights.
    pub weights: Cow<'a, [i32]>,
}

/// The weights of glyphs without explicit weights.
const USUAL_WEIGHTS: &[i32] = &[10; 32];

impl ReplacementList<'_> {
    fn parse(text: &[u8]) -> Result<ReplacementList<'_>, SpecError> {
        let is_one_token = !text.iter().any(|b| matches!(b, b' ' | b'\t' | b':'));
        if let Some(weights) = USUAL_WEIGHTS.get(..text.len()).filter(|_| is_one_token) {
            return Ok(ReplacementList {
                glyphs: Cow::Borrowed(text),
                weights: Cow::Borrowed(weights),
            });
        }
        let mut glyphs = Vec::with_capacity(text.len());
        let mut weights = Vec::with_capacity(text.len());
        for token in text.split(|&b| b == b' ' || b == b'\t').filter(|token| !token.is_empty()) {
            if token.len() >= 3 && token[1] == b':' {
                let digits = std::str::from_utf8(&token[2..]).unwrap_or_default();
                let weight = parse_int(digits).filter(|&weight| weight >= 1).ok_or_else(|| {
                    let shown = String::from_utf8_lossy(text);
                    let message = format!("Invalid weight specifier in \"{shown}\"");
                    SpecError::new(ErrorCode::BadWeight, message, String::from_utf8_lossy(token))
                })?;
                glyphs.push(token[0]);
                weights.push(weight);
            } else {
                glyphs.extend_from_slice(token);
                weights.resize(glyphs.len(), USUAL_WEIGHTS[0]);
            }
        }
        Ok(ReplacementList { glyphs: glyphs.into(), weights: weights.into() })
    }
}

impl Transform<'_> {
    /// Parses a SUBST; `None` if the declaration is empty.
    pub fn subst(text: &[u8]) -> Result<Option<Transform<'_>>, SpecError> {
        if trim_bytes(text).is_empty() {
            return Ok(None);
        }
        let (key, separator, argument) = split_key(text)?;
        let list = ReplacementList::parse(argument)?;
        Ok(Some(Transform::Subst { key, fixed: separator == b':', list }))
    }

    /// Parses an NSUBST. Unlike a SUBST, it may not be empty.
    pub fn nsubst(text: &[u8]) -> Result<Option<Transform<'_>>, SpecError> {
        let (key, _, argument) = split_key(text)?;
        let pieces = argument.split(|&b| b == b'/').map(trim_bytes);
        let mut pieces = pieces.filter(|piece| !piece.is_empty()).peekable();
        let mut segments = Vec::with_capacity(2);
        while let Some(piece) = pieces.next() {
            let is_last = pieces.peek().is_none();
            let unsaid = if is_last { Count::Rest } else { Count::Cells(1) };
            segments.push(nsubst_segment(text, piece, unsaid)?);
        }
        Ok(Some(Transform::Nsubst { key, segments }))
    }

    /// Parses a SHUFFLE.
    pub fn shuffle(text: &[u8]) -> Result<Transform<'static>, SpecError> {
        let text: Vec<u8> = text.iter().copied().filter(|b| !matches!(b, b' ' | b'\t')).collect();
        let bad = |message: &str| Err(SpecError::whole(ErrorCode::BadTransform, message));
        if text.contains(&b',') {
            return bad("use / for block shuffle, or multiple SHUFFLE: lines");
        }
        if !text.contains(&b'/') {
            let blocks = text.iter().map(|&glyph| vec![glyph]).collect();
            return Ok(Transform::Shuffle { blocks, by_block: false });
        }
        if text.starts_with(b"/") || text.windows(2).any(|pair| pair == b"//") {
            return bad("a block of SHUFFLE is empty: remove the extra '/'");
        }
        let blocks: Vec<Vec<u8>> =
            text.split(|&b| b == b'/').filter(|b| !b.is_empty()).map(<[u8]>::to_vec).collect();
        if blocks.windows(2).any(|pair| pair[0].len() != pair[1].len()) {
            return bad("block shuffle segment length mismatch");
        }
        Ok(Transform::Shuffle { blocks, by_block: true })
    }

    /// Parses a CLEAR.
    pub fn clear(text: &[u8]) -> Result<Transform<'static>, SpecError> {
        let key: Vec<u8> = text.iter().copied().filter(|b| !matches!(b, b' ' | b'\t')).collect();
        if key.is_empty() {
            let message = "no glyphs specified for clearing";
            return Err(SpecError::whole(ErrorCode::BadTransform, message));
        }
        Ok(Transform::Clear { key })
    }

    /// Applies the transform to a grid, with its draws.
    pub fn apply(&self, grid: &mut Grid, ctx: &mut Context) {
        match self {
            Transform::Subst { key, fixed, list } => {
                let key = GlyphSet::new(key);
                let mut dealer = Dealer { list, segment: 0, fixed: *fixed, frozen: None };
                match dealer.only(ctx) {
                    Some(glyph) => grid.replace_all(&key, glyph),
                    None => grid.replace(&key, || dealer.next(ctx)),
                }
            }
            Transform::Nsubst { key, segments } => apply_nsubst(grid, key, segments, ctx),
            Transform::Shuffle { blocks, by_block } => {
                let shuffled = match by_block {
                    true => shuffled_blocks(blocks, ctx),
                    false => drawn_one_by_one(blocks, ctx),
                };
                exchange(grid, blocks, &shuffled);
            }
            Transform::Clear { key } => {
                let set = GlyphSet::new(key);
                grid.map_glyphs(|glyph| if set.contains(glyph) { b' ' } else { glyph });
            }
        }
    }
}

/// Parses a segment. If it gives no count, it takes `unsaid` cells.
fn nsubst_segment<'a>(
    whole: &[u8],
    piece: &'a [u8],
    unsaid: Count,
) -> Result<(Count, bool, ReplacementList<'a>), SpecError> {
    let told =
        |reason: &str| format!("Bad NSUBST spec: {} ({reason})", String::from_utf8_lossy(whole));
    let list = |text: &'a [u8]| {
        let list = ReplacementList::parse(text);
        list.map_err(|error| SpecError { message: told(&error.message), ..error })
    };
    if !piece.iter().any(|b| matches!(b, b'=' | b':')) {
        return Ok((unsaid, false, list(piece)?));
    }
    let shown = || String::from_utf8_lossy(piece);
    let bad = |reason: &str| SpecError::new(ErrorCode::BadTransform, told(reason), shown());
    let (count, separator, argument) = split_key(piece).map_err(|error| bad(&error.message))?;
    let count = match std::str::from_utf8(count).map(str::trim) {
        Ok("*") => Count::Rest,
        Ok(digits) => match parse_int(digits) {
            Some(-1) => Count::Rest,
            None | Some(0) => return Err(bad(&format!("Illegal spec: {}", shown()))),
            Some(count) => Count::Cells(count.max(0) as usize),
        },
        Err(_) => return Err(bad(&format!("Illegal spec: {}", shown()))),
    };
    Ok((count, separator == b':', list(argument)?))
}

/// Assigns glyphs of a list to cells. With `fixed`, the first choice applies to all.
struct Dealer<'a> {
    list: &'a ReplacementList<'a>,
    segment: usize,
    fixed: bool,
    frozen: Option<u8>,
}

impl Dealer<'_> {
    /// Returns the glyph that all cells get, if there are no draws and no picks are recorded.
    fn only(&self, ctx: &Context) -> Option<u8> {
        match (&self.list.glyphs[..], &self.list.weights[..]) {
            (&[glyph], &[weight]) if weight > 0 && ctx.picked.is_none() => Some(glyph),
            _ => None,
        }
    }

    /// Returns the glyph of the next cell.
    #[inline]
    fn next(&mut self, ctx: &mut Context) -> Option<u8> {
        if self.frozen.is_some() {
            return self.frozen;
        }
        let index = ctx.pick(self.segment, &self.list.weights)?;
        let glyph = Some(self.list.glyphs[index]);
        if self.fixed {
            self.frozen = glyph;
        }
        glyph
    }
}

fn apply_nsubst(
    grid: &mut Grid,
    key: &[u8],
    segments: &[(Count, bool, ReplacementList)],
    ctx: &mut Context,
) {
    let mut cells = grid.find(&GlyphSet::new(key));
    ctx.rng.shuffle(&mut cells);
    let mut rest = cells.as_slice();
    for (index, (count, fixed, list)) in segments.iter().enumerate() {
        let take = match count {
            Count::Rest => rest.len(),
            Count::Cells(count) => (*count).min(rest.len()),
        };
        let (now, later) = rest.split_at(take);
        let mut dealer = Dealer { list, segment: index, fixed: *fixed, frozen: None };
        for &cell in now {
            if let Some(glyph) = dealer.next(ctx) {
                grid.set(cell, glyph);
            }
        }
        rest = later;
    }
}

fn shuffled_blocks(blocks: &[Vec<u8>], ctx: &mut Context) -> Vec<Vec<u8>> {
    let mut shuffled = blocks.to_vec();
    ctx.rng.shuffle(&mut shuffled);
    shuffled
}

fn drawn_one_by_one(blocks: &[Vec<u8>], ctx: &mut Context) -> Vec<Vec<u8>> {
    let mut rest = blocks.to_vec();
    let mut drawn = Vec::with_capacity(rest.len());
    while !rest.is_empty() {
        let index = ctx.rng.random2(rest.len() as i32) as usize;
        drawn.push(rest.remove(index));
    }
    drawn
}

/// Replaces each glyph of the blocks by the one at its position in the shuffled blocks.
fn exchange(grid: &mut Grid, blocks: &[Vec<u8>], shuffled: &[Vec<u8>]) {
    let mut to: [u8; 256] = std::array::from_fn(|glyph| glyph as u8);
    let (before, after) = (blocks.concat(), shuffled.concat());
    // Backwards, so that the first position of a repeated glyph counts.
    for (&old, &new) in before.iter().zip(&after).rev() {
        to[usize::from(old)] = new;
    }
    grid.map_glyphs(|glyph| to[usize::from(glyph)]);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Dungeon, LevelPlace};
    use vaultwright_content::{Content, Edition, Rules};
    use vaultwright_rng::Streams;

    #[test]
    fn glyphs_without_a_weight_weigh_ten() {
        let list = |text: &str| {
            let list = ReplacementList::parse(text.as_bytes()).expect("a list");
            (list.glyphs.into_owned(), list.weights.into_owned())
        };
        assert_eq!(list("xy"), (b"xy".to_vec(), vec![10, 10]));
        assert_eq!(list("xy"), list("x y"));
        assert_eq!(list("x:3 y"), (b"xy".to_vec(), vec![3, 10]));
        assert_eq!(list(":a").0, b":a");
        let many = "z".repeat(40);
        assert_eq!(list(&many), (many.clone().into_bytes(), vec![10; 40]));
    }

    #[test]
    fn transforms_draw_as_the_reference() {
        // spec 02 §20.2
        let content = Content::new(Rules::of(Edition::V0_28));
        let dungeon = Dungeon::standard(content.branches());
        let mut rng = Streams::from_seed(7, 43);
        let mut ctx = Context::new(&content, &mut rng, LevelPlace::START, &dungeon);
        let mut grid = Grid::from_rows(["abcdabcd  ", "xxaa/bb", "1234?????", "?abcd"]);
        grid.normalise();
        let steps = [
            (
                Transform::subst(b"?a=T:20 UV").unwrap(),
                "VbcdVbcd  |xxTV/bb   |1234TTUTT |VVbcd     ",
            ),
            (Transform::subst(b"b : mn:").unwrap(), "VncdVncd  |xxTV/nn   |1234TTUTT |VVncd     "),
            (
                Transform::nsubst(b"TUV = 2=w W:30 / 3:pq / yz").unwrap(),
                "pncdpncd  |xxWW/nn   |1234zyyzy |pzncd     ",
            ),
            (
                Some(Transform::shuffle(b"yz cd").unwrap()),
                "pncdpncd  |xxWW/nn   |1234yzzyz |pyncd     ",
            ),
            (
                Some(Transform::shuffle(b"12/34/wx").unwrap()),
                "pncdpncd  |xxWW/nn   |1234yzzyz |pyncd     ",
            ),
        ];
        for (transform, expected) in steps {
            transform.unwrap().apply(&mut grid, &mut ctx);
            assert_eq!(grid.rows().collect::<Vec<_>>().join(&b'|'), expected.as_bytes());
        }
    }
}
