//! The global names of a text, and the functions in tables that are reached by one.

use std::collections::{HashMap, HashSet};

use super::expression::Value;
use super::floats::{Floats, LocalId};
use super::known::tables_of;
use super::parser::Parser;

/// The global variables that a text names.
#[derive(Default)]
pub(super) struct Globals {
    list: Vec<(Vec<u8>, LocalId)>,
    /// The place of each in the list.
    by_name: HashMap<Vec<u8>, usize>,
    by_id: HashMap<LocalId, usize>,
}

impl Globals {
    pub(super) fn add(&mut self, name: &[u8], id: LocalId) {
        self.by_name.insert(name.to_vec(), self.list.len());
        self.by_id.insert(id, self.list.len());
        self.list.push((name.to_vec(), id));
    }

    pub(super) fn id(&self, name: &[u8]) -> Option<LocalId> {
        self.by_name.get(name).map(|&at| self.list[at].1)
    }

    pub(super) fn name(&self, id: LocalId) -> Option<&[u8]> {
        self.by_id.get(&id).map(|&at| &*self.list[at].0)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &(Vec<u8>, LocalId)> {
        self.list.iter()
    }
}

/// The tables of a text, each with its dot, as [`tables_of`] gives them.
#[derive(Default)]
pub(super) struct Tables {
    /// What stands for the results of the functions that were defined in each.
    functions: HashMap<Vec<u8>, Vec<LocalId>>,
    /// Those that the text sets anew.
    anew: HashSet<Vec<u8>>,
    /// Those of them that a function sets anew, which may be called at any time.
    anew_later: HashSet<Vec<u8>>,
}

impl Tables {
    /// Returns whether the text sets a table anew that a name lies in.
    pub(super) fn is_in_one_anew(&self, name: &[u8]) -> bool {
        tables_of(name).any(|table| self.anew.contains(table))
    }

    pub(super) fn anew(&self) -> impl Iterator<Item = &Vec<u8>> {
        self.anew.iter()
    }
}

impl Parser<'_> {
    /// What stands for a global variable: one that is given floats in this text, and nothing else,
    /// holds one where it is written out.
    pub(super) fn global(&mut self, name: &[u8]) -> LocalId {
        if let Some(id) = self.globals.id(name) {
            return id;
        }
        let id = self.floats.new_local();
        self.globals.add(name, id);
        id
    }

    /// A function of a table was defined: it is another one when the table is.
    pub(super) fn is_defined_in_tables(&mut self, path: &[u8], result: LocalId) {
        for table in tables_of(path) {
            if self.tables.anew_later.contains(table) {
                self.floats.give(result, Floats::NO);
            }
            match self.tables.functions.get_mut(table) {
                Some(functions) => functions.push(result),
                None => _ = self.tables.functions.insert(table.to_vec(), vec![result]),
            }
        }
    }

    /// A global variable, or a field that is reached by one, is given a value: it is no function
    /// any more whose results are known, and neither are its fields.
    pub(super) fn is_assigned(&mut self, target: &Value, value: Option<&Value>) {
        let Some(path) = &target.path else { return };
        if target.local.is_none()
            && let Some(result) = self.result_of(None, Some(path))
        {
            self.floats.give(result, Floats::NO);
        }
        if value.is_some_and(|value| self.is_kept(target, value)) {
            return;
        }
        let table = [path, b".".as_slice()].concat();
        for result in self.tables.functions.remove(&table).into_iter().flatten() {
            self.floats.give(result, Floats::NO);
        }
        if self.functions.len() > 1 {
            self.tables.anew_later.insert(table.clone());
        }
        self.tables.anew.insert(table);
    }

    /// Returns whether a value is what was there before, if that was anything: `a = a or {}`.
    fn is_kept(&self, target: &Value, value: &Value) -> bool {
        let target = &self.text[target.start..target.end];
        let rest = self.text[value.start..value.end].strip_prefix(target);
        let rest = rest.filter(|rest| rest.first().is_some_and(u8::is_ascii_whitespace));
        let rest = rest.and_then(|rest| rest.trim_ascii_start().strip_prefix(b"or"));
        rest.is_some_and(|rest| !rest.first().is_some_and(u8::is_ascii_alphanumeric))
    }
}
