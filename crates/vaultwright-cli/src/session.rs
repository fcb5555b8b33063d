//! Building engines from the command line's options.

use std::collections::hash_map::Entry;
use std::collections::{BTreeSet, HashMap};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use vaultwright::render::TileSet;
use vaultwright::syntax::Source;
use vaultwright::{
    BrokenMap, DataRoot, Engine, EngineOptions, Library, Limits, MAX_SOURCE_BYTES, Problem,
    SourceFile, Unnamed, reachable_maps, read_source,
};

use vaultwright::map::MapId;
use vaultwright_files::{Links, Skipped, Walk, walk};

use crate::arguments::{Common, OwnFiles};
use crate::{Failure, IoFailure, UsageError, cache, shown};

/// Returns the engine's options.
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
        tiles: common.tiles.clone(),
        ..EngineOptions::default()
    }
}

/// Returns the game's tiles that pictures are asked to show.
pub fn tile_set(common: &Common) -> Result<Option<TileSet>, Failure> {
    let Some(folder) = &common.tiles else { return Ok(None) };
    let failed = |what: String| IoFailure(format!("{}: {what}", folder.display()));
    let tiles = TileSet::open(folder).map_err(|e| failed(format!("cannot be read: {e}")))?;
    if tiles.is_empty() {
        let what = "no file dc-*.txt here defines a tile: give the rltiles folder of a clone";
        return Err(failed(what.to_owned()).into());
    }
    Ok(Some(tiles))
}

/// Returns the files of sources, each parsed when its tree is first looked at.
pub fn files_of(sources: Vec<Source>) -> Vec<Arc<SourceFile>> {
    sources.into_iter().map(|source| Arc::new(SourceFile::new(source))).collect()
}

/// Parses sources on all cores.
pub fn parse_all(sources: Vec<Source>) -> Vec<Arc<SourceFile>> {
    let files = files_of(sources);
    parse_ahead(&files);
    files
}

/// Parses on all cores, of which more than eight bring nothing, what will be looked at.
pub fn parse_ahead(files: &[Arc<SourceFile>]) {
    let threads = std::thread::available_parallelism().map_or(1, usize::from).min(8);
    vaultwright::parse_ahead(files, threads);
}

/// Returns the files that paths name: files themselves, folders with all below that have this
/// ending.
pub fn files_ending(paths: &[PathBuf], ending: &str) -> Result<Vec<PathBuf>, Failure> {
    let found = below(paths, ending)?;
    tell_skipped(&found.skipped);
    Ok(found.files)
}

/// Returns the files that paths name, and what of folders is skipped.
fn below(paths: &[PathBuf], ending: &str) -> Result<Walk, Failure> {
    let mut found = Walk::default();
    for path in paths {
        if path.is_dir() {
            let below = walk(path, ending, Links::Enter).map_err(IoFailure::of("read", path))?;
            found.skipped.extend(below.skipped);
            found.files.extend(below.files);
        } else {
            refuse_other_format(path, ending)?;
            found.files.push(path.clone());
        }
    }
    Ok(found)
}

/// Refuses a file of a tree or a pack that is read with it, but holds no vaults: as one of vaults
/// it would be nothing but mistakes.
fn refuse_other_format(path: &Path, ending: &str) -> Result<(), Failure> {
    let other = path.extension().and_then(|other| other.to_str());
    let others = ["lua", "yaml", "yml", "json", "toml"];
    let Some(other) = other.filter(|other| ending == "des" && others.contains(other)) else {
        return Ok(());
    };
    let (path, other) = (path.display(), other.to_lowercase());
    Err(UsageError(format!(
        "{path} holds no vaults: those are in files .des, and files .{other} of a tree or pack \
         are looked at with it (--data DIR)"
    ))
    .into())
}

/// Says what in a folder is not read.
fn tell_skipped(skipped: &[Skipped]) {
    for Skipped { path, why } in skipped {
        eprintln!("warning: {} is skipped: {why}", path.display());
    }
}

/// Reads the sources that paths name.
pub fn sources_of(own: &OwnFiles) -> Result<Vec<Source>, Failure> {
    let (sources, skipped) = sources_and_skipped(own)?;
    tell_skipped(&skipped);
    Ok(sources)
}

/// Returns the same without a word of what is skipped, which comes along.
pub fn sources_and_skipped(own: &OwnFiles) -> Result<(Vec<Source>, Vec<Skipped>), Failure> {
    let found = below(&own.files, "des")?;
    let read = |path: &PathBuf| match path.as_os_str() == STDIN {
        true => stdin_source(&own.stdin_filename),
        false => Ok(read_source(path)?),
    };
    let sources: Result<_, Failure> = found.files.iter().map(read).collect();
    Ok((sources?, found.skipped))
}

/// Stands for standard input among files.
pub const STDIN: &str = "-";

/// Returns what standard input says, under a name.
pub fn stdin_source(name: &Path) -> Result<Source, Failure> {
    let mut text = Vec::new();
    let failed = |error| IoFailure(format!("cannot read standard input: {error}"));
    std::io::stdin().lock().take(MAX_SOURCE_BYTES + 1).read_to_end(&mut text).map_err(failed)?;
    if text.len() as u64 > MAX_SOURCE_BYTES {
        return Err("standard input has more than 64 MiB".into());
    }
    Ok(Source::new(name.to_string_lossy(), text))
}

/// Returns an engine without maps, and the sources to compile: the pack's and those that `--file`
/// names.
pub fn open(common: &Common) -> Result<(Engine, Vec<Source>), Failure> {
    open_with(common, sources_of(&common.own)?)
}

/// Returns the same with `own` for what `--file` names.
pub fn open_with(common: &Common, own: Vec<Source>) -> Result<(Engine, Vec<Source>), Failure> {
    let engine = Engine::new(engine_options(common))?;
    tell_skipped(&engine.pack_skipped()?);
    if let Some(line) = unread_line(&engine) {
        eprintln!("warning: {line}");
    }
    Ok((engine, sources_with(common, own)?))
}

/// Returns the same without a word of what in the pack is no file.
pub fn open_quietly(common: &Common) -> Result<(Engine, Vec<Source>), Failure> {
    Ok((Engine::new(engine_options(common))?, sources(common)?))
}

/// Returns the sources of the pack, and those that `--file` names.
pub fn sources(common: &Common) -> Result<Vec<Source>, Failure> {
    sources_with(common, sources_of(&common.own)?)
}

/// Returns the sources of the pack, with `own` in place of those of the same file, else behind
/// them.
pub fn sources_with(common: &Common, own: Vec<Source>) -> Result<Vec<Source>, Failure> {
    let mut sources = common.root.des_sources()?;
    if own.is_empty() {
        return Ok(sources);
    }
    let place = |source: &Source| {
        let path = Path::new(&*source.name);
        path.canonicalize().unwrap_or_else(|_| path.to_owned())
    };
    let mut places: HashMap<PathBuf, usize> = HashMap::new();
    for (index, source) in sources.iter().enumerate() {
        places.entry(place(source)).or_insert(index);
    }
    for source in own {
        match places.entry(place(&source)) {
            Entry::Occupied(same) => sources[*same.get()] = source,
            Entry::Vacant(new) => {
                new.insert(sources.len());
                sources.push(source);
            }
        }
    }
    Ok(sources)
}

/// Returns an engine with one map and all it needs, and the map's index.
pub fn engine_with_map(common: &Common, name: &str) -> Result<(Engine, MapId), Failure> {
    let (mut engine, sources) = open(common)?;
    let parsed = files_of(sources);
    let names = [name.to_owned()];
    if cache::load_kept(common, &mut engine, &parsed).is_none() {
        parse_ahead(&parsed);
        let reached = reachable_maps(&parsed, &names);
        if reached.is_empty() {
            return Err(unknown_map(name, &parsed).into());
        }
        engine.load_files(parsed.clone(), &mut |file, map| reached.contain(file, map));
        if engine.library().find(name).is_none() {
            // It may need what maps of other files leave behind.
            engine = Engine::new(engine_options(common))?;
            cache::load(common, &mut engine, parsed.clone());
        }
    }
    let library = engine.library();
    let index = map_named(&library, name)?;
    if !library.broken.is_empty() {
        parse_ahead(&parsed);
        let reached = reachable_maps(&parsed, &names);
        let others = library.broken.iter().filter(|map| reached.contain_origin(map.origin));
        tell_broken_maps(others.filter(|other| other.name != name).count(), Broken::Others);
    }
    Ok((engine, index))
}

/// Returns the index of a map; for one that does not compile, what is wrong with it.
pub fn map_named(library: &Library, name: &str) -> Result<MapId, Failure> {
    library.named(name).map_err(|unnamed| match unnamed {
        Unnamed::DoesNotCompile(map) => does_not_compile(map).into(),
        Unnamed::Unknown => {
            let compiled = library.maps.iter().map(|map| map.selection.name.clone());
            let broken = library.broken.iter().map(|map| map.name.clone());
            unknown_name(name, compiled.chain(broken)).into()
        }
    })
}

/// Returns what is wrong with a map, and where.
pub fn does_not_compile(broken: &BrokenMap) -> String {
    format!("the map '{}' does not compile: {}", broken.name, in_a_line(&broken.problem))
}

/// Says on standard error in one line how many maps do not compile, beside those that were asked
/// for.
pub fn tell_broken(library: &Library, asked: &[String]) {
    let others = library.broken.iter().filter(|map| !asked.contains(&map.name)).count();
    tell_broken_maps(others, if asked.is_empty() { Broken::All } else { Broken::Others });
}

/// Which maps are told of that do not compile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Broken {
    All,
    /// Those that were not asked for.
    Others,
}

fn tell_broken_maps(count: usize, which: Broken) {
    if let Some(line) = broken_line(count, which) {
        eprintln!("warning: {line}");
    }
}

/// Returns the line that says how many maps do not compile; `None` if all do.
pub fn broken_line(count: usize, which: Broken) -> Option<String> {
    let other = if which == Broken::All { "" } else { "other " };
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

/// Returns that files of monsters of the tree are not read, with what is wrong in the first.
pub fn unread_line(engine: &Engine) -> Option<String> {
    let findings = engine.content().findings();
    let first = findings.first()?;
    let files: BTreeSet<&str> = findings.iter().map(|finding| &*finding.file).collect();
    let what = match files.len() {
        1 => "1 monster file of this tree is not read".to_owned(),
        count => format!("{count} monster files of this tree are not read, the first"),
    };
    let (file, line, column) = (&first.file, first.line, first.column);
    let text = format!("{what}: {file}:{line}:{column}: {} (vaultwright check)", first.message);
    Some(shown::in_line(&text))
}

/// Returns a problem as `file:line:column: message`.
pub fn in_a_line(problem: &Problem) -> String {
    let at = problem.file.lines.position(problem.span.start);
    let text =
        format!("{}:{}:{}: {}", problem.file.source.name, at.line, at.column, problem.message);
    shown::in_line(&text)
}

/// Returns what to say of a map that does not exist, with the closest name.
fn unknown_map(name: &str, files: &[Arc<SourceFile>]) -> String {
    let names = files.iter().flat_map(|file| {
        file.tree.maps.iter().map(|map| map.name.str(&file.source.text).into_owned())
    });
    unknown_name(name, names)
}

/// Returns what to say of a name that no map has, with the closest of the names.
pub fn unknown_name(name: &str, names: impl Iterator<Item = String>) -> String {
    let close = names
        .filter(|other| !other.is_empty())
        .filter(|other| {
            other.contains(name) || name.contains(other.as_str()) || distance(name, other) <= 2
        })
        .min_by_key(|other| (distance(name, other), other.clone()));
    match close {
        _ if is_of_starter(name) => format!(
            "no map is named '{name}' here: it is one of the starter pack, which a command about \
             maps takes if no --file and no tree is given (--data packs/starter of Vaultwright's \
             repository has both)"
        ),
        Some(other) => format!("no map is named '{name}'; did you mean '{other}'?"),
        None if name.ends_with(".des") => {
            format!("no map is named '{name}'; if that is a file, it goes behind --file")
        }
        None if name.contains(':') => {
            format!("no map is named '{name}'; if that is a level, a map goes before it")
        }
        None => format!("no map is named '{name}'"),
    }
}

/// Returns whether the embedded starter pack has a map of that name.
fn is_of_starter(name: &str) -> bool {
    let sources = DataRoot::Embedded.des_sources().unwrap_or_default();
    files_of(sources)
        .iter()
        .any(|file| file.tree.maps.iter().any(|map| map.name.str(&file.source.text) == name))
}

fn distance(a: &str, b: &str) -> usize {
    vaultwright::lint::name_distance(a, b)
}
