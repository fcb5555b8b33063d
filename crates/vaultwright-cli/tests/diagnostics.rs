//! Every kind of mistake gives the recorded problems: code, line and column, message, hint.
//!
//! The expectations lie beside the files (`NAME.expected`); run with `UPDATE=1` to write them anew,
//! and read the difference.

use std::path::Path;

use crate::common::{run, run_in, temporary};

fn check_folder(folder: &str) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(folder);
    let mut files: Vec<_> = std::fs::read_dir(&root)
        .expect("the folder of examples")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "des"))
        .collect();
    files.sort();
    let update = std::env::var_os("UPDATE").is_some();
    let mut wrong = Vec::new();
    for path in &files {
        let found = problems(path);
        let expected = path.with_extension("expected");
        if update {
            std::fs::write(&expected, &found).expect("the expectation can be written");
        } else if std::fs::read_to_string(&expected).unwrap_or_default() != found {
            wrong.push(format!("{}:\n{found}", path.display()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn old_words_of_the_documents_say_what_became_of_them() {
    check_folder("documents");
}

#[test]
fn classic_rules_take_the_words_of_the_documents() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/documents");
    let output = run_in(&folder, &["check", "--rules", "classic", "old_words.des"]);
    assert_eq!((output.code, output.stdout.contains("no errors, no warnings")), (0, true));
}

/// One line for each problem, from the JSON output.
fn problems(path: &Path) -> String {
    let name = path.file_name().and_then(|name| name.to_str()).expect("a name in UTF-8");
    let folder = path.parent().expect("a folder");
    // What only an older version does is in files that name it.
    let rules = if name.ends_with("_0.28.des") { "0.28" } else { "trunk" };
    let output = run_in(folder, &["check", "--format", "json", "--rules", rules, name]);
    let list: serde_json::Value = serde_json::from_str(&output.stdout).expect("JSON");
    let mut out = String::new();
    for problem in list.as_array().expect("an array") {
        let text = |key: &str| problem[key].as_str().unwrap_or("-").to_owned();
        out.push_str(&format!(
            "{} {} {}:{}-{}:{} {}\n    {}\n",
            text("severity"),
            text("code"),
            problem["line"],
            problem["column"],
            problem["end_line"],
            problem["end_column"],
            text("message"),
            text("hint"),
        ));
    }
    let errors = out.lines().any(|line| line.starts_with("error"));
    assert_eq!(output.code, i32::from(errors), "{name}");
    out
}

#[test]
fn broken_vaults_have_the_recorded_errors() {
    check_folder("broken");
}

#[test]
fn lints_find_what_they_should() {
    check_folder("lints");
}

#[test]
fn every_broken_vault_has_an_error_with_a_hint() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/broken");
    for entry in std::fs::read_dir(root).expect("the folder") {
        let path = entry.expect("an entry").path();
        if path.extension().is_some_and(|extension| extension == "expected") {
            let text = std::fs::read_to_string(&path).expect("the expectation");
            assert!(text.contains("error VW"), "{} has no error", path.display());
            assert!(!text.contains("\n    -\n"), "{} lacks a hint", path.display());
        }
    }
}

#[test]
fn warnings_fail_only_when_denied() {
    let folder = temporary("warnings");
    let file = folder.join("a.des");
    std::fs::write(&file, "NAME: a\nDEPTH: D:3\nMONS: rat\nMAP\n@\nENDMAP\n").expect("a file");
    let file = file.to_str().expect("a path");
    assert_eq!(run(&["check", file]).code, 0);
    assert_eq!(run(&["check", file, "--deny", "warnings"]).code, 1);
    let github = run(&["check", file, "--format", "github"]).stdout;
    assert!(github.starts_with("::warning file="), "{github}");
    let sarif: serde_json::Value =
        serde_json::from_str(&run(&["check", file, "--format", "sarif"]).stdout).expect("JSON");
    assert_eq!(sarif["runs"][0]["results"][0]["ruleId"], "VW314");
}

#[test]
fn a_pack_that_is_checked_as_files_is_told_how() {
    let starter = concat!(env!("CARGO_MANIFEST_DIR"), "/../../packs/starter");
    let found = run(&["check", starter]);
    assert_eq!(found.code, 0, "{}", found.stdout);
    assert!(found.stderr.starts_with("using the pack starter at "), "{}", found.stderr);
    let checked = run(&["check", "--standalone", starter]);
    assert_eq!(checked.code, 1);
    assert!(checked.stderr.contains("check --data"), "{}", checked.stderr);
    assert_eq!(run(&["check", "--data", starter]).code, 0);
}

#[test]
fn errors_that_a_script_catches_have_their_line_in_the_file() {
    let folder = temporary("caught");
    let file = folder.join("a.des");
    let lua = "print(pcall(function() dgn.grid(1000, 1, 'floor') end))\n\
               print(pcall(function() crawl.random2({}) end))\n\
               print(pcall(function() mapgrd[100][1] = 'x' end))\n\
               print(pcall(crawl.random2, {}))\n\
               print(pcall(dgn.with_map_anchors, 1, 1, function() error('mine') end))\n\
               print(pcall(function() mons('no such beast') end))\n\
               print('#9999.0.main:3', '#', '#7:')";
    let text = format!("NAME: a\nDEPTH: D:3\n{{{{\n{lua}\n}}}}\nMAP\n@..\nENDMAP\n");
    std::fs::write(&file, text).expect("a file");
    let told = run_in(&folder, &["show", "a", "--file", "a.des", "--seed", "1"]).stderr;
    for line in [
        "a.des:4 (map a): false\ta.des:4: Point (1000,1) is out of bounds",
        "false\ta.des:5: bad argument #1 to 'random2' (number expected, got table)",
        "false\ta.des:6: Invalid coords: 100, 1",
        "false\tbad argument #1 to 'random2' (number expected, got table)",
        "false\ta.des:8: mine",
        // The reference shows the stack of these.
        "false\tunknown monster: \"no such beast\"\nlua: stack traceback:",
        "#9999.0.main:3\t#\t#7:",
    ] {
        assert!(told.contains(line), "no {line:?} in {told}");
    }
    assert!(!told.contains("runtime error"), "{told}");
    let lua =
        "local _, why = pcall(function() dgn.grid(1000, 1, 'floor') end) error('so: ' .. why)";
    std::fs::write(&file, format!("NAME: a\nDEPTH: D:3\n{{{{ {lua} }}}}\nMAP\n@..\nENDMAP\n"))
        .expect("a file");
    let told = run_in(&folder, &["check", "a.des"]).stdout;
    assert!(told.contains("so: a.des:3: Point (1000,1) is out of bounds"), "{told}");
}

#[test]
fn every_code_is_explained() {
    let list = run(&["explain"]).stdout;
    for line in list.lines() {
        let code = line.split_whitespace().next().expect("a code");
        let text = run(&["explain", code]);
        assert_eq!(text.code, 0, "{code}");
        assert!(text.stdout.contains("Instead of"), "{code}");
    }
    assert_eq!(run(&["explain", "VW999"]).code, 2);
}

#[test]
fn deep_checks_roll_on_other_levels_and_play() {
    let folder = temporary("deep");
    let file = folder.join("a.des");
    let text = r#"
NAME: elsewhere
DEPTH: D:3-5, Lair
: if you.in_branch("Lair") then
:   local words = nil
:   mons(words .. "rat")
: end
MAP
@
ENDMAP

NAME: in_play
DEPTH: D:3
{{
function callback.in_play_fails(data, triggerable, triggerer, marker, ev)
  local words = nil
  crawl.mpr(words .. "!")
end
local turn = TriggerableFunction:new { func = "callback.in_play_fails", repeated = true }
turn:add_triggerer(DgnTriggerer:new { type = "turn", delay_min = 10, delay_max = 20 })
lua_marker("A", turn)
}}
MAP
@A
ENDMAP
"#;
    std::fs::write(&file, text).expect("a file");
    let file = file.to_str().expect("a path");
    assert_eq!(run(&["check", file]).code, 0);
    let one = run(&["check", "--deep", "--jobs", "1", "--format", "json", file]);
    let two = run(&["check", "--deep", "--jobs", "2", "--format", "json", file]);
    assert_eq!((one.code, &one.stdout), (1, &two.stdout));
    let found: serde_json::Value = serde_json::from_str(&one.stdout).expect("JSON");
    let told = |at: usize| (found[at]["line"].as_u64(), found[at]["message"].as_str());
    let (line, message) = told(0);
    assert_eq!(line, Some(6));
    assert!(message.is_some_and(|text| text.contains("(in Lair:1; ")), "{message:?}");
    // Where it happens, not at the map's name.
    let (line, message) = told(1);
    assert_eq!(line, Some(17));
    assert!(message.is_some_and(|text| text.contains("of a play with seed")), "{message:?}");
    assert_eq!(found.as_array().map(Vec::len), Some(2));
}

#[test]
fn deep_checks_ask_for_other_players_and_count() {
    let folder = temporary("deep-counts");
    let file = folder.join("a.des");
    let text = r#"NAME: for_others
DEPTH: D:3
: if you.god() == "Trog" and you.xl() > 3 then
:   mons(nil .. "rat")
: end
MAP
@1
ENDMAP

NAME: rune_by_chance
DEPTH: Slime:$
KITEM: d = slimy rune of Zot
SUBST: d = ddd.
MAP
..d..
ENDMAP

NAME: always_one
DEPTH: Slime:$
KITEM: d = slimy rune of Zot
SHUFFLE: de
SUBST: e = .
MAP
..d.e..
ENDMAP

NAME: sometimes_closed
DEPTH: D:3
SUBST: q = x....
MAP
xxxxxxx
x..q.x.
xxxx...
xxxxxx+
ENDMAP

NAME: left_by_chance
PLACE: Bazaar
ORIENT: encompass
KFEAT: < = exit_bazaar
SUBST: < = <.
MAP
xxxxx
x.<.x
xxxxx
ENDMAP
"#;
    std::fs::write(&file, text).expect("a file");
    let file = file.to_str().expect("a path");
    let arguments = ["check", "--deep", "--format", "json", "--standalone", file];
    // Newer games keep teleports out of closets by themselves.
    let old = run(&[&arguments[..], &["--rules", "0.28"]].concat());
    assert!(old.stdout.contains("VW382"), "{}", old.stdout);
    let run = run(&arguments);
    let found: serde_json::Value = serde_json::from_str(&run.stdout).expect("JSON");
    let told: Vec<String> = found
        .as_array()
        .expect("an array")
        .iter()
        .map(|p| format!("{} {} {}", p["code"], p["line"], p["message"]).replace('"', ""))
        .collect();
    let begins = |code: &str, part: &str| {
        told.iter().any(|text| text.starts_with(code) && text.contains(part))
    };
    assert!(begins("VW201 4 ", " of Trog, level "), "{told:#?}");
    assert!(begins("VW383 10 ", "no rune of zot ("), "{told:#?}");
    assert!(!told.iter().any(|text| text.contains("more than one")), "{told:#?}");
    assert!(begins("VW381 27 ", "(4 of 24 rolls)"), "{told:#?}");
    assert!(begins("VW386 37 ", "no exit_bazaar: nobody gets out ("), "{told:#?}");
    assert!(!begins("VW386 37 ", "(24 of 24"), "{told:#?}");
}
