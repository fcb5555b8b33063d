//! Folders of campaigns: who may work there, how they go on, what is no folder.

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::common::{run, temporary, word};

/// A campaign that takes long, once it works in its folder.
fn long_campaign(folder: &Path) -> Child {
    let child = Command::new(env!("CARGO_BIN_EXE_vaultwright"))
        .args(["mapstat", "20000", "D:1-3", "--jobs", "1", "--out", word(folder)])
        .env_remove("VAULTWRIGHT_DATA")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program runs");
    let began = Instant::now();
    while !folder.join("manifest.json").is_file() {
        assert!(began.elapsed() < Duration::from_secs(60), "it does not begin");
        std::thread::sleep(Duration::from_millis(20));
    }
    child
}

#[test]
fn one_program_at_a_time_works_in_a_folder() {
    let folder = temporary("campaign-locked").join("campaign");
    let mut first = long_campaign(&folder);
    for command in ["mapstat", "objstat"] {
        let second = run(&[command, "20000", "D:1-3", "--out", word(&folder)]);
        assert_eq!(second.code, 1, "{command}: {}", second.stdout);
        let told = second.stderr.contains("another campaign is at work in");
        assert!(told && second.stderr.contains("name another folder"), "{}", second.stderr);
        #[cfg(unix)]
        assert!(second.stderr.contains(&format!("(process {})", first.id())), "{}", second.stderr);
    }
    // One that is killed keeps nobody out.
    first.kill().expect("it runs");
    first.wait().expect("it runs");
    let other = run(&["mapstat", "1", "D:1", "--out", word(&folder)]);
    assert!(other.stderr.contains("holds another campaign; the plan"), "{}", other.stderr);
    assert!(other.stderr.contains("20000 games"), "{}", other.stderr);
    assert!(!other.stderr.contains('{'), "{}", other.stderr);
}

#[test]
fn times_that_are_lost_are_told() {
    let folder = temporary("campaign-times");
    let count = || run(&["mapstat", "2", "D:1", "--out", word(&folder)]);
    assert!(!count().stderr.contains("warning"));
    std::fs::write(folder.join("shards/000000.times"), "VW").expect("written");
    let again = count();
    assert_eq!(again.code, 0, "{}", again.stderr);
    let told = "000000.times is damaged: the times of its games are missing";
    assert_eq!(again.stderr.matches(told).count(), 1, "{}", again.stderr);
}

#[test]
fn a_campaign_until_it_is_known_goes_on_in_its_folder() {
    let folder = temporary("campaign-until-again");
    let until = |percent: &str| {
        run(&[
            "mapstat",
            "4",
            "D:1-2",
            "--until",
            percent,
            "--map",
            "moonlit_pond",
            "--out",
            word(&folder),
        ])
    };
    let first = until("10%");
    assert_eq!(first.code, 0, "{}", first.stderr);
    let games = |told: &str| told.split(' ').next().and_then(|count| count.parse::<u64>().ok());
    let reached = games(&first.stdout);
    assert!(reached > Some(4), "{}", first.stdout);
    let same = until("10%");
    assert_eq!((same.code, games(&same.stdout)), (0, reached), "{}", same.stderr);
    let closer = until("6%");
    assert_eq!(closer.code, 0, "{}", closer.stderr);
    assert!(games(&closer.stdout) > reached, "{}", closer.stdout);
}

#[test]
fn what_cannot_be_done_is_refused_as_the_exit_codes_say() {
    let folder = temporary("campaign-refused");
    let (file, vaults) = (folder.join("file"), folder.join("broken.des"));
    std::fs::write(&file, "x").expect("a file");
    std::fs::write(&vaults, "NAME: broken_one\nMONS: bullforg\nMAP\n1\nENDMAP\n").expect("a file");
    for command in [
        &["mapstat", "1", "D:1"][..],
        &["objstat", "1", "D:1"],
        &["mapstat", "1", "D:1", "--until", "50%"],
        &["generate", "D:1-2", "--format", "json"],
        &["generate", "D:1", "--format", "ldtk"],
        &["lair", concat!(env!("CARGO_MANIFEST_DIR"), "/../../packs/lair/demo")],
    ] {
        let refused = run(&[command, &["--out", word(&file)]].concat());
        assert_eq!(refused.code, 2, "{command:?}: {}", refused.stderr);
        assert!(refused.stderr.contains("is a file: --out takes a folder"), "{}", refused.stderr);
    }
    assert_eq!(run(&["generate", "D:1", "--format", "ldtk"]).code, 2);
    for name in ["--force-map", "--without", "--map"] {
        let words = ["mapstat", "1", "D:1", "--file", word(&vaults), name, "broken_one"];
        let refused = run(&words);
        assert_eq!(refused.code, 1, "{name}: {}", refused.stdout);
        let told = "the map 'broken_one' does not compile: ";
        assert!(refused.stderr.contains(told), "{name}: {}", refused.stderr);
        assert!(refused.stderr.contains("bullforg"), "{name}: {}", refused.stderr);
    }
}

#[test]
fn pictures_of_a_map_stay_in_their_folder() {
    let folder = temporary("campaign-map-name");
    let (file, out) = (folder.join("esc.des"), folder.join("out"));
    std::fs::write(&file, "NAME: ../../esc\nDEPTH: D\nCHANCE: 100%\nMAP\n..\nENDMAP\n")
        .expect("a file");
    let words = ["mapstat", "1", "D:2", "--file", word(&file), "--map", "../../esc"];
    let told = run(&[&words[..], &["--out", word(&out)]].concat());
    assert!(told.stdout.contains("../../esc stands on 1 of 1 levels"), "{}", told.stdout);
    assert!(!folder.join("esc").exists());
    assert!(out.join("maps/%2E.%2F..%2Fesc/D-2-1.png").is_file(), "{}", told.stderr);
}

#[test]
fn a_comparison_is_had_as_json() {
    let folder = temporary("campaign-compared-json");
    let campaign = folder.join("one");
    assert_eq!(run(&["mapstat", "3", "D:1", "--out", word(&campaign)]).code, 0);
    let compare = |format: &str| {
        run(&["mapstat", "--compare", word(&campaign), word(&campaign), "--format", format])
    };
    let told = compare("json");
    assert_eq!(told.code, 0, "{}", told.stderr);
    let value: Value = serde_json::from_str(&told.stdout).expect("JSON");
    assert_eq!(value["levels"]["now"], 3);
    let all = value["comparisons"].as_array().expect("a list");
    assert!(!all.is_empty() && all.iter().all(|one| one["beyond_chance"] == false), "{value}");
    let refused = compare("crawl");
    assert_eq!(refused.code, 2, "{}", refused.stdout);
    assert!(refused.stderr.contains("--format is text or json"), "{}", refused.stderr);
}
