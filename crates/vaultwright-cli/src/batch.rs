//! The same work for many maps and seeds, on many threads.

use std::mem::ManuallyDrop;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use vaultwright::map::MapId;
use vaultwright::syntax::Source;
use vaultwright::{BrokenMap, Engine, Library, Problem, Severity};

use crate::arguments::{Common, MapNames, Runs};
use crate::progress::Bar;
use crate::session::{
    engine_options, files_of, map_named, open, open_quietly, open_with, sources_of, sources_with,
    tell_broken,
};
use crate::{Failure, cache, output};

/// A map that was asked for.
pub enum Wanted {
    /// One that compiles, by its index.
    Map(MapId),
    /// One that does not.
    Broken(BrokenMap),
}

impl Wanted {
    fn name<'a>(&'a self, library: &'a Library) -> &'a str {
        match self {
            Wanted::Map(index) => &library[*index].selection.name,
            Wanted::Broken(broken) => &broken.name,
        }
    }
}

/// Returns an engine with the whole pack.
pub fn pack(common: &Common) -> Result<Engine, Failure> {
    let (engine, problems) = load(common, open(common)?);
    tell_problems(&engine, &problems);
    Ok(engine)
}

/// Tells that maps do not compile, and that something outside of maps is wrong.
pub fn tell_problems(engine: &Engine, problems: &[Problem]) {
    tell_broken(&engine.library(), &[]);
    let is_outside = |p: &&Problem| p.severity == Severity::Error && p.map.is_none();
    match problems.iter().filter(is_outside).count() {
        0 => {}
        1 => eprintln!("warning: 1 error outside of maps (vaultwright check lists it)"),
        count => {
            eprintln!("warning: {count} errors outside of maps (vaultwright check lists them)")
        }
    }
}

/// Returns an engine with the whole pack and files that have been read already, without a word.
pub fn with_own(common: &Common, own: Vec<Source>) -> Result<Engine, Failure> {
    let engine = Engine::new(engine_options(common))?;
    Ok(load(common, (engine, sources_with(common, own)?)).0)
}

/// Returns the same without a word of what is wrong with it, which comes along.
pub fn pack_and_problems(common: &Common) -> Result<(Engine, Vec<Problem>), Failure> {
    Ok(load(common, open_quietly(common)?))
}

/// Returns an engine with the whole pack, and the maps named, sorted bytewise by name; those of
/// the files given, in their order, if none is. A map that is named has to compile; among all, and
/// among those of files, those that do not are listed, too.
pub fn maps(common: &Common, named: &MapNames) -> Result<(Engine, Vec<Wanted>), Failure> {
    if named.all {
        let engine = pack(common)?;
        let library = engine.library();
        let mut wanted: Vec<Wanted> = library.iter().map(|(id, _)| Wanted::Map(id)).collect();
        wanted.extend(library.broken.iter().cloned().map(Wanted::Broken));
        // Of two maps of one name the one that compiles comes first.
        wanted.sort_by(|a, b| a.name(&library).as_bytes().cmp(b.name(&library).as_bytes()));
        return Ok((engine, wanted));
    }
    let own = sources_of(&common.own)?;
    let files: Vec<Arc<str>> = own.iter().map(|source| Arc::clone(&source.name)).collect();
    let engine = load(common, open_with(common, own)?).0;
    let library = engine.library();
    if named.names.is_empty() {
        let broken =
            library.broken.iter().filter(|map| files.contains(&map.problem.file.source.name));
        let broken: Vec<Wanted> = broken.cloned().map(Wanted::Broken).collect();
        let is_own = |index: &MapId| files.contains(&library[*index].file.source.name);
        let mut wanted: Vec<Wanted> =
            library.iter().map(|(id, _)| id).filter(is_own).map(Wanted::Map).collect();
        wanted.extend(broken);
        return Ok((engine, wanted));
    }
    let named_maps = named.names.iter().map(|name| map_named(&library, name));
    let mut indices = named_maps.collect::<Result<Vec<MapId>, Failure>>()?;
    indices.sort_by_key(|&index| library[index].selection.name.as_bytes());
    indices.dedup();
    tell_broken(&library, &named.names);
    Ok((engine, indices.into_iter().map(Wanted::Map).collect()))
}

/// Loads a pack into an engine. Returns the engine, and what is wrong with the pack.
pub fn load(
    common: &Common,
    (mut engine, sources): (Engine, Vec<Source>),
) -> (Engine, Vec<Problem>) {
    let problems = cache::load(common, &mut engine, files_of(sources));
    (engine, problems)
}

/// Returns one entry for each thing wanted and each seed, in order whatever the number of threads.
pub fn run<W: Sync, T: Send>(
    what: &'static str,
    engine: Engine,
    wanted: &[W],
    runs: &Runs,
    row: impl Fn(&mut Engine, &W, u64) -> T + Sync,
) -> Result<Vec<T>, Failure> {
    runs.check()?;
    let rows = each(what, engine, wanted, runs.jobs, |engine, one| {
        runs.seeds().map(|seed| row(engine, one, seed)).collect::<Vec<_>>()
    })?;
    Ok(rows.into_iter().flatten().collect())
}

/// Returns one entry for each thing wanted, in order whatever the number of threads.
pub fn each<W: Sync, T: Send>(
    what: &'static str,
    engine: Engine,
    wanted: &[W],
    jobs: Option<usize>,
    entry: impl Fn(&mut Engine, &W) -> T + Sync,
) -> Result<Vec<T>, Failure> {
    // The command ends soon: taking interpreters apart would only take time.
    let mut engine = ManuallyDrop::new(engine);
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let threads = jobs.unwrap_or(cores).clamp(1, 256).min(wanted.len().max(1));
    let bar = Bar::new(wanted.len() as u64, what);
    let next = AtomicUsize::new(0);
    let work = |engine: &mut Engine| {
        let mut own = Vec::new();
        // What was printed while the pack was compiled is for `check` to tell.
        engine.take_messages();
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(one) = wanted.get(at) else { return own };
            own.push((at, entry(engine, one), engine.take_placed_messages()));
            bar.step();
        }
    };
    let mut done = if threads == 1 {
        work(&mut engine)
    } else {
        let shared = engine.share();
        std::thread::scope(|scope| {
            let worker = || shared.engine().map(|engine| work(&mut ManuallyDrop::new(engine)));
            let others: Vec<_> = (1..threads).map(|_| scope.spawn(worker)).collect();
            let mut done = work(&mut engine);
            for other in others {
                done.extend(other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))?);
            }
            Ok::<_, vaultwright::EngineError>(done)
        })?
    };
    bar.end();
    done.sort_unstable_by_key(|(at, ..)| *at);
    output::script_messages(done.iter_mut().flat_map(|(_, _, said)| std::mem::take(said)));
    Ok(done.into_iter().map(|(_, entry, _)| entry).collect())
}
