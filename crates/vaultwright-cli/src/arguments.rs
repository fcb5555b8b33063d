//! The command line: every command with its options and examples.

#[cfg(feature = "campaigns")]
mod campaigns;
#[cfg(feature = "campaigns")]
mod dossier;
mod levels;
#[cfg(feature = "campaigns")]
mod odds;
mod play;
mod rolls;
mod setting;
#[cfg(feature = "studio")]
mod studio;

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand, ValueEnum};
use vaultwright::DataRoot;

use vaultwright::content::Edition;

use crate::{Itself, UsageError};

#[cfg(feature = "campaigns")]
pub use campaigns::{
    CampaignOptions, CategoryName, CountedOptions, MapstatFormat, MapstatOptions, MergeOptions,
    ObjstatOptions, PlainFormat, SeedsOptions, WorkerOptions,
};
#[cfg(feature = "campaigns")]
pub use dossier::DossierOptions;
pub use levels::{
    GenerateFormat, GenerateOptions, LairFormat, LairOptions, LevelsFormat, LevelsOptions,
};
#[cfg(feature = "campaigns")]
pub use odds::{OddsFormat, OddsOptions};
#[cfg(feature = "explore")]
pub use play::ExploreOptions;
pub use play::{ExerciseFormat, ExerciseOptions, ScenarioFormat, ScenarioOptions};

#[cfg(feature = "campaigns")]
pub use rolls::largest_seed;
pub use rolls::{
    CheckName, MapNames, PlaceFormat, PlaceOptions, ResolveOptions, RowFormat, Runs,
    refuse_seeds_beyond,
};
pub use setting::{PlayerOption, Setting};
#[cfg(feature = "studio")]
pub use studio::{StudioOptions, StudioWorkerOptions};

/// Check, roll and picture vaults.
#[derive(Parser)]
#[command(name = "vaultwright", version, about, arg_required_else_help = true)]
#[command(after_help = "Examples:
  vaultwright show moonlit_pond --count 4     roll a vault of the starter pack four times
  vaultwright check my_vaults.des             errors and warnings, each with its place and a hint
  vaultwright check --data ~/crawl            a clone of Crawl, an installed game, or a pack
  cd ~/crawl && vaultwright check             the same: the tree around a file or folder is found
  vaultwright coverage moonlit_pond           what the vault becomes, and how often
  vaultwright explain VW315                   what a code means")]
pub struct Arguments {
    #[command(flatten)]
    pub common: Common,
    #[command(subcommand)]
    pub command: Command,
}

/// Options of every command.
#[derive(Args, Clone)]
pub struct Common {
    /// A clone of Crawl, its crawl-ref/source or dat, an installed game, or a pack; `none` is
    /// --standalone [default: the tree or pack around the files given, else around the current
    /// folder, else --standalone]
    #[arg(long, value_name = "DIR", global = true, env = "VAULTWRIGHT_DATA")]
    pub data: Option<OsString>,
    /// Do not search for a data tree: use the embedded starter pack, with the given files. Commands
    /// about maps (check, show, resolve, place, …) use only the files, if there are any
    #[arg(long, global = true)]
    pub standalone: bool,
    /// What those two come to; `run` settles it.
    #[arg(skip = DataRoot::Embedded)]
    pub root: DataRoot,
    /// How another process of the program is started.
    #[arg(skip)]
    pub itself: Itself,
    /// The files that the command is given with `--file`; `run` collects them.
    #[arg(skip)]
    pub own: OwnFiles,
    /// A folder of the game's tiles (the rltiles of a clone), used in pictures and to check names
    /// of tiles
    #[arg(long, value_name = "DIR", global = true, env = "VAULTWRIGHT_TILES")]
    pub tiles: Option<PathBuf>,
    /// Version of Crawl whose rules and tables apply [default: detected from the data]
    #[arg(long, value_name = "VERSION", global = true, value_parser = edition_parser())]
    pub rules: Option<Edition>,
    /// Run all library files as Lua, even those that have a native implementation
    #[arg(long, global = true)]
    pub interpret: bool,
    /// Where compiled packs are cached, so that the next command on the same files starts at once;
    /// `none` disables the cache [default: vaultwright in the user's cache directory]
    #[arg(long, value_name = "DIR", global = true, env = "VAULTWRIGHT_CACHE")]
    pub cache: Option<OsString>,
    /// When to use colours
    #[arg(long, value_name = "WHEN", global = true, default_value = "auto")]
    pub color: When,
    /// The most Lua instructions one chunk may run [default: 100 million; 10 million with `lair`]
    #[arg(long, value_name = "N", global = true)]
    pub instructions: Option<u64>,
    /// The most memory Lua may use, in megabytes
    #[arg(long, value_name = "MB", global = true, default_value_t = Common::USUAL_MEMORY,
          value_parser = clap::value_parser!(u32).range(1..=65536))]
    pub memory: u32,
}

impl Common {
    /// How many megabytes Lua may hold unless it is said.
    pub const USUAL_MEMORY: u32 = 256;
}

/// Files of vaults beside those of the pack.
#[derive(Args, Clone, Default)]
pub struct OwnFiles {
    /// Add the vaults of this file or folder, replacing those of the pack's file of the same name;
    /// `-` is standard input
    #[arg(long = "file", value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// The file name to report for standard input
    #[arg(long, value_name = "NAME", default_value = STDIN_NAME)]
    pub stdin_filename: PathBuf,
}

/// What standard input is called.
const STDIN_NAME: &str = "stdin.des";

/// Endings of files that a text would not belong into.
const NO_TEXTS: &[&str] = &[
    "apng", "avif", "bmp", "gif", "htm", "html", "jpeg", "jpg", "json", "ldtk", "pdf", "png",
    "svg", "tif", "tiff", "tmj", "tmx", "tsv", "webp",
];

/// Returns the format that is asked for, else what the ending of the file that is written names,
/// else the usual one. An ending that only other formats have is a wrong use.
pub fn format_of<F: ValueEnum>(
    asked: Option<F>,
    out: Option<&Path>,
    usual: F,
) -> Result<F, UsageError> {
    let ending = out.and_then(|out| out.extension()?.to_str());
    let named = ending.and_then(|ending| F::from_str(ending, true).ok());
    let is_other = |ending: &&str| NO_TEXTS.contains(&ending.to_lowercase().as_str());
    match (asked.or(named), ending.filter(is_other)) {
        (Some(format), _) => Ok(format),
        (None, Some(ending)) if !out.is_some_and(Path::is_dir) => {
            let formats = F::value_variants().iter().filter_map(ValueEnum::to_possible_value);
            let formats: Vec<String> = formats.map(|value| value.get_name().to_owned()).collect();
            let formats = formats.join(", ");
            Err(UsageError(format!("no format here is called {ending}: there are {formats}")))
        }
        _ => Ok(usual),
    }
}

/// Refuses the name of a file where a folder is made.
pub fn refuse_file_name(folder: &Path, instead: &str) -> Result<(), UsageError> {
    let ending = folder.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    let is_file_name = NO_TEXTS.contains(&ending.to_lowercase().as_str()) || ending == "txt";
    match is_file_name && !folder.is_dir() {
        true => Err(UsageError(format!("{} is the name of a file: {instead}", folder.display()))),
        false => Ok(()),
    }
}

fn edition_parser() -> impl TypedValueParser<Value = Edition> {
    let names = PossibleValuesParser::new(Edition::all().map(Edition::name).collect::<Vec<_>>());
    names.try_map(|name| Edition::from_name(&name).ok_or("no rules have this name"))
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum When {
    Auto,
    Always,
    Never,
}

#[derive(Subcommand)]
pub enum Command {
    /// Compile vaults and report mistakes
    Check(CheckOptions),
    /// Print the Lua that vaults become, as `crawl -dump-maps -builddb` does
    Dump(DumpOptions),
    /// Roll vaults: print the glyph grid after all Lua and transforms, for each seed
    Resolve(ResolveOptions),
    /// Generate levels of a game and draw them
    Generate(GenerateOptions),
    /// Place vaults on an empty level of floor, for each seed
    Place(PlaceOptions),
    /// Build levels, each in a fresh game, and list what is on them
    Levels(LevelsOptions),
    /// Build many games and report how often vaults are placed and levels fail
    #[cfg(feature = "campaigns")]
    Mapstat(MapstatOptions),
    /// Build many games and count the items, features and monsters on their levels
    #[cfg(feature = "campaigns")]
    Objstat(ObjstatOptions),
    /// Find seeds whose games have what you ask for, and list what is in a game
    #[cfg(feature = "campaigns")]
    Seeds(SeedsOptions),
    /// Join the parts of a campaign that were built with --shard
    #[cfg(feature = "campaigns")]
    Merge(MergeOptions),
    /// Builds levels for a campaign
    #[cfg(feature = "campaigns")]
    #[command(hide = true)]
    Worker(WorkerOptions),
    /// Reads a pack for a campaign, which may outlive it
    #[cfg(feature = "campaigns")]
    #[command(hide = true)]
    Reader(OwnFiles),
    /// Generate a tower of floors with a LAIR script, which decides each cell
    Lair(LairOptions),
    /// Run scenarios: Lua tests of what vaults do in play
    Scenario(ScenarioOptions),
    /// Walk around on a level or a vault in the terminal and watch what happens
    #[cfg(feature = "explore")]
    Explore(ExploreOptions),
    /// Play on vaults at random and report what their markers do
    Exercise(ExerciseOptions),
    /// Check a file, roll its vaults, place one on a level of its depth, and print its odds
    #[cfg(feature = "campaigns")]
    Try(TryOptions),
    /// Write a report on changed vaults for reviewers, as one Markdown or HTML file
    #[cfg(feature = "campaigns")]
    Dossier(DossierOptions),
    /// Draw rolls of a vault in colour, with a legend
    Show(ShowOptions),
    /// Run the language server for editors, on standard input and output
    #[cfg(feature = "lsp")]
    #[command(after_help = "Examples:
  vaultwright lsp                      as an editor starts it, in the folder of the project
  vaultwright lsp --data ~/crawl       with another tree than the one around the files
How to set editors up: docs/editors.md")]
    Lsp,
    /// Open the studio: a page in the browser to write, view, place and play vaults
    #[cfg(feature = "studio")]
    Studio(StudioOptions),
    /// Does the work of the studio
    #[cfg(feature = "studio")]
    #[command(hide = true)]
    StudioWorker(StudioWorkerOptions),
    /// Compute how probable a vault is on each level and in a game, and what competes with it
    #[cfg(feature = "campaigns")]
    Odds(OddsOptions),
    /// Roll a vault many times and report what each cell becomes, and what never happens
    Coverage(CoverageOptions),
    /// Format .des files, leaving drawings and Lua alone
    Fmt(FmtOptions),
    /// Explain a code that `check` reports
    Explain(ExplainOptions),
    /// Print a completion script for a shell
    #[cfg(feature = "manual")]
    Completions(CompletionsOptions),
    /// Print the manual page, or write the pages of all commands
    #[cfg(feature = "manual")]
    Man(ManOptions),
}

impl Command {
    /// Has commands about files know those given with `--file` as those given as words.
    pub fn join_files(&mut self) {
        match self {
            Command::Check(options) => options.paths.append(&mut options.more),
            Command::Fmt(options) => options.paths.append(&mut options.more),
            #[cfg(feature = "campaigns")]
            Command::Dossier(options) => options.files.append(&mut options.more),
            _ => {}
        }
    }
}

#[derive(Args, Clone)]
#[command(after_help = "Examples:
  vaultwright check                      the pack itself
  vaultwright check vaults/ --deny warnings
  vaultwright check a.des --format github
  vaultwright check a.des --watch        again after every save
  vaultwright check a.des --diff         what --fix would change
  vaultwright check a.des --fix          apply the fixes that are certain")]
pub struct CheckOptions {
    #[command(flatten)]
    pub setting: Setting,
    /// Files or folders, `-` for standard input [default: the pack]
    pub paths: Vec<PathBuf>,
    /// A file or folder to add to PATHS
    #[arg(long = "file", value_name = "FILE")]
    pub more: Vec<PathBuf>,
    /// The file name to report for standard input
    #[arg(long, value_name = "NAME", default_value = STDIN_NAME)]
    pub stdin_filename: PathBuf,
    #[arg(long, value_name = "FORMAT", default_value = "human")]
    pub format: CheckFormat,
    /// Fail on warnings too
    #[arg(long, value_name = "WHAT")]
    pub deny: Option<Deny>,
    /// Check again whenever a file is saved
    #[arg(long)]
    pub watch: bool,
    /// Apply the fixes that are certain: misspelt and renamed names, repeated tags, drawings
    /// without an end; nothing else in the files changes
    #[arg(long, conflicts_with_all = ["diff", "watch"])]
    pub fix: bool,
    /// Print what --fix would change, without changing it
    #[arg(long, conflicts_with = "watch")]
    pub diff: bool,
    /// Also report departures from a house style [default: the one in vaultwright.toml]
    #[arg(long, value_name = "STYLE")]
    pub profile: Option<Profile>,
    /// Report only findings that are not in this file
    #[arg(long, value_name = "FILE")]
    pub baseline: Option<PathBuf>,
    /// Write all findings to the file of --baseline, or of vaultwright.toml
    #[arg(long, conflicts_with_all = ["fix", "diff", "watch"])]
    pub write_baseline: bool,
    /// Also roll every map on the levels where it may be placed, and play on those with markers
    #[arg(long)]
    pub deep: bool,
    /// The least number of rolls of each map with --deep
    #[arg(long, value_name = "N", default_value_t = 24, requires = "deep")]
    pub rolls: u64,
    /// Threads of --deep [default: as many as there are cores]
    #[arg(long, value_name = "N", requires = "deep")]
    pub jobs: Option<usize>,
}

impl CheckOptions {
    /// Returns a plain check of these files.
    pub fn of(paths: Vec<PathBuf>) -> CheckOptions {
        CheckOptions {
            setting: Setting::default(),
            paths,
            more: Vec::new(),
            stdin_filename: PathBuf::from(STDIN_NAME),
            format: CheckFormat::Human,
            deny: None,
            watch: false,
            fix: false,
            diff: false,
            profile: None,
            baseline: None,
            write_baseline: false,
            deep: false,
            rolls: 1,
            jobs: None,
        }
    }
}

#[cfg(feature = "campaigns")]
#[derive(Args)]
#[command(after_help = "Examples:
  vaultwright try my_vaults.des
  vaultwright try my_vaults.des my_shrine --at Swamp:2
  vaultwright try my_vaults.des my_shrine --data ~/crawl")]
pub struct TryOptions {
    #[command(flatten)]
    pub setting: Setting,
    /// The file, `-` for standard input
    pub file: PathBuf,
    /// The file name to report for standard input
    #[arg(long, value_name = "NAME", default_value = STDIN_NAME)]
    pub stdin_filename: PathBuf,
    /// The map to show [default: the first maps of the file]
    pub name: Option<String>,
    /// The seed of the first roll, and of the level
    #[arg(long, value_name = "S", default_value_t = 1, value_parser = rolls::seed)]
    pub seed: u64,
    /// How many maps to show
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub maps: usize,
}

/// A house style.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Profile {
    /// The style of Crawl's own vaults
    Crawl,
}

#[derive(Clone, Copy, ValueEnum)]
pub enum Deny {
    Warnings,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum CheckFormat {
    Human,
    Json,
    Sarif,
    Github,
}

#[derive(Args)]
#[command(after_help = "Examples:
  vaultwright dump moonlit_pond
  vaultwright dump --file my.des
  vaultwright dump --data /usr/share/crawl/dat > maps.lua")]
pub struct DumpOptions {
    /// Names of maps [default: all maps of the given files, or of the pack]
    pub names: Vec<String>,
    #[command(flatten)]
    pub own: OwnFiles,
}

#[derive(Args)]
#[command(after_help = "Examples:
  vaultwright show moonlit_pond --count 6
  vaultwright show moonlit_pond --out pond.png
  vaultwright show my_shrine --file my.des --at Swamp:2 --player 'god=Trog xl=12'
  vaultwright show NAME --data /usr/share/crawl/dat")]
pub struct ShowOptions {
    #[command(flatten)]
    pub setting: Setting,
    /// The map
    pub name: String,
    /// The number of rolls
    #[arg(long, value_name = "N", default_value_t = 3,
          value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub count: u32,
    /// The seed of the first roll
    #[arg(long, value_name = "S", default_value_t = 1, value_parser = rolls::seed)]
    pub seed: u64,
    /// The output format [default: by the file extension of --out, else ansi]
    #[arg(long, value_name = "FORMAT")]
    pub format: Option<ShowFormat>,
    /// Write to a file instead of standard output
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Show again whenever a file of the pack is saved
    #[arg(long)]
    pub watch: bool,
    #[command(flatten)]
    pub own: OwnFiles,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ShowFormat {
    /// Colours if standard output is a terminal
    Ansi,
    Text,
    Json,
    Svg,
    Png,
}

#[derive(Args)]
#[command(after_help = "Examples:
  vaultwright coverage moonlit_pond
  vaultwright coverage moonlit_pond --rolls 10000 --out heat.png")]
pub struct CoverageOptions {
    #[command(flatten)]
    pub setting: Setting,
    /// The map
    pub name: String,
    /// The number of rolls
    #[arg(long, value_name = "N", default_value_t = 1000,
          value_parser = clap::value_parser!(u64).range(1..=100_000_000))]
    pub rolls: u64,
    /// The seed of the first roll
    #[arg(long, value_name = "S", default_value_t = 1, value_parser = rolls::seed)]
    pub seed: u64,
    /// The output format [default: by the file extension of --out, else text]
    #[arg(long, value_name = "FORMAT")]
    pub format: Option<CoverageFormat>,
    /// Write to a file instead of standard output
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    #[command(flatten)]
    pub own: OwnFiles,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum CoverageFormat {
    Text,
    Json,
    Svg,
    Png,
}

#[derive(Args)]
#[command(after_help = "Examples:
  vaultwright fmt my.des               format the file in its place
  vaultwright fmt vaults/ --check      fail if something would change
  vaultwright fmt - < my.des           from standard input to standard output")]
pub struct FmtOptions {
    /// Files or folders
    #[arg(required_unless_present = "more")]
    pub paths: Vec<PathBuf>,
    /// A file or folder to add to PATHS
    #[arg(long = "file", value_name = "FILE")]
    pub more: Vec<PathBuf>,
    /// Change nothing; fail if something would change
    #[arg(long)]
    pub check: bool,
}

#[derive(Args)]
#[command(after_help = "Examples:
  vaultwright explain          all codes
  vaultwright explain VW315    what one means, with an example")]
pub struct ExplainOptions {
    /// A code such as VW315 [default: list all]
    pub code: Option<String>,
}

#[cfg(feature = "manual")]
#[derive(Args)]
#[command(after_help = "Examples:
  vaultwright completions bash > ~/.local/share/bash-completion/completions/vaultwright
  vaultwright completions fish > ~/.config/fish/completions/vaultwright.fish")]
pub struct CompletionsOptions {
    /// The shell
    pub shell: clap_complete::Shell,
}

#[cfg(feature = "manual")]
#[derive(Args)]
#[command(after_help = "Examples:
  vaultwright man | man -l -             read it
  vaultwright man --out share/man/man1   a page for each command, as packages want them")]
pub struct ManOptions {
    /// Write a page for each command into this folder, which is created
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
}
