//! Monsters of vaults (spec 03 §6, spec 04 §8.6).

use std::sync::Arc;

use vaultwright_content::MonsterId;
use vaultwright_level::{Level, LevelMonster};
use vaultwright_map::{
    Context, LevelPlace, MapDef, MonsterAlternative, MonsterKind, MonsterSlot, Point, ZombieKind,
    draw_of_list, random_monster, random_of_level, random_zombie_base_where,
};

use super::equipment::equip;
use super::followers::{Party, Terms};
use super::habitat::{dwelling, is_taken, nearest_free_cell, suit_terrain, suits};
use super::sought::{Sought, kind_of_spec};
use crate::state::population::{Population, meet};
use crate::state::site::Site;

/// The flag of monsters that lie in wait.
const LURKER: &str = "lurker";
/// The group of those for whom a word more is drawn when they have been made: of all kinds of 0.28,
/// asked one by one.
const DRAWN_FOR: &str = "drawn for when made";

/// Places a monster of a slot. Returns whether there is one now.
pub(crate) fn place_monster(
    site: &mut Site,
    slot: &MonsterSlot,
    p: Point,
    map: &MapDef,
    population: &mut Population,
) -> bool {
    let spec = pick(slot, site.ctx);
    place_spec(site, &spec, p, map, population).is_some()
}

/// Picks an alternative of a slot. One of which nothing can be picked is anybody (spec 03 §3.2).
fn pick(slot: &MonsterSlot, ctx: &mut Context) -> Arc<MonsterAlternative> {
    match ctx.pick_of(0, &slot.alternatives, |monster| monster.weight) {
        Some(index) => Arc::clone(&slot.alternatives[index]),
        None => Arc::new(MonsterAlternative::anybody()),
    }
}

/// Creates a monster of a slot for a script. Returns the cell where it stands, or `None` if the
/// slot gives no monster or there is no room.
pub(crate) fn create_slot_monster(
    level: &mut Level,
    slot: &MonsterSlot,
    p: Point,
    population: &mut Population,
    ctx: &mut Context,
) -> Option<Point> {
    let spec = pick(slot, ctx);
    create_monster(level, &spec, p, None, population, ctx)
}

/// Places the monster of glyph `0`, `8` or `9`, or of a slot that does not exist.
pub(crate) fn place_glyph_monster(
    site: &mut Site,
    glyph: u8,
    p: Point,
    map: &MapDef,
    population: &mut Population,
) {
    let out_of_depth = match glyph {
        b'8' => 2,
        b'9' => 1,
        _ => 0,
    };
    let spec = Arc::new(MonsterAlternative {
        kind: MonsterKind::Random { out_of_depth, zombie: None },
        ..MonsterAlternative::anybody()
    });
    place_spec(site, &spec, p, map, population);
}

/// Places a monster for a cell of a map. Returns where it stands, or `None` if none was made.
fn place_spec(
    site: &mut Site,
    spec: &Arc<MonsterAlternative>,
    p: Point,
    map: &MapDef,
    population: &mut Population,
) -> Option<Point> {
    let place = create_monster(site.level, spec, p, Some(map), population, site.ctx);
    site.note("vault_monster", |site| {
        let lurker = || site.level.lurkers.last().map(|(_, lurker)| lurker);
        let made = place.and_then(|at| site.level.monsters.get(&at).or_else(lurker));
        let kind = made.and_then(|monster| monster.kind);
        let name = spec.kind.undead().map(ZombieKind::name);
        let monsters = site.ctx.content.monsters();
        let name = name.or(kind.map(|id| monsters.get(id).name.as_str()));
        let name = name.unwrap_or(&spec.text);
        let made = match (place, &spec.kind) {
            (Some(at), _) => format!("{name} {},{}", at.x, at.y),
            (None, MonsterKind::Nothing) => "nothing".to_owned(),
            (None, _) => "none".to_owned(),
        };
        format!("{made} cell={},{}", p.x, p.y)
    });
    place
}

/// Creates a monster from a spec. Returns the cell where it stands, or `None` if the spec gives
/// no monster or there is no room.
fn create_monster(
    level: &mut Level,
    spec: &Arc<MonsterAlternative>,
    p: Point,
    map: Option<&MapDef>,
    population: &mut Population,
    ctx: &mut Context,
) -> Option<Point> {
    let Sought { known, fits, home } = kind_of_spec(spec, population, ctx)?;
    if let Some(id) = fits {
        suit_terrain(level, p, id, ctx);
    }
    let colour = draw_colour(spec, ctx);
    let place = match is_taken(level, population, p) {
        true => home.and_then(|id| nearest_free_cell(level, p, id, population, ctx)),
        false => Some(p),
    };
    // What the creature itself draws comes from a generator of its own, its band too.
    ctx.rng.enter_sub();
    let creature = draw_creature(level, spec, known, place, ctx);
    let made = place.zip(creature).filter(|(p, creature)| creature.can_stand(level, *p, ctx));
    if let Some((place, creature)) = &made {
        settle(level, *place, (spec, colour), creature, map, population, ctx);
    }
    ctx.rng.leave();
    let (place, creature) = made?;
    let monsters = ctx.content.monsters();
    // Only who has a place exists.
    if let Some(id) = creature.kind.filter(|&id| monsters.get(id).has("unique")) {
        meet(&mut population.uniques, id, monsters);
    }
    if creature.kind.is_some_and(|id| monsters.group(DRAWN_FOR).contains(&id)) {
        ctx.rng.word();
    }
    equip(level, place, spec, &creature, population, ctx);
    let lurks = creature.kind.is_some_and(|id| monsters.get(id).has(LURKER));
    if lurks && let Some(lurker) = level.monsters.remove(&place) {
        level.lurkers.push((place, lurker));
    }
    Some(place)
}

/// Returns the number of the colour that is asked for, drawn if it may be any.
fn draw_colour(spec: &MonsterAlternative, ctx: &mut Context) -> Option<i64> {
    let colour = spec.colour.as_deref()?;
    if colour != "any" {
        return ctx.content.names().colours.get(colour);
    }
    loop {
        let drawn = 1 + ctx.rng.random2(15);
        if drawn != 8 {
            return Some(drawn.into());
        }
    }
}

/// Who a spec has turned out to be.
pub(super) struct Creature {
    /// The kind, or for the undead of a random spec what it was in life; `None` if only the game
    /// knows it.
    pub(super) kind: Option<MonsterId>,
    pub(super) undead: Option<(ZombieKind, Option<MonsterId>)>,
    /// Whether it brings a band.
    band: bool,
    /// The kind whose habitat the cell must already be. Nothing makes the cell fit for what has
    /// been drawn, an undead's life before included.
    needs: Option<MonsterId>,
}

impl Creature {
    fn can_stand(&self, level: &Level, p: Point, ctx: &Context) -> bool {
        let fits = match (self.needs, level.feature(p)) {
            (Some(id), Some(feature)) => suits(level, p, feature, id, ctx.content),
            _ => true,
        };
        fits && level.in_bounds(p)
    }
}

/// Draws what a spec leaves open of its creature, which is to stand on a cell. Returns `None` if
/// that comes to none.
fn draw_creature(
    level: &Level,
    spec: &MonsterAlternative,
    known: Option<MonsterId>,
    place: Option<Point>,
    ctx: &mut Context,
) -> Option<Creature> {
    let is_random = matches!(spec.kind, MonsterKind::Random { zombie: None, .. });
    // Where nothing lives in the branch that was asked for, perhaps something does on this level.
    let asked = level_of(spec, ctx).branch;
    let is_open = is_random && ctx.content.populations().of(asked).is_empty();
    let has_list = level.random_monsters.is_some();
    let listed = if is_open { draw_of_list(level.own_monsters(), ctx) } else { None };
    let of_level = if is_open && !has_list { random_monster(ctx, ctx.place) } else { None };
    let of_group = random_of_level(&spec.kind, &level.demons, ctx);
    let kind = known.or(listed.and_then(|listed| listed.kind)).or(of_level).or(of_group);
    let is_drawn = is_random || of_group.is_some() || spec.kind == MonsterKind::GameOrb;
    if is_drawn && kind.is_none() {
        return None;
    }
    let needs = match &spec.kind {
        MonsterKind::Random { zombie: Some(undead), .. } => {
            kind.map(|base| dwelling(base, *undead, ctx))
        }
        MonsterKind::Zombie { kind: undead, base } => base.map(|base| dwelling(base, *undead, ctx)),
        _ => kind.filter(|_| is_drawn),
    };
    let band = spec.band || listed.is_some_and(|listed| listed.band);
    let undead = match &spec.kind {
        MonsterKind::Zombie { kind: undead, base } => {
            let drawn =
                || place.and_then(|p| base_of_cell(level, p, (*undead, level_of(spec, ctx)), ctx));
            Some((*undead, base.or_else(drawn)))
        }
        MonsterKind::Random { zombie: Some(undead), .. } => Some((*undead, kind)),
        _ => listed.and_then(|listed| listed.undead),
    };
    Some(Creature { kind, undead, band, needs })
}

/// Returns the level whose monsters a spec asks for.
fn level_of(spec: &MonsterAlternative, ctx: &Context) -> LevelPlace {
    spec.place.unwrap_or(ctx.place)
}

/// Draws what one of the dead was in life, of whom only that they are dead is said: something that
/// can live on the cell.
fn base_of_cell(
    level: &Level,
    p: Point,
    (undead, of): (ZombieKind, LevelPlace),
    ctx: &mut Context,
) -> Option<MonsterId> {
    let content = ctx.content;
    let feature = level.feature(p)?;
    random_zombie_base_where(ctx, of, undead, &|base| suits(level, p, feature, base, content))
}

/// Puts a creature on its cell, and its band around it.
fn settle(
    level: &mut Level,
    place: Point,
    (spec, colour): (&Arc<MonsterAlternative>, Option<i64>),
    creature: &Creature,
    map: Option<&MapDef>,
    population: &mut Population,
    ctx: &mut Context,
) {
    let content = ctx.content;
    let tagged = |tag: &str| map.is_some_and(|map| map.has_tag(tag));
    // Whatever level the kind was drawn for, it is one of the level it stands on.
    let of = ctx.place;
    let party = creature.kind.map(|leader| {
        // Who is dead leads nobody, whatever this was in life (as 0.28 was asked).
        let party = match creature.band && creature.undead.is_none() {
            true => Party::gather(ctx, level, leader, of, colour),
            false => Party::alone(leader, of),
        };
        let party = party.with_hit_dice(spec.hit_dice).with_god(spec.details.god.is_some());
        party.without_known(&mut population.uniques, content)
    });
    let monster = LevelMonster {
        kind: creature.kind,
        spec: spec.text.clone(),
        name: spec.name.clone(),
        origin: map.map_or(String::new(), |map| map.name.clone()),
        awake: spec.generate_awake
            || tagged("generate_awake")
            || content.branches().traits(ctx.place.branch).awake,
        patrolling: spec.patrolling || tagged("patrolling"),
        asked: Some(Arc::clone(spec)),
        undead: creature.undead,
        ..LevelMonster::default()
    };
    level.monsters.insert(place, monster);
    if let Some(party) = party {
        let terms = Terms { player: population.player, ..Terms::default() };
        party.settle(level, place, &terms, ctx);
    }
}

#[cfg(test)]
mod tests;
