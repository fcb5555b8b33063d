//! An engine may go to another thread, and nothing that it hands out keeps it back.

use std::path::Path;
use std::thread;

use vaultwright_content::{Content, FeatureId};
use vaultwright_engine::*;
use vaultwright_level::Level;
use vaultwright_map::{Dungeon, LevelPlace, LostSpec, ParsedSpecs, PickTrace, Point, SpecError};
use vaultwright_rng::Streams;
use vaultwright_syntax::Source;

/// Does not compile for what might hold a counted pointer of an engine.
fn goes_anywhere<T: Send>() {}

macro_rules! go_anywhere {
    ($($name:ident $(<$argument:tt>)?,)*) => {
        const GO_ANYWHERE: &[&str] = &[$(stringify!($name)),*];

        #[test]
        fn all_that_an_engine_hands_out_may_go_anywhere() {
            $(goes_anywhere::<$name $(<$argument>)?>();)*
        }
    };
}

go_anywhere! {
    Announce, BrokenMap, BuildConditions, BuildStep, BuiltLevel, CellLines, Cloud, Code, Compiled,
    DataRoot, Derived<u8>, Detected, Edit, Engine, EngineError, EngineOptions, Event, EventKind,
    Failure, Fix, Game<'static>, GlyphNotes, Ground, ItemNumber, ItemProperty, Keep, Leaving,
    LevelConditions, LevelError, LevelResult, LevelsBefore, Library, LibraryMap, Limits,
    LoadedChanged, LuaValue<'static>, MapId, MapTally, MarkerView, Moment, MonsterNames,
    MonsterNumber, Odds, Origin, Picks, PlaceConditions, PlaceError, Placement, Play<Crier>,
    PlayItem, PlayMonster, Player, Problem, ReachedMaps, ReadError, Resolution, Resolved, Roll,
    RollError, SaveError, Severity, SharedLibrary, Skipped, SourceFile, Statement, Step, StepState,
    Survey<'static>, SurveyOptions, SurveyedLevel, Tally, UnknownPlace, Unnamed<'static>, Veto,
    // Of other crates.
    Content, Dungeon, FeatureId, Level, LevelPlace, LostSpec, ParsedSpecs, PickTrace, Source,
    SpecError, Streams,
}

/// Types that may stay behind, and why.
const MAY_STAY: &[(&str, &str)] = &[
    ("Budget", "it is part of the interpreter whose scripts it counts"),
    ("Selection", "only callers make one, of their own functions"),
];

#[test]
fn every_public_type_is_known_here() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let list = crates.join("vaultwright/tests/public_api/engine.txt");
    // It is not there where the crate stands alone.
    let Ok(list) = std::fs::read_to_string(list) else { return };
    let types = list.lines().filter_map(|line| {
        let (name, what) = line.split_once(' ')?;
        let is_type = ["struct", "enum", "="].iter().any(|word| what.starts_with(word));
        (is_type && name.starts_with(char::is_uppercase)).then_some(name)
    });
    let types: Vec<&str> = types.collect();
    assert!(types.len() > 60, "{} types", types.len());
    let is_known = |name: &str| {
        GO_ANYWHERE.contains(&name) || MAY_STAY.iter().any(|(stays, _)| *stays == name)
    };
    let unknown: Vec<&str> = types.into_iter().filter(|name| !is_known(name)).collect();
    assert!(unknown.is_empty(), "list them above: {}", unknown.join(", "));
}

/// A world that hears what is said.
#[derive(Default)]
struct Crier {
    heard: Vec<String>,
}

impl World for Crier {
    fn player(&self) -> Point {
        Point::new(10, 10)
    }

    fn message(&mut self, text: &str, _: vaultwright_content::ChannelId) {
        self.heard.push(text.to_owned());
    }
}

/// Does something on a thread of its own.
fn elsewhere<T: Send>(what: impl FnOnce() -> T + Send) -> T {
    thread::scope(|scope| scope.spawn(what).join().expect("a thread that ends well"))
}

/// The terrain of some levels.
fn levels(engine: &mut Engine, seed: u64) -> Vec<Option<FeatureId>> {
    let places = ["D:2", "D:3"].map(|name| engine.level_place(name).expect("a place"));
    let levels = places.map(|place| engine.level(place, seed).expect("a level").level);
    let terrain = |level: &Level| level.points().map(|p| level.feature(p)).collect::<Vec<_>>();
    levels.iter().flat_map(terrain).collect()
}

#[test]
fn an_engine_goes_on_where_it_has_come() {
    let open = || Engine::open(DataRoot::Embedded).expect("the starter pack");
    let mut here = open();
    let expected: Vec<_> = (1..4).map(|seed| levels(&mut here, seed)).collect();
    let mut engine = elsewhere(open);
    let mut made = vec![levels(&mut engine, 1)];
    let (second, mut engine) = elsewhere(move || (levels(&mut engine, 2), engine));
    made.push(second);
    made.push(levels(&mut engine, 3));
    assert!(made == expected);
    elsewhere(move || drop(engine));
}

#[test]
fn a_game_in_play_goes_on_where_it_has_come() {
    let vault =
        b"NAME: box\nDEPTH: D\nMARKER: A = lua:MonPropsMarker:new { description = \"a crate\" }\n\
                  TAGS: no_rotate no_hmirror no_vmirror\nMAP\n.A.\nENDMAP\n";
    let mut play = elsewhere(|| {
        let mut engine = Engine::new(EngineOptions::default()).expect("an engine");
        let problems = engine.load(vec![Source::new("box.des", vault.to_vec())]);
        assert!(problems.is_empty(), "{}", problems[0].message);
        Play::new(engine, Crier::default(), 1)
    });
    play.place_vault(MapId(0), Some(Point::new(20, 20))).expect("a placed vault");
    // What fails says how, and keeps nothing back either.
    assert!(matches!(play.place_vault(MapId(9), None), Err(PlaceError::NoSuchMap)));
    let nowhere = play.travel_to_tag("no_such_tag", |_| Point::new(1, 1));
    assert_eq!(nowhere, Err(LevelError::NoMapWithTag("no_such_tag".to_owned())));
    let play = elsewhere(move || {
        let markers = play.markers();
        assert_eq!(markers.len(), 1, "{markers:?}");
        play.environment_step();
        play
    });
    assert!(play.world().heard.is_empty(), "{:?}", play.world().heard);
}
