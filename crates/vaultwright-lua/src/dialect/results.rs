//! Functions that a text defines: whether they give floats, since all that they return are some,
//! and how many of their variables have a companion that says whether they are.

use super::floats::{FloatId, Floats, LocalId};
use super::known::FUNCTION;
use super::parser::{MAX_LOCALS, Parser};

/// How a text names a function.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) enum FunctionName {
    Local(LocalId),
    Global(Vec<u8>),
}

/// A function whose body is being read.
#[derive(Clone, Copy, Default)]
pub(super) struct Function {
    /// What stands for its results, if it has a name.
    pub(super) result: Option<LocalId>,
    /// How many of its variables may have a companion.
    pub(super) accompanied: usize,
}

/// So many variables of a function may have a companion that says whether they are floats: those
/// are variables, too, and 5.1 allows no more than 200 in a function, as 5.4 does.
const MAX_COMPANIONS: usize = 80;
/// So many global variables, for a function names no more than 60 variables of others.
const MAX_GLOBAL_COMPANIONS: usize = 30;

impl Parser<'_> {
    /// Takes over what is known of the global names that the text says nothing of. Returns the
    /// others, with what stands for each.
    pub(super) fn learn(&mut self, known: &dyn Fn(&[u8]) -> bool) -> Vec<(Vec<u8>, LocalId)> {
        let functions = self.results.iter().filter_map(|(name, id)| match name {
            FunctionName::Global(name) => Some(([name, FUNCTION].concat(), *id)),
            FunctionName::Local(_) => None,
        });
        let all: Vec<(Vec<u8>, LocalId)> = functions.chain(self.globals.iter().cloned()).collect();
        let (own, others): (Vec<_>, Vec<_>) =
            all.into_iter().partition(|(_, id)| self.floats.is_given(*id));
        let is_known = |name: &[u8]| known(name) && !self.tables.is_in_one_anew(name);
        let known: Vec<_> = others.into_iter().filter(|(name, _)| is_known(name)).collect();
        for (_, id) in known {
            self.floats.give(id, Floats::YES);
        }
        own
    }

    /// All that gives a variable a value says what it is, unless too many variables do so.
    pub(super) fn accompany(&mut self, local: LocalId) {
        if let Some(function) = self.functions.last_mut()
            && function.accompanied < MAX_COMPANIONS
        {
            function.accompanied += 1;
            self.floats.accompany(local);
        }
    }

    /// The same of a global variable that an assignment gives a value: what tells what it holds is
    /// a local variable of the whole text. Returns whether it may have one.
    pub(super) fn accompany_global(&mut self, global: LocalId) -> bool {
        let is_known = self.accompanied_globals.contains(&global);
        if !is_known && self.accompanied_globals.len() < MAX_GLOBAL_COMPANIONS {
            self.accompanied_globals.push(global);
            self.floats.accompany(global);
            if self.scopes.len() > 1 {
                // What another text has given it may still be there.
                self.floats.leave_open(global);
            }
            return true;
        }
        is_known
    }

    /// Declares what tells what global variables hold.
    pub(super) fn accompany_from_the_start(&mut self, known: &dyn Fn(&[u8]) -> bool) {
        let accompanied = std::mem::take(&mut self.accompanied_globals);
        let is_float = |id: &LocalId| self.globals.name(*id).is_some_and(known);
        let globals = accompanied.iter().map(|id| (*id, is_float(id))).collect();
        self.edits.companions_of_globals(globals);
    }

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
        let name = match self.globals.name(variable) {
            Some(name) => FunctionName::Global(name.to_vec()),
            None => FunctionName::Local(variable),
        };
        if let Some(result) = self.results.get(&name) {
            self.floats.give(*result, Floats::NO);
        }
    }

    /// The same for a function that is defined under a name: what the name stood for before is
    /// another one.
    pub(super) fn defined(&mut self, local: Option<LocalId>, path: &[u8]) -> Option<LocalId> {
        let variable = local.or(self.globals.id(path));
        let result = self.result_of(local, Some(path))?;
        if local.is_none() {
            self.is_defined_in_tables(path, result);
        }
        if variable.is_some_and(|variable| self.floats.is_given(variable)) {
            self.floats.give(result, Floats::NO);
        }
        Some(result)
    }

    /// What the next parameter of a local function is: a float, if that is all that it is ever
    /// called with.
    pub(super) fn parameter_of(&mut self, function: LocalId) -> FloatId {
        let argument = self.floats.new_local();
        self.arguments.entry(function).or_default().push(argument);
        self.floats.local(argument)
    }

    /// A local variable is called; if it is a function whose parameters are known, these are what
    /// it gets.
    pub(super) fn is_called_with(&mut self, variable: LocalId, values: &[FloatId]) {
        for (index, argument) in self.arguments.get(&variable).into_iter().flatten().enumerate() {
            match values.get(index) {
                Some(value) => self.floats.give(*argument, *value),
                // Perhaps results of the last call.
                None if !values.is_empty() => self.floats.give(*argument, Floats::NO),
                None => {}
            }
        }
    }

    /// A local variable is used otherwise: if it is such a function, anybody may call it.
    pub(super) fn may_be_called_anywhere(&mut self, variable: LocalId) {
        for argument in self.arguments.get(&variable).into_iter().flatten() {
            self.floats.give(*argument, Floats::NO);
        }
    }
}
