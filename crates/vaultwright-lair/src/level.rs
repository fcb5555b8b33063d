//! A floor as a level: tags become features, items and monsters.

use std::collections::BTreeMap;

use vaultwright_content::{Content, FeatureId};
use vaultwright_level::{Level, LevelItem, LevelMonster};
use vaultwright_map::Point;

use crate::tower::{Entity, Floor};

/// The features for words of scripts that are not names of features.
const COMMON: [(&str, &str); 12] = [
    ("wall", "rock_wall"),
    ("tree", "tree"),
    ("bush", "tree"),
    ("water", "deep_water"),
    ("lake", "deep_water"),
    ("river", "deep_water"),
    ("lava", "lava"),
    ("door", "closed_door"),
    ("fountain", "fountain_blue"),
    ("altar", "granite_statue"),
    ("statue", "granite_statue"),
    ("pillar", "granite_statue"),
];
/// The feature for particles without any of these words.
const ANYTHING: &str = "granite_statue";
/// Particles with one of these words become items on the floor.
const ITEMS: [&str; 4] = ["chest", "treasure", "gold", "item"];

/// The result of placing a floor on a level.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Laid {
    /// The start of a player who arrives there.
    pub start: Option<Point>,
    /// The tags of mobiles without a matching monster in the pack, and the number of mobiles with
    /// them.
    pub unknown_monsters: BTreeMap<String, usize>,
}

/// Places a floor in the middle of a level of rock. A tag becomes the feature that `own` assigns to
/// it, else the feature with its name, else a common one; a particle without any of these is a
/// statue. Treasure particles become items. Mobiles become monsters, of the kind named by their
/// first tag that is a monster.
///
/// If the floor is larger than
/// [`LairScripts::max_floor`](vaultwright_content::LairScripts::max_floor), only its middle is
/// placed.
pub fn lay_floor(
    floor: &Floor,
    level: &mut Level,
    content: &Content,
    own: &BTreeMap<String, String>,
) -> Laid {
    let (width, height) = (floor.width as i32, floor.height as i32);
    let size = level.size();
    let corner = Point::new((size.width() - width) / 2, (size.height() - height) / 2);
    let named = Named { content, own };
    for y in 0..height {
        for x in 0..width {
            let p = corner.offset((x, y));
            let Some(index) = floor.index(x.into(), y.into()) else { continue };
            let tile = floor.tiles[index].as_ref().and_then(|tile| named.feature(&tile.tags));
            let under = tile.unwrap_or_else(|| content.features().floor());
            let Some(particle) = &floor.particles[index] else {
                level.set_feature(p, under);
                continue;
            };
            let item = |tag: &String| ITEMS.contains(&tag.as_str());
            match named.feature(&particle.tags) {
                Some(feature) => level.set_feature(p, feature),
                None if particle.tags.iter().any(item) => {
                    level.items.entry(p).or_default().push(item_of(particle));
                    level.set_feature(p, under)
                }
                None => level.set_feature(p, named.by_name(ANYTHING).unwrap_or(under)),
            };
        }
    }
    let mut unknown_monsters = BTreeMap::new();
    for mobile in &floor.mobiles {
        let p = corner.offset((mobile.x as i32, mobile.y as i32));
        let monster = monster_of(&mobile.entity, content);
        if monster.kind.is_none() {
            *unknown_monsters.entry(monster.spec.clone()).or_default() += 1;
        }
        level.monsters.insert(p, monster);
    }
    let start = floor.start.map(|(x, y)| corner.offset((x as i32, y as i32)));
    Laid { start, unknown_monsters }
}

struct Named<'a> {
    content: &'a Content,
    own: &'a BTreeMap<String, String>,
}

impl Named<'_> {
    fn by_name(&self, name: &str) -> Option<FeatureId> {
        self.content.features().by_name(name)
    }

    /// Returns the feature of the first tag that has one. The pack's own words take precedence.
    fn feature(&self, tags: &[String]) -> Option<FeatureId> {
        let common = |tag: &String| COMMON.iter().find(|(word, _)| word == tag).map(|(_, f)| *f);
        tags.iter()
            .find_map(|tag| self.by_name(self.own.get(tag)?))
            .or_else(|| tags.iter().find_map(|tag| self.by_name(tag)))
            .or_else(|| tags.iter().find_map(|tag| self.by_name(common(tag)?)))
    }
}

fn item_of(particle: &Entity) -> LevelItem {
    LevelItem { spec: particle.tags.join(" "), ..LevelItem::default() }
}

fn monster_of(mobile: &Entity, content: &Content) -> LevelMonster {
    let kind = mobile.tags.iter().find_map(|tag| content.monsters().by_name(tag));
    let name = if kind.is_none() { mobile.tags.first().cloned() } else { None };
    let spec = mobile.tags.join(" ");
    LevelMonster { kind, spec, name, awake: true, ..LevelMonster::default() }
}

#[cfg(test)]
mod tests {
    use vaultwright_content::{Edition, Rules};

    use super::*;

    fn entity(tags: &str) -> Option<Entity> {
        Some(Entity::of(tags.split(' ').map(str::to_owned).collect()))
    }

    #[test]
    fn tags_become_what_they_mean() {
        let content = Content::new(Rules::of(Edition::Trunk));
        let own = BTreeMap::from([("mossy".to_owned(), "slimy_wall".to_owned())]);
        let mut floor = Floor::new(4, 2);
        floor.particles[0] = entity("wall mossy");
        floor.particles[1] = entity("grey wall");
        floor.particles[2] = entity("chest hidden");
        floor.particles[3] = entity("contraption");
        floor.particles[4] = entity("fountain_blood fountain");
        floor.tiles[5] = entity("shallow_water");
        let mut level = Level::solid(&content);
        lay_floor(&floor, &mut level, &content, &own);
        let name = |x: i32, y: i32| {
            let id = level.feature(Point::new(38 + x, 34 + y)).expect("a cell");
            content.features().get(id).name.as_str()
        };
        let row = |y: i32| [0, 1, 2, 3].map(|x| name(x, y));
        assert_eq!(row(0), ["slimy_wall", "rock_wall", "floor", "granite_statue"]);
        assert_eq!(row(1), ["fountain_blood", "shallow_water", "floor", "floor"]);
        assert_eq!(level.items[&Point::new(40, 34)][0].spec, "chest hidden");
    }
}
