//! What a change of terrain displaces from its cell (spec 07 §14.1 to §14.3).

use std::collections::HashSet;

use vaultwright_content::{Content, FeatureId};
use vaultwright_level::{Level, is_needed_item};
use vaultwright_map::{ADJACENT, CellTiles, Point};
use vaultwright_rng::Streams;

use crate::state::playing::PlayState;
use crate::state::world::World;

/// What a change of terrain moves away from the cell instead of destroying it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Keep {
    /// Whether a stair, altar or marker is moved to a nearby cell.
    pub feature: bool,
    /// Whether items are moved away.
    pub items: bool,
}

/// Removes the tile of the previous feature from a cell.
fn clear_feature_tile(level: &mut Level, p: Point) {
    let Some(tiles) = level.tiles.get_mut(&p) else { return };
    tiles.feature = None;
    if *tiles == CellTiles::default() {
        level.tiles.remove(&p);
    }
}

/// Moves a notable feature from one cell to another, with its markers and listeners.
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

/// What is on a level whose terrain changes, and the random draws that decide where it goes.
pub(crate) struct Ground<'a> {
    pub(crate) level: &'a mut Level,
    pub(crate) play: &'a mut PlayState,
    pub(crate) world: &'a mut dyn World,
    pub(crate) content: &'a Content,
    pub(crate) rng: &'a mut Streams,
}

/// The new places of what could not stay on a cell.
pub(crate) struct Displaced {
    /// The place of its feature, with the markers.
    pub(crate) feature: Option<Point>,
    /// The place of the player, who has yet to be moved there.
    pub(crate) player: Option<Point>,
}

/// Whether there may be listeners on a cell that takes something in.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Listening {
    Any,
    No,
}

/// From this number of cells on, a ring contains no cell twice.
const MAX_RING: usize = 100_000;

impl Ground<'_> {
    /// Changes the terrain of a cell and moves away what cannot stay (spec 07 §14.1, steps 2 to 8).
    /// Returns `None` if the cell already has this terrain. Sends no events.
    pub(crate) fn change(&mut self, p: Point, feature: FeatureId, keep: Keep) -> Option<Displaced> {
        let features = self.content.features();
        let old = self.level.feature(p).filter(|&old| old != feature)?;
        if features.get(old).name == "orb dais" {
            return None;
        }
        let flags = features.get(feature).flags;
        if flags.wall() && self.content.rules.walls_push {
            self.push_monster(p);
        } else if flags.wall() && self.world.monster_at(p).is_some() {
            return None;
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

    /// Moves each item on a cell that cannot hold it to the nearest cell that can (spec 07 §14.3).
    /// Returns where those of a level that is being built have gone.
    pub(crate) fn clear_items(&mut self, p: Point, keep: Keep) -> Vec<Point> {
        for item in self.world.items_at(p) {
            let stays = keep.items || self.world.needs_item(item);
            let to = if stays { self.nearest_for_items(p) } else { None };
            self.world.move_item(item, to);
        }
        // Items of a level that is being built are on the level itself.
        let items = self.level.items.remove(&p).unwrap_or_default();
        let mut gone_to = Vec::new();
        for item in items.into_iter().rev() {
            let stays = keep.items || is_needed_item(&item.spec);
            let to = if stays { self.nearest_for_items(p) } else { None };
            if let Some(to) = to {
                self.level.items.entry(to).or_default().push(item);
                gone_to.push(to);
            }
        }
        gone_to
    }

    fn holds_items(&self, p: Point) -> bool {
        self.level.feature(p).is_some_and(|id| {
            let flags = self.content.features().get(id).flags;
            flags.traversable()
                && (self.content.rules.doors_hold_items || !flags.closed_door())
                && !flags.lava()
        })
    }

    /// Returns whether items can pass a cell on their way to another.
    fn lets_items_pass(&self, p: Point) -> bool {
        self.level.feature(p).is_some_and(|id| {
            let flags = self.content.features().get(id).flags;
            !flags.solid() || (self.content.rules.doors_hold_items && flags.traversable())
        })
    }

    /// Returns the nearest cell for items that is not cut off by walls, if there is one.
    fn nearest_for_items(&mut self, p: Point) -> Option<Point> {
        let open = self.nearest(p, Ground::lets_items_pass, Ground::holds_items);
        open.or_else(|| self.nearest(p, |_, _| true, Ground::holds_items))
    }

    /// Returns the nearest free floor cell that is suitable.
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

    /// Returns the nearest suitable cell, ring by ring, each ring shuffled (spec 07 §14.2). The
    /// next ring consists of the cells that `passes` allows. A cell is in the next ring once for
    /// each cell that leads to it, and is expanded as often.
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
            // Far from every suitable cell, rings with repeated cells would grow without end.
            if next.len() > MAX_RING {
                next.sort_unstable();
                next.dedup();
            }
            ring = next;
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use vaultwright_content::{Edition, Rules};
    use vaultwright_level::{LevelItem, MarkerKind};

    use super::*;
    use crate::state::world::NoWorld;

    /// The running program (0.28) was asked where an item goes from a cell that becomes rock amid
    /// floor, with something around it, and which number below a million is drawn next.
    #[test]
    fn items_go_where_those_of_the_running_program_go() {
        type Draw = fn(i32, i32) -> Option<&'static str>;
        let around: Draw = |x, y| (x.abs().max(y.abs()) == 1).then_some("lava");
        let walled: Draw = |x, y| (x.abs().max(y.abs()) == 1).then_some("rock_wall");
        let doors: Draw = |x, y| (x.abs().max(y.abs()) == 1).then_some("closed_door");
        // A way of lava through thick walls.
        let way: Draw = |x, y| match (x, y) {
            (0, 0) => None,
            (-5..=-1, 0) => Some("lava"),
            _ => (x.abs().max(y.abs()) <= 2).then_some("rock_wall"),
        };
        let sealed: Draw = |x, y| match x.abs().max(y.abs()) {
            1 => Some("sealed_door"),
            2 => Some("rock_wall"),
            _ => None,
        };
        let asked: [(Draw, &[_]); 6] = [
            (|_, _| None, &[(41, 30, 433_433), (41, 31, 101_784), (41, 29, 329_476)]),
            (around, &[(42, 28, 810_848), (42, 30, 166_029), (39, 32, 341_113)]),
            (walled, &[(42, 28, 810_848), (42, 30, 166_029), (39, 32, 341_113)]),
            (way, &[(37, 31, 786_336), (37, 29, 137_991), (37, 29, 936_309)]),
            (doors, &[(41, 30, 433_433), (41, 31, 101_784), (41, 29, 329_476)]),
            (sealed, &[(37, 28, 997_602)]),
        ];
        let content = Content::new(Rules::of(Edition::V0_28));
        let features = content.features();
        let p = Point::new(40, 30);
        for (draw, ends) in asked {
            let mut level = Level::solid(&content);
            level.reset_open(features);
            for q in level.points().collect::<Vec<_>>() {
                if let Some(name) = draw(q.x - p.x, q.y - p.y) {
                    level.set_feature(q, features.by_name(name).expect("a feature"));
                }
            }
            level.set_feature(p, features.rock_wall());
            for (seed, (x, y, next)) in (1..).zip(ends) {
                let mut rng = Streams::from_seed(seed, 43);
                let mut ground = Ground {
                    level: &mut level,
                    play: &mut PlayState::default(),
                    world: &mut NoWorld,
                    content: &content,
                    rng: &mut rng,
                };
                let end = ground.nearest_for_items(p);
                let found = (end, rng.random2(1_000_000));
                assert_eq!(found, (Some(Point::new(*x, *y)), *next), "seed {seed}");
            }
        }
    }

    /// A game of 0.28 under way was asked where a stair with a marker goes that is written over
    /// amid floor, and which number below a million is drawn next.
    #[test]
    fn stairs_and_markers_go_where_those_of_the_running_program_go() {
        let content = Content::new(Rules::of(Edition::V0_28));
        let features = content.features();
        let named = |name: &str| features.by_name(name).expect("a feature");
        let (stairs, water) = (named("stone_stairs_down_ii"), named("shallow_water"));
        let p = Point::new(40, 30);
        for (seed, x, y, next) in [(1, 41, 30, 433_433), (2, 41, 31, 101_784), (3, 41, 29, 329_476)]
        {
            let (mut level, mut rng) = (Level::solid(&content), Streams::from_seed(seed, 43));
            level.reset_open(features);
            level.set_feature(p, stairs);
            let marker = level.markers.add(p, MarkerKind::Lua(0));
            let displaced = Ground {
                level: &mut level,
                play: &mut PlayState::default(),
                world: &mut NoWorld,
                content: &content,
                rng: &mut rng,
            }
            .change(p, water, Keep { feature: true, items: false });
            let to = Point::new(x, y);
            assert_eq!(displaced.and_then(|displaced| displaced.feature), Some(to));
            assert_eq!([level.feature(p), level.feature(to)], [Some(water), Some(stairs)]);
            assert_eq!(level.markers.get(marker).map(|marker| marker.at), Some(to));
            assert_eq!(rng.random2(1_000_000), next, "seed {seed}");
        }
    }

    #[test]
    fn what_a_game_needs_is_not_destroyed_while_a_level_is_made() {
        let content = Content::new(Rules::of(Edition::V0_28));
        let features = content.features();
        let (mut level, p) = (Level::solid(&content), Point::new(40, 30));
        level.reset_open(features);
        let item = |spec: &str| LevelItem { spec: spec.to_owned(), ..LevelItem::default() };
        level.items.insert(p, ["dagger", "slimy rune of Zot"].map(item).into());
        Ground {
            level: &mut level,
            play: &mut PlayState::default(),
            world: &mut NoWorld,
            content: &content,
            rng: &mut Streams::from_seed(1, 43),
        }
        .change(p, features.rock_wall(), Keep { feature: false, items: false });
        let left: Vec<&str> = level.items.values().flatten().map(|item| &*item.spec).collect();
        assert_eq!((left, level.items.contains_key(&p)), (vec!["slimy rune of Zot"], false));
    }
}
