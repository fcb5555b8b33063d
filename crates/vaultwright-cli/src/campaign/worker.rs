//! `vaultwright worker`: builds levels for a campaign; started by it, not by people.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use vaultwright::stats::{Logbook, Manifest, Surveyor, Task, read_frame, work};

use super::left_out;
use crate::arguments::{Common, WorkerOptions};
use crate::{Failure, Outcome};

pub fn run(common: &Common, options: &WorkerOptions) -> Result<Outcome, Failure> {
    // Ctrl-C is for the campaign, which says when to stop.
    ctrlc::set_handler(|| {})?;
    let (sender, tasks) = channel();
    // A campaign that is killed closes the pipe: nobody waits for this worker any more, whatever it
    // is at.
    let left_behind = options.temporary.then(|| options.folder.clone());
    let is_clearing = Arc::new(AtomicBool::new(false));
    let clears = Arc::clone(&is_clearing);
    let reader = std::thread::spawn(move || {
        while let Ok(Some(task)) = read_frame(&mut std::io::stdin()) {
            if sender.send(task).is_err() {
                return;
            }
        }
        if let Some(folder) = left_behind {
            clears.store(true, Ordering::SeqCst);
            clear(&folder);
        }
        std::process::exit(0);
    });
    let worked = build(common, options, &tasks);
    // The work fails where the campaign or its folder goes, perhaps before the reader has seen it:
    // the program ends when the folder is gone, not before.
    if worked.is_err() && options.temporary {
        std::thread::sleep(Duration::from_millis(100));
    }
    if is_clearing.load(Ordering::SeqCst) {
        let _ = reader.join();
    }
    worked
}

/// Removes a folder in which this worker, or another, still writes.
fn clear(folder: &Path) {
    for _ in 0..200 {
        let _ = std::fs::remove_dir_all(folder);
        if !folder.exists() {
            return;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
}

fn build(
    common: &Common,
    options: &WorkerOptions,
    tasks: &Receiver<Task>,
) -> Result<Outcome, Failure> {
    let manifest = Manifest::read(&options.folder)?.ok_or("the folder holds no campaign")?;
    let logbook = Logbook::create(&options.logbook)?;
    let mut engine = left_out::pack_quietly(common, &manifest.unread)?;
    let surveyor = Surveyor::new(&manifest.plan, &engine)?;
    let mut out = std::io::stdout().lock();
    work(&mut engine, &surveyor, tasks, (&options.folder, &manifest), &logbook, &mut out)?;
    Ok(Outcome::Clean)
}
