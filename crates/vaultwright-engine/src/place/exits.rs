//! Exits of vaults and how they are joined to the level (spec 04 §9).

use vaultwright_level::{Level, edge_cells, mask};
use vaultwright_map::{ADJACENT, Context, MapDef, ORTHOGONAL, Point};

use super::path::{find_target, join_the_dots};
use super::shoals_exits::connect_in_shoals;
use crate::state::site::Site;

/// Picks exits for a map that marks none.
pub(crate) fn pick_exits(level: &Level, map: &MapDef, at: Point, ctx: &mut Context) -> Vec<Point> {
    let features = ctx.content.features();
    let mut candidates: Vec<Point> = edge_cells(&map.grid)
        .map(|cell| cell.offset((at.x, at.y)))
        .filter(|&p| {
            level.feature(p).is_some_and(|id| {
                let flags = features.get(id).flags;
                !flags.solid() || flags.closed_door() || (flags.door() && flags.sealed())
            })
        })
        .collect();
    let count = match candidates.len() {
        few @ 0..6 => few,
        many => (many / 8 + 1).min(10),
    };
    let mut picked = Vec::with_capacity(count);
    for _ in 0..count {
        let index = ctx.rng.random2(candidates.len() as i32) as usize;
        picked.push(candidates.remove(index));
    }
    picked
}

/// Joins one exit to the level, in the way of the branch.
pub(crate) fn connect(site: &mut Site, exit: Point) -> bool {
    let branch = site.ctx.content.branches().get(site.ctx.place.branch);
    let spotty = branch.is_some_and(|branch| branch.flags.iter().any(|flag| flag == "spotty"));
    let how = if spotty && connect_spotty(site.level, exit, site.ctx) {
        Some("spotty".to_owned())
    } else if site.traits().sea && connect_in_shoals(site, exit) {
        Some("shoals".to_owned())
    } else {
        find_target(site.level, exit, site.ctx)
            .filter(|&target| join_the_dots(site.level, exit, target, site.ctx))
            .map(|target| format!("corridor target={},{}", target.x, target.y))
    };
    site.note("exit", |_| {
        format!("{},{} {}", exit.x, exit.y, how.as_deref().unwrap_or("unconnected"))
    });
    how.is_some()
}

/// Digs an irregular passage (spec 05 §12.4).
fn connect_spotty(level: &mut Level, from: Point, ctx: &mut Context) -> bool {
    let features = ctx.content.features();
    let floor = features.floor();
    let free = |level: &Level, p: Point| level.mask(p) & mask::VAULT == 0;
    let size = level.size();
    let inside = |p: Point| p.is_within(size, 4);
    let mut flat = SortedCells::default();
    let mut border = SortedCells::default();
    for p in ADJACENT.map(|step| from.offset(step)) {
        if free(level, p) && inside(p) {
            border.insert(p);
        }
    }
    let mut success = false;
    while !success && !border.0.is_empty() {
        let index = ctx.rng.random2(border.0.len() as i32) as usize;
        let current = border.0.remove(index);
        flat.insert(current);
        for p in ORTHOGONAL.map(|step| current.offset(step)) {
            let Some(id) = level.feature(p).filter(|_| free(level, p)) else { continue };
            if id == floor {
                success = true;
            }
            let flags = features.get(id).flags;
            let diggable =
                flags.water() || flags.tree() || flags.lava() || flags.wall() || id == floor;
            if !diggable || !flat.insert(p) {
                continue;
            }
            for q in ADJACENT.map(|step| p.offset(step)) {
                if free(level, q) && inside(q) && !flat.contains(q) {
                    border.insert(q);
                }
            }
        }
    }
    if !success {
        return false;
    }
    let swamp = ctx.content.branches().traits(ctx.place.branch).swamp;
    let shallow = features.known().shallow_water;
    for p in flat.0 {
        let wet = swamp && ctx.rng.one_chance_in(3);
        level.set_feature(p, if wet { shallow } else { floor });
        if level.heights.is_some() {
            level.set_height(p, 0);
        }
    }
    true
}

/// A set of cells in their order: few, of which any is asked for by its place.
#[derive(Default)]
struct SortedCells(Vec<Point>);

impl SortedCells {
    fn contains(&self, p: Point) -> bool {
        self.0.binary_search(&p).is_ok()
    }

    /// Adds a cell. Returns whether it is new.
    fn insert(&mut self, p: Point) -> bool {
        let place = self.0.binary_search(&p);
        if let Err(at) = place {
            self.0.insert(at, p);
        }
        place.is_err()
    }
}
