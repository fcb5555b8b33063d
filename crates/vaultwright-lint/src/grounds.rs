//! Monsters and items of the glyph of rock or of a door, which becomes floor by that (VW357), and
//! whole levels without stairs up (VW327).

use vaultwright_engine::Problem;
use vaultwright_map::Orient;
use vaultwright_syntax::{Argument, Header, Piece, PieceBody};

use crate::{View, codes};

pub(crate) fn check(view: &View, problems: &mut Vec<Problem>) {
    lost_grounds(view, problems);
    no_stairs_up(view, problems);
}

/// The glyphs of rock and of a door, and what they are called. Many maps use those of rarer walls
/// and of water as free letters.
const GROUNDS: [(u8, &str); 2] = [(b'x', "rock"), (b'+', "a door")];

/// Reports KMONS and KITEM of the glyph of rock or of a door, without a KFEAT that says so.
fn lost_grounds(view: &View, problems: &mut Vec<Problem>) {
    let features = view.engine.content().features();
    let is_floor = |id| features.get(id).name == "floor";
    for piece in view.main() {
        let PieceBody::Call(header, Argument::Text(text)) = &piece.body else { continue };
        let text = text.bytes(view.text()).trim_ascii();
        if !matches!(header, Header::Kmons | Header::Kitem) {
            continue;
        }
        let Ok((key, ..)) = vaultwright_map::split_key(text) else { continue };
        let lost = GROUNDS.iter().find(|(glyph, _)| {
            let has_ground = || features.by_map_glyph(*glyph).is_some_and(|id| !is_floor(id));
            key.contains(glyph)
                && has_ground()
                && view.cells_of(*glyph) > 0
                && !has_feature(view, *glyph)
        });
        let Some(&(glyph, ground)) = lost else { continue };
        let header = header.keyword().trim_end_matches(':');
        let glyph = char::from(glyph);
        let message = format!("{header} makes floor of each '{glyph}', which was {ground}");
        let hint =
            format!("give it a glyph of its own, or write KFEAT: {glyph} = floor if that is meant");
        problems.push(view.warning(codes::GROUND_LOST, piece.span(), message, &hint));
    }
}

/// Returns whether a line or Lua gives a glyph a feature, or other glyphs.
pub(crate) fn has_feature(view: &View, glyph: u8) -> bool {
    let gives = |piece: &Piece| match &piece.body {
        PieceBody::Call(header, Argument::Text(text)) => {
            let key = || vaultwright_map::split_key(text.bytes(view.text()).trim_ascii());
            matches!(header, Header::Kfeat) && key().is_ok_and(|(key, ..)| key.contains(&glyph))
        }
        PieceBody::Lua(text) => {
            let text = text.bytes(view.text());
            memchr::memmem::find(text, b"kfeat").is_some()
                || memchr::memmem::find(text, b"_G").is_some()
        }
        _ => false,
    };
    view.main().iter().any(gives)
}

/// Reports a whole level of a branch that has stairs down, and none up.
fn no_stairs_up(view: &View, problems: &mut Vec<Problem>) {
    let selection = &view.entry.selection;
    if selection.place.is_empty() || selection.orient != Some(Orient::Encompass) {
        return;
    }
    let main = view.main();
    let is_subvault = |piece: &Piece| matches!(piece.body, PieceBody::Call(Header::Subvault, _));
    if view.has_lua() || main.iter().any(is_subvault) {
        return;
    }
    let text = &view.text()[view.map.span.clone()];
    let says = |word: &[u8]| memchr::memmem::find(text, word).is_some();
    let may_show = |glyphs: &[u8]| {
        let brings = |piece: &Piece| {
            matches!(piece.body, PieceBody::Call(Header::Subst | Header::Nsubst | Header::Kfeat, _))
                && view.text()[piece.span()].iter().any(|glyph| glyphs.contains(glyph))
        };
        glyphs.iter().any(|&glyph| view.cells_of(glyph) > 0) || main.iter().any(brings)
    };
    let leads_down = may_show(b"}])");
    if leads_down && !may_show(b"{[(") && !says(b"exit_") && !says(b"stairs_up") {
        problems.push(view.warning(
            codes::NO_STAIRS_UP,
            view.map.name.span(),
            "the map is a whole level with stairs down, and none up".to_owned(),
            "draw the stairs that the level above leads to: { [ (",
        ));
    }
}
