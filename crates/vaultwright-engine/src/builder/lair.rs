//! Levels that LAIR scripts decide cell by cell (spec 09; docs/lair.md).

use std::path::Path;

use vaultwright_content::{Content, LairScripts};
use vaultwright_lair::{Laid, LairError, Options, Project, Size, generate_floor, lay_floor};
use vaultwright_level::{Cause, Level, mask, passable_zones};
use vaultwright_map::{LevelPlace, Point};

use super::stairs::place_stone_stairs;
use crate::observe::event::BuildEvent;
use crate::observe::veto::Veto;
use crate::pack::sources::DataRoot;
use crate::place::zones::Hatches;
use crate::state::host::Host;
use crate::state::site::{Site, on_site};

/// Stairs of a level: one up from the first, none down from the last.
const UP: [&str; 3] = ["stone_stairs_up_i", "stone_stairs_up_ii", "stone_stairs_up_iii"];
const DOWN: [&str; 3] = ["stone_stairs_down_i", "stone_stairs_down_ii", "stone_stairs_down_iii"];
/// What the builder never puts onto a level that belongs to its scripts.
const OWNED: i64 = mask::NO_ITEM | mask::NO_MONSTER | mask::NO_TRAP | mask::NO_POOL | mask::NO_WALL;

/// Returns the scripts of the branch of a level, if its levels are made by some.
pub(crate) fn lair_scripts(content: &Content, place: LevelPlace) -> Option<&LairScripts> {
    content.branches().get(place.branch)?.lair.as_ref()
}

/// Returns whether a level belongs to scripts, so that nothing but stairs is added.
pub(crate) fn belongs_to_scripts(content: &Content, place: LevelPlace) -> bool {
    lair_scripts(content, place).is_some_and(|scripts| !scripts.layout)
}

/// Has the scripts make the level. Returns whether more vaults may be placed.
pub(crate) fn build_lair(host: &mut Host, scripts: &LairScripts) -> Result<bool, Veto> {
    let start = lay(host, scripts)?;
    if scripts.layout {
        host.level.begin(Cause::Step("stone stairs"));
        on_site(host, |site| place_stone_stairs(site, Hatches::Count))?;
        return Ok(true);
    }
    host.attempt.random_maps = false;
    on_site(host, |site| {
        for p in site.level.points() {
            site.level.change_mask(p, OWNED, 0);
        }
        place_stairs(site, start)
    })?;
    Ok(false)
}

/// Has the scripts make the level, and nothing else. Returns where the player begins there.
/// The first attempt has the seed of the game, so that it is the floor of `vaultwright lair`;
/// others draw one.
pub(crate) fn lay(host: &mut Host, scripts: &LairScripts) -> Result<Option<Point>, Veto> {
    let again = host.attempt.number > 1;
    let seed = if again {
        host.with_context(|ctx| u64::from(ctx.rng.word()) << 32 | u64::from(ctx.rng.word()))
    } else {
        host.game.streams.seed()
    };
    let place = host.game.place;
    let number = place.depth as u32 - 1;
    let branch = host.content.branches().get(place.branch).map(|branch| branch.name.clone());
    let levels = host.game.dungeon.levels(place.branch);
    let options = Options { seed, branch, ..options_of(scripts, levels) };
    let made =
        open(&host.root, scripts).and_then(|project| generate_floor(&project, &options, number));
    let (floor, report) = made.map_err(Veto::Lair)?;
    report.printed.into_iter().for_each(|line| host.log(line));
    // What is wrong with scripts is told with the level and to those who watch.
    let mut faults = report.warnings;
    host.note("lair", || format!("floor={number} particles={}", floor.particle_count()));
    let Laid { start, unknown_monsters } = on_site(host, |site| {
        site.level.begin(Cause::Step("LAIR scripts"));
        lay_floor(&floor, site.level, site.ctx.content, &scripts.features)
    });
    let name = place.name(host.content.branches());
    for (tags, count) in unknown_monsters {
        let many = if count > 1 { format!(", {count} of them") } else { String::new() };
        let mobile = format!("the tags '{tags}' of a mobile on {name}{many}");
        faults.push(format!("no monster is named by {mobile}"));
    }
    for fault in faults {
        host.tell(&BuildEvent::LairFault(&fault));
        host.log(fault);
    }
    Ok(start)
}

/// Checks that the scripts of a branch with so many levels can be used.
pub(crate) fn check_lair(
    root: &DataRoot,
    scripts: &LairScripts,
    levels: i32,
) -> Result<(), LairError> {
    vaultwright_lair::check(&open(root, scripts)?, &options_of(scripts, levels))
}

fn options_of(scripts: &LairScripts, levels: i32) -> Options {
    let size = Size { floors: levels as u32, rooms: scripts.rooms, room: scripts.room_size };
    Options { size, ..Options::default() }
}

/// Returns the scripts of a branch as a project.
fn open(root: &DataRoot, scripts: &LairScripts) -> Result<Project, LairError> {
    let prefix = match scripts.scripts.as_str() {
        "" => String::new(),
        below => format!("{}/", below.trim_end_matches('/')),
    };
    let folder = match root {
        DataRoot::Directory(root) => {
            let folder = root.join(&scripts.scripts);
            let lies_in = |root: &Path| Some(folder.canonicalize().ok()?.starts_with(root));
            if root.canonicalize().is_ok_and(|root| lies_in(&root) == Some(false)) {
                let why = "a link leads out of the pack".to_owned();
                return Err(LairError::Read(folder.display().to_string(), why));
            }
            folder
        }
        DataRoot::Embedded | DataRoot::Bare => scripts.scripts.clone().into(),
    };
    Ok(Project::open(&folder, None)?.with_prefix(prefix))
}

/// Stairs on free cells, the first where the scripts have their player begin, all where one can
/// walk from there.
fn place_stairs(site: &mut Site, start: Option<Point>) -> Result<(), Veto> {
    let zones = passable_zones(site.level, site.ctx.content);
    let zone = start.and_then(|start| zones.zone_of(start)).map(|zone| zones.cells(zone));
    let (floor, level) = (site.floor(), &*site.level);
    let is_free = |p: &Point| is_free(level, *p) && level.feature(*p) == Some(floor);
    let cells: Vec<Point> = match zone {
        Some(zone) => zone.into_iter().filter(is_free).collect(),
        None => site.inner().filter(is_free).collect(),
    };
    let mut cells: Vec<Point> = cells.into_iter().filter(|p| Some(*p) != start).collect();
    let first = start.filter(|p| site.is(*p, floor));
    let place = site.ctx.place;
    let up = if place.depth == 1 { 1 } else { 3 };
    let down = if place.depth >= site.ctx.dungeon.levels(place.branch) { 0 } else { 3 };
    for (index, name) in UP.iter().take(up).chain(DOWN.iter().take(down)).enumerate() {
        let at = match first.filter(|_| index == 0) {
            Some(start) => start,
            None if cells.is_empty() => {
                return Err(Veto::NoLairStairs);
            }
            None => cells.swap_remove(site.ctx.rng.random2(cells.len() as i32) as usize),
        };
        let id = site.id(name);
        site.set(at, id);
    }
    Ok(())
}

fn is_free(level: &Level, p: Point) -> bool {
    !level.monsters.contains_key(&p) && !level.items.contains_key(&p)
}
