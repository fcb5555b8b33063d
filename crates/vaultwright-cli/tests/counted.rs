//! Levels of campaigns once more, by the commands that reports name.

use serde_json::Value;

use crate::common::{Run, run, temporary, word};

fn json(run: &Run) -> Value {
    serde_json::from_str(&run.stdout).unwrap_or_else(|error| panic!("{error}: {}", run.stderr))
}

/// The words of the commands that a run names.
fn commands(run: &Run) -> Vec<Vec<String>> {
    let lines = run.stdout.lines().filter_map(|line| line.trim().strip_prefix("vaultwright "));
    lines.map(|line| line.split(' ').map(str::to_owned).collect()).collect()
}

fn again(command: &[String], more: &[&str]) -> Run {
    let words: Vec<&str> = command.iter().map(String::as_str).chain(more.iter().copied()).collect();
    run(&words)
}

/// Levels of a range stand behind no others: whoever builds the whole game gets others.
#[test]
fn a_level_of_a_range_is_shown_again_as_it_was_counted() {
    let map = "moonlit_pond";
    let counted = run(&["mapstat", "60", "D:3-4", "--map", map, "--top", "6"]);
    assert_eq!(counted.code, 0, "{}", counted.stderr);
    let commands = commands(&counted);
    assert!(commands.len() > 2, "{}", counted.stdout);
    for command in &commands {
        assert!(command.contains(&"--counted=D:3-4".to_owned()), "{command:?}");
        let shown = again(command, &[]);
        assert!(shown.code == 0 && shown.stdout.contains(map), "{command:?}: {}", shown.stderr);
    }
}

/// One game whose levels are counted one by one.
#[test]
fn all_that_is_counted_is_on_the_level() {
    let options = ["--without", "moonlit_pond", "--seed", "7"];
    let counted = run(&[&["mapstat", "1", "D:3-4", "--format", "json"], &options[..]].concat());
    let counted = json(&counted);
    let mut is_another = false;
    for place in ["D:3", "D:4"] {
        let places = counted["places"].as_array().expect("places");
        let here = places.iter().find(|one| one["place"] == place).expect("the place");
        let level = |more: &[&str]| {
            json(&run(&[&["generate", place, "--seed", "7", "--format", "json"], more].concat()))
        };
        let count = |level: &Value, what: &str| level[what].as_array().map_or(0, Vec::len) as f64;
        let shown = level(&["--counted=D:3-4", "--without", "moonlit_pond"]);
        let monsters = here["means"]["monsters"].as_f64().expect("a number");
        assert_eq!(count(&shown, "monsters"), monsters, "{place}");
        let items = here["means"]["items"].as_f64().expect("a number");
        assert_eq!(count(&shown, "items"), items, "{place}");
        is_another |= level(&[])["monsters"] != shown["monsters"];
    }
    assert!(is_another, "the whole game has other levels there");
}

#[test]
fn a_map_that_is_done_without_is_not_even_tried() {
    let with = |more: &[&str]| {
        let options = ["mapstat", "40", "D:2", "--top", "300", "--format", "text"];
        run(&[&options[..], more].concat()).stdout
    };
    assert!(with(&[]).contains("moonlit_pond"));
    let without = with(&["--without", "moonlit_pond"]);
    assert!(!without.contains("moonlit_pond"), "{without}");
}

#[test]
fn the_report_names_what_the_campaign_was_made_with() {
    let folder = temporary("counted-report");
    let made = [
        "mapstat",
        "2",
        "D:2,!D:9",
        "--force-map",
        "moonlit_pond",
        "--without",
        "trigger_clock",
        "--instructions",
        "900000000",
        "--out",
        word(&folder),
    ];
    assert_eq!(run(&made).code, 0);
    let report = std::fs::read_to_string(folder.join("report.html")).expect("a report");
    let command = "vaultwright generate D:2 --seed 1 --annotate '--counted=D:2,!D:9' \
                   --force moonlit_pond --without trigger_clock";
    let escaped = command.replace('\'', "&#39;");
    assert!(report.contains(command) || report.contains(&escaped), "{report}");
    // With the options for the pack.
    assert!(report.contains(" --instructions 900000000</code>"), "{report}");
}

/// Connectivity of the builder stops at vaults; who walks does not.
#[test]
fn a_vault_that_is_the_whole_level_has_a_shape() {
    let folder = temporary("counted-encompass");
    let row = format!("x{}x\n", ".".repeat(78));
    let map = "x".repeat(80) + "\n" + &row.repeat(68).replacen("...", "{[(", 1);
    let map = map.replacen("....", "}])<", 1) + &"x".repeat(80);
    let text = format!("NAME: all_of_it\nPLACE: D:2\nORIENT: encompass\nMAP\n{map}\nENDMAP\n");
    let file = folder.join("all.des");
    std::fs::write(&file, text).expect("a file");
    let counted = run(&["mapstat", "1", "D:2", "--file", word(&file), "--format", "json"]);
    let counted = json(&counted);
    let means = &counted["places"][0]["means"];
    assert!(means["vaults"] == 1.0 && means["zones"] == 1.0, "{counted}");
    assert!(means["open"].as_f64() > Some(5000.0), "{means}");
}

#[test]
fn what_is_not_counted_is_told() {
    let other = run(&["generate", "D:5", "--counted=D:3-4"]);
    assert_eq!(other.code, 1, "{}", other.stdout);
    assert!(other.stderr.contains("D:5 is not among the levels"), "{}", other.stderr);
    for wrong in [&["--without", "moonlit_pond"][..], &["--counted", "--alone"]] {
        assert_eq!(run(&[&["generate", "D:2"], wrong].concat()).code, 2, "{wrong:?}");
    }
}
