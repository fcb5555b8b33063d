//! Features that trunk places otherwise than 0.28 (spec 03 §9, spec 04 §18, spec 10 §7).

use std::collections::BTreeSet;

use vaultwright::content::Edition;
use vaultwright::level::Level;
use vaultwright::map::{LevelPlace, Point};
use vaultwright::rng::SYSTEM_SPECIFIC;
use vaultwright::syntax::Source;
use vaultwright::{DataRoot, Engine, EngineOptions};

use crate::{engine_of, one_hall};

fn build(engine: &mut Engine, place: &str, seed: u64) -> Result<Level, Vec<String>> {
    let place = engine.level_place(place).expect("a place");
    engine.build(place, seed).map(|built| built.level).map_err(|error| error.reasons())
}

fn count(engine: &Engine, level: &Level, is_wanted: impl Fn(&str) -> bool) -> usize {
    let features = engine.content().features();
    level.features().iter().filter(|&&id| is_wanted(&features.get(id).name)).count()
}

#[test]
fn webs_hang_in_the_nest_whatever_they_are_called() {
    for (edition, name) in [(Edition::Trunk, "web"), (Edition::V0_28, "trap_web")] {
        let mut engine = engine_of(edition, &one_hall("Spider"));
        let level = build(&mut engine, "Spider:2", 1).expect("a level");
        assert!(count(&engine, &level, |feature| feature == name) > 5, "{name}");
    }
}

/// A float on one level, which may neither turn nor be passed by traps.
fn vault(name: &str, headers: &str, rows: &str) -> String {
    format!(
        "\nNAME: {name}\nTAGS: no_rotate no_hmirror no_vmirror no_trap_gen transparent\n\
         ORIENT: float\n{headers}\nMAP\n{rows}\nENDMAP\n"
    )
}

#[test]
fn a_shaft_needs_a_level_below() {
    let maps =
        one_hall("D") + &vault("pit", "PLACE: D:2, D:$\nKFEAT: ^ = shaft", ".....\n..^..\n.....");
    let mut engine = engine_of(Edition::Trunk, &maps);
    let mut shafts = |place| {
        let level = build(&mut engine, place, 1).expect("a level");
        count(&engine, &level, |feature| feature == "shaft")
    };
    assert!(shafts("D:2") > 0);
    assert_eq!(shafts("D:15"), 0);
}

/// A map may ask for a shaft in the hells, but no trap there turns out to be one.
#[test]
fn shafts_of_the_hells_are_asked_for() {
    let pit = |glyph: &str| {
        vault("pit", "PLACE: Dis:2, D:2\nKFEAT: A = shaft", &[glyph; 12].concat().repeat(4))
    };
    let maps = |glyph: &str| one_hall("Dis, D") + &pit(glyph);
    for (glyph, place, some) in [("A", "Dis:2", true), ("^", "Dis:2", false), ("^", "D:2", true)] {
        let mut engine = engine_of(Edition::Trunk, &maps(glyph));
        let level = build(&mut engine, place, 1).expect("a level");
        let shafts = count(&engine, &level, |feature| feature == "shaft");
        assert_eq!(shafts > 0, some, "{glyph} in {place}: {shafts}");
    }
}

/// What FHEIGHT says in the Shoals waits until the level has heights of its own.
#[test]
fn heights_of_vaults_make_no_heights() {
    let hill = vault("hill", "PLACE: Shoals:2\nFHEIGHT: a = 7", "...\n.a.\n...");
    let maps = one_hall("Shoals") + &hill;
    for (edition, has_heights) in [(Edition::Trunk, false), (Edition::V0_28, true)] {
        let mut engine = engine_of(edition, &maps);
        let level = build(&mut engine, "Shoals:2", 1).expect("a level");
        assert_eq!(level.heights.is_some(), has_heights, "{edition:?}");
    }
}

/// 0.28 was asked: the Temple, arrivals and what a level has a map for are told how large the
/// Temple is, or have an empty parameter if that is not drawn; a map chosen for its depth has none.
#[test]
fn maps_of_a_place_are_told_how_large_the_temple_is() {
    let asking = |name: &str, headers: &str, rows: &str| {
        format!(
            "\nNAME: {name}\n{headers}\n: local told = dgn.map_parameters()\n\
             : print('{name} ' .. #told .. ' ' .. table.concat(told, '|'))\n\
             MAP\n{rows}\nENDMAP\n"
        )
    };
    let float = "ORIENT: float\nWEIGHT: 100000";
    let maps = |tags: &str| {
        let altars = "xxxxxxx\nx{BBBBx\nxxxxxxx";
        one_hall("D")
            + &asking("temple", &format!("PLACE: Temple\n{tags}\nORIENT: encompass"), altars)
            + &asking("place", &format!("PLACE: D:2\n{float}"), "...\n...")
            + &asking("arrival", &format!("TAGS: arrival\n{float}"), "...\n.{.")
            + &asking("depth", &format!("DEPTH: D:3\n{float}"), "...\n...")
    };
    let one = "temple_altars_7";
    for (edition, tags, at_setup, told) in [
        (Edition::V0_28, "", "temple_altars_0", ""),
        (Edition::V0_28, "TAGS: temple_variable temple_altars_7", one, one),
        (Edition::Trunk, "", "temple_altars_", "temple_altars_"),
    ] {
        let mut engine = engine_of(edition, &maps(tags));
        let mut game = engine.game(1);
        let third = game.find(|(place, _)| place.branch.is_root() && place.depth == 3);
        assert!(third.expect("a third level").1.is_ok());
        drop(game);
        let said = engine.take_messages();
        let first = |of: &str| said.iter().find_map(|line| line.strip_prefix(of));
        let set_up = first("temple 1 ").expect("one parameter");
        assert!(set_up.starts_with(at_setup), "{edition:?} {tags}: {said:?}");
        for of in ["arrival 1 ", "place 1 "] {
            let heard = first(of).expect("one parameter");
            let is_told = heard.starts_with(told) && heard.is_empty() == told.is_empty();
            assert!(is_told, "{edition:?} {tags}: {said:?}");
        }
        assert_eq!(first("depth 0 "), Some(""), "{edition:?} {tags}: {said:?}");
    }
}

/// No release is known to be the first that draws how large the Temple is: its tree tells.
#[test]
fn a_tree_with_rare_temples_draws_how_large_the_temple_is() {
    for (tags, is_counted) in [("temple_altars_22", true), ("temple_rare temple_altars_22", false)]
    {
        let maps = one_hall("D")
            + &format!(
                "\nNAME: great_temple\nPLACE: Temple\nTAGS: {tags}\nORIENT: encompass\n\
                 : print(table.concat(dgn.map_parameters(), ' '))\n\
                 MAP\nxxxxxxx\nx{{BBBBx\nxxxxxxx\nENDMAP\n"
            );
        let mut engine = engine_of(Edition::V0_33, &maps);
        let temple = engine.level_place("Temple").expect("a temple");
        let built = engine.game(1).find(|(place, _)| *place == temple).expect("in the game");
        assert!(built.1.is_ok());
        let said = engine.take_messages();
        let told = said.iter().rfind(|line| line.starts_with("temple_altars_")).expect("a size");
        assert_eq!(told == "temple_altars_0", is_counted, "{tags}: {said:?}");
    }
}

/// Each map deals all gods anew, if no temple is being built.
#[test]
fn two_maps_with_all_altars_have_all_gods_each() {
    let gods = "BBBBBBBBBBB\nBBBBBBBBBBB";
    let maps = one_hall("D")
        + &vault("one", "CHANCE: 100%\nDEPTH: D:2", gods)
        + &vault("two", "CHANCE: 100%\nDEPTH: D:2", gods);
    let mut engine = engine_of(Edition::Trunk, &maps);
    let level = build(&mut engine, "D:2", 3).expect("a level");
    assert_eq!(level.vaults.len(), 3, "the layout and both");
    assert_eq!(count(&engine, &level, |feature| feature.starts_with("altar_")), 44);
}

#[test]
fn altars_of_snake_pit_and_hells_have_few_gods() {
    let maps = one_hall("Snake, Dis")
        + &vault("altars", "PLACE: Snake:2, Dis:2", "CCCCC\nCCCCC\nCCCCC\nCCCCC");
    let mut engine = engine_of(Edition::Trunk, &maps);
    let snake = build(&mut engine, "Snake:2", 1).expect("a level");
    let own = ["altar_okawaru", "altar_cheibriados", "altar_gozag", "altar_xom"];
    let all = |engine: &Engine, level: &Level| {
        count(engine, level, |feature| feature.starts_with("altar_"))
    };
    assert_eq!(all(&engine, &snake), 20);
    assert_eq!(count(&engine, &snake, |feature| own.contains(&feature)), 20);
    let dis = build(&mut engine, "Dis:2", 1).expect("a level");
    assert_eq!(all(&engine, &dis), 20);
    assert!(count(&engine, &dis, |feature| feature == "altar_makhleb") > 10);
}

/// D:4 holds the way to the Temple in a level built alone. No release is known to be the first with
/// a plain entry: its tree has that map.
#[test]
fn the_way_to_the_temple_is_a_vault() {
    let entry = |name: &str, tags: &str, more: &str| {
        let headers = format!("DEPTH: D:4-7\nTAGS: {tags} unrand\nKFEAT: O = enter_temple{more}");
        vault(name, &headers, "...\n.O.\n...")
    };
    let never = "\nveto {{ return true }}";
    let placed_in = |edition: Edition, maps: &str| {
        let mut engine = engine_of(edition, &(one_hall("D") + maps));
        build(&mut engine, "D:4", 1).map(|level| {
            let ways = count(&engine, &level, |feature| feature == "enter_temple");
            (ways, level.vaults.last().map(|vault| vault.map.name.clone()))
        })
    };
    let placed = |maps: &str| placed_in(Edition::Trunk, maps);
    let fits = entry("grove", "temple_entry", "");
    let refused = entry("palace", "temple_entry", never);
    let plain = entry("temple_entry_dummy", "", "");
    assert_eq!(placed(&fits).expect("a level"), (1, Some("grove".to_owned())));
    let replaced = placed(&(refused.clone() + &plain)).expect("a level");
    assert_eq!(replaced, (1, Some("temple_entry_dummy".to_owned())));
    let before_trunk = placed_in(Edition::V0_33, &(refused.clone() + &plain));
    assert_eq!(before_trunk, Ok(replaced));
    let bare = placed(&refused).expect("a level");
    assert_eq!(bare, (1, Some("layout_open".to_owned())), "without the map there are bare stairs");
    let no_room = entry("temple_entry_dummy", "", never);
    let vetoes = placed(&(refused + &no_room)).expect_err("no attempt can succeed");
    assert_eq!(vetoes.last().map(String::as_str), Some("Failed to place Temple entry."));
}

/// In the Abyss the rune comes when some areas have been seen.
#[test]
fn the_rune_of_the_abyss_waits_for_the_fourth_area() {
    let mut engine = engine_of(Edition::Trunk, "");
    let deep = engine.level_place("Abyss:7").expect("a place");
    let mut game = engine.game(1);
    let mut runes = |place: LevelPlace| {
        let level = game.build_apart(place).map(|built| built.level).expect("a level");
        let items = level.items.values().flatten();
        items.filter(|item| item.spec == "abyssal rune of zot").count()
    };
    assert_eq!([0; 5].map(|_| runes(deep)), [0, 0, 0, 1, 1]);
}

/// Whether a rune lies is asked before the area has vaults.
#[test]
fn runes_of_the_vaults_of_an_area_keep_no_rune_away() {
    let hut = "KITEM: r = abyssal rune of zot";
    let maps = vault("hut", &format!("DEPTH: Abyss\nTAGS: allow_dup\n{hut}"), "...\n.r.\n...");
    let mut engine = engine_of(Edition::Trunk, &maps);
    let deep = engine.level_place("Abyss:7").expect("a place");
    let mut game = engine.game(1);
    let mut runes = |place: LevelPlace| {
        let level = game.build_apart(place).map(|built| built.level).expect("a level");
        let of_vaults: BTreeSet<Point> = level.vaults.iter().flat_map(|v| v.cells()).collect();
        assert!(level.items.keys().any(|p| of_vaults.contains(p)), "a hut with its rune");
        level.items.keys().filter(|p| !of_vaults.contains(p)).count()
    };
    assert_eq!([0; 5].map(|_| runes(deep)), [0, 0, 0, 1, 1]);
}

/// A ghost of a bones file is drawn apart from the level; what it may be turned into is drawn in
/// 0.28 only.
#[test]
fn ghosts_of_trunk_draw_less() {
    let root = std::env::temp_dir().join(format!("ghosts-{}", std::process::id()));
    std::fs::create_dir_all(root.join("dist_bones")).expect("a folder");
    std::fs::write(root.join("dist_bones/bones.store.D"), "bones").expect("a file");
    let maps = one_hall("D") + &vault("grave", "PLACE: D:5\nMONS: player ghost", "...\n.1.\n...");
    let draws = [Edition::V0_28, Edition::Trunk].map(|edition| {
        let root = DataRoot::Directory(root.clone());
        let options = EngineOptions { root, edition: Some(edition), ..EngineOptions::default() };
        let mut engine = Engine::new(options).expect("an engine");
        let problems = engine.load(vec![Source::new("maps.des", maps.as_bytes())]);
        assert!(problems.is_empty(), "{:?}", problems[0]);
        let place = engine.level_place("D:5").expect("a place");
        let built = engine.build(place, 1).expect("a level");
        let ghosts = built.draws.iter().find(|(stream, _)| *stream == SYSTEM_SPECIFIC);
        ghosts.map(|&(_, count)| count)
    });
    std::fs::remove_dir_all(&root).expect("the folder");
    let [old, new] = draws.map(|count| count.expect("draws for a ghost"));
    assert_eq!(old, new + 4);
}

/// spec 06 §1.6: 10 / 2 is written as `5.0`, which is no weight: the default of 10 holds. The Lua
/// outside of the map has divided.
#[test]
fn floats_of_the_lua_outside_of_maps_are_no_weights() {
    let maps = "{{\nfunction half(n) return n / 2 end\nleast = 8 / 2\n}}\n\
                NAME: weighed\nDEPTH: D\nORIENT: float\n\
                : print(\"w:\" .. half(10) .. \" w:\" .. least)\n\
                : mons(\"rat w:\" .. half(10))\nMAP\n.1.\nENDMAP\n";
    for (edition, written, weight) in
        [(Edition::Trunk, "w:5.0 w:4.0", 10), (Edition::V0_28, "w:5 w:4", 5)]
    {
        let mut engine = engine_of(edition, maps);
        assert!(engine.take_messages().iter().any(|line| line == written), "{edition:?}");
        let index = engine.library().find("weighed").expect("the map");
        let rolled = engine.resolve(index, 1).expect("a roll");
        assert_eq!(rolled.map.monsters[0].alternatives[0].weight, weight, "{edition:?}");
    }
}

/// What a map loads is not known to others: a roll does not hang on which maps ran before.
#[test]
fn what_a_map_loads_tells_no_other_of_floats() {
    let root = std::env::temp_dir().join(format!("halves-{}", std::process::id()));
    std::fs::create_dir_all(root.join("dlua")).expect("a folder");
    std::fs::write(root.join("dlua/halves.lua"), "function half(n) return n / 2 end\n")
        .expect("a file");
    let map = |name: &str| {
        let lua = ": crawl_require('dlua/halves.lua')\n: mons('rat w:' .. half(10))\n";
        format!("NAME: {name}\nDEPTH: D\nORIENT: float\n{lua}MAP\n.1.\nENDMAP\n")
    };
    let weight = |maps: &str| {
        let (root, edition) = (DataRoot::Directory(root.clone()), Some(Edition::Trunk));
        let mut engine = Engine::new(EngineOptions { root, edition, ..EngineOptions::default() })
            .expect("an engine");
        let problems = engine.load(vec![Source::new("maps.des", maps.as_bytes())]);
        assert!(problems.is_empty(), "{:?}", problems[0]);
        let index = engine.library().find("weighed").expect("the map");
        engine.resolve(index, 1).expect("a roll").map.monsters[0].alternatives[0].weight
    };
    let alone = weight(&map("weighed"));
    assert_eq!(weight(&(map("earlier") + &map("weighed"))), alone);
    std::fs::remove_dir_all(&root).expect("the folder");
}
