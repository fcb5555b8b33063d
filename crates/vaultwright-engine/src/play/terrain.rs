//! Changing the terrain of a level in play (spec 07 §14).

use std::sync::Arc;

use vaultwright_content::{Content, FeatureId};
use vaultwright_level::{Level, MarkerKind, TerrainCause, TerrainChange, mask};
use vaultwright_lua::mlua::Lua;
use vaultwright_map::{Context, Point};

use super::dispatch::raise;
use super::displacing::{Displaced, Ground, Keep};
use crate::state::host::Host;
use vaultwright_level::{Event, EventKind};

/// Returns what a cell of a finished level becomes where a feature is asked for: where no trap is
/// yet, there may be nothing to tell what a new one does.
pub(crate) fn as_changed(
    level: &Level,
    content: &Content,
    p: Point,
    feature: FeatureId,
) -> FeatureId {
    let features = content.features();
    let is_trap = |id: FeatureId| features.get(id).flags.trap();
    let is_new = is_trap(feature) && !level.feature(p).is_some_and(is_trap);
    if content.rules.traps_need_data && is_new { features.floor() } else { feature }
}

/// Changes the terrain of a cell (spec 07 §14.1). While a level is only
/// being made, neither markers nor the world are told.
pub(crate) fn change_terrain(lua: &Lua, host: &mut Host, p: Point, feature: FeatureId, keep: Keep) {
    if !is_temporary(&host.level, p) {
        host.level.change_mask(p, 0, mask::MIMIC);
    }
    write_terrain(lua, host, p, feature, keep);
}

fn write_terrain(lua: &Lua, host: &mut Host, p: Point, feature: FeatureId, keep: Keep) {
    let content = Arc::clone(&host.content);
    let world = host.world();
    let displaced = Ground {
        level: &mut host.level,
        play: &mut host.play,
        world: &mut *world.borrow_mut(),
        content: &content,
        rng: &mut host.game.streams,
    }
    .change(p, feature, keep);
    let Some(Displaced { feature: moved, player }) = displaced else { return };
    if let Some(to) = moved {
        host.note_change(|| format!("markers move from {},{} to {},{}", p.x, p.y, to.x, to.y));
    }
    let features = content.features();
    host.note_change(|| format!("{},{} becomes {}", p.x, p.y, features.get(feature).name));
    if !host.is_live() {
        return;
    }
    if let Some(to) = player {
        move_player(lua, host, to);
    }
    signal_change(lua, host, p);
}

/// Moves the player, as the level itself does.
pub(crate) fn move_player(lua: &Lua, host: &mut Host, to: Point) {
    host.world().borrow_mut().move_player(to);
    let ticks = host.play.time_taken;
    raise(lua, host, Event::at(EventKind::PlayerMove, to, ticks));
    host.look();
}

/// Tells that the terrain of a cell is other than it was: clouds, events, sight (spec 07 §14.1 step
/// 9).
pub(crate) fn signal_change(lua: &Lua, host: &mut Host, p: Point) {
    if host.is_solid(p) {
        host.play.clouds.0.remove(&p);
    }
    let ticks = host.play.time_taken;
    raise(lua, host, Event::at(EventKind::FeatChange, p, ticks));
    host.look();
}

/// Returns a walk of some steps, each to a random open neighbour or none (spec 07 §16.4).
pub(crate) fn random_walk(level: &Level, mut p: Point, steps: i32, ctx: &mut Context) -> Point {
    let features = ctx.content.features();
    for _ in 0..steps {
        let (mut count, mut chosen) = (0, None);
        for q in vaultwright_map::COMPASS.map(|step| p.offset(step)) {
            let open = level.feature(q).is_some_and(|id| !features.get(id).flags.solid());
            if level.in_bounds(q) && open {
                count += 1;
                if ctx.rng.one_chance_in(count) {
                    chosen = Some(q);
                }
            }
        }
        let Some(next) = chosen else { break };
        if !ctx.rng.one_chance_in(count + 1) {
            p = next;
        }
    }
    p
}

/// Returns whether the terrain of a cell is going to end.
pub(crate) fn is_temporary(level: &Level, p: Point) -> bool {
    level.markers.at(p).any(|marker| matches!(marker.kind, MarkerKind::Terrain(_)))
}

const APPLY: Keep = Keep { feature: false, items: true };

/// Terrain that a cell has for a time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Temporary {
    pub(crate) feature: FeatureId,
    /// In ticks.
    pub(crate) duration: i32,
    pub(crate) cause: TerrainCause,
    /// The monster it goes with; 0 for none.
    pub(crate) owner: u32,
}

/// Changes the terrain of a cell for a time (spec 07 §14.4).
pub(crate) fn set_temporary(lua: &Lua, host: &mut Host, p: Point, terrain: Temporary) {
    let features = host.content.features();
    let Some(current) = host.level.feature(p) else { return };
    let wall = features.get(terrain.feature).flags.wall();
    if wall && !host.content.rules.walls_push && host.world().borrow().monster_at(p).is_some() {
        return;
    }
    if features.get(current).name != "orb dais" && note_temporary(&mut host.level, p, terrain) {
        write_terrain(lua, host, p, terrain.feature, APPLY);
    }
}

/// Notes on the level that terrain of a cell is going to end. Returns false if there is nothing to
/// note.
fn note_temporary(level: &mut Level, p: Point, terrain: Temporary) -> bool {
    let Temporary { feature: new, duration, cause, owner } = terrain;
    let Some(current) = level.feature(p) else { return false };
    let mut old = current;
    let ids: Vec<u32> = level.markers.at(p).map(|marker| marker.id).collect();
    let mut extended = false;
    for id in ids {
        let Some(MarkerKind::Terrain(change)) = level.markers.kind_mut(id) else { continue };
        if change.cause != cause {
            old = change.old;
            continue;
        }
        if change.new != new || duration > change.duration {
            (change.new, change.duration, change.owner) = (new, duration, owner);
        }
        extended = true;
        break;
    }
    if !extended {
        if current == new && new == old {
            return false;
        }
        let colour = level.colours.get(&p).cloned();
        let change = TerrainChange { old, new, duration, cause, owner, colour };
        level.markers.add(p, MarkerKind::Terrain(change));
    }
    true
}

/// Ends temporary terrain of a cell, of one cause or of all. Returns whether there was any.
pub(crate) fn end_temporary(
    lua: &Lua,
    host: &mut Host,
    p: Point,
    cause: Option<TerrainCause>,
) -> bool {
    let Some(ended) = take_temporary(&mut host.level, p, cause) else { return false };
    let features = host.content.features();
    let name = |id: FeatureId| features.get(id).name.as_str();
    let open_door = host.level.feature(p).is_some_and(|id| name(id).contains("open_door"));
    if features.get(ended.below).flags.door() && open_door {
        return false;
    }
    write_terrain(lua, host, p, ended.below, APPLY);
    match ended.colour {
        Some(colour) => host.level.colours.insert(p, colour),
        None => host.level.colours.remove(&p),
    };
    true
}

/// What temporary terrain has covered.
struct Ended {
    below: FeatureId,
    colour: Option<String>,
}

/// Takes temporary terrain of a cell away, of one cause or of all. Returns what was below, if there
/// was any.
fn take_temporary(level: &mut Level, p: Point, cause: Option<TerrainCause>) -> Option<Ended> {
    let (mut result, mut colour): (Option<FeatureId>, Option<String>) = (None, None);
    let ids: Vec<u32> = level.markers.at(p).map(|marker| marker.id).collect();
    let mut gone = Vec::new();
    for id in ids {
        let Some(MarkerKind::Terrain(change)) = level.markers.kind_mut(id) else { continue };
        if cause.is_none_or(|cause| cause == change.cause) {
            if change.colour.is_some() {
                colour = change.colour.clone();
            }
            result.get_or_insert(change.old);
            gone.push(id);
        } else {
            if colour.is_some() {
                change.colour = colour.take();
            }
            result = Some(change.new);
        }
    }
    level.markers.retain(|marker| !gone.contains(&marker.id));
    Some(Ended { below: result?, colour })
}

/// Destroys a wall, a door or a tree: what comes to light is floor, or what a change of terrain has
/// covered (spec 07 §14.4).
pub(crate) fn destroy(lua: &Lua, host: &mut Host, p: Point) {
    let features = host.content.features();
    let Some(current) = host.level.feature(p) else { return };
    let default = match features.get(current).name.as_str() {
        "mangrove" => features.known().shallow_water,
        _ => features.floor(),
    };
    let (mut result, mut others, mut gone) = (default, false, Vec::new());
    for marker in host.level.markers.at(p) {
        let MarkerKind::Terrain(change) = &marker.kind else { continue };
        let passing = [TerrainCause::DoorSeal, TerrainCause::Forested, TerrainCause::Slime]
            .contains(&change.cause);
        if passing && !others {
            gone.push(marker.id);
            continue;
        }
        others = true;
        result = change.old;
        if change.new == current {
            gone.push(marker.id);
        }
    }
    let level = &mut host.level;
    level.markers.retain(|marker| !gone.contains(&marker.id));
    level.set_feature(p, result);
    host.note_change(|| format!("{},{} is dug away", p.x, p.y));
    signal_change(lua, host, p);
}

/// Lets temporary terrain get older, and ends what has run out (spec 07 §14.6).
pub(crate) fn time_out_terrain(lua: &Lua, host: &mut Host, ticks: i32) {
    if ticks == 0 {
        return;
    }
    let world = host.world();
    let content = Arc::clone(&host.content);
    let (features, only_own) = (content.features(), content.rules.only_own_bogs_fade);
    let mut ended = Vec::new();
    let temporary = |kind: &MarkerKind| matches!(kind, MarkerKind::Terrain(_));
    if !host.level.markers.iter().any(|marker| temporary(&marker.kind)) {
        return;
    }
    let by_column = host.level.markers.by_column();
    let ids: Vec<u32> =
        by_column.iter().filter(|marker| temporary(&marker.kind)).map(|marker| marker.id).collect();
    for id in ids {
        let level = &mut host.level;
        let Some(at) = level.markers.get(id).map(|marker| marker.at) else { continue };
        let Some(MarkerKind::Terrain(change)) = level.markers.kind_mut(id) else { continue };
        let by_player = change.owner == TerrainChange::BY_PLAYER;
        let lives = |owner: u32| by_player || world.borrow().monster(owner).is_some();
        let fired = change.cause == TerrainCause::HellfireMortar;
        // Fire that a monster keeps up gets no older; without it, it burns to its end.
        let kept_up = fired && change.owner != 0 && lives(change.owner);
        if fired && !kept_up {
            change.owner = 0;
        }
        if change.duration != TerrainChange::FOR_EVER && !kept_up {
            change.duration = change.duration.saturating_sub(ticks);
        }
        let cause = change.cause;
        let fades = match cause {
            TerrainCause::Bog => by_player || !only_own,
            TerrainCause::BindingSigil => by_player,
            _ => false,
        };
        if fades && !world.borrow().sees(at) {
            change.duration = 0;
        }
        let left_alone = change.owner != 0 && !lives(change.owner);
        let over = change.duration <= 0;
        let unsealed = cause == TerrainCause::DoorSeal
            && !level.feature(at).is_some_and(|id| features.get(id).flags.sealed());
        if unsealed {
            // The door was opened or broken meanwhile: there is nothing to bring back.
            if over {
                level.markers.remove(id);
            }
        } else if over || left_alone {
            ended.push((at, cause));
        }
    }
    if host.content.rules.nearest_terrain_ends_first {
        let player = world.borrow().player();
        ended.sort_by_key(|(at, _)| (at.x - player.x).pow(2) + (at.y - player.y).pow(2));
    }
    for (at, cause) in ended {
        end_temporary(lua, host, at, Some(cause));
    }
}

#[cfg(test)]
mod tests {
    use vaultwright_content::{Content, Edition, Rules};
    use vaultwright_map::{Dungeon, LevelPlace};
    use vaultwright_rng::Streams;

    use super::*;

    /// The running program (0.28) was asked on a level of nothing but floor: where walks end, and
    /// which number below a million is drawn next.
    #[test]
    fn walks_go_where_those_of_the_running_program_go() {
        let asked = [
            (40, 30, 1, [(41, 30, 334_402), (40, 30, 542_447), (41, 30, 205_343)]),
            (40, 30, 5, [(42, 27, 76_604), (40, 30, 5218), (42, 29, 958_893)]),
            (1, 1, 3, [(3, 1, 939_939), (1, 3, 688_239), (2, 2, 235_521)]),
        ];
        let content = Content::new(Rules::of(Edition::V0_28));
        let dungeon = Dungeon::standard(content.branches());
        let mut level = Level::solid(&content);
        for p in level.points().filter(|p| p.is_within(level.size(), 1)).collect::<Vec<_>>() {
            level.set_feature(p, content.features().floor());
        }
        for (x, y, steps, ends) in asked {
            for (seed, (end_x, end_y, next)) in (1..).zip(ends) {
                let mut rng = Streams::from_seed(seed, 43);
                let mut ctx = Context::new(&content, &mut rng, LevelPlace::START, &dungeon);
                let end = random_walk(&level, Point::new(x, y), steps, &mut ctx);
                let found = (end, ctx.rng.random2(1_000_000));
                assert_eq!(found, (Point::new(end_x, end_y), next), "{steps} steps, seed {seed}");
            }
        }
    }
}
