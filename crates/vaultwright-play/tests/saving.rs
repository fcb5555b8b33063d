//! A session that is saved and taken up again goes on exactly as if it had never stopped.

use vaultwright_engine::{DataRoot, Engine, EngineOptions, SaveError, SharedLibrary};
use vaultwright_map::MapId;
use vaultwright_play::{Session, SessionOptions, play_at_random};
use vaultwright_rng::Streams;

/// How many sessions are played; five times as many in `scripts/test --long`, any number with
/// VAULTWRIGHT_SESSIONS.
const SESSIONS: u64 = 200;
/// How many actions each takes at most.
const MAX_ACTIONS: i32 = 60;

fn library() -> SharedLibrary {
    let root = match std::env::var_os("VAULTWRIGHT_SESSIONS_DATA") {
        Some(dir) => DataRoot::Directory(dir.into()),
        None => DataRoot::Embedded,
    };
    let mut engine =
        Engine::new(EngineOptions { root, ..EngineOptions::default() }).expect("an engine");
    let sources = engine.pack_sources().expect("the pack");
    let problems = engine.load(sources);
    assert!(problems.is_empty(), "{}", problems[0].message);
    engine.share()
}

fn session(library: &SharedLibrary, seed: u64) -> Session {
    Session::new(library.engine().expect("an engine"), seed)
}

/// What is said in some actions, and where everybody is after each.
fn transcript(session: &mut Session, die: &mut Streams, actions: i32) -> Vec<String> {
    let mut lines = Vec::new();
    for _ in 0..actions {
        play_at_random(session, die);
        lines.extend(session.take_messages().into_iter().map(|said| said.text));
        let draws: u64 = session.play_mut().with_rng(|rng| rng.draws().map(|(_, n)| n).sum());
        let world = session.world();
        let monsters: Vec<_> = world.monsters().map(|(number, m)| (number, m.at)).collect();
        let items = world.items().count();
        lines.push(format!("{:?} {monsters:?} {items} {draws}", world.player()));
    }
    lines
}

#[test]
fn sessions_go_on_as_if_never_stopped() {
    let library = library();
    let maps: Vec<MapId> = {
        let mut engine = library.engine().expect("an engine");
        let count = engine.library().maps.len();
        (0..count).map(MapId).filter(|&map| brings_markers(&mut engine, map)).collect()
    };
    assert!(maps.len() >= 8, "{} maps with markers", maps.len());
    let named = std::env::var("VAULTWRIGHT_SESSIONS").ok().and_then(|n| n.parse().ok());
    let is_long = std::env::var_os("VAULTWRIGHT_LONG").is_some();
    let count = named.unwrap_or(if is_long { 5 * SESSIONS } else { SESSIONS });
    let mut first = session(&library, 1);
    let (mut unplaced, mut unsaved) = (0, 0);
    for number in 0..count {
        let mut die = Streams::single(number, 5);
        let map = maps[die.random2(maps.len() as i32) as usize];
        if first.start_in(map, number).is_err() {
            unplaced += 1;
            continue;
        }
        first.set_options(SessionOptions { wander: true });
        let before = die.random_range(0, MAX_ACTIONS);
        transcript(&mut first, &mut die, before);
        let bytes = match first.save() {
            Ok(bytes) => bytes,
            Err(SaveError::Content(message)) if message.contains("without a global name") => {
                unsaved += 1;
                continue;
            }
            Err(error) => panic!("session {number}: {error}"),
        };
        let mut same_die = die.clone();
        let wanted = transcript(&mut first, &mut die, MAX_ACTIONS);
        let mut second = session(&library, 99);
        second.load(&bytes).unwrap_or_else(|error| panic!("session {number}: {error}"));
        let found = transcript(&mut second, &mut same_die, MAX_ACTIONS);
        assert!(found == wanted, "session {number}, saved after {before} actions, map {map:?}");
    }
    eprintln!("{unplaced} sessions could not be placed, {unsaved} not saved");
    let embedded = std::env::var_os("VAULTWRIGHT_SESSIONS_DATA").is_none();
    assert!(!embedded || (unplaced, unsaved) == (0, 0));
}

fn brings_markers(engine: &mut Engine, map: MapId) -> bool {
    use vaultwright_level::MarkerKind;
    match engine.place(map, 1) {
        Ok(level) => level.markers.iter().any(|m| matches!(m.kind, MarkerKind::Lua(_))),
        Err(_) => false,
    }
}

#[test]
fn a_game_goes_on_over_several_levels() {
    let library = library();
    let play = |session: &mut Session| {
        let mut die = Streams::single(3, 5);
        let mut lines = transcript(session, &mut die, 20);
        session.next_level();
        lines.extend(transcript(session, &mut die, 20));
        lines
    };
    let mut first = session(&library, 1);
    let place = first.play().engine().level_place("D:1").expect("a place");
    first.start_at(place, 7).expect("a level");
    first.next_level();
    let bytes = first.save().expect("a saved game");
    let mut second = session(&library, 99);
    second.load(&bytes).expect("a loaded game");
    assert_eq!(play(&mut second), play(&mut first));
}

#[test]
fn what_scripts_keep_for_the_game_is_kept() {
    let library = library();
    let mut first = session(&library, 1);
    let keep = "dgn.persist.doors = { opened = 2.5, of = 'oak' }";
    // SAFETY: nobody leaves this thread.
    unsafe { first.play_mut().with_lua(|lua| lua.load(keep).exec()) }.expect("a script");
    let bytes = first.save().expect("a saved game");
    let mut second = session(&library, 99);
    second.load(&bytes).expect("a loaded game");
    let kept = "return dgn.persist.doors.opened == 2.5 and dgn.persist.doors.of == 'oak'";
    // SAFETY: as above.
    let kept = unsafe { second.play_mut().with_lua(|lua| lua.load(kept).eval::<bool>()) };
    assert!(kept.expect("a script"));
}

#[test]
fn damaged_and_foreign_files_are_refused() {
    let library = library();
    let mut one = session(&library, 1);
    let map = one.play().engine().library().find("trigger_clock").expect("a map");
    one.start_in(map, 1).expect("a level");
    let bytes = one.save().expect("a saved game");
    assert_eq!(one.load(b"PNG"), Err(SaveError::Foreign));
    let mut changed = bytes.clone();
    changed[8] = 99;
    assert_eq!(one.load(&changed), Err(SaveError::Version(99)));
    for at in [12, 40, bytes.len() - 1] {
        let mut changed = bytes.clone();
        changed[at] ^= 1;
        assert_eq!(one.load(&changed), Err(SaveError::Damaged), "byte {at}");
    }
    for length in [0, 8, 11, 12, 15, 16, bytes.len() - 1] {
        assert!(one.load(&bytes[..length]).is_err(), "{length} bytes");
    }
    let bare = EngineOptions { root: DataRoot::Bare, ..EngineOptions::default() };
    let mut other = Session::new(Engine::new(bare).expect("an engine"), 1);
    let parts = "tables and vaults".to_owned();
    assert_eq!(other.load(&bytes), Err(SaveError::OtherPack(parts)));
    assert_eq!(one.load(&bytes), Ok(()));
}

#[test]
fn a_game_whose_world_is_bad_leaves_the_old_one_whole() {
    let library = library();
    let (mut one, mut other) = (session(&library, 1), session(&library, 2));
    for (session, seed) in [(&mut one, 1), (&mut other, 2)] {
        session.start_in(MapId(0), seed).expect("a level");
        session.take_messages();
    }
    let before = other.save().expect("a saved game");
    // The file itself is right; what the sandbox added to it is not.
    for world in [Vec::new(), vec![0xff; 64]] {
        let bad = one.play().save(world).expect("a saved game");
        assert_eq!(other.load(&bad), Err(SaveError::Damaged));
        assert!(other.save().expect("a saved game") == before, "the old game has changed");
    }
    other.load(&one.save().expect("a saved game")).expect("a whole one is taken up");
}
