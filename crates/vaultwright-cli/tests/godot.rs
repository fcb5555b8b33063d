//! A level in another engine: Godot without a window reads what `generate --format tmj` wrote.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use crate::common::{found, run, temporary};
use serde_json::Value;

#[test]
fn godot_has_every_cell_and_every_monster_of_a_level() {
    const PROGRAM: &str = "/usr/bin/godot3-server";
    let Some(godot) = found(Path::new(PROGRAM).exists().then_some(PROGRAM), "godot3-server") else {
        return;
    };
    let folder = temporary("godot");
    let level = ["generate", "D:1", "--seed", "7", "--standalone"];
    let out = folder.to_str().expect("a path in UTF-8");
    let written = run(&[&level[..], &["--format", "tmj", "--out", out]].concat());
    assert_eq!(written.code, 0, "{}", written.stderr);
    let json = run(&[&level[..], &["--format", "json"]].concat());
    let json: Value = serde_json::from_str(&json.stdout).expect("JSON");

    let project = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/godot");
    let seen = Command::new(godot)
        .arg("--path")
        .arg(project)
        .args(["-s", "look.gd"])
        .arg(folder.join("D-1-7.tmj"))
        .env("HOME", &folder)
        .output()
        .expect("Godot runs");
    let text = String::from_utf8_lossy(&seen.stdout);
    let line = text.lines().find_map(|line| line.strip_prefix("LEVEL "));
    let line = line.unwrap_or_else(|| panic!("{text}{}", String::from_utf8_lossy(&seen.stderr)));
    let seen: Value = serde_json::from_str(line).expect("JSON");

    let mut features: BTreeMap<&str, f64> = BTreeMap::new();
    let rows = json["features"].as_array().expect("rows");
    for cell in rows.iter().flat_map(|row| row.as_array().expect("cells")) {
        *features.entry(cell.as_str().expect("a feature")).or_default() += 1.0;
    }
    let in_godot: BTreeMap<&str, f64> = seen["features"]
        .as_object()
        .expect("counts")
        .iter()
        .map(|(name, count)| (name.as_str(), count.as_f64().expect("a count")))
        .collect();
    assert_eq!(in_godot, features);
    assert_eq!(seen["solid"].as_f64(), features.get("rock_wall").copied(), "walls have a shape");

    let named = |monster: &Value| {
        let side = |key: &str| monster[key].as_f64().expect("a number");
        (monster["kind"].as_str().expect("a kind").to_owned(), side("x"), side("y"))
    };
    let expected: Vec<_> = json["monsters"].as_array().expect("a list").iter().map(named).collect();
    let there = |monster: &Value| {
        let side = |index: usize| monster[index].as_f64().expect("a number");
        (monster[0].as_str().expect("a name").to_owned(), side(1), side(2))
    };
    let there: Vec<_> = seen["monsters"].as_array().expect("a list").iter().map(there).collect();
    assert_eq!(there, expected);
}
