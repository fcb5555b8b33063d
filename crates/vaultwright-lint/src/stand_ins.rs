//! What a cell never shows: a unique that another cell of the map has, and `nothing` in KMONS
//! before a comma (VW355).

use vaultwright_engine::Problem;
use vaultwright_syntax::{Argument, ChunkKind, Header, Piece, PieceBody};

use crate::elements::plainly_named;
use crate::{View, codes};

/// A header that puts one kind of monster on cells.
struct Given<'v> {
    piece: &'v Piece,
    name: String,
    cells: usize,
}

pub(crate) fn check(view: &View, problems: &mut Vec<Problem>) {
    let main = &view.map.chunk(ChunkKind::Main).pieces;
    for piece in main {
        if let PieceBody::Call(Header::Kmons, Argument::Text(text)) = &piece.body {
            behind_nothing(view, piece, text.bytes(view.text()), problems);
        }
    }
    if !view.has_lua() {
        uniques(view, main, problems);
    }
}

/// Reports `KMONS: A = nothing, ogre`.
fn behind_nothing(view: &View, piece: &Piece, text: &[u8], problems: &mut Vec<Problem>) {
    let Ok((.., slots)) = vaultwright_map::split_key(text.trim_ascii()) else { return };
    let Some(comma) = memchr::memchr(b',', slots) else { return };
    let (first, behind) = (slots[..comma].trim_ascii(), slots[comma + 1..].trim_ascii());
    if first.eq_ignore_ascii_case(b"nothing") && !behind.is_empty() {
        let message = "'nothing' stands for what comes behind the comma, which is always there";
        let hint = "between alternatives stands '/': nothing / ogre";
        let (span, message) = (piece.span(), message.to_owned());
        problems.push(view.warning(codes::UNKNOWN_WORD, span, message, hint));
    }
}

/// Reports the second cell of a unique, of which a game has one.
fn uniques(view: &View, main: &[Piece], problems: &mut Vec<Problem>) {
    let content = view.engine.content();
    let unique = |choice: &str| {
        let monster = content.monsters().get(plainly_named(choice, content)?);
        monster.flags.iter().any(|flag| flag == "unique").then(|| monster.name.clone())
    };
    let (mut all, mut slot) = (Vec::new(), b'0');
    for piece in main {
        let PieceBody::Call(header, Argument::Text(text)) = &piece.body else { continue };
        let text = text.bytes(view.text()).trim_ascii();
        let (key, spec) = match header {
            Header::Mons => {
                slot += 1;
                (std::slice::from_ref(&slot), text)
            }
            Header::Kmons => match vaultwright_map::split_key(text) {
                Ok((key, _, spec)) => (key, spec),
                Err(_) => continue,
            },
            _ => continue,
        };
        let spec = String::from_utf8_lossy(spec);
        let Some(name) = unique(&spec).filter(|_| !spec.contains(['/', ','])) else { continue };
        if key.iter().all(|&glyph| stays(main, view, piece, glyph)) {
            let cells = key.iter().map(|&glyph| view.cells_of(glyph)).sum();
            all.push(Given { piece, name, cells });
        }
    }
    for (number, own) in all.iter().enumerate() {
        let before: usize =
            all[..number].iter().filter(|other| other.name == own.name).map(|own| own.cells).sum();
        if own.cells == 0 || before + own.cells < 2 || before > 1 {
            continue;
        }
        let message = format!("{} is unique: only the first of the cells has one", own.name);
        let hint = "a game has one of each unique: write another monster, or one cell";
        problems.push(view.warning(codes::UNKNOWN_WORD, own.piece.span(), message, hint));
    }
}

/// Returns whether a glyph stays on its cells, and no other line is about them.
pub(crate) fn stays(main: &[Piece], view: &View, own: &Piece, glyph: u8) -> bool {
    !main.iter().any(|piece| {
        let PieceBody::Call(header, Argument::Text(text)) = &piece.body else { return false };
        let text = text.bytes(view.text());
        match header {
            Header::Subst | Header::Nsubst | Header::Shuffle | Header::Clear | Header::Subvault => {
                text.contains(&glyph)
            }
            Header::Kmons | Header::Kfeat | Header::Kitem => {
                let is_key = |(key, ..): (&[u8], _, _)| key.contains(&glyph);
                !std::ptr::eq(piece, own)
                    && vaultwright_map::split_key(text.trim_ascii()).is_ok_and(is_key)
            }
            _ => false,
        }
    })
}
