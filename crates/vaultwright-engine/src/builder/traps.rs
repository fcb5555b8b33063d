//! Random traps and webs (spec 05 §10.4).

use vaultwright_content::FeatureId;
use vaultwright_level::mask;
use vaultwright_map::{ADJACENT, Dispersal, Point, draw_trap};

use crate::state::site::Site;

/// Places the traps of a level. Returns how many it was to have.
pub(crate) fn place_traps(site: &mut Site) -> i32 {
    let branch = site.ctx.content.branches().get(site.ctx.place.branch);
    let unconnected = branch.is_none_or(|branch| !branch.connected && !branch.traits.pandemonium);
    let count = if unconnected || site.traits().temple { 0 } else { wanted_traps(site) };
    site.note("traps_wanted", |_| format!("n={count}"));
    for _ in 0..count {
        let Some(p) = free_cell(site) else {
            site.note("trap", |_| "no_cell".to_owned());
            break;
        };
        let trap = draw_type(site, p);
        if let Some(trap) = trap {
            site.set(p, trap);
        }
        site.note("trap", |site| {
            let described = trap.map(|trap| &site.ctx.content.features().get(trap).description);
            let kind = described.map_or("no_type", |text| text.trim_end_matches(" trap"));
            format!("{},{} {kind}", p.x, p.y)
        });
    }
    count
}

fn wanted_traps(site: &mut Site) -> i32 {
    let rate = 1 + site.absolute_depth() / 10;
    let count = site.ctx.rng.random2avg(2 * rate, 2);
    match site.ctx.content.rules.weighted_traps {
        true => count + site.traits().more_traps,
        false => count,
    }
}

fn free_cell(site: &mut Site) -> Option<Point> {
    let floor = site.floor();
    for _ in 0..200 {
        let p = site.random_on_level();
        if site.level.in_bounds(p)
            && site.is(p, floor)
            && site.level.mask(p) & mask::NO_TRAP == 0
            && !site.level.monsters.contains_key(&p)
        {
            return Some(p);
        }
    }
    None
}

fn draw_type(site: &mut Site, p: Point) -> Option<FeatureId> {
    let opaque = site.level.mask(p) & mask::OPAQUE != 0;
    let dispersal = match opaque && site.ctx.content.rules.opaque_cells_do_not_disperse {
        true => Dispersal::Impossible,
        false => Dispersal::Possible,
    };
    let features = site.ctx.content.features();
    if site.ctx.content.rules.weighted_traps {
        return features.by_name(draw_trap(site.ctx, dispersal));
    }
    let depth = site.absolute_depth();
    if site.traits().zot_traps && site.ctx.rng.coinflip() {
        return Some(features.known().trap_zot);
    }
    if site.ctx.rng.random2(1 + depth) > 14 && site.ctx.rng.one_chance_in(3) {
        return Some(features.known().trap_zot);
    }
    let kinds = [
        ("trap_dispersal", dispersal == Dispersal::Possible),
        ("trap_teleport", true),
        ("shaft", site.ctx.draws_shafts()),
        ("trap_alarm", depth > 3),
    ];
    let weights = kinds.map(|(_, allowed)| i32::from(allowed));
    let index = site.ctx.rng.weighted_table(&weights)?;
    features.by_name(kinds[index].0)
}

/// Returns the feature of a web, which was a trap like others once.
fn web(site: &Site) -> FeatureId {
    let features = site.ctx.content.features();
    ["web", "trap_web"].into_iter().find_map(|name| features.by_name(name)).unwrap_or(site.floor())
}

/// Webs of the Spider's Nest, in corners; fewer of them on a level that was to have many traps.
pub(crate) fn place_webs(site: &mut Site, traps: i32) {
    let depth = f64::from(site.ctx.place.depth);
    let most = ((35.0 * 2f64.powf((depth - 1.0) / 1.5) - f64::from(traps)) as i32) / 2;
    let wanted = most + site.ctx.rng.random2(most);
    site.note("webs_wanted", |_| format!("n={wanted}"));
    let (floor, web) = (site.floor(), web(site));
    for _ in 0..wanted {
        let mut found = None;
        for _ in 0..200 {
            let p = site.random_on_level();
            if !site.level.in_bounds(p)
                || !site.is(p, floor)
                || site.level.mask(p) & mask::NO_TRAP != 0
            {
                continue;
            }
            let weights = ADJACENT.iter().map(|&step| {
                let straight = step.0 == 0 || step.1 == 0;
                match site.flags(p.offset(step)).solid() {
                    true if straight => 3,
                    true => 1,
                    false => 0,
                }
            });
            let weight: i32 = weights.sum();
            if site.ctx.rng.x_chance_in_y(weight + 2, 34) {
                found = Some(p);
                break;
            }
        }
        let Some(p) = found else { break };
        site.set(p, web);
    }
}

#[cfg(test)]
mod tests {
    use vaultwright_content::Edition;

    use super::*;
    use crate::state::drawn::Drawn;

    /// Returns the cells of a room that a step has changed, by seeds.
    fn changed(place: &str, step: impl Fn(&mut Site)) -> Vec<Point> {
        let row = ".".repeat(50);
        let rows = vec![row.as_str(); 30];
        let mut all = Vec::new();
        for seed in 1..=20 {
            let mut drawn =
                Drawn::on(place, &rows).seeded(seed).masked(mask::NO_TRAP, (0, 0), (24, 29));
            drawn.run(&step);
            let floor = drawn.run(|site| site.floor());
            all.extend(drawn.run(|site| {
                let room = site.level.rectangle(Drawn::cell(0, 0), Drawn::cell(49, 29));
                room.filter(|&p| !site.is(p, floor)).collect::<Vec<_>>()
            }));
        }
        all
    }

    #[test]
    fn traps_lie_on_floor_where_maps_allow_them() {
        let traps = changed("D:12", |site| {
            let wanted = place_traps(site);
            // The mean of a draw of four and one of five, at a rate of two.
            assert!((0..=3).contains(&wanted), "{wanted}");
        });
        assert!(!traps.is_empty());
        assert!(traps.iter().all(|p| p.x > Drawn::cell(24, 0).x), "{traps:?}");
    }

    #[test]
    fn a_portal_has_no_traps() {
        assert!(changed("Sewer", |site| assert_eq!(place_traps(site), 0)).is_empty());
    }

    #[test]
    fn traps_disperse_in_opaque_vaults_up_to_0_25() {
        let disperses = |edition, opaque: bool| {
            let mut drawn = Drawn::under(edition, "D:4", &["..."]);
            if opaque {
                drawn = drawn.masked(mask::OPAQUE, (1, 0), (1, 0));
            }
            let dispersal = drawn.run(|site| site.ctx.content.features().by_name("trap_dispersal"));
            (0..100).any(|_| drawn.run(|site| draw_type(site, Drawn::cell(1, 0))) == dispersal)
        };
        for edition in Edition::ALL {
            assert!(disperses(edition, false), "{edition:?}");
            assert_eq!(disperses(edition, true), edition <= Edition::V0_25, "{edition:?}");
        }
    }

    #[test]
    fn webs_hang_by_walls_more_often_than_in_the_open() {
        let webs = changed("Spider:3", |site| place_webs(site, 0));
        let (left, right) = (Drawn::cell(24, 0).x, Drawn::cell(49, 0).x);
        assert!(webs.iter().all(|p| left < p.x && p.x <= right), "{webs:?}");
        // Of the 750 cells 79 lie by a wall.
        let (top, bottom) = (Drawn::cell(0, 0).y, Drawn::cell(0, 29).y);
        let by_wall = webs.iter().filter(|p| p.x == right || p.y == top || p.y == bottom).count();
        assert!(by_wall * 4 > webs.len(), "{by_wall} of {}", webs.len());
    }
}
