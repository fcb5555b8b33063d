//! Sessions in files.

use std::path::Path;

use serde::{Deserialize, Serialize};
use vaultwright_engine::SaveError;
use vaultwright_files::{read_within, write_whole};

use crate::sandbox::Sandbox;
use crate::session::{Session, SessionOptions};

/// How many bytes a saved game may have.
const MAX_SAVE_SIZE: u64 = 64 << 20;

/// What the sandbox adds to a saved game.
#[derive(Serialize, Deserialize)]
struct SavedWorld {
    sandbox: Sandbox,
    options: SessionOptions,
}

impl Session {
    /// Returns the session as bytes.
    pub fn save(&self) -> Result<Vec<u8>, SaveError> {
        let world = {
            let sandbox = self.world();
            let saved = SavedWorldRef { sandbox: &sandbox, options: self.options };
            postcard::to_stdvec(&saved).map_err(|error| SaveError::Content(error.to_string()))?
        };
        self.play().save(world)
    }

    /// Takes up a saved session in place of this one.
    pub fn load(&mut self, bytes: &[u8]) -> Result<(), SaveError> {
        let world = |bytes: &[u8]| postcard::from_bytes::<SavedWorld>(bytes).ok();
        let saved = self.play_mut().load(bytes, world)?;
        *self.play.world_mut() = saved.sandbox;
        self.options = saved.options;
        self.play_mut().look();
        Ok(())
    }

    /// Writes the session to a file: all of it, or the file is as it was.
    pub fn save_to(&self, path: &Path) -> Result<(), String> {
        let failed = |error: std::io::Error| format!("cannot write {}: {error}", path.display());
        let bytes = self.save().map_err(|error| error.to_string())?;
        write_whole(path, &bytes).map_err(failed)
    }

    /// Takes up the session of a file.
    pub fn load_from(&mut self, path: &Path) -> Result<(), String> {
        let failed = |what: String| format!("{}: {what}", path.display());
        let bytes = read_within(path, MAX_SAVE_SIZE).map_err(|error| failed(error.to_string()))?;
        self.load(&bytes).map_err(|error| failed(error.to_string()))
    }
}

#[derive(Serialize)]
struct SavedWorldRef<'a> {
    sandbox: &'a Sandbox,
    options: SessionOptions,
}
