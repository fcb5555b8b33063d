//! How monsters are disposed towards the player.

use serde::{Deserialize, Serialize};

/// What a spec makes of a monster towards the player.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(into = "&'static str", try_from = "String")]
pub enum Attitude {
    /// It attacks, as all do of whom nothing is said.
    #[default]
    Hostile,
    /// It keeps to itself.
    Neutral,
    /// It keeps to itself, and can be relied on.
    GoodNeutral,
    /// It helps.
    Friendly,
}

impl Attitude {
    /// Every attitude, from the worst to the best.
    pub const ALL: [Attitude; 4] =
        [Attitude::Hostile, Attitude::Neutral, Attitude::GoodNeutral, Attitude::Friendly];

    /// Returns the word for it in specs, such as `good_neutral`.
    pub const fn name(self) -> &'static str {
        match self {
            Attitude::Hostile => "hostile",
            Attitude::Neutral => "neutral",
            Attitude::GoodNeutral => "good_neutral",
            Attitude::Friendly => "friendly",
        }
    }

    /// Returns the attitude of a word in specs; `None` if it is none.
    pub fn named(word: &str) -> Option<Attitude> {
        match word {
            // A name that it had once.
            "fellow_slime" => Some(Attitude::GoodNeutral),
            _ => Attitude::ALL.into_iter().find(|attitude| attitude.name() == word),
        }
    }
}

impl From<Attitude> for &'static str {
    fn from(attitude: Attitude) -> &'static str {
        attitude.name()
    }
}

impl TryFrom<String> for Attitude {
    type Error = String;

    fn try_from(word: String) -> Result<Attitude, String> {
        Attitude::named(&word).ok_or_else(|| format!("'{word}' is no attitude"))
    }
}
