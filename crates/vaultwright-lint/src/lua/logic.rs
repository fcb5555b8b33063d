//! Problems that the code of a single chunk shows.

use foldhash::{HashMap, HashMapExt, HashSet};
use vaultwright_content::BranchId;
use vaultwright_map::{LevelPlace, Selection};
use vaultwright_syntax::{Header, PieceBody};

use super::chains::{self, Levels, span_of};
use super::conditions::{self, Constant};
use super::locals::Uses;
use super::names::MAX_COMPARED;
use super::ranges::{Ranges, each_given};
use super::tree::{Block, Span, Statement};
use super::walk::Parts;
use super::{Finding, Look, joins, locals, picks};
use crate::near::nearest;
use crate::{codes, levels};

/// Returns whether the Lua of a chunk gives a name a value.
pub(super) fn gives(parts: &Parts, name: &str) -> bool {
    let mut is_given = false;
    each_given(parts, &mut |given| is_given |= given == name);
    is_given
}

impl<'l> Look<'l> {
    pub(super) fn logic(&mut self, number: usize) {
        let trees = self.trees;
        let tree = &trees[number];
        let parts = Parts::of(&tree.block);
        let ranges = Ranges::of(&parts);
        if let Some(map) = tree.map {
            self.branches(number, map, &tree.block);
        }
        let levels = || tree.map.map(|map| self.levels(map)).unwrap_or_default();
        let chains = chains::find(&tree.block, &parts, &ranges, levels);
        let names = self.names;
        let (assigned, of_map) = (&self.assigned, tree.map.is_some());
        let is_function = |path: &str| match path.contains('.') {
            true => names.is_function(path),
            false => of_map && names.is_plain_function(path, assigned) && !gives(&parts, path),
        };
        let always = conditions::find(&tree.block, &tree.lua.text, &ranges, &is_function);
        let Uses { hiding, assigned, read } = locals::find(&tree.block);
        for (code, found) in [
            (codes::CONSTANT_CONDITION, always),
            (codes::CONSTANT_CONDITION, chains.constant),
            (codes::DEAD_CODE, chains.dead),
            (codes::DEAD_CODE, self.same_branches(number, &parts)),
            (codes::NAME_FOR_NOTHING, hiding),
            (codes::BAD_PICK, picks::find(&parts, &ranges)),
            (codes::NO_NUMBER, joins::find(&parts, &ranges)),
        ] {
            for Constant { message, hint, span } in found {
                self.warn(number, &span, Finding::of(code, message, hint.to_owned()));
            }
        }
        self.kinds(number, &parts);
        self.effects(number, &parts);
        self.monster_fields(number, &parts);
        self.marker_values(number, &parts);
        let mut given = HashSet::default();
        each_given(&parts, &mut |name| {
            given.insert(name);
        });
        self.marker_functions(number, &parts, &given);
        self.hooks(number, &parts, &given);
        self.compiled(number, &parts, &given);
        self.callbacks(number, &parts);
        self.depths_of_branches(number, &parts);
        if tree.map.is_some() {
            self.unread(number, assigned, read);
        }
    }

    /// Reports assigned names that are never read, if a similar name is.
    fn unread(&mut self, number: usize, assigned: Vec<(&str, Span)>, mut read: Vec<&str>) {
        if assigned.is_empty() {
            return;
        }
        read.sort_unstable();
        read.dedup();
        if read.len() > MAX_COMPARED {
            return;
        }
        for (name, span) in assigned {
            if name.len() < 3 || read.binary_search(&name).is_ok() {
                continue;
            }
            // A script may redefine such a function to change the effect of headers.
            let is_header = Header::all().any(|(header, _)| header.lua_function() == name);
            if is_header && !self.defines(number, &span) {
                let message = format!("'{name}' is a function of the map: this only hides it");
                let hint = format!("call it: {name}(…)");
                self.warn(number, &span, Finding::of(codes::NAME_FOR_NOTHING, message, hint));
                continue;
            }
            let meant = nearest(name, read.iter().copied()).filter(|near| near.is_sure);
            let Some(near) = meant.filter(|_| self.stands_once(name)) else { continue };
            let message = format!("'{name}' is assigned to, but nobody reads it");
            self.warn(number, &span, Finding::of(codes::NAME_FOR_NOTHING, message, near));
        }
    }

    /// Returns whether a function is assigned to the name at a position.
    fn defines(&self, number: usize, span: &Span) -> bool {
        const FUNCTION: &[u8] = b"function";
        let text = &self.trees[number].lua.text;
        let (before, behind) = text.split_at(span.start.min(text.len()));
        let line = behind.split(|&byte| byte == b'\n').next().unwrap_or(behind);
        memchr::memmem::find(line, FUNCTION).is_some()
            || before.trim_ascii_end().ends_with(FUNCTION)
    }

    /// Returns whether a name occurs at most once in the file.
    fn stands_once(&self, name: &str) -> bool {
        self.count(name) < 2
    }

    /// Returns the number of occurrences of a word in the file.
    pub(super) fn count(&self, name: &str) -> usize {
        self.words().get(name.as_bytes()).copied().unwrap_or(0)
    }

    /// Returns the words of the file, with how often each occurs.
    pub(super) fn words(&self) -> &HashMap<&'l [u8], usize> {
        self.words.get_or_init(|| {
            let mut words = HashMap::new();
            let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
            for word in self.file.source.text.split(|byte| !is_part(byte)) {
                *words.entry(word).or_insert(0) += 1;
            }
            words
        })
    }

    /// Returns conditions with two branches that do the same.
    fn same_branches(&self, number: usize, parts: &Parts) -> Vec<Constant> {
        let mut found = Vec::new();
        for statement in &parts.statements {
            let Statement::If(arms, Some(last)) = statement else { continue };
            let [(condition, block)] = &arms[..] else { continue };
            let are_as_long = block.statements.len() == last.statements.len();
            let first = are_as_long.then(|| self.written(number, block)).flatten();
            if first.is_some() && first == self.written(number, last) {
                found.push(Constant {
                    message: "both cases are the same, whatever this says".to_owned(),
                    hint: "change one of them, or remove the condition",
                    span: condition.span.clone(),
                });
            }
        }
        found
    }

    /// Returns the code of a block without blanks, with headers as written.
    fn written(&self, number: usize, block: &Block) -> Option<Vec<u8>> {
        let tree = &self.trees[number];
        let mut words = Vec::new();
        for at in span_of(block)? {
            match tree.lua.header_at(at).and_then(|piece| tree.chunk.pieces.get(piece)) {
                Some(piece) => {
                    let PieceBody::Call(header, _) = &piece.body else { return None };
                    words.extend_from_slice(header.keyword().as_bytes());
                    let text = self.file.source.text.get(piece.span())?;
                    words.extend(text.iter().filter(|byte| !byte.is_ascii_whitespace()));
                }
                None => {
                    let byte = *tree.lua.text.get(at)?;
                    words.extend((!byte.is_ascii_whitespace() || byte == b'\n').then_some(byte));
                }
            }
        }
        Some(words)
    }

    /// Returns the definition of a map that can only be placed where its headers say.
    fn placed(&self, map: usize) -> Option<&'l Selection> {
        let selection = (self.selection)(map)?;
        let ranges = [&selection.place, &selection.depths];
        let is_placed = ranges.iter().any(|ranges| !ranges.is_empty());
        is_placed.then_some(selection)
    }

    /// Returns the depths at which a map may be placed.
    pub(super) fn levels(&self, map: usize) -> Levels {
        let mut levels = Levels::default();
        let Some(selection) = self.placed(map) else { return levels };
        // A map requested by tag may also be elsewhere.
        if selection.has_tag("unrand") || self.file.tree.maps[map].default_depth.is_some() {
            return levels;
        }
        let ranges = [&selection.place, &selection.depths];
        let mut only_first = true;
        for place in levels::allowed(ranges, self.engine.content().branches()) {
            only_first &= place.branch == LevelPlace::START.branch;
            let depth = f64::from(place.depth);
            if !levels.depths.contains(&depth) {
                levels.depths.push(depth);
            }
        }
        if only_first {
            levels.absolute.clone_from(&levels.depths);
        }
        levels
    }

    /// Reports checks for branches that the map is never in.
    fn branches(&mut self, tree: usize, map: usize, block: &Block) {
        let Some(selection) = self.placed(map) else { return };
        let asked = conditions::branches_asked(block);
        if asked.is_empty() {
            return;
        }
        let branches = self.engine.content().branches();
        let levels = levels::allowed([&selection.place, &selection.depths], branches);
        let of_map: HashSet<BranchId> = levels.map(|place| place.branch).collect();
        for (name, span) in asked {
            let Some(branch) = branches.called(&name) else { continue };
            if !of_map.contains(&branch.id) {
                let message = format!("this map never stands in {name}, so this never holds");
                let hint =
                    "its DEPTH and PLACE leave the branch out: add it, or remove the question";
                self.warn(
                    tree,
                    &span,
                    Finding::of(codes::CONSTANT_CONDITION, message, hint.to_owned()),
                );
            }
        }
    }
}
