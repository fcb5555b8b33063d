//! Functions that a text defines, and whether they give floats: all that they return are some.

use super::floats::{Floats, LocalId};
use super::parser::{MAX_LOCALS, Parser};

/// How a text names a function.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) enum FunctionName {
    Local(LocalId),
    Global(Vec<u8>),
}

impl Parser<'_> {
    /// What stands for the results of a function: one that the text defines, and that returns
    /// nothing but floats, gives one.
    pub(super) fn result_of(
        &mut self,
        local: Option<LocalId>,
        path: Option<&[u8]>,
    ) -> Option<LocalId> {
        let name = match (local, path) {
            (Some(local), _) => FunctionName::Local(local),
            (None, Some(path)) => FunctionName::Global(path.to_vec()),
            (None, None) => return None,
        };
        if let Some(id) = self.results.get(&name) {
            return Some(*id);
        }
        if self.results.len() >= MAX_LOCALS {
            return None;
        }
        let id = self.floats.new_local();
        self.results.insert(name, id);
        Some(id)
    }

    /// A variable that is given something else is no function whose results are known.
    pub(super) fn is_no_longer(&mut self, variable: LocalId) {
        let global = self.globals.iter().find(|(_, id)| *id == variable).map(|(name, _)| name);
        let name = match global {
            Some(name) => FunctionName::Global(name.clone()),
            None => FunctionName::Local(variable),
        };
        if let Some(result) = self.results.get(&name) {
            self.floats.give(*result, Floats::NO);
        }
    }

    /// The same for a function that is defined under a name: what the name stood for before is
    /// another one.
    pub(super) fn defined(&mut self, local: Option<LocalId>, path: &[u8]) -> Option<LocalId> {
        let global = self.globals.iter().find(|(name, _)| *name == path).map(|(_, id)| *id);
        let variable = local.or(global);
        let result = self.result_of(local, Some(path))?;
        if variable.is_some_and(|variable| self.floats.is_given(variable)) {
            self.floats.give(result, Floats::NO);
        }
        Some(result)
    }
}
