//! The steps of an attempt at a level, in their order (spec 05 §4.4).

use vaultwright_content::{BranchTraits, Content, Rules};
use vaultwright_level::Cause;
use vaultwright_lua::mlua::Lua;
use vaultwright_map::LevelPlace;

use super::connectivity::{Closets, ZonesBefore, verify_connectivity};
use super::ends::{escape_upwards, finish_branch_ends};
use super::fixups::{
    fix_doors, fix_wall_material, fix_water_early, fix_water_late, make_mimics, make_transporters,
    remove_lost_items,
};
use super::lair::belongs_to_scripts;
use super::pandemonium::make_transits;
use super::population::{place_items, place_monsters};
use super::primary::build_primary;
use super::ruination::ruin_lair;
use super::secondary::{
    Entrances, place_branch_entrances, place_chance_vaults, place_extra_vaults, place_minivaults,
    place_uniques,
};
use super::slime::{fix_slime, place_slime_stairs};
use super::stairs::is_in_hell;
use super::temples::place_overflow_temples;
use super::traps::{place_traps, place_webs};
use crate::observe::veto::Veto;
use crate::state::host::{Host, Parts};
use crate::state::site::{Site, on_site};

/// A step of building a level.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct BuildStep {
    /// The name, as in the step's row in a trace.
    pub name: &'static str,
    /// What the step works on, as shown for the cells that it writes.
    pub work: &'static str,
    /// Whether a trace has a row at the end of the step. Other rows come from within steps.
    pub is_traced: bool,
    applies: fn(&Circumstances) -> bool,
    run: Run,
}

/// The function that a step runs.
#[derive(Clone, Copy, Debug)]
enum Run {
    /// Works on the level only.
    OnSite(fn(&mut Site)),
    /// Works on the level only, and may reject it.
    OrVeto(fn(&mut Site) -> Result<(), Veto>),
    /// May place maps, or query markers.
    WithMaps(fn(&Lua, &mut Host) -> Result<(), Veto>),
    /// Reads results of earlier steps, or passes some to later ones.
    Knowing(fn(&Lua, &mut Host, &mut Progress) -> Result<(), Veto>),
}

use Run::{Knowing, OnSite, OrVeto, WithMaps};

/// What earlier steps pass to later ones.
#[derive(Default)]
struct Progress {
    /// Whether the primary vault leaves room for others.
    more_vaults: bool,
    /// The number of vaults when the zones were first counted.
    vaults_before: usize,
}

/// The conditions for taking a step.
struct Circumstances<'a> {
    content: &'a Content,
    place: LevelPlace,
    progress: &'a Progress,
}

impl<'a> Circumstances<'a> {
    fn rules(&self) -> &'a Rules {
        &self.content.rules
    }

    fn traits(&self) -> &'a BranchTraits {
        self.content.branches().traits(self.place.branch)
    }
}

/// The steps in order. Steps that an attempt skips leave no row in its trace.
const STEPS: [BuildStep; 26] = [
    silent("primary_vault", "the primary vault or layout", Knowing(primary)),
    traced("slime_fix", "clear walls of the Slime Pits", OnSite(fix_slime))
        .when(|at| at.traits().slime),
    traced("door_check", "doors that close nothing", OnSite(fix_doors))
        .when(|at| !belongs_to_scripts(at.content, at.place)),
    silent("zones_counted", "zones, which later vaults must not cut", Knowing(begin_counting)),
    traced("overflow_temples", "temples of other gods", WithMaps(place_overflow_temples))
        .when(|at| at.traits().overflow_temples),
    traced("branch_entrances", "entrances of branches", Knowing(entrances)),
    traced("chance_vaults", "vaults that come by chance", WithMaps(place_chance_vaults)),
    traced("minivaults", "minivaults", WithMaps(place_minivaults))
        .when(|at| at.progress.more_vaults),
    traced("extra_vaults", "more vaults", WithMaps(place_extra_vaults))
        .when(|at| at.progress.more_vaults),
    silent("ruination", "ruination", OnSite(ruin_lair)).when(|at| at.traits().ruins),
    silent("early_water", "water", OnSite(fix_water_early)).when(|at| !at.rules().water_fixed_last),
    silent("slime_stairs", "stairs of the Slime Pits", OrVeto(place_slime_stairs))
        .when(|at| at.traits().slime && at.rules().slime_has_own_stairs),
    silent("uniques", "vaults of uniques", WithMaps(place_uniques)),
    traced("mimics", "mimics", OnSite(make_mimics)).when(|at| !at.traits().no_mimics),
    traced("traps", "traps", OnSite(traps_and_webs)),
    silent("early_transporters", "transporters", WithMaps(make_transporters))
        .when(|at| at.rules().transporters_come_early),
    traced("connectivity", "connectivity", Knowing(connectivity)),
    traced("level_monsters", "monsters", OnSite(place_monsters)),
    traced("floor_items", "items", OnSite(place_items)),
    traced("wall_material", "wall material", OnSite(fix_wall_material)),
    traced("pan_stairs", "ways through Pandemonium", OnSite(make_transits))
        .when(|at| at.traits().pandemonium),
    traced("branch_stairs", "ends of the branch", OnSite(finish_branch_ends)),
    traced("transporters", "transporters", WithMaps(late_transporters)),
    traced("items_linked", "items that lie where none can", WithMaps(remove_lost_items)),
    traced("water_fix", "water", OnSite(fix_water_late))
        .when(|at| at.rules().water_fixed_last && !at.traits().water_stays),
    traced("hell_stairs", "ways out of the hells", OnSite(escape_upwards))
        .when(|at| is_in_hell(at.content, at.place)),
];

/// Returns the steps of building a level, in order.
pub fn build_steps() -> impl Iterator<Item = &'static BuildStep> {
    STEPS.iter()
}

/// Takes all applicable steps. The first veto ends the attempt.
pub(crate) fn take_steps(lua: &Lua, host: &mut Host) -> Result<(), Veto> {
    let mut progress = Progress::default();
    for step in &STEPS {
        let (content, place) = (&*host.content, host.game.place);
        if !(step.applies)(&Circumstances { content, place, progress: &progress }) {
            continue;
        }
        host.level.begin(Cause::Step(step.work));
        match step.run {
            OnSite(run) => on_site(host, run),
            OrVeto(run) => on_site(host, run)?,
            WithMaps(run) => run(lua, host)?,
            Knowing(run) => run(lua, host, &mut progress)?,
        }
        if step.is_traced {
            host.note(step.name, String::new);
        }
    }
    Ok(())
}

/// Returns a step with a row in the trace at its end.
const fn traced(name: &'static str, work: &'static str, run: Run) -> BuildStep {
    BuildStep { name, work, is_traced: true, applies: |_| true, run }
}

/// Returns a step without a row of its own in the trace.
const fn silent(name: &'static str, work: &'static str, run: Run) -> BuildStep {
    BuildStep { name, work, is_traced: false, applies: |_| true, run }
}

impl BuildStep {
    /// Returns the step with a condition.
    const fn when(self, applies: fn(&Circumstances) -> bool) -> BuildStep {
        BuildStep { applies, ..self }
    }
}

fn primary(lua: &Lua, host: &mut Host, progress: &mut Progress) -> Result<(), Veto> {
    progress.more_vaults = build_primary(lua, host)?;
    host.note("primary", || {
        let more = u8::from(progress.more_vaults);
        let random = u8::from(host.attempt.random_maps);
        let level = &host.level;
        let types: Vec<&str> = level.layout_types.iter().map(String::as_str).collect();
        format!("more_vaults={more} random_maps={random} layout_types={}", types.join(","))
    });
    Ok(())
}

fn begin_counting(_: &Lua, host: &mut Host, progress: &mut Progress) -> Result<(), Veto> {
    host.attempt.counting_zones = true;
    progress.vaults_before = host.level.vaults.len();
    Ok(())
}

fn entrances(lua: &Lua, host: &mut Host, progress: &mut Progress) -> Result<(), Veto> {
    let how = if progress.more_vaults { Entrances::InVaults } else { Entrances::Bare };
    place_branch_entrances(lua, host, how)
}

fn traps_and_webs(site: &mut Site) {
    let traps = place_traps(site);
    if site.traits().webs {
        place_webs(site, traps);
        site.note("webs", |_| String::new());
    }
}

fn connectivity(_: &Lua, host: &mut Host, progress: &mut Progress) -> Result<(), Veto> {
    let before = ZonesBefore { vaults: progress.vaults_before, count: host.attempt.base_zones };
    let closets = if host.survey.veto_closets { Closets::Vetoed } else { Closets::Closed };
    host.with_parts(|Parts { level, game, observers, .. }, ctx| {
        let site = &mut Site { level, ctx, observers };
        verify_connectivity(site, &mut game.connections, before, closets)
    })
}

/// Makes transporters unless an earlier step has. The trace has a row for the step either way, so
/// this cannot be a condition of the step.
fn late_transporters(lua: &Lua, host: &mut Host) -> Result<(), Veto> {
    match host.content.rules.transporters_come_early {
        true => Ok(()),
        false => make_transporters(lua, host),
    }
}
