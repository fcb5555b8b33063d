//! Writing a map's cells: features and items in a first pass, monsters in a second (spec 04
//! §8.2–§8.6).

use std::collections::BTreeSet;
use std::sync::Arc;

use vaultwright_content::FeatureId;
use vaultwright_level::{is_edge_cell, is_needed_item, mask};
use vaultwright_map::{
    FeatureKind, GlyphSet, KeyedSpec, MapDef, Point, SUBVAULT_GLYPH, glyph_feature,
};

use super::altars::next_altar;
use super::items::{place_glyph_item, place_item};
use super::monsters::{place_glyph_monster, place_monster};
use super::overwriting::Overwriting;
use super::traps::{named_trap, old_trap, random_trap};
use crate::play::displacing::{Ground, Keep};
use crate::play::terrain::as_changed;
use crate::state::playing::PlayState;
use crate::state::population::Population;
use crate::state::site::Site;
use crate::state::world::NoWorld;

/// On what a map is written.
pub(crate) enum Onto<'a, 'o> {
    /// A level that is being built.
    Building,
    /// A level that is not, but which nobody plays.
    Finished,
    /// A level in play.
    Played(&'a mut Overwriting<'o>),
}

/// Writes terrain, features and items. Returns the exits that the map marks.
pub(crate) fn write_cells(
    site: &mut Site,
    map: &MapDef,
    at: Point,
    population: &mut Population,
    onto: Onto,
) -> Vec<Point> {
    let mut writer = Writer::new(site, map, population);
    writer.is_building = matches!(onto, Onto::Building);
    if let Onto::Played(over) = onto {
        writer.over = Some(over);
    } else {
        writer.strip(at);
    }
    for (y, row) in (0..).zip(map.grid.rows()) {
        writer.row(row, y, at);
    }
    let exits = writer.exits;
    site.note("vault_cells", |_| map.name.clone());
    exits
}

/// Places the monsters, once all terrain stands.
pub(crate) fn write_monsters(
    site: &mut Site,
    map: &MapDef,
    at: Point,
    population: &mut Population,
) {
    let mut writer = Writer::new(site, map, population);
    // No other glyph can bring any.
    let mut glyphs = GlyphSet::new(b"0123456789");
    glyphs.add(SUBVAULT_GLYPH);
    map.keyed.keys().for_each(|&glyph| glyphs.add(glyph));
    for cell in map.grid.find(&glyphs) {
        let p = cell.offset((at.x, at.y));
        if !(writer.is_layout && writer.site.level.mask(p) & mask::VAULT != 0) {
            writer.monsters(cell, p);
        }
    }
    site.note("vault_monsters", |_| map.name.clone());
}

struct Writer<'a, 's, 'c, 'o> {
    site: &'a mut Site<'s, 'c>,
    map: &'a MapDef,
    population: &'a mut Population,
    /// The level in play that is written over, if it is one.
    over: Option<&'a mut Overwriting<'o>>,
    is_building: bool,
    exits: Vec<Point>,
    /// Whether it leaves the cells of vaults alone.
    is_layout: bool,
    /// Whether cells keep what they look like.
    keeps_floor: bool,
    /// The spec of each glyph, unless it says no more than masks.
    keyed: [Option<&'a KeyedSpec>; 256],
    /// The features of glyphs that say nothing else, as far as they have been asked for.
    alone: [Option<FeatureId>; 256],
    /// Room for the features of cells that lie side by side.
    stretch: Vec<FeatureId>,
    /// Where items lie that could not stay on their cells.
    displaced: Vec<Point>,
}

impl<'a, 's, 'c, 'o> Writer<'a, 's, 'c, 'o> {
    fn new(
        site: &'a mut Site<'s, 'c>,
        map: &'a MapDef,
        population: &'a mut Population,
    ) -> Writer<'a, 's, 'c, 'o> {
        let mut keyed = [None; 256];
        for (&glyph, spec) in map.keyed.iter().filter(|(_, spec)| spec.decides()) {
            keyed[usize::from(glyph)] = Some(spec);
        }
        Writer {
            site,
            map,
            population,
            over: None,
            is_building: true,
            exits: Vec::new(),
            is_layout: map.has_tag("overwritable"),
            keeps_floor: map.has_tag("overwrite_floor_cell"),
            keyed,
            alone: [None; 256],
            stretch: Vec::new(),
            displaced: Vec::new(),
        }
    }

    /// Returns the spec that decides about a cell.
    fn spec(&self, glyph: u8, cell: Point) -> Option<&'a KeyedSpec> {
        match glyph {
            SUBVAULT_GLYPH => self.map.spec_at(cell),
            _ => self.keyed[usize::from(glyph)],
        }
    }

    /// Returns the feature of a glyph that brings nothing else and draws nothing.
    #[inline]
    fn feature_alone(&mut self, glyph: u8) -> Option<FeatureId> {
        let known = self.alone[usize::from(glyph)];
        known.or_else(|| self.find_alone(glyph))
    }

    fn find_alone(&mut self, glyph: u8) -> Option<FeatureId> {
        let more = matches!(glyph, b'^' | b'~' | b'B' | b'C' | b'd'..=b'k')
            || matches!(glyph, b'@' | b'=' | b'+' | b'$' | b'%' | b'*' | b'|' | SUBVAULT_GLYPH);
        if more || self.keyed[usize::from(glyph)].is_some() {
            return None;
        }
        let features = self.site.ctx.content.features();
        let feature = glyph_feature(glyph, self.site.ctx).unwrap_or_else(|| features.floor());
        self.alone[usize::from(glyph)] = Some(feature);
        Some(feature)
    }

    /// Writes the cells of a row that are drawn; of a layout those that no vault has taken.
    fn row(&mut self, row: &[u8], y: i32, at: Point) {
        let cell = |x: usize| Point::new(x as i32, y);
        let place = |x: usize| cell(x).offset((at.x, at.y));
        let level = &self.site.level;
        let meets_vaults = self.is_layout && level.row_has_mask(place(0), row.len(), mask::VAULT);
        let is_written = |site: &Site, x: usize| {
            row[x] != b' ' && !(meets_vaults && site.level.mask(place(x)) & mask::VAULT != 0)
        };
        if !meets_vaults && !row.contains(&b' ') {
            return self.stretch(row, cell(0), place(0));
        }
        let mut x = 0;
        while let Some(first) = (x..row.len()).find(|&x| is_written(self.site, x)) {
            let end = (first..row.len()).find(|&x| !is_written(self.site, x));
            x = end.unwrap_or(row.len());
            self.stretch(&row[first..x], cell(first), place(first));
        }
    }

    /// Writes cells of a row, from one to the right.
    fn stretch(&mut self, glyphs: &[u8], first: Point, p: Point) {
        if self.over.is_none() {
            self.bare(p, glyphs.len());
        }
        let mut alone = std::mem::take(&mut self.stretch);
        alone.resize(glyphs.len(), FeatureId::default());
        let mut done = 0;
        while let Some(&glyph) = glyphs.get(done) {
            let count = match self.over {
                None => self.features_alone(&glyphs[done..], &mut alone),
                Some(_) => 0,
            };
            let step = (done as i32, 0);
            if count == 0 {
                self.cell(glyph, first.offset(step), p.offset(step));
                done += 1;
            } else {
                self.site.level.set_row(p.offset(step), &alone[..count]);
                self.displace_again(p.offset(step), count);
                done += count;
            }
        }
        self.stretch = alone;
        if self.is_building {
            self.site.level.note_written(p, glyphs.len());
        }
    }

    /// Lists the features of glyphs, as far as these bring nothing else and draw nothing. Returns
    /// how many those are.
    fn features_alone(&mut self, glyphs: &[u8], alone: &mut [FeatureId]) -> usize {
        for (count, (&glyph, feature)) in glyphs.iter().zip(alone).enumerate() {
            match self.feature_alone(glyph) {
                Some(alone) => *feature = alone,
                None => return count,
            }
        }
        glyphs.len()
    }

    /// Takes from the cells that will be written what they looked like.
    fn strip(&mut self, at: Point) {
        if self.keeps_floor {
            return;
        }
        let (map, is_layout) = (self.map, self.is_layout);
        self.site.level.strip_where(|level, p| {
            let is_drawn = map.grid.get(p.offset((-at.x, -at.y))).is_some_and(|cell| cell != b' ');
            is_drawn && !(is_layout && level.mask(p) & mask::VAULT != 0)
        });
    }

    /// Takes from cells what they were besides a feature, but for their looks.
    fn bare(&mut self, p: Point, cells: usize) {
        if self.keeps_floor {
            return;
        }
        // Where a mimic is a property of the cell, it goes with the others.
        let is_property = self.site.ctx.content.rules.mimic_is_property;
        self.site.level.bare(p, cells, if is_property { mask::MIMIC } else { 0 });
    }

    /// Writes the feature of a cell, and then its items.
    fn cell(&mut self, glyph: u8, cell: Point, p: Point) {
        let Some(spec) = self.spec(glyph, cell) else {
            return self.glyph(glyph, cell, p);
        };
        let choice = spec.features.pick(self.site.ctx).map(|i| &spec.features.alternatives[i]);
        let features = self.site.ctx.content.features();
        match choice.map(|choice| &choice.kind) {
            None => self.write(p, features.floor()),
            Some(FeatureKind::Glyph(glyph)) => self.glyph(*glyph, cell, p),
            Some(FeatureKind::Feature(feature)) if self.is_shaft_too_deep(*feature) => {
                self.write(p, features.floor());
            }
            Some(FeatureKind::Feature(feature)) => {
                let feature = if self.is_building {
                    *feature
                } else {
                    as_changed(self.site.level, self.site.ctx.content, p, *feature)
                };
                self.write(p, feature);
            }
            Some(FeatureKind::Trap(name)) => {
                let trap = named_trap(name, self.site.ctx);
                self.write(p, trap);
            }
            Some(FeatureKind::Shop(shop)) => {
                self.site.ctx.spend_isolated();
                self.write(p, features.known().enter_shop);
                self.site.level.shops.insert(p, Arc::clone(shop));
            }
        }
        if let Some(choice) = choice {
            let odds = choice.mimic.one_in();
            if odds.is_some_and(|number| self.site.ctx.rng.one_chance_in(number)) {
                // A mask is lost where no level is built.
                if self.is_building || self.site.ctx.content.rules.mimic_is_property {
                    self.site.level.change_mask(p, mask::MIMIC, 0);
                }
            } else if choice.no_mimic {
                self.site.level.change_mask(p, mask::NO_MIMIC, 0);
            }
        }
        for slot in &spec.items {
            place_item(self.site, self.population, slot, p);
            self.clear_items(p);
        }
    }

    /// Moves what a game needs off a cell that holds no items; others are destroyed there (spec 07
    /// §14.3, as 0.28 was asked).
    fn clear_items(&mut self, p: Point) {
        let content = self.site.ctx.content;
        let Some(feature) = self.site.level.feature(p) else { return };
        let flags = content.features().get(feature).flags;
        let is_open = !flags.solid() && !flags.lava();
        let is_door = flags.closed_door() && flags.traversable();
        if is_open || (content.rules.doors_hold_items && is_door) || self.over.is_some() {
            return;
        }
        let Some(items) = self.site.level.items.get(&p) else { return };
        // What else is lost while a level is built goes, and is told, at its end.
        if self.is_building && !items.iter().any(|item| is_needed_item(&item.spec)) {
            return;
        }
        let mut ground = Ground {
            level: self.site.level,
            play: &mut PlayState::default(),
            world: &mut NoWorld,
            content,
            rng: self.site.ctx.rng,
        };
        let gone_to = ground.clear_items(p, Keep { feature: false, items: false });
        self.displaced.extend(gone_to);
    }

    /// Moves items on from cells that are written after they have come there.
    fn displace_again(&mut self, p: Point, cells: usize) {
        let is_written = |q: &Point| q.y == p.y && (p.x..p.x + cells as i32).contains(&q.x);
        while let Some(index) = self.displaced.iter().position(is_written) {
            let at = self.displaced.swap_remove(index);
            self.clear_items(at);
        }
    }

    /// Returns whether a feature is a shaft, and nothing lies below the level.
    fn is_shaft_too_deep(&self, feature: FeatureId) -> bool {
        self.site.ctx.content.rules.shafts_need_a_level_below
            && self.site.ctx.content.features().get(feature).name == "shaft"
            && !self.site.ctx.is_shaft_level()
    }

    fn write(&mut self, p: Point, feature: FeatureId) {
        let Some(over) = &mut self.over else {
            self.site.level.set_feature(p, feature);
            return self.displace_again(p, 1);
        };
        // What moves away takes its looks with it.
        over.write(self.site, p, feature);
        if !self.keeps_floor {
            self.site.level.strip(p);
        }
        self.bare(p, 1);
    }

    /// Writes what a glyph stands for.
    fn glyph(&mut self, glyph: u8, cell: Point, p: Point) {
        let feature = match glyph {
            b'^' => random_trap(self.site.ctx),
            b'~' if self.site.ctx.content.rules.tilde_is_a_trap => old_trap(self.site.ctx),
            b'B' => Some(next_altar(self.population, self.site.ctx)),
            _ => glyph_feature(glyph, self.site.ctx),
        };
        self.write(p, feature.unwrap_or_else(|| self.site.ctx.content.features().floor()));
        match glyph {
            b'@' | b'=' | b'+' if is_edge_cell(&self.map.grid, cell) => self.exits.push(p),
            b'd'..=b'k' => {
                if let Some(slot) = self.map.items.get(usize::from(glyph - b'd')) {
                    place_item(self.site, self.population, slot, p);
                }
            }
            b'$' | b'%' | b'*' | b'|' => place_glyph_item(self.site, glyph, p),
            _ => {}
        }
    }

    fn monsters(&mut self, cell: Point, p: Point) {
        let map = self.map;
        let glyph = map.grid.glyph(cell);
        let Some(spec) = self.spec(glyph, cell) else {
            return self.glyph_monster(glyph, p);
        };
        // The feature is picked once more; only a monster's glyph comes of it.
        let choice = spec.features.pick(self.site.ctx).map(|i| &spec.features.alternatives[i].kind);
        if let Some(&FeatureKind::Glyph(glyph)) = choice {
            self.glyph_monster(glyph, p);
        }
        for slot in &spec.monsters {
            if place_monster(self.site, slot, p, map, self.population) {
                break;
            }
        }
    }

    fn glyph_monster(&mut self, glyph: u8, p: Point) {
        let slot = match glyph {
            b'1'..=b'7' => self.map.monsters.get(usize::from(glyph - b'1')),
            b'0' | b'8' | b'9' => None,
            _ => return,
        };
        match slot {
            Some(slot) => {
                // A map for one place brings its uniques even if they exist.
                let met = match self.map.place.is_empty() {
                    true => BTreeSet::new(),
                    false => std::mem::take(&mut self.population.uniques),
                };
                place_monster(self.site, slot, p, self.map, self.population);
                self.population.uniques.extend(met);
            }
            None => place_glyph_monster(self.site, glyph, p, self.map, self.population),
        }
    }
}

#[cfg(test)]
mod tests {
    use vaultwright_content::Edition;
    use vaultwright_map::Grid;

    use super::*;
    use crate::state::drawn::Drawn;

    #[test]
    fn a_map_takes_the_place_of_a_mimic_where_that_is_a_property_of_the_cell() {
        let stays = |edition: Edition| {
            let mut map = MapDef::new("a map");
            map.grid = Grid::from_rows(["."]);
            let p = Drawn::cell(1, 0);
            Drawn::under(edition, "D:2", &["..."]).run(|site| {
                site.level.change_mask(p, mask::MIMIC, 0);
                assert!(site.mimic(p));
                write_cells(site, &map, p, &mut Population::default(), Onto::Building);
                site.mimic(p)
            })
        };
        assert!(!stays(Edition::Trunk));
        assert!(stays(Edition::V0_28), "masks stay");
    }
}
