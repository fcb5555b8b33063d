//! Vaults of one's own on every command: files, standard input, forced onto levels.

use std::io::Write;
use std::process::{Command, Stdio};

use crate::common::{run, run_in, temporary};

const VAULT: &str = "NAME: my_shrine\nDEPTH: D:9\nWEIGHT: 1\nKFEAT: A = altar_trog\nMAP\n.....\n..A..\n.....\nENDMAP\n";

fn own_file(name: &str) -> String {
    let path = temporary(name).join("my.des");
    std::fs::write(&path, VAULT).expect("a file");
    path.to_str().expect("a path").to_owned()
}

fn run_on(text: &str, arguments: &[&str]) -> (Option<i32>, String) {
    let mut program = Command::new(env!("CARGO_BIN_EXE_vaultwright"))
        .args(arguments)
        .env_remove("VAULTWRIGHT_DATA")
        .env("NO_COLOR", "1")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program runs");
    // It may end before it has read all.
    let _ = program.stdin.take().expect("a pipe").write_all(text.as_bytes());
    let output = program.wait_with_output().expect("an end");
    (output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned())
}

#[test]
fn standard_input_is_formatted() {
    let text = "NAME: a\r\nTAGS:   b   c\r\nMAP\r\n.\r\nENDMAP\r\n";
    let formatted = "NAME:   a\r\nTAGS:   b c\r\nMAP\r\n.\r\nENDMAP\r\n";
    assert_eq!(run_on(text, &["fmt", "-"]), (Some(0), formatted.to_owned()));
    assert_eq!(run_on(text, &["fmt", "--check", "-"]).0, Some(1));
    assert_eq!(run_on(formatted, &["fmt", "--check", "-"]).0, Some(0));
    let broken = "NAME: a\n  TAGS: a, b\n";
    assert_eq!(run_on(broken, &["fmt", "-"]), (Some(1), broken.to_owned()));
}

#[test]
fn a_forced_vault_stands_where_it_never_would() {
    let file = own_file("own-forced");
    let force = ["--force", "my_shrine", "--file", &file, "--standalone"];
    for arguments in [&["levels", "D:3", "--seed", "1..5"][..], &["generate", "D:3", "--annotate"]]
    {
        let with = run(&[arguments, &force[..]].concat());
        assert_eq!(with.code, 0, "{}", with.stderr);
        let rows = with.stdout.lines().filter(|line| line.contains("my_shrine")).count();
        assert!(rows >= if arguments[0] == "levels" { 5 } else { 1 }, "{}", with.stdout);
        let without = run(&[arguments, &force[2..]].concat());
        assert!(!without.stdout.contains("my_shrine"), "its DEPTH is elsewhere");
    }
    let unknown = run(&["generate", "D:3", "--force", "my_shrin", "--file", &file, "--standalone"]);
    assert!(unknown.stderr.contains("did you mean 'my_shrine'?"), "{}", unknown.stderr);
}

#[test]
fn the_lua_of_a_file_can_be_read() {
    let file = own_file("own-dumped");
    let alone = run(&["dump", "--file", &file]);
    assert_eq!(alone.code, 0, "{}", alone.stderr);
    assert!(alone.stdout.contains("kfeat(\"A = altar_trog\")"), "{}", alone.stdout);
    let starter = concat!(env!("CARGO_MANIFEST_DIR"), "/../../packs/starter");
    let in_the_pack = run(&["dump", "--file", &file, "--data", starter]);
    assert_eq!(in_the_pack.stdout, alone.stdout);
    let both = run(&["dump", "my_shrine", "moonlit_pond", "--file", &file, "--data", starter]);
    assert_eq!(both.code, 0, "{}", both.stderr);
    assert!(both.stdout.contains(&alone.stdout) && both.stdout.len() > alone.stdout.len());
}

#[test]
fn a_file_or_level_where_a_name_belongs_is_told_where_it_goes() {
    let file = own_file("own-misplaced");
    for command in ["resolve", "place", "show", "dump"] {
        let wrong = run(&[command, &file, "--standalone"]);
        assert_eq!(wrong.code, 1, "{}", wrong.stdout);
        assert!(wrong.stderr.contains("it goes behind --file"), "{}", wrong.stderr);
    }
    let wrong = run(&["odds", "D:3", "--standalone"]);
    assert!(wrong.stderr.contains("'D:3'; if that is a level, a map goes before it"));
}

#[test]
fn a_draft_with_the_name_of_a_map_is_not_taken_for_it() {
    let name = "cellar_entry_pantry";
    let path = temporary("own_draft").join("draft.des");
    std::fs::write(&path, VAULT.replace("my_shrine", name)).expect("a file");
    let path = path.to_str().expect("a path");
    let starter = concat!(env!("CARGO_MANIFEST_DIR"), "/../../packs/starter");
    for command in [&["show", name][..], &["resolve", name], &["generate", "D:2", "--force", name]]
    {
        let run = run(&[command, &["--file", path, "--data", starter]].concat());
        assert_eq!(run.code, 1, "{command:?}: {}", run.stdout);
        assert!(run.stderr.contains("exists already"), "{command:?}: {}", run.stderr);
    }
}

/// An open shrine, a room that nothing leads into, and a hall that fills most of a level.
fn three_vaults() -> String {
    let hall = format!("{}\n", "x".repeat(53)).repeat(46);
    format!(
        "{VAULT}\nNAME: sealed\nDEPTH: D:2\nORIENT: float\nTAGS: transparent\nMAP\n\
         xxxxx@xxx\nx...x...x\nx...x...x\nxxxxxxxxx\nENDMAP\n\n\
         NAME: block\nDEPTH: D:2\nORIENT: float\nTAGS: no_exits\nMAP\n{hall}ENDMAP\n"
    )
}

#[test]
fn on_real_ground_a_map_looks_for_room_and_is_joined() {
    let text = three_vaults();
    for ground in ["cave", "level"] {
        let check = |name: &str| {
            let words = ["--check", "zones", "--seed", "1..4", "--ground", ground, "--file", "-"];
            run_on(&text, &[&["place", name, "--standalone"], &words[..]].concat())
        };
        let (code, told) = check("sealed");
        assert_eq!(code, Some(1), "{ground}: {told}");
        assert!(told.contains("Isolated area in vault sealed"), "{ground}: {told}");
        // It is shown with what is around it, and not with the rest of the level.
        let mut rows = told.lines().filter(|line| line.contains('#'));
        assert!(rows.all(|row| row.len() < 20) && told.contains("aaa"), "{told}");
        assert_eq!(check("my_shrine"), (Some(0), String::new()), "{ground}");
    }
    let block = ["place", "block", "--standalone", "--check", "zones", "--ground", "level"];
    assert_eq!(run_on(&text, &[&block[..], &["--file", "-"]].concat()).0, Some(0));
    let whole = |ground| {
        let words = ["place", "sealed", "--standalone", "--whole", "--file", "-", "--ground"];
        run_on(&text, &[&words[..], &[ground]].concat())
    };
    let (code, cave) = whole("cave");
    assert_eq!((code, cave.lines().count()), (Some(0), 72));
    let floor = |text: &str| text.matches('.').count();
    assert!((800..3000).contains(&floor(&cave)), "{cave}");
    assert!(floor(&whole("floor").1) > 5000 && floor(&whole("rock").1) < 20);
    assert!(whole("level").1.contains('>'), "a level has stairs");
}

#[test]
fn files_of_ones_own_are_known_to_every_command() {
    let file = own_file("own-everywhere");
    for arguments in [
        &["resolve", "my_shrine"][..],
        &["place", "my_shrine", "--check", "zones"],
        &["show", "my_shrine"],
        &["coverage", "my_shrine", "--rolls", "5"],
        &["exercise", "my_shrine", "--turns", "5"],
    ] {
        let run = run(&[arguments, &["--file", &file, "--standalone"]].concat());
        assert_eq!(run.code, 0, "{arguments:?}: {}", run.stderr);
    }
    let out = temporary("own-campaign");
    let campaign =
        ["mapstat", "2", "D:2", "--force-map", "my_shrine", "--standalone", "--jobs", "1"];
    let more = ["--file", &file, "--out", out.to_str().expect("a path")];
    let made = run(&[&campaign[..], &more].concat());
    assert!(made.stdout.contains("2  my_shrine of 2 tries"), "{}{}", made.stdout, made.stderr);
    // Another text is another campaign.
    std::fs::write(&file, VAULT.replace("..A..", ".AAA.")).expect("a file");
    let again = run(&[&campaign[..], &more].concat());
    assert_eq!(again.code, 1, "{}", again.stdout);
    assert!(again.stderr.contains("holds another campaign"), "{}", again.stderr);
}

#[test]
fn standard_input_is_a_file() {
    let text = VAULT.replace("altar_trog", "altar_trug");
    let (code, told) =
        run_on(&text, &["check", "-", "--stdin-filename", "buffer.des", "--standalone"]);
    assert_eq!(code, Some(1));
    assert!(told.contains("buffer.des:4:12"), "{told}");
    let (code, told) = run_on(VAULT, &["resolve", "my_shrine", "--file", "-", "--standalone"]);
    assert_eq!(code, Some(0));
    assert!(told.contains('A'), "{told}");
    let (code, _) = run_on(VAULT, &["mapstat", "1", "D:1", "--file", "-", "--standalone"]);
    assert_eq!(code, Some(2));
}

#[test]
fn odds_are_those_of_the_weights() {
    let file = temporary("own-odds").join("two.des");
    let one = VAULT.replace("DEPTH: D:9", "PLACE: D:2").replace("WEIGHT: 1", "WEIGHT: 30");
    let other = one.replace("my_shrine", "other").replace("WEIGHT: 30", "WEIGHT: 10");
    std::fs::write(&file, format!("{one}{other}")).expect("a file");
    let file = file.to_str().expect("a path");
    let told = run(&["odds", "my_shrine", "--file", file, "--format", "json", "--standalone"]);
    let value: serde_json::Value = serde_json::from_str(&told.stdout).expect("JSON");
    assert_eq!(value["levels"].as_array().expect("levels").len(), 1, "{value}");
    assert_eq!(
        (&value["levels"][0]["place"], &value["levels"][0]["share"]),
        (&"D:2".into(), &0.75.into())
    );
    assert_eq!(value["game"], 0.75);
    let behind = run(&["odds", "other", "D:2", "--file", file, "--standalone"]);
    assert!(behind.stdout.contains("25.00 %"), "{}", behind.stdout);
    assert!(behind.stdout.contains("rank 2 of 2 behind my_shrine 75.00 %"), "{}", behind.stdout);
    let never = run(&["odds", "my_shrine", "D:3", "--file", file, "--standalone"]);
    assert_eq!(never.code, 1);
}

#[test]
fn a_wish_takes_account_of_what_comes_before() {
    let file = temporary("own-odds-wish").join("wish.des");
    let path = file.to_str().expect("a path").to_owned();
    let map = |name: &str, headers: &str| {
        format!("NAME: {name}\nDEPTH: D:2\n{headers}\nMAP\n.\nENDMAP\n")
    };
    let odds = |weight: &str, more: &[&str]| {
        let dummy = map("before", "TAGS: dummy minivault\nCHANCE: 20%");
        let mine = map("mine", &format!("TAGS: minivault\nWEIGHT: {weight}"));
        std::fs::write(&file, dummy + &mine).expect("a file");
        run(&[&["odds", "mine", "--file", &path, "--standalone"][..], more].concat())
    };
    let told = odds("20", &["--want", "0.6"]).stdout;
    let weight = told.split("(from 20: ").nth(1).and_then(|rest| rest.split(')').next());
    let so_written = odds(weight.expect("a weight"), &[]).stdout;
    assert!(so_written.contains("at least one of these levels: 60.0"), "{told}{so_written}");
    // A CHANCE of 20 % comes before any WEIGHT.
    let never = odds("20", &["--want", "9/10"]);
    assert!(
        never.code == 2 && never.stderr.contains("at most once in 1.25 games"),
        "{}",
        never.stderr
    );
}

#[test]
fn odds_are_those_of_the_draws_that_take_place() {
    let file = temporary("own-odds-draws").join("draws.des");
    let map = |name: &str, headers: &str| {
        format!("NAME: {name}\n{headers}\nORIENT: float\nMAP\n...\n.x.\n...\nENDMAP\n\n")
    };
    let maps = [
        map("one", "TAGS: chance_group\nDEPTH: D:3\nCHANCE: 40%\nWEIGHT: 10"),
        map("other", "TAGS: chance_group\nDEPTH: D:3\nCHANCE: 40%\nWEIGHT: 30"),
        map("also", "TAGS: extra\nDEPTH: D:4\nWEIGHT: 100000"),
        map("never", "DEPTH: D:5"),
        map("always", "PLACE: D:5"),
    ];
    std::fs::write(&file, maps.concat()).expect("a file");
    let file = file.to_str().expect("a path");
    let odds = |name: &str| run(&["odds", name, "--file", file, "--standalone"]).stdout;
    // One draw of the group, whose maps share what it wins.
    assert!(
        odds("one").contains("10.00 %") && odds("other").contains("30.00 %"),
        "{}",
        odds("one")
    );
    // What comes in addition is drawn nowhere here, and takes nothing from others.
    assert!(!odds("also").contains("by DEPTH:"), "{}", odds("also"));
    // A level that has a map of its own draws none.
    assert!(!odds("never").contains("D:5 "), "{}", odds("never"));
    assert!(odds("always").contains("100.00 %"), "{}", odds("always"));
}

const ASKING: &str = "NAME: asking\nDEPTH: D:9\n: if you.depth() == 4 or you.god() == \"Trog\" then\n\
    KFEAT: A = fountain_blood\n: else\nKFEAT: A = fountain_blue\n: end\n\
    MAP\n.....\n..A..\n.....\nENDMAP\n";

#[test]
fn a_vault_is_rolled_as_on_a_level_and_for_a_player() {
    let file = temporary("own-setting").join("asking.des");
    std::fs::write(&file, ASKING).expect("a file");
    let file = file.to_str().expect("a path");
    // The name may be left out where a file is given; the second thread has the player, too.
    for arguments in [
        &["show", "asking", "--format", "json"][..],
        &["resolve", "--format", "json", "--seed", "1..2"],
        &["place", "--format", "json", "--seed", "1..2", "--jobs", "2"],
    ] {
        let here = [arguments, &["--file", file, "--standalone"]].concat();
        let plain = run(&here);
        let (at, player) = (["--at", "D:4"], ["--player", "god=Trog xl=9"]);
        assert_eq!(plain.code, 0, "{}", plain.stderr);
        assert!(!plain.stdout.contains("fountain_blood"), "{arguments:?}");
        for setting in [at, player] {
            let run = run(&[&here[..], &setting].concat());
            assert_eq!(run.code, 0, "{}", run.stderr);
            assert!(run.stdout.contains("fountain_blood"), "{arguments:?} {setting:?}");
        }
    }
    let bad = [
        (&["--at", "D"][..], "--at takes one level, 'D' has"),
        (&["--at", "D:99"], "'99' is no level of D, which has 15: write D:1 to D:15"),
        (&["--player", "god=Nobody"], "no god is called 'Nobody'"),
    ];
    for (setting, said) in bad {
        let run = run(&[&["show", "asking", "--file", file, "--standalone"], setting].concat());
        assert_eq!(run.code, 2, "{}", run.stderr);
        assert!(run.stderr.contains(said), "{}", run.stderr);
    }
    let without = run(&["check", file, "--standalone", "--at", "D:4"]);
    assert_eq!(without.code, 2, "what is compiled is not rolled: {}", without.stderr);
}

#[test]
fn try_reads_standard_input() {
    let (code, shown) = run_on(VAULT, &["try", "-", "--stdin-filename", "x.des", "--standalone"]);
    assert_eq!(code, Some(0));
    assert!(shown.contains("my_shrine  (x.des:1)"), "{shown}");
    assert_eq!(run(&["try", "/nowhere/x.des", "--standalone"]).code, 3);
}

/// `show` and others take a map as their word and files by `--file`; those about files, either way.
#[test]
fn commands_about_files_take_them_as_words_or_by_file() {
    let folder = temporary("words");
    let text = "NAME:   spaced\nDEPTH: D:3\nSUBST: z = x\nMAP\n@x\nENDMAP\n";
    std::fs::write(folder.join("own.des"), text).expect("a file");
    for command in [&["check"][..], &["fmt", "--check"]] {
        let word = run_in(&folder, &[command, &["own.des"]].concat());
        let by_option = run_in(&folder, &[command, &["--file", "own.des"]].concat());
        assert_eq!((word.code, &word.stdout), (by_option.code, &by_option.stdout));
        assert!(format!("{}{}", word.stdout, word.stderr).contains("own.des"), "{}", word.stderr);
        assert_eq!(word.stderr, by_option.stderr);
    }
    assert_eq!(run_in(&folder, &["fmt"]).code, 2);
}

#[test]
fn commands_about_levels_have_the_layouts_of_the_starter_pack() {
    let file = own_file("own-explored");
    let keys = std::path::Path::new(&file).with_file_name("keys");
    std::fs::write(&keys, "5").expect("a script");
    let keys = keys.to_str().expect("a path");
    let explore = |what: &[&str]| {
        let how = ["--file", &file, "--standalone", "--script", keys, "--headless"];
        run(&[&["explore"][..], what, &how].concat())
    };
    for (what, code) in [(&["D:1"][..], 0), (&[], 0), (&["my_shrine"], 0), (&["D:99"], 2)] {
        let run = explore(what);
        assert_eq!(run.code, code, "{what:?}: {}", run.stderr);
    }
    let elsewhere = explore(&["D:1", "--at", "D:3"]);
    assert!(elsewhere.code == 2 && elsewhere.stderr.contains("--at"), "{}", elsewhere.stderr);
    let of_starter = run(&["show", "moonlit_pond", "--file", &file, "--standalone"]);
    assert!(of_starter.stderr.contains("of the starter pack"), "{}", of_starter.stderr);
}

#[test]
fn placed_maps_are_written_where_they_should_go() {
    let (file, folder) = (own_file("own-placed"), temporary("own-placed-to"));
    let place = |words: &[&str]| {
        let own = ["place", "my_shrine", "--standalone", "--file", &file];
        run_in(&folder, &[&own[..], words].concat())
    };
    for out in ["one.png", "one.svg", "one.json", "one.tsv", "one.txt"] {
        let run = place(&["--out", out]);
        assert_eq!((run.code, run.stdout.as_str()), (0, ""), "{out}: {}", run.stderr);
        assert!(folder.join(out).is_file(), "{out}");
    }
    let json = std::fs::read_to_string(folder.join("one.json")).expect("a file");
    let rows: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(rows[0]["status"], "ok");
    let refused = [
        &["--out", "pl"][..],
        &["--out", "one.bmp"],
        &["--out", "two.png", "--seed", "1..2"],
        &["--format", "png", "--seed", "1..2"],
        &["--format", "json", "--against", "x.tsv"],
    ];
    for words in refused {
        let run = place(words);
        assert_eq!(run.code, 2, "{words:?}: {}", run.stderr);
    }
    assert!(place(&["--check", "zones"]).stderr.contains("1 test of 1 map,"));
}

#[test]
fn what_cannot_come_of_options_is_refused() {
    let refused: &[&[&str]] = &[
        &["show", "moonlit_pond", "--out", "x.gif"],
        &["show", "moonlit_pond", "--seed", "18446744073709551615"],
        &["coverage", "moonlit_pond", "--seed", "18446744073709551615"],
        &["generate", "D:1-2", "--format", "svg"],
        &["generate", "D:1-2", "--out", "x.png"],
        &["generate", "D:1", "--seed", "1..3"],
        &["odds", "moonlit_pond", "--want", "1/2", "--format", "json"],
        &["levels", "D:1", "--against", "x.tsv", "--format", "json"],
        &["resolve", "moonlit_pond", "--against", "x.tsv", "--format", "json"],
        &["explain", "VW999"],
    ];
    for words in refused {
        let run = run(words);
        assert_eq!(run.code, 2, "{words:?}: {}", run.stderr);
    }
    let unread: &[&[&str]] =
        &[&["check", "--data", "nodir"], &["show", "moonlit_pond", "--tiles", "nodir"]];
    for words in unread {
        let run = run(words);
        assert_eq!(run.code, 3, "{words:?}: {}", run.stderr);
    }
    let told = run(&["generate", "D:1", "--explain", "3,3", "--format", "json", "--standalone"]);
    assert!(serde_json::from_str::<serde_json::Value>(&told.stdout).is_ok(), "{}", told.stdout);
    assert!(told.stderr.contains("3,3"), "{}", told.stderr);
}
