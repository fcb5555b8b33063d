//! A library shared by engines on several threads.

use std::sync::Arc;

use vaultwright_content::Content;
use vaultwright_map::LevelPlace;

use super::session::{Engine, EngineOptions};
use crate::pack::library::Library;
use crate::pack::sources::EngineError;
use crate::state::player::Player;

/// A compiled library that engines on other threads can use.
#[derive(Clone)]
pub struct SharedLibrary {
    pub(crate) library: Arc<Library>,
    pub(crate) content: Arc<Content>,
    pub(crate) options: EngineOptions,
    player: Option<Player>,
    home: Option<LevelPlace>,
}

impl Engine {
    /// Returns the library, to create engines on other threads.
    pub fn share(&self) -> SharedLibrary {
        SharedLibrary {
            library: self.library(),
            content: Arc::clone(&self.host.content),
            options: self.options.clone(),
            player: self.player(),
            home: self.home,
        }
    }
}

impl SharedLibrary {
    /// Creates an engine with its own interpreter and the same maps.
    pub fn engine(&self) -> Result<Engine, EngineError> {
        let mut engine = Engine::with_content(self.options.clone(), Arc::clone(&self.content))?;
        engine.host.files = self.library.files.clone();
        for (index, file) in self.library.files.iter().enumerate() {
            engine.run_global_prelude(index, file);
        }
        engine.remember_start();
        engine.home = self.home;
        engine.set_player(self.player.clone());
        engine.host.library = Arc::clone(&self.library);
        Ok(engine)
    }
}
