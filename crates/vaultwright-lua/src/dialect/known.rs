//! What texts say of global names: functions that give nothing but floats, and variables that hold
//! nothing else, wherever a later text calls or reads them.

use std::collections::HashMap;

use memchr::memmem;

use super::TextOf;

/// Names, functions with their brackets (`half()`), and whether each is always a float.
pub(super) type Facts = HashMap<Vec<u8>, bool>;

/// What has been said so far.
#[derive(Default)]
pub(super) struct Known {
    by_libraries: Facts,
    /// By the Lua outside of maps, for each file.
    by_files: HashMap<usize, Facts>,
}

impl Known {
    /// Keeps what a text says: of libraries the last that says something of a name is right.
    pub(super) fn note(&mut self, said: Facts, of: TextOf) {
        match of {
            TextOf::Library => self.by_libraries.extend(said),
            TextOf::File(file) => _ = self.by_files.insert(file, said),
            TextOf::Map(_) | TextOf::EitherLua | TextOf::Nothing => {}
        }
    }

    /// Returns whether a name that a text says nothing of is always a float there.
    pub(super) fn is_float(&self, name: &[u8], of: TextOf) -> bool {
        let mut facts = self.heard_by(of);
        facts.find_map(|facts| facts.get(name).copied()).unwrap_or(false)
    }

    /// Returns whether a text may have a name that is a float.
    pub(super) fn names_in(&self, text: &[u8], of: TextOf) -> bool {
        let floats = self.heard_by(of).flatten().filter(|(_, is_float)| **is_float);
        floats.into_iter().any(|(name, _)| {
            let name = name.strip_suffix(FUNCTION).unwrap_or(name);
            let last = name.rsplit(|byte| *byte == b'.').next().unwrap_or(name);
            memmem::find(text, last).is_some()
        })
    }

    /// Returns what a text knows; what is said nearest to it first.
    fn heard_by(&self, of: TextOf) -> impl Iterator<Item = &Facts> {
        let own = match of {
            TextOf::File(file) | TextOf::Map(file) => self.by_files.get(&file),
            TextOf::Library | TextOf::EitherLua | TextOf::Nothing => None,
        };
        own.into_iter().chain([&self.by_libraries])
    }
}

/// What the name of a function ends with here.
pub(super) const FUNCTION: &[u8] = b"()";
