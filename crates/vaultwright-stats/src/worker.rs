//! The side of a campaign that builds levels: a separate process, so that a vault that crashes or
//! hangs affects nothing else.

use std::io::{Result, Write};
use std::path::Path;
use std::sync::mpsc::Receiver;

use serde::{Deserialize, Serialize};
use vaultwright_engine::Engine;

use crate::frames::write_frame;
use crate::logbook::Logbook;
use crate::plan::Manifest;
use crate::shard::{Shard, write_shard};
use crate::survey::{LeftOut, Surveyor};

/// A shard to be made.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Task {
    /// The number of the shard.
    pub shard: u64,
    /// The seeds of its games, and what to leave out of each.
    pub games: Vec<(u64, LeftOut)>,
}

/// An answer of a worker.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Answer {
    /// The worker has read the pack and waits for tasks.
    Ready,
    /// A game is finished.
    Game {
        /// The number of its levels that were built.
        built: u64,
        /// The number of its levels that could not be built.
        failed: u64,
        /// The number of Lua errors.
        errors: u64,
    },
    /// A shard is written to the folder.
    Shard,
    /// A shard could not be written, for this reason.
    NotWritten(String),
}

/// Makes shards until there are no more tasks.
pub fn work(
    engine: &mut Engine,
    surveyor: &Surveyor,
    tasks: &Receiver<Task>,
    (folder, manifest): (&Path, &Manifest),
    logbook: &Logbook,
    out: &mut impl Write,
) -> Result<()> {
    write_frame(out, &Answer::Ready)?;
    while let Ok(task) = tasks.recv() {
        let (mut shard, mut times) = (Shard::default(), Vec::new());
        for (seed, left_out) in task.games {
            let surveyed = surveyor.survey(engine, seed, &left_out, logbook);
            let levels = &surveyed.game.levels;
            let built = levels.iter().filter(|level| level.built).count() as u64;
            let failed = levels.len() as u64 - built;
            let errors = levels.iter().map(|level| level.errors.len() as u64).sum();
            write_frame(out, &Answer::Game { built, failed, errors })?;
            shard.games.push(surveyed.game);
            shard.picks.extend(surveyed.picks);
            times.push(surveyed.times);
        }
        let answer = match write_shard(folder, manifest, task.shard, &shard, &times) {
            Ok(()) => Answer::Shard,
            Err(error) => Answer::NotWritten(error.to_string()),
        };
        write_frame(out, &answer)?;
    }
    Ok(())
}
