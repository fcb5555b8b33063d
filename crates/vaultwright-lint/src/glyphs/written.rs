//! Which glyphs a map's drawing, headers and Lua write.

use vaultwright_syntax::{Argument, Chunk, ChunkKind, Header, PieceBody};

use crate::View;

/// A set of glyphs.
#[derive(Clone)]
pub(super) struct Glyphs([bool; 256]);

impl Glyphs {
    pub(super) const NONE: Glyphs = Glyphs([false; 256]);

    pub(super) fn insert(&mut self, glyph: u8) {
        self.0[usize::from(glyph)] = true;
    }

    pub(super) fn extend<'g>(&mut self, glyphs: impl IntoIterator<Item = &'g u8>) {
        glyphs.into_iter().for_each(|&glyph| self.insert(glyph));
    }

    pub(super) fn contains(&self, glyph: u8) -> bool {
        self.0[usize::from(glyph)]
    }

    pub(super) fn remove(&mut self, glyphs: &[u8]) {
        glyphs.iter().for_each(|&glyph| self.0[usize::from(glyph)] = false);
    }
}

/// Returns whether a line gives a glyph a look, a property or a marker, changes or moves it, or
/// Lua names it: then it may be floor on purpose.
pub(super) fn is_named(view: &View) -> Box<dyn Fn(u8) -> bool> {
    let mut glyphs = Glyphs::NONE;
    for piece in &view.map.chunk(ChunkKind::Main).pieces {
        match &piece.body {
            PieceBody::Call(
                Header::Colour
                | Header::Ftile
                | Header::Rtile
                | Header::Tile
                | Header::Fheight
                | Header::Kprop
                | Header::Kmask
                | Header::Marker
                | Header::Kfeat
                | Header::Kmons
                | Header::Kitem,
                Argument::Text(text),
            ) => glyphs.extend(&key_of(text.bytes(view.text())).unwrap_or_default()),
            PieceBody::Call(Header::Subst | Header::Nsubst, Argument::Text(text)) => {
                // One line may have several, with commas between them.
                for part in text.bytes(view.text()).split(|&byte| byte == b',') {
                    glyphs.extend(&key_of(part).unwrap_or_default());
                }
            }
            PieceBody::Call(Header::Shuffle | Header::Clear, Argument::Text(text)) => {
                glyphs.extend(text.bytes(view.text()));
            }
            PieceBody::LuaMarker { key, .. } => glyphs.insert(*key),
            _ => {}
        }
    }
    let own = ChunkKind::ALL.iter().map(|&kind| view.map.chunk(kind));
    for chunk in own.chain([&view.file.tree.global_prelude]) {
        glyphs.extend(glyphs_in_lua(chunk, view.text()));
    }
    Box::new(move |glyph| glyphs.contains(glyph))
}

/// Returns whether Lua of a map may put glyphs on it that stand in no text of its own: in
/// functions that get the map, or in texts that are put together.
pub(super) fn may_draw(view: &View) -> bool {
    const WORDS: [&str; 5] = ["_G", "mapgrd", "..", "fill_area", "replace_"];
    ChunkKind::ALL.iter().flat_map(|&kind| &view.map.chunk(kind).pieces).any(|piece| {
        let PieceBody::Lua(text) = &piece.body else { return false };
        let text = text.str(view.text());
        WORDS.iter().any(|word| text.contains(word))
    })
}

pub(super) fn drawn_glyphs(view: &View) -> Glyphs {
    let mut glyphs = Glyphs::NONE;
    let mut length = None;
    for piece in &view.map.chunk(ChunkKind::Map).pieces {
        if let PieceBody::Row(text) = &piece.body {
            let row = text.bytes(view.text());
            glyphs.extend(row);
            // Short rows are filled with blanks.
            if length.replace(row.len()).is_some_and(|length| length != row.len()) {
                glyphs.insert(b' ');
            }
        }
    }
    glyphs
}

/// Returns the glyphs in texts of Lua that are short enough to name glyphs, or have the form of a
/// statement.
pub(super) fn glyphs_in_lua<'c>(
    chunk: &'c Chunk,
    source: &'c [u8],
) -> impl Iterator<Item = &'c u8> {
    chunk.pieces.iter().flat_map(|piece| {
        let text = match &piece.body {
            PieceBody::Lua(text) => text.bytes(source),
            PieceBody::LuaMarker { expression, .. } => expression.bytes(source),
            _ => b"",
        };
        let quoted = |quote: u8| {
            let mut quotes = memchr::memchr_iter(quote, text);
            std::iter::from_fn(move || {
                let start = quotes.next()? + 1;
                Some(&text[start..quotes.next().unwrap_or(text.len())])
            })
        };
        let names_glyphs =
            |text: &&[u8]| text.len() <= 6 || text.iter().any(|byte| matches!(byte, b'=' | b':'));
        quoted(b'"').chain(quoted(b'\'')).filter(names_glyphs).flatten()
    })
}

pub(super) fn key_of(text: &[u8]) -> Option<Vec<u8>> {
    vaultwright_map::split_key(text.trim_ascii()).ok().map(|(key, _, _)| key.to_vec())
}
