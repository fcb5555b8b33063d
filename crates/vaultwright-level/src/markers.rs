//! The markers of a level, as ids, kinds and cells.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use vaultwright_content::FeatureId;
use vaultwright_map::{MarkerPayload, Point};

/// Identifies a marker on a level; ids are never reused.
pub type MarkerId = u32;

/// An annotation of a cell (spec 07 §2).
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct LevelMarker {
    /// The id.
    pub id: MarkerId,
    /// The cell.
    pub at: Point,
    /// The kind.
    pub kind: MarkerKind,
    /// Whether it offered its cell to a portal vault when it was last queried. Only scripts know
    /// the current answer, so query again if you need it.
    #[serde(skip)]
    pub offered_portal: bool,
    /// Whether it said that it is an end of a transporter when it was last queried.
    #[serde(skip)]
    pub said_transporter: bool,
}

impl LevelMarker {
    /// Returns a marker that has not been queried yet.
    fn new(id: MarkerId, at: Point, kind: MarkerKind) -> LevelMarker {
        LevelMarker { id, at, kind, offered_portal: false, said_transporter: false }
    }
}

/// The kinds of markers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum MarkerKind {
    /// A feature, such as the arch that leads out of a portal level.
    Feature(FeatureId),
    /// A Lua table, as its number in the engine's store.
    Lua(u32),
    /// Properties set by the host itself.
    Properties(BTreeMap<String, String>),
    /// The destination of a transporter or hatch.
    Position {
        /// The transporter or hatch.
        feature: FeatureId,
        /// The destination; `None` if that cell no longer exists.
        to: Option<Point>,
    },
    /// A temporary change of terrain.
    Terrain(TerrainChange),
}

/// A script's value as plain data, as held by a Lua marker.
#[derive(Clone, Debug, PartialEq)]
pub enum ScriptValue {
    /// A boolean.
    Flag(bool),
    /// A number.
    Number(f64),
    /// A text.
    Text(String),
    /// A function, or a table shared by all scripts, by name; empty if it has none.
    Named(String),
    /// A table, in the order of its keys.
    Table {
        /// The name of its class, if it has one.
        class: Option<String>,
        /// Keys and values.
        entries: Vec<(ScriptValue, ScriptValue)>,
    },
    /// A table that contains itself, lies too deep, or is too much to tell.
    Again,
}

/// A temporary change of terrain (spec 07 §14.4).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TerrainChange {
    /// The feature to restore.
    pub old: FeatureId,
    /// The temporary feature.
    pub new: FeatureId,
    /// The remaining ticks; [`TerrainChange::FOR_EVER`] if there is no end.
    pub duration: i32,
    /// The type of the change. Changes of different types are layered.
    pub cause: TerrainCause,
    /// The monster with which the change ends, or [`TerrainChange::BY_PLAYER`]; 0 for none.
    pub owner: u32,
    /// The previous colour of the cell.
    pub colour: Option<String>,
}

impl TerrainChange {
    /// A duration that never runs out.
    pub const FOR_EVER: i32 = 30_000;
    /// The owner of changes made by the player.
    pub const BY_PLAYER: u32 = u32::MAX;
}

/// The types of temporary terrain, with their codes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[allow(missing_docs)] // the causes that scripts name
pub enum TerrainCause {
    Generic,
    Flood,
    Tomb,
    Imprison,
    DoorSeal,
    Forested,
    Bog,
    Slime,
    BindingSigil,
    HellfireMortar,
    Webs,
    SpikeLauncher,
    RimeYak,
    AquaForm,
    Golubria,
    MalignGateway,
}

impl TerrainCause {
    /// All types, indexed by code.
    pub const ALL: [TerrainCause; 16] = [
        TerrainCause::Generic,
        TerrainCause::Flood,
        TerrainCause::Tomb,
        TerrainCause::Imprison,
        TerrainCause::DoorSeal,
        TerrainCause::Forested,
        TerrainCause::Bog,
        TerrainCause::Slime,
        TerrainCause::BindingSigil,
        TerrainCause::HellfireMortar,
        TerrainCause::Webs,
        TerrainCause::SpikeLauncher,
        TerrainCause::RimeYak,
        TerrainCause::AquaForm,
        TerrainCause::Golubria,
        TerrainCause::MalignGateway,
    ];

    /// Returns its code.
    pub fn code(self) -> usize {
        self as usize
    }
}

impl From<MarkerPayload> for MarkerKind {
    fn from(payload: MarkerPayload) -> MarkerKind {
        match payload {
            MarkerPayload::Feature(feature) => MarkerKind::Feature(feature),
            MarkerPayload::Lua(table) => MarkerKind::Lua(table),
        }
    }
}

/// The markers of a level. Within a cell, they are ordered by when they came to it (spec 07 §3).
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Markers {
    list: Vec<LevelMarker>,
    next: MarkerId,
}

impl Markers {
    /// Adds a marker.
    pub fn add(&mut self, at: Point, kind: impl Into<MarkerKind>) -> MarkerId {
        let id = self.next;
        self.next += 1;
        self.list.push(LevelMarker::new(id, at, kind.into()));
        id
    }

    /// Removes a marker and returns it, if it exists.
    pub fn remove(&mut self, id: MarkerId) -> Option<LevelMarker> {
        let index = self.list.iter().position(|marker| marker.id == id)?;
        Some(self.list.remove(index))
    }

    /// Removes all markers for which `keep` returns false.
    pub fn retain(&mut self, keep: impl FnMut(&LevelMarker) -> bool) {
        self.list.retain(keep);
    }

    /// Moves a marker to another cell, after the markers there.
    pub fn move_to(&mut self, id: MarkerId, at: Point) {
        if let Some(marker) = self.remove(id) {
            self.list.push(LevelMarker { at, ..marker });
        }
    }

    /// Moves all markers of a cell, in order, to another cell, after the markers there.
    pub fn move_all(&mut self, from: Point, to: Point) {
        let (moved, kept) = std::mem::take(&mut self.list).into_iter().partition(|m| m.at == from);
        self.list = kept;
        let moved: Vec<LevelMarker> = moved;
        self.list.extend(moved.into_iter().map(|marker| LevelMarker { at: to, ..marker }));
    }

    /// Returns the marker with this id.
    pub fn get(&self, id: MarkerId) -> Option<&LevelMarker> {
        self.list.iter().find(|marker| marker.id == id)
    }

    /// Returns the marker with this id, mutably.
    pub fn get_mut(&mut self, id: MarkerId) -> Option<&mut LevelMarker> {
        self.list.iter_mut().find(|marker| marker.id == id)
    }

    /// Returns the markers of a cell.
    pub fn at(&self, p: Point) -> impl Iterator<Item = &LevelMarker> {
        self.list.iter().filter(move |marker| marker.at == p)
    }

    /// Returns all markers, in order of arrival: those that were moved come after the others.
    pub fn iter(&self) -> std::slice::Iter<'_, LevelMarker> {
        self.list.iter()
    }

    /// Returns all markers by cell, column by column.
    pub fn by_column(&self) -> Vec<&LevelMarker> {
        self.sorted_by_key(|p| (p.x, p.y))
    }

    /// Returns all markers by cell, row by row.
    pub fn by_row(&self) -> Vec<&LevelMarker> {
        self.sorted_by_key(|p| (p.y, p.x))
    }

    /// Returns the number of markers.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Returns whether there are no markers.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Removes all markers.
    pub fn clear(&mut self) {
        self.list.clear();
    }

    /// Markers with the ids they had, as a saved level has them.
    pub fn restored(list: Vec<LevelMarker>, next: MarkerId) -> Markers {
        Markers { list, next }
    }

    fn sorted_by_key(&self, key: impl Fn(Point) -> (i32, i32)) -> Vec<&LevelMarker> {
        let mut all: Vec<&LevelMarker> = self.list.iter().collect();
        all.sort_by_key(|marker| key(marker.at));
        all
    }
}

impl<'a> IntoIterator for &'a Markers {
    type Item = &'a LevelMarker;
    type IntoIter = std::slice::Iter<'a, LevelMarker>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_keep_the_order_of_arrival() {
        let (a, b) = (Point::new(3, 9), Point::new(4, 1));
        let mut markers = Markers::default();
        let [first, second, third] = [a, b, a].map(|at| markers.add(at, MarkerKind::Lua(0)));
        let ids = |list: Vec<&LevelMarker>| list.iter().map(|m| m.id).collect::<Vec<_>>();
        assert_eq!(ids(markers.by_column()), [first, third, second]);
        assert_eq!(ids(markers.by_row()), [second, first, third]);
        markers.move_all(a, b);
        assert_eq!(ids(markers.at(b).collect()), [second, first, third]);
        markers.move_to(second, b);
        assert_eq!(ids(markers.at(b).collect()), [first, third, second]);
        markers.remove(third);
        assert_eq!(markers.add(a, MarkerKind::Lua(1)), 3);
    }
}
