//! Errors in specs.

use serde::{Deserialize, Serialize};

use crate::lost_spec::{LostSpec, Unheard};
use crate::place::UnknownPlace;

/// An error in a spec: what is wrong, where, and what it makes ineffective.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpecError {
    /// The kind of error.
    pub code: ErrorCode,
    /// What is wrong.
    pub message: String,
    /// The words with the error, to find the column; empty for the whole text.
    pub culprit: String,
    /// Other parts without effect in the same alternative.
    pub lost: Vec<LostSpec>,
}

/// The kinds of errors in specs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[allow(missing_docs)] // each is explained by `vaultwright explain`
pub enum ErrorCode {
    UnknownFeature,
    UnknownTrap,
    UnknownMonster,
    UnknownItem,
    UnknownItemClass,
    UnknownColour,
    UnknownProperty,
    UnknownMask,
    UnknownTile,
    UnknownBranch,
    BadDepth,
    BadOrient,
    BadWeight,
    BadNumber,
    BadKey,
    BadTransform,
    BadMonsterSpec,
    BadEnchantment,
    UnknownEnchantment,
    UnknownMonsterGod,
    UnknownMonsterSpell,
    NotCastByMonsters,
    BadSpellFrequency,
    UnknownSummonType,
    SummonWithoutDuration,
    BadSemicolons,
    ItemsOfRandomMonster,
    CannotUseItems,
    BadItemSpec,
    UnknownItemGod,
    UnknownEgo,
    EgoOfOtherItems,
    UnknownArtefactProperty,
    UnknownSchool,
    UnknownBookSpell,
    BookSize,
    BadShop,
    BadArgument,
    NewColour,
    BadPainter,
    Subvault,
    SubvaultForm,
    Size,
    NoExits,
    NotSelectable,
    Temple,
    TooManyDraws,
    TooManyStatements,
}

impl ErrorCode {
    /// Returns the code for all names of its kind: that of items for a class, that of features for
    /// a trap. Any other code is its own.
    pub fn of_any_name(self) -> ErrorCode {
        match self {
            ErrorCode::UnknownTrap => ErrorCode::UnknownFeature,
            ErrorCode::UnknownItemClass => ErrorCode::UnknownItem,
            code => code,
        }
    }
}

impl SpecError {
    /// Creates an error about some words of the spec.
    pub fn new(
        code: ErrorCode,
        message: impl Into<String>,
        culprit: impl Into<String>,
    ) -> SpecError {
        SpecError { code, message: message.into(), culprit: culprit.into(), lost: Vec::new() }
    }

    /// Adds the parts without effect in the alternative with the error.
    pub(crate) fn beside(mut self, text: &str, unheard: &[Unheard]) -> SpecError {
        self.lost.extend(unheard.iter().map(|unheard| LostSpec::of_unheard(text, unheard)));
        self
    }

    /// Creates an error about a place that a spec names with these words.
    pub(crate) fn of_place(error: &UnknownPlace, words: &str) -> SpecError {
        let message = error.to_string();
        match error {
            UnknownPlace::Branch { branch, .. } if words.contains(branch.as_str()) => {
                SpecError::new(ErrorCode::UnknownBranch, message, branch)
            }
            _ => SpecError::new(ErrorCode::BadDepth, message, words),
        }
    }

    /// Creates an error about the whole text.
    pub fn whole(code: ErrorCode, message: impl Into<String>) -> SpecError {
        SpecError::new(code, message, "")
    }
}

impl std::fmt::Display for SpecError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for SpecError {}
