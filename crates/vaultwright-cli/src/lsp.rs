//! `vaultwright lsp`.

use std::path::PathBuf;

use vaultwright::Engine;
use vaultwright::syntax::Source;
use vaultwright_authoring::{OpenError, PackOpener};
use vaultwright_lsp::serve;

use crate::arguments::Common;
use crate::session::{engine_options, files_of, sources};
use crate::{Failure, Outcome, cache, data_root};

/// How many instructions a chunk may run while the user is typing, unless the command line says it.
const INSTRUCTIONS: u64 = 10_000_000;

/// The program's ways to open a pack.
struct Opener {
    common: Common,
}

impl PackOpener for Opener {
    fn settle(&mut self, opened: &[PathBuf]) -> Result<(), OpenError> {
        data_root::settle_opened(&mut self.common, opened)
    }

    fn root(&self) -> String {
        format!("{:?}", self.common.root)
    }

    fn engine(&self) -> Result<Engine, OpenError> {
        Ok(Engine::new(engine_options(&self.common))?)
    }

    fn sources(&self) -> Result<Vec<Source>, OpenError> {
        sources(&self.common)
    }

    fn own_sources(&self) -> Result<Vec<Source>, OpenError> {
        Ok(Vec::new())
    }

    fn load(&self, engine: &mut Engine, sources: Vec<Source>) {
        cache::load(&self.common, engine, files_of(sources));
    }
}

pub fn run(common: &Common) -> Result<Outcome, Failure> {
    let mut common = common.clone();
    common.instructions = common.instructions.or(Some(INSTRUCTIONS));
    // The protocol's own exit status for an editor that leaves without a goodbye is 1.
    Ok(match serve(&mut Opener { common })? {
        true => Outcome::Clean,
        false => Outcome::Findings,
    })
}
