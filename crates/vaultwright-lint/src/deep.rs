//! Problems that only many rolls of a map show: errors on other levels and for other players,
//! unreachable cells, things that are missing or duplicated.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use vaultwright_content::{Content, FeatureId, Features};
use vaultwright_engine::{
    BuildConditions, Code, Engine, Ground, LibraryMap, PlaceError, Player, Problem, Severity, Veto,
};
use vaultwright_level::Level;
use vaultwright_map::{LevelPlace, MapId, Point};
use vaultwright_syntax::{ChunkKind, Header, Piece, PieceBody};

use crate::counts::Counts;
use crate::placement::{PlacementCheck, placement_skipped, zones_are_allowed};
use crate::rolls::is_asked_for;
use crate::{codes, levels, refused, tags, warning};

/// Rolls and places a map on the levels where it may be, at least `rolls` times. If the map asks
/// about the player, uses players of all kinds. Returns the problems with their frequencies. Maps
/// that are only chosen by tag are skipped: their problems show up in the maps that request them.
pub fn look_deeply(engine: &mut Engine, index: MapId, rolls: u64) -> Vec<Problem> {
    let library = engine.library();
    let Some(entry) = library.get(index) else { return Vec::new() };
    let selection = &entry.selection;
    if selection.depths.is_empty() && selection.place.is_empty() {
        // Entrances are asked for by their tag.
        return missing_entrance(engine, index, rolls);
    }
    let places =
        engine.home().map_or_else(|| levels::some_of(selection, engine), |home| vec![home]);
    let rolls = rolls.max(places.len() as u64);
    let errors = roll_everywhere(engine, index, &places, rolls);
    if !errors.is_empty() || is_asked_for(entry) {
        return errors;
    }
    let names = if engine.player().is_none() { asked_of_player(entry) } else { None };
    // What is never accepted is never placed.
    match refused::never_accepted(engine, index, names.as_deref(), rolls) {
        Some(refused) => vec![refused],
        None => place_everywhere(engine, index, &places, rolls),
    }
}

/// Rolls the map and returns failures, each kind once.
fn roll_everywhere(
    engine: &mut Engine,
    index: MapId,
    places: &[LevelPlace],
    rolls: u64,
) -> Vec<Problem> {
    let library = engine.library();
    let entry = &library[index];
    // If a player was set, only this one is of interest.
    let chosen = engine.player();
    let wanted = if chosen.is_none() { asked_of_player(entry) } else { None };
    let times_asked = if wanted.is_some() { 2 * rolls } else { rolls };
    type Failed = (Problem, String, u64);
    let mut found: BTreeMap<(usize, String), Failed> = BTreeMap::new();
    for seed in 0..times_asked {
        let place = places[seed as usize % places.len()];
        // The first half uses a new player.
        let names = wanted.as_deref().filter(|_| seed >= rolls);
        let player = names.map(|names| Player::drawn(engine.content(), names, seed));
        let player = player.or_else(|| chosen.clone());
        engine.set_player(player.clone());
        let problem = engine.roll_at(index, place, seed, None).problem;
        let Some(problem) = problem else { continue };
        let mut when = place.name(engine.content().branches());
        if let Some(player) = player {
            when = format!("{when} for a {}", player.describe());
        }
        let key = (problem.span.start, problem.message.clone());
        found.entry(key).or_insert((*problem, when, 0)).2 += 1;
    }
    engine.set_player(chosen);
    if found.values().any(|(.., times)| *times == times_asked) && is_asked_for(entry) {
        return Vec::new();
    }
    let told = found.into_values().map(|(problem, when, times)| {
        let message = format!("{} (in {when}; {times} of {times_asked} rolls)", problem.message);
        Problem { message, ..problem }
    });
    told.collect()
}

/// Returns the names in the Lua of a map that asks about the player; `None` if it does not.
fn asked_of_player(entry: &LibraryMap) -> Option<Vec<String>> {
    const QUESTIONS: [&str; 8] = [
        "you.race",
        "you.species",
        "you.genus",
        "you.god",
        "you.class",
        "skill(",
        "you.mutation",
        "you.xl",
    ];
    let source = &entry.file.source.text;
    let chunks = ChunkKind::ALL.iter().map(|&kind| entry.syntax().chunk(kind));
    let chunks = chunks.chain([&entry.file.tree.global_prelude]);
    let mut text = String::new();
    for piece in chunks.flat_map(|chunk| &chunk.pieces) {
        if let PieceBody::Lua(lua) = &piece.body {
            text.push_str(&lua.str(source));
            text.push('\n');
        }
    }
    let asks = QUESTIONS.iter().any(|question| text.contains(question));
    let quoted = |quote: char| text.split(quote).skip(1).step_by(2).map(str::to_owned);
    asks.then(|| quoted('"').chain(quoted('\'')).collect())
}

/// How many levels are built with a map that seems to make none possible.
const LEVELS: u64 = 3;

/// Returns a finding about a map with which no level of its place can be built.
fn no_level(engine: &mut Engine, index: MapId, place: LevelPlace) -> Option<Problem> {
    let mut why = None;
    for seed in 0..LEVELS {
        let conditions = BuildConditions { forced: Some(index), ..BuildConditions::default() };
        let built = engine.build_under(place, seed, &conditions);
        engine.take_messages();
        why = built.err()?.reasons().pop();
    }
    let library = engine.library();
    let (entry, name) = (&library[index], place.name(engine.content().branches()));
    let message = format!("no {name} can be built with this map: {}", why?);
    let hint = "give it the stairs up and down of a level, `{[(` and `}])`, or take out PLACE";
    let problem = warning(&entry.file, codes::NO_LEVEL, entry.syntax().name.span(), message, hint);
    Some(Problem { map: Some(entry.selection.name.clone()), ..problem })
}

/// Returns what is wrong with a map whose tag promises the entrance of a branch, if only rolls show
/// whether it has one.
fn missing_entrance(engine: &mut Engine, index: MapId, rolls: u64) -> Vec<Problem> {
    let library = engine.library();
    let (entry, content) = (&library[index], engine.content());
    let promises = |tag: &String| tags::entry_promised(tag, content).is_some();
    let mut main = entry.syntax().chunk(ChunkKind::Main).pieces.iter();
    let is_subvault = |piece: &Piece| matches!(piece.body, PieceBody::Call(Header::Subvault, _));
    let is_plain = entry.syntax().is_declarative() && !main.any(is_subvault);
    if is_plain || !entry.selection.tags.iter().any(promises) {
        return Vec::new();
    }
    let mut counts = Counts::of(entry, engine.content());
    for seed in 0..rolls {
        let conditions = vaultwright_engine::PlaceConditions::default();
        let placed = engine.place_at(index, LevelPlace::START, seed, &conditions);
        engine.take_messages();
        if let Ok(level) = placed {
            counts.add(&level, LevelPlace::START, engine.content());
        }
    }
    counts.problems(entry, engine.content())
}

/// Returns what is wrong with the levels on which a map has been placed.
fn place_everywhere(
    engine: &mut Engine,
    index: MapId,
    places: &[LevelPlace],
    rolls: u64,
) -> Vec<Problem> {
    let library = engine.library();
    let entry = &library[index];
    let tests_zones = placement_skipped(&entry.selection, PlacementCheck::Zones, engine.content())
        .is_none()
        && !zones_are_allowed(&entry.selection.name, engine.content());
    let conditions = match tests_zones {
        true => PlacementCheck::Zones.conditions(Ground::Floor),
        false => vaultwright_engine::PlaceConditions::default(),
    };
    let mut counts = Counts::of(entry, engine.content());
    if !tests_zones && counts.wants_nothing() && hook_of(entry).is_none() {
        return Vec::new();
    }
    let mut cut_off = CutOff::default();
    let mut failed = Vec::new();
    for seed in 0..rolls {
        let place = places[seed as usize % places.len()];
        let placed = engine.place_at(index, place, seed, &conditions);
        let said = engine.take_messages();
        let level = match placed {
            Ok(level) => level,
            Err(error) => {
                failed.extend(of_hook(&error, said));
                continue;
            }
        };
        counts.add(&level, place, engine.content());
        if tests_zones {
            cut_off.look_at(engine, Roll { map: index, place, seed }, &level);
        }
    }
    // A hook that fails on some levels may look for what others have.
    if failed.len() as u64 == rolls
        && let Some(error) = failed.pop()
    {
        let when = format!("{rolls} of {rolls} placements");
        let place = hook_of(entry).map(|span| (&*entry.file.source.name, span));
        let hint = "no level keeps a map whose hook fails: mend what the hook does".to_owned();
        let problem = play_problem(engine, index, &error, place, &when);
        return problem.map(|told| Problem { hint: Some(hint), ..told }).into_iter().collect();
    }
    let mut problems = counts.problems(entry, engine.content());
    if let Some(place) = counts.without_stairs() {
        problems.extend(no_level(engine, index, place));
    }
    problems.extend(cut_off.problem(entry, engine.content()));
    problems
}

/// Returns what was said of a hook that failed, if that is why a map was not placed.
fn of_hook(error: &PlaceError, said: Vec<String>) -> Option<String> {
    let is_hook = matches!(error, PlaceError::Vetoed { veto: Veto::HookFailed(_), .. });
    let about = |text: &String| text.starts_with("Lua error running hook");
    is_hook.then(|| said.into_iter().rfind(about).unwrap_or_else(|| error.message()))
}

/// Returns where Lua of a map gives it the first hook; `None` if it gives none.
fn hook_of(entry: &LibraryMap) -> Option<Range<usize>> {
    let chunks = ChunkKind::ALL.iter().map(|&kind| entry.syntax().chunk(kind));
    chunks.flat_map(|chunk| &chunk.pieces).find_map(|piece| {
        let PieceBody::Lua(text) = &piece.body else { return None };
        let at = memchr::memmem::find(text.bytes(&entry.file.source.text), b"hook")?;
        let start = text.span().start + at;
        Some(start..start + b"hook".len())
    })
}

/// A map that is placed on a level.
#[derive(Clone, Copy)]
struct Roll {
    map: MapId,
    place: LevelPlace,
    seed: u64,
}

/// What is cut off on the levels on which a map was placed.
#[derive(Default)]
struct CutOff {
    /// Zones of the level, including the map.
    isolated: Share,
    /// Closets of the map that can be teleported into.
    closets: Share,
    /// Zones of the map by itself.
    rooms: Share,
}

impl CutOff {
    /// Counts what is cut off on a level, and within the map by itself.
    fn look_at(&mut self, engine: &mut Engine, roll: Roll, level: &Level) {
        let Roll { map, place, seed } = roll;
        let content = engine.content();
        let zones = PlacementCheck::Zones.findings(level, content);
        self.isolated.add(zones.iter().find(|zone| is_cut_off(level, content, zone)), seed);
        let zones = PlacementCheck::TeleportClosets.findings(level, content);
        // The surrounding ground has no stairs either.
        let is_inside = |zone: &&Vec<Point>| zone.iter().all(|&p| level.vault_at(p).is_some());
        self.closets.add(zones.iter().find(is_inside), seed);
        let inside = PlacementCheck::Opacity.conditions(Ground::Floor);
        let Ok(level) = engine.place_at(map, place, seed, &inside) else { return };
        let content = engine.content();
        let zones = PlacementCheck::Opacity.findings(&level, content);
        self.rooms.add(zones.iter().find(|zone| is_cut_off(&level, content, zone)), seed);
    }

    /// Returns the most severe problem as a finding, if there is any.
    fn problem(&self, entry: &LibraryMap, content: &Content) -> Option<Problem> {
        let CutOff { isolated, closets, rooms } = self;
        // If the game itself prevents teleporting into closets, none is a trap.
        let closes = !content.rules.more_isolation_checks;
        let name = &entry.selection.name;
        let tell = |code, message: String, hint: &str| {
            let problem = warning(&entry.file, code, entry.syntax().name.span(), message, hint);
            Some(Problem { map: Some(name.clone()), ..problem })
        };
        if let Some(seed) = isolated.first {
            let message = format!("{} cannot be reached {}", isolated.cells(), isolated.rolls());
            let hint = format!(
                "`vaultwright place {name} --check zones --seed {seed}` shows them; join them, or \
                 let nobody teleport there with KPROP: no_tele_into"
            );
            tell(codes::ISOLATED, message, &hint)
        } else if let Some(seed) = closets.first.filter(|_| closes && closets.is_now_and_then()) {
            let (cells, rolls) = (closets.cells(), closets.rolls());
            let message = format!("{cells} can be teleported into and not left {rolls}");
            let hint = format!(
                "`vaultwright place {name} --check tele --seed {seed}` shows them; open them, or \
                 write KPROP: no_tele_into"
            );
            tell(codes::TELEPORT_CLOSET, message, &hint)
        } else if let Some(seed) = rooms.first.filter(|_| 2 * rooms.times < rooms.of) {
            let message = format!("{} cannot be reached {}", rooms.cells(), rooms.rolls());
            let hint = format!(
                "`vaultwright place {name} --seed {seed}` shows it; see that every choice leaves a way"
            );
            tell(codes::ISOLATED, message, &hint)
        } else {
            None
        }
    }
}

/// Returns whether a zone is cut off without being closed on purpose. One within deep water or lava
/// is an island.
fn is_cut_off(level: &Level, content: &Content, zone: &[Point]) -> bool {
    let is_liquid = |p: Point| {
        level.feature(p).is_some_and(|id| {
            let flags = content.features().get(id).flags;
            flags.deep_water() || flags.lava()
        })
    };
    let around = |p: Point| {
        (-1..=1).flat_map(move |dy| (-1..=1).map(move |dx| Point::new(p.x + dx, p.y + dy)))
    };
    let is_island = zone.iter().any(|&p| around(p).any(is_liquid));
    !is_island && !is_closed_on_purpose(level, content, zone)
}

/// Returns whether a zone is closed on purpose: it cannot be teleported into, or something leads
/// out of it.
fn is_closed_on_purpose(level: &Level, content: &Content, zone: &[Point]) -> bool {
    let no_tele = content.names().properties.get("no_tele_into").unwrap_or(0);
    let leads_out = |p: Point| {
        level.feature(p).is_some_and(|id| {
            let features = content.features();
            let flags = features.get(id).flags;
            flags.stair() || flags.hatch() || flags.branch_entrance() || leads_within(features, id)
        })
    };
    let kept_out = |p: Point| {
        level.properties(p) & no_tele != 0
            || level.vault_at(p).is_some_and(|vault| vault.map.has_tag("no_tele_into"))
    };
    let beams_out = |p: Point| level.markers.at(p).any(|marker| marker.said_transporter);
    zone.iter().all(|&p| kept_out(p)) || zone.iter().any(|&p| leads_out(p) || beams_out(p))
}

/// Returns whether a feature is a transporter, its landing, or a shop, which have no predicate.
fn leads_within(features: &Features, id: FeatureId) -> bool {
    let names = ["transporter", "transporter_landing", "enter_shop"];
    names.into_iter().any(|name| features.by_name(name) == Some(id))
}

/// In how many rolls something is so.
#[derive(Default)]
struct Share {
    of: u64,
    times: u64,
    /// The first seed with the problem, and the number of cells.
    first: Option<u64>,
    cells: usize,
}

impl Share {
    fn add(&mut self, zone: Option<&Vec<Point>>, seed: u64) {
        self.of += 1;
        if let Some(zone) = zone {
            self.times += 1;
            if self.first.is_none() {
                (self.first, self.cells) = (Some(seed), zone.len());
            }
        }
    }

    /// Returns whether it occurs in some rolls, but not in all, and more than very rarely.
    fn is_now_and_then(&self) -> bool {
        self.times < self.of && 8 * self.times >= self.of
    }

    fn cells(&self) -> String {
        match self.cells {
            1 => "a cell".to_owned(),
            cells => format!("{cells} cells"),
        }
    }

    fn rolls(&self) -> String {
        format!("({} of {} rolls)", self.times, self.of)
    }
}

/// Returns a finding about an error that occurred in play, at the position of the error, or at the
/// map's name if the position is unknown.
pub fn play_problem(
    engine: &Engine,
    index: MapId,
    error: &str,
    place: Option<(&str, Range<usize>)>,
    when: &str,
) -> Option<Problem> {
    let library = engine.library();
    let entry = library.get(index)?;
    let in_file = place.filter(|(file, _)| *file == &*entry.file.source.name);
    let span = in_file.map_or_else(|| entry.syntax().name.span(), |(_, span)| span);
    Some(Problem {
        code: Code::Lua,
        severity: Severity::Error,
        message: format!("{error} ({when})"),
        hint: None,
        file: Arc::clone(&entry.file),
        span,
        map: Some(entry.selection.name.clone()),
        fix: None,
    })
}
