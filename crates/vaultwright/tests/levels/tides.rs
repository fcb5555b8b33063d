//! Shoals that are played: the sea comes and goes (spec 05 §13.4 to §13.6).

use vaultwright::content::Edition;
use vaultwright::play::Session;

use crate::engine_of;

const PACK: &str = r#"
NAME:   layout_of_islands
DEPTH:  Shoals
TAGS:   overwritable layout unrand allow_dup layout_type_open
ORIENT: encompass
{{ dgn.layout_shoals() }}
MAP
ENDMAP

NAME:   shore
PLACE:  Shoals:2
TAGS:   transparent no_rotate no_hmirror no_vmirror
ORIENT: float
KPROP:  P = no_tide
KFEAT:  P = shallow_water
FHEIGHT: h = 3
SUBST:  h = .
MAP
...wwww
.h..WWW
...P...
ENDMAP

NAME:   basins
PLACE:  Shoals:3
TAGS:   transparent no_exits no_rotate no_hmirror no_vmirror
ORIENT: float
MARKER: s = lua:props_marker { tide_seed = "true" }
FHEIGHT: s = -5
FHEIGHT: a = -5
SUBST:  sa = W
KMASK:  W = opaque
MAP
ccccccccc
cssscaaac
ccccccccc
ENDMAP

NAME:   nothing_else
DEPTH:  Shoals
TAGS:   dummy
ORIENT: encompass
MAP
ENDMAP
"#;

fn session(edition: Edition) -> Session {
    session_at("Shoals:2", edition)
}

fn session_at(place: &str, edition: Edition) -> Session {
    let engine = engine_of(edition, PACK);
    let place = engine.level_place(place).expect("a place");
    let mut session = Session::new(engine, 1);
    session.build_alone(place, 1).expect("a level");
    session
}

fn count(session: &Session, name: &str) -> usize {
    let content = session.play().content().clone();
    let id = content.features().by_name(name);
    session.play().level().features().iter().filter(|&&feature| Some(feature) == id).count()
}

/// A vault's own height holds however the land around it has been raised to reach it.
#[test]
fn a_height_that_a_vault_gives_is_that_of_the_finished_level() {
    let session = session(Edition::Trunk);
    let level = session.play().level();
    let vault = level.vaults.iter().find(|vault| vault.map.name == "shore").expect("the vault");
    assert_eq!(level.height(vault.at.offset((1, 1))), 3);
}

#[test]
fn the_sea_comes_and_goes() {
    for edition in [Edition::V0_28, Edition::Trunk] {
        let mut session = session(edition);
        let mut dry = vec![count(&session, "floor")];
        let deep = count(&session, "deep_water");
        for _ in 0..100 {
            session.wait();
            dry.push(count(&session, "floor"));
        }
        let (lowest, highest) = (dry.iter().min().expect("some"), dry.iter().max().expect("some"));
        assert!(lowest + 100 < *highest, "{edition:?}: {lowest} to {highest} cells of floor");
        let turning = dry.iter().position(|cells| cells == lowest).expect("high water");
        assert!((20..40).contains(&turning), "{edition:?}: high water in turn {turning}");
        assert!(dry[..turning].is_sorted_by(|before, after| before >= after), "{edition:?}");
        assert_eq!(count(&session, "deep_water"), deep, "the tide does not change the deep");
    }
}

#[test]
fn vaults_of_the_shoals_slope_to_the_sea_where_they_do_not_say_how_high_they_are() {
    let session = session(Edition::Trunk);
    let level = session.play().level();
    let vault = level.vaults.iter().find(|vault| vault.map.name == "shore").expect("the vault");
    let height = |x, y| level.height(vault.at.offset((x, y)));
    assert_eq!(height(1, 1), 3, "as the vault says");
    let shallows: Vec<i32> = (4..7).map(|x| height(x, 1)).collect();
    assert!(shallows.iter().all(|height| (-30..0).contains(height)), "{shallows:?}");
    assert!((0..=134).contains(&height(0, 0)));
}

#[test]
fn cells_without_tide_stay_as_they_are() {
    let mut session = session(Edition::Trunk);
    let spot = {
        let level = session.play().level();
        let vault = level.vaults.iter().find(|vault| vault.map.name == "shore").expect("one");
        vault.at.offset((3, 2))
    };
    let shallow = session.play().content().features().by_name("shallow_water");
    for _ in 0..100 {
        assert_eq!(session.play().level().feature(spot), shallow);
        session.wait();
    }
}

/// The sea does not get into a basin, but the tide begins at cells that say so as well.
#[test]
fn the_tide_begins_at_its_seeds_too() {
    let mut session = session_at("Shoals:3", Edition::Trunk);
    let basin = |x| {
        let level = session.play().level();
        let vault = level.vaults.iter().find(|vault| vault.map.name == "basins").expect("one");
        vault.at.offset((x, 1))
    };
    let (seeded, shut) = (basin(2), basin(6));
    let content = session.play().content().clone();
    let features = content.features();
    let (shallow, floor) = (features.by_name("shallow_water"), features.floor());
    let mut fell_dry = false;
    for _ in 0..100 {
        assert_eq!(session.play().level().feature(shut), shallow, "no tide comes there");
        fell_dry |= session.play().level().feature(seeded) == Some(floor);
        session.wait();
    }
    assert!(fell_dry);
}
