//! Traps of a level (spec 03 §9.3, spec 05 §10.4).

use vaultwright_content::FeatureId;
use vaultwright_map::{Context, Dispersal, draw_trap};

/// How many types of trap 0.28 has.
const TYPES_0_28: i32 = 19;
/// Those that glyph `^` and `any trap` may give there, with their numbers: a number is drawn until
/// it is one of them.
const RANDOM_0_28: [(i32, &str); 6] = [
    (3, "trap_teleport_permanent"),
    (4, "trap_alarm"),
    (7, "trap_mechanical"),
    (8, "trap_zot"),
    (10, "shaft"),
    (18, "trap_dispersal"),
];

/// Returns the trap of glyph `^`.
pub(crate) fn random_trap(ctx: &mut Context) -> Option<FeatureId> {
    if ctx.content.rules.weighted_traps {
        return ctx.content.features().by_name(draw_trap(ctx, Dispersal::Possible));
    }
    loop {
        let drawn = ctx.rng.random2(TYPES_0_28);
        let found = RANDOM_0_28.iter().find(|(number, _)| *number == drawn);
        if let Some((_, name)) = found.filter(|(_, name)| *name != "shaft" || ctx.draws_shafts()) {
            // 0.24 has one feature for both kinds of teleport traps.
            let features = ctx.content.features();
            let own = features.by_name(name);
            return own.or_else(|| features.by_name("trap_teleport"));
        }
    }
}

/// Returns the trap of glyph `~`, which is nearly always one that hurts.
pub(crate) fn old_trap(ctx: &mut Context) -> Option<FeatureId> {
    let depth = ctx.absolute_depth() - 1;
    let in_zot = ctx.content.branches().traits(ctx.place.branch).zot_traps;
    let shafts = ctx.draws_shafts();
    let rng = &mut ctx.rng;
    // Arrows, darts, spears and nets are one feature, but what the trap is so far decides on the
    // draw of a net.
    let mut name = "trap_mechanical";
    let dart = rng.random2(1 + depth) > 1 && rng.one_chance_in(4);
    let spear = rng.random2(1 + depth) > 3;
    if !dart && !spear {
        rng.one_chance_in(15);
    }
    // Bolts and blades are the same feature, too.
    rng.random2(1 + depth);
    rng.random2(1 + depth);
    if (rng.random2(1 + depth) > 14 && rng.one_chance_in(3)) || (in_zot && rng.coinflip()) {
        name = "trap_zot";
    }
    if shafts && rng.one_chance_in(20) {
        name = "shaft";
    }
    if rng.one_chance_in(20) {
        name = "trap_teleport";
    }
    if depth > 3 && rng.one_chance_in(40) {
        name = "trap_alarm";
    }
    ctx.content.features().by_name(name)
}

/// Traps that are one feature, `trap_mechanical`, up to 0.34: not all of them have a row of their
/// own in the table of a version.
const MECHANICAL: [&str; 9] =
    ["arrow", "blade", "bolt", "dart", "gas", "needle", "net", "pressure plate", "spear"];

/// A trap for which a word is drawn.
const PASSAGE: &str = "passage";

/// Returns the trap of a `NAME trap` up to 0.34.
pub(crate) fn named_trap(name: &str, ctx: &mut Context) -> FeatureId {
    let content = ctx.content;
    let features = content.features();
    if matches!(name, "any" | "random") {
        return random_trap(ctx).unwrap_or_else(|| features.floor());
    }
    if name == PASSAGE {
        // How long it lasts, it seems: 0.28 was asked.
        ctx.rng.word();
    }
    let own = features.by_name(&format!("trap_{name}")).or_else(|| {
        let described = features.iter().find(|(_, feature)| {
            feature.flags.trap() && feature.description.trim_end_matches(" trap") == name
        });
        described.map(|(id, _)| id).or_else(|| features.by_name(name))
    });
    let own = own.or_else(|| match name {
        PASSAGE => features.by_name("passage of golubria"),
        // 0.24 has one feature for both kinds.
        "permanent teleport" => features.by_name("trap_teleport"),
        _ if MECHANICAL.contains(&name) => features.by_name("trap_mechanical"),
        _ => None,
    });
    own.unwrap_or_else(|| features.floor())
}

#[cfg(test)]
mod tests {
    use vaultwright_content::{Content, Edition, Rules};
    use vaultwright_map::{Dungeon, LevelPlace};
    use vaultwright_rng::Streams;

    use super::*;

    #[test]
    fn traps_of_every_name_are_features_up_to_0_34() {
        let with_own = [("alarm", "trap_alarm"), ("shaft", "shaft"), ("zot", "trap_zot")];
        let named = MECHANICAL.map(|name| (name, "trap_mechanical"));
        let passage = ("passage", "passage of golubria");
        for edition in [Edition::Classic, Edition::V0_24, Edition::V0_28, Edition::V0_34] {
            let content = Content::new(Rules::of(edition));
            let dungeon = Dungeon::standard(content.branches());
            let mut rng = Streams::from_seed(1, 43);
            let mut ctx = Context::new(&content, &mut rng, LevelPlace::START, &dungeon);
            for (name, feature) in named.into_iter().chain(with_own).chain([passage]) {
                let before = ctx.rng.current_draws();
                let id = named_trap(name, &mut ctx);
                assert_eq!(content.features().get(id).name, feature, "{name} in {edition:?}");
                let draws = u64::from(name == PASSAGE);
                assert_eq!(ctx.rng.current_draws() - before, draws, "{name} in {edition:?}");
            }
        }
    }

    /// A map of nothing but `^` in Zot:2, as the running program fills it after four draws.
    #[test]
    fn random_traps_of_0_28_are_those_of_the_running_program() {
        let content = Content::new(Rules::of(Edition::V0_28));
        let dungeon = Dungeon::standard(content.branches());
        let zot = content.branches().by_name("Zot").expect("a branch").id;
        let drawn = |depth: i32| {
            let mut rng = Streams::from_seed(1, 43);
            (0..4).for_each(|_| {
                rng.word();
            });
            let place = LevelPlace { branch: zot, depth };
            let mut ctx = Context::new(&content, &mut rng, place, &dungeon);
            let names = (0..10).filter_map(|_| random_trap(&mut ctx));
            let names: Vec<&str> =
                names.map(|id| content.features().get(id).name.as_str()).collect();
            names.join(" ").replace("trap_", "")
        };
        assert_eq!(
            drawn(2),
            "teleport_permanent dispersal alarm zot alarm dispersal alarm shaft mechanical mechanical"
        );
        // Nothing leads down from the last level.
        assert!(!drawn(5).contains("shaft"));
    }
}
