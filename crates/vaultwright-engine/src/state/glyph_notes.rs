//! Which statements of a map acted on nothing, as far as its runs have shown.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use vaultwright_map::{Count, FeatureKind, GlyphSet, MapDef, Transform};
use vaultwright_syntax::Header;

/// A statement: its header and its text.
pub type Statement = (Header, Box<[u8]>);

/// Notes of what a map's runs have done with its glyphs.
#[derive(Clone, Debug, Default)]
pub struct GlyphNotes {
    /// Statements that were run and have acted on no cell so far; entries of MONS and ITEM that no
    /// cell used.
    pub idle: Vec<Statement>,
    /// Glyphs for slots of MONS and ITEM that a drawing showed in the end although the slot does
    /// not exist, with the number of slots that do.
    pub missing: Vec<(u8, usize)>,
    /// NSUBST statements that found fewer cells than they deal out, in every run so far: how many
    /// they found at most, and how many they want.
    pub short: Vec<(Box<[u8]>, usize, usize)>,
    /// Glyphs that some drawing showed in the end, and of which no KFEAT, KMONS or KITEM says
    /// anything.
    pub bare: Vec<u8>,
}

impl GlyphNotes {
    /// Returns whether they say nothing.
    pub(crate) fn is_empty(&self) -> bool {
        self.idle.is_empty() && self.missing.is_empty() && self.short.is_empty()
    }
}

/// The notes of one run.
#[derive(Debug, Default)]
pub(crate) struct RunNotes {
    /// Hashes of those that have acted.
    acted: Vec<u64>,
    idle: Vec<Statement>,
    /// NSUBST statements with the cells that they found and those that they want.
    dealt: Vec<(Box<[u8]>, usize, usize)>,
    /// Statements that count at the end: about which glyphs they are.
    late: Vec<(Statement, Vec<u8>)>,
}

/// The notes of all maps.
#[derive(Debug, Default)]
pub(crate) struct Noting(pub(crate) HashMap<crate::pack::library::Origin, GlyphNotes>);

impl RunNotes {
    /// Notes a statement that is about to run.
    pub(crate) fn statement(&mut self, def: &MapDef, header: Header, text: &[u8]) {
        use Header::{
            Clear, Colour, Fheight, Ftile, Item, Kfeat, Kitem, Kmask, Kmons, Kprop, Marker, Mons,
            Nsubst, Rtile, Shuffle, Subst, Subvault, Tile,
        };
        let statement = || (header, Box::from(text));
        let key = match header {
            Subst | Nsubst | Subvault | Colour | Ftile | Rtile | Tile | Fheight | Kprop
            | Marker => key_of(text),
            Shuffle | Clear => {
                text.iter().copied().filter(|byte| !matches!(byte, b' ' | b'\t' | b'/')).collect()
            }
            Kfeat | Kmons | Kitem | Kmask => {
                let key = key_of(text);
                self.late.push((statement(), key));
                return;
            }
            Mons | Item => {
                let (first, slots) = match header {
                    Mons => (b'1', def.monsters.len()),
                    _ => (b'd', def.items.len()),
                };
                let glyph = u8::try_from(slots).ok().and_then(|slot| first.checked_add(slot));
                self.late.push((statement(), glyph.into_iter().collect()));
                return;
            }
            _ => return,
        };
        if key.is_empty() {
            return;
        }
        let key = GlyphSet::new(&key);
        let acts = def.grid.has(&key);
        if let (true, Header::Nsubst, Some(wanted)) = (acts, header, cells_wanted(text)) {
            let cells = def.grid.rows().iter().flatten().filter(|&&glyph| key.contains(glyph));
            self.dealt.push((Box::from(text), cells.count(), wanted));
        }
        self.note(header, text, acts);
    }

    fn note(&mut self, header: Header, text: &[u8], acts: bool) {
        if acts {
            self.acted.push(hash(header, text));
        } else {
            self.idle.push((header, Box::from(text)));
        }
    }

    /// Notes what the map is at the end of a run.
    pub(crate) fn finish(mut self, def: &MapDef) -> Self {
        let shown = shown_glyphs(def);
        for (statement, key) in std::mem::take(&mut self.late) {
            let is_slot = matches!(statement.0, Header::Mons | Header::Item);
            let acts = key.iter().any(|&glyph| match is_slot {
                true => slot_is_used(def, &shown, glyph, statement.0),
                false => shown[usize::from(glyph)],
            });
            self.note(statement.0, &statement.1, acts);
        }
        self
    }

    /// Says what is idle, as the first run does, when the map is compiled; those after it take from
    /// that.
    pub(crate) fn begin(&self, def: &MapDef, notes: &mut GlyphNotes) {
        let is_short = |(_, found, wanted): &&(Box<[u8]>, usize, usize)| found < wanted;
        notes.idle.clone_from(&self.idle);
        notes.short = self.dealt.iter().filter(is_short).cloned().collect();
        notes.missing = missing_slots(def);
    }

    /// Adds a run to what those before it, and it itself if it is the first, have shown.
    pub(crate) fn merge_into(self, def: &MapDef, notes: &mut GlyphNotes) {
        let RunNotes { acted, dealt, .. } = self;
        let shown = shown_glyphs(def);
        for glyph in 0..=u8::MAX {
            let is_bare = shown[usize::from(glyph)] && !def.keyed.contains_key(&glyph);
            if is_bare && !notes.bare.contains(&glyph) {
                notes.bare.push(glyph);
            }
        }
        for (text, most, _) in &mut notes.short {
            let found =
                dealt.iter().filter(|(other, ..)| other == text).map(|(_, found, _)| *found);
            *most = found.fold(*most, usize::max);
        }
        notes.short.retain(|(_, most, wanted)| most < wanted);
        notes.idle.retain(|(header, text)| !acted.contains(&hash(*header, text)));
    }
}

/// Returns the glyphs of the drawing, and those that KFEAT puts in the place of one.
fn shown_glyphs(def: &MapDef) -> [bool; 256] {
    let mut shown = [false; 256];
    for &glyph in def.grid.rows().iter().flatten() {
        shown[usize::from(glyph)] = true;
    }
    shown
}

fn slot_is_used(def: &MapDef, shown: &[bool; 256], glyph: u8, header: Header) -> bool {
    let last = if header == Header::Mons { b'7' } else { b'k' };
    if glyph > last {
        return false;
    }
    let is_own =
        shown[usize::from(glyph)] && def.keyed.get(&glyph).is_none_or(|keyed| !keyed.decides());
    let by_feature =
        def.keyed.iter().any(|(&key, keyed)| {
            shown[usize::from(key)]
                && keyed.features.alternatives.iter().any(
                    |choice| matches!(choice.kind, FeatureKind::Glyph(other) if other == glyph),
                )
        });
    is_own || by_feature
}

fn missing_slots(def: &MapDef) -> Vec<(u8, usize)> {
    let shown = shown_glyphs(def);
    let slots = [(b'1'..=b'7', def.monsters.len()), (b'd'..=b'k', def.items.len())];
    let mut missing = Vec::new();
    for (glyphs, count) in slots {
        for (slot, glyph) in glyphs.enumerate() {
            let decided = def.keyed.get(&glyph).is_some_and(|keyed| keyed.decides());
            if slot >= count && shown[usize::from(glyph)] && !decided {
                missing.push((glyph, count));
            }
        }
    }
    missing
}

/// Returns how many cells the segments of an NSUBST take that name a number.
fn cells_wanted(text: &[u8]) -> Option<usize> {
    let Ok(Some(Transform::Nsubst { segments, .. })) = Transform::nsubst(text) else { return None };
    let counts = segments.iter().map(|(count, ..)| match count {
        Count::Cells(cells) => *cells,
        Count::Rest => 0,
    });
    Some(counts.sum())
}

fn hash(header: Header, text: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    (header, text).hash(&mut hasher);
    hasher.finish()
}

fn key_of(text: &[u8]) -> Vec<u8> {
    vaultwright_map::split_key(text.trim_ascii()).map_or(Vec::new(), |(key, ..)| key.to_vec())
}
