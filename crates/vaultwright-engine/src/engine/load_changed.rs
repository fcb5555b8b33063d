//! Loading files of which some have changed since they were compiled.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::compiled::{BrokenCode, Compiled, Outline, hash_of};
use super::load::{Prelude, in_grammar, prelude_of};
use super::session::Engine;
use crate::pack::library::Library;
use crate::pack::problem::Problem;
use crate::pack::sources::SourceFile;

impl Engine {
    /// As [`Engine::load_files`] for all maps, with what compiling files of the same names in the
    /// same surroundings has yielded before some of them changed: compiles the maps of those, and
    /// of others that depend on what maps of these leave behind. Returns what is wrong, and what is
    /// to be kept of it, as [`Engine::compiled`] does.
    ///
    /// None, and nothing has happened, where more may depend on what has changed: the Lua outside
    /// maps of a file, a name that two maps have.
    pub fn load_changed(
        &mut self,
        files: &[Arc<SourceFile>],
        compiled: Compiled,
    ) -> Option<(Vec<Problem>, Option<Compiled>)> {
        let files = &in_grammar(files.to_vec(), &self.host.content.rules)[..];
        if !self.host.files.is_empty() {
            return None;
        }
        let changed = changed_alone(files, &compiled)?;
        let first_again = first_again(&compiled.files, &changed);
        let Compiled { files: mut outlines, maps, broken } = compiled;
        for &index in &changed {
            outlines[index] = Outline::of(&files[index]);
        }
        // What is known of the others is made of before any of them is compiled.
        let mut made: Vec<(Vec<_>, Vec<_>)> = files.iter().map(|_| Default::default()).collect();
        for map in maps.into_iter().filter(|map| !changed.contains(&(map.file as usize))) {
            let map = map.in_files(files, &outlines)?;
            made[map.origin.file].0.push(map);
        }
        for map in broken.into_iter().filter(|map| !changed.contains(&(map.map_file as usize))) {
            let map = map.in_files(files)?;
            made.get_mut(map.origin.file)?.1.push(map);
        }
        let (mut problems, overridden) = self.run_outside_maps(files, Some(&outlines), &mut |_| {});
        let messages = self.host.messages.count();
        let mut library = Library::default();
        let mut is_traced = false;
        for (index, (file, (maps, broken))) in files.iter().zip(made).enumerate() {
            library.files.push(Arc::clone(file));
            is_traced |= first_again == Some(index);
            if is_traced || changed.contains(&index) {
                let own = Prelude::of(overridden.contains(&index));
                let all = &mut |_: &SourceFile, _| true;
                self.compile_into(&mut library, index, file, own, all);
                outlines[index].left_traces = false;
                is_traced |= self.host.loading.left_traces.contains(&index);
                continue;
            }
            for map in maps {
                library.add(map);
            }
            library.broken.extend(broken);
        }
        library.broken.sort_by_key(|map| (map.origin.file, map.origin.map));
        problems.extend(library.broken.iter().map(|broken| (*broken.problem).clone()));
        // What is kept in `dgn.persist` meanwhile is nothing to games.
        self.restore();
        self.host.loading.told_while_compiling |= self.host.messages.count() > messages;
        self.host.library = Arc::new(library);
        self.remember_traces(&outlines);
        let compiled = self.compiled_of(outlines);
        Some((problems, compiled))
    }
}

/// The files that have changed, if no map of another file can depend on that.
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

/// The first file from which on all are compiled again, since it has left traces and one behind it
/// has changed, or it has itself.
fn first_again(files: &[Outline], changed: &BTreeSet<usize>) -> Option<usize> {
    let last = *changed.last()?;
    files.iter().take(last + 1).position(|file| file.left_traces)
}
