//! Against Debian's crawl-common and the program crawl: the dump, the rolls, the formatter.

use std::collections::{BTreeMap, HashSet};
use std::path::Path;
use std::process::Command;

use crate::common::{crawl_data, crawl_program, run, temporary};

/// Rows that are known to differ from the recorded ones: map and seed; the files give the reasons.
fn known(list: &str) -> HashSet<String> {
    list.lines()
        .filter(|line| !line.starts_with('#') && !line.is_empty())
        .map(|line| line.split('#').next().unwrap_or("").trim().to_owned())
        .collect()
}

#[test]
fn the_dump_is_that_of_crawl() {
    let (Some(data), Some(crawl)) = (crawl_data(), crawl_program()) else { return };
    let home = temporary("crawl-dump");
    let folder = format!("{}/", home.display());
    let reference = Command::new(crawl)
        .args(["-dir", &folder, "-rcdir", &folder, "-dump-maps", "-builddb"])
        .env("HOME", &home)
        .output()
        .expect("crawl runs");
    let own = run(&["dump", "--data", data]);
    assert_eq!(own.code, 0);
    assert_eq!(own.bytes.iter().filter(|&&b| b == b'\n').count(), 168_669);
    assert!(own.bytes == reference.stderr, "the dumps differ");
}

#[test]
fn all_maps_compile_without_errors() {
    let Some(data) = crawl_data() else { return };
    let check = run(&["check", "--data", data]);
    assert_eq!(check.code, 0, "{}", check.stdout);
    let summary = check.stdout.lines().last().unwrap_or("");
    assert!(summary.starts_with("5283 maps in 140 files: no errors"), "{summary}");
}

#[test]
fn rolls_are_those_recorded_and_the_same_for_any_number_of_threads() {
    let Some(data) = crawl_data() else { return };
    let roll = |seeds: &str, jobs: &str| {
        run(&[
            "resolve", "--all", "--seed", seeds, "--format", "tsv", "--jobs", jobs, "--data", data,
        ])
    };
    let rolled = roll("1..3", "2");
    let one_thread = roll("2", "1");
    let of_seed_2: Vec<_> = rows(&rolled.bytes).filter(|fields| fields[1] == b"2").collect();
    let is_same = of_seed_2.len() > 5000 && rows(&one_thread.bytes).eq(of_seed_2);
    assert!(is_same, "the number of threads changes the result");
    let known = known(include_str!("recorded/known-differences.txt"));
    let (equal, differing) = compare(&rolled.bytes, &recorded(ROLLS));
    let unexpected: Vec<&String> = differing.difference(&known).collect();
    assert!(unexpected.is_empty(), "rows differ: {unexpected:?}");
    let mended: Vec<&String> = known.difference(&differing).collect();
    assert!(mended.is_empty(), "equal now, take them off the list: {mended:?}");
    let unrecorded = known
        .iter()
        .filter(|name| {
            include_str!("recorded/known-differences.txt")
                .contains(&format!("{name} # not recorded"))
        })
        .count();
    assert_eq!(equal + known.len() - unrecorded, recorded(ROLLS).len());
}

/// The embedded library is written for trunk: it differs from 0.28's own where the versions do, and
/// in the layout engines, most of which it does not have.
#[test]
fn the_embedded_library_serves_the_vaults_of_crawl() {
    let Some(data) = crawl_data() else { return };
    let folder = temporary("own-library");
    copy(&Path::new(data).join("des"), &folder.join("des"));
    let root = folder.to_str().expect("a path");
    let rolled = run(&[
        "resolve", "--all", "--seed", "1..3", "--format", "tsv", "--rules", "0.28", "--data", root,
    ]);
    let (equal, _) = compare(&rolled.bytes, &recorded(ROLLS));
    assert_eq!(equal, 15_421, "of {} recorded rows", recorded(ROLLS).len());
}

const ROLLS: &str = include_str!("recorded/resolve-0.28.hashes");
const PLACEMENTS: &str = include_str!("recorded/place-0.28.hashes");
const LEVELS: &str = include_str!("recorded/levels-0.28.hashes");

/// The hashes of recorded rows.
fn recorded(list: &'static str) -> HashSet<&'static str> {
    list.lines().collect()
}

/// How many rows of a table are as recorded, and which are not; a row that is not ok counts by its
/// status alone.
fn compare(table: &[u8], recorded: &HashSet<&str>) -> (usize, HashSet<String>) {
    let mut equal = 0;
    let mut differing = HashSet::new();
    for fields in rows(table) {
        let row = if fields[2] == b"ok" { fields.join(&b'\t') } else { fields[..3].join(&b'\t') };
        if recorded.contains(hash(&row).as_str()) {
            equal += 1;
        } else {
            let field = |index: usize| String::from_utf8_lossy(fields[index]);
            differing.insert(format!("{} {}", field(0), field(1)));
        }
    }
    (equal, differing)
}

/// The fields of the rows below the header.
fn rows(table: &[u8]) -> impl Iterator<Item = Vec<&[u8]>> {
    let lines = table.split(|&b| b == b'\n').skip(1).filter(|line| !line.is_empty());
    lines.map(|line| line.split(|&b| b == b'\t').collect())
}

#[test]
fn placements_are_those_recorded() {
    let Some(data) = crawl_data() else { return };
    let placed = run(&["place", "--all", "--seed", "1..3", "--format", "tsv", "--data", data]);
    let known = known(include_str!("recorded/known-placements.txt"));
    let (equal, differing) = compare(&placed.bytes, &recorded(PLACEMENTS));
    // 72 rows of ours stand in no recorded table: their maps stop the reference when placed alone.
    let unrecorded = |name: &&String| {
        ["dis_", "layout_vaults_", "layout_cave_town ", "ziggurat1 "]
            .iter()
            .any(|start| name.starts_with(start))
    };
    let unexpected: Vec<&String> =
        differing.difference(&known).filter(|name| !unrecorded(name)).collect();
    assert!(unexpected.is_empty(), "rows differ: {unexpected:?}");
    let mended: Vec<&String> = known.difference(&differing).collect();
    assert!(mended.is_empty(), "equal now, take them off the list: {mended:?}");
    assert_eq!(equal + known.len(), recorded(PLACEMENTS).len());
}

/// The whole table has 4,100 rows; docs/conformance.md tells how many are equal, place by place.
/// Here are some of them, all columns.
#[test]
fn levels_are_those_recorded_for_any_number_of_threads() {
    let Some(data) = crawl_data() else { return };
    let build = |jobs: &str| {
        let places =
            ["D:2", "D:8", "Temple", "Orc:1", "Slime:3", "Vaults:2", "Dis:4", "Bailey", "Abyss:3"];
        let mut arguments = vec!["levels"];
        arguments.extend(places);
        arguments.extend(["--seed", "1..10", "--jobs", jobs, "--data", data]);
        run(&arguments).bytes
    };
    let built = build("2");
    assert!(built == build("1"), "the number of threads changes the result");
    assert!(rows(&built).all(|fields| fields[2] == b"ok"));
    let (equal, _) = compare(&built, &recorded(LEVELS));
    assert_eq!(equal, EQUAL_LEVELS, "of 90 recorded levels");
}

/// What acquirement makes of their loot decides how much a trove draws.
#[test]
fn troves_draw_as_recorded() {
    let Some(data) = crawl_data() else { return };
    let built = run(&["levels", "Trove", "--seed", "1..100", "--data", data]).bytes;
    let (equal, _) = compare(&built, &recorded(LEVELS));
    assert!(equal >= EQUAL_TROVES, "{equal} of 100 recorded troves");
}

/// Levels on which something rare happens: a vault is to stand on an item or a fountain, a room of
/// masked water is looked at, a colour is asked for a whole band, the dead are drawn for deep
/// water, a monster is to stand where the player does, a plant sees the player in his corner.
#[test]
fn levels_with_rare_turns_are_those_recorded() {
    let Some(data) = crawl_data() else { return };
    for (place, seeds) in [
        ("Depths:2", &["11", "20"][..]),
        ("Depths:4", &["22", "75", "96"]),
        ("Elf:2", &["40"]),
        ("Elf:3", &["4", "33", "36", "75"]),
        ("Lair:3", &["39"]),
        ("Vaults:2", &["24"]),
        ("Vaults:5", &["41"]),
        ("WizLab", &["23"]),
        ("Abyss:3", &["92"]),
    ] {
        for seed in seeds {
            let built = run(&["levels", place, "--seed", seed, "--data", data]).bytes;
            let (equal, _) = compare(&built, &recorded(LEVELS));
            assert_eq!(equal, 1, "{place} seed {seed}");
        }
    }
}

/// Levels of Pandemonium and of ziggurats that Debian's crawl 0.28.0 built from a global prelude
/// (docs/conformance.md), and recorded levels of the Shoals: place, seed, vaults, features.
const BUILT: &str = include_str!("recorded/built-0.28.tsv");

#[test]
fn pandemonium_ziggurats_and_the_shoals_are_those_of_the_reference() {
    let Some(data) = crawl_data() else { return };
    let mut expected: BTreeMap<&str, Vec<[&str; 4]>> = BTreeMap::new();
    for row in BUILT.lines().skip(1) {
        let fields: Vec<&str> = row.split('\t').collect();
        expected.entry(fields[0]).or_default().push([fields[0], fields[1], fields[2], fields[3]]);
    }
    assert_eq!(expected.len(), 6);
    for (place, expected) in expected {
        let seeds = format!("1..{}", expected.len());
        let built = run(&["levels", place, "--seed", &seeds, "--data", data]).stdout;
        let rows = built.lines().skip(1).map(|row| row.split('\t').collect::<Vec<&str>>());
        let rows: Vec<[&str; 4]> = rows.map(|row| [row[0], row[1], row[3], row[5]]).collect();
        assert_eq!(rows, expected);
    }
}

/// Recorded builds: place, seed, number of steps, hash of what each step came to.
const TRACES: &str = include_str!("recorded/traces-0.28.tsv");

#[test]
fn builds_take_the_steps_of_the_reference() {
    let Some(data) = crawl_data() else { return };
    let expected: BTreeMap<&str, Vec<&str>> =
        TRACES.lines().skip(1).map(place_and_fields).collect();
    let seed = expected.values().next().expect("a row")[0];
    let mut arguments = vec!["levels", "--seed", seed, "--trace", "--data", data];
    arguments.extend(expected.keys());
    let traces = run(&arguments).stdout;
    let mut steps: BTreeMap<&str, (usize, String)> = BTreeMap::new();
    for (place, fields) in traces.lines().skip(1).map(place_and_fields) {
        let (count, text) = steps.entry(place).or_default();
        *count += 1;
        *text += &format!("{}\n", fields[2..6].join("\t"));
    }
    for (place, fields) in expected {
        let (count, text) = &steps[place];
        let own = [count.to_string(), hash(text.as_bytes())];
        assert_eq!(own, [fields[1], fields[2]], "{place} seed {seed}");
    }
}

fn place_and_fields(row: &str) -> (&str, Vec<&str>) {
    let mut fields = row.split('\t');
    (fields.next().unwrap_or_default(), fields.collect())
}

/// More is better: raise it when more come out equal.
const EQUAL_LEVELS: usize = 89;
const EQUAL_TROVES: usize = 85;

/// Levels read off the running game, Debian's crawl 0.28.0, walked through in wizard mode: place,
/// seed of the game, hash of the names of all features.
const PLAYED: &str = include_str!("recorded/played-0.28.tsv");

/// The game of a seed is that of Crawl, level after level, until something is drawn otherwise.
#[test]
fn games_are_those_played() {
    let Some(data) = crawl_data() else { return };
    let mut played: BTreeMap<&str, Vec<(&str, &str)>> = BTreeMap::new();
    for row in PLAYED.lines().skip(1) {
        let fields: Vec<&str> = row.split('\t').collect();
        played.entry(fields[1]).or_default().push((fields[0], fields[2]));
    }
    let mut equal = 0;
    for (seed, levels) in played {
        let mut arguments = vec!["generate", "--seed", seed, "--format", "json", "--data", data];
        arguments.extend(levels.iter().map(|(place, _)| place));
        for line in run(&arguments).stdout.lines() {
            let level: serde_json::Value = serde_json::from_str(line).expect("JSON");
            let rows = level["features"].as_array().into_iter().flatten();
            let cells = rows.filter_map(|row| row.as_array()).flatten();
            let names: String =
                cells.filter_map(|cell| Some(format!("{}\n", cell.as_str()?))).collect();
            let own = hash(names.as_bytes());
            let place = level["place"].as_str().expect("a place");
            equal += usize::from(levels.contains(&(place, own.as_str())));
        }
    }
    assert_eq!(equal, EQUAL_PLAYED, "of {} played levels", PLAYED.lines().count() - 1);
}

/// More is better.
const EQUAL_PLAYED: usize = 64;

/// Levels of other games that the running program was asked for (scripts/games-of-crawl): seed,
/// place, how many cells have a feature, and where monsters are. All of them once differed.
const ASKED: &str = include_str!("recorded/asked-0.28.tsv");

#[test]
fn levels_of_other_games_are_those_of_the_running_program() {
    let Some(data) = crawl_data() else { return };
    for row in ASKED.lines() {
        let fields: Vec<&str> = row.split('\t').collect();
        let &[seed, place, features, monsters] = &fields[..] else { panic!("{row}") };
        let made =
            run(&["generate", place, "--seed", seed, "--format", "json", "--data", data]).stdout;
        let level: serde_json::Value = serde_json::from_str(&made).expect("JSON");
        let rows = level["features"].as_array().into_iter().flatten();
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for name in rows.filter_map(|row| row.as_array()).flatten().filter_map(|cell| cell.as_str())
        {
            *counts.entry(name).or_default() += 1;
        }
        let counts: Vec<String> =
            counts.iter().map(|(name, count)| format!("{name}={count}")).collect();
        assert_eq!(counts.join(" "), features, "{place} of game {seed}");
        let number = |value: &serde_json::Value| value.as_i64().expect("a number");
        let all = level["monsters"].as_array().into_iter().flatten();
        let mut cells: Vec<(i64, i64)> =
            all.map(|monster| (number(&monster["y"]), number(&monster["x"]))).collect();
        cells.sort_unstable();
        let cells: Vec<String> = cells.iter().map(|(y, x)| format!("{x},{y}")).collect();
        assert_eq!(cells.join(" "), monsters, "{place} of game {seed}");
    }
}

/// Two whole games of the recorded ones: seed, place, hash of all columns but the draws.
const GAMES: &str = include_str!("recorded/games-0.28.tsv");

/// docs/conformance.md has the figures of all recorded games.
#[test]
fn whole_games_are_those_recorded_for_any_number_of_threads() {
    let Some(data) = crawl_data() else { return };
    let build =
        |jobs| run(&["levels", "--games", "--seed", "7..8", "--jobs", jobs, "--data", data]).bytes;
    let built = build("2");
    let rows: Vec<_> = rows(&built).collect();
    let place = |fields: &[&[u8]]| format!("{}\t{}", text(fields[0]), text(fields[1]));
    let order: Vec<String> = rows.iter().map(|fields| place(fields)).collect();
    let recorded: Vec<(&str, &str)> =
        GAMES.lines().skip(1).filter_map(|row| row.rsplit_once('\t')).collect();
    assert_eq!(order, recorded.iter().map(|(place, _)| *place).collect::<Vec<_>>());
    let equal = rows.iter().zip(&recorded);
    let equal = equal.filter(|(fields, (_, other))| hash(&fields[..7].join(&b'\t')) == *other);
    let equal = equal.count();
    assert!(equal >= EQUAL_IN_GAMES, "{equal} of {} levels", recorded.len());
    assert!(built == build("1"), "the number of threads changes the result");
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// More is better.
const EQUAL_IN_GAMES: usize = 176;

#[test]
fn formatting_all_files_changes_no_meaning() {
    let Some(data) = crawl_data() else { return };
    let folder = temporary("formatted");
    copy(&Path::new(data).join("des"), &folder.join("des"));
    let root = folder.to_str().expect("a path");
    assert_eq!(run(&["fmt", root]).code, 0);
    assert_eq!(run(&["fmt", "--check", root]).code, 0, "formatting twice changes something");
    let before = run(&["dump", "--data", data]).bytes;
    assert!(before == run(&["dump", "--data", root]).bytes, "the dump has changed");
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).expect("a folder");
    for entry in std::fs::read_dir(from).expect("a folder") {
        let path = entry.expect("an entry").path();
        let target = to.join(path.file_name().expect("a name"));
        if path.is_dir() {
            copy(&path, &target);
        } else {
            std::fs::copy(&path, &target).expect("a copy");
        }
    }
}

/// FNV-1a in hexadecimal digits.
fn hash(bytes: &[u8]) -> String {
    let hash = bytes.iter().fold(14_695_981_039_346_656_037, |hash: u64, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(1_099_511_628_211)
    });
    format!("{hash:016x}")
}
