//! What a cell never shows: a unique that another cell of the map has, and `nothing` in KMONS
//! before a comma (VW355).

use std::cell::LazyCell;

use foldhash::HashMap;
use vaultwright_engine::Problem;
use vaultwright_syntax::{Argument, Header, Piece, PieceBody};

use crate::elements::plainly_named;
use crate::slots::SlotKind;
use crate::{View, codes};

/// A header that puts one kind of monster on cells.
struct Given<'v> {
    piece: &'v Piece,
    name: String,
    cells: usize,
}

pub(crate) fn check(view: &View, problems: &mut Vec<Problem>) {
    for piece in view.main() {
        if let PieceBody::Call(Header::Kmons, Argument::Text(text)) = &piece.body {
            behind_nothing(view, piece, text.bytes(view.text()), problems);
        }
    }
    if !view.has_lua() {
        uniques(view, problems);
    }
}

/// Reports `KMONS: A = nothing, ogre`.
fn behind_nothing(view: &View, piece: &Piece, text: &[u8], problems: &mut Vec<Problem>) {
    let Ok((.., slots)) = vaultwright_map::split_key(text.trim_ascii()) else { return };
    let Some(comma) = memchr::memchr(b',', slots) else { return };
    let (first, behind) = (slots[..comma].trim_ascii(), slots[comma + 1..].trim_ascii());
    if first.eq_ignore_ascii_case(b"nothing") && !behind.is_empty() {
        let message = "'nothing' stands for what comes behind the comma, which is always there";
        let behind = String::from_utf8_lossy(behind);
        let hint = format!("between alternatives stands '/': nothing / {behind}");
        let (span, message) = (piece.span(), message.to_owned());
        problems.push(view.warning(codes::UNKNOWN_WORD, span, message, &hint));
    }
}

/// Reports the second cell of a unique, of which a game has one.
fn uniques(view: &View, problems: &mut Vec<Problem>) {
    let content = view.engine.content();
    let unique = |choice: &str| {
        let monster = content.monsters().get(plainly_named(choice, content)?);
        monster.flags.iter().any(|flag| flag == "unique").then(|| monster.name.clone())
    };
    let lines = LazyCell::new(|| Lines::of(view));
    let mut glyphs = SlotKind::Monsters.glyphs();
    let mut all: Vec<Given> = Vec::new();
    for piece in view.main() {
        let PieceBody::Call(header, Argument::Text(text)) = &piece.body else { continue };
        let text = text.bytes(view.text()).trim_ascii();
        let glyph;
        let (key, spec, own) = match header {
            Header::Mons => {
                let Some(next) = glyphs.next() else { continue };
                glyph = [next];
                (&glyph[..], text, 0)
            }
            Header::Kmons => match vaultwright_map::split_key(text) {
                Ok((key, _, spec)) => (key, spec, 1),
                Err(_) => continue,
            },
            _ => continue,
        };
        let spec = String::from_utf8_lossy(spec);
        let Some(name) = unique(&spec).filter(|_| !spec.contains(['/', ','])) else { continue };
        if key.iter().all(|&glyph| lines.leave(glyph, own)) {
            let cells = key.iter().map(|&glyph| view.cells_of(glyph)).sum();
            all.push(Given { piece, name, cells });
        }
    }
    let mut told: HashMap<&str, usize> = HashMap::default();
    for own in &all {
        let cells = told.entry(&own.name).or_default();
        let before = *cells;
        *cells += own.cells;
        if own.cells == 0 || before + own.cells < 2 || before > 1 {
            continue;
        }
        let message = format!("{} is unique: only the first of the cells has one", own.name);
        let hint = "a game has one of each unique: write another monster, or one cell";
        problems.push(view.warning(codes::UNKNOWN_WORD, own.piece.span(), message, hint));
    }
}

/// Which glyphs the headers of a map move or replace, and how many lines say what is on the cells
/// of each.
pub(crate) struct Lines {
    moved: [bool; 256],
    keyed: [u32; 256],
}

impl Lines {
    pub(crate) fn of(view: &View) -> Lines {
        let mut lines = Lines { moved: [false; 256], keyed: [0; 256] };
        for piece in view.main() {
            let PieceBody::Call(header, Argument::Text(text)) = &piece.body else { continue };
            let text = text.bytes(view.text());
            match header {
                Header::Subst
                | Header::Nsubst
                | Header::Shuffle
                | Header::Clear
                | Header::Subvault => {
                    text.iter().for_each(|&glyph| lines.moved[usize::from(glyph)] = true);
                }
                Header::Kmons | Header::Kfeat | Header::Kitem => {
                    let Ok((key, ..)) = vaultwright_map::split_key(text.trim_ascii()) else {
                        continue;
                    };
                    key.iter().for_each(|&glyph| lines.keyed[usize::from(glyph)] += 1);
                }
                _ => {}
            }
        }
        lines
    }

    /// Returns whether a glyph stays on its cells, and no other lines are about them than so many.
    pub(crate) fn leave(&self, glyph: u8, own: u32) -> bool {
        !self.moved[usize::from(glyph)] && self.keyed[usize::from(glyph)] == own
    }
}
