//! The options of `studio`.

use std::path::PathBuf;

use clap::Args;

use super::OwnFiles;

#[derive(Args)]
#[command(after_help = "Examples:
  vaultwright studio my_vaults.des
  cd ~/crawl && vaultwright studio crawl-ref/source/dat/des
  vaultwright studio --no-open --port 8080   the address is printed")]
pub struct StudioOptions {
    /// A file of vaults, or a folder with such files or LAIR scripts [default: the current folder]
    pub path: Option<PathBuf>,
    /// The port on 127.0.0.1 [default: any free one]
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    pub port: u16,
    /// Only print the address, without opening a browser
    #[arg(long)]
    pub no_open: bool,
    /// Allow pages of this origin or scheme to show the studio in a frame, as an editor's panel
    /// does (`vscode-webview:`); may be repeated
    #[arg(long, value_name = "SOURCE")]
    pub frame: Vec<String>,
    /// The number of requests handled at once
    #[arg(long, value_name = "N", default_value_t = 2,
          value_parser = clap::value_parser!(u8).range(1..=16))]
    pub workers: u8,
    /// The token that lets a browser in, at least 16 characters [default: a new one]
    #[arg(
        long,
        value_name = "WORD",
        env = "VAULTWRIGHT_STUDIO_TOKEN",
        hide_env_values = true,
        hide = true
    )]
    pub token: Option<String>,
    /// Serve the page from this folder instead of the embedded one
    #[arg(long, value_name = "DIR", hide = true)]
    pub page: Option<PathBuf>,
}

#[derive(Args)]
pub struct StudioWorkerOptions {
    #[command(flatten)]
    pub own: OwnFiles,
    /// The opened folder
    pub folder: PathBuf,
}
