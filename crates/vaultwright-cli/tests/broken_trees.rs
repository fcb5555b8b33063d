//! Trees in odd states: libraries that fail or cannot be read, tables with errors, folders of other
//! names. The trees here are our own, and only imitate the layouts.

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::common::{Run, run, run_in, temporary, word};

const VAULT: &str = "NAME: in_the_tree\nDEPTH: D\n: own_helper(_G)\nMAP\n...\n...\n...\nENDMAP\n";
const FINE: &str = "1 map in 1 file: no errors, no warnings\n";

fn write(path: &Path, text: impl AsRef<[u8]>) {
    std::fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
    std::fs::write(path, text).expect("written");
}

/// A data folder of 0.34.
fn data_in(dat: &Path) {
    write(&dat.join("dlua/dungeon.lua"), "crawl_require('dlua/helper.lua')\n");
    write(&dat.join("dlua/helper.lua"), "function own_helper(e) e.tags('no_rotate') end\n");
    write(&dat.join("des/vaults.des"), VAULT);
    write(&dat.join("descript/egos.txt"), "");
}

/// A tree as it is cloned, and its data folder.
fn tree(name: &str) -> (PathBuf, PathBuf) {
    let root = temporary(name);
    let dat = root.join("crawl-ref/source/dat");
    data_in(&dat);
    (root, dat)
}

/// The findings that `check` gives to programs: their code, file and line.
fn told(run: &Run) -> Vec<(String, String, u64)> {
    let found: Vec<Value> = serde_json::from_str(&run.stdout).expect("JSON");
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let place = |one: &Value| (text(&one["code"]), text(&one["file"]), one["line"].as_u64());
    let known = |(code, file, line): (String, String, Option<u64>)| (code, file, line.unwrap_or(0));
    found.iter().map(place).map(known).collect()
}

#[test]
fn programs_are_told_of_a_library_that_fails() {
    let (root, dat) = tree("broken-library");
    let file = "crawl-ref/source/dat/dlua/helper.lua";
    write(&dat.join("dlua/helper.lua"), "\nfunction own_helper( end\n");
    let json = run_in(&root, &["check", "--format", "json"]);
    assert_eq!(json.code, 1);
    assert_eq!(told(&json), [("VW201".to_owned(), file.to_owned(), 2)]);
    assert!(json.stderr.contains("helper.lua:2: <name> or '...' expected"), "{}", json.stderr);
    let github = run_in(&root, &["check", "--format", "github"]);
    let line = format!("::error file={file},line=2,col=1,title=VW201::");
    assert!(github.code == 1 && github.stdout.starts_with(&line), "{}", github.stdout);
    let sarif = run_in(&root, &["check", "--format", "sarif"]);
    let log: Value = serde_json::from_str(&sarif.stdout).expect("JSON");
    assert_eq!((sarif.code, &log["runs"][0]["results"][0]["ruleId"]), (1, &"VW201".into()));
    // Of one file and where fixes are asked for it is the same.
    let one = run(&["check", word(&dat.join("des/vaults.des")), "--format", "json"]);
    assert_eq!((one.code, told(&one)[0].2), (1, 2));
    let fixed = run_in(&root, &["check", "--fix", "--format", "json"]);
    assert_eq!((fixed.code, told(&fixed)[0].2), (1, 2));
    // An error while it runs, of a function of the program.
    write(&dat.join("dlua/helper.lua"), "\n\ncrawl_require('dlua/none.lua')\n");
    let running = run_in(&root, &["check", "--format", "json"]);
    assert_eq!(told(&running), [("VW201".to_owned(), file.to_owned(), 3)]);
    // A loop without end says what it is.
    write(&dat.join("dlua/helper.lua"), "\nwhile true do end\n");
    let looping = run_in(&root, &["check", "--format", "json", "--instructions", "100000"]);
    assert_eq!(told(&looping), [("VW202".to_owned(), file.to_owned(), 2)]);
    assert!(looping.stderr.contains("raise --instructions"), "{}", looping.stderr);
}

#[test]
fn programs_are_told_of_tables_and_files_that_cannot_be_used() {
    let pack = temporary("broken-pack");
    write(&pack.join("des/a.des"), "NAME: a\nDEPTH: D\nMAP\n...\nENDMAP\n");
    write(&pack.join("pack.json"), "{\n  \"rules\": \"trunk\",\n  \"nane\": 1\n}\n");
    for words in [&["check", "--format", "json"][..], &["check", "--format", "json", "des/a.des"]] {
        let run = run_in(&pack, words);
        assert_eq!(run.code, 1, "{}", run.stderr);
        assert_eq!(told(&run), [("VW207".to_owned(), "./pack.json".to_owned(), 3)]);
        assert!(run.stderr.contains("docs/packs.md"), "{}", run.stderr);
    }
    write(&pack.join("pack.json"), "{}");
    std::fs::create_dir_all(pack.join("tables/features.json")).expect("a folder");
    assert_eq!(run_in(&pack, &["check", "--format", "json"]).code, 0, "a folder is no table");
    let none = run_in(&pack, &["check", "--format", "json", "none.des"]);
    assert_eq!((none.code, told(&none)), (3, vec![("VW206".into(), "none.des".into(), 1)]));
}

/// Whoever runs the tests may read everything, so that folders and links stand for what cannot be
/// read.
#[cfg(unix)]
#[test]
fn a_library_that_cannot_be_read_is_told_with_its_path() {
    let (root, dat) = tree("unread-library");
    // What was found before, and is kept, holds no longer.
    assert_eq!(run_in(&root, &["check"]).stdout, FINE);
    let hint = "(make it a file that can be read; --standalone leaves the data aside)\n";
    for (file, again) in [("dungeon.lua", false), ("util.lua", false), ("helper.lua", true)] {
        let path = dat.join("dlua").join(file);
        let before = std::fs::read(&path).ok();
        let _ = std::fs::remove_file(&path);
        for is_folder in [true, false] {
            let why = if is_folder {
                std::fs::create_dir(&path).expect("a folder");
                "it is a folder"
            } else {
                std::os::unix::fs::symlink("nowhere", &path).expect("a link");
                "this link leads nowhere"
            };
            let run = run_in(&root, &["check", "--format", "json"]);
            let shown = format!("cannot read crawl-ref/source/dat/dlua/{file}: {why}");
            assert!(run.stderr.contains(&shown), "{}", run.stderr);
            let place = told(&run).remove(0);
            if again {
                // What a script asks for is an error of the script.
                assert_eq!((run.code, &*place.0, place.2), (1, "VW201", 1));
                assert!(place.1.ends_with("dlua/dungeon.lua"), "{place:?}");
            } else {
                assert_eq!((run.code, &*place.0), (3, "VW206"));
                assert!(place.1.ends_with(file), "{place:?}");
                assert!(run.stderr.ends_with(hint), "{}", run.stderr);
            }
            let named = crate::common::run(&["show", "in_the_tree", "--data", word(&root)]);
            assert!(named.stderr.contains(&format!("dlua/{file}: {why}")), "{}", named.stderr);
            if is_folder {
                std::fs::remove_dir(&path).expect("removed");
            } else {
                std::fs::remove_file(&path).expect("removed");
            }
        }
        if let Some(before) = before {
            write(&path, before);
        }
    }
    assert_eq!(run_in(&root, &["check"]).stdout, FINE);
}

/// What is kept of a tree is of what there is now, whatever a script is called.
#[test]
fn a_script_that_is_none_any_more_is_told_however_often_one_asks() {
    let (root, dat) = tree("kept-script");
    let script = dat.join("des/own.txt");
    write(&script, "function own_name() return 'rat' end\n");
    let asking = "{{\ncrawl_require('des/own.txt')\n}}\n";
    write(&dat.join("des/vaults.des"), format!("{asking}{VAULT}"));
    let said = || {
        let said = run_in(&root, &["check"]);
        assert_eq!(said.stdout, run_in(&root, &["check"]).stdout);
        said.stdout
    };
    assert_eq!(said(), FINE);
    std::fs::remove_file(&script).expect("removed");
    std::fs::create_dir(&script).expect("a folder");
    assert!(said().contains("it is a folder"), "{}", said());
    std::fs::remove_dir(&script).expect("removed");
    std::os::unix::fs::symlink("nowhere", &script).expect("a link");
    assert!(said().contains("leads nowhere"), "{}", said());
}

/// A campaign has another process read the tree first.
#[test]
fn a_campaign_tells_what_cannot_be_read() {
    let (root, dat) = tree("unread-campaign");
    std::fs::create_dir(dat.join("dlua/util.lua")).expect("a folder");
    for command in ["mapstat", "objstat"] {
        let run = run_in(&root, &[command, "1", "D:1", "--jobs", "1"]);
        let told = "error: cannot read crawl-ref/source/dat/dlua/util.lua: it is a folder";
        assert!(run.code == 3 && run.stderr.contains(told), "{}", run.stderr);
    }
}

#[test]
fn a_library_that_is_no_text_of_bytes_says_so() {
    let (root, dat) = tree("wide-library");
    let wide: Vec<u8> =
        [0xff, 0xfe].into_iter().chain("x = 1".bytes().flat_map(|b| [b, 0])).collect();
    write(&dat.join("dlua/helper.lua"), wide);
    let run = run_in(&root, &["check"]);
    assert_eq!(run.code, 1);
    assert!(run.stderr.contains("the file is in UTF-16: save it as UTF-8"), "{}", run.stderr);
    // Letters of Latin-1 in a comment or a text harm nobody.
    let latin = b"-- caf\xe9\nfunction own_helper(e) e.tags('no_rotate') print('caf\xe9') end\n";
    write(&dat.join("dlua/helper.lua"), latin);
    assert_eq!(run_in(&root, &["check"]).stdout, FINE);
}

/// A fork may have other names for all folders on the way to its data.
#[test]
fn a_fork_with_other_names_is_found_from_any_of_its_folders() {
    for way in ["source/data", "game/data", "data", "src/main/data"] {
        let root = temporary("fork");
        let data = root.join(way);
        data_in(&data);
        std::fs::create_dir_all(root.join("docs/more")).expect("a folder");
        write(&root.join("docs/mine.des"), VAULT.replace("in_the_tree", "mine"));
        let told = format!("using Crawl 0.34 at {}\n", data.display());
        // What is no clone is not searched.
        assert!(!run_in(&root, &["check"]).stderr.contains("using"), "{way}");
        std::fs::create_dir(root.join(".git")).expect("a folder");
        for inside in ["", "docs/more", way] {
            let run = run_in(&root.join(inside), &["check"]);
            assert_eq!((&*run.stdout, &run.stderr), (FINE, &told), "{way} from '{inside}'");
        }
        let file = run(&["check", word(&root.join("docs/mine.des"))]);
        assert_eq!((&*file.stdout, &file.stderr), (FINE, &told), "{way}");
        assert_eq!(run(&["check", "--data", word(&root)]).stdout, FINE, "{way}");
        // Of two trees none is meant.
        data_in(&root.join("old/data"));
        assert!(!run_in(&root, &["check"]).stderr.contains("using"), "{way}");
    }
}

/// A folder with more than any clone has is left alone before it has been read.
#[test]
fn a_large_folder_is_not_searched_to_its_end() {
    let root = temporary("large-clone");
    data_in(&root.join("source/data"));
    std::fs::create_dir(root.join(".git")).expect("a folder");
    for number in 0..600 {
        std::fs::create_dir_all(root.join(format!("many/{number}"))).expect("a folder");
    }
    assert!(!run_in(&root, &["check"]).stderr.contains("using"));
    // Who names it waits longer.
    assert_eq!(run(&["check", "--data", word(&root)]).stdout, FINE);
}

/// As 0.28 was asked: files are read one after the other, and once.
#[test]
fn a_script_that_asks_for_a_file_of_maps_is_answered() {
    let (root, dat) = tree("asked-for-files");
    let library = std::fs::read(dat.join("dlua/dungeon.lua")).expect("a library");
    let asking =
        |path: &str| [&library[..], format!("dgn.load_des_file('{path}')\n").as_bytes()].concat();
    write(&dat.join("dlua/dungeon.lua"), asking("des/vaults.des"));
    let first = run_in(&root, &["check"]);
    assert_eq!(first.stdout, FINE);
    let told = "dgn.load_des_file: des/vaults.des is read in its turn, as all files below des/\n";
    assert!(first.stderr.contains(told), "{}", first.stderr);
    write(&dat.join("more/extra.des"), VAULT.replace("in_the_tree", "extra"));
    write(&dat.join("dlua/dungeon.lua"), asking("more/extra.des"));
    let outside = run_in(&root, &["check"]);
    let told = "more/extra.des is not read: only files below des/ are\n";
    assert!(outside.stdout == FINE && outside.stderr.contains(told), "{}", outside.stderr);
    write(&root.join("secret"), "of nobody's concern");
    let secret = word(&root.join("secret")).to_owned();
    for path in ["des/none.des", "../../../secret", &secret] {
        write(&dat.join("dlua/dungeon.lua"), asking(path));
        let missing = run_in(&root, &["check"]);
        let told = format!("dungeon.lua:2: Cannot find data file '{path}' anywhere");
        assert!(missing.code == 1 && missing.stderr.contains(&told), "{}", missing.stderr);
    }
    write(&dat.join("dlua/dungeon.lua"), library);
    let asks = "{{\ndgn.load_des_file('des/vaults.des')\n}}\n";
    write(&dat.join("des/asks.des"), format!("{asks}{}", VAULT.replace("in_the_tree", "asks")));
    let prelude = run_in(&root, &["check", "--format", "json"]);
    assert_eq!((prelude.code, told_of(&prelude)), (1, vec![("VW201".to_owned(), 2)]));
    // While a level is made there is nothing left to read.
    let hook = ": hook('post_place', function() dgn.load_des_file('des/vaults.des') end)\n";
    write(
        &dat.join("des/asks.des"),
        VAULT.replace("in_the_tree", "asks").replace(": own", &format!("{hook}: own")),
    );
    let late = run_in(&root, &["place", "asks", "--seed", "1"]);
    assert!(late.code == 0 && !late.stderr.contains("load_des_file"), "{}", late.stderr);
}

fn told_of(run: &Run) -> Vec<(String, u64)> {
    told(run).into_iter().map(|(code, _, line)| (code, line)).collect()
}

/// Marks of a merge are told wherever they stand; in a drawing they would be glyphs.
#[test]
fn a_merge_that_was_not_finished_is_told() {
    let (root, dat) = tree("merge");
    let merge = |text: &str, line: &str| {
        text.replace(line, &format!("<<<<<<< HEAD\n{line}=======\n{line}>>>>>>> other\n"))
    };
    write(&dat.join("des/vaults.des"), merge(VAULT, "DEPTH: D\n"));
    let headers = run_in(&root, &["check"]);
    assert_eq!(
        (headers.code, headers.stdout.matches("a merge that was not finished").count()),
        (1, 3)
    );
    write(&dat.join("des/vaults.des"), merge(VAULT, "MAP\n...\n").replace("MAP\n<", "<"));
    let drawing = run_in(&root, &["check"]);
    assert!(drawing.stdout.contains("merge"), "{}", drawing.stdout);
    let rows = VAULT.replacen("...\n", "<<<<<<< HEAD\n...\n=======\n>>>>>>> other\n", 1);
    write(&dat.join("des/vaults.des"), rows);
    let drawing = run_in(&root, &["check", "--format", "json"]);
    assert_eq!(told_of(&drawing), [("VW303".to_owned(), 5)]);
}

/// Editors of Windows put a mark before a text, which 0.28 passes over in Lua.
#[test]
fn a_library_may_begin_with_a_mark_of_the_byte_order() {
    let (root, dat) = tree("marked-library");
    for file in ["dungeon.lua", "helper.lua"] {
        let path = dat.join("dlua").join(file);
        let text = std::fs::read_to_string(&path).expect("a text");
        write(&path, format!("\u{feff}{}", text.replace('\n', "\r\n")));
    }
    assert_eq!(run_in(&root, &["check"]).stdout, FINE);
}

/// Who stands beside a tree would take the starter pack for it.
#[test]
fn a_check_of_the_starter_pack_says_what_it_looks_at() {
    let folder = temporary("no-tree");
    write(&folder.join("crawl-ref/source/dat"), "a file in place of the folder");
    let note = "note: no tree or pack is around this folder: this is the starter pack";
    let run = run_in(&folder, &["check"]);
    assert!(run.code == 0 && run.stderr.starts_with(note), "{}", run.stderr);
    assert_eq!(run_in(&folder, &["check", "--standalone"]).stderr, "");
    assert_eq!(run_in(&folder, &["show", "moonlit_pond", "--count", "1"]).stderr, "");
}

#[test]
fn a_tree_without_vaults_is_not_praised_alone() {
    let (root, dat) = tree("no-vaults");
    let warning = "warning: there are no files of vaults (*.des) here\n";
    assert!(!run_in(&root, &["check"]).stderr.contains(warning));
    std::fs::remove_file(dat.join("des/vaults.des")).expect("removed");
    for words in [&["check"][..], &["check", "--format", "json"], &["check", word(&dat)]] {
        let run = run_in(&root, words);
        assert!(run.code == 0 && run.stderr.ends_with(warning), "{}", run.stderr);
    }
}
