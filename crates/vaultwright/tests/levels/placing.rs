//! Maps that scripts place.

use vaultwright::Player;
use vaultwright::content::Edition;
use vaultwright::map::Point;

use crate::{engine_of, hall_with, one_hall};

const HOOK: &str = r#"
hook("post_place", function()
  local placed = dgn.with_map_bounds_fn(TEST, function()
    return dgn.place_map(dgn.map_by_tag("hut"))
  end)
  print(placed and "placed" or "no room")
end)
"#;

const HUT: &str = r#"
NAME:   hut
TAGS:   hut minivault allow_dup no_rotate
MAP
ccc
c.+
ccc
ENDMAP
"#;

fn pack() -> String {
    hall_with("D", 5, HOOK) + HUT
}

/// Where the huts of ten levels stand, and what was said.
fn huts(test: &str) -> (Vec<(i32, i32)>, Vec<String>) {
    let mut engine = engine_of(Edition::Trunk, &pack().replace("TEST", test));
    engine.take_messages();
    let place = engine.level_place("D:2").expect("a place");
    let mut at = Vec::new();
    for seed in 1..=10 {
        let level = engine.build(place, seed).expect("a level").level;
        let huts = level.vaults.iter().filter(|vault| vault.map.name == "hut");
        at.extend(huts.map(|vault| (vault.at.x, vault.at.y)));
    }
    (at, engine.take_messages())
}

#[test]
fn a_script_says_where_maps_may_stand() {
    let (at, said) = huts("function(map, x, y, w, h) return x < 20 and w == 3 and h == 3 end");
    assert_eq!((at.len(), said), (10, vec!["placed".to_owned(); 10]));
    assert!(at.iter().all(|&(x, _)| x < 20), "{at:?}");
    let (at, said) = huts("function() return false end");
    assert_eq!((at.len(), said), (0, vec!["no room".to_owned(); 10]));
}

#[test]
fn the_test_of_a_script_may_draw_and_look_about() {
    let test = "function(map, x, y)\n\
                return crawl.random2(2) == 1 and dgn.grid(x, y) and dgn.name(map) == 'hut'\n\
                end";
    let (at, _) = huts(test);
    assert_eq!(at.len(), 10);
    assert_eq!(huts(test).0, at);
}

#[test]
fn a_test_that_fails_is_told_and_taken_for_a_yes() {
    let (at, said) = huts("function() error('no idea') end");
    assert_eq!(at.len(), 10);
    assert!(said[0].contains("no idea"), "{said:?}");
}

#[test]
fn what_only_the_documents_name_can_be_called() {
    let test = "function()\n\
                local calls = { you.subdepth() == 2, #you.spells() == 0, #you.abilities() == 0,\n\
                  #you.floor_items() == 0, you.hunger() == 0, you.res_slowing() == 0, not you.gourmand(),\n\
                  not you.levitating(), crawl.mesclr() == nil, crawl.input_line() == nil,\n\
                  dgn.mons_from_index(1) == nil, dgn.spawn_random_rate() == 0,\n\
                  type(dgn.count_tele_zones()) == 'number', dgn.apply_tide() == nil }\n\
                for number = 1, 14 do\n\
                  if calls[number] ~= true then print('call ' .. number .. ' is wrong') end\n\
                end\n\
                return true\n\
                end";
    let (at, said) = huts(test);
    assert_eq!((at.len(), said), (10, vec!["placed".to_owned(); 10]));
}

/// Only the documents know priorities; elsewhere the load order counts.
#[test]
fn chances_of_a_higher_priority_are_rolled_first() {
    let map = |name: &str, chance: &str| {
        format!("NAME: {name}\nDEPTH: D\nCHANCE: {chance}\nMAP\n...\nENDMAP\n\n")
    };
    let first = |maps: &[String]| {
        let mut engine = engine_of(Edition::Classic, &(one_hall("D") + &maps.concat()));
        let place = engine.level_place("D:3").expect("a place");
        let level = engine.build(place, 1).expect("a level").level;
        let names = level.vaults.iter().map(|vault| vault.map.name.clone());
        names.filter(|name| !name.starts_with("layout")).collect::<Vec<_>>()
    };
    let (low, high) = (map("low", "5 : 100%"), map("high", "50 : 100%"));
    assert_eq!(first(&[low.clone(), high.clone()]), ["high", "low"]);
    assert_eq!(first(&[high, low.clone()]), ["high", "low"]);
    // Without a priority it is 10.
    assert_eq!(first(&[low, map("plain", "100%")]), ["plain", "low"]);
}

#[test]
fn the_flags_that_vaults_give_a_level_come_out() {
    let vault = "NAME: dark\nDEPTH: D\nCHANCE: 1 : 100%\nLFLAGS: not_mappable no_tele_control\n\
                 MAP\n...\nENDMAP\n";
    let mut engine = engine_of(Edition::Classic, &(one_hall("D") + vault));
    let place = engine.level_place("D:3").expect("a place");
    let level = engine.build(place, 1).expect("a level").level;
    let json = vaultwright::render::level_to_json(&level, engine.content());
    assert_eq!(json["flags"], serde_json::json!(["no_tele_control", "not_mappable"]));
}

#[test]
fn flags_of_a_branch_hold_on_its_later_levels_and_no_others() {
    let vault =
        "NAME: dark\nPLACE: D:2\nTAGS: unrand\nBFLAGS: not_mappable islanded\nMAP\n...\nENDMAP\n";
    let vault = vault.replace("PLACE: D:2\nTAGS: unrand", "PLACE: D:2");
    let mut engine = engine_of(Edition::Classic, &(one_hall("D, Lair") + &vault));
    let of_dungeon = engine.game(1).filter(|(place, _)| place.branch.is_root()).take(4);
    let flags: Vec<(i32, usize)> = of_dungeon
        .map(|(place, built)| (place.depth, built.expect("a level").level.flags.len()))
        .collect();
    assert_eq!(flags, [(1, 0), (2, 2), (3, 2), (4, 2)]);
}

#[test]
fn default_depth_and_spawn_random_rate_do_what_the_documents_say() {
    let vaults = "NAME: shallow\n: default_depth(\"D:2-4\")\nMAP\n...\nENDMAP\n\n\
                  NAME: busy\nDEPTH: D\nCHANCE: 1 : 100%\n: env.spawn_random_rate(7)\nMAP\n...\nENDMAP\n";
    let mut engine = engine_of(Edition::Classic, &(one_hall("D") + vaults));
    let library = engine.library();
    let shallow = library.find("shallow").map(|index| &library[index].selection);
    let branches = engine.content().branches();
    assert_eq!(shallow.expect("it compiles").depths.describe(branches), "D:2-4");
    let place = engine.level_place("D:3").expect("a place");
    let level = engine.build(place, 1).expect("a level").level;
    assert_eq!(level.spawn_rate, 7);
}

#[test]
fn a_colour_that_a_script_has_defined_is_one() {
    let vaults = "{{\ncolour.add_colour(\"zebra\", function() return \"white\" end)\n}}\n\n\
                  NAME: striped\nDEPTH: D\nCHANCE: 1 : 100%\nCOLOUR: . = zebra\nMAP\n...\nENDMAP\n\n";
    let mut engine = engine_of(Edition::Classic, &(vaults.to_owned() + &one_hall("D")));
    let place = engine.level_place("D:3").expect("a place");
    let level = engine.build(place, 1).expect("a level").level;
    assert_eq!(level.colours.values().filter(|colour| *colour == "zebra").count(), 3);
}

#[test]
fn a_glyph_with_masks_alone_is_inspected_as_what_it_is() {
    let hook = r#"
hook("post_place", function()
  local _, resolved = dgn.resolve_map(dgn.map_by_tag("keyed"))
  local seen = {}
  for x = 0, 4 do
    local feature = dgn.inspect_map(resolved, x, 0)
    seen[#seen + 1] = dgn.feature_name(feature)
  end
  print(table.concat(seen, " "))
end)
"#;
    let vault = r#"
NAME:   of_keyed_glyphs
TAGS:   keyed minivault allow_dup no_rotate no_hmirror no_vmirror no_exits
KMASK:  w = no_monster_gen
KMONS:  W = rat
KITEM:  l = dagger
KPROP:  x = bloody
KFEAT:  t = w
MAP
wWlxt
ENDMAP
"#;
    let maps = hall_with("D", 5, hook) + vault;
    // What the running program says of the same map.
    let expected = "deep_water floor floor rock_wall deep_water";
    for edition in [Edition::V0_28, Edition::Trunk] {
        let mut engine = engine_of(edition, &maps);
        engine.take_messages();
        let place = engine.level_place("D:2").expect("a place");
        let _level = engine.build(place, 1).expect("a level");
        assert_eq!(engine.take_messages(), [expected], "{edition:?}");
    }
}

#[test]
fn the_parameters_of_a_placed_map_are_a_text_where_they_are_given() {
    for (given, right) in [("", true), (", \"words\"", true), (", nil", false), (", {}", false)] {
        let call = format!("dgn.place_map(dgn.map_by_tag(\"hut\"), true, false, nil, nil{given})");
        let pack = pack().replace("dgn.place_map(dgn.map_by_tag(\"hut\"))", &call);
        let pack = pack.replace("return dgn", "local ok = pcall(function() return dgn");
        let pack = pack.replace(&call, &format!("{call} end); print(tostring(ok)); return true"));
        let mut engine =
            engine_of(Edition::Trunk, &pack.replace("TEST", "function() return true end"));
        engine.take_messages();
        let place = engine.level_place("D:2").expect("a place");
        drop(engine.build(place, 1).expect("a level"));
        assert_eq!(engine.take_messages()[0], right.to_string(), "{given}");
    }
}

/// Spec 04 §17.6; 0.28 was asked: what a script leaves out, or gives without a word, is one all the
/// same.
#[test]
fn every_map_that_a_script_places_has_one_parameter_more() {
    let told = "\n: local told = dgn.map_parameters()\n: print(#told .. ': ' .. table.concat(told, '|'))\nMAP\n";
    for (given, expected) in
        [("", "1: "), (", nil, nil, ''", "1: "), (", nil, nil, 'two words'", "1: two words")]
    {
        let pack = pack().replace("allow_dup no_rotate\nMAP\n", &format!("allow_dup{told}"));
        let call = "dgn.place_map(dgn.map_by_tag(\"hut\")";
        let pack = pack.replace(call, &format!("{call}, true, false{given}"));
        let mut engine =
            engine_of(Edition::Trunk, &pack.replace("TEST", "function() return true end"));
        engine.take_messages();
        let place = engine.level_place("D:2").expect("a place");
        drop(engine.build(place, 1).expect("a level"));
        assert_eq!(engine.take_messages(), [expected, "placed"], "{given}");
    }
}

#[test]
fn maps_are_refused_to_the_species_that_their_tags_name() {
    // spec 04 §3.6
    let maps = |species: &str| {
        let tag = format!("hut minivault no_species_{species}");
        pack().replace("TAGS:   hut minivault", &format!("TAGS:   {tag}")).replace(
            "  local placed = dgn.with_map_bounds_fn(TEST, function()\n    return \
             dgn.place_map(dgn.map_by_tag(\"hut\"))\n  end)\n",
            "  local placed = dgn.map_by_tag(\"hut\")\n",
        )
    };
    for (species, player, told) in [
        ("fe", "species=Felid", "no room"),
        ("fe", "species=Minotaur", "placed"),
        ("fe", "", "placed"),
        ("hu", "", "no room"),
    ] {
        let mut engine = engine_of(Edition::Trunk, &maps(species));
        let asked = Player::parse(player, engine.content()).expect("a player");
        engine.set_player(Some(asked).filter(|_| !player.is_empty()));
        engine.take_messages();
        let place = engine.level_place("D:2").expect("a place");
        let _level = engine.build(place, 1).expect("a level");
        assert_eq!(engine.take_messages(), [told], "{species} and {player}");
    }
}

/// spec 04 §3.2: a place has its maps, whatever the player is.
#[test]
fn maps_of_a_place_are_refused_to_no_species() {
    let vault = "\nNAME: of_the_place\nPLACE: D:2\nTAGS: minivault no_species_hu\nMAP\n...\n.G.\n...\nENDMAP\n";
    let mut engine = engine_of(Edition::Trunk, &(one_hall("D") + vault));
    let place = engine.level_place("D:2").expect("a place");
    let level = engine.build(place, 1).expect("a level").level;
    assert!(level.vaults.iter().any(|vault| vault.map.name == "of_the_place"));
}

/// spec 04 §3.9: those that are counted are not asked for the species, the one that is chosen is.
#[test]
fn vaults_of_uniques_are_counted_for_all_species() {
    let maps = one_hall("D") + "\nNAME: lair\nTAGS: place_unique no_species_hu\nMAP\n.\nENDMAP\n";
    let mut engine = engine_of(Edition::Trunk, &maps);
    let place = engine.level_place("D:2").expect("a place");
    let tried = (1..=20).find_map(|seed| {
        let (result, trace) = engine.build_filmed(place, seed, None);
        let level = result.expect("a level").level;
        assert!(level.vaults.iter().all(|vault| vault.map.name != "lair"), "seed {seed}");
        trace.iter().find(|step| step.name == "unique_try").map(|step| step.detail.clone())
    });
    let tried = tried.expect("one of two levels looks for uniques");
    assert!(tried.contains("available=1"), "{tried}");
}

/// Ends of transporters, of which one is no `props_marker`.
const ENDS: &str = r#"
{{
function answering(asked) return { property = function(_, _, name) return name == asked and "a" or "" end } end
}}

NAME:   ends
DEPTH:  D:2
TAGS:   no_rotate no_hmirror no_vmirror
MARKER: A = lua:answering("_transporter_name")
MARKER: B = lua:transp_dest_loc("a")
MARKER: C = lua:answering("portal")
MAP
ABC
ENDMAP
"#;

#[test]
fn markers_of_a_map_that_is_placed_alone_have_said_what_is_asked_of_a_level() {
    let mut engine = engine_of(Edition::V0_28, ENDS);
    let map = engine.library().find("ends").expect("a map");
    let level = engine.place(map, 1).expect("a level");
    let markers = level.markers.by_column();
    let ends: Vec<bool> = markers.iter().map(|marker| marker.said_transporter).collect();
    assert_eq!(ends, [true, true, false]);
}

#[test]
fn nobody_is_placed_at_the_edge_of_a_level_and_its_terrain_stays() {
    // A key with a blank holds for blank cells, too, which are not written.
    let maps = r#"
NAME:   beyond
TAGS:   edge no_rotate no_hmirror no_vmirror no_exits
ORIENT: north
KMONS:  A B = electric eel
MAP
 c ccc
   c.c
ENDMAP
"#;
    let mut engine = engine_of(Edition::V0_28, maps);
    let map = engine.library().find("beyond").expect("a map");
    let level = engine.place(map, 1).expect("a level");
    let at = level.vaults[0].at;
    assert_eq!(at.y, 0);
    let cells: Vec<Point> = level.monsters.keys().copied().collect();
    let expected: Vec<Point> = (0..3).map(|step| at.offset((step, 1))).collect();
    assert_eq!(cells, expected);
    let name = |step| {
        let feature = level.feature(at.offset(step)).expect("a feature");
        engine.content().features().get(feature).name.clone()
    };
    assert_eq!([(0, 0), (2, 0), (0, 1)].map(name), ["rock_wall", "rock_wall", "deep_water"]);
}
