//! What a campaign leaves in its folder.

use std::path::Path;

use vaultwright::stats::record::GameRecord;
use vaultwright::stats::{Summary, TableWriter, campaign_report, read_shard, read_times};

use super::Surveyed;
use crate::{Failure, output};

/// Writes the tables, the report and the log.
pub fn write_results(
    surveyed: &Surveyed,
    folder: &Path,
    summary: &Summary,
    log: &str,
) -> Result<(), Failure> {
    output::write(Some(&folder.join("mapstat.log")), log.as_bytes())?;
    let mut tables = TableWriter::create(&folder.join("tables"), &surveyed.manifest)?;
    let mut pictured = None;
    let has_pictures = |game: &GameRecord| game.levels.iter().any(|level| level.level.is_some());
    for number in surveyed.manifest.own_shards() {
        let Some(shard) = read_shard(folder, &surveyed.manifest, number) else { continue };
        // `Surveyed::summary` has told of those that are missing.
        tables.add(&shard, &read_times(folder, &surveyed.manifest, number).unwrap_or_default())?;
        if pictured.is_none() {
            pictured = shard.games.into_iter().find(has_pictures);
        }
    }
    tables.finish(summary)?;
    let report = campaign_report(
        summary,
        &surveyed.manifest,
        &surveyed.engine,
        &surveyed.pack_options,
        pictured.as_ref(),
        surveyed.tiles.as_ref(),
    );
    output::write(Some(&folder.join("report.html")), report.as_bytes())
}
