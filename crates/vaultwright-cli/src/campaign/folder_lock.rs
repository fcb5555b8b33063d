//! Who works in the folder of a campaign: only one program at a time.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Write};
use std::path::Path;

use crate::{Failure, IoFailure};

/// The file that is locked. It stays, empty: who removed it could remove the lock of somebody else.
pub const NAME: &str = "campaign.lock";

/// How much of the file is read to say who holds it.
const MAX_HOLDER_BYTES: u64 = 100;

/// Keeps others out of a folder as long as it lives. The system lets go of it however the program
/// ends; `None` where it knows no locks.
pub struct FolderLock(Option<File>);

impl FolderLock {
    /// Locks a folder.
    ///
    /// # Errors
    ///
    /// If somebody else works there, or nothing can be written there.
    pub fn take(folder: &Path) -> Result<FolderLock, Failure> {
        let path = folder.join(NAME);
        let opened =
            OpenOptions::new().read(true).write(true).create(true).truncate(false).open(&path);
        let mut file = opened.map_err(IoFailure::of("write", &path))?;
        match file.try_lock() {
            Ok(()) => {
                // Without it others are told less.
                let _ =
                    file.set_len(0).and_then(|()| write!(file, "process {}", std::process::id()));
                Ok(FolderLock(Some(file)))
            }
            Err(TryLockError::WouldBlock) => {
                let mut holder = String::new();
                let told = file.take(MAX_HOLDER_BYTES).read_to_string(&mut holder).is_ok();
                let holder = match told && !holder.is_empty() {
                    true => format!(" ({holder})"),
                    false => String::new(),
                };
                let folder = folder.display();
                Err(format!(
                    "another campaign is at work in {folder}{holder}: wait until it has ended, or name another folder"
                )
                .into())
            }
            Err(TryLockError::Error(_)) => Ok(FolderLock(None)),
        }
    }
}

impl Drop for FolderLock {
    fn drop(&mut self) {
        if let Some(file) = &self.0 {
            let _ = file.set_len(0);
        }
    }
}
