//! Random monsters of a level, and the monsters that undead are made from.

use vaultwright_content::{
    Branch, BranchId, Distribution, Liquid, Monster, MonsterId, PopulationEntry, Rules,
};

use crate::monster_name::ZombieKind;
use crate::{Context, LevelPlace};

/// A genus whose kinds have a colour or a profession.
const DRACONIAN: &str = "draconian";
/// In another branch, how deep the undead of its last level come from.
const LOWEST_DEAD: i32 = 14;
/// The prefix of the names of those with a profession.
const DRACONIAN_PROFESSION: &str = "draconian ";

/// Draws a random monster of a level, or of a somewhat deeper one (spec 03 §6.3); `None` if nothing
/// lives there.
pub fn random_monster(ctx: &mut Context, place: LevelPlace) -> Option<MonsterId> {
    let of = level_of_random_monster(ctx, place)?;
    random_monster_of_depth(ctx, of)
}

/// Draws a random monster of exactly this depth; `None` if nothing lives there.
pub fn random_monster_of_depth(ctx: &mut Context, place: LevelPlace) -> Option<MonsterId> {
    let (branch, depth) = capped(ctx, place)?;
    let entries = ctx.content.populations().of(branch);
    pick(ctx, entries.iter().filter(|e| e.min <= depth && depth <= e.max), depth)
}

/// Draws a random monster of a level among the wanted ones. Before one is drawn, `wanted` is called
/// for all that live there, with its draws.
pub(crate) fn random_monster_where(
    ctx: &mut Context,
    place: LevelPlace,
    wanted: &dyn Fn(&mut Context, MonsterId) -> bool,
) -> Option<MonsterId> {
    let of = level_of_random_monster(ctx, place)?;
    let (branch, depth) = capped(ctx, of)?;
    let entries = ctx.content.populations().of(branch).iter();
    let in_range = entries.filter(|e| e.min <= depth && depth <= e.max);
    let suitable: Vec<&PopulationEntry> =
        in_range.filter(|e| e.monster.is_none_or(|id| wanted(ctx, id))).collect();
    pick(ctx, suitable.into_iter(), depth)
}

/// Draws the level that a random monster of a level is from: this one, or a somewhat deeper one.
pub fn level_of_random_monster(ctx: &mut Context, place: LevelPlace) -> Option<LevelPlace> {
    let branch = ctx.content.branches().get(place.branch)?;
    let mut depth = place.depth;
    let fuzzy = branch.connected
        && !branch.traits.exact_depth
        && !branch.hell_subbranch
        && ctx.dungeon.levels(branch.id) > 1;
    if fuzzy {
        let span = match (branch.id, depth) {
            (BranchId(0), 1) => 0,
            (BranchId(0), 2..=4) => depth,
            _ => 5,
        };
        if span > 0 && ctx.rng.x_chance_in_y(14, 100) {
            let rolls = ctx.content.rules.depth_fuzz_rolls;
            depth += ctx.rng.random_range_avg(-span, span, rolls).max(0);
        }
    }
    Some(LevelPlace { depth: depth.min(branch.ood_cap), ..place })
}

/// Returns the branch that a random monster is from, and its maximum depth.
fn capped(ctx: &Context, place: LevelPlace) -> Option<(BranchId, i32)> {
    let branch = ctx.content.branches().get(place.branch)?;
    Some((branch.id, place.depth.min(branch.ood_cap)))
}

/// Draws a random monster of the level's water or lava. Returns `None` if nothing lives there, and
/// `Some(None)` if the draw yields no monster.
pub fn random_liquid_monster(ctx: &mut Context, liquid: Liquid) -> Option<Option<MonsterId>> {
    let (place, content) = (ctx.place, ctx.content);
    let entries = content.populations().of_liquid(place.branch, liquid);
    let depth = place.depth;
    let in_range = |e: &&PopulationEntry| e.min <= depth && depth <= e.max;
    let any = entries.iter().any(|entry| in_range(&entry));
    any.then(|| pick(ctx, entries.iter().filter(in_range), depth))
}

/// Draws a random base for a zombie kind from the monsters of a level (spec 03 §6.5).
pub fn random_zombie_base(
    ctx: &mut Context,
    place: LevelPlace,
    kind: ZombieKind,
) -> Option<MonsterId> {
    random_zombie_base_where(ctx, place, kind, &|_| true)
}

/// Like [`random_zombie_base`], among the wanted monsters.
pub fn random_zombie_base_where(
    ctx: &mut Context,
    place: LevelPlace,
    kind: ZombieKind,
    wanted: &dyn Fn(MonsterId) -> bool,
) -> Option<MonsterId> {
    let content = ctx.content;
    let mut branch = content.branches().get(place.branch)?;
    let absolute = ctx.dungeon.absolute_depth(place, content.branches()) - 1;
    let mut depth = place.depth;
    let draugr = kind == ZombieKind::Draugr;
    let of_other = branch.traits.dead_of.as_ref();
    if let Some(other) = of_other.and_then(|name| content.branches().by_name(name)) {
        depth = LOWEST_DEAD - (ctx.dungeon.levels(branch.id) - depth) / 3;
        branch = other;
    } else if draugr && branch.traits.deeper_draugr {
        depth += ctx.rng.random_range(1, 3);
    } else if !draugr || branch.traits.deeper_dead {
        depth += 1 + ctx.rng.div_rand_round(absolute, 5);
    }
    let depth = depth.clamp(1, branch.zombie_cap.max(1));
    let (monsters, populations) = (content.monsters(), content.populations());
    let late = branch.hell || branch.traits.late_dead;
    let entries = if late { populations.late_zombies() } else { populations.of(branch.id) };
    let suits = |entry: &PopulationEntry, ctx: &mut Context| {
        entry.monster.is_some_and(|id| {
            let monster = monsters.get(id);
            draw_colour(monster, ctx);
            can_become(monster, kind, branch, &content.rules) && wanted(id)
        })
    };
    let in_range = entries.iter().filter(|e| e.min <= depth && depth <= e.max);
    let suitable: Vec<&PopulationEntry> = in_range.filter(|entry| suits(entry, ctx)).collect();
    if !suitable.is_empty() {
        return pick(ctx, suitable.into_iter(), depth);
    }
    // If nothing there is possible: whatever lives at the same depth in any branch.
    let lowered = LevelPlace { branch: branch.id, depth }.absolute_depth(content.branches());
    let mut rarities: Vec<(MonsterId, i64)> = Vec::new();
    let mut branches: Vec<_> = content.branches().iter().collect();
    branches.sort_by_key(|branch| branch.order_logical);
    for branch in branches {
        let top = LevelPlace { branch: branch.id, depth: 1 };
        let depth = lowered + 1 - top.absolute_depth(content.branches());
        if !(1..=branch.ood_cap).contains(&depth) {
            continue;
        }
        let entries = populations.of(branch.id).iter();
        for entry in entries.filter(|e| e.min <= depth && depth <= e.max) {
            let Some(id) = entry.monster.filter(|_| suits(entry, ctx)) else { continue };
            let rarity = rarity(entry, depth);
            match rarities.iter_mut().find(|(known, _)| *known == id) {
                Some((_, known)) => *known = rarity.max(*known),
                None => rarities.push((id, rarity)),
            }
        }
    }
    let weights = weights_of(rarities.iter().map(|(_, rarity)| *rarity));
    ctx.rng.weighted_table(&weights).map(|index| rarities[index].0)
}

/// Draws the colour of a draconian with a profession. Of the numbers from black to white, the
/// second belongs to one that was removed.
fn draw_colour(monster: &Monster, ctx: &mut Context) {
    if monster.genus == DRACONIAN && monster.name.starts_with(DRACONIAN_PROFESSION) {
        while ctx.rng.random2(7) == 1 {}
    }
}

/// Returns whether a monster can be drawn as the base of an undead of a branch.
fn can_become(monster: &Monster, kind: ZombieKind, branch: &Branch, rules: &Rules) -> bool {
    let needs_bones = matches!(kind, ZombieKind::Draugr | ZombieKind::Skeleton);
    let speed = match kind {
        ZombieKind::Spectre if !rules.spectres_keep_their_speed => monster.zombie_speed,
        _ => kind.speed_of(monster),
    };
    monster.zombifiable
        && monster.holiness.iter().any(|holiness| holiness == "natural")
        && !monster.zombie_size.is_empty()
        && !["unfinished", "no_gen_derived", "unique"].iter().any(|flag| monster.has(flag))
        && (!needs_bones || monster.skeleton)
        && (kind != ZombieKind::Zombie || !monster.has("no_zombie"))
        && (!branch.traits.no_slow_dead || speed >= 10)
}

fn pick<'e>(
    ctx: &mut Context,
    entries: impl Iterator<Item = &'e PopulationEntry>,
    depth: i32,
) -> Option<MonsterId> {
    let kept: Vec<&PopulationEntry> = entries.collect();
    if kept.is_empty() {
        return None;
    }
    let weights = weights_of(kept.iter().map(|entry| rarity(entry, depth)));
    let mut roll = ctx.rng.random2(weights.iter().sum());
    for (entry, weight) in kept.into_iter().zip(weights) {
        roll -= weight;
        if roll < 0 {
            return entry.monster.or(ctx.dungeon.zot_orb().filter(|_| entry.game_orb));
        }
    }
    None
}

/// Returns rarities as weights to draw by: the same numbers, unless their sum exceeds what can be
/// drawn.
fn weights_of(rarities: impl Iterator<Item = i64> + Clone) -> Vec<i32> {
    let total: i64 = rarities.clone().sum();
    let scale = total / (i64::from(i32::MAX) + 1) + 1;
    rarities.map(|rarity| (rarity / scale) as i32).collect()
}

fn rarity(entry: &PopulationEntry, depth: i32) -> i64 {
    let (min, max, depth) = (i64::from(entry.min), i64::from(entry.max), i64::from(depth));
    let r = i64::from(entry.rarity) * 2520;
    let length = max - min;
    let off_centre = (min + max - 2 * depth).abs();
    match entry.distribution {
        Distribution::Flat => r,
        Distribution::Semi => {
            let l = if length == 0 { 2 } else { 2 * length };
            r * (l - off_centre) / l
        }
        Distribution::Peak => {
            let l = length + 2;
            r * (l - off_centre) / l
        }
        Distribution::Rise => r * (depth - min + 1) / (length + 1),
        Distribution::Fall => r * (max - depth + 1) / (length + 1),
    }
}

#[cfg(test)]
mod tests {
    use vaultwright_content::{Content, Edition};
    use vaultwright_rng::Streams;

    use super::*;
    use crate::Dungeon;

    #[test]
    fn no_rarity_is_too_large_to_be_drawn() {
        let entry = |distribution| PopulationEntry {
            monster: None,
            game_orb: false,
            min: i32::MIN,
            max: i32::MAX,
            rarity: 100_000,
            distribution,
        };
        use Distribution::*;
        for distribution in [Flat, Semi, Peak, Rise, Fall] {
            assert!(rarity(&entry(distribution), 3) > 0, "{distribution:?}");
        }
        let usual = [5_i64, 0, 7];
        assert_eq!(weights_of(usual.into_iter()), [5, 0, 7]);
        let many = [252_000_000_i64; 30];
        let weights = weights_of(many.into_iter());
        let total: i64 = weights.iter().map(|&weight| i64::from(weight)).sum();
        assert!(weights.iter().all(|&weight| weight == weights[0] && weight > 0));
        assert!(i32::try_from(total).is_ok(), "{total}");
    }

    #[test]
    fn where_nothing_can_be_dead_the_dead_are_from_as_deep_elsewhere() {
        // What 0.28 made of the seeds 1 to 6.
        let content = Content::new(Rules::of(Edition::V0_28));
        let dungeon = Dungeon::standard(content.branches());
        let slime = content.branches().by_name("Slime").expect("a branch").id;
        let place = LevelPlace { branch: slime, depth: 3 };
        for (kind, expected) in [
            (
                ZombieKind::Zombie,
                "deep elf archer,radroach,deep elf zephyrmancer,satyr,jorogumo,ironbound convoker",
            ),
            (
                ZombieKind::Spectre,
                "deep elf archer,fire crab,deep elf zephyrmancer,faun,jorogumo,ironbound convoker",
            ),
        ] {
            let of_seed = |seed| {
                let mut rng = Streams::from_seed(seed, 43);
                let mut ctx = Context::new(&content, &mut rng, place, &dungeon);
                let base = random_zombie_base(&mut ctx, place, kind);
                content.monsters().get(base.expect("a kind")).name.clone()
            };
            assert_eq!((1..=6).map(of_seed).collect::<Vec<_>>().join(","), expected, "{kind:?}");
        }
    }

    #[test]
    fn spectres_of_the_dungeon_are_of_what_is_fast_enough() {
        // Those of 0.28 are what it made of the seeds 1 to 6.
        let drawn = |edition| {
            let content = Content::new(Rules::of(edition));
            let dungeon = Dungeon::standard(content.branches());
            let place = LevelPlace { branch: BranchId(0), depth: 15 };
            let of_seed = |seed| {
                let mut rng = Streams::from_seed(seed, 43);
                let mut ctx = Context::new(&content, &mut rng, place, &dungeon);
                let base = random_zombie_base(&mut ctx, place, ZombieKind::Spectre);
                content.monsters().get(base.expect("a kind")).name.clone()
            };
            (1..=6).map(of_seed).collect::<Vec<_>>()
        };
        let old = drawn(Edition::V0_28);
        let fast = "centaur warrior";
        assert_eq!(old, [fast, fast, fast, "harpy", fast, "redback"]);
        // In trunk it is enough if they are fast as spectres.
        let content = Content::new(Rules::of(Edition::Trunk));
        let speed = |name: &String| {
            let id = content.monsters().by_name(&name.to_lowercase()).expect("a kind");
            content.monsters().get(id).zombie_speed
        };
        assert!(drawn(Edition::Trunk).iter().any(|name| speed(name) < 10));
    }

    #[test]
    fn the_dead_of_a_ziggurat_are_those_of_the_depths() {
        let content = Content::new(Rules::of(Edition::Trunk));
        let dungeon = Dungeon::standard(content.branches());
        let branch = |name| content.branches().by_name(name).expect("a branch").id;
        let in_the_depths = content.populations().of(branch("Depths"));
        for seed in 1..=20 {
            let mut rng = Streams::from_seed(seed, 46);
            let place = LevelPlace { branch: branch("Zig"), depth: 27 };
            let mut ctx = Context::new(&content, &mut rng, place, &dungeon);
            let base = random_zombie_base(&mut ctx, place, ZombieKind::Zombie);
            assert!(base.is_some() && in_the_depths.iter().any(|entry| entry.monster == base));
        }
    }
}
