//! The markers of a level, as ids, kinds and cells.

use std::collections::btree_map::Values;
use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize, Serializer};
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

/// The markers of a level, in order of arrival: those that were moved come after the others
/// (spec 07 §3).
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(from = "Saved")]
pub struct Markers {
    all: BTreeMap<Arrival, LevelMarker>,
    by_id: BTreeMap<MarkerId, Arrival>,
    by_cell: BTreeSet<(Point, Arrival)>,
    next: MarkerId,
    next_arrival: Arrival,
}

/// Numbers the markers that come to a cell, whether they are new or moved.
type Arrival = u64;

impl Markers {
    /// Adds a marker.
    pub fn add(&mut self, at: Point, kind: impl Into<MarkerKind>) -> MarkerId {
        let id = self.next;
        self.next += 1;
        self.arrive(LevelMarker::new(id, at, kind.into()));
        id
    }

    /// Removes a marker and returns it, if it exists.
    pub fn remove(&mut self, id: MarkerId) -> Option<LevelMarker> {
        let arrival = self.by_id.remove(&id)?;
        let marker = self.all.remove(&arrival)?;
        self.by_cell.remove(&(marker.at, arrival));
        Some(marker)
    }

    /// Removes all markers for which `keep` returns false.
    pub fn retain(&mut self, mut keep: impl FnMut(&LevelMarker) -> bool) {
        let (by_id, by_cell) = (&mut self.by_id, &mut self.by_cell);
        self.all.retain(|arrival, marker| {
            let is_kept = keep(marker);
            if !is_kept {
                by_id.remove(&marker.id);
                by_cell.remove(&(marker.at, *arrival));
            }
            is_kept
        });
    }

    /// Moves a marker to another cell, after the markers there.
    pub fn move_to(&mut self, id: MarkerId, at: Point) {
        if let Some(marker) = self.remove(id) {
            self.arrive(LevelMarker { at, ..marker });
        }
    }

    /// Moves all markers of a cell, in order, to another cell, after the markers there.
    pub fn move_all(&mut self, from: Point, to: Point) {
        let moved: Vec<MarkerId> = self.at(from).map(|marker| marker.id).collect();
        moved.into_iter().for_each(|id| self.move_to(id, to));
    }

    /// Puts a marker into another cell without changing the order of markers, as if it had always
    /// been there: the whole level moves.
    pub fn shift_to(&mut self, id: MarkerId, at: Point) {
        let Some(&arrival) = self.by_id.get(&id) else { return };
        let Some(marker) = self.all.get_mut(&arrival) else { return };
        self.by_cell.remove(&(marker.at, arrival));
        self.by_cell.insert((at, arrival));
        marker.at = at;
    }

    /// Returns the marker with this id.
    pub fn get(&self, id: MarkerId) -> Option<&LevelMarker> {
        self.all.get(self.by_id.get(&id)?)
    }

    /// Returns the kind of the marker with this id, to change it.
    pub fn kind_mut(&mut self, id: MarkerId) -> Option<&mut MarkerKind> {
        self.get_mut(id).map(|marker| &mut marker.kind)
    }

    /// Notes whether a marker, just queried, offers its cell to a portal vault.
    pub fn note_portal(&mut self, id: MarkerId, is_offered: bool) {
        if let Some(marker) = self.get_mut(id) {
            marker.offered_portal = is_offered;
        }
    }

    /// Notes whether a marker, just queried, is an end of a transporter.
    pub fn note_transporter(&mut self, id: MarkerId, is_end: bool) {
        if let Some(marker) = self.get_mut(id) {
            marker.said_transporter = is_end;
        }
    }

    /// Returns the markers of a cell.
    pub fn at(&self, p: Point) -> impl Iterator<Item = &LevelMarker> {
        let arrivals = self.by_cell.range((p, Arrival::MIN)..=(p, Arrival::MAX));
        arrivals.filter_map(|(_, arrival)| self.all.get(arrival))
    }

    /// Returns all markers, in order of arrival.
    pub fn iter(&self) -> Values<'_, u64, LevelMarker> {
        self.all.values()
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
        self.all.len()
    }

    /// Returns whether there are no markers.
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// Removes all markers.
    pub fn clear(&mut self) {
        self.retain(|_| false);
    }

    /// Markers with the ids they had, as a saved level has them.
    pub fn restored(list: Vec<LevelMarker>, next: MarkerId) -> Markers {
        let mut markers = Markers { next, ..Markers::default() };
        list.into_iter().for_each(|marker| markers.arrive(marker));
        markers
    }

    /// Returns whether each marker has an id of its own that no later one will have. In a damaged
    /// save they may not.
    pub fn are_distinct(&self) -> bool {
        self.by_id.len() == self.all.len() && self.by_id.keys().all(|id| *id < self.next)
    }

    /// Adds a marker after all others.
    fn arrive(&mut self, marker: LevelMarker) {
        let arrival = self.next_arrival;
        self.next_arrival += 1;
        // A damaged save may give an id twice: see `are_distinct`.
        self.by_id.entry(marker.id).or_insert(arrival);
        self.by_cell.insert((marker.at, arrival));
        self.all.insert(arrival, marker);
    }

    /// Returns the marker with this id, mutably. Its id and cell must stay the same.
    fn get_mut(&mut self, id: MarkerId) -> Option<&mut LevelMarker> {
        self.all.get_mut(self.by_id.get(&id)?)
    }

    fn sorted_by_key(&self, key: impl Fn(Point) -> (i32, i32)) -> Vec<&LevelMarker> {
        let mut all: Vec<&LevelMarker> = self.iter().collect();
        all.sort_by_key(|marker| key(marker.at));
        all
    }
}

impl<'a> IntoIterator for &'a Markers {
    type Item = &'a LevelMarker;
    type IntoIter = Values<'a, u64, LevelMarker>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

/// How markers are saved: in their order, without what can be computed from that.
#[derive(Deserialize)]
struct Saved {
    list: Vec<LevelMarker>,
    next: MarkerId,
}

impl From<Saved> for Markers {
    fn from(Saved { list, next }: Saved) -> Markers {
        Markers::restored(list, next)
    }
}

impl Serialize for Markers {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Saved<'m> {
            list: Vec<&'m LevelMarker>,
            next: MarkerId,
        }
        Saved { list: self.iter().collect(), next: self.next }.serialize(serializer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_given_twice_or_not_yet_are_seen() {
        let marker = |id| LevelMarker::new(id, Point::new(1, 1), MarkerKind::Lua(0));
        let restored = |ids: &[MarkerId]| {
            Markers::restored(ids.iter().map(|&id| marker(id)).collect(), 5).are_distinct()
        };
        assert!(restored(&[1, 4]) && !restored(&[1, 1]) && !restored(&[5]));
    }

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

    #[test]
    fn markers_are_found_wherever_they_went() {
        let (a, b) = (Point::new(3, 9), Point::new(4, 1));
        let mut markers = Markers::default();
        let [first, second, third] = [a, b, a].map(|at| markers.add(at, MarkerKind::Lua(0)));
        let at = |markers: &Markers, p: Point| markers.at(p).map(|m| m.id).collect::<Vec<_>>();
        markers.shift_to(first, b);
        assert_eq!((at(&markers, a), at(&markers, b)), (vec![third], vec![first, second]));
        markers.move_all(b, b);
        markers.move_all(a, b);
        assert_eq!(at(&markers, b), [first, second, third]);
        markers.retain(|marker| marker.id != second);
        assert!(markers.get(second).is_none() && markers.remove(second).is_none());
        assert_eq!(at(&markers, b), [first, third]);
        markers.move_to(first, a);
        assert_eq!(markers.get(first).map(|marker| marker.at), Some(a));
        markers.clear();
        assert_eq!((markers.len(), at(&markers, a), at(&markers, b)), (0, vec![], vec![]));
        assert_eq!(markers.add(a, MarkerKind::Lua(0)), 3);
    }

    #[test]
    fn markers_are_saved_as_a_list_and_the_next_id() {
        let (a, b) = (Point::new(3, 9), Point::new(4, 1));
        let mut markers = Markers::default();
        let first = markers.add(a, MarkerKind::Lua(7));
        markers.add(b, MarkerKind::Position { feature: FeatureId::default(), to: Some(a) });
        markers.move_to(first, b);
        let list: Vec<LevelMarker> = markers.iter().cloned().collect();
        let bytes = postcard::to_allocvec(&markers).expect("bytes");
        assert_eq!(bytes, postcard::to_allocvec(&(list, 2u32)).expect("bytes"));
        let mut read: Markers = postcard::from_bytes(&bytes).expect("markers");
        assert_eq!(read.at(b).map(|marker| marker.id).collect::<Vec<_>>(), [1, first]);
        assert_eq!(read.add(b, MarkerKind::Lua(0)), 2);
    }
}
