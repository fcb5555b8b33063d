//! The options of the commands that make levels, or tell what levels get.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use vaultwright::content::LevelSize;
use vaultwright::map::Point;

use super::{OwnFiles, PlayerOption, Runs};

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
    pub player: PlayerOption,
    #[command(flatten)]
    pub own: OwnFiles,
    /// Levels: D:3, D:1-3, Lair, D:$
    #[arg(required_unless_present = "all")]
    pub places: Vec<String>,
    /// Every level of the game, in the order a game builds them; the Abyss, Pandemonium and
    /// ziggurats are made when they are entered, and are not among them
    #[arg(long, conflicts_with = "places")]
    pub all: bool,
    /// Place this map on every requested level, whatever its DEPTH, CHANCE and WEIGHT
    #[arg(long, value_name = "NAME")]
    pub force: Option<String>,
    /// Build each level in a fresh game, as `levels` does, instead of after the levels above it
    #[arg(long, conflicts_with = "all")]
    pub alone: bool,
    #[cfg(feature = "campaigns")]
    #[command(flatten)]
    pub counted: super::CountedOptions,
    /// The seed of the game
    #[arg(long, value_name = "S", default_value_t = 1, value_parser = super::rolls::seed)]
    pub seed: u64,
    /// The output format [default: by the file extension of --out, else ansi]
    #[arg(long, value_name = "FORMAT")]
    pub format: Option<GenerateFormat>,
    /// Write one file for each level into this folder; or write the only level to this file, if it
    /// has the extension of its format (level.png)
    #[arg(long, value_name = "DIR|FILE")]
    pub out: Option<PathBuf>,
    /// Also draw the kinds of monsters and items that the level leaves open, from a separate random
    /// stream
    #[arg(long)]
    pub concrete: bool,
    /// Outline and name the vaults in pictures; list them below text
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
    /// The building of the level, step by step, as an animated PNG
    Apng,
    /// The same as a GIF
    Gif,
    Svg,
    /// A map of the Tiled editor, as JSON
    Tmj,
    /// The same as XML
    Tmx,
    /// LDtk's simplified export: a folder for each level
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
  vaultwright levels D:2 --seed 1..20 --trace --against trace.tsv.gz --data DIR   where builds differ
  vaultwright levels --games --seed 1..40 --data DIR > games.tsv          whole games
  vaultwright levels --games --seed 1..40 --data OTHER --against games.tsv   where games differ")]
pub struct LevelsOptions {
    #[command(flatten)]
    pub player: PlayerOption,
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
    /// A table, or a JSON object for each level [default: tsv]
    #[arg(long, value_name = "FORMAT", conflicts_with_all = ["check", "trace"])]
    pub format: Option<LevelsFormat>,
    /// Place this map on every requested level, whatever its DEPTH, CHANCE and WEIGHT
    #[arg(long, value_name = "NAME")]
    pub force: Option<String>,
    /// List only problems: levels that fail, missing stairs, stairs that cannot be reached
    #[arg(long, conflicts_with_all = ["trace", "against"])]
    pub check: bool,
    /// Test whether the levels are distributed like those in the table of --against
    #[arg(long, requires = "against")]
    pub distributions: bool,
    /// List the steps of each build instead of the levels; with --against report the first step
    /// that differs from the recorded build
    #[arg(long, conflicts_with = "distributions")]
    pub trace: bool,
    /// Build the whole game of each seed, without portals, in the order a game builds its levels;
    /// with --against report where each game first differs from the recorded one; with --trace list
    /// the steps of all levels
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
    /// The number of floors, instead of the one --size implies
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub floors: Option<u32>,
    /// The rooms of a floor, across and down
    #[arg(long, value_name = "WxH", value_parser = extent)]
    pub rooms: Option<(u32, u32)>,
    /// The cells of a room, across and down
    #[arg(long, value_name = "WxH", value_parser = extent)]
    pub room_size: Option<(u32, u32)>,
    /// The random seed
    #[arg(long, value_name = "S", default_value_t = 1, value_parser = super::rolls::seed)]
    pub seed: u64,
    #[arg(long, value_name = "FORMAT", default_value = "ansi")]
    pub format: LairFormat,
    /// Write files into this folder
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// The number of turns each mobile takes
    #[arg(long, value_name = "T", default_value_t = 0)]
    pub turns: u32,
    /// Choose images, sounds and fonts from this folder by their tags (JSON has the paths)
    #[arg(long, value_name = "DIR")]
    pub resources: Option<PathBuf>,
    /// Where to look for the library of old scripts, before the built-in one
    #[arg(long, value_name = "DIR")]
    pub lair_share: Option<PathBuf>,
    /// Stop at the first failure of a script, with exit code 1
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
    /// The lookup tables of scripts, as the original writes them to files
    Lua,
}

fn cell(text: &str) -> Result<Point, String> {
    let number = |text: &str| text.trim().parse::<i32>().ok();
    let point = text.split_once(',').and_then(|(x, y)| Some(Point::new(number(x)?, number(y)?)));
    point
        .filter(|p| {
            (0..LevelSize::MAX_SIDE).contains(&p.x) && (0..LevelSize::MAX_SIDE).contains(&p.y)
        })
        .ok_or_else(|| format!("'{text}' is no cell: write X,Y, the upper left one is 0,0"))
}

fn extent(text: &str) -> Result<(u32, u32), String> {
    let number = |text: &str| text.trim().parse::<u32>().ok().filter(|n| (1..=1000).contains(n));
    let extent = text.split_once('x').and_then(|(w, h)| Some((number(w)?, number(h)?)));
    extent.ok_or_else(|| format!("'{text}' is no size: write WxH, each from 1 to 1000"))
}
