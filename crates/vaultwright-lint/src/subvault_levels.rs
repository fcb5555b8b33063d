//! SUBVAULTs of whose maps none may stand where the map itself does, or only the map itself has the
//! tag (VW331).

use std::cell::OnceCell;

use foldhash::{HashSet, HashSetExt};
use vaultwright_engine::Problem;
use vaultwright_map::{
    DepthRanges, Dungeon, LevelPlace, MapId, Selection, parse_weighted_list, split_trimmed,
};
use vaultwright_syntax::{Argument, Header, Piece, PieceBody};

use crate::missing_slots::is_placed_by_depth;
use crate::subvaults::TagsOfBroken;
use crate::{View, codes, selection};

/// No more tags of a map are looked at.
const MAX_LOOKED_AT: usize = 200;
/// With more maps of a tag one of them fits.
const MAX_CANDIDATES: usize = 200;

pub(crate) fn check(view: &View, of_broken: &TagsOfBroken, problems: &mut Vec<Problem>) {
    let own = OnceCell::new();
    let mut looked_at = HashSet::new();
    for (number, piece) in view.main().iter().enumerate() {
        let PieceBody::Call(Header::Subvault, Argument::Text(text)) = &piece.body else { continue };
        let text = text.bytes(view.text());
        let Ok((.., argument)) = vaultwright_map::split_key(text.trim_ascii()) else { continue };
        let alternatives = parse_weighted_list(&String::from_utf8_lossy(argument));
        for (tags, weight) in alternatives.unwrap_or_default() {
            let is_new = looked_at.len() < MAX_LOOKED_AT && !looked_at.contains(&tags);
            if weight > 0 && is_new && view.always_runs(number) {
                alternative(view, of_broken, (piece, &tags, &own), problems);
                looked_at.insert(tags);
            }
        }
    }
}

fn alternative(
    view: &View,
    of_broken: &TagsOfBroken,
    (piece, tags, own): (&Piece, &str, &OnceCell<Vec<LevelPlace>>),
    problems: &mut Vec<Problem>,
) {
    let wanted = split_trimmed(' ', tags);
    let candidates: Vec<MapId> = view.library.with_tags(&wanted).collect();
    if candidates.is_empty() || candidates.len() > MAX_CANDIDATES || of_broken.has(&wanted) {
        return;
    }
    let is_itself = |id: &MapId| view.library[*id].origin == view.entry.origin;
    if candidates.iter().all(is_itself) {
        let message = format!("only this map itself has the tag '{tags}': it would hold itself");
        let hint = "write another map with the tag, or ask for the tag of another";
        problems.push(view.warning(codes::NO_SUCH_SUBVAULT, piece.span(), message, hint));
        return;
    }
    let depths = |id: &MapId| &view.library[*id].selection.depths;
    if candidates.iter().any(|id| depths(id).is_empty()) {
        return;
    }
    let own = own.get_or_init(|| levels_of(view));
    let branches = view.engine.content().branches();
    let dungeon = Dungeon::standard(branches);
    let may_stand =
        |id: &MapId| own.iter().any(|&level| depths(id).usable_at(level, branches, &dungeon));
    if own.is_empty() || candidates.iter().any(may_stand) {
        return;
    }
    let message = match &candidates[..] {
        [one] => {
            let depths = depths(one).describe(branches);
            format!("the map with the tag '{tags}' is for {depths}, where this one never stands")
        }
        _ => format!("no map with the tag '{tags}' is for a level where this one stands"),
    };
    let hint = "the DEPTH of a subvault counts, too: change it, or take it out";
    problems.push(view.warning(codes::NO_SUCH_SUBVAULT, piece.span(), message, hint));
}

/// Returns all levels on which the map may stand; none if that is not certain.
fn levels_of(view: &View) -> Vec<LevelPlace> {
    let Selection { place, depths, .. } = &view.entry.selection;
    if !is_placed_by_depth(view) || selection::gives_depths(view) {
        return Vec::new();
    }
    let branches = view.engine.content().branches();
    let dungeon = Dungeon::standard(branches);
    let stands = |ranges: &DepthRanges, level| ranges.usable_at(level, branches, &dungeon);
    let levels = branches.iter().flat_map(|branch| {
        let depths = 1..=dungeon.levels(branch.id).max(branch.levels).max(1);
        depths.map(|depth| LevelPlace { branch: branch.id, depth })
    });
    levels.filter(|&level| stands(place, level) || stands(depths, level)).collect()
}
