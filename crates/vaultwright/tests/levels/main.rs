//! Levels that the library makes, and that are played. One program, so that it is linked once.

mod abyss;
mod carried;
mod editions;
mod failures;
mod finishing;
mod game;
mod hooks;
mod lair_levels;
mod layout_painters;
mod layouts;
mod library;
mod painters;
mod placing;
mod random_monsters;
mod saves;
mod sizes;
mod steps;
mod tides;
mod trunk_builder;
mod trunk_features;
mod trunk_vectors;

use vaultwright::content::Edition;
use vaultwright::syntax::Source;
use vaultwright::{DataRoot, Engine, EngineOptions, Limits};

/// An engine with the maps of a text and nothing else, under the rules of an edition.
fn engine_of(edition: Edition, maps: &str) -> Engine {
    let (engine, problems) = loaded(edition, maps);
    assert!(problems.is_empty(), "{:?}", problems[0]);
    engine
}

/// An engine with the maps of a text, and the messages of what is wrong in it.
fn loaded(edition: Edition, maps: &str) -> (Engine, Vec<String>) {
    loaded_within(Limits::default(), edition, maps)
}

/// The same with other limits of what scripts may use.
fn loaded_within(limits: Limits, edition: Edition, maps: &str) -> (Engine, Vec<String>) {
    let (root, edition) = (DataRoot::Bare, Some(edition));
    let options = EngineOptions { root, edition, limits, ..EngineOptions::default() };
    let mut engine = Engine::new(options).expect("an engine");
    let problems = engine.load(vec![Source::new("maps.des", maps.as_bytes())]);
    let messages = problems.into_iter().map(|problem| problem.message);
    (engine, messages.collect())
}

/// A layout of one hall for these levels, and the map that means "no vault but that".
fn one_hall(depth: &str) -> String {
    hall_with(depth, 10, "")
}

/// The same with so many cells of rock around the hall, and lines of Lua behind it.
fn hall_with(depth: &str, rock: i32, lua: &str) -> String {
    let (right, bottom) = (79 - rock, 69 - rock);
    format!(
        r#"
NAME:   layout_open
DEPTH:  {depth}
TAGS:   overwritable layout unrand allow_dup
ORIENT: encompass
{{{{
extend_map {{ width = 80, height = 70, fill = "x" }}
fill_area {{ x1 = {rock}, y1 = {rock}, x2 = {right}, y2 = {bottom}, fill = "." }}{lua}
}}}}
MAP
ENDMAP

NAME:   nothing_else
DEPTH:  {depth}
TAGS:   dummy
ORIENT: encompass
MAP
ENDMAP
"#
    )
}

/// A layout for the Elven Halls that is not in one piece.
const TWO_HALLS: &str = r#"
NAME:   layout_two_halls
DEPTH:  Elf
TAGS:   overwritable layout unrand allow_dup
ORIENT: encompass
{{
extend_map { width = 80, height = 70, fill = "x" }
fill_area { x1 = 10, y1 = 10, x2 = 34, y2 = 59, fill = "." }
fill_area { x1 = 45, y1 = 10, x2 = 69, y2 = 59, fill = "." }
mapgrd[20][20], mapgrd[20][40] = "{", "}"
mapgrd[60][20], mapgrd[60][40] = "[", "]"
}}
MAP
ENDMAP
"#;
