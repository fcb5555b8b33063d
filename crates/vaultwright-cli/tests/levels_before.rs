//! Recorded levels that depend on those recorded before them (spec 10 §16).

use std::fs;

use crate::common::{run, temporary, word};

const ROOM: &str =
    "NAME: plain_room\nDEPTH: D\nTAGS: allow_dup\nMAP\n.....\n..T..\n.....\nENDMAP\n";
const GROUP: &str = "NAME: group_room\nDEPTH: D\nWEIGHT: 100000\nTAGS: buniq_group\nMAP\n.....\n..U..\n.....\nENDMAP\n";

#[test]
fn levels_are_compared_behind_those_before_them_in_the_table() {
    let folder = temporary("levels_before");
    let file = |name: &str, text: &str| {
        let path = folder.join(name);
        fs::write(&path, text).expect("a file");
        path
    };
    let with = file("with.des", &format!("{ROOM}\n{GROUP}"));
    let without = file("without.des", ROOM);
    let levels = |path, rules, more: &[&str]| {
        let words = ["levels", "D:2", "--seed", "1..3", "--rules", rules, "--file", word(path)];
        run(&[&words, more].concat())
    };
    let rows = |path| levels(path, "trunk", &[]).stdout.lines().map(str::to_owned).collect();
    let (alone, used): (Vec<String>, Vec<String>) = (rows(&with), rows(&without));
    assert!(alone[1].contains("group_room"), "{alone:?}");
    // A map whose tag is used is to the levels after it as if it were not there.
    let table = file("table.tsv", &[&alone[..2], &used[2..], &[String::new()]].concat().join("\n"));
    let compared = levels(&with, "trunk", &["--against", word(&table)]);
    assert_eq!(compared.code, 0, "{}", compared.stdout);
    assert!(compared.stdout.starts_with("2 rows are equal behind the rows before"));
    assert!(compared.stdout.contains("3 rows equal, 0 differ"), "{}", compared.stdout);
    // What is recorded later has left nothing.
    let [header, first, second] = [&alone[0], &alone[1], &used[2]].map(String::as_str);
    let turned = file("turned.tsv", &format!("{header}\n{second}\n{first}\n"));
    let compared = levels(&with, "trunk", &["--against", word(&turned)]);
    assert!(compared.stdout.contains("D:2 seed 2: vaults differs"), "{}", compared.stdout);
    // In 0.28 such tags mean nothing, and nothing is kept.
    let rows: Vec<String> = levels(&with, "0.28", &[]).stdout.lines().map(str::to_owned).collect();
    let used: Vec<String> =
        levels(&without, "0.28", &[]).stdout.lines().map(str::to_owned).collect();
    let table = file("0.28.tsv", &[&rows[..2], &used[2..], &[String::new()]].concat().join("\n"));
    let compared = levels(&with, "0.28", &["--against", word(&table)]);
    assert!(compared.stdout.contains("1 rows equal, 2 differ"), "{}", compared.stdout);
}
