//! `vaultwright lair`, from the command line.

use std::path::Path;

use crate::common::{run, run_in, temporary};

/// The folder of an example.
fn example(name: &str) -> String {
    format!("{}/../../packs/lair/{name}", env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn every_example_makes_towers_in_every_format() {
    for name in ["demo", "maze", "cave", "gallery", "village", "balanced"] {
        let text = run(&["lair", &example(name), "--format", "text"]);
        assert_eq!((text.code, text.stderr.as_str()), (0, ""), "{name}");
        assert!(text.stdout.starts_with("Floor 1: 30 x 30, "), "{name}: {}", text.stdout);
        assert_eq!(text.stdout.lines().count(), 2 * 31, "{name}");
        assert_eq!(
            text.stdout,
            run(&["lair", &example(name), "--format", "text"]).stdout,
            "{name}"
        );
    }
    let out = temporary("lair-formats");
    let folder = out.to_str().expect("a path");
    let size = ["--floors", "3", "--rooms", "2x1", "--room-size", "12x10"];
    for format in ["png", "svg", "text", "json"] {
        let words = ["lair", &example("demo"), "--format", format, "--out", folder];
        assert_eq!(run(&[&words[..], &size].concat()).code, 0, "{format}");
    }
    let read = |name: &str| std::fs::read(out.join(name)).expect(name);
    assert!(
        read("floor-3.png").starts_with(b"\x89PNG") && read("floor-1.svg").starts_with(b"<svg")
    );
    let tower: serde_json::Value = serde_json::from_slice(&read("tower.json")).expect("JSON");
    let floors = tower["floors"].as_array().expect("floors");
    assert_eq!(
        (floors.len(), floors[0]["width"].as_i64(), floors[0]["height"].as_i64()),
        (3, Some(24), Some(10))
    );
    assert_eq!(tower["player"]["floor"], 0);
    assert_eq!(floors[0]["particles"][0]["tags"][0], "wall");
}

#[test]
fn mobiles_take_their_turns() {
    let demo = example("demo");
    let json = |turns: &str| run(&["lair", &demo, "--turns", turns, "--format", "json"]).stdout;
    let (still, moved) = (json("0"), json("40"));
    assert!(still != moved && moved == json("40"), "forty turns change something, always the same");
}

/// What is wrong with scripts, as it is told: exit code, then standard error. The expectations lie
/// beside the scripts; run with `UPDATE=1` to write them anew, and read the difference.
#[test]
fn faults_are_told_as_recorded() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/lair_faults");
    let entries = std::fs::read_dir(&root).expect("the folder of examples");
    let scripts = entries.map(|entry| entry.expect("an entry").path());
    let mut scripts: Vec<_> =
        scripts.filter(|path| path.extension().is_some_and(|ending| ending == "lua")).collect();
    scripts.sort();
    assert!(scripts.len() >= 10);
    let mut wrong = Vec::new();
    for script in scripts {
        let name = script.file_name().and_then(|name| name.to_str()).expect("a name in UTF-8");
        let first = std::fs::read_to_string(&script).expect("a script");
        // The first line may be a comment with more options.
        let more = first.lines().next().and_then(|line| line.strip_prefix("-- options: "));
        let more: Vec<&str> = more.into_iter().flat_map(str::split_whitespace).collect();
        let words = ["lair", name, "--size", "oneroom", "--format", "text"];
        let result = run_in(&root, &[&words[..], &more].concat());
        let told = format!("exit code {}\n{}", result.code, result.stderr);
        let expected = script.with_extension("expected");
        if std::env::var_os("UPDATE").is_some() {
            std::fs::write(&expected, &told).expect("written");
        } else if std::fs::read_to_string(&expected).unwrap_or_default() != told {
            wrong.push(format!("{name}:\n{told}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn what_cannot_be_made_is_told() {
    let folder = temporary("lair-empty");
    let empty = run(&["lair", folder.to_str().expect("a path")]);
    assert!(empty.code == 1 && empty.stderr.contains("has no map script"), "{}", empty.stderr);
    let vast = run(&["lair", &example("demo"), "--rooms", "1000x1000", "--room-size", "1000x1000"]);
    assert!(vast.code == 2 && vast.stderr.contains("from 1 to 20000000 cells"), "{}", vast.stderr);
    for format in ["png", "tmj"] {
        let several = run(&["lair", &example("demo"), "--format", format]);
        assert!(several.code == 2 && several.stderr.contains("need --out"), "{}", several.stderr);
    }
    assert_eq!(run(&["lair", &example("demo"), "--rooms", "0x3"]).code, 2);
    assert_eq!(run(&["lair", &example("demo"), "--size", "vast"]).code, 2);
}

#[test]
fn tiled_and_scripts_read_what_is_written() {
    let out = temporary("lair-tiled");
    let folder = out.to_str().expect("a path");
    let size = ["--floors", "1", "--rooms", "5x4", "--room-size", "20x20", "--seed", "3"];
    for format in ["tmj", "lua", "json"] {
        let words = ["lair", &example("village"), "--format", format, "--out", folder];
        assert_eq!(run(&[&words[..], &size].concat()).code, 0, "{format}");
    }
    let read = |name: &str| std::fs::read_to_string(out.join(name)).expect(name);
    let map: serde_json::Value = serde_json::from_str(&read("floor-1.tmj")).expect("JSON");
    let tower: serde_json::Value = serde_json::from_str(&read("tower.json")).expect("JSON");
    let list = |value: &serde_json::Value| value.as_array().expect("a list").clone();
    // Larger than any level of a game.
    assert_eq!((map["width"].as_u64(), map["height"].as_u64()), (Some(100), Some(80)));
    let classes: Vec<String> = list(&map["tilesets"][0]["tiles"])
        .iter()
        .map(|tile| tile["type"].as_str().expect("a class").to_owned())
        .collect();
    let data = list(&map["layers"][1]["data"]);
    assert_eq!(data.len(), 8000);
    let particles = list(&tower["floors"][0]["particles"]);
    let tags = |particle: &serde_json::Value| {
        let tags = list(&particle["tags"]);
        tags.iter().map(|tag| tag.as_str().expect("a tag").to_owned()).collect::<Vec<_>>().join(" ")
    };
    for particle in &particles {
        let (x, y) = (particle["x"].as_u64().expect("x"), particle["y"].as_u64().expect("y"));
        let tile = data[(y * 100 + x) as usize].as_u64().expect("a tile") as usize;
        assert_eq!(classes[tile - 1], tags(particle));
    }
    let filled = data.iter().filter(|tile| tile.as_u64() != Some(0)).count();
    assert_eq!(filled, particles.len());
    let mobiles = list(&tower["floors"][0]["mobiles"]).len();
    assert_eq!(list(&map["layers"][2]["objects"]).len(), mobiles);
    assert_eq!(list(&map["layers"][3]["objects"]).len(), 1, "the player");
    let index = read("floor-1.lua");
    let first = &particles[0];
    let key = |name: &str| first[name].as_u64().expect("a number") * 32;
    let line = format!("cell[\"{}_{}\"] = \"{}\"", key("x"), key("y"), tags(first));
    assert!(index.contains(&line), "{line}");
    assert_eq!(index.lines().count(), 2 + particles.len() + mobiles);
}

/// A folder of scripts is a pack: what the program does with levels it does with floors.
#[test]
fn a_tower_is_explored_surveyed_and_searched() {
    let village = example("village");
    let data = ["--data", village.as_str()];
    let with = |words: &[&str]| run(&[words, &data].concat());
    let level = with(&["generate", "Tower:1", "--seed", "3", "--format", "text"]);
    assert_eq!(level.code, 0, "{}", level.stderr);
    // The same as the first floor of the same seed, in the middle of the rock, but for stairs and
    // letters.
    let floor = run(&["lair", &village, "--seed", "3", "--format", "text"]).stdout;
    let trees = |text: &str, glyph: char| text.matches(glyph).count();
    let first: String = floor.lines().skip(1).take(30).collect();
    assert_eq!(trees(&level.stdout, '\u{2663}'), trees(&first, 'T'));
    let keys = temporary("lair-keys").join("keys");
    std::fs::write(&keys, "ooo\n").expect("written");
    let keys = keys.to_str().expect("a path");
    let walk = with(&["explore", "--headless", "--script", keys]);
    assert!(
        walk.code == 0 && walk.stdout.starts_with("Tower:1, seed 1, turn 0"),
        "{}",
        walk.stdout
    );
    let seen = with(&["mapstat", "10", "--jobs", "2"]);
    assert!(seen.stdout.starts_with("10 games from seed 1, 20 levels: 20 built, 0 failed"));
    assert_eq!(
        seen.stdout.lines().nth(2),
        with(&["mapstat", "10", "--jobs", "1"]).stdout.lines().nth(2),
    );
    let objects = with(&["objstat", "5", "Tower:2"]);
    assert!(objects.stdout.contains("\ndeep_water\tTower:2\t"), "{}", objects.stdout);
    let found = with(&["seeds", "Tower:1 has 3 feature closed_door", "--quiet"]);
    assert!(found.code == 0 && found.stdout.contains("closed_door"), "{}", found.stdout);
}

/// Who surveys levels hears of scripts that fail, whatever the command.
#[test]
fn failing_scripts_are_told_by_every_command() {
    let pack = temporary("lair-failing");
    let script = "function map_cares_insert() return generator_coarse_x.x == 0 end\n\
                  function map_image_decide() return colour_of_wall() end\n\
                  function mob_cares_insert() return generator_coarse_x.x == 3 and generator_coarse_y.y == 3 end\n\
                  function mob_image_decide() return 'nobody_known' end\n";
    std::fs::write(pack.join("dungeon.lua"), script).expect("written");
    let keys = pack.join("keys");
    std::fs::write(&keys, "o\n").expect("written");
    let (data, keys) = (pack.to_str().expect("a path"), keys.to_str().expect("a path"));
    let wrong = "attempt to call global 'colour_of_wall'";
    for words in [
        &["generate", "Tower:1"][..],
        &["levels", "Tower:2", "--check"],
        &["explore", "--headless", "--script", keys],
        &["objstat", "2"],
        &["seeds", "Tower:1 has feature floor", "--search", "2", "--quiet"],
    ] {
        let told = run(&[words, &["--data", data]].concat()).stderr;
        assert!(told.contains(wrong), "{words:?}: {told}");
    }
    let seen = run(&["mapstat", "2", "--data", data]).stdout;
    assert!(seen.contains("LAIR scripts") && seen.contains(wrong), "{seen}");
    // An error is told once, whichever cells it is on; messages name monsters that nobody knows.
    assert_eq!(seen.matches(wrong).count(), 1, "{seen}");
    assert!(seen.contains("     4  LAIR scripts: dungeon.lua:2: "), "{seen}");
    let nobody = "no monster is named by the tags 'nobody_known' of a mobile on Tower:1, 4 of them";
    assert!(seen.contains(nobody), "{seen}");
}

#[test]
#[cfg(unix)]
fn scripts_of_a_branch_lie_in_the_pack() {
    let pack = temporary("lair-outside");
    std::fs::create_dir_all(pack.join("pack/tables")).expect("a folder");
    std::fs::create_dir_all(pack.join("elsewhere")).expect("a folder");
    std::fs::write(pack.join("pack/pack.json"), "{\"name\": \"outside\"}").expect("written");
    let script = "function map_cares_insert() return false end\n";
    std::fs::write(pack.join("elsewhere/dungeon.lua"), script).expect("written");
    let link = pack.join("pack/link");
    std::os::unix::fs::symlink(pack.join("elsewhere"), link).expect("a link");
    for (scripts, told) in [
        ("../elsewhere", "'../elsewhere' is no folder of the pack"),
        ("/etc", "'/etc' is no folder of the pack"),
        ("link", "a link leads out of the pack"),
    ] {
        let table = format!(
            "[{{\"name\": \"Den\", \"levels\": 1, \"absdepth\": 1, \"connected\": true, \"exit\": \"exit_dungeon\",\n\
             \"lair\": {{\"scripts\": \"{scripts}\"}}}}]"
        );
        std::fs::write(pack.join("pack/tables/branches.json"), table).expect("written");
        let folder = pack.join("pack");
        let result = run(&["generate", "Den", "--data", folder.to_str().expect("a path")]);
        assert!(result.code != 0 && result.stderr.contains(told), "{scripts}: {}", result.stderr);
    }
}

#[test]
fn a_budget_that_is_used_up_names_no_function_by_a_question_mark() {
    let folder = temporary("lair-budget");
    let script = folder.join("a.lua");
    let text = "function map_cares_insert() while true do end end\n";
    std::fs::write(&script, text).expect("a script");
    let words = ["lair", script.to_str().expect("a path"), "--floors", "1", "--rooms", "1x1"];
    let more = ["--room-size", "3x3", "--instructions", "10000", "--format", "text"];
    let told = run(&[&words[..], &more].concat()).stderr;
    assert!(told.contains("budget used up in the function of line 1"), "{told}");
    assert!(!told.contains("'?'"), "{told}");
}
