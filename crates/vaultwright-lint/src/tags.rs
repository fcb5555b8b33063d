//! Tags that look like a misspelt engine tag (VW341), are given twice (VW342), or promise the altar
//! of another god (VW343).

use std::borrow::Cow;
use std::collections::BTreeSet;

use foldhash::{HashMap, HashMapExt};
use vaultwright_content::TagMatch;
use vaultwright_engine::Problem;
use vaultwright_syntax::{Argument, ChunkKind, Header, Piece, PieceBody};

use crate::fixes::without_word;
use crate::near::{Near, distance_within, nearest};
use crate::{View, codes};

/// Checks what of a map's tags is wrong whatever other maps there are.
pub(crate) fn check(view: &View, problems: &mut Vec<Problem>) {
    repeated(view, problems);
    altars(view, problems);
}

/// Tags that are no names.
pub(crate) fn check_names(view: &View, problems: &mut Vec<Problem>) {
    let engine_tags = &view.engine.content().names().tags;
    let mut seen = BTreeSet::new();
    for piece in &view.map.chunk(ChunkKind::Main).pieces {
        let PieceBody::Call(Header::Tags, Argument::Text(text)) = &piece.body else { continue };
        let tag = text.str(view.text());
        // A tag that several maps share is a name that something selects by.
        let uses = view.library.count_with_tag(&tag);
        if uses > 2 || !seen.insert(tag.clone()) {
            continue;
        }
        let misspelt = other_god(view, piece, &tag).or_else(|| like_others(view, piece, &tag));
        if let Some(problem) = misspelt {
            problems.push(problem);
            continue;
        }
        let is_alone = uses < 2;
        let property = view.engine.content().names().properties.contains(&tag);
        if property || engine_tags.iter().any(|engine| engine.recognises(&tag)) {
            continue;
        }
        if let Some(elsewhere) = view.engine.content().elsewhere("kprop", &tag) {
            let message = format!("the engine does not know the tag '{tag}', so it says nothing");
            let hint = elsewhere.describe(&tag);
            problems.push(view.warning(codes::UNKNOWN_TAG, piece.span(), message, &hint));
            continue;
        }
        let length = tag.chars().count();
        let alike = engine_tags.iter().filter(|engine| {
            let difference = engine.tag.chars().count().abs_diff(length);
            engine.matches == TagMatch::Exact && engine.tag.len() > 5 && difference <= 2
        });
        let close = alike
            .filter_map(|engine| Some((distance_within(&engine.tag, &tag, 2)?, engine)))
            .min_by_key(|(distance, _)| *distance);
        if let Some((distance, engine)) = close {
            // Another map with the tag shows that something may select by it.
            let is_sure = distance == 1 && is_alone;
            let near = Near { word: tag.to_string(), name: engine.tag.clone(), is_sure };
            let (span, hint) = (piece.span(), near.hint());
            let fix = near.fix(view.text(), &span);
            let message = format!("the engine does not know the tag '{tag}'");
            let problem = view.warning(codes::UNKNOWN_TAG, span, message, &hint);
            problems.push(Problem { fix, ..problem });
        } else if is_alone && ["no_", "allow_"].iter().any(|prefix| tag.starts_with(prefix)) {
            problems.push(view.warning(
                codes::UNKNOWN_TAG,
                piece.span(),
                format!("the engine does not know the tag '{tag}', so it says nothing"),
                "correct it: a tag that nobody knows is passed over without a word",
            ));
        }
    }
}

/// Returns a tag for the altar of a god that there is not, but one of a similar name.
fn other_god(view: &View, piece: &Piece, tag: &str) -> Option<Problem> {
    let prefix = ["uniq_altar_", "temple_overflow_"].into_iter().find(|p| tag.starts_with(p))?;
    let own = &tag[prefix.len()..];
    let gods = view.engine.content().names().gods();
    let altars = || gods.iter().filter_map(|god| god.altar.strip_prefix("altar_"));
    if altars().any(|god| god == own) {
        return None;
    }
    let near = nearest(own, altars()).filter(|near| near.is_sure)?;
    let near = Near { word: tag.to_owned(), name: format!("{prefix}{}", near.name), ..near };
    let (span, hint) = (piece.span(), near.hint());
    let fix = near.fix(view.text(), &span);
    let message = format!("no god is meant by the tag '{tag}'");
    let problem = view.warning(codes::UNKNOWN_TAG, span, message, &hint);
    Some(Problem { fix, ..problem })
}

/// Returns a tag that only this map has, and that is like one of the same kind that others share.
fn like_others(view: &View, piece: &Piece, tag: &str) -> Option<Problem> {
    const KINDS: [&str; 5] = ["uniq_altar_", "uniq_", "luniq_", "chance_", "temple_overflow_"];
    let kind = KINDS.iter().find(|kind| tag.starts_with(**kind))?;
    let is_alone = view.library.count_with_tag(tag) < 2;
    let letters = |tag: &str| tag.trim_end_matches(|c: char| c.is_ascii_digit() || c == '_').len();
    if !is_alone || letters(tag) < tag.len() || tag.len() < kind.len() + 4 {
        return None;
    }
    let shared = view.library.tags().filter(|(own, count)| *count > 1 && own.starts_with(kind));
    let mut shared: Vec<&str> = shared.map(|(own, _)| &own[kind.len()..]).collect();
    shared.sort_unstable();
    let near = nearest(&tag[kind.len()..], shared.into_iter())?;
    if !near.is_sure || near.name.len() < 4 {
        return None;
    }
    let near = Near { word: tag.to_owned(), name: format!("{kind}{}", near.name), ..near };
    let (span, hint) = (piece.span(), near.hint());
    let message = format!("no other map has the tag '{tag}'");
    Some(view.warning(codes::UNKNOWN_TAG, span, message, &hint))
}

fn given<'v>(view: &'v View) -> impl Iterator<Item = (usize, &'v Piece, Cow<'v, str>)> {
    let pieces = view.map.chunk(ChunkKind::Main).pieces.iter().enumerate();
    pieces.filter_map(|(number, piece)| match &piece.body {
        PieceBody::Call(Header::Tags, Argument::Text(text)) => {
            Some((number, piece, text.str(view.text())))
        }
        _ => None,
    })
}

fn repeated(view: &View, problems: &mut Vec<Problem>) {
    let mut seen = HashMap::new();
    for (number, piece, tag) in given(view) {
        let first = *seen.entry(tag.clone()).or_insert(number);
        if first == number {
            continue;
        }
        // Where Lua decides, only one of them may be given.
        if view.always_runs(first) && view.always_runs(number) {
            let problem = view.warning(
                codes::REPEATED_TAG,
                piece.span(),
                format!("the tag '{tag}' is given twice"),
                "remove one, or correct what another tag was meant to be",
            );
            let fix = without_word("remove the second", view.text(), piece.span());
            problems.push(Problem { fix, ..problem });
        }
    }
}

/// Reports a tag that names a god, on a map whose only altars are of others.
fn altars(view: &View, problems: &mut Vec<Problem>) {
    const PREFIXES: [&str; 2] = ["uniq_altar_", "temple_overflow_"];
    let promises = |tag: &str| PREFIXES.iter().any(|prefix| tag.starts_with(prefix));
    if !given(view).any(|(.., tag)| promises(&tag)) {
        return;
    }
    let text = String::from_utf8_lossy(&view.text()[view.map.span.clone()]).to_lowercase();
    let gods = view.engine.content().names().gods();
    let drawn =
        |altar: &str| text.match_indices(altar).any(|(at, _)| !text[..at].ends_with("uniq_"));
    for (_, piece, tag) in given(view) {
        let Some(god) = PREFIXES.iter().find_map(|prefix| tag.strip_prefix(prefix)) else {
            continue;
        };
        let own = format!("altar_{god}");
        let known = gods.iter().any(|god| god.altar == own);
        if !known || drawn(&own) {
            continue;
        }
        let other = gods.iter().find(|god| !god.altar.is_empty() && drawn(&god.altar));
        if let Some(other) = other {
            problems.push(view.warning(
                codes::OTHER_ALTAR,
                piece.span(),
                format!("the tag promises '{own}', but the map has {}", other.altar),
                "give the tag of the god whose altar it is",
            ));
        }
    }
}
