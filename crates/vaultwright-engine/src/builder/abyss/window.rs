//! The Abyss: a window on unbounded terrain, with vaults put on top (spec 05 §19).

use std::collections::{BTreeMap, BTreeSet};

use vaultwright_content::{FeatureId, LevelSize};
use vaultwright_lua::mlua::Lua;
use vaultwright_map::{ADJACENT, LevelPlace, MapId, Point};

use super::copied::choose_level;
use super::rune::{enter_area, place_rune};
use super::terrain::Terrain;
use crate::observe::veto::Veto;
use crate::place::vault::{Request, place_map};
use crate::resolve::ground::Aim;
use crate::select::choice::{Wanted, choose, choosing};
use crate::state::abyss::{AbyssState, CopiedLevel};
use crate::state::host::{Host, Parts};
use crate::state::playing::AwayLevel;
use crate::state::site::{Site, on_site};

/// Cells so near the player are in his sight.
pub(crate) const SIGHT: i32 = 8;
/// Most vaults of a new area.
const MAX_VAULTS: i32 = 6;
/// Tries of vaults after one that has failed.
const MORE_TRIES: usize = 100;
/// Colours of the floor with their weights.
const FLOOR_COLOURS: [(i32, &str); 13] = [
    (108, "blue"),
    (632, "green"),
    (932, "red"),
    (488, "magenta"),
    (433, "brown"),
    (3438, "lightgrey"),
    (766, "lightblue"),
    (587, "lightgreen"),
    (794, "lightcyan"),
    (566, "lightred"),
    (313, "lightmagenta"),
    (890, "white"),
    (50, "fire"),
];
/// Colours of the rock with their weights.
const ROCK_COLOURS: [(i32, &str); 12] = [
    (130, "blue"),
    (409, "green"),
    (770, "red"),
    (522, "magenta"),
    (1292, "brown"),
    (570, "lightblue"),
    (705, "lightgreen"),
    (1456, "lightred"),
    (377, "lightmagenta"),
    (105, "yellow"),
    (101, "white"),
    (60, "fire"),
];

/// Makes the level as it is when the Abyss is entered. Returns true: more vaults may follow.
pub(crate) fn build_abyss(lua: &Lua, host: &mut Host) -> Result<bool, Veto> {
    // The state is drawn twice, and the first one forgotten.
    host.with_parts(|Parts { level, game, play, observers, .. }, ctx| {
        let site = &mut Site { level, ctx, observers };
        draw_state(site, &play.away);
        let (major, depth, copied) = draw_state(site, &play.away);
        game.abyss = Some(AbyssState::new(major, depth, copied));
        colour(site);
        site.note("abyss_colours", |_| String::new());
        site.note("abyss_flavour", |_| String::new());
        wipe(site);
        site.note("abyss_wiped", |_| String::new());
        site.level.layout_types.insert("abyss".to_owned());
    });
    host.while_filling(BTreeSet::new(), |host| fill_area(lua, host))?;
    Ok(true)
}

fn fill_area(lua: &Lua, host: &mut Host) -> Result<(), Veto> {
    let player = fill_new_cells(lua, host, Point::middle_of(host.content.level_size()))?;
    on_site(host, |site| {
        perhaps_altar(site, player);
        site.note("abyss_altar", |_| "first".to_owned());
    });
    apply_terrain(lua, host, Ground::Laid)?;
    on_site(host, |site| {
        safe_cell(site, player);
        site.note("abyss_terrain", |_| "again".to_owned());
        let floor = site.floor();
        let centre = Point::middle_of(site.level.size());
        site.set(centre, floor);
        perhaps_altar(site, centre);
        site.note("abyss_altar", |_| "second".to_owned());
    });
    Ok(())
}

/// Makes terrain, vaults and perhaps the rune where there is nothing yet, and returns where the
/// player stands then.
pub(crate) fn fill_new_cells(lua: &Lua, host: &mut Host, player: Point) -> Result<Point, Veto> {
    let rune = host.with_parts(|Parts { game, level, observers, .. }, ctx| {
        enter_area(game, &Site { level, ctx, observers })
    });
    apply_terrain(lua, host, Ground::Missing)?;
    let player = on_site(host, |site| safe_cell(site, player));
    host.note("abyss_terrain", || "area".to_owned());
    // No monster of a vault comes to stand on the player.
    let before = host.game.population.player.replace(player);
    let placed = place_vaults(lua, host).and_then(|()| place_rune(lua, host, rune));
    host.game.population.player = before;
    placed?;
    host.note("abyss_vaults", String::new);
    host.note("abyss_fixup", String::new);
    let player = on_site(host, |site| safe_cell(site, player));
    host.note("abyss_area", String::new);
    Ok(player)
}

/// Finds where the player goes if he cannot stay where he is: the nearest cell that is free and
/// harmless, each ring around him looked at from a random cell on. If there is none, floor is laid
/// under him.
fn safe_cell(site: &mut Site, player: Point) -> Point {
    if is_safe(site, player) {
        return player;
    }
    let size = site.level.size();
    // No cell of a level lies farther from another.
    for radius in 1..=size.width().max(size.height()) {
        let ring = ring(size, player, radius);
        if ring.is_empty() {
            break;
        }
        let start = site.ctx.rng.random2(ring.len() as i32) as usize;
        let cells = ring.iter().cycle().skip(start).take(ring.len());
        for &p in cells {
            if is_safe(site, p) && !site.level.monsters.contains_key(&p) {
                return p;
            }
        }
    }
    let floor = site.floor();
    site.set(player, floor);
    player
}

fn is_safe(site: &Site, p: Point) -> bool {
    let flags = site.flags(p);
    !flags.solid() && !flags.deep_water() && !flags.lava()
}

/// Returns the cells of a level at a distance, column by column.
fn ring(size: LevelSize, centre: Point, radius: i32) -> Vec<Point> {
    let square = (-radius..=radius).flat_map(|x| (-radius..=radius).map(move |y| (x, y)));
    let ring = square.filter(|(x, y)| x.abs().max(y.abs()) == radius);
    ring.map(|step| centre.offset(step)).filter(|p| p.is_within(size, 1)).collect()
}

/// Draws where the window lies, the time, and the level that shines through.
fn draw_state(
    site: &mut Site,
    away: &BTreeMap<LevelPlace, AwayLevel>,
) -> (Point, u32, Option<CopiedLevel>) {
    let [x, y, seed, depth] = [(); 4].map(|()| site.ctx.rng.word() & 0x7FFF_FFFF);
    let copied = choose_level(away, site.ctx.content, seed);
    site.note("abyss_state", |site| {
        // The reference names the first level if there is none.
        let place = copied.as_ref().map_or(LevelPlace::START, |level| level.place);
        let level = place.name(site.ctx.content.branches());
        format!("major={x},{y} seed={seed} depth={depth} level={level}")
    });
    (Point::new(x as i32, y as i32), depth, copied)
}

fn colour(site: &mut Site) {
    let mut draw = |colours: &[(i32, &'static str)]| {
        let weights: Vec<i32> = colours.iter().map(|(weight, _)| *weight).collect();
        Some(colours[site.ctx.rng.weighted_chain(&weights)].1.to_owned())
    };
    let (floor, rock) = (draw(&FLOOR_COLOURS), draw(&ROCK_COLOURS));
    site.level.floor_colour = floor;
    site.level.rock_colour = rock;
}

/// Returns the cells that the Abyss makes, row by row.
pub(crate) fn area(size: LevelSize) -> impl Iterator<Item = Point> {
    let columns = 2..size.width() - 2;
    (2..size.height() - 2).flat_map(move |y| columns.clone().map(move |x| Point::new(x, y)))
}

pub(crate) fn area_contains(size: LevelSize, p: Point) -> bool {
    p.is_within(size, 2)
}

fn wipe(site: &mut Site) {
    let unseen = unseen(site);
    area(site.level.size()).for_each(|p| site.set(p, unseen));
}

pub(crate) fn unseen(site: &Site) -> FeatureId {
    let features = site.ctx.content.features();
    features.by_number(0).unwrap_or_else(|| features.rock_wall())
}

/// Ways out and altars that have been drawn and wait for a place.
#[derive(Default)]
struct Waiting {
    exits: i32,
    altars: i32,
    exit_map_stands: bool,
}

/// Whether cells may be without terrain yet.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ground {
    Missing,
    Laid,
}

/// Writes the terrain where it is missing, and scatters exits, altars and stairs.
fn apply_terrain(lua: &Lua, host: &mut Host, ground: Ground) -> Result<(), Veto> {
    let depth = host.game.place.depth;
    let last = depth >= host.game.dungeon.levels(host.game.place.branch);
    let rules = &host.content.rules;
    let altar_rarity = rules.abyss_altar_rarity;
    let deeper = if rules.abyss_exit_odds_end { (depth - 2).min(5) } else { depth - 2 };
    let exit_chance = 7250 - 1250 * deeper;
    host.note("abyss_chances", || format!("exit={exit_chance}"));
    let mut waiting = Waiting::default();
    for p in area(host.content.level_size()) {
        host.with_parts(|Parts { level, game, observers, .. }, ctx| {
            if let Some(state) = game.abyss.as_mut().filter(|_| ground == Ground::Missing) {
                update(&mut Site { level, ctx, observers }, p, state);
            }
        });
        let is_new = !host.attempt.is_kept(p);
        let drawn = on_site(host, |site| site.ctx.rng.one_chance_in(exit_chance));
        waiting.exits += i32::from(drawn);
        if (drawn || waiting.exits > 0) && place_exit(lua, host, p, &mut waiting)? {
            continue;
        }
        let god = on_site(host, altar_god);
        let drawn = on_site(host, |site| site.ctx.rng.one_chance_in(altar_rarity));
        waiting.altars += i32::from(drawn);
        let wanted = drawn || waiting.altars > 0;
        if wanted && is_new && on_site(host, |site| put(site, p, &god)) {
            waiting.altars -= 1;
            host.note("abyss_feature", || format!("{god} {},{}", p.x, p.y));
            continue;
        }
        let stair = !last && on_site(host, |site| site.ctx.rng.one_chance_in(1750));
        if stair && is_new && on_site(host, |site| put(site, p, "abyssal_stair")) {
            host.note("abyss_feature", || format!("abyssal_stair {},{}", p.x, p.y));
        }
    }
    Ok(())
}

/// Puts a feature on a cell that is not walled in.
fn put(site: &mut Site, p: Point, name: &str) -> bool {
    if !has_room(site, p) {
        return false;
    }
    let id = site.id(name);
    site.set(p, id);
    true
}

fn has_room(site: &Site, p: Point) -> bool {
    ADJACENT.iter().filter(|&&step| site.flags(p.offset(step)).solid()).count() <= 6
}

/// Places a way out: a map for it once, else the bare gate.
fn place_exit(lua: &Lua, host: &mut Host, p: Point, waiting: &mut Waiting) -> Result<bool, Veto> {
    if !on_site(host, |site| has_room(site, p)) {
        return Ok(false);
    }
    if !waiting.exit_map_stands {
        let tags = ["abyss_exit"];
        let chosen = choose(host, Wanted::Tags { tags: &tags, check_depth: true, chance: true });
        if let Some(index) = chosen {
            let placed = place_vault(lua, host, index)?;
            if placed {
                host.note("abyss_feature", || format!("exit_abyss {},{}", p.x, p.y));
            }
            waiting.exit_map_stands |= placed;
            waiting.exits -= i32::from(placed);
            return Ok(placed);
        }
    }
    if host.attempt.is_kept(p) {
        return Ok(false);
    }
    on_site(host, |site| put(site, p, "exit_abyss"));
    host.note("abyss_feature", || format!("exit_abyss {},{}", p.x, p.y));
    waiting.exits -= 1;
    Ok(true)
}

/// Draws the god of an altar, drawn for every cell.
fn altar_god(site: &mut Site) -> String {
    let others = site.ctx.rng.one_chance_in(site.ctx.content.rules.abyss_other_god_rarity);
    let gods = site.ctx.content.names().gods();
    let of = |number: i32| gods.get(number as usize).map_or("", |god| god.altar.as_str());
    if !others {
        return "altar_lugonu".to_owned();
    }
    loop {
        let number = 1 + site.ctx.rng.random2(27);
        // Zin, the Shining One, Elyvilon; and one that is gone.
        if ![1, 2, 12, 23].contains(&number) {
            return of(number).to_owned();
        }
    }
}

fn update(site: &mut Site, p: Point, state: &mut AbyssState) {
    if site.masked(p) || site.feature(p) != unseen(site) {
        return;
    }
    let mut id = match state.sample(p).terrain {
        Terrain::Named(name) => site.id(name),
        Terrain::Copied(feature) => feature,
    };
    let centre = Point::middle_of(site.level.size());
    if p == centre {
        let flags = site.flags_of(id);
        if flags.deep_water() {
            id = site.known().shallow_water;
        } else if flags.lava() || flags.solid() {
            id = site.floor();
        }
    }
    site.set(p, id);
    let near = (p.x - centre.x).abs().max((p.y - centre.y).abs()) <= SIGHT;
    if id == site.floor() && near {
        // For a cloud that a change in sight leaves behind; there is none yet.
        site.ctx.rng.random2(2);
    }
}

/// Puts an altar near the player, one time in five.
fn perhaps_altar(site: &mut Site, player: Point) {
    if !site.ctx.rng.one_chance_in(5) {
        return;
    }
    let floor = site.floor();
    for _ in 0..50 {
        let x = site.ctx.rng.random_range(-SIGHT, SIGHT);
        let y = site.ctx.rng.random_range(-SIGHT, SIGHT);
        let p = player.offset((x, y));
        if (x, y) != (0, 0) && site.is(p, floor) {
            let altar = site.known().altar_lugonu;
            site.set(p, altar);
            return;
        }
    }
}

/// Vaults by depth: full ones until one fits or none is wanted, then minivaults.
fn place_vaults(lua: &Lua, host: &mut Host) -> Result<(), Veto> {
    let place = host.game.place;
    let (mut second, mut count, mut failures) = (false, 0, 0);
    while count < MAX_VAULTS {
        let chosen = choose(host, Wanted::Depth { place, minivault: second, extra: None });
        let Some(index) = chosen else {
            if second {
                break;
            }
            second = true;
            continue;
        };
        let extra = choosing(host, |choice| choice.is_extra(index));
        let placed = place_vault(lua, host, index)?;
        if placed && !extra {
            second = true;
            count += 1;
            let more = on_site(host, |site| site.ctx.rng.one_chance_in(2 + count));
            host.note("abyss_vault_count", || format!("n={count} more={}", u8::from(more)));
            if !more {
                break;
            }
        } else {
            failures += 1;
            if failures > MORE_TRIES {
                break;
            }
        }
    }
    Ok(())
}

/// Places a vault on the new cells; ways out that are none of the Abyss become floor. Returns
/// whether it stands.
pub(crate) fn place_vault(lua: &Lua, host: &mut Host, index: MapId) -> Result<bool, Veto> {
    let request = Request { aim: Aim::CHECKED, ..Request::default() };
    match place_map(lua, host, &host.copy_of(index), &request) {
        Ok(placement) => {
            on_site(host, |site| close_ways(site, placement));
            host.note("abyss_vault_fixed", || host.library.name_of(index).to_owned());
            Ok(true)
        }
        // What would spoil another level only costs the Abyss the vault.
        Err(not_placed) => {
            not_placed.swallow(host);
            Ok(false)
        }
    }
}

fn close_ways(site: &mut Site, vault: usize) {
    let Some(cells) = site.level.vaults.get(vault).map(|vault| vault.cells().collect::<Vec<_>>())
    else {
        return;
    };
    let own = ["exit_abyss", "abyssal_stair"].map(|name| site.id(name));
    let floor = site.floor();
    for p in cells {
        let flags = site.flags(p);
        let leads_away = flags.staircase() || flags.hatch() || flags.stair();
        if leads_away && !flags.portal() && !own.contains(&site.feature(p)) {
            site.set(p, floor);
        }
    }
}

#[cfg(test)]
mod tests {
    use vaultwright_content::Edition;

    use super::*;
    use crate::state::drawn::Drawn;

    #[test]
    fn altars_are_of_other_gods_as_often_as_the_rules_say() {
        let others = |edition: Edition| {
            let mut drawn = Drawn::under(edition, "Abyss:3", &["..."]);
            (0..400).filter(|_| drawn.run(altar_god) != "altar_lugonu").count()
        };
        let (half, few) = (others(Edition::V0_28), others(Edition::Trunk));
        assert!((150..250).contains(&half) && (15..80).contains(&few), "{half} {few}");
    }
}
