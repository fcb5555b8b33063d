//! What the targets share: tables, streams and a level to parse specs for.

use std::sync::LazyLock;

use vaultwright::content::{Content, Edition, Rules};
use vaultwright::map::{Context, Dungeon, LevelPlace};
use vaultwright::rng::Streams;

static CONTENTS: LazyLock<[Content; 2]> =
    LazyLock::new(|| [Edition::V0_28, Edition::Trunk].map(|it| Content::new(Rules::of(it))));

/// Runs `f` under the rules of both editions.
pub fn with_contexts(mut f: impl FnMut(&mut Context)) {
    for content in CONTENTS.iter() {
        let dungeon = Dungeon::standard(content.branches());
        let mut rng = Streams::from_seed(1, 43);
        f(&mut Context::new(content, &mut rng, LevelPlace::START, &dungeon));
    }
}
