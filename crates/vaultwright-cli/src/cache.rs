//! Packs as they were compiled, kept for the next command.

use std::path::PathBuf;
use std::sync::Arc;

use vaultwright::syntax::Source;
use vaultwright::{Compiled, DataRoot, Engine, Problem, SourceFile};
use vaultwright_files::Store;

use crate::arguments::Common;
use crate::session::{engine_options, sources};

/// All packs together take no more room than this.
const MAX_BYTES: u64 = 256 << 20;

/// Compiles all maps of files, or takes up what was made of the same files before; what is wrong
/// with them.
pub fn load(common: &Common, engine: &mut Engine, files: Vec<Arc<SourceFile>>) -> Vec<Problem> {
    let Some((store, key)) = place(common, &mut files.iter().map(|file| &file.source), "") else {
        return engine.load_files(files, &mut |_, _| true);
    };
    if let Some(problems) = take_up(&store, &key, engine, &files) {
        return problems;
    }
    let problems = engine.load_files(files, &mut |_, _| true);
    if let Some(compiled) = engine.compiled()
        && let Err(error) = store.put(&key, &compiled.to_bytes())
    {
        tell_unkept(common, &store, &error);
    }
    problems
}

/// Says that nothing can be kept, to somebody who has asked for it.
pub fn tell_unkept(common: &Common, store: &Store, error: &std::io::Error) {
    if common.cache.is_some() {
        eprintln!("warning: nothing is kept in {}: {error}", store.folder().display());
    }
}

/// Whether the pack was compiled before, as it is now.
pub fn has_pack(common: &Common) -> bool {
    let kept = |sources: Vec<Source>| {
        place(common, &mut sources.iter(), "").is_some_and(|(store, key)| store.get(&key).is_some())
    };
    sources(common).is_ok_and(kept)
}

fn take_up(
    store: &Store,
    key: &[u8; 32],
    engine: &mut Engine,
    files: &[Arc<SourceFile>],
) -> Option<Vec<Problem>> {
    engine.load_compiled(files, Compiled::from_bytes(&store.get(key)?)?)
}

/// Where what these sources yield is kept, if anywhere; `what` of it.
pub fn place(
    common: &Common,
    sources: &mut dyn Iterator<Item = &Source>,
    what: &str,
) -> Option<(Store, [u8; 32])> {
    // The program's own vaults are compiled sooner than they are read.
    let DataRoot::Directory(_) = common.root else { return None };
    let folder = match &common.cache {
        Some(word) if word == "none" => return None,
        Some(folder) if !folder.is_empty() => PathBuf::from(folder),
        _ => dirs::cache_dir()?.join("vaultwright"),
    };
    let program = format!("{} {what}", this_program(common)?);
    let key = engine_options(common).compile_key(sources, &program).ok()?;
    Some((Store::new(folder, MAX_BYTES), key))
}

/// Which program this is: another one may compile otherwise.
fn this_program(common: &Common) -> Option<String> {
    let data = common.itself.file().ok()?.metadata().ok()?;
    Some(format!("{} {} {:?}", env!("CARGO_PKG_VERSION"), data.len(), data.modified().ok()?))
}
