//! Against Debian's crawl-common and the program crawl: the dump, the rolls, the formatter.

mod common;

use std::collections::HashSet;
use std::path::Path;
use std::process::Command;

use common::{crawl_data, crawl_program, run, temporary};

/// Rows that differ from the recorded ones: see `known-differences.txt` for the reasons.
fn known_differences() -> HashSet<String> {
    include_str!("recorded/known-differences.txt")
        .lines()
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
    let roll = |jobs: &str| {
        run(&[
            "resolve", "--all", "--seed", "1..3", "--format", "tsv", "--jobs", jobs, "--data", data,
        ])
    };
    let rolled = roll("2");
    assert!(rolled.bytes == roll("1").bytes, "the number of threads changes the result");
    let known = known_differences();
    let (equal, differing) = compare_with_recorded(&rolled.bytes);
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
    assert_eq!(equal + known.len() - unrecorded, recorded().len());
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
    let (equal, _) = compare_with_recorded(&rolled.bytes);
    assert_eq!(equal, 15_293, "of {} recorded rows", recorded().len());
}

fn recorded() -> HashSet<&'static str> {
    include_str!("recorded/resolve-0.28.hashes").lines().collect()
}

/// How many rows are as recorded, and which are not.
fn compare_with_recorded(table: &[u8]) -> (usize, HashSet<String>) {
    let recorded = recorded();
    let mut equal = 0;
    let mut differing = HashSet::new();
    for line in table.split(|&b| b == b'\n').skip(1).filter(|line| !line.is_empty()) {
        let fields: Vec<&[u8]> = line.split(|&b| b == b'\t').collect();
        let row = if fields[2] == b"ok" { line.to_vec() } else { fields[..3].join(&b'\t') };
        if recorded.contains(format!("{:016x}", fnv(&row)).as_str()) {
            equal += 1;
        } else {
            let field = |index: usize| String::from_utf8_lossy(fields[index]);
            differing.insert(format!("{} {}", field(0), field(1)));
        }
    }
    (equal, differing)
}

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

fn fnv(bytes: &[u8]) -> u64 {
    bytes.iter().fold(14_695_981_039_346_656_037, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(1_099_511_628_211)
    })
}
