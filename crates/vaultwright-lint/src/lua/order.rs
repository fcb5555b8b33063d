//! Functions that are used before their file gives them (VW368) or that it gives twice (VW369), and
//! `validate` and `veto` that return nothing, or always the same (VW387).

use foldhash::{HashSet, HashSetExt};
use vaultwright_syntax::ChunkKind;

use super::tree::{Block, Expr, ExprKind, Span, Statement};
use super::walk::Parts;
use super::{Finding, Look, chains};
use crate::{chunks, codes};

impl Look<'_> {
    /// Tells of what runs when a map is read, and uses what only later Lua gives.
    pub(super) fn order(&mut self, number: usize) {
        let tree = &self.trees[number];
        let Some(map) = tree.map.filter(|_| self.engine.reads_as_crawl()) else { return };
        if !chunks::READING.iter().any(|&kind| self.is_chunk(number, map, kind)) {
            return;
        }
        let mut uses = Vec::new();
        used_at_once(&tree.block, &mut uses);
        for (name, span) in uses {
            let givers = self.names.given(name);
            let Some(&(last, has_maps)) = givers.last() else { continue };
            let is_there = |&(file, has_maps)| self.is_there(file, has_maps, map);
            if givers.iter().any(is_there) || self.gives(map, name) {
                continue;
            }
            let hint = self.where_it_belongs(last, has_maps);
            let message = format!("'{name}' is not there yet when this map is read");
            self.warn(number, &span, Finding::of(codes::DEFINED_LATER, message, hint));
        }
    }

    /// Returns whether the Lua outside the maps of a file has run when a map of this one is read
    /// (spec 01 §4.3).
    fn is_there(&self, file: usize, has_maps: bool, map: usize) -> bool {
        let tree = &self.file.tree;
        let first = tree.global_prelude.pieces.first();
        match file == self.index {
            true => first.is_none_or(|first| first.span().start < tree.maps[map].span.start),
            false => file < self.index && has_maps,
        }
    }

    /// Returns what to do with a function that a file gives too late.
    fn where_it_belongs(&self, file: usize, has_maps: bool) -> String {
        let name = &self.names.library.files[file].source.name;
        if file == self.index {
            "it stands behind the map: write it before the first map of the file".to_owned()
        } else if !has_maps {
            format!(
                "'{name}' has no map, so its Lua runs when all maps have been read: give it one"
            )
        } else {
            format!("'{name}' gives it, which is read behind this file: move it to an earlier one")
        }
    }

    /// Returns whether Lua of a map itself gives a name.
    fn gives(&self, map: usize, name: &str) -> bool {
        let trees = self.trees.iter().filter(|tree| tree.map == Some(map));
        trees.into_iter().any(|tree| {
            let loads = memchr::memmem::find(&tree.lua.text, b"require").is_some()
                || memchr::memmem::find(&tree.lua.text, b"dofile").is_some();
            let parts = Parts::of(&tree.block);
            loads || parts.statements.iter().any(|statement| gives_name(statement, name))
        })
    }

    /// Tells of a `validate` or `veto` that returns nothing.
    pub(super) fn answer(&mut self, number: usize) {
        let tree = &self.trees[number];
        let Some(map) = tree.map else { return };
        let (Some(first), Some(last)) = (tree.block.spans.first(), tree.block.spans.last()) else {
            return;
        };
        let (message, hint) = if self.is_chunk(number, map, ChunkKind::Validate) {
            (
                "this validate block returns nothing, which refuses the map each time",
                "write `return` before what has to hold",
            )
        } else if self.is_chunk(number, map, ChunkKind::Veto) {
            (
                "this veto block returns nothing, so it never vetoes",
                "write `return` before what keeps the map away",
            )
        } else {
            return;
        };
        if !returns(&tree.block) {
            let (span, message) = (first.start..last.end, message.to_owned());
            self.warn(number, &span, Finding::of(codes::ALWAYS_REFUSED, message, hint.to_owned()));
            return;
        }
        self.same_answer(number, map);
    }

    /// Tells of a `validate` or `veto` whose only statement returns what refuses the map on each
    /// level of its DEPTH.
    fn same_answer(&mut self, number: usize, map: usize) {
        let tree = &self.trees[number];
        let [Statement::Return(values)] = &tree.block.statements[..] else { return };
        let [value] = &values[..] else { return };
        let is_veto = self.is_chunk(number, map, ChunkKind::Veto);
        let levels = self.levels(map);
        let always = chains::always(value, &levels);
        let message = match (is_veto, always) {
            (true, Some(true)) => "this vetoes the map on each level where it may stand",
            (false, Some(false)) => "this refuses the map on each level where it may stand",
            _ => return,
        };
        let hint = "a veto keeps the map away where it is true, validate where it is not";
        let finding = Finding::of(codes::ALWAYS_REFUSED, message.to_owned(), hint.to_owned());
        self.warn(number, &value.span, finding);
    }

    /// Tells of functions that a file gives twice outside its maps: the first is lost.
    pub(super) fn twice(&mut self) {
        let mut given: HashSet<String> = HashSet::new();
        for number in 0..self.trees.len() {
            let tree = &self.trees[number];
            if tree.map.is_some() {
                continue;
            }
            for statement in &tree.block.statements {
                let Statement::Function(path, _) = statement else { continue };
                let Some(name) = path.path() else { continue };
                if !given.insert(name.clone().into_owned()) {
                    let message = format!("'{name}' is given a second time: the first is lost");
                    let hint = "give one of them a name of its own, and use it in its map";
                    let finding = Finding::of(codes::DEFINED_TWICE, message, hint.to_owned());
                    self.warn(number, &path.span, finding);
                }
            }
        }
    }

    pub(super) fn is_chunk(&self, number: usize, map: usize, kind: ChunkKind) -> bool {
        std::ptr::eq(self.trees[number].chunk, self.file.tree.maps[map].chunk(kind))
    }
}

/// Collects the globals that a block calls, or takes fields of, whenever it runs.
fn used_at_once<'t>(block: &Block<'t>, uses: &mut Vec<(&'t str, Span)>) {
    for statement in &block.statements {
        match statement {
            Statement::Local(_, values) => each_used(values, uses),
            Statement::Assign(targets, values) => {
                each_used(targets, uses);
                each_used(values, uses);
            }
            Statement::Call(expr) => used_in(expr, uses),
            Statement::Do(block) | Statement::Repeat(block, _) => used_at_once(block, uses),
            Statement::While(condition, _) => used_in(condition, uses),
            Statement::If(arms, _) => {
                arms.first().into_iter().for_each(|(condition, _)| used_in(condition, uses));
            }
            Statement::For(_, values, _) | Statement::ForIn(_, values, _) => {
                each_used(values, uses);
            }
            Statement::Function(..) | Statement::LocalFunction(..) => {}
            Statement::Return(values) => return each_used(values, uses),
            Statement::Break | Statement::Jump => return,
        }
    }
}

fn each_used<'t>(exprs: &[Expr<'t>], uses: &mut Vec<(&'t str, Span)>) {
    exprs.iter().for_each(|expr| used_in(expr, uses));
}

fn used_in<'t>(expr: &Expr<'t>, uses: &mut Vec<(&'t str, Span)>) {
    let used = match &expr.kind {
        // What stands behind them may not be asked for.
        ExprKind::Binary("and" | "or", left, _) => return used_in(left, uses),
        ExprKind::Call(call) => Some(&call.function),
        ExprKind::Index(table, _) => Some(&**table),
        _ => None,
    };
    uses.extend(used.and_then(|used| Some((used.name()?, used.span.clone()))));
    expr.each_part(&mut |part| used_in(part, uses));
}

/// Returns whether a statement gives a name a value, a local one included.
fn gives_name(statement: &Statement, name: &str) -> bool {
    match statement {
        Statement::Local(names, _) | Statement::ForIn(names, ..) => names.contains(&name),
        Statement::Assign(targets, _) => targets.iter().any(|to| to.name() == Some(name)),
        Statement::For(own, ..) | Statement::LocalFunction(own, _) => *own == name,
        Statement::Function(path, _) => path.name() == Some(name),
        _ => false,
    }
}

/// Returns whether a block returns a value anywhere.
pub(super) fn returns(block: &Block) -> bool {
    block.statements.iter().any(|statement| match statement {
        Statement::Return(values) => !values.is_empty(),
        Statement::Do(block)
        | Statement::While(_, block)
        | Statement::Repeat(block, _)
        | Statement::For(.., block)
        | Statement::ForIn(.., block) => returns(block),
        Statement::If(arms, last) => {
            arms.iter().any(|(_, block)| returns(block)) || last.as_ref().is_some_and(returns)
        }
        _ => false,
    })
}
