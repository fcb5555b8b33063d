//! The Abyss in play: it changes, and levels of the game shine through (spec 05 §19).

use vaultwright::content::Edition;
use vaultwright::map::Point;
use vaultwright::play::{Done, Session};
use vaultwright::{Engine, Leaving};

use crate::engine_of;

const PACK: &str = r#"
NAME:   layout_of_glass
DEPTH:  D, Temple
TAGS:   overwritable layout unrand allow_dup
ORIENT: encompass
{{
extend_map { width = 80, height = 70, fill = "m" }
for x = 4, 70, 6 do fill_area { x1 = x, y1 = 4, x2 = x + 3, y2 = 65, fill = "." } end
fill_area { x1 = 4, y1 = 30, x2 = 75, y2 = 33, fill = "." }
}}
MAP
ENDMAP

NAME:   nothing_else
DEPTH:  D, Temple
TAGS:   dummy
ORIENT: encompass
MAP
ENDMAP

NAME:   hut_in_the_abyss
DEPTH:  Abyss
TAGS:   allow_dup no_rotate
MAP
vvv
v.v
v.v
ENDMAP
"#;

fn engine() -> Engine {
    engine_of(Edition::Trunk, PACK)
}

fn count(session: &Session, name: &str) -> usize {
    let id = session.play().content().features().by_name(name);
    session.play().level().features().iter().filter(|&&feature| Some(feature) == id).count()
}

fn in_the_abyss(seed: u64) -> Session {
    let engine = engine();
    let (above, abyss) =
        (engine.level_place("D:1").expect("a place"), engine.level_place("Abyss:1").expect("one"));
    let mut session = Session::new(engine, seed);
    session.start_at(above, seed).expect("a level");
    let centre = |_: &mut _| Point::new(40, 35);
    assert_eq!(session.travel(abyss, Leaving::Otherwise, centre), Done::Yes);
    session
}

#[test]
fn a_level_of_the_game_shines_through() {
    // Nothing of the Abyss's own is of glass.
    let glass: Vec<usize> =
        (1..=5).map(|seed| count(&in_the_abyss(seed), "clear_rock_wall")).collect();
    assert!(glass.iter().filter(|&&cells| cells > 20).count() >= 3, "{glass:?}");
    let mut alone = engine();
    let abyss = alone.level_place("Abyss:1").expect("a place");
    let clear = alone.content().features().by_name("clear_rock_wall");
    let level = alone.build(abyss, 1).expect("a level").level;
    assert!(!level.features().iter().any(|&id| Some(id) == clear), "no game, no glass");
}

#[test]
fn it_changes_around_the_player_but_not_under_him_nor_in_vaults() {
    let mut session = in_the_abyss(3);
    let before = session.play().level().clone();
    let mut moments = 0;
    for _ in 0..300 {
        let earlier = session.play().level().features().to_vec();
        session.wait();
        moments += usize::from(earlier != session.play().level().features());
        let level = session.play().level();
        let under = level.feature(session.world().player()).expect("on the level");
        let flags = session.play().content().features().get(under).flags;
        assert!(!flags.solid() && !flags.deep_water() && !flags.lava());
    }
    let after = session.play().level().clone();
    let differ = before.points().filter(|&p| before.feature(p) != after.feature(p)).count();
    assert!(differ > 200 && moments > 20, "{differ} cells in {moments} turns");
    assert!(before.vaults.iter().any(|vault| vault.map.name == "hut_in_the_abyss"));
    for vault in &before.vaults {
        for p in vault.cells() {
            assert_eq!(before.feature(p), after.feature(p), "{} at {p:?}", vault.map.name);
        }
    }
}

#[test]
fn a_saved_game_goes_on_in_the_same_abyss() {
    let mut session = in_the_abyss(3);
    (0..50).for_each(|_| drop(session.wait()));
    let saved = session.save().expect("a saved game");
    let mut other = in_the_abyss(4);
    other.load(&saved).expect("it is taken up");
    let turns = |session: &mut Session| {
        (0..100).for_each(|_| session.play_mut().environment_step());
        session.play().level().features().to_vec()
    };
    let before = session.play().level().features().to_vec();
    let (went_on, taken_up) = (turns(&mut session), turns(&mut other));
    assert!(went_on == taken_up && went_on != before);
}

#[test]
fn monsters_of_vaults_do_not_come_to_stand_on_the_player() {
    let row = ".".repeat(30);
    let rows = [row.as_str(); 30].join("\n");
    let pack = format!("NAME: crowd\nDEPTH: Abyss\nKMONS: . = rat\nMAP\n{rows}\nENDMAP\n");
    let mut engine = engine_of(Edition::V0_28, &pack);
    let place = engine.level_place("Abyss:3").expect("a place");
    let (middle, mut around) = (Point::new(40, 35), 0);
    for seed in 1..=10 {
        let level = engine.build(place, seed).expect("a level").level;
        around += usize::from(level.monsters.contains_key(&Point::new(40, 34)));
        assert!(!level.monsters.contains_key(&middle), "seed {seed}");
    }
    assert!(around > 0);
}
