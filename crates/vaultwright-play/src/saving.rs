//! Saving sessions to files.

use std::path::Path;

use serde::{Deserialize, Serialize};
use vaultwright_engine::SaveError;
use vaultwright_files::{read_within, write_whole};

use crate::sandbox::Sandbox;
use crate::session::{Session, SessionOptions};
use crate::walk::{Answer, Start, Walk};

/// The maximum size of a saved game, in bytes.
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
        self.save_with(&[])
    }

    /// Loads a saved session in place of this one.
    pub fn load(&mut self, bytes: &[u8]) -> Result<(), SaveError> {
        self.load_with(bytes).map(drop)
    }

    /// Writes the session to a file. If this fails, an existing file is unchanged.
    pub fn save_to(&self, path: &Path) -> Result<(), String> {
        write(path, self.save())
    }

    /// Loads the session from a file.
    pub fn load_from(&mut self, path: &Path) -> Result<(), String> {
        self.load(&read(path)?).map_err(|error| failed(path, &error))
    }

    /// Returns the session as bytes, with more data appended.
    fn save_with(&self, more: &[u8]) -> Result<Vec<u8>, SaveError> {
        let mut world = {
            let sandbox = self.world();
            let saved = SavedWorldRef { sandbox: &sandbox, options: self.options };
            postcard::to_stdvec(&saved).map_err(|error| SaveError::Content(error.to_string()))?
        };
        world.extend_from_slice(more);
        self.play().save(world)
    }

    /// Loads a saved session, and returns the appended data.
    fn load_with(&mut self, bytes: &[u8]) -> Result<Vec<u8>, SaveError> {
        let world = |bytes: &[u8]| {
            let (world, more) = postcard::take_from_bytes::<SavedWorld>(bytes).ok()?;
            Some((world, more.to_vec()))
        };
        let (saved, more) = self.play_mut().load(bytes, world)?;
        *self.play.world_mut() = saved.sandbox;
        self.options = saved.options;
        self.play_mut().look();
        Ok(more)
    }
}

impl Walk {
    /// Writes the walk so far to a file. If this fails, an existing file is unchanged.
    ///
    /// # Errors
    ///
    /// If the game contains something that cannot be saved, or the file cannot be written.
    pub fn save_to(&self, path: &Path) -> Result<(), String> {
        let path_so_far = postcard::to_stdvec(&self.so_far())
            .map_err(|error| SaveError::Content(error.to_string()));
        write(path, path_so_far.and_then(|so_far| self.session().save_with(&so_far)))
    }

    /// Continues a saved walk in a session that is on no level yet. Returns it with the messages
    /// that nobody had read. If the file was written by a session alone, its beginning is the given
    /// one.
    ///
    /// # Errors
    ///
    /// If the file is not a saved game of this pack.
    pub fn resume(
        session: Session,
        start: Start,
        seed: u64,
        path: &Path,
    ) -> Result<(Walk, Answer), String> {
        let mut walk = Walk::unbegun(session, start, seed);
        let answer = walk.load_from(path)?;
        Ok((walk, answer))
    }

    /// Replaces this walk with a saved one, and continues it as if it had never stopped. If the
    /// file was written by a session alone, its beginning is unknown, and the walk records where it
    /// was loaded.
    ///
    /// # Errors
    ///
    /// If the file is not a saved game of this pack. This walk is then unchanged.
    pub fn load_from(&mut self, path: &Path) -> Result<Answer, String> {
        let more = self.session_mut().load_with(&read(path)?);
        let more = more.map_err(|error| failed(path, &error))?;
        self.take_up(postcard::from_bytes(&more).ok());
        Ok(Answer { said: self.take_said(), refused: None })
    }
}

fn write(path: &Path, bytes: Result<Vec<u8>, SaveError>) -> Result<(), String> {
    let bytes = bytes.map_err(|error| error.to_string())?;
    write_whole(path, &bytes).map_err(|error| format!("cannot write {}: {error}", path.display()))
}

fn read(path: &Path) -> Result<Vec<u8>, String> {
    read_within(path, MAX_SAVE_SIZE).map_err(|error| failed(path, &error))
}

fn failed(path: &Path, error: &dyn std::fmt::Display) -> String {
    format!("{}: {error}", path.display())
}

#[derive(Serialize)]
struct SavedWorldRef<'a> {
    sandbox: &'a Sandbox,
    options: SessionOptions,
}
