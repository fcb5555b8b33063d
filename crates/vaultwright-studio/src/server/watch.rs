//! Changes on the disk, whoever makes them.

use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use notify::{EventKind, RecommendedWatcher, RecursiveMode, Watcher};
use serde_json::json;
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

use super::app::App;
use super::folder::revision;
use super::limits::MAX_TEXT;
use super::settings::StudioError;

/// How long to wait for further events of one save.
const SETTLE: Duration = Duration::from_millis(20);

/// Watches the folder and the data; pages and workers are told. It ends when it is dropped.
pub fn start(app: &Arc<App>) -> Result<RecommendedWatcher, StudioError> {
    let (sender, changes) = unbounded_channel();
    let mut watcher = notify::recommended_watcher(move |event: notify::Result<notify::Event>| {
        let Ok(event) = event else { return };
        let counts = matches!(
            event.kind,
            EventKind::Create(_) | EventKind::Modify(_) | EventKind::Remove(_)
        );
        if counts {
            // The receiver lives as long as the server.
            event.paths.into_iter().for_each(|path| drop(sender.send(path)));
        }
    })?;
    watcher.watch(app.folder.root(), RecursiveMode::Recursive)?;
    for other in &app.settings.watched {
        // What cannot be watched has to be followed by hand.
        let _ = watcher.watch(other, RecursiveMode::Recursive);
    }
    tokio::spawn(follow(Arc::clone(app), changes));
    Ok(watcher)
}

async fn follow(app: Arc<App>, mut changes: UnboundedReceiver<PathBuf>) {
    let mut told: HashMap<PathBuf, Option<String>> = HashMap::new();
    while let Some(first) = changes.recv().await {
        let mut paths = BTreeSet::from([first]);
        while let Ok(Some(path)) = tokio::time::timeout(SETTLE, changes.recv()).await {
            paths.insert(path);
        }
        for path in paths.into_iter().filter(|path| has_ending(path, &["des", "lua", "json"])) {
            tell(&app, path, &mut told);
        }
    }
}

fn tell(app: &App, path: PathBuf, told: &mut HashMap<PathBuf, Option<String>>) {
    let now = vaultwright_files::read_within(&path, MAX_TEXT).ok().map(|bytes| revision(&bytes));
    if told.get(&path) == Some(&now) {
        return;
    }
    told.insert(path.clone(), now.clone());
    match has_ending(&path, &["des"]) {
        true => app.pool.note_changed(&path),
        // What all maps stand on has changed.
        false => app.pool.renew(),
    }
    let Some(name) = app.folder.name_of(&path) else {
        app.events.tell(&json!({ "kind": "data" }));
        return;
    };
    app.events.tell(&match now {
        Some(revision) => json!({ "kind": "changed", "path": name, "revision": revision }),
        None => json!({ "kind": "removed", "path": name }),
    });
}

fn has_ending(path: &Path, endings: &[&str]) -> bool {
    path.extension().is_some_and(|own| endings.iter().any(|ending| own == *ending))
}
