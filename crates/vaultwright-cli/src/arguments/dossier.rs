//! The options of `dossier`.

use std::path::PathBuf;

use clap::Args;

use super::{STDIN_NAME, Setting};

#[derive(Args)]
#[command(after_help = "Examples:
  vaultwright dossier my_vaults.des --out dossier.html
  vaultwright dossier my_vaults.des --base origin/master --data ~/crawl > dossier.md")]
pub struct DossierOptions {
    /// The files, `-` for standard input
    #[arg(id = "paths", value_name = "FILES", required_unless_present = "more")]
    pub files: Vec<PathBuf>,
    /// The same as a file among FILES
    #[arg(long = "file", id = "more", value_name = "FILE")]
    pub more: Vec<PathBuf>,
    /// The file name to report for standard input
    #[arg(long, value_name = "NAME", default_value = STDIN_NAME)]
    pub stdin_filename: PathBuf,
    /// The revision of git before the change: only maps that differ are shown, with their odds
    /// before and after [default: all maps, against the pack without these files]
    #[arg(long, value_name = "REV")]
    pub base: Option<String>,
    /// Write to this file, as HTML if its name ends so [default: Markdown, to standard output]
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// The seed of the first roll, and of the level
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub seed: u64,
    /// How many maps are shown at most
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub maps: usize,
    #[command(flatten)]
    pub setting: Setting,
}
