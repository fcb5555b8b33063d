//! Loading files of which some have changed since they were compiled.

use std::collections::{BTreeSet, HashSet};
use std::sync::Arc;

use super::compiled::{BrokenCode, Compiled, Outline, hash_of};
use super::load::{Prelude, in_grammar, prelude_of};
use super::session::Engine;
use crate::pack::library::{BrokenMap, Library, LibraryMap, Origin};
use crate::pack::problem::Problem;
use crate::pack::source_file::SourceFile;
use crate::state::glyph_notes::GlyphNotes;
use crate::state::left_behind::LeftBehind;

/// The result of loading files of which some had changed.
pub struct LoadedChanged {
    /// What is wrong with all files.
    pub problems: Vec<Problem>,
    /// What is to be kept of it, as [`Engine::compiled`] returns it.
    pub compiled: Option<Compiled>,
    /// The files, by number, of which maps were compiled.
    pub compiled_again: BTreeSet<usize>,
}

impl Engine {
    /// As [`Engine::load_files`] for all maps, with what compiling files of the same names in the
    /// same surroundings has yielded before some of them changed: compiles the maps of those, and
    /// of others that depend on what maps of these leave behind.
    ///
    /// Returns `None`, without changing the engine, if it has files already, or if compiling single
    /// files would not be safe: Lua outside maps changed, two maps share a name, or earlier files
    /// left values in `dgn.persist` that are not plain. Call [`Engine::load_files`] then.
    pub fn load_changed(
        &mut self,
        files: &[Arc<SourceFile>],
        compiled: Compiled,
    ) -> Option<LoadedChanged> {
        let files = &in_grammar(files.to_vec(), &self.host.content.rules)[..];
        if !self.host.files.is_empty() {
            return None;
        }
        let changed = changed_alone(files, &compiled)?;
        if self.host.noting.is_some() && compiled.notes.is_none() {
            return None;
        }
        // What files leave behind that have not changed can only be put back if it is plain.
        let last = changed.last().copied().unwrap_or(0);
        let is_plain = |file: &Outline| file.left_behind.as_ref().is_none_or(LeftBehind::is_plain);
        if !compiled.files[..last].iter().all(is_plain) {
            return None;
        }
        let left_after = left_after_each(&compiled.files);
        let (mut outlines, known) = known_files(files, compiled, &changed)?;
        let (mut problems, overridden) = self.run_outside_maps(files, Some(&outlines), &mut |_| {});
        let messages = self.host.messages.count();
        let (library, compiled_again) = self.library_of(Changes {
            files,
            known,
            outlines: &mut outlines,
            left_after,
            overridden,
            changed,
        });
        problems.extend(library.broken.iter().map(|broken| (*broken.problem).clone()));
        // What is kept in `dgn.persist` meanwhile is nothing to games.
        self.restore();
        self.host.loading.told_while_compiling |= self.host.messages.count() > messages;
        self.host.library = Arc::new(library);
        let compiled = self.compiled_of(outlines);
        Some(LoadedChanged { problems, compiled, compiled_again })
    }

    /// Returns the library, in which the maps of changed files are compiled, and of those for which
    /// these leave other things behind; and the numbers of these files.
    fn library_of(&mut self, changes: Changes) -> (Library, BTreeSet<usize>) {
        let Changes { files, known, outlines, left_after, overridden, changed } = changes;
        let mut library = Library::default();
        // Whether other things are left behind by now than there were.
        let mut is_other = false;
        let mut is_put_back = true;
        let mut compiled_again = BTreeSet::new();
        for (index, (file, known)) in files.iter().zip(known).enumerate() {
            library.files.push(Arc::clone(file));
            if is_other || changed.contains(&index) {
                if !is_put_back {
                    self.put_back_left_before(index);
                }
                is_put_back = true;
                compiled_again.insert(index);
                let own = Prelude::of(overridden.contains(&index));
                let all = &mut |_: &SourceFile, _| true;
                self.compile_into(&mut library, index, file, own, all);
                let left = self.host.loading.left_before(index + 1);
                is_other = !left.is_plain() || left != left_after[index];
                continue;
            }
            if let Some(left) = outlines[index].left_behind.take() {
                self.host.loading.left_behind.insert(index, left);
                is_put_back = false;
            }
            for (origin, notes) in known.notes {
                self.remember_notes(origin, notes.as_ref());
            }
            for map in known.maps {
                library.add(map);
            }
            library.broken.extend(known.broken);
        }
        library.broken.sort_by_key(|map| (map.origin.file, map.origin.map));
        (library, compiled_again)
    }
}

/// Files of which some have changed.
struct Changes<'a> {
    files: &'a [Arc<SourceFile>],
    /// What is known of each.
    known: Vec<KnownFile>,
    outlines: &'a mut [Outline],
    /// What was left behind after each when they were last compiled.
    left_after: Vec<LeftBehind>,
    /// Those whose functions others have replaced.
    overridden: HashSet<usize>,
    changed: BTreeSet<usize>,
}

/// What is known of a file that has not changed; nothing of one that has.
#[derive(Default)]
struct KnownFile {
    maps: Vec<LibraryMap>,
    broken: Vec<BrokenMap>,
    notes: Vec<(Origin, Option<GlyphNotes>)>,
}

/// Returns what is known of each file before any of them is compiled.
fn known_files(
    files: &[Arc<SourceFile>],
    compiled: Compiled,
    changed: &BTreeSet<usize>,
) -> Option<(Vec<Outline>, Vec<KnownFile>)> {
    let Compiled { files: mut outlines, maps, broken, notes } = compiled;
    for (index, (outline, file)) in outlines.iter_mut().zip(files).enumerate() {
        match changed.contains(&index) {
            true => *outline = Outline::of(file),
            false => outline.tell(file),
        }
    }
    let mut known: Vec<KnownFile> = files.iter().map(|_| KnownFile::default()).collect();
    for map in maps.into_iter().filter(|map| !changed.contains(&(map.file as usize))) {
        let map = map.in_files(files, &outlines)?;
        known[map.origin.file].maps.push(map);
    }
    for map in broken.into_iter().filter(|map| !changed.contains(&(map.map_file as usize))) {
        let map = map.in_files(files)?;
        known.get_mut(map.origin.file)?.broken.push(map);
    }
    for notes in notes.into_iter().flatten() {
        let (origin, notes) = notes.taken_up()?;
        known.get_mut(origin.file)?.notes.push((origin, notes));
    }
    Some((outlines, known))
}

/// Returns the files that have changed, if no map of another file can depend on that.
fn changed_alone(files: &[Arc<SourceFile>], compiled: &Compiled) -> Option<BTreeSet<usize>> {
    if compiled.files.len() != files.len() {
        return None;
    }
    let both = || files.iter().zip(&compiled.files).enumerate();
    let changed = both().filter(|(_, (file, outline))| outline.text != hash_of(file));
    let changed: BTreeSet<usize> = changed.map(|(index, _)| index).collect();
    let has_same_prelude = |(index, (file, outline)): (usize, (&Arc<SourceFile>, &Outline))| {
        !changed.contains(&index) || outline.prelude == prelude_of(file)
    };
    let is_alone = both().all(has_same_prelude)
        && compiled.broken.iter().all(|broken| {
            let is_here = broken.file == broken.map_file;
            let is_elsewhere = !is_here && changed.contains(&(broken.file as usize));
            broken.code != BrokenCode::DuplicateName && !is_elsewhere
        });
    is_alone.then_some(changed)
}

/// Returns what there was behind each file.
fn left_after_each(files: &[Outline]) -> Vec<LeftBehind> {
    let mut left = LeftBehind::default();
    let after = files.iter().map(|file| {
        if let Some(behind) = &file.left_behind {
            left.clone_from(behind);
        }
        left.clone()
    });
    after.collect()
}
