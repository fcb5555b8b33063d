//! Checks whether specs are valid.

use vaultwright::Engine;
use vaultwright::content::Content;
use vaultwright::map::{
    Context, Dungeon, FeatureSpec, LevelPlace, parse_item_slot, parse_monster_slot,
};
use vaultwright::rng::Streams;
use vaultwright::syntax::Header;

/// A parser for the specs of a header.
pub(crate) struct Specs<'e> {
    header: Header,
    content: &'e Content,
    dungeon: Dungeon,
    rng: Streams,
}

impl Specs<'_> {
    pub(crate) fn new(header: Header, engine: &Engine) -> Specs<'_> {
        let content = engine.content();
        let dungeon = Dungeon::standard(content.branches());
        Specs { header, content, dungeon, rng: Streams::from_seed(0, content.branches().len()) }
    }

    /// Returns whether a spec is valid. For a header whose specs are not checked, all are.
    pub(crate) fn parse(&mut self, spec: &str) -> bool {
        let mut ctx = Context::new(self.content, &mut self.rng, LevelPlace::START, &self.dungeon);
        match self.header {
            Header::Mons | Header::Kmons => parse_monster_slot(spec, &mut ctx).is_ok(),
            // After a comma, another item follows.
            Header::Item | Header::Kitem => {
                !spec.trim().is_empty()
                    && !spec.contains(',')
                    && parse_item_slot(spec, &mut ctx).is_ok()
            }
            Header::Kfeat => FeatureSpec::parse(spec, &mut ctx).is_ok(),
            _ => true,
        }
    }
}
