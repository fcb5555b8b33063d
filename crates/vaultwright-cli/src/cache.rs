//! Packs as they were compiled, kept for the next command.

use std::path::PathBuf;
use std::sync::Arc;

use etcetera::BaseStrategy;
use vaultwright::syntax::Source;
use vaultwright::{Compiled, DataRoot, Engine, Problem, SourceFile};
use vaultwright_files::Store;

use crate::arguments::Common;
use crate::session::{engine_options, parse_ahead, sources};

/// All packs together take no more room than this.
const MAX_BYTES: u64 = 256 << 20;

/// Compiles all maps of files, or takes up what was made of the same files before. Returns what is
/// wrong with them.
pub fn load(common: &Common, engine: &mut Engine, files: Vec<Arc<SourceFile>>) -> Vec<Problem> {
    let Some((store, key)) = place(common, &mut files.iter().map(|file| &file.source), "") else {
        parse_ahead(&files);
        return engine.load_files(files, &mut |_, _| true);
    };
    if let Some(problems) = take_up(common, &store, &key, engine, &files) {
        return problems;
    }
    parse_ahead(&files);
    let problems = engine.load_files(files.clone(), &mut |_, _| true);
    if let Some(compiled) = engine.compiled() {
        keep(common, &store, &key, &files, &compiled);
    }
    problems
}

/// Takes up what was made of the same files before, if it is kept, or of what they were before some
/// of them changed. Returns what is wrong with them, or `None` if nothing is kept.
pub fn load_kept(
    common: &Common,
    engine: &mut Engine,
    files: &[Arc<SourceFile>],
) -> Option<Vec<Problem>> {
    let (store, key) = place(common, &mut files.iter().map(|file| &file.source), "")?;
    take_up(common, &store, &key, engine, files)
}

/// Returns that nothing can be kept, if the user has asked for it.
pub fn unkept_line(common: &Common, store: &Store, error: &std::io::Error) -> Option<String> {
    let line = || format!("nothing is kept in {}: {error}", store.folder().display());
    common.cache.is_some().then(line)
}

/// Returns whether the pack was compiled before, as it is now.
pub fn has_pack(common: &Common) -> bool {
    let kept = |sources: Vec<Source>| {
        place(common, &mut sources.iter(), "").is_some_and(|(store, key)| store.get(&key).is_some())
    };
    sources(common).is_ok_and(kept)
}

fn take_up(
    common: &Common,
    store: &Store,
    key: &[u8; 32],
    engine: &mut Engine,
    files: &[Arc<SourceFile>],
) -> Option<Vec<Problem>> {
    let kept = |key: &[u8; 32]| Compiled::from_bytes(&store.get(key)?);
    if let Some(compiled) = kept(key) {
        return engine.load_compiled(files, compiled);
    }
    let (_, latest) = latest_place(common, files)?;
    let before: [u8; 32] = store.get(&latest)?.try_into().ok()?;
    let loaded = engine.load_changed(files, kept(&before)?)?;
    if let Some(compiled) = loaded.compiled {
        keep(common, store, key, files, &compiled);
    }
    Some(loaded.problems)
}

/// Keeps a compiled pack, as the latest one of files of these names.
fn keep(
    common: &Common,
    store: &Store,
    key: &[u8; 32],
    files: &[Arc<SourceFile>],
    compiled: &Compiled,
) {
    let Some(bytes) = compiled.to_bytes() else { return };
    let mut kept = store.put(key, &bytes);
    if let Some((store, latest)) = latest_place(common, files) {
        kept = kept.and_then(|()| store.put(&latest, key));
    }
    let unkept = kept.err().and_then(|error| unkept_line(common, store, &error));
    if let Some(line) = unkept {
        eprintln!("warning: {line}");
    }
}

/// Returns where the key of the pack is kept that was compiled last of files of these names, with
/// the same library, rules and program.
fn latest_place(common: &Common, files: &[Arc<SourceFile>]) -> Option<(Store, [u8; 32])> {
    let sources: Vec<Source> = files.iter().map(|file| file.source.clone()).collect();
    place_of_names(common, &sources, "latest")
}

/// Returns where something is kept that sources of these names yield, whatever their texts are
/// now.
pub fn place_of_names(
    common: &Common,
    sources: &[Source],
    what: &str,
) -> Option<(Store, [u8; 32])> {
    let named = |source: &Source| Source::new(Arc::clone(&source.name), Vec::new());
    let named: Vec<Source> = sources.iter().map(named).collect();
    place(common, &mut named.iter(), what)
}

/// Returns where what these sources yield is kept, if anywhere; `what` of it.
pub fn place(
    common: &Common,
    sources: &mut dyn Iterator<Item = &Source>,
    what: &str,
) -> Option<(Store, [u8; 32])> {
    // A few files of one's own are compiled sooner than they are read.
    if matches!(common.root, DataRoot::Bare) {
        return None;
    }
    let folder = match &common.cache {
        Some(word) if word == "none" => return None,
        Some(folder) if !folder.is_empty() => PathBuf::from(folder),
        _ => {
            etcetera::base_strategy::choose_native_strategy().ok()?.cache_dir().join("vaultwright")
        }
    };
    let program = format!("{} {what}", this_program(common)?);
    let key = engine_options(common).compile_key(sources, &program).ok()?;
    Some((Store::new(folder, MAX_BYTES), key))
}

/// Returns which program this is: another one may compile otherwise.
fn this_program(common: &Common) -> Option<String> {
    let data = common.itself.file().ok()?.metadata().ok()?;
    Some(format!("{} {} {:?}", env!("CARGO_PKG_VERSION"), data.len(), data.modified().ok()?))
}
