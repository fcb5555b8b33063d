//! What the program lends a worker: the ways to open its pack.

use std::path::Path;

use vaultwright_authoring::PackDoor;

/// Opens the pack that the studio works with.
pub trait Workshop: PackDoor {
    /// Returns the opened folder.
    fn folder(&self) -> &Path;
    /// Returns the options that name the pack on a command line, each behind a blank.
    fn options(&self) -> String;
}
