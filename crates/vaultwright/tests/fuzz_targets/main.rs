//! The targets of fuzzing, which only `scripts/fuzz` runs for long: here they are compiled without
//! libFuzzer and run with a few inputs each, so that what breaks them is found at once.

// What the targets ask of libFuzzer and of what they share is here.
extern crate self as libfuzzer_sys;
extern crate self as vaultwright_fuzz;

use std::collections::BTreeSet;
use std::path::Path;

#[path = "../../../../fuzz/src/lib.rs"]
mod shared;
pub use shared::with_contexts;

/// Declares the targets, and what each of them does with an input.
macro_rules! targets {
    ($($name:ident)*) => {
        #[allow(unused_attributes)] // A program for libFuzzer has no `main`.
        #[path = "../../../../fuzz/fuzz_targets"]
        mod targets {
            $(pub mod $name;)*
        }
        const TARGETS: &[(&str, fn(&[u8]))] = &[$((stringify!($name), targets::$name::run)),*];
    };
}
targets! { check depth feature format item lair monster pack parse play query save shard tiles transform }

const INPUTS: [&str; 8] = [
    "",
    "NAME: a\nDEPTH: D:3\nMONS: rat / any demon w:3\nITEM: any book\n: mons(\"bat\")\nMAP\n1.d{\nENDMAP\n",
    "abc = x:3 y",
    "altar_zin / shop:armour name:A suffix:b w:5 / trap_web",
    "D:3-5, !D:4, Lair:$ (7)",
    "D:1 has vault a and Lair before D:9",
    "{ \"floor\": { \"glyph\": \"\\u0000\", \"solid\": 7 } }",
    "return 1\nreturn mcp.x\nend end\n\0\u{1f5fa}",
];

#[test]
fn every_target_takes_what_it_is_given() {
    for (name, run) in TARGETS {
        for input in INPUTS {
            println!("{name}: {input:?}");
            run(input.as_bytes());
        }
        run(&[0xff; 40]);
    }
}

#[test]
fn every_target_is_here() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/fuzz_targets");
    let files = std::fs::read_dir(folder).expect("the targets").map(|entry| {
        let path = entry.expect("an entry").path();
        path.file_stem().expect("a name").to_string_lossy().into_owned()
    });
    let here = TARGETS.iter().map(|(name, _)| (*name).to_owned());
    assert_eq!(files.collect::<BTreeSet<_>>(), here.collect());
}

/// Makes a function of a target. (It stands below the targets, so that they have it by its path
/// alone.)
#[macro_export]
macro_rules! fuzz_target {
    (|$input:ident: &[u8]| $body:block) => {
        pub fn run($input: &[u8]) $body
    };
    (|$text:ident: &str| $body:block) => {
        pub fn run(input: &[u8]) {
            let Ok($text) = std::str::from_utf8(input) else { return };
            $body
        }
    };
}
