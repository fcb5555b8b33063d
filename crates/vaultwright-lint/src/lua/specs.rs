//! Texts as the headers take them, each checked once.

use foldhash::HashMap;
use vaultwright_engine::Engine;
use vaultwright_map::{LostFate, LostSpec, SpecError};
use vaultwright_syntax::Header;

#[derive(Default)]
pub(super) struct Specs(HashMap<Header, HashMap<Vec<u8>, Option<Flaw>>>);

/// What can be wrong with a text.
pub(super) enum Flaw {
    Error(SpecError),
    /// A tile that no definition file names.
    Tile(LostSpec),
}

impl Flaw {
    /// Returns the words at fault.
    pub(super) fn culprit(&self) -> &str {
        match self {
            Flaw::Error(error) => &error.culprit,
            Flaw::Tile(lost) => &lost.culprit,
        }
    }
}

impl Specs {
    /// Returns what is wrong with a text.
    pub(super) fn check(&mut self, engine: &Engine, header: Header, text: &[u8]) -> Option<&Flaw> {
        let known = self.0.entry(header).or_default();
        if !known.contains_key(text) {
            let flaw = match engine.check_statement(header, text) {
                Err(error) => Some(Flaw::Error(error)),
                Ok(lost) => lost
                    .into_iter()
                    .find(|lost| lost.fate == LostFate::DoubtfulTile)
                    .map(Flaw::Tile),
            };
            known.insert(text.to_vec(), flaw);
        }
        known.get(text).and_then(Option::as_ref)
    }
}
