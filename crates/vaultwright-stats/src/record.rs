//! What a campaign records about every level. Names are written out, so that records of different
//! packs can be compared.

use serde::{Deserialize, Serialize};
use vaultwright_content::LevelSize;
use vaultwright_engine::Veto;
use vaultwright_level::{Level, LevelShape};
use vaultwright_map::Point;

/// The levels of one game.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct GameRecord {
    /// The seed of the game.
    pub seed: u64,
    /// The levels, in the order in which they were built.
    pub levels: Vec<LevelRecord>,
    /// What was left out because it made a worker fail.
    pub casualties: Vec<Casualty>,
}

/// One level.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct LevelRecord {
    /// The name: `D:3`, `Temple`.
    pub place: String,
    /// The abbreviation of the branch.
    pub branch: String,
    /// The depth in the branch, from 1.
    pub depth: i32,
    /// Whether an attempt succeeded. If not, only vetoes, errors and maps are recorded.
    pub built: bool,
    /// The number of attempts.
    pub attempts: u32,
    /// Why attempts were discarded, in order.
    pub vetoes: Vec<VetoRecord>,
    /// Vetoes of maps that a script tried to place, and continued without.
    pub swallowed_vetoes: Vec<VetoRecord>,
    /// Lua errors.
    pub errors: Vec<MapError>,
    /// Maps that exceeded the instruction or memory limits of their Lua.
    pub struck: Vec<String>,
    /// The maps that were tried, in the order of the library.
    pub maps: Vec<MapRecord>,
    /// The vaults on the level, in order; subvaults follow their host.
    pub vaults: Vec<VaultRecord>,
    /// The features of its cells, sorted by name.
    pub features: Vec<FeatureRecord>,
    /// Features that players look for, with their cells: stairs, altars, entrances, shops, runed
    /// doors.
    pub sights: Vec<Sight>,
    /// The monsters, by cell.
    pub monsters: Vec<MonsterRecord>,
    /// The items on the floor, by cell.
    pub items: Vec<ItemRecord>,
    /// The number of zones.
    pub zones: u32,
    /// The shape of its open part.
    pub shape: LevelShape,
    /// The number of 32-bit draws from the stream of its branch, over all attempts.
    pub draws: u64,
    /// The size of the level.
    pub size: LevelSize,
    /// Which cells belong to vaults: a bit for each cell, row by row, the lowest bit first.
    pub vault_cells: Vec<u8>,
    /// The level itself, recorded for pictures of the first games.
    pub level: Option<Level>,
}

/// The reason why an attempt at a level was discarded.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct VetoRecord {
    /// The kind of reason.
    pub kind: String,
    /// The reason, with names of maps and numbers.
    pub reason: String,
}

impl From<&Veto> for VetoRecord {
    fn from(veto: &Veto) -> VetoRecord {
        VetoRecord { kind: veto.kind().to_owned(), reason: veto.to_string() }
    }
}

/// A Lua error of a map.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct MapError {
    /// The map.
    pub map: String,
    /// `file:line: message`.
    pub message: String,
}

/// What happened to a map while a level was built (spec 08 §6.1).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MapRecord {
    /// The map.
    pub map: String,
    /// The number of times it was to be resolved.
    pub tries: u32,
    /// The number of times it was placed, including discarded attempts.
    pub uses: u32,
}

/// A vault on a level.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct VaultRecord {
    /// The map.
    pub map: String,
    /// The map that contains it as a subvault; empty for none.
    pub host: String,
    /// The column of its top left cell on the level.
    pub x: i32,
    /// The row of its top left cell on the level.
    pub y: i32,
    /// The width in cells.
    pub width: i32,
    /// The height in cells.
    pub height: i32,
    /// The orientation; empty for none.
    pub orient: String,
    /// Its turns, in order, separated by blanks: `mirror_x`, `mirror_y`, `clockwise`,
    /// `anticlockwise`.
    pub turns: String,
    /// The sum of its quarter turns in degrees, clockwise: 0, 90, 180, 270.
    pub rotation: i32,
    /// Whether it is a layout, which other vaults may overwrite.
    pub layout: bool,
}

/// The count of a feature on a level.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FeatureRecord {
    /// The feature.
    pub feature: String,
    /// The number of cells.
    pub count: u32,
    /// The number of these cells in vaults.
    pub in_vaults: u32,
}

/// A feature that players look for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sight {
    /// The feature.
    pub feature: String,
    /// Column.
    pub x: i32,
    /// Row.
    pub y: i32,
}

/// A monster.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MonsterRecord {
    /// The kind; empty if it is drawn when the monster itself is created.
    pub kind: String,
    /// For undead, what it was in life; empty for others.
    pub base: String,
    /// The spec it comes from; empty for a random monster of the level.
    pub spec: String,
    /// The name given to it; empty for none.
    pub name: String,
    /// The map that placed it, with the subvaults of the cell; empty for none.
    pub origin: String,
    /// Column.
    pub x: i32,
    /// Row.
    pub y: i32,
    /// Whether it is awake when the player arrives.
    pub awake: bool,
    /// Its hit dice; 0 if unknown.
    pub hit_dice: i32,
    /// Its average hit points in tenths; 0 if unknown.
    pub hit_points: i32,
}

impl MonsterRecord {
    /// Returns its kind, for undead with what it was in life: `orc zombie`, `spectral orc`.
    #[must_use]
    pub(crate) fn full_kind(&self) -> String {
        match (self.base.as_str(), self.kind.as_str()) {
            ("", kind) => kind.to_owned(),
            (base, "spectral thing") => format!("spectral {base}"),
            (base, kind) => format!("{base} {kind}"),
        }
    }
}

/// An item on the floor.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ItemRecord {
    /// The spec that requests it: as written, `any` for a random item of the level, or a map glyph.
    pub spec: String,
    /// Column.
    pub x: i32,
    /// Row.
    pub y: i32,
    /// Whether it is on a cell of a vault.
    pub in_vault: bool,
}

/// A crash or timeout of a worker, and the map that was left out of the game because of it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Casualty {
    /// The seed of the game.
    pub seed: u64,
    /// The level.
    pub place: String,
    /// The map; empty if the level itself had to be left out.
    pub map: String,
    /// How the worker ended: `no answer for 30 s`, `signal 11`.
    pub end: String,
}

/// The times taken. They are stored separately, since everything else is the same in every run.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct GameTimes {
    /// The seed of the game.
    pub seed: u64,
    /// For each level, the wall-clock time in microseconds.
    pub levels: Vec<(String, u64)>,
    /// For each map, how often it was resolved, and the total wall-clock time in microseconds.
    pub maps: Vec<(String, u32, u64)>,
}

/// How many times each alternative of a statement was picked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PickRecord {
    /// The map.
    pub map: String,
    /// The statement as a Lua function.
    pub function: String,
    /// Its argument.
    pub argument: String,
    /// The part of the statement, from 0.
    pub part: usize,
    /// The weights of the alternatives.
    pub weights: Vec<i32>,
    /// The number of times each was picked.
    pub counts: Vec<u64>,
}

impl LevelRecord {
    /// Returns the vaults that are neither layouts nor subvaults.
    pub fn own_vaults(&self) -> impl Iterator<Item = &VaultRecord> {
        self.vaults.iter().filter(|vault| vault.host.is_empty() && !vault.layout)
    }

    /// Returns whether a cell belongs to a vault.
    pub fn in_vault(&self, x: i32, y: i32) -> bool {
        cell_index(self.size, x, y).is_some_and(|index| {
            self.vault_cells.get(index / 8).is_some_and(|byte| byte & (1 << (index % 8)) != 0)
        })
    }
}

/// Returns the index of a cell in row-by-row lists; `None` outside the level.
pub(crate) fn cell_index(size: LevelSize, x: i32, y: i32) -> Option<usize> {
    Point::new(x, y).is_within(size, 0).then(|| (y * size.width() + x) as usize)
}
