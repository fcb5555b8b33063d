//! An engine may go to another thread, and nothing that it hands out keeps it back.

use std::collections::BTreeSet;
use std::thread;

use vaultwright_content::{Content, FeatureId};
use vaultwright_engine::{
    Announce, BuiltLevel, CellLines, Cloud, Compiled, Engine, EngineError, EngineOptions, Event,
    EventKind, Failure, GlyphNotes, LevelError, Library, MarkerView, Moment, Odds, Picks,
    Placement, Play, Player, Problem, ReadError, Resolution, Roll, SaveError, SharedLibrary,
    Skipped, SourceFile, Step, SurveyOptions, SurveyedLevel, Tally, Veto, World,
};
use vaultwright_level::Level;
use vaultwright_map::{
    Dungeon, LevelPlace, LostSpec, MapId, ParsedSpecs, PickTrace, Point, SpecError,
};
use vaultwright_rng::Streams;
use vaultwright_syntax::Source;

/// Does not compile for what might hold a counted pointer of an engine.
fn goes_anywhere<T: Send>() {}

#[test]
fn all_that_an_engine_hands_out_may_go_anywhere() {
    goes_anywhere::<(BuiltLevel, Level, LevelError, Veto, Failure, Vec<Step>)>();
    goes_anywhere::<(Resolution, Roll, Placement, PickTrace, GlyphNotes, CellLines)>();
    goes_anywhere::<(SurveyedLevel, Tally, Picks, SurveyOptions, Announce, Odds, Dungeon)>();
    goes_anywhere::<(Problem, EngineError, ReadError, SaveError, SpecError, LostSpec, Skipped)>();
    goes_anywhere::<(Library, SourceFile, Source, Compiled, SharedLibrary, EngineOptions)>();
    goes_anywhere::<(Event, EventKind, MarkerView, Moment, Cloud, Player, Content, FeatureId)>();
    goes_anywhere::<(ParsedSpecs, Streams, LevelPlace, BTreeSet<u32>)>();
    goes_anywhere::<(Engine, Play<Crier>)>();
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
    let open = || Engine::open(vaultwright_engine::DataRoot::Embedded).expect("the starter pack");
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
    let play = elsewhere(move || {
        let markers = play.markers();
        assert_eq!(markers.len(), 1, "{markers:?}");
        play.environment_step();
        play
    });
    assert!(play.world().heard.is_empty(), "{:?}", play.world().heard);
}
