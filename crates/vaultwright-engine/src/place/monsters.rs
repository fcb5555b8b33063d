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
    match ctx.pick_of(0, &slot.alternatives, |a| a.weight) {
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
mod tests {
    use vaultwright_content::{Content, Edition, Rules};
    use vaultwright_map::{ADJACENT, Dungeon, parse_monster_slot};
    use vaultwright_rng::Streams;

    use super::*;

    const AT: Point = Point { x: 20, y: 20 };

    #[test]
    fn rings_draw_for_each_free_cell_around() {
        let draws = |spec: &str, neighbours: usize| {
            let start = (Edition::Trunk, 1, LevelPlace::START);
            let (.., words) = created(start, spec, AT, |level, _| {
                for step in ADJACENT.into_iter().take(neighbours) {
                    level.monsters.insert(AT.offset(step), LevelMonster::default());
                }
            });
            words
        };
        let alone = draws("rat", 0);
        assert_eq!(draws("rat perm_ench:ring_ice", 0), alone + 8);
        assert_eq!(draws("rat perm_ench:thunder_ringed", 3), alone + 5);
        assert_eq!(draws("att:friendly rat perm_ench:thunder_ringed", 3), alone + 8);
        assert_eq!(draws("rat perm_ench:mute", 0), alone);
        // No cloud comes into a wall (0.28 was asked of butterflies in a cell of rock).
        let walled = |spec: &str| {
            let start = (Edition::V0_28, 1, LevelPlace::START);
            let (.., words) = created(start, spec, AT, |level, content| {
                let rock = content.features().by_name("rock_wall").expect("rock");
                for step in ADJACENT {
                    level.set_feature(AT.offset(step), rock);
                }
            });
            words
        };
        assert_eq!(walled("butterfly perm_ench:ring_acid"), walled("butterfly"));
    }

    /// Whom the running program makes of specs that do not say what the dead were in life: place,
    /// terrain, spec, and names for the seeds from 1 on (`dgn.create_monster` in ask-crawl).
    const DEAD: &str = include_str!("../../tests/recorded/dead-0.28.tsv");

    #[test]
    fn what_the_dead_were_in_life_is_drawn_among_what_can_stand_there() {
        let content = Content::new(Rules::of(Edition::V0_28));
        for line in DEAD.lines() {
            let fields: Vec<&str> = line.split('\t').collect();
            let &[place, terrain, spec, kinds] = &fields[..] else { panic!("{line}") };
            let (branch, depth) = place.split_once(':').expect("a place");
            let branch = content.branches().by_name(branch).expect("a branch").id;
            let place = LevelPlace { branch, depth: depth.parse().expect("a number") };
            let terrain = content.features().by_name(terrain).expect("a feature");
            let name_of = |seed| {
                let (_, level, _) = created_in(&content, (seed, place), spec, AT, |level, _| {
                    for step in ADJACENT.into_iter().chain([(0, 0)]) {
                        level.set_feature(AT.offset(step), terrain);
                    }
                });
                let monster = level.monsters.get(&AT)?;
                let name = |id| content.monsters().get(id).name.clone();
                let dead = monster.undead.and_then(|(dead, base)| Some((dead, name(base?))));
                Some(match dead {
                    Some((ZombieKind::Spectre, base)) => format!("spectral {base}"),
                    Some((dead, base)) => format!("{base} {}", dead.name()),
                    None => name(monster.kind?),
                })
            };
            let names: Vec<String> = (1..)
                .take(kinds.split(',').count())
                .map(|seed| name_of(seed).unwrap_or("-".to_owned()))
                .collect();
            assert_eq!(names.join(","), kinds, "{fields:?}");
        }
    }

    #[test]
    fn enchantments_of_the_dead_draw_by_how_fast_these_are() {
        // 0.28 was asked on D:10.
        let place = LevelPlace { depth: 10, ..LevelPlace::START };
        let words = |spec: &str| created((Edition::V0_28, 77, place), spec, AT, |_, _| {}).2;
        for (spec, expected) in [
            ("rat zombie perm_ench:ring_ice", 12),
            ("rat simulacrum perm_ench:ring_ice", 12),
            ("zombie perm_ench:ring_ice", 12),
            ("orc ench:haste", 6),
            ("orc ench:guardian_timer", 7),
            ("orc ench:guardian_timer:1:100", 4),
            ("centaur ench:guardian_timer", 8),
            ("orc zombie ench:haste", 7),
            ("spectral orc ench:haste", 6),
            ("spectral bat ench:haste", 7),
            ("bat simulacrum ench:haste", 7),
            ("orc zombie perm_ench:haste", 4),
            ("orc zombie perm_ench:slow", 5),
            ("orc simulacrum perm_ench:slow", 5),
            ("yak zombie ench:wretched", 10),
            ("orc zombie ench:slowly_dying", 6),
            ("zombie ench:haste", 8),
            ("spectral thing ench:haste", 8),
            ("simulacrum perm_ench:haste", 5),
            ("place:D:5 zombie", 6),
            ("place:D:5 zombie ench:haste", 10),
            ("place:D:5 zombie perm_ench:haste", 7),
            ("orc zombie ench:fear", 4),
            ("mummy ench:fear", 4),
            ("ice statue ench:fear", 4),
            ("plant ench:fear", 4),
            ("orc ench:fear", 6),
        ] {
            assert_eq!(words(spec), expected, "{spec}");
        }
    }

    #[test]
    fn a_unique_that_finds_no_place_does_not_exist() {
        let content = Content::new(Rules::of(Edition::Trunk));
        let dungeon = Dungeon::standard(content.branches());
        let mut level = Level::solid(&content);
        for p in [AT, Point::new(30, 20)] {
            level.set_feature(p, content.features().floor());
        }
        level.monsters.insert(AT, LevelMonster::default());
        let mut rng = Streams::from_seed(1, 43);
        let mut ctx = Context::new(&content, &mut rng, LevelPlace::START, &dungeon);
        let slot = parse_monster_slot("Sigmund", &mut ctx).expect("a slot");
        let mut population = Population::default();
        let mut make =
            |p| create_slot_monster(&mut level, &slot, p, &mut population, &mut ctx).is_some();
        assert_eq!(
            [AT, Point::new(30, 20), Point::new(30, 20)].map(&mut make),
            [false, true, false]
        );
    }

    #[test]
    fn for_spectral_weapons_a_word_more_is_drawn() {
        let words =
            |spec: &str| created((Edition::V0_28, 1, LevelPlace::START), spec, AT, |_, _| {}).2;
        let asked = ["rat", "dancing weapon ; dagger", "spectral weapon", "spectral weapon ; mace"];
        assert_eq!(asked.map(words), [4, 8, 5, 9]);
    }

    #[test]
    fn lurkers_stand_nowhere() {
        for (edition, lurkers) in [(Edition::Trunk, 1), (Edition::V0_28, 0)] {
            let start = (edition, 1, LevelPlace::START);
            let (made, level, _) = created(start, "shadow wraith", AT, |_, _| {});
            assert_eq!(made, Some(AT));
            assert_eq!((level.lurkers.len(), level.monsters.len()), (lurkers, 1 - lurkers));
        }
    }

    #[test]
    fn demons_of_pandemonium_are_mostly_those_of_the_level() {
        // 0.28 was asked on the level of seed 1, for seeds 1 to 12.
        const OWN: [&str; 7] = [
            "ynoxinul",
            "ynoxinul",
            "shadow demon",
            "sun demon",
            "chaos spawn",
            "green death",
            "blizzard demon",
        ];
        let asked = [
            (
                "any demon",
                "sun demon|chaos spawn|ufetubus|sun demon|green death|green death|chaos spawn|green death|blizzard demon|shadow demon|blizzard demon|ynoxinul",
            ),
            (
                "common demon",
                "chaos spawn|ynoxinul|red devil|chaos spawn|ynoxinul|sun demon|sun demon|sun demon|sun demon|sun demon|chaos spawn|ynoxinul",
            ),
            (
                "greater demon",
                "shadow demon|green death|reaper|shadow demon|shadow demon|blizzard demon|blizzard demon|blizzard demon|blizzard demon|blizzard demon|blizzard demon|shadow demon",
            ),
            (
                "lesser demon",
                "ufetubus|white imp|crimson imp|ufetubus|iron imp|crimson imp|crimson imp|white imp|shadow imp|quasit|ufetubus|iron imp",
            ),
        ];
        let content = Content::new(Rules::of(Edition::V0_28));
        let dungeon = Dungeon::standard(content.branches());
        let branch = content.branches().by_name("Pan").expect("a branch").id;
        let place = LevelPlace { branch, depth: 1 };
        let monsters = content.monsters();
        for (spec, kinds) in asked {
            for (seed, kind) in (1..).zip(kinds.split('|')) {
                let mut level = Level::solid(&content);
                level.reset_open(content.features());
                level.demons = OWN.iter().filter_map(|name| monsters.by_name(name)).collect();
                let mut rng = Streams::from_seed(seed, 43);
                let mut ctx = Context::new(&content, &mut rng, place, &dungeon);
                let slot = parse_monster_slot(spec, &mut ctx).expect("a slot");
                let at = Point::new(40, 30);
                create_slot_monster(&mut level, &slot, at, &mut Population::default(), &mut ctx);
                let made = level.monsters[&at].kind.expect("a kind");
                assert_eq!(monsters.get(made).name.to_lowercase(), kind, "{spec}, seed {seed}");
            }
        }
    }

    /// Has a script create a monster of a spec on a level of floor that has been prepared. Returns
    /// where it stands, the level, and how many words were drawn outside the monster's generator.
    fn created(
        (edition, seed, place): (Edition, u64, LevelPlace),
        spec: &str,
        at: Point,
        prepare: impl FnOnce(&mut Level, &Content),
    ) -> (Option<Point>, Level, u64) {
        created_in(&Content::new(Rules::of(edition)), (seed, place), spec, at, prepare)
    }

    /// The same for many of them.
    fn created_in(
        content: &Content,
        (seed, place): (u64, LevelPlace),
        spec: &str,
        at: Point,
        prepare: impl FnOnce(&mut Level, &Content),
    ) -> (Option<Point>, Level, u64) {
        let dungeon = Dungeon::standard(content.branches());
        let mut level = Level::solid(content);
        level.reset_open(content.features());
        prepare(&mut level, content);
        let mut rng = Streams::from_seed(seed, 43);
        let mut ctx = Context::new(content, &mut rng, place, &dungeon);
        let slot = parse_monster_slot(spec, &mut ctx).expect("a slot");
        let mut population = Population::default();
        let made = create_slot_monster(&mut level, &slot, at, &mut population, &mut ctx);
        (made, level, rng.draws_of(0))
    }

    /// Returns what stands on a cell of the feature given, or next to it, and the cell's feature
    /// after that. With `taken` a plant stands on the cell and the feature is what surrounds it.
    fn asked(edition: Edition, spec: &str, feature: &str, taken: bool) -> (usize, String, u64) {
        let place = LevelPlace { depth: 5, ..LevelPlace::START };
        let (_, level, words) = created((edition, 2, place), spec, AT, |level, content| {
            let around = content.features().by_name(feature).expect("a feature");
            let cells = if taken { 18..=22 } else { 20..=20 };
            for (x, y) in cells.clone().flat_map(|y| cells.clone().map(move |x| (x, y))) {
                level.set_feature(Point::new(x, y), around);
            }
            if taken {
                level.set_feature(AT, content.features().floor());
                level.monsters.insert(AT, LevelMonster::default());
            }
        });
        let content = Content::new(Rules::of(edition));
        let left = level.feature(AT).map(|id| content.features().get(id).name.clone());
        (level.monsters.len() - usize::from(taken), left.unwrap_or_default(), words)
    }

    #[test]
    fn a_slot_of_which_nothing_can_be_picked_is_anybody() {
        for (edition, spec) in
            [(Edition::V0_28, ""), (Edition::Trunk, "/"), (Edition::Trunk, "rat w:0 / orc w:-1")]
        {
            assert_eq!(asked(edition, spec, "floor", false).0, 1, "{spec}");
        }
        assert_eq!(asked(Edition::Trunk, "nothing", "floor", false).0, 0);
    }

    #[test]
    fn a_dancing_bow_gets_arrows_where_there_are_any() {
        let words = |edition| asked(edition, "dancing weapon ; longbow", "floor", false).2;
        assert_eq!([Edition::V0_28, Edition::V0_29, Edition::Trunk].map(words), [12, 8, 8]);
    }

    #[test]
    fn cells_are_made_fit_as_the_running_program_does() {
        // Those of 0.28 were asked of it.
        for (edition, spec, feature, made, left) in [
            (Edition::V0_28, "zombie", "lava", 1, "floor"),
            (Edition::V0_28, "zombie", "deep_water", 1, "deep_water"),
            (Edition::V0_28, "spectral thing", "lava", 1, "floor"),
            (Edition::V0_28, "pandemonium lord", "deep_water", 1, "floor"),
            (Edition::V0_28, "any draconian", "lava", 0, "lava"),
            (Edition::V0_28, "bat zombie", "lava", 1, "lava"),
            (Edition::V0_28, "lava snake zombie", "floor", 0, "lava"),
            (Edition::V0_28, "salamander skeleton", "lava", 0, "lava"),
            (Edition::V0_28, "salamander skeleton", "deep_water", 1, "floor"),
            (Edition::Trunk, "zombie", "lava", 1, "floor"),
            (Edition::Trunk, "lava snake zombie", "lava", 1, "floor"),
            (Edition::Trunk, "pandemonium lord", "lava", 1, "floor"),
        ] {
            let (count, after, _) = asked(edition, spec, feature, false);
            assert_eq!((count, after.as_str()), (made, left), "{spec} on {feature}, {edition:?}");
        }
    }

    #[test]
    fn another_place_is_looked_for_as_the_running_program_does() {
        // Without a cell nothing is drawn but the words of the monster's own generator; of eight
        // cells one is drawn with seven words.
        for (edition, spec, feature, words) in [
            (Edition::V0_28, "bat", "deep_water", 4),
            (Edition::V0_28, "bat zombie", "lava", 4),
            (Edition::V0_28, "storm dragon", "deep_water", 11),
            (Edition::V0_28, "storm dragon", "lava", 4),
            (Edition::V0_28, "merfolk", "deep_water", 11),
            (Edition::V0_28, "zombie", "deep_water", 4),
            (Edition::V0_28, "adder zombie", "deep_water", 4),
            (Edition::V0_28, "adder", "deep_water", 11),
            (Edition::Trunk, "adder zombie", "deep_water", 11),
            // Two words more draw the kind, which swims and is dead only in the end.
            (Edition::V0_28, "zombie place:Lair:4", "deep_water", 13),
            (Edition::V0_28, "spectral thing", "deep_water", 4),
            (Edition::V0_28, "salamander skeleton", "lava", 4),
            (Edition::V0_28, "any draconian", "deep_water", 11),
            (Edition::V0_28, "any demon", "lava", 4),
            (Edition::V0_28, "pandemonium lord", "deep_water", 4),
            (Edition::Trunk, "bat", "deep_water", 11),
            (Edition::Trunk, "rat simulacrum", "deep_water", 11),
        ] {
            let drawn = asked(edition, spec, feature, true).2;
            assert_eq!(drawn, words, "{spec} in {feature}, {edition:?}");
        }
    }

    #[test]
    fn nobody_looks_for_no_other_place() {
        // With the seed 1 the list of the Lair gives nobody, as 0.28 was asked.
        let (start, at) = ((Edition::V0_28, 1, LevelPlace::START), Point::new(40, 30));
        let (made, _, words) = created(start, "place:Lair:1", at, |level, _| {
            level.monsters.insert(at, LevelMonster::default());
        });
        assert_eq!((made, words), (None, 2 + 4));
    }

    /// spec 10 §3
    #[test]
    fn another_place_is_looked_for_also_for_the_orb_of_no_game() {
        let content = Content::new(Rules::of(Edition::Trunk));
        let zot = content.branches().by_name("Zot").expect("a branch").id;
        let (place, at) = (LevelPlace { branch: zot, depth: 3 }, Point::new(40, 30));
        let of_seed = |seed| {
            created_in(&content, (seed, place), "0", at, |level, _| {
                level.monsters.insert(at, LevelMonster::default());
            })
        };
        // One draw for the kind, seven among the cells around, and the four of its own generator;
        // about one in 130 is an orb, which nobody knows without a game.
        let drawn: Vec<_> = (1..=400).map(of_seed).collect();
        assert!(drawn.iter().all(|(_, _, words)| *words == 1 + 7 + 4));
        assert!(drawn.iter().any(|(made, ..)| made.is_none()));
    }

    /// spec 03 §6.2 step 5
    #[test]
    fn where_nothing_lives_in_the_branch_asked_for_the_level_is_asked() {
        let start = (Edition::Trunk, 2, LevelPlace::START);
        let (_, level, words) = created(start, "place:Bazaar", AT, |_, _| {});
        assert!(level.monsters[&AT].kind.is_some());
        assert_eq!(words, 4, "all in its own generator");
        let (_, level, _) = created(start, "place:Bazaar", AT, |level, _| {
            level.random_monsters = Some("yak".to_owned());
        });
        let content = Content::new(Rules::of(Edition::Trunk));
        assert_eq!(level.monsters[&AT].kind, content.monsters().by_name("yak"));
    }

    #[test]
    fn the_dead_look_for_land_first() {
        let start = (Edition::Trunk, 2, LevelPlace::START);
        let (made, _, words) = created(start, "rat simulacrum", AT, |level, content| {
            for (x, y) in (18..=20).flat_map(|x| (18..=22).map(move |y| (x, y))) {
                level.set_feature(Point::new(x, y), content.features().known().deep_water);
            }
            level.monsters.insert(AT, LevelMonster::default());
        });
        // Three cells are drawn from with two words.
        assert_eq!((made.map(|p| p.x), words), (Some(21), 4 + 2));
    }
}
