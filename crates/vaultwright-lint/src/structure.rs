//! Maps without a drawing (VW301), PLACE together with `veto` (VW302).

use vaultwright_engine::Problem;
use vaultwright_syntax::{ChunkKind, Header, PieceBody};

use crate::{View, codes};

pub(crate) fn check(view: &View, problems: &mut Vec<Problem>) {
    let main = view.map.chunk(ChunkKind::Main);
    let dummy = view.entry.definition.has_tag("dummy");
    if view.map.chunk(ChunkKind::Map).pieces.is_empty() && !view.has_lua() && !dummy {
        problems.push(view.warning(
            codes::NO_DRAWING,
            view.map.name.span(),
            format!("map '{}' has no drawing", view.entry.definition.name),
            "add MAP … ENDMAP, build the grid with Lua, or tag it dummy if it stands for nothing",
        ));
    }
    let place = main.pieces.iter().find(|p| matches!(p.body, PieceBody::Call(Header::Place, _)));
    let veto = view.map.chunk(ChunkKind::Veto);
    if let (Some(place), false) = (place, veto.is_empty(view.text())) {
        problems.push(view.warning(
            codes::PLACE_WITH_VETO,
            place.span.clone(),
            "a map with PLACE has a veto block".to_owned(),
            "if it vetoes, the level it belongs to may stay without its map; use validate, or \
             give the place a second map",
        ));
    }
}
