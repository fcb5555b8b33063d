//! Placing a map on the level (spec 04 §8.1): resolve, write, register, connect, hooks.

use std::rc::Rc;

use vaultwright_content::Content;
use vaultwright_level::{Cause, Level};
use vaultwright_lua::mlua::Lua;
use vaultwright_map::{LevelPlace, MapDef, MapId, Orient, Point};

use super::cells::{Onto, write_cells, write_monsters};
use super::overlays::{apply_overlays, move_markers};
use super::overwriting::{Happened, Overwriting};
use super::register::register_uniqueness;
use super::zones::count_zones;
use super::{exits, register, ruin};
use crate::observe::event::BuildEvent;
use crate::observe::veto::Veto;
use crate::pack::problem::ChunkError;
use crate::resolve::ground::{Aim, shown_orient, shown_turns};
use crate::resolve::roll::{NoRoll, NotRolled, Rolled, resolve};
use crate::script::environment::{Hook, fire_hook};
use crate::state::host::{Host, Parts};
use crate::state::map_cell::MapCell;
use crate::state::population::Population;
use crate::state::site::{Site, on_site};
use crate::state::tallying::{note_error, note_use};

/// How a map is to be placed.
#[derive(Clone, Debug, Default)]
pub(crate) struct Request {
    /// Where it is to stand.
    pub(crate) aim: Aim,
    /// The map or layout that a level is built around.
    pub(crate) primary: bool,
    /// Without exits: none is made, none is connected.
    pub(crate) no_exits: bool,
}

/// Why a map was not placed.
#[derive(Debug)]
pub(crate) enum NotPlaced {
    /// It does not fit, is vetoed or never valid. The level is as before.
    Refused {
        /// What the last try said, where it said something.
        reason: Option<String>,
    },
    /// The level as a whole is spoilt.
    Veto {
        /// How.
        veto: Veto,
        /// The Lua error behind that, if any: of this map, or of one that its scripts have placed.
        problem: Option<Box<ChunkError>>,
    },
}

impl NotPlaced {
    /// Notes a veto with which building goes on all the same. The Lua error behind it may be behind
    /// the next one as well.
    pub(crate) fn swallow(self, host: &mut Host) {
        if let NotPlaced::Veto { veto, problem } = self {
            host.tell(&BuildEvent::SwallowedVeto(&veto));
            host.attempt.untold = problem;
        }
    }
}

/// A map that stands on the level, but whose exits are not joined and whose hooks have not run.
pub(crate) struct Written {
    map: Rc<MapCell>,
    name: String,
    listed: Option<MapId>,
    index: usize,
    exits: Vec<Point>,
}

impl Written {
    /// Returns whether it is a layout: later vaults may stand on it.
    pub(crate) fn is_layout(&self) -> bool {
        self.map.def.borrow().has_tag("overwritable")
    }

    /// Returns whether it takes up the whole level.
    pub(crate) fn is_encompass(&self) -> bool {
        self.map.def.borrow().orient == Some(Orient::Encompass)
    }
}

/// Places a map. Returns its index among the level's placements.
pub(crate) fn place_map(
    lua: &Lua,
    host: &mut Host,
    map: &Rc<MapCell>,
    request: &Request,
) -> Result<usize, NotPlaced> {
    place_map_amid(lua, host, map, request, |_, _| Ok(()))
}

/// As [`place_map`], with what is built around the map before its exits are joined.
pub(crate) fn place_map_amid(
    lua: &Lua,
    host: &mut Host,
    map: &Rc<MapCell>,
    request: &Request,
    surround: impl FnOnce(&mut Host, &Written) -> Result<(), Veto>,
) -> Result<usize, NotPlaced> {
    let name = map.def.borrow().name.clone();
    let listed = host.library.find(&name);
    let before = host.level.begin(Cause::Map(listed, name.clone()));
    let placed = write_map(lua, host, map, request, listed).and_then(|written| {
        surround(host, &written).map_err(|reason| veto(host, reason))?;
        finish(lua, host, written, request)
    });
    host.level.resume(before);
    placed
}

/// Rolls a map, finds a place for it and writes it there: cells, monsters, markers, ruins, exits
/// and the level's records of it.
fn write_map(
    lua: &Lua,
    host: &mut Host,
    map: &Rc<MapCell>,
    request: &Request,
    listed: Option<MapId>,
) -> Result<Written, NotPlaced> {
    let name = map.def.borrow().name.clone();
    if host.counts_zones() {
        count_zones_before(host)?;
    }
    host.note("vault", || described_request(&host.roll.parameters, &name, request));
    let rolled = roll(lua, host, map, request.aim)?;
    let at = rolled.position;
    if request.primary {
        on_site(host, |site| fill_border(site, &map.def.borrow()));
    }
    let (marked, happened) = {
        let mut def = map.def.borrow_mut();
        tell_level(&mut host.level, &def);
        match def.grid.width() {
            0 => Default::default(),
            _ if host.is_live() && !host.is_building() => write_over(host, &mut def, at),
            _ => (write_contents(host, &mut def, at), Happened::default()),
        }
    };
    happened.tell(lua, host);
    let def = map.def.borrow();
    let mut exits = on_site(host, |site| {
        ruin_if_tagged(site, &def, at);
        exits_of(site, &def, at, marked)
    });
    if request.no_exits {
        exits.clear();
    }
    register_uniqueness(&mut host.game.used, &def, &host.content.rules);
    let index = on_site(host, |site| {
        register::give_ids(site.level, &def, at);
        register::register(site.level, &def, at, &exits, site.ctx)
    });
    note_use(&host.observers, &host.library, &name);
    if def.has_tag("overwritable") {
        let types = def.tags.iter().filter_map(|tag| tag.strip_prefix("layout_type_"));
        host.level.layout_types.extend(types.map(str::to_owned));
    }
    host.note("placed", || described_placement(&def, &rolled, &exits));
    Ok(Written { map: Rc::clone(map), name, listed, index, exits })
}

/// Counts the zones that later vaults must not cut; Pandemonium has to be in one piece.
fn count_zones_before(host: &mut Host) -> Result<(), NotPlaced> {
    let zones = count_zones(&host.level, &host.content);
    host.attempt.base_zones = zones;
    host.note("zones_before", || format!("n={zones}"));
    if host.traits().pandemonium && zones > 1 {
        return Err(veto(host, Veto::DisconnectedPandemonium));
    }
    Ok(())
}

/// Rolls a map and finds a place for it. Once a map's own Lua has failed, every failure spoils the
/// level.
fn roll(lua: &Lua, host: &mut Host, map: &Rc<MapCell>, aim: Aim) -> Result<Rolled, NotPlaced> {
    let NotRolled { reason, invalid, .. } = match resolve(lua, host, map, aim) {
        Ok(rolled) => return Ok(rolled),
        Err(failure) => failure,
    };
    let is_vetoed = matches!(reason, NoRoll::Vetoed);
    let reason = match reason {
        NoRoll::Lua(error) => {
            let message = error.message.clone();
            host.attempt.spoil(error);
            Some(message)
        }
        NoRoll::LeftOut(_) | NoRoll::Vetoed | NoRoll::NeverFits => invalid,
    };
    if !host.attempt.spoilt {
        let reason = reason.or_else(|| is_vetoed.then(|| "vetoed".to_owned()));
        return Err(NotPlaced::Refused { reason });
    }
    // What has spoilt the level may have been another map's error (spec 04 §12.4).
    let reason = reason.or_else(|| Some(host.last_error()));
    let map = map.def.borrow().name.clone();
    Err(veto(host, Veto::NotPlaced { map, reason }))
}

/// Ruins a vault whose tags ask for it, in every branch or in this one.
fn ruin_if_tagged(site: &mut Site, def: &MapDef, at: Point) {
    let branch = site.ctx.content.branches().get(site.ctx.place.branch);
    let here = branch.map_or(String::new(), |b| format!("ruin_{}", b.name.to_lowercase()));
    if def.has_tag("ruin") || def.has_tag(&here) {
        ruin::ruin_vault(site, def, at);
        site.note("vault_ruined", |_| def.name.clone());
    }
}

/// Returns the exits that a map has marked, or picks some where it has marked none and is not
/// closed on purpose.
fn exits_of(site: &mut Site, def: &MapDef, at: Point, marked: Vec<Point>) -> Vec<Point> {
    let closed_minivault = def.has_tag("minivault") && def.has_tag("no_exits");
    if !marked.is_empty() || def.orient == Some(Orient::Encompass) || closed_minivault {
        return marked;
    }
    let picked = exits::pick_exits(site.level, def, at, site.ctx);
    site.note("exits_picked", |_| format!("{} n={}", def.name, picked.len()));
    picked
}

/// Joins the exits of a map to the level, and runs its hooks.
fn finish(
    lua: &Lua,
    host: &mut Host,
    written: Written,
    request: &Request,
) -> Result<usize, NotPlaced> {
    let Written { map, name, listed, index, exits } = written;
    if !request.no_exits && !exits.is_empty() {
        let before = host.level.begin(Cause::Exits(listed, name.clone()));
        let connected =
            exits.iter().filter(|&&exit| on_site(host, |site| exits::connect(site, exit))).count();
        host.level.resume(before);
        if connected == 0 && !host.traits().abyss {
            return Err(veto(host, Veto::ExitsNotConnected(name)));
        }
    }
    if let Err(error) = fire_hook(lua, host, &map, Hook::POST_PLACE) {
        let error = ChunkError::of_lua(&error, host);
        if !error.is_failed_placement() {
            note_error(&host.observers, &host.library, &name, &error);
            host.log(format!(
                "Lua error running hook 'post_place' on map '{name}': {}",
                error.message
            ));
            // What another map's failure has caused is told by that.
            host.attempt.untold.get_or_insert_with(|| Box::new(error));
        }
        return Err(veto(host, Veto::HookFailed(name)));
    }
    host.note("vault_done", || name.clone());
    Ok(index)
}

/// Returns what is asked for, as a trace tells it.
fn described_request(parameters: &[String], name: &str, request: &Request) -> String {
    let kind = if request.primary { "primary" } else { "secondary" };
    let (collisions, exits) = (u8::from(request.aim.checked), u8::from(!request.no_exits));
    let centre = request.aim.centre.map_or(String::new(), |p| format!(" centre={},{}", p.x, p.y));
    let told: Vec<&str> =
        parameters.iter().map(String::as_str).filter(|told| !told.is_empty()).collect();
    let parameters = told.join(",");
    let parameters = match parameters.is_empty() {
        true => parameters,
        false => format!(" parameters={}", parameters.replace(' ', "+")),
    };
    format!("{name} {kind} collisions={collisions} exits={exits}{centre}{parameters}")
}

/// Returns where and how a map stands, as a trace tells it.
fn described_placement(def: &MapDef, rolled: &Rolled, exits: &[Point]) -> String {
    let Rolled { position: at, tries, turns, .. } = rolled;
    let (width, height) = (def.grid.width(), def.grid.height());
    let (flips, orient) = (shown_turns(turns), shown_orient(def.orient));
    let points: Vec<String> = exits.iter().map(|p| format!("{},{}", p.x, p.y)).collect();
    let exits = match points.is_empty() {
        true => String::new(),
        false => format!(" exits={}", points.join(";")),
    };
    let name = &def.name;
    format!(
        "{name} pos={},{} size={width}x{height} flips={flips} try={tries} orient={orient}{exits}",
        at.x, at.y
    )
}

/// Turns the rock around a primary map into what its border is filled with (spec 05 §6.1).
fn fill_border(site: &mut Site, def: &MapDef) {
    let fills = def.orient == Some(Orient::Encompass) || def.has_tag("overwritable");
    let Some(fill) = def.border_fill.filter(|_| fills) else { return };
    let rock = site.rock_wall();
    for p in site.level.points() {
        if site.is(p, rock) {
            site.set(p, fill);
        }
    }
    site.note("border_fill", |site| site.ctx.content.features().get(fill).name.clone());
}

/// Tells the level what a map says of it as a whole.
fn tell_level(level: &mut Level, def: &MapDef) {
    if def.orient == Some(Orient::Encompass) && !def.has_tag("overwritable") {
        level.layout_types.insert("encompass".to_owned());
    }
    if def.random_monsters.is_some() {
        level.random_monsters.clone_from(&def.random_monsters);
    }
    level.spawn_rate = def.spawn_rate.unwrap_or(level.spawn_rate);
}

/// Writes cells, monsters, markers and the overlay of a resolved map. Returns the exits that it
/// marks.
pub(crate) fn write_contents(host: &mut Host, def: &mut MapDef, at: Point) -> Vec<Point> {
    let onto = if host.is_building() { Onto::Building } else { Onto::Finished };
    host.with_parts(|Parts { level, population, observers, .. }, ctx| {
        let site = &mut Site { level, ctx, observers };
        let exits = write_cells(site, def, at, population, onto);
        write_more(site, def, at, population);
        exits
    })
}

/// As [`write_contents`], over a level in play.
fn write_over(host: &mut Host, def: &mut MapDef, at: Point) -> (Vec<Point>, Happened) {
    let world = host.world();
    host.with_parts(|Parts { level, population, play, observers, .. }, ctx| {
        let site = &mut Site { level, ctx, observers };
        let mut over = Overwriting::new(play, world);
        let exits = write_cells(site, def, at, population, Onto::Played(&mut over));
        write_more(site, def, at, population);
        (exits, over.happened())
    })
}

/// Writes what comes after the cells.
fn write_more(site: &mut Site, def: &mut MapDef, at: Point, population: &mut Population) {
    write_monsters(site, def, at, population);
    move_markers(site.level, def, at);
    apply_overlays(site, def, at);
}

fn veto(host: &mut Host, veto: Veto) -> NotPlaced {
    host.set_last_error(told_at(host.game.place, &host.content, &veto));
    NotPlaced::Veto { veto, problem: host.attempt.untold.take() }
}

/// Returns a veto as it is told to scripts and players: with the level's name.
fn told_at(place: LevelPlace, content: &Content, veto: &Veto) -> String {
    format!("{}: {veto}", place.name(content.branches()))
}
