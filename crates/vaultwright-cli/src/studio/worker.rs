//! `vaultwright studio-worker`: does the work of the studio; started by it, not by people.

use std::path::{Path, PathBuf};

use vaultwright::stats::shell_word;
use vaultwright::syntax::Source;
use vaultwright::{DataRoot, Engine};
use vaultwright_authoring::{OpenError, PackOpener};
use vaultwright_studio::{FolderOpener, work};

use crate::arguments::{Common, StudioWorkerOptions};
use crate::session::{engine_options, files_of, sources_and_skipped};
use crate::{Failure, Outcome, cache};

/// The program's ways to open a pack.
struct Opener<'c> {
    common: &'c Common,
    folder: &'c Path,
}

impl FolderOpener for Opener<'_> {
    fn folder(&self) -> &Path {
        self.folder
    }

    fn options(&self) -> String {
        let mut options = match &self.common.root {
            DataRoot::Directory(data) => format!(" --data {}", shell_word(&data.to_string_lossy())),
            DataRoot::Embedded | DataRoot::Bare => " --standalone".to_owned(),
        };
        if let Some(rules) = self.common.rules {
            options += &format!(" --rules {}", rules.name());
        }
        options
    }
}

impl PackOpener for Opener<'_> {
    fn settle(&mut self, _: &[PathBuf]) -> Result<(), OpenError> {
        // The command line has said it.
        Ok(())
    }

    fn engine(&self) -> Result<Engine, OpenError> {
        Ok(Engine::new(engine_options(self.common))?)
    }

    fn sources(&self) -> Result<Vec<Source>, OpenError> {
        Ok(self.common.root.des_sources()?)
    }

    fn own_sources(&self) -> Result<Vec<Source>, OpenError> {
        Ok(sources_and_skipped(&self.common.own)?.0)
    }

    fn load(&self, engine: &mut Engine, sources: Vec<Source>) {
        cache::load(self.common, engine, files_of(sources));
    }
}

pub fn run(common: &Common, options: &StudioWorkerOptions) -> Result<Outcome, Failure> {
    // Ctrl-C is for the studio, which ends this process.
    ctrlc::set_handler(|| {})?;
    work(&Opener { common, folder: &options.folder })?;
    Ok(Outcome::Clean)
}
