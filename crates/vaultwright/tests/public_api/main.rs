//! What the crates of the façade promise, item by item: nothing of it goes or changes unnoticed.
//!
//! The lists beside this file say what is public: functions with their signatures, fields,
//! variants, traits that types implement. After a change on purpose `VAULTWRIGHT_BLESS=1` writes
//! them anew; what is gone from a list then has to be named in the newest section of the changelog.
//! What macros make is not seen.

mod items;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use items::public_items;

/// The crates whose items the façade hands out.
const CRATES: [&str; 11] = [
    "content", "engine", "lair", "level", "lint", "map", "play", "render", "rng", "stats", "syntax",
];

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The newest section of the changelog.
fn news() -> String {
    let text = std::fs::read_to_string(workspace().join("CHANGELOG.md")).expect("a changelog");
    let begin = text.find("\n## ").map_or(0, |at| at + 1);
    let end = text[begin + 1..].find("\n## ").map_or(text.len(), |at| begin + 1 + at);
    text[begin..end].to_owned()
}

/// Whether a text names what a line of a list is about.
fn names(text: &str, line: &str) -> bool {
    let path = line.split([' ', '(', '<', ':']).find(|word| !word.is_empty());
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let words: BTreeSet<&str> = text.split(|c| !is_part(c)).collect();
    path.is_some_and(|path| path.rsplit('.').next().is_some_and(|name| words.contains(name)))
}

#[test]
fn nothing_public_goes_unnoticed() {
    let write = std::env::var_os("VAULTWRIGHT_BLESS").is_some();
    let (mut unnoticed, mut stale) = (Vec::new(), Vec::new());
    for name in CRATES {
        let now = public_items(&workspace().join(format!("crates/vaultwright-{name}/src/lib.rs")));
        assert!(!now.is_empty(), "{name} has public items");
        let list =
            Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/public_api/{name}.txt"));
        let before = std::fs::read_to_string(&list).unwrap_or_default();
        let before: BTreeSet<String> = before.lines().map(str::to_owned).collect();
        let news = news();
        let gone = before.difference(&now).filter(|line| !write || !names(&news, line));
        unnoticed.extend(gone.map(|line| format!("{name}: {line}")));
        if now != before {
            stale.push(name);
        }
        if write && unnoticed.is_empty() {
            let lines: Vec<String> = now.into_iter().map(|line| line + "\n").collect();
            std::fs::write(&list, lines.concat()).expect("the list is written");
        }
    }
    assert!(
        unnoticed.is_empty(),
        "gone or changed (CHANGELOG.md has to name it, then VAULTWRIGHT_BLESS=1 writes the lists):\n{}",
        unnoticed.join("\n")
    );
    assert!(
        write || stale.is_empty(),
        "new items in {}: VAULTWRIGHT_BLESS=1 writes the lists",
        stale.join(", ")
    );
}

#[test]
fn a_changelog_names_the_last_part_of_a_path() {
    assert!(names("`Game::traced` takes nothing", "Game.traced fn(&mut self)"));
    assert!(!names("`Game::traced_all`", "Game.traced fn(&mut self)"));
    assert!(names("`SaveError` goes", "SaveError enum"));
}
