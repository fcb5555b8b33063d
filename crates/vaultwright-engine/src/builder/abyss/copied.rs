//! A level of the game that shines through the Abyss (spec 05 §19.2 to §19.4).

use std::collections::BTreeMap;

use vaultwright_content::{Content, FeatureId};
use vaultwright_level::Level;
use vaultwright_map::{ADJACENT, LevelPlace, Point};

use super::terrain::hash3;
use crate::state::abyss::CopiedLevel;
use crate::state::playing::AwayLevel;

impl CopiedLevel {
    /// Copies a level.
    fn of(place: LevelPlace, level: &Level, content: &Content) -> CopiedLevel {
        let features = level.points().map(|p| {
            let feature = level.feature(p).filter(|_| !is_cut(level, content, p))?;
            Some(tamed(content, feature))
        });
        CopiedLevel { place, size: level.size(), features: features.collect() }
    }

    /// Returns the feature of a point of the Abyss, over which the level is repeated.
    pub(crate) fn at(&self, p: Point) -> Option<FeatureId> {
        let clipped = Point::new(
            p.x.wrapping_abs() % (self.size.width() - 1) + 1,
            p.y.wrapping_abs() % (self.size.height() - 1) + 1,
        );
        self.features.get((clipped.y * self.size.width() + clipped.x) as usize).copied().flatten()
    }
}

/// Returns the level that shines through an Abyss of this seed: one of those that the game has
/// made.
pub(crate) fn choose_level(
    away: &BTreeMap<LevelPlace, AwayLevel>,
    content: &Content,
    seed: u32,
) -> Option<CopiedLevel> {
    let branches = content.branches();
    let mut made: Vec<LevelPlace> = away.keys().copied().collect();
    made.retain(|place| !branches.traits(place.branch).never_in_the_abyss);
    made.sort_by_key(|place| {
        (branches.get(place.branch).map(|branch| branch.order_logical), place.branch, place.depth)
    });
    let place = made.get(hash(made.len() as u32, seed) as usize)?;
    away.get(place).map(|away| CopiedLevel::of(*place, &away.level, content))
}

fn is_cut(level: &Level, content: &Content, p: Point) -> bool {
    if !level.in_bounds(p) {
        return true;
    }
    let solid =
        |p: &Point| level.feature(*p).is_none_or(|id| content.features().get(id).flags.solid());
    let solid = ADJACENT.map(|step| p.offset(step)).iter().filter(|p| solid(p)).count();
    let h = hash3(p.x.into(), p.y.into(), 5);
    let rarity = if h.is_multiple_of(2) { 11 } else { 12 };
    match solid {
        8 => true,
        5..=7 => (h / 2).is_multiple_of(rarity),
        0 | 1 => h.is_multiple_of(14),
        _ => false,
    }
}

/// Returns what becomes of a feature in the Abyss.
fn tamed(content: &Content, id: FeatureId) -> FeatureId {
    let features = content.features();
    let feature = features.get(id);
    let flags = feature.flags;
    let name = match feature.name.as_str() {
        "transporter" | "transporter_landing" => "stone_arch",
        "sealed_door" => "closed_door",
        "runed_clear_door" | "sealed_clear_door" => "closed_clear_door",
        "permarock_wall" => "rock_wall",
        "clear_permarock_wall" => "clear_rock_wall",
        "slimy_wall" => "crystal_wall",
        "metal_statue" | "orb dais" => "granite_statue",
        "unseen" | "decorative_floor" | "endless_salt" | "purified_mutation_catalyst" => "floor",
        "open_sea" => "deep_water",
        "endless_lava" => "lava",
        "enter_shop" => "abandoned_shop",
        "fountain_blue" | "fountain_sparkling" | "dry_fountain" => "fountain_eyes",
        _ if flags.gate() => "stone_arch",
        _ if flags.stair() || flags.altar() || flags.trap() => "floor",
        _ if feature.name.starts_with("sealed_stair") => "floor",
        _ => return id,
    };
    features.by_name(name).unwrap_or_else(|| features.floor())
}

/// Returns a number below `n` that depends on a seed only: MurmurHash2 of it and a zero (spec 05
/// §21).
fn hash(n: u32, seed: u32) -> u32 {
    const M: u32 = 0x5bd1_e995;
    if n < 2 {
        return 0;
    }
    let mixed = [seed, 0].into_iter().fold(8_u32, |hash, word| {
        let word = word.wrapping_mul(M);
        let word = (word ^ (word >> 24)).wrapping_mul(M);
        hash.wrapping_mul(M) ^ word
    });
    let mixed = (mixed ^ (mixed >> 13)).wrapping_mul(M);
    (mixed ^ (mixed >> 15)) % n
}

#[cfg(test)]
mod tests {
    use vaultwright_content::{Edition, Rules};

    use super::*;

    /// spec 05 §19.3; what it calls the lava sea is `endless_lava` in the tables.
    #[test]
    fn what_is_copied_is_tamed() {
        let content = Content::new(Rules::of(Edition::Trunk));
        let features = content.features();
        for (name, becomes) in [
            ("endless_lava", "lava"),
            ("open_sea", "deep_water"),
            ("endless_salt", "floor"),
            ("decorative_floor", "floor"),
            ("purified_mutation_catalyst", "floor"),
            ("orb dais", "granite_statue"),
            ("metal_statue", "granite_statue"),
            ("fountain_blue", "fountain_eyes"),
            ("fountain_blood", "fountain_blood"),
            ("sealed_stair_down", "floor"),
            ("stone_stairs_up_ii", "floor"),
            ("enter_gulch", "stone_arch"),
            ("enter_shop", "abandoned_shop"),
            ("trap_archmage", "floor"),
            ("web", "floor"),
        ] {
            let id = features.by_name(name).expect(name);
            assert_eq!(features.get(tamed(&content, id)).name, becomes, "{name}");
        }
    }
}
