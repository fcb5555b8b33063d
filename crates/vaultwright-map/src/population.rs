use vaultwright_content::{Distribution, MonsterId, PopulationEntry};

use crate::monster_name::ZombieKind;
use crate::{Context, LevelPlace};

/// A random monster of a level, with its draws (spec 03 §6.3); none if nothing lives there.
pub fn random_monster(ctx: &mut Context, place: LevelPlace, fuzz: bool) -> Option<MonsterId> {
    let branch = ctx.content.branches().get(place.branch)?;
    let mut depth = place.depth;
    let fuzzy = fuzz
        && branch.connected
        && !branch.is_like("Zot")
        && !branch.hell_subbranch
        && ctx.dungeon.levels(branch.id) > 1;
    if fuzzy {
        let span = match (branch.id, depth) {
            (0, 1) => 0,
            (0, 2..=4) => depth,
            _ => 5,
        };
        if span > 0 && ctx.rng.x_chance_in_y(14, 100) {
            let rolls = ctx.content.rules.depth_fuzz_rolls;
            depth += ctx.rng.random_range_avg(-span, span, rolls).max(0);
        }
    }
    let depth = depth.min(branch.ood_cap);
    let entries = ctx.content.monsters().population(branch.id);
    pick(ctx, entries.iter().filter(|e| e.min <= depth && depth <= e.max), depth)
}

/// A random monster of the level's water or lava: none if nothing lives there, and perhaps no monster
/// after all.
pub fn random_liquid_monster(ctx: &mut Context, lava: bool) -> Option<Option<MonsterId>> {
    let (place, content) = (ctx.place, ctx.content);
    let entries = content.monsters().liquid_population(place.branch, lava);
    let depth = place.depth;
    let in_range = |e: &&PopulationEntry| e.min <= depth && depth <= e.max;
    let any = entries.iter().any(|entry| in_range(&entry));
    any.then(|| pick(ctx, entries.iter().filter(in_range), depth))
}

/// A random base for a zombie kind (spec 03 §6.5).
pub fn random_zombie_base(ctx: &mut Context, kind: ZombieKind) -> Option<MonsterId> {
    let branches = ctx.content.branches();
    let branch = branches.get(ctx.place.branch)?;
    let mut depth = ctx.place.depth;
    let draugr = kind == ZombieKind::Draugr;
    if draugr && branch.is_like("Vaults") {
        depth += ctx.rng.random_range(1, 3);
    } else if !draugr || branch.is_like("Crypt") {
        let absolute = ctx.absolute_depth() - 1;
        depth += 1 + ctx.rng.div_rand_round(absolute, 5);
    }
    let depth = depth.clamp(1, branch.zombie_cap.max(1));
    let monsters = ctx.content.monsters();
    let late = branch.hell || matches!(branch.like.as_str(), "Crypt" | "Tomb" | "Abyss" | "Pan");
    let entries = if late { monsters.late_zombies() } else { monsters.population(branch.id) };
    let suitable = entries.iter().filter(|entry| {
        let Some(id) = entry.monster else { return false };
        let monster = monsters.get(id);
        entry.min <= depth
            && depth <= entry.max
            && monster.zombifiable
            && monster.holiness.iter().any(|holiness| holiness == "natural")
            && !monster.zombie_size.is_empty()
            && !["unfinished", "no_gen_derived", "unique"].iter().any(|flag| monster.has(flag))
    });
    let suitable: Vec<&PopulationEntry> = suitable.collect();
    pick(ctx, suitable.into_iter(), depth)
}

fn pick<'e>(
    ctx: &mut Context,
    entries: impl Iterator<Item = &'e PopulationEntry>,
    depth: i32,
) -> Option<MonsterId> {
    let kept: Vec<(&PopulationEntry, i32)> =
        entries.map(|entry| (entry, rarity(entry, depth))).collect();
    if kept.is_empty() {
        return None;
    }
    let total: i32 = kept.iter().map(|&(_, rarity)| rarity).sum();
    let mut roll = ctx.rng.random2(total);
    for (entry, rarity) in kept {
        roll -= rarity;
        if roll < 0 {
            return entry.monster;
        }
    }
    None
}

fn rarity(entry: &PopulationEntry, depth: i32) -> i32 {
    let r = entry.rarity * 2520;
    let length = entry.max - entry.min;
    let off_centre = (entry.min + entry.max - 2 * depth).abs();
    match entry.distribution {
        Distribution::Flat => r,
        Distribution::Semi => {
            let l = if length == 0 { 2 } else { 2 * length };
            (i64::from(r) * i64::from(l - off_centre) / i64::from(l)) as i32
        }
        Distribution::Peak => {
            let l = length + 2;
            (i64::from(r) * i64::from(l - off_centre) / i64::from(l)) as i32
        }
        Distribution::Rise => {
            (i64::from(r) * i64::from(depth - entry.min + 1) / i64::from(length + 1)) as i32
        }
        Distribution::Fall => {
            (i64::from(r) * i64::from(entry.max - depth + 1) / i64::from(length + 1)) as i32
        }
    }
}
