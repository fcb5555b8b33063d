//! Specs that are written oddly, as 0.28 was asked: what it takes, and what becomes of it.

use std::num::NonZeroI32;

use vaultwright_content::{Content, Described, Edition, Rules};
use vaultwright_map::{
    Context, Dungeon, ItemSlot, LevelPlace, MonsterSlot, SpecError, parse_item_slot,
    parse_monster_slot,
};
use vaultwright_rng::Streams;

fn parsed<T>(
    content: Content,
    parse: impl FnOnce(&mut Context) -> Result<T, SpecError>,
) -> Option<T> {
    let dungeon = Dungeon::standard(content.branches());
    let mut rng = Streams::from_seed(1, 43);
    let mut ctx = Context::new(&content, &mut rng, LevelPlace::START, &dungeon);
    parse(&mut ctx).ok()
}

fn monster(text: &str) -> Option<MonsterSlot> {
    let content = Content::new(Rules::of(Edition::V0_28));
    parsed(content, |ctx| parse_monster_slot(text, ctx))
}

fn item(text: &str) -> Option<ItemSlot> {
    let content = Content::new(Rules::of(Edition::V0_28));
    parsed(content, |ctx| parse_item_slot(text, ctx))
}

#[test]
fn blanks_between_the_words_of_a_name_count_where_it_is_not_taken_apart() {
    for text in [
        "orc  zombie",
        "orc_ zombie",
        "spectral   orc",
        "orc warrior  zombie",
        "any  draconian",
        "any base  draconian",
        "nonbase  draconian",
        "any  red draconian",
        "red  draconian monk",
        "any  red draconian monk",
        "draconian_",
        "larval  mutant beast",
        "larval fire  mutant beast",
        "shapeshifter  hd:5",
    ] {
        assert!(monster(text).is_some(), "{text}");
    }
    for text in [
        "orc  warrior zombie",
        "player  ghost",
        "red  draconian",
        "any  base draconian",
        "any red  draconian",
        "red draconian  monk",
        "red  ugly thing",
        "any  demon",
        "orc -shaped pillar of salt",
        "serpent of hell  geh",
        "fire  larval mutant beast",
    ] {
        assert!(monster(text).is_none(), "{text}");
    }
}

#[test]
fn facets_of_a_mutant_beast_stand_in_any_case_between_any_hyphens() {
    for text in ["fire--bat", "fire-", "-fire", "larval -", "Larval", "elder BAT-Fire", "-"] {
        assert!(monster(&format!("{text} mutant beast")).is_some(), "{text}");
    }
    for text in ["fire fire", "larval larval", "larval bat fire", "fire_larval"] {
        assert!(monster(&format!("{text} mutant beast")).is_none(), "{text}");
    }
}

#[test]
fn empty_pieces_of_spells_are_none() {
    let spells = |text: &str| {
        let slot = monster(&format!("orc spells:{text}"))?;
        let books = &slot.alternatives[0].details.books;
        Some(books.iter().flatten().map(|slot| slot.spell.clone()).collect::<Vec<_>>().join(","))
    };
    for (text, expected) in [
        ("magic_dart;;blink.11.natural", "magic dart,blink"),
        (";magic_dart.11.wizard;", "magic dart"),
        (";;", ""),
        ("magic_dart.", "magic dart"),
        ("blink..11.natural", "blink"),
        ("_blink_", "blink"),
        ("none;blink;no_spell", "blink"),
        ("blink.99999999999", "blink"),
    ] {
        assert_eq!(spells(text).as_deref(), Some(expected), "{text}");
    }
    for text in ["none.11", "no_spell.11.wizard", "blink..natural", "blink.2147483648"] {
        assert_eq!(spells(text), None, "{text}");
    }
}

#[test]
fn numbers_that_do_not_fit_are_cut_and_told() {
    let hit_points = |text: &str| {
        let slot = monster(text).expect("a slot");
        (slot.alternatives[0].hit_points.map_or(0, NonZeroI32::get), slot.lost.len())
    };
    assert_eq!(hit_points("orc hp:-3"), (-3, 1));
    assert_eq!(hit_points("orc hp:40000"), (10_000, 1));
    assert_eq!(hit_points("orc hp:10000"), (10_000, 0));
    let numbers = |text: &str| {
        let slot = item(text).expect("a slot");
        let item = &slot.alternatives[0];
        (item.plus, item.quantity.map_or(0, NonZeroI32::get), slot.lost.len())
    };
    assert_eq!(numbers("dagger plus:65541"), (Some(5), 0, 1));
    assert_eq!(numbers("dagger plus:32768"), (Some(-32768), 0, 1));
    assert_eq!(numbers("dagger plus:-32768"), (Some(-32768), 0, 0));
    assert_eq!(numbers("gold q:65541"), (None, 5, 1));
    assert_eq!(numbers("gold q:-5"), (None, 0, 0));
    let (_, none_left, told) = numbers("gold q:65536");
    assert!(none_left < 0 && told == 1, "none lie there");
}

#[test]
fn not_all_that_has_a_name_is_found_by_it() {
    for text in ["book of fixed level", "Corpse", "CORPSE", "orc Corpse"] {
        assert!(item(text).is_none(), "{text}");
    }
    assert!(item("corpse").is_some() && item("Orc corpse").is_some());
    assert!(monster("orc col:shining").is_none() && monster("orc col:mist").is_some());
}

/// Vaults give monsters names that have texts of their own.
#[test]
fn what_is_only_described_is_nothing_in_0_28() {
    let content = |edition| {
        let text = |_: &std::path::Path| Some(b"%%%%\npetrified plant\n\nX\n".to_vec());
        Content::new(Rules::of(edition))
            .with_described(Described::in_folder(std::path::PathBuf::from("descript"), text))
    };
    let found = |edition, text: &str| {
        parsed(content(edition), |ctx| parse_monster_slot(text, ctx)).is_some()
    };
    assert!(!found(Edition::V0_28, "petrified plant"));
    assert!(found(Edition::V0_31, "petrified plant"));
}
