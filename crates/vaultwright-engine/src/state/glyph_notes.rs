//! Which statements of a map had no effect, as far as its runs have shown.

use std::hash::BuildHasher;
use std::ops::Range;

use foldhash::HashMap;
use foldhash::fast::FixedState;
use vaultwright_map::{Count, FeatureKind, GlyphSet, MapDef, Transform};
use vaultwright_syntax::Header;

use crate::pack::library::Origin;

/// A statement: its header and its text.
pub type Statement = (Header, Box<[u8]>);

/// What a map's runs have done with its glyphs.
#[derive(Clone, Debug, Default)]
pub struct GlyphNotes {
    /// Statements that ran and have affected no cell so far; MONS and ITEM entries that no cell
    /// used.
    pub idle: Vec<Statement>,
    /// Glyphs for MONS and ITEM slots that a final drawing showed although the slot does not exist,
    /// with the number of existing slots.
    pub missing: Vec<(u8, usize)>,
    /// NSUBST statements that found fewer cells than they need in every run so far, with the
    /// largest number found and the number needed.
    pub short: Vec<(Box<[u8]>, usize, usize)>,
    /// Glyphs that a final drawing showed, and that no KFEAT, KMONS or KITEM defines.
    pub bare: Vec<u8>,
}

impl GlyphNotes {
    /// Returns whether there are no notes.
    pub(crate) fn is_empty(&self) -> bool {
        self.idle.is_empty()
            && self.missing.is_empty()
            && self.short.is_empty()
            && self.bare.is_empty()
    }

    /// Adds glyphs to those that nothing defines.
    fn note_bare(&mut self, glyphs: GlyphSet) {
        let new = glyphs.without(self.bare.iter().copied());
        self.bare.reserve(new.len());
        self.bare.extend(new.glyphs());
    }
}

/// The notes of one run.
#[derive(Debug, Default)]
pub(crate) struct RunNotes {
    /// The texts of statements, concatenated.
    texts: Vec<u8>,
    /// Hashes of the statements that had an effect.
    acted: Vec<u64>,
    idle: Vec<Noted>,
    /// NSUBST statements with the cells that they found and those that they need; 0 if they found
    /// enough in any case.
    dealt: Vec<(Noted, usize, usize)>,
    /// Statements that are evaluated at the end, with the glyphs they are about.
    late: Vec<(Noted, GlyphSet)>,
}

/// A statement whose text is in the notes.
#[derive(Clone, Debug)]
struct Noted {
    header: Header,
    text: Range<usize>,
}

/// The notes of all maps.
#[derive(Debug, Default)]
pub(crate) struct Noting {
    pub(crate) of_maps: HashMap<Origin, GlyphNotes>,
    /// Room for the notes of the next run, reused.
    spare: RunNotes,
}

impl Noting {
    /// Returns the notes of a new run.
    pub(crate) fn begin(&mut self) -> RunNotes {
        std::mem::take(&mut self.spare)
    }

    /// Adds the notes of a map's run to those of earlier runs.
    pub(crate) fn end(&mut self, run: RunNotes, origin: Origin, def: &MapDef, compiles: bool) {
        self.spare = run.add_to(self.of_maps.entry(origin).or_default(), def, compiles);
    }
}

impl RunNotes {
    /// Records a statement that is about to run.
    pub(crate) fn statement(&mut self, def: &MapDef, header: Header, text: &[u8]) {
        use Header::{
            Clear, Colour, Fheight, Ftile, Item, Kfeat, Kitem, Kmask, Kmons, Kprop, Marker, Mons,
            Nsubst, Rtile, Shuffle, Subst, Subvault, Tile,
        };
        let key = match header {
            Subst | Nsubst | Subvault | Colour | Ftile | Rtile | Tile | Fheight | Kprop
            | Marker => GlyphSet::new(key_of(text)),
            Shuffle | Clear => {
                let is_glyph = |byte: &u8| !matches!(byte, b' ' | b'\t' | b'/');
                GlyphSet::new(&text.iter().copied().filter(is_glyph).collect::<Vec<u8>>())
            }
            Kfeat | Kmons | Kitem | Kmask => {
                let noted = self.keep(header, text);
                self.late.push((noted, GlyphSet::new(key_of(text))));
                return;
            }
            Mons | Item => {
                let (first, slots) = match header {
                    Mons => (b'1', def.monsters.len()),
                    _ => (b'd', def.items.len()),
                };
                let glyph = u8::try_from(slots).ok().and_then(|slot| first.checked_add(slot));
                let noted = self.keep(header, text);
                self.late.push((noted, GlyphSet::new(glyph.as_slice())));
                return;
            }
            _ => return,
        };
        if key.is_empty() {
            return;
        }
        let acts = def.grid.has(&key);
        if acts && header == Header::Nsubst {
            let found = def.grid.count(&key);
            // Most find far more cells than they could need, whatever the numbers in them mean.
            let wanted = if found < most_wanted(text) { cells_wanted(text) } else { Some(0) };
            if let Some(wanted) = wanted {
                let noted = self.keep(header, text);
                self.dealt.push((noted, found, wanted));
            }
        }
        if acts {
            self.acted.push(hash(header, text));
        } else {
            let noted = self.keep(header, text);
            self.idle.push(noted);
        }
    }

    fn keep(&mut self, header: Header, text: &[u8]) -> Noted {
        let start = self.texts.len();
        self.texts.extend_from_slice(text);
        Noted { header, text: start..self.texts.len() }
    }

    fn text(&self, noted: &Noted) -> &[u8] {
        &self.texts[noted.text.clone()]
    }

    /// Adds a run of the map `def` to those before it. The first run, which `compiles` the map,
    /// lists what is idle; later ones remove from that list. Returns room for other notes.
    fn add_to(mut self, notes: &mut GlyphNotes, def: &MapDef, compiles: bool) -> RunNotes {
        let shown = def.grid.glyphs();
        let mut late = std::mem::take(&mut self.late);
        for (noted, key) in late.drain(..) {
            let acts = match noted.header {
                header @ (Header::Mons | Header::Item) => {
                    key.glyphs().any(|glyph| slot_is_used(def, &shown, glyph, header))
                }
                _ => key.glyphs().any(|glyph| shown.contains(glyph)),
            };
            if acts {
                self.acted.push(hash(noted.header, self.text(&noted)));
            } else {
                self.idle.push(noted);
            }
        }
        if compiles {
            self.begin(notes, def, &shown);
        }
        notes.note_bare(shown.without(def.keyed.keys().copied()));
        for (text, most, _) in &mut notes.short {
            let same = self.dealt.iter().filter(|(noted, ..)| self.text(noted) == &**text);
            *most = same.map(|(_, found, _)| *found).fold(*most, usize::max);
        }
        notes.short.retain(|(_, most, wanted)| most < wanted);
        notes.idle.retain(|(header, text)| !self.acted.contains(&hash(*header, text)));
        let RunNotes { mut texts, mut acted, mut idle, mut dealt, .. } = self;
        texts.clear();
        acted.clear();
        idle.clear();
        dealt.clear();
        RunNotes { texts, acted, idle, dealt, late }
    }

    fn begin(&self, notes: &mut GlyphNotes, def: &MapDef, shown: &GlyphSet) {
        let idle = self.idle.iter().map(|noted| (noted.header, Box::from(self.text(noted))));
        notes.idle = idle.collect();
        let short = self.dealt.iter().filter(|(_, found, wanted)| found < wanted);
        notes.short = short
            .map(|(noted, found, wanted)| (Box::from(self.text(noted)), *found, *wanted))
            .collect();
        notes.missing = missing_slots(def, shown);
    }
}

fn slot_is_used(def: &MapDef, shown: &GlyphSet, glyph: u8, header: Header) -> bool {
    let last = if header == Header::Mons { b'7' } else { b'k' };
    if glyph > last {
        return false;
    }
    let is_own =
        shown.contains(glyph) && def.keyed.get(&glyph).is_none_or(|keyed| !keyed.decides());
    let by_feature =
        def.keyed.iter().any(|(&key, keyed)| {
            shown.contains(key)
                && keyed.features.alternatives.iter().any(
                    |choice| matches!(choice.kind, FeatureKind::Glyph(other) if other == glyph),
                )
        });
    is_own || by_feature
}

fn missing_slots(def: &MapDef, shown: &GlyphSet) -> Vec<(u8, usize)> {
    let slots = [(b'1'..=b'7', def.monsters.len()), (b'd'..=b'k', def.items.len())];
    let mut missing = Vec::new();
    for (glyphs, count) in slots {
        for (slot, glyph) in glyphs.enumerate() {
            let decided = def.keyed.get(&glyph).is_some_and(|keyed| keyed.decides());
            if slot >= count && shown.contains(glyph) && !decided {
                missing.push((glyph, count));
            }
        }
    }
    missing
}

/// Returns no less than the segments of an NSUBST take: all numbers in it, and a cell for each
/// segment, which may go without a number.
fn most_wanted(text: &[u8]) -> usize {
    let mut most = 1_usize;
    let mut number = 0_usize;
    for &byte in text.iter().chain(b" ") {
        if byte.is_ascii_digit() {
            number = number.saturating_mul(10).saturating_add(usize::from(byte - b'0'));
        } else {
            most = most
                .saturating_add(std::mem::take(&mut number))
                .saturating_add(usize::from(byte == b'/'));
        }
    }
    most
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
    FixedState::default().hash_one((header, text))
}

fn key_of(text: &[u8]) -> &[u8] {
    vaultwright_map::split_key(text.trim_ascii()).map_or(b"", |(key, ..)| key)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_statement_never_wants_more_than_is_reckoned() {
        for text in [
            "R = R / E / E.",
            "R = 1:a / 12=b / *:c",
            "x = a",
            "x : 3=ab / 2:c2 d:5",
            "x = 99999999999999999999:a / b",
        ] {
            let wanted = cells_wanted(text.as_bytes());
            assert!(wanted.is_none_or(|wanted| wanted <= most_wanted(text.as_bytes())), "{text}");
        }
        assert_eq!(cells_wanted(b"R = R / E / E."), Some(2));
    }
}
