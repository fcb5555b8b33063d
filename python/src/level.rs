//! A finished level: its cells as bytes in rows, and the rest as JSON and pictures, created on
//! request.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use pyo3::prelude::*;
use pyo3::types::PyBytes;
use vaultwright::content::Content;
use vaultwright::level::{Level, passable_zones};
use vaultwright::map::LevelPlace;
use vaultwright::render::{
    LevelJson, TiledMap, level_picture, mask_names, property_names, tileset_png, to_ldtk, to_tmj,
    to_tmx,
};
use vaultwright::{BuiltLevel, Veto};

use crate::roll::drawn;

/// A finished level.
#[pyclass(frozen)]
pub struct RawLevel {
    level: Mutex<Box<Level>>,
    content: Arc<Content>,
    /// The name: `D:3`.
    #[pyo3(get)]
    place: String,
    #[pyo3(get)]
    seed: u64,
    /// Why attempts were discarded, in order.
    #[pyo3(get)]
    vetoes: Vec<String>,
    /// The number of 32-bit draws from each stream that was used.
    #[pyo3(get)]
    draws: Vec<(usize, u64)>,
    /// Whether the level contains only the map that `place` names.
    alone: bool,
}

impl RawLevel {
    pub fn new(built: BuiltLevel, content: Arc<Content>, place: LevelPlace, seed: u64) -> RawLevel {
        let BuiltLevel { level, draws, vetoes, .. } = built;
        let vetoes = vetoes.iter().map(Veto::to_string).collect();
        let place = place.name(content.branches());
        let level = Mutex::new(Box::new(level));
        RawLevel { level, content, place, seed, vetoes, draws, alone: false }
    }

    /// Creates a level with only one map.
    pub fn placed(level: Box<Level>, content: Arc<Content>, map: String, seed: u64) -> RawLevel {
        let (vetoes, draws) = (Vec::new(), Vec::new());
        let level = Mutex::new(level);
        RawLevel { level, content, place: map, seed, vetoes, draws, alone: true }
    }

    fn level(&self) -> MutexGuard<'_, Box<Level>> {
        // It is never changed, so it cannot be left half changed.
        self.level.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Returns the values of the cells, row by row, in native byte order.
fn bytes<'py, T: Copy, const N: usize>(
    py: Python<'py>,
    values: impl IntoIterator<Item = T>,
    bytes_of: fn(T) -> [u8; N],
) -> Bound<'py, PyBytes> {
    let all: Vec<u8> = values.into_iter().flat_map(bytes_of).collect();
    PyBytes::new(py, &all)
}

#[pymethods]
impl RawLevel {
    /// Returns rows and columns.
    fn shape(&self) -> (i32, i32) {
        let size = self.level().size();
        (size.height(), size.width())
    }

    /// Returns features by number, 16 bits each.
    fn features<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        bytes(py, self.level().features().iter().map(|id| id.0), u16::to_ne_bytes)
    }

    /// Returns indices of placements, 16 bits each.
    fn vault_ids<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        bytes(py, self.level().vault_ids().iter().copied(), u16::to_ne_bytes)
    }

    /// Returns mask bits, 64 bits each.
    fn masks<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        bytes(py, self.level().masks().iter().copied(), i64::to_ne_bytes)
    }

    /// Returns property bits, 64 bits each.
    fn properties<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        bytes(py, self.level().property_bits().iter().copied(), i64::to_ne_bytes)
    }

    /// Returns heights, 32 bits each.
    fn heights<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        let level = self.level();
        bytes(py, level.points().map(|p| level.height(p)), i32::to_ne_bytes)
    }

    /// Returns the number of zones of the level.
    fn zones(&self) -> usize {
        let level = self.level();
        passable_zones(&level, &self.content).count()
    }

    /// Returns the mask bits by name.
    fn mask_names(&self) -> BTreeMap<String, i64> {
        owned(mask_names(&self.content))
    }

    /// Returns the property bits by name.
    fn property_names(&self) -> BTreeMap<String, i64> {
        owned(property_names(&self.content))
    }

    /// Returns everything as JSON (docs/level.schema.json).
    fn json(&self, py: Python<'_>) -> String {
        py.detach(|| {
            let level = self.level();
            let json = LevelJson::of(&level, &self.content).with("seed", self.seed);
            match self.alone {
                true => json.to_string(),
                false => json.with("place", self.place.as_str()).to_string(),
            }
        })
    }

    /// Returns a picture as `text`, `ansi`, `svg` or `png`, or a file for other programs: `tmx`,
    /// `tmj`, or the image of their tiles (`tiles`).
    #[pyo3(signature = (format, cell=12, image=None))]
    fn draw<'py>(
        &self,
        py: Python<'py>,
        format: &str,
        cell: usize,
        image: Option<String>,
    ) -> Option<Bound<'py, PyBytes>> {
        let drawn = py.detach(|| match format {
            "tmx" | "tmj" | "tiles" => {
                let mut map = TiledMap::of(&self.level(), &self.content);
                map.properties.insert("place".to_owned(), self.place.as_str().into());
                map.properties.insert("seed".to_owned(), self.seed.into());
                map.image = image;
                Some(match format {
                    "tmx" => to_tmx(&map).into_bytes(),
                    "tmj" => format!("{}\n", to_tmj(&map)).into_bytes(),
                    _ => tileset_png(&map, None),
                })
            }
            _ => {
                let picture = level_picture(&self.level(), &self.content);
                drawn(&picture, format, cell)
            }
        });
        drawn.map(|bytes| PyBytes::new(py, &bytes))
    }

    /// Returns the files of LDtk's simple export, with names and contents.
    fn ldtk<'py>(&self, py: Python<'py>, name: &str) -> Vec<(String, Bound<'py, PyBytes>)> {
        let files = py.detach(|| to_ldtk(&self.level(), &self.content, name));
        files.into_iter().map(|(name, bytes)| (name, PyBytes::new(py, &bytes))).collect()
    }
}

fn owned(names: Vec<(&str, i64)>) -> BTreeMap<String, i64> {
    names.into_iter().map(|(name, bits)| (name.to_owned(), bits)).collect()
}
