//! Functions of the host, called at random while levels are built and while they are played:
//! nothing panics, hangs or keeps what it should not. Calls are those of vaults, of the starter
//! pack and, where it is installed, of the reference, with now and then an argument that nobody
//! would give.
//!
//! `VAULTWRIGHT_FUZZ=seconds` goes on for so long with new seeds, from `VAULTWRIGHT_FUZZ_SEED` on.

mod corpus;
mod program;
mod runs;

use std::time::{Duration, Instant};

use vaultwright::{Engine, EngineOptions};

use corpus::Corpus;
use runs::{Came, build, play};

/// How many programs a run tries that nobody gave more time.
const PROGRAMS: u64 = 3;

fn learned() -> Corpus {
    let mut corpus = Corpus::default();
    let engine = Engine::new(EngineOptions::default()).expect("an engine");
    for source in engine.pack_sources().expect("the starter pack") {
        corpus.learn(&source.text);
    }
    let mut folders = vec![std::path::PathBuf::from("/usr/share/crawl/dat/des")];
    while let Some(folder) = folders.pop() {
        let Ok(entries) = std::fs::read_dir(folder) else { continue };
        let mut paths: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
        paths.sort();
        for path in paths {
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ending == "des") {
                corpus.learn(&std::fs::read(&path).unwrap_or_default());
            }
        }
    }
    corpus
}

fn campaign(what: &str, run: fn(&Corpus, u64) -> Came) {
    let corpus = learned();
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let time = number("VAULTWRIGHT_FUZZ").map(Duration::from_secs);
    let first = number("VAULTWRIGHT_FUZZ_SEED").unwrap_or(1);
    let start = Instant::now();
    let (mut seed, mut sum) = (first, Came::default());
    while time.map_or(seed < first + PROGRAMS, |time| start.elapsed() < time) {
        if time.is_some() {
            // What was at work when a process died is the last line.
            eprintln!("{what}: seed {seed}");
        }
        let came = run(&corpus, seed);
        sum.programs += came.programs;
        sum.calls += came.calls;
        sum.good += came.good;
        seed += 1;
    }
    eprintln!(
        "{what}: {} programs, {} calls, {} of them without an error; {} functions learned",
        sum.programs,
        sum.calls,
        sum.good,
        corpus.calls.len()
    );
    assert!(sum.programs > 0 && sum.good * 4 > sum.calls, "{}/{} calls", sum.good, sum.calls);
}

#[test]
fn calls_while_levels_are_built() {
    campaign("build", build);
}

#[test]
fn calls_while_levels_are_played() {
    campaign("play", play);
}
