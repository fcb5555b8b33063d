//! The same work for many maps and seeds, on many threads.

use std::sync::atomic::{AtomicUsize, Ordering};

use vaultwright::{Engine, Severity};

use crate::arguments::{Common, MapNames, Runs};
use crate::session::{open, parse_all, unknown_name};
use crate::{Failure, output};

/// An engine with the whole pack, and the indices of the maps named, sorted bytewise by name.
pub fn maps(common: &Common, named: &MapNames) -> Result<(Engine, Vec<usize>), Failure> {
    let (engine, wanted, broken) = load(common, named)?;
    if broken > 0 {
        eprintln!("warning: {broken} errors in the pack (see vaultwright check)");
    }
    Ok((engine, wanted))
}

/// An engine with the whole pack, for a process whose errors another one has told already.
pub fn pack_quietly(common: &Common) -> Result<Engine, Failure> {
    load(common, &MapNames::default()).map(|(engine, ..)| engine)
}

fn load(common: &Common, named: &MapNames) -> Result<(Engine, Vec<usize>, usize), Failure> {
    let (mut engine, sources) = open(common, Vec::new())?;
    let files = parse_all(sources);
    let problems = engine.load_files(files, &mut |_, _| true);
    let broken = problems.iter().filter(|p| p.severity == Severity::Error).count();
    let library = engine.library();
    let mut wanted: Vec<usize> = Vec::new();
    if named.all {
        wanted.extend(0..library.maps.len());
    }
    for name in &named.names {
        let known = library.maps.iter().map(|map| map.definition.name.clone());
        wanted.push(library.find(name).ok_or_else(|| unknown_name(name, known))?);
    }
    wanted.sort_by(|&a, &b| {
        let name = |index: usize| library.maps[index].definition.name.as_bytes();
        name(a).cmp(name(b))
    });
    wanted.dedup();
    Ok((engine, wanted, broken))
}

/// One entry for each thing wanted and each seed, in order whatever the number of threads.
pub fn run<W: Sync, T: Send>(
    what: &'static str,
    engine: Engine,
    wanted: &[W],
    runs: &Runs,
    row: impl Fn(&Engine, &W, u64) -> T + Sync,
) -> Result<Vec<T>, Failure> {
    let rows = each(what, engine, wanted, runs.jobs, |engine, one| {
        runs.seeds().map(|seed| row(engine, one, seed)).collect::<Vec<_>>()
    })?;
    Ok(rows.into_iter().flatten().collect())
}

/// One entry for each thing wanted, in order whatever the number of threads.
pub fn each<W: Sync, T: Send>(
    what: &'static str,
    mut engine: Engine,
    wanted: &[W],
    jobs: Option<usize>,
    entry: impl Fn(&mut Engine, &W) -> T + Sync,
) -> Result<Vec<T>, Failure> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let threads = jobs.unwrap_or(cores).clamp(1, 256).min(wanted.len().max(1));
    let bar = output::progress(wanted.len() as u64, what);
    let next = AtomicUsize::new(0);
    let work = |engine: &mut Engine| {
        let mut own = Vec::new();
        // What was printed while the pack was compiled is for `check` to tell.
        engine.take_messages();
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(one) = wanted.get(at) else { return own };
            own.push((at, entry(engine, one), engine.take_messages()));
            bar.inc(1);
        }
    };
    let mut done = if threads == 1 {
        work(&mut engine)
    } else {
        let shared = engine.share();
        std::thread::scope(|scope| {
            let worker = || shared.engine().map(|mut engine| work(&mut engine));
            let others: Vec<_> = (1..threads).map(|_| scope.spawn(worker)).collect();
            let mut done = work(&mut engine);
            for other in others {
                done.extend(other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))?);
            }
            Ok::<_, vaultwright::EngineError>(done)
        })?
    };
    bar.finish_and_clear();
    done.sort_unstable_by_key(|(at, ..)| *at);
    output::script_messages(done.iter_mut().flat_map(|(_, _, said)| std::mem::take(said)));
    Ok(done.into_iter().map(|(_, entry, _)| entry).collect())
}
