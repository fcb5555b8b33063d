//! Which lines of a map say something of a glyph.

use vaultwright::LibraryMap;
use vaultwright::map::split_key;
use vaultwright::syntax::{Argument, ChunkKind, Header, PieceBody};

/// A statement about glyphs.
pub struct Statement {
    /// Its line, from 0.
    pub line: u32,
    /// As it is written, on one line.
    pub text: String,
    /// Which glyphs it is about.
    pub glyphs: Vec<u8>,
    /// Which glyphs it may put in their place.
    pub becomes: Vec<u8>,
    /// Whether it is said of the glyphs that the drawing has in the end.
    pub at_end: bool,
}

/// Returns the statements of a map in source order.
pub fn statements(entry: &LibraryMap) -> Vec<Statement> {
    let text = &entry.file.source.text;
    let (mut monsters, mut items) = (b'1', b'd');
    let mut list = Vec::new();
    for piece in &entry.syntax().chunk(ChunkKind::Main).pieces {
        let PieceBody::Call(header, Argument::Text(argument)) = &piece.body else { continue };
        let argument = argument.bytes(text);
        let key = || split_key(argument.trim_ascii()).map_or(Vec::new(), |(key, ..)| key.to_vec());
        let mut becomes = Vec::new();
        let (glyphs, at_end) = match header {
            Header::Mons => (next(&mut monsters, b'7'), true),
            Header::Item => (next(&mut items, b'k'), true),
            Header::Kfeat | Header::Kmons | Header::Kitem | Header::Kmask => (key(), true),
            Header::Subst | Header::Nsubst => {
                becomes = behind_separator(argument);
                (key(), false)
            }
            Header::Shuffle | Header::Clear => {
                let mut glyphs: Vec<u8> = argument.to_vec();
                glyphs.retain(|byte| !matches!(byte, b' ' | b'\t' | b'/' | b','));
                (glyphs, false)
            }
            Header::Subvault
            | Header::Colour
            | Header::Ftile
            | Header::Rtile
            | Header::Tile
            | Header::Fheight
            | Header::Kprop
            | Header::Marker => (key(), false),
            _ => continue,
        };
        let argument = String::from_utf8_lossy(argument);
        let argument = argument.split_whitespace().collect::<Vec<_>>().join(" ");
        let text = format!("{} {argument}", header.keyword());
        list.push(Statement { line: piece.line - 1, text, glyphs, becomes, at_end });
    }
    list
}

fn next(slot: &mut u8, last: u8) -> Vec<u8> {
    let own = *slot;
    *slot = slot.saturating_add(1);
    if own <= last { vec![own] } else { Vec::new() }
}

/// Returns what may be among the replacements: all that stands behind the separator but weights.
fn behind_separator(argument: &[u8]) -> Vec<u8> {
    let behind = argument.iter().position(|byte| matches!(byte, b'=' | b':'));
    let behind = behind.map_or(&[][..], |at| &argument[at + 1..]);
    let mut glyphs: Vec<u8> = behind.to_vec();
    glyphs.retain(|byte| !byte.is_ascii_whitespace());
    glyphs.sort_unstable();
    glyphs.dedup();
    glyphs
}
