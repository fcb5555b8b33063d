//! What a worker is doing, in a file that outlives it.

use std::fs::File;
use std::io::{Result, Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::{Arc, Mutex};

use vaultwright_files::read_regular;

use crate::survey::Watch;

/// The space for each line of the logbook.
const LINE: usize = 128;
/// The size of a logbook, in bytes.
const MAX_BYTES: u64 = 2 * LINE as u64;

/// The logbook of a worker: a line for the level it builds, and a line for the map it resolves.
#[derive(Clone)]
pub struct Logbook {
    file: Arc<Mutex<File>>,
}

/// An entry of a logbook.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Entry {
    /// The seed of the game.
    pub seed: u64,
    /// The level.
    pub place: String,
    /// The map; empty before the first.
    pub map: String,
}

impl Logbook {
    /// Opens the logbook of a worker, creating it if necessary.
    pub fn create(path: &Path) -> Result<Logbook> {
        Ok(Logbook { file: Arc::new(Mutex::new(File::create_new(path)?)) })
    }

    /// Returns the entry in the logbook; `None` if there is none yet.
    pub fn read(path: &Path) -> Option<Entry> {
        let text = read_regular(path, MAX_BYTES).ok()?;
        let line = |number: usize| {
            let bytes = text.get(number * LINE..)?;
            let line = &bytes[..bytes.len().min(LINE)];
            Some(String::from_utf8_lossy(line).trim_end().to_owned())
        };
        let level = line(0)?;
        let (seed, place) = level.split_once(' ')?;
        let seed = seed.parse().ok()?;
        Some(Entry { seed, place: place.to_owned(), map: line(1).unwrap_or_default() })
    }

    /// Writes to the logbook if possible. If not, the worker continues, and it is not known what it
    /// was doing.
    fn write(&self, line: usize, text: &str) {
        let Ok(mut file) = self.file.lock() else { return };
        let mut bytes = [b' '; LINE];
        let length = text.len().min(LINE);
        bytes[..length].copy_from_slice(&text.as_bytes()[..length]);
        let _ =
            file.seek(SeekFrom::Start((line * LINE) as u64)).and_then(|_| file.write_all(&bytes));
    }
}

impl Watch for Logbook {
    fn level(&self, seed: u64, place: &str) {
        self.write(1, "");
        self.write(0, &format!("{seed} {place}"));
    }

    fn map(&self, name: &str) {
        self.write(1, name);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_book_says_what_was_begun_last() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("book");
        let book = Logbook::create(&path).expect("a file");
        assert_eq!(Logbook::read(&path), None);
        book.level(12, "D:3");
        book.map("a_map_with_a_long_name");
        book.map("pond");
        let entry = Entry { seed: 12, place: "D:3".to_owned(), map: "pond".to_owned() };
        assert_eq!(Logbook::read(&path), Some(entry));
        book.level(13, "Temple");
        assert_eq!(Logbook::read(&path).expect("an entry").map, "");
        assert!(Logbook::create(&path).is_err(), "what is there already is not written to");
    }
}
