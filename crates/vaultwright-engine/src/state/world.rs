//! What a game offers to the levels that are played in it.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use vaultwright_content::{ChannelId, LevelSize};
use vaultwright_level::{LevelItem, LevelMonster, is_needed_item};
use vaultwright_map::{ItemAlternative, LevelPlace, Point};

/// The number of a monster that exists in play, what scripts know as its `mid`; never 0.
pub type MonsterNumber = u32;

/// The number of an item that exists in play.
pub type ItemNumber = u32;

/// What a monster is called, without articles.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MonsterNames {
    /// Its own name, or what it is.
    pub name: String,
    /// Its own name and what it is: `Blork the orc`.
    pub full: String,
    /// What it is, with what its own name adds to that: `orc chief`, `kobold zombie`.
    pub base: String,
    /// The name of its kind, `zombie` for a zombie; empty if nobody knows it.
    pub kind: String,
}

/// A monster as scripts see it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayMonster {
    /// What it is called.
    pub names: MonsterNames,
    /// Where it stands.
    pub at: Point,
    /// It is no enemy.
    pub peaceful: bool,
}

/// An item as scripts see it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayItem {
    /// The plain name.
    pub name: String,
    /// Where it lies; `None` if it is carried.
    pub at: Option<Point>,
    /// What its spec says, if the game knows it.
    pub asked: Option<Arc<ItemAlternative>>,
}

/// What scripts keep on an item under a name (spec 06 §3.10).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum ItemProperty {
    /// Of type `B`.
    Bool(bool),
    /// Of type `b`, `S` or `i`, within the bounds of the type.
    Int(i32),
    /// Of type `f`.
    Float(f32),
    /// Of type `s`.
    Text(String),
    /// Of type `C`.
    Cell(Point),
}

/// What a game has that a level in play asks for (spec 07 §21). The engine itself keeps the
/// terrain, the markers, clouds and timers; the player, monsters, items and messages are the
/// game's.
///
/// Every method has a default for games without that feature (no monsters, no items, nothing
/// visible); implement only what your game has. No method may call the engine: it is in the middle
/// of something.
pub trait World {
    /// Returns where the player is; (0, 0) between levels.
    fn player(&self) -> Point {
        Point::new(0, 0)
    }

    /// Called when the player is moved by the level itself: pushed aside or teleported.
    fn move_player(&mut self, _to: Point) {}

    /// Returns whether the player is in the middle of taking stairs.
    fn taking_stairs(&self) -> bool {
        false
    }

    /// Returns whether the player sees a cell.
    fn sees(&self, _p: Point) -> bool {
        false
    }

    /// Returns whether the player has ever seen a cell of the level.
    fn knows(&self, _p: Point) -> bool {
        false
    }

    /// Called when the cells of the Abyss have moved: each of these is another now, all others are
    /// new.
    fn cells_moved(&mut self, _moved: &BTreeMap<Point, Point>) {}

    /// Returns whether the player can hear what happens on a cell.
    fn hears(&self, _p: Point) -> bool {
        true
    }

    /// Called when sight may have changed. Recompute what the player sees on a level of `size`
    /// cells; `opaque(p)` returns whether cell `p` blocks sight. [`World::sees`] must answer
    /// accordingly afterwards.
    fn look(&mut self, _size: LevelSize, _opaque: &dyn Fn(Point) -> bool) {}

    /// Returns whether somebody on one cell of a level of a size sees another; `opaque` tells the
    /// cells that block sight.
    fn cell_sees(
        &self,
        _from: Point,
        _to: Point,
        _size: LevelSize,
        _opaque: &dyn Fn(Point) -> bool,
    ) -> bool {
        false
    }

    /// Returns the monster on a cell.
    fn monster_at(&self, _p: Point) -> Option<MonsterNumber> {
        None
    }

    /// Returns a living monster.
    fn monster(&self, _number: MonsterNumber) -> Option<PlayMonster> {
        None
    }

    /// Called when a monster appears on a cell. Returns the number by which it is known from then
    /// on.
    fn add_monster(
        &mut self,
        _at: Point,
        _monster: &LevelMonster,
        _names: MonsterNames,
    ) -> MonsterNumber {
        1
    }

    /// Called when a monster is moved by the level itself.
    fn move_monster(&mut self, _number: MonsterNumber, _to: Point) {}

    /// Called when a monster is gone, without having died.
    fn remove_monster(&mut self, _number: MonsterNumber) {}

    /// Returns the items on a cell, the uppermost first.
    fn items_at(&self, _p: Point) -> Vec<ItemNumber> {
        Vec::new()
    }

    /// Returns an item.
    fn item(&self, _number: ItemNumber) -> Option<PlayItem> {
        None
    }

    /// Returns whether the game cannot be won without an item: a change of terrain moves it away
    /// where it would destroy others.
    fn needs_item(&self, number: ItemNumber) -> bool {
        self.item(number).is_some_and(|item| is_needed_item(&item.name))
    }

    /// Called when an item appears on a cell, on top. Returns the number by which it is known from
    /// then on.
    fn add_item(&mut self, _at: Point, _item: &LevelItem) -> ItemNumber {
        0
    }

    /// Called when an item is moved by the level itself; to nowhere if it is destroyed.
    fn move_item(&mut self, _number: ItemNumber, _to: Option<Point>) {}

    /// Returns what scripts have kept on an item under a name.
    fn item_property(&self, _number: ItemNumber, _property: &str) -> Option<ItemProperty> {
        None
    }

    /// Called when a script keeps something on an item.
    fn set_item_property(&mut self, _number: ItemNumber, _property: &str, _value: ItemProperty) {}

    /// Called when an item loses a property, such as `corpse-no-decay`.
    fn remove_item_property(&mut self, _number: ItemNumber, _property: &str) {}

    /// Called when something is said.
    fn message(&mut self, _text: &str, _channel: ChannelId) {}

    /// Asks the player to say yes or no.
    fn confirm(&mut self, _question: &str) -> bool {
        false
    }

    /// Called when the player leaves a level; its monsters and items wait there.
    fn leave_level(&mut self, _place: LevelPlace) {}

    /// Called when a level that was left is gone, with all that waited there.
    fn forget_level(&mut self, _place: LevelPlace) {}

    /// Called when the player comes to a level; if it was left before, with the monsters and items
    /// that were there.
    fn enter_level(&mut self, _place: LevelPlace) {}
}

/// The world of an engine that plays no level: no player, no monsters, nothing in sight.
pub(crate) struct NoWorld;

impl World for NoWorld {}
