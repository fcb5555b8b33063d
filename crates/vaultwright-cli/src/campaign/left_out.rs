//! Packs without the files and maps that cannot be read.

use std::path::Path;
use std::sync::Arc;

use vaultwright::stats::{Unread, leave_out_of};
use vaultwright::syntax::Source;
use vaultwright::{DataRoot, Engine, Problem, SourceFile};

use crate::arguments::Common;
use crate::session::{files_of, open, open_quietly};
use crate::{Failure, batch};

/// Returns an engine with a pack of which something is left out.
pub fn pack_without(common: &Common, unread: &[Unread]) -> Result<Engine, Failure> {
    let (engine, problems) = load(common, open(common)?, unread);
    batch::tell_problems(&engine, &problems);
    Ok(engine)
}

/// Returns the same for a process whose errors another one has told already.
pub fn pack_quietly(common: &Common, unread: &[Unread]) -> Result<Engine, Failure> {
    Ok(load(common, open_quietly(common)?, unread).0)
}

fn load(
    common: &Common,
    (mut engine, sources): (Engine, Vec<Source>),
    unread: &[Unread],
) -> (Engine, Vec<Problem>) {
    if unread.is_empty() {
        return batch::load(common, (engine, sources));
    }
    let files = parse_without(common, sources, unread);
    let problems = engine.load_files(files, &mut |_, _| true);
    (engine, problems)
}

/// Parses sources; what is left out is in none of the files.
pub fn parse_without(
    common: &Common,
    sources: Vec<Source>,
    unread: &[Unread],
) -> Vec<Arc<SourceFile>> {
    // Nobody else has them yet.
    let files = files_of(sources).into_iter().filter_map(Arc::into_inner);
    let mut files: Vec<SourceFile> = files.collect();
    leave_out_of(root_of(common), &mut files, unread);
    files.into_iter().map(Arc::new).collect()
}

/// Returns the folder that the names of files begin with.
pub fn root_of(common: &Common) -> &Path {
    match &common.root {
        DataRoot::Directory(folder) => folder,
        DataRoot::Embedded | DataRoot::Bare => Path::new(""),
    }
}
