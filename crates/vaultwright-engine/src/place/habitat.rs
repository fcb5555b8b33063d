//! Where a monster can stand: habitats, terrain made fit for it, and the nearest free cell
//! (spec 03 §6.2, §6.7, §6.9).

use std::collections::HashSet;

use vaultwright_content::{Content, FeatureId, MonsterId};
use vaultwright_level::{Level, mask};
use vaultwright_map::{ADJACENT, Context, FLOOD, Point, ZombieKind};

use crate::state::population::Population;

/// Kinds that may be drawn before it is known what they were in life.
const OF_THE_DEAD: [&str; 3] = ["zombie", "skeleton", "simulacrum"];

/// Returns whether the player or a monster stands on a cell.
pub(crate) fn is_taken(level: &Level, population: &Population, p: Point) -> bool {
    level.monsters.contains_key(&p) || population.player == Some(p)
}

/// Returns the nearest cell without a creature (spec 03 §6.9); in play also where the level wants
/// none of its own.
pub(crate) fn nearest_free_cell(
    level: &Level,
    from: Point,
    kind: MonsterId,
    population: &Population,
    ctx: &mut Context,
) -> Option<Point> {
    if lives_in(ctx.content, kind, "dry_land")
        && let Some(found) = nearest_cell(level, from, None, population, ctx)
    {
        return Some(found);
    }
    nearest_cell(level, from, Some(kind), population, ctx)
}

/// Returns the nearest cell where a kind can live, or on land.
fn nearest_cell(
    level: &Level,
    from: Point,
    kind: Option<MonsterId>,
    population: &Population,
    ctx: &mut Context,
) -> Option<Point> {
    let passable = |p: Point, ctx: &Context| {
        level.in_bounds(p)
            && level.feature(p).is_some_and(|feature| match kind {
                Some(id) => makes_room(level, p, feature, id, ctx.content),
                None => {
                    terrain_needs(ctx.content, feature) == Some("dry_land")
                        || ctx.content.features().get(feature).flags.shallow_water()
                }
            })
    };
    let mut seen = HashSet::from([from]);
    let mut ring = vec![from];
    while !ring.is_empty() {
        let mut next = Vec::new();
        let (mut count, mut chosen) = (0, None);
        for p in &ring {
            for q in FLOOD.map(|step| p.offset(step)) {
                if !passable(q, ctx) {
                    continue;
                }
                let open = population.in_play || level.mask(q) & mask::NO_MONSTER == 0;
                if open && !is_taken(level, population, q) {
                    count += 1;
                    if ctx.rng.one_chance_in(count) {
                        chosen = Some(q);
                    }
                }
                if seen.insert(q) {
                    next.push(q);
                }
            }
        }
        if chosen.is_some() {
            return chosen;
        }
        ring = next;
    }
    None
}

/// Returns whether a monster can be put on a cell if its own is taken.
fn makes_room(
    level: &Level,
    p: Point,
    feature: FeatureId,
    id: MonsterId,
    content: &Content,
) -> bool {
    let monster = content.monsters().get(id);
    let flies = content.rules.flyers_seek_ground && monster.has("flies");
    if !flies && !is_unknown_dead(content, id) {
        return suits(level, p, feature, id, content);
    }
    let raw = &monster.habitat_raw;
    let own = if raw.is_empty() { &monster.habitat } else { raw };
    terrain_needs(content, feature).is_some_and(|needed| {
        // What is large enough stands in deep water.
        let wades = needed == "deep_water" && monster.size == "giant";
        wades || own.iter().any(|own| own == needed)
    })
}

/// Returns the kind that decides where an undead of a base can live: the base, unless that lives in
/// lava or the undead do not live as in life.
pub(crate) fn dwelling(base: MonsterId, undead: ZombieKind, ctx: &Context) -> MonsterId {
    if ctx.content.rules.only_zombies_live_as_in_life {
        return habitat_of_undead(undead, base, ctx).unwrap_or(base);
    }
    let monsters = ctx.content.monsters();
    let itself = monsters.by_name(undead.name());
    itself.filter(|_| monsters.get(base).lives_in_lava()).unwrap_or(base)
}

/// Returns the kind that decides where a monster can live that may be one of the dead.
pub(crate) fn lives_as(
    kind: MonsterId,
    undead: Option<(ZombieKind, Option<MonsterId>)>,
    ctx: &Context,
) -> MonsterId {
    match undead {
        Some((undead, Some(base))) => dwelling(base, undead, ctx),
        _ => kind,
    }
}

/// Returns the kind whose habitat another cell needs to have if that of an undead is taken.
pub(crate) fn second_home(base: MonsterId, undead: ZombieKind, ctx: &Context) -> MonsterId {
    let itself = ctx.content.monsters().by_name(undead.name());
    let on_land = ctx.content.rules.flyers_seek_ground && lives_in(ctx.content, base, "dry_land");
    itself.filter(|_| on_land).unwrap_or_else(|| dwelling(base, undead, ctx))
}

/// Returns the kind for which a cell is made fit for an undead: what it was, or itself.
pub(crate) fn habitat_of_undead(
    kind: ZombieKind,
    base: MonsterId,
    ctx: &Context,
) -> Option<MonsterId> {
    let monsters = ctx.content.monsters();
    let own = || monsters.by_name(kind.name());
    if !ctx.content.rules.only_zombies_live_as_in_life {
        return Some(base);
    }
    let living = monsters.get(base);
    match kind {
        ZombieKind::Zombie | ZombieKind::Skeleton | ZombieKind::Draugr => {
            if living.lives_in_lava() { own() } else { Some(base) }
        }
        ZombieKind::Simulacrum if living.species == "kraken" => Some(base),
        ZombieKind::Simulacrum | ZombieKind::Spectre => own(),
    }
}

/// Changes the terrain under a monster that cannot live on it (spec 03 §6.2 step 4), but at the
/// level's edge: 0.28 leaves that as it is, and places nobody there.
pub(crate) fn suit_terrain(level: &mut Level, p: Point, id: MonsterId, ctx: &Context) {
    let Some(feature) = level.feature(p).filter(|_| level.in_bounds(p)) else { return };
    let content = ctx.content;
    if suits(level, p, feature, id, content) {
        return;
    }
    let features = content.features();
    let name = if lives_in(content, id, "dry_land") {
        "floor"
    } else if lives_in(content, id, "lava") {
        "lava"
    } else if lives_in(content, id, "deep_water") {
        "deep_water"
    } else {
        "floor"
    };
    level.set_feature(p, features.by_name(name).unwrap_or_else(|| features.floor()));
    level.sight.forget_around(p);
}

/// Returns whether a monster can live on a cell with this feature (spec 03 §6.7).
pub(crate) fn suits(
    level: &Level,
    p: Point,
    feature: FeatureId,
    id: MonsterId,
    content: &Content,
) -> bool {
    let features = content.features();
    let flags = features.get(feature).flags;
    if (flags.wall() && !flags.permarock()) || flags.statue() {
        let open = |&step: &(i32, i32)| {
            let neighbour = level.feature(p.offset(step));
            neighbour.is_some_and(|id| !features.get(id).flags.solid())
        };
        return lives_in(content, id, "walls_only") && ADJACENT.iter().any(open);
    }
    terrain_needs(content, feature).is_some_and(|needed| lives_in(content, id, needed))
}

/// Returns the habitat that a feature needs, walls and statues aside; `None` where nothing can
/// live.
fn terrain_needs(content: &Content, feature: FeatureId) -> Option<&'static str> {
    let feature = content.features().get(feature);
    let flags = feature.flags;
    if feature.name == "malign_gateway" {
        return Some("malign_gateway");
    }
    if flags.solid() {
        return None;
    }
    Some(if flags.shallow_water() {
        "shallow_water"
    } else if flags.deep_water() {
        "deep_water"
    } else if flags.lava() {
        "lava"
    } else {
        "dry_land"
    })
}

/// Returns whether a kind can live in `dry_land`, `deep_water` and the like.
pub(crate) fn lives_in(content: &Content, id: MonsterId, habitat: &str) -> bool {
    let monster = content.monsters().get(id);
    monster.habitat.iter().any(|own| own == habitat)
        || (habitat == "deep_water" && is_unknown_dead(content, id))
}

/// Returns whether a kind may stand in deep water as long as it is not known of what it is one.
fn is_unknown_dead(content: &Content, id: MonsterId) -> bool {
    content.rules.unknown_dead_swim
        && OF_THE_DEAD.contains(&content.monsters().get(id).name.as_str())
}
