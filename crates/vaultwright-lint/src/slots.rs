//! The slots of a map: entries of MONS and ITEM, each of which a glyph stands for.

use std::ops::RangeInclusive;

use vaultwright_syntax::Header;

/// A kind of slots.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SlotKind {
    Monsters,
    Items,
}

impl SlotKind {
    pub(crate) const ALL: [SlotKind; 2] = [SlotKind::Monsters, SlotKind::Items];

    /// Returns the header that fills the slots.
    pub(crate) fn header(self) -> Header {
        match self {
            SlotKind::Monsters => Header::Mons,
            SlotKind::Items => Header::Item,
        }
    }

    /// Returns the header's name, without the colon.
    pub(crate) fn name(self) -> &'static str {
        self.header().keyword().trim_end_matches(':')
    }

    /// Returns the glyphs of the slots, in their order.
    pub(crate) fn glyphs(self) -> RangeInclusive<u8> {
        match self {
            SlotKind::Monsters => b'1'..=b'7',
            SlotKind::Items => b'd'..=b'k',
        }
    }

    /// Returns the number of the slot of a glyph, from 0.
    pub(crate) fn slot(self, glyph: u8) -> Option<usize> {
        let glyphs = self.glyphs();
        glyphs.contains(&glyph).then(|| usize::from(glyph - glyphs.start()))
    }
}
