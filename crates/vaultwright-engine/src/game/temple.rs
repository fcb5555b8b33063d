//! The Temple of a game, and the temples of the Dungeon for the gods it has no room for (spec 05
//! §17, §23.1).

use vaultwright_lua::mlua::Lua;
use vaultwright_map::{Context, LevelPlace, MapId};

use crate::pack::library::Library;
use crate::resolve::roll::run_definition;
use crate::select::choice::{Choice, Wanted, choose, choosing};
use crate::state::game::{GameState, Temple, god_tag};
use crate::state::host::Host;
use crate::state::map_cell::MapCell;

/// How often 0.28 looks for a Temple.
const TRIES: usize = 10;
/// Temples that a game gets one time in a hundred.
const RARE: &str = "temple_rare";
/// Where the weights of temples are taken.
const OVERFLOW_DEPTH: i32 = 10;

/// The Temple that a game gets: its map and for how many altars.
pub(crate) struct ChosenTemple {
    map: String,
    size: usize,
    /// What the Lua of maps is told; a map may have more altars than it was asked for. Empty if
    /// it was asked for no number.
    parameter: String,
}

/// Chooses a map for the Temple. Returns `None` if the pack has no Temple or no map for it.
pub(crate) fn choose_temple(lua: &Lua, host: &mut Host) -> Option<ChosenTemple> {
    let temple = host.content.branches().iter().find(|branch| branch.traits.temple)?;
    let place = LevelPlace { branch: temple.id, depth: 1 };
    // No release is known to be the first that draws the size; its tree has rare Temples.
    let has_rare = host.library.with_tags(&[RARE]).next().is_some();
    match host.content.rules.temple_by_size || has_rare {
        true => choosing(host, |maps| by_size(maps, place)),
        false => by_place(lua, host, place),
    }
}

/// Chooses as trunk does, which draws the number of altars first.
fn by_size(maps: &mut Choice, temple: LevelPlace) -> Option<ChosenTemple> {
    let library = maps.library;
    let chosen = |index: MapId, size| {
        let map = library[index].selection.name.clone();
        ChosenTemple { map, size, parameter: altars_wanted(size) }
    };
    if maps.site.ctx.rng.one_chance_in(100)
        && let Some(index) = maps.choose(tagged(&[RARE]))
    {
        let size = altar_numbers(library, index).first().copied().unwrap_or(0);
        return Some(chosen(index, size));
    }
    let rng = &mut *maps.site.ctx.rng;
    let size = match rng.coinflip() {
        true => (5 + rng.random2(9).max(rng.random2(9))).max(6),
        false => (14 + rng.random2(9).min(rng.random2(9))).min(22),
    };
    let tag = format!("temple_altars_{size}");
    let rare = |index: MapId| library[index].selection.has_tag(RARE);
    if library.with_tags(&[&tag]).all(rare) {
        // No map for this many: any Temple of the pack will do.
        let any = maps.choose(Wanted::Place { place: temple, minivault: false, extra: None })?;
        return Some(chosen(any, size as usize));
    }
    for _ in 0..TRIES * TRIES {
        let index = maps.choose(tagged(&[tag.as_str()]))?;
        if !rare(index) {
            return Some(chosen(index, size as usize));
        }
    }
    None
}

/// Returns a map with the tags, at whatever depth it may stand.
fn tagged<'a>(tags: &'a [&'a str]) -> Wanted<'a> {
    Wanted::Tags { tags, check_depth: false, chance: false }
}

/// Chooses as 0.28 does, which takes a map for the level and counts its altars.
fn by_place(lua: &Lua, host: &mut Host, place: LevelPlace) -> Option<ChosenTemple> {
    for _ in 0..TRIES {
        let index = choose(host, Wanted::Place { place, minivault: false, extra: None })?;
        let listed = host.library[index].clone();
        let mut parameter = String::new();
        if listed.selection.has_tag("temple_variable") {
            let numbers = altar_numbers(&host.library, index);
            let drawn = host.with_context(|ctx| ctx.rng.random2(numbers.len() as i32)) as usize;
            if let Some(number) = numbers.get(drawn) {
                parameter = altars_wanted(*number);
            }
        }
        let map = MapCell::of(&listed);
        // 0.28 was asked: one that takes no number is told none here, and nothing when it is built.
        let told = if parameter.is_empty() { altars_wanted(0) } else { parameter.clone() };
        let ran = host.with_parameter(Some(&told), |host| run_definition(lua, host, &map).is_ok());
        host.game.used.pending.clear();
        let grid = &map.def.borrow().grid;
        let size = grid.points().filter(|&p| grid.glyph(p) == b'B').count();
        if ran && size > 0 {
            return Some(ChosenTemple { map: listed.selection.name.clone(), size, parameter });
        }
    }
    None
}

fn altars_wanted(number: usize) -> String {
    format!("temple_altars_{number}")
}

/// Returns the numbers in a map's tags `temple_altars_N`.
fn altar_numbers(library: &Library, index: MapId) -> Vec<usize> {
    let tags = library[index].selection.tags.iter();
    tags.filter_map(|tag| tag.strip_prefix("temple_altars_")?.parse().ok()).collect()
}

/// Deals the gods to the Temple and to temples of the Dungeon.
pub(crate) fn share_out_gods(
    game: &mut GameState,
    library: &Library,
    ctx: &mut Context,
    chosen: ChosenTemple,
) {
    let gods = ctx.content.names().temple_gods();
    let mut gods: Vec<String> = gods.into_iter().map(|god| god.name.clone()).collect();
    ctx.rng.shuffle(&mut gods);
    let mut overflow = Vec::new();
    while gods.len() > chosen.size {
        overflow.extend(gods.pop());
    }
    game.overflow_temples = overflow_temples(library, ctx, overflow);
    game.temple = Some(Temple { map: chosen.map, parameter: chosen.parameter, gods });
}

/// Groups gods into temples, each with the depth of the Dungeon where it stands.
fn overflow_temples(
    library: &Library,
    ctx: &mut Context,
    mut gods: Vec<String>,
) -> Vec<(i32, Vec<String>)> {
    let at = LevelPlace { branch: LevelPlace::START.branch, depth: OVERFLOW_DEPTH };
    let weight_of = |ctx: &Context, index: MapId| {
        library[index].selection.weight.on(at, ctx).unwrap_or(10).max(0)
    };
    let most = gods.len();
    let generic: Vec<i32> = (0..=most)
        .map(|size| {
            let tag = format!("temple_overflow_generic_{size}");
            library.with_tags(&[&tag]).map(|index| weight_of(ctx, index)).sum()
        })
        .collect();
    let mut temples = Vec::new();
    let place = |ctx: &mut Context, gods: Vec<String>| (ctx.rng.random_range(3, 10), gods);
    for size in 2..=5_usize {
        let tag = format!("temple_overflow_{size}");
        for index in library.with_tags(&[&tag]) {
            if gods.len() < 2 {
                break;
            }
            let tags = &library[index].selection.tags;
            let mut own: Vec<(String, String)> = gods
                .iter()
                .map(|god| (god_tag(god), god.clone()))
                .filter(|(tag, _)| tags.contains(tag))
                .collect();
            let named = tags.iter().filter(|tag| is_god_tag(tag)).count();
            if own.len() != size || named != size {
                continue;
            }
            let weight = weight_of(ctx, index);
            let others = generic.get(size).copied().unwrap_or(0);
            if ctx.rng.x_chance_in_y(weight, others + weight) {
                own.sort();
                let own: Vec<String> = own.into_iter().map(|(_, god)| god).collect();
                gods.retain(|god| !own.contains(god));
                temples.push(place(ctx, own));
            }
        }
    }
    let mut rest = gods.into_iter();
    while let Some(god) = rest.next() {
        let left = rest.len() + 1;
        let mut own = vec![god];
        if left > 1 && ctx.rng.one_chance_in(left as i32 + 1) {
            let weights: Vec<i32> =
                (2..=left).map(|size| generic.get(size).copied().unwrap_or(0)).collect();
            let size = ctx.rng.weighted_table(&weights);
            own.extend(rest.by_ref().take(size.map_or(0, |index| index + 1)));
        }
        temples.push(place(ctx, own));
    }
    temples
}

/// Returns whether a tag is `temple_overflow_` and the name of a god, not a number or `generic_N`.
fn is_god_tag(tag: &str) -> bool {
    tag.strip_prefix("temple_overflow_").is_some_and(|rest| {
        !rest.starts_with("generic_") && !rest.starts_with(|c: char| c.is_ascii_digit())
    })
}
