//! Where the altars of a temple are lost.

use vaultwright_engine::{Code, Problem};
use vaultwright_map::ErrorCode;
use vaultwright_syntax::{Argument, ChunkKind, Header, Map, Piece, PieceBody};

use crate::spans::map_begun;

/// The glyph of an altar of a temple.
const ALTAR: u8 = b'B';

/// Moves a problem with the altars of a temple from the name of the map to the header that takes
/// them away, if there is one.
pub(crate) fn find_place(problem: &mut Problem) {
    if problem.code != Code::Spec(ErrorCode::Temple) {
        return;
    }
    let file = &problem.file;
    let Some(map) = map_begun(file, problem.span.start) else { return };
    let Some(piece) = taking_altars(&file.tree.maps[map], &file.source.text) else { return };
    problem.span = piece.span();
}

fn taking_altars<'m>(map: &'m Map, source: &[u8]) -> Option<&'m Piece> {
    map.chunk(ChunkKind::Main).pieces.iter().find(|piece| {
        let PieceBody::Call(header, Argument::Text(text)) = &piece.body else { return false };
        let text = text.bytes(source);
        match header {
            Header::Kfeat => {
                vaultwright_map::split_key(text).is_ok_and(|(key, ..)| key.contains(&ALTAR))
            }
            Header::Clear => text.contains(&ALTAR),
            _ => false,
        }
    })
}
