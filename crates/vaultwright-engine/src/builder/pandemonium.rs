//! Levels of Pandemonium (spec 05 §5.3, §20.1).

use vaultwright_content::MonsterId;
use vaultwright_lua::mlua::Lua;
use vaultwright_map::{MapId, Orient};

use super::primary::{Forced, forced_map, place_primary};
use crate::observe::veto::Veto;
use crate::select::choice::{Choice, Wanted, choosing};
use crate::state::host::Host;
use crate::state::site::{Site, on_site};

/// The tags of the lords' own levels.
const LORDS: [&str; 4] = ["mnoleg", "lom_lobon", "cerebov", "gloorx_vloq"];
/// How probable the demons of a level are, one after the other.
const DEMONS: [i32; 14] = [5, 4, 5, 5, 5, 5, 2, 5, 1, 2, 1, 1, 1, 1];
/// The same in 0.28, as it was asked.
const DEMONS_OF_OLD: [i32; 13] = [5, 5, 5, 5, 5, 5, 2, 5, 1, 1, 1, 1, 1];
/// So many of both lists are the same.
const SAME_DEMONS: usize = 9;
/// The strong ones; 0.28 lacks one of those with a 2.
const STRONG: [i32; 10] = [4, 4, 4, 4, 4, 4, 2, 2, 2, 2];
/// Colours by number.
const COLOURS: [&str; 15] = [
    "blue",
    "green",
    "cyan",
    "red",
    "magenta",
    "brown",
    "lightgrey",
    "darkgrey",
    "lightblue",
    "lightgreen",
    "lightcyan",
    "lightred",
    "lightmagenta",
    "yellow",
    "white",
];

/// Builds the primary map. Returns whether more vaults may be placed.
pub(crate) fn build_pandemonium(lua: &Lua, host: &mut Host) -> Result<bool, Veto> {
    on_site(host, set_up);
    let seen = host.game.state.pandemonium_levels;
    let chosen = forced_map(host, Forced::Primary).or_else(|| {
        choosing(host, |choice| {
            let place = choice.site.ctx.place;
            let by_depth = Wanted::Depth { place, minivault: false, extra: Some(false) };
            lord_map(choice, seen).or_else(|| choice.choose(by_depth))
        })
    });
    let Some(index) = chosen else {
        return Err(Veto::NoPandemoniumMap);
    };
    let encompass = host.library[index].selection.orient == Some(Orient::Encompass);
    place_primary(lua, host, index, None)?;
    Ok(!encompass)
}

/// Makes every way up lead to another level of Pandemonium.
pub(crate) fn make_transits(site: &mut Site) {
    let (hatch, transit) = (site.known().escape_hatch_up, site.known().transit_pandemonium);
    for p in site.inner() {
        if site.flags(p).stone_stair_up() || site.is(p, hatch) {
            site.set(p, transit);
        }
    }
}

/// Draws the demons of the level and its colours.
fn set_up(site: &mut Site) {
    site.level.demons = draw_demons(site);
    let mut colour = |unwanted: [&str; 3]| loop {
        let drawn = COLOURS[site.ctx.rng.random2(15) as usize];
        if !unwanted.contains(&drawn) {
            return Some(drawn.to_owned());
        }
    };
    let (floor, rock) =
        (colour(["darkgrey", "cyan", "yellow"]), colour(["darkgrey", "lightgrey", "cyan"]));
    site.level.floor_colour = floor;
    site.level.rock_colour = rock;
}

/// Draws which demons are the level's own. Of some only the place in the list is known.
fn draw_demons(site: &mut Site) -> Vec<MonsterId> {
    let longer = site.ctx.content.rules.longer_demon_lists;
    let demons = if longer { &DEMONS[..] } else { &DEMONS_OF_OLD };
    let strong = &STRONG[..STRONG.len() - usize::from(!longer)];
    let monsters = site.ctx.content.monsters();
    let rng = &mut *site.ctx.rng;
    let member = |group: String| monsters.group(&group).first().copied();
    let mut own = [None; 10];
    for (slot, demon) in own.iter_mut().enumerate() {
        let index = rng.weighted_chain(demons);
        let known = !longer || index < SAME_DEMONS;
        *demon = member(format!("demon of Pandemonium {index}")).filter(|_| known);
        let strong_one = match slot {
            7 => rng.one_chance_in(8),
            8 => rng.one_chance_in(5),
            9 => rng.one_chance_in(3),
            _ => false,
        };
        if strong_one {
            let index = rng.weighted_chain(strong);
            *demon = member(format!("strong demon of Pandemonium {index}"));
        }
    }
    for fiend in 0..4 {
        if rng.one_chance_in(10) {
            let slot = 7 + rng.random2(3) as usize;
            own[slot] = monsters.group("demon tier 1").get(fiend).copied();
        }
    }
    own.into_iter().flatten().collect()
}

/// Draws whether the level is that of a lord whom the game has not met yet, which grows likelier
/// with the levels seen, and whose. Returns the lord's map, or `None`.
fn lord_map(choice: &mut Choice, seen: i32) -> Option<MapId> {
    let used = choice.used;
    let is_used = |lord: &str| used.tags.contains(&format!("uniq_{lord}"));
    let rng = &mut *choice.site.ctx.rng;
    if !rng.x_chance_in_y(1 + seen, 20 + seen) || LORDS.iter().all(|lord| is_used(lord)) {
        return None;
    }
    let lord = loop {
        let lord = LORDS[rng.random2(4) as usize];
        if !is_used(lord) {
            break lord;
        }
    };
    choice.choose(Wanted::Tags { tags: &[lord], check_depth: false, chance: false })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::drawn::Drawn;

    #[test]
    fn ways_up_lead_on_through_pandemonium() {
        let mut drawn = Drawn::on("Pan", &["abcu", "123h"]);
        drawn.run(make_transits);
        assert_eq!(drawn.rows(), ["PPPP", "123h"]);
    }
}
