//! What is written in a map and lost.

use serde::{Deserialize, Serialize};
use vaultwright_content::{TileUse, TileVerdict};

use crate::{Context, SpecError};

/// A part of a spec that has no effect, although Crawl reports no error.
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
    /// The line of the file whose Lua has said it, if that is known.
    pub line: Option<u32>,
}

/// What becomes of a [`LostSpec`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum LostFate {
    /// The alternative exists, but the faulty words are ignored. Crawl drops the error as soon as a
    /// later alternative parses.
    Kept,
    /// The alternative is not made, for the same reason.
    Dropped,
    /// It has a tile that no definition file names.
    DoubtfulTile,
    /// It is a tile for a whole level that does not exist, or that no definition file names: the
    /// level keeps its own.
    NoTileOfLevel,
    /// A word of it wants a number and has none that can be read, or none that counts.
    NoNumber,
    /// A word of it is none of those that are known there.
    UnknownWord,
    /// No table tells of it, but the data folder describes it or is older than the tables.
    NotInTables,
    /// It is a line of Lua that fails when it should make a marker: there is none.
    NoMarker,
    /// It is such a line, but the function that fails is of a library that stands in for another.
    OfStandIn,
    /// It is a line of Lua that fails in a hook before or after the main chunk: what stands behind
    /// it does not run.
    HookStops,
    /// It is a line of a veto that is no Lua: an error vetoes, and the map is never placed.
    VetoFails,
}

/// Words of a spec that have no effect, although no error is reported.
#[derive(Clone, Debug)]
pub(crate) struct Unheard {
    words: String,
    message: String,
    fate: LostFate,
}

impl Unheard {
    /// A tag ending with a colon that is not followed by a number.
    pub(crate) fn no_number(tag: &str, value: &str) -> Unheard {
        let words = format!("{tag}{value}");
        let message = match value.is_empty() {
            true => format!("there is no number behind '{words}', so it says nothing"),
            false => format!("'{words}' has no number that can be read, so it says nothing"),
        };
        Unheard { words, message, fate: LostFate::NoNumber }
    }

    /// A number out of range.
    pub(crate) fn number(words: String, why: &str) -> Unheard {
        Unheard { message: format!("'{words}' {why}"), words, fate: LostFate::NoNumber }
    }

    /// Words, and a message about them.
    pub(crate) fn words(words: &str, why: &str) -> Unheard {
        let message = format!("'{words}' {why}");
        Unheard { words: words.to_owned(), message, fate: LostFate::UnknownWord }
    }
}

/// A parsed alternative, and the parts of its text without effect.
pub(crate) struct Parsed<T> {
    pub(crate) alternative: T,
    /// An error that the reference may forget.
    pub(crate) mistake: Option<SpecError>,
    pub(crate) unheard: Vec<Unheard>,
}

impl<T> Parsed<T> {
    /// Returns whether there is nothing to report.
    pub(crate) fn is_faultless(&self) -> bool {
        self.mistake.is_none() && self.unheard.is_empty()
    }

    /// Returns what should be reported about it.
    pub(crate) fn lost<'a>(&'a self, text: &'a str) -> impl Iterator<Item = LostSpec> + 'a {
        let mistake = self.mistake.iter().map(|error| LostSpec::of(text, error, LostFate::Kept));
        mistake.chain(self.unheard.iter().map(|unheard| LostSpec::of_unheard(text, unheard)))
    }
}

impl LostSpec {
    pub(crate) fn of_unheard(text: &str, unheard: &Unheard) -> LostSpec {
        let Unheard { words, message, fate } = unheard.clone();
        LostSpec { text: text.to_owned(), message, culprit: words, fate, line: None }
    }

    pub(crate) fn of(text: &str, error: &SpecError, fate: LostFate) -> LostSpec {
        let (message, culprit) = (error.message.clone(), error.culprit.clone());
        LostSpec { text: text.to_owned(), message, culprit, fate, line: None }
    }

    pub(crate) fn of_unknown(text: &str, culprit: &str) -> LostSpec {
        LostSpec {
            text: text.to_owned(),
            message: format!("no table tells of '{culprit}'"),
            culprit: culprit.to_owned(),
            fate: LostFate::NotInTables,
            line: None,
        }
    }

    /// Returns what should be reported about the tile of a level, if anything. The game does not
    /// check it.
    pub fn of_level_tile(tile: &str, ctx: &Context) -> Option<LostSpec> {
        let message = match ctx.content.names().tiles.verdict(tile, TileUse::Cell) {
            TileVerdict::Known => return None,
            // `none` in any spelling is not a tile.
            _ if tile.eq_ignore_ascii_case("none") => return None,
            TileVerdict::Doubtful => format!("no definition file names the tile '{tile}'"),
            TileVerdict::Unknown => format!("there is no tile '{tile}'"),
        };
        let (text, culprit) = (tile.to_owned(), tile.to_owned());
        Some(LostSpec { text, message, culprit, fate: LostFate::NoTileOfLevel, line: None })
    }

    /// Returns what should be reported about a tile in a text, if anything.
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
            line: None,
        })
    }
}
