//! The window moves over the Abyss (spec 05 §19.8, spec 07 §7.6): what is near the player is kept
//! and moves along, all else is gone, and what comes in its place is made.

use std::collections::{BTreeMap, BTreeSet};

use vaultwright_content::FeatureId;
use vaultwright_level::{Level, MarkerKind, NO_VAULT, vault_id};
use vaultwright_lua::mlua::Lua;
use vaultwright_map::Point;

use super::window::{area, area_contains, fill_new_cells, unseen};
use crate::builder::fixups::make_transporters;
use crate::builder::population::place_some_monsters;
use crate::state::host::Host;
use crate::state::playing::PlayState;
use crate::state::site::{level_stream, on_site};
use crate::state::used::UsedMaps;
use crate::state::world::World;

/// So far from the middle the player may go before the window follows.
const REACH: i32 = 22;
/// Cells so near the player are kept.
const KEPT: i32 = 10;
/// How many monsters come at least.
const MIN_MONSTERS: i32 = 15;

/// Moves the window if the player is far from its middle. Returns whether it has moved. What new
/// vaults need to do when they come into play is left to the caller.
pub(crate) fn shift_abyss(lua: &Lua, host: &mut Host) -> bool {
    let player = host.world().borrow().player();
    let size = host.content.level_size();
    let centre = Point::middle_of(size);
    if !host.traits().abyss || host.game.state.abyss.is_none() || distance(player, centre) <= REACH
    {
        return false;
    }
    let kept = kept_cells(&host.level, player);
    let step = (centre.x - player.x, centre.y - player.y);
    let moved: BTreeMap<Point, Point> = kept
        .into_iter()
        .map(|p| (p, p.offset(step)))
        .filter(|&(_, to)| area_contains(size, to))
        .collect();
    let world = host.world();
    release_unseen(&host.level, &*world.borrow(), &moved, &mut host.game.used);
    world.borrow_mut().cells_moved(&moved);
    move_inhabitants(host, &moved);
    forget_markers(host, &moved);
    let unseen = on_site(host, |site| unseen(site));
    move_cells(&mut host.level, unseen, &moved);
    move_play(&mut host.play, &moved);
    world.borrow_mut().move_player(centre);
    let kept: BTreeSet<Point> = moved.into_values().collect();
    if let Some(state) = &mut host.game.state.abyss {
        state.shift(step, |p| kept.contains(&p));
    }
    fill(lua, host, kept);
    true
}

fn distance(a: Point, b: Point) -> i32 {
    (a.x - b.x).abs().max((a.y - b.y).abs())
}

/// Returns the cells near the player, and all of the vaults that touch them.
fn kept_cells(level: &Level, player: Point) -> BTreeSet<Point> {
    let near = |p: &Point| distance(*p, player) <= KEPT;
    let mut kept: BTreeSet<Point> = area(level.size()).filter(near).collect();
    for vault in &level.vaults {
        if vault.cells().any(|p| near(&p)) {
            kept.extend(vault.cells().filter(|&p| area_contains(level.size(), p)));
        }
    }
    kept
}

/// Vaults that are left behind and that the player has never seen a cell of may come again.
fn release_unseen(
    level: &Level,
    world: &dyn World,
    moved: &BTreeMap<Point, Point>,
    used: &mut UsedMaps,
) {
    for vault in &level.vaults {
        let gone = !vault.cells().any(|p| moved.contains_key(&p));
        if gone && !vault.cells().any(|p| world.knows(p)) {
            used.release(&vault.map);
        }
    }
}

/// Moves monsters and items with their cells.
fn move_inhabitants(host: &mut Host, moved: &BTreeMap<Point, Point>) {
    let world = host.world();
    let (mut monsters, mut items) = (Vec::new(), Vec::new());
    for p in host.level.points() {
        let (world, to) = (world.borrow(), moved.get(&p).copied());
        monsters.extend(world.monster_at(p).map(|number| (number, to)));
        // The lowest first, so that they lie as they lay.
        items.extend(world.items_at(p).into_iter().rev().map(|number| (number, to)));
    }
    for (number, to) in monsters {
        match to {
            Some(to) => world.borrow_mut().move_monster(number, to),
            None => host.remove_monster(number),
        }
    }
    for (number, to) in items {
        world.borrow_mut().move_item(number, to);
    }
}

/// Markers of cells that are gone go with them, and all who listen there.
fn forget_markers(host: &mut Host, moved: &BTreeMap<Point, Point>) {
    let cells: BTreeSet<Point> = host.level.markers.iter().map(|marker| marker.at).collect();
    for p in cells.into_iter().filter(|p| !moved.contains_key(p)) {
        host.clear_markers_at(p);
    }
    host.play.listeners.cells.retain(|p, _| moved.contains_key(p));
}

/// Moves the cells of the level with what stands on them; the others are unseen.
fn move_cells(level: &mut Level, unseen: FeatureId, moved: &BTreeMap<Point, Point>) {
    let old = level.clone();
    for p in area(level.size()) {
        level.set_feature(p, unseen);
        level.change_mask(p, 0, !0);
        level.change_properties(p, 0, !0);
        level.set_vault(p, NO_VAULT);
    }
    for p in area(level.size()) {
        level.strip(p);
    }
    let vaults = moved_vaults(&old, moved);
    level.vaults = vaults.iter().map(|(_, vault)| vault.clone()).collect();
    for (&from, &to) in moved {
        if let Some(feature) = old.feature(from) {
            level.set_feature(to, feature);
        }
        level.change_mask(to, old.mask(from), 0);
        level.change_properties(to, old.properties(from), 0);
        level.furnish_as(to, &old, from);
        let vault =
            old.vault_at(from).and_then(|vault| vaults.iter().position(|(at, _)| *at == vault.at));
        level.set_vault(to, vault.map_or(NO_VAULT, vault_id));
    }
    let markers: Vec<(u32, Point)> =
        level.markers.by_column().iter().map(|m| (m.id, m.at)).collect();
    for (id, at) in markers {
        if let Some(MarkerKind::Position { to: end, .. }) = level.markers.kind_mut(id) {
            *end = end.and_then(|end| moved.get(&end).copied());
        }
        if let Some(&to) = moved.get(&at) {
            level.markers.shift_to(id, to);
        }
    }
}

/// Moves those who listen on cells, and the clouds.
fn move_play(play: &mut PlayState, moved: &BTreeMap<Point, Point>) {
    let listening = std::mem::take(&mut play.listeners.cells);
    let at_new = |(p, cell)| Some((*moved.get(&p)?, cell));
    play.listeners.cells = listening.into_iter().filter_map(at_new).collect();
    let clouds = std::mem::take(&mut play.clouds.0);
    play.clouds.0 = clouds.into_iter().filter_map(|(p, c)| Some((*moved.get(&p)?, c))).collect();
}

/// Returns the vaults of which cells are left, with where they were.
fn moved_vaults(
    old: &Level,
    moved: &BTreeMap<Point, Point>,
) -> Vec<(Point, vaultwright_level::VaultPlacement)> {
    let mut vaults = Vec::new();
    for vault in &old.vaults {
        let Some((from, to)) = vault.cells().find_map(|p| Some((p, *moved.get(&p)?))) else {
            continue;
        };
        let mut copy = vault.clone();
        copy.at = vault.at.offset((to.x - from.x, to.y - from.y));
        copy.exits = vault.exits.iter().filter_map(|exit| moved.get(exit).copied()).collect();
        vaults.push((vault.at, copy));
    }
    vaults
}

/// Makes what is missing; a veto leaves the rest as it is.
fn fill(lua: &Lua, host: &mut Host, kept: BTreeSet<Point>) {
    let stream = level_stream(host.game.place);
    host.among_stand_ins(|host| {
        host.game.streams.enter(stream);
        host.while_building(|host| host.while_filling(kept, |host| fill_all(lua, host)));
        host.game.streams.leave();
    });
    // Transporters without their other end stay what they are.
    let _ = make_transporters(lua, host);
}

fn fill_all(lua: &Lua, host: &mut Host) {
    let place = host.game.place;
    let centre = Point::middle_of(host.content.level_size());
    match fill_new_cells(lua, host, centre) {
        Ok(p) if p == centre => {}
        Ok(p) => host.world().borrow_mut().move_player(p),
        Err(veto) => host.log(veto.to_string()),
    }
    let rock = host.content.features().rock_wall();
    on_site(host, |site| {
        let unseen = unseen(site);
        area(site.level.size()).for_each(|p| {
            if site.feature(p) == unseen {
                site.set(p, rock);
            }
        });
        let levels = place.depth * (1 + i32::from(site.ctx.rng.coinflip()));
        place_some_monsters(site, MIN_MONSTERS + levels);
    });
}
