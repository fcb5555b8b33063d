//! Maps that no roll accepts: their `validate` or `veto` always says no (VW387).

use std::sync::Arc;

use vaultwright_engine::{Code, Engine, Player, Problem};
use vaultwright_map::MapId;
use vaultwright_syntax::{ChunkKind, PieceBody};

use crate::{codes, levels, warning};

/// How many times as often as others a map is rolled that is refused each time.
const TIMES: u64 = 8;

/// How the message about such a map begins.
const REFUSED: &str = "the map is refused in";

/// Returns a finding about a map that is refused in each roll, whoever plays and on whatever level
/// it may stand. `names` are those of players that it asks for.
pub(crate) fn never_accepted(
    engine: &mut Engine,
    index: MapId,
    names: Option<&[String]>,
    rolls: u64,
) -> Option<Problem> {
    let library = engine.library();
    let entry = library.get(index)?;
    let text = &entry.file.source.text;
    let has = |kind| !entry.syntax().chunk(kind).is_empty(text);
    let (has_veto, has_validation) = (has(ChunkKind::Veto), has(ChunkKind::Validate));
    if !has_veto && !has_validation || remembers(entry.syntax(), text) {
        return None;
    }
    let home = engine.home();
    let ranges = [&entry.selection.place, &entry.selection.depths];
    let levels = home.map_or_else(|| levels::allowed_or_start(ranges, engine), |home| vec![home]);
    let chosen = engine.player();
    let of = (TIMES * rolls).max(levels.len() as u64);
    let mut vetoed = 0;
    let is_accepted = (0..of).any(|seed| {
        let place = levels[seed as usize % levels.len()];
        let names = names.filter(|_| seed % 2 == 1);
        let player = names.map(|names| Player::drawn(engine.content(), names, seed));
        engine.set_player(player.or_else(|| chosen.clone()));
        let is_vetoed = has_veto && engine.is_vetoed_at(index, place, seed);
        vetoed += u64::from(is_vetoed);
        !is_vetoed && engine.roll_at(index, place, seed, None).valid
    });
    engine.set_player(chosen);
    engine.take_messages();
    if is_accepted {
        return None;
    }
    let (kind, why) = match vetoed {
        0 => (ChunkKind::Validate, "its validation fails"),
        _ if vetoed == of => (ChunkKind::Veto, "it is vetoed"),
        _ => (ChunkKind::Validate, "it is vetoed, or its validation fails"),
    };
    let message = format!("{REFUSED} {of} of {of} rolls: {why}");
    let hint = match kind {
        ChunkKind::Veto => "a map is vetoed where its veto block returns true: see what it returns",
        _ => "a map is accepted where its validate block returns true: see what it returns",
    };
    let pieces = &entry.syntax().chunk(kind).pieces;
    let span = pieces.first()?.span().start..pieces.last()?.span().end;
    let problem = warning(&entry.file, codes::ALWAYS_REFUSED, span, message, hint);
    Some(Problem { map: Some(entry.selection.name.clone()), ..problem })
}

/// Removes what rolls have shown of a block if its code is told to give the same answer each time.
pub(crate) fn remove_repeated(problems: &mut Vec<Problem>) {
    let is_refusal = |problem: &Problem| problem.code == Code::Lint(codes::ALWAYS_REFUSED);
    let is_of_rolls =
        |problem: &Problem| is_refusal(problem) && problem.message.starts_with(REFUSED);
    let place = |problem: &Problem| (Arc::clone(&problem.file.source.name), problem.span.start);
    let of_code = problems.iter().filter(|problem| is_refusal(problem) && !is_of_rolls(problem));
    let mut told: Vec<(Arc<str>, usize)> = of_code.map(place).collect();
    told.sort_unstable();
    problems.retain(|problem| {
        let is_told = || {
            let own = place(problem);
            let next = told.get(told.partition_point(|place| *place < own));
            next.is_some_and(|(file, start)| *file == own.0 && *start < problem.span.end)
        };
        !is_of_rolls(problem) || !is_told()
    });
}

/// What a veto may ask for so that rolls have all answers: draws, and which level it is.
const KNOWN: [&str; 13] = [
    "if",
    "and",
    "or",
    "not",
    "return",
    "elseif",
    "you.depth",
    "you.absdepth",
    "you.depth_fraction",
    "you.branch",
    "you.in_branch",
    "you.where",
    "crawl.game_started",
];

/// Returns whether Lua of a map looks at what others have left behind, or its veto asks for
/// anything of a game, which no roll has.
fn remembers(map: &vaultwright_syntax::Map, source: &[u8]) -> bool {
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | ':');
    let is_known = |before: &str| {
        let before = before.trim_end();
        let name = before.rsplit(|c| !is_part(c)).next().unwrap_or(before);
        let draws = ["crawl.random", "crawl.coinflip", "crawl.one_chance", "crawl.x_chance"];
        name.is_empty() || KNOWN.contains(&name) || draws.iter().any(|own| name.starts_with(own))
    };
    let has = |kind, wanted: &dyn Fn(&str) -> bool| {
        map.chunk(kind).pieces.iter().any(|piece| match &piece.body {
            PieceBody::Lua(text) => wanted(&text.str(source)),
            _ => false,
        })
    };
    let asks = |text: &str| text.match_indices('(').any(|(at, _)| !is_known(&text[..at]));
    ChunkKind::ALL.iter().any(|&kind| has(kind, &|text| text.contains("persist")))
        || has(ChunkKind::Veto, &asks)
}
