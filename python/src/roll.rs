//! A rolled map.

use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::PyBytes;
use vaultwright::Resolved;
use vaultwright::content::Content;
use vaultwright::map::MapDef;
use vaultwright::render::{Picture, map_to_json, to_ansi, to_png_of, to_svg, to_text};

/// A rolled map.
#[pyclass(frozen)]
pub struct RawRoll {
    map: MapDef,
    content: Arc<Content>,
    #[pyo3(get)]
    seed: u64,
    #[pyo3(get)]
    position: (i32, i32),
    #[pyo3(get)]
    tries: usize,
    #[pyo3(get)]
    draws: Vec<(usize, u64)>,
}

impl RawRoll {
    pub fn new(resolved: Resolved, content: Arc<Content>, seed: u64) -> RawRoll {
        let Resolved { map, position, draws, tries, .. } = resolved;
        RawRoll { map, content, seed, position: (position.x, position.y), tries, draws }
    }
}

#[pymethods]
impl RawRoll {
    /// Returns columns and rows.
    fn size(&self) -> (i32, i32) {
        (self.map.grid.width(), self.map.grid.height())
    }

    /// Returns the glyphs, row by row, one byte each.
    fn glyphs<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        let grid = &self.map.grid;
        let glyphs: Vec<u8> = grid.points().map(|p| grid.glyph(p)).collect();
        PyBytes::new(py, &glyphs)
    }

    /// Returns name, rows, tags, legend and markers as JSON.
    fn json(&self) -> String {
        map_to_json(&self.map, &self.content).to_string()
    }

    /// Returns a picture as `text`, `ansi`, `svg` or `png`.
    #[pyo3(signature = (format, cell=12))]
    fn draw<'py>(&self, py: Python<'py>, format: &str, cell: usize) -> Option<Bound<'py, PyBytes>> {
        let drawn = py.detach(|| drawn(&Picture::of(&self.map, &self.content), format, cell));
        drawn.map(|bytes| PyBytes::new(py, &bytes))
    }
}

/// Returns a picture in one of its formats; `None` if the format is unknown.
pub fn drawn(picture: &Picture, format: &str, cell: usize) -> Option<Vec<u8>> {
    Some(match format {
        "text" => to_text(picture).into_bytes(),
        "ansi" => {
            let rows = (0..picture.height).map(|row| to_ansi(picture, row) + "\n");
            rows.collect::<String>().into_bytes()
        }
        "svg" => to_svg(picture).into_bytes(),
        "png" => to_png_of(picture, cell.clamp(1, 64)),
        _ => return None,
    })
}
