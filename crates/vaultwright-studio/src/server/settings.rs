//! What the program says of a studio.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::Command;

use serde_json::Value;
use vaultwright::syntax::Source;

/// Why a studio cannot be opened, in words.
pub type StudioError = Box<dyn std::error::Error>;

/// Makes a command of the program from the words behind its name.
pub type Program = Box<dyn Fn(&[OsString]) -> Command + Send + Sync>;

/// What is opened, and how.
pub struct Settings {
    /// The folder whose files can be read and saved.
    pub folder: PathBuf,
    /// Files inside the program, which can be read and not saved.
    pub inside: Vec<Source>,
    /// The file to begin with, below the folder.
    pub file: Option<String>,
    /// The port; 0 for any.
    pub port: u16,
    /// What lets a request in; `None` for a new one.
    pub token: Option<String>,
    /// Whether a browser is opened.
    pub open: bool,
    /// Origins and schemes whose pages may show the studio in a frame.
    pub frames: Vec<String>,
    /// A folder to take the page from instead of the program.
    pub page: Option<PathBuf>,
    /// Folders beside [`Settings::folder`] whose changes change what maps become.
    pub watched: Vec<PathBuf>,
    /// A command of the program with these words behind it, on the same data.
    pub program: Program,
    /// A command that starts a worker.
    pub worker: Box<dyn Fn() -> Command + Send + Sync>,
    /// How many workers are kept ready.
    pub workers: usize,
    /// What `hello` says of the data: kind, name, edition, path.
    pub data: Value,
    /// The version of the program.
    pub version: String,
}
