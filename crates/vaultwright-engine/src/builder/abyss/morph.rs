//! The terrain of the Abyss changes while the player is there (spec 05 §19.7, §19.8).

use vaultwright_content::{Content, Feature, FeatureId};
use vaultwright_level::mask;
use vaultwright_lua::mlua::Lua;
use vaultwright_map::Point;
use vaultwright_rng::Streams;

use super::terrain::Terrain;
use super::window::{SIGHT, area_contains};
use crate::play::displacing::Keep;
use crate::play::terrain::change_terrain;
use crate::state::host::Host;
use crate::state::world::World;

/// How fast the Abyss is at first.
const SPEED: i32 = 40;

/// Lets time pass in the Abyss, in ticks.
pub(crate) fn morph_abyss(lua: &Lua, host: &mut Host, ticks: i32) {
    if !host.traits().abyss {
        return;
    }
    // Nobody here has a god who would slow it down.
    let delta = ticks.saturating_mul(SPEED) / 200 * 2;
    let due = match &mut host.game.state.abyss {
        Some(state) => state.pass(delta),
        None => return,
    };
    let size = host.content.level_size();
    for cell in due.into_iter().filter(|&cell| area_contains(size, cell)) {
        change(lua, host, cell);
    }
}

fn change(lua: &Lua, host: &mut Host, p: Point) {
    let features = host.content.features();
    let Some(old) = host.level.feature(p) else { return };
    let before = features.get(old);
    let lasts = matches!(before.name.as_str(), "runelight" | "exit_abyss" | "abyssal_stair");
    if host.level.mask(p) & mask::VAULT != 0 || before.flags.altar() || lasts {
        return;
    }
    let there = match &mut host.game.state.abyss {
        Some(state) => state.sample(p),
        None => return,
    };
    let mut new = match there.terrain {
        Terrain::Named(name) => features.by_name(name).unwrap_or_else(|| features.floor()),
        Terrain::Copied(feature) => feature,
    };
    let world = host.world();
    if p == world.borrow().player() {
        if world.borrow().monster_at(p).is_some() {
            return;
        }
        new = safe(&host.content, new);
    }
    let between_doors = before.flags.door() && features.get(new).flags.door();
    if new == old || between_doors || holds_rune(&*world.borrow(), p) {
        return;
    }
    if new == features.floor() {
        let player = world.borrow().player();
        if (p.x - player.x).abs().max((p.y - player.y).abs()) <= SIGHT {
            draw_cloud(&mut host.game.streams, before);
        }
    }
    change_terrain(lua, host, p, new, Keep { feature: false, items: true });
}

/// Returns what the player can stand on.
fn safe(content: &Content, feature: FeatureId) -> FeatureId {
    let features = content.features();
    let flags = features.get(feature).flags;
    match flags.deep_water() {
        true => features.known().shallow_water,
        false if flags.solid() || flags.lava() => features.floor(),
        false => feature,
    }
}

fn holds_rune(world: &dyn World, p: Point) -> bool {
    let is_rune = |number| world.item(number).is_some_and(|item| item.name.contains("rune"));
    world.items_at(p).into_iter().any(is_rune)
}

/// Makes the draws for a cloud that terrain in sight leaves behind when it becomes floor. The cloud
/// itself is the game's.
fn draw_cloud(rng: &mut Streams, before: &Feature) {
    let kinds = match before.name.as_str() {
        "rock_wall" | "stone_wall" | "crystal_wall" | "slimy_wall" | "permarock_wall" => Some(2),
        "fountain_blue" => Some(5),
        _ if before.flags.water() => Some(5),
        _ => None,
    };
    for kinds in [kinds, Some(2), kinds].into_iter().flatten() {
        rng.random2(kinds);
    }
}
