//! The options that say where a vault stands, and who plays.

use clap::Args;

/// Who plays.
#[derive(Args, Clone, Default)]
pub struct PlayerOption {
    /// The player that scripts see: species, background, god, xl, skill.NAME and mutation.NAME,
    /// with `_` for blanks in names: "species=Felid god=Trog xl=12 skill.fighting=4"
    #[arg(long = "player", value_name = "KEY=VALUE…")]
    pub description: Option<String>,
}

/// On which level a vault is rolled, and who plays.
#[derive(Args, Clone, Default)]
pub struct Setting {
    /// The level that scripts see: D:3, Swamp:2, Lair:$ [default: the first of the game; with `try`
    /// the one with the best odds; with `check` all that DEPTH and PLACE allow]
    #[arg(long, value_name = "PLACE")]
    pub at: Option<String>,
    #[command(flatten)]
    pub player: PlayerOption,
}
