//! What does not compile, and what cannot be built, is told: neither hidden nor shouted by commands
//! that are about something else.

use std::path::{Path, PathBuf};

use crate::common::{Run, run, temporary};

/// Three maps, two of which do not compile.
const MAPS: &str = "\
NAME: whole\nDEPTH: D\nMAP\n...\n.@.\n...\nENDMAP\n\n\
NAME: broken\nDEPTH: D\nMONS: no such thing\nMAP\n.1.\nENDMAP\n\n\
NAME: also_broken\nDEPTH: D\nITEM: nor this\nMAP\n.d.\nENDMAP\n";

fn pack(name: &str) -> PathBuf {
    let folder = temporary(name);
    std::fs::create_dir(folder.join("des")).expect("a folder");
    std::fs::write(folder.join("des/a.des"), MAPS).expect("a file");
    folder
}

fn with_data(folder: &Path, words: &str) -> Run {
    let data = ["--data", folder.to_str().expect("a path")];
    run(&[&words.split(' ').collect::<Vec<_>>()[..], &data].concat())
}

#[test]
fn a_map_that_does_not_compile_has_a_row_of_its_own() {
    let folder = pack("rows");
    for command in ["resolve", "place"] {
        let table = with_data(&folder, &format!("{command} --all --format tsv --seed 1..2"));
        assert_eq!(table.code, 1, "{}", table.stderr);
        let rows: Vec<Vec<&str>> =
            table.stdout.lines().skip(1).map(|line| line.split('\t').collect()).collect();
        let told: Vec<(&str, &str, &str)> = rows.iter().map(|r| (r[0], r[1], r[2])).collect();
        let wanted = [
            ("also_broken", "1", "error"),
            ("also_broken", "2", "error"),
            ("broken", "1", "error"),
            ("broken", "2", "error"),
            ("whole", "1", "ok"),
            ("whole", "2", "ok"),
        ];
        assert_eq!(told, wanted, "{command}");
        assert_eq!(rows[2].len(), 4, "as many columns as a row of status none");
        assert!(rows[2][3].ends_with("a.des:11:7: unknown monster: \"no such thing\""), "{rows:?}");
        let objects = with_data(&folder, &format!("{command} --all --format json"));
        let objects: serde_json::Value = serde_json::from_str(&objects.stdout).expect("JSON");
        assert_eq!(objects[1]["status"], "error");
        assert_eq!((&objects[1]["map"], &objects[1]["line"]), (&"broken".into(), &11.into()));
        let text = with_data(&folder, &format!("{command} --all --format text"));
        assert!(text.stdout.contains("broken, seed 1: does not compile: "), "{}", text.stdout);
    }
    let exercised = with_data(&folder, "exercise --all --turns 1 --format tsv");
    assert_eq!(exercised.code, 1);
    assert!(exercised.stdout.contains("broken\t1\t0\t0\t0\terror\n"), "{}", exercised.stdout);
    let tested = with_data(&folder, "place --all --check zones");
    assert_eq!(tested.code, 1);
    assert!(tested.stdout.contains("the map 'broken' does not compile"), "{}", tested.stdout);
}

#[test]
fn an_error_where_a_recorded_table_has_a_map_is_a_difference() {
    let folder = pack("error_against");
    let table = folder.join("rolls.tsv");
    let text = "map\tseed\tstatus\twidth\theight\trows\tdraws\n\
                broken\t1\tok\t3\t1\t.1.\t0:6\nwhole\t1\tok\t3\t3\t...\\n.@.\\n...\t0:6\n";
    std::fs::write(&table, text).expect("a file");
    let compared = with_data(&folder, &format!("resolve --all --against {}", table.display()));
    assert_eq!(compared.code, 1);
    assert!(compared.stdout.contains("broken seed 1: status differs"), "{}", compared.stdout);
    assert!(compared.stdout.contains("1 rows equal, 1 differ"), "{}", compared.stdout);
}

#[test]
fn who_asks_for_a_map_with_an_error_is_told_which() {
    let folder = pack("asked");
    for command in [
        "resolve broken",
        "place broken",
        "place broken --check zones",
        "show broken",
        "coverage broken",
        "exercise broken",
        "explore broken --headless --script /dev/null",
    ] {
        let run = with_data(&folder, command);
        assert_eq!(run.code, 1, "{command}");
        assert!(
            run.stderr.contains("the map 'broken' does not compile: ")
                && run.stderr.contains("a.des:11:7: unknown monster: \"no such thing\""),
            "{command}: {}",
            run.stderr
        );
    }
    let misspelt = with_data(&folder, "place brokn");
    assert!(misspelt.stderr.contains("did you mean 'broken'?"), "{}", misspelt.stderr);
}

#[test]
fn a_command_about_one_map_has_one_line_for_the_errors_of_others() {
    let folder = pack("others");
    let line = "warning: 2 other maps of this tree do not compile (vaultwright check lists them)\n";
    for command in ["resolve whole", "place whole", "exercise whole --turns 1"] {
        let run = with_data(&folder, command);
        assert_eq!((run.code, &*run.stderr), (0, line), "{command}");
    }
    for command in ["show whole", "coverage whole --rolls 2"] {
        assert!(!with_data(&folder, command).stderr.contains("monster"), "{command}");
    }
    let explored = with_data(&folder, "explore whole --headless --script /dev/null");
    assert!(explored.stderr.contains(line), "{}", explored.stderr);
    // A file of one's own that needs nothing of the others.
    let own = folder.join("own.des");
    std::fs::write(&own, "NAME: own\nDEPTH: D\nMAP\n..\nENDMAP\n").expect("a file");
    let checked = with_data(&folder, &format!("check {}", own.display()));
    assert_eq!(checked.code, 0, "{}", checked.stdout);
    assert!(!checked.stdout.contains("no such thing") && !checked.stderr.contains("no such thing"));
    // A scenario of another vault than the broken ones, whose file has an error at its end.
    std::fs::write(folder.join("des/b.des"), "FOO: bar\n").expect("a file");
    let scenario = folder.join("own.lua");
    let text = "scenario('of whole', function(t) t.place('whole') end)";
    std::fs::write(&scenario, text).expect("a file");
    let played = with_data(&folder, &format!("scenario {}", scenario.display()));
    assert_eq!(played.code, 0, "{}{}", played.stdout, played.stderr);
    assert!(played.stdout.ends_with("1 passed, 0 failed\n"), "{}", played.stdout);
}

/// A copy of the starter pack with a level that no attempt can build.
fn pack_without_a_level(name: &str) -> PathBuf {
    let folder = temporary(name);
    let starter = concat!(env!("CARGO_MANIFEST_DIR"), "/../../packs/starter");
    copy(Path::new(starter), &folder);
    let text = "NAME: never\nPLACE: D:2\nORIENT: encompass\n\
                : if not is_validating() then error(\"never so\") end\nMAP\n.\nENDMAP\n";
    std::fs::write(folder.join("des/never.des"), text).expect("a file");
    folder
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).expect("a folder");
    for entry in std::fs::read_dir(from).expect("a folder") {
        let entry = entry.expect("an entry");
        let target = to.join(entry.file_name());
        match entry.file_type().expect("a type").is_dir() {
            true => copy(&entry.path(), &target),
            false => drop(std::fs::copy(entry.path(), target).expect("a copy")),
        }
    }
}

#[test]
fn a_game_goes_on_after_a_level_that_cannot_be_made() {
    let folder = pack_without_a_level("no_second_level");
    let reason = "D:2, seed 1: no attempt of 50 succeeded; the last: ";
    let game = with_data(&folder, "generate --all --format json");
    assert_eq!(game.code, 1);
    assert!(game.stderr.contains(reason) && game.stderr.contains("never so"), "{}", game.stderr);
    let places: Vec<String> = game
        .stdout
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).expect("JSON"))
        .map(|level| level["place"].as_str().unwrap_or_default().to_owned())
        .collect();
    assert!(places.len() > 20 && !places.contains(&"D:2".to_owned()), "{places:?}");
    assert_eq!(&places[..3], ["D:1", "D:3", "D:4"]);
    let some = with_data(&folder, "generate D:1-3");
    assert_eq!(some.code, 1);
    assert!(some.stdout.contains("D:3, seed 1") && some.stderr.contains(reason));

    let rows = with_data(&folder, "levels D:1-3");
    assert_eq!(rows.code, 1);
    assert!(rows.stderr.contains(reason), "{}", rows.stderr);
    let status: Vec<&str> =
        rows.stdout.lines().filter_map(|line| line.split('\t').nth(2)).collect();
    assert_eq!(status, ["status", "ok", "none", "ok"]);
}
