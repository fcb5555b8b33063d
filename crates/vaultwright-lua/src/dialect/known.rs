//! What texts say of global names: functions that give nothing but floats, and variables that hold
//! nothing else, wherever a later text calls or reads them; and whether `#` may ask a metatable.

use std::collections::HashMap;
use std::rc::Rc;

use memchr::memmem;

use super::TextOf;

/// Names, functions with their brackets (`half()`), and whether each is always a float. A table
/// that is set anew has a dot (`lib.`): nothing said before of its members holds any more.
pub(super) type Facts = HashMap<Vec<u8>, bool>;

/// What has been said so far.
#[derive(Default)]
pub(super) struct Known {
    /// Shared with the snapshots that return to it.
    by_libraries: Rc<Heard>,
    /// By the Lua outside of maps, for each file.
    by_files: HashMap<usize, Heard>,
}

/// What was said by one text, or by the libraries.
#[derive(Clone, Default)]
pub(super) struct Heard {
    facts: Facts,
    /// Each name that is a float, without tables and brackets.
    floats: Vec<Vec<u8>>,
    /// Whether a text has `__len`.
    has_length: bool,
}

impl Known {
    /// Keeps what a text says: of libraries the last that says something of a name is right.
    pub(super) fn note(&mut self, said: Facts, has_length: bool, of: TextOf) {
        match of {
            TextOf::Library if said.is_empty() && !has_length => {}
            TextOf::Library => Rc::make_mut(&mut self.by_libraries).note(said, has_length),
            TextOf::File(file) => {
                let mut heard = Heard::default();
                heard.note(said, has_length);
                self.by_files.insert(file, heard);
            }
            TextOf::Map(_) | TextOf::EitherLua | TextOf::Nothing => {}
        }
    }

    /// Returns whether a name that a text says nothing of is always a float there.
    pub(super) fn is_float(&self, name: &[u8], of: TextOf) -> bool {
        self.heard_by(of).find_map(|heard| heard.says(name)).unwrap_or(false)
    }

    /// Returns whether a text may have a name that is a float, or ask how long something is that
    /// says so itself.
    pub(super) fn concerns(&self, text: &[u8], of: TextOf) -> bool {
        let mut floats = self.heard_by(of).flat_map(|heard| &heard.floats);
        floats.any(|name| memmem::find(text, name).is_some())
            || (self.has_length(of) && memchr::memchr(b'#', text).is_some())
    }

    /// Returns whether `#` in a text must look for a metatable.
    pub(super) fn has_length(&self, of: TextOf) -> bool {
        self.heard_by(of).any(|heard| heard.has_length)
    }

    /// Returns what libraries have said, to return to it.
    pub(super) fn of_libraries(&self) -> Rc<Heard> {
        Rc::clone(&self.by_libraries)
    }

    /// Forgets what libraries have said since then.
    pub(super) fn return_to(&mut self, of_libraries: &Rc<Heard>) {
        self.by_libraries = Rc::clone(of_libraries);
    }

    /// Returns what a text knows; what is said nearest to it first.
    fn heard_by(&self, of: TextOf) -> impl Iterator<Item = &Heard> {
        let own = match of {
            TextOf::File(file) | TextOf::Map(file) => self.by_files.get(&file),
            TextOf::Library | TextOf::EitherLua | TextOf::Nothing => None,
        };
        own.into_iter().chain([&*self.by_libraries])
    }
}

impl Heard {
    fn note(&mut self, said: Facts, has_length: bool) {
        self.facts.retain(|name, _| tables_of(name).all(|table| !said.contains_key(table)));
        self.facts.extend(said);
        self.has_length |= has_length;
        let floats = self.facts.iter().filter(|(_, is_float)| **is_float);
        self.floats = floats.map(|(name, _)| last_of(name).to_vec()).collect();
        self.floats.sort_unstable();
        self.floats.dedup();
    }

    /// Returns whether a name is always a float, if anything was said of it.
    fn says(&self, name: &[u8]) -> Option<bool> {
        let is_anew = || tables_of(name).any(|table| self.facts.contains_key(table));
        self.facts.get(name).copied().or_else(|| is_anew().then_some(false))
    }
}

/// Returns the tables that a name lies in, each with its dot.
pub(super) fn tables_of(name: &[u8]) -> impl Iterator<Item = &[u8]> {
    let dots = memchr::memchr_iter(b'.', name).filter(|&dot| dot + 1 < name.len());
    dots.map(|dot| &name[..=dot])
}

fn last_of(name: &[u8]) -> &[u8] {
    let name = name.strip_suffix(FUNCTION).unwrap_or(name);
    name.rsplit(|byte| *byte == b'.').next().unwrap_or(name)
}

/// What the name of a function ends with here.
pub(super) const FUNCTION: &[u8] = b"()";
