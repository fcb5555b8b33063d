//! Starting on what people have: clones, source folders, installed games, packs. The trees here are
//! our own, and only imitate the layouts.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::common::{Run, crawl_data, run, run_in, temporary, word};

/// A vault that needs the tree's library.
const VAULT: &str = "NAME: in_the_tree\nDEPTH: D\n: own_helper(_G)\nMAP\n...\n...\n...\nENDMAP\n";

/// The tags that scripts see.
const PROBE: &str = r#"{{
local lines = {}
for name, value in pairs(tags) do
  lines[#lines + 1] = name .. "=" .. (type(value) == "function" and value() or value)
end
table.sort(lines)
print("tags " .. table.concat(lines, " "))
}}
NAME: probe
DEPTH: D
MAP
...
ENDMAP
"#;

/// A clone in a folder of this name, with the files that tell its version.
fn clone(name: &str, marks: &[&str]) -> PathBuf {
    let root = temporary(name);
    let dat = dat(&root);
    write(&dat.join("dlua/dungeon.lua"), "crawl_require('dlua/helper.lua')\n");
    write(&dat.join("dlua/helper.lua"), "function own_helper(e) e.tags('no_rotate') end\n");
    write(&dat.join("des/vaults.des"), VAULT);
    for mark in marks {
        write(&dat.join(mark), "");
    }
    root
}

fn dat(root: &Path) -> PathBuf {
    root.join("crawl-ref/source/dat")
}

fn write(path: &Path, text: &str) {
    std::fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
    std::fs::write(path, text).expect("written");
}

/// The same with the variable set.
fn run_with(variable: &str, folder: &Path, arguments: &[&str]) -> (i32, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_vaultwright"))
        .current_dir(folder)
        .args(arguments)
        .env("VAULTWRIGHT_DATA", variable)
        .env("NO_COLOR", "1")
        .output()
        .expect("the program runs");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code().expect("a code"), text(&output.stdout), text(&output.stderr))
}

const FINE: &str = "1 map in 1 file: no errors, no warnings\n";
const EGOS: &str = "descript/egos.txt";

fn is_fine(run: &Run) {
    assert_eq!((run.code, &*run.stdout), (0, FINE), "{}", run.stderr);
}

#[test]
fn data_takes_any_folder_of_a_tree() {
    let root = clone("roots_named", &[EGOS]);
    for below in ["", "crawl-ref", "crawl-ref/source", "crawl-ref/source/dat"] {
        let named = root.join(below);
        let run = run(&["check", "--data", word(&named)]);
        is_fine(&run);
        assert_eq!(run.stderr, "", "what is named need not be told");
    }
    // An installation: the program and its data below one prefix.
    let prefix = temporary("roots_installed");
    let share = prefix.join("share/crawl");
    std::fs::create_dir_all(&share).expect("a folder");
    std::fs::rename(dat(&root), share.join("dat")).expect("moved");
    write(&prefix.join("bin/crawl"), "");
    for below in ["", "share/crawl", "share/crawl/dat", "bin", "bin/crawl"] {
        is_fine(&run(&["check", "--data", word(&prefix.join(below))]));
    }
    let nowhere = run(&["check", "--data", word(&prefix.join("nowhere"))]);
    assert_eq!(nowhere.code, 3);
    assert!(nowhere.stderr.contains("nowhere is not a folder (--data takes a clone of Crawl"));
    let other = temporary("roots_of_nothing");
    let nothing = run(&["check", "--data", word(&other)]);
    assert_eq!(nothing.code, 1);
    assert!(nothing.stderr.contains("holds neither vaults nor a pack"), "{}", nothing.stderr);
}

/// A fork may have its data in another place.
#[test]
fn a_tree_in_a_folder_of_another_name_is_found() {
    let root = clone("roots_renamed", &[EGOS]);
    let data = root.join("game/data");
    std::fs::create_dir_all(root.join("game")).expect("a folder");
    std::fs::rename(dat(&root), &data).expect("moved");
    for named in [&root, &root.join("game"), &data] {
        is_fine(&run(&["check", "--data", word(named)]));
    }
    is_fine(&run_in(&data.join("des"), &["check"]));
    // With a second one nobody knows which is meant; with vaults of its own it is a pack of these.
    let other = root.join("old/data");
    write(&other.join("dlua/dungeon.lua"), "");
    let two = run(&["check", "--data", word(&root)]);
    assert!(two.code == 1 && two.stderr.contains("holds several trees"), "{}", two.stderr);
    assert!(two.stderr.contains("game/data, ") && two.stderr.contains("old/data"));
    write(&root.join(".git/HEAD"), "");
    let within = run_in(&root, &["check"]);
    assert!(within.stderr.contains("several trees are in this clone"), "{}", within.stderr);
    // Nor is a library a file of vaults.
    let library = run_in(&data, &["check", "dlua/dungeon.lua"]);
    assert_eq!(library.code, 2, "{}", library.stderr);
    assert!(library.stderr.contains("dungeon.lua holds no vaults"), "{}", library.stderr);
    std::fs::remove_dir_all(&other).expect("removed");
    // What a program has put by is no tree.
    write(&root.join("build/CACHEDIR.TAG"), "");
    write(&root.join("build/data/dlua/dungeon.lua"), "");
    is_fine(&run(&["check", "--data", word(&root)]));
    is_fine(&run_in(&data.join("des"), &["check"]));
    // Far below, as where Crawl is a part of something else, and by a link.
    let deep = root.join("third/party/crawl/crawl-ref/source");
    std::fs::create_dir_all(&deep).expect("a folder");
    std::fs::rename(&data, deep.join("dat")).expect("moved");
    is_fine(&run(&["check", "--data", word(&root)]));
    #[cfg(unix)]
    {
        let linking = root.with_file_name("roots_linking");
        let _ = std::fs::remove_dir_all(&linking);
        std::fs::create_dir_all(&linking).expect("a folder");
        let target = deep.join("dat").canonicalize().expect("a path");
        std::os::unix::fs::symlink(target, linking.join("data")).expect("a link");
        is_fine(&run(&["check", "--data", word(&linking)]));
    }
    write(&root.join("mine.des"), &VAULT.replace("own_helper(_G)", "tags('no_rotate')"));
    let own = run(&["check", "--data", word(&root)]);
    assert!(own.stdout.contains("2 maps in 2 files"), "{}", own.stdout);
}

#[cfg(unix)]
#[test]
fn who_comes_by_a_link_is_in_the_tree() {
    use std::os::unix::fs::symlink;
    let root = clone("roots_linked", &[EGOS]);
    let outside = temporary("roots_links");
    symlink(dat(&root).join("des/vaults.des"), outside.join("one.des")).expect("a link");
    symlink(dat(&root).join("des"), outside.join("all")).expect("a link");
    let told = format!("using Crawl 0.34 at {}\n", dat(&root).display());
    for path in ["one.des", "all", "all/vaults.des"] {
        let run = run_in(&outside, &["check", path]);
        is_fine(&run);
        assert_eq!(run.stderr, told, "{path}");
    }
    is_fine(&run_in(&outside.join("all"), &["check"]));
    // A header that never ends tells nothing.
    symlink("/dev/zero", root.join("crawl-ref/source/tag-version.h")).expect("a link");
    is_fine(&run_in(&root, &["check"]));
}

#[test]
fn errors_of_the_library_name_its_files() {
    let root = clone("roots_broken_library", &[EGOS]);
    write(&dat(&root).join("dlua/helper.lua"), "\nfunction own_helper( end\n");
    let broken = run_in(&root, &["check"]);
    assert_eq!(broken.code, 1);
    let told = "error: crawl-ref/source/dat/dlua/helper.lua:2: <name> or '...' expected";
    assert!(broken.stderr.contains(told), "{}", broken.stderr);
    std::fs::remove_file(dat(&root).join("dlua/helper.lua")).expect("removed");
    let missing = run_in(&root, &["check"]);
    let told = "error: crawl-ref/source/dat/dlua/dungeon.lua:1: Can't find \"dlua/helper.lua\"";
    assert!(missing.stderr.contains(told), "{}", missing.stderr);
}

/// The order is that of what lists the files: a script as it is in the sources, or the list that
/// installing makes of it.
#[test]
fn vaults_are_loaded_in_the_order_of_their_tree() {
    let root = clone("roots_order_of_files", &[EGOS]);
    for file in ["marsh.des", "marsh/deep.des", "marsh-old.des"] {
        let name = file.replace(['/', '.', '-'], "_");
        let map = format!("{{{{\nprint('{file} is read')\n}}}}\nNAME: {name}\nMAP\n..\nENDMAP\n");
        write(&dat(&root).join("des").join(file), &map);
    }
    let order = || {
        let told = run_in(&root, &["check"]).stderr;
        let file = |line: &str| {
            let (file, _) = line.strip_suffix(" is read")?.rsplit_once(".des")?;
            Some(file.rsplit(' ').next()?.to_owned())
        };
        told.lines().filter_map(file).collect::<Vec<_>>()
    };
    assert_eq!(order(), ["marsh-old", "marsh", "marsh/deep"]);
    let lists = "for _, file in ipairs(file.datadir_files_recursive('des/', '.des')) do\n\
                 dgn.load_des_file('des/' .. file)\nend\n";
    write(&dat(&root).join("dlua/loadmaps.lua"), lists);
    assert_eq!(order(), ["marsh/deep", "marsh-old", "marsh"]);
    write(&dat(&root).join("dlua/loadmaps.lua"), "dgn.load_des_file('des/marsh-old.des')\n");
    assert_eq!(order(), ["marsh-old", "marsh", "marsh/deep"]);
}

/// What only Vaultwright has is no error, since it runs, but the game could not load it.
#[test]
fn painters_that_crawl_lacks_are_told_in_its_trees() {
    let root = clone("roots_painters", &[EGOS]);
    let file = dat(&root).join("des/mine.des");
    let map = "NAME: mine\nDEPTH: D:3\nORIENT: encompass\n\
               : extend_map { width = 80, height = 70, fill = 'x' }\n\
               : walk_cave { share = 30 }\nMAP\nENDMAP\n";
    write(&file, map);
    let in_tree = run(&["check", word(&file)]);
    assert!(in_tree.stdout.contains("nobody defines 'walk_cave'"), "{}", in_tree.stdout);
    assert!(in_tree.stdout.contains("which Crawl does not have"), "{}", in_tree.stdout);
    let alone = run(&["check", word(&file), "--standalone"]);
    assert!(!alone.stdout.contains("VW361"), "{}", alone.stdout);
}

#[test]
fn the_tree_around_is_found_and_told() {
    let root = clone("roots_around", &[EGOS]);
    let dat = dat(&root);
    std::fs::create_dir_all(root.join("crawl-ref/docs")).expect("a folder");
    let told = format!("using Crawl 0.34 at {}\n", dat.display());
    for inside in ["", "crawl-ref/docs", "crawl-ref/source/dat", "crawl-ref/source/dat/des"] {
        let run = run_in(&root.join(inside), &["check"]);
        is_fine(&run);
        assert_eq!(run.stderr, told, "in '{inside}'");
    }
    let other = run_in(&root, &["check", "--rules", "trunk"]);
    assert!(other.stderr.starts_with(&told.replace('\n', ", rules trunk\n")), "{}", other.stderr);
    // What the tree says itself wins over what its files tell.
    write(&dat.join("pack.json"), "{\"rules\": \"0.31\"}");
    let declared = run_in(&root, &["check"]);
    assert_eq!(declared.stderr, told.replace("0.34", "0.31"));
    std::fs::remove_file(dat.join("pack.json")).expect("removed");
    // A file inside the tree, from outside of it.
    let outside = temporary("roots_outside");
    let file = dat.join("des/vaults.des");
    let run = run_in(&outside, &["check", word(&file)]);
    is_fine(&run);
    assert_eq!(run.stderr, told);
    let shown = run_in(&outside, &["show", "in_the_tree", "--file", word(&file), "--count", "1"]);
    assert_eq!((shown.code, &*shown.stderr), (0, &*told));
    // A file outside, inside the tree.
    write(&outside.join("mine.des"), &VAULT.replace("in_the_tree", "mine"));
    let mine = outside.join("mine.des");
    let run = run_in(&root, &["check", word(&mine)]);
    is_fine(&run);
    assert_eq!(run.stderr, told);
    // Files of two trees.
    let other = clone("roots_other", &[EGOS]);
    let two =
        [word(&file), word(&other.join("crawl-ref/source/dat/des/vaults.des"))].map(str::to_owned);
    let run = run_in(&outside, &["check", &two[0], &two[1]]);
    assert_eq!(run.code, 1);
    assert!(run.stderr.contains("name one tree with --data, or none"), "{}", run.stderr);
}

/// What a checkout of some folders leaves of a tree is one still, and what stands in is told.
#[test]
fn vaults_of_a_sparse_checkout_are_a_tree() {
    let root = temporary("roots_sparse");
    let inner = "NAME: inner\nTAGS: from_beside\nMAP\n..\nENDMAP\n";
    write(&dat(&root).join("des/beside.des"), inner);
    let own = "NAME: outer\nDEPTH: D\nSUBVAULT: A : from_beside\nMAP\nAA\nENDMAP\n";
    let file = dat(&root).join("des/deep/own.des");
    write(&file, own);
    let library = " with the Lua library of the program itself: dlua/dungeon.lua is not there \
                   (--standalone leaves the tree aside)\n";
    let told = |what: &str| format!("using {what} at {}{library}", dat(&root).display());
    for inside in ["", "crawl-ref/source", "crawl-ref/source/dat/des"] {
        let run = run_in(&root.join(inside), &["show", "outer", "--count", "1"]);
        assert_eq!((run.code, &*run.stderr), (0, &*told("vaults (as of trunk)")), "in '{inside}'");
        assert!(run.stdout.contains(".."), "{}", run.stdout);
    }
    is_fine(&run(&["check", word(&file)]));
    let alone = run(&["check", word(&file), "--standalone"]);
    assert_eq!((alone.code, &*alone.stderr), (0, ""));
    // What other files of the program's library have is there without a file of its own.
    let classes = dat(&root).join("des/classes.des");
    let marked = "MARKER: A = lua:portal_desc { desc = \"a door\" }\n";
    write(
        &classes,
        &format!(
            "{{{{ crawl_require(\"dlua/lm_pdesc.lua\") }}}}\nNAME: marked\nDEPTH: D\n{marked}MAP\nA.@\nENDMAP\n"
        ),
    );
    is_fine(&run(&["check", word(&classes), "--standalone"]));
    // Its maps tell the version.
    write(&dat(&root).join("des/mark.des"), &inner.replace("inner", "dysonsfear_arrival_angles"));
    assert_eq!(run(&["check", word(&file)]).stderr, told("the vaults of Crawl 0.34"));
    // What its own library has, the program's may lack, or have otherwise.
    let asking = "NAME: asking\nDEPTH: D\n: ghost_setup(_G)\nMAP\n..@\nENDMAP\n\
                  NAME: paying\nDEPTH: D\nMARKER: A = lua:trove_marker { toll = {} }\nMAP\nA.@\nENDMAP\n";
    let asking_file = dat(&root).join("des/asking.des");
    write(&asking_file, asking);
    let asked = run(&["check", word(&asking_file)]);
    assert_eq!(asked.code, 0, "{}", asked.stdout);
    let stands_in = asked.stdout.matches("the program's own library, of trunk, stands in").count();
    assert_eq!(stands_in, 2, "{}", asked.stdout);
    // A folder of another name holds one's own files.
    let other = temporary("roots_own_des");
    write(&other.join("vaults/des/own.des"), &own.replace("AA", "..").replace("SUBVAULT", "# A"));
    assert_eq!(run_in(&other.join("vaults/des"), &["check", "own.des"]).stderr, "");
}

/// A kind whose file is not read is missing, wherever vaults ask for it.
#[test]
fn monsters_that_are_not_read_are_told_with_what_asks_for_them() {
    let root = clone("roots_unread", &["descript/passives.txt", "mons/odd.yaml"]);
    write(&dat(&root).join("mons/odd.yaml"), "name: \"odd newt\"\nglyph: [\n");
    let file = dat(&root).join("des/own.des");
    write(&file, "NAME: own\nDEPTH: D\nMONS: odd newt\nMAP\n1\nENDMAP\n");
    let yaml = dat(&root).join("mons/odd.yaml").display().to_string();
    for _ in 0..2 {
        let run = run(&["check", word(&file)]);
        assert_eq!(run.code, 1);
        let hint = format!("{yaml} has this monster, but is not read: line ");
        assert!(run.stdout.contains(&hint), "{}", run.stdout);
        let line = format!("warning: 1 monster file of this tree is not read: {yaml}:");
        assert!(run.stderr.contains(&line), "{}", run.stderr);
        assert_eq!(run.stderr.matches("odd.yaml").count(), 1, "{}", run.stderr);
    }
    let resolved = run_in(&root, &["resolve", "in_the_tree"]);
    assert!(resolved.stderr.contains("monster file of this tree is not read"));
    // Of the whole tree it is a finding.
    let all = run_in(&root, &["check"]);
    assert!(all.stdout.contains("VW205"), "{}", all.stdout);
    assert!(!all.stderr.contains("is not read"), "{}", all.stderr);
    write(&dat(&root).join("species/mole.yaml"), "name: mole\naptitudes: {\n");
    write(&dat(&root).join("jobs/none.yaml"), "enum: JOB_NONE\n");
    let all = run_in(&root, &["check"]);
    for wrong in ["mole.yaml:3:1 ", "none.yaml:1:1 "] {
        assert!(all.stdout.contains(wrong), "{wrong}: {}", all.stdout);
    }
    assert_eq!(all.stdout.matches("VW205").count(), 3, "{}", all.stdout);
    write(&dat(&root).join("mons/late.yml"), "name: other\n");
    let all = run_in(&root, &["check"]);
    assert!(all.stdout.contains("only files whose names end with .yaml are"), "{}", all.stdout);
    write(&dat(&root).join("mons/bad.yaml"), "name: other\n");
    let two = run(&["check", word(&file)]);
    assert!(two.stderr.contains("2 monster files of this tree are not read, the first: "));
}

#[test]
fn findings_of_the_tree_around_have_short_paths() {
    let root = clone("roots_short", &[EGOS]);
    write(&dat(&root).join("des/bad.des"), "NAME: bad\nDEPTH: D\nMONS: nonsense\nMAP\nx\nENDMAP\n");
    let run = run_in(&root, &["check", "--format", "github"]);
    assert!(run.stdout.contains("file=crawl-ref/source/dat/des/bad.des,line=3"), "{}", run.stdout);
    let run = run_in(&dat(&root), &["check", "--format", "github"]);
    assert!(run.stdout.contains("file=./des/bad.des,line=3"), "{}", run.stdout);
}

#[test]
fn the_order_of_what_is_named() {
    let root = clone("roots_order", &[EGOS]);
    let inside = dat(&root);
    let starter = run(&["check", "--standalone"]).stdout;
    assert!(!starter.is_empty() && starter != FINE);
    // No tree at all.
    for words in [&["check", "--standalone"][..], &["check", "--data", "none"]] {
        let run = run_in(&inside, words);
        assert_eq!((run.code, &*run.stderr, &run.stdout), (0, "", &starter));
        // A file stands alone: nobody has defined its helper.
        let alone = run_in(&inside, &[words, &["des/vaults.des"]].concat());
        assert_eq!(alone.code, 1);
        assert!(alone.stdout.contains("own_helper"), "{}", alone.stdout);
    }
    let (code, stdout, stderr) = run_with("none", &inside, &["check"]);
    assert_eq!((code, &*stderr, &stdout), (0, "", &starter));
    // Empty is not set.
    let (code, stdout, stderr) = run_with("", &inside, &["check"]);
    assert_eq!((code, &*stdout), (0, FINE));
    assert!(stderr.starts_with("using Crawl 0.34 at "), "{stderr}");
    let (_, _, stderr) = run_with(word(&root), &inside, &["check", "--data", ""]);
    assert!(stderr.starts_with("using Crawl 0.34 at "), "{stderr}");
    // The variable comes before the tree around, the option before the variable.
    let elsewhere = temporary("roots_elsewhere");
    let (code, stdout, stderr) = run_with(word(&root), &elsewhere, &["check"]);
    assert_eq!((code, &*stdout, &*stderr), (0, FINE, ""));
    let (_, stdout, _) = run_with("/nowhere", &elsewhere, &["check", "--data", word(&root)]);
    assert_eq!(stdout, FINE);
    let (code, stdout, _) = run_with(word(&root), &elsewhere, &["check", "--standalone"]);
    assert_eq!((code, &stdout), (0, &starter));
}

#[test]
fn a_pack_is_found_around_its_files() {
    let pack = temporary("roots_pack");
    write(&pack.join("pack.json"), "{\"name\": \"marsh\", \"rules\": \"trunk\"}");
    let vault = "NAME: pool\nDEPTH: D\nMAP\n...\nENDMAP\n";
    write(&pack.join("des/deep/pool.des"), vault);
    let run = run_in(&pack.join("des/deep"), &["check", "pool.des"]);
    is_fine(&run);
    assert_eq!(run.stderr, format!("using the pack marsh at {}\n", pack.display()));
}

#[test]
fn workers_have_the_tree_that_was_found() {
    let pack = temporary("roots_campaign");
    write(&pack.join("pack.json"), "{\"rules\": \"trunk\"}");
    write(&pack.join("des/a.des"), "NAME: a\nDEPTH: D\nMAP\n...\nENDMAP\n");
    let run = run_in(&pack.join("des"), &["objstat", "1", "Temple", "--jobs", "1"]);
    assert_eq!(run.stderr.matches("using the pack at").count(), 1, "{}", run.stderr);
}

#[test]
fn save_tags_need_no_generated_file() {
    let root = clone("roots_tags", &[EGOS]);
    write(&dat(&root).join("des/probe.des"), PROBE);
    let probe = |root: &Path| {
        let run = run(&["check", word(&dat(root).join("des/probe.des"))]);
        assert_eq!(run.code, 0, "{}", run.stdout);
        run.stderr
    };
    // The table of the version.
    let told = probe(&root);
    for tag in [
        " NUM_TAG_MINORS=317 ",
        " TAG_MINOR_GHOST_TITLE=327 ",
        " TAG_MINOR_VERSION=316 ",
        " major_version=34",
    ] {
        assert!(told.contains(tag), "{tag} is missing: {told}");
    }
    // The header beside `dat`.
    let header = "#define TAG_MAJOR_VERSION 36\nenum e {\n  TAG_MINOR_RESET = 0,\n  TAG_MINOR_OURS, // new\n  \
                  TAG_MINOR_GIVEN = 9,\n  NUM_TAG_MINORS,\n};\n  TAG_MINOR_OURS,\n";
    write(&root.join("crawl-ref/source/tag-version.h"), header);
    let all = "tags NUM_TAG_MINORS=2 TAG_MINOR_OURS=3 TAG_MINOR_RESET=0 TAG_MINOR_VERSION=1 major_version=36\n";
    let told = probe(&root);
    assert!(told.contains(all), "{told}");
    // The file itself, where a build has made it.
    write(&dat(&root).join("dlua/tags.lua"), "tags = { MADE = 7 }\n");
    let told = probe(&root);
    assert!(told.contains("tags MADE=7\n"), "{told}");
}

#[test]
fn save_tags_of_0_28_are_those_of_its_file() {
    let Some(data) = crawl_data() else { return };
    let root = temporary("roots_made_tags");
    let link = |from: &Path, to: &Path| {
        for entry in std::fs::read_dir(from).expect("a folder") {
            let path = entry.expect("an entry").path();
            let name = path.file_name().expect("a name");
            if name != "tags.lua" && name != "dlua" {
                std::os::unix::fs::symlink(&path, to.join(name)).expect("a link");
            }
        }
    };
    std::fs::create_dir_all(root.join("dlua")).expect("a folder");
    link(Path::new(data), &root);
    link(&Path::new(data).join("dlua"), &root.join("dlua"));
    let probe = root.join("probe.des");
    write(&probe, PROBE);
    let made = run(&["check", word(&probe), "--data", word(&root)]);
    let shipped = run(&["check", word(&probe), "--data", data]);
    assert_eq!(made.code, 0, "{}", made.stdout);
    assert!(shipped.stderr.contains("NUM_TAG_MINORS=240"), "{}", shipped.stderr);
    assert_eq!(made.stderr, shipped.stderr);
}

#[test]
fn old_trees_load_with_require() {
    let root = clone("roots_require", &["dlua/lm_mslav.lua"]);
    write(
        &dat(&root).join("dlua/dungeon.lua"),
        "require('dlua/helper.lua')\nrequire('dlua/helper.lua')\n",
    );
    let run_old = run_in(&root, &["check"]);
    is_fine(&run_old);
    assert!(run_old.stderr.starts_with("using Crawl 0.22 or older at "), "{}", run_old.stderr);
    // Later ones have no such function.
    let root = clone("roots_no_require", &[EGOS]);
    write(
        &dat(&root).join("des/vaults.des"),
        &VAULT.replace("own_helper(_G)", "require('dlua/helper.lua')"),
    );
    let run_new = run_in(&root, &["check"]);
    assert_eq!(run_new.code, 1);
    assert!(run_new.stdout.contains("crawl_require loads files"), "{}", run_new.stdout);
}

/// A fork brings monsters, items and spells of its own; where it has no files of monsters its
/// descriptions say which.
#[test]
fn what_a_tree_describes_is_no_mistake_in_it() {
    let root = clone("roots_described", &["dlua/lm_replica.lua"]);
    let described = |file: &str, names: &[&str]| {
        let entries: String =
            names.iter().map(|name| format!("%%%%\n{name}\n\nA thing.\n")).collect();
        write(&dat(&root).join("descript").join(file), &(entries + "%%%%\n"));
    };
    described("monsters.txt", &["marsh hag"]);
    described("items.txt", &["potion of mud"]);
    described("unrand.txt", &["Hag's Ladle"]);
    described("spells.txt", &["Mud Bath spell"]);
    let own = "NAME: own\nDEPTH: D\nMONS: marsh hag ; dagger, marsh hag zombie\n\
               KMONS: x = Marsh_Hag w:5 / rat spells:mud_bath\nITEM: potion of mud, hag's ladle\n\
               KITEM: y = marsh hag corpse\nMAP\n1xyd.\nENDMAP\n";
    write(&dat(&root).join("des/vaults.des"), own);
    let run = run_in(&root, &["check"]);
    assert_eq!(run.code, 0, "{}", run.stdout);
    assert!(run.stdout.contains("no table tells of 'potion of mud'"), "{}", run.stdout);
    assert!(run.stdout.contains("1 map in 1 file: no errors, "), "{}", run.stdout);
    let shown = run_in(&root, &["show", "own", "--count", "1"]);
    assert_eq!(shown.code, 0, "{}", shown.stderr);
    // It may have the name of another version.
    described("monsters.txt", &["marsh hag", "spiny frog"]);
    write(&dat(&root).join("des/vaults.des"), &own.replace("rat spells", "spiny frog spells"));
    let run = run_in(&root, &["check"]);
    assert_eq!(run.code, 0, "{}", run.stdout);
    assert!(run.stdout.contains("'spiny frog' is 'cane toad' since 0.26"), "{}", run.stdout);
    // What nobody tells of is one.
    write(&dat(&root).join("des/vaults.des"), &own.replace("KITEM: y = marsh", "KITEM: y = march"));
    let run = run_in(&root, &["check"]);
    assert_eq!(run.code, 1);
    assert!(run.stdout.contains("march hag"), "{}", run.stdout);
}

/// No table is older than those of 0.24, so that nobody can say what a still older game had.
#[test]
fn names_of_a_game_older_than_all_tables_are_doubted_only() {
    let root = clone("roots_old_names", &["dlua/lm_mslav.lua"]);
    let own = "NAME: own\nDEPTH: D\nMONS: marsh hag / rat\nITEM: rod of mud, any rod, dagger ego:mud\n\
               KFEAT: z = mud trap\nKFEAT: y = mud_pool\nKITEM: x = deck of mud, bread ration\n\
               KPROP: 1 = mold / mud\nCOLOUR: 1 = mudbrown\nMAP\n1xyzd\nENDMAP\n";
    write(&dat(&root).join("des/vaults.des"), own);
    let run = run_in(&root, &["check"]);
    assert_eq!(run.code, 0, "{}", run.stdout);
    assert!(
        run.stderr.starts_with("using Crawl 0.23 at ") || run.stderr.contains("0.22"),
        "{}",
        run.stderr
    );
    assert!(run.stdout.contains("no table tells of 'rod of mud'"), "{}", run.stdout);
    let placed = run_in(&root, &["place", "own", "--seed", "1"]);
    assert_eq!(placed.code, 0, "{}", placed.stderr);
    // Where the rules are said, their tables are meant.
    let run = run_in(&root, &["check", "--rules", "0.24"]);
    assert_eq!(run.code, 1);
}

/// A vault of Lua 5.4.
const MODERN: &str = r#"NAME: modern
DEPTH: D
{{
local wide <const> = 7 // 2
for i = 1, 5 do
  if i & 1 == 0 then goto continue end
  print("i " .. i)
  ::continue::
end
print("w:" .. wide .. " " .. 10 / 2 .. " " .. table.unpack({ "unpacked" }))
}}
MAP
...
ENDMAP
"#;

#[test]
fn scripts_of_lua_5_4_run_where_the_rules_want_them() {
    let root = clone("roots_modern", &[EGOS]);
    write(&dat(&root).join("des/vaults.des"), MODERN);
    let run_new = run_in(&root, &["check"]);
    is_fine(&run_new);
    for said in [": i 1\n", ": i 5\n", ": w:3 5.0 unpacked\n"] {
        assert!(run_new.stderr.contains(said), "{said}: {}", run_new.stderr);
    }
    assert!(!run_new.stderr.contains("i 2"), "{}", run_new.stderr);
    let old = run_in(&root, &["check", "--rules", "0.28"]);
    assert_eq!(old.code, 1);
    let told = "this is Lua 5.4, and the rules of 0.28 want Lua 5.1";
    assert!(old.stdout.contains(told) && old.stdout.contains("vaults.des:4"), "{}", old.stdout);
}

#[test]
fn a_function_of_the_other_lua_is_told() {
    let root = clone("roots_other_lua", &[EGOS]);
    write(
        &dat(&root).join("des/vaults.des"),
        &VAULT.replace("own_helper(_G)", "print(unpack({ 1 }))"),
    );
    let new = run_in(&root, &["check"]);
    assert_eq!(new.code, 1);
    let told = "unpack is Lua 5.1, and the rules of 0.34 want Lua 5.4: write table.unpack";
    assert!(new.stdout.contains(told), "{}", new.stdout);
    let old = run_in(&root, &["check", "--rules", "0.30"]);
    assert_eq!(old.code, 0, "{}", old.stdout);
    write(
        &dat(&root).join("des/vaults.des"),
        &VAULT.replace("own_helper(_G)", "print(table.unpack({ 1 }))"),
    );
    let old = run_in(&root, &["check", "--rules", "0.30"]);
    let told = "table.unpack is Lua 5.4, and the rules of 0.30 want Lua 5.1: write unpack";
    assert!(old.stdout.contains(told), "{}", old.stdout);
}

#[test]
fn the_only_pack_below_a_folder_is_meant() {
    let root = temporary("roots_pack_below");
    let vault = "NAME: pool\nDEPTH: D\nMAP\n...\nENDMAP\n";
    write(&root.join("assets/one/pack.json"), "{\"name\": \"one\", \"rules\": \"trunk\"}");
    write(&root.join("assets/one/des/pool.des"), vault);
    write(&root.join("notes/lost.des"), "NAME: lost\nMAP\n");
    let only = run(&["check", "--data", word(&root)]);
    assert!(only.stdout.starts_with("1 map in 1 file"), "{}{}", only.stdout, only.stderr);
    write(&root.join("assets/two/pack.json"), "{\"name\": \"two\", \"rules\": \"trunk\"}");
    let two = run(&["check", "--data", word(&root)]);
    assert!(two.code == 1 && two.stderr.contains("assets/one, "), "{}", two.stderr);
}
