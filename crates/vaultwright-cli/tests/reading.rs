//! Packs that cannot be read: what hangs or dies while they are is left out of a campaign, and
//! told.
#![cfg(target_os = "linux")]

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use crate::common::{children_of, run, signal, temporary};

/// So many instructions that a loop goes on until its time is used up.
const ENDLESS: &str = "1000000000000000";
const DRAWING: &str = "ORIENT: encompass\nMAP\nxxxxxxxx\nx{[(}])x\nx......x\nxxxxxxxx\nENDMAP\n";

/// A pack with a level that can be built, and a file of this text.
fn pack(name: &str, text: &str) -> PathBuf {
    let folder = temporary(name);
    std::fs::create_dir_all(folder.join("des")).expect("a folder");
    let good = format!("NAME: good\nPLACE: D:1\n{DRAWING}");
    std::fs::write(folder.join("des/a.des"), good).expect("a file");
    std::fs::write(folder.join("des/b.des"), text).expect("a file");
    folder
}

fn map(name: &str, lua: &str) -> String {
    format!("NAME: {name}\nPLACE: D:2\n{lua}\n{DRAWING}")
}

#[test]
fn what_hangs_while_a_pack_is_read_is_left_out() {
    let endless = "while true do end";
    let text = map("main", &format!("{{{{ {endless} }}}}"))
        + &map("validated", &format!("validate {{{{ {endless} }}}}"))
        + &map("last", &format!("epilogue {{{{ {endless} }}}}"))
        // What fails behind them does not have them compiled again.
        + &map("fails", "{{ error('no') }}");
    let pack = pack("reading-hangs", &text);
    std::fs::write(
        pack.join("des/c.des"),
        format!("{{{{ {endless} }}}}\n{}", map("of_a_prelude", "")),
    )
    .expect("a file");
    let (data, out) = (pack.to_str().expect("a path"), temporary("reading-hangs-out"));
    let words = ["mapstat", "1", "D:1-2", "--jobs", "1", "--data", data];
    let more = ["--instructions", ENDLESS, "--out", out.to_str().expect("a path"), "--patience"];
    let survey = run(&[&words[..], &more, &["0.7"]].concat());
    assert_eq!(survey.code, 0, "{}", survey.stderr);
    assert!(survey.stdout.contains("2 levels: 1 built, 1 failed"), "{}", survey.stdout);
    let report = std::fs::read_to_string(out.join("report.html")).expect("a report");
    for name in ["main", "validated", "last", "c.des"] {
        let is_told = |text: &str| {
            text.lines().any(|line| line.contains(name) && line.contains("no answer for"))
        };
        assert!(is_told(&survey.stderr), "{name}: {}", survey.stderr);
        assert!(is_told(&survey.stdout), "{name}: {}", survey.stdout);
        assert!(report.contains(name), "{name} is not in the report");
    }
    assert!(!survey.stderr.contains("good"), "{}", survey.stderr);
    // Who goes on with it knows already what hangs, and does the same.
    let again = run(&[&words[..], &more, &["600"]].concat());
    let without_speed = |text: &str| text.replace(text.lines().next().unwrap_or_default(), "");
    assert_eq!(again.code, 0, "{}", again.stderr);
    assert_eq!(without_speed(&again.stdout), without_speed(&survey.stdout));
}

/// The child of a process that has used a second of a processor, which reading a small pack never
/// does.
fn busy_child(parent: &mut Child) -> u32 {
    let ticks = |process: u32| -> Option<u64> {
        let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
        stat.rsplit_once(')')?.1.split_whitespace().nth(11)?.parse().ok()
    };
    loop {
        let is_busy = |process: &u32| ticks(*process).is_some_and(|ticks| ticks > 100);
        if let Some(child) = children_of(parent.id()).into_iter().find(is_busy) {
            return child;
        }
        assert!(parent.try_wait().expect("a status").is_none(), "no child was ever busy");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// A campaign whose child is sent a signal while it is at something; what was told on standard
/// error.
fn struck(pack: &Path, patience: &str, sent: &str) -> (String, String) {
    let program = env!("CARGO_BIN_EXE_vaultwright");
    let mut campaign = Command::new(program)
        .args(["mapstat", "1", "D:1-2", "--jobs", "1", "--instructions", ENDLESS])
        .args(["--patience", patience, "--data"])
        .arg(pack)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program");
    signal(busy_child(&mut campaign), sent);
    let output = campaign.wait_with_output().expect("an end");
    assert_eq!(output.status.code(), Some(0));
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (text(&output.stdout), text(&output.stderr))
}

#[test]
fn a_reader_that_dies_leaves_out_what_it_was_at() {
    let endless = map("deadly", "{{ while true do end }}");
    let (out, told) = struck(&pack("reading-dies", &endless), "600", "-KILL");
    assert!(
        told.contains("'deadly' of des/b.des is left out") && told.contains("signal 9"),
        "{told}"
    );
    assert!(out.contains("'deadly' of des/b.des: signal 9"), "{out}");
    assert!(out.contains("2 levels: 1 built, 1 failed"), "{out}");
}

#[test]
fn a_worker_that_dies_or_stops_leaves_out_what_it_was_at() {
    let loops = "{{ if not is_validating() then while true do end end }}";
    let endless = map("deadly", "").replace("\nMAP", &format!("\n{loops}\nMAP"));
    for (sent, patience, end) in [("-ABRT", "600", "signal 6"), ("-STOP", "8", "no answer for 8")] {
        let (out, told) = struck(&pack(&format!("worker{sent}"), &endless), patience, sent);
        assert!(told.contains("'deadly' is left out of game 1 (D:2)"), "{told}");
        assert!(out.contains("deadly") && out.contains(end), "{out}");
        assert!(out.contains("2 levels: 1 built, 1 failed"), "{out}");
    }
}
