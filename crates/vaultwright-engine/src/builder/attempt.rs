//! The attempts at a level, and the order of the steps of one (spec 05 §4).

use std::rc::Rc;

use vaultwright_level::Cause;
use vaultwright_lua::Failure;
use vaultwright_lua::mlua::{Function, Lua};
use vaultwright_map::LevelPlace;
use vaultwright_rng::{FIRST_BRANCH_STREAM, GAMEPLAY};

use super::connectivity::{verify_connectivity, way_down_from_the_exit};
use super::ends::{escape_upwards, finish_branch_ends};
use super::fixups::{fix_doors, fix_wall_material, fix_water, make_mimics, make_transporters};
use super::ghosts::draw_ghosts;
use super::lair::belongs_to_scripts;
use super::layouts::sea_floor::finish_shoals;
use super::pandemonium::make_transits;
use super::population::{place_items, place_monsters};
use super::primary::build_primary;
use super::ruination::ruin_lair;
use super::secondary::{
    place_branch_entrances, place_chance_vaults, place_extra_vaults, place_minivaults,
    place_uniques,
};
use super::slime::{fix_slime, place_slime_stairs};
use super::stairs::in_hell;
use super::temples::{altars_of, place_overflow_temples};
use super::traps::{place_traps, place_webs};
use crate::observe::trace::heights_hash;
use crate::observe::veto::{LevelError, Veto};
use crate::play::tides::{flood, has_tides};
use crate::state::host::Host;
use crate::state::notes::note;
use crate::state::site::on_site;

/// How often a level is tried.
const ATTEMPTS: usize = 50;
/// From this attempt on no random vaults are chosen.
const LAST_RANDOM_ATTEMPT: usize = 45;

/// Builds a level; why attempts were thrown away, also if all were.
pub(crate) fn build_level(
    lua: &Lua,
    host: &Rc<Host>,
    place: LevelPlace,
) -> Result<Vec<Veto>, LevelError> {
    host.place.set(place);
    let stream = FIRST_BRANCH_STREAM + place.branch;
    host.rng.borrow_mut().enter(stream);
    host.level.borrow_mut().sight.forget_all();
    host.used.borrow_mut().enter_branch(place.branch, host.traits().abyss);
    let connections = host.game.borrow().connections.clone();
    let (used, population) = (host.used.borrow().clone(), host.population.borrow().clone());
    let mut vetoes = Vec::new();
    for number in 1..=ATTEMPTS {
        host.level.borrow_mut().journal.attempt = number;
        let random_maps = number <= LAST_RANDOM_ATTEMPT;
        host.begin_attempt(random_maps);
        note(host, "attempt", || format!("random_maps={}", u8::from(random_maps)));
        let result = attempt(lua, host);
        draw_ghosts(host, result.is_err());
        match result {
            Ok(()) => {
                note(host, "finished", String::new);
                host.attempt.borrow_mut().building = false;
                host.rng.borrow_mut().leave();
                keep_branch_flags(host);
                if host.traits().pandemonium {
                    host.game.borrow_mut().pandemonium_levels += 1;
                }
                let mut used = host.used.borrow_mut();
                used.level_names.clear();
                used.level_tags.clear();
                return Ok(vetoes);
            }
            Err(veto) => {
                note(host, "veto", || veto.to_string());
                vetoes.push(veto);
                note(host, "failed", String::new);
                host.used.borrow_mut().clone_from(&used);
                host.population.borrow_mut().clone_from(&population);
                host.game.borrow_mut().connections.clone_from(&connections);
            }
        }
    }
    host.attempt.borrow_mut().building = false;
    host.rng.borrow_mut().leave();
    Err(LevelError::Vetoed(vetoes))
}

/// What the vaults of the level say of the whole branch holds from now on.
fn keep_branch_flags(host: &Host) {
    let level = host.level.borrow();
    for flag in level.vaults.iter().flat_map(|vault| &vault.map.branch_flags) {
        let mut game = host.game.borrow_mut();
        game.branch_flags.entry(host.place.get().branch).or_default().insert(flag.clone());
    }
}

fn attempt(lua: &Lua, host: &Rc<Host>) -> Result<(), Veto> {
    host.reset_level();
    if let Some(flags) = host.game.borrow().branch_flags.get(&host.place.get().branch) {
        host.level.borrow_mut().flags.extend(flags.iter().cloned());
    }
    host.refill();
    if host.traits().abyss {
        // The reference draws a number here, and one in play the first time.
        host.with_context(|ctx| ctx.rng.word());
        if host.level.borrow().journal.attempt == 1 {
            host.rng.borrow_mut().enter(GAMEPLAY);
            host.with_context(|ctx| ctx.rng.word());
            host.rng.borrow_mut().leave();
        }
    }
    note(host, "reset", String::new);
    if host.traits().temple {
        let gods = host.game.borrow().temple.as_ref().map_or(Vec::new(), |t| t.gods.clone());
        note(host, "temple_altars", || format!("n={}", gods.len()));
        host.population.borrow_mut().temple = Some(altars_of(host, &gods));
    }
    construct(lua, host)?;
    if host.traits().sea {
        begin(host, "heights of the Shoals");
        on_site(host, finish_shoals);
        note(host, "shoals_heights", || heights_hash(&host.level.borrow()));
        if has_tides(host) {
            flood(lua, host);
            note(host, "shoals_tide", String::new);
        }
    }
    colour_level(host);
    if !on_site(host, |site| way_down_from_the_exit(site)) {
        return Err(Veto::NoWayDown);
    }
    note(host, "postprocess", String::new);
    run_branch_epilogue(lua, host)
}

/// Calls the function that a script has named for the end of each level of the branch; an error
/// spoils the attempt (spec 05 §4.2).
fn run_branch_epilogue(lua: &Lua, host: &Host) -> Result<(), Veto> {
    let name = host.branch_epilogues.borrow().get(&host.place.get().branch).cloned();
    let Some(name) = name else { return Ok(()) };
    let failed = |error| {
        let failure = Failure::new(&error);
        Veto::Epilogue { function: name.clone(), failure }
    };
    let function: Function = lua.globals().get(name.as_str()).map_err(failed)?;
    function.call::<()>(()).map_err(failed)
}

/// Notes which step changes the level from here on.
fn begin(host: &Host, step: &'static str) {
    host.level.borrow_mut().begin(Cause::Step(step));
}

/// Floor and rock take the colours of the branch where no vault has set others (spec 05 §11.5).
pub(crate) fn colour_level(host: &Host) {
    let level = &mut *host.level.borrow_mut();
    let Some(branch) = host.content.branches().get(host.place.get().branch) else { return };
    for (colour, of_branch, plain) in [
        (&mut level.floor_colour, &branch.floor_colour, "lightgrey"),
        (&mut level.rock_colour, &branch.rock_colour, "brown"),
    ] {
        if colour.is_none() {
            let unset = of_branch.is_empty() || of_branch == "black";
            *colour = Some(if unset { plain.to_owned() } else { of_branch.clone() });
        }
    }
}

/// Everything from the primary map to the last stair (spec 05 §4.4).
fn construct(lua: &Lua, host: &Rc<Host>) -> Result<(), Veto> {
    let more_vaults = build_primary(lua, host)?;
    note(host, "primary", || {
        let (more, random) = (u8::from(more_vaults), u8::from(host.attempt.borrow().random_maps));
        let level = host.level.borrow();
        let types: Vec<&str> = level.layout_types.iter().map(String::as_str).collect();
        format!("more_vaults={more} random_maps={random} layout_types={}", types.join(","))
    });
    if host.traits().slime {
        begin(host, "clear walls of the Slime Pits");
        on_site(host, fix_slime);
        note(host, "slime_fix", String::new);
    }
    if !belongs_to_scripts(host) {
        begin(host, "doors that close nothing");
        on_site(host, fix_doors);
        note(host, "door_check", String::new);
    }
    host.attempt.borrow_mut().counting_zones = true;
    let vaults_before = host.level.borrow().vaults.len();
    if host.traits().overflow_temples {
        place_overflow_temples(lua, host)?;
        note(host, "overflow_temples", String::new);
    }
    begin(host, "entrances of branches");
    place_branch_entrances(lua, host, more_vaults)?;
    note(host, "branch_entrances", String::new);
    place_chance_vaults(lua, host)?;
    note(host, "chance_vaults", String::new);
    if more_vaults {
        place_minivaults(lua, host)?;
        note(host, "minivaults", String::new);
        place_extra_vaults(lua, host)?;
        note(host, "extra_vaults", String::new);
    }
    if host.traits().ruins {
        begin(host, "ruination");
        on_site(host, ruin_lair);
    }
    begin(host, "water");
    let early_water = !host.content.rules.water_fixed_last;
    if early_water {
        on_site(host, |site| fix_water(site, false));
    }
    if host.traits().slime && host.content.rules.slime_has_own_stairs {
        begin(host, "stairs of the Slime Pits");
        on_site(host, place_slime_stairs)?;
    }
    place_uniques(lua, host)?;
    begin(host, "mimics");
    if on_site(host, make_mimics) {
        note(host, "mimics", String::new);
    }
    begin(host, "traps");
    let traps = on_site(host, place_traps);
    if host.traits().webs {
        on_site(host, |site| place_webs(site, traps));
        note(host, "webs", String::new);
    }
    note(host, "traps", String::new);
    let early_transporters = host.content.rules.transporters_come_early;
    if early_transporters {
        begin(host, "transporters");
        make_transporters(lua, host)?;
    }
    begin(host, "connectivity");
    let base = host.attempt.borrow().base_zones;
    verify_connectivity(host, vaults_before, base)?;
    note(host, "connectivity", String::new);
    place_monsters(host);
    note(host, "level_monsters", String::new);
    on_site(host, place_items);
    note(host, "floor_items", String::new);
    begin(host, "wall material");
    on_site(host, fix_wall_material);
    note(host, "wall_material", String::new);
    if host.traits().pandemonium {
        begin(host, "ways through Pandemonium");
        on_site(host, make_transits);
        note(host, "pan_stairs", String::new);
    }
    begin(host, "ends of the branch");
    on_site(host, finish_branch_ends);
    note(host, "branch_stairs", String::new);
    if !early_transporters {
        begin(host, "transporters");
        make_transporters(lua, host)?;
    }
    note(host, "transporters", String::new);
    note(host, "items_linked", String::new);
    if !early_water && !host.traits().water_stays {
        begin(host, "water");
        on_site(host, |site| fix_water(site, true));
        note(host, "water_fix", String::new);
    }
    if on_site(host, |site| in_hell(site)) {
        begin(host, "ways out of the hells");
        on_site(host, escape_upwards);
        note(host, "hell_stairs", String::new);
    }
    Ok(())
}
