//! Cache of parsed specs: packs write the same ones again and again.

use std::cell::RefCell;
use std::sync::Arc;

use crate::Context;
use crate::item_spec::ItemAlternative;
use crate::monster_spec::MonsterAlternative;
use foldhash::HashMap;

/// The maximum number cached of each kind; scripts can make up any number.
const MAX_KEPT: usize = 8192;

/// Alternatives of specs by their text, for one set of tables. Only those are cached whose parsing
/// depends on nothing else and makes no draws.
#[derive(Default)]
pub struct ParsedSpecs {
    monsters: Kept<MonsterAlternative>,
    items: Kept<ItemAlternative>,
}

type Kept<T> = RefCell<HashMap<Box<str>, Arc<T>>>;

impl ParsedSpecs {
    pub(crate) fn monster(&self, text: &str) -> Option<Arc<MonsterAlternative>> {
        self.monsters.borrow().get(text).cloned()
    }

    pub(crate) fn item(&self, text: &str) -> Option<Arc<ItemAlternative>> {
        self.items.borrow().get(text).cloned()
    }
}

/// Caches an alternative that was parsed without errors, if no draws were made; `draws` is their
/// number before.
pub(crate) fn keep_monster(ctx: &Context, draws: u64, monster: &Arc<MonsterAlternative>) {
    // Items have their own rules. Shapes make no draws where nothing lives, or with a list of one,
    // but they do on other levels.
    let depends = monster.text.contains(';') || monster.text.contains("-shaped");
    if let Some(parsed) = ctx.parsed.filter(|_| !depends && ctx.own.list.is_none()) {
        keep(&parsed.monsters, ctx, draws, &monster.text, monster);
    }
}

/// Caches an item likewise.
pub(crate) fn keep_item(ctx: &Context, draws: u64, item: &Arc<ItemAlternative>) {
    // A corpse picks one of its monsters, and picks are recorded.
    if let Some(parsed) = ctx.parsed.filter(|_| !item.is_corpse()) {
        keep(&parsed.items, ctx, draws, &item.text, item);
    }
}

fn keep<T>(kept: &Kept<T>, ctx: &Context, draws: u64, text: &str, alternative: &Arc<T>) {
    let mut kept = kept.borrow_mut();
    // Whether the place exists depends on the game's dungeon.
    if ctx.rng.current_draws() == draws && !text.contains("place:") && kept.len() < MAX_KEPT {
        kept.insert(text.into(), Arc::clone(alternative));
    }
}

#[cfg(test)]
mod tests {
    use vaultwright_content::{Content, Edition, Rules};
    use vaultwright_rng::Streams;

    use super::*;
    use crate::{Dungeon, LevelPlace, parse_item_slot, parse_monster_slot};

    /// Returns the number of cached specs after each text was parsed twice, with the draws of each
    /// time.
    fn kept(texts: &[&str], parse: fn(&str, &mut Context)) -> (usize, Vec<u64>) {
        let content = Content::new(Rules::of(Edition::Trunk));
        let dungeon = Dungeon::standard(content.branches());
        let parsed = ParsedSpecs::default();
        let mut rng = Streams::single(1, 1);
        let mut draws = Vec::new();
        for text in texts.iter().flat_map(|text| [text, text]) {
            let before = rng.current_draws();
            let place = LevelPlace { depth: 3, ..LevelPlace::START };
            let mut ctx = Context {
                parsed: Some(&parsed),
                ..Context::new(&content, &mut rng, place, &dungeon)
            };
            parse(text, &mut ctx);
            draws.push(rng.current_draws() - before);
        }
        (parsed.monsters.borrow().len() + parsed.items.borrow().len(), draws)
    }

    #[test]
    fn what_is_parsed_again_is_the_same() {
        let monsters = |text: &str, ctx: &mut Context| {
            let slots = [0, 1].map(|_| parse_monster_slot(text, ctx).expect("a slot"));
            assert_eq!(slots[0].alternatives, slots[1].alternatives, "{text}");
        };
        let texts = ["orc w:5 / gnoll", "orc w:5", "orc ; club", "rat place:D:3", "jackal hd:5"];
        // Three monsters, and the club.
        assert_eq!(kept(&texts, monsters), (4, vec![0; 10]));
        let items = |text: &str, ctx: &mut Context| {
            let slots = [0, 1].map(|_| parse_item_slot(text, ctx).expect("a slot"));
            assert_eq!(slots[0], slots[1], "{text}");
        };
        assert_eq!(kept(&["dagger ego:flaming w:3 / any potion", "any potion"], items).0, 2);
        assert_eq!(kept(&["orc corpse"], items).0, 1, "the orc: it is picked each time");
    }

    #[test]
    fn mistakes_and_draws_are_made_each_time() {
        let (kept, draws) = kept(&["any aux armour", "no such thing"], |text, ctx| {
            let _ = parse_item_slot(text, ctx);
        });
        assert_eq!(kept, 0);
        assert!(draws[0] > 0 && draws[1] > 0, "{draws:?}");
    }
}
