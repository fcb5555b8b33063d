//! How the program starts itself once more, for workers.

use std::ffi::OsString;
use std::io::Result;
use std::path::PathBuf;
use std::process::Command;

/// What to start for another process of this program.
#[derive(Clone, Debug, Default)]
pub struct Itself {
    /// The words before a command; without any it is the executable of this process.
    pub words: Vec<OsString>,
    /// The file with the program's code, if it is not that executable: packs that another build has
    /// compiled are not taken up.
    pub file: Option<PathBuf>,
}

impl Itself {
    /// Returns a command that starts another process of the program, to be given its arguments.
    pub(crate) fn command(&self) -> Command {
        let Some((program, words)) = self.words.split_first() else {
            // Where the system does not tell, it is looked for as people do.
            return Command::new(std::env::current_exe().unwrap_or_else(|_| "vaultwright".into()));
        };
        let mut command = Command::new(program);
        command.args(words);
        command
    }

    /// Returns the file that tells this build from others.
    pub(crate) fn file(&self) -> Result<PathBuf> {
        self.file.clone().map_or_else(std::env::current_exe, Ok)
    }
}
