//! Choosing maps (spec 04 §3).

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

use vaultwright_map::{Context, LevelPlace, MapDef, MapId};

use crate::observe::trace::list_hash;
use crate::pack::library::Library;
use crate::state::host::{Host, Parts};
use crate::state::notes::note;
use crate::state::used::UsedMaps;

/// What is asked of a map.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Wanted<'a> {
    /// All of the tags.
    Tags {
        /// The tags.
        tags: &'a [&'a str],
        /// Whether DEPTH counts.
        check_depth: bool,
        /// Whether CHANCE counts.
        chance: bool,
    },
    /// Its PLACE is this level.
    Place { place: LevelPlace, minivault: bool, extra: Option<bool> },
    /// It may stand on this level.
    Depth { place: LevelPlace, minivault: bool, extra: Option<bool> },
    /// It may stand on this level, with a CHANCE.
    ChanceAtDepth { place: LevelPlace, extra: Option<bool> },
}

/// A random map; `None` if there is none, or if a dummy was drawn.
pub(crate) fn choose(host: &mut Host, wanted: Wanted) -> Option<MapId> {
    let library = host.library_asked();
    let accepted = accepted(host, &library, wanted);
    let chance = match wanted {
        Wanted::Tags { chance, .. } => chance,
        Wanted::Place { .. } => false,
        Wanted::Depth { .. } | Wanted::ChanceAtDepth { .. } => true,
    };
    let place = match wanted {
        Wanted::Tags { .. } => host.game.place,
        Wanted::Place { place, .. }
        | Wanted::Depth { place, .. }
        | Wanted::ChanceAtDepth { place, .. } => place,
    };
    let (chances, weighted) = match chance {
        true => split(host, &library, &accepted, place),
        false => (Vec::new(), accepted.clone()),
    };
    let mut weights = Vec::new();
    let chosen = chances.iter().find_map(|&index| roll_chance(host, &library, wanted, index));
    let chosen = chosen.or_else(|| {
        host.with_context(|ctx| {
            let of = |&index: &MapId| library[index].definition.weight.at(ctx);
            weights = weighted.iter().map(|index| of(index).unwrap_or(10).max(0)).collect();
            ctx.rng.pick_weighted(weights.iter().copied()).map(|position| weighted[position])
        })
    });
    let found = chosen.filter(|&index| !library[index].definition.has_tag("dummy"));
    note(host, "select", || {
        let (n, list) = counted(&library, &accepted);
        let got = chosen.map_or("none", |index| &library[index].definition.name);
        let dummy = if chosen == found { "" } else { "dummy:" };
        let (chances, weight) = (chances.len(), weights.iter().sum::<i32>());
        format!("{wanted} {n} chance={chances} weight={weight} {list} got={dummy}{got}")
    });
    found
}

/// What is asked of a map, as a trace tells it.
impl fmt::Display for Wanted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let (minivault, extra) = match *self {
            Wanted::Tags { tags, .. } => {
                write!(f, "tag={}", tags.join("+"))?;
                (false, None)
            }
            Wanted::Place { minivault, extra, .. } => {
                f.write_str("place")?;
                (minivault, extra)
            }
            Wanted::Depth { minivault, extra, .. } => {
                f.write_str("depth")?;
                (minivault, extra)
            }
            Wanted::ChanceAtDepth { extra, .. } => {
                f.write_str("depth")?;
                (false, extra)
            }
        };
        let extra = match extra {
            None => "any",
            Some(true) => "yes",
            Some(false) => "no",
        };
        write!(f, "{} extra={extra}", if minivault { " mini" } else { "" })
    }
}

/// Rolls for every map with a CHANCE on a level; the winners (spec 04 §3.8).
pub(crate) fn roll_all_chances(host: &mut Host, place: LevelPlace) -> Vec<MapId> {
    let library = host.library_asked();
    let wanted = Wanted::ChanceAtDepth { place, extra: None };
    let accepted = accepted(host, &library, wanted);
    let (chances, _) = split(host, &library, &accepted, place);
    note(host, "chance_rolls", || {
        let (n, list) = counted(&library, &chances);
        format!("{n} {list}")
    });
    chances.into_iter().filter_map(|index| roll_chance(host, &library, wanted, index)).collect()
}

/// Maps with all the tags that may be used, dummies left out, without draws (spec 04 §3.9).
pub(crate) fn list_by_tags(host: &mut Host, tags: &[&str]) -> Vec<MapId> {
    let library = host.library_asked();
    host.with_parts(|Parts { used, .. }, ctx| {
        let may = |&index: &MapId| {
            let map = &library[index].definition;
            !map.has_tag("dummy")
                && (map.depths.is_empty() || depth_fits(map, ctx.place, ctx))
                && !used.excludes(map, &ctx.content.rules)
        };
        library.with_tags(tags).filter(may).collect()
    })
}

/// How probable each of the wanted maps is when one is drawn for a level on which nothing stands
/// yet, as shares of 1; with [`Wanted::ChanceAtDepth`], how probably each wins its own draw.
/// Dummies count, since they can be drawn.
pub(crate) fn odds(host: &mut Host, wanted: Wanted) -> Vec<(MapId, f64)> {
    let library = host.library_asked();
    let accepted = accepted(host, &library, wanted);
    let place = match wanted {
        Wanted::Depth { place, .. } => place,
        Wanted::Tags { .. } | Wanted::Place { .. } => return shares(host, &library, accepted),
        Wanted::ChanceAtDepth { .. } => {
            let chance = |index| (index, chance_of(host, &library, index));
            return accepted.into_iter().map(chance).collect();
        }
    };
    let (chances, weighted) = split(host, &library, &accepted, place);
    // Dummies with a CHANCE come first; the others share what these leave.
    let mut left = 1.0;
    let mut odds = Vec::new();
    for index in chances {
        let chance = chance_of(host, &library, index);
        odds.push((index, left * chance));
        left *= 1.0 - chance;
    }
    let weighted = shares(host, &library, weighted);
    odds.extend(weighted.into_iter().map(|(index, share)| (index, share * left)));
    odds
}

/// The CHANCE of a map on the current level, as a share of 1.
fn chance_of(host: &mut Host, library: &Library, index: MapId) -> f64 {
    let chance = |ctx: &mut Context| library[index].definition.chance.at(ctx);
    (f64::from(host.with_context(chance).unwrap_or(0)) / 10_000.0).clamp(0.0, 1.0)
}

fn shares(host: &mut Host, library: &Library, maps: Vec<MapId>) -> Vec<(MapId, f64)> {
    let mut weight = |&index: &MapId| {
        let weight = |ctx: &mut Context| library[index].definition.weight.at(ctx);
        f64::from(host.with_context(weight).unwrap_or(10).max(0))
    };
    let weights: Vec<f64> = maps.iter().map(&mut weight).collect();
    let total: f64 = weights.iter().sum();
    maps.into_iter().zip(weights.iter().map(|weight| weight / total.max(1.0))).collect()
}

/// The chance group of a map: its first tag `chance_…`.
pub(crate) fn chance_group(map: &MapDef) -> Option<&str> {
    map.tags.iter().find(|tag| tag.starts_with("chance_")).map(String::as_str)
}

/// Splits maps into those with a CHANCE on a level, one for each group, and the others.
fn split(
    host: &mut Host,
    library: &Library,
    accepted: &[MapId],
    place: LevelPlace,
) -> (Vec<MapId>, Vec<MapId>) {
    let mut groups: BTreeSet<&str> = BTreeSet::new();
    let (mut chances, mut weighted) = (Vec::new(), Vec::new());
    for &index in accepted {
        let map = &library[index].definition;
        if !has_chance(host, map, place) {
            weighted.push(index);
        } else if chance_group(map).is_none_or(|group| groups.insert(group)) {
            chances.push(index);
        }
    }
    by_priority(host, library, &mut chances, place);
    (chances, weighted)
}

/// Puts maps with a CHANCE of a higher priority first, where rules know priorities.
pub(crate) fn by_priority(
    host: &mut Host,
    library: &Library,
    maps: &mut [MapId],
    place: LevelPlace,
) {
    if !host.content.rules.chance_priorities {
        return;
    }
    // The documents do not say what a CHANCE without priority has: what a WEIGHT has.
    maps.sort_by_cached_key(|&index| {
        let table = &library[index].definition.chance_priority;
        host.with_context(|ctx| {
            ctx.place = place;
            Reverse(table.at(ctx).unwrap_or(10))
        })
    });
}

/// Rolls a map's CHANCE at the current level; a group then chooses among its maps.
fn roll_chance(host: &mut Host, library: &Library, wanted: Wanted, index: MapId) -> Option<MapId> {
    let map = &library[index].definition;
    let won = host.with_context(|ctx| ctx.rng.random2(10_000) < map.chance.at(ctx).unwrap_or(-1));
    if !won {
        return None;
    }
    if matches!(wanted, Wanted::ChanceAtDepth { .. }) {
        note(host, "chance_won", || map.name.clone());
    }
    let Some(group) = chance_group(map) else { return Some(index) };
    let check_depth = match wanted {
        Wanted::Tags { check_depth, .. } => check_depth,
        _ => true,
    };
    choose(host, Wanted::Tags { tags: &[group], check_depth, chance: false })
}

/// How many maps are on a list, and which, as a trace tells it.
fn counted(library: &Library, maps: &[MapId]) -> (String, String) {
    let names = maps.iter().map(|&index| library[index].definition.name.as_str());
    (format!("n={}", maps.len()), format!("list={:08x}", list_hash(names)))
}

fn has_chance(host: &mut Host, map: &MapDef, place: LevelPlace) -> bool {
    host.with_context(|ctx| {
        ctx.place = place;
        map.chance.at(ctx).is_some_and(|chance| chance >= 0)
    })
}

/// The maps that may be chosen, in load order.
fn accepted(host: &mut Host, library: &Arc<Library>, wanted: Wanted) -> Vec<MapId> {
    host.with_parts(|Parts { used, level, fitting, .. }, ctx| {
        let branches = ctx.content.branches();
        let accepts = |&index: &MapId| {
            accepts(&library[index].definition, wanted, &level.layout_types, used, ctx)
        };
        match wanted {
            Wanted::Tags { tags: [], .. } => Vec::new(),
            Wanted::Tags { tags, .. } => library.with_tags(tags).filter(accepts).collect(),
            Wanted::Place { place, .. } => {
                let fitting = fitting.by_place(library, place, branches, ctx.dungeon);
                fitting.iter().copied().filter(accepts).collect()
            }
            Wanted::Depth { place, .. } | Wanted::ChanceAtDepth { place, .. } => {
                let fitting = fitting.by_depth(library, place, branches, ctx.dungeon);
                fitting.iter().copied().filter(accepts).collect()
            }
        }
    })
}

fn accepts(
    map: &MapDef,
    wanted: Wanted,
    layout_types: &BTreeSet<String>,
    used: &UsedMaps,
    ctx: &Context,
) -> bool {
    let fits_layout = |place: LevelPlace| place != ctx.place || layout_fits(map, layout_types);
    // What most maps of a pack fail at is asked first.
    let fits = match wanted {
        Wanted::Tags { check_depth, .. } => {
            (!check_depth || map.depths.is_empty() || depth_fits(map, ctx.place, ctx))
                && layout_fits(map, layout_types)
        }
        Wanted::Place { place, minivault, extra } => {
            !map.place.is_empty()
                && map.place.usable_at(place, ctx.content.branches(), ctx.dungeon)
                && map.has_tag("minivault") == minivault
                && extra.is_none_or(|extra| is_extra(map, ctx) == extra)
                && layout_fits(map, layout_types)
                && !map.tags.iter().any(|tag| tag.starts_with("tutorial"))
        }
        Wanted::Depth { place, minivault, extra } => {
            depth_fits(map, place, ctx)
                && map.has_tag("minivault") == minivault
                && extra.is_none_or(|extra| is_extra(map, ctx) == extra)
                && (map.has_tag("dummy") || chance_at(map, place, ctx).is_none())
                && tags_allow(map, place, ctx)
                && fits_layout(place)
        }
        Wanted::ChanceAtDepth { place, extra } => {
            depth_fits(map, place, ctx)
                && chance_at(map, place, ctx).is_some()
                && extra.is_none_or(|extra| is_extra(map, ctx) == extra)
                && !map.has_tag("dummy")
                && tags_allow(map, place, ctx)
                && fits_layout(place)
        }
    };
    fits && !used.excludes(map, &ctx.content.rules)
}

/// The CHANCE of a map on a level, which need not be the current one.
fn chance_at(map: &MapDef, place: LevelPlace, ctx: &Context) -> Option<i32> {
    let branches = ctx.content.branches();
    let entry = map.chance.entries.iter().find(|(r, _)| r.usable_at(place, branches, ctx.dungeon));
    entry.map(|&(_, chance)| chance).or(map.chance.default).filter(|&chance| chance >= 0)
}

fn depth_fits(map: &MapDef, place: LevelPlace, ctx: &Context) -> bool {
    map.depths.usable_at(place, ctx.content.branches(), ctx.dungeon)
}

/// Whether its tags let a map be chosen by depth (spec 04 §3.3).
fn tags_allow(map: &MapDef, place: LevelPlace, ctx: &Context) -> bool {
    let early_dungeon = place.branch.is_root() && place.depth <= 10;
    let tagged = |pick: fn(&str) -> bool| map.tags.iter().any(|tag| pick(tag));
    let temple_ok = !tagged(|tag| tag.starts_with("temple_"))
        || (!early_dungeon
            && map.tags.iter().any(|tag| tag.starts_with(ctx.content.rules.temple_altar_prefix)));
    !tagged(|tag| tag.ends_with("entry"))
        && !["unrand", "place_unique", "tutorial"].iter().any(|tag| map.has_tag(tag))
        && temple_ok
}

/// Whether a listed map is one of those that come in addition to others, on the current level.
pub(crate) fn counts_as_extra(host: &mut Host, index: MapId) -> bool {
    let library = host.library_asked();
    host.with_context(|ctx| is_extra(&library[index].definition, ctx))
}

/// Spec 04 §3.5.
fn is_extra(map: &MapDef, ctx: &Context) -> bool {
    let early_dungeon = ctx.place.branch.is_root() && ctx.place.depth <= 10;
    if ctx.content.rules.post_overflow_tags && map.has_tag("extra_post_overflow") {
        return !early_dungeon;
    }
    map.has_tag("extra")
}

/// Whether a map goes with the layouts of the level (spec 04 §3.4).
pub(crate) fn layout_fits(map: &MapDef, types: &BTreeSet<String>) -> bool {
    let wants = map.tags.iter().any(|tag| tag.starts_with("layout_"));
    let refuses = map.tags.iter().any(|tag| tag.starts_with("nolayout_"));
    if types.is_empty() || !(wants || refuses) {
        return true;
    }
    for layout in types {
        if map.has_tag(&format!("layout_{layout}")) {
            return true;
        }
        if map.has_tag(&format!("nolayout_{layout}")) {
            return false;
        }
    }
    !wants
}
