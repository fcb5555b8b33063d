//! What belongs to an interpreter and its scripts, whatever is made with them.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use foldhash::HashMap;

use super::glyph_notes::GlyphNotes;
use super::left_behind::LeftBehind;
use crate::pack::library::Origin;
use crate::pack::problem::Problem;

/// How many messages are kept until they are taken.
const MAX_MESSAGES: usize = 10_000;
/// How many bytes of them.
const MAX_MESSAGE_BYTES: usize = 32 << 20;

/// What scripts have printed, and what went wrong without stopping anything.
#[derive(Debug, Default)]
pub(crate) struct Messages {
    /// With the place of a file where it was said, if that is known.
    texts: Vec<(Option<String>, String)>,
    bytes: usize,
}

impl Messages {
    /// Adds a message, as long as there is room.
    pub(crate) fn add(&mut self, place: Option<String>, message: String) {
        let bytes = self.bytes + message.len();
        if self.texts.len() < MAX_MESSAGES && bytes <= MAX_MESSAGE_BYTES {
            self.bytes = bytes;
            self.texts.push((place, message));
        }
    }

    /// Returns how many there are.
    pub(crate) fn count(&self) -> usize {
        self.texts.len()
    }

    /// Takes all messages.
    pub(crate) fn take(&mut self) -> Vec<(Option<String>, String)> {
        std::mem::take(self).texts
    }
}

/// What the scripts have loaded and declared.
#[derive(Debug, Default)]
pub(crate) struct Loading {
    /// The files of the library that ran, in order.
    pub(crate) libraries: Vec<String>,
    /// Whether maps have said anything while they were compiled.
    pub(crate) told_while_compiling: bool,
    /// Maps that have compiled without a word, with what that has shown of their glyphs.
    pub(crate) alone: HashMap<Origin, Option<Box<GlyphNotes>>>,
    /// The files whose maps have left something behind for others while they were compiled, and
    /// what there was then.
    pub(crate) left_behind: BTreeMap<usize, LeftBehind>,
    /// The files whose Lua outside maps others replace in part; `None` before that was looked for.
    pub(crate) overridden: Option<HashSet<usize>>,
    /// The globals that the library of scripts does not have, with the files whose Lua outside
    /// maps gives them.
    pub(crate) givers: HashMap<Box<[u8]>, Vec<usize>>,
    /// What is wrong with the Lua outside maps, by file.
    pub(crate) prelude_problems: Vec<(usize, Problem)>,
    /// Tags that are known beside those of the tables.
    pub(crate) extra_flags: BTreeSet<String>,
}

impl Loading {
    /// Returns what the files before this one have left behind.
    pub(crate) fn left_before(&self, file: usize) -> LeftBehind {
        let last = self.left_behind.range(..file).next_back();
        last.map_or_else(LeftBehind::default, |(_, left)| left.clone())
    }
}
