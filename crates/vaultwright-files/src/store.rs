//! A folder of things that can be made anew: found by key, bounded in size, never trusted.

use std::fs::{self, File};
use std::io::Result;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use crate::{read_within, write_renewable};

/// What an entry begins with.
const MARK: &[u8; 8] = b"vwstore1";
/// What the names of entries end with; nothing else in the folder is read or removed.
const ENDING: &str = "kept";
/// So large is the head of an entry: the mark and a checksum.
const HEAD: usize = MARK.len() + 4;

/// A folder in which things are kept that can be made anew.
///
/// Several programs may use it at once, and be killed at it: entries are written whole. One that is
/// damaged or foreign is as if it were not there. When the folder grows beyond its bound, those go
/// that were not used for longest.
#[derive(Clone, Debug)]
pub struct Store {
    folder: PathBuf,
    max_bytes: u64,
}

impl Store {
    /// Returns a store in a folder, which is made when something is first kept.
    pub fn new(folder: impl Into<PathBuf>, max_bytes: u64) -> Store {
        Store { folder: folder.into(), max_bytes }
    }

    /// Returns where it lies.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Returns what is kept under a key, if it is whole.
    pub fn get(&self, key: &[u8; 32]) -> Option<Vec<u8>> {
        let path = self.path(key);
        let mut bytes = read_within(&path, self.max_bytes).ok()?;
        let (mark, rest) = bytes.split_at_checked(MARK.len())?;
        let (sum, contents) = rest.split_at_checked(HEAD - MARK.len())?;
        if mark != MARK || sum != crc32fast::hash(contents).to_le_bytes() {
            return None;
        }
        // Used just now; where that cannot be noted it may only go earlier than need be.
        if let Ok(file) = File::open(&path) {
            let _ = file.set_modified(SystemTime::now());
        }
        bytes.drain(..HEAD);
        Some(bytes)
    }

    /// Keeps something under a key, if it is not beyond the bound by itself.
    pub fn put(&self, key: &[u8; 32], contents: &[u8]) -> Result<()> {
        if (contents.len() + HEAD) as u64 > self.max_bytes {
            return Ok(());
        }
        self.make_folder()?;
        let mut bytes = Vec::with_capacity(HEAD + contents.len());
        bytes.extend_from_slice(MARK);
        bytes.extend_from_slice(&crc32fast::hash(contents).to_le_bytes());
        bytes.extend_from_slice(contents);
        write_renewable(&self.path(key), &bytes)?;
        self.keep_within_bound()
    }

    fn path(&self, key: &[u8; 32]) -> PathBuf {
        let name: String = key.iter().map(|byte| format!("{byte:02x}")).collect();
        self.folder.join(format!("{name}.{ENDING}"))
    }

    /// Makes a folder that nobody else may read, or put anything into.
    fn make_folder(&self) -> Result<()> {
        let mut builder = fs::DirBuilder::new();
        builder.recursive(true);
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        builder.create(&self.folder)
    }

    fn keep_within_bound(&self) -> Result<()> {
        let mut entries = Vec::new();
        for entry in fs::read_dir(&self.folder)? {
            let path = entry?.path();
            // Another program may have removed it meanwhile.
            let Ok(data) = fs::symlink_metadata(&path) else { continue };
            if data.is_file() && path.extension().is_some_and(|ending| ending == ENDING) {
                entries.push((data.modified()?, data.len(), path));
            }
        }
        entries.sort_unstable();
        let mut bytes: u64 = entries.iter().map(|(_, len, _)| len).sum();
        for (_, len, path) in entries {
            if bytes <= self.max_bytes {
                break;
            }
            let _ = fs::remove_file(path);
            bytes -= len;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::time::{Duration, SystemTime};

    use super::{ENDING, Store};

    #[test]
    fn what_is_kept_is_found_and_what_is_damaged_is_not() {
        let folder = tempfile::tempdir().expect("a folder");
        let store = Store::new(folder.path().join("deep/store"), 1000);
        assert_eq!(store.get(&[1; 32]), None);
        store.put(&[1; 32], b"contents").expect("kept");
        assert_eq!(store.get(&[1; 32]).as_deref(), Some(&b"contents"[..]));
        assert_eq!(store.get(&[2; 32]), None);
        let path = store.path(&[1; 32]);
        let whole = fs::read(&path).expect("an entry");
        for cut in 0..whole.len() {
            fs::write(&path, &whole[..cut]).expect("written");
            assert_eq!(store.get(&[1; 32]), None, "{cut} bytes");
            let mut changed = whole.clone();
            changed[cut] ^= 1;
            fs::write(&path, &changed).expect("written");
            assert_eq!(store.get(&[1; 32]), None, "byte {cut}");
        }
        store.put(&[1; 32], b"other").expect("kept");
        assert_eq!(store.get(&[1; 32]).as_deref(), Some(&b"other"[..]));
    }

    #[test]
    fn the_folder_stays_within_its_bound() {
        let folder = tempfile::tempdir().expect("a folder");
        let store = Store::new(folder.path(), 300);
        fs::write(folder.path().join("of somebody"), [0; 400]).expect("a file");
        for key in 0..5 {
            store.put(&[key; 32], &[key; 80]).expect("kept");
            let file = fs::File::open(store.path(&[key; 32])).expect("an entry");
            let age = Duration::from_secs(100 - u64::from(key));
            file.set_modified(SystemTime::now() - age).expect("a time");
        }
        let kept: Vec<bool> = (0..5).map(|key| store.get(&[key; 32]).is_some()).collect();
        assert_eq!(kept, [false, false, true, true, true]);
        store.put(&[9; 32], &[9; 400]).expect("too large to keep is no error");
        assert_eq!(store.get(&[9; 32]), None);
        assert!(folder.path().join("of somebody").exists());
        assert_eq!(store.path(&[0; 32]).extension().and_then(|e| e.to_str()), Some(ENDING));
    }
}
