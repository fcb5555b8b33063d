//! What a change of terrain moves away from its cell (spec 07 §14.1 to §14.3).

use std::collections::HashSet;

use vaultwright_content::{Content, FeatureId};
use vaultwright_level::{Level, is_needed_item};
use vaultwright_map::{ADJACENT, CellTiles, Point};
use vaultwright_rng::Streams;

use crate::state::playing::PlayState;
use crate::state::world::World;

/// The things that a change of terrain moves away from the cell in place of destroying them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Keep {
    /// A stair, altar or marker is moved to a cell nearby.
    pub feature: bool,
    /// Items are moved away rather than destroyed.
    pub items: bool,
}

/// Takes from a cell the tile of its feature, which is another now.
fn clear_feature_tile(level: &mut Level, p: Point) {
    let Some(tiles) = level.tiles.get_mut(&p) else { return };
    tiles.feature = None;
    if *tiles == CellTiles::default() {
        level.tiles.remove(&p);
    }
}

/// Moves what is notable on a cell, with its markers and who listens there, to another.
fn shift_feature(
    level: &mut Level,
    play: &mut PlayState,
    from: Point,
    to: Point,
    feature: FeatureId,
) {
    level.set_feature(to, feature);
    let (mask, properties) = (level.mask(from), level.properties(from));
    level.change_mask(to, 0, !0);
    level.change_mask(to, mask, 0);
    level.change_properties(to, 0, !0);
    level.change_properties(to, properties, 0);
    level.move_furnishing(from, to);
    level.markers.move_all(from, to);
    play.listeners.move_cell(from, to);
    if let Some(cloud) = play.clouds.0.remove(&from) {
        play.clouds.0.insert(to, cloud);
    }
}

/// What stands and lies on a level whose terrain changes, and what draws where it goes.
pub(crate) struct Ground<'a> {
    pub(crate) level: &'a mut Level,
    pub(crate) play: &'a mut PlayState,
    pub(crate) world: &'a mut dyn World,
    pub(crate) content: &'a Content,
    pub(crate) rng: &'a mut Streams,
}

/// Where that is which could not stay on a cell.
pub(crate) struct Displaced {
    /// Its feature, with the markers.
    pub(crate) feature: Option<Point>,
    /// The player, who is yet to be moved there.
    pub(crate) player: Option<Point>,
}

/// Whether somebody may listen on a cell that takes something in.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Listening {
    Any,
    No,
}

/// From so many cells on, no cell is in a ring twice.
const LARGEST_RING: usize = 100_000;

impl Ground<'_> {
    /// Changes the terrain of a cell and moves away what cannot stay (spec 07 §14.1, steps 2 to 8);
    /// `None` if the cell is so already. Nobody is told.
    pub(crate) fn change(&mut self, p: Point, feature: FeatureId, keep: Keep) -> Option<Displaced> {
        let features = self.content.features();
        let old = self.level.feature(p).filter(|&old| old != feature)?;
        if features.get(old).name == "orb dais" {
            return None;
        }
        let flags = features.get(feature).flags;
        if flags.wall() {
            self.push_monster(p);
        }
        let mut moved = None;
        let marked = self.level.markers.at(p).next().is_some();
        if keep.feature && (features.get(old).flags.critical() || marked) {
            moved = self.free_floor_near(p, Listening::No);
        }
        if let Some(to) = moved {
            shift_feature(self.level, self.play, p, to, old);
        }
        self.level.set_feature(p, feature);
        clear_feature_tile(self.level, p);
        self.level.sight.forget_around(p);
        if flags.solid() || flags.lava() {
            self.clear_items(p, keep);
        }
        let in_the_way = self.play.live && flags.solid() && self.world.player() == p;
        let player = if in_the_way { self.free_floor_near(p, Listening::Any) } else { None };
        Some(Displaced { feature: moved, player })
    }

    fn push_monster(&mut self, p: Point) {
        let Some(monster) = self.world.monster_at(p) else { return };
        if let Some(to) = self.free_floor_near(p, Listening::Any) {
            self.world.move_monster(monster, to);
        }
    }

    /// Items on a cell that cannot hold them, each to the nearest that can (spec 07 §14.3).
    fn clear_items(&mut self, p: Point, keep: Keep) {
        for item in self.world.items_at(p) {
            let stays = keep.items || self.world.needs_item(item);
            let to = if stays { self.nearest_for_items(p) } else { None };
            self.world.move_item(item, to);
        }
        // Those of a level that is being made lie on the level itself.
        let items = self.level.items.remove(&p).unwrap_or_default();
        for item in items.into_iter().rev() {
            let stays = keep.items || is_needed_item(&item.spec);
            let to = if stays { self.nearest_for_items(p) } else { None };
            if let Some(to) = to {
                self.level.items.entry(to).or_default().push(item);
            }
        }
    }

    fn holds_items(&self, p: Point) -> bool {
        self.level.feature(p).is_some_and(|id| {
            let flags = self.content.features().get(id).flags;
            flags.traversable()
                && (self.content.rules.doors_hold_items || !flags.closed_door())
                && !flags.lava()
        })
    }

    /// Returns whether items get past a cell on their way to another.
    fn lets_items_pass(&self, p: Point) -> bool {
        self.level.feature(p).is_some_and(|id| {
            let flags = self.content.features().get(id).flags;
            !flags.solid() || (self.content.rules.doors_hold_items && flags.traversable())
        })
    }

    /// Returns the nearest cell for items: one to which no wall bars the way, if there is any.
    fn nearest_for_items(&mut self, p: Point) -> Option<Point> {
        let open = self.nearest(p, Ground::lets_items_pass, Ground::holds_items);
        open.or_else(|| self.nearest(p, |_, _| true, Ground::holds_items))
    }

    /// Returns the nearest free floor that suits.
    fn free_floor_near(&mut self, p: Point, listening: Listening) -> Option<Point> {
        let anywhere = |_: &Self, _| true;
        self.nearest(p, anywhere, |ground, q| {
            ground.level.feature(q) == Some(ground.content.features().floor())
                && ground.world.monster_at(q).is_none()
                && ground.world.player() != q
                && !ground.level.monsters.contains_key(&q)
                && (listening == Listening::Any || !ground.play.listeners.cells.contains_key(&q))
        })
    }

    /// Returns the nearest cell that suits, ring by ring, each ring shuffled (spec 07 §14.2); from
    /// a ring to the next go those cells through which `passes` lets it. As many cells as lead to
    /// one, as often it is in the next ring, and leads on again.
    fn nearest(
        &mut self,
        from: Point,
        passes: impl Fn(&Self, Point) -> bool,
        suits: impl Fn(&Self, Point) -> bool,
    ) -> Option<Point> {
        let mut seen = HashSet::new();
        let mut ring = vec![from];
        while !ring.is_empty() {
            self.rng.shuffle(&mut ring);
            let mut next = Vec::new();
            for p in ring {
                if p != from && suits(self, p) {
                    return Some(p);
                }
                seen.insert(p);
                let around = ADJACENT.map(|step| p.offset(step)).into_iter();
                let new = |&q: &Point| self.level.in_bounds(q) && !seen.contains(&q);
                next.extend(around.filter(new).filter(|&q| passes(self, q)));
            }
            // Far from every cell that suits, rings of a cell many times over have no end.
            if next.len() > LARGEST_RING {
                next.sort_unstable();
                next.dedup();
            }
            ring = next;
        }
        None
    }
}
