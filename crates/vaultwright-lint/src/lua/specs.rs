//! Texts as the headers take them, each checked once.

use std::rc::Rc;

use foldhash::HashMap;
use vaultwright_engine::Engine;
use vaultwright_map::{LostSpec, SpecError};
use vaultwright_syntax::Header;

use crate::lost;

#[derive(Default)]
pub(super) struct Specs(HashMap<Header, HashMap<Vec<u8>, Rc<[Flaw]>>>);

/// What can be wrong with a text.
pub(super) enum Flaw {
    Error(SpecError),
    /// A tile that no definition file names, or words that say nothing.
    Lost(LostSpec),
}

impl Flaw {
    /// Returns the words at fault.
    pub(super) fn culprit(&self) -> &str {
        match self {
            Flaw::Error(error) => &error.culprit,
            Flaw::Lost(lost) => &lost.culprit,
        }
    }

    /// Returns whether it is about words that say nothing.
    pub(super) fn says_nothing(&self) -> bool {
        matches!(self, Flaw::Lost(lost) if lost::says_nothing(lost))
    }
}

impl Specs {
    /// Returns what is wrong with a text.
    pub(super) fn check(&mut self, engine: &Engine, header: Header, text: &[u8]) -> Rc<[Flaw]> {
        let known = self.0.entry(header).or_default();
        if let Some(flaws) = known.get(text) {
            return Rc::clone(flaws);
        }
        let is_told = |lost: &LostSpec| lost::is_tile(lost) || lost::says_nothing(lost);
        let flaws: Rc<[Flaw]> = match engine.check_statement(header, text) {
            Err(mut error) => {
                let beside = std::mem::take(&mut error.lost).into_iter().map(Flaw::Lost);
                std::iter::once(Flaw::Error(error)).chain(beside).collect()
            }
            Ok(all) => all.into_iter().filter(is_told).map(Flaw::Lost).collect(),
        };
        known.insert(text.to_vec(), Rc::clone(&flaws));
        flaws
    }
}
