//! The embedded pack, as a new user meets it.

use std::path::Path;

use crate::common::{run, temporary};

#[test]
fn the_pack_has_no_findings() {
    let check = run(&["check", "--deny", "warnings"]);
    assert_eq!(check.code, 0, "{}", check.stdout);
}

/// The texts of the pack's `.des` files.
fn sources() -> Vec<(String, String)> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../packs/starter/des");
    std::fs::read_dir(folder)
        .expect("the pack")
        .map(|entry| {
            let path = entry.expect("a file").path();
            let text = std::fs::read_to_string(&path).expect("a text");
            (path.display().to_string(), text)
        })
        .collect()
}

#[test]
fn the_pack_uses_every_header_and_block() {
    let sources = sources();
    for (name, text) in &sources {
        let formatted = vaultwright::syntax::format(text.as_bytes());
        assert_eq!(formatted, text.as_bytes(), "{name} is not formatted");
    }
    let whole: String = sources.into_iter().map(|(_, text)| text).collect();
    for (_, keyword) in vaultwright::syntax::Header::all() {
        // WELCOME is accepted by the grammar, but nothing answers it any more.
        assert!(keyword == "WELCOME:" || whole.contains(keyword), "{keyword} is not used");
    }
    for block in ["prelude {{", "validate {{", "veto {{", "epilogue {{", "\n{{", "\n: ", "hook("] {
        assert!(whole.contains(block), "{block} is not used");
    }
}

#[test]
fn the_pack_has_what_a_game_needs() {
    let whole: String = sources().into_iter().map(|(_, text)| text).collect();
    let layouts = whole.matches("NAME:   layout_").count();
    let maps = whole.matches("\nNAME:").count();
    assert!(layouts >= 12 && maps - layouts >= 80, "{layouts} layouts, {maps} maps");
}

#[test]
fn a_copy_of_the_pack_stands_alone() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../packs/starter");
    let check = run(&["check", "--deny", "warnings", "--data", folder]);
    assert_eq!(check.code, 0, "{}", check.stdout);
}

#[test]
fn every_map_rolls() {
    let rolled = run(&["resolve", "--all", "--seed", "1..20", "--format", "tsv"]);
    let failed: Vec<&str> =
        rolled.stdout.lines().filter(|line| line.contains("\tnone\t")).collect();
    assert!(failed.is_empty(), "{failed:?}");
}

#[test]
fn every_level_is_built_and_can_be_walked_through() {
    let checked = run(&["levels", "--all", "--check", "--seed", "1..20"]);
    assert_eq!(checked.code, 0, "{}", checked.stdout);
    assert_eq!(checked.stdout, "560 levels, 0 with faults\n");
    let levels = |jobs| run(&["levels", "--all", "--seed", "1..5", "--jobs", jobs]);
    assert!(levels("1").bytes == levels("8").bytes, "the number of threads changes the result");
}

#[test]
fn no_script_fails_in_building_or_in_play() {
    let surveyed = run(&["mapstat", "25", "--top", "1000"]);
    assert_eq!(surveyed.code, 0, "{}", surveyed.stderr);
    assert!(surveyed.stdout.contains("700 built, 0 failed"), "{}", surveyed.stdout);
    assert!(!surveyed.stdout.contains("Lua errors"), "{}", surveyed.stdout);
    assert!(!surveyed.stderr.contains("lua:"), "{}", surveyed.stderr);
    let one = run(&["exercise", "three_doors", "--format", "json"]);
    let told: serde_json::Value = serde_json::from_str(&one.stdout).expect("JSON");
    assert!(told["runs"][0]["said"]["You open the door."].as_u64() > Some(0), "{}", one.stdout);
    let played = run(&["exercise", "--all", "--turns", "500"]);
    assert_eq!(played.code, 0, "{}", played.stdout);
    assert!(played.stdout.contains("0 runs with errors, 0 not placed\n"), "{}", played.stdout);
    assert!(!played.stderr.contains("lua:"), "{}", played.stderr);
}

#[test]
fn placed_alone_no_vault_cuts_the_floor_into_pieces() {
    let checked = run(&["place", "--all", "--check", "zones,tele", "--count", "10"]);
    assert_eq!(checked.code, 0, "{}", checked.stdout);
    let folder = temporary("closets");
    let file = folder.join("closed.des");
    let text = "default-depth: D\n\nNAME: closed\nTAGS: transparent no_exits\nMAP\nxxxxx\nx...x\nxxxxx\nENDMAP\n";
    std::fs::write(&file, text).expect("a file");
    let (data, out) = (folder.to_str().expect("a path"), folder.join("pictures"));
    let check = ["place", "closed", "--check", "zones,tele,opacity", "--data", data, "--out"];
    let found = run(&[&check[..], &[out.to_str().expect("a path")]].concat());
    assert_eq!(found.code, 1);
    for part in
        ["Isolated area in vault closed (2 zones)", "Teleport closet in vault closed", "#aaa#"]
    {
        assert!(found.stdout.contains(part), "{part}:\n{}", found.stdout);
    }
    assert!(out.join("closed-zones-1.png").is_file());
}

#[test]
fn a_whole_game_is_connected() {
    for seed in ["1", "2", "3"] {
        let make = || run(&["generate", "--all", "--seed", seed, "--format", "json"]);
        let game = make();
        assert_eq!(game.code, 0, "{}", game.stderr);
        assert!(game.bytes == make().bytes, "another process makes another game of seed {seed}");
        let levels: Vec<serde_json::Value> =
            game.stdout.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
        let places: Vec<&str> = levels.iter().filter_map(|level| level["place"].as_str()).collect();
        assert_eq!(&places[..2], ["D:1", "D:2"]);
        let entered = |feature: &str| {
            let has = |level: &&serde_json::Value| level["features"].to_string().contains(feature);
            levels.iter().filter(has).count()
        };
        for branch in ["burrow", "wood", "fen", "city", "barrow", "forge"] {
            assert_eq!(entered(&format!("\"enter_{branch}\"")), 1, "{branch} of seed {seed}");
            assert_eq!(entered(&format!("\"exit_{branch}\"")), 1, "{branch} of seed {seed}");
        }
        for portal in ["cellar", "market"] {
            let entries = entered(&format!("\"enter_{portal}\""));
            assert_eq!(entered(&format!("\"exit_{portal}\"")), entries, "{portal} of seed {seed}");
        }
    }
}

#[test]
fn generate_draws_levels_in_every_format() {
    let text = run(&["generate", "D:1-2", "--seed", "3", "--annotate"]);
    assert_eq!(text.code, 0, "{}", text.stderr);
    assert!(text.stdout.contains("D:1, seed 3") && text.stdout.contains("D:2, seed 3"));
    assert!(text.stdout.contains("80x70 at 0,0"), "the layout is not listed");
    let both = run(&["generate", "D:3", "Burrow:1", "D:1-2", "--seed", "3", "--annotate"]);
    assert!(both.stdout.starts_with(&text.stdout), "a level depends on what else is asked for");
    let rows = |name: &str| {
        let at = both.stdout.find(&format!("{name}, seed 3\n")).expect("the level");
        both.stdout[at..].lines().skip(1).take(70).map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(rows("Burrow:1").len(), 70);
    let alike = rows("D:1").iter().zip(rows("D:2")).filter(|(a, b)| *a == b).count();
    assert!(alike < 30, "the levels of a game are different ones");
    let json = run(&["generate", "D:2", "--format", "json"]);
    let level: serde_json::Value = serde_json::from_str(&json.stdout).expect("JSON");
    assert_eq!(level["features"][0].as_array().map(Vec::len), Some(80));
    let folder = temporary("pictures");
    let out = folder.to_str().expect("a path");
    for format in ["png", "svg"] {
        assert_eq!(run(&["generate", "D:2", "--format", format, "--out", out]).code, 0);
        let size = std::fs::metadata(folder.join(format!("D-2-1.{format}"))).map(|m| m.len());
        assert!(size.is_ok_and(|size| size > 1000), "{format}");
    }
    let unknown = run(&["generate", "Atlantis:1"]);
    assert_eq!(unknown.code, 2);
    assert!(unknown.stderr.contains("no branch is named 'Atlantis'"), "{}", unknown.stderr);
    assert!(run(&["generate", "D:99"]).stderr.contains("which has 10"));
}

#[test]
fn levels_follow_their_schema() {
    let schema = include_str!("../../../docs/level.schema.json");
    let schema: serde_json::Value = serde_json::from_str(schema).expect("JSON");
    let validator = jsonschema::validator_for(&schema).expect("a schema");
    let game = run(&["generate", "--all", "--format", "json"]);
    for line in game.stdout.lines() {
        let level: serde_json::Value = serde_json::from_str(line).expect("JSON");
        let errors: Vec<String> = validator.iter_errors(&level).map(|e| e.to_string()).collect();
        assert!(errors.is_empty(), "{}: {errors:?}", level["place"]);
    }
    assert!(!validator.is_valid(&serde_json::json!({ "place": "D:1" })));
}

#[test]
fn who_lurks_is_told() {
    let vault = "NAME: lurk\nDEPTH: D\nORIENT: float\nKMONS: 1 = shadow wraith\nMAP\n.1.\nENDMAP\n";
    let file = temporary("lurk").join("lurk.des");
    std::fs::write(&file, vault).expect("a file");
    let file = file.to_str().expect("a path");
    let trunk = ["--data", "none", "--rules", "trunk", "--format", "json"];
    let placed = run(&[&["place", "lurk", "--file", file], &trunk[..]].concat());
    let levels: serde_json::Value = serde_json::from_str(&placed.stdout).expect("JSON");
    assert_eq!(levels[0]["lurkers"][0]["kind"], "shadow wraith");
    assert_eq!(levels[0]["monsters"], serde_json::json!([]));
}

/// The crate reads Tiled's XML; the JSON is held against what it has read.
#[test]
fn tiled_reads_levels() {
    let folder = temporary("tiled");
    let out = folder.to_str().expect("a path");
    let written = |format: &str| {
        assert_eq!(run(&["generate", "D:2", "--format", format, "--out", out]).code, 0);
        folder.join(format!("D-2-1.{format}"))
    };
    let map = tiled::Loader::new().load_tmx_map(written("tmx")).expect("a map that tiled reads");
    assert_eq!((map.width, map.height), (80, 70));
    let text = std::fs::read_to_string(written("tmj")).expect("the file");
    let tmj: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let level = run(&["generate", "D:2", "--format", "json"]).stdout;
    let level: serde_json::Value = serde_json::from_str(&level).expect("JSON");
    let tiles = map.get_layer(0).expect("a layer").as_tile_layer().expect("a layer of tiles");
    for (x, y) in (0..80).flat_map(|x| (0..70).map(move |y| (x, y))) {
        let tile = tiles.get_tile(x, y).expect("a tile");
        let class = tile.get_tile().map(|tile| tile.user_type.clone()).expect("a class");
        assert_eq!(level["features"][y as usize][x as usize], class.as_str(), "{x},{y}");
        let number = tmj["layers"][0]["data"][(y * 80 + x) as usize].as_u64().expect("a number");
        assert_eq!(tmj["tilesets"][0]["tiles"][number as usize - 1]["type"], class.as_str());
    }
    for (index, layer) in map.layers().enumerate().skip(1) {
        let objects = layer.as_object_layer().expect("a layer of objects");
        let json = &tmj["layers"][index];
        assert_eq!(json["name"], layer.name.as_str());
        let in_json = json["objects"].as_array().expect("objects");
        assert_eq!(in_json.len(), objects.objects().len());
        for (object, json) in objects.objects().zip(in_json) {
            assert_eq!(json["name"], object.name.as_str());
            assert_eq!(json["x"].as_f64(), Some(f64::from(object.x)));
        }
    }
    assert!(map.layers().any(|layer| layer.name == "monsters"));
}

#[test]
fn a_cell_can_be_explained() {
    let level = run(&["generate", "D:2", "--format", "json"]).stdout;
    let level: serde_json::Value = serde_json::from_str(&level).expect("JSON");
    let vault = &level["vaults"][0];
    let all: Vec<String> = (10..60)
        .step_by(7)
        .flat_map(|x| (10..60).step_by(7).map(move |y| format!("{x},{y}")))
        .map(|cell| run(&["generate", "D:2", "--format", "json", "--explain", &cell]).stderr)
        .filter_map(|told| told.lines().next().map(str::to_owned))
        .collect();
    let name = vault["name"].as_str().expect("a name");
    assert!(
        all.iter().any(|line| line.contains(&format!("the map {name} (starter/des/"))),
        "{all:?}"
    );
    assert_eq!(run(&["generate", "D:2", "--explain", "80,1"]).code, 2);
}

#[test]
fn two_processes_and_any_number_of_threads_give_the_same_bytes() {
    let roll =
        |jobs| run(&["resolve", "--all", "--seed", "1..3", "--format", "json", "--jobs", jobs]);
    let one = roll("1").bytes;
    assert!(one == roll("1").bytes && one == roll("3").bytes);
    let levels = |jobs| run(&["levels", "--all", "--seed", "1..2", "--jobs", jobs]).bytes;
    let one = levels("1");
    assert!(["1", "2", "8"].iter().all(|jobs| levels(jobs) == one));
    for format in ["text", "json", "svg"] {
        let cover =
            || run(&["coverage", "moonlit_pond", "--rolls", "60", "--format", format]).bytes;
        assert!(cover() == cover(), "{format}");
    }
}

#[test]
fn show_has_picture_legend_and_shares() {
    let show = run(&["show", "moonlit_pond", "--count", "2"]);
    assert_eq!(show.code, 0);
    for part in ["Seeds 1, 2", "Legend", "bat 67%, bullfrog 33%", "w 75%, W 25%", "D2-, City"] {
        assert!(show.stdout.contains(part), "{part} is missing:\n{}", show.stdout);
    }
    assert!(!show.stdout.contains('\x1b'), "no colours without a terminal");
    let coloured = run(&["show", "moonlit_pond", "--color", "always"]);
    assert!(coloured.stdout.contains("\x1b[38;2;"));
}

#[test]
fn pictures_are_pictures() {
    let folder = temporary("pictures");
    let png = folder.join("pond.png");
    let path = png.to_str().expect("a path");
    assert_eq!(run(&["show", "moonlit_pond", "--format", "png", "--out", path]).code, 0);
    assert!(std::fs::read(&png).expect("the image").starts_with(b"\x89PNG\r\n\x1a\n"));
    assert_eq!(
        run(&["coverage", "moonlit_pond", "--rolls", "20", "--format", "png", "--out", path]).code,
        0
    );
    assert!(std::fs::read(&png).expect("the image").starts_with(b"\x89PNG\r\n\x1a\n"));
    assert!(run(&["show", "moonlit_pond", "--format", "svg"]).stdout.starts_with("<svg"));
    let json = run(&["show", "moonlit_pond", "--format", "json"]).stdout;
    let value: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(value["rolls"][0]["roll"]["legend"][0]["glyph"], "\"");
}

#[test]
fn coverage_counts_what_the_weights_promise() {
    let json = run(&["coverage", "moonlit_pond", "--rolls", "400", "--format", "json"]).stdout;
    let value: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    let picks = value["alternatives"].as_array().expect("alternatives");
    let water = picks.iter().find(|pick| pick["statement"] == "SUBST: w = w:30 W").expect("SUBST");
    let count = |index: usize| water["counts"][index].as_f64().expect("a count");
    let share = count(0) / (count(0) + count(1));
    assert!((share - 0.75).abs() < 0.02, "{share}");
    assert_eq!(value["valid"], 400);
}

#[test]
fn coverage_names_what_never_happens() {
    let folder = temporary("never");
    let file = folder.join("a.des");
    let text = "NAME: a\nDEPTH: D:3\nSUBST: x = .:9999 w:1\n: if you.absdepth() > 50 then\n\
                : subst(\". = w\")\n: end\nMAP\n@x\nENDMAP\n";
    std::fs::write(&file, text).expect("a file");
    let path = file.to_str().expect("a path");
    let cover = run(&["coverage", "a", "--rolls", "20", "--file", path]);
    assert!(cover.stdout.contains("alternative 2 of SUBST: x = .:9999 w:1"), "{}", cover.stdout);
    assert!(cover.stdout.contains("Lua of line 5"), "{}", cover.stdout);
    std::fs::write(&file, "NAME: a\nvalidate {{ return false }}\nMAP\n.\nENDMAP\n")
        .expect("a file");
    let cover = run(&["coverage", "a", "--rolls", "3", "--file", path]);
    assert_eq!(cover.code, 1, "no roll comes out: {}", cover.stdout);
}

#[test]
fn resolving_against_a_table_finds_the_column() {
    let folder = temporary("against");
    let rolled = run(&["resolve", "--all", "--seed", "1..2", "--format", "tsv"]).stdout;
    let table = folder.join("rolls.tsv");
    let path = table.to_str().expect("a path");
    std::fs::write(&table, &rolled).expect("a file");
    assert_eq!(run(&["resolve", "--all", "--seed", "1..2", "--against", path]).code, 0);
    std::fs::write(&table, rolled.replacen("\t0:", "\t0:9", 1)).expect("a file");
    let compared = run(&["resolve", "--all", "--seed", "1..2", "--against", path]);
    assert_eq!(compared.code, 1);
    assert!(compared.stdout.contains("draws differs"), "{}", compared.stdout);
}

#[test]
fn a_manual_page_exists_for_the_program_and_each_command() {
    let page = run(&["man"]);
    assert_eq!(page.code, 0, "{}", page.stderr);
    assert!(page.stdout.starts_with(".ie") && page.stdout.contains("vaultwright"));
    let folder = temporary("man");
    let written = run(&["man", "--out", &folder.to_string_lossy()]);
    assert_eq!(written.code, 0, "{}", written.stderr);
    for name in ["vaultwright.1", "vaultwright-check.1", "vaultwright-generate.1"] {
        assert!(folder.join(name).is_file(), "{name} is missing");
    }
    assert!(!folder.join("vaultwright-worker.1").exists(), "a hidden command has a page");
}

#[test]
fn completions_exist_for_the_common_shells() {
    for shell in ["bash", "zsh", "fish"] {
        assert!(run(&["completions", shell]).stdout.contains("vaultwright"));
    }
}

#[test]
fn a_level_says_the_same_as_a_row_and_as_an_object() {
    let rows = run(&["levels", "D:2", "--seed", "3", "--format", "tsv"]);
    let row: Vec<&str> = rows.stdout.lines().nth(1).expect("a level").split('\t').collect();
    let object = run(&["levels", "D:2", "--seed", "3", "--format", "json"]);
    let object: serde_json::Value = serde_json::from_str(&object.stdout).expect("an object");
    assert_eq!(object["place"], row[0]);
    assert_eq!(object["zones"].to_string(), row[4]);
    let floor = format!("floor={}", object["features"]["floor"]);
    assert!(row[5].split(' ').any(|count| count == floor), "{floor} in {}", row[5]);
    assert_eq!(object["monsters"].to_string(), row[6]);
}

#[test]
fn places_and_levels_go_to_pictures_and_editors() {
    let folder = temporary("place_pictures");
    let out = folder.to_str().expect("a path");
    let size = |name: &str| std::fs::metadata(folder.join(name)).map_or(0, |data| data.len());
    for format in ["png", "svg"] {
        let shrine = ["place", "moonlit_pond", "--annotate", "--format", format, "--out", out];
        assert_eq!(run(&shrine).code, 0);
        let cropped = size(&format!("moonlit_pond-1.{format}"));
        assert_eq!(run(&[&shrine[..], &["--whole"]].concat()).code, 0);
        let whole = size(&format!("moonlit_pond-1.{format}"));
        assert!(cropped > 300 && whole > 2 * cropped, "{format}: {cropped}, {whole}");
    }
    let svg = std::fs::read_to_string(folder.join("moonlit_pond-1.svg")).expect("the file");
    assert!(svg.contains(">moonlit_pond</text>") && svg.contains("<path d=\"M"));
    for format in ["tmj", "ldtk"] {
        assert_eq!(run(&["generate", "D:2", "--format", format, "--out", out]).code, 0);
    }
    let tmj = std::fs::read_to_string(folder.join("D-2-1.tmj")).expect("the file");
    let tmj: serde_json::Value = serde_json::from_str(&tmj).expect("JSON");
    let image = tmj["tilesets"][0]["image"].as_str().expect("an image");
    assert!(size(image) > 300, "{image}");
    for file in ["data.json", "features.csv", "features.png", "_composite.png"] {
        assert!(size(&format!("D-2-1/{file}")) > 300, "{file}");
    }
    let open = run(&["generate", "D:2", "--format", "json"]).stdout;
    let drawn = run(&["generate", "D:2", "--format", "json", "--concrete"]).stdout;
    assert!(!open.contains("\"rolled\"") && drawn.contains("\"rolled\":true"));
}

/// As the documents have it: `--out level.png` is a picture.
#[test]
fn one_level_may_be_written_into_a_file_of_its_own() {
    let folder = temporary("starter-out");
    let written = |words: &[&str], out: &Path| {
        let run = run(&[words, &["--out", out.to_str().expect("a path"), "--standalone"]].concat());
        assert_eq!(run.code, 0, "{}", run.stderr);
    };
    let generate = |places: &[&str], format: &str, out: &Path| {
        written(&[&["generate", "--alone", "--format", format], places].concat(), out);
    };
    for (format, file) in
        [("png", "level.png"), ("apng", "film.png"), ("json", "l.json"), ("tmx", "new/level.tmx")]
    {
        generate(&["D:1"], format, &folder.join(file));
        assert!(folder.join(file).is_file(), "{file}");
    }
    assert!(folder.join("new/level.tiles.png").is_file());
    // Of more levels, and under any other name, there is a file for each.
    generate(&["D:1", "D:2"], "text", &folder.join("levels"));
    assert!(folder.join("levels/D-2-1.txt").is_file());
    generate(&["D:1"], "png", &folder.join("pictures"));
    assert!(folder.join("pictures/D-1-1.png").is_file());
    // Who names no format means that of the ending.
    let picture = folder.join("unnamed.png");
    for words in [
        &["generate", "D:1"][..],
        &["show", "cellar_entry_pantry"],
        &["coverage", "cellar_entry_pantry"],
    ] {
        written(words, &picture);
        assert!(std::fs::read(&picture).expect("a picture").starts_with(b"\x89PNG"), "{words:?}");
        std::fs::remove_file(&picture).expect("removed");
    }
}
