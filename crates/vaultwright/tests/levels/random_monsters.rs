//! A level's own list of random monsters (spec 03 §6.6).

use std::collections::BTreeMap;

use vaultwright::content::Edition;

use crate::{engine_of, hall_with, one_hall};

const BAZAAR: &str = r#"
NAME:   bazaar
PLACE:  Bazaar
TAGS:   no_rotate
ORIENT: encompass
KFEAT:  > = exit_bazaar
{{ set_random_mon_list("frilled lizard") }}
MAP
xxxxxxx
x0...>x
xxxxxxx
ENDMAP
"#;

fn pack() -> String {
    hall_with("D", 5, "\nLIST") + BAZAAR
}

/// The kinds of the monsters of a few levels, and what was said.
fn inhabitants(list: &str, place: &str) -> (BTreeMap<String, usize>, Vec<String>) {
    let mut engine = engine_of(Edition::Trunk, &pack().replace("LIST", list));
    engine.take_messages();
    let place = engine.level_place(place).expect("a place");
    let mut kinds = BTreeMap::new();
    for seed in 1..=5 {
        let Ok(built) = engine.build(place, seed) else { continue };
        for monster in built.level.monsters.values() {
            let monsters = engine.content().monsters();
            let kind = monster.kind_now(monsters).map(|id| monsters.get(id).name.clone());
            *kinds.entry(kind.unwrap_or_default()).or_default() += 1;
        }
    }
    (kinds, engine.take_messages())
}

#[test]
fn levels_are_peopled_from_their_own_list() {
    let (kinds, _) =
        inhabitants("set_random_mon_list('rat w:30 / adder w:10 / nothing w:5')", "D:3");
    let (rats, adders) = (kinds["rat"], kinds["adder"]);
    assert!(rats > adders && adders > 0 && kinds.len() == 2, "{kinds:?}");
    let (kinds, _) = inhabitants("dgn.set_random_mon_list('kobold')", "D:3");
    assert!(kinds.keys().eq(["kobold"]), "also without a map: {kinds:?}");
    let (kinds, _) = inhabitants("set_random_mon_list('rat zombie / yak draugr')", "D:3");
    assert!(kinds.keys().eq(["draugr", "zombie"]), "and nobody follows them: {kinds:?}");
    let (kinds, _) = inhabitants("", "D:3");
    assert!(kinds.len() > 3, "{kinds:?}");
}

/// spec 05 §10.3, §23.4; spec 10 §12.3
#[test]
fn the_dead_of_the_crypt_are_dead() {
    for (edition, skeletal) in [(Edition::Trunk, "draugr"), (Edition::V0_28, "skeleton")] {
        let mut engine = engine_of(edition, &one_hall("Crypt"));
        let place = engine.level_place("Crypt:2").expect("a place");
        let mut kinds = BTreeMap::new();
        for seed in 1..=4 {
            let level = engine.build(place, seed).expect("a level").level;
            let monsters = engine.content().monsters();
            // Those that its population brings have the kind of the dead.
            let dead = level.monsters.values().filter(|monster| monster.undead.is_some());
            for dead in dead.filter(|dead| dead.kind != dead.kind_now(monsters)) {
                let (kind, was) = (dead.kind_now(monsters), dead.undead.and_then(|(_, was)| was));
                *kinds.entry(kind.map(|id| monsters.get(id).name.clone())).or_insert(0) += 1;
                let was = monsters.get(was.expect("what it was"));
                assert!(was.holiness.iter().any(|holiness| holiness == "natural"), "{}", was.name);
            }
        }
        let named: Vec<_> = kinds.keys().flatten().map(String::as_str).collect();
        assert_eq!(named, [skeletal, "zombie"]);
        assert!((24..=48).contains(&kinds.values().sum::<i32>()), "{kinds:?}");
    }
}

#[test]
fn where_nothing_lives_random_monsters_are_of_the_list() {
    let (kinds, _) = inhabitants("", "Bazaar");
    assert!(kinds.keys().eq(["frilled lizard"]), "{kinds:?}");
}

/// Whatever a list may hold besides names: kinds that are drawn, and the dead.
#[test]
fn lists_hold_kinds_that_are_drawn() {
    for (list, name) in [
        ("any draconian / place:Depths:1", ""),
        ("common demon", ""),
        ("ogre zombie", "ogre"),
        ("place:D:9 zombie", ""),
    ] {
        let pack = pack().replace("LIST", "").replace("frilled lizard", list);
        let mut engine = engine_of(Edition::Trunk, &pack);
        let place = engine.level_place("Bazaar").expect("a place");
        for seed in 1..=3 {
            let level = engine.build(place, seed).expect("a level").level;
            let kinds: Vec<_> =
                level.monsters.values().filter_map(|monster| monster.kind).collect();
            assert_eq!(kinds.len(), 1, "{list}, seed {seed}");
            let kind = &engine.content().monsters().get(kinds[0]).name;
            assert!(name.is_empty() || kind == name, "{list}, seed {seed}: {kind}");
            let dead = level.monsters.values().all(|monster| monster.undead.is_some());
            assert_eq!(dead, list.ends_with("zombie"), "{list}, seed {seed}");
        }
    }
}

#[test]
fn lists_that_cannot_be_are_refused() {
    for (list, part) in [
        ("random", "mon #1: can't use random monster"),
        ("rat / place:Temple", "mon #2: Can't use a place with no natural monsters"),
        ("pandemonium lord", "only pandemonium lords"),
    ] {
        let list = format!("local ok, error = pcall(set_random_mon_list, '{list}'); print(error)");
        let (_, said) = inhabitants(&list, "D:3");
        assert!(said.iter().any(|line| line.contains(part)), "{list}: {said:?}");
    }
}

#[test]
fn the_dead_drawn_for_a_place_live_where_they_lived() {
    let mut engine = engine_of(
        Edition::V0_28,
        r#"
NAME:   bazaar
PLACE:  Bazaar
TAGS:   no_rotate
ORIENT: encompass
KFEAT:  > = exit_bazaar
KMONS:  w = simulacrum place:Depths:4
KFEAT:  w = w
MAP
xxxxxxxxxxxxx
x..........>x
xwwwwwwwwwwwx
xwwwwwwwwwwwx
xxxxxxxxxxxxx
ENDMAP
"#,
    );
    let place = engine.level_place("Bazaar").expect("a place");
    let level = engine.build(place, 1).expect("a level").level;
    let monsters = engine.content().monsters();
    let bases: Vec<_> = level.monsters.values().filter_map(|monster| monster.kind).collect();
    assert!((1..22).contains(&bases.len()), "{} of 22", bases.len());
    for base in bases {
        let base = monsters.get(base);
        assert!(base.habitat.iter().any(|own| own == "deep_water"), "{}", base.name);
    }
}
