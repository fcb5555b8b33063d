//! Monsters that maps put down, with the draws that they cost.

use vaultwright_content::{Content, Edition, Rules};
use vaultwright_map::{ADJACENT, Dungeon, parse_monster_slot};
use vaultwright_rng::Streams;

use super::*;

const AT: Point = Point { x: 20, y: 20 };

#[test]
fn rings_draw_for_each_free_cell_around() {
    let draws = |spec: &str, neighbours: usize| {
        let start = (Edition::Trunk, 1, LevelPlace::START);
        let (.., words) = created(start, spec, AT, |level, _| {
            for step in ADJACENT.into_iter().take(neighbours) {
                level.monsters.insert(AT.offset(step), LevelMonster::default());
            }
        });
        words
    };
    let alone = draws("rat", 0);
    assert_eq!(draws("rat perm_ench:ring_ice", 0), alone + 8);
    assert_eq!(draws("rat perm_ench:thunder_ringed", 3), alone + 5);
    assert_eq!(draws("att:friendly rat perm_ench:thunder_ringed", 3), alone + 8);
    assert_eq!(draws("rat perm_ench:mute", 0), alone);
    // No cloud comes into a wall (0.28 was asked of butterflies in a cell of rock).
    let walled = |spec: &str| {
        let start = (Edition::V0_28, 1, LevelPlace::START);
        let (.., words) = created(start, spec, AT, |level, content| {
            let rock = content.features().by_name("rock_wall").expect("rock");
            for step in ADJACENT {
                level.set_feature(AT.offset(step), rock);
            }
        });
        words
    };
    assert_eq!(walled("butterfly perm_ench:ring_acid"), walled("butterfly"));
}

/// Whom the running program makes of specs that do not say what the dead were in life: place,
/// terrain, spec, and names for the seeds from 1 on (`dgn.create_monster` in ask-crawl).
const DEAD: &str = include_str!("../../../tests/recorded/dead-0.28.tsv");

#[test]
fn what_the_dead_were_in_life_is_drawn_among_what_can_stand_there() {
    let content = Content::new(Rules::of(Edition::V0_28));
    for line in DEAD.lines() {
        let fields: Vec<&str> = line.split('\t').collect();
        let &[place, terrain, spec, kinds] = &fields[..] else { panic!("{line}") };
        let (branch, depth) = place.split_once(':').expect("a place");
        let branch = content.branches().by_name(branch).expect("a branch").id;
        let place = LevelPlace { branch, depth: depth.parse().expect("a number") };
        let terrain = content.features().by_name(terrain).expect("a feature");
        let name_of = |seed| {
            let (_, level, _) = created_in(&content, (seed, place), spec, AT, |level, _| {
                for step in ADJACENT.into_iter().chain([(0, 0)]) {
                    level.set_feature(AT.offset(step), terrain);
                }
            });
            let monster = level.monsters.get(&AT)?;
            let name = |id| content.monsters().get(id).name.clone();
            let dead = monster.undead.and_then(|(dead, base)| Some((dead, name(base?))));
            Some(match dead {
                Some((ZombieKind::Spectre, base)) => format!("spectral {base}"),
                Some((dead, base)) => format!("{base} {}", dead.name()),
                None => name(monster.kind?),
            })
        };
        let names: Vec<String> = (1..)
            .take(kinds.split(',').count())
            .map(|seed| name_of(seed).unwrap_or("-".to_owned()))
            .collect();
        assert_eq!(names.join(","), kinds, "{fields:?}");
    }
}

#[test]
fn enchantments_of_the_dead_draw_by_how_fast_these_are() {
    // 0.28 was asked on D:10.
    let place = LevelPlace { depth: 10, ..LevelPlace::START };
    let words = |spec: &str| created((Edition::V0_28, 77, place), spec, AT, |_, _| {}).2;
    for (spec, expected) in [
        ("rat zombie perm_ench:ring_ice", 12),
        ("rat simulacrum perm_ench:ring_ice", 12),
        ("zombie perm_ench:ring_ice", 12),
        ("orc ench:haste", 6),
        ("orc ench:guardian_timer", 7),
        ("orc ench:guardian_timer:1:100", 4),
        ("centaur ench:guardian_timer", 8),
        ("orc zombie ench:haste", 7),
        ("spectral orc ench:haste", 6),
        ("spectral bat ench:haste", 7),
        ("bat simulacrum ench:haste", 7),
        ("orc zombie perm_ench:haste", 4),
        ("orc zombie perm_ench:slow", 5),
        ("orc simulacrum perm_ench:slow", 5),
        ("yak zombie ench:wretched", 10),
        ("orc zombie ench:slowly_dying", 6),
        ("zombie ench:haste", 8),
        ("spectral thing ench:haste", 8),
        ("simulacrum perm_ench:haste", 5),
        ("place:D:5 zombie", 6),
        ("place:D:5 zombie ench:haste", 10),
        ("place:D:5 zombie perm_ench:haste", 7),
        ("orc zombie ench:fear", 4),
        ("mummy ench:fear", 4),
        ("ice statue ench:fear", 4),
        ("plant ench:fear", 4),
        ("orc ench:fear", 6),
    ] {
        assert_eq!(words(spec), expected, "{spec}");
    }
}

#[test]
fn a_unique_that_finds_no_place_does_not_exist() {
    let content = Content::new(Rules::of(Edition::Trunk));
    let dungeon = Dungeon::standard(content.branches());
    let mut level = Level::solid(&content);
    for p in [AT, Point::new(30, 20)] {
        level.set_feature(p, content.features().floor());
    }
    level.monsters.insert(AT, LevelMonster::default());
    let mut rng = Streams::from_seed(1, 43);
    let mut ctx = Context::new(&content, &mut rng, LevelPlace::START, &dungeon);
    let slot = parse_monster_slot("Sigmund", &mut ctx).expect("a slot");
    let mut population = Population::default();
    let mut make =
        |p| create_slot_monster(&mut level, &slot, p, &mut population, &mut ctx).is_some();
    assert_eq!([AT, Point::new(30, 20), Point::new(30, 20)].map(&mut make), [false, true, false]);
}

#[test]
fn for_spectral_weapons_a_word_more_is_drawn() {
    let words = |spec: &str| created((Edition::V0_28, 1, LevelPlace::START), spec, AT, |_, _| {}).2;
    let asked = ["rat", "dancing weapon ; dagger", "spectral weapon", "spectral weapon ; mace"];
    assert_eq!(asked.map(words), [4, 8, 5, 9]);
}

#[test]
fn lurkers_stand_nowhere() {
    for (edition, lurkers) in [(Edition::Trunk, 1), (Edition::V0_28, 0)] {
        let start = (edition, 1, LevelPlace::START);
        let (made, level, _) = created(start, "shadow wraith", AT, |_, _| {});
        assert_eq!(made, Some(AT));
        assert_eq!((level.lurkers.len(), level.monsters.len()), (lurkers, 1 - lurkers));
    }
}

#[test]
fn demons_of_pandemonium_are_mostly_those_of_the_level() {
    // 0.28 was asked on the level of seed 1, for seeds 1 to 12.
    const OWN: [&str; 7] = [
        "ynoxinul",
        "ynoxinul",
        "shadow demon",
        "sun demon",
        "chaos spawn",
        "green death",
        "blizzard demon",
    ];
    let asked = [
        (
            "any demon",
            "sun demon|chaos spawn|ufetubus|sun demon|green death|green death|chaos spawn|green death|blizzard demon|shadow demon|blizzard demon|ynoxinul",
        ),
        (
            "common demon",
            "chaos spawn|ynoxinul|red devil|chaos spawn|ynoxinul|sun demon|sun demon|sun demon|sun demon|sun demon|chaos spawn|ynoxinul",
        ),
        (
            "greater demon",
            "shadow demon|green death|reaper|shadow demon|shadow demon|blizzard demon|blizzard demon|blizzard demon|blizzard demon|blizzard demon|blizzard demon|shadow demon",
        ),
        (
            "lesser demon",
            "ufetubus|white imp|crimson imp|ufetubus|iron imp|crimson imp|crimson imp|white imp|shadow imp|quasit|ufetubus|iron imp",
        ),
    ];
    let content = Content::new(Rules::of(Edition::V0_28));
    let dungeon = Dungeon::standard(content.branches());
    let branch = content.branches().by_name("Pan").expect("a branch").id;
    let place = LevelPlace { branch, depth: 1 };
    let monsters = content.monsters();
    for (spec, kinds) in asked {
        for (seed, kind) in (1..).zip(kinds.split('|')) {
            let mut level = Level::solid(&content);
            level.reset_open(content.features());
            level.demons = OWN.iter().filter_map(|name| monsters.by_name(name)).collect();
            let mut rng = Streams::from_seed(seed, 43);
            let mut ctx = Context::new(&content, &mut rng, place, &dungeon);
            let slot = parse_monster_slot(spec, &mut ctx).expect("a slot");
            let at = Point::new(40, 30);
            create_slot_monster(&mut level, &slot, at, &mut Population::default(), &mut ctx);
            let made = level.monsters[&at].kind.expect("a kind");
            assert_eq!(monsters.get(made).name.to_lowercase(), kind, "{spec}, seed {seed}");
        }
    }
}

/// Has a script create a monster of a spec on a level of floor that has been prepared. Returns
/// where it stands, the level, and how many words were drawn outside the monster's generator.
fn created(
    (edition, seed, place): (Edition, u64, LevelPlace),
    spec: &str,
    at: Point,
    prepare: impl FnOnce(&mut Level, &Content),
) -> (Option<Point>, Level, u64) {
    created_in(&Content::new(Rules::of(edition)), (seed, place), spec, at, prepare)
}

/// The same for many of them.
fn created_in(
    content: &Content,
    (seed, place): (u64, LevelPlace),
    spec: &str,
    at: Point,
    prepare: impl FnOnce(&mut Level, &Content),
) -> (Option<Point>, Level, u64) {
    let dungeon = Dungeon::standard(content.branches());
    let mut level = Level::solid(content);
    level.reset_open(content.features());
    prepare(&mut level, content);
    let mut rng = Streams::from_seed(seed, 43);
    let mut ctx = Context::new(content, &mut rng, place, &dungeon);
    let slot = parse_monster_slot(spec, &mut ctx).expect("a slot");
    let mut population = Population::default();
    let made = create_slot_monster(&mut level, &slot, at, &mut population, &mut ctx);
    (made, level, rng.draws_of(0))
}

/// Returns what stands on a cell of the feature given, or next to it, and the cell's feature
/// after that. With `taken` a plant stands on the cell and the feature is what surrounds it.
fn asked(edition: Edition, spec: &str, feature: &str, taken: bool) -> (usize, String, u64) {
    let place = LevelPlace { depth: 5, ..LevelPlace::START };
    let (_, level, words) = created((edition, 2, place), spec, AT, |level, content| {
        let around = content.features().by_name(feature).expect("a feature");
        let cells = if taken { 18..=22 } else { 20..=20 };
        for (x, y) in cells.clone().flat_map(|y| cells.clone().map(move |x| (x, y))) {
            level.set_feature(Point::new(x, y), around);
        }
        if taken {
            level.set_feature(AT, content.features().floor());
            level.monsters.insert(AT, LevelMonster::default());
        }
    });
    let content = Content::new(Rules::of(edition));
    let left = level.feature(AT).map(|id| content.features().get(id).name.clone());
    (level.monsters.len() - usize::from(taken), left.unwrap_or_default(), words)
}

#[test]
fn a_slot_of_which_nothing_can_be_picked_is_anybody() {
    for (edition, spec) in
        [(Edition::V0_28, ""), (Edition::Trunk, "/"), (Edition::Trunk, "rat w:0 / orc w:-1")]
    {
        assert_eq!(asked(edition, spec, "floor", false).0, 1, "{spec}");
    }
    assert_eq!(asked(Edition::Trunk, "nothing", "floor", false).0, 0);
}

#[test]
fn a_dancing_bow_gets_arrows_where_there_are_any() {
    let words = |edition| asked(edition, "dancing weapon ; longbow", "floor", false).2;
    assert_eq!([Edition::V0_28, Edition::V0_29, Edition::Trunk].map(words), [12, 8, 8]);
}

#[test]
fn cells_are_made_fit_as_the_running_program_does() {
    // Those of 0.28 were asked of it.
    for (edition, spec, feature, made, left) in [
        (Edition::V0_28, "zombie", "lava", 1, "floor"),
        (Edition::V0_28, "zombie", "deep_water", 1, "deep_water"),
        (Edition::V0_28, "spectral thing", "lava", 1, "floor"),
        (Edition::V0_28, "pandemonium lord", "deep_water", 1, "floor"),
        (Edition::V0_28, "any draconian", "lava", 0, "lava"),
        (Edition::V0_28, "bat zombie", "lava", 1, "lava"),
        (Edition::V0_28, "lava snake zombie", "floor", 0, "lava"),
        (Edition::V0_28, "salamander skeleton", "lava", 0, "lava"),
        (Edition::V0_28, "salamander skeleton", "deep_water", 1, "floor"),
        (Edition::Trunk, "zombie", "lava", 1, "floor"),
        (Edition::Trunk, "lava snake zombie", "lava", 1, "floor"),
        (Edition::Trunk, "pandemonium lord", "lava", 1, "floor"),
    ] {
        let (count, after, _) = asked(edition, spec, feature, false);
        assert_eq!((count, after.as_str()), (made, left), "{spec} on {feature}, {edition:?}");
    }
}

#[test]
fn another_place_is_looked_for_as_the_running_program_does() {
    // Without a cell nothing is drawn but the words of the monster's own generator; of eight
    // cells one is drawn with seven words.
    for (edition, spec, feature, words) in [
        (Edition::V0_28, "bat", "deep_water", 4),
        (Edition::V0_28, "bat zombie", "lava", 4),
        (Edition::V0_28, "storm dragon", "deep_water", 11),
        (Edition::V0_28, "storm dragon", "lava", 4),
        (Edition::V0_28, "merfolk", "deep_water", 11),
        (Edition::V0_28, "zombie", "deep_water", 4),
        (Edition::V0_28, "adder zombie", "deep_water", 4),
        (Edition::V0_28, "adder", "deep_water", 11),
        (Edition::Trunk, "adder zombie", "deep_water", 11),
        // Two words more draw the kind, which swims and is dead only in the end.
        (Edition::V0_28, "zombie place:Lair:4", "deep_water", 13),
        (Edition::V0_28, "spectral thing", "deep_water", 4),
        (Edition::V0_28, "salamander skeleton", "lava", 4),
        (Edition::V0_28, "any draconian", "deep_water", 11),
        (Edition::V0_28, "any demon", "lava", 4),
        (Edition::V0_28, "pandemonium lord", "deep_water", 4),
        (Edition::Trunk, "bat", "deep_water", 11),
        (Edition::Trunk, "rat simulacrum", "deep_water", 11),
    ] {
        let drawn = asked(edition, spec, feature, true).2;
        assert_eq!(drawn, words, "{spec} in {feature}, {edition:?}");
    }
}

#[test]
fn nobody_looks_for_no_other_place() {
    // With the seed 1 the list of the Lair gives nobody, as 0.28 was asked.
    let (start, at) = ((Edition::V0_28, 1, LevelPlace::START), Point::new(40, 30));
    let (made, _, words) = created(start, "place:Lair:1", at, |level, _| {
        level.monsters.insert(at, LevelMonster::default());
    });
    assert_eq!((made, words), (None, 2 + 4));
}

/// spec 10 §3
#[test]
fn another_place_is_looked_for_also_for_the_orb_of_no_game() {
    let content = Content::new(Rules::of(Edition::Trunk));
    let zot = content.branches().by_name("Zot").expect("a branch").id;
    let (place, at) = (LevelPlace { branch: zot, depth: 3 }, Point::new(40, 30));
    let of_seed = |seed| {
        created_in(&content, (seed, place), "0", at, |level, _| {
            level.monsters.insert(at, LevelMonster::default());
        })
    };
    // One draw for the kind, seven among the cells around, and the four of its own generator;
    // about one in 130 is an orb, which nobody knows without a game.
    let drawn: Vec<_> = (1..=400).map(of_seed).collect();
    assert!(drawn.iter().all(|(_, _, words)| *words == 1 + 7 + 4));
    assert!(drawn.iter().any(|(made, ..)| made.is_none()));
}

/// spec 03 §6.2 step 5
#[test]
fn where_nothing_lives_in_the_branch_asked_for_the_level_is_asked() {
    let start = (Edition::Trunk, 2, LevelPlace::START);
    let (_, level, words) = created(start, "place:Bazaar", AT, |_, _| {});
    assert!(level.monsters[&AT].kind.is_some());
    assert_eq!(words, 4, "all in its own generator");
    let (_, level, _) = created(start, "place:Bazaar", AT, |level, _| {
        level.random_monsters = Some("yak".to_owned());
    });
    let content = Content::new(Rules::of(Edition::Trunk));
    assert_eq!(level.monsters[&AT].kind, content.monsters().by_name("yak"));
}

#[test]
fn the_dead_look_for_land_first() {
    let start = (Edition::Trunk, 2, LevelPlace::START);
    let (made, _, words) = created(start, "rat simulacrum", AT, |level, content| {
        for (x, y) in (18..=20).flat_map(|x| (18..=22).map(move |y| (x, y))) {
            level.set_feature(Point::new(x, y), content.features().known().deep_water);
        }
        level.monsters.insert(AT, LevelMonster::default());
    });
    // Three cells are drawn from with two words.
    assert_eq!((made.map(|p| p.x), words), (Some(21), 4 + 2));
}
