//! What the program lends a worker: the ways to open its pack.

use std::path::Path;

use vaultwright_authoring::PackOpener;

/// Opens the pack that the studio works with.
pub trait FolderOpener: PackOpener {
    /// Returns the opened folder.
    fn folder(&self) -> &Path;
    /// Returns the options that name the pack on a command line, each behind a blank.
    fn options(&self) -> String;
}
