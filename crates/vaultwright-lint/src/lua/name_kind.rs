//! The kinds of names that functions of the library take or give, as `lua_calls.json` writes them.

use serde::Deserialize;

/// A kind of names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum NameKind {
    /// Nothing is known of what is taken.
    #[serde(rename = "")]
    Unknown,
    /// A list of specs of monsters.
    Monsters,
    /// A list of specs of items.
    Items,
    Background,
    Branch,
    #[serde(rename = "branch abbreviation")]
    BranchAbbreviation,
    Cloud,
    /// Where a portal leads.
    Destination,
    /// What triggerers wait for.
    Event,
    /// What markers can listen to.
    GameEvent,
    Feature,
    /// Letters that stand in names of features.
    #[serde(rename = "part of a feature")]
    PartOfFeature,
    /// A global function.
    Function,
    God,
    Monster,
    Mutation,
    Place,
    Skill,
    Species,
    Tile,
    /// The monster whose death is waited for.
    Victim,
}

impl NameKind {
    /// Returns what the things of the kind are called.
    pub(super) fn called(self) -> &'static str {
        match self {
            NameKind::Unknown => "thing",
            NameKind::Monsters | NameKind::Monster | NameKind::Victim => "monster",
            NameKind::Items => "item",
            NameKind::Background => "background",
            NameKind::Branch => "branch",
            NameKind::BranchAbbreviation => "branch abbreviation",
            NameKind::Cloud => "cloud",
            NameKind::Destination => "destination",
            NameKind::Event | NameKind::GameEvent => "event",
            NameKind::Feature | NameKind::PartOfFeature => "feature",
            NameKind::Function => "global function",
            NameKind::God => "god",
            NameKind::Mutation => "mutation",
            NameKind::Place => "place",
            NameKind::Skill => "skill",
            NameKind::Species => "species",
            NameKind::Tile => "tile",
        }
    }

    /// Returns what the kind is called in what is known of names of other versions, if anything is.
    pub(super) fn elsewhere(self) -> Option<&'static str> {
        Some(match self {
            NameKind::Branch | NameKind::BranchAbbreviation | NameKind::Destination => "branch",
            NameKind::Cloud => "cloud",
            NameKind::Feature => "feature",
            NameKind::God => "god",
            NameKind::Monster => "monster",
            NameKind::Mutation
            | NameKind::Background
            | NameKind::Event
            | NameKind::GameEvent
            | NameKind::Function
            | NameKind::Items
            | NameKind::Monsters
            | NameKind::PartOfFeature
            | NameKind::Place
            | NameKind::Skill
            | NameKind::Species
            | NameKind::Tile
            | NameKind::Unknown
            | NameKind::Victim => return None,
        })
    }
}
