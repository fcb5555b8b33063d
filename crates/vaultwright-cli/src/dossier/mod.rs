//! `vaultwright dossier`: all that a reviewer wants to know of changed vaults, in one file.

mod before;
mod document;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use vaultwright::lint::PlacementCheck;
use vaultwright::map::MapId;
use vaultwright::play::{Session, exercise};
use vaultwright::render::{Picture, side_by_side};
use vaultwright::stats::{MapOdds, map_odds, odds_in_a_game};
use vaultwright::syntax::Source;
use vaultwright::{Engine, Ground, Problem, Severity, lint};

use crate::arguments::{Common, DossierOptions, Profile};
use crate::output::{Colours, counted};
use crate::session::{in_a_line, sources_of};
use crate::{Failure, Outcome, batch, check, odds, output, places, shown, trying};
use document::Part;

/// How often a map is rolled for a picture, and placed to see whether it falls apart.
const ROLLS: u64 = 4;
const PLACED: u64 = 24;
/// How long it is played on, and how often.
const TURNS: u32 = 400;
const PLAYS: u64 = 2;
/// How many levels, and how many losers, are listed.
const LEVELS: usize = 12;
const LOSERS: usize = 10;

pub fn run(common: &Common, options: &DossierOptions) -> Result<Outcome, Failure> {
    let own = sources_of(&common.own)?;
    let old = match &options.base {
        Some(base) => Some(before::sources(&own, base)?),
        None => None,
    };
    let problems = check::of_sources(common, &own, None)?;
    let style = style_of(common, &own, &problems)?;
    let names: Vec<Arc<str>> = own.iter().map(|source| Arc::clone(&source.name)).collect();
    let mut engine = batch::with_own(common, own)?;
    places::apply(&options.setting, &mut engine)?;
    let before = earlier(common, old.as_deref().unwrap_or_default(), &names)?;
    let changed = changed_maps(&engine, &before, &names);

    let mut parts = vec![Part::Heading(1, format!("Vaults of {}", names.join(", ")))];
    parts.push(Part::Text(summary(&changed, &problems, options)));
    parts.push(Part::Heading(2, "Findings".to_owned()));
    parts.push(findings(&problems));
    parts.push(Part::Heading(2, "Style".to_owned()));
    parts.push(findings(&style));
    let is_shown = |map: &&Changed| map.index.is_some() && map.how != How::Same;
    let shown: Vec<&Changed> = changed.iter().filter(is_shown).collect();
    for map in shown.iter().take(options.maps) {
        let Some(index) = map.index else { continue };
        of_map(&mut engine, index, map.how, options, &mut parts)?;
    }
    if shown.len() > options.maps {
        let left = shown.len() - options.maps;
        parts.push(Part::Text(format!("{left} other maps are not shown here: --maps N")));
    }
    of_odds(&before, &engine, &changed, &mut parts);
    let triggers = played(&engine, &shown[..shown.len().min(options.maps)], options)?;
    parts.push(Part::Heading(2, "In play".to_owned()));
    parts.extend(triggers);

    let is_html = options.out.as_ref().and_then(|path| path.extension());
    let is_html = is_html.is_some_and(|ending| ending == "html" || ending == "htm");
    let text = match is_html {
        true => document::html(&format!("Vaults of {}", names.join(", ")), &parts),
        false => document::markdown(&parts),
    };
    output::write(options.out.as_deref(), shown::lines(&text).as_bytes())?;
    let failed = problems.iter().any(|problem| problem.severity == Severity::Error);
    Ok(if failed { Outcome::Findings } else { Outcome::Clean })
}

/// Returns the pack before the change: without the files, or with these in their place.
fn earlier(common: &Common, old: &[Source], names: &[Arc<str>]) -> Result<Engine, Failure> {
    // A file that was not there has no maps.
    let absent = names.iter().filter(|name| !old.iter().any(|source| source.name == **name));
    let absent = absent.map(|name| Source::new(&**name, Vec::new()));
    batch::with_own(common, old.iter().cloned().chain(absent).collect())
}

/// Returns what a house style says beyond the rest.
fn style_of(common: &Common, own: &[Source], known: &[Problem]) -> Result<Vec<Problem>, Failure> {
    let key = |problem: &Problem| {
        (problem.file.source.name.to_string(), problem.span.start, problem.message.clone())
    };
    let known: BTreeSet<_> = known.iter().map(key).collect();
    let mut all = check::of_sources(common, own, Some(Profile::Crawl))?;
    all.retain(|problem| !known.contains(&key(problem)));
    Ok(all)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum How {
    New,
    Changed,
    Same,
    Gone,
}

impl How {
    fn name(self) -> &'static str {
        match self {
            How::New => "new",
            How::Changed => "changed",
            How::Same => "as before",
            How::Gone => "gone",
        }
    }
}

struct Changed {
    name: String,
    /// Its index in the pack of today.
    index: Option<MapId>,
    how: How,
}

/// Returns the maps of the files, each with what has become of it.
fn changed_maps(engine: &Engine, before: &Engine, names: &[Arc<str>]) -> Vec<Changed> {
    let texts = |engine: &Engine| -> Vec<(String, MapId, Vec<u8>)> {
        let library = engine.library();
        let maps = library.iter();
        let own = maps.filter(|(_, map)| names.contains(&map.file.source.name));
        own.map(|(index, map)| {
            let text = map.file.source.text[map.syntax().span.clone()].to_vec();
            (map.selection.name.clone(), index, text)
        })
        .collect()
    };
    let old: HashMap<String, Vec<u8>> =
        texts(before).into_iter().map(|(name, _, text)| (name, text)).collect();
    let mut all = Vec::new();
    for (name, index, text) in texts(engine) {
        let how = match old.get(&name) {
            Some(same) if *same == text => How::Same,
            Some(_) => How::Changed,
            None => How::New,
        };
        all.push(Changed { name, index: Some(index), how });
    }
    let gone: BTreeSet<&String> =
        old.keys().filter(|name| !all.iter().any(|map| map.name == **name)).collect();
    let gone: Vec<Changed> = gone
        .into_iter()
        .map(|name| Changed { name: name.clone(), index: None, how: How::Gone })
        .collect();
    all.extend(gone);
    all
}

fn summary(changed: &[Changed], problems: &[Problem], options: &DossierOptions) -> String {
    let count = |how: How| changed.iter().filter(|map| map.how == how).count();
    let errors = problems.iter().filter(|p| p.severity == Severity::Error).count();
    let (errors, warnings) = (errors as u64, (problems.len() - errors) as u64);
    let maps = match &options.base {
        Some(base) => format!(
            "Against {base}: {} new, {} changed, {} as before, {} gone.",
            count(How::New),
            count(How::Changed),
            count(How::Same),
            count(How::Gone)
        ),
        None => {
            let maps = counted(changed.len() as u64, "map");
            format!("{maps} that can be rolled, against the pack without them.")
        }
    };
    format!("{maps} {}, {}.", counted(errors, "error"), counted(warnings, "warning"))
}

fn findings(problems: &[Problem]) -> Part {
    if problems.is_empty() {
        return Part::Text("None.".to_owned());
    }
    let line = |problem: &Problem| {
        let hint = problem.hint.as_ref().map_or_else(String::new, |hint| format!(" ({hint})"));
        format!("[{}] {}{hint}", lint::code_of(problem), in_a_line(problem))
    };
    Part::List(problems.iter().map(line).collect())
}

/// Rolls, a place on a level, and whether it falls apart.
fn of_map(
    engine: &mut Engine,
    index: MapId,
    how: How,
    options: &DossierOptions,
    parts: &mut Vec<Part>,
) -> Result<(), Failure> {
    let library = engine.library();
    let entry = &library[index];
    let (name, branches) = (&entry.selection.name, engine.content().branches());
    parts.push(Part::Heading(2, format!("{name} ({})", how.name())));
    let facts = [
        ("line", format!("{}:{}", entry.file.source.name, entry.syntax().line)),
        ("depth", entry.selection.depths.describe(branches)),
        ("place", entry.selection.place.describe(branches)),
        ("tags", entry.selection.tag_string()),
    ];
    let facts = facts.into_iter().filter(|(_, value)| !value.is_empty());
    parts.push(Part::List(facts.map(|(what, value)| format!("{what}: {value}")).collect()));
    let mut pictures = Vec::new();
    let last = options.seed.saturating_add(ROLLS);
    for seed in options.seed..last {
        match engine.resolve(index, seed) {
            Ok(rolled) => pictures.push(Picture::of(&rolled.map, engine.content())),
            Err(error) => parts.push(Part::Text(format!("Seed {seed}: no roll: {error}"))),
        }
    }
    if !pictures.is_empty() {
        let seeds = if last - options.seed == 1 { "Seed" } else { "Seeds" };
        parts.push(Part::Text(format!("{seeds} {} to {}:", options.seed, last - 1)));
        let row = |picture: &Picture, row: usize| Colours::None.row(picture, row);
        parts.push(Part::Block(side_by_side(&pictures, 110, row)));
    }
    parts.push(Part::List(zones(engine, index)));
    let rows = all_odds(engine, index);
    let best = rows.iter().max_by(|a, b| a.1.share.total_cmp(&b.1.share)).map(|(place, _)| *place);
    if let Some(place) = engine.home().or(best) {
        let mut text = String::new();
        trying::forced(engine, index, place, options.seed, Colours::None, &mut text)?;
        parts.push(Part::Text("On a level:".to_owned()));
        parts.push(Part::Block(text));
    }
    Ok(())
}

/// Returns what placing it many times shows.
fn zones(engine: &mut Engine, index: MapId) -> Vec<String> {
    let library = engine.library();
    let map = &library[index].selection;
    let deep = lint::look_deeply(engine, index, PLACED);
    let mut lines: Vec<String> = deep.iter().map(|problem| problem.message.clone()).collect();
    for check in [PlacementCheck::Zones, PlacementCheck::TeleportClosets] {
        let what = match check {
            PlacementCheck::Zones => "isolated zones",
            _ => "teleport closets",
        };
        if let Some(reason) = lint::placement_skipped(map, check, engine.content()) {
            lines.push(format!("{what}: not looked for ({reason})"));
            continue;
        }
        let (mut with, mut placed) = (0, 0);
        for seed in 1..=PLACED {
            let Ok(level) = engine.place_under(index, seed, &check.conditions(Ground::Floor))
            else {
                continue;
            };
            placed += 1;
            with += u64::from(!check.findings(&level, engine.content()).is_empty());
        }
        lines.push(format!("{what}: in {with} of {placed} placements ({PLACED} seeds)"));
    }
    lines
}

fn all_odds(engine: &Engine, index: MapId) -> Vec<(vaultwright::map::LevelPlace, MapOdds)> {
    let all = places::all(engine).into_iter();
    all.flat_map(|place| map_odds(engine, index, place).into_iter().map(move |row| (place, row)))
        .collect()
}

/// Odds before and after, and which vaults lose.
fn of_odds(before: &Engine, after: &Engine, changed: &[Changed], parts: &mut Vec<Part>) {
    parts.push(Part::Heading(2, "Odds".to_owned()));
    let in_a_game = |engine: &Engine, name: &str| {
        let rows = engine.library().find(name).map(|index| all_odds(engine, index));
        let rows: Vec<MapOdds> = rows.into_iter().flatten().map(|(_, row)| row).collect();
        odds::percent(odds_in_a_game(&rows, 1.0))
    };
    let rows = changed.iter().filter(|map| map.how != How::Same).map(|map| {
        let name = &map.name;
        vec![name.clone(), in_a_game(before, name), in_a_game(after, name)]
    });
    let rows: Vec<Vec<String>> = rows.collect();
    if rows.is_empty() {
        parts.push(Part::Text("No map differs.".to_owned()));
        return;
    }
    parts.push(Part::Table(&["map", "in a game, before", "after"], rows));
    let own: BTreeSet<&str> =
        changed.iter().filter(|map| map.how != How::Same).map(|map| &*map.name).collect();
    let levels = places::all(after);
    let (changes, lost) = before::changes(before, after, &levels, |name| own.contains(name));
    let mut rows: Vec<(f64, Vec<String>)> = Vec::new();
    for change in &changes {
        for (name, old, new) in &change.own {
            let percents = [odds::percent(*old), odds::percent(*new)];
            let [old_percent, new_percent] = percents;
            let cells = vec![change.place.clone(), name.clone(), old_percent, new_percent];
            rows.push(((new - old).abs(), cells));
        }
    }
    rows.retain(|(difference, _)| *difference > 1e-9);
    rows.sort_by(|a, b| b.0.total_cmp(&a.0));
    let rows: Vec<Vec<String>> = rows.into_iter().take(LEVELS).map(|(_, row)| row).collect();
    if !rows.is_empty() {
        parts.push(Part::Text("First draws of levels, where most changes:".to_owned()));
        parts.push(Part::Table(&["level", "map", "before", "after"], rows));
    }
    let row = |(name, loss): &(String, f64)| vec![name.clone(), format!("-{loss:.4}")];
    let rows: Vec<Vec<String>> = lost.iter().take(LOSERS).map(row).collect();
    if !rows.is_empty() {
        let text = "Vaults that lose most (first draws in a game, all levels together):";
        parts.push(Part::Text(text.to_owned()));
        parts.push(Part::Table(&["map", "draws"], rows));
    }
}

/// Returns what markers have been told during a random walk.
fn played(
    engine: &Engine,
    maps: &[&Changed],
    options: &DossierOptions,
) -> Result<Vec<Part>, Failure> {
    let mut session = Session::new(engine.share().engine()?, 1);
    let mut parts = Vec::new();
    for map in maps {
        let Some(index) = map.index else { continue };
        let (mut told, mut errors) = (BTreeMap::<String, u64>::new(), BTreeSet::new());
        let mut markers = 0;
        for seed in options.seed..options.seed.saturating_add(PLAYS) {
            let Ok(played) = exercise(&mut session, index, seed, TURNS) else { continue };
            markers = markers.max(played.markers);
            for ((class, event), times) in played.told {
                *told.entry(format!("{class} told of {}", event.name())).or_default() += times;
            }
            errors.extend(played.errors.into_keys().map(|error| error.to_string()));
        }
        if markers == 0 && errors.is_empty() {
            continue;
        }
        let mut lines = vec![format!("{markers} Lua markers, {PLAYS} plays of {TURNS} turns")];
        lines.extend(told.into_iter().map(|(what, times)| format!("{what}: {times} times")));
        lines.extend(errors.into_iter().map(|error| format!("error: {error}")));
        parts.push(Part::Heading(3, map.name.clone()));
        parts.push(Part::List(lines));
    }
    if parts.is_empty() {
        parts.push(Part::Text("No map has Lua markers.".to_owned()));
    }
    Ok(parts)
}
