//! What a project settles for itself: `vaultwright.toml`, baselines; exit codes; `try`.

use std::path::Path;

use crate::common::{Run, run_in, temporary};

const VAULT: &str = "NAME: my_shrine\nDEPTH: D:3-5\nTAGS: no_rotat\nSUBST: q = w\nMAP\n.....\n.....\n.....\nENDMAP\n";

fn check(folder: &Path, arguments: &[&str]) -> Run {
    run_in(folder, &[&["check", "--standalone"], arguments].concat())
}

fn codes(run: &Run) -> Vec<String> {
    let found: serde_json::Value = serde_json::from_str(&run.stdout).expect("JSON");
    let rows = found.as_array().expect("an array").iter();
    rows.map(|p| format!("{} {}", p["severity"], p["code"]).replace('"', "")).collect()
}

#[test]
fn settings_are_found_above_and_say_what_findings_are() {
    let folder = temporary("settings");
    let below = folder.join("vaults/deep");
    std::fs::create_dir_all(&below).expect("a folder");
    std::fs::write(below.join("a.des"), VAULT).expect("a file");
    let json = ["a.des", "--format", "json"];
    assert_eq!(codes(&check(&below, &json)), ["warning VW341", "warning VW311"]);
    let write =
        |text: &str| std::fs::write(folder.join("vaultwright.toml"), text).expect("written");
    write("paths = [\"vaults\"]\n[severity]\nVW341 = \"error\"\nvw311 = \"allow\"\n");
    let run = check(&below, &json);
    assert_eq!((codes(&run), run.code), (vec!["error VW341".to_owned()], 1));
    // Its paths are those that are checked when none are named.
    assert!(check(&folder, &[]).stdout.contains("1 map in 1 file: 1 error, no warnings"));
    for (row, left) in [
        ("code = \"VW311\"\nmap = \"my_shrine\"", 1),
        ("code = \"VW311\"\nmap = \"other\"", 2),
        ("code = \"VW311\"\nfile = \"vaults/deep\"", 1),
        ("code = \"VW311\"\nfile = \"elsewhere\"", 2),
    ] {
        write(&format!("[[allow]]\n{row}\n"));
        assert_eq!(codes(&check(&below, &json)).len(), left, "{row}");
    }
    for wrong in ["[severity]\nVW999 = \"allow\"\n", "colour = 3\n", "paths = 3\n", "a b\n"] {
        write(wrong);
        let run = check(&below, &json);
        assert!(run.code == 1 && run.stderr.contains("vaultwright.toml"), "{}", run.stderr);
    }
}

#[test]
fn what_is_no_baseline_is_neither_read_nor_written() {
    let folder = temporary("no-baseline");
    let inner = folder.join("pack");
    std::fs::create_dir(&inner).expect("a folder");
    std::fs::write(inner.join("a.des"), "NAME: a\nMAP\nx\nENDMAP\n").expect("a file");
    std::fs::write(folder.join("victim"), "precious\n").expect("a file");
    let write = ["a.des", "--baseline", "../victim", "--write-baseline"];
    assert_eq!(check(&inner, &write).code, 2);
    let read = check(&inner, &write[..3]);
    assert!(read.code == 2 && read.stderr.contains("../victim is no baseline"), "{}", read.stderr);
    // Nor does a project that leads elsewhere write, even where nothing is yet.
    for named in ["../victim", "../new", "/tmp/vaultwright-new"] {
        let text = format!("baseline = \"{named}\"\n");
        std::fs::write(inner.join("vaultwright.toml"), text).expect("a file");
        assert_eq!(check(&inner, &["a.des", "--write-baseline"]).code, 2, "{named}");
    }
    let left = std::fs::read_to_string(folder.join("victim")).expect("a file");
    assert!(left == "precious\n" && !folder.join("new").exists());
}

#[test]
fn a_baseline_hides_what_is_known_wherever_it_has_moved() {
    let folder = temporary("baseline");
    let file = folder.join("a.des");
    std::fs::write(&file, VAULT).expect("a file");
    let baseline = ["a.des", "--baseline", "known.tsv"];
    assert_eq!(check(&folder, &baseline).code, 3, "there is none yet");
    let written = check(&folder, &[&baseline[..], &["--write-baseline"]].concat());
    assert!(
        written.code == 0 && written.stderr.contains("2 findings written"),
        "{}",
        written.stderr
    );
    let more = VAULT.replace("TAGS:", "# A remark.\nTAGS: no_hmirro\nTAGS:");
    std::fs::write(&file, more).expect("a file");
    let new = check(&folder, &baseline);
    assert!(new.stdout.contains("no errors, 1 warning") && new.stdout.contains("no_hmirro"));
    std::fs::write(&file, VAULT.replace("SUBST: q = w\n", "")).expect("a file");
    let fewer = check(&folder, &baseline);
    assert!(fewer.stderr.contains("1 finding of known.tsv"), "{}", fewer.stderr);
    assert_eq!(check(&folder, &["a.des", "--write-baseline"]).code, 2);
}

#[test]
fn try_shows_all_of_a_vault_at_a_glance() {
    let folder = temporary("try");
    let text =
        VAULT.replace("no_rotat", "no_rotate").replace("SUBST: q = w", "KFEAT: A = altar_trog");
    std::fs::write(folder.join("a.des"), text.replacen(".....\n.....", ".....\n..A..", 1))
        .expect("a file");
    let tried = run_in(&folder, &["try", "a.des", "--standalone"]);
    assert_eq!(tried.code, 0, "{}", tried.stderr);
    for part in [
        "my_shrine  (a.des:1)",
        "..A..   ..A..   ..A..   ..A..",
        "whole and without errors",
        "odds: D:",
    ] {
        assert!(tried.stdout.contains(part), "{part} is not in\n{}", tried.stdout);
    }
    // The command that it names makes the same level.
    let (_, shown) = tried.stdout.split_once(", seed 1 (vaultwright ").expect("a command");
    let (command, _) = shown.split_once("):\n").expect("its end");
    let words: Vec<&str> = command.split(' ').chain(["--standalone", "--annotate"]).collect();
    let made = run_in(&folder, &words);
    let rows = shown.lines().skip(1).take(3).map(|row| row.trim());
    for row in rows.filter(|row| !row.is_empty()) {
        assert!(made.stdout.contains(row), "{command} has no {row}\n{}", made.stdout);
    }
    // A room inside that nobody can enter is told, also where the walls are meant to be closed.
    let closed =
        "NAME: shut\nDEPTH: D:3-\nMAP\n.......\n.xxxxx.\n.x...x.\n.xxxxx.\n.......\nENDMAP\n";
    std::fs::write(folder.join("b.des"), closed.replace("DEPTH", "TAGS: opaque\nDEPTH"))
        .expect("a file");
    let tried = run_in(&folder, &["try", "b.des", "--standalone"]);
    assert!(tried.stdout.contains("1 part closed off"), "{}", tried.stdout);
    let unknown = run_in(&folder, &["try", "a.des", "nobody", "--standalone"]);
    assert_eq!(unknown.code, 2);
    assert_eq!(run_in(&folder, &["try", "nowhere.des", "--standalone"]).code, 3);
}

#[test]
fn a_house_style_is_asked_for() {
    let folder = temporary("style");
    let text = "NAME: Pond\nWEIGHT: 50000\nMONS: rat\nDEPTH: D:3-\nMAP\n.1@\nENDMAP\n";
    std::fs::write(folder.join("a.des"), text).expect("a file");
    let json = ["a.des", "--format", "json"];
    assert!(codes(&check(&folder, &json)).is_empty());
    let style = ["warning VW403", "warning VW401", "warning VW402"];
    assert_eq!(codes(&check(&folder, &[&json[..], &["--profile", "crawl"]].concat())), style);
    std::fs::write(folder.join("vaultwright.toml"), "profile = \"crawl\"\n").expect("written");
    assert_eq!(codes(&check(&folder, &json)), style);
}
