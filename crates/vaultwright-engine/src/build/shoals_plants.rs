//! The plants of the Shoals, in clusters in shallow water and in the lee of walls (spec 05 §13.8).

use std::collections::HashSet;

use vaultwright_content::FeatureId;
use vaultwright_map::{ADJACENT, Point};

use super::ruination::place_plant;
use super::site::{Site, direction};

/// Most plants of a level.
const MOST_PLANTS: i32 = 180;
/// A region of water is cut off at so many cells, and counts from so many on.
const REGION: std::ops::RangeInclusive<usize> = 6..=9;
/// How far a ray of wind is followed.
const FARTHEST: i32 = 120;

/// Draws how many clusters there are, in water and in the lee.
pub(super) fn wanted_clusters(site: &mut Site) -> (i32, i32) {
    let water = site.ctx.rng.random_range_avg(-1, 6, 2).max(0);
    (water, site.ctx.rng.random_range_avg(-2, 2, 2).max(0))
}

/// Places the clusters.
pub(super) fn grow_plants(site: &mut Site, (water, lee): (i32, i32)) {
    let mut plants = Plants { left: MOST_PLANTS, forbidden: HashSet::new() };
    let (shallow, floor) = (site.id("shallow_water"), site.floor());
    if water > 0 {
        let regions = water_regions(site, shallow);
        for _ in 0..water {
            if regions.is_empty() {
                break;
            }
            let region = &regions[site.ctx.rng.random2(regions.len() as i32) as usize];
            plants.supercluster(site, middle(region), shallow);
        }
    }
    if lee > 0 {
        let windy = windy_cells(site);
        let mut shadows: Vec<Point> = site
            .inner()
            .filter(|&p| site.is(p, floor) && !windy.contains(&p) && next_to_wall(site, p))
            .collect();
        plants.forbidden = windy;
        for _ in 0..lee {
            if shadows.is_empty() {
                break;
            }
            let removed = site.ctx.rng.random2(shadows.len() as i32) as usize;
            let spot = shadows[site.ctx.rng.random2(shadows.len() as i32) as usize];
            shadows.remove(removed);
            plants.supercluster(site, spot, floor);
        }
    }
}

struct Plants {
    left: i32,
    forbidden: HashSet<Point>,
}

impl Plants {
    fn supercluster(&mut self, site: &mut Site, centre: Point, preferred: FeatureId) {
        let count = site.ctx.rng.random_range_avg(10, 17, 2);
        let radius = site.ctx.rng.random_range(3, 9);
        self.cluster(site, centre, preferred, count, radius);
        for _ in 0..site.ctx.rng.random_range_avg(-1, 4, 2).max(0) {
            let away = site.ctx.rng.random_range(2, 12);
            let Some(satellite) = site.point_from(centre, away, 6) else { continue };
            let count = site.ctx.rng.random_range_avg(5, 12, 2);
            let radius = site.ctx.rng.random_range(2, 7);
            self.cluster(site, satellite, preferred, count, radius);
        }
    }

    fn cluster(
        &mut self,
        site: &mut Site,
        centre: Point,
        preferred: FeatureId,
        count: i32,
        radius: i32,
    ) {
        let (shallow, floor) = (site.id("shallow_water"), site.floor());
        for _ in 0..count {
            if self.left <= 0 {
                return;
            }
            for _ in 0..5 {
                let distance = site.ctx.rng.random2(radius + 1);
                let Some(p) = site.point_from(centre, distance, 6) else { continue };
                let here = site.feature(p);
                let suits = !site.level.monsters.contains_key(&p)
                    && !site.masked(p)
                    && (here == shallow || here == floor);
                if suits
                    && (here == preferred || site.ctx.rng.coinflip())
                    && !self.forbidden.contains(&p)
                {
                    place_plant(site, p, "plant");
                    self.left -= 1;
                    break;
                }
            }
        }
    }
}

/// Parts of the shallow water, none larger than a cluster of plants needs.
fn water_regions(site: &Site, shallow: FeatureId) -> Vec<Vec<Point>> {
    let suits = |p: Point| site.is(p, shallow) && !site.masked(p);
    let mut seen: HashSet<Point> = HashSet::new();
    let mut regions = Vec::new();
    for start in site.inner() {
        if !suits(start) || !seen.insert(start) {
            continue;
        }
        let mut region = vec![start];
        let mut next = 0;
        while next < region.len() && region.len() < *REGION.end() {
            let p = region[next];
            next += 1;
            for q in ADJACENT.map(|step| p.offset(step)) {
                if region.len() < *REGION.end() && suits(q) && seen.insert(q) {
                    region.push(q);
                }
            }
        }
        if REGION.contains(&region.len()) {
            regions.push(region);
        }
    }
    regions
}

/// The cell of a region closest to its centre of gravity.
fn middle(region: &[Point]) -> Point {
    let count = region.len() as i32;
    let x = region.iter().map(|p| p.x).sum::<i32>() / count;
    let y = region.iter().map(|p| p.y).sum::<i32>() / count;
    let distance = |p: &&Point| (p.x - x).pow(2) + (p.y - y).pow(2);
    // A region is never empty.
    region.iter().min_by_key(distance).copied().unwrap_or(Point::new(x, y))
}

/// The cells that the wind reaches, and those of vaults: from where it comes nothing solid may stand.
fn windy_cells(site: &mut Site) -> HashSet<Point> {
    let (cos, sin) = direction(site.ctx.rng.random2(360));
    let reached = |p: Point| {
        for step in 1..FARTHEST {
            let back = |part: f64| (f64::from(step) * part).round() as i32;
            let from = Point::new(p.x - back(cos), p.y - back(sin));
            match site.level.feature(from) {
                None => return true,
                Some(id) if site.flags_of(id).solid() => return false,
                Some(_) => {}
            }
        }
        true
    };
    site.inner().filter(|&p| site.masked(p) || reached(p)).collect()
}

fn next_to_wall(site: &Site, p: Point) -> bool {
    let walls = [site.rock_wall(), site.id("stone_wall")];
    ADJACENT.iter().any(|&step| walls.contains(&site.feature(p.offset(step))))
}
