//! `vaultwright lair`, from the command line.

mod common;

use common::{run, temporary};

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

#[test]
fn faults_are_told_with_file_line_and_cell() {
    let folder = temporary("lair-faults");
    let script = folder.join("dungeon.lua");
    let words = ["lair", folder.to_str().expect("a path"), "--size", "oneroom", "--format", "text"];
    let told = |text: &str, more: &[&str]| {
        std::fs::write(&script, text).expect("written");
        let result = run(&[&words[..], more].concat());
        (result.code, result.stderr)
    };
    let failing = "function map_cares_insert()\n  return nothing.at_all\nend\n";
    let (code, said) = told(failing, &[]);
    assert_eq!(code, 0, "{said}");
    assert!(
        said.contains("dungeon.lua:2: attempt to index global 'nothing' (a nil value)"),
        "{said}"
    );
    assert!(said.contains("[map_cares_insert, floor 0, room 0,0, cell 0,0]"), "{said}");
    assert_eq!(told(failing, &["--strict"]).0, 1);
    let (code, said) = told("function map_cares_insert(\n", &[]);
    assert!(code == 1 && said.contains("dungeon.lua:"), "{said}");
    let (code, said) = told("x = 1\n", &[]);
    assert!(code == 1 && said.contains("neither map_cares_insert nor mob_cares_insert"), "{said}");
    let (code, said) = told("function map_cares_insert() while true do end end\n", &["--strict"]);
    assert!(code == 1 && said.contains("instruction budget used up"), "{said}");
    std::fs::remove_file(&script).expect("removed");
    let empty = run(&words);
    assert!(empty.code == 1 && empty.stderr.contains("has no map script"), "{}", empty.stderr);
    let vast = run(&["lair", &example("demo"), "--rooms", "1000x1000", "--room-size", "1000x1000"]);
    assert!(vast.code == 1 && vast.stderr.contains("from 1 to 20000000 cells"), "{}", vast.stderr);
    assert_eq!(run(&["lair", &example("demo"), "--rooms", "0x3"]).code, 2);
    assert_eq!(run(&["lair", &example("demo"), "--size", "vast"]).code, 1);
}
