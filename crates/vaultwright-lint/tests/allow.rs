//! Comments that allow findings.

use vaultwright_engine::{DataRoot, Engine, EngineOptions};
use vaultwright_lint::{code_of, findings, without_allowed};
use vaultwright_syntax::Source;

/// Returns the codes that are told of a file, with their lines.
fn told(text: &str) -> Vec<(&'static str, u32)> {
    let options = EngineOptions { root: DataRoot::Bare, ..EngineOptions::default() };
    let mut engine = Engine::new(options).expect("an engine");
    engine.note_glyphs();
    let loaded = engine.load(vec![Source::new("a.des", text.as_bytes())]);
    let problems = findings(&mut engine, loaded, &|_| true);
    let problems = without_allowed(problems, &engine.library().files, &|_| true);
    problems.iter().map(|p| (code_of(p), p.file.lines.position(p.span.start).line)).collect()
}

fn map(name: &str, lines: &str) -> String {
    format!("NAME: {name}\nDEPTH: D:3-\n{lines}MAP\nx.x\nENDMAP\n")
}

const MISSPELT: &str = "TAGS: no_rotat\nTAGS: no_hmirro\n";

#[test]
fn what_is_allowed_is_the_next_line_the_map_or_the_file() {
    let all = [("VW341", 3), ("VW341", 4), ("VW341", 10), ("VW341", 11)];
    assert_eq!(told(&(map("a", MISSPELT) + &map("b", MISSPELT))), all);
    let line = "# vaultwright: allow VW341\n# more to say\n";
    assert_eq!(told(&map("a", &format!("{line}{MISSPELT}"))), [("VW341", 6)]);
    let inside = map("a", &format!("# vaultwright: allow-map vw341\n{MISSPELT}"));
    assert_eq!(told(&(inside.clone() + &map("b", MISSPELT))), [("VW341", 11), ("VW341", 12)]);
    let before = format!("# vaultwright: allow-map VW341\n{}", map("a", MISSPELT));
    assert_eq!(told(&before), []);
    let file = map("a", MISSPELT) + "# vaultwright: allow-file VW341\n" + &map("b", MISSPELT);
    assert_eq!(told(&file), []);
    let lua = map("a", "{{\n-- vaultwright: allow VW341\ntags('no_rotat')\n}}\n");
    assert!(told(&lua).iter().all(|(code, _)| *code != "VW341"), "{:?}", told(&lua));
}

#[test]
fn what_allows_nothing_is_told_and_errors_are_not_allowed() {
    let unused = map("a", "# vaultwright: allow VW341, VW999\nTAGS: no_rotate\n");
    let mut codes = told(&unused);
    codes.sort_unstable();
    assert_eq!(codes, [("VW391", 3), ("VW392", 3)]);
    let error = map("a", "# vaultwright: allow-map VW102\nMONS: no such monster\n");
    assert!(told(&error).iter().any(|(code, _)| *code == "VW102"));
}
