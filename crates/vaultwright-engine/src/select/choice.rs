//! Choosing maps (spec 04 §3).

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

use vaultwright_map::{LevelPlace, MapId, Selection, TagSet};

use crate::observe::trace::list_hash;
use crate::pack::library::Library;
use crate::state::fitting::{FittingMap, FittingMaps, chance_at, depth_fits, is_extra};
use crate::state::host::{Host, Parts};
use crate::state::site::Site;
use crate::state::used::UsedMaps;

/// The species of a player of whom nothing is said.
const USUAL_SPECIES: &str = "Human";

/// What is asked of a map.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Wanted<'a> {
    /// All of the tags.
    Tags {
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

/// The maps of a pack, the level that gets some of them, and what decides which.
pub(crate) struct Choice<'a, 'c> {
    pub(crate) library: &'a Arc<Library>,
    pub(crate) used: &'a UsedMaps,
    pub(crate) fitting: &'a mut FittingMaps,
    /// Maps that statistics do without.
    without: &'a BTreeSet<MapId>,
    /// The tag of maps that are not for the player's species, if there are any (spec 04 §3.6).
    refused: Option<String>,
    /// The level, whose place and draws these are.
    pub(crate) site: Site<'a, 'c>,
}

/// Chooses among the maps of a host for its level.
pub(crate) fn choosing<R>(host: &mut Host, choose: impl FnOnce(&mut Choice) -> R) -> R {
    let library = host.library_asked();
    let refused = tag_of_species(host).filter(|tag| library.with_tags(&[tag]).next().is_some());
    host.with_parts(|Parts { level, used, fitting, observers, survey, .. }, ctx| {
        let site = Site { level, ctx, observers };
        let without = &survey.without;
        choose(&mut Choice { library: &library, used, fitting, without, refused, site })
    })
}

/// Returns the tag of maps that are not for the species of the player.
fn tag_of_species(host: &Host) -> Option<String> {
    let species = host.player.as_ref().map_or("", |player| player.species.as_str());
    let species = if species.is_empty() { USUAL_SPECIES } else { species };
    let letters = host.content.names().species_letters(species)?;
    Some(format!("no_species_{}", letters.to_lowercase()))
}

/// Returns a random map for the level of a host; `None` if there is none, or if a dummy was drawn.
pub(crate) fn choose(host: &mut Host, wanted: Wanted) -> Option<MapId> {
    choosing(host, |choice| choice.choose(wanted))
}

impl Choice<'_, '_> {
    /// Returns a random map; `None` if there is none, or if a dummy was drawn.
    pub(crate) fn choose(&mut self, wanted: Wanted) -> Option<MapId> {
        let accepted = self.accepted(wanted);
        let chance = match wanted {
            Wanted::Tags { chance, .. } => chance,
            Wanted::Place { .. } => false,
            Wanted::Depth { .. } | Wanted::ChanceAtDepth { .. } => true,
        };
        let place = match wanted {
            Wanted::Tags { .. } => self.site.ctx.place,
            Wanted::Place { place, .. }
            | Wanted::Depth { place, .. }
            | Wanted::ChanceAtDepth { place, .. } => place,
        };
        let (chances, weighted) = match chance {
            true => self.split(&accepted, place),
            false => (Vec::new(), accepted.clone()),
        };
        let mut weights = Vec::new();
        let chosen = chances.iter().find_map(|&index| self.roll_chance(wanted, index));
        let chosen = chosen.or_else(|| {
            weights = weighted.iter().map(|&index| self.weight(index)).collect();
            let position = self.site.ctx.rng.pick_weighted(weights.iter().copied());
            position.map(|position| weighted[position])
        });
        let found = chosen.filter(|&index| !self.map(index).has_tag("dummy"));
        self.site.note("select", |_| {
            let (n, list) = self.counted(&accepted);
            let got = chosen.map_or("none", |index| &self.map(index).name);
            let dummy = if chosen == found { "" } else { "dummy:" };
            let (chances, weight) = (chances.len(), weights.iter().sum::<i32>());
            format!("{wanted} {n} chance={chances} weight={weight} {list} got={dummy}{got}")
        });
        found
    }

    /// Rolls for every map with a CHANCE on a level. Returns the winners (spec 04 §3.8).
    pub(crate) fn roll_all_chances(&mut self, place: LevelPlace) -> Vec<MapId> {
        let wanted = Wanted::ChanceAtDepth { place, extra: None };
        let accepted = self.accepted(wanted);
        let (chances, _) = self.split(&accepted, place);
        self.site.note("chance_rolls", |_| {
            let (n, list) = self.counted(&chances);
            format!("{n} {list}")
        });
        chances.into_iter().filter_map(|index| self.roll_chance(wanted, index)).collect()
    }

    /// Maps with all the tags that may be used, dummies left out, without draws; the player's
    /// species is not asked (spec 04 §3.9).
    pub(crate) fn list_by_tags(&self, tags: &[&str]) -> Vec<MapId> {
        let ctx = &*self.site.ctx;
        let may = |&index: &MapId| {
            let map = self.map(index);
            !self.without.contains(&index)
                && !map.has_tag("dummy")
                && (map.depths.is_empty() || depth_fits(map, ctx.place, ctx))
                && !self.used.excludes(map, &ctx.content.rules)
        };
        self.library.with_tags(tags).filter(may).collect()
    }

    /// Returns how probable each of the wanted maps is when one is drawn for a level on which
    /// nothing stands yet, as shares of 1; with [`Wanted::ChanceAtDepth`], how probably each wins
    /// its own draw. Dummies count, since they can be drawn.
    pub(crate) fn odds(&mut self, wanted: Wanted) -> Vec<(MapId, f64)> {
        let accepted = self.accepted(wanted);
        let place = match wanted {
            Wanted::Depth { place, .. } => place,
            Wanted::Tags { .. } | Wanted::Place { .. } => return self.shares(accepted),
            Wanted::ChanceAtDepth { place, .. } => {
                let (chances, _) = self.split(&accepted, place);
                return chances.into_iter().flat_map(|index| self.shares_of_group(index)).collect();
            }
        };
        let (chances, weighted) = self.split(&accepted, place);
        // Dummies with a CHANCE come first; the others share what these leave.
        let mut left = 1.0;
        let mut odds = Vec::new();
        for index in chances {
            let chance = self.chance_of(index);
            odds.push((index, left * chance));
            left *= 1.0 - chance;
        }
        let weighted = self.shares(weighted);
        odds.extend(weighted.into_iter().map(|(index, share)| (index, share * left)));
        odds
    }

    /// Puts maps with a CHANCE of a higher priority first, where rules know priorities.
    pub(crate) fn by_priority(&self, maps: &mut [MapId], place: LevelPlace) {
        let ctx = &*self.site.ctx;
        if !ctx.content.rules.chance_priorities {
            return;
        }
        // The documents do not say what a CHANCE without priority has: what a WEIGHT has.
        maps.sort_by_cached_key(|&index| {
            let priority = self.map(index).chance_priority.on(place, ctx);
            Reverse(priority.unwrap_or(10))
        });
    }

    /// Returns whether a map comes in addition to others, on the current level.
    pub(crate) fn is_extra(&self, index: MapId) -> bool {
        is_extra(self.map(index), self.site.ctx)
    }

    fn map(&self, index: MapId) -> &Selection {
        &self.library[index].selection
    }

    /// Returns the WEIGHT of a map on the current level.
    fn weight(&self, index: MapId) -> i32 {
        self.map(index).weight.at(self.site.ctx).unwrap_or(10).max(0)
    }

    /// Returns the CHANCE of a map on the current level, as a share of 1.
    fn chance_of(&self, index: MapId) -> f64 {
        let chance = self.map(index).chance.at(self.site.ctx);
        (f64::from(chance.unwrap_or(0)) / 10_000.0).clamp(0.0, 1.0)
    }

    /// Returns how probably the maps win that share the CHANCE of one: it alone, or all of its
    /// group.
    fn shares_of_group(&mut self, index: MapId) -> Vec<(MapId, f64)> {
        let (library, chance) = (self.library, self.chance_of(index));
        let Some(group) = chance_group(&library[index].selection) else {
            return vec![(index, chance)];
        };
        let of_group = Wanted::Tags { tags: &[group], check_depth: true, chance: false };
        let shares = self.odds(of_group).into_iter();
        shares.map(|(index, share)| (index, chance * share)).collect()
    }

    fn shares(&self, maps: Vec<MapId>) -> Vec<(MapId, f64)> {
        let weights: Vec<f64> = maps.iter().map(|&index| f64::from(self.weight(index))).collect();
        let total: f64 = weights.iter().sum();
        maps.into_iter().zip(weights.iter().map(|weight| weight / total.max(1.0))).collect()
    }

    /// Splits maps into those with a CHANCE on a level, one for each group, and the others.
    fn split(&self, accepted: &[MapId], place: LevelPlace) -> (Vec<MapId>, Vec<MapId>) {
        let mut groups: BTreeSet<&str> = BTreeSet::new();
        let (mut chances, mut weighted) = (Vec::new(), Vec::new());
        for &index in accepted {
            let map = self.map(index);
            if chance_at(map, place, self.site.ctx).is_none() {
                weighted.push(index);
            } else if chance_group(map).is_none_or(|group| groups.insert(group)) {
                chances.push(index);
            }
        }
        self.by_priority(&mut chances, place);
        (chances, weighted)
    }

    /// Rolls a map's CHANCE at the current level. Returns the map if it wins, or one of its group,
    /// if it has one.
    fn roll_chance(&mut self, wanted: Wanted, index: MapId) -> Option<MapId> {
        let library = self.library;
        let (map, ctx) = (&library[index].selection, &mut *self.site.ctx);
        if ctx.rng.random2(10_000) >= map.chance.at(ctx).unwrap_or(-1) {
            return None;
        }
        if matches!(wanted, Wanted::ChanceAtDepth { .. }) {
            self.site.note("chance_won", |_| map.name.clone());
        }
        let Some(group) = chance_group(map) else { return Some(index) };
        let check_depth = match wanted {
            Wanted::Tags { check_depth, .. } => check_depth,
            _ => true,
        };
        self.choose(Wanted::Tags { tags: &[group], check_depth, chance: false })
    }

    /// Returns how many maps are on a list, and which, as a trace tells it.
    fn counted(&self, maps: &[MapId]) -> (String, String) {
        let names = maps.iter().map(|&index| self.map(index).name.as_str());
        (format!("n={}", maps.len()), format!("list={:08x}", list_hash(names)))
    }

    /// Returns the maps that may be chosen, in load order.
    fn accepted(&mut self, wanted: Wanted) -> Vec<MapId> {
        let mut accepted = self.accepted_of_all(wanted);
        if !self.without.is_empty() {
            accepted.retain(|map| !self.without.contains(map));
        }
        accepted
    }

    fn accepted_of_all(&mut self, wanted: Wanted) -> Vec<MapId> {
        let (library, used, fitting) = (self.library, self.used, &mut *self.fitting);
        let (ctx, layout_types) = (&*self.site.ctx, &self.site.level.layout_types);
        let refused = self.refused.as_ref();
        let is_unused = |map: &Selection| !used.excludes(map, &ctx.content.rules);
        let is_free =
            |map: &Selection| is_unused(map) && !refused.is_some_and(|tag| map.has_tag(tag));
        let goes_here = |map: &Selection| layout_fits(map, layout_types);
        // What was kept for the level is asked first: most maps fail at it.
        let among = |fitting: &[FittingMap],
                     may: &dyn Fn(&FittingMap) -> bool,
                     accepts: &dyn Fn(&Selection) -> bool| {
            let accepts = |id: &MapId| accepts(&library[*id].selection);
            fitting.iter().filter(|map| may(map)).map(|map| map.id).filter(accepts).collect()
        };
        let by_depth = |place: LevelPlace| {
            move |map: &Selection| (place != ctx.place || goes_here(map)) && is_free(map)
        };
        match wanted {
            Wanted::Tags { tags: [], .. } => Vec::new(),
            Wanted::Tags { tags, check_depth, .. } => {
                let accepts = |id: &MapId| {
                    let map = &library[*id].selection;
                    let in_depth =
                        !check_depth || map.depths.is_empty() || depth_fits(map, ctx.place, ctx);
                    in_depth && goes_here(map) && is_free(map)
                };
                library.with_tags(tags).filter(accepts).collect()
            }
            Wanted::Place { place, minivault, extra } => {
                let may = |map: &FittingMap| {
                    map.is_minivault == minivault && extra.is_none_or(|extra| map.is_extra == extra)
                };
                // The place has this map, whatever the player is (spec 04 §3.2).
                let accepts = |map: &Selection| goes_here(map) && is_unused(map);
                among(&fitting.by_place(library, place, ctx), &may, &accepts)
            }
            Wanted::Depth { place, minivault, extra } => {
                let may = |map: &FittingMap| {
                    map.is_minivault == minivault
                        && extra.is_none_or(|extra| map.is_extra == extra)
                        && (map.is_dummy || !map.has_chance)
                };
                among(&fitting.by_depth(library, place, ctx), &may, &by_depth(place))
            }
            Wanted::ChanceAtDepth { place, extra } => {
                let may = |map: &FittingMap| {
                    map.has_chance
                        && !map.is_dummy
                        && extra.is_none_or(|extra| map.is_extra == extra)
                };
                among(&fitting.by_depth(library, place, ctx), &may, &by_depth(place))
            }
        }
    }
}

/// Returns the chance group of a map: its first tag `chance_…`.
pub(crate) fn chance_group(map: &Selection) -> Option<&str> {
    map.tags.iter().find(|tag| tag.starts_with("chance_")).map(String::as_str)
}

/// Returns whether a map goes with the layouts of the level (spec 04 §3.4). A level without any
/// takes all maps.
pub(crate) fn layout_fits(map: &Selection, types: &BTreeSet<String>) -> bool {
    types.is_empty() || goes_with_layout(&map.tags, types)
}

/// Returns whether a vault with these tags goes with a layout of these types (spec 05 §5.2). A
/// layout without any takes no vault that asks for one.
pub(crate) fn goes_with_layout(tags: &TagSet, types: &BTreeSet<String>) -> bool {
    let wants = tags.iter().any(|tag| tag.starts_with("layout_"));
    if !wants && !tags.iter().any(|tag| tag.starts_with("nolayout_")) {
        return true;
    }
    for layout in types {
        if tags.contains(&format!("layout_{layout}")) {
            return true;
        }
        if tags.contains(&format!("nolayout_{layout}")) {
            return false;
        }
    }
    !wants
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_vault_that_asks_for_a_layout_takes_no_layout_without_types() {
        let tagged = |tags: &str| {
            let mut map = Selection::new("vault");
            map.tags.insert(tags.to_owned());
            map
        };
        let (city, no_city) = (tagged("layout_city"), tagged("nolayout_city"));
        let fits = |types: &[&str]| {
            let types = types.iter().map(|layout| (*layout).to_owned()).collect();
            [&city, &no_city].map(|vault| goes_with_layout(&vault.tags, &types))
        };
        assert_eq!(fits(&["city", "rooms"]), [true, false]);
        assert_eq!(fits(&["rooms"]), [false, true]);
        assert_eq!(fits(&[]), [false, true]);
        // On a level, where no layout has said anything yet, all do.
        assert!(layout_fits(&city, &BTreeSet::new()));
    }
}
