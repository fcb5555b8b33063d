//! `vaultwright studio-worker`: does the work of the studio; started by it, not by people.

use std::path::{Path, PathBuf};

use vaultwright::stats::shell_word;
use vaultwright::syntax::Source;
use vaultwright::{DataRoot, Engine};
use vaultwright_authoring::{DoorError, PackDoor};
use vaultwright_studio::{Workshop, work};

use crate::arguments::{Common, StudioWorkerOptions};
use crate::session::{engine_options, files_of, sources_and_skipped};
use crate::{Failure, Outcome, cache};

/// The program's ways to open a pack.
struct Shop<'c> {
    common: &'c Common,
    folder: &'c Path,
}

impl Workshop for Shop<'_> {
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

impl PackDoor for Shop<'_> {
    fn settle(&mut self, _: &[PathBuf]) -> Result<(), DoorError> {
        // The command line has said it.
        Ok(())
    }

    fn engine(&self) -> Result<Engine, DoorError> {
        Ok(Engine::new(engine_options(self.common))?)
    }

    fn sources(&self) -> Result<Vec<Source>, DoorError> {
        Ok(self.common.root.des_sources()?)
    }

    fn own_sources(&self) -> Result<Vec<Source>, DoorError> {
        Ok(sources_and_skipped(&self.common.own)?.0)
    }

    fn load(&self, engine: &mut Engine, sources: Vec<Source>) {
        cache::load(self.common, engine, files_of(sources));
    }
}

pub fn run(common: &Common, options: &StudioWorkerOptions) -> Result<Outcome, Failure> {
    // Ctrl-C is for the studio, which ends this process.
    ctrlc::set_handler(|| {})?;
    work(&Shop { common, folder: &options.folder })?;
    Ok(Outcome::Clean)
}
