//! Parsing the files of a pack on several threads.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::source_file::SourceFile;

/// With fewer files than this, the caller parses them as fast.
const MIN_FILES: usize = 8;

/// Parses the files on this many threads, and returns when all are done. Without this, each file is
/// parsed when its tree is first accessed; the trees are the same.
pub fn parse_ahead(files: &[Arc<SourceFile>], threads: usize) {
    if threads <= 1 || files.len() < MIN_FILES {
        return;
    }
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        let work = || {
            while let Some(file) = files.get(next.fetch_add(1, Ordering::Relaxed)) {
                _ = &*file.tree;
            }
        };
        for _ in 0..threads.min(files.len()) {
            scope.spawn(work);
        }
    });
}

#[cfg(test)]
mod tests {
    use vaultwright_syntax::Source;

    use super::*;

    #[test]
    fn each_file_has_the_tree_that_it_has_by_itself() {
        let file = |number: usize| {
            let text = format!("NAME: map_{number}\nMAP\n@{}\nENDMAP\n", "x".repeat(number + 1));
            let source = Source::new(format!("{number}.des"), text.into_bytes());
            Arc::new(SourceFile::new(source))
        };
        let ahead: Vec<_> = (0..20).map(file).collect();
        parse_ahead(&ahead, 3);
        for (number, parsed) in ahead.iter().enumerate() {
            let alone = file(number);
            assert_eq!(format!("{:?}", *parsed.tree), format!("{:?}", *alone.tree));
            assert_eq!(parsed.tree.maps.len(), 1);
        }
    }
}
