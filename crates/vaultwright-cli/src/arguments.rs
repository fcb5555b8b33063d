//! The command line: every command with its options and examples.

mod campaigns;

use std::ffi::OsString;
use std::ops::RangeInclusive;
use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand, ValueEnum};
use vaultwright::DataRoot;
use vaultwright::content::Edition;
use vaultwright::map::Point;
use vaultwright::map::position::{LEVEL_HEIGHT, LEVEL_WIDTH};

pub use campaigns::{
    CampaignOptions, CategoryName, MapstatFormat, MapstatOptions, MergeOptions, ObjstatOptions,
    SeedsOptions, WorkerOptions,
};

/// Check, roll and picture vaults.
#[derive(Parser)]
#[command(name = "vaultwright", version, about, arg_required_else_help = true)]
#[command(after_help = "Examples:
  vaultwright show moonlit_pond --count 4     roll a vault of the starter pack four times
  vaultwright check my_vaults.des             errors and warnings, with the place and a hint
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
#[derive(Args)]
pub struct Common {
    /// A clone of Crawl, its crawl-ref/source or dat, an installed game, or a pack; `none` is
    /// --standalone [default: the tree or pack around the files given, else around the current
    /// folder, else --standalone]
    #[arg(long, value_name = "DIR", global = true, env = "VAULTWRIGHT_DATA")]
    pub data: Option<OsString>,
    /// Look for no tree: files given stand alone, without any it is the embedded starter pack
    #[arg(long, global = true)]
    pub standalone: bool,
    /// What those two come to; `main` settles it.
    #[arg(skip = DataRoot::Embedded)]
    pub root: DataRoot,
    /// The files that the command is given with `--file`; `main` collects them.
    #[arg(skip)]
    pub own: OwnFiles,
    /// Rules of the language and tables [default: detected from the data]
    #[arg(long, value_name = "VERSION", global = true, value_parser = edition_parser())]
    pub rules: Option<Edition>,
    /// Run every library file as the Lua it is, also those with a native counterpart
    #[arg(long, global = true)]
    pub interpret: bool,
    /// Where packs are kept as they were compiled, so that a command on the same files begins at
    /// once; `none` for nowhere [default: vaultwright in the user's cache directory]
    #[arg(long, value_name = "DIR", global = true, env = "VAULTWRIGHT_CACHE")]
    pub cache: Option<OsString>,
    /// When to use colours
    #[arg(long, value_name = "WHEN", global = true, default_value = "auto")]
    pub color: When,
    /// Lua instructions one chunk may run [default: 100 million; 10 million with `lair`]
    #[arg(long, value_name = "N", global = true)]
    pub instructions: Option<u64>,
    /// Megabytes that Lua may hold
    #[arg(long, value_name = "MB", global = true, default_value_t = 256,
          value_parser = clap::value_parser!(u32).range(1..=65536))]
    pub memory: u32,
}

/// Files of vaults beside those of the pack.
#[derive(Args, Clone, Default)]
pub struct OwnFiles {
    /// Take the vaults of this file or folder too, in place of what the pack has of the same file;
    /// `-` is standard input
    #[arg(long = "file", value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// What standard input is called in what is told of it
    #[arg(long, value_name = "NAME", default_value = STDIN_NAME)]
    pub stdin_filename: PathBuf,
}

/// What standard input is called.
const STDIN_NAME: &str = "stdin.des";

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
    /// Compile vaults and look for mistakes
    Check(CheckOptions),
    /// Print the Lua that vaults become, as `crawl -dump-maps -builddb` does
    Dump(DumpOptions),
    /// Roll vaults: the glyph grid after all Lua and transforms, for each seed
    Resolve(ResolveOptions),
    /// Make levels of a game and draw them
    Generate(GenerateOptions),
    /// Place vaults on an empty level of floor, for each seed
    Place(PlaceOptions),
    /// Build levels, each in a game just started, and list what is on them
    Levels(LevelsOptions),
    /// Build many games, and tell what becomes of vaults and levels
    Mapstat(MapstatOptions),
    /// Build many games, and count what lies, stands and lives on their levels
    Objstat(ObjstatOptions),
    /// Find games that are as one wants them, and list what is in them
    Seeds(SeedsOptions),
    /// Join the parts of a campaign that were made with --shard
    Merge(MergeOptions),
    /// Builds levels for a campaign
    #[command(hide = true)]
    Worker(WorkerOptions),
    /// Reads a pack for a campaign, which may outlive it
    #[command(hide = true)]
    Reader(OwnFiles),
    /// Make a tower of floors with a LAIR script, which decides cell by cell
    Lair(LairOptions),
    /// Run scenarios: tests in Lua of what vaults do in play
    Scenario(ScenarioOptions),
    /// Walk about on a level or a vault, and see what goes on
    Explore(ExploreOptions),
    /// Play on vaults at random, and list what they do
    Exercise(ExerciseOptions),
    /// Show a vault as a person wants to see it
    Show(ShowOptions),
    /// How probable a vault is on each level and in a game, and what beats it
    Odds(OddsOptions),
    /// What a vault becomes over many rolls, and what never happens
    Coverage(CoverageOptions),
    /// Format .des files; drawings and Lua are left alone
    Fmt(FmtOptions),
    /// Explain a code of `check`
    Explain(ExplainOptions),
    /// Print completions for a shell
    Completions(CompletionsOptions),
}

#[derive(Args)]
#[command(after_help = "Examples:
  vaultwright check                      the pack itself
  vaultwright check vaults/ --deny warnings
  vaultwright check a.des --format github
  vaultwright check a.des --watch        again after every save")]
pub struct CheckOptions {
    /// Files or folders, `-` for standard input [default: the pack]
    pub paths: Vec<PathBuf>,
    /// What standard input is called in what is told of it
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
    /// Also roll every map on the levels where it may stand, and play on those with markers
    #[arg(long)]
    pub deep: bool,
    /// How often --deep rolls a map at least
    #[arg(long, value_name = "N", default_value_t = 24, requires = "deep")]
    pub rolls: u64,
    /// Threads of --deep [default: as many as there are cores]
    #[arg(long, value_name = "N", requires = "deep")]
    pub jobs: Option<usize>,
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
pub struct DumpOptions {
    /// Names of maps [default: all]
    pub names: Vec<String>,
}

/// The maps a command is about.
#[derive(Args, Default)]
pub struct MapNames {
    /// Names of maps
    #[arg(required_unless_present = "all")]
    pub names: Vec<String>,
    /// All maps of the pack
    #[arg(long, conflicts_with = "names")]
    pub all: bool,
}

/// What the commands with one row for each seed share.
#[derive(Args)]
pub struct Runs {
    /// A seed, or seeds A..B, both included
    #[arg(long, value_name = "A|A..B", default_value = "1", value_parser = seeds)]
    pub seed: RangeInclusive<u64>,
    /// So many seeds, from the first of --seed on
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=MAX_SEEDS))]
    pub count: Option<u64>,
    /// Compare with a table of recorded results (plain or gzip) instead of printing
    #[arg(long, value_name = "FILE")]
    pub against: Option<PathBuf>,
    /// Threads [default: as many as there are cores]
    #[arg(long, value_name = "N")]
    pub jobs: Option<usize>,
}

#[derive(Args)]
#[command(after_help = "Examples:
  vaultwright resolve moonlit_pond --seed 7
  vaultwright resolve --all --seed 1..3 --format tsv > rolls.tsv
  vaultwright resolve --all --seed 1..3 --against rolls.tsv.gz")]
pub struct ResolveOptions {
    #[command(flatten)]
    pub own: OwnFiles,
    #[command(flatten)]
    pub maps: MapNames,
    #[command(flatten)]
    pub runs: Runs,
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub format: ResolveFormat,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ResolveFormat {
    Text,
    Tsv,
    Json,
}

#[derive(Args)]
#[command(after_help = "Examples:
  vaultwright place moonlit_pond --seed 1..3
  vaultwright place --all --check zones --seed 1..5
  vaultwright place --all --seed 1..3 --format tsv > placed.tsv
  vaultwright place --all --seed 1..3 --against placed.tsv.gz")]
pub struct PlaceOptions {
    #[command(flatten)]
    pub own: OwnFiles,
    #[command(flatten)]
    pub maps: MapNames,
    #[command(flatten)]
    pub runs: Runs,
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub format: PlaceFormat,
    /// Look for isolated zones, teleport closets, maps that need not be opaque
    #[arg(long, value_name = "WHAT", value_delimiter = ',', conflicts_with = "against")]
    pub check: Vec<CheckName>,
    /// Place on solid rock instead of floor
    #[arg(long)]
    pub filled: bool,
    /// Check the maps too that are left out for a reason
    #[arg(long, requires = "check")]
    pub force: bool,
    /// Draw what monsters and items are that the level leaves open, with a generator of their own
    #[arg(long)]
    pub concrete: bool,
    /// Show the whole level in text and pictures, not only the map and what is around it
    #[arg(long)]
    pub whole: bool,
    /// Outline the map and name it, in pictures
    #[arg(long)]
    pub annotate: bool,
    /// Write one picture for each map and seed into this folder; with --check one for each finding
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum CheckName {
    Zones,
    Tele,
    Opacity,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum PlaceFormat {
    Text,
    Tsv,
    Json,
    Png,
    Svg,
}

#[derive(Args)]
#[command(after_help = "Examples:
  vaultwright generate D:1-3                 the levels of one game
  vaultwright generate --all --format png --out game
  vaultwright generate D:4 --seed 7 --annotate
  vaultwright generate D:4 --seed 7 --explain 40,35
  vaultwright generate Swamp:2 --force my_shrine --file my.des --data ~/crawl
  vaultwright generate Lair:2 --format png --out pictures --data /usr/share/crawl/dat")]
pub struct GenerateOptions {
    #[command(flatten)]
    pub own: OwnFiles,
    /// Levels: D:3, D:1-3, Lair, D:$
    #[arg(required_unless_present = "all")]
    pub places: Vec<String>,
    /// Every level of the game, in the order in which they are made
    #[arg(long, conflicts_with = "places")]
    pub all: bool,
    /// Place this map on every level that is asked for, whatever its DEPTH, CHANCE and WEIGHT say
    #[arg(long, value_name = "NAME")]
    pub force: Option<String>,
    /// The seed of the game
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub seed: u64,
    #[arg(long, value_name = "FORMAT", default_value = "ansi")]
    pub format: GenerateFormat,
    /// Write one file for each level into this folder
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Draw what monsters and items are that the level leaves open, with a generator of their own
    #[arg(long)]
    pub concrete: bool,
    /// Outline and name the vaults in pictures, list them below text
    #[arg(long)]
    pub annotate: bool,
    /// Say what put the cell in column X, row Y there: vault, layout or step, with file and line
    #[arg(long, value_name = "X,Y", value_parser = cell)]
    pub explain: Option<Point>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum GenerateFormat {
    /// Colours if standard output is a terminal
    Ansi,
    Text,
    Json,
    Png,
    Svg,
    /// A map of the Tiled editor, as JSON
    Tmj,
    /// The same as XML
    Tmx,
    /// What LDtk calls its simplified export: a folder for each level
    Ldtk,
}

#[derive(Args)]
#[command(after_help = "Examples:
  vaultwright levels D:2 --seed 1..100 --data /usr/share/crawl/dat
  vaultwright levels D:1-3 --seed 1..20 --format json
  vaultwright levels D:1-3 Lair --seed 1..20 --against levels.tsv.gz --data DIR
  vaultwright levels D:2-8 --seed 1..100 --against levels.tsv.gz --distributions --data DIR
  vaultwright levels --all --seed 1..1000 --check  can every level be walked through?
  vaultwright levels D:2 --trace --data DIR       what each build does, step by step
  vaultwright levels D:2 --seed 1..20 --trace --against trace.tsv.gz --data DIR   where builds part
  vaultwright levels --games --seed 1..40 --data DIR > games.tsv          whole games
  vaultwright levels --games --seed 1..40 --data OTHER --against games.tsv   where each game parts")]
pub struct LevelsOptions {
    #[command(flatten)]
    pub own: OwnFiles,
    /// Levels: D:3, D:1-3, Lair, D:$
    #[arg(required_unless_present_any = ["all", "games"])]
    pub places: Vec<String>,
    /// Every level of every branch that can be built
    #[arg(long, conflicts_with = "places")]
    pub all: bool,
    #[command(flatten)]
    pub runs: Runs,
    /// A table, or an object for each level [default: tsv]
    #[arg(long, value_name = "FORMAT", conflicts_with_all = ["check", "trace"])]
    pub format: Option<LevelsFormat>,
    /// Place this map on every level that is asked for, whatever its DEPTH, CHANCE and WEIGHT say
    #[arg(long, value_name = "NAME")]
    pub force: Option<String>,
    /// List only what is wrong: levels that fail, missing stairs, stairs that cannot be reached
    #[arg(long, conflicts_with_all = ["trace", "against"])]
    pub check: bool,
    /// Test whether the levels are distributed as those of the table of --against
    #[arg(long, requires = "against")]
    pub distributions: bool,
    /// List the steps of each build instead of the levels; with --against tell at which step each
    /// parts from the recorded one
    #[arg(long, conflicts_with = "distributions")]
    pub trace: bool,
    /// Build the whole game of each seed, level after level as a game makes them, without portals;
    /// with --against tell where each game parts from the recorded one; with --trace the steps of
    /// all levels
    #[arg(long, conflicts_with_all = ["places", "all", "format", "check", "distributions", "force"])]
    pub games: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum LevelsFormat {
    Tsv,
    Json,
}

#[derive(Args)]
#[command(after_help = "Examples:
  vaultwright lair packs/lair/demo
  vaultwright lair packs/lair/maze --floors 1 --rooms 2x2 --room-size 15x15 --seed 7
  vaultwright lair my_scripts --size medium --format png --out pictures
  vaultwright lair old_scripts --lair-share /usr/share/lair")]
pub struct LairOptions {
    /// A folder with dungeon.lua or map.lua, or a map script itself
    pub scripts: PathBuf,
    /// The size of the tower: oneroom, tiny, small, medium, large, giant
    #[arg(long, value_name = "NAME", default_value = "tiny")]
    pub size: String,
    /// Floors, instead of those of the size
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub floors: Option<u32>,
    /// Rooms of a floor, across and down
    #[arg(long, value_name = "WxH", value_parser = extent)]
    pub rooms: Option<(u32, u32)>,
    /// Cells of a room, across and down
    #[arg(long, value_name = "WxH", value_parser = extent)]
    pub room_size: Option<(u32, u32)>,
    /// The seed of all that is random
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub seed: u64,
    #[arg(long, value_name = "FORMAT", default_value = "ansi")]
    pub format: LairFormat,
    /// Write files into this folder
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Let every mobile act so many times
    #[arg(long, value_name = "T", default_value_t = 0)]
    pub turns: u32,
    /// Choose images, sounds and fonts of this folder by their tags (JSON has the paths)
    #[arg(long, value_name = "DIR")]
    pub resources: Option<PathBuf>,
    /// Where the library of old scripts is looked for before our own
    #[arg(long, value_name = "DIR")]
    pub lair_share: Option<PathBuf>,
    /// The first failure of a script ends it all, with exit code 1
    #[arg(long)]
    pub strict: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum LairFormat {
    /// Colours if standard output is a terminal
    Ansi,
    Text,
    Json,
    Png,
    Svg,
    /// For the Tiled editor
    Tmj,
    /// What scripts look things up in, as the original keeps it in files
    Lua,
}

#[derive(Args)]
#[command(after_help = "Examples:
  vaultwright odds moonlit_pond
  vaultwright odds my_shrine Swamp --file my.des --data ~/crawl
  vaultwright odds my_shrine --want 1/20 --file my.des    which WEIGHT shows it in one game of 20?")]
pub struct OddsOptions {
    /// The name of the map
    pub name: String,
    /// Levels: D:3, D:1-3, Lair, D:$ [default: all]
    pub places: Vec<String>,
    #[command(flatten)]
    pub own: OwnFiles,
    /// Say what WEIGHT or CHANCE brings it to A of B games
    #[arg(long, value_name = "A/B", value_parser = share)]
    pub want: Option<f64>,
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub format: OddsFormat,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum OddsFormat {
    Text,
    Tsv,
    Json,
}

fn share(text: &str) -> Result<f64, String> {
    let number = |text: &str| text.trim().parse::<f64>().ok();
    let share = match text.split_once('/') {
        Some((a, b)) => number(a).zip(number(b)).map(|(a, b)| a / b),
        None => number(text),
    };
    share
        .filter(|share| *share > 0.0 && *share < 1.0)
        .ok_or_else(|| format!("'{text}' is no share of games: write 1/20"))
}

#[derive(Args)]
#[command(after_help = "Examples:
  vaultwright scenario scenarios/
  vaultwright scenario my_vault.lua --filter collapse --seed 7
  vaultwright scenario scenarios/ --format junit --out report.xml
  vaultwright scenario --record walk.lua trigger_clock    play, and have it written down
How to write them: docs/scenarios.md")]
pub struct ScenarioOptions {
    #[command(flatten)]
    pub own: OwnFiles,
    /// Files or folders
    #[arg(id = "scenarios", value_name = "FILES", required = true)]
    pub files: Vec<PathBuf>,
    /// Run only scenarios whose name has these words
    #[arg(long, value_name = "WORDS")]
    pub filter: Option<String>,
    /// The seed of the games they play in
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub seed: u64,
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub format: ScenarioFormat,
    /// Write the report to a file instead of standard output
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Play on the vault or level that is named instead of a file, and write what is done to this
    /// file
    #[arg(long, value_name = "FILE")]
    pub record: Option<PathBuf>,
    /// Press the keys of this file, without a screen
    #[arg(long, value_name = "FILE", requires = "record")]
    pub script: Option<PathBuf>,
    /// Show what is said and printed in every scenario, also in those that pass
    #[arg(long, short)]
    pub verbose: bool,
    /// How many moments of a failed scenario are shown
    #[arg(long, value_name = "N", default_value_t = 12)]
    pub timeline: usize,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ScenarioFormat {
    Text,
    Junit,
}

#[derive(Args)]
#[command(after_help = "Examples:
  vaultwright explore D:3 --seed 7
  vaultwright explore trigger_clock
  vaultwright explore trigger_clock --script keys.txt --headless > transcript.txt
  vaultwright explore trigger_clock --record clock.lua    a scenario of what you do
Press ? in the game for its keys. A script has the same keys; docs/play.md tells more.")]
pub struct ExploreOptions {
    /// A vault, or a level such as D:3 [default: the first level]
    pub what: Option<String>,
    /// The seed of the game
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub seed: u64,
    /// Press the keys of this file first
    #[arg(long, value_name = "FILE")]
    pub script: Option<PathBuf>,
    /// Show no screen: print what is said after each key of the script, and the level at the end
    #[arg(long, requires = "script")]
    pub headless: bool,
    /// Go on with a game that was saved
    #[arg(long, value_name = "FILE")]
    pub load: Option<PathBuf>,
    /// Where S saves and L loads
    #[arg(long, value_name = "FILE", default_value = "vaultwright.save")]
    pub save: PathBuf,
    /// Write a scenario of what is done to this file
    #[arg(long, value_name = "FILE")]
    pub record: Option<PathBuf>,
    /// Let monsters wander
    #[arg(long)]
    pub wander: bool,
    #[command(flatten)]
    pub own: OwnFiles,
}

#[derive(Args)]
#[command(after_help = "Examples:
  vaultwright exercise moonlit_pond --turns 500
  vaultwright exercise --all --markers-only --seed 1..3 --data /usr/share/crawl/dat")]
pub struct ExerciseOptions {
    #[command(flatten)]
    pub maps: MapNames,
    /// Leave out maps without Lua markers
    #[arg(long)]
    pub markers_only: bool,
    /// A seed, or seeds A..B, both included
    #[arg(long, value_name = "A|A..B", default_value = "1", value_parser = seeds)]
    pub seed: RangeInclusive<u64>,
    /// How many things the player does
    #[arg(long, value_name = "N", default_value_t = 2000)]
    pub turns: u32,
    /// One row a run instead of a summary: markers, errors, draws, and a checksum of all that
    /// happened
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub format: ExerciseFormat,
    #[command(flatten)]
    pub own: OwnFiles,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ExerciseFormat {
    Text,
    Tsv,
}

#[derive(Args)]
#[command(after_help = "Examples:
  vaultwright show moonlit_pond --count 6
  vaultwright show moonlit_pond --format png --out pond.png
  vaultwright show NAME --data /usr/share/crawl/dat")]
pub struct ShowOptions {
    /// The map
    pub name: String,
    /// How many rolls
    #[arg(long, value_name = "N", default_value_t = 3,
          value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub count: u32,
    /// The seed of the first roll
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub seed: u64,
    #[arg(long, value_name = "FORMAT", default_value = "ansi")]
    pub format: ShowFormat,
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
  vaultwright coverage moonlit_pond --rolls 10000 --format png --out heat.png")]
pub struct CoverageOptions {
    /// The map
    pub name: String,
    /// How many rolls
    #[arg(long, value_name = "N", default_value_t = 1000,
          value_parser = clap::value_parser!(u64).range(1..=100_000_000))]
    pub rolls: u64,
    /// The seed of the first roll
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub seed: u64,
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub format: CoverageFormat,
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
pub struct FmtOptions {
    /// Files or folders
    #[arg(required = true)]
    pub paths: Vec<PathBuf>,
    /// Change nothing; fail if something would change
    #[arg(long)]
    pub check: bool,
}

#[derive(Args)]
pub struct ExplainOptions {
    /// A code such as VW315 [default: list all]
    pub code: Option<String>,
}

#[derive(Args)]
pub struct CompletionsOptions {
    pub shell: clap_complete::Shell,
}

impl Runs {
    /// The seeds of the runs.
    pub fn seeds(&self) -> RangeInclusive<u64> {
        let first = *self.seed.start();
        match self.count {
            Some(count) => first..=first.saturating_add(count - 1),
            None => self.seed.clone(),
        }
    }
}

fn cell(text: &str) -> Result<Point, String> {
    let number = |text: &str| text.trim().parse::<i32>().ok();
    let point = text.split_once(',').and_then(|(x, y)| Some(Point::new(number(x)?, number(y)?)));
    point
        .filter(|p| (0..LEVEL_WIDTH).contains(&p.x) && (0..LEVEL_HEIGHT).contains(&p.y))
        .ok_or_else(|| format!("'{text}' is no cell: write X,Y from 0,0 to 79,69"))
}

fn extent(text: &str) -> Result<(u32, u32), String> {
    let number = |text: &str| text.trim().parse::<u32>().ok().filter(|n| (1..=1000).contains(n));
    let extent = text.split_once('x').and_then(|(w, h)| Some((number(w)?, number(h)?)));
    extent.ok_or_else(|| format!("'{text}' is no size: write WxH, each from 1 to 1000"))
}

/// How many seeds a command takes at once.
const MAX_SEEDS: u64 = 1_000_000;

fn seeds(text: &str) -> Result<RangeInclusive<u64>, String> {
    let number = |text: &str| {
        text.parse::<u64>().map_err(|_| format!("'{text}' is not a seed: write a whole number"))
    };
    match text.split_once("..") {
        None => number(text).map(|seed| seed..=seed),
        Some((first, last)) => {
            let (first, last) = (number(first)?, number(last)?);
            if first > last {
                return Err(format!("{first}..{last} is empty: write the smaller seed first"));
            }
            if last - first >= MAX_SEEDS {
                return Err(format!("these are more than {MAX_SEEDS} seeds"));
            }
            Ok(first..=last)
        }
    }
}
