//! `vaultwright check --fix` and `--diff`: what hints propose, written.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use vaultwright::syntax::{Source, without_mark};
use vaultwright::{MAX_SOURCE_BYTES, Problem, lint};
use vaultwright_files::{read_within, write_whole};

use crate::{Failure, IoFailure, difference, output};

/// The files that fixes change.
#[derive(Default)]
pub struct Fixes(BTreeMap<Arc<str>, Changed>);

struct Changed {
    before: Arc<[u8]>,
    after: Arc<[u8]>,
    /// Whether the byte-order mark before the text goes.
    loses_mark: bool,
    /// How many problems are mended.
    count: usize,
}

impl Fixes {
    /// Makes the safe fixes of some problems. Returns whether there were any.
    pub fn make(&mut self, problems: &[Problem]) -> bool {
        let mut of_files: BTreeMap<&Arc<str>, Vec<&Problem>> = BTreeMap::new();
        for problem in problems.iter().filter(|problem| problem.fix.is_some()) {
            of_files.entry(&problem.file.source.name).or_default().push(problem);
        }
        let mut any = false;
        for (name, problems) in of_files {
            let Some(file) = problems.first().map(|problem| &problem.file) else { continue };
            let text = &file.source.text;
            let Some((after, count)) = lint::fixed(text, problems.iter().copied()) else {
                continue;
            };
            any = true;
            let changed = self.0.entry(Arc::clone(name)).or_insert_with(|| Changed {
                before: Arc::clone(text),
                after: Arc::clone(text),
                loses_mark: false,
                count: 0,
            });
            changed.loses_mark |= problems.iter().copied().any(lint::removes_mark);
            changed.after = Arc::from(after);
            changed.count += count;
        }
        any
    }

    /// Returns the sources with their new texts, those that were none of `own` behind them.
    pub fn applied_to(&self, own: &[Source]) -> Vec<Source> {
        let new = |name: &Arc<str>, changed: &Changed| {
            Source::new(Arc::clone(name), Arc::clone(&changed.after))
        };
        let mut sources: Vec<Source> = own.to_vec();
        for (name, changed) in &self.0 {
            match sources.iter_mut().find(|source| source.name == *name) {
                Some(source) => *source = new(name, changed),
                None => sources.push(new(name, changed)),
            }
        }
        sources
    }

    /// Returns whether nothing is changed.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns how many problems are mended in how many files.
    pub fn counts(&self) -> (usize, usize) {
        (self.0.values().map(|changed| changed.count).sum(), self.0.len())
    }

    /// Writes the files, each whole or not at all.
    pub fn write(&self) -> Result<(), Failure> {
        for (name, changed) in &self.0 {
            let path = Path::new(&**name);
            let text = read_within(path, MAX_SOURCE_BYTES).map_err(IoFailure::of("read", path))?;
            let bare = without_mark(&text);
            if bare != &*changed.before {
                return Err(format!("{name} has changed meanwhile: nothing is fixed in it").into());
            }
            if path.is_symlink() {
                return Err(
                    IoFailure(format!("{name} is a link: name the file it leads to")).into()
                );
            }
            let mark = if changed.loses_mark { &[] } else { &text[..text.len() - bare.len()] };
            write_whole(path, &[mark, &changed.after].concat())
                .map_err(IoFailure::of("write", path))?;
        }
        Ok(())
    }

    /// Prints what would change.
    pub fn print(&self) -> Result<(), Failure> {
        for (name, changed) in &self.0 {
            let mark: &[u8] = if changed.loses_mark { b"\xef\xbb\xbf" } else { b"" };
            let before = [mark, &changed.before].concat();
            let text = difference::unified(name, &before, &changed.after);
            output::write(None, &text)?;
        }
        Ok(())
    }
}
