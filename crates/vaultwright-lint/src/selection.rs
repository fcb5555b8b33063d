//! Weights and chances that never win (VW321), chances without a percent sign (VW326), depths
//! without a level (VW322), places with a default depth (VW324), levels that PLACE cannot name
//! (VW374), maps that are too large for the Abyss (VW376), weights and chances for levels that a
//! map is never on (VW325).

use vaultwright_content::Branches;
use vaultwright_engine::Problem;
use vaultwright_map::{DepthRange, DepthRanges, Dungeon, LevelPlace, Orient};
use vaultwright_syntax::{Argument, ChunkKind, Header, Piece, PieceBody};

use crate::spans::line_around;
use crate::{View, codes, levels};

pub(crate) fn check(view: &View, problems: &mut Vec<Problem>) {
    let main = view.main();
    for piece in main {
        match &piece.body {
            PieceBody::Call(header @ (Header::Weight | Header::Chance), Argument::Number(0)) => {
                never_wins(view, *header, piece, problems);
            }
            PieceBody::Call(Header::Chance, Argument::Number(chance @ 1..100)) => {
                without_percent(view, *chance, piece, problems);
            }
            PieceBody::Call(header @ (Header::Depth | Header::Place), Argument::Text(text)) => {
                let branches = view.engine.content().branches();
                let ranges = DepthRanges::parse(&text.str(view.text()), branches);
                let ranges = ranges.unwrap_or_default();
                missing_levels(view, &ranges, piece, problems);
                if *header == Header::Depth && text.bytes(view.text()).trim_ascii().is_empty() {
                    empty_depth(view, piece, problems);
                }
                if *header == Header::Depth {
                    abyss_size(view, &ranges, piece, problems);
                }
                if *header == Header::Place {
                    place_in_abyss(view, &ranges, piece, problems);
                    place_with_default_depth(view, main, piece, problems);
                }
            }
            _ => {}
        }
    }
    never_by_depth(view, main, problems);
    nowhere(view, main, problems);
    useless_ranges(view, main, problems);
}

/// Reports a chance that was probably meant in percent: without the sign it is one in 10,000.
fn without_percent(view: &View, chance: i64, piece: &Piece, problems: &mut Vec<Problem>) {
    let line = line_around(view.text(), piece.span().start);
    if view.text()[line].contains(&b'%') {
        return;
    }
    let message = format!("CHANCE: {chance} is {chance} in 10,000, not {chance} percent");
    let hint = format!("write CHANCE: {chance}%, or {chance}00 for the same without the sign");
    problems.push(view.warning(codes::CHANCE_WITHOUT_PERCENT, piece.span(), message, &hint));
}

/// Reports weights and chances for levels that the map is never on.
fn useless_ranges(view: &View, main: &[Piece], problems: &mut Vec<Problem>) {
    let selection = &view.entry.selection;
    if selection.weight.entries.is_empty() && selection.chance.entries.is_empty() {
        return;
    }
    let branches = view.engine.content().branches();
    let own = levels::deciding(selection);
    if own.is_empty() || is_asked_for(view) || view.has_lua() {
        return;
    }
    let dungeon = Dungeon::standard(branches);
    let places: Vec<LevelPlace> = levels::allowed([own], branches).collect();
    for (header, table) in
        [(Header::Weight, &selection.weight), (Header::Chance, &selection.chance)]
    {
        let piece =
            main.iter().find(|p| matches!(p.body, PieceBody::Call(found, _) if found == header));
        let useless = table.entries.iter().map(|(ranges, _)| ranges).filter(|ranges| {
            !places.iter().any(|&place| ranges.usable_at(place, branches, &dungeon))
        });
        let useless: Vec<String> = useless.map(|ranges| ranges.describe(branches)).collect();
        if places.is_empty() || useless.is_empty() {
            continue;
        }
        let span = piece.map_or(view.map.name.span(), |piece| piece.span());
        let ranges = useless.join("; ");
        let message = format!("{} for {ranges}, where the map never stands", header.keyword());
        let hint = "DEPTH or PLACE decide where it stands: correct one of the two";
        problems.push(view.warning(codes::USELESS_RANGE, span, message, hint));
    }
}

/// Returns whether the map may be requested by a tag, which is possible anywhere.
fn is_asked_for(view: &View) -> bool {
    let names = view.engine.content().names();
    view.entry.selection.tags.iter().any(|tag| !names.is_flag_tag(tag))
}

/// Reports ranges that exclude each other, so that no level is left.
fn nowhere(view: &View, main: &[Piece], problems: &mut Vec<Problem>) {
    let ranges = &view.entry.selection.depths;
    if !ranges.0.iter().any(|range| range.negated) || !view.entry.selection.place.is_empty() {
        return;
    }
    let takes_only_away = ranges.0.iter().all(|range| range.negated);
    if takes_only_away && (gives_depths(view) || is_asked_for(view)) {
        return;
    }
    let branches = view.engine.content().branches();
    let stands = levels::allowed([ranges], branches).next().is_some();
    let depth = main.iter().find(|p| matches!(p.body, PieceBody::Call(Header::Depth, _)));
    if let (false, Some(depth)) = (stands, depth) {
        let (message, hint) = match takes_only_away {
            true => (
                "what is behind '!' is taken away from nothing, so no level is left",
                "write the depths that it is taken away from, too: D, !D:3",
            ),
            false => (
                "the ranges behind '!' leave no level",
                "what is behind '!' is taken away from all others: correct the depths",
            ),
        };
        let problem = view.warning(codes::NO_SUCH_LEVEL, depth.span(), message.to_owned(), hint);
        problems.push(problem);
    }
}

/// Returns whether Lua of the map, or of its file, may give it depths.
pub(crate) fn gives_depths(view: &View) -> bool {
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let gives = |piece: &Piece| {
        let PieceBody::Lua(text) = &piece.body else { return false };
        let text = text.bytes(view.text());
        memchr::memmem::find_iter(text, b"depth").any(|at| {
            let behind = text[at + b"depth".len()..].trim_ascii_start();
            let is_call = matches!(behind.first(), Some(b'(' | b'"' | b'\''));
            is_call && !text[..at].last().is_some_and(is_part)
        })
    };
    let chunks = ChunkKind::ALL.iter().map(|&kind| view.map.chunk(kind));
    let mut chunks = chunks.chain([&view.file.tree.global_prelude]);
    view.has_lua() && chunks.any(|chunk| chunk.pieces.iter().any(gives))
}

/// Reports levels that a default-depth line names and that do not exist, with the first of the maps
/// that it is for.
pub(crate) fn check_default(view: &View, problems: &mut Vec<Problem>) {
    let Some(number) = view.map.default_depth else { return };
    let maps = &view.file.tree.maps;
    let first = maps.iter().position(|map| map.default_depth == Some(number));
    if first != Some(view.entry.origin.map) {
        return;
    }
    let Some(line) = view.file.tree.default_depths.get(number) else { return };
    let branches = view.engine.content().branches();
    let Ok(ranges) = DepthRanges::parse(&line.text.str(view.text()), branches) else { return };
    // A level far below the last is a way to say that the maps are for no level.
    let is_meant = |range: &&DepthRange| {
        let branch = range.branch.and_then(|id| branches.get(id));
        branch.is_some_and(|branch| range.shallowest > branch.levels + 20)
    };
    let ranges = ranges.0.iter().filter(|range| !is_meant(range));
    let told = ranges.filter_map(|range| no_level(range, branches));
    problems.extend(told.map(|message| Problem {
        map: None,
        ..view.warning(codes::NO_SUCH_LEVEL, line.text.span(), message, WRITE_A_LEVEL)
    }));
}

/// Reports a DEPTH without a level where the default-depth of the file then holds.
fn empty_depth(view: &View, piece: &Piece, problems: &mut Vec<Problem>) {
    if view.map.default_depth.is_none() || view.entry.selection.depths.0.is_empty() {
        return;
    }
    let line = line_around(view.text(), piece.span().start);
    problems.push(view.warning(
        codes::NO_SUCH_LEVEL,
        crate::spans::trimmed(view.text(), line.clone()).unwrap_or(line),
        "DEPTH names no level, so the default-depth of the file holds".to_owned(),
        "write depths, or take out the line; an empty default-depth line above the map ends the \
             other",
    ));
}

/// Reports the DEPTH of a map that nothing chooses by its depth: an unrand one that nobody names,
/// or an extra one that takes up the whole level.
fn never_by_depth(view: &View, main: &[Piece], problems: &mut Vec<Problem>) {
    let selection = &view.entry.selection;
    let (is_unrand, is_extra) = (selection.has_tag("unrand"), selection.has_tag("extra"));
    if !is_unrand && !is_extra {
        return;
    }
    let depth = main.iter().find(|p| matches!(p.body, PieceBody::Call(Header::Depth, _)));
    let Some(depth) = depth.filter(|_| selection.place.is_empty() && !is_asked_for(view)) else {
        return;
    };
    let (message, hint) = if is_unrand && !is_named_elsewhere(view) {
        let message = "nothing chooses an unrand map by its depth, and nothing names this one";
        (message, "remove the tag unrand, or the DEPTH")
    } else if is_extra && selection.orient == Some(Orient::Encompass) {
        let message = "extra maps are put beside others, and this one takes up the whole level";
        (message, "remove the tag extra, or the ORIENT")
    } else {
        return;
    };
    problems.push(view.warning(codes::NEVER_CHOSEN, depth.span(), message.to_owned(), hint));
}

/// Returns whether the name of a map stands anywhere but behind its NAME.
fn is_named_elsewhere(view: &View) -> bool {
    let name = view.entry.selection.name.as_bytes();
    let own = view.map.name.span().start;
    view.library.files.iter().any(|file| {
        let is_own = |at: usize| std::sync::Arc::ptr_eq(file, view.file) && at == own;
        memchr::memmem::find_iter(&file.source.text, name).any(|at| !is_own(at))
    })
}

fn never_wins(view: &View, header: Header, piece: &Piece, problems: &mut Vec<Problem>) {
    let selection = &view.entry.selection;
    let table = if header == Header::Weight { &selection.weight } else { &selection.chance };
    let by_range = table.entries.iter().any(|&(_, value)| value > 0);
    if by_range || table.default != Some(0) || view.has_lua() {
        return;
    }
    if let Some((written, hint)) = fraction(view, header, piece) {
        let message =
            format!("{} {written} is 0, with which this map is never chosen", header.keyword());
        problems.push(view.warning(codes::NEVER_CHOSEN, piece.span(), message, &hint));
        return;
    }
    problems.push(view.warning(
        codes::NEVER_CHOSEN,
        piece.span(),
        format!("with {} 0 this map is never chosen", header.keyword()),
        "remove the line, or give it a number above 0; to place a map by name or tag only, use \
         the tag unrand",
    ));
}

/// Returns a weight or chance below 1 as it is written, and what to write for it.
fn fraction(view: &View, header: Header, piece: &Piece) -> Option<(String, String)> {
    let text = view.text();
    let written = String::from_utf8_lossy(text.get(piece.span())?).into_owned();
    let value: f64 = written.trim().parse().ok().filter(|value| *value > 0.0)?;
    if header == Header::Weight {
        return Some((written, "there are no fractions: the usual weight is 10".to_owned()));
    }
    let is_percent = text[piece.span().end..].trim_ascii_start().starts_with(b"%");
    // A chance without the sign is out of 10,000.
    let (percent, sign) = if is_percent { (value, "%") } else { (value * 100.0, "") };
    let hint = match (percent * 100.0).round() {
        0.0 => "there are no fractions: the least is CHANCE: 1, once in 10,000".to_owned(),
        parts if parts % 100.0 == 0.0 => {
            format!("there are no fractions: write CHANCE: {}%", parts / 100.0)
        }
        parts => format!("there are no fractions: write CHANCE: {parts}, which is out of 10,000"),
    };
    Some((written + sign, hint))
}

fn missing_levels(view: &View, ranges: &DepthRanges, piece: &Piece, problems: &mut Vec<Problem>) {
    let branches = view.engine.content().branches();
    for message in ranges.0.iter().filter_map(|range| no_level(range, branches)) {
        problems.push(view.warning(codes::NO_SUCH_LEVEL, piece.span(), message, WRITE_A_LEVEL));
    }
}

/// The hint about a depth without a level.
pub(crate) const WRITE_A_LEVEL: &str = "write a depth the branch has; $ is its last level";

/// Returns the message about a range whose branch does not have this level.
pub(crate) fn no_level(range: &DepthRange, branches: &Branches) -> Option<String> {
    let branch = branches.get(range.branch?)?;
    let beyond = range.shallowest > branch.levels && range.shallowest < 100;
    match branch.levels {
        0 => Some(format!("the branch {} has no levels", branch.name)),
        levels => beyond.then(|| {
            let (name, depth) = (&branch.name, range.shallowest);
            format!("{name} has {levels} levels, so {name}:{depth} does not exist")
        }),
    }
}

/// The maximum width and height of a map of the Abyss.
const MAX_ABYSS_SIZE: (usize, usize) = (28, 23);

fn abyss_size(view: &View, ranges: &DepthRanges, piece: &Piece, problems: &mut Vec<Problem>) {
    let branches = view.engine.content().branches();
    let is_abyss = |id| branches.traits(id).abyss;
    let whole = view.entry.selection.orient == Some(Orient::Encompass);
    if whole || !ranges.0.iter().any(|range| !range.negated && range.branch.is_some_and(is_abyss)) {
        return;
    }
    let rows = view.rows().map(|(_, row)| row.len());
    let (height, width) = rows.fold((0, 0), |(rows, widest), row| (rows + 1, widest.max(row)));
    let (most_width, most_height) = MAX_ABYSS_SIZE;
    if width > most_width || height > most_height {
        problems.push(view.warning(
            codes::ABYSS_SIZE,
            piece.span(),
            format!("a map of {width} by {height} is too large for the Abyss"),
            "maps of the Abyss are no larger than 28 by 23, better 23 by 23 so that they can turn",
        ));
    }
}

/// Reports a PLACE in branches whose levels are created anew whenever the player enters them.
fn place_in_abyss(view: &View, ranges: &DepthRanges, piece: &Piece, problems: &mut Vec<Problem>) {
    if let Some(message) = no_place(ranges, view.engine.content().branches()) {
        problems.push(view.warning(codes::PLACE_IN_ABYSS, piece.span(), message, WRITE_DEPTH));
    }
}

/// The hint about a level that PLACE cannot name.
pub(crate) const WRITE_DEPTH: &str =
    "write DEPTH; a Pandemonium lord's map has the lord's name as a tag";

/// Returns the message about a PLACE that names such a level.
pub(crate) fn no_place(ranges: &DepthRanges, branches: &Branches) -> Option<String> {
    let mut named = ranges.0.iter().filter_map(|range| branches.get(range.branch?));
    let branch = named.find(|branch| {
        let traits = branches.traits(branch.id);
        traits.abyss || traits.pandemonium || branch.name == "Labyrinth"
    })?;
    Some(format!("PLACE cannot name a level of the {}", branch.name))
}

/// Reports a map for one place that the file's default-depth also allows on other levels.
fn place_with_default_depth(
    view: &View,
    main: &[Piece],
    place: &Piece,
    problems: &mut Vec<Problem>,
) {
    let own = main.iter().any(|piece| matches!(&piece.body, PieceBody::Call(Header::Depth, _)));
    let selection = &view.entry.selection;
    if own || view.map.default_depth.is_none() || selection.depths.0.is_empty() || view.has_lua() {
        return;
    }
    // Maps that cannot be chosen at random by depth do not turn up elsewhere.
    if ["unrand", "dummy"].iter().any(|tag| selection.has_tag(tag)) {
        return;
    }
    problems.push(
        view.warning(
            codes::PLACE_WITH_DEFAULT_DEPTH,
            place.span(),
            "the default-depth of the file holds for this map, too: it may turn up on other levels"
                .to_owned(),
            "give it a DEPTH of its own, the tag unrand, or write it above the default-depth line",
        ),
    );
}
