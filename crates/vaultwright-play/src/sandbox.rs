//! A world to try levels in: a traveller, stationary monsters, items.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use vaultwright_content::{ChannelId, LevelSize};
use vaultwright_engine::{
    ItemNumber, ItemProperty, MonsterNames, MonsterNumber, PlayItem, PlayMonster, World,
};
use vaultwright_level::{LevelItem, LevelMonster};
use vaultwright_map::{ItemKind, LevelPlace, Point};

use crate::sight::Sight;

/// A complete small world: a player who walks and sees, stationary monsters, items that can be
/// carried, and messages.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Sandbox {
    pub(crate) player: Point,
    pub(crate) taking_stairs: bool,
    pub(crate) deaf: bool,
    pub(crate) flying: bool,
    pub(crate) berserk: bool,
    /// Entrances of portals that the player has used: the level and the cell.
    pub(crate) used_portals: Vec<(LevelPlace, Point)>,
    #[serde(skip)]
    sight: Sight,
    pub(crate) here: Stage,
    away: BTreeMap<LevelPlace, Stage>,
    /// A monster that has just died: scripts may still query it.
    pub(crate) dying: Option<(MonsterNumber, Monster)>,
    pub(crate) inventory: Vec<(ItemNumber, Item)>,
    last_number: u32,
    /// Messages that have not been read yet.
    pub(crate) messages: Vec<Said>,
    /// The player's answer to questions.
    pub(crate) says_yes: bool,
}

/// The monsters and items of a level, and what the player knows of it.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Stage {
    pub(crate) monsters: BTreeMap<MonsterNumber, Monster>,
    /// The topmost item last.
    pub(crate) items: Vec<(ItemNumber, Item)>,
    known: BTreeSet<Point>,
    /// Monsters that have noticed the player.
    pub(crate) noticed: BTreeSet<MonsterNumber>,
}

/// A monster in the sandbox.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Monster {
    /// Its names.
    pub names: MonsterNames,
    /// Where it stands.
    pub at: Point,
    /// The monster as placed on the level, with its spec and what it carries.
    pub placed: LevelMonster,
}

/// An item in the sandbox.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Item {
    /// Its plain name.
    pub name: String,
    /// The spec that requested it.
    pub spec: String,
    /// The item as placed on the level, with its spec.
    pub placed: LevelItem,
    /// Where it lies, or where it was picked up.
    pub at: Point,
    /// The properties that scripts have set on it.
    pub properties: BTreeMap<String, ItemProperty>,
}

/// A message.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Said {
    /// The text.
    pub text: String,
    /// The channel.
    pub channel: ChannelId,
}

impl Sandbox {
    /// Returns where the player is.
    pub fn player(&self) -> Point {
        self.player
    }

    /// Returns whether the player sees a cell.
    pub fn can_see(&self, p: Point) -> bool {
        self.sight.sees(p)
    }

    /// Returns whether the player has ever seen a cell of the level.
    pub fn knows(&self, p: Point) -> bool {
        self.here.known.contains(&p)
    }

    /// Adds cells to those that the player knows.
    pub(crate) fn learn(&mut self, cells: impl IntoIterator<Item = Point>) {
        self.here.known.extend(cells);
    }

    /// Forgets all cells that are out of sight.
    pub(crate) fn forget_unseen(&mut self) {
        self.here.known = self.sight.cells().collect();
    }

    /// Returns the cells of the level that the player knows.
    pub(crate) fn known(&self) -> &BTreeSet<Point> {
        &self.here.known
    }

    /// Returns the living monsters of the level.
    pub fn monsters(&self) -> impl Iterator<Item = (MonsterNumber, &Monster)> {
        self.here.monsters.iter().map(|(&number, monster)| (number, monster))
    }

    /// Returns the items on the level, the topmost of each cell last.
    pub fn items(&self) -> impl Iterator<Item = (ItemNumber, &Item)> {
        self.here.items.iter().map(|(number, item)| (*number, item))
    }

    /// Returns the items that the player carries.
    pub fn inventory(&self) -> impl Iterator<Item = &Item> {
        self.inventory.iter().map(|(_, item)| item)
    }

    /// Removes a monster from the level. It can be queried until the next one dies.
    pub(crate) fn strike_down(&mut self, number: MonsterNumber) -> Option<Monster> {
        let monster = self.here.monsters.remove(&number)?;
        self.dying = Some((number, monster.clone()));
        Some(monster)
    }

    /// Gives the player an item of the level and returns its name; `None` if the item is not there.
    pub(crate) fn take_item(&mut self, number: ItemNumber) -> Option<String> {
        let index = self.here.items.iter().position(|(other, _)| *other == number)?;
        let item = self.here.items.remove(index);
        let name = item.1.name.clone();
        self.inventory.push(item);
        Some(name)
    }

    /// Drops the item that the player picked up last.
    pub(crate) fn drop_item(&mut self) -> Option<String> {
        let (number, mut item) = self.inventory.pop()?;
        item.at = self.player;
        let name = item.name.clone();
        self.here.items.push((number, item));
        Some(name)
    }

    /// Renames an item, as identification does.
    pub(crate) fn rename_item(&mut self, number: ItemNumber, name: &str) {
        if let Some((_, item)) = self.here.items.iter_mut().find(|(other, _)| *other == number) {
            item.name = name.to_owned();
        }
    }

    fn next_number(&mut self) -> u32 {
        self.last_number += 1;
        self.last_number
    }
}

impl World for Sandbox {
    fn player(&self) -> Point {
        self.player
    }

    fn move_player(&mut self, to: Point) {
        self.player = to;
    }

    fn taking_stairs(&self) -> bool {
        self.taking_stairs
    }

    fn sees(&self, p: Point) -> bool {
        self.sight.sees(p)
    }

    fn knows(&self, p: Point) -> bool {
        self.here.known.contains(&p)
    }

    fn cells_moved(&mut self, moved: &BTreeMap<Point, Point>) {
        let known = std::mem::take(&mut self.here.known);
        self.here.known = known.into_iter().filter_map(|p| moved.get(&p).copied()).collect();
    }

    fn hears(&self, _p: Point) -> bool {
        !self.deaf
    }

    fn cell_sees(
        &self,
        from: Point,
        to: Point,
        size: LevelSize,
        opaque: &dyn Fn(Point) -> bool,
    ) -> bool {
        Sight::from(from, size, opaque).sees(to)
    }

    fn look(&mut self, size: LevelSize, opaque: &dyn Fn(Point) -> bool) {
        let somewhere = self.player != Point::new(0, 0);
        self.sight =
            if somewhere { Sight::from(self.player, size, opaque) } else { Sight::default() };
        self.here.known.extend(self.sight.cells());
    }

    fn monster_at(&self, p: Point) -> Option<MonsterNumber> {
        self.monsters().find(|(_, monster)| monster.at == p).map(|(number, _)| number)
    }

    fn monster(&self, number: MonsterNumber) -> Option<PlayMonster> {
        let dying = self.dying.as_ref().filter(|(other, _)| *other == number);
        let monster = self.here.monsters.get(&number).or(dying.map(|(_, monster)| monster))?;
        let peaceful = monster.placed.is_peaceful();
        Some(PlayMonster { names: monster.names.clone(), at: monster.at, peaceful })
    }

    fn add_monster(
        &mut self,
        at: Point,
        monster: &LevelMonster,
        names: MonsterNames,
    ) -> MonsterNumber {
        let number = self.next_number();
        self.here.monsters.insert(number, Monster { names, at, placed: monster.clone() });
        number
    }

    fn move_monster(&mut self, number: MonsterNumber, to: Point) {
        if let Some(monster) = self.here.monsters.get_mut(&number) {
            monster.at = to;
        }
    }

    fn remove_monster(&mut self, number: MonsterNumber) {
        self.here.monsters.remove(&number);
    }

    fn items_at(&self, p: Point) -> Vec<ItemNumber> {
        let here = self.items().filter(|(_, item)| item.at == p);
        let mut numbers: Vec<ItemNumber> = here.map(|(number, _)| number).collect();
        numbers.reverse();
        numbers
    }

    fn item(&self, number: ItemNumber) -> Option<PlayItem> {
        let find = |list: &[(ItemNumber, Item)]| {
            list.iter().find(|(other, _)| *other == number).map(|(_, item)| item.clone())
        };
        if let Some(item) = find(&self.here.items) {
            let asked = item.placed.asked.clone();
            return Some(PlayItem { name: item.name, at: Some(item.at), asked });
        }
        find(&self.inventory).map(|item| {
            let asked = item.placed.asked.clone();
            PlayItem { name: item.name, at: None, asked }
        })
    }

    fn add_item(&mut self, at: Point, item: &LevelItem) -> ItemNumber {
        let number = self.next_number();
        let (name, spec) = (name_of(item), item.spec.clone());
        let properties = BTreeMap::new();
        self.here.items.push((number, Item { name, spec, placed: item.clone(), at, properties }));
        number
    }

    fn move_item(&mut self, number: ItemNumber, to: Option<Point>) {
        let Some(index) = self.here.items.iter().position(|(other, _)| *other == number) else {
            return;
        };
        let (number, item) = self.here.items.remove(index);
        if let Some(at) = to {
            self.here.items.push((number, Item { at, ..item }));
        }
    }

    fn item_property(&self, number: ItemNumber, property: &str) -> Option<ItemProperty> {
        let mut all = self.here.items.iter().chain(&self.inventory);
        let (_, item) = all.find(|(other, _)| *other == number)?;
        item.properties.get(property).cloned()
    }

    fn set_item_property(&mut self, number: ItemNumber, property: &str, value: ItemProperty) {
        let mut all = self.here.items.iter_mut().chain(&mut self.inventory);
        if let Some((_, item)) = all.find(|(other, _)| *other == number) {
            item.properties.insert(property.to_owned(), value);
        }
    }

    fn remove_item_property(&mut self, number: ItemNumber, property: &str) {
        // The only property that items are created with is written as a word of the spec.
        let word = if property == "corpse-no-decay" { "never_decay" } else { property };
        if let Some((_, item)) = self.here.items.iter_mut().find(|(other, _)| *other == number) {
            let words = item.spec.split_whitespace().filter(|other| *other != word);
            item.spec = words.collect::<Vec<_>>().join(" ");
            item.properties.remove(property);
        }
    }

    fn message(&mut self, text: &str, channel: ChannelId) {
        self.messages.push(Said { text: text.to_owned(), channel });
    }

    fn confirm(&mut self, _question: &str) -> bool {
        self.says_yes
    }

    fn leave_level(&mut self, place: LevelPlace) {
        self.away.insert(place, std::mem::take(&mut self.here));
        self.player = Point::new(0, 0);
        self.sight = Sight::default();
    }

    fn forget_level(&mut self, place: LevelPlace) {
        self.away.remove(&place);
    }

    fn enter_level(&mut self, place: LevelPlace) {
        self.here = self.away.remove(&place).unwrap_or_default();
    }
}

/// Returns the name of an item: what its spec says, or what a class has turned out to be when the
/// spec was parsed.
fn name_of(item: &LevelItem) -> String {
    let name = plain_name(&item.spec);
    let settled = item.asked.as_ref().filter(|_| name.starts_with("any "));
    match settled.map(|asked| &asked.kind) {
        Some(ItemKind::Item(settled)) => settled.clone(),
        _ => name,
    }
}

/// Returns a spec without the words about how an item is created.
fn plain_name(spec: &str) -> String {
    const MAKING: [&str; 10] = [
        "good_item",
        "superb_item",
        "star_item",
        "mundane",
        "randart",
        "no_uniq",
        "no_pickup",
        "never_decay",
        "damaged",
        "unobtainable",
    ];
    let words = spec.split_whitespace();
    let named = words.filter(|word| !word.contains(':') && !MAKING.contains(word));
    named.collect::<Vec<_>>().join(" ")
}
