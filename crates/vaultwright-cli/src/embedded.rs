//! What packages for other languages ask of the program beside running it: values in place of text.
//! Words are those of the program's own command line, so that there is one way to say them.

use std::ffi::OsString;

use clap::Parser;
use vaultwright::map::MapId;
use vaultwright::{Engine, Problem};

use crate::arguments::{Arguments, Command};
use crate::{Failure, Itself, batch, check, coverage, data_root, odds, session};

/// Returns an engine with all maps of the pack and the files that options such as `--data`,
/// `--rules` and `--file` name, and what is wrong with them. Nothing is printed.
pub fn open(options: &[OsString], itself: Itself) -> Result<(Engine, Vec<Problem>), Failure> {
    let mut arguments = parsed("mapstat", options)?;
    arguments.common.itself = itself;
    batch::pack_and_problems(&arguments.common)
}

/// Returns what `vaultwright check` finds with these words.
pub fn findings(words: &[OsString]) -> Result<Vec<Problem>, Failure> {
    let arguments = parsed("check", words)?;
    match &arguments.command {
        Command::Check(options) => {
            let given = check::Given::read(options)?;
            Ok(check::find(&arguments.common, options, &given, check::Depth::of(options))?.problems)
        }
        _ => Ok(Vec::new()),
    }
}

/// Returns the map of this name; the error has the closest one, or what keeps it from compiling.
pub fn map_named(engine: &Engine, name: &str) -> Result<MapId, Failure> {
    session::map_named(&engine.library(), name)
}

/// Returns what so many rolls of a map come to, as `vaultwright coverage --format json` tells it.
pub fn coverage_json(
    engine: &mut Engine,
    map: MapId,
    rolls: u64,
    first_seed: u64,
) -> Option<String> {
    coverage::as_json(engine, map, rolls, first_seed)
}

/// Returns how probable a map is on some levels, or on all, as `vaultwright odds --format json`
/// tells it.
pub fn odds_json(engine: &Engine, map: MapId, ranges: &[String]) -> Result<String, Failure> {
    Ok(odds::as_json(engine, map, ranges)?.to_string())
}

fn parsed(command: &str, words: &[OsString]) -> Result<Arguments, Failure> {
    let own = ["vaultwright", command].map(OsString::from);
    let mut arguments = Arguments::try_parse_from(own.iter().chain(words))?;
    data_root::settle_quietly(&mut arguments)?;
    Ok(arguments)
}
