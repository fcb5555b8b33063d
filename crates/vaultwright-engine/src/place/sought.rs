//! What is known of a vault's monster before it is drawn, and where it can live (spec 03 §6.2).

use vaultwright_content::MonsterId;
use vaultwright_map::{
    Context, LevelPlace, MonsterAlternative, MonsterKind, random_monster, random_monster_of_depth,
    random_zombie_base,
};

use super::habitat::{habitat_of_undead, second_home};
use crate::state::population::Population;

/// What is known of a monster before it is drawn.
pub(crate) struct Sought {
    /// The kind that a spec names or draws.
    pub(crate) known: Option<MonsterId>,
    /// The kind for which the cell is made fit.
    pub(crate) fits: Option<MonsterId>,
    /// The kind whose habitat another cell needs to have; `None` if there is to be none.
    pub(crate) home: Option<MonsterId>,
}

impl Sought {
    /// Returns a kind that is no undead and no random one.
    fn named(id: MonsterId) -> Sought {
        Sought { known: Some(id), fits: Some(id), home: Some(id) }
    }

    /// Returns what is known of a kind that is not: it would live on land, and in deep water for
    /// its size.
    fn unknown(ctx: &Context) -> Sought {
        Sought { known: None, fits: None, home: ctx.content.monsters().nobody() }
    }
}

/// Returns what a spec says of its monster. Returns `None` if the spec gives none.
pub(crate) fn kind_of_spec(
    spec: &MonsterAlternative,
    population: &Population,
    ctx: &mut Context,
) -> Option<Sought> {
    let monsters = ctx.content.monsters();
    match &spec.kind {
        MonsterKind::Nothing => None,
        MonsterKind::Named { id, .. } => {
            (!population.uniques.contains(id)).then_some(Sought::named(*id))
        }
        MonsterKind::PandemoniumLord => {
            Some(monsters.by_name("pandemonium lord").map_or(Sought::unknown(ctx), Sought::named))
        }
        MonsterKind::Zombie { kind, base } => {
            let fits =
                base.or(monsters.nobody()).and_then(|base| habitat_of_undead(*kind, base, ctx));
            let home = match base {
                Some(base) => Some(second_home(*base, *kind, ctx)),
                None => monsters.by_name(kind.name()),
            };
            Some(Sought { known: None, fits, home })
        }
        MonsterKind::Random { out_of_depth, zombie } => {
            let place = spec.place.unwrap_or(ctx.place);
            let known = match zombie {
                Some(zombie) => random_zombie_base(ctx, place, *zombie),
                None => match out_of_depth_place(place, *out_of_depth, ctx) {
                    (place, true) => random_monster(ctx, place),
                    (place, false) => random_monster_of_depth(ctx, place),
                },
            };
            let population = ctx.content.populations().of(place.branch);
            let lists_orb = population.iter().any(|entry| entry.game_orb);
            let home = match (known, zombie) {
                // It dies only when it has a place.
                (Some(id), _) => Some(id),
                // The orb of a game that there is not: a cell is found for it all the same (spec 10
                // §3).
                (None, None) if lists_orb => monsters.nobody(),
                // Nobody has been drawn: that is one of the entries of some lists.
                (None, None) if !population.is_empty() => None,
                (None, _) => monsters.nobody(),
            };
            Some(Sought { known, fits: None, home })
        }
        MonsterKind::GameOrb => {
            Some(Sought { known: ctx.dungeon.zot_orb(), ..Sought::unknown(ctx) })
        }
        MonsterKind::RandomDraconian(_)
        | MonsterKind::ColouredDraconian(_)
        | MonsterKind::RandomDemonspawn
        | MonsterKind::RandomDemon(_) => Some(Sought::unknown(ctx)),
    }
}

/// Returns the level whose monsters glyphs `8` and `9` use, and whether its depth is fuzzed.
fn out_of_depth_place(
    mut place: LevelPlace,
    out_of_depth: u8,
    ctx: &Context,
) -> (LevelPlace, bool) {
    if out_of_depth == 0 {
        return (place, true);
    }
    if ctx.dungeon.levels(place.branch) <= 1 {
        return (place, false);
    }
    let depth = place.depth;
    let in_dungeon = place.branch.is_root();
    let capped = in_dungeon && (ctx.content.rules.out_of_depth_is_capped_deep || depth <= 8);
    place.depth = match out_of_depth {
        2 if in_dungeon && ctx.content.rules.out_of_depth_is_capped_deep => {
            2 * depth + (depth - 8).clamp(0, 4)
        }
        2 if capped => 2 * depth,
        2 => 2 * depth + 4,
        _ if capped => (depth + 5).min(2 * depth),
        _ => depth + 5,
    };
    (place, false)
}
