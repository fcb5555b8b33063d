//! The altars of temples, and the temples of the Dungeon for gods that the Temple has no room for
//! (spec 05 §17.3, §17.4).

use vaultwright_content::Content;
use vaultwright_lua::mlua::Lua;
use vaultwright_map::MapId;

use super::secondary::place_with;
use crate::observe::veto::Veto;
use crate::select::choice::{Choice, Wanted, choosing};
use crate::state::game::god_tag;
use crate::state::host::Host;

/// Returns the altars of gods, by the names of their features.
pub(crate) fn altars_of(content: &Content, gods: &[String]) -> Vec<String> {
    let names = content.names();
    gods.iter().filter_map(|god| names.god(god)).map(|god| god.altar.clone()).collect()
}

/// Places the temples that the game has planned for this level.
pub(crate) fn place_overflow_temples(lua: &Lua, host: &mut Host) -> Result<(), Veto> {
    let depth = host.game.place.depth;
    let all = host.game.state.overflow_temples.iter();
    let planned: Vec<Vec<String>> =
        all.filter(|(at, _)| *at == depth).map(|(_, gods)| gods.clone()).collect();
    for gods in planned {
        let count = gods.len();
        let mut tags = String::new();
        if count > 1 || host.with_context(|ctx| ctx.rng.coinflip()) {
            tags = format!("temple_overflow_{count}");
            gods.iter().for_each(|god| tags += &format!(" {}", god_tag(god)));
        }
        let mut chosen =
            if tags.is_empty() { None } else { choosing(host, |maps| by_tags(maps, &tags)) };
        if chosen.is_none() {
            tags = format!("temple_overflow_generic_{count}");
            chosen = choosing(host, |maps| by_tags(maps, &tags));
        }
        let Some(index) = chosen else {
            host.log(format!("no map has the tag {tags}: no temple for {}", gods.join(", ")));
            return Ok(());
        };
        host.game.population.temple = Some(altars_of(&host.content, &gods));
        let placed = place_with(lua, host, index, Some(&tags));
        // Altars that its map had no use for are left to other maps of the level.
        host.game.population.temple = None;
        if !placed? {
            return Err(host.not_placed(index));
        }
    }
    Ok(())
}

fn by_tags(choice: &mut Choice, tags: &str) -> Option<MapId> {
    let words: Vec<&str> = tags.split(' ').collect();
    choice.choose(Wanted::Tags { tags: &words, check_depth: true, chance: false })
}
