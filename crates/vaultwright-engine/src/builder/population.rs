//! The monsters and items of a level that no vault asks for (spec 05 §10).

use std::sync::Arc;

use vaultwright_content::{FeatureId, Liquid, MonsterId};
use vaultwright_level::{LevelItem, LevelMonster, mask};
use vaultwright_map::{
    ItemAlternative, ItemLevel, Point, ZombieKind, draw_of_list, level_of_random_monster,
    random_liquid_monster, random_monster_of_depth,
};

use super::ruination::is_firewood;
use super::shoals_plants::{grow_plants, wanted_clusters};
use crate::place::followers::{Party, Terms};
use crate::place::habitat::{dwelling, lives_as};
use crate::state::site::Site;

/// Most monsters of a level.
const MAX_MONSTERS: i32 = 60;
/// Random points that are tried for a monster.
const POINTS: usize = 45;
/// Fewer cells of water or lava hold nothing.
const MIN_LIQUID: usize = 35;

/// Places monsters on land, in water and in lava.
pub(crate) fn place_monsters(site: &mut Site) {
    if site.traits().temple {
        return;
    }
    let count = wanted_monsters(site);
    site.note("monsters_wanted", |_| format!("n={}", count.unwrap_or(0)));
    if let Some(count) = count {
        if site.traits().sea {
            let clusters = wanted_clusters(site);
            site.note("shoals_plant_numbers", |_| {
                format!("water={} wind={}", clusters.0, clusters.1)
            });
            grow_plants(site, clusters);
            site.note("shoals_plants", |_| String::new());
        }
        let mut ways = None;
        for _ in 0..count {
            let placed = place_level_monster(site, &mut ways);
            site.note("level_monster", |site| match placed {
                Some((kind, p)) => {
                    format!("{} {},{}", site.ctx.content.monsters().get(kind).name, p.x, p.y)
                }
                None => "none".to_owned(),
            });
        }
    }
    place_liquid_monsters(site);
}

/// Places some monsters of the level's own, wherever there is room.
pub(crate) fn place_some_monsters(site: &mut Site, count: i32) {
    let mut ways = None;
    for _ in 0..count {
        place_level_monster(site, &mut ways);
    }
}

fn wanted_monsters(site: &mut Site) -> Option<i32> {
    let place = site.ctx.place;
    let branch = site.ctx.content.branches().get(place.branch)?;
    let population = site.ctx.content.populations().of(branch.id);
    if (!branch.connected && !branch.traits.pandemonium) || population.is_empty() {
        return None;
    }
    let rules = site.ctx.content.rules;
    let die = branch.traits.monster_die(place.depth, &rules).unwrap_or(branch.mon_die_size);
    let count = site.ctx.rng.roll_dice(3, die).min(MAX_MONSTERS);
    let end = branch.traits.fewer_monsters_at_end && place.depth == 5;
    Some(if end && rules.end_of_zot_is_emptier { (count - 4).max(10) } else { count })
}

/// Places one monster of the level with its band, somewhere it can live; all of it in a generator
/// of its own. Returns its kind and where it stands, or `None` if none was drawn or there is no
/// room. The ways in are looked for when one keeps away from them, and known from then on.
fn place_level_monster(
    site: &mut Site,
    ways: &mut Option<Vec<Point>>,
) -> Option<(MonsterId, Point)> {
    let place = site.ctx.place;
    let branch = site.ctx.content.branches().get(place.branch);
    let top = site.absolute_depth() == 0;
    let awake =
        !top && branch.is_some_and(|branch| branch.connected) && site.ctx.rng.one_chance_in(8);
    let terms = Terms {
        prefers_land: site.traits().sea,
        away_from: match top || awake {
            true => ways.get_or_insert_with(|| ways_in(site, top)).clone(),
            false => Vec::new(),
        },
        player: None,
    };
    site.ctx.rng.enter_sub();
    // Some entries of a population are no monster.
    let drawn = match site.level.random_monsters {
        Some(_) => {
            let listed = draw_of_list(site.level.own_monsters(), site.ctx);
            listed.and_then(|listed| Some((listed.kind?, listed.undead, place)))
        }
        None => level_of_random_monster(site.ctx, place).and_then(|of| {
            let kind = random_monster_of_depth(site.ctx, of)?;
            Some((kind, None, of))
        }),
    };
    let placed = drawn.and_then(|(kind, undead, of)| {
        let awake = awake || site.traits().pandemonium;
        let monster = LevelMonster { awake, undead, ..asleep(Some(kind)) };
        let leader = monster.kind_now(site.ctx.content.monsters())?;
        let party = Party::gather(site.ctx, site.level, leader, of, None);
        let p = walk_to_place(site, Some(lives_as(kind, undead, site.ctx)), &terms)?;
        site.level.monsters.insert(p, monster);
        party.settle(site.level, p, &terms, site.ctx);
        Some((leader, p))
    });
    site.ctx.rng.leave();
    placed
}

/// Returns what one keeps away from: on the first level the way out, which is a stair still, on
/// others, if it is awake, stone stairs.
fn ways_in(site: &Site, top: bool) -> Vec<Point> {
    site.cells_with(|id| {
        let flags = site.flags_of(id);
        match top {
            true => id == site.known().exit_dungeon || flags.stone_stair_up(),
            false => flags.stone_stair_up() || flags.stone_stair_down(),
        }
    })
}

/// Tries up to 45 random cells. Returns the first that will do, if any does.
fn walk_to_place(site: &mut Site, kind: Option<MonsterId>, terms: &Terms) -> Option<Point> {
    for _ in 0..POINTS {
        let p = site.random_in_bounds();
        let free = !site.level.monsters.contains_key(&p)
            && site.level.mask(p) & mask::NO_MONSTER == 0
            && terms.allow(site.level, site.ctx.content, p, kind);
        if free {
            return Some(p);
        }
    }
    None
}

fn asleep(kind: Option<MonsterId>) -> LevelMonster {
    LevelMonster { kind, ..LevelMonster::default() }
}

/// Places the dead of the Crypt (spec 05 §10.3).
fn place_crypt_undead(site: &mut Site) {
    let rules = site.ctx.content.rules;
    let by_size = rules.crypt_undead_have_a_size;
    let monsters = site.ctx.content.monsters();
    let species: Vec<_> = monsters
        .iter()
        .filter(|(_, monster)| {
            let is_listed = match by_size {
                true => !monster.zombie_size.is_empty(),
                false => monster.corpse && monster.hd > 0,
            };
            is_listed
                && monster.species == monster.name
                && !monster.has("unique")
                && !monster.has("no_gen_derived")
                && monster.holiness.iter().any(|holiness| holiness == "natural")
        })
        .map(|(id, _)| id)
        .collect();
    let terms = Terms { prefers_land: true, ..Terms::default() };
    for _ in 0..site.ctx.rng.random_range_avg(6, 12, 3) {
        let skeletal = match rules.fewer_skeletal_dead {
            true => site.ctx.rng.x_chance_in_y(2, 5),
            false => site.ctx.rng.coinflip(),
        };
        let mut base = None;
        while base.is_none() && !species.is_empty() {
            let id = species[site.ctx.rng.random2(species.len() as i32) as usize];
            base = Some(id).filter(|&id| !skeletal || monsters.get(id).skeleton);
        }
        let undead = match skeletal {
            true if rules.draugr => ZombieKind::Draugr,
            true => ZombieKind::Skeleton,
            false => ZombieKind::Zombie,
        };
        let lives_as = base.map(|id| dwelling(id, undead, site.ctx));
        site.ctx.rng.enter_sub();
        let placed = walk_to_place(site, lives_as, &terms);
        site.ctx.rng.leave();
        if let Some(p) = placed {
            let dead = LevelMonster { undead: Some((undead, base)), ..asleep(base) };
            site.level.monsters.insert(p, dead);
        }
        site.note("crypt_undead", |_| {
            placed.map_or("none".to_owned(), |p| format!("{} {},{}", undead.name(), p.x, p.y))
        });
    }
}

/// Places monsters of water and lava (spec 05 §10.3).
fn place_liquid_monsters(site: &mut Site) {
    let early = site.ctx.place.branch.is_root() && site.ctx.place.depth <= 5;
    if site.traits().undead {
        place_crypt_undead(site);
        return;
    }
    if early || site.traits().no_liquid_monsters {
        return;
    }
    // Neither the open sea nor endless lava counts.
    let water = vec![site.known().deep_water, site.known().shallow_water];
    let lava = vec![site.known().lava];
    // Both are collected before anybody is placed.
    let (water, lava) = (cells_to_live_in(site, &water), cells_to_live_in(site, &lava));
    for (liquid, mut cells) in [(Liquid::Water, water), (Liquid::Lava, lava)] {
        if cells.len() < MIN_LIQUID {
            continue;
        }
        let size = cells.len() as i32;
        let count = site.ctx.rng.random_range(size / 35, size / 18).min(15);
        site.ctx.rng.shuffle(&mut cells);
        site.note("liquid_monsters_wanted", |_| {
            let liquid = if liquid == Liquid::Lava { "lava" } else { "water" };
            format!("{liquid} cells={size} n={count}")
        });
        for &p in cells.iter().take(count.max(0) as usize) {
            let Some(kind) = random_liquid_monster(site.ctx, liquid) else { break };
            site.ctx.rng.enter_sub();
            // Somebody's follower may stand there by now.
            let is_free = !site.level.monsters.contains_key(&p);
            if let Some(id) = kind.filter(|_| is_free) {
                let party = Party::gather(site.ctx, site.level, id, site.ctx.place, None);
                site.level.monsters.insert(p, asleep(kind));
                party.settle(site.level, p, &Terms::default(), site.ctx);
            }
            site.ctx.rng.leave();
            site.note("liquid_monster", |site| match kind {
                Some(id) => {
                    format!("{} {},{}", site.ctx.content.monsters().get(id).name, p.x, p.y)
                }
                None => "none".to_owned(),
            });
        }
    }
}

/// Returns the cells of some features on which nobody stands and monsters may.
fn cells_to_live_in(site: &Site, features: &[FeatureId]) -> Vec<Point> {
    let features = site.ctx.content.features().set_of(|id| features.contains(&id));
    let mut cells = site.level.cells_with(&features);
    if cells.len() < MIN_LIQUID {
        return cells;
    }
    // Few cells have anything on them.
    let mut is_occupied = vec![false; site.level.features().len()];
    for &p in site.level.monsters.keys() {
        is_occupied[site.level.index_of(p)] = true;
    }
    cells.retain(|&p| {
        !is_occupied[site.level.index_of(p)] && site.level.mask(p) & mask::NO_MONSTER == 0
    });
    cells
}

fn wanted_items(site: &mut Site) -> i32 {
    let depth = site.absolute_depth();
    let even = site.ctx.content.rules.item_count_ignores_depth;
    let rng = &mut site.ctx.rng;
    if depth > 5 && rng.one_chance_in(500 - 5 * depth) {
        if even { 9 + rng.random2avg(80, 2) } else { 10 + rng.random2avg(85, 2) }
    } else if even {
        3 + rng.roll_dice(3, 9)
    } else {
        3 + rng.roll_dice(3, if depth < 3 { 7 } else { 10 })
    }
}

/// Items lying about (spec 05 §10.5).
pub(crate) fn place_items(site: &mut Site) {
    let branch = site.ctx.content.branches().get(site.ctx.place.branch);
    let has_none = branch.is_none_or(|branch| branch.flags.iter().any(|flag| flag == "no_items"));
    let count = if has_none { 0 } else { wanted_items(site) };
    site.note("items_wanted", |_| format!("n={count}"));
    let floor = site.floor();
    let item = floor_item(site);
    for _ in 0..count {
        site.ctx.spend_isolated();
        let mut place = None;
        for _ in 0..500 {
            let p = site.random_in_bounds();
            let free = site.level.in_bounds(p)
                && site.is(p, floor)
                && site.level.mask(p) & mask::NO_ITEM == 0
                && !is_firewood(site, p);
            if free {
                place = Some(p);
                break;
            }
        }
        site.note("floor_item", |_| {
            let at = place.map_or("no_cell".to_owned(), |p| format!("{},{}", p.x, p.y));
            format!("any {at}")
        });
        if let Some(p) = place {
            site.level.items.entry(p).or_default().push(item.clone());
        }
    }
}

/// Returns what lies about on the level.
fn floor_item(site: &Site) -> LevelItem {
    let traits = site.traits();
    let spec = if traits.gold_only { "$" } else { "any" };
    let asked = traits.item_level.map(|(times, by)| {
        let level = ItemLevel::Number(site.absolute_depth() * times / by.max(1));
        Arc::new(ItemAlternative { level, ..ItemAlternative::of_glyph(spec) })
    });
    LevelItem { spec: spec.to_owned(), asked, ..LevelItem::default() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::drawn::Drawn;

    fn hall(width: usize) -> Vec<String> {
        vec![".".repeat(width); 30]
    }

    fn drawn(place: &str, rows: &[String]) -> Drawn {
        let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
        Drawn::on(place, &rows)
    }

    #[test]
    fn items_lie_on_floor_where_maps_allow_them() {
        let mut drawn = drawn("D:4", &hall(50)).masked(mask::NO_ITEM, (0, 0), (24, 29));
        drawn.run(place_items);
        drawn.run(|site| {
            // Three and three dice of nine.
            let count: usize = site.level.items.values().map(Vec::len).sum();
            assert!((6..=30).contains(&count), "{count}");
            assert!(site.level.items.keys().all(|p| p.x > Drawn::cell(24, 0).x));
        });
        let mut slime = drawn_without_items();
        slime.run(place_items);
        assert_eq!(slime.draws(), 0);
    }

    fn drawn_without_items() -> Drawn {
        drawn("Slime:2", &hall(50))
    }

    #[test]
    fn monsters_of_the_level_keep_away_from_the_way_in() {
        let mut rows = hall(50);
        rows[15].replace_range(25..26, "<");
        for seed in 1..=10 {
            let mut drawn = drawn("D:1", &rows).seeded(seed);
            let leader = drawn.run(|site| place_level_monster(site, &mut None));
            let Some((_, p)) = leader else { continue };
            let way_in = Drawn::cell(25, 15);
            let distance = (p.x - way_in.x).abs().max((p.y - way_in.y).abs());
            assert!(distance > 8 - 1, "{distance}");
            drawn.run(|site| {
                assert!(!site.level.monsters[&p].awake);
                assert!(site.level.monsters.keys().all(|&p| site.flags(p).solid_floor()));
            });
        }
    }

    #[test]
    fn what_lives_in_water_needs_enough_of_it() {
        let pond = |width: usize| vec!["~".repeat(width); 5];
        let mut small = drawn("Depths:2", &pond(6));
        small.run(place_liquid_monsters);
        assert_eq!(small.draws(), 0, "thirty cells are none");
        let mut early = drawn("D:3", &pond(40));
        early.run(place_liquid_monsters);
        assert_eq!(early.draws(), 0, "there is nothing on the first five levels");
        let mut large = drawn("Depths:2", &pond(40));
        large.run(place_liquid_monsters);
        large.run(|site| {
            assert!(site.level.monsters.len() >= 200 / 35);
            assert!(site.level.monsters.keys().all(|&p| site.flags(p).water()));
        });
    }
}
