//! `vaultwright worker`: builds levels for a campaign; started by it, not by people.

use std::sync::mpsc::channel;

use vaultwright::stats::{Logbook, Manifest, Surveyor, read_frame, work};

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
    std::thread::spawn(move || {
        while let Ok(Some(task)) = read_frame(&mut std::io::stdin()) {
            if sender.send(task).is_err() {
                return;
            }
        }
        if let Some(folder) = left_behind {
            // Another worker may be at it, too.
            let _ = std::fs::remove_dir_all(folder);
        }
        std::process::exit(0);
    });
    let manifest = Manifest::read(&options.folder)?.ok_or("the folder holds no campaign")?;
    let logbook = Logbook::create(&options.logbook)?;
    let mut engine = left_out::pack_quietly(common, &manifest.unread)?;
    let surveyor = Surveyor::new(&manifest.plan, &engine)?;
    let mut out = std::io::stdout().lock();
    work(&mut engine, &surveyor, &tasks, (&options.folder, &manifest), &logbook, &mut out)?;
    Ok(Outcome::Clean)
}
