//! `vaultwright dossier` against a revision of git.

use std::path::Path;
use std::process::Command;

use crate::common::{run_in, temporary};

const OLD: &str = "NAME: kept\nDEPTH: D:2-6\nMAP\n.....\n..x..\n.....\nENDMAP\n";
const NEW: &str = "\nNAME: added\nDEPTH: D:2-6\nWEIGHT: 100\nMARKER: m = lua:fog_machine{\
    cloud_type=\"flame\",pow_max=3,delay=10,size=1}\nSUBST: m = .\nMAP\n.....\n.xmx.\n.....\nENDMAP\n";

fn git(folder: &Path, words: &[&str]) {
    let identity = ["-c", "user.name=a", "-c", "user.email=a@example.org"];
    let run = Command::new("git").arg("-C").arg(folder).args(identity).args(words).output();
    assert!(run.expect("git").status.success(), "git {words:?}");
}

#[test]
fn a_change_is_told_with_odds_before_and_after() {
    let folder = temporary("dossier");
    let write = |text: &str| std::fs::write(folder.join("my.des"), text).expect("a file");
    write(OLD);
    git(&folder, &["init", "-q"]);
    git(&folder, &["add", "."]);
    git(&folder, &["commit", "-qm", "old"]);
    write(&format!("{OLD}{NEW}"));
    let dossier = ["dossier", "my.des", "--standalone"];

    let told = run_in(&folder, &[&dossier[..], &["--base", "HEAD"]].concat());
    assert_eq!(told.code, 0, "{}", told.stderr);
    let text = &told.stdout;
    assert!(text.contains("Against HEAD: 1 new, 0 changed, 1 as before, 0 gone."), "{text}");
    assert!(text.contains("## added (new)") && !text.contains("## kept"), "{text}");
    assert!(text.contains("isolated zones: in 0 of 24 placements"), "{text}");
    let row = text.lines().find(|line| line.starts_with("| added | 0.0000 % |"));
    assert!(row.is_some_and(|row| !row.ends_with("| 0.0000 % |")), "{text}");
    assert!(text.contains("Vaults that lose most"), "{text}");
    assert!(text.contains("FogMachine told of turn:"), "{text}");

    let page = ["dossier", "--file", "my.des", "--standalone", "--out", "d.html"];
    let page = run_in(&folder, &page);
    assert_eq!(page.code, 0, "{}", page.stderr);
    let page = std::fs::read_to_string(folder.join("d.html")).expect("a page");
    assert!(page.starts_with("<!DOCTYPE html>") && page.contains("<h2>kept (new)</h2>"), "{page}");

    let bad = run_in(&folder, &[&dossier[..], &["--base", "--output=x"]].concat());
    assert_eq!(bad.code, 2, "{}", bad.stderr);
    let bad = run_in(&folder, &[&dossier[..], &["--base", "no-such-revision"]].concat());
    assert_eq!(bad.code, 2, "{}", bad.stderr);
    assert!(!folder.join("x").exists());
}

#[test]
fn git_runs_no_program_that_the_folder_names() {
    let folder = temporary("dossier-hostile");
    std::fs::write(folder.join("ok.des"), OLD).expect("a file");
    git(&folder, &["init", "-q"]);
    git(&folder, &["add", "."]);
    git(&folder, &["commit", "-qm", "old"]);
    // The vault is to be fetched from a remote, whose program is any.
    let of = Command::new("git").arg("-C").arg(&folder).args(["rev-parse", "HEAD:ok.des"]).output();
    let object = String::from_utf8(of.expect("git").stdout).expect("a name");
    let (first, rest) = object.trim().split_at(2);
    std::fs::remove_file(folder.join(".git/objects").join(first).join(rest)).expect("it was there");
    let upload = format!("touch {}; false", folder.join("PWNED").display());
    for (key, value) in [
        ("core.repositoryformatversion", "1"),
        ("extensions.partialClone", "origin"),
        ("remote.origin.url", &*folder.to_string_lossy()),
        ("remote.origin.promisor", "true"),
        ("remote.origin.uploadpack", &upload),
        ("core.fsmonitor", &upload),
        ("core.pager", &upload),
        ("protocol.allow", "always"),
        ("protocol.file.allow", "always"),
    ] {
        git(&folder, &["config", key, value]);
    }
    let told = run_in(&folder, &["dossier", "ok.des", "--base", "HEAD", "--standalone"]);
    assert_eq!(told.code, 0, "{}", told.stderr);
    assert!(!folder.join("PWNED").exists(), "{}", told.stderr);
}
