//! Whether a new area of the Abyss holds the rune (spec 05 §19.6, spec 10 §10).

use vaultwright_level::LevelItem;
use vaultwright_lua::mlua::Lua;

use super::window::{area, place_vault};
use crate::observe::veto::Veto;
use crate::select::choice::{Wanted, choose};
use crate::state::game::GameState;
use crate::state::host::{Host, Parts};
use crate::state::site::{Site, on_site};

/// Tries of a vault for the rune.
const TRIES: usize = 10;
/// No rune lies above this level.
const FIRST_LEVEL: i32 = 3;
/// How many areas a player has to see before.
const AREAS_BEFORE: u32 = 4;
/// In 60, from the first level on that may hold the rune.
const CHANCES: [i32; 5] = [15, 25, 40, 100, 100];
/// The rune where it lies bare.
const RUNE: &str = "abyssal rune of zot";

/// Counts the area. Returns in how many of 60 cases it has the rune, or `None` if it cannot have
/// it. What the area's own vaults bring does not count: this is asked before they are placed.
pub(crate) fn enter_area(game: &mut GameState, site: &Site) -> Option<i32> {
    game.abyss_areas += 1;
    chance(site, game.abyss_areas)
}

/// Draws whether the rune comes and places it, in a vault of its own if one fits.
pub(crate) fn place_rune(lua: &Lua, host: &mut Host, chance: Option<i32>) -> Result<(), Veto> {
    let Some(chance) = chance else { return Ok(()) };
    if !on_site(host, |site| comes(site, chance)) {
        return Ok(());
    }
    for _ in 0..TRIES {
        let tags = ["abyss_rune"];
        let chosen = choose(host, Wanted::Tags { tags: &tags, check_depth: true, chance: true });
        if let Some(index) = chosen
            && place_vault(lua, host, index)?
        {
            return Ok(());
        }
    }
    host.with_parts(|Parts { level, attempt, observers, .. }, ctx| {
        place_bare(&mut Site { level, ctx, observers }, |p| !attempt.is_kept(p));
    });
    Ok(())
}

/// Draws whether the area has the rune.
fn comes(site: &mut Site, chance: i32) -> bool {
    let yes = site.ctx.rng.x_chance_in_y(chance, 60);
    site.note("abyss_rune", |_| format!("roll={chance} in 60 yes={}", u8::from(yes)));
    yes
}

/// Returns in how many of 60 cases there is a rune; `None` where no rune can be, or one lies.
fn chance(site: &Site, areas: u32) -> Option<i32> {
    let place = site.ctx.place;
    let level = usize::try_from(place.depth - FIRST_LEVEL).ok()?;
    if !site.ctx.content.rules.abyss_rune_waits {
        let levels = site.ctx.dungeon.levels(place.branch);
        return Some(100_f64.powf(f64::from(place.depth) / f64::from(1 + levels)) as i32);
    }
    let is_rune = |item: &LevelItem| item.spec.to_lowercase().contains("rune of zot");
    let lies_here = site.level.items.values().flatten().any(is_rune);
    CHANCES.get(level).copied().filter(|_| areas >= AREAS_BEFORE && !lies_here)
}

/// Puts the rune on a new cell of floor where no item lies, if there is one.
fn place_bare(site: &mut Site, is_new: impl Fn(vaultwright_map::Point) -> bool) {
    let floor = site.floor();
    let (mut count, mut chosen) = (0, None);
    for p in area(site.level.size()) {
        if is_new(p) && site.is(p, floor) && !site.level.items.contains_key(&p) {
            count += 1;
            if site.ctx.rng.one_chance_in(count) {
                chosen = Some(p);
            }
        }
    }
    let Some(p) = chosen else { return };
    site.ctx.spend_isolated();
    // How it looks.
    site.ctx.rng.random2(255);
    site.level
        .items
        .entry(p)
        .or_default()
        .push(LevelItem { spec: RUNE.to_owned(), ..LevelItem::default() });
}

#[cfg(test)]
mod tests {
    use vaultwright_content::Edition;

    use super::*;
    use crate::state::drawn::Drawn;

    #[test]
    fn the_rune_waits_for_areas_where_the_rules_say_so() {
        let chance_at = |edition: Edition, place: &str, areas: u32| {
            Drawn::under(edition, place, &["..."]).run(|site| chance(site, areas))
        };
        assert_eq!(chance_at(Edition::Trunk, "Abyss:2", 9), None);
        assert_eq!(chance_at(Edition::Trunk, "Abyss:3", 3), None);
        assert_eq!(chance_at(Edition::Trunk, "Abyss:3", 4), Some(15));
        let early = chance_at(Edition::V0_28, "Abyss:3", 0);
        assert!(early.is_some() && early < chance_at(Edition::V0_28, "Abyss:5", 0), "{early:?}");
    }
}
