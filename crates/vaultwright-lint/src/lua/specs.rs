//! Texts as the headers take them, each checked once.

use std::collections::HashMap;

use vaultwright_engine::Engine;
use vaultwright_map::SpecError;
use vaultwright_syntax::Header;

#[derive(Default)]
pub(super) struct Specs(HashMap<Header, HashMap<Vec<u8>, Option<SpecError>>>);

impl Specs {
    /// What is wrong with a text.
    pub(super) fn check(
        &mut self,
        engine: &Engine,
        header: Header,
        text: &[u8],
    ) -> Option<&SpecError> {
        let known = self.0.entry(header).or_default();
        if !known.contains_key(text) {
            known.insert(text.to_vec(), engine.check_statement(header, text).err());
        }
        known.get(text).and_then(Option::as_ref)
    }

    /// The header that a function of a map is.
    pub(super) fn header_of(function: &str) -> Option<Header> {
        use Header::{Chance, DefaultDepth, Marker, Name, Order, Tags, Weight, Welcome};
        let mut headers = Header::all().map(|(header, _)| header);
        let header = headers.find(|header| header.lua_function() == function)?;
        let has_text = !matches!(
            header,
            Name | DefaultDepth | Order | Chance | Weight | Welcome | Tags | Marker
        );
        has_text.then_some(header)
    }
}
