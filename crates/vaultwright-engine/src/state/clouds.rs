//! Clouds (spec 07 §16).

use std::collections::{BTreeMap, HashSet};

use serde::{Deserialize, Serialize};
use vaultwright_content::{CloudKindId, Content, Features};
use vaultwright_level::Level;
use vaultwright_map::{ADJACENT, Context, Point};

/// A cloud on a cell.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cloud {
    /// Its kind.
    pub kind: CloudKindId,
    /// The remaining ticks.
    pub life: i32,
    /// The probability that it spreads, in percent.
    pub spread: i32,
}

/// The clouds of a level, by column.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Clouds(pub(crate) BTreeMap<Point, Cloud>);

/// A cloud over an area, as requested.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AreaCloud {
    pub(crate) kind: CloudKindId,
    pub(crate) power: (i32, i32),
    pub(crate) rolls: i32,
    pub(crate) size: i32,
    /// `None`: the default of the kind.
    pub(crate) spread: Option<i32>,
}

impl Clouds {
    /// Places a cloud that lives for `power` turns, unless the cell rejects it (spec 07 §16.2).
    pub(crate) fn place(
        &mut self,
        level: &Level,
        content: &Content,
        p: Point,
        kind: CloudKindId,
        power: i32,
        spread: Option<i32>,
    ) -> bool {
        if !level.in_bounds(p) || is_solid(level, content.features(), p) {
            return false;
        }
        let of_kind = &content.play().clouds[kind.0];
        if of_kind.name == "ink" && !is_water(level, content.features(), p) {
            return false;
        }
        if let Some(old) = self.0.get(&p) {
            let same = old.kind == kind && old.life <= power.saturating_mul(10);
            if !same && !is_weaker(content, old, kind) {
                return false;
            }
        }
        let spread = spread.unwrap_or(of_kind.spread);
        self.0.insert(p, Cloud { kind, life: power.saturating_mul(10), spread });
        true
    }

    /// Spreads clouds over an area, from the middle outwards (spec 07 §16.3). Returns the cells
    /// for which one was drawn, also those that have rejected it.
    pub(crate) fn lay(
        &mut self,
        level: &Level,
        centre: Point,
        area: &AreaCloud,
        in_sight: impl Fn(Point) -> bool,
        ctx: &mut Context,
    ) -> Vec<Point> {
        let content = ctx.content;
        if is_solid(level, content.features(), centre) {
            return Vec::new();
        }
        let keeps_to_sight = content.rules.area_clouds_stay_in_sight;
        let mut seen = HashSet::from([centre]);
        let mut rings = vec![vec![centre]];
        let mut cells = 0;
        while let Some(ring) = rings.last().cloned() {
            cells += ring.len() as i32;
            if ring.is_empty() || cells >= area.size {
                break;
            }
            let mut next = Vec::new();
            for p in ring {
                for q in ADJACENT.map(|step| p.offset(step)) {
                    let open = level.in_bounds(q) && !is_solid(level, content.features(), q);
                    let free = match keeps_to_sight {
                        true => in_sight(q),
                        false => self.0.get(&q).is_none_or(|c| is_weaker(content, c, area.kind)),
                    };
                    if open && free && seen.insert(q) {
                        next.push(q);
                    }
                }
            }
            rings.push(next);
        }
        let mut laid = Vec::new();
        for ring in &mut rings {
            while !ring.is_empty() && (laid.len() as i32) < area.size {
                let index = ctx.rng.random2(ring.len() as i32) as usize;
                let p = ring.swap_remove(index);
                let power = ctx.rng.random_range_avg(area.power.0, area.power.1, area.rolls);
                self.place(level, content, p, area.kind, power, area.spread);
                laid.push(p);
            }
        }
        laid
    }

    /// Ages the clouds and spreads them (spec 07 §16.5). Returns the cells where rain has left
    /// a puddle, with its ticks.
    pub(crate) fn decay(
        &mut self,
        level: &Level,
        ticks: i32,
        ctx: &mut Context,
    ) -> Vec<(Point, i32)> {
        let (content, mut puddles) = (ctx.content, Vec::new());
        let features = content.features();
        let kinds = &content.play().clouds;
        let cells: Vec<Point> = self.0.keys().copied().collect();
        for p in cells {
            let Some(mut cloud) = self.0.get(&p).cloned() else { continue };
            let name = kinds[cloud.kind.0].name.as_str();
            if matches!(name, "flame" | "spreading flames") {
                self.make_steam(level, p, ctx);
            }
            cloud.life = cloud.life.saturating_sub(ticks);
            if name == "ink" && !is_water(level, features, p) {
                cloud.life = 0;
            }
            // Fire spreads from tree to tree; that is left to the game.
            if name != "spreading flames" && ctx.rng.x_chance_in_y(cloud.spread, 100) {
                self.spread(level, p, &mut cloud, ctx);
            }
            if cloud.life >= 1 {
                self.0.insert(p, cloud);
                continue;
            }
            self.0.remove(&p);
            puddles.extend(self.puddle(level, p, name, ctx));
        }
        puddles
    }

    /// Removes the cloud of a cell. Returns its kind, and the puddle that it leaves, if any.
    pub(crate) fn remove(
        &mut self,
        level: &Level,
        p: Point,
        ctx: &mut Context,
    ) -> Option<(CloudKindId, Option<(Point, i32)>)> {
        let kind = self.0.remove(&p)?.kind;
        let name = &ctx.content.play().clouds[kind.0].name;
        Some((kind, self.puddle(level, p, name, ctx)))
    }

    /// Removes all clouds, as happens when a level is left.
    pub(crate) fn clear(&mut self, level: &Level, ctx: &mut Context) -> Vec<(Point, i32)> {
        let kinds = &ctx.content.play().clouds;
        let gone = std::mem::take(&mut self.0);
        let puddles =
            gone.iter().filter_map(|(&p, c)| self.puddle(level, p, &kinds[c.kind.0].name, ctx));
        puddles.collect()
    }

    fn puddle(
        &self,
        level: &Level,
        p: Point,
        kind: &str,
        ctx: &mut Context,
    ) -> Option<(Point, i32)> {
        let on_floor = level.feature(p) == Some(ctx.content.features().floor());
        if kind != "rain" || !on_floor || !ctx.rng.one_chance_in(5) {
            return None;
        }
        Some((p, ctx.rng.random_range(500, 1000)))
    }

    fn make_steam(&mut self, level: &Level, p: Point, ctx: &mut Context) {
        let content = ctx.content;
        let Some(steam) = content.play().cloud("steam") else { return };
        for q in ADJACENT.map(|step| p.offset(step)) {
            let wet = is_water(level, content.features(), q);
            if wet && !self.0.contains_key(&q) && level.in_bounds(q) && ctx.rng.one_chance_in(14) {
                let life = 2 + ctx.rng.random2(5);
                self.0.insert(q, Cloud { kind: steam, life, spread: 11 });
            }
        }
    }

    fn spread(&mut self, level: &Level, p: Point, cloud: &mut Cloud, ctx: &mut Context) {
        let features = ctx.content.features();
        let only_on_water = ctx.content.play().clouds[cloud.kind.0].name == "ink";
        cloud.spread -= ctx.rng.div_rand_round(cloud.spread, 10);
        let chance = match cloud.life {
            31.. => 80,
            21.. => 50,
            _ => 30,
        };
        let mut copies = 0;
        for q in ADJACENT.map(|step| p.offset(step)) {
            if ctx.rng.random2(100) < chance
                && level.in_bounds(q)
                && !self.0.contains_key(&q)
                && !is_solid(level, features, q)
                && (!only_on_water || is_water(level, features, q))
            {
                let life = (cloud.life / 2 + 1).min(cloud.life.saturating_sub(1));
                self.0.insert(q, Cloud { life, ..cloud.clone() });
                copies += 1;
            }
        }
        cloud.life = cloud.life.saturating_sub(8 * copies);
    }
}

/// Returns whether an old cloud is replaced by a new one of a kind.
fn is_weaker(content: &Content, old: &Cloud, new: CloudKindId) -> bool {
    let kinds = &content.play().clouds;
    let (of_old, of_new) = (&kinds[old.kind.0], &kinds[new.0]);
    // Opaque clouds are only replaced by opaque ones, as was observed in 0.28.
    (!of_old.harmful && (!of_old.opaque || of_new.opaque))
        || of_old.name == "steam"
        || of_new.name == "whirling frost"
}

fn is_solid(level: &Level, features: &Features, p: Point) -> bool {
    level.feature(p).is_none_or(|id| features.get(id).flags.solid())
}

/// Returns whether a cell is water, deep or shallow.
pub(crate) fn is_water(level: &Level, features: &Features, p: Point) -> bool {
    level.feature(p).is_some_and(|id| features.get(id).flags.water())
}

#[cfg(test)]
mod tests {
    use vaultwright_content::{Edition, Rules};
    use vaultwright_map::{Dungeon, LevelPlace};
    use vaultwright_rng::Streams;

    use super::*;

    /// Runs something on a level of floor with the draws of a seed, as 0.28 was asked. Returns what
    /// it gives, and the number below a million that is drawn next.
    fn asked<R>(seed: u64, run: impl FnOnce(&mut Level, &mut Context) -> R) -> (R, i32) {
        let content = Content::new(Rules::of(Edition::V0_28));
        let dungeon = Dungeon::standard(content.branches());
        let mut level = Level::solid(&content);
        for p in level.points().filter(|p| p.is_within(level.size(), 1)).collect::<Vec<_>>() {
            level.set_feature(p, content.features().floor());
        }
        let mut rng = Streams::from_seed(seed, 43);
        let mut ctx = Context::new(&content, &mut rng, LevelPlace::START, &dungeon);
        let result = run(&mut level, &mut ctx);
        (result, ctx.rng.random2(1_000_000))
    }

    #[test]
    fn clouds_draw_as_those_of_the_running_program_do() {
        let kind = |ctx: &Context, name: &str| ctx.content.play().cloud(name).expect("a kind");
        let area = |power, rolls| {
            move |level: &mut Level, ctx: &mut Context| {
                let kind = kind(ctx, "thin mist");
                let area = AreaCloud { kind, power, rolls, size: 4, spread: None };
                Clouds::default().lay(level, Point::new(40, 30), &area, |_| false, ctx).len()
            }
        };
        // Nobody sees any cell, so there is one cloud.
        for (seed, next) in [(1, 212_896), (2, 225_404), (3, 560_267)] {
            assert_eq!(asked(seed, area((1, 5), 3)), (1, next));
        }
        assert_eq!(asked(1, area((2, 2), 1)), (1, 512_784));
        assert_eq!(asked(1, area((2, 2), 2)), (1, 110_670));
        // A puddle is drawn for rain, whoever takes it away.
        let removed = |name: &'static str| {
            move |level: &mut Level, ctx: &mut Context| {
                let (p, kind) = (Point::new(40, 30), kind(ctx, name));
                let mut clouds = Clouds::default();
                assert!(clouds.place(level, ctx.content, p, kind, 3, None));
                clouds.remove(level, p, ctx).expect("a cloud").1
            }
        };
        assert_eq!(asked(1, removed("rain")), (None, 110_670));
        assert_eq!(asked(2, removed("rain")), (None, 506_218));
        assert_eq!(asked(1, removed("flame")), (None, 512_784));
    }
}
