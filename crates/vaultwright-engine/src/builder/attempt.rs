//! The attempts at a level, and what comes before and after the steps of one (spec 05 §4).

use vaultwright_content::BranchId;
use vaultwright_level::{Cause, Level};
use vaultwright_lua::Failure;
use vaultwright_lua::mlua::{Function, Lua};
use vaultwright_map::LevelPlace;
use vaultwright_rng::GAMEPLAY;

use super::connectivity::way_down_from_the_exit;
use super::end_check::tell_what_is_fatal;
use super::ghosts::draw_ghosts;
use super::layouts::sea_floor::finish_shoals;
use super::primary::forced;
use super::steps::take_steps;
use super::temples::altars_of;
use crate::observe::trace::heights_hash;
use crate::observe::veto::{LevelError, Veto};
use crate::place::overlays::drop_stale_looks;
use crate::play::tides::{flood, has_tides};
use crate::state::attempt::Attempt;
use crate::state::game::GameState;
use crate::state::host::{Host, Parts};
use crate::state::site::{Site, level_stream, on_site};

/// How often a level is tried.
const ATTEMPTS: usize = 50;
/// From this attempt on no random vaults are chosen.
const LAST_RANDOM_ATTEMPT: usize = 45;

/// Builds a level. Returns why attempts were thrown away before one succeeded; if none did, that is
/// the error.
pub(crate) fn build_level(
    lua: &Lua,
    host: &mut Host,
    place: LevelPlace,
) -> Result<Vec<Veto>, LevelError> {
    host.game.place = place;
    host.game.streams.enter(level_stream(place));
    host.level.sight.forget_all();
    host.game.used.enter_branch(place.branch, host.content.branches().traits(place.branch));
    let built = host.while_building(|host| try_to_build(lua, host));
    host.game.streams.leave();
    if built.is_ok() {
        keep_branch_flags(&host.level, place.branch, &mut host.game.state);
        if host.traits().pandemonium {
            host.game.state.pandemonium_levels += 1;
        }
        let used = &mut host.game.used;
        used.level_names.clear();
        used.level_tags.clear();
    }
    built
}

/// Makes attempts until one succeeds; what the others have used does not count. If a map that every
/// level has to have is there, an error in a map's Lua ends them (spec 04 §12.3). Returns why those
/// were thrown away.
fn try_to_build(lua: &Lua, host: &mut Host) -> Result<Vec<Veto>, LevelError> {
    let connections = host.game.state.connections.clone();
    let (used, population) = (host.game.used.clone(), host.game.population.clone());
    let mut vetoes = Vec::new();
    for number in 1..=ATTEMPTS {
        let random_maps = number <= LAST_RANDOM_ATTEMPT;
        host.begin(Attempt { number, random_maps, building: true, ..Attempt::default() });
        host.note("attempt", || format!("random_maps={}", u8::from(random_maps)));
        let result = attempt(lua, host);
        let root = host.root.clone();
        host.with_parts(|Parts { level, game, .. }, ctx| {
            draw_ghosts(level, &mut game.bones, &root, ctx, &result);
        });
        match result {
            Ok(()) => {
                host.note("finished", String::new);
                return Ok(vetoes);
            }
            Err(veto) => {
                host.note("veto", || veto.to_string());
                vetoes.push(veto);
                host.note("failed", String::new);
                host.game.used.clone_from(&used);
                host.game.population.clone_from(&population);
                host.game.state.connections.clone_from(&connections);
                if host.attempt.spoilt && forced(host).is_some() {
                    break;
                }
            }
        }
    }
    Err(LevelError::Vetoed(vetoes))
}

/// Keeps what the vaults of the level say of the whole branch: it holds from now on.
fn keep_branch_flags(level: &Level, branch: BranchId, game: &mut GameState) {
    for flag in level.vaults.iter().flat_map(|vault| &vault.map.branch_flags) {
        game.branch_flags.entry(branch).or_default().insert(flag.clone());
    }
}

/// Makes one attempt: a level of rock, the steps, the sea, colours, and the branch's epilogue.
fn attempt(lua: &Lua, host: &mut Host) -> Result<(), Veto> {
    host.reset_level();
    if let Some(flags) = host.game.state.branch_flags.get(&host.game.place.branch) {
        host.level.flags.extend(flags.iter().cloned());
    }
    host.refill();
    if host.traits().abyss {
        // The reference draws a number here, and one in play the first time.
        host.with_context(|ctx| ctx.rng.word());
        if host.attempt.number == 1 {
            host.game.streams.enter(GAMEPLAY);
            host.with_context(|ctx| ctx.rng.word());
            host.game.streams.leave();
        }
    }
    host.note("reset", String::new);
    let surveyed = host.observers.borrow().tallying.is_some();
    host.game.population.xom_fills_up = surveyed || forced(host).is_some();
    if host.traits().temple {
        let gods = host.game.state.temple.as_ref().map_or(Vec::new(), |t| t.gods.clone());
        host.note("temple_altars", || format!("n={}", gods.len()));
        host.game.population.temple = Some(altars_of(&host.content, &gods));
    }
    take_steps(lua, host)?;
    if host.traits().sea {
        host.level.begin(Cause::Step("heights of the Shoals"));
        on_site(host, finish_shoals);
        host.note("shoals_heights", || heights_hash(&host.level));
        if has_tides(&host.level, host.traits()) {
            flood(lua, host);
            host.note("shoals_tide", String::new);
        }
    }
    on_site(host, colour_level);
    if !on_site(host, |site| way_down_from_the_exit(site)) {
        return Err(Veto::NoWayDown);
    }
    on_site(host, drop_stale_looks);
    host.note("postprocess", String::new);
    run_branch_epilogue(lua, host)?;
    tell_what_is_fatal(host);
    Ok(())
}

/// Calls the function that a script has named for the end of each level of the branch; an error
/// spoils the attempt (spec 05 §4.2).
fn run_branch_epilogue(lua: &Lua, host: &mut Host) -> Result<(), Veto> {
    let name = host.game.branch_epilogues.get(&host.game.place.branch).cloned();
    let Some(name) = name else { return Ok(()) };
    let failed = |error| {
        let failure = Failure::new(&error);
        Veto::Epilogue { function: name.clone(), failure }
    };
    let function: Function = lua.globals().get(name.as_str()).map_err(failed)?;
    host.lend(|| function.call::<()>(())).map_err(failed)
}

/// Gives floor and rock the colours of the branch where no vault has set others (spec 05 §11.5).
pub(crate) fn colour_level(site: &mut Site) {
    let (level, ctx) = (&mut *site.level, &*site.ctx);
    let Some(branch) = ctx.content.branches().get(ctx.place.branch) else { return };
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
