//! The plants of the Shoals, in clusters in shallow water and in the lee of walls (spec 05 §13.8).

use std::collections::{HashSet, VecDeque};

use vaultwright_content::{FeatureId, LevelSize};
use vaultwright_map::{ADJACENT, Point};

use super::ruination::place_plant;
use crate::state::site::{Site, direction};

/// Most plants of a level.
const MAX_PLANTS: i32 = 180;
/// A region of water is cut off at so many cells, and counts from so many on.
const REGION: std::ops::RangeInclusive<usize> = 6..=9;
/// Wind does not come from edges along which it blows.
const CALM: f64 = 1e-5;

/// Draws how many clusters there are, in water and in the lee.
pub(crate) fn wanted_clusters(site: &mut Site) -> (i32, i32) {
    let water = site.ctx.rng.random_range_avg(-1, 6, 2).max(0);
    (water, site.ctx.rng.random_range_avg(-2, 2, 2).max(0))
}

/// Places the clusters.
pub(crate) fn grow_plants(site: &mut Site, (water, lee): (i32, i32)) {
    let mut plants = Plants { left: MAX_PLANTS, forbidden: HashSet::new() };
    let (shallow, floor) = (site.known().shallow_water, site.floor());
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
        let (shallow, floor) = (site.known().shallow_water, site.floor());
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

/// Returns the shallow water in parts, none larger than a cluster of plants needs.
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

/// Returns the cell of a region closest to its centre of gravity, which is a running mean, cut to
/// whole numbers.
fn middle(region: &[Point]) -> Point {
    let (mut x, mut y) = (0.0, 0.0);
    for (before, p) in region.iter().enumerate() {
        let before = before as f64;
        x = (x * before + f64::from(p.x)) / (before + 1.0);
        y = (y * before + f64::from(p.y)) / (before + 1.0);
    }
    let centre = cell_of((x, y));
    let distance = |p: &&Point| (p.x - centre.x).pow(2) + (p.y - centre.y).pow(2);
    // A region is never empty.
    region.iter().min_by_key(distance).copied().unwrap_or(centre)
}

/// Returns the cells that the wind reaches from the edges it comes from, and those of vaults. Its
/// rays end at what is solid, and at cells that are windy already.
fn windy_cells(site: &mut Site) -> HashSet<Point> {
    let wind = direction(site.ctx.rng.random2(360));
    let mut windy = blow(wind, site.level.size(), |p| site.flags(p).solid());
    windy.extend(site.inner().filter(|&p| site.masked(p)));
    windy
}

/// Returns where wind of a direction comes to.
fn blow(wind: (f64, f64), size: LevelSize, is_solid: impl Fn(Point) -> bool) -> HashSet<Point> {
    let mut points: VecDeque<(f64, f64)> = VecDeque::new();
    let (right, bottom) = (size.width() - 2, size.height() - 2);
    if wind.0.abs() > CALM {
        let x = if wind.0 > 0.0 { 1.0 } else { f64::from(right) };
        points.extend((1..=bottom).map(|y| (x, f64::from(y))));
    }
    if wind.1.abs() > CALM {
        let y = if wind.1 > 0.0 { 1.0 } else { f64::from(bottom) };
        points.extend((1..=right).map(|x| (f64::from(x), y)));
    }
    let mut windy = HashSet::new();
    while let Some((x, y)) = points.pop_front() {
        let cell = cell_of((x, y));
        windy.insert(cell);
        let mut next = (x + wind.0, y + wind.1);
        while cell_of(next) == cell {
            next = (next.0 + wind.0, next.1 + wind.1);
        }
        let reached = cell_of(next);
        if reached.is_within(size, 1) && !is_solid(reached) && windy.insert(reached) {
            points.push_back(next);
        }
    }
    windy
}

/// Returns the cell of a point in the plane.
fn cell_of((x, y): (f64, f64)) -> Point {
    Point::new(x as i32, y as i32)
}

fn next_to_wall(site: &Site, p: Point) -> bool {
    let walls = [site.rock_wall(), site.known().stone_wall];
    ADJACENT.iter().any(|&step| walls.contains(&site.feature(p.offset(step))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_centre_of_gravity_is_a_running_mean() {
        let row = |cells: &[i32]| cells.iter().map(|&x| Point::new(x, 5)).collect::<Vec<_>>();
        assert_eq!(middle(&row(&[10, 11, 12, 13, 14])), Point::new(12, 5));
        // The first of two cells that are equally near.
        assert_eq!(middle(&row(&[14, 10, 14, 10])), Point::new(14, 5));
        // Taken together these are 36 on average; taken one after the other a little less.
        let cells = [30, 31, 41, 42, 35, 37, 36];
        let summed = cells.iter().sum::<i32>() / 7;
        let running = cells
            .iter()
            .enumerate()
            .fold(0.0, |mean, (n, &x)| (mean * n as f64 + f64::from(x)) / (n as f64 + 1.0));
        assert_eq!((summed, running as i32), (36, 36));
    }

    const SIZE: LevelSize = LevelSize::CRAWL;

    #[test]
    fn wind_stops_at_walls_and_leaves_a_lee() {
        let wall = |p: Point| p.x == 40 && (20..=30).contains(&p.y);
        let windy = blow((1.0, 0.0), SIZE, wall);
        assert!(windy.contains(&Point::new(39, 25)) && windy.contains(&Point::new(78, 19)));
        assert!(!windy.contains(&Point::new(40, 25)) && !windy.contains(&Point::new(60, 25)));
        // Along the axes a level without walls is windy all over. Elsewhere rays that meet the cell
        // of another one end, so that much stays calm.
        for (direction, cells) in [((1.0, 0.0), 78 * 68), ((0.0, -1.0), 78 * 68)] {
            let windy = blow(direction, SIZE, |_| false);
            assert_eq!(windy.iter().filter(|&&p| p.is_within(SIZE, 1)).count(), cells);
        }
    }
}
