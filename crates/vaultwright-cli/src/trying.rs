//! `vaultwright try`: all that an author wants to know of a file at a glance.

use std::fmt::Write;
use std::sync::Arc;

use vaultwright::lint::PlacementCheck;
use vaultwright::map::{Dungeon, LevelPlace, MapId};
use vaultwright::render::{Picture, level_picture, side_by_side};
use vaultwright::stats::{MapOdds, map_odds, odds_in_a_game};
use vaultwright::{BuildConditions, Engine, Ground, Severity, lint};

use crate::arguments::{Common, TryOptions};
use crate::output::{Colours, counted};
use crate::session::sources_of;
use crate::{Failure, Outcome, UsageError, batch, check, odds, output, places, report, shown};

/// How often a map is rolled.
const ROLLS: u64 = 4;
/// How often it is placed, to see whether it falls apart.
const PLACED: u64 = 12;
/// How many levels of its odds are told.
const LEVELS: usize = 3;

pub fn run(common: &Common, options: &TryOptions) -> Result<Outcome, Failure> {
    let colours = Colours::wanted(common);
    let own = sources_of(&common.own)?;
    let problems = check::of_sources(common, &own, None)?;
    output::write_text(None, &report::human(&problems, colours), colours)?;
    let errors = problems.iter().filter(|p| p.severity == Severity::Error).count();
    let names: Vec<Arc<str>> = own.iter().map(|source| Arc::clone(&source.name)).collect();
    let mut engine = batch::with_own(common, own)?;
    places::apply(&options.setting, &mut engine)?;
    let library = engine.library();
    let is_own = |index: &MapId| names.contains(&library[*index].file.source.name);
    let own: Vec<MapId> = library
        .iter()
        .map(|(id, _)| id)
        .filter(is_own)
        .filter(|&index| {
            let name = &library[index].selection.name;
            options.name.as_ref().is_none_or(|wanted| wanted == name)
        })
        .collect();
    let (shown, others) = own.split_at(own.len().min(options.maps));
    if own.is_empty() && errors == 0 {
        let message = match &options.name {
            Some(name) => format!("no map of the file is named '{name}'"),
            None => "the file holds no map".to_owned(),
        };
        return Err(UsageError(message).into());
    }
    for &index in shown {
        let text = of_map(&mut engine, index, options, colours)?;
        output::write_text(None, &text, colours)?;
    }
    if !others.is_empty() {
        output::line(format_args!("and {} other maps: name one, or --maps N", others.len()))?;
    }
    Ok(if errors > 0 { Outcome::Findings } else { Outcome::Clean })
}

fn of_map(
    engine: &mut Engine,
    index: MapId,
    options: &TryOptions,
    colours: Colours,
) -> Result<String, Failure> {
    let library = engine.library();
    let entry = &library[index];
    let name = &entry.selection.name;
    let mut out = String::new();
    writeln!(out, "\n{name}  ({}:{})", entry.file.source.name, entry.syntax().line)?;
    let mut pictures = Vec::new();
    for seed in options.seed..options.seed.saturating_add(ROLLS) {
        match engine.resolve(index, seed) {
            Ok(rolled) => pictures.push(Picture::of(&rolled.map, engine.content())),
            Err(error) => writeln!(out, "seed {seed}: no roll: {error}")?,
        }
    }
    out.push_str(&side_by_side(&pictures, output::columns(), |p, row| colours.row(p, row)));
    let deep = lint::look_deeply(engine, index, PLACED);
    for problem in &deep {
        let at = problem.file.lines.position(problem.span.start);
        writeln!(out, "  line {}: [{}] {}", at.line, lint::code_of(problem), problem.message)?;
    }
    if pictures.is_empty() {
        writeln!(out, "  not once in {ROLLS} rolls was there a map to look at")?;
    } else if deep.is_empty() {
        let whole = match closed_off(engine, index) {
            0 => "whole and without errors".to_owned(),
            parts => format!("without errors, but with {} closed off,", counted(parts, "part")),
        };
        writeln!(out, "  {whole} in {PLACED} rolls on the levels of its depth")?;
    }
    let wanted = places::all(engine).into_iter();
    let mut rows: Vec<(LevelPlace, MapOdds)> = wanted
        .flat_map(|place| map_odds(engine, index, place).into_iter().map(move |row| (place, row)))
        .collect();
    let all: Vec<MapOdds> = rows.iter().map(|(_, row)| row.clone()).collect();
    let game = odds::percent(odds_in_a_game(&all, 1.0));
    rows.sort_by(|a, b| b.1.share.total_cmp(&a.1.share));
    let best: Vec<String> = rows
        .iter()
        .take(LEVELS)
        .map(|(_, row)| format!("{} {}", row.place, odds::percent(row.share)))
        .collect();
    match rows.is_empty() {
        true => writeln!(out, "  odds: drawn on no level by DEPTH, PLACE or CHANCE")?,
        false => writeln!(out, "  odds: {}; in a game {game}", best.join(", "))?,
    }
    let best = rows.first().map(|(place, _)| *place);
    let Some(place) = engine.home().or(best) else { return Ok(out) };
    forced(engine, index, place, options.seed, colours, &mut out)?;
    Ok(out)
}

/// Returns the most parts of the map that nobody can walk to from around it. Maps whose walls are
/// meant to be closed count, too, though `check --deep` accepts them.
fn closed_off(engine: &mut Engine, index: MapId) -> u64 {
    let conditions = PlacementCheck::Opacity.conditions(Ground::Floor);
    let places = places::all(engine);
    let library = engine.library();
    let selection = &library[index].selection;
    let ranges = if selection.place.is_empty() { &selection.depths } else { &selection.place };
    let branches = engine.content().branches();
    let dungeon = Dungeon::standard(branches);
    let own = places.into_iter().find(|&place| ranges.usable_at(place, branches, &dungeon));
    let Some(place) = engine.home().or(own) else { return 0 };
    let mut most = 0;
    for seed in 0..PLACED {
        let Ok(level) = engine.place_at(index, place, seed, &conditions) else { continue };
        engine.take_messages();
        let parts = PlacementCheck::Opacity.findings_in_map(&level, engine.content()).len();
        most = most.max(parts as u64);
    }
    most
}

/// Shows the map on a level of its depth, with what is around it.
pub fn forced(
    engine: &mut Engine,
    index: MapId,
    place: LevelPlace,
    seed: u64,
    colours: Colours,
    out: &mut String,
) -> Result<(), Failure> {
    let name = engine.library()[index].selection.name.clone();
    let built = engine.build_under(
        place,
        seed,
        &BuildConditions { forced: Some(index), ..BuildConditions::default() },
    );
    let shown = place.name(engine.content().branches());
    let built = match built {
        Ok(built) => built,
        Err(error) => {
            writeln!(out, "  {shown} could not be built with it: {error}")?;
            return Ok(());
        }
    };
    let level = &built.level;
    let Some(vault) = level.vaults.iter().find(|vault| vault.map.name == name) else {
        writeln!(out, "  it found no room on {shown}, seed {seed}")?;
        return Ok(());
    };
    let file = shown::in_line(&engine.library()[index].file.source.name);
    writeln!(
        out,
        "  {shown}, seed {seed} (vaultwright generate --alone {shown} --force {name} --file {file} --seed {seed}):"
    )?;
    let picture = level_picture(level, engine.content());
    const AROUND: i32 = 4;
    let cell = |x: i32, y: i32| (x.max(0) as usize, y.max(0) as usize);
    let (from, size) = (vault.at, vault.size);
    let to = cell(from.x + size.0 + AROUND - 1, from.y + size.1 + AROUND - 1);
    let part = picture.cropped(cell(from.x - AROUND, from.y - AROUND), to);
    out.push_str(&colours.picture(&part));
    Ok(())
}
