//! What is on a cell, from the floor up.

use vaultwright_content::{Content, FeatureId};
use vaultwright_level::{Level, LevelItem, LevelMonster};
use vaultwright_map::{FeatureKind, KeyedSpec, MapDef, Point};

use super::{TileSet, names};

/// Finds the images of cells.
pub(crate) struct Stacks<'t> {
    pub(crate) tiles: &'t TileSet,
    pub(crate) content: &'t Content,
    /// The abbreviation of the level's branch.
    pub(crate) branch: &'t str,
}

/// What vaults and the level specify about the tiles of a cell.
#[derive(Default)]
struct Said<'a> {
    floor: Option<&'a str>,
    rock: Option<&'a str>,
    feature: Option<&'a str>,
    shop: Option<&'a str>,
    /// The variant to use.
    variant: usize,
}

impl Stacks<'_> {
    /// Returns the images of a cell; `None` if the topmost thing there has no known image.
    pub(crate) fn cell(&self, level: &Level, p: Point) -> Option<Vec<String>> {
        let mut layers = self.terrain(level, p)?;
        if let Some(monster) = level.monsters.get(&p) {
            layers.extend(self.monster(monster)?);
        } else if let Some(item) = level.items.get(&p).and_then(|items| items.first()) {
            layers.extend(self.item(item)?);
        }
        Some(layers)
    }

    /// Returns the images of a cell's floor and feature.
    pub(crate) fn terrain(&self, level: &Level, p: Point) -> Option<Vec<String>> {
        let tiles = level.tiles.get(&p);
        let own = |pick: fn(&vaultwright_map::CellTiles) -> &Option<std::sync::Arc<str>>| {
            tiles.and_then(|tiles| pick(tiles).as_deref())
        };
        let shop = level.shops.get(&p).map(|shop| shop.kind.as_str());
        let said = Said {
            floor: own(|tiles| &tiles.floor).or(level.floor_tile.as_deref()),
            rock: own(|tiles| &tiles.rock).or(level.rock_tile.as_deref()),
            feature: own(|tiles| &tiles.feature),
            shop,
            variant: variant(p),
        };
        self.feature(level.feature(p)?, &said)
    }

    /// Returns the images of a monster alone.
    pub(crate) fn monster(&self, monster: &LevelMonster) -> Option<Vec<String>> {
        self.first(&names::of_monster(monster, self.content), 0)
    }

    /// Returns the images of an item alone.
    pub(crate) fn item(&self, item: &LevelItem) -> Option<Vec<String>> {
        let asked = item.made.as_deref().or(item.asked.as_deref());
        self.first(&names::of_item(asked, &item.spec, self.content), 0)
    }

    /// Returns the images of a cell of a map that is not placed.
    pub(crate) fn map_cell(&self, map: &MapDef, p: Point) -> Option<Vec<String>> {
        let glyph = map.grid.glyph(p);
        let tiles = map.overlay.get(p).map(|overlay| &overlay.tiles);
        let said = Said {
            floor: tiles
                .and_then(|tiles| tiles.floor.as_deref())
                .or(Some(map.floor_tile.as_str()).filter(|name| !name.is_empty())),
            rock: tiles
                .and_then(|tiles| tiles.rock.as_deref())
                .or(Some(map.rock_tile.as_str()).filter(|name| !name.is_empty())),
            feature: tiles.and_then(|tiles| tiles.feature.as_deref()),
            shop: None,
            variant: variant(p),
        };
        let features = self.content.features();
        let of_glyph = |glyph: u8| features.by_map_glyph(glyph).unwrap_or_else(|| features.floor());
        let keyed = map.spec_at(p).filter(|keyed| keyed.decides());
        let feature = match keyed.and_then(|keyed| keyed.features.alternatives.first()) {
            Some(choice) => match &choice.kind {
                FeatureKind::Feature(id) => *id,
                FeatureKind::Glyph(glyph) => of_glyph(*glyph),
                FeatureKind::Trap(_) | FeatureKind::Shop(_) => return None,
            },
            None if keyed.is_some() => features.floor(),
            None if glyph == b' ' || glyph == b'^' => return None,
            None => of_glyph(glyph),
        };
        let mut layers = self.feature(feature, &said)?;
        let of_glyph = matches!(glyph, b'0'..=b'9' | b'd'..=b'k' | b'$' | b'%' | b'*' | b'|');
        match keyed {
            Some(keyed) => layers.extend(self.first_of_spec(keyed)?),
            None if of_glyph => layers.extend(self.of_slot(map, glyph)?),
            None => {}
        }
        Some(layers)
    }

    /// Returns the images of the first monster, or else of the first item of a spec; `None` if it
    /// has neither.
    fn first_of_spec(&self, keyed: &KeyedSpec) -> Option<Vec<String>> {
        if let Some(slot) = keyed.monsters.first() {
            let monster = slot.alternatives.first()?;
            return self.first(&names::of_monster_spec(monster, self.content), 0);
        }
        match keyed.items.first() {
            Some(slot) => {
                let item = slot.alternatives.first()?;
                self.first(&names::of_item(Some(item), "", self.content), 0)
            }
            None => Some(Vec::new()),
        }
    }

    /// Returns the images for a glyph that is a slot of MONS or ITEM.
    fn of_slot(&self, map: &MapDef, glyph: u8) -> Option<Vec<String>> {
        match glyph {
            b'1'..=b'9' => {
                let slot = map.monsters.get(usize::from(glyph - b'1'))?;
                let monster = slot.alternatives.first()?;
                self.first(&names::of_monster_spec(monster, self.content), 0)
            }
            b'd'..=b'k' => {
                let slot = map.items.get(usize::from(glyph - b'd'))?;
                let item = slot.alternatives.first()?;
                self.first(&names::of_item(Some(item), "", self.content), 0)
            }
            b'$' => self.first(&names::of_item(None, "$", self.content), 0),
            _ => None,
        }
    }

    fn feature(&self, id: FeatureId, said: &Said) -> Option<Vec<String>> {
        let feature = self.content.features().get(id);
        let variant = said.variant;
        let floor = || {
            let own = said.floor.into_iter().map(str::to_owned);
            let names: Vec<String> = own.chain(names::of_floor(self.branch)).collect();
            self.first(&names, variant)
        };
        if id == self.content.features().floor() {
            let own = said.feature.and_then(|name| self.first(&[name.to_owned()], variant));
            return own.or_else(floor);
        }
        let own = said.feature.into_iter().chain(said.rock.filter(|_| feature.name == "rock_wall"));
        let own = own.map(str::to_owned);
        let usual = names::of_feature(&feature.name, said.shop, self.branch);
        let names: Vec<String> = own.chain(usual).collect();
        let top = self.first(&names, variant)?;
        let mut layers = floor().unwrap_or_default();
        layers.extend(top);
        Some(layers)
    }

    /// Returns the images of the first name that has some.
    fn first(&self, names: &[String], variant: usize) -> Option<Vec<String>> {
        let found = names.iter().find_map(|name| self.tiles.variant(name, variant));
        found.map(|variant| variant.layers.clone())
    }
}

/// Returns the variant for a cell: always the same for one cell, and mostly different for adjacent
/// ones.
fn variant(p: Point) -> usize {
    let mixed = (p.x as u32).wrapping_mul(0x9e37_79b1) ^ (p.y as u32).wrapping_mul(0x85eb_ca77);
    (mixed.wrapping_mul(0xc2b2_ae3d) >> 16) as usize
}
