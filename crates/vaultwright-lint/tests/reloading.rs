//! A file that is taken up again is as in a new engine, whatever was done to it.

use std::path::Path;

use vaultwright_engine::{DataRoot, Engine, EngineOptions, Problem, SourceFile};
use vaultwright_lint::{KeptFindings, code_of, findings, findings_keeping};
use vaultwright_syntax::Source;

/// Draws of its own, the same in every run.
struct Draws(u64);

impl Draws {
    fn below(&mut self, bound: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % bound.max(1)
    }
}

/// Lines that somebody may write anywhere.
const LINES: [&str; 16] = [
    "# a remark",
    "",
    "MONS: no such monster",
    "MONS: rat, bat",
    "ITEM: any book",
    "KFEAT: ? = statue",
    "SUBST: ~ = .",
    "NSUBST: x = 400:v / *:c",
    "TAGS: transparent",
    "TAGS: transparant",
    "SUBVAULT: y : no_such_tag",
    "DEPTH: D:3-5, Lair",
    "default-depth: Orc",
    ": local unused = crawl.random2(3)",
    ": nobody_defines_this()",
    "ENDMAP",
];

/// Does something to a text that people do.
fn edited(text: &[u8], draws: &mut Draws) -> Vec<u8> {
    let mut lines: Vec<&[u8]> = text.split(|&byte| byte == b'\n').collect();
    let names: Vec<usize> =
        (0..lines.len()).filter(|&line| lines[line].starts_with(b"NAME:")).collect();
    let at = draws.below(lines.len());
    let name = |draws: &mut Draws| names.get(draws.below(names.len())).copied().unwrap_or(0);
    match draws.below(8) {
        0 => drop(lines.remove(at)),
        1 => lines.swap(at, 0),
        2 => {
            // A map is written twice, and one goes.
            let (from, to) = (name(draws), name(draws));
            let copied = lines[from.min(to)..from.max(to)].to_vec();
            lines.splice(from..from, copied);
        }
        3 => {
            let (from, to) = (name(draws), name(draws));
            drop(lines.drain(from.min(to)..from.max(to).min(from.min(to) + 60)));
        }
        4 => lines.insert(name(draws), b"NAME: somebody_else"),
        _ => lines.insert(at, LINES[draws.below(LINES.len())].as_bytes()),
    }
    lines.join(&b'\n')
}

fn told(problems: &[Problem]) -> Vec<String> {
    let told = problems.iter().map(|problem| {
        let Problem { severity, message, hint, span, map, fix, .. } = problem;
        let (code, file) = (code_of(problem), &problem.file.source.name);
        format!("{problem} {code} {file} {severity:?} {message} {hint:?} {span:?} {map:?} {fix:?}")
    });
    told.collect()
}

fn maps(engine: &Engine) -> Vec<String> {
    let library = engine.library();
    let maps = library.maps.iter().map(|map| {
        let line = map.syntax().line;
        let found = library.find(&map.selection.name).map(|index| library[index].origin);
        format!("{:?} {line} {} {found:?} {:?}", map.origin, map.file.source.name, map.selection)
    });
    let broken = library.broken.iter().map(|broken| {
        let problem = told(std::slice::from_ref(&*broken.problem));
        format!("{:?} {} {problem:?}", broken.origin, broken.name)
    });
    maps.chain(broken).collect()
}

fn new_engine(root: &DataRoot) -> Engine {
    let options = EngineOptions { root: root.clone(), ..EngineOptions::default() };
    let mut engine = Engine::new(options).expect("an engine");
    engine.note_glyphs();
    engine
}

/// Edits files again and again, and compares with new engines; longer with `scripts/test --long`.
fn edit(root: &DataRoot, sources: Vec<Source>, steps: usize, seed: u64) {
    let is_long = std::env::var_os("VAULTWRIGHT_LONG").is_some();
    let steps = if is_long { 5 * steps } else { steps };
    let mut draws = Draws(seed);
    let mut sources = sources;
    let first = sources.clone();
    let (mut engine, mut kept) = (new_engine(root), KeptFindings::default());
    engine.load(sources.clone());
    let mut again = 0;
    for step in 0..steps {
        let at = draws.below(sources.len());
        let text = match draws.below(6) {
            // What was done before is undone.
            0 => first[at].text.to_vec(),
            _ => edited(&sources[at].text, &mut draws),
        };
        sources[at] = Source::new(sources[at].name.clone(), text);
        let mut fresh = new_engine(root);
        let loaded = fresh.load(sources.clone());
        if engine.reload_file(sources[at].clone()).is_none() {
            (engine, kept) = (new_engine(root), KeptFindings::default());
            engine.load(sources.clone());
        } else {
            again += 1;
        }
        assert_eq!(maps(&engine), maps(&fresh), "step {step}");
        for name in [&sources[at].name, &sources[draws.below(sources.len())].name] {
            let is_own = |file: &SourceFile| file.source.name == *name;
            let expected = findings(&mut fresh, loaded.clone(), &is_own);
            let problems = engine.problems_in(name);
            let found = findings_keeping(&mut engine, problems, &is_own, &mut kept);
            assert_eq!(told(&found), told(&expected), "step {step}: {name}");
        }
    }
    assert!(again > steps / 2, "only {again} of {steps} edits leave the Lua outside maps alone");
}

/// The Lua outside maps of a file runs before the next only if the file has a map.
#[test]
fn a_map_in_another_file_changes_what_is_kept() {
    let root = DataRoot::Bare;
    let (mut engine, mut kept) = (new_engine(&root), KeptFindings::default());
    let given = "{{ function late_helper() end }}\n";
    let map = |name: &str, lua: &str| {
        format!("NAME: {name}\nDEPTH: D:1-3\nORIENT: float\n{lua}MAP\nxxx\nx@x\nENDMAP\n")
    };
    let source = |name: &str, text: &str| Source::new(name, text.as_bytes());
    let user = source("b.des", &map("b", ": late_helper()\n"));
    let loaded = engine.load(vec![source("a.des", given), user]);
    let is_late = |problem: &vaultwright_engine::Problem| code_of(problem) == "VW368";
    let found = findings_keeping(&mut engine, loaded, &|_| true, &mut kept);
    assert!(found.iter().any(is_late));
    let with_map = source("a.des", &format!("{given}{}", map("a", "")));
    assert!(engine.reload_file(with_map).is_some());
    let problems = engine.problems_in("b.des");
    let found = findings_keeping(&mut engine, problems, &|_| true, &mut kept);
    assert!(!found.iter().any(is_late));
}

#[test]
fn files_of_the_starter_pack_are_edited() {
    let sources = DataRoot::Embedded.des_sources().expect("the pack");
    let few: Vec<Source> =
        sources.into_iter().filter(|source| source.text.len() < 30_000).collect();
    assert!(few.len() > 1);
    edit(&DataRoot::Embedded, few, 16, 1);
}

#[test]
fn files_of_crawl_are_edited() {
    let data = Path::new("/usr/share/crawl/dat");
    if !data.join("des").is_dir() {
        return;
    }
    let root = DataRoot::Directory(data.to_owned());
    let sources = root.des_sources().expect("the pack");
    let files = ["des/branches/lair.des", "des/serial/bayou.des", "des/variable/mini_monsters.des"];
    let few = sources
        .into_iter()
        .filter(|source| files.iter().any(|file| source.name.replace('\\', "/").ends_with(file)));
    edit(&root, few.collect(), 8, 2);
}
