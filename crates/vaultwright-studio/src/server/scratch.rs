//! Folders for the time being. All of a studio lie in one that it holds locked as long as it lives:
//! by this the next studio knows what a killed one has left behind, and removes it.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use tempfile::TempDir;

/// How the names of all studios' folders begin.
const PREFIX: &str = "vaultwright-studio-";
const LOCK: &str = "lock";

/// The folder of this studio, made when it is first needed.
#[derive(Default)]
pub struct Scratch(Mutex<Option<Own>>);

/// What is locked is let go before it is removed: some systems remove nothing that is open.
struct Own {
    _lock: File,
    folder: TempDir,
}

impl Scratch {
    /// Makes a folder that nobody else can read, and that goes when it is dropped.
    ///
    /// # Errors
    ///
    /// If the folder for temporary files cannot be written to.
    pub fn folder(&self) -> io::Result<TempDir> {
        let mut own = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let own = match &mut *own {
            Some(own) => own,
            none => none.insert(Own::within(&std::env::temp_dir())?),
        };
        tempfile::tempdir_in(own.folder.path())
    }

    /// Removes the folder with all that is in it.
    pub fn end(&self) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take();
    }
}

/// Removes what studios have left there that are no more. What cannot be removed stays.
pub fn remove_left_behind(within: &Path) {
    for entry in fs::read_dir(within).into_iter().flatten().flatten() {
        let is_ours = entry.file_name().to_string_lossy().starts_with(PREFIX);
        if is_ours && entry.file_type().is_ok_and(|kind| kind.is_dir()) && is_dead(&entry.path()) {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

/// Returns whether the studio whose folder this is has ended. A folder without a lock has just been
/// made, or is somebody else's.
fn is_dead(folder: &Path) -> bool {
    let path = folder.join(LOCK);
    let is_file = fs::symlink_metadata(&path).is_ok_and(|what| what.is_file());
    let lock = is_file.then(|| OpenOptions::new().write(true).open(&path).ok()).flatten();
    lock.is_some_and(|lock| lock.try_lock().is_ok())
}

impl Own {
    fn within(parent: &Path) -> io::Result<Own> {
        let mut builder = tempfile::Builder::new();
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o700));
        let folder = builder.prefix(PREFIX).tempdir_in(parent)?;
        // It has its name once it is locked: nobody finds it in between.
        let unnamed = folder.path().join("lock.new");
        let lock = File::create(&unnamed)?;
        lock.try_lock()?;
        fs::rename(&unnamed, folder.path().join(LOCK))?;
        Ok(Own { _lock: lock, folder })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_dead_studios_left_is_removed() {
        let within = tempfile::tempdir().expect("a folder");
        let alive = Own::within(within.path()).expect("a folder");
        let dead = Own::within(within.path()).expect("a folder");
        fs::write(dead.folder.path().join("report.html"), "x").expect("a file");
        let Own { _lock: lock, folder } = dead;
        // A killed process has let go of its lock, and has removed nothing.
        drop(lock);
        let left = folder.keep();
        let new = within.path().join("vaultwright-studio-new");
        let other = within.path().join("other");
        for folder in [&new, &other] {
            fs::create_dir(folder).expect("a folder");
        }
        fs::write(other.join(LOCK), "").expect("a file");
        remove_left_behind(within.path());
        assert!(!left.exists());
        assert!([alive.folder.path(), &new, &other].iter().all(|folder| folder.exists()));
    }

    #[test]
    fn folders_go_with_the_studio() {
        let scratch = Scratch::default();
        let inner = scratch.folder().expect("a folder").keep();
        let own = inner.parent().expect("the studio's").to_owned();
        assert!(inner.is_dir() && own.join(LOCK).is_file());
        scratch.end();
        assert!(!own.exists());
    }
}
