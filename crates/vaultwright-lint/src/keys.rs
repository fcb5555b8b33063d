//! Statements and headers that a later one replaces (VW316), markers that stand for nothing
//! (VW317), segments of NSUBST behind the one that takes the rest (VW318), weights of monsters with
//! commas between them (VW355).

use std::collections::BTreeSet;

use foldhash::{HashMap, HashMapExt};
use vaultwright_engine::Problem;
use vaultwright_map::{Count, Transform};
use vaultwright_syntax::{Argument, ChunkKind, Header, Piece, PieceBody};

use crate::{View, codes};

pub(crate) fn check(view: &View, problems: &mut Vec<Problem>) {
    let pieces = view.main();
    let mut keyed = Vec::new();
    for (number, piece) in pieces.iter().enumerate() {
        let PieceBody::Call(header, Argument::Text(text)) = &piece.body else { continue };
        if !matches!(header, Header::Kfeat | Header::Kmons | Header::Kitem | Header::Marker) {
            continue;
        }
        let text = text.bytes(view.text()).trim_ascii();
        let Ok((key, _, argument)) = vaultwright_map::split_key(text) else { continue };
        match header {
            Header::Marker if view.engine.content().rules.several_markers => {
                for part in text.split(|&byte| byte == b',') {
                    if let Ok((_, _, argument)) = vaultwright_map::split_key(part) {
                        marker(view, piece, argument, problems);
                    }
                }
            }
            Header::Marker => marker(view, piece, argument, problems),
            _ => keyed.push((*header, key, piece, number)),
        }
    }
    replaced(view, &keyed, problems);
    decorations(view, &keyed, problems);
    overlays(view, problems);
    repeated(view, problems);
    behind_rest(view, problems);
    weights_behind_commas(view, problems);
}

/// Weights of monsters with commas between them: each is alone in its slot, and the second stands
/// in for the first where that is missing.
fn weights_behind_commas(view: &View, problems: &mut Vec<Problem>) {
    for piece in view.main() {
        let PieceBody::Call(Header::Kmons, Argument::Text(text)) = &piece.body else { continue };
        let text = text.bytes(view.text());
        let weighs = |slot: &[u8]| {
            let mut words = slot.split(u8::is_ascii_whitespace);
            words.any(|word| word.starts_with(b"w:") || word.starts_with(b"weight:"))
        };
        let is_list = text.contains(&b',') && !text.contains(&b'/');
        if is_list && text.split(|&byte| byte == b',').filter(|slot| weighs(slot)).count() > 1 {
            problems.push(view.warning(
                codes::UNKNOWN_WORD,
                piece.span(),
                "a weight says nothing where a comma stands before the next monster".to_owned(),
                "between alternatives stands '/'; what follows a comma stands in for a unique \
                 that the game has made already",
            ));
        }
    }
}

/// Reports segments of an NSUBST after the one that takes all remaining cells.
fn behind_rest(view: &View, problems: &mut Vec<Problem>) {
    for piece in view.main() {
        let PieceBody::Call(Header::Nsubst, Argument::Text(text)) = &piece.body else { continue };
        let text = text.bytes(view.text());
        let rest = text.iter().position(|&byte| byte == b'*');
        if !rest.is_some_and(|rest| text[rest..].contains(&b'/')) {
            continue;
        }
        let Ok(Some(Transform::Nsubst { segments, .. })) = Transform::nsubst(text) else {
            continue;
        };
        let rest = segments.iter().position(|(count, ..)| matches!(count, Count::Rest));
        let Some((_, _, lost)) = rest.and_then(|rest| segments.get(rest + 1)) else { continue };
        let lost = String::from_utf8_lossy(&lost.glyphs).into_owned();
        problems.push(view.warning(
            codes::TOO_FEW_CELLS,
            piece.span(),
            format!("'*' takes all cells that are left: no '{lost}' comes"),
            "put the segment with * at the end",
        ));
    }
}

/// Reports headers of which only the last one counts, if there are two that do not depend on Lua.
fn repeated(view: &View, problems: &mut Vec<Problem>) {
    const LAST_COUNTS: [Header; 5] =
        [Header::Orient, Header::Place, Header::Desc, Header::Weight, Header::Chance];
    let main = view.map.chunk(ChunkKind::Main);
    let mut first: [Option<usize>; LAST_COUNTS.len()] = [None; LAST_COUNTS.len()];
    for (number, piece) in main.pieces.iter().enumerate() {
        let header = match &piece.body {
            PieceBody::Call(header, Argument::Text(text))
                if !text.bytes(view.text()).is_empty() =>
            {
                header
            }
            // One for a range of depths is something else.
            PieceBody::Call(header, Argument::Number(_)) => header,
            _ => continue,
        };
        let Some(kind) = LAST_COUNTS.iter().position(|own| own == header) else { continue };
        let Some(before) = first[kind].replace(number) else { continue };
        if view.always_runs(before) && view.always_runs(number) {
            let name = header.keyword().trim_end_matches(':');
            problems.push(view.warning(
                codes::OVERRIDDEN_KEY,
                main.pieces[before].span(),
                format!("line {} replaces this {name}", piece.line),
                "a map has one: remove the line that is not meant",
            ));
        }
    }
}

/// Reports a line whose glyphs are all redefined by a single later line.
fn replaced(view: &View, keyed: &[(Header, &[u8], &Piece, usize)], problems: &mut Vec<Problem>) {
    for (index, (header, key, piece, number)) in keyed.iter().enumerate() {
        let later = keyed[index + 1..].iter().find(|(other, keys, ..)| {
            other == header && key.iter().all(|glyph| keys.contains(glyph))
        });
        let Some((.., later, later_number)) = later else { continue };
        // If Lua decides, one of two lines may be for another case.
        if !view.always_runs(*number) || !view.always_runs(*later_number) {
            continue;
        }
        let shown = String::from_utf8_lossy(key);
        let what = header.keyword().trim_end_matches(':');
        problems.push(view.warning(
            codes::OVERRIDDEN_KEY,
            piece.span(),
            format!("line {} replaces what {what} says of '{shown}'", later.line),
            "a glyph has one of each: join the lines, or use another glyph",
        ));
    }
}

/// Reports colours and tiles of cells that later ones replace, with nothing between them that
/// changes the cells.
fn overlays(view: &View, problems: &mut Vec<Problem>) {
    // For each glyph, the piece that is its last, and how many glyphs a piece is the last of.
    let mut last: HashMap<(Header, u8), &Piece> = HashMap::new();
    let mut left: HashMap<usize, usize> = HashMap::new();
    for (number, piece) in view.main().iter().enumerate() {
        let (header, text) = match &piece.body {
            PieceBody::Call(header, Argument::Text(text)) => (*header, text.bytes(view.text())),
            PieceBody::Call(..) => continue,
            _ => {
                last.clear();
                continue;
            }
        };
        match header {
            Header::Colour | Header::Ftile | Header::Rtile | Header::Tile => {}
            Header::Subst | Header::Nsubst | Header::Shuffle | Header::Clear | Header::Subvault => {
                last.clear();
                continue;
            }
            _ => continue,
        }
        let Ok((key, _, given)) = vaultwright_map::split_key(text.trim_ascii()) else { continue };
        // `none` leaves what is there.
        if memchr::memmem::find(given, b"none").is_some() || !view.always_runs(number) {
            last.clear();
            continue;
        }
        let glyphs: BTreeSet<u8> = key.iter().copied().collect();
        left.insert(piece.span().start, glyphs.len());
        for glyph in glyphs {
            let Some(before) = last.insert((header, glyph), piece) else { continue };
            let Some(own) = left.get_mut(&before.span().start) else { continue };
            *own -= 1;
            if *own == 0 {
                let what = header.keyword().trim_end_matches(':');
                problems.push(view.warning(
                    codes::OVERRIDDEN_KEY,
                    before.span(),
                    format!("line {} replaces what this {what} says", piece.line),
                    "a cell has one: join the lines with '/', or use another glyph",
                ));
            }
        }
    }
}

/// Functions of the library that give a glyph a feature.
const DECORATIONS: [&str; 4] = [
    "decorative_floor(",
    "vault_granite_statue_setup(",
    "vault_metal_statue_setup(",
    "snake_statue_setup(",
];

/// Reports what a function of the library says of a glyph, and a later KFEAT replaces.
fn decorations(view: &View, keyed: &[(Header, &[u8], &Piece, usize)], problems: &mut Vec<Problem>) {
    for (number, piece) in view.main().iter().enumerate() {
        let PieceBody::Lua(text) = &piece.body else { continue };
        let (start, text) = (text.span().start, text.str(view.text()));
        let code = text.trim_start();
        let Some(function) = DECORATIONS.iter().find(|name| code.starts_with(**name)) else {
            continue;
        };
        let mut arguments = code[function.len()..].split(',').skip(1);
        let glyph = arguments.next().map_or("", |glyph| glyph.trim().trim_end_matches(')'));
        let &[b'"' | b'\'', glyph, b'"' | b'\''] = glyph.as_bytes() else { continue };
        let later = keyed.iter().find(|(header, key, _, at)| {
            *header == Header::Kfeat && *at > number && key.contains(&glyph)
        });
        let later = later.filter(|(.., at)| view.always_runs(*at));
        let Some((_, _, later, _)) = later else { continue };
        let start = start + (text.len() - code.len());
        let name = function.trim_end_matches('(');
        problems.push(view.warning(
            codes::OVERRIDDEN_KEY,
            start..start + name.len(),
            format!("line {} replaces the feature of '{}'", later.line, char::from(glyph)),
            "a glyph has one KFEAT: take it out of the later line, or use another glyph",
        ));
    }
}

/// Reports invalid markers: besides `lua:` and `lua_mapless:`, the header only knows `feat:NAME`.
fn marker(view: &View, piece: &Piece, argument: &[u8], problems: &mut Vec<Problem>) {
    if argument.starts_with(b"lua:") || argument.starts_with(b"lua_mapless:") {
        return;
    }
    let argument = String::from_utf8_lossy(argument);
    let name = argument.strip_prefix("feat:").map(str::trim);
    let features = view.engine.content().features();
    let message = match name {
        Some(name) if features.by_name(name).is_some() => return,
        Some(name) => format!("no feature is called '{name}', so no marker is made"),
        None => format!("'{}' makes no marker", argument.trim()),
    };
    problems.push(view.warning(
        codes::MARKER_OF_NOTHING,
        piece.span(),
        message,
        &match lua_without_its_word(&argument) {
            Some(expression) => format!("Lua stands behind 'lua:': write lua:{expression}"),
            None if argument.contains(',') => {
                "write one marker on a line; only --rules classic reads several".to_owned()
            }
            None => "write feat:NAME with a terrain name, or lua:EXPRESSION".to_owned(),
        },
    ));
}

/// Returns the beginning of a call of Lua, such as `fog_machine { …`, before which `lua:` or its
/// colon is missing.
fn lua_without_its_word(argument: &str) -> Option<String> {
    let (function, rest) = argument.split_at(argument.find(['{', '('])?);
    let name = function.trim();
    let name = name.strip_prefix("lua").unwrap_or(name).trim_start();
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | ':');
    let is_name = !name.is_empty() && !name.starts_with("feat:") && name.chars().all(is_part);
    let open = if rest.starts_with('{') { " {" } else { "(" };
    is_name.then(|| format!("{name}{open} …"))
}
