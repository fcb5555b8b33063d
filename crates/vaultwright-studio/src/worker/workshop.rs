//! What the program lends a worker: the ways to open its pack.

use std::path::Path;

use vaultwright::syntax::Source;
use vaultwright::{Engine, Problem};

/// Why something cannot be opened, in words.
pub type WorkshopError = Box<dyn std::error::Error>;

/// Opens the pack that the studio works with.
pub trait Workshop {
    /// The opened folder.
    fn folder(&self) -> &Path;
    /// An engine without maps.
    fn engine(&self) -> Result<Engine, WorkshopError>;
    /// The sources of the pack, as they are on the disk.
    fn sources(&self) -> Result<Vec<Source>, WorkshopError>;
    /// Those of the files that were opened; they may be among the pack's.
    fn own_sources(&self) -> Result<Vec<Source>, WorkshopError>;
    /// The options that name the pack on a command line, each behind a blank.
    fn options(&self) -> String;
    /// Compiles all maps, or takes up what was made of them before; what is wrong with them.
    fn load(&self, engine: &mut Engine, sources: Vec<Source>) -> Vec<Problem>;
}
