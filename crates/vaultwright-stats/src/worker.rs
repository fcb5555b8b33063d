//! The side of a campaign that builds levels: a process of its own, so that a vault that crashes or
//! hangs takes nothing else down.

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

/// A shard to make.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Task {
    /// Its number.
    pub shard: u64,
    /// Its games: the seed, and what to leave out.
    pub games: Vec<(u64, LeftOut)>,
}

/// An answer of a worker.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Answer {
    /// It has read the pack and waits for tasks.
    Ready,
    /// A game is finished.
    Game {
        /// How many of its levels were built.
        built: u64,
        /// How many could not be built.
        failed: u64,
        /// How many errors Lua had.
        errors: u64,
    },
    /// A shard lies in the folder.
    Shard,
    /// A shard could not be written, for this reason.
    NotWritten(String),
}

/// Makes shard after shard, until no more tasks come.
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
