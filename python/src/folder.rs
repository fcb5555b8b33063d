//! The folder of a campaign: its plan, and the rows of its shards.

use std::ffi::CString;
use std::path::{Path, PathBuf};

use pyo3::exceptions::PyRuntimeWarning;
use pyo3::prelude::*;
use serde_json::json;
use vaultwright::stats::{
    Manifest, Observations, ShardState, TABLES, read_shard, read_times, shard_columns, shard_state,
};

use crate::arrow::ArrowBatch;
use crate::errors::error;

/// The folder of a campaign.
#[pyclass(frozen)]
pub struct RawFolder {
    folder: PathBuf,
    manifest: Manifest,
}

#[pymethods]
impl RawFolder {
    /// Opens the campaign in a folder; `None` if there is none yet.
    #[staticmethod]
    fn open(py: Python<'_>, folder: PathBuf) -> PyResult<Option<RawFolder>> {
        let read = py.detach(|| Manifest::read(&folder));
        let manifest = read.map_err(|wrong| error(py, "CampaignError", &wrong.to_string()))?;
        Ok(manifest.map(|manifest| RawFolder { folder, manifest }))
    }

    /// Returns the manifest as JSON.
    fn manifest(&self) -> String {
        serde_json::to_string(&self.manifest).unwrap_or_default()
    }

    /// Returns the numbers of the shards that the folder should contain, in order, with the number
    /// of games in each.
    fn shards(&self) -> Vec<(u64, usize)> {
        let games = |shard| self.manifest.seeds(shard).count();
        self.manifest.own_shards().map(|shard| (shard, games(shard))).collect()
    }

    /// Returns the number of shards of the whole campaign; a part may have fewer.
    fn all_shards(&self) -> u64 {
        self.manifest.shards()
    }

    /// Returns whether a complete shard is in the folder.
    fn has(&self, py: Python<'_>, shard: u64) -> bool {
        py.detach(|| shard_state(&self.folder, &self.manifest, shard) == ShardState::Whole)
    }

    /// Returns the rows that a shard has of some tables; none if it is missing or damaged. Warns of
    /// times that are, which leave their tables empty.
    fn batches(
        &self,
        py: Python<'_>,
        shard: u64,
        tables: Vec<String>,
    ) -> PyResult<Option<Vec<Option<ArrowBatch>>>> {
        let mut lost = None;
        let batches = py.detach(|| {
            let records = read_shard(&self.folder, &self.manifest, shard)?;
            let times = match tables.iter().any(|table| table.ends_with("_times")) {
                true => read_times(&self.folder, &self.manifest, shard).unwrap_or_else(|error| {
                    lost = Some(error.to_string());
                    Vec::new()
                }),
                false => Vec::new(),
            };
            let batch = |table: &String| {
                let (name, kinds) = TABLES.iter().find(|(name, _)| name == table)?;
                let (rows, columns) = shard_columns(name, &records, &times)?;
                Some(ArrowBatch::new(kinds, columns, rows))
            };
            Some(tables.iter().map(batch).collect())
        });
        if let Some(message) = lost.and_then(|lost| CString::new(lost).ok()) {
            PyErr::warn(py, &py.get_type::<PyRuntimeWarning>(), &message, 2)?;
        }
        Ok(batches)
    }

    /// Returns the names of the tables.
    #[staticmethod]
    fn tables() -> Vec<&'static str> {
        TABLES.iter().map(|(name, _)| *name).collect()
    }
}

/// Returns the differences between the campaigns in two folders, as JSON.
#[pyfunction]
pub fn compare(py: Python<'_>, old: PathBuf, new: PathBuf) -> PyResult<String> {
    let compared = py.detach(|| {
        let (before, now) = (observations(&old)?, observations(&new)?);
        let differences = vaultwright::stats::compare(&before, &now);
        let told: Vec<_> = differences
            .iter()
            .map(|d| {
                json!({
                    "subject": d.subject.describe(), "name": d.name, "old": d.old, "new": d.new, "test": d.test,
                    "p": d.p, "q": d.q, "effect": d.effect, "real": d.is_real(),
                })
            })
            .collect();
        Ok(json!(told).to_string())
    });
    compared.map_err(|message: String| error(py, "CampaignError", &message))
}

fn observations(folder: &Path) -> Result<Observations, String> {
    let manifest = Manifest::read(folder).map_err(|error| error.to_string())?;
    let manifest = manifest.ok_or_else(|| format!("{} holds no campaign", folder.display()))?;
    let mut observations = Observations::default();
    for number in manifest.own_shards() {
        let shard = read_shard(folder, &manifest, number).ok_or_else(|| {
            format!("shard {number} of {} is missing or damaged", folder.display())
        })?;
        observations.add(&shard);
    }
    Ok(observations)
}
