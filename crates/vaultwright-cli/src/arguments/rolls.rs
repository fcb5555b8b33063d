//! The options of `resolve` and `place`: one row for each map and seed.

use std::num::IntErrorKind;
use std::ops::RangeInclusive;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use vaultwright::Ground;

use super::{OwnFiles, Setting};
use crate::UsageError;

/// The maps a command is about.
#[derive(Args, Default)]
pub struct MapNames {
    /// Names of maps [default: those of --file]
    #[arg(required_unless_present_any = ["all", "files"])]
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
    /// The number of seeds, from the first of --seed on
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
    pub setting: Setting,
    #[command(flatten)]
    pub own: OwnFiles,
    #[command(flatten)]
    pub maps: MapNames,
    #[command(flatten)]
    pub runs: Runs,
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub format: RowFormat,
}

/// The form of rows, one for each map and seed.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum RowFormat {
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
    pub setting: Setting,
    #[command(flatten)]
    pub own: OwnFiles,
    #[command(flatten)]
    pub maps: MapNames,
    #[command(flatten)]
    pub runs: Runs,
    /// The output format [default: by the file extension of --out, else text]
    #[arg(long, value_name = "FORMAT")]
    pub format: Option<PlaceFormat>,
    /// Report isolated zones, teleport closets, maps that need not be opaque
    #[arg(long, value_name = "WHAT", value_delimiter = ',', conflicts_with = "against")]
    pub check: Vec<CheckName>,
    /// What the map is placed on: floor, solid rock, caves, or a level (that of --at, or the first
    /// the map is for); on caves and levels it is placed where there is room
    #[arg(long, value_name = "WHAT", default_value = "floor")]
    pub ground: GroundName,
    /// The same as --ground rock
    #[arg(long, conflicts_with = "ground")]
    pub filled: bool,
    /// Also check the maps that are normally left out
    #[arg(long, requires = "check")]
    pub force: bool,
    /// Also draw the kinds of monsters and items that the level leaves open, from a separate random
    /// stream
    #[arg(long)]
    pub concrete: bool,
    /// Show the whole level in text and pictures, not only the map and its surroundings
    #[arg(long)]
    pub whole: bool,
    /// Outline and name the map in pictures
    #[arg(long)]
    pub annotate: bool,
    /// Write a picture for each map and seed into this folder, or the only one to this file (.png,
    /// .svg); write text and tables to this file; with --check write a picture of each finding into
    /// this folder
    #[arg(long, value_name = "DIR|FILE", conflicts_with = "against")]
    pub out: Option<PathBuf>,
}

impl PlaceOptions {
    /// Returns what is there before the map.
    pub fn ground(&self) -> Ground {
        match self.ground {
            _ if self.filled => Ground::Rock,
            GroundName::Floor => Ground::Floor,
            GroundName::Rock => Ground::Rock,
            GroundName::Cave => Ground::Cave,
            GroundName::Level => Ground::Level,
        }
    }
}

/// What a map is placed on.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum GroundName {
    Floor,
    Rock,
    Cave,
    Level,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum CheckName {
    Zones,
    Tele,
    Opacity,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum PlaceFormat {
    #[value(alias = "txt")]
    Text,
    Tsv,
    Json,
    Png,
    Svg,
}

/// What to say of seeds beyond the last.
pub fn largest_seed() -> String {
    format!("the largest is {}", u64::MAX)
}

/// Fails where there are no such seeds any more.
pub fn refuse_seeds_beyond(first: u64, count: u64) -> Result<(), UsageError> {
    match first.checked_add(count - 1) {
        Some(_) => Ok(()),
        None => {
            let largest = largest_seed();
            Err(UsageError(format!("there are no {count} seeds from {first} on: {largest}")))
        }
    }
}

impl Runs {
    /// Fails where there are no such seeds any more.
    pub fn check(&self) -> Result<(), UsageError> {
        refuse_seeds_beyond(*self.seed.start(), self.count.unwrap_or(1))
    }

    /// Returns the seeds of the runs.
    pub fn seeds(&self) -> RangeInclusive<u64> {
        let first = *self.seed.start();
        match self.count {
            Some(count) => first..=first.saturating_add(count - 1),
            None => self.seed.clone(),
        }
    }
}

/// How many seeds a command takes at once.
pub(super) const MAX_SEEDS: u64 = 1_000_000;

/// Reads a seed.
pub(super) fn seed(text: &str) -> Result<u64, String> {
    text.parse::<u64>().map_err(|error| match error.kind() {
        IntErrorKind::PosOverflow => format!("there is no seed {text}: {}", largest_seed()),
        _ if text.contains("..") => format!("one seed is taken here, and '{text}' names several"),
        _ => format!("'{text}' is not a seed: write a whole number"),
    })
}

/// Reads a seed, or the first and the last of several.
pub(super) fn seeds(text: &str) -> Result<RangeInclusive<u64>, String> {
    match text.split_once("..") {
        None => seed(text).map(|seed| seed..=seed),
        Some((first, last)) => {
            let (first, last) = (seed(first)?, seed(last)?);
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
