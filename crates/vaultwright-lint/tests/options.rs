//! Options of painters: what is told, and what may be meant for another function (VW362).

use vaultwright_content::Edition;
use vaultwright_engine::{DataRoot, Engine, EngineOptions};
use vaultwright_lint::{code_of, findings};
use vaultwright_syntax::Source;

/// A file with a map whose Lua is this.
fn map(name: &str, prelude: &str, lua: &str) -> String {
    format!("{prelude}\nNAME: {name}\nDEPTH: D\n{{{{\n{lua}\n}}}}\nMAP\n.x.\nENDMAP\n")
}

fn told_of(root: DataRoot, files: &[String]) -> Vec<(String, String)> {
    let options = EngineOptions { root, edition: Some(Edition::V0_28), ..EngineOptions::default() };
    let mut engine = Engine::new(options).expect("an engine");
    let sources = files
        .iter()
        .enumerate()
        .map(|(number, text)| Source::new(format!("{number}.des"), text.clone().into_bytes()));
    let loaded = engine.load(sources.collect());
    let problems = findings(&mut engine, loaded, &|_| true).into_iter();
    let told = problems.map(|problem| {
        let code = code_of(&problem);
        assert!(code == "VW362", "{code}: {} in {files:?}", problem.message);
        (problem.message, problem.hint.unwrap_or_default())
    });
    told.collect()
}

/// What is told of the Lua of a map, which is not run.
fn told(lua: &str) -> Vec<(String, String)> {
    let lua = format!("if crawl.one_chance_in(100000) then\n{lua}\nend");
    told_of(DataRoot::Bare, &[map("one", "", &lua)])
}

const NOISE: &str = "paint_noise { bands = {}, skale = 3 }";

#[test]
fn an_option_that_the_painter_does_not_know_is_told() {
    let no = |option: &str| format!("paint_noise has no option '{option}'");
    assert_eq!(told(NOISE), [(no("skale"), "did you mean 'scale'?".to_owned())]);
    // What the table has already was not meant.
    let list = "it knows x1, y1, x2, y2, bands, scale, octaves, on".to_owned();
    assert_eq!(told("paint_noise { bands = {}, scale = 2, skale = 3 }"), [(no("skale"), list)]);
    let handed = "local function draw(e)\n  e.paint_noise { bands = {}, skale = 3 }\nend\ndraw(_G)";
    assert_eq!(told(handed), [(no("skale"), "did you mean 'scale'?".to_owned())]);
}

#[test]
fn what_is_no_table_constructor_is_left_alone() {
    for lua in [
        "local options = { skale = 3 }\npaint_noise(options)",
        "local function full(t)\n  t.scale = t.skale\n  return t\nend\n\
         paint_noise(full { bands = {}, skale = 3 })",
        "local options\npaint_noise(options or { bands = {}, skale = 3 })",
        "local key = \"skale\"\npaint_noise { bands = {}, [key] = 3 }",
        "paint_noise { 1, 2, bands = {} }",
    ] {
        assert_eq!(told(lua), [], "{lua}");
    }
}

#[test]
fn a_function_that_has_taken_the_place_of_a_painter_is_left_alone() {
    let own = "function(options) return options.skale end";
    for lua in [
        format!("local paint_noise = {own}\n{NOISE}"),
        format!("local function draw(paint_noise) {NOISE} end\ndraw({own})"),
        format!("paint_noise = {own}\n{NOISE}"),
        format!("_G.paint_noise = {own}\n{NOISE}"),
        format!("function _G.paint_noise(options) return options.skale end\n{NOISE}"),
        format!("_G['paint_noise'] = {own}\n{NOISE}"),
        format!("rawset(_G, \"paint_noise\", {own})\n{NOISE}"),
        format!(
            "local function draw() {NOISE} end\nsetfenv(draw, {{ paint_noise = {own} }})\ndraw()"
        ),
        format!("local e = {{ paint_noise = {own} }}\ne.{NOISE}"),
        format!("local e = {{}}\nfunction e.paint_noise(t) return t.skale end\ne.{NOISE}"),
        format!("local function draw(e) e.{NOISE} end\ndraw {{ paint_noise = {own} }}"),
        format!("local own = {{}}\nfunction own:paint_noise(t) return t.skale end\nown:{NOISE}"),
    ] {
        assert_eq!(told_of(DataRoot::Bare, &[map("one", "", &lua)]), [], "{lua}");
    }
}

#[test]
fn a_painter_that_another_file_replaces_is_left_alone() {
    for replaced in [
        "function dgn.paint_noise(map, options) return options.skale end",
        "dgn['paint_noise'] = function(map, options) return options.skale end",
    ] {
        let prelude = map("one", &format!("{{{{\n{replaced}\n}}}}"), "");
        assert_eq!(told_of(DataRoot::Bare, &[prelude, map("two", "", NOISE)]), [], "{replaced}");
    }
}

#[test]
fn names_that_only_resemble_a_painter_replace_nothing() {
    for lua in [
        "local paint_noise_of = 1",
        "local own = { is_paint_noise = true }",
        "local same = paint_noise == nil",
        "-- paint_noise: patches of ground",
    ] {
        assert_eq!(told(&format!("{lua}\n{NOISE}")).len(), 1, "{lua}");
    }
}

#[test]
fn a_painter_that_the_library_of_a_folder_replaces_is_left_alone() {
    let folder = tempfile::tempdir().expect("a folder");
    let library = folder.path().join("dlua/dungeon.lua");
    std::fs::create_dir_all(library.parent().expect("a parent")).expect("a folder");
    let lua = "if crawl.one_chance_in(100000) then\nocta_room { oblik = 2 }\nend";
    for (text, count) in
        [("function dgn.octa_room(map, t) return t.oblik end", 0), ("-- nothing", 1)]
    {
        std::fs::write(&library, text).expect("written");
        let told = told_of(DataRoot::Directory(folder.path().into()), &[map("one", "", lua)]);
        assert_eq!(told.len(), count, "{told:?}");
    }
}

#[test]
fn names_in_parameters_of_markers_are_looked_at() {
    let one = |lua: &str| match &told(lua)[..] {
        [(message, hint)] => (message.clone(), hint.clone()),
        others => panic!("{lua}: {others:?}"),
    };
    for (lua, message, hint) in [
        (
            "local m = monster_on_death { target = \"dispatr\", new_monster = \"rat\" }",
            "monster_on_death: no monster is called 'dispatr'",
            "did you mean 'Dispater'?",
        ),
        (
            "local m = monster_on_death { target = \"dispater\", new_monster = \"rat\" }",
            "monster_on_death: no monster is called 'dispater'",
            "did you mean 'Dispater'?",
        ),
        (
            "local m = DgnTriggerer:new { type = \"monster_dies\", target = \"iron golm\" }",
            "DgnTriggerer:new: no monster is called 'iron golm'",
            "did you mean 'iron golem'?",
        ),
        (
            "local m = DgnTriggerer:new { type = \"feat_change\", target = \"runed_dor\" }",
            "DgnTriggerer:new: no feature is called 'runed_dor'",
            "did you mean 'runed_door'?",
        ),
        (
            "local m = one_way_stair { dst = \"x\", floor = \"flor\" }",
            "one_way_stair: no feature is called 'flor'",
            "did you mean 'floor'?",
        ),
        (
            "local m = one_way_stair { dst = \"Vualts\" }",
            "one_way_stair: no destination is called 'Vualts'",
            "did you mean 'Vaults'?",
        ),
        (
            "local m = trove_marker { dst = \"x\", toll = { type = \"itme\" } }",
            "no toll is called 'itme'",
            "did you mean 'item'?",
        ),
        (
            "local m = trove_marker { toll = { type = \"item\", item = { quantty = 1 } } }",
            "trove_marker has no parameter 'quantty'",
            "did you mean 'quantity'?",
        ),
        (
            "local m = trove_marker { toll = { type = \"item\", item = { base_type = \"poton\" } } }",
            "no kind of item is called 'poton'",
            "did you mean 'potion'?",
        ),
        (
            "local m = one_way_stair { dst = \"x\", onclimb = \"callback.none_such\" }",
            "one_way_stair: no global function is called 'callback.none_such'",
            "the text names a global function, with its tables: check it",
        ),
    ] {
        assert_eq!(one(lua), (message.to_owned(), hint.to_owned()));
    }
    for lua in [
        "local m = monster_on_death { target = \"any\", new_monster = \"rat\" }",
        "local m = monster_on_death { target = \"fred\", new_monster = \"rat name:fred\" }",
        "local m = DgnTriggerer:new { type = \"monster_dies\", target = \"Dispater\" }",
        "local m = one_way_stair { dst = \"lair\" }",
        "local m = one_way_stair { dst = \"Vaults:2\" }",
        "local m = trove_marker { toll = { type = \"bane\", bane = \"x\" } }",
        "local m = trove_marker { toll = { type = \"item\", item = { quantity = 1, \
         base_type = \"potion\", sub_type = \"curing\" } } }",
        "kmons(\"x = rat name:iron_golm\")\n\
         local m = DgnTriggerer:new { type = \"monster_dies\", target = \"iron golm\" }",
        "local m = DgnTriggerer:new { type = \"feat_change\", target = \"^runed\" }",
        "local m = DgnTriggerer:new { type = \"feat_change\", target = \"statue\" }",
        "local m = DgnTriggerer:new { type = \"item_moved\", target = \"auto\" }",
    ] {
        assert_eq!(told(lua), [], "{lua}");
    }
}
