//! What happens while maps are rolled, levels built and played, as those who watch are told.

use std::time::Duration;

use vaultwright_content::Content;
use vaultwright_level::{Event, Level, MarkerId};
use vaultwright_map::{MapId, Pick, Point};

use super::veto::Veto;
use crate::pack::problem::ChunkError;

/// Something that has happened.
pub(crate) enum BuildEvent<'e> {
    /// An attempt at a level begins; its number, from 1.
    Attempt(usize),
    /// A step of the build is done.
    Step(DoneStep<'e>),
    /// A script has drawn: how that is written, and the draws of the level's stream so far.
    ScriptDraw(String, u64),
    /// The definition of the map of this name runs; others may run inside.
    DefinitionBegins(&'e str),
    /// The definition that began last has run.
    DefinitionEnds,
    /// A statement of the definition that runs, by its function, with its argument.
    Statement(&'static str, &'e str),
    /// A spec has picked one of its alternatives.
    Pick(&'e Pick<'e>),
    /// A map is to be resolved for a place on the level.
    Tried(MapId),
    /// It has been, with an error or without.
    Resolved(MapId, Duration, Option<&'e ChunkError>),
    /// A map used up what its Lua may use: the rest of the game does without it.
    Struck(MapId),
    /// A map stands on the level.
    Placed(MapId),
    /// A hook of a map that stands there has failed.
    HookFailed(MapId, &'e ChunkError),
    /// A veto that a script does not pass on.
    SwallowedVeto(&'e Veto),
    /// Something is wrong with LAIR scripts that make a level.
    LairFault(&'e str),
    /// In play: a marker is going to be told of an event. Others may be told inside.
    Telling {
        /// Ticks since the game began.
        time: i64,
        /// What has happened.
        event: Event,
        /// Who is told, and where that marker is.
        marker: (MarkerId, Point),
        class: &'e str,
    },
    /// In play: something has changed, in words.
    Change(&'e str),
    /// In play: the marker that was told last has done what it does.
    Told,
}

/// A step just after it is done.
pub(crate) struct DoneStep<'e> {
    /// Which one (docs/building.md).
    pub(crate) name: &'static str,
    /// What it says of itself.
    pub(crate) detail: String,
    /// Draws of the level's stream so far.
    pub(crate) draws: u64,
    /// The level as it has become.
    pub(crate) level: &'e Level,
    /// The tables that it refers to.
    pub(crate) content: &'e Content,
}

/// An observer of rolls, builds and play.
pub(crate) trait Observer {
    /// Is told what has happened, in order.
    fn notice(&mut self, event: &BuildEvent);
}
