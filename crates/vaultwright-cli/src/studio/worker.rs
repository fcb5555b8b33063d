//! `vaultwright studio-worker`: does the work of the studio; started by it, not by people.

use std::path::Path;

use vaultwright::syntax::Source;
use vaultwright::{DataRoot, Engine, Problem};
use vaultwright_studio::{Workshop, WorkshopError, quoted, work};

use crate::arguments::{Common, StudioWorkerOptions};
use crate::session::{engine_options, parse_all, sources_and_skipped};
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

    fn engine(&self) -> Result<Engine, WorkshopError> {
        Ok(Engine::new(engine_options(self.common))?)
    }

    fn sources(&self) -> Result<Vec<Source>, WorkshopError> {
        Ok(self.common.root.des_sources()?)
    }

    fn own_sources(&self) -> Result<Vec<Source>, WorkshopError> {
        Ok(sources_and_skipped(&self.common.own)?.0)
    }

    fn options(&self) -> String {
        let mut options = match &self.common.root {
            DataRoot::Directory(data) => format!(" --data {}", quoted(&data.to_string_lossy())),
            DataRoot::Embedded | DataRoot::Bare => " --standalone".to_owned(),
        };
        if let Some(rules) = self.common.rules {
            options += &format!(" --rules {}", rules.name());
        }
        options
    }

    fn load(&self, engine: &mut Engine, sources: Vec<Source>) -> Vec<Problem> {
        cache::load(self.common, engine, parse_all(sources))
    }
}

pub fn run(common: &Common, options: &StudioWorkerOptions) -> Result<Outcome, Failure> {
    // Ctrl-C is for the studio, which ends this process.
    ctrlc::set_handler(|| {})?;
    work(&Shop { common, folder: &options.folder })?;
    Ok(Outcome::Clean)
}
