//! What is written in a map and lost.

use serde::{Deserialize, Serialize};
use vaultwright_content::{TileUse, TileVerdict};

use crate::{Context, SpecError};

/// What is written in vain, though nobody complains.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LostSpec {
    /// As written.
    pub text: String,
    /// What is wrong with it.
    pub message: String,
    /// The words at fault.
    pub culprit: String,
    /// What becomes of it.
    pub fate: LostFate,
}

/// What becomes of a [`LostSpec`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum LostFate {
    /// The alternative is made without the words at fault. The reference forgets the mistake when
    /// it reads another alternative behind it.
    Kept,
    /// The alternative is not made, for the same reason.
    Dropped,
    /// It has a tile that no definition file names.
    DoubtfulTile,
    /// No table tells of it, but the data folder describes it or is older than the tables.
    NotInTables,
    /// It is a line of Lua that fails when it should make a marker: there is none.
    NoMarker,
    /// It is a line of Lua that fails in a hook before or after the main chunk: what stands behind
    /// it does not run.
    HookStops,
    /// It is a line of a veto that is no Lua: an error vetoes, and the map is never placed.
    VetoFails,
}

impl LostSpec {
    pub(crate) fn of(text: &str, error: &SpecError, fate: LostFate) -> LostSpec {
        let (message, culprit) = (error.message.clone(), error.culprit.clone());
        LostSpec { text: text.to_owned(), message, culprit, fate }
    }

    pub(crate) fn of_unknown(text: &str, culprit: &str) -> LostSpec {
        LostSpec {
            text: text.to_owned(),
            message: format!("no table tells of '{culprit}'"),
            culprit: culprit.to_owned(),
            fate: LostFate::NotInTables,
        }
    }

    /// Returns what is to be told of a tile in a text, if anything is.
    pub(crate) fn of_tile(
        text: &str,
        tile: Option<&str>,
        used: TileUse,
        ctx: &Context,
    ) -> Option<LostSpec> {
        let tile = tile?;
        (ctx.content.names().tiles.verdict(tile, used) == TileVerdict::Doubtful).then(|| LostSpec {
            text: text.to_owned(),
            message: format!("no definition file names the tile '{tile}'"),
            culprit: tile.to_owned(),
            fate: LostFate::DoubtfulTile,
        })
    }
}
