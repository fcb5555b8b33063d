//! The examples of `vaultwright explain`: the wrong one has the problem, the right one has none.

use std::path::{Path, PathBuf};

use vaultwright_content::Edition;
use vaultwright_engine::{DataRoot, Engine, EngineOptions};
use vaultwright_lint::{
    code_of, codes, data_problems, findings, house_style, look_deeply, skipped_file, sorted,
    unusable_data, without_allowed,
};
use vaultwright_map::MapId;
use vaultwright_syntax::Source;

/// Makes a file of an example. One with a NAME is a whole file; any other is a part of a map, which
/// gets a depth and a drawing unless it has its own.
fn file_of(example: &str) -> String {
    // A mark of the byte order is no part of the first line.
    let text = example.trim_start_matches('\u{feff}');
    let begins = |word: &str| text.lines().any(|line| line.starts_with(word));
    if begins("NAME:") {
        return example.to_owned();
    }
    let depth = if begins("DEPTH:") || begins("PLACE:") { "" } else { "DEPTH: D:3-\n" };
    let monster = if begins("MONS:") { "1" } else { "." };
    let item = if begins("ITEM:") { "d" } else { "." };
    let drawing = format!("MAP\nxx.xx\nA.{monster}.B\na.{item}.b\nxq.zx\nENDMAP\n");
    let drawing = if begins("MAP") { "" } else { &drawing };
    format!("NAME: example\n{depth}{example}{drawing}")
}

/// Returns the codes of all that is wrong with an example, with the messages.
fn found(code: &str, example: &str) -> Vec<(&'static str, String)> {
    let mut problems = match code {
        "VW205" => monster_file(example),
        "VW206" => link(example),
        "VW207" => declaration(example),
        _ => {
            let folder = tempfile::tempdir().expect("a folder");
            let options = EngineOptions {
                root: DataRoot::Bare,
                edition: Some(Edition::V0_28),
                tiles: (code == "VW354").then(|| tiles(folder.path())),
                ..EngineOptions::default()
            };
            let mut engine = Engine::new(options).expect("an engine");
            engine.note_glyphs();
            let source = Source::new("example.des", file_of(example).into_bytes());
            let loaded = engine.load(vec![source]);
            let mut problems = findings(&mut engine, loaded, &|_| true);
            if code.starts_with("VW38") {
                problems.extend(look_deeply(&mut engine, MapId(0), 24));
            }
            if code.starts_with("VW40") {
                problems.extend(house_style(&engine, &|_| true));
            }
            let problems = without_allowed(problems, &engine.library().files, &|_| true);
            sorted(problems, &engine)
        }
    };
    assert!(problems.iter().all(|p| p.hint.is_some()), "{code}: a problem without a hint");
    let mut found: Vec<_> = problems.drain(..).map(|p| (code_of(&p), p.message)).collect();
    // The drawing that is added has letters for any example.
    if !example.lines().any(|line| line == "MAP") {
        found.retain(|(code, _)| *code != "VW319");
    }
    found
}

/// A folder whose files define enough tiles to be believed, that of the right example among them.
fn tiles(folder: &Path) -> PathBuf {
    let digit = |n: u8| char::from(b'A' + n);
    let names =
        (0..26).flat_map(|a| (0..26).map(move |b| format!("x FLOOR_{}{}\n", digit(a), digit(b))));
    let text: String = names.chain(["y DNGN_STATUE_DRAGON\n".to_owned()]).collect();
    std::fs::write(folder.join("dc-dngn.txt"), text).expect("written");
    folder.to_owned()
}

/// Checks a file about a monster with one line of the example.
fn monster_file(line: &str) -> Vec<vaultwright_engine::Problem> {
    let dir = tempfile::tempdir().expect("a folder");
    std::fs::create_dir(dir.path().join("mons")).expect("a folder");
    let text = format!(
        "name: zebra\nglyph: {{char: Y, colour: white}}\nhd: 4\nhp_10x: 200\nac: 2\nev: 9\nwill: 10\n\
         attacks: [{{type: kick, damage: 8}}]\nintelligence: animal\nshape: quadruped\n{line}"
    );
    std::fs::write(dir.path().join("mons/zebra.yaml"), text).expect("written");
    let root = DataRoot::Directory(dir.path().to_owned());
    let options = EngineOptions { root, edition: Some(Edition::Trunk), ..EngineOptions::default() };
    data_problems(&Engine::new(options).expect("an engine"))
}

/// Opens a pack with the example for its declaration.
fn declaration(example: &str) -> Vec<vaultwright_engine::Problem> {
    let dir = tempfile::tempdir().expect("a folder");
    std::fs::write(dir.path().join("pack.json"), example).expect("written");
    let root = DataRoot::Directory(dir.path().to_owned());
    let options = EngineOptions { root: root.clone(), ..EngineOptions::default() };
    Engine::new(options).err().iter().map(|error| unusable_data(error, &root)).collect()
}

/// Looks at a pack with the link of the example, written as `LINK -> TARGET`.
fn link(example: &str) -> Vec<vaultwright_engine::Problem> {
    let dir = tempfile::tempdir().expect("a folder");
    let pack = dir.path().join("pack");
    for folder in [&pack.join("des"), &dir.path().join("other-vaults")] {
        std::fs::create_dir_all(folder).expect("a folder");
    }
    let (link, target) = example.trim().split_once(" -> ").expect("a link");
    std::os::unix::fs::symlink(pack.join("des").join(target), pack.join(link)).expect("linked");
    let options = EngineOptions { root: DataRoot::Directory(pack), ..EngineOptions::default() };
    let skipped = Engine::new(options).expect("an engine").pack_skipped().expect("readable");
    skipped.iter().map(|skipped| skipped_file(&skipped.path, skipped.why)).collect()
}

#[test]
fn wrong_examples_have_the_problem_and_right_ones_have_none() {
    let mut broken = Vec::new();
    for info in codes() {
        let (wrong, right) = info.examples();
        let problems = found(info.code, &wrong);
        if !problems.iter().any(|(code, _)| *code == info.code) {
            broken.push(format!("{}: the wrong example has {problems:?}", info.code));
        }
        let problems = found(info.code, &right);
        if !problems.is_empty() {
            broken.push(format!("{}: the right example has {problems:?}", info.code));
        }
    }
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}
