//! What is on the level: terrain, markers and clouds.

use vaultwright_content::{Content, FeatureId};
use vaultwright_level::{LevelItem, LevelMarker, MarkerId, MarkerKind, TerrainCause};
use vaultwright_lua::mlua::{Lua, Table};
use vaultwright_map::Point;

use super::Play;
use crate::api::dgn_markers::cells_with_property;
use crate::play::dispatch;
use crate::play::displacing::Keep;
use crate::play::protocol::describe;
use crate::play::terrain::{self, signal_change};
use crate::script::markers::{property, property_at};
use crate::state::clouds::Cloud;
use crate::state::host::Host;
use crate::state::world::{MonsterNumber, World};

/// A marker, as shown to users.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MarkerView {
    /// The marker's id.
    pub id: MarkerId,
    /// The marker's cell.
    pub at: Point,
    /// Its class, or its kind if it is not a Lua marker.
    pub class: String,
    /// Its description of itself, often empty.
    pub description: String,
    /// The shortest countdown of its triggerers, in ticks.
    pub countdown: Option<i32>,
    /// The group of markers that it leads.
    pub leads: Option<String>,
    /// The group it belongs to.
    pub follows: Option<String>,
}

impl<W: World + 'static> Play<W> {
    /// Changes the terrain of a cell.
    ///
    /// # Panics
    ///
    /// If the feature is none of this engine's tables.
    pub fn change_terrain(&mut self, p: Point, feature: FeatureId, keep: Keep) {
        let (lua, host) = self.engine.refilled();
        terrain::change_terrain(lua, host, p, feature, keep);
    }

    /// Changes the terrain of a cell for some ticks. The change ends with the monster `owner`,
    /// unless that is 0.
    ///
    /// # Panics
    ///
    /// If the feature is none of this engine's tables.
    pub fn change_for_a_time(
        &mut self,
        p: Point,
        feature: FeatureId,
        ticks: i32,
        cause: TerrainCause,
        owner: MonsterNumber,
    ) {
        let (lua, host) = self.engine.refilled();
        let temporary = terrain::Temporary { feature, duration: ticks, cause, owner };
        terrain::set_temporary(lua, host, p, temporary);
    }

    /// Writes the terrain of a cell as doors do: nothing is moved, and listeners are informed.
    ///
    /// # Panics
    ///
    /// If the feature is none of this engine's tables.
    pub fn set_door(&mut self, p: Point, feature: FeatureId) {
        let (lua, host) = self.engine.refilled();
        host.level.set_feature(p, feature);
        signal_change(lua, host, p);
    }

    /// Returns whether a cell is solid, so that no creature can stand on it.
    pub fn is_solid(&self, p: Point) -> bool {
        self.host().is_solid(p)
    }

    /// Destroys whatever is solid on a cell.
    pub fn destroy(&mut self, p: Point) {
        let (lua, host) = self.engine.refilled();
        terrain::destroy(lua, host, p);
    }

    /// Ages temporary terrain.
    pub fn time_out_terrain(&mut self, ticks: i32) {
        let (lua, host) = self.engine.refilled();
        terrain::time_out_terrain(lua, host, ticks);
    }

    /// Returns the first value that a cell's markers give for a property; empty if there is none.
    pub fn property_at(&mut self, p: Point, name: &str) -> String {
        let (lua, host) = self.engine.refilled();
        property_at(lua, host, p, name)
    }

    /// Returns the first cell, row by row, whose markers give this value for a property.
    pub fn marked_with(&mut self, name: &str, value: &str) -> Option<Point> {
        let (lua, host) = self.engine.refilled();
        cells_with_property(lua, host, name, value, 1).first().copied()
    }

    /// Adds a marker that is not a Lua object.
    pub fn add_marker(&mut self, at: Point, kind: MarkerKind) -> MarkerId {
        self.engine.host.level.markers.add(at, kind)
    }

    /// Returns whether anything on a cell could have a value for a property.
    pub fn is_marked(&self, p: Point) -> bool {
        self.level().markers.at(p).next().is_some()
    }

    /// Recomputes what is in sight.
    pub fn look(&mut self) {
        self.host().look();
    }

    /// Returns the clouds of the level, by column.
    pub fn clouds(&self) -> Vec<(Point, Cloud)> {
        let play = &self.host().play;
        play.clouds.0.iter().map(|(&p, cloud)| (p, cloud.clone())).collect()
    }

    /// Returns the markers of the level, by column.
    pub fn markers(&mut self) -> Vec<MarkerView> {
        let (lua, host) = self.engine.refilled();
        dispatch::wake_all(lua, host);
        let markers: Vec<_> = host.level.markers.by_column().into_iter().cloned().collect();
        markers.iter().map(|marker| view_of(lua, host, marker)).collect()
    }

    /// Adds an item to a cell, as a script would.
    pub fn add_item(&mut self, at: Point, spec: &str) {
        self.host()
            .world()
            .borrow_mut()
            .add_item(at, &LevelItem { spec: spec.to_owned(), ..LevelItem::default() });
    }
}

fn view_of(lua: &Lua, host: &mut Host, marker: &LevelMarker) -> MarkerView {
    let table = host.markers.of(lua, &marker.kind);
    let mut answer = |names: [&str; 2]| {
        let answers = names.map(|name| property(lua, host, marker, name));
        answers.into_iter().find(|answer| !answer.is_empty()).filter(|_| table.is_some())
    };
    let leads = answer(["primary_name", "master_name"]);
    let follows = answer(["replica_to", "slaved_to"]);
    MarkerView {
        id: marker.id,
        at: marker.at,
        class: class_of(&marker.kind, table.as_ref(), &host.content),
        description: describe(lua, host, marker),
        countdown: table.as_ref().and_then(countdown),
        leads,
        follows,
    }
}

fn class_of(kind: &MarkerKind, table: Option<&Table>, content: &Content) -> String {
    let name = |id: &FeatureId| content.features().get(*id).name.clone();
    match kind {
        MarkerKind::Feature(feature) => name(feature),
        MarkerKind::Properties(_) => "properties".to_owned(),
        MarkerKind::Position { feature, .. } => name(feature),
        MarkerKind::Terrain(change) => format!("{} for {}", name(&change.new), change.duration),
        MarkerKind::Lua(_) => {
            table.and_then(|table| table.get("CLASS").ok()).unwrap_or_else(|| "table".to_owned())
        }
    }
}

/// Returns the ticks until the first of a marker's triggerers fires, or until the marker is gone.
fn countdown(table: &Table) -> Option<i32> {
    if let Ok(Some(left)) = table.get::<Option<f64>>("dur") {
        return Some(left as i32);
    }
    let triggerers: Table = table.get("triggerers").ok()?;
    let counts = triggerers
        .sequence_values::<Table>()
        .filter_map(|triggerer| triggerer.ok()?.get::<Option<f64>>("countdown").ok().flatten());
    counts.map(|count| count as i32).min()
}
