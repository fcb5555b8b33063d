//! What a campaign keeps of every level. Names are written out, so that records of different packs
//! can be compared.

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
    /// Its levels in the order in which they were built.
    pub levels: Vec<LevelRecord>,
    /// What had to be left out because it brought a worker down.
    pub casualties: Vec<Casualty>,
}

/// One level.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct LevelRecord {
    /// Its name: `D:3`, `Temple`.
    pub place: String,
    /// The abbreviation of its branch.
    pub branch: String,
    /// Its depth in the branch, from 1.
    pub depth: i32,
    /// Whether an attempt succeeded. If none did, only vetoes, errors and maps say anything.
    pub built: bool,
    /// How many attempts were made.
    pub attempts: u32,
    /// Why attempts were thrown away, in order.
    pub vetoes: Vec<VetoRecord>,
    /// Vetoes of maps that a script tried to place, and went on without.
    pub swallowed_vetoes: Vec<VetoRecord>,
    /// Lua errors.
    pub errors: Vec<MapError>,
    /// Maps that used up the instructions or the memory that their Lua may use.
    pub struck: Vec<String>,
    /// The maps that were tried, sorted by their place in the library.
    pub maps: Vec<MapRecord>,
    /// The vaults that stand on the level, in order; subvaults behind their host.
    pub vaults: Vec<VaultRecord>,
    /// The features of its cells, sorted by name.
    pub features: Vec<FeatureRecord>,
    /// Features that players look for, with their cells: stairs, altars, entrances, shops, runed
    /// doors.
    pub sights: Vec<Sight>,
    /// The monsters, by cell.
    pub monsters: Vec<MonsterRecord>,
    /// The items lying about, by cell.
    pub items: Vec<ItemRecord>,
    /// Connected parts.
    pub zones: u32,
    /// How its open part is shaped.
    pub shape: LevelShape,
    /// 32-bit draws from the stream of its branch, all attempts together.
    pub draws: u64,
    /// How large it is.
    pub size: LevelSize,
    /// Which cells belong to vaults: a bit for each cell, row by row, the lowest bit first.
    pub vault_cells: Vec<u8>,
    /// The level itself, kept for pictures of the first games.
    pub level: Option<Level>,
}

/// Why an attempt at a level was thrown away.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct VetoRecord {
    /// What kind of reason it is.
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

/// The record of a map while a level was built (spec 08 §6.1).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MapRecord {
    /// The map.
    pub map: String,
    /// How often it was to be resolved.
    pub tries: u32,
    /// How often it was placed, attempts thrown away included.
    pub uses: u32,
}

/// A vault on a level.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct VaultRecord {
    /// The map.
    pub map: String,
    /// The map it is a subvault of, empty for none.
    pub host: String,
    /// Column and row of its top left cell on the level.
    pub x: i32,
    /// Row.
    pub y: i32,
    /// In cells.
    pub width: i32,
    /// In cells.
    pub height: i32,
    /// Its orientation, empty for none.
    pub orient: String,
    /// The turns it has made, in order, with blanks between: `mirror_x`, `mirror_y`, `clockwise`,
    /// `anticlockwise`.
    pub turns: String,
    /// The sum of the quarter turns in degrees, clockwise: 0, 90, 180, 270.
    pub rotation: i32,
    /// Whether it is a layout, which other vaults may overwrite.
    pub layout: bool,
}

/// The count of a feature on a level.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FeatureRecord {
    /// The feature.
    pub feature: String,
    /// Cells.
    pub count: u32,
    /// Those of them that belong to vaults.
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
    /// Its kind, empty if that is drawn when the creature itself is made.
    pub kind: String,
    /// What one of the dead was in life; empty for the living.
    pub base: String,
    /// The spec it comes from, empty for a random monster of the level.
    pub spec: String,
    /// The name given to it, empty for none.
    pub name: String,
    /// The map that placed it, with the subvaults of the cell; empty for none.
    pub origin: String,
    /// Column.
    pub x: i32,
    /// Row.
    pub y: i32,
    /// Awake when the player comes.
    pub awake: bool,
    /// Its hit dice, 0 if nobody knows.
    pub hit_dice: i32,
    /// Its hit points on average, in tenths; 0 if nobody knows.
    pub hit_points: i32,
}

impl MonsterRecord {
    /// Returns what it is, for the dead with what they were: `orc zombie`, `spectral orc`.
    #[must_use]
    pub fn full_kind(&self) -> String {
        match (self.base.as_str(), self.kind.as_str()) {
            ("", kind) => kind.to_owned(),
            (base, "spectral thing") => format!("spectral {base}"),
            (base, kind) => format!("{base} {kind}"),
        }
    }
}

/// An item lying about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ItemRecord {
    /// The spec that asks for it: as written, `any` for a random item of the level, or the glyph of
    /// a map.
    pub spec: String,
    /// Column.
    pub x: i32,
    /// Row.
    pub y: i32,
    /// On a cell of a vault.
    pub in_vault: bool,
}

/// A crash or timeout of a worker, and the map that was left out of a game for it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Casualty {
    /// The seed of the game.
    pub seed: u64,
    /// The level.
    pub place: String,
    /// The map, empty if the level itself had to be left out.
    pub map: String,
    /// How the worker ended: `no answer for 30 s`, `signal 11`.
    pub end: String,
}

/// How long things took. It is kept apart: all else is the same in every run.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct GameTimes {
    /// The seed of the game.
    pub seed: u64,
    /// The level, and microseconds of real time.
    pub levels: Vec<(String, u64)>,
    /// The map, how often it was resolved, and microseconds of real time for all of that.
    pub maps: Vec<(String, u32, u64)>,
}

/// The number of times that each alternative of a statement was picked.
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
    /// How often each was picked.
    pub counts: Vec<u64>,
}

impl LevelRecord {
    /// Returns the vaults that are no layouts and no subvaults.
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

/// Returns the place of a cell in lists that go row by row; `None` outside the level.
pub(crate) fn cell_index(size: LevelSize, x: i32, y: i32) -> Option<usize> {
    Point::new(x, y).is_within(size, 0).then(|| (y * size.width() + x) as usize)
}
