//! What a map has kept of the map that it was copied from (VW377): an entrance whose marker leads
//! elsewhere, the exit of another portal, the tag of another portal's entries.

use memchr::memmem;
use vaultwright_content::Branch;
use vaultwright_engine::Problem;
use vaultwright_map::Orient;
use vaultwright_syntax::{Argument, Header, Piece, PieceBody};

use crate::{View, chunks, codes, tag_groups};

pub(crate) fn check(view: &View, problems: &mut Vec<Problem>) {
    other_tag(view, problems);
    for (number, piece) in view.main().iter().enumerate() {
        let PieceBody::Call(Header::Kfeat, Argument::Text(text)) = &piece.body else { continue };
        let text = text.str(view.text());
        if let Some((glyph, feature)) = portal_feature(text.trim()) {
            other_destination(view, (glyph, feature), piece.span(), problems);
            let stays = || !view.has_lua() || view.always_runs(number) && !changes_features(view);
            other_exit(view, feature, (piece.span(), &stays), problems);
        }
    }
}

/// Returns whether Lua of a map may give its glyphs other features, or its level another place.
fn changes_features(view: &View) -> bool {
    const WORDS: [&[u8]; 6] = [b"kfeat", b"subst", b"depth(", b"place(", b"_G", b"exit_"];
    chunks::WITH_LUA.iter().flat_map(|&kind| &view.map.chunk(kind).pieces).any(|piece| {
        let PieceBody::Lua(text) = &piece.body else { return false };
        let text = text.bytes(view.text());
        WORDS.iter().any(|word| memmem::find(text, word).is_some())
    })
}

/// Returns the glyph and the feature of a KFEAT for one glyph that is one way in or out.
fn portal_feature(text: &str) -> Option<(u8, &str)> {
    let (key, feature) = text.split_once('=').or_else(|| text.split_once(':'))?;
    let feature = feature.trim();
    let is_way = feature.starts_with("enter_") || feature.starts_with("exit_");
    let is_name = feature.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    match key.trim().as_bytes() {
        [glyph] if is_way && is_name => Some((*glyph, feature)),
        _ => None,
    }
}

fn branch<'v>(view: &'v View, is_it: impl Fn(&Branch) -> bool) -> Option<&'v Branch> {
    view.engine.content().branches().iter().find(|branch| is_it(branch))
}

/// Reports an entrance whose marker leads to another branch.
fn other_destination(
    view: &View,
    (glyph, feature): (u8, &str),
    span: std::ops::Range<usize>,
    problems: &mut Vec<Problem>,
) {
    let Some(of_feature) = branch(view, |branch| branch.entry == feature) else { return };
    for piece in view.main() {
        let PieceBody::LuaMarker { key, expression } = &piece.body else { continue };
        let Some(name) =
            (*key == glyph).then(|| destination(expression.bytes(view.text()))).flatten()
        else {
            continue;
        };
        let branches = view.engine.content().branches();
        let Some(of_marker) = branches.called(name.split(':').next().unwrap_or(name)) else {
            continue;
        };
        // Several branches may be entered the same way.
        if of_marker.entry.is_empty() || of_marker.entry == feature {
            continue;
        }
        let message = format!(
            "{feature} is the way to {}, but the marker of '{}' leads to {}",
            of_feature.name,
            char::from(glyph),
            of_marker.name
        );
        let hint = format!("write KFEAT: {} = {}", char::from(glyph), of_marker.entry);
        problems.push(view.warning(codes::OF_ANOTHER, span.clone(), message, &hint));
    }
}

/// Returns what a marker's table has for `dst`.
fn destination(expression: &[u8]) -> Option<&str> {
    let at = memmem::find_iter(expression, b"dst").find(|&at| {
        let before = expression[..at].last();
        !before.is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_')
    })?;
    let value = expression[at + b"dst".len()..].trim_ascii_start().strip_prefix(b"=")?;
    let (quote, text) = value.trim_ascii_start().split_first()?;
    let end = memchr::memchr(*quote, text).filter(|_| matches!(quote, b'"' | b'\''))?;
    std::str::from_utf8(&text[..end]).ok()
}

/// Reports the exit of another portal on a level of a portal.
fn other_exit(
    view: &View,
    feature: &str,
    (span, stays): (std::ops::Range<usize>, &dyn Fn() -> bool),
    problems: &mut Vec<Problem>,
) {
    let selection = &view.entry.selection;
    let ranges = if selection.place.is_empty() { &selection.depths } else { &selection.place };
    let branches = view.engine.content().branches();
    let own: Option<Vec<&Branch>> =
        ranges.0.iter().map(|range| range.branch.and_then(|id| branches.get(id))).collect();
    let Some(own) = own.filter(|own| !own.is_empty()) else { return };
    let of_exit = branches.iter().find(|branch| branch.exit == feature);
    let is_portal = |branch: &&Branch| branch.parent.is_empty() && !branch.connected;
    if let Some(of_exit) = of_exit.filter(|branch| is_portal(branch)) {
        on_level_of_others(view, (feature, of_exit), &own, &span, problems);
    }
    if of_exit.is_none()
        || !own.iter().all(|branch| is_portal(branch) && branch.exit != feature)
        || !stays()
    {
        return;
    }
    let Some(first) = own.iter().find(|branch| !branch.exit.is_empty()) else { return };
    let message = format!("{feature} is no way out of {}", first.name);
    let hint = format!("write {}", first.exit);
    problems.push(view.warning(codes::OF_ANOTHER, span, message, &hint));
}

/// Reports the exit of a portal on a whole level of other branches, whose depth it has from the
/// default-depth of the file.
fn on_level_of_others(
    view: &View,
    (feature, portal): (&str, &Branch),
    own: &[&Branch],
    span: &std::ops::Range<usize>,
    problems: &mut Vec<Problem>,
) {
    let selection = &view.entry.selection;
    let is_whole = selection.orient == Some(Orient::Encompass);
    let is_portal = |branch: &&Branch| branch.parent.is_empty() && !branch.connected;
    let main = view.main();
    let is_depth = |piece: &Piece| matches!(piece.body, PieceBody::Call(Header::Depth, _));
    let is_inherited = view.map.default_depth.is_some() && !main.iter().any(is_depth);
    if !is_whole || !is_inherited || !selection.place.is_empty() || own.iter().any(is_portal) {
        return;
    }
    let name = &portal.name;
    let others: Vec<&str> = own.iter().map(|branch| branch.name.as_str()).collect();
    let others = others.join(", ");
    problems.push(view.warning(
        codes::OF_ANOTHER,
        span.clone(),
        format!("{feature} is the way out of {name}, but the map is for {others} by default-depth"),
        &format!("write DEPTH: {name}"),
    ));
}

/// Reports `chance_a uniq_b` for two portals.
fn other_tag(view: &View, problems: &mut Vec<Problem>) {
    let tags = &view.entry.selection.tags;
    let only = |start: &str| {
        let mut found = tags.iter().filter_map(|tag| tag.strip_prefix(start));
        found.next().filter(|_| found.next().is_none())
    };
    let Some(chance) = only(tag_groups::CHANCE) else { return };
    let Some(uniq) = only(tag_groups::UNIQ).filter(|uniq| *uniq != chance) else { return };
    let features = view.engine.content().features();
    let is_portal = |name: &str| features.by_name(&format!("enter_{name}")).is_some();
    if is_portal(chance) && is_portal(uniq) {
        let message = format!("chance_{chance} is of one portal, uniq_{uniq} of another");
        let hint = "a level has as many entries as its tags allow: name the same portal in both";
        let main = view.main();
        let is_it = |piece: &&Piece| {
            let text = || view.text().get(piece.span()).unwrap_or_default();
            let names = || memmem::find(text(), tag_groups::UNIQ.as_bytes()).is_some();
            matches!(piece.body, PieceBody::Call(Header::Tags, _)) && names()
        };
        let span = main.iter().find(is_it).map_or(view.map.name.span(), |piece| piece.span());
        problems.push(view.warning(codes::OF_ANOTHER, span, message, hint));
    }
}
