//! Files of strangers: links, pipes and devices where files should be, damaged shards and tables,
//! names that lead elsewhere, text that would command a terminal. None of it may write where it
//! should not, hang, or pass unnoticed.
#![cfg(unix)]

use std::fs::File;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::common::{Run, run, run_in, temporary, word};
use vaultwright::stats::{Manifest, Shard, read_shard, write_shard};

const UNFORMATTED: &str = "NAME:   a\nDEPTH: D:3\n\n\n\nMAP\n@x\nENDMAP\n";

fn write(path: &Path, text: impl AsRef<[u8]>) {
    std::fs::write(path, text).expect("written");
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).expect("a text")
}

/// Runs the program, and kills it after a minute: what hangs has to fail.
fn run_soon(arguments: &[&str]) -> Run {
    let mut child = Command::new(env!("CARGO_BIN_EXE_vaultwright"))
        .args(arguments)
        .env_remove("VAULTWRIGHT_DATA")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let start = Instant::now();
    while child.try_wait().expect("a state").is_none() {
        if start.elapsed() > Duration::from_secs(60) {
            child.kill().expect("it was running");
            panic!("{arguments:?} hangs");
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    let output = child.wait_with_output().expect("its output");
    Run {
        code: output.status.code().expect("no signal"),
        stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        bytes: output.stdout,
    }
}

#[test]
fn fmt_writes_through_no_link() {
    let folder = temporary("fmt-links");
    let pack = folder.join("pack");
    std::fs::create_dir_all(pack.join("sub")).expect("a folder");
    let (victim, other) = (folder.join("victim.txt"), folder.join("other.des"));
    write(&victim, "precious");
    write(&other, UNFORMATTED);
    write(&pack.join("a.des"), UNFORMATTED);
    std::fs::set_permissions(pack.join("a.des"), PermissionsExt::from_mode(0o640)).expect("a mode");
    symlink("../victim.txt", pack.join("a.des.vaultwright-new")).expect("a link");
    symlink("../other.des", pack.join("b.des")).expect("a link");
    symlink("..", pack.join("sub/up")).expect("a link");
    let done = run(&["fmt", word(&pack)]);
    assert_eq!(done.code, 1, "what is not formatted is told");
    assert!(done.stderr.contains("b.des: not formatted: it is a link"), "{}", done.stderr);
    assert_eq!(read(&victim), "precious");
    assert_eq!(read(&other), UNFORMATTED);
    let formatted = pack.join("a.des");
    assert!(read(&formatted) != UNFORMATTED && !formatted.is_symlink());
    let mode = std::fs::metadata(&formatted).expect("a file").permissions().mode();
    assert_eq!(mode & 0o777, 0o640);
    let names = std::fs::read_dir(&pack).expect("the pack").count();
    assert_eq!(names, 4, "nothing new lies in the pack");
    assert_eq!(run(&["fmt", word(&pack.join("b.des"))]).code, 1);
    assert_eq!(read(&other), UNFORMATTED);
}

#[test]
fn a_saved_game_follows_no_link() {
    let folder = temporary("save-links");
    write(&folder.join("keys"), "S");
    write(&folder.join("victim"), "precious");
    symlink("victim", folder.join("q.save.new")).expect("a link");
    symlink("victim", folder.join("linked.save")).expect("a link");
    let save = |name: &str| {
        run_in(&folder, &["explore", "D:1", "--headless", "--script", "keys", "--save", name])
    };
    assert_eq!(save("q.save").code, 0);
    assert!(std::fs::read(folder.join("q.save")).expect("a save").starts_with(b"VWGAME"));
    let refused = save("linked.save");
    assert_eq!(refused.code, 1);
    assert!(refused.stdout.contains("it is a link"), "{}", refused.stdout);
    assert_eq!(read(&folder.join("victim")), "precious");
}

fn campaign(out: &Path, more: &[&str]) -> Run {
    run_soon(&[&["mapstat", "4", "D:1", "--out", word(out)], more].concat())
}

#[test]
fn folders_of_campaigns_hold_no_links() {
    let folder = temporary("campaign-links");
    write(&folder.join("elsewhere"), "precious");
    for (name, link) in [("a", "report.html"), ("b", "tables"), ("c", "shards/000000.shard")] {
        let out = folder.join(name);
        assert_eq!(campaign(&out, &[]).code, 0);
        let link = out.join(link);
        let _ = std::fs::remove_file(&link);
        let _ = std::fs::remove_dir_all(&link);
        symlink(folder.join("elsewhere"), &link).expect("a link");
        let refused = campaign(&out, &[]);
        assert_eq!(refused.code, 1, "{name}");
        assert!(refused.stderr.contains("is a link: folders of campaigns hold none"));
    }
    assert_eq!(read(&folder.join("elsewhere")), "precious");
}

#[test]
fn a_campaign_killed_before_its_manifest_goes_on() {
    let folder = temporary("campaign-killed-early");
    let shards = folder.join("shards");
    std::fs::create_dir_all(&shards).expect("a folder");
    write(&folder.join(".manifest.json.abcdef"), "{}");
    write(&shards.join("000000.shard"), "of somebody else");
    assert!(campaign(&folder, &[]).stderr.contains("holds other files"));
    std::fs::remove_file(shards.join("000000.shard")).expect("a file");
    assert_eq!(campaign(&folder, &[]).code, 0);
}

#[test]
fn nothing_stays_in_the_temporary_folder() {
    let scratch = temporary("scratch");
    let count = || std::fs::read_dir(&scratch).expect("a folder").count();
    let start = |games: &str| {
        Command::new(env!("CARGO_BIN_EXE_vaultwright"))
            .args(["mapstat", games, "--jobs", "1"])
            .env("TMPDIR", &scratch)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the program starts")
    };
    assert!(start("1").wait().expect("it ends").success());
    assert_eq!(count(), 0);
    let mut killed = start("100000");
    let begun = Instant::now();
    let within = |seconds| begun.elapsed() < Duration::from_secs(seconds);
    while count() == 0 && within(30) {
        std::thread::sleep(Duration::from_millis(5));
    }
    let names = std::fs::read_dir(&scratch).expect("a folder").flatten();
    let names: Vec<PathBuf> = names.map(|entry| entry.path()).collect();
    assert!(!word(&names[0]).contains(&killed.id().to_string()), "{names:?} can be foreseen");
    let mode = std::fs::metadata(&names[0]).expect("a folder").permissions().mode();
    assert_eq!(mode & 0o077, 0, "others can look into it");
    // The worker has to be there for somebody to clean up: its log is made before it begins.
    while !names[0].join("shards/000000.shard").exists() && within(30) {
        std::thread::sleep(Duration::from_millis(5));
    }
    killed.kill().expect("it was running");
    killed.wait().expect("it ends");
    while count() > 0 && within(60) {
        std::thread::sleep(Duration::from_millis(10));
    }
    assert_eq!(count(), 0, "a campaign that was killed leaves its folder behind");
}

/// Made-up shards have right checksums here: whoever makes them up can compute those, too.
#[test]
fn shards_that_are_not_what_they_should_be_are_made_again_with_a_word() {
    let folder = temporary("campaign-shards");
    let (quiet, out) = (folder.join("quiet"), folder.join("out"));
    assert_eq!(campaign(&quiet, &[]).code, 0);
    assert_eq!(campaign(&out, &[]).code, 0);
    let shard = |folder: &Path, number: u64| folder.join(format!("shards/{number:06}.shard"));
    let same = || {
        (0..4).all(|n| {
            let bytes = |folder: &Path| std::fs::read(shard(folder, n)).expect("a shard");
            bytes(&quiet) == bytes(&out)
        })
    };
    let manifest = Manifest::read(&out).expect("readable").expect("a manifest");
    let whole = read_shard(&out, &manifest, 1).expect("whole");
    // Without its game, and with that of another.
    write_shard(&out, &manifest, 0, &Shard::default(), &[]).expect("written");
    write_shard(&out, &manifest, 2, &whole, &[]).expect("written");
    let merged = run_soon(&["merge", word(&out), "--out", word(&folder.join("merged"))]);
    assert_eq!(merged.code, 1);
    assert!(merged.stderr.contains("2 of 4 shards are in no part"), "{}", merged.stderr);
    assert!(merged.stderr.contains("000002.shard is damaged, or not of this place"));
    let again = campaign(&out, &[]);
    assert_eq!(again.code, 0);
    for number in [0, 2] {
        let told = format!("{number:06}.shard is damaged, or not of this place in this campaign");
        assert!(again.stderr.contains(&told), "{}", again.stderr);
    }
    assert!(again.stdout.starts_with("4 games") && same());
    // Two that changed places.
    let (first, second) = (shard(&out, 0), shard(&out, 3));
    std::fs::rename(&first, folder.join("x")).expect("moved");
    std::fs::rename(&second, &first).expect("moved");
    std::fs::rename(folder.join("x"), &second).expect("moved");
    let again = campaign(&out, &[]);
    assert!(again.code == 0 && again.stderr.matches("is damaged").count() == 2 && same());
}

#[test]
fn tables_that_cannot_be_compared_with_are_errors() {
    let folder = temporary("bad-tables");
    let path = folder.join("table");
    let rolled = run(&["resolve", "--all", "--format", "tsv"]).bytes;
    let against = |command: &[&str], bytes: &[u8]| {
        write(&path, bytes);
        run(&[command, &["--against", word(&path)]].concat())
    };
    let resolve = ["resolve", "--all"];
    let whole = against(&resolve, &rolled);
    assert_eq!(whole.code, 0, "{}", whole.stderr);
    let header = rolled.iter().position(|&b| b == b'\n').expect("a line") + 1;
    let packed = |bytes: &[u8]| {
        let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        std::io::Write::write_all(&mut packed, bytes).expect("memory");
        packed.finish().expect("memory")
    };
    let gz = packed(&rolled);
    let cases: [(&str, Vec<u8>, &str); 7] = [
        ("empty", Vec::new(), "is empty"),
        ("cut off", rolled[..rolled.len() - 3].to_vec(), "is cut off"),
        ("packed and cut off", gz[..gz.len() / 2].to_vec(), "no whole gzip file"),
        ("foreign", b"colour\tsize\nred\t3\n".to_vec(), "is another table"),
        ("no text at all", vec![0; 5000], "is cut off"),
        ("without rows", rolled[..header].to_vec(), "nothing was compared"),
        (
            "of other maps",
            [&rolled[..header], b"nobody\t1\tok\t1\t1\t.\t0:6\n"].concat(),
            "nothing was compared",
        ),
    ];
    for (name, bytes, told) in cases {
        let compared = against(&resolve, &bytes);
        assert_eq!(compared.code, 1, "{name}: {}", compared.stdout);
        assert!(compared.stderr.contains(told), "{name}: {}", compared.stderr);
    }
    for command in [&["place", "--all"][..], &["levels", "D:1"], &["levels", "D:1", "--trace"]] {
        let compared = against(command, b"colour\tsize\nred\t3\n");
        assert_eq!(compared.code, 1, "{command:?}");
        assert!(compared.stderr.contains("is another table"), "{}", compared.stderr);
    }
    // All members of a gzip file count.
    let half = rolled.iter().position(|&b| b == b'\n').expect("a line") + 1;
    let changed = String::from_utf8_lossy(&rolled[half..]).replace("\tok\t", "\tnone\t");
    let members = [packed(&rolled[..half]), packed(changed.as_bytes())].concat();
    let compared = against(&resolve, &members);
    assert!(compared.code == 1 && compared.stdout.contains("0 rows equal"), "{}", compared.stdout);
}

#[test]
fn names_of_maps_lead_nowhere() {
    let folder = temporary("names");
    let (pack, out) = (folder.join("pack"), folder.join("out"));
    std::fs::create_dir_all(pack.join("des")).expect("a folder");
    std::fs::create_dir_all(folder.join("OUTSIDE")).expect("a folder");
    let names = ["OUTSIDE/PWNED", "../../OUTSIDE/PWNED", "..", "a\\b"];
    let map = |name: &str| {
        format!(
            "NAME: {name}\nDEPTH: D\nTAGS: transparent no_exits\nMAP\nxxxxx\nx...x\nxxxxx\nENDMAP\n"
        )
    };
    write(&pack.join("des/a.des"), names.map(map).concat());
    std::fs::create_dir(&out).expect("a folder");
    symlink(folder.join("OUTSIDE"), out.join("OUTSIDE")).expect("a link");
    let check = ["place", "--all", "--check", "tele", "--data", word(&pack), "--out", word(&out)];
    let checked = run(&check);
    assert_eq!(checked.code, 1, "{}", checked.stderr);
    assert!(out.join("OUTSIDE%2FPWNED-tele-1.png").is_file());
    assert_eq!(std::fs::read_dir(&out).expect("a folder").count(), 5);
    assert_eq!(std::fs::read_dir(folder.join("OUTSIDE")).expect("a folder").count(), 0);
}

#[test]
fn circles_pipes_and_devices_in_a_pack_are_skipped_with_a_word() {
    let pack = temporary("astray");
    std::fs::create_dir_all(pack.join("des/loop")).expect("a folder");
    let map = "NAME: a\nDEPTH: D:3\nTAGS: no_monster_gen\nMAP\n@..\nENDMAP\n";
    write(&pack.join("des/a.des"), map);
    symlink(".", pack.join("des/self")).expect("a link");
    symlink("../loop", pack.join("des/loop/up")).expect("a link");
    symlink("/dev/zero", pack.join("des/zero.des")).expect("a link");
    let made = Command::new("mkfifo").arg(pack.join("des/pipe.des")).status().expect("mkfifo");
    assert!(made.success());
    let (data, des) = (word(&pack).to_owned(), pack.join("des"));
    for command in [
        &["check", "--data", &data][..],
        &["check", word(&des)],
        &["resolve", "a", "--data", &data],
        &["mapstat", "1", "D:1", "--data", &data],
        &["fmt", "--check", word(&des)],
    ] {
        let done = run_soon(command);
        for name in ["self", "loop/up", "zero.des", "pipe.des"] {
            let told = if command[0] == "check" { &done.stdout } else { &done.stderr };
            let is_told = told.lines().any(|line| {
                line.contains(&format!("des/{name}"))
                    && (command[0] != "check" || line.contains("warning [VW206] not read: "))
            });
            assert!(is_told, "{command:?}, {name}: {told}");
        }
    }
    let checked = run_soon(&["check", "--data", &data]);
    assert!(
        checked.stdout.contains("1 map in 1 file: no errors, 4 warnings"),
        "{}",
        checked.stdout
    );
    for format in ["json", "sarif", "github"] {
        let told = run_soon(&["check", "--data", &data, "--format", format]).stdout;
        assert!(told.contains("VW206") && told.contains("pipe.des"), "{format}: {told}");
    }
    assert_eq!(run_soon(&["check", "--data", &data, "--deny", "warnings"]).code, 1);
    assert_eq!(run_soon(&["check", "/dev/zero"]).code, 3);
}

#[test]
fn a_pipe_in_place_of_a_table_is_told() {
    let pack = temporary("piped-pack");
    for folder in ["des", "mons", "tables"] {
        std::fs::create_dir_all(pack.join(folder)).expect("a folder");
    }
    write(&pack.join("pack.json"), "{\"name\": \"piped\"}");
    let des = pack.join("des/a.des");
    write(&des, "NAME: a\nDEPTH: D\nMAP\nx\nENDMAP\n");
    let data = word(&pack).to_owned();
    symlink("/dev/zero", pack.join("mons/zero.yaml")).expect("a link");
    symlink("/dev/zero", pack.join("tables/gods.json")).expect("a link");
    let told = run_soon(&["check", "--data", &data]).stdout;
    for name in ["mons/zero.yaml", "tables/gods.json"] {
        let is_told = |line: &str| line.contains(name) && line.contains("VW206");
        assert!(told.lines().any(is_told), "{name}: {told}");
    }
    // The tree around a file is looked for as well.
    std::fs::remove_file(pack.join("pack.json")).expect("it was there");
    for made in ["link", "pipe"] {
        match made {
            "link" => symlink("/dev/zero", pack.join("pack.json")).expect("a link"),
            _ => {
                let made = Command::new("mkfifo").arg(pack.join("pack.json")).status();
                assert!(made.expect("mkfifo").success());
            }
        }
        for command in [&["check", "--data", &data][..], &["check", word(&des)]] {
            let done = run_soon(command);
            let told = format!("{}{}", done.stdout, done.stderr);
            assert!(told.contains("pack.json") && told.contains("it is no file"), "{told}");
        }
        assert_ne!(run_soon(&["generate", "D:1", "--data", &data]).code, 0);
        std::fs::remove_file(pack.join("pack.json")).expect("it was there");
    }
}

#[test]
fn what_cannot_be_meant_is_a_usage_error() {
    let most = u64::MAX.to_string();
    let range = format!("0..{most}");
    for command in [
        &["resolve", "--all", "--seed", &range][..],
        &["resolve", "--all", "--seed", "0..4000000000"],
        &["resolve", "--all", "--count", &most],
        &["exercise", "--all", "--seed", &range],
        &["mapstat", &most],
        &["objstat", &most],
        &["seeds", "D:1 has shop", "--search", &most],
        &["seeds", "--find", &most],
        &["seeds", ""],
        &["place", "moonlit_pond", "--format", "png", "--count", "10"],
        &["mapstat", "0"],
        &["mapstat", "1", ""],
        &["mapstat", "18446744073709551616"],
        &["generate", "D:-1"],
        &["lair", ".", "--turns", "4294967295"],
    ] {
        let refused = run_soon(command);
        assert_eq!(refused.code, 2, "{command:?}: {}", refused.stderr);
        assert!(refused.stderr.contains("error: "), "{}", refused.stderr);
    }
    // The last seeds of all are seeds.
    let last = format!("{}..{most}", u64::MAX - 1);
    assert_eq!(run_soon(&["resolve", "moonlit_pond", "--seed", &last]).code, 0);
    for deep in ["(".repeat(20_000), "not ".repeat(20_000)] {
        let refused = run_soon(&["seeds", &deep]);
        assert_eq!(refused.code, 2);
        assert!(refused.stderr.contains("more than 100 brackets"), "{}", refused.stderr);
    }
}

#[test]
fn a_full_disk_is_an_error() {
    if !Path::new("/dev/full").exists() {
        eprintln!("SKIPPED: there is no /dev/full");
        return;
    }
    let folder = temporary("full");
    let file = folder.join("a.des");
    write(&file, UNFORMATTED);
    let full = |to_stderr: bool, arguments: &[&str]| {
        let sink = || Stdio::from(File::options().write(true).open("/dev/full").expect("open"));
        let mut command = Command::new(env!("CARGO_BIN_EXE_vaultwright"));
        command.args(arguments).stdout(sink());
        command.stderr(if to_stderr { sink() } else { Stdio::piped() });
        let output = command.spawn().expect("it starts").wait_with_output().expect("it ends");
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    for arguments in [
        &["check", word(&file)][..],
        &["fmt", "--check", word(&file)],
        &["levels", "D:1", "--check"],
        &["objstat", "1", "D:1"],
        &["resolve", "moonlit_pond"],
    ] {
        let (code, stderr) = full(false, arguments);
        assert_eq!(code, Some(3), "{arguments:?}: {stderr}");
        assert!(stderr.contains("error: ") && !stderr.contains("panicked"), "{stderr}");
        assert_eq!(full(true, arguments).0, Some(3), "{arguments:?}");
    }
}

#[test]
fn a_byte_order_mark_is_read_over() {
    let folder = temporary("mark");
    let file = folder.join("a.des");
    write(&file, format!("\u{feff}{}", "NAME: a\nDEPTH: D:3\nFOO: x\nMAP\n@\nENDMAP\n"));
    let checked = run(&["check", "--format", "json", word(&file)]).stdout;
    let found: serde_json::Value = serde_json::from_str(&checked).expect("JSON");
    assert_eq!((&found[0]["code"], &found[0]["line"]), (&"VW208".into(), &1.into()));
    assert_eq!((&found[1]["code"], &found[1]["line"]), (&"VW001".into(), &3.into()));
    assert_eq!(found[1]["column"], 1);
    assert!(found[2]["severity"] != "error", "{found}");
    write(&file, format!("\u{feff}{}", "NAME: a\nDEPTH: D:3\nMAP\n@\nENDMAP\n"));
    let shown = run(&["check", "--diff", word(&file)]).stdout;
    assert!(shown.contains("-\u{feff}NAME: a\n+NAME: a\n"), "{shown}");
    assert_eq!(run(&["check", "--fix", word(&file)]).code, 0);
    assert!(read(&file).starts_with("NAME: a"));
    assert!(!run(&["check", word(&file)]).stdout.contains("VW208"));
    write(&file, format!("\u{feff}{UNFORMATTED}"));
    assert_eq!(run(&["fmt", word(&file)]).code, 0);
    assert!(read(&file).starts_with("NAME:"));
    assert_eq!(run(&["fmt", "--check", word(&file)]).code, 0);
}

/// What no text of a stranger may send to a terminal: a title, a colour by C1, the other direction.
const EVIL: &str = "x\x1b]0;title\x07\u{9b}31m\u{202e}y";

fn is_shown(text: &str) -> bool {
    !text.contains(|c: char| {
        matches!(c, '\0'..='\x08' | '\x0b'..='\x1f' | '\x7f'..='\u{9f}' | '\u{202a}'..='\u{202e}')
    })
}

#[test]
fn nothing_of_a_stranger_commands_a_terminal() {
    let folder = temporary("escapes");
    let file = folder.join(format!("{EVIL}.des"));
    let text = format!(
        "NAME: {EVIL}\nDEPTH: D:3\nMONS: {EVIL}\nMAP\n@1\nENDMAP\n\n\
         NAME: b\nDEPTH: D:3\n: print(\"{EVIL}\\n::stop-commands::t\\r::error::u\")\n\
         MAP\n@..\nENDMAP\n\n\
         NAME: c\nDEPTH: D:3\n: error(\"{EVIL}\\n::error::u\")\nMAP\n@..\nENDMAP\n"
    );
    write(&file, text);
    let no_commands = |text: &str, but: &[&str]| {
        let is_command = |line: &str| line.trim_start().starts_with("::");
        let ours = |line: &str| but.iter().any(|word| line.starts_with(word));
        text.lines().all(|line| !is_command(line) || ours(line))
    };
    for format in ["human", "json", "sarif", "github"] {
        let checked = run(&["check", "--format", format, word(&file)]);
        assert_eq!(checked.code, 1);
        assert!(is_shown(&checked.stdout), "{format}: {:?}", checked.stdout);
        assert!(is_shown(&checked.stderr), "{format}: {:?}", checked.stderr);
        assert!(checked.stderr.contains("lua: "), "{}", checked.stderr);
        assert!(no_commands(&checked.stderr, &[]), "{:?}", checked.stderr);
        let own = ["::error file=", "::warning file="];
        assert!(no_commands(&checked.stdout, &own), "{format}: {:?}", checked.stdout);
        if format == "json" {
            let value: serde_json::Value = serde_json::from_str(&checked.stdout).expect("JSON");
            assert!(value.to_string().contains(EVIL) || value[0]["map"] == EVIL, "{value}");
        }
    }
    let data = folder.join("pack/des");
    std::fs::create_dir_all(&data).expect("a folder");
    std::fs::copy(&file, data.join("a.des")).expect("a copy");
    for command in [&["resolve", "--all"][..], &["place", EVIL], &["show", "c"]] {
        let data = ["--data", word(data.parent().expect("a folder"))];
        let done = run(&[command, &data].concat());
        assert!(is_shown(&done.stdout) && is_shown(&done.stderr), "{command:?} {}", done.stderr);
        assert!(no_commands(&done.stderr, &[]), "{:?}", done.stderr);
    }
}

#[test]
fn names_of_files_stay_in_their_annotations_and_references() {
    let folder = temporary("annotations");
    let strange = "sp ace,b:c#\n::error::x.des";
    write(&folder.join(strange), "NAME: a\nDEPTH: D:3\nFOO: x\nMAP\n@\nENDMAP\n");
    let github = run_in(&folder, &["check", "--format", "github", strange]).stdout;
    let name = "sp ace%2Cb%3Ac#%0A%3A%3Aerror%3A%3Ax.des";
    assert!(
        github.starts_with(&format!("::error file={name},line=3,col=1,title=VW001::")),
        "{github}"
    );
    assert!(
        github.lines().all(
            |line| line.starts_with("::error file=sp") || line.starts_with("::warning file=sp")
        )
    );
    let sarif = run_in(&folder, &["check", "--format", "sarif", strange]).stdout;
    let sarif: serde_json::Value = serde_json::from_str(&sarif).expect("JSON");
    let place = &sarif["runs"][0]["results"][0]["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], "sp%20ace%2Cb%3Ac%23%0A%3A%3Aerror%3A%3Ax.des");
}

#[test]
fn formatting_a_huge_line_takes_bounded_memory() {
    let folder = temporary("huge-line");
    let file = folder.join("a.des");
    let map = format!("NAME: a\nDEPTH: D\nTAGS:   {}\nMAP\nd\nENDMAP\n", "a ".repeat(1_000_000));
    write(&file, &map);
    let program = env!("CARGO_BIN_EXE_vaultwright");
    let done = Command::new("sh")
        .args(["-c", "ulimit -c 0 && ulimit -v 600000 && exec \"$0\" fmt --check \"$1\"", program])
        .arg(&file)
        .output()
        .expect("a shell");
    let told = String::from_utf8_lossy(&done.stdout);
    assert_eq!(done.status.code(), Some(1), "{}", String::from_utf8_lossy(&done.stderr));
    assert!(told.contains("would be formatted"), "{told}");
}
