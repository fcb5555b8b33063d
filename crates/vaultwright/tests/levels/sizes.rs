//! Levels that are not as large as Crawl's: a pack says how large they are.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use vaultwright::content::LevelSize;
use vaultwright::level::{Level, passable_zones};
use vaultwright::map::{LevelPlace, Point};
use vaultwright::play::{Session, SessionOptions};
use vaultwright::render::{LevelJson, TiledMap, level_picture, level_to_json, to_tmj};
use vaultwright::{DataRoot, Engine, EngineOptions, SaveError};

/// The starter pack with levels of a size, and its folder.
pub(super) fn starter(width: i32, height: i32) -> PathBuf {
    // Tests run side by side, and several want the same size.
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let name = format!("sized-{}", NEXT.fetch_add(1, Ordering::Relaxed));
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    let starter = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../packs/starter");
    for part in ["des", "tables"] {
        std::fs::create_dir_all(folder.join(part)).expect("a folder");
        for entry in std::fs::read_dir(starter.join(part)).expect("a folder") {
            let path = entry.expect("an entry").path();
            let name = path.file_name().expect("a name");
            std::fs::copy(&path, folder.join(part).join(name)).expect("copied");
        }
    }
    declare(&folder, &format!("\"width\": {width}, \"height\": {height}"));
    folder
}

fn declare(folder: &Path, size: &str) {
    let text = format!("{{\"name\": \"sized\", \"rules\": \"trunk\", {size}}}");
    std::fs::write(folder.join("pack.json"), text).expect("written");
}

pub(super) fn engine(folder: &Path) -> Engine {
    let root = DataRoot::Directory(folder.to_owned());
    let options = EngineOptions { root, ..EngineOptions::default() };
    let mut engine = Engine::new(options).expect("an engine");
    let sources = engine.pack_sources().expect("sources");
    // Maps that are too large for the levels are no longer there.
    let problems = engine.load(sources);
    let is_of_size = |text: &str| text.contains("too ") || text.starts_with("Invalid ");
    let messages = problems.iter().map(|problem| problem.message.as_str());
    let others: Vec<&str> = messages.filter(|message| !is_of_size(message)).collect();
    assert!(others.is_empty(), "{others:?}");
    engine
}

#[test]
fn every_level_of_a_game_has_the_size_of_the_pack() {
    for (width, height, seeds) in [(40, 30, 1..=3), (160, 120, 1..=1), (20, 20, 1..=2)] {
        let mut engine = engine(&starter(width, height));
        let content = std::sync::Arc::clone(engine.content());
        assert_eq!(Some(content.level_size()), LevelSize::new(width, height));
        let mut built = 0;
        for seed in seeds {
            for (place, level) in engine.game(seed) {
                let name = place.name(content.branches());
                let Ok(level) = level else { continue };
                built += 1;
                is_closed(&level.level, &content, &format!("{name}, seed {seed}"));
                is_connected(&level.level, &content, place, &format!("{name}, seed {seed}"));
            }
        }
        // A hall that nothing fits into may fail; the rest of a game stands.
        assert!(built >= 20, "{width} x {height}: {built} levels");
    }
}

/// Nobody can leave the level over its edge.
fn is_closed(level: &Level, content: &vaultwright::content::Content, name: &str) {
    for p in level.points().filter(|&p| !level.in_bounds(p)) {
        let feature = level.feature(p).expect("a cell of the level");
        assert!(content.features().get(feature).flags.solid(), "{name}: {p:?} is open");
    }
}

/// All stairs lie in one part of the level.
fn is_connected(
    level: &Level,
    content: &vaultwright::content::Content,
    place: LevelPlace,
    name: &str,
) {
    let zones = passable_zones(level, content);
    let is_stair = |p: &Point| {
        let feature = level.feature(*p).expect("a cell of the level");
        content.features().get(feature).flags.stone_stair_down()
    };
    let parts: std::collections::BTreeSet<_> =
        level.points().filter(is_stair).map(|p| zones.zone_of(p)).collect();
    assert!(place.depth == 0 || parts.len() <= 1, "{name}: stairs down in {parts:?}");
}

#[test]
fn what_is_drawn_and_written_has_the_size_of_the_level() {
    let mut engine = engine(&starter(40, 30));
    let place = engine.level_place("D:2").expect("a place");
    let level = engine.level(place, 5).expect("a level").level;
    let content = engine.content();
    let json = level_to_json(&level, content);
    assert_eq!((&json["width"], &json["height"]), (&40.into(), &30.into()));
    let rows = json["features"].as_array().expect("rows");
    assert_eq!((rows.len(), rows[29].as_array().map(Vec::len)), (30, Some(40)));
    let written = LevelJson::of(&level, content).to_vec().expect("text");
    assert_eq!(serde_json::from_slice::<serde_json::Value>(&written).expect("JSON"), json);
    let serialized = serde_json::to_vec(&LevelJson::of(&level, content)).expect("text");
    assert!(written == serialized, "the same text");
    let picture = level_picture(&level, content);
    assert_eq!((picture.width, picture.height, picture.cells.len()), (40, 30, 1200));
    let tiled = to_tmj(&TiledMap::of(&level, content));
    assert_eq!((&tiled["width"], &tiled["height"]), (&40.into(), &30.into()));
}

#[test]
fn levels_of_other_sizes_are_played_saved_and_taken_up() {
    let folder = starter(40, 30);
    let mut session = Session::new(engine(&folder), 3);
    session.set_options(SessionOptions { wander: true });
    let place = session.play().engine().level_place("D:1").expect("a place");
    session.start_at(place, 3).expect("a level");
    for _ in 0..40 {
        session.explore();
    }
    session.next_level();
    assert!(session.play().elapsed() > 300, "there is something to see");
    let saved = session.save().expect("a game");
    let mut again = Session::new(engine(&folder), 1);
    again.load(&saved).expect("the game");
    assert_eq!(again.world().player(), session.world().player());
    // With another size it would be another pack.
    let mut other = Session::new(engine(&starter(41, 30)), 1);
    let parts = |parts: &str| Err(SaveError::OtherPack(parts.to_owned()));
    assert_eq!(other.load(&saved), parts("rules and tables"));
    // With its monsters in another order those of the game would be others.
    let swapped = starter(40, 30);
    let table = swapped.join("tables/monsters.json");
    let text = std::fs::read_to_string(&table).expect("a table");
    let mut rows: Vec<serde_json::Value> = serde_json::from_str(&text).expect("rows");
    rows.swap(0, 1);
    std::fs::write(&table, serde_json::to_string(&rows).expect("a text")).expect("written");
    let mut other = Session::new(engine(&swapped), 1);
    assert_eq!(other.load(&saved), parts("tables"));
}

#[test]
fn a_size_that_no_level_has_is_refused_with_the_limits() {
    let folder = starter(20, 20);
    for (size, message) in [
        ("\"width\": 19", "levels of 19 by 70 cells"),
        ("\"height\": 401", "levels of 80 by 401 cells"),
        ("\"width\": 2147483647, \"height\": -5", "levels of 2147483647 by -5 cells"),
    ] {
        declare(&folder, size);
        let root = DataRoot::Directory(folder.clone());
        let refused = Engine::new(EngineOptions { root, ..EngineOptions::default() });
        let told = refused.err().expect("an error").to_string();
        assert!(told.contains("pack.json:1:1") && told.contains(message), "{told}");
        assert!(told.contains("from 20 by 20 to 400 by 400"), "{told}");
    }
}
