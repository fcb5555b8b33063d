//! What the crates depend on: licences, sources, and the Rust that is needed, as `cargo deny` would
//! look at them, without having to be installed.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

use serde_json::Value;

/// Libraries of tests alone, with a licence that deny.toml makes an exception for.
const OF_TESTS: [&str; 2] = ["cbindgen", "webdriver"];

/// The workspace as cargo knows it; none outside of it, or where crates have not been fetched.
fn metadata() -> Option<Value> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    root.join("deny.toml").exists().then_some(())?;
    let words = ["metadata", "--format-version", "1", "--offline", "--locked"];
    let output = Command::new(env!("CARGO")).args(words).current_dir(root).output().ok()?;
    output.status.success().then(|| serde_json::from_slice(&output.stdout).expect("JSON"))
}

fn text<'a>(value: &'a Value, key: &str) -> &'a str {
    value[key].as_str().unwrap_or_default()
}

/// The licences that deny.toml allows.
fn allowed() -> BTreeSet<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../deny.toml");
    let page = std::fs::read_to_string(path).expect("deny.toml");
    let (_, list) = page.split_once("allow = [").expect("the licences");
    let (list, _) = list.split_once(']').expect("their end");
    list.split('"').skip(1).step_by(2).map(str::to_owned).collect()
}

/// Whether somebody who may use these licences may use what has this one: `OR` binds less than
/// `AND`, and older manifests have `/` for `OR`.
fn is_allowed(expression: &str, allowed: &BTreeSet<String>) -> bool {
    let expression = expression.replace('/', " OR ");
    let Some((inner, rest)) = expression.strip_prefix('(').and_then(|text| text.split_once(')'))
    else {
        return expression
            .split(" OR ")
            .any(|choice| choice.split(" AND ").all(|licence| allowed.contains(licence.trim())));
    };
    match rest.trim().strip_prefix("AND ") {
        Some(other) => is_allowed(inner, allowed) && is_allowed(other, allowed),
        None => is_allowed(inner, allowed),
    }
}

/// The ids of the packages that programs and libraries of ours contain, or are built with.
fn contained(metadata: &Value) -> BTreeSet<&str> {
    let nodes = metadata["resolve"]["nodes"].as_array().expect("nodes");
    let nodes: BTreeMap<&str, &Value> = nodes.iter().map(|node| (text(node, "id"), node)).collect();
    let members = metadata["workspace_members"].as_array().expect("members");
    let mut next: Vec<&str> = members.iter().filter_map(Value::as_str).collect();
    let mut found = BTreeSet::new();
    while let Some(id) = next.pop() {
        if found.insert(id) {
            let not_of_tests = |dependency: &&Value| {
                let kinds = dependency["dep_kinds"].as_array();
                kinds.is_some_and(|kinds| kinds.iter().any(|kind| kind["kind"] != "dev"))
            };
            let dependencies = nodes[id]["deps"].as_array().into_iter().flatten();
            next.extend(dependencies.filter(not_of_tests).map(|on| text(on, "pkg")));
        }
    }
    found
}

#[test]
fn everything_has_a_licence_that_is_allowed() {
    let Some(metadata) = metadata() else { return };
    let (allowed, contained) = (allowed(), contained(&metadata));
    assert!(allowed.len() > 8 && contained.len() > 100, "{allowed:?}, {}", contained.len());
    let packages = metadata["packages"].as_array().expect("packages");
    let wrong = packages.iter().filter(|package| {
        let excepted =
            OF_TESTS.contains(&text(package, "name")) && !contained.contains(text(package, "id"));
        !excepted && !is_allowed(text(package, "license"), &allowed)
    });
    let wrong: Vec<_> = wrong.map(|p| (text(p, "name"), text(p, "license"))).collect();
    assert_eq!(wrong, [], "licences that deny.toml does not allow");
}

#[test]
fn everything_comes_from_the_registry_and_needs_no_newer_rust() {
    let Some(metadata) = metadata() else { return };
    let version = |text: &str| -> Vec<u32> {
        text.split('.').map(|part| part.parse().expect("a number")).collect()
    };
    let packages = metadata["packages"].as_array().expect("packages");
    let own = packages.iter().find(|package| package["name"] == "vaultwright").expect("our own");
    let oldest = version(text(own, "rust_version"));
    for package in packages {
        let (name, source) = (text(package, "name"), &package["source"]);
        let registry = "registry+https://github.com/rust-lang/crates.io-index";
        assert!(source.is_null() || source == registry, "{name} comes from {source}");
        if let Some(needed) = package["rust_version"].as_str() {
            let needed = version(needed);
            let same = needed.len().min(oldest.len());
            assert!(needed[..same] <= oldest[..same], "{name} needs Rust {needed:?}");
        }
    }
}

/// What `scripts/compile-lean` relies on: features that only others turn on would be there for our
/// crates in the workspace, and not in the program of README's first command.
#[test]
fn what_the_lean_program_asks_others_for_is_there_without_its_features() {
    if metadata().is_none() {
        return;
    }
    let lean = features(&["normal,build", "-p", "vaultwright-cli", "--no-default-features"]);
    let all = features(&["normal,build,dev", "--workspace"]);
    let program = ["-e", "normal", "-p", "vaultwright-cli", "--no-default-features"];
    let asked: BTreeSet<String> = asked_for_by_us(&tree(&program, "depth"));
    assert!(asked.len() > 20, "{asked:?}");
    let missing = asked.iter().flat_map(|name| {
        let less =
            all.get(name).into_iter().flatten().filter(|feature| !lean[name].contains(*feature));
        less.map(|feature| format!("{} {feature}", name.split(' ').next().unwrap_or_default()))
    });
    // `Debug` and the like for what C has, and the last digits of numbers in JSON.
    let known = ["libc extra_traits", "serde_json float_roundtrip"];
    assert_eq!(missing.collect::<Vec<_>>(), known);
}

/// A line for each crate that is linked, as often as it is.
fn tree(words: &[&str], prefix: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args([
        "tree",
        "--offline",
        "--locked",
        "--no-dedupe",
        "-f",
        "{p}|{f}",
        "--prefix",
        prefix,
    ]);
    let output = cargo.args(words).current_dir(root).output().expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("names")
}

/// Returns the features of each crate, by its name and version.
fn features(of: &[&str]) -> BTreeMap<String, BTreeSet<String>> {
    let mut found: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for line in tree(&[&["-e"], of].concat(), "none").lines() {
        let Some((name, features)) = line.split_once('|') else { continue };
        found.entry(named(name)).or_default().extend(features.split(',').map(str::to_owned));
    }
    found
}

/// Returns the crates of others that lie right below one of ours in a tree with depths.
fn asked_for_by_us(tree: &str) -> BTreeSet<String> {
    let mut above = Vec::new();
    let mut found = BTreeSet::new();
    for line in tree.lines() {
        let (name, _) = line.split_once('|').expect("a crate with its features");
        let digits = name.bytes().take_while(u8::is_ascii_digit).count();
        let (depth, name) = name.split_at(digits);
        let ours = name.starts_with("vaultwright");
        above.truncate(depth.parse().expect("a depth"));
        if !ours && above.last() == Some(&true) {
            found.insert(named(name));
        }
        above.push(ours);
    }
    found
}

/// Returns name and version without the folder.
fn named(package: &str) -> String {
    package.split(" (").next().unwrap_or_default().to_owned()
}

#[test]
fn licence_expressions_are_understood() {
    let allowed = BTreeSet::from(["MIT".to_owned(), "Unicode-3.0".to_owned()]);
    for yes in ["MIT", "MIT OR GPL-3.0", "GPL-3.0/MIT", "(MIT OR X) AND Unicode-3.0", "(MIT)"] {
        assert!(is_allowed(yes, &allowed), "{yes}");
    }
    for no in ["", "GPL-3.0", "MIT AND GPL-3.0", "(MIT OR X) AND Y", "(X OR Y) AND MIT"] {
        assert!(!is_allowed(no, &allowed), "{no}");
    }
}
