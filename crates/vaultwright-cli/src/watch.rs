//! Doing something again after every save.

use std::path::PathBuf;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use notify::{EventKind, RecursiveMode, Watcher};

use crate::{Failure, Outcome};

/// How long to wait for further events of one save.
const SETTLE: Duration = Duration::from_millis(15);

/// Runs `action` now and after every change below the paths, until interrupted. Errors of the
/// action are shown and do not end the watch.
pub fn repeat(
    paths: &[PathBuf],
    mut action: impl FnMut() -> Result<(), Failure>,
) -> Result<Outcome, Failure> {
    let (sender, receiver) = channel();
    let mut watcher = notify::recommended_watcher(move |event: notify::Result<notify::Event>| {
        // The receiver lives as long as this function.
        let _ = sender.send(event);
    })?;
    for path in paths {
        // Editors replace files: what is watched is the folder.
        let folder = match path.parent() {
            _ if path.is_dir() => path.clone(),
            Some(parent) if !parent.as_os_str().is_empty() => parent.to_owned(),
            _ => PathBuf::from("."),
        };
        watcher.watch(&folder, RecursiveMode::Recursive)?;
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
                let source = changed.extension().is_some_and(|e| e == "des" || e == "lua");
                source || paths.iter().any(|path| same_name(path, changed))
            });
            if changed && named {
                break;
            }
        }
        while !matches!(receiver.recv_timeout(SETTLE), Err(RecvTimeoutError::Timeout)) {}
    }
}

fn same_name(path: &std::path::Path, changed: &std::path::Path) -> bool {
    path.file_name().is_some() && path.file_name() == changed.file_name()
}
