//! A level's own random monsters: its list, and its demons in Pandemonium (spec 03 §6.4, §6.6).

use vaultwright_content::MonsterId;

use crate::Context;
use crate::monster_name::{MonsterKind, ZombieKind, random_of_level};
use crate::monster_spec::{MonsterSlot, parse_monster_slot};
use crate::population::{random_monster, random_zombie_base};

/// A level's own settings for random monsters.
#[derive(Clone, Copy, Debug, Default)]
pub struct OwnMonsters<'a> {
    /// Its demons, in Pandemonium.
    pub demons: &'a [MonsterId],
    /// Its list, if it has one: one slot, as written.
    pub list: Option<&'a str>,
}

/// A monster drawn from a level's list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Listed {
    /// The kind; for undead, the kind in life; `None` if only the game knows it.
    pub kind: Option<MonsterId>,
    /// For undead, which kind of undead it is, and of which monster.
    pub undead: Option<(ZombieKind, Option<MonsterId>)>,
    /// Whether it may bring a band.
    pub band: bool,
}

/// Draws a monster from a level's own list. Every alternative makes draws, unlike in other slots.
/// Returns `None` if there is no list, or it yields none.
pub fn draw_of_list(own: OwnMonsters, ctx: &mut Context) -> Option<Listed> {
    let slot = parse_list(own.list?, ctx)?;
    let mut chosen = None;
    let mut total = 0;
    for alternative in &slot.alternatives {
        total += alternative.weight;
        if ctx.rng.random2(total) < alternative.weight {
            chosen = Some(alternative);
        }
    }
    let chosen = chosen?;
    let dead = |zombie: ZombieKind, base: Option<MonsterId>, ctx: &Context| Listed {
        kind: base.or_else(|| ctx.content.monsters().by_name(zombie.name())),
        undead: Some((zombie, base)),
        band: chosen.band,
    };
    let place = chosen.place;
    let kind = match &chosen.kind {
        MonsterKind::Named { id, .. } => Some(*id),
        MonsterKind::Zombie { kind, base } => return Some(dead(*kind, *base, ctx)),
        MonsterKind::Random { zombie: Some(zombie), .. } => {
            let base = random_zombie_base(ctx, place.unwrap_or(ctx.place), *zombie);
            return Some(dead(*zombie, base, ctx));
        }
        MonsterKind::Random { .. } => place.and_then(|place| random_monster(ctx, place)),
        MonsterKind::GameOrb => ctx.dungeon.zot_orb(),
        other => random_of_level(other, own.demons, ctx),
    };
    Some(Listed { kind, undead: None, band: chosen.band })
}

/// Parses a list in the state when it was set: random monsters in the list do not refer to the list
/// itself.
fn parse_list(list: &str, ctx: &mut Context) -> Option<MonsterSlot> {
    let own = ctx.own;
    ctx.own.list = None;
    let slot = parse_monster_slot(list, ctx).ok();
    ctx.own = own;
    slot
}

#[cfg(test)]
mod tests {
    use vaultwright_content::{Content, Edition, Rules};
    use vaultwright_rng::Streams;

    use super::*;
    use crate::{Dungeon, LevelPlace, ParsedSpecs};

    /// Parses a spec with several seeds on a level of a branch. Returns the results, and the number
    /// of words drawn.
    fn parsed(
        branch: &str,
        own: OwnMonsters,
        content: &Content,
        spec: &str,
    ) -> Vec<(Option<MonsterId>, u64)> {
        let dungeon = Dungeon::standard(content.branches());
        let branch = content.branches().by_name(branch).expect("a branch").id;
        let kept = ParsedSpecs::default();
        let of_seed = |seed| {
            let mut rng = Streams::from_seed(seed, 46);
            let place = LevelPlace { branch, depth: 1 };
            let mut ctx = Context {
                own,
                parsed: Some(&kept),
                ..Context::new(content, &mut rng, place, &dungeon)
            };
            let slot = parse_monster_slot(spec, &mut ctx).ok();
            let base =
                match slot.as_ref().and_then(|slot| slot.alternatives.first()).map(|a| &a.kind) {
                    Some(MonsterKind::Zombie { base, .. }) => *base,
                    _ => None,
                };
            (base, rng.draws_of(0))
        };
        (1..=400).map(of_seed).collect()
    }

    /// spec 03 §5.6, §6.4; spec 10 §4
    #[test]
    fn a_demon_of_pandemonium_is_drawn_of_the_level_when_a_spec_is_parsed() {
        let content = Content::new(Rules::of(Edition::Trunk));
        let named = |name| content.monsters().by_name(name);
        let demons: Vec<MonsterId> =
            ["hellion", "sun demon"].into_iter().filter_map(named).collect();
        let own = OwnMonsters { demons: &demons, list: None };
        let spec = "spectral greater demon";
        let drawn = parsed("Pan", own, &content, spec);
        let own_kind = drawn.iter().filter(|(base, _)| *base == named("hellion")).count();
        assert!((380..400).contains(&own_kind), "{own_kind}: all but about one in 40");
        // Elsewhere, or if none fits, it is any demon.
        let elsewhere = parsed("D", own, &content, spec);
        assert!(elsewhere.iter().all(|&(_, words)| words == 2));
        let shapes = "lesser demon-shaped pillar of salt";
        assert!(parsed("Pan", own, &content, shapes).iter().all(|&(_, words)| words == 2));
        assert!(parsed("D", own, &content, shapes).iter().all(|&(_, words)| words == 1));
    }

    /// How many words 0.28 draws, as it was asked with the seeds 1 to 6.
    #[test]
    fn shapes_cost_what_the_running_program_draws() {
        let content = Content::new(Rules::of(Edition::V0_28));
        let dungeon = Dungeon::standard(content.branches());
        let demons: Vec<MonsterId> =
            "ynoxinul|ynoxinul|shadow demon|sun demon|chaos spawn|green death|blizzard demon"
                .split('|')
                .filter_map(|name| content.monsters().by_name(name))
                .collect();
        let in_pandemonium = OwnMonsters { demons: &demons, list: None };
        let listed = |list| OwnMonsters { demons: &[], list: Some(list) };
        for (place, own, shape, words) in [
            ("Pan", in_pandemonium, "lesser demon", 2),
            ("Pan", in_pandemonium, "common demon", 4),
            ("Pan", in_pandemonium, "greater demon", 3),
            ("Pan", in_pandemonium, "any demon", 7),
            ("Pan", in_pandemonium, "any", 1),
            ("D:5", OwnMonsters::default(), "lesser demon", 1),
            ("D:5", OwnMonsters::default(), "common demon", 2),
            ("D:5", OwnMonsters::default(), "greater demon", 2),
            ("D:5", OwnMonsters::default(), "any demon", 3),
            ("D:5", OwnMonsters::default(), "any", 2),
            ("D:5", listed("yak w:1"), "any", 0),
            ("D:5", listed("yak / rat / hog / orc"), "any", 4),
        ] {
            let place = LevelPlace::parse(place, content.branches(), &dungeon).expect("a place");
            for seed in 1..=6 {
                let mut rng = Streams::from_seed(seed, 43);
                let mut ctx = Context { own, ..Context::new(&content, &mut rng, place, &dungeon) };
                let spec = format!("{shape}-shaped pillar of salt");
                assert!(parse_monster_slot(&spec, &mut ctx).is_ok(), "{spec}");
                assert_eq!(rng.draws_of(0), words, "{spec} at {place:?}, seed {seed}");
            }
        }
    }

    /// spec 03 §6.4, last row
    #[test]
    fn any_monster_is_of_the_list_of_the_level_when_a_spec_is_parsed() {
        let content = Content::new(Rules::of(Edition::Trunk));
        let named = |name| content.monsters().by_name(name);
        let own = OwnMonsters { demons: &[], list: Some("yak / orc / any zombie w:0") };
        let drawn = parsed("D", own, &content, "any zombie");
        for kind in ["yak", "orc"] {
            assert!(drawn.iter().any(|(base, _)| *base == named(kind)), "{kind}");
        }
        assert!(drawn.iter().all(|(base, _)| [named("yak"), named("orc")].contains(base)));
    }

    #[test]
    fn what_is_drawn_of_a_level_is_not_kept_for_others() {
        let content = Content::new(Rules::of(Edition::Trunk));
        let dungeon = Dungeon::standard(content.branches());
        let kept = ParsedSpecs::default();
        for (list, spec) in [(Some("yak w:1"), "any zombie"), (None, "any zombie")] {
            let mut rng = Streams::from_seed(3, 46);
            let own = OwnMonsters { demons: &[], list };
            let mut ctx = Context {
                own,
                parsed: Some(&kept),
                ..Context::new(&content, &mut rng, LevelPlace::START, &dungeon)
            };
            let parsed = parse_monster_slot(spec, &mut ctx);
            let yak = content.monsters().by_name("yak");
            let is_yak = parsed.is_ok_and(|slot| {
                matches!(slot.alternatives[0].kind, MonsterKind::Zombie { base, .. } if base == yak)
            });
            assert_eq!(is_yak, list.is_some());
        }
    }
}
