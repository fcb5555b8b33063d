//! How a trace tells texts, maps and heights (goldens/README, "The trace").

use vaultwright_level::Level;
use vaultwright_map::Grid;

/// The longest text of a script's argument that is shown, in bytes.
const MAX_TEXT_LENGTH: usize = 40;

/// Returns a text among the arguments of a call.
pub(crate) fn shown_text(text: &[u8]) -> String {
    let cut = &text[..text.len().min(MAX_TEXT_LENGTH)];
    cut.iter().map(|&byte| char::from(byte)).collect()
}

/// Returns size and glyphs of a map.
pub(crate) fn shape(grid: &Grid) -> String {
    let mut hash = Fnv::default();
    grid.rows().for_each(|row| hash.line(row));
    format!("size={}x{} glyphs={:08x}", grid.width(), grid.height(), hash.0 as u32)
}

/// Returns the names of maps, as one number.
pub(crate) fn list_hash<'a>(names: impl Iterator<Item = &'a str>) -> u32 {
    let mut hash = Fnv::default();
    names.for_each(|name| hash.line(name.as_bytes()));
    hash.0 as u32
}

/// Returns a hash of the heights of a level, as a trace has it.
pub(crate) fn heights_hash(level: &Level) -> String {
    let mut hash = Fnv::default();
    level.points().for_each(|p| hash.line(level.height(p).to_string().as_bytes()));
    format!("heights={:08x}", hash.0 as u32)
}

/// 64-bit FNV-1a.
pub(super) struct Fnv(pub(super) u64);

impl Default for Fnv {
    fn default() -> Fnv {
        Fnv(14_695_981_039_346_656_037)
    }
}

impl Fnv {
    pub(super) fn line(&mut self, bytes: &[u8]) {
        for &byte in bytes.iter().chain(b"\n") {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(1_099_511_628_211);
        }
    }
}
