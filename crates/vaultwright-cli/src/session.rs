//! Building engines from the command line's options.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use vaultwright::syntax::Source;
use vaultwright::{
    BrokenMap, Engine, EngineOptions, Library, Limits, Problem, SourceFile, reachable_maps,
    read_source,
};

use vaultwright_files::{Links, Skipped, Walk, walk};

use crate::arguments::Common;
use crate::{Failure, shown};

/// The engine's options.
pub fn engine_options(common: &Common) -> EngineOptions {
    let limits = Limits {
        memory: common.memory as usize * (1 << 20),
        instructions: common.instructions.unwrap_or(Limits::default().instructions),
        ..Limits::default()
    };
    EngineOptions {
        root: common.root.clone(),
        edition: common.rules,
        limits,
        interpret: common.interpret,
    }
}

/// Parses sources on all cores; the order stays.
pub fn parse_all(sources: Vec<Source>) -> Vec<Arc<SourceFile>> {
    let threads = std::thread::available_parallelism().map_or(1, usize::from).min(8);
    if threads == 1 || sources.len() < 8 {
        return sources.into_iter().map(|source| Arc::new(SourceFile::new(source))).collect();
    }
    let next = std::sync::atomic::AtomicUsize::new(0);
    let sources = &sources;
    let mut parsed: Vec<(usize, Arc<SourceFile>)> = std::thread::scope(|scope| {
        let work = || {
            let mut own = Vec::new();
            loop {
                let index = next.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                let Some(source) = sources.get(index) else { return own };
                own.push((index, Arc::new(SourceFile::new(source.clone()))));
            }
        };
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        workers
            .into_iter()
            .flat_map(|worker| {
                worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
            })
            .collect()
    });
    parsed.sort_unstable_by_key(|(index, _)| *index);
    parsed.into_iter().map(|(_, file)| file).collect()
}

/// The `.des` files that paths name: files themselves, folders with all below.
pub fn files_of(paths: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
    files_ending(paths, "des")
}

/// As [`files_of`], for files of another ending.
pub fn files_ending(paths: &[PathBuf], ending: &str) -> Result<Vec<PathBuf>, Failure> {
    let found = below(paths, ending)?;
    tell_skipped(&found.skipped);
    Ok(found.files)
}

/// The files that paths name, and what of folders is skipped.
fn below(paths: &[PathBuf], ending: &str) -> Result<Walk, Failure> {
    let mut found = Walk::default();
    for path in paths {
        if path.is_dir() {
            let below = walk(path, ending, Links::Enter)
                .map_err(|e| format!("cannot read {}: {e}", path.display()))?;
            found.skipped.extend(below.skipped);
            found.files.extend(below.files);
        } else {
            found.files.push(path.clone());
        }
    }
    Ok(found)
}

/// Says what in a folder is not read.
fn tell_skipped(skipped: &[Skipped]) {
    for Skipped { path, why } in skipped {
        eprintln!("warning: {} is skipped: {why}", path.display());
    }
}

/// Reads the sources that paths name.
pub fn sources_of(paths: &[PathBuf]) -> Result<Vec<Source>, Failure> {
    files_of(paths)?.iter().map(|path| Ok(read_source(path)?)).collect()
}

/// The same without a word of what is skipped, which comes along.
pub fn sources_and_skipped(paths: &[PathBuf]) -> Result<(Vec<Source>, Vec<Skipped>), Failure> {
    let found = below(paths, "des")?;
    let sources: Result<_, Failure> =
        found.files.iter().map(|path| Ok(read_source(path)?)).collect();
    Ok((sources?, found.skipped))
}

/// An engine without maps, and the sources to compile: the pack's, with `own` in place of those of
/// the same file, else behind them.
pub fn open(common: &Common, own: Vec<Source>) -> Result<(Engine, Vec<Source>), Failure> {
    let (engine, sources) = open_quietly(common, own)?;
    tell_skipped(&engine.pack_skipped()?);
    Ok((engine, sources))
}

/// The same without a word of what in the pack is no file.
pub fn open_quietly(common: &Common, own: Vec<Source>) -> Result<(Engine, Vec<Source>), Failure> {
    let engine = Engine::new(engine_options(common))?;
    let mut sources = engine.pack_sources()?;
    for source in own {
        let same = |other: &Source| same_file(Path::new(&*other.name), Path::new(&*source.name));
        match sources.iter().position(same) {
            Some(index) => sources[index] = source,
            None => sources.push(source),
        }
    }
    Ok((engine, sources))
}

fn same_file(a: &Path, b: &Path) -> bool {
    a == b || matches!((a.canonicalize(), b.canonicalize()), (Ok(a), Ok(b)) if a == b)
}

/// An engine with one map and all it needs, and the map's index.
pub fn engine_with_map(
    common: &Common,
    name: &str,
    files: &[PathBuf],
) -> Result<(Engine, usize), Failure> {
    let (mut engine, sources) = open(common, sources_of(files)?)?;
    let parsed = parse_all(sources);
    let reached = reachable_maps(&parsed, &[name.to_owned()]);
    if reached.is_empty() {
        return Err(unknown_map(name, &parsed).into());
    }
    let index_of = |file: &SourceFile| {
        parsed.iter().position(|other| other.source.name == file.source.name).unwrap_or(usize::MAX)
    };
    engine.load_files(parsed.clone(), &mut |file, map| reached.contains(&(index_of(file), map)));
    let library = engine.library();
    let index = map_named(&library, name)?;
    tell_broken(&library, &[name.to_owned()]);
    Ok((engine, index))
}

/// The index of a map; for one that does not compile, what is wrong with it.
pub fn map_named(library: &Library, name: &str) -> Result<usize, Failure> {
    if let Some(index) = library.find(name) {
        return Ok(index);
    }
    if let Some(broken) = library.find_broken(name) {
        return Err(does_not_compile(broken).into());
    }
    let compiled = library.maps.iter().map(|map| map.definition.name.clone());
    let broken = library.broken.iter().map(|map| map.name.clone());
    Err(unknown_name(name, compiled.chain(broken)).into())
}

/// What is wrong with a map, and where.
pub fn does_not_compile(broken: &BrokenMap) -> String {
    format!("the map '{}' does not compile: {}", broken.name, in_a_line(&broken.problem))
}

/// Says on standard error in one line how many maps do not compile, beside those that were asked
/// for.
pub fn tell_broken(library: &Library, asked: &[String]) {
    let others = library.broken.iter().filter(|map| !asked.contains(&map.name)).count();
    if let Some(line) = broken_line(others, asked.is_empty()) {
        eprintln!("warning: {line}");
    }
}

/// That so many maps do not compile.
pub fn broken_line(count: usize, all: bool) -> Option<String> {
    let other = if all { "" } else { "other " };
    match count {
        0 => None,
        1 => {
            Some(format!("1 {other}map of this tree does not compile (vaultwright check lists it)"))
        }
        _ => Some(format!(
            "{count} {other}maps of this tree do not compile (vaultwright check lists them)"
        )),
    }
}

/// A problem as `file:line:column: message`.
pub fn in_a_line(problem: &Problem) -> String {
    let at = problem.file.lines.position(problem.span.start);
    let text =
        format!("{}:{}:{}: {}", problem.file.source.name, at.line, at.column, problem.message);
    shown::in_line(&text)
}

/// What to say of a map that does not exist, with the closest name.
fn unknown_map(name: &str, files: &[Arc<SourceFile>]) -> String {
    let names = files.iter().flat_map(|file| {
        file.tree.maps.iter().map(|map| map.name.str(&file.source.text).into_owned())
    });
    unknown_name(name, names)
}

/// `no map named …`, with the closest of the names.
pub fn unknown_name(name: &str, names: impl Iterator<Item = String>) -> String {
    let close = names
        .filter(|other| {
            other.contains(name) || name.contains(other.as_str()) || distance(name, other) <= 2
        })
        .min_by_key(|other| (distance(name, other), other.clone()));
    match close {
        Some(other) => format!("no map is named '{name}'; did you mean '{other}'?"),
        None => format!("no map is named '{name}'"),
    }
}

fn distance(a: &str, b: &str) -> usize {
    vaultwright::lint::name_distance(a, b)
}
