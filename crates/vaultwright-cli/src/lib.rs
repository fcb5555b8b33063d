//! The program `vaultwright`. [`run`] is all of it: it reads the command line (`arguments`) and
//! calls the module of the command, which has its name. It is a library so that packages for other
//! languages (`embedded`) bring the program along.

#![cfg_attr(not(test), warn(clippy::expect_used, clippy::panic, clippy::unreachable))]
// Without that feature, what its commands share with others is unused.
#![cfg_attr(not(feature = "campaigns"), allow(dead_code))]

/// Takes the place of the macro of the standard library, which panics where standard error cannot
/// be written, and does not escape control characters of untrusted texts.
macro_rules! eprintln {
    ($($text:tt)*) => { $crate::output::complain(format_args!($($text)*)) };
}

mod arguments;
mod baseline;
mod batch;
mod cache;
#[cfg(feature = "campaigns")]
mod campaign;
mod cell_explain;
mod check;
mod check_deep;
mod check_fix;
mod check_kept;
mod check_parts;
#[cfg(feature = "manual")]
mod completions;
mod coverage;
mod data_root;
mod difference;
#[cfg(feature = "campaigns")]
mod distributions;
#[cfg(feature = "campaigns")]
mod dossier;
mod dump;
#[cfg(feature = "campaigns")]
pub mod embedded;
mod exercise;
mod explain;
#[cfg(feature = "explore")]
mod explore;
mod fmt;
mod games;
mod games_compare;
mod generate;
mod itself;
mod lair;
mod levels;
mod levels_before;
#[cfg(feature = "lsp")]
mod lsp;
#[cfg(feature = "manual")]
mod man;
#[cfg(feature = "campaigns")]
mod odds;
mod output;
mod place;
mod place_check;
mod place_pictures;
mod places;
mod progress;
mod recorded;
mod report;
mod resolve;
mod rows;
mod scenario;
mod session;
mod settings;
mod show;
mod shown;
#[cfg(feature = "studio")]
mod studio;
mod timeline;
mod traces;
#[cfg(feature = "campaigns")]
mod trying;
#[cfg(feature = "watch")]
mod watch;
#[cfg(not(feature = "watch"))]
mod watch {
    use crate::{Failure, Outcome, left_out};

    pub fn repeat(
        _: &[std::path::PathBuf],
        _: &[std::path::PathBuf],
        _: impl FnMut() -> Result<(), Failure>,
    ) -> Result<Outcome, Failure> {
        Err(left_out("watch"))
    }
}

use std::ffi::OsString;

use clap::Parser;

use arguments::{Arguments, Command};
pub use itself::Itself;

/// What a command found.
pub enum Outcome {
    /// Exit code 0.
    Clean,
    /// Exit code 1.
    Findings,
}

/// A message for standard error; exit code 1.
pub type Failure = Box<dyn std::error::Error>;

/// A command line that contradicts itself or asks for what does not exist; exit code 2.
#[derive(Debug)]
pub struct UsageError(pub String);

impl std::fmt::Display for UsageError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for UsageError {}

/// Something that cannot be read or written; exit code 3.
#[derive(Debug)]
pub struct IoFailure(pub String);

impl IoFailure {
    /// Tells what could not be done with which file, and why.
    pub fn of(what: &'static str, path: &std::path::Path) -> impl Fn(std::io::Error) -> IoFailure {
        move |error| IoFailure(format!("cannot {what} {}: {error}", path.display()))
    }
}

impl std::fmt::Display for IoFailure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for IoFailure {}

/// Returns the failure of a command whose feature was left out when the program was built.
#[cfg(not(all(feature = "campaigns", feature = "explore", feature = "watch")))]
fn left_out(feature: &str) -> Failure {
    let all = "`cargo build --release` makes all of it";
    format!("this program was built without its feature `{feature}`: {all}").into()
}

/// Returns the exit code of a failure: 2 for a usage error, 3 where something cannot be read or
/// written, 1 for the rest.
fn exit_code(error: &(dyn std::error::Error + 'static)) -> u8 {
    use vaultwright::lair::LairError;
    use vaultwright::{EngineError, ReadError};
    let wrong_size = |error: &LairError| matches!(error, LairError::Size(_));
    let unread_script = |error: &LairError| matches!(error, LairError::Read(..));
    match error {
        _ if error.is::<UsageError>() => 2,
        _ if error.downcast_ref::<LairError>().is_some_and(wrong_size) => 2,
        _ if error.is::<IoFailure>() || error.is::<ReadError>() => 3,
        _ if error.is::<std::io::Error>() => 3,
        _ if error.downcast_ref::<EngineError>().is_some_and(EngineError::is_unread) => 3,
        _ if error.downcast_ref::<LairError>().is_some_and(unread_script) => 3,
        _ => 1,
    }
}

/// Runs the program with the words of a command line, the first of which is its own name. Returns
/// the exit code. A command line that cannot be understood ends the process, as does one that asks
/// for help.
pub fn run(words: impl IntoIterator<Item = OsString>, itself: Itself) -> u8 {
    let mut arguments = Arguments::try_parse_from(words).unwrap_or_else(|error| leave(&error));
    arguments.common.itself = itself;
    if let Err(error) = data_root::settle(&mut arguments) {
        eprintln!("error: {error}");
        return exit_code(&*error);
    }
    let common = &arguments.common;
    let result = match &arguments.command {
        Command::Check(options) => check::run(common, options),
        Command::Dump(options) => dump::run(common, options),
        Command::Resolve(options) => resolve::run(common, options),
        Command::Place(options) => place::run(common, options),
        Command::Levels(options) if options.games => games::run(common, options),
        Command::Levels(options) => levels::run(common, options),
        Command::Generate(options) => generate::run(common, options),
        Command::Lair(options) => lair::run(common, options),
        #[cfg(feature = "campaigns")]
        Command::Mapstat(options) => campaign::mapstat::run(common, options),
        #[cfg(feature = "campaigns")]
        Command::Objstat(options) => campaign::objstat::run(common, options),
        #[cfg(feature = "campaigns")]
        Command::Seeds(options) => campaign::seeds::run(common, options),
        #[cfg(feature = "campaigns")]
        Command::Merge(options) => campaign::merge::run(common, options),
        #[cfg(feature = "campaigns")]
        Command::Worker(options) => campaign::worker::run(common, options),
        #[cfg(feature = "campaigns")]
        Command::Reader(_) => campaign::reader::run(common),
        #[cfg(feature = "explore")]
        Command::Explore(options) => explore::run(common, options),
        Command::Exercise(options) => exercise::run(common, options),
        Command::Scenario(options) => scenario::run(common, options),
        #[cfg(feature = "campaigns")]
        Command::Dossier(options) => dossier::run(common, options),
        Command::Show(options) => show::run(common, options),
        #[cfg(feature = "campaigns")]
        Command::Try(options) => trying::run(common, options),
        #[cfg(feature = "lsp")]
        Command::Lsp => lsp::run(common),
        #[cfg(feature = "studio")]
        Command::Studio(options) => studio::run(common, options),
        #[cfg(feature = "studio")]
        Command::StudioWorker(options) => studio::worker::run(common, options),
        #[cfg(feature = "campaigns")]
        Command::Odds(options) => odds::run(common, options),
        Command::Coverage(options) => coverage::run(common, options),
        Command::Fmt(options) => fmt::run(options),
        Command::Explain(options) => explain::run(options),
        #[cfg(feature = "manual")]
        Command::Completions(options) => completions::run(options),
        #[cfg(feature = "manual")]
        Command::Man(options) => man::run(options),
    };
    match result {
        Ok(Outcome::Clean) => 0,
        Ok(Outcome::Findings) => 1,
        Err(error) if output::is_broken_pipe(&*error) => 0,
        Err(error) => {
            let hint = error.downcast_ref().and_then(vaultwright::lint::data_hint);
            let hint = hint.map_or(String::new(), |hint| format!(" ({hint})"));
            eprintln!("error: {error}{hint}");
            exit_code(&*error)
        }
    }
}

/// Ends the process with what is wrong with a command line, or with the help that it asks for.
fn leave(error: &clap::Error) -> ! {
    // Who cannot be told anything is told nothing.
    let _ = error.print();
    let all =
        cfg!(all(feature = "explore", feature = "lsp", feature = "manual", feature = "studio"));
    if !all && error.kind() == clap::error::ErrorKind::InvalidSubcommand {
        eprintln!(
            "This program was built without some commands: `cargo build --release` makes all."
        );
    }
    std::process::exit(error.exit_code())
}
