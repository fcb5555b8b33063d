//! The current game as bytes, so that another process can continue it exactly.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use vaultwright_content::{BranchId, Content, FeatureId};
use vaultwright_level::{Level, LevelMarker, MarkerId, MarkerKind, VaultPlacement};
use vaultwright_lua::mlua::{self, Lua, RegistryKey, Table, Value};
use vaultwright_map::{Grid, LevelPlace, MapDef, Orient, Point, SubvaultPlace};

use crate::api::loading::require;
use crate::pack::library::Library;
use crate::pack::print::PackPrint;
use crate::play::pickle::{Pickles, Roots, pickle, unpickle};
use crate::script::markers::message_of;
use crate::state::clouds::Clouds;
use crate::state::game::RunningGame;
use crate::state::host::Host;
use crate::state::listeners::Listeners;
use crate::state::marker_tables::MarkerTables;
use crate::state::playing::{AwayLevel, PlayState, SavedMarker};
use crate::state::world::MonsterNumber;

/// The first bytes of a saved game.
const MAGIC: &[u8; 8] = b"VWGAME\r\n";
/// Increases with every change of the format.
const VERSION: u32 = 16;

/// The reason why a saved game cannot be read or written.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SaveError {
    /// The data is not a saved game.
    Foreign,
    /// The game was saved by another version of the program.
    Version(u32),
    /// The data is truncated or corrupted.
    Damaged,
    /// The game was played with another pack, or another edition of this one: the parts of the
    /// pack that are others, such as `tables and vaults`.
    OtherPack(String),
    /// The game contains something that cannot be written, or refers to something that does not
    /// exist.
    Content(String),
}

impl std::fmt::Display for SaveError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            SaveError::Foreign => f.write_str("this is no saved game of Vaultwright"),
            SaveError::Version(version) => write!(
                f,
                "this game was saved in format {version}; this program reads format {VERSION}: the version \
                 that saved it can go on with it"
            ),
            SaveError::Damaged => f.write_str("this saved game is damaged: its checksum is wrong"),
            SaveError::OtherPack(parts) => write!(
                f,
                "this game was saved with another pack: its {parts} are not those loaded now"
            ),
            SaveError::Content(message) => f.write_str(message),
        }
    }
}

impl std::error::Error for SaveError {}

#[derive(Serialize, Deserialize)]
struct Saved {
    pack: PackPrint,
    game: RunningGame,
    libraries: Vec<String>,
    level: SavedLevel,
    away: Vec<(LevelPlace, SavedAway)>,
    listeners: Listeners,
    clouds: Clouds,
    time_taken: i32,
    elapsed: i64,
    portals_entered: BTreeMap<BranchId, LevelPlace>,
    upcoming: VecDeque<LevelPlace>,
    /// Monsters with properties, in the order of their tables.
    with_properties: Vec<MonsterNumber>,
    /// The same for levels that the player has not entered yet, by position.
    unborn: Vec<(LevelPlace, Point)>,
    /// `dgn.persist`, the counters, the properties of both, then the markers of all levels.
    tables: Pickles,
    world: Vec<u8>,
}

#[derive(Serialize, Deserialize)]
struct SavedLevel {
    level: Level,
    vaults: Vec<SavedVault>,
    /// The Lua markers, in the order of their tables.
    lua_markers: Vec<MarkerId>,
}

#[derive(Serialize, Deserialize)]
struct SavedAway {
    level: SavedLevel,
    left: Option<i64>,
    written: Vec<(MarkerId, SavedMarker)>,
}

#[derive(Serialize, Deserialize)]
struct SavedVault {
    name: String,
    tags: Vec<String>,
    rows: Vec<Vec<u8>>,
    at: Point,
    size: (i32, i32),
    orient: Option<String>,
    exits: Vec<Point>,
    subvaults: Vec<(Point, Point, String)>,
    feature_names: BTreeMap<FeatureId, String>,
}

/// Global names of the library tables that change in play and belong to no marker.
const KEPT: [&[&str]; 2] = [&["dgn", "persist"], &["lmark", "counters"]];

/// Saves the current game, with the world's own bytes.
pub(crate) fn save(lua: &Lua, host: &Host, world: Vec<u8>) -> Result<Vec<u8>, SaveError> {
    let failed = |error: mlua::Error| {
        SaveError::Content(format!("the game cannot be saved: {}", message_of(&error)))
    };
    let mut roots = Roots::new(lua).map_err(failed)?;
    let mut add = |table: mlua::Result<Table>, words: String| {
        table.and_then(|table| roots.add(&table, words)).map_err(failed)
    };
    for path in KEPT {
        add(kept_table(lua, path), path.join("."))?;
    }
    let play = &host.play;
    let mut with_properties = Vec::new();
    for (&number, key) in &play.monster_properties {
        with_properties.push(number);
        add(lua.registry_value(key), format!("monster {number}"))?;
    }
    let mut unborn = Vec::new();
    for (&(place, at), key) in &play.unborn_properties {
        unborn.push((place, at));
        add(lua.registry_value(key), format!("the monster at {},{}", at.x, at.y))?;
    }
    let mut lua_markers_of =
        |level: &Level| markers_with_tables(lua, &host.markers, level, &mut roots).map_err(failed);
    let level = saved_level(&host.level, lua_markers_of(&host.level)?);
    let mut away = Vec::new();
    for (&place, other) in &play.away {
        // The markers of levels that were left are already written.
        let lua_markers = match other.left {
            Some(_) => Vec::new(),
            None => lua_markers_of(&other.level)?,
        };
        let level = saved_level(&other.level, lua_markers);
        away.push((place, SavedAway { level, left: other.left, written: other.written.clone() }));
    }
    let saved = Saved {
        pack: PackPrint::of(&host.content, host.print, &host.files),
        game: host.game.clone(),
        libraries: host.loading.libraries.clone(),
        level,
        away,
        listeners: play.listeners.clone(),
        clouds: play.clouds.clone(),
        time_taken: play.time_taken,
        elapsed: play.elapsed,
        portals_entered: play.portals_entered.clone(),
        upcoming: play.upcoming.clone(),
        with_properties,
        unborn,
        tables: pickle(lua, &roots).map_err(failed)?,
        world,
    };
    let payload = postcard::to_stdvec(&saved).map_err(|_| SaveError::Damaged)?;
    let mut bytes = MAGIC.to_vec();
    bytes.extend(VERSION.to_le_bytes());
    bytes.extend(crc32fast::hash(&payload).to_le_bytes());
    bytes.extend(payload);
    Ok(bytes)
}

/// Loads a saved game. Returns what the world makes of its own bytes. The previous state is
/// replaced only if everything succeeded.
pub(crate) fn load<W>(
    lua: &Lua,
    host: &mut Host,
    bytes: &[u8],
    world: impl FnOnce(&[u8]) -> Option<W>,
) -> Result<W, SaveError> {
    let saved = read(bytes)?;
    let now = PackPrint::of(&host.content, host.print, &host.files);
    if let Some(parts) = saved.pack.other_than(&now) {
        return Err(SaveError::OtherPack(parts));
    }
    if !is_sound(&saved, &host.content) || saved.game.streams.count() != host.game.streams.count() {
        return Err(SaveError::Damaged);
    }
    let world = world(&saved.world).ok_or(SaveError::Damaged)?;
    let failed = |error: mlua::Error| {
        SaveError::Content(format!("the saved game cannot be taken up: {}", message_of(&error)))
    };
    for library in &saved.libraries {
        require(lua, host, library).map_err(failed)?;
    }
    let tables = unpickle(lua, &saved.tables).map_err(failed)?;
    let mut tables = tables.iter();
    let kept: Vec<Table> =
        tables.by_ref().take(KEPT.len()).collect::<mlua::Result<_>>().map_err(failed)?;
    let mut state = PlayState { live: true, ..PlayState::default() };
    state.monster_properties =
        kept_tables(lua, &saved.with_properties, &mut tables).map_err(failed)?;
    state.unborn_properties = kept_tables(lua, &saved.unborn, &mut tables).map_err(failed)?;
    // The tables of the previous game are unused once those of this one exist.
    let before = std::mem::take(&mut host.markers);
    let (markers, library) = (&mut host.markers, &host.library);
    let mut restore = |saved| restored_level(lua, markers, library, saved, &mut tables);
    let restored = restore(saved.level).and_then(|level| {
        for (place, away) in saved.away {
            let level = restore(away.level)?;
            state.away.insert(place, AwayLevel { level, left: away.left, written: away.written });
        }
        for (path, table) in KEPT.into_iter().zip(kept) {
            set_kept_table(lua, path, table)?;
        }
        Ok(level)
    });
    let level = match restored {
        Ok(level) => level,
        Err(error) => {
            host.markers = before;
            return Err(failed(error));
        }
    };
    state.listeners = saved.listeners;
    state.clouds = saved.clouds;
    state.time_taken = saved.time_taken;
    state.elapsed = saved.elapsed;
    state.portals_entered = saved.portals_entered;
    state.upcoming = saved.upcoming;
    host.play = state;
    host.level = level;
    host.take_up(saved.game);
    Ok(world)
}

/// Returns the next table for each of these, where the interpreter keeps it.
fn kept_tables<K: Copy + Ord>(
    lua: &Lua,
    owners: &[K],
    tables: &mut impl Iterator<Item = mlua::Result<Table>>,
) -> mlua::Result<BTreeMap<K, RegistryKey>> {
    let each = owners.iter().zip(tables);
    each.map(|(&owner, table)| Ok((owner, lua.create_registry_value(table?)?))).collect()
}

fn read(bytes: &[u8]) -> Result<Saved, SaveError> {
    let rest = bytes.strip_prefix(MAGIC).ok_or(SaveError::Foreign)?;
    let (version, rest) = rest.split_first_chunk().ok_or(SaveError::Damaged)?;
    let version = u32::from_le_bytes(*version);
    if version != VERSION {
        return Err(SaveError::Version(version));
    }
    let (checksum, payload) = rest.split_first_chunk().ok_or(SaveError::Damaged)?;
    if u32::from_le_bytes(*checksum) != crc32fast::hash(payload) {
        return Err(SaveError::Damaged);
    }
    postcard::from_bytes(payload).map_err(|_| SaveError::Damaged)
}

/// Returns whether everything referred to by number exists: a forged file can have a correct
/// checksum.
fn is_sound(saved: &Saved, content: &Content) -> bool {
    let features = content.features().len();
    let monsters = content.monsters().len();
    let branches = content.branches().len();
    let place = |place: &LevelPlace| place.branch.0 < branches;
    let level = |saved: &SavedLevel| {
        let marked = |marker: &LevelMarker| match &marker.kind {
            MarkerKind::Feature(feature) | MarkerKind::Position { feature, .. } => {
                usize::from(feature.0) < features
            }
            MarkerKind::Terrain(change) => usize::from(change.old.0.max(change.new.0)) < features,
            MarkerKind::Lua(_) | MarkerKind::Properties(_) => true,
        };
        saved.level.is_whole(content)
            && saved.level.markers.are_distinct()
            && saved.level.markers.iter().all(marked)
            && saved
                .level
                .monsters
                .values()
                .all(|monster| monster.kind.is_none_or(|kind| usize::from(kind.0) < monsters))
    };
    let kinds = content.play().clouds.len();
    place(&saved.game.place)
        && saved.upcoming.iter().all(place)
        && saved.unborn.iter().all(|(at, _)| place(at))
        && saved.portals_entered.values().all(place)
        && level(&saved.level)
        && saved.away.iter().all(|(at, away)| place(at) && level(&away.level))
        && saved.clouds.0.values().all(|cloud| cloud.kind.0 < kinds)
}

fn kept_table(lua: &Lua, path: &[&str]) -> mlua::Result<Table> {
    let mut table = lua.globals();
    for part in path {
        table = match table.raw_get::<Option<Table>>(*part)? {
            Some(inner) => inner,
            None => return lua.create_table(),
        };
    }
    Ok(table)
}

fn set_kept_table(lua: &Lua, path: &[&str], value: Table) -> mlua::Result<()> {
    let [parents @ .., last] = path else { return Ok(()) };
    let mut table = lua.globals();
    for part in parents {
        let Some(inner) = table.raw_get::<Option<Table>>(*part)? else { return Ok(()) };
        table = inner;
    }
    // Scripts may hold the table itself, so it is refilled, not replaced.
    match table.raw_get::<Option<Table>>(*last)? {
        Some(old) => {
            old.clear()?;
            value.pairs::<Value, Value>().try_for_each(|pair| {
                let (key, entry) = pair?;
                old.raw_set(key, entry)
            })
        }
        None if value.is_empty() => Ok(()),
        None => table.raw_set(*last, value),
    }
}

/// Adds the Lua tables of a level's markers to `roots`. Returns the markers that have one.
fn markers_with_tables(
    lua: &Lua,
    markers: &MarkerTables,
    level: &Level,
    roots: &mut Roots,
) -> mlua::Result<Vec<MarkerId>> {
    let mut with_tables = Vec::new();
    for marker in level.markers.iter() {
        if let Some(table) = markers.of(lua, &marker.kind) {
            with_tables.push(marker.id);
            roots.add(&table, format!("the marker at {},{}", marker.at.x, marker.at.y))?;
        }
    }
    Ok(with_tables)
}

fn saved_level(level: &Level, lua_markers: Vec<MarkerId>) -> SavedLevel {
    let vaults = level.vaults.iter().map(saved_vault).collect();
    SavedLevel { level: level.clone(), vaults, lua_markers }
}

fn restored_level(
    lua: &Lua,
    markers: &mut MarkerTables,
    library: &Library,
    saved: SavedLevel,
    tables: &mut impl Iterator<Item = mlua::Result<Table>>,
) -> mlua::Result<Level> {
    let mut level = saved.level;
    for id in saved.lua_markers {
        let Some(table) = tables.next() else { break };
        let number = markers.keep(lua, Value::Table(table?))?;
        if let Some(kind) = level.markers.kind_mut(id) {
            *kind = MarkerKind::Lua(number);
        }
    }
    level.vaults = saved.vaults.into_iter().map(|vault| restored_vault(library, vault)).collect();
    Ok(level)
}

fn saved_vault(vault: &VaultPlacement) -> SavedVault {
    let subvault = |sub: &SubvaultPlace| (sub.top_left, sub.bottom_right, sub.map.name.clone());
    SavedVault {
        name: vault.map.name.clone(),
        tags: vault.map.tags.iter().cloned().collect(),
        rows: vault.map.grid.rows().map(<[u8]>::to_vec).collect(),
        at: vault.at,
        size: vault.size,
        orient: vault.orient.map(|orient| orient.name().to_owned()),
        exits: vault.exits.clone(),
        subvaults: vault.map.subvaults.iter().map(subvault).collect(),
        feature_names: vault.map.feature_names.clone(),
    }
}

fn restored_vault(library: &Library, saved: SavedVault) -> VaultPlacement {
    let mut map = match library.find(&saved.name) {
        Some(index) => library[index].selection.map(),
        None => MapDef::new(saved.name),
    };
    map.tags.clear();
    map.tags.extend(saved.tags);
    map.grid = Grid::from_rows(saved.rows);
    map.feature_names = saved.feature_names;
    let subvault = |(top_left, bottom_right, name): (Point, Point, String)| SubvaultPlace {
        top_left,
        bottom_right,
        map: Box::new(MapDef::new(name)),
    };
    map.subvaults = saved.subvaults.into_iter().map(subvault).collect();
    let orient = saved.orient.and_then(|word| Orient::parse(&word).ok().flatten());
    VaultPlacement {
        map: Arc::new(map),
        at: saved.at,
        size: saved.size,
        orient,
        exits: saved.exits,
        waiting: Vec::new(),
    }
}
