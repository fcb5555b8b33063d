//! Mistakes that authors make, one in each vault, as a person of some practice has thought them up:
//! which of them `check` names, and that it says nothing of the mended vaults.
//!
//! A case begins with `### NAME RULES CODES: what is wrong`; `missed` in place of the codes is a
//! mistake that `check` does not name yet. In its text `«wrong│right»` are the two forms. Several
//! files begin with `--- FILE` each.

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::Value;

use crate::common::{run_in, temporary};

const CASES: [&str; 18] = [
    include_str!("mistakes/headers.txt"),
    include_str!("mistakes/drawings.txt"),
    include_str!("mistakes/transforms.txt"),
    include_str!("mistakes/specs.txt"),
    include_str!("mistakes/features.txt"),
    include_str!("mistakes/tags.txt"),
    include_str!("mistakes/subvaults.txt"),
    include_str!("mistakes/files.txt"),
    include_str!("mistakes/lua.txt"),
    include_str!("mistakes/markers.txt"),
    include_str!("mistakes/plain.txt"),
    include_str!("mistakes/callbacks.txt"),
    include_str!("mistakes/portals.txt"),
    include_str!("mistakes/signs.txt"),
    include_str!("mistakes/slips.txt"),
    include_str!("mistakes/effects.txt"),
    include_str!("mistakes/compiled.txt"),
    include_str!("mistakes/flows.txt"),
];

struct Case<'t> {
    name: &'t str,
    rules: &'t str,
    /// The codes of the wrong form, in order.
    codes: Vec<&'t str>,
    text: &'t str,
}

#[derive(Clone, Copy)]
enum Form {
    Wrong,
    Right,
}

#[test]
fn mistakes_are_named_and_what_is_right_is_not() {
    let folder = temporary("mistakes");
    let (mut count, mut missed, mut other) = (0, 0, Vec::new());
    for case in CASES.iter().flat_map(|file| cases(file)) {
        let found = codes(&folder, &case, Form::Wrong);
        if found.iter().ne(&case.codes) {
            other.push(format!("{}: {found:?}, not {:?}", case.name, case.codes));
        }
        let right = codes(&folder, &case, Form::Right);
        if !right.is_empty() {
            other.push(format!("{}, mended: {right:?}", case.name));
        }
        (count, missed) = (count + 1, missed + u32::from(case.codes.is_empty()));
    }
    assert!(other.is_empty(), "{}", other.join("\n"));
    assert_eq!((count, missed), (392, 5), "mistakes, and those that are not named");
}

fn cases(file: &str) -> impl Iterator<Item = Case<'_>> {
    file.split("### ").skip(1).map(|case| {
        let (head, text) = case.split_once('\n').expect("a head");
        let (head, _) = head.split_once(": ").expect("what is wrong");
        let mut words = head.split(' ');
        let mut next = || words.next().expect("name, rules and codes");
        let (name, rules, codes) = (next(), next(), next());
        let codes = codes.split(',').filter(|code| *code != "missed").collect();
        Case { name, rules, codes, text }
    })
}

/// Returns the codes of all that `check` finds in a form of a case.
fn codes(folder: &Path, case: &Case, form: Form) -> BTreeSet<String> {
    let arguments = written(folder, case, form);
    found(folder, &arguments).iter().map(code).collect()
}

/// A fix that needs no review takes away what it is for, and nothing else comes.
#[test]
fn certain_fixes_mend_what_is_wrong() {
    let folder = temporary("mistakes-fixed");
    let (mut fixed, mut wrong) = (0, Vec::new());
    for case in CASES.iter().flat_map(|file| cases(file)) {
        let arguments = written(&folder, &case, Form::Wrong);
        let before = found(&folder, &arguments);
        let is_safe = |one: &&Value| one["fixes"][0]["safe"].as_bool() == Some(true);
        let safe: Vec<String> = before.iter().filter(is_safe).map(code).collect();
        if safe.is_empty() {
            continue;
        }
        fixed += 1;
        let own: Vec<&str> = arguments.iter().map(String::as_str).chain(["--fix"]).collect();
        run_in(&folder, &own);
        let mut left: Vec<String> = before.iter().map(code).collect();
        let after = found(&folder, &arguments);
        let is_new = |code: &String| match left.iter().position(|own| own == code) {
            Some(at) => left.remove(at) != *code,
            None => true,
        };
        let new: Vec<String> = after.iter().map(code).filter(is_new).collect();
        if !new.is_empty() || after.len() >= before.len() {
            wrong.push(format!("{}: {safe:?} fixed, then {new:?}: {after:?}", case.name));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(fixed > 50, "only {fixed} have fixes");
}

/// Writes a form of a case, and returns the arguments that check it.
fn written(folder: &Path, case: &Case, form: Form) -> Vec<String> {
    let one = format!("--- {}.des\n", case.name);
    let text = match case.text.starts_with("--- ") {
        true => case.text.to_owned(),
        false => one + case.text,
    };
    let arguments = ["check", "--data", "none", "--rules", case.rules, "--format", "json"];
    let mut arguments = arguments.map(str::to_owned).to_vec();
    for file in text.split("--- ").skip(1) {
        let (name, text) = file.split_once('\n').expect("a name");
        std::fs::write(folder.join(name), in_form(text, form)).expect("a file");
        arguments.push(name.to_owned());
    }
    arguments
}

fn found(folder: &Path, arguments: &[String]) -> Vec<Value> {
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let run = run_in(folder, &arguments);
    serde_json::from_str(&run.stdout).expect("JSON")
}

fn code(found: &Value) -> String {
    found["code"].as_str().expect("a code").to_owned()
}

fn in_form(text: &str, form: Form) -> String {
    let mut out = String::new();
    for (number, part) in text.split(['«', '»']).enumerate() {
        let is_choice = number % 2 == 1;
        out += match (is_choice, form) {
            (false, _) => part,
            (true, Form::Wrong) => part.split_once('│').map_or(part, |(wrong, _)| wrong),
            (true, Form::Right) => part.split_once('│').map_or("", |(_, right)| right),
        };
    }
    out.trim_end().to_owned() + "\n"
}
