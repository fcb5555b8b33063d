//! The options of `odds`.

use clap::{Args, ValueEnum};

use super::{OwnFiles, Setting};

#[derive(Args)]
#[command(after_help = "Examples:
  vaultwright odds moonlit_pond
  vaultwright odds my_shrine Swamp --file my.des --data ~/crawl
  vaultwright odds my_shrine --want 1/20 --file my.des    which WEIGHT shows it in one game of 20?")]
pub struct OddsOptions {
    #[command(flatten)]
    pub setting: Setting,
    /// The name of the map
    pub name: String,
    /// Levels: D:3, D:1-3, Lair, D:$ [default: all]
    pub places: Vec<String>,
    #[command(flatten)]
    pub own: OwnFiles,
    /// Print the WEIGHT or CHANCE that puts it into A of B games
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
