//! What a plant draws that the builder has just placed: it looks for an enemy, and for somewhere to
//! go.

use vaultwright_level::{SIGHT_RADIUS, sees};
use vaultwright_map::Point;

use crate::place::habitat::lives_in;
use crate::state::site::Site;

/// Rings around a plant that its search for an enemy begins.
const RINGS: i32 = 8;
/// Tries to find somewhere to go.
const GOAL_TRIES: usize = 150;

/// Lets a new plant at a cell think once, with the draws of the level. One that sees the player
/// looks for an enemy in any case.
pub(crate) fn think(site: &mut Site, plant: Point) {
    if sees_player(site, plant) || site.ctx.rng.one_chance_in(3) {
        for ring in 1..=RINGS {
            // Where in the ring it begins to look.
            site.ctx.rng.random2(8 * ring);
        }
    }
    if site.ctx.rng.one_chance_in(20) {
        find_goal(site, plant);
    }
}

/// Returns whether a plant sees the player, who waits in the corner of the map.
fn sees_player(site: &mut Site, plant: Point) -> bool {
    let corner = Point::new(0, 0);
    if plant.x.max(plant.y) > SIGHT_RADIUS {
        return false;
    }
    // What is seen of cells nearby is remembered from now on.
    let near = site.level.in_sight(plant, corner, site.ctx.content.features());
    near || sees(plant, corner, |p| site.flags(p).solid())
}

/// Returns a cell nearby that the plant could walk on: a bush, giant as it is, in deep water, too.
fn find_goal(site: &mut Site, plant: Point) -> Option<Point> {
    let kind = site.level.monsters.get(&plant).and_then(|monster| monster.kind);
    let wades = kind.is_some_and(|kind| lives_in(site.ctx.content, kind, "deep_water"));
    // Somewhere far away comes first, and is thought better of.
    site.random_in_bounds();
    for _ in 0..GOAL_TRIES {
        let x = site.ctx.rng.random2(13) - 6;
        let y = site.ctx.rng.random2(13) - 6;
        let p = plant.offset((x, y));
        let flags = site.flags(p);
        let is_ground = flags.solid_floor() || (wades && flags.deep_water());
        if (x, y) != (0, 0) && site.level.in_bounds(p) && is_ground && !flags.solid() {
            return Some(p);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use vaultwright_content::{Content, Edition, Rules};
    use vaultwright_level::{Level, LevelMonster};
    use vaultwright_map::{Context, Dungeon, LevelPlace};
    use vaultwright_rng::Streams;

    use super::*;

    /// Returns the words that plants of many seeds draw on a level of rock that is changed so.
    fn words(change: fn(&mut Level, &Content), at: Point) -> BTreeSet<u64> {
        let content = Content::new(Rules::of(Edition::V0_28));
        let dungeon = Dungeon::standard(content.branches());
        let mut level = Level::solid(&content);
        change(&mut level, &content);
        let drawn = (0..400).map(|seed| {
            let mut rng = Streams::from_seed(seed, 5);
            let place = LevelPlace::START;
            let mut ctx = Context::new(&content, &mut rng, place, &dungeon);
            let observers = &std::cell::RefCell::default();
            let site = &mut Site { level: &mut level, ctx: &mut ctx, observers };
            think(site, at);
            rng.draws_of(0)
        });
        drawn.collect()
    }

    fn nothing(_: &mut Level, _: &Content) {}

    fn bush_in_deep_water(level: &mut Level, content: &Content) {
        let kind = content.monsters().by_name("bush");
        let water = content.features().by_name("deep_water").expect("a feature");
        level.reset_open(content.features());
        for p in (20..60).flat_map(|x| (20..50).map(move |y| Point::new(x, y))) {
            level.set_feature(p, water);
        }
        let bush = LevelMonster { kind, ..LevelMonster::default() };
        level.monsters.insert(Point::new(40, 35), bush);
    }

    fn floor(level: &mut Level, content: &Content) {
        level.reset_open(content.features());
    }

    #[test]
    fn a_plant_looks_for_enemies_in_eight_rings_and_for_a_goal_nearby() {
        // Neither, a goal, enemies, both; where there is floor the first goal will do, but for the
        // plant's own cell.
        let middle = Point::new(40, 35);
        assert_eq!(words(floor, middle), BTreeSet::from([2, 6, 10, 14]));
        assert_eq!(words(bush_in_deep_water, middle), BTreeSet::from([2, 6, 10, 14]));
        let tries = 2 + 2 * GOAL_TRIES as u64;
        assert_eq!(words(nothing, middle), BTreeSet::from([2, 10, 2 + tries, 10 + tries]));
    }

    #[test]
    fn a_plant_that_sees_the_corner_of_the_map_notices_the_player() {
        // As on recorded levels: plants at 2,3, 3,1, 4,2 and 5,5 with floor before them.
        for at in [(2, 3), (3, 1), (4, 2), (5, 5)].map(|(x, y)| Point::new(x, y)) {
            let noticed = words(floor, at);
            // Without a goal and with one: near the corner some tries for it miss the map.
            assert!(noticed.first() == Some(&9) && noticed.contains(&13), "{noticed:?}");
            assert!(!words(nothing, at).contains(&9));
        }
    }
}
