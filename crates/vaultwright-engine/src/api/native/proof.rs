//! Whether functions of the library are those that counterparts are proved equal to.
//!
//! All of a file whose text is known are. In another text of it, of a later release or a fork, a
//! function is if it comes to the same: by its code, what it holds, and what it calls (`reach`).
//! The fingerprints of 0.28's are in `fingerprints.rs`.

use std::collections::HashMap;
use std::ffi::c_void;

use sha2::{Digest, Sha256};
use vaultwright_lua::code::Code;
use vaultwright_lua::mlua::{self, Function, Lua, Table, Value};
use vaultwright_lua::reach::{Counts, reach, reach_of_code};

use super::fingerprints::{FUNCTIONS, WRITTEN};
use crate::state::host::Host;

/// A file of the library that has just run.
pub(super) struct LibraryFile<'a> {
    pub(super) lua: &'a Lua,
    pub(super) host: &'a Host,
    /// Whether its text is one that is known.
    pub(super) is_known: bool,
}

/// Why a function is the one that is known.
#[derive(Clone, Copy, Debug)]
pub(super) enum Proof {
    /// The texts of its file and of these are known.
    Texts(&'static [&'static str]),
    /// It comes to the same.
    Reach,
}

impl Proof {
    /// Whether it holds once all that a level needs has been loaded.
    pub(super) fn holds(self, lua: &Lua) -> bool {
        match self {
            Proof::Texts(files) => files.iter().all(|file| is_known(lua, file)),
            Proof::Reach => true,
        }
    }
}

impl LibraryFile<'_> {
    /// The proof that a function is the one known by a name, whose counterpart relies on other
    /// files as well.
    pub(super) fn proof(
        &self,
        name: &str,
        function: &Function,
        files: &'static [&'static str],
    ) -> mlua::Result<Option<Proof>> {
        self.proof_but(name, function, files, &[])
    }

    /// The same, whatever it holds, and globals are, by some names: what its counterpart calls as
    /// well.
    pub(super) fn proof_but(
        &self,
        name: &str,
        function: &Function,
        files: &'static [&'static str],
        but: &[&str],
    ) -> mlua::Result<Option<Proof>> {
        let is_known = self.is_known && !files.iter().any(|file| is_changed(self.lua, file));
        let proof = match is_known {
            true => Some(Proof::Texts(files)),
            false => self.comes_to_the_same(name, function, but)?.then_some(Proof::Reach),
        };
        #[cfg(test)]
        tests::note_function(name, proof, fingerprint(self.lua, function, but)?);
        Ok(proof)
    }

    /// Whether a function is the one known by a name, whose counterpart relies on no other file.
    pub(super) fn is_proved(&self, name: &str, function: &Function) -> mlua::Result<bool> {
        Ok(self.proof(name, function, &[])?.is_some())
    }

    fn comes_to_the_same(
        &self,
        name: &str,
        function: &Function,
        but: &[&str],
    ) -> mlua::Result<bool> {
        let lua_54 = self.host.content.rules.lua_54;
        let known = FUNCTIONS.iter().find(|known| known.name == name);
        match known.filter(|known| known.lua_54 || !lua_54) {
            Some(known) => Ok(fingerprint(self.lua, function, but)? == Some(known.fingerprint)),
            None => Ok(false),
        }
    }
}

/// What a function is known by: the first half of the hash of all that it comes to; none if that
/// cannot be told.
pub(super) type Fingerprint = u128;

/// A function that has a counterpart.
pub(super) struct Known {
    pub(super) name: &'static str,
    pub(super) fingerprint: Fingerprint,
    /// Whether its counterpart does what it does under Lua 5.4, too.
    pub(super) lua_54: bool,
}

/// A function that is known by where it is written.
pub(super) struct Written {
    pub(super) file: &'static str,
    pub(super) line: usize,
    pub(super) fingerprint: Fingerprint,
}

/// The files that have been loaded.
#[derive(Default)]
struct Loaded {
    /// Those whose text is known.
    known: Vec<&'static str>,
    /// Those whose text is not: the lines on which functions are written that are, and where these
    /// are written in the text that is known.
    changed: HashMap<&'static str, HashMap<usize, usize>>,
}

/// Notes that a file has been loaded with a text that is known.
pub(super) fn remember(lua: &Lua, file: &'static str, _main: &Function) {
    #[cfg(test)]
    tests::note_written(lua, file, _main);
    note(lua, file, |loaded| {
        loaded.changed.remove(file);
        if !loaded.known.contains(&file) {
            loaded.known.push(file);
        }
    });
}

/// Notes that a file has been loaded with another text, and which of its functions are known.
pub(super) fn remember_changed(lua: &Lua, file: &'static str, main: &Function) -> mlua::Result<()> {
    let mut lines = HashMap::new();
    if WRITTEN.iter().any(|written| written.file == file)
        && let Some(main) = Code::of(main)
    {
        let codes = main.all();
        for code in codes.iter().skip(1).take(MAX_FUNCTIONS) {
            let fingerprint = fingerprint_of_code(lua, code)?;
            let is_it =
                |known: &&Written| known.file == file && Some(known.fingerprint) == fingerprint;
            // Of two functions that begin on one line nobody can tell which is which.
            let is_alone = codes.iter().filter(|other| other.line == code.line).count() == 1;
            if let Some(known) = WRITTEN.iter().find(is_it).filter(|_| is_alone) {
                lines.insert(code.line, known.line);
            }
        }
    }
    note(lua, file, |loaded| {
        loaded.known.retain(|known| *known != file);
        loaded.changed.insert(file, lines);
    });
    Ok(())
}

/// How many functions of a file are looked at: more than any of 0.28 has.
const MAX_FUNCTIONS: usize = 500;

fn note(lua: &Lua, file: &'static str, change: impl FnOnce(&mut Loaded)) {
    let mut loaded = lua.remove_app_data::<Loaded>().unwrap_or_default();
    change(&mut loaded);
    lua.set_app_data(loaded);
    // A file that a map loads is loaded again by the next one, and has functions of its own.
    let mut standing = lua.remove_app_data::<Standing>().unwrap_or_default();
    standing.functions.retain(|_, function| function.file != file);
    standing.file = file;
    lua.set_app_data(standing);
}

/// Whether a file has been loaded with a text that is known.
pub(super) fn is_known(lua: &Lua, file: &str) -> bool {
    lua.app_data_ref::<Loaded>().is_some_and(|loaded| loaded.known.contains(&file))
}

/// Whether a file has been loaded with another text.
fn is_changed(lua: &Lua, file: &str) -> bool {
    lua.app_data_ref::<Loaded>().is_some_and(|loaded| loaded.changed.contains_key(file))
}

/// Where a function is written that is known: the file, and the line in the text that is known.
pub(super) fn place_of(lua: &Lua, function: &Function) -> Option<(&'static str, usize)> {
    let info = function.info();
    let (source, line) = (info.source?, info.line_defined?);
    let name = source.trim_start_matches(['=', '@']).strip_prefix("dat/")?;
    let loaded = lua.app_data_ref::<Loaded>()?;
    if let Some(file) = loaded.known.iter().find(|file| **file == name) {
        return Some((file, line));
    }
    let (file, lines) = loaded.changed.get_key_value(name)?;
    Some((file, *lines.get(&line)?))
}

/// Has a counterpart of a function of the file that was loaded last count as that function.
pub(super) fn stands_for(lua: &Lua, counterpart: &Function, interpreted: &Function) {
    let mut standing = lua.remove_app_data::<Standing>().unwrap_or_default();
    let stands_for = StandsFor {
        file: standing.file,
        interpreted: interpreted.clone(),
        _counterpart: counterpart.clone(),
    };
    standing.functions.insert(counterpart.to_pointer(), stands_for);
    lua.set_app_data(standing);
}

/// What counterparts stand for, by their addresses.
#[derive(Default)]
struct Standing {
    /// The file that was loaded last.
    file: &'static str,
    functions: HashMap<*const c_void, StandsFor>,
}

struct StandsFor {
    file: &'static str,
    interpreted: Function,
    /// So that no other function gets its address.
    _counterpart: Function,
}

fn fingerprint(lua: &Lua, function: &Function, but: &[&str]) -> mlua::Result<Option<Fingerprint>> {
    with_names(lua, |counts| Ok(reach(lua, function, but, counts)?.map(|reach| half(&reach))))
}

fn fingerprint_of_code(lua: &Lua, code: &Code) -> mlua::Result<Option<Fingerprint>> {
    with_names(lua, |counts| Ok(reach_of_code(lua, code, counts)?.map(|reach| half(&reach))))
}

fn half(reach: &[u8]) -> Fingerprint {
    let hash = Sha256::digest(reach);
    hash.iter().take(16).fold(0, |half, byte| half << 8 | u128::from(*byte))
}

fn with_names<T>(
    lua: &Lua,
    use_them: impl FnOnce(&dyn Fn(&Function) -> Option<Counts>) -> mlua::Result<T>,
) -> mlua::Result<T> {
    if lua.app_data_ref::<HostNames>().is_none() {
        lua.set_app_data(HostNames::of(lua)?);
    }
    let standing = lua.app_data_ref::<Standing>();
    let names = lua.app_data_ref::<HostNames>();
    use_them(&|function| {
        let address = function.to_pointer();
        if let Some(stands_for) = standing.as_ref().and_then(|all| all.functions.get(&address)) {
            return Some(Counts::As(stands_for.interpreted.clone()));
        }
        if is_of_library(function) {
            return Some(Counts::AsItIs);
        }
        names.as_ref()?.0.get(&address).map(|(name, _)| Counts::Named(name.clone()))
    })
}

/// The functions of the host and of Lua that are found by a global name, or in a table that is: of
/// several names the first.
///
/// The functions are held, so that no other gets their address.
struct HostNames(HashMap<*const c_void, (String, Function)>);

impl HostNames {
    fn of(lua: &Lua) -> mlua::Result<HostNames> {
        let mut names = Vec::new();
        for pair in lua.globals().pairs::<Value, Value>() {
            let (Value::String(name), value) = pair? else { continue };
            let name = name.to_string_lossy();
            match value {
                Value::Function(function) => names.push((name, function)),
                Value::Table(table) => names.extend(members(&name, &table)?),
                _ => {}
            }
        }
        names.retain(|(_, function)| !is_of_library(function));
        names.sort_by(|a, b| b.0.cmp(&a.0));
        let named = names.into_iter().map(|named| (named.1.to_pointer(), named));
        Ok(HostNames(named.collect()))
    }
}

fn members(name: &str, table: &Table) -> mlua::Result<Vec<(String, Function)>> {
    let mut members = Vec::new();
    for pair in table.pairs::<Value, Value>() {
        if let (Value::String(member), Value::Function(function)) = pair? {
            members.push((format!("{name}.{}", member.to_string_lossy()), function));
        }
    }
    Ok(members)
}

fn is_of_library(function: &Function) -> bool {
    let source = function.info().source;
    source.is_some_and(|source| source.trim_start_matches(['=', '@']).starts_with("dat/"))
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;
    use std::collections::{BTreeMap, BTreeSet};
    use std::path::Path;

    use vaultwright_content::Edition;

    use super::super::super::loading;
    use super::*;
    use crate::pack::sources::LIBRARY;
    use crate::{DataRoot, Engine, EngineOptions};

    /// The library of 0.28, where it is installed.
    const INSTALLED: &str = "/usr/share/crawl/dat";

    /// What is noted of the functions of library files as they are loaded.
    #[derive(Default)]
    struct Noted {
        functions: BTreeMap<String, (Option<Proof>, Option<Fingerprint>)>,
        written: BTreeMap<(&'static str, usize), Option<Fingerprint>>,
    }

    thread_local! {
        static NOTED: RefCell<Option<Noted>> = const { RefCell::new(None) };
    }

    pub(super) fn note_function(
        name: &str,
        proof: Option<Proof>,
        fingerprint: Option<Fingerprint>,
    ) {
        NOTED.with_borrow_mut(|noted| {
            if let Some(noted) = noted {
                noted.functions.insert(name.to_owned(), (proof, fingerprint));
            }
        });
    }

    pub(super) fn note_written(lua: &Lua, file: &'static str, main: &Function) {
        if NOTED.with_borrow(|noted| noted.is_none()) {
            return;
        }
        let mut codes = vec![Code::of(main).expect("a file's code")];
        while let Some(code) = codes.pop() {
            let fingerprint = fingerprint_of_code(lua, &code).expect("no error");
            NOTED.with_borrow_mut(|noted| {
                let noted = noted.as_mut().expect("it is noted");
                noted.written.insert((file, code.line), fingerprint);
            });
            codes.extend(code.inner);
        }
    }

    /// What is noted of a library while the pack with it is loaded.
    fn noted(root: &Path) -> (Engine, Noted) {
        NOTED.set(Some(Noted::default()));
        let options = EngineOptions { edition: Some(Edition::V0_28), ..EngineOptions::default() };
        let root = DataRoot::Directory(root.to_owned());
        let engine = Engine::open_with(EngineOptions { root, ..options }).expect("an engine");
        (engine, NOTED.take().expect("it is noted"))
    }

    /// The folder of 0.28; none where it is not installed.
    fn installed() -> Option<&'static Path> {
        let root = Path::new(INSTALLED);
        let is_there = root.is_dir();
        if !is_there {
            eprintln!("SKIPPED: crawl-common is not installed");
        }
        is_there.then_some(root)
    }

    /// A tree with the vaults of 0.28, and its library with other texts.
    fn fork(change: impl Fn(&str, String) -> String) -> Option<tempfile::TempDir> {
        let installed = installed()?;
        let fork = tempfile::tempdir().expect("a folder");
        std::os::unix::fs::symlink(installed.join("des"), fork.path().join("des")).expect("a link");
        let folders = ["dlua", "dlua/layout"];
        for folder in folders {
            std::fs::create_dir(fork.path().join(folder)).expect("a folder");
            for entry in std::fs::read_dir(installed.join(folder)).expect("a folder") {
                let entry = entry.expect("an entry");
                let name = format!("{folder}/{}", entry.file_name().display());
                if name.ends_with(".lua") {
                    let text = std::fs::read_to_string(entry.path()).expect("a text");
                    std::fs::write(fork.path().join(&name), change(&name, text)).expect("a file");
                }
            }
        }
        Some(fork)
    }

    #[test]
    fn fingerprints_are_those_of_the_library_of_0_28() {
        let Some(root) = installed() else { return };
        let (_, noted) = noted(root);
        let name = |known: &Known| format!("known(\"{}\", ", known.name);
        let place = |known: &Written| format!("written(\"{}\", {}, ", known.file, known.line);
        let found = |fingerprint: Option<Fingerprint>| fingerprint.unwrap_or(0);
        let functions = FUNCTIONS
            .iter()
            .map(|known| (name(known), known.fingerprint, found(noted.functions[known.name].1)));
        let written = WRITTEN.iter().map(|known| {
            (place(known), known.fingerprint, found(noted.written[&(known.file, known.line)]))
        });
        let all: Vec<(String, Fingerprint, Fingerprint)> = functions.chain(written).collect();
        if std::env::var_os("VAULTWRIGHT_BLESS").is_some() {
            return bless(&all);
        }
        for (what, known, found) in all {
            assert_eq!(known, found, "{what}...");
        }
        assert_eq!(noted.functions.len(), FUNCTIONS.len());
    }

    /// Writes what has been found into `fingerprints.rs`.
    fn bless(all: &[(String, Fingerprint, Fingerprint)]) {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/api/native/fingerprints.rs");
        let text = std::fs::read_to_string(&file).expect("the fingerprints");
        let lines = text.lines().map(|line| {
            let row = all.iter().find(|(what, ..)| line.trim_start().starts_with(what));
            let Some((what, _, found)) = row else { return line.to_owned() };
            let hex = format!("{found:032x}");
            let parts: Vec<&str> = (0..4).map(|part| &hex[part * 8..part * 8 + 8]).collect();
            let rest = line.split_once("0x").map_or("", |(_, rest)| rest);
            let rest = rest.trim_start_matches(|c: char| c.is_ascii_hexdigit() || c == '_');
            format!("    {what}0x{}{rest}", parts.join("_"))
        });
        let text: String = lines.map(|line| line + "\n").collect();
        std::fs::write(file, text).expect("a file");
    }

    #[test]
    fn of_one_file_no_two_functions_have_the_same() {
        let all: BTreeSet<(&str, Fingerprint)> =
            WRITTEN.iter().map(|known| (known.file, known.fingerprint)).collect();
        assert_eq!(all.len(), WRITTEN.len());
    }

    #[test]
    fn a_library_with_other_comments_and_lines_is_known_by_its_functions() {
        let Some(fork) = fork(|_, text| format!("-- Of a fork.\n\n{text}")) else { return };
        let (engine, noted) = noted(fork.path());
        assert_eq!(noted.functions.len(), FUNCTIONS.len());
        for (name, (proof, _)) in &noted.functions {
            assert!(matches!(proof, Some(Proof::Reach)), "{name}: {proof:?}");
        }
        let loaded = engine.interpreter.lua().app_data_ref::<Loaded>().expect("files");
        assert_eq!(loaded.known, [""; 0]);
        for known in WRITTEN {
            let line = loaded.changed[known.file].get(&(known.line + 2));
            assert_eq!(line, Some(&known.line), "{}:{}", known.file, known.line);
        }
    }

    #[test]
    fn of_a_file_that_is_loaded_again_only_the_last_functions_are_held() {
        let mut engine = Engine::open(DataRoot::Embedded).expect("an engine");
        let file = "dlua/layout/zonify.lua";
        let (_, text) = LIBRARY.iter().find(|(name, _)| *name == file).expect("our own");
        let mut load = || {
            let lua = engine.interpreter.lua().clone();
            loading::run(&lua, &mut engine.host, file, text.as_bytes()).expect("no error");
            let standing = lua.app_data_ref::<Standing>().expect("counterparts");
            standing.functions.len()
        };
        let first = load();
        assert!(first >= 4);
        assert_eq!((load(), load()), (first, first));
    }

    #[test]
    fn what_has_changed_is_not_known_nor_is_what_comes_to_it() {
        let change = |name: &str, text: String| match name {
            "dlua/v_paint.lua" => format!(
                "{text}\nlocal old = vaults_set_usage\n\
                 function vaults_set_usage(...) return old(...) end\n"
            ),
            "dlua/iter.lua" => format!(
                "{text}\nlocal next = iter.rectangle_iterator.next\n\
                 function iter.rectangle_iterator:next() return next(self) end\n"
            ),
            _ => text,
        };
        let Some(fork) = fork(change) else { return };
        let (_, noted) = noted(fork.path());
        let unknown = noted.functions.iter().filter(|(_, (proof, _))| proof.is_none());
        let unknown: Vec<&str> = unknown.map(|(name, _)| name.as_str()).collect();
        let expected =
            ["iter.rectangle_iterator.new", "place_vaults_room alone", "vaults_maybe_place_vault"];
        assert_eq!(unknown, expected);
    }
}
