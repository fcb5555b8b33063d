//! What `check` needs of files that do not change: their compiled maps, and what is found in each
//! map by itself. It is kept of the last check of a pack.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use vaultwright::syntax::Source;
use vaultwright::{Code, Compiled, Engine, LoadedChanged, Problem, SourceFile, lint};
use vaultwright_files::Store;

use crate::arguments::Common;
use crate::cache;
use crate::check_kept::{KeptProblem, codes};

/// Where the parts of a pack are kept, if anywhere.
pub struct CacheEntry {
    store: Store,
    key: [u8; 32],
}

/// What was found in a file.
#[derive(Default, Serialize, Deserialize)]
struct KeptFile {
    /// The maps that were looked at by themselves, by number.
    maps: Vec<usize>,
    /// Those of them whose drawing is not one.
    torn: Vec<usize>,
    problems: Vec<(usize, KeptProblem)>,
    lua: Option<KeptLua>,
}

/// What was found in the Lua of a file.
#[derive(Default, Serialize, Deserialize)]
struct KeptLua {
    problems: Vec<KeptProblem>,
    sought: Vec<lint::SoughtName>,
}

impl CacheEntry {
    /// Returns the entry for a pack whose files have these names.
    pub fn of(common: &Common, sources: &[Source]) -> Option<CacheEntry> {
        let (store, key) = cache::place_of_names(common, sources, "parts")?;
        Some(CacheEntry { store, key })
    }

    /// Loads files into an engine, of which only those are compiled that are not as they were, and
    /// takes up what is known of the others. `None`, and nothing has happened, if that cannot be.
    pub fn load(
        &self,
        engine: &mut Engine,
        files: &[Arc<SourceFile>],
        known: &mut lint::KeptFindings,
    ) -> Option<LoadedChanged> {
        let kept = self.store.get(&self.key)?;
        let (length, kept) = kept.split_first_chunk()?;
        let (compiled, found) = kept.split_at_checked(usize::from_le_bytes(*length))?;
        let compiled = Compiled::from_bytes(compiled)?;
        let found: BTreeMap<usize, KeptFile> = serde_json::from_slice(found).ok()?;
        let loaded = engine.load_changed(files, compiled)?;
        let codes = codes();
        for (index, kept) in found {
            let file = files.get(index).filter(|_| !loaded.compiled_again.contains(&index));
            if let Some(file) = file {
                kept.take_up(index, file, &codes, known);
            }
        }
        Some(loaded)
    }

    /// Keeps what was compiled and found.
    pub fn keep(
        &self,
        files: &[Arc<SourceFile>],
        compiled: &Compiled,
        known: &lint::KeptFindings,
    ) -> std::io::Result<()> {
        let numbers: HashMap<&str, usize> =
            files.iter().enumerate().map(|(index, file)| (&*file.source.name, index)).collect();
        let mut found: BTreeMap<usize, KeptFile> = BTreeMap::new();
        for of_file in known.iter() {
            let Some(&index) = numbers.get(&*of_file.file.source.name) else { continue };
            found.insert(index, KeptFile::of(&of_file, index));
        }
        let Some(compiled) = compiled.to_bytes() else { return Ok(()) };
        let mut bytes = compiled.len().to_le_bytes().to_vec();
        bytes.extend(compiled);
        serde_json::to_writer(&mut bytes, &found)?;
        self.store.put(&self.key, &bytes)
    }
}

impl KeptFile {
    fn of(of_file: &lint::KeptOfFile, index: usize) -> KeptFile {
        let mut kept = KeptFile::default();
        for of_map in of_file.maps.iter().filter(|of_map| are_lints(of_map.problems)) {
            kept.maps.push(of_map.map);
            if !of_map.is_one_drawing {
                kept.torn.push(of_map.map);
            }
            let own = of_map.problems.iter().map(|problem| KeptProblem::of(problem, index));
            kept.problems.extend(own.map(|problem| (of_map.map, problem)));
        }
        kept.lua = of_file.lua.filter(|lua| are_lints(&lua.problems)).map(|lua| KeptLua {
            problems: lua.problems.iter().map(|p| KeptProblem::of(p, index)).collect(),
            sought: lua.sought.clone(),
        });
        kept
    }

    fn take_up(
        self,
        index: usize,
        file: &Arc<SourceFile>,
        codes: &HashMap<&str, &'static str>,
        known: &mut lint::KeptFindings,
    ) {
        let files = HashMap::from([(index, Arc::clone(file))]);
        let mut problems: HashMap<usize, Vec<Problem>> = HashMap::new();
        for (map, problem) in self.problems {
            let Some(problem) = problem.in_files(&files, codes) else { return };
            problems.entry(map).or_default().push(problem);
        }
        for map in self.maps {
            let problems = problems.remove(&map).unwrap_or_default();
            known.take_up(file, map, problems, !self.torn.contains(&map));
        }
        let Some(lua) = self.lua else { return };
        let problems = lua.problems.into_iter().map(|problem| problem.in_files(&files, codes));
        if let Some(problems) = problems.collect::<Option<_>>() {
            known.take_up_lua(file, lint::LuaFindings { problems, sought: lua.sought });
        }
    }
}

/// Returns whether no problem has a code of compiling, by which it is given its hint.
fn are_lints(problems: &[Problem]) -> bool {
    problems.iter().all(|problem| matches!(problem.code, Code::Lint(_)))
}
