//! The glyphs in a map's drawing, headers and Lua.

use std::ops::Range;

use vaultwright_syntax::{Argument, Chunk, ChunkKind, Header, PieceBody};

use crate::View;

/// A set of glyphs.
#[derive(Clone)]
pub(crate) struct Glyphs([bool; 256]);

impl Glyphs {
    pub(super) const NONE: Glyphs = Glyphs([false; 256]);
    pub(super) const ALL: Glyphs = Glyphs([true; 256]);

    pub(super) fn of(glyphs: &[u8]) -> Glyphs {
        let mut set = Glyphs::NONE;
        set.extend(glyphs);
        set
    }

    pub(super) fn insert(&mut self, glyph: u8) {
        self.0[usize::from(glyph)] = true;
    }

    pub(crate) fn extend<'g>(&mut self, glyphs: impl IntoIterator<Item = &'g u8>) {
        glyphs.into_iter().for_each(|&glyph| self.insert(glyph));
    }

    pub(crate) fn extend_by(&mut self, glyphs: &Glyphs) {
        self.0.iter_mut().zip(&glyphs.0).for_each(|(own, &other)| *own |= other);
    }

    pub(super) fn has_any(&self, mut glyphs: std::ops::RangeInclusive<u8>) -> bool {
        glyphs.any(|glyph| self.contains(glyph))
    }

    pub(crate) fn contains(&self, glyph: u8) -> bool {
        self.0[usize::from(glyph)]
    }

    pub(super) fn remove(&mut self, glyphs: &[u8]) {
        glyphs.iter().for_each(|&glyph| self.0[usize::from(glyph)] = false);
    }
}

/// Returns whether a header begins with the glyphs of the cells that it is about.
pub(crate) fn has_key(header: Header) -> bool {
    matches!(
        header,
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
            | Header::Kitem
    )
}

/// Returns whether a line gives a glyph a look, a property or a marker, changes or moves it, or Lua
/// names it: then it may be floor on purpose.
pub(super) fn is_named(view: &View) -> Box<dyn Fn(u8) -> bool> {
    let mut glyphs = Glyphs::NONE;
    for piece in view.main() {
        match &piece.body {
            PieceBody::Call(header, Argument::Text(text)) if has_key(*header) => {
                glyphs.extend(&key_of(text.bytes(view.text())).unwrap_or_default());
            }
            PieceBody::Call(Header::Subst | Header::Nsubst, Argument::Text(text)) => {
                // A line may contain several, separated by commas.
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
    glyphs.extend_by(&glyphs_in_lua(view));
    Box::new(move |glyph| glyphs.contains(glyph))
}

/// Returns whether Lua of a map may put glyphs on it that stand in no text of its own: in
/// functions that get the map, or in texts that are put together.
pub(crate) fn may_draw(view: &View) -> bool {
    const WORDS: [&str; 5] = ["_G", "mapgrd", "..", "fill_area", "replace_"];
    ChunkKind::ALL.iter().flat_map(|&kind| &view.map.chunk(kind).pieces).any(|piece| {
        let PieceBody::Lua(text) = &piece.body else { return false };
        let text = text.str(view.text());
        WORDS.iter().any(|word| text.contains(word))
    })
}

pub(crate) fn drawn_glyphs(view: &View) -> Glyphs {
    let mut glyphs = Glyphs::NONE;
    let mut length = None;
    for (_, row) in view.rows() {
        glyphs.extend(row);
        // Short rows are padded with blanks.
        if length.replace(row.len()).is_some_and(|length| length != row.len()) {
            glyphs.insert(b' ');
        }
    }
    glyphs
}

/// Which texts of Lua are read as glyphs.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Reading {
    /// All that may name glyphs.
    Names,
    /// Those that may put glyphs on the map.
    Draws,
}

/// Returns the glyphs in strings of the map's Lua, and of the Lua before it in its file, that are
/// short enough to name glyphs, or have the form of a statement.
pub(super) fn glyphs_in_lua(view: &View) -> Glyphs {
    glyphs_in_lua_but(view, &|_| false)
}

/// As [`glyphs_in_lua`], but only those that Lua may put on the map: not the glyphs that it gives a
/// monster or a feature, and not those in the Lua of markers, which runs when the map is placed.
pub(super) fn glyphs_drawn_in_lua(view: &View) -> Glyphs {
    read_glyphs(view, Reading::Draws, &|_| false)
}

/// As [`glyphs_in_lua`], without those texts of the map that begin at bytes of the source which are
/// left out.
pub(crate) fn glyphs_in_lua_but(view: &View, is_left_out: &dyn Fn(usize) -> bool) -> Glyphs {
    read_glyphs(view, Reading::Names, is_left_out)
}

fn read_glyphs(view: &View, reading: Reading, is_left_out: &dyn Fn(usize) -> bool) -> Glyphs {
    let mut glyphs = view.readings.prelude(view.file, reading, || {
        let mut glyphs = Glyphs::NONE;
        let prelude = &view.file.tree.global_prelude;
        add_glyphs_in_lua(&mut glyphs, prelude, view.text(), reading, &|_| false);
        glyphs
    });
    for kind in ChunkKind::ALL {
        add_glyphs_in_lua(&mut glyphs, view.map.chunk(kind), view.text(), reading, is_left_out);
    }
    glyphs
}

fn add_glyphs_in_lua(
    glyphs: &mut Glyphs,
    chunk: &Chunk,
    source: &[u8],
    reading: Reading,
    is_left_out: &dyn Fn(usize) -> bool,
) {
    for piece in &chunk.pieces {
        let text = match &piece.body {
            PieceBody::Lua(text) => text,
            PieceBody::LuaMarker { expression, .. } if reading == Reading::Names => expression,
            _ => continue,
        };
        let (begin, text) = (text.span().start, text.bytes(source));
        for quote in [b'"', b'\''] {
            let mut quotes = memchr::memchr_iter(quote, text);
            while let Some(start) = quotes.next() {
                let quoted = &text[start + 1..quotes.next().unwrap_or(text.len())];
                let is_statement = || quoted.iter().any(|byte| matches!(byte, b'=' | b':'));
                let may_draw =
                    || reading == Reading::Names || !draws_nothing(&text[..start], quoted);
                if (quoted.len() <= 6 || is_statement())
                    && may_draw()
                    && !is_left_out(begin + start + 1)
                {
                    glyphs.extend(quoted);
                }
            }
        }
    }
}

/// Functions of maps and messages whose texts put no glyph on the map.
const DRAWING_NOTHING: [&[u8]; 22] = [
    b"kfeat",
    b"kmons",
    b"kitem",
    b"kmask",
    b"kprop",
    b"mons",
    b"item",
    b"colour",
    b"ftile",
    b"rtile",
    b"tile",
    b"lua_marker",
    b"marker",
    b"tags",
    b"desc",
    b"depth",
    b"place",
    b"orient",
    b"weight",
    b"set_feature_name",
    b"mpr",
    b"crawl_require",
];

/// Returns whether a text with this before it is an argument of a function that puts no glyph on
/// the map, or is the name of something: `a_b`.
fn draws_nothing(before: &[u8], quoted: &[u8]) -> bool {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    let is_name = quoted.len() > 3 && quoted.contains(&b'_') && quoted.iter().all(|&b| is_part(b));
    if is_name {
        return true;
    }
    // The call has begun in the same line, not far before, and what stands between has no other.
    const MAX_BEFORE: usize = 200;
    let before = &before[before.len().saturating_sub(MAX_BEFORE)..];
    let line = before.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
    let line = before[line..].trim_ascii_end();
    let open = line.iter().rposition(|&byte| matches!(byte, b'(' | b')'));
    let function = match open {
        Some(open) if line[open] == b'(' => line[..open].trim_ascii_end(),
        Some(_) => return false,
        None => line,
    };
    let start = function.iter().rposition(|&byte| !is_part(byte)).map_or(0, |end| end + 1);
    DRAWING_NOTHING.contains(&&function[start..])
}

/// Returns the place of a weight in front of its glyph, as in `SUBST: ? = 20:t .`, or behind
/// another sign than a colon, as in `SUBST: ? = t=3 .`, if a glyph is on the map only for one of
/// its digits, and what to do about it.
pub(crate) fn weight_in_front(view: &View, glyph: u8) -> Option<(Range<usize>, String)> {
    if !glyph.is_ascii_digit() || drawn_glyphs(view).contains(glyph) {
        return None;
    }
    view.main().iter().find_map(|piece| {
        let PieceBody::Call(Header::Subst | Header::Nsubst, _) = &piece.body else { return None };
        let text = std::str::from_utf8(view.text().get(piece.span())?).ok()?;
        let (word, weight, own) = text.split_whitespace().find_map(|word| {
            let is_weight = |weight: &str| {
                weight.bytes().all(|b| b.is_ascii_digit()) && weight.as_bytes().contains(&glyph)
            };
            let is_glyph = |own: &str| own.chars().count() == 1;
            let in_front = word
                .split_once(':')
                .filter(|(weight, own)| weight.len() > 1 && is_weight(weight) && is_glyph(own));
            let behind = word.split_once('=').map(|(own, weight)| (weight, own));
            let behind = behind.filter(|(weight, own)| is_weight(weight) && is_glyph(own));
            in_front.or(behind).map(|(weight, own)| (word, weight, own))
        })?;
        let start = piece.span().start + (word.as_ptr() as usize - text.as_ptr() as usize);
        let hint = format!("the weight stands behind its glyph: write {own}:{weight}");
        Some((start..start + word.len(), hint))
    })
}

/// Returns the place of a weight without its colon, as in `SUBST: ? = . t5`, that brings a glyph,
/// and what to do about it.
pub(crate) fn glued_weight(view: &View, glyph: u8) -> Option<(Range<usize>, String)> {
    if !glyph.is_ascii_digit() || drawn_glyphs(view).contains(glyph) {
        return None;
    }
    view.main().iter().find_map(|piece| {
        let PieceBody::Call(Header::Subst, _) = &piece.body else { return None };
        let text = std::str::from_utf8(view.text().get(piece.span())?).ok()?;
        let (_, list) = text.split_once('=')?;
        let mut words = list.split_whitespace();
        let word = words.clone().nth(1).and_then(|_| {
            words.find(|word| {
                let (own, weight) = word.split_at(word.chars().next().map_or(0, char::len_utf8));
                let is_weight = weight.bytes().all(|byte| byte.is_ascii_digit());
                is_weight
                    && weight.as_bytes().contains(&glyph)
                    && !own.starts_with(char::is_numeric)
            })
        })?;
        let (own, weight) = word.split_at(word.chars().next()?.len_utf8());
        let start = piece.span().start + (word.as_ptr() as usize - text.as_ptr() as usize);
        let hint = format!("'{word}' are {} glyphs: write {own}:{weight}", word.chars().count());
        Some((start..start + word.len(), hint))
    })
}

pub(crate) fn key_of(text: &[u8]) -> Option<Vec<u8>> {
    vaultwright_map::split_key(text.trim_ascii()).ok().map(|(key, _, _)| key.to_vec())
}
