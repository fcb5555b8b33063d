//! All that a vault says is in the level, in its JSON, in Tiled's file and in a saved game.

use std::collections::BTreeSet;
use std::num::NonZeroI32;

use serde_json::{Value, json};
use vaultwright::content::Edition;
use vaultwright::level::Level;
use vaultwright::map::{ItemAlternative, ItemKind, MapId, MimicOdds, Point};
use vaultwright::play::{Done, Session};
use vaultwright::render::{TiledMap, level_to_json, tileset_png, to_ldtk, to_tmj, to_tmx};
use vaultwright::{Engine, EngineOptions, level};

use crate::engine_of;

/// A map that uses every statement there is.
const EVERYTHING: &str = include_str!("everything.des");

fn placed() -> (Engine, Level) {
    let mut engine = engine_of(Edition::Trunk, EVERYTHING);
    let index = engine.library().find("everything").expect("the map");
    let level = engine.place(index, 1).expect("a level");
    (engine, *level)
}

/// The cell of a glyph of the drawing, told by its column and row there.
fn cell(level: &Level, column: i32, row: i32) -> Point {
    let at = level.vaults[0].at;
    Point::new(at.x + column, at.y + row)
}

#[test]
fn the_level_has_all_that_a_vault_says() {
    let (_, level) = placed();
    assert_eq!(level.floor_tile.as_deref(), Some("floor_nerves"));
    assert_eq!(level.rock_tile.as_deref(), Some("wall_flesh"));
    assert_eq!(level.random_monsters.as_deref(), Some("orc / goblin"));
    assert_eq!(level.vaults[0].map.description, "A room of all things");
    assert_eq!(level.vaults[0].waiting, ["epilogue"]);
    let shop = &level.shops[&cell(&level, 3, 2)];
    assert_eq!((shop.kind.as_str(), shop.greed, shop.use_all), ("weapon", Some(40), true));
    assert_eq!(shop.items.len(), 2);
    let altar = cell(&level, 1, 2);
    assert!(level::is_mimic(&level, altar));
    assert_eq!(level.tiles[&altar].feature.as_deref(), Some("dngn_altar_weird"));
    assert_eq!(level.tiles[&cell(&level, 5, 2)].floor.as_deref(), Some("floor_mud"));
    assert_eq!(level.height(cell(&level, 7, 2)), 7);
    let warrior = &level.monsters[&cell(&level, 1, 1)];
    let asked = warrior.asked.as_ref().expect("its spec");
    assert_eq!((asked.hit_points, asked.hit_dice), (NonZeroI32::new(50), NonZeroI32::new(9)));
    assert_eq!(asked.details.god.as_deref(), Some("beogh"));
    assert!(asked.details.enchantments.iter().any(|state| state.permanent));
    assert_eq!(warrior.spells().len(), 2);
    assert_eq!(warrior.items.len(), 2);
    let sword = &level.items[&cell(&level, 6, 1)][0];
    let asked = sword.asked.as_ref().expect("its spec");
    assert_eq!(asked.kind, ItemKind::Item("long sword".to_owned()));
    assert_eq!(asked.details.properties, [("Str".to_owned(), 3), ("Int".to_owned(), -1)]);
    let mimic = &level.items[&cell(&level, 8, 1)][0];
    assert!(mimic.mimic);
    assert_eq!(mimic.asked.as_ref().expect("its spec").mimic, MimicOdds::OneIn(1));
}

/// As saved games have it.
#[test]
fn what_is_usual_of_a_spec_is_saved_as_nought() {
    let (_, level) = placed();
    let warrior = level.monsters[&cell(&level, 1, 1)].asked.as_ref().expect("its spec");
    let json = serde_json::to_value(&**warrior).expect("JSON");
    assert_eq!([&json["hit_points"], &json["hit_dice"]], [50, 9]);
    assert_eq!(json["attitude"], "neutral");
    for (column, numbers) in [(6, [0, 0]), (8, [30, 1])] {
        let item = level.items[&cell(&level, column, 1)][0].asked.as_ref().expect("its spec");
        let json = serde_json::to_value(&**item).expect("JSON");
        assert_eq!([&json["quantity"], &json["mimic"]], numbers);
        assert_eq!(serde_json::from_value::<ItemAlternative>(json).ok().as_ref(), Some(&**item));
    }
}

#[test]
fn so_has_its_json() {
    let (engine, level) = placed();
    let mut value = level_to_json(&level, engine.content());
    let schema = include_str!("../../../../docs/level.schema.json");
    let schema: Value = serde_json::from_str(schema).expect("JSON");
    let validator = jsonschema::validator_for(&schema).expect("a schema");
    value["seed"] = 1.into();
    let errors: Vec<String> = validator.iter_errors(&value).map(|e| e.to_string()).collect();
    assert!(errors.is_empty(), "{errors:?}");
    let run = |column, row, count| {
        let p = cell(&level, column, row);
        json!([[p.x, p.y, count]])
    };
    assert_eq!(value["properties"]["bloody"], run(5, 2, 2));
    assert_eq!(value["masks"]["no_monster_gen"], run(6, 1, 1));
    assert_eq!(value["colours"]["lightred"], run(5, 2, 2));
    assert_eq!(value["tiles"]["rock"]["wall_stone_dark"], run(10, 3, 1));
    assert_eq!(value["heights"][0][3], 7);
    assert_eq!(value["mimics"][0]["feature"], "altar_zin");
    assert_eq!(value["shops"][0]["name"], "Fred");
    assert_eq!(value["shops"][0]["stock"][0]["ego"], "venom");
    assert_eq!((&value["spawn_rate"], &value["floor_colour"]), (&json!(300), &json!("blue")));
    let of_kind = |kind: &str| {
        let monsters = value["monsters"].as_array().expect("monsters");
        monsters.iter().find(|m| m["kind"] == kind).cloned().expect("one of the kind")
    };
    let warrior = of_kind("orc warrior");
    assert_eq!(warrior["name"], "Grum");
    assert_eq!(warrior["name_use"], json!(["suffix", "definite"]));
    assert_eq!(warrior["attitude"], "neutral");
    assert_eq!(warrior["tile"], "orc_tile");
    assert_eq!(warrior["spells"][1]["flags"], json!(["natural"]));
    assert_eq!(
        warrior["items"][0],
        json!({ "class": "weapon", "kind": "dagger", "ego": "venom", "spec": "dagger ego:venom" })
    );
    assert_eq!(of_kind("zombie")["base"], "ogre");
    let leader = of_kind("orc priest");
    assert_eq!(of_kind("orc")["leader"], json!([leader["x"], leader["y"]]));
    let item = |class: &str| {
        let items = value["items"].as_array().expect("items");
        items.iter().find(|i| i["class"] == class).cloned().expect("one of the class")
    };
    assert_eq!(item("weapon")["properties"], json!({ "Str": 3, "Int": -1 }));
    assert_eq!(item("weapon")["flags"], json!(["no_pickup"]));
    assert_eq!(item("jewellery")["artefact"], "ring of the Octopus King");
    assert_eq!(
        (&item("potion")["quantity"], &item("book")["title"]),
        (&json!(5), &json!("Flames"))
    );
    let marker = |class: &str| {
        let markers = value["markers"].as_array().expect("markers");
        markers.iter().find(|m| m["class"] == class).cloned().expect("one of the class")
    };
    assert_eq!(marker("TriggerableMessage")["values"]["msg"], "Click.");
    let function = &marker("TriggerableFunction")["values"];
    assert_eq!(function["func"]["resolved"]["function"], "callback.everything");
    assert_eq!(function["data"]["answer"], 42);
    assert_eq!(function["triggerers"][0]["type"], "player_move");
    assert_eq!(marker("PropertiesDescriptor")["values"]["props"]["description"], "odd");
    let exit = value["markers"].as_array().expect("markers");
    assert!(exit.iter().any(|m| m["feature"] == "exit_dungeon"));
}

#[test]
fn so_has_its_map_for_tiled_and_ldtk() {
    let (engine, level) = placed();
    let map = TiledMap::of(&level, engine.content());
    let tmj = to_tmj(&TiledMap { image: Some("tiles.png".to_owned()), ..map.clone() });
    let layers = tmj["layers"].as_array().expect("layers");
    let objects = |layer: &str| {
        let found = layers.iter().find(|l| l["name"] == layer).expect("the layer");
        found["objects"].as_array().expect("objects")
    };
    let property = |of: &Value, name: &str| {
        let properties = of["properties"].as_array().expect("properties");
        let found = properties.iter().find(|p| p["name"] == name);
        found.map(|p| p["value"].clone()).unwrap_or_default()
    };
    let with = |layer: &str, name: &str, value: Value| {
        objects(layer).iter().find(|o| property(o, name) == value).expect("the object").clone()
    };
    assert_eq!(property(&tmj, "random_monsters"), "orc / goblin");
    assert_eq!(property(&objects("vaults")[0], "description"), "A room of all things");
    let shop = with("shops", "name", "Fred".into());
    assert_eq!(property(&shop, "greed"), 40);
    assert!(property(&shop, "stock").as_str().is_some_and(|stock| stock.contains("venom")));
    let altar = with("cells", "mimic", true.into());
    assert_eq!(property(&altar, "tile"), "dngn_altar_weird");
    assert_eq!(with("cells", "properties", "bloody".into())["width"], 32);
    assert_eq!(property(&with("cells", "height", 7.into()), "properties"), "no_tele_into");
    let warrior = with("monsters", "name", "Grum".into());
    assert_eq!((property(&warrior, "hp"), property(&warrior, "god")), (50.into(), "beogh".into()));
    let number = warrior["gid"].as_u64().expect("a tile") as usize;
    assert_eq!(
        (map.tiles[number - 1].glyph, map.tiles[number - 1].class.as_str()),
        ('o', "monster")
    );
    assert_eq!(
        property(&with("items", "artefact", "ring of the Octopus King".into()), "class"),
        "jewellery"
    );
    let click = with("markers", "class", "TriggerableMessage".into());
    assert!(property(&click, "values").as_str().is_some_and(|values| values.contains("Click.")));
    let set = &tmj["tilesets"][0];
    let side = |name: &str| set[name].as_u64().expect("a number");
    assert_eq!(side("imagewidth"), side("columns") * 16);
    assert!(side("columns") * (side("imageheight") / 16) >= side("tilecount"));
    assert!(to_tmx(&map).contains("name=\"greed\" type=\"int\" value=\"40\""));
    assert!(tileset_png(&map, None).starts_with(b"\x89PNG"));
    let files = to_ldtk(&level, engine.content(), "everything");
    let (_, data) = files.iter().find(|(name, _)| name == "data.json").expect("the file");
    let data: Value = serde_json::from_slice(data).expect("JSON");
    assert_eq!(data["entities"]["shop"][0]["customFields"]["name"], "Fred");
    assert_eq!(data["entities"]["shop"][0]["x"], cell(&level, 3, 2).x * 16);
}

/// What a level in play has of a vault, besides its creatures and items.
fn furnishing(session: &Session) -> String {
    let level = session.play().level();
    format!(
        "{:?} {:?} {:?} {:?} {:?} {:?} {:?} {}",
        level.tiles,
        level.shops,
        level.colours,
        level.random_monsters,
        level.floor_tile,
        level.rock_tile,
        level.vaults.iter().map(|vault| &vault.map.description).collect::<Vec<_>>(),
        level.points().map(|p| level.properties(p) + i64::from(level.height(p))).sum::<i64>(),
    )
}

#[test]
fn so_has_a_saved_game() {
    let begun = || {
        let engine = engine_of(Edition::Trunk, EVERYTHING);
        let index = engine.library().find("everything").expect("the map");
        let mut session = Session::new(engine, 1);
        session.start_in(index, 1).expect("a level");
        session
    };
    let session = begun();
    let before = furnishing(&session);
    for word in ["dngn_altar_weird", "Fred", "lightred", "orc / goblin", "wall_flesh"] {
        assert!(before.contains(word), "{word}: {before}");
    }
    let bytes = session.save().expect("a saved game");
    let mut again = begun();
    again.pass(500);
    again.load(&bytes).expect("the saved game");
    assert_eq!(furnishing(&again), before);
    let world = again.world();
    let (_, warrior) = world
        .monsters()
        .find(|(_, m)| m.placed.name.as_deref() == Some("Grum"))
        .expect("the warrior");
    assert_eq!(warrior.placed.spells().len(), 2);
    assert_eq!(warrior.placed.items.len(), 2);
    let sword = world.items().find(|(_, i)| i.spec.starts_with("long sword")).expect("the sword").1;
    let asked = sword.placed.asked.as_ref().expect("its spec");
    assert_eq!(asked.ego.as_deref(), Some("flaming"));
    drop(world);
    let markers = again.play_mut().markers();
    assert!(markers.len() >= 4, "{}", markers.len());
}

/// More markers than the interpreter has room for handles.
#[test]
fn a_level_of_thousands_of_markers_is_played_and_saved() {
    let row = format!("x{}x\n", ".".repeat(74));
    let map = format!(
        "NAME: many\nDEPTH: D\nORIENT: encompass\nTAGS: no_rotate\n\
         MARKER: . = lua:props_marker {{ told = {{ 1, 2, 3 }} }}\nMAP\n{}{}{}ENDMAP\n",
        "x".repeat(76) + "\n",
        row.repeat(64),
        "x".repeat(76) + "\n"
    );
    let begun = || {
        let engine = engine_of(Edition::V0_28, &map);
        let index = engine.library().find("many").expect("the map");
        let mut session = Session::new(engine, 1);
        session.start_in(index, 1).expect("a level");
        session
    };
    let mut session = begun();
    assert_eq!(session.play_mut().markers().len(), 64 * 74);
    let bytes = session.save().expect("a saved game");
    let mut other = begun();
    other.load(&bytes).expect("the same pack");
    assert_eq!(other.play_mut().markers().len(), 64 * 74);
    assert!(other.save().expect("a saved game") == bytes);
}

#[test]
fn what_is_open_is_drawn_for_those_who_ask_and_nothing_else_changes() {
    let mut engine = starter();
    let mut build = |concrete: bool, seed: u64| {
        engine.set_concrete(concrete);
        let place = engine.level_place("D:7").expect("a place");
        let level = engine.build(place, seed).expect("a level").level;
        (level_to_json(&level, engine.content()), level)
    };
    let mut kinds = BTreeSet::new();
    for seed in 1..=4 {
        let ((before, open), (after, drawn)) = (build(false, seed), build(true, seed));
        assert_eq!(before["features"], after["features"]);
        assert_eq!(before["vaults"], after["vaults"]);
        assert!(open.monsters.keys().eq(drawn.monsters.keys()));
        for (p, monster) in &open.monsters {
            let now = drawn.monsters[p].kind;
            assert!(monster.kind.is_none() || monster.kind == now, "{monster:?}");
        }
        for item in after["items"].as_array().expect("items") {
            assert!(item["class"].is_string() && item["class"] != "any", "{item}");
            let whole = item["kind"].is_string() || item["artefact"].is_string();
            assert!(whole, "{item}");
            kinds.insert(item["kind"].to_string());
        }
        assert_eq!(after, build(true, seed).0, "the same again");
    }
    assert!(kinds.len() > 10, "{kinds:?}");
    // The levels of a game, too, whatever else is asked of them.
    let mut engine = starter();
    engine.set_concrete(true);
    let mut first = |asked: &str| {
        let game = engine.game(7);
        let mut game = match asked {
            "terse" => game.terse(),
            "traced" => game.traced(),
            _ => game,
        };
        let built = game.next().expect("a level").1.expect("a level");
        drop(game);
        level_to_json(&built.level, engine.content())["items"].clone()
    };
    let plain = first("");
    assert!(plain.as_array().is_some_and(|items| items.len() > 5), "{plain}");
    for asked in ["terse", "traced"] {
        assert_eq!(first(asked), plain, "{asked}");
    }
    let mut engine = engine_of(Edition::Trunk, EVERYTHING);
    engine.set_concrete(true);
    let index = engine.library().find("everything").expect("the map");
    let level = engine.place(index, 1).expect("a level");
    // A demon is drawn when it is made, whether anybody asks for concrete levels or not.
    let demon = &level.monsters[&cell(&level, 3, 1)];
    let kind = demon.kind.expect("a demon");
    let kind = engine.content().monsters().get(kind);
    assert!(!demon.rolled && kind.holiness.contains(&"demonic".to_owned()), "{}", kind.name);
    let sword = level.items[&cell(&level, 6, 1)][0].made.as_ref().expect("an item");
    assert_eq!(
        (sword.ego.as_deref(), sword.plus),
        (Some("flaming"), Some(4)),
        "what is said stays"
    );
}

/// The embedded pack.
fn starter() -> Engine {
    let mut engine = Engine::new(EngineOptions::default()).expect("an engine");
    let problems = engine.load(engine.pack_sources().expect("the pack"));
    assert!(problems.is_empty());
    engine
}

#[test]
fn what_maps_say_while_they_are_made_has_its_line() {
    let mut engine = engine_of(
        Edition::Trunk,
        "NAME: talks\nDEPTH: D\n: crawl.mpr(\"made\")\nvalidate {{ print(1, 'two') return true }}\nMAP\n...\nENDMAP\n",
    );
    engine.take_messages();
    engine.place(MapId(0), 1).expect("a level");
    assert_eq!(
        engine.take_placed_messages(),
        ["maps.des:3 (map talks): made", "maps.des:4 (map talks): 1\ttwo"]
    );
}

/// Cells are pairs there, since JSON has only texts as keys.
#[test]
fn a_level_goes_through_json_and_back() {
    let (_, level) = placed();
    let text = serde_json::to_string(&level).expect("written");
    let read: Level = serde_json::from_str(&text).expect("read");
    assert_eq!(serde_json::to_string(&read).expect("written"), text);
    assert_eq!((&read.tiles, &read.shops), (&level.tiles, &level.shops));
    assert_eq!((&read.monsters, &read.items), (&level.monsters, &level.items));
    assert!(!read.monsters.is_empty() && read.features() == level.features());
}

#[test]
fn who_gets_nowhere_stands_where_he_stood() {
    let hall = |name: &str, more: &str| {
        format!("NAME: {name}\nORIENT: encompass\n{more}MAP\nxxxxx\nx1..x\nx..Ox\nxxxxx\nENDMAP\n")
    };
    let never = "veto {{ return true }}\n";
    let way = "MONS: orc\nKFEAT: O = stone_arch\n\
               MARKER: O = lua:one_way_stair { dst = \"nowhere\", desc = \"a door\" }\n";
    let maps = [
        hall("here", &format!("DEPTH: D:1\n{way}")),
        hall("below", &format!("PLACE: D:2\nMONS: orc\nKFEAT: O = floor\n{never}")),
        hall("never", &format!("TAGS: nowhere\nMONS: orc\nKFEAT: O = floor\n{never}")),
    ];
    let engine = engine_of(Edition::V0_28, &maps.concat());
    let index = engine.library().find("here").expect("the map");
    let mut session = Session::new(engine, 1);
    session.start_in(index, 1).expect("a level");
    let arch = session.play_mut().markers().first().expect("the stair's").at;
    session.teleport(arch);
    let before = furnishing(&session);
    assert!(matches!(session.take_stairs(), Done::No(_)));
    assert!(matches!(session.next_level(), Done::No(_)));
    assert_eq!((session.world().player(), furnishing(&session)), (arch, before));
    assert_eq!(session.world().monsters().count(), 1);
}
