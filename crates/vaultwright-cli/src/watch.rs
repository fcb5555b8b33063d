//! Doing something again after every save.

use std::path::{Path, PathBuf};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use notify::{EventKind, RecursiveMode, Watcher};

use crate::{Failure, Outcome};

/// How long to wait for further events of one save.
const SETTLE: Duration = Duration::from_millis(15);

/// Runs `action` now and after every change below the paths, and of the files beside them, until
/// interrupted. Errors of the action are shown and do not end the watch.
pub fn repeat(
    paths: &[PathBuf],
    beside: &[PathBuf],
    mut action: impl FnMut() -> Result<(), Failure>,
) -> Result<Outcome, Failure> {
    let (sender, receiver) = channel();
    let mut watcher = notify::recommended_watcher(move |event: notify::Result<notify::Event>| {
        // The receiver lives as long as this function.
        let _ = sender.send(event);
    })?;
    // What is watched with all below it comes last: it holds of a folder that is watched twice.
    for (path, mode) in beside
        .iter()
        .map(|path| (path, RecursiveMode::NonRecursive))
        .chain(paths.iter().map(|path| (path, RecursiveMode::Recursive)))
    {
        // Editors replace files: what is watched is the folder.
        let folder = match path.parent() {
            _ if path.is_dir() => path.clone(),
            Some(parent) if !parent.as_os_str().is_empty() => parent.to_owned(),
            _ => PathBuf::from("."),
        };
        watcher.watch(&folder, mode)?;
    }
    loop {
        if let Err(error) = action() {
            eprintln!("error: {error}");
        }
        eprintln!("watching for changes");
        loop {
            let event = receiver.recv()??;
            let changed = matches!(
                event.kind,
                EventKind::Create(_) | EventKind::Modify(_) | EventKind::Remove(_)
            );
            let named = event.paths.iter().any(|changed| {
                let mut named = paths.iter().chain(beside);
                is_input(changed) || named.any(|path| same_name(path, changed))
            });
            if changed && named {
                break;
            }
        }
        while !matches!(receiver.recv_timeout(SETTLE), Err(RecvTimeoutError::Timeout)) {}
    }
}

/// Returns whether a file is of a pack or a tree, by its name and its folders. What the program
/// writes itself, such as pictures, must not be.
fn is_input(path: &Path) -> bool {
    let is_below = |folders: &[&str]| {
        path.ancestors()
            .skip(1)
            .filter_map(Path::file_name)
            .any(|folder| folders.iter().any(|known| folder == *known))
    };
    match path.extension().and_then(|ending| ending.to_str()) {
        Some("des" | "lua") => true,
        Some("json") => path.ends_with("pack.json") || is_below(&["tables"]),
        Some("yaml") => is_below(&["mons", "species", "jobs"]),
        Some("txt") => is_below(&["database"]),
        _ => false,
    }
}

fn same_name(path: &Path, changed: &Path) -> bool {
    path.file_name().is_some() && path.file_name() == changed.file_name()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_pack_is_read_from_counts() {
        for file in [
            "p/des/a.des",
            "p/dlua/x.lua",
            "p/pack.json",
            "p/tables/monsters.json",
            "dat/mons/rat.yaml",
            "dat/database/monspeak.txt",
        ] {
            assert!(is_input(Path::new(file)), "{file}");
        }
        for file in ["p/out.json", "p/notes.txt", "p/.a.des.swp", "p/a.png", "ci.yaml"] {
            assert!(!is_input(Path::new(file)), "{file}");
        }
    }
}
