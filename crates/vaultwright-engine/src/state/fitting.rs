//! Which maps a level's name allows: the same level is asked for again and again while it is built.

use std::rc::Rc;
use std::sync::{Arc, Weak};

use vaultwright_map::{Context, Dungeon, LevelPlace, MapId, Selection};

use crate::pack::library::Library;

/// The maps of the level that was asked for last, by DEPTH and by PLACE.
#[derive(Default)]
pub(crate) struct FittingMaps {
    by_depth: Kept,
    by_place: Kept,
}

/// A map that the level's name allows, and what every choice asks of it.
#[derive(Clone, Copy)]
pub(crate) struct FittingMap {
    pub(crate) id: MapId,
    pub(crate) is_minivault: bool,
    /// It comes in addition to others, on the current level.
    pub(crate) is_extra: bool,
    pub(crate) is_dummy: bool,
    /// It has a CHANCE on the level that was asked for.
    pub(crate) has_chance: bool,
}

#[derive(Default)]
struct Kept {
    of: Option<Asked>,
    maps: Rc<[FittingMap]>,
}

/// What the maps were asked for.
struct Asked {
    /// Held weakly, it keeps no maps; no other has its address as long as it is held.
    library: Weak<Library>,
    place: LevelPlace,
    /// The level that is current meanwhile.
    current: LevelPlace,
    dungeon: Dungeon,
}

impl FittingMaps {
    /// Returns the maps that may be chosen by their DEPTH for a level, in load order.
    pub(crate) fn by_depth(
        &mut self,
        library: &Arc<Library>,
        place: LevelPlace,
        ctx: &Context,
    ) -> Rc<[FittingMap]> {
        self.by_depth.kept(library, place, ctx, || {
            let fits = |&id: &MapId| {
                let map = &library[id].selection;
                depth_fits(map, place, ctx) && tags_allow(map, place, ctx)
            };
            library.maybe_by_depth(place.branch).filter(fits)
        })
    }

    /// Returns the maps whose PLACE is a level, in load order.
    pub(crate) fn by_place(
        &mut self,
        library: &Arc<Library>,
        place: LevelPlace,
        ctx: &Context,
    ) -> Rc<[FittingMap]> {
        self.by_place.kept(library, place, ctx, || {
            let fits = |&id: &MapId| {
                let map = &library[id].selection;
                map.place.usable_at(place, ctx.content.branches(), ctx.dungeon)
                    && !map.tags.iter().any(|tag| tag.starts_with("tutorial"))
            };
            library.maybe_by_place(place.branch).filter(fits)
        })
    }
}

impl Kept {
    /// Returns what is kept, or finds it anew if something else was asked for.
    fn kept<Found: Iterator<Item = MapId>>(
        &mut self,
        library: &Arc<Library>,
        place: LevelPlace,
        ctx: &Context,
        find: impl FnOnce() -> Found,
    ) -> Rc<[FittingMap]> {
        let is_same = self.of.as_ref().is_some_and(|asked| {
            std::ptr::eq(asked.library.as_ptr(), Arc::as_ptr(library))
                && (asked.place, asked.current) == (place, ctx.place)
                && asked.dungeon == *ctx.dungeon
        });
        if !is_same {
            self.maps = find().map(|id| FittingMap::of(id, library, place, ctx)).collect();
            self.of = Some(Asked {
                library: Arc::downgrade(library),
                place,
                current: ctx.place,
                dungeon: ctx.dungeon.clone(),
            });
        }
        Rc::clone(&self.maps)
    }
}

impl FittingMap {
    fn of(id: MapId, library: &Library, place: LevelPlace, ctx: &Context) -> FittingMap {
        let map = &library[id].selection;
        FittingMap {
            id,
            is_minivault: map.has_tag("minivault"),
            is_extra: is_extra(map, ctx),
            is_dummy: map.has_tag("dummy"),
            has_chance: chance_at(map, place, ctx).is_some(),
        }
    }
}

/// Returns whether the DEPTH of a map allows a level.
pub(crate) fn depth_fits(map: &Selection, place: LevelPlace, ctx: &Context) -> bool {
    map.depths.usable_at(place, ctx.content.branches(), ctx.dungeon)
}

/// Returns the CHANCE of a map on a level, which need not be the current one.
pub(crate) fn chance_at(map: &Selection, place: LevelPlace, ctx: &Context) -> Option<i32> {
    map.chance.on(place, ctx).filter(|&chance| chance >= 0)
}

/// Returns whether a map comes in addition to others, on the current level (spec 04 §3.5).
pub(crate) fn is_extra(map: &Selection, ctx: &Context) -> bool {
    let early_dungeon = ctx.place.branch.is_root() && ctx.place.depth <= 10;
    if ctx.content.rules.post_overflow_tags && map.has_tag("extra_post_overflow") {
        return !early_dungeon;
    }
    map.has_tag("extra")
}

/// Returns whether its tags let a map be chosen by depth (spec 04 §3.3).
fn tags_allow(map: &Selection, place: LevelPlace, ctx: &Context) -> bool {
    let early_dungeon = place.branch.is_root() && place.depth <= 10;
    let tagged = |pick: fn(&str) -> bool| map.tags.iter().any(|tag| pick(tag));
    let temple_ok = !tagged(|tag| tag.starts_with("temple_"))
        || (!early_dungeon
            && map.tags.iter().any(|tag| tag.starts_with(ctx.content.rules.temple_altar_prefix)));
    !tagged(|tag| tag.ends_with("entry"))
        && !["unrand", "place_unique", "tutorial"].iter().any(|tag| map.has_tag(tag))
        && temple_ok
}
