//! What a build notes of its steps (goldens/README, "The trace").

use vaultwright_content::Content;
use vaultwright_level::{Level, StepState};
use vaultwright_map::{Context, Grid};

/// The longest text of a script's argument that is shown, in bytes.
const LONGEST_TEXT: usize = 40;

/// Notes a step on a level, if anybody wants to know.
pub(crate) fn note_on(
    level: &mut Level,
    ctx: &Context,
    name: &'static str,
    detail: impl FnOnce() -> String,
) {
    let draws = ctx.rng.draws_of(level.journal.stream);
    note_as_of(level, ctx.content, name, draws, detail);
}

/// As [`note_on`], for a step that was over when so many draws had been made.
pub(crate) fn note_as_of(
    level: &mut Level,
    content: &Content,
    name: &'static str,
    draws: u64,
    detail: impl FnOnce() -> String,
) {
    if level.journal.is_open() {
        let state = state_of(level, content);
        level.journal.add(name, draws, state, detail());
        match name {
            // What an attempt leaves behind is nothing to the next one.
            "attempt" => level.journal.begin_film_anew(),
            _ => level.film(content.features()),
        }
    }
}

/// A text among the arguments of a call.
pub(crate) fn shown_text(text: &[u8]) -> String {
    let cut = &text[..text.len().min(LONGEST_TEXT)];
    cut.iter().map(|&byte| char::from(byte)).collect()
}

/// Size and glyphs of a map.
pub(crate) fn shape(grid: &Grid) -> String {
    let mut hash = Fnv::default();
    grid.rows().iter().for_each(|row| hash.line(row));
    format!("size={}x{} glyphs={:08x}", grid.width(), grid.height(), hash.0 as u32)
}

/// The names of maps, as one number.
pub(crate) fn list_hash<'a>(names: impl Iterator<Item = &'a str>) -> u32 {
    let mut hash = Fnv::default();
    names.for_each(|name| hash.line(name.as_bytes()));
    hash.0 as u32
}

/// The heights of a level.
pub(crate) fn heights_hash(level: &Level) -> String {
    let mut hash = Fnv::default();
    level.points().for_each(|p| hash.line(level.height(p).to_string().as_bytes()));
    format!("heights={:08x}", hash.0 as u32)
}

fn state_of(level: &Level, content: &Content) -> StepState {
    let features = content.features();
    let mut hash = Fnv::default();
    level.features().iter().for_each(|&id| hash.line(features.get(id).name.as_bytes()));
    let items = level.items.values().map(Vec::len).sum();
    StepState { hash: hash.0, monsters: level.monsters.len(), items }
}

/// 64-bit FNV-1a.
struct Fnv(u64);

impl Default for Fnv {
    fn default() -> Fnv {
        Fnv(14_695_981_039_346_656_037)
    }
}

impl Fnv {
    fn line(&mut self, bytes: &[u8]) {
        for &byte in bytes.iter().chain(b"\n") {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(1_099_511_628_211);
        }
    }
}
