//! Sets of glyphs, and finding them in a text.

/// A set of glyphs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[must_use]
pub struct GlyphSet([u64; 4]);

impl GlyphSet {
    /// Returns the set of the glyphs in a text.
    #[inline]
    pub const fn new(glyphs: &[u8]) -> GlyphSet {
        let mut bits = [0; 4];
        let mut index = 0;
        while index < glyphs.len() {
            bits[(glyphs[index] >> 6) as usize] |= 1 << (glyphs[index] & 63);
            index += 1;
        }
        GlyphSet(bits)
    }

    /// Returns the set of the glyphs for which `suits` is true.
    pub fn of(suits: impl Fn(u8) -> bool) -> GlyphSet {
        let mut bits = [0; 4];
        for glyph in (0..=u8::MAX).filter(|&glyph| suits(glyph)) {
            bits[usize::from(glyph >> 6)] |= 1 << (glyph & 63);
        }
        GlyphSet(bits)
    }

    /// Returns the set of the glyphs whose entry is 1, not 0.
    pub(crate) fn of_shown(shown: &[u8; 256]) -> GlyphSet {
        let mut bits = [0; 4];
        for (bits, shown) in bits.iter_mut().zip(shown.as_chunks::<64>().0) {
            for (eight, place) in shown.as_chunks::<8>().0.iter().zip((0..).step_by(8)) {
                // Eight bytes of 0 or 1 become eight bits.
                let packed = u64::from_le_bytes(*eight).wrapping_mul(0x0102_0408_1020_4080) >> 56;
                *bits |= packed << place;
            }
        }
        GlyphSet(bits)
    }

    /// Adds a glyph.
    pub fn add(&mut self, glyph: u8) {
        self.0[usize::from(glyph >> 6)] |= 1 << (glyph & 63);
    }

    /// Returns the glyphs in order.
    pub fn glyphs(&self) -> impl Iterator<Item = u8> + '_ {
        self.0.iter().zip([0, 64, 128, 192]).flat_map(|(&bits, first)| {
            let mut left = bits;
            std::iter::from_fn(move || {
                let next = (left != 0).then(|| first + left.trailing_zeros() as u8)?;
                left &= left - 1;
                Some(next)
            })
        })
    }

    /// Returns the set without the given glyphs.
    pub fn without(mut self, glyphs: impl IntoIterator<Item = u8>) -> GlyphSet {
        for glyph in glyphs {
            self.0[usize::from(glyph >> 6)] &= !(1 << (glyph & 63));
        }
        self
    }

    /// Returns the number of glyphs.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.iter().map(|bits| bits.count_ones() as usize).sum()
    }

    /// Returns whether the set is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0 == [0; 4]
    }

    /// Returns whether the set contains a glyph.
    #[inline]
    pub fn contains(&self, glyph: u8) -> bool {
        self.0[usize::from(glyph >> 6)] & 1 << (glyph & 63) != 0
    }

    /// Calls `tell` with each index of the text that has a glyph of the set, in order.
    pub(crate) fn each_place_in(&self, text: &[u8], tell: impl FnMut(usize)) {
        let mut glyphs = self.glyphs();
        match (glyphs.next(), glyphs.next(), glyphs.next(), glyphs.next()) {
            // For three glyphs or fewer, many cells are compared at once.
            (Some(a), None, ..) => each_place(text, [a], tell),
            (Some(a), Some(b), None, _) => each_place(text, [a, b], tell),
            (Some(a), Some(b), Some(c), None) => each_place(text, [a, b, c], tell),
            _ => self.each_of_many(text, tell),
        }
    }

    /// The same for many glyphs, most of which are consecutive, as digits are.
    fn each_of_many(&self, text: &[u8], mut tell: impl FnMut(usize)) {
        let mut look = |part: &[u8], start: usize| {
            let found = part.iter().zip(start..).filter(|&(&glyph, _)| self.contains(glyph));
            found.for_each(|(_, place)| tell(place));
        };
        let (ranges, count) = self.ranges::<4>();
        let Some(ranges) = ranges.get(..count) else { return look(text, 0) };
        let (blocks, rest) = text.as_chunks::<32>();
        for (block, start) in blocks.iter().zip((0..).step_by(32)) {
            // Most blocks contain none, so all cells of a block are checked at once.
            let has = |&(first, more): &(u8, u8)| {
                let is_within = |cell: &u8| cell.wrapping_sub(first) <= more;
                block.iter().fold(false, |any, cell| any | is_within(cell))
            };
            if ranges.iter().any(has) {
                look(block, start);
            }
        }
        look(rest, blocks.len() * 32);
    }

    /// Returns the first ranges of consecutive glyphs, each as its first glyph and the number of
    /// glyphs after it, and the number of ranges.
    fn ranges<const N: usize>(&self) -> ([(u8, u8); N], usize) {
        let (mut ranges, mut count) = ([(0, 0); N], 0);
        let mut last = None;
        for glyph in self.glyphs() {
            if last.is_none_or(|last: u8| last + 1 < glyph) {
                count += 1;
                if let Some(range) = ranges.get_mut(count - 1) {
                    *range = (glyph, 0);
                }
            } else if let Some((_, more)) = ranges.get_mut(count - 1) {
                *more += 1;
            }
            last = Some(glyph);
        }
        (ranges, count)
    }
}

/// Calls `tell` with each index of the text that has one of few glyphs, in order.
fn each_place<const N: usize>(text: &[u8], glyphs: [u8; N], mut tell: impl FnMut(usize)) {
    const LOW: u64 = u64::from_le_bytes([0x7f; 8]);
    let is_wanted = |cell: &u8| glyphs.iter().fold(false, |wanted, glyph| wanted | (cell == glyph));
    let (blocks, rest) = text.as_chunks::<32>();
    for (block, first) in blocks.iter().zip((0..).step_by(32)) {
        // Most blocks contain none, so all cells of a block are checked at once.
        if !block.iter().fold(false, |any, cell| any | is_wanted(cell)) {
            continue;
        }
        for (word, start) in block.as_chunks::<8>().0.iter().zip((first..).step_by(8)) {
            let word = u64::from_le_bytes(*word);
            // The highest bit of each byte that is the glyph.
            let is = |glyph: u8| {
                let other = word ^ u64::from_le_bytes([glyph; 8]);
                !(((other & LOW) + LOW) | other | LOW)
            };
            let mut found = glyphs.iter().fold(0, |found, &glyph| found | is(glyph));
            while found != 0 {
                tell(start + found.trailing_zeros() as usize / 8);
                found &= found - 1;
            }
        }
    }
    let places = (blocks.len() * 32..).zip(rest).filter(|(_, cell)| is_wanted(cell));
    places.for_each(|(place, _)| tell(place));
}
