//! Maps of the entrance of a branch whose DEPTH leaves out the levels that it can be on (VW321).

use vaultwright_content::Branch;
use vaultwright_engine::Problem;
use vaultwright_map::{Dungeon, LevelPlace};
use vaultwright_syntax::{Argument, Header, PieceBody};

use crate::{View, codes, selection};

/// Reports a DEPTH with which the builder never takes the map that it asks for by its tag.
pub(crate) fn check(view: &View, problems: &mut Vec<Problem>) {
    let selection = &view.entry.selection;
    if selection.depths.is_empty() || !selection.place.is_empty() {
        return;
    }
    let content = view.engine.content();
    let (branches, names) = (content.branches(), content.names());
    let of_tag = |tag: &str| {
        let name = tag.strip_suffix("_entry")?;
        branches.iter().find(|branch| branch.name.eq_ignore_ascii_case(name))
    };
    // Another tag may be asked for elsewhere.
    let mut selecting = selection.tags.iter().filter(|tag| !names.is_flag_tag(tag));
    let (Some(tag), None) = (selecting.next(), selecting.next()) else { return };
    let Some(branch) = of_tag(tag).filter(|branch| has_entrance(branch)) else { return };
    let Some(parent) = branches.called(&branch.parent) else { return };
    let dungeon = Dungeon::standard(branches);
    let is_taken = (branch.mindepth..=branch.maxdepth).any(|depth| {
        let place = LevelPlace { branch: parent.id, depth };
        selection.depths.usable_at(place, branches, &dungeon)
    });
    if is_taken || selection::gives_depths(view) {
        return;
    }
    let levels = match (parent.levels, branch.mindepth, branch.maxdepth) {
        (1, ..) => parent.name.clone(),
        (_, first, last) if first == last => format!("{}:{first}", parent.name),
        (_, first, last) => format!("{}:{first}-{last}", parent.name),
    };
    let message =
        format!("the entrance of {} is in {levels}, which this DEPTH leaves out", branch.name);
    let hint = format!("the builder asks for '{tag}' there, and looks at DEPTH: write {levels}");
    let main = view.main();
    let depth = main
        .iter()
        .find(|piece| matches!(piece.body, PieceBody::Call(Header::Depth, Argument::Text(_))));
    let span = depth.map_or_else(|| view.map.name.span(), |piece| piece.span());
    problems.push(view.warning(codes::NEVER_CHOSEN, span, message, &hint));
}

/// Returns whether the branch has its entrance on a level of another.
fn has_entrance(branch: &Branch) -> bool {
    branch.connected && !branch.parent.is_empty() && branch.mindepth > 0 && branch.levels > 0
}
