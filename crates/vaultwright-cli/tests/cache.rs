//! Packs are compiled once: what a command finds kept changes nothing but its time.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::common::{Run, crawl_data, run, temporary};

const GOOD: &str = "NAME: good\nPLACE: D:1\nORIENT: encompass\nSUBST: y = x.\nMAP\nxxxxxxxx\nx{[(}])x\n\
    x..yyyy.x\nxxxxxxxx\nENDMAP\n";
const BAD: &str = "NAME: bad\nDEPTH: D\nMONS: no such monster\nMAP\n1\nENDMAP\n";

fn pack(name: &str) -> PathBuf {
    let folder = temporary(name);
    std::fs::create_dir_all(folder.join("des")).expect("a folder");
    std::fs::write(folder.join("des/a.des"), GOOD).expect("a file");
    std::fs::write(folder.join("des/b.des"), BAD).expect("a file");
    folder
}

fn run_with(cache: &Path, data: &Path, arguments: &[&str]) -> Run {
    let mut words = arguments.to_vec();
    words.extend(["--cache", cache.to_str().expect("a path")]);
    words.extend(["--data", data.to_str().expect("a path")]);
    run(&words)
}

fn entries(cache: &Path) -> Vec<PathBuf> {
    let Ok(found) = std::fs::read_dir(cache) else { return Vec::new() };
    found.map(|entry| entry.expect("an entry").path()).collect()
}

#[test]
fn what_is_kept_changes_nothing() {
    let (pack, cache) = (pack("cache-pack"), temporary("cache-kept"));
    let commands: &[&[&str]] = &[
        &["levels", "D:1", "--seed", "1..3", "--format", "tsv"],
        &["resolve", "--all", "--seed", "1..5", "--format", "tsv"],
        &["place", "--all", "--format", "json"],
        &["generate", "D:1", "--format", "json"],
        &["objstat", "2", "D:1"],
    ];
    for arguments in commands {
        let none = run_with(Path::new("none"), &pack, arguments);
        for _ in 0..2 {
            let kept = run_with(&cache, &pack, arguments);
            assert_eq!((kept.code, &kept.stdout), (none.code, &none.stdout), "{arguments:?}");
            assert_eq!(kept.stderr, none.stderr, "{arguments:?}");
        }
        assert!(none.stderr.contains("does not compile"), "{arguments:?}: {}", none.stderr);
        // The pack, and which one is the latest of files of these names.
        assert_eq!(entries(&cache).len(), 2, "{arguments:?}");
    }
    std::fs::write(pack.join("des/a.des"), GOOD.replace("good", "better")).expect("a file");
    let changed = run_with(&cache, &pack, &["resolve", "--all", "--format", "tsv"]);
    assert!(changed.stdout.contains("better"));
    assert_eq!(entries(&cache).len(), 3);
    run_with(&cache, &pack, &["resolve", "--all", "--rules", "0.28"]);
    run_with(&cache, &pack, &["resolve", "--all", "--memory", "128"]);
    assert_eq!(entries(&cache).len(), 7);
}

#[test]
fn the_starter_pack_is_kept_and_a_file_of_ones_own_is_not() {
    let cache = temporary("cache-starter");
    let word = cache.to_str().expect("a path");
    let roll = |cache| run(&["resolve", "--all", "--format", "tsv", "--cache", cache]);
    let (none, first, second) = (roll("none"), roll(word), roll(word));
    assert!(none.code == 0 && none.bytes == first.bytes && none.bytes == second.bytes);
    assert_eq!(entries(&cache).len(), 2);
    let file = temporary("cache-own").join("own.des");
    std::fs::write(&file, GOOD).expect("a file");
    run(&["resolve", file.to_str().expect("a path"), "--cache", word]);
    assert_eq!(entries(&cache).len(), 2);
}

/// A file of maps, and what has become of it.
type Change<'a> = (&'a str, &'a str);

#[test]
fn after_a_change_all_is_as_if_it_were_compiled_anew() {
    let (pack, cache) = (pack("cache-change-pack"), temporary("cache-change"));
    let tagged = "NAME: tagged\nTAGS: some_tag\nMAP\n.x.\nENDMAP\n";
    let asking = "NAME: asking\nDEPTH: D\nSUBVAULT: y : some_tag\nMAP\nyyy\nENDMAP\n";
    let leaving = "NAME: leaving\nDEPTH: D\n: dgn.persist.left = 3\nMAP\nx\nENDMAP\n";
    let taking = "NAME: taking\nDEPTH: D\n: if dgn.persist.left then\n: tags(\"no_rotate\")\n\
        : depth(\"Lair\")\n: end\nMAP\nx\nENDMAP\n";
    let with = |text: &str, before: &str, after: &str| text.replace(before, after);
    let outside = format!("{{{{\nfunction named() return \"some_tag\" end\n}}}}\n{tagged}");
    let by_function = with(tagged, "TAGS: some_tag", ": tags(named())");
    let changes: &[Change] = &[
        ("a.des", GOOD),
        ("c.des", tagged),
        ("d.des", asking),
        ("c.des", &with(tagged, ".x.", "xxx")),
        ("c.des", &with(tagged, "some_tag", "other")),
        ("c.des", &with(tagged, "NAME: tagged", "NAME: good")),
        ("d.des", &with(asking, "DEPTH: D", "DEPTH: D:2-4")),
        ("c.des", tagged),
        ("c.des", &format!("{tagged}{BAD}")),
        ("b.des", &with(BAD, "no such", "still no")),
        ("c.des", &format!("\n\n{}", with(tagged, "MAP\n", "NOTHING: x\nMAP\n"))),
        ("b.des", leaving),
        ("e.des", taking),
        // A name that nobody defines, until another file does.
        (
            "h.des",
            "NAME: calling\nDEPTH: D\n: if you.depth() > 99 then\n: helper()\n: end\nMAP\nx\nENDMAP\n",
        ),
        ("c.des", &with(tagged, "MAP\n", ": function helper() end\nMAP\n")),
        ("a.des", &format!("# more\n{GOOD}")),
        ("c.des", tagged),
        ("e.des", &format!("# more\n{taking}")),
        ("a.des", &format!("{GOOD}\n# no more")),
        ("f.des", &with(tagged, "tagged", "last")),
        ("f.des", &with(tagged, "tagged", "of_all")),
        ("b.des", &with(leaving, ": dgn.persist.left = 3\n", "")),
        ("b.des", leaving),
        // The same key with another value, a table, a function, which cannot be kept.
        ("g.des", &with(taking, "taking", "weighing").replace("left then", "left == 4 then")),
        ("b.des", &with(leaving, "= 3", "= 4")),
        ("c.des", &with(tagged, ".x.", "..x")),
        ("b.des", &with(leaving, "= 3", "= { 4, { a = true } }")),
        ("e.des", &with(taking, "left then", "left[2].a then")),
        ("b.des", &with(leaving, "= 3", "= print")),
        ("e.des", &with(taking, "left then", "left == print then")),
        ("b.des", &with(leaving, "dgn.persist.left = 3", "dgn.map_register_flag(\"told_by_b\")")),
        ("e.des", &with(taking, ": if dgn", "TAGS: told_by_b\n: if dgn")),
        ("b.des", leaving),
        ("e.des", taking),
        ("a.des", &outside.replace("tagged", "outside")),
        ("c.des", &by_function),
        ("a.des", &outside.replace("tagged", "outside").replace("some_tag\" end", "one\" end")),
        ("a.des", &outside.replace("tagged", "renamed").replace("some_tag\" end", "one\" end")),
        ("c.des", &with(&by_function, "MAP\n", ": print(\"told\")\nMAP\n")),
        ("c.des", &by_function),
    ];
    let always: [&[&str]; 3] = [
        &["levels", "D:1", "--seed", "1", "--format", "tsv"],
        &["resolve", "--all", "--seed", "1..3", "--format", "tsv"],
        &["check", "--format", "json"],
    ];
    let by_turns: [&[&str]; 7] = [
        &["show", "asking", "--format", "json"],
        &["show", "good"],
        &["show", "bad"],
        &["show", "god"],
        &["show", "tagged"],
        &["show", "taking", "--seed", "2"],
        &["check"],
    ];
    for (step, (file, text)) in changes.iter().enumerate() {
        std::fs::write(pack.join("des").join(file), text).expect("a file");
        let mut commands = always.to_vec();
        commands.extend((0..2).map(|more| by_turns[(2 * step + more) % by_turns.len()]));
        // Another command is the first after a change.
        commands.rotate_left(step % 5);
        for arguments in commands {
            let none = run_with(Path::new("none"), &pack, arguments);
            let kept = run_with(&cache, &pack, arguments);
            let told = |run: &Run| (run.code, run.stdout.clone(), run.stderr.clone());
            assert_eq!(told(&kept), told(&none), "step {step}, {arguments:?}");
        }
    }
}

#[test]
fn what_is_damaged_is_made_anew() {
    let (pack, cache) = (pack("cache-damaged-pack"), temporary("cache-damaged"));
    let arguments = ["resolve", "--all", "--seed", "1", "--format", "tsv"];
    let first = run_with(&cache, &pack, &arguments);
    let size = |entry: &PathBuf| entry.metadata().expect("an entry").len();
    let entry = entries(&cache).into_iter().max_by_key(size).expect("an entry");
    let whole = std::fs::read(&entry).expect("an entry");
    let mut foreign = whole.clone();
    let middle = foreign.len() / 2;
    foreign[middle] ^= 0x55;
    for bad in [&whole[..whole.len() / 2], b"", b"something else", &foreign] {
        std::fs::write(&entry, bad).expect("written");
        let run = run_with(&cache, &pack, &arguments);
        assert_eq!((run.code, &run.stdout), (first.code, &first.stdout));
        assert_eq!(std::fs::read(&entry).expect("an entry"), whole);
    }
}

const FORMATS: [&str; 4] = ["human", "json", "sarif", "github"];

#[test]
fn findings_are_kept_until_something_changes() {
    let (pack, cache) = (pack("cache-check-pack"), temporary("cache-check"));
    let fixable = GOOD.replace("good", "spelt").replace("ORIENT", "TAGS: no_rotat\nORIENT");
    std::fs::write(pack.join("des/c.des"), &fixable).expect("a file");
    let none = Path::new("none");
    let check = |cache: &Path, more: &[&str]| {
        let run = run_with(cache, &pack, &[&["check"], more].concat());
        (run.code, run.stdout, run.stderr)
    };
    let compare = |what: &str| {
        for format in FORMATS {
            let arguments = ["--format", format];
            let expected = check(none, &arguments);
            for time in ["cold", "warm"] {
                assert_eq!(check(&cache, &arguments), expected, "{what}, {format}, {time}");
            }
        }
        let own = pack.join("des/c.des");
        for more in [&["--diff"][..], &["--deny", "warnings"], &[own.to_str().expect("a path")]] {
            let expected = check(none, more);
            for time in ["cold", "warm"] {
                assert_eq!(check(&cache, more), expected, "{what}, {more:?}, {time}");
            }
        }
    };
    compare("as it is");
    let found = check(&cache, &[]).1;
    assert!(found.contains("no such monster") && found.contains("no_rotat"), "{found}");
    // Findings of the whole, of the whole once it is mended, and of one file; parts of the whole.
    assert_eq!(entries(&cache).len(), 4);
    for entry in entries(&cache) {
        std::fs::write(entry, "damaged").expect("written");
    }
    compare("damaged");
    std::fs::write(pack.join("des/b.des"), BAD.replace("no such", "another")).expect("a file");
    compare("a map is another");
    assert!(check(&cache, &[]).1.contains("another monster"));
    std::fs::write(pack.join("des/c.des"), format!("# more\n\n{fixable}")).expect("a file");
    compare("lines have moved");
    let told = GOOD.replace("good", "tells").replace("MAP\nx", ": print(\"words\")\nMAP\nx");
    std::fs::write(pack.join("des/d.des"), told).expect("a file");
    compare("a file is new, and says something");
    assert!(check(&cache, &[]).2.contains("words"));
    std::fs::remove_file(pack.join("des/b.des")).expect("removed");
    compare("a file is gone");
    std::fs::create_dir_all(pack.join("tables")).expect("a folder");
    let table = r#"[{"name": "no such monster", "glyph": "q"}]"#;
    std::fs::write(pack.join("tables/monsters.json"), table).expect("a file");
    compare("a table is new");
    let settings = "[severity]\nVW341 = \"allow\"\n";
    std::fs::write(pack.join("des/vaultwright.toml"), settings).expect("a file");
    compare("there are settings");
    let left_over = format!("WEIGHT: 50000\n{GOOD}").replacen("NAME: good\n", "", 1);
    std::fs::write(pack.join("des/e.des"), format!("NAME: left_over\n{left_over}"))
        .expect("a file");
    compare("a file that has something left over");
    assert!(check(&cache, &["--profile", "crawl"]).1.contains("VW401"), "a style finds more");
    assert!(!check(&cache, &[]).1.contains("VW401"), "and is not kept for those who want none");
}

/// Scripts load each other by any name.
#[test]
fn a_script_without_its_usual_ending_is_no_less_a_part() {
    let (tree, cache) = (temporary("cache-scripts"), temporary("cache-scripts-kept"));
    let write = |file: &str, text: &str| {
        let path = tree.join(file);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        std::fs::write(path, text).expect("a file");
    };
    for script in ["dlua/parts.inc", "des/deep/parts"] {
        write("dlua/dungeon.lua", "");
        let vault = "NAME: own\nDEPTH: D\n: own(_G)\nMAP\n..\nENDMAP\n";
        write("des/own.des", &format!("{{{{\ncrawl_require('{script}')\n}}}}\n{vault}"));
        write(script, "function own(e) e.tags('no_rotate') end\n");
        for _ in 0..2 {
            assert_eq!(run_with(&cache, &tree, &["check"]).code, 0, "{script}");
            assert_eq!(run_with(&cache, &tree, &["resolve", "own"]).code, 0, "{script}");
        }
        write(script, "function other(e) e.tags('no_rotate') end\n");
        assert_eq!(run_with(&cache, &tree, &["check"]).code, 1, "{script}");
        assert_eq!(run_with(&cache, &tree, &["resolve", "own"]).code, 1, "{script}");
        // What an editor keeps beside it is none.
        let before = entries(&cache).len();
        write("dlua/.parts.inc.swp", "swapped");
        write("dlua/parts.inc~", "as it was");
        run_with(&cache, &tree, &["check"]);
        assert_eq!(entries(&cache).len(), before, "{script}");
    }
}

#[test]
fn programs_that_begin_together_agree() {
    let (pack, cache) = (pack("cache-together-pack"), temporary("cache-together"));
    let start = || {
        Command::new(env!("CARGO_BIN_EXE_vaultwright"))
            .args(["resolve", "--all", "--seed", "1..3", "--format", "tsv", "--data"])
            .arg(&pack)
            .arg("--cache")
            .arg(&cache)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the program runs")
    };
    let running: Vec<_> = (0..8).map(|_| start()).collect();
    let told = running.into_iter().map(|one| one.wait_with_output().expect("an end").stdout);
    let told: Vec<Vec<u8>> = told.collect();
    assert!(!told[0].is_empty() && told.iter().all(|one| *one == told[0]));
    // The pack, and which one is the latest.
    assert_eq!(entries(&cache).len(), 2);
}

#[test]
fn a_cache_that_cannot_be_written_is_told_if_it_was_asked_for() {
    let pack = pack("cache-refused-pack");
    let file = temporary("cache-refused").join("file");
    std::fs::write(&file, "no folder").expect("a file");
    let run = run_with(&file, &pack, &["resolve", "--all"]);
    assert_eq!(run.code, 1, "of two maps one does not compile");
    assert!(run.stderr.contains("nothing is kept in"), "{}", run.stderr);
    for command in [&["check"][..], &["check", "--fix"]] {
        let run = run_with(&file, &pack, command);
        assert_eq!(run.stderr.matches("nothing is kept in").count(), 1, "{}", run.stderr);
    }
}

#[test]
fn crawls_own_vaults_are_taken_up_as_they_were_compiled() {
    let Some(data) = crawl_data() else { return };
    let cache = temporary("cache-crawl");
    let arguments = ["levels", "D:4", "Snake:2", "--seed", "1..2", "--format", "tsv"];
    let runs: Vec<Run> = (0..2).map(|_| run_with(&cache, Path::new(data), &arguments)).collect();
    assert_eq!(runs[0].stdout, runs[1].stdout);
    assert_eq!((runs[0].code, runs[1].code), (0, 0));
    let table = ["resolve", "--all", "--seed", "1", "--format", "tsv"];
    let kept = run_with(&cache, Path::new(data), &table);
    assert_eq!(kept.stdout, run_with(Path::new("none"), Path::new(data), &table).stdout);
}
