//! The options of the commands that build many games.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use vaultwright::stats::MAX_GAMES;

use super::OwnFiles;

/// What the commands that build many games share.
#[derive(Args)]
pub struct CampaignOptions {
    /// The seed of the first game; the others have the seeds that follow
    #[arg(long, value_name = "S", default_value_t = 1, value_parser = super::rolls::seed)]
    pub seed: u64,
    /// Worker processes [default: as many as there are cores]
    #[arg(long, value_name = "N")]
    pub jobs: Option<usize>,
    /// Keep the results in this folder; the same command resumes where it was stopped, and builds
    /// the rest if it asks for more games
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Build only part I of K of the games; `merge` joins the parts
    #[arg(long, value_name = "I/K", value_parser = part, requires = "out")]
    pub shard: Option<(u64, u64)>,
    /// Leave out a map
    #[arg(long, value_name = "NAME")]
    pub without: Vec<String>,
    #[command(flatten)]
    pub own: OwnFiles,
    /// Seconds after which a map, or a step of the builder, counts as hanging
    #[arg(long, value_name = "SECONDS", default_value_t = 30.0, value_parser = seconds)]
    pub patience: f64,
    /// Stop when standard input ends
    #[arg(long, hide = true)]
    pub while_input: bool,
}

#[derive(Args)]
#[command(after_help = "Examples:
  vaultwright mapstat                            100 games of the starter pack
  vaultwright mapstat 20 D:1-5,!D:2              levels 1, 3, 4 and 5 of 20 games
  vaultwright mapstat 1000 --out campaign        with tables and a report
  vaultwright mapstat 200 --force-map my_vault   is there room for it on every level?
  vaultwright mapstat 100 --format crawl --data /usr/share/crawl/dat")]
pub struct MapstatOptions {
    /// How many games [default: 100], and ranges of levels: D:1-3, Lair, !D:2, D:$, 5-10
    #[arg(value_name = "N|PLACES")]
    pub words: Vec<String>,
    #[command(flatten)]
    pub campaign: CampaignOptions,
    /// Place this map on every level
    #[arg(long, value_name = "NAME")]
    pub force_map: Option<String>,
    /// Also report on this map: which levels have it, how to see them, and which maps it displaces;
    /// with --out also pictures of it
    #[arg(long, value_name = "NAME")]
    pub map: Option<String>,
    /// Keep doubling the number of games until the share of levels with the map of --map (or with
    /// any one map) is known to within this margin at 95 % confidence: 0.1% means ±0.1 percentage
    /// points
    #[arg(long, value_name = "PERCENT", value_parser = percent, requires = "out",
          conflicts_with = "shard")]
    pub until: Option<f64>,
    /// Reject levels with places that a player can be teleported into but cannot leave (not with
    /// rules 0.28)
    #[arg(long)]
    pub veto_closets: bool,
    /// A summary, or the report of the reference in its own layout
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub format: MapstatFormat,
    /// The number of entries of each list in text
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub top: usize,
    /// Test whether vaults are used as often as on the levels of a recorded table (plain or gzip)
    #[arg(long, value_name = "FILE")]
    pub against: Option<PathBuf>,
    /// Compare two campaigns and report differences beyond chance; --out DIR also writes an HTML
    /// report
    #[arg(long, value_names = ["OLD", "NEW"], num_args = 2, conflicts_with = "words")]
    pub compare: Vec<PathBuf>,
}

#[derive(Args)]
#[command(after_help = "Examples:
  vaultwright objstat 50 D:1-5
  vaultwright objstat 100 --out objects        a file for each class, as the reference writes them")]
pub struct ObjstatOptions {
    /// How many games [default: 100], and ranges of levels: D:1-3, Lair, !D:2, D:$, 5-10
    #[arg(value_name = "N|PLACES")]
    pub words: Vec<String>,
    /// Tables with a row for each thing and level, or the same rows as JSON; with --out always
    /// tables
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub format: PlainFormat,
    #[command(flatten)]
    pub campaign: CampaignOptions,
}

#[derive(Args)]
#[command(after_help = "Examples:
  vaultwright seeds 'D:1-4 has vault moonlit_pond and shop'
  vaultwright seeds 'D:2 has altar of Trog with vault *temple*' --find 3 --data DIR
  vaultwright seeds 'D:1-9 has entrance to Wood and (D:3 has 2 monster rat or not D:4 has shop)'
  vaultwright seeds --seed 7 --show D:1-3         what is in the game of seed 7
A question is LEVELS has THING, combined with and, or, not and brackets. A THING is vault NAME, feature NAME,
altar of GOD, entrance to BRANCH, shop, monster NAME or item NAME, optionally preceded by a number or by no; * in
a name matches anything. THING with THING asks for both on the same level.")]
pub struct SeedsOptions {
    /// What the game must have [default: anything]
    #[arg(value_name = "QUESTION")]
    pub question: Option<String>,
    /// The number of games to find
    #[arg(long, value_name = "N", default_value_t = 1,
          value_parser = clap::value_parser!(u64).range(1..=MAX_GAMES))]
    pub find: u64,
    /// The number of games to search, starting at --seed
    #[arg(long, value_name = "N", default_value_t = 1000,
          value_parser = clap::value_parser!(u64).range(1..=MAX_GAMES))]
    pub search: u64,
    /// Levels to list [default: those that match the question, or all]
    #[arg(long, value_name = "PLACES")]
    pub show: Option<String>,
    /// What to list of each level
    #[arg(long, value_name = "WHAT", value_delimiter = ',',
          default_values_t = [CategoryName::Vaults, CategoryName::Items, CategoryName::Monsters,
                              CategoryName::Features])]
    pub cats: Vec<CategoryName>,
    /// List only the seeds and what matches the question
    #[arg(long, short)]
    pub quiet: bool,
    /// A catalogue, or one line of JSON for each game
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub format: PlainFormat,
    #[command(flatten)]
    pub campaign: CampaignOptions,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum CategoryName {
    Vaults,
    Items,
    Monsters,
    Features,
}

impl std::fmt::Display for CategoryName {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            CategoryName::Vaults => "vaults",
            CategoryName::Items => "items",
            CategoryName::Monsters => "monsters",
            CategoryName::Features => "features",
        })
    }
}

#[derive(Args)]
#[command(after_help = "Examples:
  vaultwright mapstat 1000 --shard 1/2 --out part1     on one machine
  vaultwright mapstat 1000 --shard 2/2 --out part2     on another
  vaultwright merge part1 part2 --out whole")]
pub struct MergeOptions {
    /// The folders of the parts
    #[arg(required = true, value_name = "DIR")]
    pub parts: Vec<PathBuf>,
    #[command(flatten)]
    pub own: OwnFiles,
    /// The folder for the whole campaign
    #[arg(long, value_name = "DIR")]
    pub out: PathBuf,
    /// A summary, or the report of the reference in its own layout
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub format: MapstatFormat,
    /// The number of entries of each list
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub top: usize,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum MapstatFormat {
    Text,
    Crawl,
    Json,
}

/// Text as people read it, or JSON.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum PlainFormat {
    Text,
    Json,
}

/// How `generate` builds levels that a campaign has counted.
#[derive(Args)]
pub struct CountedOptions {
    /// Build levels as mapstat does: only these places of a game, or all of them; mapstat's reports
    /// print this option where it is needed
    #[arg(long, value_name = "PLACES", num_args = 0..=1, require_equals = true,
          default_missing_value = "", conflicts_with_all = ["all", "alone"])]
    pub counted: Option<String>,
    /// Leave out a map
    #[arg(long, value_name = "NAME", requires = "counted")]
    pub without: Vec<String>,
    /// Reject levels as mapstat does with the same option
    #[arg(long, requires = "counted")]
    pub veto_closets: bool,
}

#[derive(Args)]
pub struct WorkerOptions {
    /// The folder of the campaign
    pub folder: PathBuf,
    /// Where to note what it is at
    pub logbook: PathBuf,
    /// Remove the folder if the campaign is killed
    #[arg(long)]
    pub temporary: bool,
    #[command(flatten)]
    pub own: OwnFiles,
}

fn part(text: &str) -> Result<(u64, u64), String> {
    let number = |text: &str| text.trim().parse::<u64>().ok();
    let part = text.split_once('/').and_then(|(i, k)| Some((number(i)?, number(k)?)));
    part.filter(|(i, k)| (1..=*k).contains(i))
        .ok_or_else(|| format!("'{text}' is no part: write I/K, such as 2/8"))
}

/// Returns a share that is written in percent.
fn percent(text: &str) -> Result<f64, String> {
    let number = text.strip_suffix('%').unwrap_or(text).trim_start_matches('±').parse::<f64>();
    let percent = number.ok().filter(|percent| (0.001..=50.0).contains(percent));
    percent
        .map(|percent| percent / 100.0)
        .ok_or_else(|| format!("'{text}' is no precision: write percent, from 0.001% to 50%"))
}

fn seconds(text: &str) -> Result<f64, String> {
    let seconds = text.parse::<f64>().ok().filter(|seconds| (0.1..=1e6).contains(seconds));
    seconds.ok_or_else(|| format!("'{text}' is no time: write seconds, at least 0.1"))
}
