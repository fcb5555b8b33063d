//! Helpers of the embedded library that no vault of the starter calls: what they ask for exists.

use std::collections::BTreeSet;
use std::sync::Arc;

use vaultwright::content::Edition;
use vaultwright::syntax::Source;
use vaultwright::{DataRoot, Engine, EngineOptions, SourceFile};

use crate::{engine_of, one_hall};

#[test]
fn helpers_for_ghosts_and_tutorials_ask_for_things_that_exist() {
    let maps = r#"
{{
crawl_require("dlua/ghost.lua")
crawl_require("dlua/tutorial.lua")
}}
default-depth: D:10

NAME: armoury
{{ setup_armoury_orcs(_G) }}
MAP
.D.E.F.
ENDMAP

NAME: bazaar_of_xom
{{ xom_bazaar_special(_G, "p") }}
MAP
.p.
ENDMAP

NAME: dancing_weapon
{{ setup_xom_dancing_weapon(_G, "P") }}
MAP
.P.
ENDMAP

NAME: lesson
MARKER: a = lua:tutorial_msg("tutorial doors")
MARKER: b = lua:tutorial_message("This is a wall.", true)
SUBST: ab = .
MAP
.a.b.
ENDMAP
"#;
    // Loading runs every map once, and fails where a spec is wrong.
    let mut engine = engine_of(Edition::Trunk, maps);
    let library = engine.library();
    for (index, map) in library.iter() {
        for seed in 1..=20 {
            if let Err(error) = engine.place(index, seed) {
                panic!("{}, seed {seed}: {error}", map.selection.name);
            }
        }
    }
    assert_eq!(engine.take_messages(), Vec::<String>::new());
}

/// The table that docs/lua.md is written from names nothing that scripts cannot call.
#[test]
fn the_functions_of_the_reference_page_exist() {
    let table: serde_json::Value =
        serde_json::from_str(vaultwright_packs::file("tables/common/lua_api.json"))
            .expect("the table is JSON");
    let rows = table["functions"].as_array().expect("a list of functions");
    let of_row = |row: &serde_json::Value, key: &str| row[key].as_str().map(str::to_owned);
    let mut lines = String::from("NAME: names\nPLACE: D:1\n");
    let files = ["layout/procedural", "layout/zonify", "layout/theme", "layout/layout"];
    let more = ["layout/minimum_map_area", "layout/omnigrid", "layout/geoelf", "v_layouts"];
    let parts = ["layout/procedural_transform", "layout/procedural_primitives"];
    let needed: BTreeSet<String> = files
        .iter()
        .chain(&more)
        .chain(&parts)
        .map(|file| format!("dlua/{file}.lua"))
        .chain(rows.iter().filter_map(|row| of_row(row, "needs")))
        .collect();
    for file in needed {
        lines += &format!(": crawl_require({file:?})\n");
    }
    for name in rows.iter().filter_map(|row| of_row(row, "name")) {
        // Members of objects are asked of an object, which no map has while it is compiled.
        let of_object = name.contains(':') || name.starts_with("item.");
        if !of_object && !name.starts_with("monster.") {
            lines += &format!(": if {name} == nil then error('{name} is missing') end\n");
        }
    }
    engine_of(Edition::Trunk, &(lines + "MAP\n.\nENDMAP\n"));
}

/// Maps of which the second leaves something for those behind it, as in the Necropolis.
const DECIDED: &str = r#"
default-depth: D:10

NAME: undecided
{{ item(dgn.persist.kind == "small" and "randbook numspells:1" or "dagger") }}
MAP
d
ENDMAP

NAME: deciding
{{ dgn.persist.kind = dgn.persist.kind or "small" }}
MAP
.
ENDMAP

NAME: decided
TAGS: unrand
{{
if dgn.persist.kind == "small" then tags("small") end
item("randbook slevels:" .. (dgn.persist.kind == "small" and 3 or 0))
}}
MAP
d
ENDMAP

NAME: heedless
{{ left_behind = (left_behind or 0) + 1; if left_behind > 1 then error("a global is left") end }}
MAP
.
ENDMAP

NAME: heedless_too
{{ if left_behind then error("a global is left") end }}
MAP
.
ENDMAP
"#;

#[test]
fn maps_are_compiled_with_what_those_before_them_keep_and_rolled_without() {
    let mut engine = engine_of(Edition::Trunk, DECIDED);
    let library = engine.library();
    let index = library.find("decided");
    let index = index.expect("it compiles");
    assert!(library[index].selection.has_tag("small"));
    for _ in 0..2 {
        let Err(error) = engine.place(index, 1) else {
            panic!("nothing is kept for a map that is placed alone");
        };
        assert!(error.to_string().contains("Bad slevels: 0."), "{error}");
        assert!(error.problem().is_some());
    }
}

#[test]
fn a_map_that_is_loaded_alone_is_helped_by_those_before_it() {
    let options = EngineOptions {
        root: DataRoot::Bare,
        edition: Some(Edition::Trunk),
        ..EngineOptions::default()
    };
    let mut engine = Engine::new(options).expect("an engine");
    let source = Source::new("decided.des", DECIDED.as_bytes());
    let file = Arc::new(SourceFile::new(source));
    let problems = engine.load_files(vec![file], &mut |_, map| map == 2);
    assert!(problems.is_empty(), "{problems:?}");
    let names: Vec<String> =
        engine.library().maps.iter().map(|map| map.selection.name.clone()).collect();
    assert_eq!(names, ["decided"], "the others are not in the library");
}

#[test]
fn the_orb_of_a_game_is_drawn_once_and_told_to_scripts() {
    let maps = one_hall("D, Temple")
        + r#"
NAME: guarded
PLACE: D:2
ORIENT: float
KMONS: O = orb of appropriateness
SUBST: O = O
{{ print(dgn.zot_orb_type()) }}
MAP
OOO
O.O
ENDMAP
"#;
    let mut engine = engine_of(Edition::Trunk, &maps);
    let place = engine.level_place("D:2").expect("a place");
    assert_eq!(engine.take_messages(), ["program bug"], "there is no game yet");
    let index = engine.library().find("guarded");
    let Ok(level) = engine.place(index.expect("a map"), 1) else { panic!("not placed") };
    assert!(level.monsters.is_empty(), "without a game there is no such monster");
    let mut seen = BTreeSet::new();
    for seed in 1..=12 {
        engine.take_messages();
        let level = engine.level(place, seed);
        let level = level.expect("a level").level;
        let told = engine.take_messages();
        let kinds: BTreeSet<String> = level
            .monsters
            .values()
            .filter(|monster| monster.spec == "orb of appropriateness")
            .filter_map(|monster| monster.kind)
            .map(|id| engine.content().monsters().get(id).name.clone())
            .collect();
        assert_eq!(kinds.len(), 1, "seed {seed}: {kinds:?}");
        assert!(told.iter().all(|name| kinds.contains(name)), "seed {seed}: {told:?}");
        seen.extend(kinds);
    }
    assert_eq!(seen.len(), 3, "{seen:?}");
}

#[test]
fn a_fixed_artefact_that_a_map_has_brought_is_known_to_later_ones() {
    let ask = "{{ if not is_validating() then print(tostring(you.unrands(\"storm bow\"))) end }}";
    let maps = one_hall("D, Temple")
        + &format!(
            r#"
NAME: before
PLACE: D:2
ORIENT: float
{ask}
KMONS: O = orc ; storm bow
MAP
...
.O.
ENDMAP

NAME: after
PLACE: D:3
ORIENT: float
{ask}
MAP
...
ENDMAP
"#
        );
    let mut engine = engine_of(Edition::Trunk, &maps);
    engine.take_messages();
    let of_dungeon = engine.game(5).filter(|(place, _)| place.branch.is_root()).take(3);
    assert!(of_dungeon.into_iter().all(|(_, built)| built.is_ok()));
    let told = engine.take_messages();
    assert_eq!(told.first().map(String::as_str), Some("false"), "{told:?}");
    assert_eq!(told.last().map(String::as_str), Some("true"), "{told:?}");
}

/// What the API answers before there is a game, and what it says of wrong arguments (spec 06).
#[test]
fn answers_and_errors_are_those_of_the_specification() {
    let probes = [
        ("items.item_for_set('hex wand')", "flame"),
        ("items.item_for_set('ally scroll')", "identify"),
        ("mons.behaviour('wander')", "1"),
        ("crawl.unavailable_god('Pakellas')", "true"),
        ("crawl.unavailable_god('Zin')", "false"),
        ("crawl.article_a('orc', false)", "An orc"),
        ("crawl.bane_name('x')", "x"),
        ("select('#', crawl.bane_name(''))", "1"),
        ("crawl.kbhit()", "0"),
        ("crawl.process_keys('x')", "false"),
        ("select(2, you.unarmed_damage_rating())", ""),
        ("you.status('fast')", "false"),
        ("you.status()", ""),
        ("#you.known_items()", "0"),
        ("you.caught()", "nil"),
        ("you.gain_bane('x', 'y', 1)", "false"),
        ("dgn.br_exists('Lair')", "false"),
        ("dgn.level_name(dgn.br_entrance('Lair'))", "D:-1"),
        ("dgn.grid(5, 5)", "0"),
    ];
    let refusals = [
        ("crawl.unavailable_god, 'Foo'", "'Foo' matches no god."),
        ("dgn.grid, 80, 3", "Point (80,3) is out of bounds"),
        ("dgn.grid, 3, 3, nil", "Feature must be a string or a feature index."),
        ("dgn.level_id, 'D:99'", "Invalid depth for D in spec \"D:99\""),
        ("dgn.level_id, true", "Expected level_id"),
        ("dgn.br_depth, 'Foo'", "No such branch"),
        ("items.pickable, 'foo bar'", "Invalid item spec 'foo bar'."),
        ("dgn.change_floor_colour, 'black'", "Can't set floor to black"),
        ("dgn.set_random_mon_list", "Too few arguments."),
        ("dgn.find_map, {}", "no map selection criteria provided"),
        ("autofight.best_aim", "autofight.best_aim needs a game"),
        ("spells.level", "spells.level needs a game"),
    ];
    let answers = probes.map(|(call, _)| format!("print(tostring({call}))\n"));
    let refused = refusals.map(|(call, _)| format!("print(select(2, pcall({call})))\n"));
    let lua = answers.concat() + &refused.concat();
    let maps = format!("{{{{\n{lua}}}}}\nNAME: a\nDEPTH: D\nMAP\n...\nENDMAP\n");
    let mut engine = engine_of(Edition::Trunk, &maps);
    let told = engine.take_messages();
    assert_eq!(told.len(), probes.len() + refusals.len(), "{told:?}");
    for ((call, expected), answer) in probes.iter().zip(&told) {
        assert_eq!(answer, expected, "{call}");
    }
    for ((call, expected), answer) in refusals.iter().zip(&told[probes.len()..]) {
        assert!(answer.contains(expected), "{call}: {answer}");
    }
}
