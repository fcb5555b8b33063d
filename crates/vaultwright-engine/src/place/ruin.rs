//! Ruining a vault (spec 04 §8.8).

use vaultwright_content::FeatureId;
use vaultwright_level::{Level, cells_of_features, mask};
use vaultwright_map::{ADJACENT, MapDef, Point, beside_any};

use crate::state::site::Site;

/// The properties that a ruined cell takes over from its neighbour.
const KEPT: [&str; 3] = ["no_cloud_gen", "no_tele_into", "no_tide"];
/// Another one, where masks are not taken over.
const KEPT_WITHOUT_MASKS: &str = "no_automap";

/// What a wall or door that gives way takes over from a neighbour.
#[derive(Clone, Copy)]
struct Inheritance {
    feature: FeatureId,
    mask: i64,
    properties: i64,
}

impl Inheritance {
    /// Gives a cell the masks and properties.
    fn mark(self, level: &mut Level, p: Point) {
        level.change_mask(p, self.mask, 0);
        level.change_properties(p, self.properties, 0);
    }
}

/// Breaks down some walls and doors of a vault that has been written.
pub(crate) fn ruin_vault(site: &mut Site, map: &MapDef, at: Point) {
    let cells = map.grid.points().filter(|&cell| map.grid.glyph(cell) != b' ');
    let cells: Vec<Point> = cells.map(|cell| cell.offset((at.x, at.y))).collect();
    let replaced = ruin(site, &cells, 12, 1);
    site.note("ruin_done", |_| format!("replaced={}", replaced.len()));
}

/// Ruins cells: each wall or door gives way with a chance of its open neighbours in `out_of`. The
/// cells that were chosen to, whether they did or not.
pub(crate) fn ruin(site: &mut Site, cells: &[Point], out_of: i32, iteration: i32) -> Vec<Point> {
    let marked = scheduled(site, cells, out_of);
    site.note("ruin_scan", |_| format!("iteration={iteration} scheduled={}", marked.len()));
    let chosen = marked.iter().map(|&(p, ..)| p).collect();
    for (p, heir) in marked {
        give_way(site, p, heir);
    }
    chosen
}

/// Draws which of the cells give way, and what each takes after.
fn scheduled(site: &mut Site, cells: &[Point], out_of: i32) -> Vec<(Point, Inheritance)> {
    let content = site.ctx.content;
    let size = site.level.size();
    let features = content.features();
    let with_masks = content.rules.ruins_inherit_masks;
    let kept = KEPT.iter().chain((!with_masks).then_some(&KEPT_WITHOUT_MASKS));
    let kept = kept.filter_map(|name| content.names().properties.get(name));
    let kept: i64 = kept.fold(0, |bits, bit| bits | bit);
    let kept_mask = if with_masks { !mask::MIMIC } else { 0 };
    let flags = |id: FeatureId| features.get(id).flags;
    let breaks = features.set_of(|id| {
        let flags = flags(id);
        (flags.wall() || flags.door()) && !flags.permarock()
    });
    let is_open = cells_of_features(site.level, content, |id| {
        let flags = flags(id);
        let closed = flags.wall() || flags.door() || flags.statue();
        !closed && features.get(id).name != "malign_gateway"
    });
    let is_beside_open = beside_any(&is_open, size.width() as usize);
    let around = ADJACENT.map(|(dx, dy)| ((dx, dy), (dy * size.width() + dx) as isize));
    let mut marked: Vec<(Point, Inheritance)> = Vec::new();
    for &p in cells {
        // So all that is around it lies on the level.
        if !site.level.in_bounds(p) {
            continue;
        }
        let at = site.level.index_of(p);
        // A wall among walls stands, and nothing is drawn for it.
        if !is_beside_open[at] || !breaks.contains(site.level.features()[at]) {
            continue;
        }
        let mut count = 0;
        let mut heir = p;
        for (step, by) in around {
            if is_open[at.wrapping_add_signed(by)] {
                count += 1;
                if site.ctx.rng.one_chance_in(count) {
                    heir = p.offset(step);
                }
            }
        }
        if site.ctx.rng.x_chance_in_y(count, out_of) {
            let heir = Inheritance {
                feature: site.feature(heir),
                mask: site.level.mask(heir) & kept_mask,
                properties: site.level.properties(heir) & kept,
            };
            marked.push((p, heir));
        }
    }
    marked
}

/// Breaks down a cell, and the doors around it that stand in no wall then.
fn give_way(site: &mut Site, p: Point, heir: Inheritance) {
    let (content, size) = (site.ctx.content, site.level.size());
    let features = content.features();
    let flags = |id: FeatureId| features.get(id).flags;
    let named = |name| features.by_name(name).unwrap_or_else(|| features.floor());
    let mut replacement = heir.feature;
    let Some(here) = site.level.feature(p) else { return };
    if flags(here).door() {
        replacement = match flags(replacement).water() {
            true => named("shallow_water"),
            false => features.floor(),
        };
    } else if flags(replacement).solid_floor() && replacement != named("shallow_water") {
        replacement = features.floor();
    }
    if flags(here).wall() || (site.ctx.rng.coinflip() && flags(here).door()) {
        heir.mark(site.level, p);
        site.level.set_feature(p, replacement);
    }
    for q in ADJACENT.map(|step| p.offset(step)).into_iter().filter(|&q| q.is_within(size, 0)) {
        let door = site.level.feature(q).is_some_and(|id| flags(id).door());
        let walled = ADJACENT
            .iter()
            .any(|&step| site.level.feature(q.offset(step)).is_some_and(|id| flags(id).wall()));
        if door && !walled {
            if content.rules.ruins_inherit_masks {
                // The cell that was scheduled, not that of the door.
                heir.mark(site.level, p);
            }
            site.level.set_feature(q, features.floor());
        }
    }
}

#[cfg(test)]
mod tests {
    use vaultwright_content::{Content, Edition, Rules};
    use vaultwright_map::{Context, Dungeon, LevelPlace};
    use vaultwright_rng::Streams;

    use super::*;

    /// Returns a level of floor whose cells around the middle have masks, with features at some
    /// cells, where one cell has been ruined.
    fn ruined(seed: u64, rules: Rules, features: &[((i32, i32), &str)]) -> (Content, Level) {
        let content = Content::new(rules);
        let dungeon = Dungeon::standard(content.branches());
        let mut level = Level::solid(&content);
        level.reset_open(content.features());
        let middle = Point::new(10, 10);
        for p in ADJACENT.map(|step| middle.offset(step)) {
            level.change_mask(p, mask::VAULT | mask::NO_POOL | mask::MIMIC, 0);
        }
        for &((x, y), name) in features {
            let feature = content.features().by_name(name).expect("a feature");
            level.set_feature(Point::new(x, y), feature);
        }
        let mut rng = Streams::from_seed(seed, 5);
        let place = LevelPlace::START;
        let mut ctx = Context::new(&content, &mut rng, place, &dungeon);
        let observers = &std::cell::RefCell::default();
        let site = &mut Site { level: &mut level, ctx: &mut ctx, observers };
        ruin(site, &[middle], 1, 1);
        (content, level)
    }

    fn name(content: &Content, level: &Level, p: Point) -> String {
        content.features().get(level.feature(p).expect("on the map")).name.clone()
    }

    #[test]
    fn a_broken_wall_takes_over_the_masks_of_a_neighbour_but_mimics() {
        let p = Point::new(10, 10);
        for (edition, masks) in [(Edition::V0_28, mask::VAULT | mask::NO_POOL), (Edition::Trunk, 0)]
        {
            let (content, level) = ruined(1, Rules::of(edition), &[((10, 10), "rock_wall")]);
            assert_eq!(name(&content, &level, p), "floor");
            assert_eq!(level.mask(p), masks, "{edition:?}");
        }
    }

    #[test]
    fn of_what_one_can_stand_on_only_shallow_water_takes_the_place_of_a_wall() {
        for (near, becomes) in [
            ("shallow_water", "shallow_water"),
            ("toxic_bog", "floor"),
            ("mud", "floor"),
            ("deep_water", "deep_water"),
        ] {
            let around = ADJACENT.map(|(x, y)| ((10 + x, 10 + y), near));
            let features = [&around[..], &[((10, 10), "rock_wall")]].concat();
            let (content, level) = ruined(1, Rules::of(Edition::Trunk), &features);
            assert_eq!(name(&content, &level, Point::new(10, 10)), becomes, "beside {near}");
        }
    }

    #[test]
    fn a_door_that_stays_takes_them_over_when_the_door_beside_it_goes() {
        let doors = [((10, 10), "closed_door"), ((11, 10), "closed_door")];
        let stayed = (1..20).find_map(|seed| {
            let (content, level) = ruined(seed, Rules::of(Edition::V0_28), &doors);
            let stayed = name(&content, &level, Point::new(10, 10)) == "closed_door";
            stayed.then_some((content, level))
        });
        let (content, level) = stayed.expect("half of the doors stay");
        assert_eq!(name(&content, &level, Point::new(11, 10)), "floor");
        assert_eq!(level.mask(Point::new(10, 10)), mask::VAULT | mask::NO_POOL);
    }
}
