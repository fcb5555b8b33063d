//! Tags that look like a misspelt engine tag (VW341), are duplicated (VW342), or promise an altar
//! of another god (VW343).

use std::borrow::Cow;
use std::collections::BTreeSet;

use foldhash::{HashMap, HashMapExt};
use vaultwright_content::TagMatch;
use vaultwright_engine::{Engine, Problem};
use vaultwright_syntax::{Argument, ChunkKind, Header, Piece, PieceBody};

use crate::fixes::without_word;
use crate::near::{Near, distance_within, nearest};
use crate::tags_in_use::TagsInUse;
use crate::{View, codes};

/// Checks a map's tags for problems that do not depend on other maps.
pub(crate) fn check(view: &View, problems: &mut Vec<Problem>) {
    repeated(view, problems);
    altars(view, problems);
}

/// Checks for tags that are not known names.
pub(crate) fn check_names(view: &View, in_use: &TagsInUse, problems: &mut Vec<Problem>) {
    let mut seen = BTreeSet::new();
    for piece in &view.map.chunk(ChunkKind::Main).pieces {
        let PieceBody::Call(Header::Tags, Argument::Text(text)) = &piece.body else { continue };
        let tag = text.str(view.text());
        if !seen.insert(tag.clone()) {
            continue;
        }
        if let Some(flaw) = misspelt(view.engine, in_use, &tag) {
            let span = piece.span();
            let fix = flaw.near.as_ref().and_then(|near| near.fix(view.text(), &span));
            let problem = view.warning(codes::UNKNOWN_TAG, span, flaw.message, &flaw.hint);
            problems.push(Problem { fix, ..problem });
        }
    }
}

/// The problem of a tag.
pub(crate) struct Misspelt {
    pub(crate) message: String,
    pub(crate) hint: String,
    /// What to write, unless it is only a guess from the tags of others.
    pub(crate) near: Option<Near>,
}

impl Misspelt {
    fn near(message: String, near: Near) -> Misspelt {
        Misspelt { message, hint: near.hint(), near: Some(near) }
    }
}

/// Returns the problem of a tag that a map of the library sets.
pub(crate) fn misspelt(engine: &Engine, in_use: &TagsInUse, tag: &str) -> Option<Misspelt> {
    // A tag shared by several maps is a name used for selection.
    let is_alone = match in_use.count_at_once(tag) {
        0 | 1 => true,
        2 => false,
        _ => return None,
    };
    let flaw = flaw_of(engine, in_use, tag, is_alone)?;
    // Maps known only by their text are considered if something seems to be wrong.
    let uses = in_use.count(tag);
    if uses > 2 || in_use.is_asked_for(tag) {
        return None;
    }
    match uses == 2 && is_alone {
        true => flaw_of(engine, in_use, tag, false),
        false => Some(flaw),
    }
}

fn flaw_of(engine: &Engine, in_use: &TagsInUse, tag: &str, is_alone: bool) -> Option<Misspelt> {
    let like_others = || like_others(in_use, tag).filter(|_| is_alone);
    if let Some(flaw) = other_god(engine, tag).or_else(like_others) {
        return Some(flaw);
    }
    let names = engine.content().names();
    if names.properties.contains(tag) || names.tags.iter().any(|own| own.recognises(tag)) {
        return None;
    }
    let says_nothing = || format!("the engine does not know the tag '{tag}', so it says nothing");
    if let Some(elsewhere) = engine.content().elsewhere("kprop", tag) {
        let (message, hint) = (says_nothing(), elsewhere.describe(tag));
        return Some(Misspelt { message, hint, near: None });
    }
    let length = tag.chars().count();
    let alike = names.tags.iter().filter(|own| {
        let difference = own.tag.chars().count().abs_diff(length);
        own.matches == TagMatch::Exact && own.tag.len() > 5 && difference <= 2
    });
    let close = alike.filter_map(|own| Some((distance_within(&own.tag, tag, 2)?, own)));
    let close: Vec<_> = close.collect();
    if let Some(&(distance, own)) = close.iter().min_by_key(|(distance, _)| *distance) {
        let is_as_near = |other: &&(usize, _)| other.0 == distance;
        // Another map with the tag shows that it may be used for selection.
        let is_sure = distance == 1 && is_alone && close.iter().filter(is_as_near).count() == 1;
        let near = Near { word: tag.to_owned(), name: own.tag.clone(), is_sure };
        return Some(Misspelt::near(format!("the engine does not know the tag '{tag}'"), near));
    }
    let looks_so = ["no_", "allow_"].iter().any(|prefix| tag.starts_with(prefix));
    (is_alone && looks_so).then(|| Misspelt {
        message: says_nothing(),
        hint: "correct it: a tag that nobody knows is passed over without a word".to_owned(),
        near: None,
    })
}

/// Returns the problem of a tag for the altar of an unknown god with a name similar to a known one.
fn other_god(engine: &Engine, tag: &str) -> Option<Misspelt> {
    let prefix = ["uniq_altar_", "temple_overflow_"].into_iter().find(|p| tag.starts_with(p))?;
    let own = &tag[prefix.len()..];
    let gods = engine.content().names().gods();
    let altars = || gods.iter().filter_map(|god| god.altar.strip_prefix("altar_"));
    if altars().any(|god| god == own) {
        return None;
    }
    let near = nearest(own, altars()).filter(|near| near.is_sure)?;
    let near = Near { word: tag.to_owned(), name: format!("{prefix}{}", near.name), ..near };
    Some(Misspelt::near(format!("no god is meant by the tag '{tag}'"), near))
}

/// Returns the problem of a tag that only one map has, if it is similar to one of the same kind
/// that others share.
fn like_others(in_use: &TagsInUse, tag: &str) -> Option<Misspelt> {
    const KINDS: [&str; 5] = ["uniq_altar_", "uniq_", "luniq_", "chance_", "temple_overflow_"];
    let kind = KINDS.iter().find(|kind| tag.starts_with(**kind))?;
    let letters = |tag: &str| tag.trim_end_matches(|c: char| c.is_ascii_digit() || c == '_').len();
    if letters(tag) < tag.len() || tag.len() < kind.len() + 4 {
        return None;
    }
    let mut shared = in_use.shared(kind);
    shared.sort_unstable();
    let near = nearest(&tag[kind.len()..], shared.into_iter())?;
    if !near.is_sure || near.name.len() < 4 {
        return None;
    }
    let near = Near { word: tag.to_owned(), name: format!("{kind}{}", near.name), ..near };
    let (message, hint) = (format!("no other map has the tag '{tag}'"), near.hint());
    Some(Misspelt { message, hint, near: None })
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
        // If Lua decides, only one of them may be set.
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

/// Reports a tag that names a god, on a map whose only altars are of other gods.
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
