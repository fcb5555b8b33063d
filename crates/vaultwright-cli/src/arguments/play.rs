//! The options of the commands that play.

use std::ops::RangeInclusive;
use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::rolls::seeds;
use super::{MapNames, OwnFiles, Setting};

#[derive(Args)]
#[command(after_help = "Examples:
  vaultwright scenario scenarios/
  vaultwright scenario my_vault.lua --filter collapse --seed 7
  vaultwright scenario scenarios/ --format junit --out report.xml
  vaultwright scenario --record walk.lua trigger_clock    play, and record it
How to write them: docs/scenarios.md")]
pub struct ScenarioOptions {
    #[command(flatten)]
    pub own: OwnFiles,
    /// Files or folders
    #[arg(id = "scenarios", value_name = "FILES", required = true)]
    pub files: Vec<PathBuf>,
    /// Run only scenarios whose name contains these words
    #[arg(long, value_name = "WORDS")]
    pub filter: Option<String>,
    /// The seed of the games that scenarios play in
    #[arg(long, value_name = "S", default_value_t = 1, value_parser = super::rolls::seed)]
    pub seed: u64,
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub format: ScenarioFormat,
    /// Write the report to a file instead of standard output
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Play on the vault or level that is named instead of a file, and write the actions to this
    /// file
    #[arg(long, value_name = "FILE")]
    pub record: Option<PathBuf>,
    /// Press the keys in this file, without a screen
    #[arg(long, value_name = "FILE", requires = "record")]
    pub script: Option<PathBuf>,
    /// Show messages and prints of all scenarios, also of those that pass
    #[arg(long, short)]
    pub verbose: bool,
    /// How many events of a failed scenario to show
    #[arg(long, value_name = "N", default_value_t = 12)]
    pub timeline: usize,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ScenarioFormat {
    Text,
    Junit,
}

#[cfg(feature = "explore")]
#[derive(Args)]
#[command(after_help = "Examples:
  vaultwright explore D:3 --seed 7
  vaultwright explore trigger_clock
  vaultwright explore trigger_clock --script keys.txt --headless > transcript.txt
  vaultwright explore trigger_clock --record clock.lua    a scenario of what you do
Press ? in the game for its keys. Scripts use the same keys; see docs/play.md.")]
pub struct ExploreOptions {
    #[command(flatten)]
    pub setting: Setting,
    /// A vault, or a level such as D:3 [default: the first level]
    pub what: Option<String>,
    /// The seed of the game
    #[arg(long, value_name = "S", default_value_t = 1, value_parser = super::rolls::seed)]
    pub seed: u64,
    /// Press the keys in this file first
    #[arg(long, value_name = "FILE")]
    pub script: Option<PathBuf>,
    /// Show no screen: print the messages after each key of the script, and the level at the end
    #[arg(long, requires = "script")]
    pub headless: bool,
    /// Continue a saved game, with the pack and files that it was begun with
    #[arg(long, value_name = "FILE")]
    pub load: Option<PathBuf>,
    /// Where S saves and L loads
    #[arg(long, value_name = "FILE", default_value = "vaultwright.save")]
    pub save: PathBuf,
    /// Write the actions to this file, as a scenario
    #[arg(long, value_name = "FILE")]
    pub record: Option<PathBuf>,
    /// Let monsters wander
    #[arg(long)]
    pub wander: bool,
    #[command(flatten)]
    pub own: OwnFiles,
}

#[cfg(feature = "explore")]
impl ExploreOptions {
    /// Returns whether levels are built: for those, which unlike maps are written with a capital or
    /// a depth.
    pub fn is_of_levels(&self) -> bool {
        let is_level = |what: &String| what.contains(':') || what.starts_with(char::is_uppercase);
        self.what.as_ref().is_none_or(is_level)
    }
}

#[derive(Args)]
#[command(after_help = "Examples:
  vaultwright exercise moonlit_pond --turns 500
  vaultwright exercise --all --markers-only --seed 1..3 --data /usr/share/crawl/dat")]
pub struct ExerciseOptions {
    #[command(flatten)]
    pub setting: Setting,
    #[command(flatten)]
    pub maps: MapNames,
    /// Leave out maps without Lua markers
    #[arg(long)]
    pub markers_only: bool,
    /// A seed, or seeds A..B, both included
    #[arg(long, value_name = "A|A..B", default_value = "1", value_parser = seeds)]
    pub seed: RangeInclusive<u64>,
    /// The number of actions of the player
    #[arg(long, value_name = "N", default_value_t = 2000)]
    pub turns: u32,
    /// A summary; or one row for each run with markers, errors, draws and a checksum of all events;
    /// or everything as JSON
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub format: ExerciseFormat,
    #[command(flatten)]
    pub own: OwnFiles,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ExerciseFormat {
    Text,
    Tsv,
    Json,
}
