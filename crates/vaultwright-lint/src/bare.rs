//! Glyphs without a meaning (VW319), and things where they cannot be (VW353).

use std::ops::Range;

use vaultwright_content::Content;
use vaultwright_engine::{GlyphNotes, Problem};
use vaultwright_map::Transform;
use vaultwright_syntax::{Argument, Header, Piece, PieceBody, looks_like_end};

use crate::glyphs::{drawn_glyphs, has_key};
use crate::structure::comment_in;
use crate::{View, codes};

/// Letters with a meaning besides those of features: slots, altars, trees.
const OWN_MEANING: &[u8] = b"defghijkBCOt";

pub(crate) fn check(
    view: &View,
    notes: Option<&GlyphNotes>,
    named: &dyn Fn() -> Box<dyn Fn(u8) -> bool>,
    problems: &mut Vec<Problem>,
) {
    misplaced(view, problems);
    shuffled(view, problems);
    let main = view.main();
    let is_filled = |piece: &Piece| match &piece.body {
        PieceBody::Call(header, _) => *header == Header::Subvault,
        PieceBody::Lua(text) => {
            let text = text.bytes(view.text());
            [&b"subvault"[..], b"_G"]
                .iter()
                .any(|word| text.windows(word.len()).any(|w| w == *word))
        }
        _ => false,
    };
    let Some(notes) = notes else { return };
    let features = view.engine.content().features();
    let stands_for_nothing = |glyph: &u8| {
        !OWN_MEANING.contains(glyph)
            && (glyph.is_ascii_alphabetic() || *glyph == b'/')
            && features.by_map_glyph(*glyph).is_none()
    };
    let mut bare: Vec<u8> = notes.bare.iter().copied().filter(stands_for_nothing).collect();
    // A glyph from a transform need not appear when the map is compiled.
    let brought = brought(view).into_iter().filter(stands_for_nothing);
    let brought: Vec<u8> = brought.filter(|glyph| !bare.contains(glyph)).collect();
    bare.extend(brought);
    // A row of words that is meant to end the drawing is told as such.
    bare.retain(|&glyph| !is_of_end_alone(view, glyph));
    if bare.is_empty() || main.iter().any(is_filled) {
        return;
    }
    let named = named();
    for glyph in bare.into_iter().filter(|glyph| !named(*glyph)) {
        let span = place_of(view, glyph);
        let message = format!("'{}' stands for nothing: it becomes floor", char::from(glyph));
        let hint = match stands_between_glyphs(view, glyph, &span) {
            true => "blanks stand between the glyphs of SUBST, not '/'",
            false => "say what it is with KFEAT, SUBST or another header, or correct the glyph",
        };
        problems.push(view.warning(codes::BARE_GLYPH, span, message, hint));
    }
}

/// Returns whether a glyph is the sign that other headers have between alternatives: `t = t / .`.
fn stands_between_glyphs(view: &View, glyph: u8, span: &Range<usize>) -> bool {
    let text = view.text().get(span.clone()).unwrap_or_default();
    glyph == b'/' && memchr::memmem::find(text, b" / ").is_some()
}

/// Reports a letter that SHUFFLE alone brings, in lower case for one of the map or the reverse.
fn shuffled(view: &View, problems: &mut Vec<Problem>) {
    let main = view.main();
    let is_shuffle = |piece: &&Piece| matches!(piece.body, PieceBody::Call(Header::Shuffle, _));
    if view.has_lua() || !main.iter().any(|piece| is_shuffle(&piece)) {
        return;
    }
    let mut known = drawn_glyphs(view);
    for piece in main.iter().filter(|piece| !is_shuffle(piece)) {
        if let PieceBody::Call(header, Argument::Text(text)) = &piece.body {
            let text = text.bytes(view.text());
            match header {
                Header::Subst | Header::Nsubst | Header::Clear => known.extend(text),
                _ if has_key(*header) || *header == Header::Subvault => {
                    known.extend(vaultwright_map::split_key(text).map_or(&[][..], |(key, ..)| key));
                }
                _ => {}
            }
        }
    }
    let features = view.engine.content().features();
    for piece in main.iter().filter(is_shuffle) {
        let PieceBody::Call(_, Argument::Text(text)) = &piece.body else { continue };
        let glyphs = text.bytes(view.text());
        let twin = |glyph: u8| match glyph.is_ascii_lowercase() {
            true => glyph.to_ascii_uppercase(),
            false => glyph.to_ascii_lowercase(),
        };
        let is_other = |glyph: &&u8| {
            glyph.is_ascii_alphabetic()
                && !known.contains(**glyph)
                && !OWN_MEANING.contains(*glyph)
                && features.by_map_glyph(**glyph).is_none()
                && known.contains(twin(**glyph))
                && !glyphs.contains(&twin(**glyph))
        };
        if let Some(&glyph) = glyphs.iter().find(is_other) {
            let (own, other) = (char::from(glyph), char::from(twin(glyph)));
            let message = format!("SHUFFLE brings '{own}', which stands for nothing");
            let hint = format!("did you mean '{other}'? Otherwise say what '{own}' is with KFEAT");
            problems.push(view.warning(codes::BARE_GLYPH, piece.span(), message, &hint));
        }
    }
}

/// Returns whether a glyph is on no row of the drawing but one that looks like its end.
fn is_of_end_alone(view: &View, glyph: u8) -> bool {
    let rows = view.rows().map(|(_, row)| row);
    let mut showing = rows.filter(|row| row.contains(&glyph)).peekable();
    showing.peek().is_some() && showing.all(looks_like_end)
}

/// Returns the glyphs that SUBST and NSUBST may put on a map, if no Lua decides about that.
fn brought(view: &View) -> Vec<u8> {
    let main = view.main();
    let is_transform =
        |piece: &Piece| matches!(piece.body, PieceBody::Call(Header::Subst | Header::Nsubst, _));
    if !main.iter().any(is_transform) || view.has_lua() {
        return Vec::new();
    }
    let mut present = drawn_glyphs(view);
    let mut brought = Vec::new();
    for piece in main {
        let PieceBody::Call(header, Argument::Text(text)) = &piece.body else { continue };
        let text = text.bytes(view.text());
        // The letters of a comment are reported as a comment.
        if comment_in(text).is_some() {
            continue;
        }
        let lists = match header {
            Header::Subst => Transform::subst(text).ok().flatten(),
            Header::Nsubst => Transform::nsubst(text).ok().flatten(),
            _ => None,
        };
        let (key, glyphs) = match lists {
            Some(Transform::Subst { key, list, .. }) => (key, list.glyphs.to_vec()),
            Some(Transform::Nsubst { key, segments }) => {
                let lists = segments.iter().flat_map(|(.., list)| list.glyphs.iter().copied());
                (key, lists.collect())
            }
            _ => continue,
        };
        if key.iter().any(|&glyph| present.contains(glyph)) {
            present.extend(&glyphs);
            brought.extend(glyphs);
        }
    }
    brought.sort_unstable();
    brought.dedup();
    brought
}

/// Returns the first row that shows a glyph, or the first transform that creates it.
fn place_of(view: &View, glyph: u8) -> std::ops::Range<usize> {
    let rows = view.rows().filter(|(_, row)| row.contains(&glyph));
    let transform = view.main().iter().filter(|piece| match &piece.body {
        PieceBody::Call(Header::Subst | Header::Nsubst | Header::Shuffle, Argument::Text(text)) => {
            text.bytes(view.text()).contains(&glyph)
        }
        _ => false,
    });
    rows.map(|(piece, _)| piece)
        .chain(transform)
        .next()
        .map_or_else(|| view.map.name.span(), |piece| piece.span())
}

/// Reports items within walls and lava, and monsters within walls.
fn misplaced<'v>(view: &'v View, problems: &mut Vec<Problem>) {
    let content = view.engine.content();
    let keyed = |piece: &'v Piece, wanted: Header| match &piece.body {
        PieceBody::Call(header, Argument::Text(text)) if *header == wanted => {
            let text = text.bytes(view.text()).trim_ascii();
            let (key, _, argument) = vaultwright_map::split_key(text).ok()?;
            Some((key, String::from_utf8_lossy(argument)))
        }
        _ => None,
    };
    let main = view.main();
    let is_ground = |piece: &'v Piece| {
        matches!(keyed(piece, Header::Kfeat), Some((_, argument))
        if ground(&argument, "items", content).is_some())
    };
    let has_things =
        |piece: &Piece| matches!(piece.body, PieceBody::Call(Header::Kitem | Header::Kmons, _));
    if !main.iter().any(has_things) || !main.iter().any(is_ground) {
        return;
    }
    let things = [(Header::Kitem, "items"), (Header::Kmons, "monsters")];
    for (header, what) in things {
        for (number, piece) in main.iter().enumerate() {
            let Some((key, argument)) = keyed(piece, header) else { continue };
            if argument.trim().starts_with("nothing") {
                continue;
            }
            let grounds = key.iter().find_map(|glyph| {
                let features = main.iter().enumerate().filter_map(|(number, piece)| {
                    let (key, argument) = keyed(piece, Header::Kfeat)?;
                    key.contains(glyph).then_some((number, argument))
                });
                let own: Option<Vec<String>> = features
                    .map(|(number, argument)| {
                        // If Lua decides, the ground may be for another case.
                        ground(&argument, what, content).filter(|_| view.always_runs(number))
                    })
                    .collect();
                own?.into_iter().next().map(|ground| (*glyph, ground))
            });
            let Some((glyph, ground)) = grounds.filter(|_| view.always_runs(number)) else {
                continue;
            };
            let message = format!("the {what} of '{}' are in {ground}", char::from(glyph));
            let hint = match what {
                "items" => "nobody can pick them up there: give them another glyph, or the ground",
                _ => "they cannot stand there: give them another glyph, or the ground",
            };
            problems.push(view.warning(codes::IN_WALL, piece.span(), message, hint));
        }
    }
}

/// Returns the first feature of a KFEAT, if nothing can be on any of its alternatives.
fn ground(argument: &str, what: &str, content: &Content) -> Option<String> {
    let features = content.features();
    let mut name = None;
    for choice in argument.split('/') {
        let word = choice.split_whitespace().find(|word| !word.starts_with("w:"))?;
        let id = match word.as_bytes() {
            [glyph] => features.by_map_glyph(*glyph)?,
            _ => features.by_name(word)?,
        };
        let feature = features.get(id);
        let flags = &feature.flags;
        let is_wall = flags.solid() && !flags.closed_door();
        if !(is_wall || (what == "items" && flags.lava())) {
            return None;
        }
        name.get_or_insert_with(|| feature.name.clone());
    }
    name
}
