//! Monsters of vaults (spec 03 §6, spec 04 §8.6).

use std::collections::HashSet;
use std::sync::Arc;

use vaultwright_content::{Content, FeatureId, MonsterId, WeaponClass};
use vaultwright_level::{Level, LevelMonster, mask};
use vaultwright_map::{
    ADJACENT, Context, FLOOD, ItemAlternative, ItemKind, MapDef, MonsterAlternative, MonsterKind,
    MonsterSlot, Point, ZombieKind, draw_enchantment, parse_monster_slot, random_monster,
    random_monster_of_depth, random_of_group, random_zombie_base,
};

use super::followers::{Party, Terms};
use super::items::make_item_of_monster;
use crate::state::population::{Population, meet};
use crate::state::site::Site;

/// Kinds that may be drawn before it is known what they were in life.
const OF_THE_DEAD: [&str; 3] = ["zombie", "skeleton", "simulacrum"];
/// The flag of monsters that lie in wait.
const LURKER: &str = "lurker";
/// Weapons that fight by themselves.
const DANCING: [&str; 2] = ["dancing weapon", "spectral weapon"];

/// Places a monster of a slot; whether there is one now.
pub(crate) fn place_monster(
    site: &mut Site,
    slot: &MonsterSlot,
    p: Point,
    map: &MapDef,
    population: &mut Population,
) -> bool {
    let weights: Vec<i32> = slot.alternatives.iter().map(|a| a.weight).collect();
    let Some(index) = site.ctx.pick(0, &weights) else { return false };
    let spec = &slot.alternatives[index];
    place_spec(site, spec, p, map, population).is_some()
}

/// Creates a monster of a slot for a script; the cell where it stands.
pub(crate) fn create_slot_monster(
    level: &mut Level,
    slot: &MonsterSlot,
    p: Point,
    population: &mut Population,
    ctx: &mut Context,
) -> Option<Point> {
    let weights: Vec<i32> = slot.alternatives.iter().map(|a| a.weight).collect();
    let index = ctx.pick(0, &weights)?;
    create_monster(level, &slot.alternatives[index], p, None, population, ctx)
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
        text: String::new(),
        ..MonsterAlternative::nothing()
    });
    place_spec(site, &spec, p, map, population);
}

/// Places a monster for a cell of a map; where it stands.
fn place_spec(
    site: &mut Site,
    spec: &Arc<MonsterAlternative>,
    p: Point,
    map: &MapDef,
    population: &mut Population,
) -> Option<Point> {
    let place = create_monster(site.level, spec, p, Some(map), population, site.ctx);
    site.note("vault_monster", |site| {
        let kind = place.and_then(|at| site.level.monsters.get(&at)?.kind);
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

/// Creates a monster from a spec; the cell where it stands.
fn create_monster(
    level: &mut Level,
    spec: &Arc<MonsterAlternative>,
    p: Point,
    map: Option<&MapDef>,
    population: &mut Population,
    ctx: &mut Context,
) -> Option<Point> {
    let content = ctx.content;
    let mut kind = None;
    let mut habitat = None;
    match &spec.kind {
        MonsterKind::Nothing => return None,
        MonsterKind::Named { id, .. } => {
            let unique = content.monsters().get(*id).has("unique");
            if unique && !meet(&mut population.uniques, *id, content.monsters()) {
                return None;
            }
            kind = Some(*id);
            habitat = Some(*id);
        }
        MonsterKind::Zombie { kind, base } => {
            habitat = base.and_then(|base| habitat_of_undead(*kind, base, ctx));
        }
        MonsterKind::Random { out_of_depth, zombie } => {
            let place = spec.place.unwrap_or(ctx.place);
            kind = match zombie {
                Some(zombie) => random_zombie_base(ctx, place, *zombie),
                None => match out_of_depth_place(place, *out_of_depth, ctx) {
                    (place, true) => random_monster(ctx, place),
                    (place, false) => random_monster_of_depth(ctx, place),
                },
            };
        }
        MonsterKind::GameOrb => kind = ctx.dungeon.zot_orb(),
        MonsterKind::RandomDraconian(_)
        | MonsterKind::ColouredDraconian(_)
        | MonsterKind::RandomDemonspawn
        | MonsterKind::RandomDemon(_)
        | MonsterKind::PandemoniumLord => {}
    }
    if let Some(id) = habitat {
        suit_terrain(level, p, id, ctx);
    }
    if spec.colour.as_deref() == Some("any") {
        while ctx.rng.random2(15) + 1 == 8 {}
    }
    let place = match is_taken(level, population, p) {
        true => nearest_free_cell(level, p, habitat.or(kind), population, ctx),
        false => Some(p),
    };
    let tagged = |tag: &str| map.is_some_and(|map| map.has_tag(tag));
    // What the creature itself draws comes from a generator of its own, its band too.
    ctx.rng.enter_sub();
    let is_random = matches!(spec.kind, MonsterKind::Random { zombie: None, .. });
    let mut listed = None;
    if kind.is_none() && is_random {
        // Nothing lives in this branch, but perhaps something on this level.
        listed = draw_of_list(level, ctx);
    }
    let of_group = random_of_group(&spec.kind, ctx);
    kind = kind.or(listed.as_ref().and_then(|listed| listed.kind)).or(of_group);
    // What has been drawn may be nobody.
    let unknown = is_random || of_group.is_some() || spec.kind == MonsterKind::GameOrb;
    let place = place.filter(|_| kind.is_some() || !unknown);
    // Nothing makes the cell fit for what has been drawn, an undead's life before included.
    let drawn = match &spec.kind {
        MonsterKind::Random { zombie: Some(undead), .. } => {
            kind.and_then(|base| habitat_of_undead(*undead, base, ctx))
        }
        _ => kind.filter(|_| unknown),
    };
    let lives = |p: &Point| match (drawn, level.feature(*p)) {
        (Some(id), Some(feature)) => suits(level, *p, feature, id, content),
        _ => true,
    };
    let place = place.filter(lives);
    if let Some(place) = place {
        let brings_band = listed.as_ref().is_some_and(|listed| listed.band);
        let leader = kind.filter(|_| spec.band || brings_band);
        let party = leader.map(|kind| {
            let party = Party::gather(ctx, kind, spec.kind.own_colour());
            let party = party.with_hit_dice(spec.hit_dice);
            party.without_known(&mut population.uniques, content)
        });
        let monster = LevelMonster {
            kind,
            spec: spec.text.clone(),
            name: spec.name.clone(),
            origin: map.map_or(String::new(), |map| map.name.clone()),
            awake: spec.generate_awake
                || tagged("generate_awake")
                || content.branches().traits(ctx.place.branch).awake,
            patrolling: spec.patrolling || tagged("patrolling"),
            asked: Some(Arc::clone(spec)),
            undead: listed.and_then(|listed| listed.undead).or(undead_of(&spec.kind)),
            ..LevelMonster::default()
        };
        level.monsters.insert(place, monster);
        if let Some(party) = party {
            let terms = Terms { player: population.player, ..Terms::default() };
            party.settle(level, place, &terms, ctx);
        }
    }
    ctx.rng.leave();
    let place = place?;
    let book = ctx.rng.random2(spec.details.books.len() as i32);
    let mut given: Vec<Arc<ItemAlternative>> = Vec::new();
    for slot in &spec.items {
        let weights: Vec<i32> = slot.alternatives.iter().map(|a| a.weight).collect();
        let chosen = ctx.pick(0, &weights).map(|index| &slot.alternatives[index]);
        if let Some(item) = chosen.filter(|item| item.kind != ItemKind::Nothing) {
            make_item_of_monster(item, ctx);
            population.note_item(item);
            given.push(Arc::clone(item));
        }
    }
    if kind.is_some_and(|id| lacks_missiles(id, &given, ctx)) {
        ctx.spend_isolated();
    }
    if let Some(id) = kind {
        let weapon = given.iter().find_map(|item| match &item.kind {
            ItemKind::Item(name) => Some(name.as_str()),
            _ => None,
        });
        for enchantment in &spec.details.enchantments {
            draw_enchantment(ctx, id, enchantment, weapon);
            draw_ring(level, place, &enchantment.name, ctx);
        }
    }
    if let Some(monster) = level.monsters.get_mut(&place) {
        (monster.book, monster.items) = (book as usize, given);
    }
    let lurks = kind.is_some_and(|id| content.monsters().get(id).has(LURKER));
    if lurks && let Some(lurker) = level.monsters.remove(&place) {
        level.lurkers.push((place, lurker));
    }
    Some(place)
}

/// Makes the draws of the clouds that an enchantment lays around a monster (spec 03 §6.8).
fn draw_ring(level: &Level, at: Point, enchantment: &str, ctx: &mut Context) {
    if enchantment != "thunder_ringed" && !enchantment.starts_with("ring_") {
        return;
    }
    for p in ADJACENT.map(|step| at.offset(step)) {
        if level.holds(p) && !level.monsters.contains_key(&p) {
            ctx.rng.random2(6);
        }
    }
}

/// Returns which dead a spec asks for, and of what.
fn undead_of(kind: &MonsterKind) -> Option<(ZombieKind, Option<MonsterId>)> {
    match kind {
        MonsterKind::Zombie { kind, base } => Some((*kind, *base)),
        MonsterKind::Random { zombie: Some(kind), .. } => Some((*kind, None)),
        _ => None,
    }
}

/// Returns whether a weapon that fights by itself has been given something that shoots, and nothing
/// to shoot.
fn lacks_missiles(id: MonsterId, given: &[Arc<ItemAlternative>], ctx: &Context) -> bool {
    let content = ctx.content;
    let shoots = |item: &Arc<ItemAlternative>| match &item.kind {
        ItemKind::Item(name) => content.creation().is(name, WeaponClass::Launcher),
        _ => false,
    };
    let missile = |item: &Arc<ItemAlternative>| match &item.kind {
        ItemKind::Item(name) => {
            content.items().by_name(name).is_some_and(|item| item.class == "missile")
        }
        _ => false,
    };
    DANCING.contains(&content.monsters().get(id).name.as_str())
        && given.iter().any(shoots)
        && !given.iter().any(missile)
}

/// What the level's own list gives.
pub(crate) struct Listed {
    /// The kind, of the dead the one that it was in life; none if only the game knows it.
    pub(crate) kind: Option<MonsterId>,
    undead: Option<(ZombieKind, Option<MonsterId>)>,
    /// Whether it may bring a band.
    band: bool,
}

/// Returns a monster of the level's own list (spec 03 §6.6): every alternative draws, unlike in
/// other slots.
pub(crate) fn draw_of_list(level: &Level, ctx: &mut Context) -> Option<Listed> {
    // It was parsed when it was set.
    let slot = parse_monster_slot(level.random_monsters.as_deref()?, ctx).ok()?;
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
        other => random_of_group(other, ctx),
    };
    Some(Listed { kind, undead: None, band: chosen.band })
}

/// Returns the level whose monsters glyphs `8` and `9` use, and whether its depth is fuzzed.
fn out_of_depth_place(
    mut place: vaultwright_map::LevelPlace,
    out_of_depth: u8,
    ctx: &Context,
) -> (vaultwright_map::LevelPlace, bool) {
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

/// Returns whether somebody stands on a cell.
fn is_taken(level: &Level, population: &Population, p: Point) -> bool {
    level.monsters.contains_key(&p) || population.player == Some(p)
}

/// Returns the nearest cell without a creature (spec 03 §6.9); in play also where the level wants
/// none of its own.
fn nearest_free_cell(
    level: &Level,
    from: Point,
    kind: Option<MonsterId>,
    population: &Population,
    ctx: &mut Context,
) -> Option<Point> {
    let land = kind.is_none_or(|id| prefers_land(id, ctx));
    let found = nearest_cell(level, from, kind.filter(|_| !land), population, ctx);
    match kind.filter(|_| land && found.is_none()) {
        Some(_) => nearest_cell(level, from, kind, population, ctx),
        None => found,
    }
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
                Some(id) => suits(level, p, feature, id, ctx.content),
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

/// Returns whether a monster is put on land, if it needs another place than the one it was to have.
fn prefers_land(id: MonsterId, ctx: &Context) -> bool {
    lives_in(ctx.content, id, "dry_land") && !is_unknown_dead(ctx.content, id)
}

/// Returns the kind that decides where an undead of a base can live: the base, unless that lives in
/// lava.
pub(crate) fn dwelling(base: MonsterId, undead: ZombieKind, ctx: &Context) -> MonsterId {
    let monsters = ctx.content.monsters();
    let itself = monsters.by_name(undead.name());
    itself.filter(|_| monsters.get(base).lives_in_lava()).unwrap_or(base)
}

/// Returns whose habitat an undead has: that of what it was, or its own.
fn habitat_of_undead(kind: ZombieKind, base: MonsterId, ctx: &Context) -> Option<MonsterId> {
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

/// Changes the terrain under a monster that cannot live on it (spec 03 §6.2 step 4).
fn suit_terrain(level: &mut Level, p: Point, id: MonsterId, ctx: &Context) {
    let Some(feature) = level.feature(p) else { return };
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

/// Returns the habitat that a feature needs, walls and statues aside; none where nothing can live.
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

fn lives_in(content: &Content, id: MonsterId, habitat: &str) -> bool {
    let monster = content.monsters().get(id);
    monster.habitat.iter().any(|own| own == habitat)
        || (habitat == "deep_water" && is_unknown_dead(content, id))
}

/// Returns whether a kind may stand in deep water as long as nobody knows of what it is one.
fn is_unknown_dead(content: &Content, id: MonsterId) -> bool {
    content.rules.unknown_dead_swim
        && OF_THE_DEAD.contains(&content.monsters().get(id).name.as_str())
}

#[cfg(test)]
mod tests {
    use vaultwright_content::{Edition, Rules};
    use vaultwright_map::{Dungeon, LevelPlace};
    use vaultwright_rng::Streams;

    use super::*;

    #[test]
    fn rings_draw_for_each_free_cell_around() {
        let content = Content::new(Rules::of(Edition::Trunk));
        let dungeon = Dungeon::standard(content.branches());
        let at = Point::new(20, 20);
        let draws = |spec: &str, neighbours: usize| {
            let mut level = Level::solid(&content);
            level.reset_open(content.features());
            for step in ADJACENT.into_iter().take(neighbours) {
                level.monsters.insert(at.offset(step), LevelMonster::default());
            }
            let mut rng = Streams::from_seed(1, 43);
            let mut ctx = Context::new(&content, &mut rng, LevelPlace::START, &dungeon);
            let slot = parse_monster_slot(spec, &mut ctx).expect("a slot");
            let mut population = Population::default();
            create_slot_monster(&mut level, &slot, at, &mut population, &mut ctx);
            rng.draws_of(0)
        };
        let alone = draws("rat", 0);
        assert_eq!(draws("rat perm_ench:ring_ice", 0), alone + 8);
        assert_eq!(draws("rat perm_ench:thunder_ringed", 3), alone + 5);
        assert_eq!(draws("rat perm_ench:mute", 0), alone);
    }

    #[test]
    fn lurkers_stand_nowhere() {
        for (edition, lurkers) in [(Edition::Trunk, 1), (Edition::V0_28, 0)] {
            let content = Content::new(Rules::of(edition));
            let dungeon = Dungeon::standard(content.branches());
            let mut level = Level::solid(&content);
            level.reset_open(content.features());
            let mut rng = Streams::from_seed(1, 43);
            let mut ctx = Context::new(&content, &mut rng, LevelPlace::START, &dungeon);
            let slot = parse_monster_slot("shadow wraith", &mut ctx).expect("a slot");
            let mut population = Population::default();
            let at = Point::new(20, 20);
            let made = create_slot_monster(&mut level, &slot, at, &mut population, &mut ctx);
            assert_eq!(made, Some(at));
            assert_eq!((level.lurkers.len(), level.monsters.len()), (lurkers, 1 - lurkers));
        }
    }
}
