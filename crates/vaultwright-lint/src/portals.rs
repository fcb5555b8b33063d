//! Entrances to levels that no map creates (VW375).

use std::collections::BTreeMap;

use vaultwright_content::BranchId;
use vaultwright_engine::{Engine, Library, Problem};
use vaultwright_syntax::{Argument, Header, PieceBody};

use crate::{View, codes};

/// The portals for whose level the library has no possible map, with their entrances.
pub(crate) struct Portals(BTreeMap<String, String>);

impl Portals {
    pub(crate) fn of(engine: &Engine, library: &Library) -> Portals {
        let branches = engine.content().branches();
        let is_made = |id: BranchId| {
            let traits = branches.traits(id);
            // The Abyss needs no map.
            traits.abyss
                || branches.get(id).is_some_and(|branch| branch.lair.is_some())
                || library.maps.iter().any(|map| {
                    let of_branch = |branch: Option<BranchId>| branch.is_none_or(|b| b == id);
                    let (places, depths) = (&map.selection.place.0, &map.selection.depths.0);
                    let by_depth = depths.iter().any(|range| {
                        !range.negated && of_branch(range.branch) && is_whole(map, range.branch)
                    });
                    by_depth || places.iter().any(|range| range.branch == Some(id))
                })
        };
        let portals = branches
            .iter()
            .filter(|b| b.parent.is_empty() && !b.connected && b.levels > 0 && !b.entry.is_empty());
        let (made, missing): (Vec<_>, Vec<_>) = portals.partition(|branch| is_made(branch.id));
        // Separate files contain no levels at all.
        if !made.iter().any(|branch| !branches.traits(branch.id).abyss) {
            return Portals(BTreeMap::new());
        }
        Portals(missing.into_iter().map(|b| (b.entry.clone(), b.name.clone())).collect())
    }
}

/// Returns whether a map can make up a level: one for a branch by name, or a layout.
fn is_whole(map: &vaultwright_engine::LibraryMap, branch: Option<BranchId>) -> bool {
    branch.is_some() || map.selection.has_tag("layout")
}

pub(crate) fn check(view: &View, portals: &Portals, problems: &mut Vec<Problem>) {
    if portals.0.is_empty() {
        return;
    }
    for piece in view.main() {
        let PieceBody::Call(Header::Kfeat, Argument::Text(text)) = &piece.body else { continue };
        let text = text.str(view.text()).into_owned();
        let words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        let missing = words.filter_map(|word| portals.0.get_key_value(word)).next();
        if let Some((entrance, level)) = missing {
            problems.push(view.warning(
                codes::NO_DESTINATION,
                piece.span(),
                format!("{entrance} leads to {level}, for which there is no map"),
                &format!("add a map with `DEPTH: {level}`, usually with ORIENT: encompass"),
            ));
        }
    }
}
