//! What `check --fix` writes: beside each file lies what it becomes (`NAME.fixed`); run with
//! `UPDATE=1` to write them anew, and read the difference.

use std::path::{Path, PathBuf};

use crate::common::{Run, run, run_in, temporary};

fn examples() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixes");
    let entries = std::fs::read_dir(root).expect("the folder of examples");
    let mut files: Vec<_> = entries.map(|entry| entry.expect("an entry").path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "des"));
    files.sort();
    files
}

fn check(folder: &Path, arguments: &[&str]) -> Run {
    let common = ["check", "a.des", "--standalone", "--rules", "0.28"];
    run_in(folder, &[&common[..], arguments].concat())
}

#[test]
fn files_become_what_is_recorded_and_then_stay() {
    let mut wrong = Vec::new();
    for path in examples() {
        let folder = temporary("fixes").join(path.file_stem().expect("a name"));
        std::fs::create_dir_all(&folder).expect("a folder");
        let file = folder.join("a.des");
        std::fs::copy(&path, &file).expect("copied");
        let before = std::fs::read(&file).expect("a text");
        let difference = check(&folder, &["--diff"]).stdout;
        assert_eq!(std::fs::read(&file).expect("a text"), before, "--diff changes nothing");
        check(&folder, &["--fix"]);
        let after = std::fs::read_to_string(&file).expect("a text");
        assert_eq!(check(&folder, &["--diff"]).stdout, "", "nothing is left to fix");
        assert_eq!(difference.starts_with("--- a.des\n+++ a.des\n@@ -"), !difference.is_empty());
        for line in after.lines().filter(|line| !String::from_utf8_lossy(&before).contains(*line)) {
            assert!(difference.contains(&format!("\n+{line}\n")), "{line} in {difference}");
        }
        let expected = path.with_extension("fixed");
        if std::env::var_os("UPDATE").is_some() {
            std::fs::write(&expected, &after).expect("the expectation can be written");
        } else if std::fs::read_to_string(&expected).unwrap_or_default() != after {
            wrong.push(format!("{}:\n{difference}", path.display()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn programs_get_the_fixes_too() {
    let folder = temporary("fixes-told");
    std::fs::write(folder.join("a.des"), "NAME: a\nDEPTH: D\nMONS: ratt\nMAP\nx1x\nENDMAP\n")
        .expect("a file");
    let list: serde_json::Value =
        serde_json::from_str(&check(&folder, &["--format", "json"]).stdout).expect("JSON");
    let fix = &list[0]["fixes"][0];
    assert_eq!((&fix["title"], &fix["safe"]), (&"write 'rat' for 'ratt'".into(), &true.into()));
    let edit = serde_json::json!(
        { "line": 3, "column": 7, "end_line": 3, "end_column": 11, "text": "rat" });
    assert_eq!(fix["edits"], serde_json::json!([edit]));
    let log: serde_json::Value =
        serde_json::from_str(&check(&folder, &["--format", "sarif"]).stdout).expect("JSON");
    let change = &log["runs"][0]["results"][0]["fixes"][0]["artifactChanges"][0];
    assert_eq!(change["replacements"][0]["insertedContent"]["text"], "rat");
    assert_eq!(change["replacements"][0]["deletedRegion"]["startColumn"], 7);
}

#[test]
fn nothing_else_in_a_file_changes() {
    let folder = temporary("fixes-bytes");
    let text = b"\xef\xbb\xbfNAME: a\r\nDEPTH: D:2-\r\nMONS: ratt   \r\n# \xff\r\nMAP\r\nx1x\r\nENDMAP\r\n";
    std::fs::write(folder.join("a.des"), text).expect("a file");
    let run = check(&folder, &["--fix"]);
    // The mark of the byte order is one of them: Crawl refuses the file with it.
    assert!(run.stderr.contains("2 problems in 1 file fixed"), "{}", run.stderr);
    let after = std::fs::read(folder.join("a.des")).expect("a text");
    let expected = String::from_utf8_lossy(&text[3..]).replace("ratt", "rat").into_bytes();
    assert_eq!(String::from_utf8_lossy(&after), String::from_utf8_lossy(&expected));
    assert!(after.contains(&0xff));
}

#[test]
fn what_cannot_be_written_is_a_mistake_in_the_call() {
    for arguments in
        [&["check", "-", "--fix", "--standalone"][..], &["check", "--fix", "--standalone"]]
    {
        assert_eq!(run(arguments).code, 2, "{arguments:?}");
    }
}
