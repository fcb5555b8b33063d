//! The overgrown ruins of the Lair (spec 05 §8.2, §8.3).

use vaultwright_content::LevelSize;
use vaultwright_level::{LevelMonster, mask};
use vaultwright_map::{COMPASS, Point};

use super::plant_thoughts::think;
use crate::place::habitat::suits;
use crate::place::ruin::ruin;
use crate::state::site::{Site, quadrants};

/// A plant that is opaque.
const BUSH: &str = "bush";

/// The depth below which the Lair gets no more ruined. No game has more than eight levels of it;
/// much deeper all would be thicket, and reckoning it would take no end.
const MAX_RUINED_DEPTH: i32 = 12;

/// Ruins the level, the more the deeper, and lets plants grow.
pub(crate) fn ruin_lair(site: &mut Site) {
    let q = site.ctx.place.depth.min(MAX_RUINED_DEPTH) + 1;
    let mut scheduled: Vec<Point> = Vec::new();
    let (ruined, density, iterations) = (20 - q, q / 2 + 4, 1 + q / 3);
    for iteration in 1..=iterations {
        let mut cells = Vec::with_capacity(site.level.masks().len());
        let width = site.level.size().width() as usize;
        for (row, y) in site.level.masks().chunks(width).zip(0..) {
            for (masks, x) in row.iter().zip(0..) {
                if masks & mask::VAULT == 0 {
                    cells.push(Point::new(x, y));
                }
            }
        }
        scheduled.extend(ruin(site, &cells, ruined, iteration));
    }
    site.note("ruin_done", |_| format!("replaced={}", scheduled.len()));
    for p in scheduled {
        if site.ctx.rng.one_chance_in(density)
            && site.flags(p).solid_floor()
            && !forbids_plants(site, p)
        {
            let index = site.ctx.rng.weighted_chain(&[2, 19, 19]);
            place_plant(site, p, [BUSH, "plant", "fungus"][index]);
        }
    }
    site.note("ruination", |_| format!("R={ruined} P={density} K={iterations}"));
    let mut rest = q;
    while rest > 0 {
        let (rarity, sparseness, radius) = (12 - rest, 18 - rest / 4, rest / 4 + 2);
        grow_clumps(site, rarity, sparseness, radius);
        site.note("plant_clumps", |_| {
            format!("rarity={rarity} sparseness={sparseness} radius={radius}")
        });
        rest -= 3;
    }
}

/// Lets the plants there are spread.
fn grow_clumps(site: &mut Site, rarity: i32, sparseness: i32, radius: i32) {
    let floor = site.floor();
    // Few cells have anything on them; what grows meanwhile counts.
    let mut is_occupied = vec![false; site.level.features().len()];
    for &p in site.level.monsters.keys() {
        is_occupied[site.level.index_of(p)] = true;
    }
    for p in site.inner() {
        if !is_occupied[site.level.index_of(p)] {
            continue;
        }
        let Some(species) = plant_at(site, p).filter(|_| !site.masked(p)) else { continue };
        if !site.ctx.rng.one_chance_in(rarity) {
            continue;
        }
        let mut clump = vec![p];
        for r in 1..radius {
            for d in circle(site.level.size(), p, r) {
                if !site.is(d, floor) {
                    continue;
                }
                let known = clump.clone();
                for c in known {
                    let adjacent = (c.x - d.x).abs().max((c.y - d.y).abs()) == 1;
                    if adjacent && site.ctx.rng.one_chance_in(sparseness) {
                        clump.push(d);
                    }
                }
            }
        }
        // The list may hold the centre a second time.
        for c in clump {
            if c != p && !forbids_plants(site, c) && place_plant(site, c, &species) {
                is_occupied[site.level.index_of(c)] = true;
            }
        }
    }
}

fn plant_at(site: &Site, p: Point) -> Option<String> {
    let kind = site.level.monsters.get(&p)?.kind?;
    let name = &site.ctx.content.monsters().get(kind).name;
    matches!(name.as_str(), "plant" | "fungus" | "bush").then(|| name.clone())
}

/// Returns the cells within a radius, squared distance at most r² + 1, in a spiral of quadrants.
fn circle(size: LevelSize, centre: Point, radius: i32) -> Vec<Point> {
    let mut cells = Vec::new();
    for y in 0..=radius {
        for x in 0..=radius {
            if x * x + y * y > radius * radius + 1 {
                continue;
            }
            let inside = quadrants((x, y)).map(|offset| centre.offset(offset));
            cells.extend(inside.filter(|p| p.is_within(size, 0)));
        }
    }
    cells
}

/// Returns whether a plant would block a way (spec 05 §8.3).
fn forbids_plants(site: &Site, p: Point) -> bool {
    let open = COMPASS.map(|step| {
        let q = p.offset(step);
        let flags = site.flags(q);
        site.level.in_bounds(q) && (flags.traversable() || (flags.door() && flags.sealed()))
    });
    if open.iter().filter(|&&open| open).count() <= 1 {
        return true;
    }
    let groups = (0..8).filter(|&i| open[i] && !open[(i + 7) % 8]).count();
    groups > 1
}

/// Places a plant. Returns whether it stands: on an occupied or unsuitable cell only the draws are
/// made.
pub(crate) fn place_plant(site: &mut Site, p: Point, species: &str) -> bool {
    site.ctx.spend_isolated();
    let kind = site.ctx.content.monsters().by_name(species);
    let suits = kind.is_none_or(|id| suits(site.level, p, site.feature(p), id, site.ctx.content));
    if site.level.monsters.contains_key(&p) || !suits || !site.flags(p).solid_floor() {
        return false;
    }
    let spec = species.to_owned();
    let plant = LevelMonster { kind, spec, ..LevelMonster::default() };
    site.level.monsters.insert(p, plant);
    if species == BUSH {
        // It hides what is behind it.
        site.level.sight.forget_around(p);
    }
    if site.ctx.content.rules.plants_think {
        think(site, p);
    }
    true
}

/// Returns whether a monster is one that stands like wood.
pub(crate) fn is_firewood(site: &Site, p: Point) -> bool {
    site.level.monsters.get(&p).and_then(|monster| monster.kind).is_some_and(|kind| {
        let monster = site.ctx.content.monsters().get(kind);
        monster.has("stationary")
            && monster.has("no_exp_gain")
            && !monster.name.contains("tentacle")
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::drawn::Drawn;

    #[test]
    fn walls_outside_of_vaults_fall_and_plants_block_no_way() {
        let rows = ["#.".repeat(25), ".#".repeat(25), ".".repeat(50)];
        let rows: Vec<&str> = (0..30).map(|row| rows[row % 3].as_str()).collect();
        let mut drawn = Drawn::on("Lair:4", &rows).masked(mask::VAULT, (0, 0), (9, 29));
        drawn.run(ruin_lair);
        let shown = drawn.rows();
        for (now, before) in shown.iter().zip(&rows) {
            assert_eq!(now[..10], before[..10], "the vault stays");
        }
        let walls = |rows: &[String]| rows.concat().matches('#').count();
        let before: Vec<String> = rows.iter().map(|row| (*row).to_owned()).collect();
        assert!(walls(&shown) < walls(&before) * 19 / 20, "{shown:#?}");
        drawn.run(|site| {
            assert!(!site.level.monsters.is_empty());
            for &p in site.level.monsters.keys() {
                assert!(plant_at(site, p).is_some() && site.flags(p).solid_floor());
                assert!(!forbids_plants(site, p), "at {p:?}");
            }
        });
    }

    #[test]
    fn the_deepest_lair_is_made_in_the_end() {
        let rows = vec![".".repeat(60); 60];
        let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
        let mut drawn = Drawn::on("Lair:4", &rows);
        drawn.run(|site| {
            site.ctx.place.depth = 99;
            ruin_lair(site);
            assert!(!site.level.monsters.is_empty());
        });
    }

    #[test]
    fn a_plant_in_a_corridor_would_block_it() {
        let mut drawn = Drawn::of(&["#######", "#.....#", "#...###", "#...###", "#######"]);
        drawn.run(|site| {
            assert!(forbids_plants(site, Drawn::cell(4, 1)), "a corridor");
            assert!(forbids_plants(site, Drawn::cell(5, 1)), "its end");
            assert!(!forbids_plants(site, Drawn::cell(1, 3)), "a corner");
            assert!(!forbids_plants(site, Drawn::cell(2, 2)), "the middle of a room");
        });
    }
}
