//! Glyphs that never occur (VW311, VW312), markers that stay behind (VW313), slots of MONS and ITEM
//! that no glyph uses (VW314) or that are missing (VW315).
//!
//! The glyphs are followed through the statements as the engine runs them. Maps with Lua of their
//! own are left out: it can draw anything.

use std::collections::BTreeSet;

use vaultwright_engine::Problem;
use vaultwright_map::Transform;
use vaultwright_syntax::{Argument, ChunkKind, Header, Piece, PieceBody};

use crate::{View, codes};

struct Flow<'v> {
    view: &'v View<'v>,
    present: BTreeSet<u8>,
    /// Glyphs that carry a marker or a property, and the header that gave it.
    marked: Vec<(u8, &'static str)>,
    keyed: Vec<(Vec<u8>, &'v Piece, Header)>,
    monsters: Vec<&'v Piece>,
    items: Vec<&'v Piece>,
}

pub(crate) fn check(view: &View, problems: &mut Vec<Problem>) {
    let rows = &view.map.chunk(ChunkKind::Map).pieces;
    if rows.is_empty() || view.has_lua() {
        return;
    }
    let mut flow = Flow {
        view,
        present: drawn_glyphs(view),
        marked: Vec::new(),
        keyed: Vec::new(),
        monsters: Vec::new(),
        items: Vec::new(),
    };
    for piece in &view.map.chunk(ChunkKind::Main).pieces {
        if let PieceBody::Call(header, Argument::Text(text)) = &piece.body {
            flow.statement(*header, text.bytes(view.text()), piece, problems);
        }
    }
    flow.finish(problems);
}

fn drawn_glyphs(view: &View) -> BTreeSet<u8> {
    let mut glyphs = BTreeSet::new();
    let mut lengths = BTreeSet::new();
    for piece in &view.map.chunk(ChunkKind::Map).pieces {
        if let PieceBody::Row(text) = &piece.body {
            let row = text.bytes(view.text());
            glyphs.extend(row);
            lengths.insert(row.len());
        }
    }
    if lengths.len() > 1 {
        glyphs.insert(b' ');
    }
    glyphs
}

fn key_of(text: &[u8]) -> Option<Vec<u8>> {
    vaultwright_map::split_key(text.trim_ascii()).ok().map(|(key, _, _)| key.to_vec())
}

impl<'v> Flow<'v> {
    fn statement(
        &mut self,
        header: Header,
        text: &[u8],
        piece: &'v Piece,
        problems: &mut Vec<Problem>,
    ) {
        match header {
            Header::Subst => {
                if let Ok(Some(Transform::Subst { key, list, .. })) = Transform::subst(text) {
                    self.replace(&key, &list.glyphs, true, piece, problems);
                }
            }
            Header::Nsubst => {
                if let Ok(Some(Transform::Nsubst { key, segments })) = Transform::nsubst(text) {
                    let glyphs: Vec<u8> =
                        segments.iter().flat_map(|(_, _, list)| list.glyphs.clone()).collect();
                    self.replace(&key, &glyphs, false, piece, problems);
                }
            }
            Header::Shuffle => {
                if let Ok(Transform::Shuffle { blocks, .. }) = Transform::shuffle(text) {
                    let glyphs = blocks.concat();
                    self.expect(
                        &glyphs,
                        codes::TRANSFORM_WITHOUT_CELLS,
                        "SHUFFLE",
                        piece,
                        problems,
                    );
                    self.report_moved(&glyphs, &glyphs, "SHUFFLE", piece, problems);
                    self.present.extend(glyphs);
                }
            }
            Header::Clear => {
                if let Ok(Transform::Clear { key }) = Transform::clear(text) {
                    self.expect(&key, codes::TRANSFORM_WITHOUT_CELLS, "CLEAR", piece, problems);
                    self.present.retain(|glyph| !key.contains(glyph));
                    self.present.insert(b' ');
                }
            }
            Header::Subvault => {
                if let Some(key) = key_of(text) {
                    self.expect(&key, codes::TRANSFORM_WITHOUT_CELLS, "SUBVAULT", piece, problems);
                }
            }
            Header::Colour | Header::Ftile | Header::Rtile | Header::Tile | Header::Fheight => {
                if let Some(key) = key_of(text) {
                    self.expect(&key, codes::KEY_WITHOUT_CELLS, header.keyword(), piece, problems);
                }
            }
            Header::Kprop | Header::Marker => {
                if let Some(key) = key_of(text) {
                    self.expect(&key, codes::KEY_WITHOUT_CELLS, header.keyword(), piece, problems);
                    self.marked.extend(key.iter().map(|&glyph| (glyph, header.keyword())));
                }
            }
            Header::Kfeat | Header::Kmons | Header::Kitem | Header::Kmask => {
                if let Some(key) = key_of(text) {
                    self.keyed.push((key, piece, header));
                }
            }
            Header::Mons => self.monsters.push(piece),
            Header::Item => self.items.push(piece),
            _ => {}
        }
    }

    fn replace(
        &mut self,
        key: &[u8],
        glyphs: &[u8],
        all: bool,
        piece: &Piece,
        problems: &mut Vec<Problem>,
    ) {
        let name = if all { "SUBST" } else { "NSUBST" };
        if !self.expect(key, codes::TRANSFORM_WITHOUT_CELLS, name, piece, problems) {
            return;
        }
        self.report_moved(key, glyphs, name, piece, problems);
        if all {
            self.present.retain(|glyph| !key.contains(glyph));
        }
        self.present.extend(glyphs);
    }

    /// Reports a key none of whose glyphs is there.
    fn expect(
        &self,
        key: &[u8],
        code: &'static str,
        what: &str,
        piece: &Piece,
        problems: &mut Vec<Problem>,
    ) -> bool {
        let found = key.iter().any(|glyph| self.present.contains(glyph));
        if !found {
            let shown = String::from_utf8_lossy(key);
            let what = what.trim_end_matches(':');
            problems.push(self.view.warning(
                code,
                piece.span.clone(),
                format!("{what}: no '{shown}' is on the map at this point"),
                "statements act in the order they are written, on the glyphs as they are then: \
                 check the glyph, or move the line up",
            ));
        }
        found
    }

    /// A marked glyph that a transform deals out anew keeps its marker on the old cell.
    fn report_moved(
        &self,
        key: &[u8],
        glyphs: &[u8],
        what: &str,
        piece: &Piece,
        problems: &mut Vec<Problem>,
    ) {
        for &(glyph, header) in &self.marked {
            let moved = glyphs.contains(&glyph) && (key.len() > 1 || !key.contains(&glyph));
            if moved {
                let header = header.trim_end_matches(':');
                problems.push(self.view.warning(
                    codes::MARKER_STAYS,
                    piece.span.clone(),
                    format!("{what} moves '{}' after {header} has marked it", char::from(glyph)),
                    "markers and properties stay on the cells that showed the glyph then: put \
                     the transform in front",
                ));
                return;
            }
        }
    }

    fn finish(self, problems: &mut Vec<Problem>) {
        for (key, piece, header) in &self.keyed {
            self.expect(key, codes::KEY_WITHOUT_CELLS, header.keyword(), piece, problems);
        }
        // A mask leaves the glyph its own meaning.
        let keyed = |glyph: u8| {
            self.keyed
                .iter()
                .any(|(key, _, header)| *header != Header::Kmask && key.contains(&glyph))
        };
        // A glyph may also come in through `KFEAT: x = 1`.
        let by_feature: Vec<u8> = self
            .keyed
            .iter()
            .filter(|(_, _, header)| *header == Header::Kfeat)
            .flat_map(|(_, piece, _)| self.view.text()[piece.span.clone()].to_vec())
            .collect();
        let slots: [(&[&Piece], u8, u8, &str); 2] =
            [(&self.monsters, b'1', b'7', "MONS"), (&self.items, b'd', b'k', "ITEM")];
        for (pieces, first, last, name) in slots {
            for (index, piece) in pieces.iter().enumerate() {
                let glyph = first.saturating_add(index as u8);
                let used = glyph <= last
                    && (self.present.contains(&glyph) || by_feature.contains(&glyph))
                    && !keyed(glyph);
                if !used {
                    let shown = if glyph <= last {
                        format!("no '{}' is on the map", char::from(glyph))
                    } else {
                        format!("{name} has slots only up to '{}'", char::from(last))
                    };
                    problems.push(self.view.warning(
                        codes::UNUSED_SLOT,
                        piece.span.clone(),
                        format!("this {name} entry is never used: {shown}"),
                        "remove it, or put its glyph on the map",
                    ));
                }
            }
            for glyph in first..=last {
                let missing = usize::from(glyph - first) >= pieces.len();
                if missing && self.present.contains(&glyph) && !keyed(glyph) {
                    let what = if name == "MONS" { "a random monster" } else { "nothing" };
                    problems.push(self.view.warning(
                        codes::MISSING_SLOT,
                        self.view.map.name.span(),
                        format!(
                            "'{}' is on the map, but {name} has only {} entries",
                            char::from(glyph),
                            pieces.len()
                        ),
                        &format!("without an entry it places {what}; add one or change the glyph"),
                    ));
                }
            }
        }
    }
}
