//! The engine's folders import each other one way, and files form no large rings.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The folders, lowest first: each may import those before it.
const FLOORS: [&str; 14] = [
    "pack", "observe", "state", "script", "select", "resolve", "compile", "play", "place",
    "builder", "game", "journey", "api", "engine",
];

/// So many files may import each other in a ring: maps within maps, vaults within the Abyss.
const MAX_RING: usize = 4;

type Imports = BTreeMap<String, BTreeSet<String>>;

#[test]
fn folders_import_only_those_below_them() {
    let floor_of = |file: &str| {
        let folder = file.split('/').next().expect("a folder");
        let floor = FLOORS.iter().position(|&name| name == folder);
        floor.unwrap_or_else(|| panic!("{file} stands in no folder of the pipeline"))
    };
    let mut upwards = Vec::new();
    for (file, imported) in &imports() {
        for other in imported.iter().filter(|other| floor_of(other) > floor_of(file)) {
            upwards.push(format!("{file} imports {other}"));
        }
    }
    assert!(upwards.is_empty(), "{upwards:#?}");
}

#[test]
fn files_form_no_large_rings() {
    let imports = imports();
    let reach: BTreeMap<&String, BTreeSet<&String>> =
        imports.keys().map(|file| (file, reachable(&imports, file))).collect();
    let ring_of = |file: &String| -> Vec<&String> {
        let back = reach[file].iter().filter(|other| reach[**other].contains(file));
        back.copied().collect()
    };
    let largest = imports.keys().map(ring_of).max_by_key(Vec::len).unwrap_or_default();
    println!("{} files in the largest ring: {largest:?}", largest.len());
    assert!(largest.len() <= MAX_RING, "{largest:#?}");
}

fn reachable<'a>(imports: &'a Imports, from: &str) -> BTreeSet<&'a String> {
    let mut seen = BTreeSet::new();
    let mut open: Vec<&String> = imports[from].iter().collect();
    while let Some(file) = open.pop() {
        if seen.insert(file) {
            open.extend(&imports[file]);
        }
    }
    seen
}

/// Every file of the folders with the files that it imports.
fn imports() -> Imports {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    collect(&root, &mut files);
    let texts: BTreeMap<String, String> = files
        .into_iter()
        .map(|path| {
            let name = path.strip_prefix(&root).expect("below the root");
            let name = name.to_string_lossy().replace('\\', "/");
            (name, without_comments(&std::fs::read_to_string(&path).expect("readable")))
        })
        .filter(|(name, _)| name != "lib.rs")
        .collect();
    let modules: BTreeMap<Vec<String>, String> =
        texts.keys().map(|file| (module_of(file), file.clone())).collect();
    let of_text = |(file, text): (&String, &String)| {
        let here = module_of(file);
        let named = paths(text).into_iter().filter_map(|path| absolute(&path, &here));
        let mut imported: BTreeSet<String> =
            named.filter_map(|path| file_of(&path, &modules)).collect();
        imported.remove(file);
        (file.clone(), imported)
    };
    texts.iter().map(of_text).collect()
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a folder").flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
}

fn without_comments(text: &str) -> String {
    let code = |line: &str| line.split("//").next().unwrap_or("").to_owned();
    text.lines().map(code).collect::<Vec<_>>().join("\n")
}

fn module_of(file: &str) -> Vec<String> {
    let mut parts: Vec<String> =
        file.trim_end_matches(".rs").split('/').map(str::to_owned).collect();
    parts.pop_if(|last| last == "mod");
    parts
}

/// The paths that a text begins with `crate` or `super`, with those in braces one by one.
fn paths(text: &str) -> Vec<Vec<String>> {
    let mut found = Vec::new();
    for start in ["crate::", "super::"] {
        for (at, _) in text.match_indices(start) {
            let word = text[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == ':');
            if !word {
                let mut rest = &text[at..];
                found.extend(tree(&mut rest));
            }
        }
    }
    found
}

/// Takes a path off the front of a text; one with braces is many.
fn tree(rest: &mut &str) -> Vec<Vec<String>> {
    let mut path = Vec::new();
    loop {
        *rest = rest.trim_start();
        if let Some(inside) = rest.strip_prefix('{') {
            *rest = inside;
            let mut all = Vec::new();
            while !rest.trim_start().starts_with('}') && !rest.trim_start().is_empty() {
                let branches = tree(rest);
                all.extend(branches.into_iter().map(|branch| [path.clone(), branch].concat()));
                *rest = rest.trim_start().trim_start_matches(',');
            }
            *rest = rest.trim_start().get(1..).unwrap_or("");
            return all;
        }
        let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
        if end == 0 {
            *rest = rest.get(1..).unwrap_or("");
            return vec![path];
        }
        path.push(rest[..end].to_owned());
        *rest = &rest[end..];
        match rest.strip_prefix("::") {
            Some(more) => *rest = more,
            None => return vec![path],
        }
    }
}

/// The path from the root of the crate, for a path seen from a module.
fn absolute(path: &[String], here: &[String]) -> Option<Vec<String>> {
    if path.first()? == "crate" {
        return Some(path[1..].to_vec());
    }
    let steps = path.iter().take_while(|part| *part == "super").count();
    let base = &here[..here.len().checked_sub(steps)?];
    Some([base, &path[steps..]].concat())
}

/// The file of the longest module that a path begins with.
fn file_of(path: &[String], modules: &BTreeMap<Vec<String>, String>) -> Option<String> {
    (1..=path.len()).rev().find_map(|length| modules.get(&path[..length]).cloned())
}

#[test]
fn braces_are_followed() {
    let text = "use crate::{a::b, c::{d, e as f}};\nuse super::x::Y;";
    let found: Vec<String> = paths(text).iter().map(|path| path.join("::")).collect();
    let expected = ["crate::a::b", "crate::c::d", "crate::c::e", "super::x::Y"];
    assert!(expected.iter().all(|path| found.iter().any(|f| f == path)), "{found:?}");
    let here = ["place".to_owned(), "vault".to_owned()];
    let path = ["super".to_owned(), "x".to_owned(), "Y".to_owned()];
    assert_eq!(absolute(&path, &here), Some(["place", "x", "Y"].map(str::to_owned).to_vec()));
}
