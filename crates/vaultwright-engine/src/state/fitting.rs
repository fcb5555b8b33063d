//! Which maps a level's name allows: the same level is asked for again and again while it is built.

use std::rc::Rc;
use std::sync::{Arc, Weak};

use vaultwright_content::Branches;
use vaultwright_map::{DepthRanges, Dungeon, LevelPlace, MapDef, MapId};

use crate::pack::library::Library;

/// The maps of the level that was asked for last, by DEPTH and by PLACE.
#[derive(Default)]
pub(crate) struct FittingMaps {
    by_depth: Kept,
    by_place: Kept,
}

#[derive(Default)]
struct Kept {
    of: Option<(Weak<Library>, LevelPlace, Dungeon)>,
    maps: Rc<[MapId]>,
}

impl FittingMaps {
    /// Returns the maps whose DEPTH allows a level, in load order.
    pub(crate) fn by_depth(
        &mut self,
        library: &Arc<Library>,
        place: LevelPlace,
        branches: &Branches,
        dungeon: &Dungeon,
    ) -> Rc<[MapId]> {
        self.by_depth.at(library, place, branches, dungeon, |map| &map.depths)
    }

    /// Returns the maps whose PLACE is a level, in load order.
    pub(crate) fn by_place(
        &mut self,
        library: &Arc<Library>,
        place: LevelPlace,
        branches: &Branches,
        dungeon: &Dungeon,
    ) -> Rc<[MapId]> {
        self.by_place.at(library, place, branches, dungeon, |map| &map.place)
    }
}

impl Kept {
    fn at(
        &mut self,
        library: &Arc<Library>,
        place: LevelPlace,
        branches: &Branches,
        dungeon: &Dungeon,
        ranges: fn(&MapDef) -> &DepthRanges,
    ) -> Rc<[MapId]> {
        let is_same = self.of.as_ref().is_some_and(|(of, at, under)| {
            std::ptr::eq(of.as_ptr(), Arc::as_ptr(library)) && *at == place && under == dungeon
        });
        if !is_same {
            let fits = |&index: &MapId| {
                let ranges = ranges(&library[index].definition);
                !ranges.is_empty() && ranges.usable_at(place, branches, dungeon)
            };
            self.maps = library.iter().map(|(id, _)| id).filter(fits).collect();
            // Held weakly, it keeps no maps; no other has its address as long as it is held.
            self.of = Some((Arc::downgrade(library), place, dungeon.clone()));
        }
        Rc::clone(&self.maps)
    }
}
