//! `vaultwright scenario`: tests of what vaults do in play.

use std::fmt::Write;
use std::path::Path;
use std::sync::Arc;

use vaultwright::play::{Outcome as ScenarioOutcome, ScenarioFile};
use vaultwright::render::escape_xml;
use vaultwright::{
    Engine, MAX_SOURCE_BYTES, Problem, Severity, SourceFile, reachable_maps, syntax,
};
use vaultwright_files::read_within;

use crate::arguments::{Common, ScenarioFormat, ScenarioOptions};
#[cfg(feature = "explore")]
use crate::arguments::{ExploreOptions, Setting};
#[cfg(feature = "explore")]
use crate::explore;
use crate::output::Colours;
use crate::session::{
    does_not_compile, engine_options, files_ending, in_a_line, parse_all, sources, tell_broken,
};
use crate::timeline::moment_line;
use crate::{Failure, IoFailure, Outcome, cache, output};

/// What became of a file of scenarios.
struct FileResult {
    name: String,
    /// Why the file as a whole could not be run.
    broken: Option<String>,
    outcomes: Vec<ScenarioOutcome>,
}

pub fn run(common: &Common, options: &ScenarioOptions) -> Result<Outcome, Failure> {
    if let Some(record) = &options.record {
        return record_one(common, options, record);
    }
    let files = files_ending(&options.files, "lua")?;
    let parsed = parse_all(sources(common)?);
    let mut results = Vec::new();
    for path in &files {
        results.push(run_file(common, options, path, &parsed)?);
    }
    let text = match options.format {
        ScenarioFormat::Text => text_of(&results, options, Colours::wanted(common)),
        ScenarioFormat::Junit => junit_of(&results),
    };
    match options.format {
        ScenarioFormat::Text => {
            let colours = Colours::wanted(common);
            output::write_text(options.out.as_deref(), &text, colours)?;
        }
        ScenarioFormat::Junit => output::write(options.out.as_deref(), text.as_bytes())?,
    }
    let failed = |file: &FileResult| {
        file.broken.is_some() || file.outcomes.iter().any(|outcome| outcome.failure.is_some())
    };
    // A name that is misspelt passes nothing.
    let is_empty = results.iter().all(|file| file.broken.is_none() && file.outcomes.is_empty());
    if is_empty {
        eprintln!(
            "error: no scenario {}",
            match &options.filter {
                Some(filter) => format!("has '{filter}' in its name"),
                None => "is in these files".to_owned(),
            }
        );
    }
    let fails = is_empty || results.iter().any(failed);
    Ok(if fails { Outcome::Findings } else { Outcome::Clean })
}

/// Plays on a vault or a level, and writes a scenario of it.
#[cfg(feature = "explore")]
fn record_one(
    common: &Common,
    options: &ScenarioOptions,
    record: &Path,
) -> Result<Outcome, Failure> {
    let [what] = &options.files[..] else {
        return Err("--record takes one vault or level, and no files".into());
    };
    if options.script.is_none() && !std::io::IsTerminal::is_terminal(&std::io::stdout()) {
        return Err("--record needs a terminal; with --script FILE it needs none".into());
    }
    let explore = ExploreOptions {
        setting: Setting::default(),
        what: Some(what.to_string_lossy().into_owned()),
        seed: options.seed,
        script: options.script.clone(),
        headless: options.script.is_some(),
        load: None,
        save: "vaultwright.save".into(),
        record: Some(record.to_owned()),
        wander: false,
        own: options.own.clone(),
    };
    explore::run(common, &explore)
}

#[cfg(not(feature = "explore"))]
fn record_one(_: &Common, _: &ScenarioOptions, _: &Path) -> Result<Outcome, Failure> {
    Err(crate::left_out("explore"))
}

fn run_file(
    common: &Common,
    options: &ScenarioOptions,
    path: &Path,
    pack: &[Arc<SourceFile>],
) -> Result<FileResult, Failure> {
    let name = path.to_string_lossy().into_owned();
    let text = read_within(path, MAX_SOURCE_BYTES).map_err(IoFailure::of("read", path))?;
    let text = String::from_utf8_lossy(&text).into_owned();
    let mut engine = Engine::new(engine_options(common))?;
    let mut result = FileResult { name: name.clone(), broken: None, outcomes: Vec::new() };
    let named = named_maps(pack, &text);
    let problems = load_what_it_needs(common, &mut engine, pack, &text, &named);
    let library = engine.library();
    if let Some(broken) = named.iter().find_map(|name| library.find_broken(name)) {
        result.broken = Some(does_not_compile(broken));
        return Ok(result);
    }
    // What stands outside of maps counts in the files whose maps are played.
    let is_played = |file: &SourceFile| {
        let name = |map: &syntax::Map| map.name.str(&file.source.text).into_owned();
        file.tree.maps.iter().any(|map| named.contains(&name(map)))
    };
    let fault = problems.iter().find(|problem| {
        problem.severity == Severity::Error && problem.map.is_none() && is_played(&problem.file)
    });
    if let Some(fault) = fault {
        result.broken = Some(in_a_line(fault));
        return Ok(result);
    }
    tell_broken(&library, &[]);
    match ScenarioFile::load(engine, &name, &text, options.seed) {
        Ok(file) => {
            let filter = options.filter.as_deref().unwrap_or("");
            result.outcomes = file.run(filter, options.seed);
        }
        Err(message) => result.broken = Some(message),
    }
    Ok(result)
}

/// Returns the maps of the pack whose names are words of the text.
fn named_maps(pack: &[Arc<SourceFile>], text: &str) -> Vec<String> {
    let words: std::collections::HashSet<&str> =
        text.split(|c: char| !(c.is_alphanumeric() || c == '_')).collect();
    let named = pack.iter().flat_map(|file| {
        file.tree.maps.iter().map(|map| map.name.str(&file.source.text).into_owned())
    });
    named.filter(|name| words.contains(name.as_str())).collect()
}

/// Returns whether a text places maps whose names it puts together, or gives that function away.
fn places_what_it_does_not_name(text: &str) -> bool {
    let is_of_word = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices("place").any(|(at, word)| {
        let behind = &text[at + word.len()..];
        if text[..at].ends_with(is_of_word) || behind.starts_with(is_of_word) {
            return false;
        }
        let argument = behind.trim_start().trim_start_matches('(').trim_start();
        let Some(quote) = argument.chars().next().filter(|c| matches!(c, '"' | '\'')) else {
            return true;
        };
        let name = argument[1..].split_once(quote);
        name.is_none_or(|(_, rest)| rest.trim_start().starts_with(".."))
    })
}

/// Compiles the maps that are named and what they need, or all of the pack if the text asks for
/// whole levels, or for maps that it does not name.
fn load_what_it_needs(
    common: &Common,
    engine: &mut Engine,
    pack: &[Arc<SourceFile>],
    text: &str,
    named: &[String],
) -> Vec<Problem> {
    let builds = ["level", "travel", "build", "next_level", "take_stairs"];
    let builds_levels = builds.iter().any(|function| text.contains(function));
    if builds_levels || places_what_it_does_not_name(text) {
        return cache::load(common, engine, pack.to_vec());
    }
    if named.is_empty() {
        return Vec::new();
    }
    let reached = reachable_maps(pack, named);
    engine.load_files(pack.to_vec(), &mut |file, map| reached.contain(file, map))
}

fn text_of(results: &[FileResult], options: &ScenarioOptions, colours: Colours) -> String {
    let mut text = String::new();
    let paint = |code: &str, word: &str| match colours {
        Colours::Ansi => format!("\u{1b}[{code}m{word}\u{1b}[0m"),
        Colours::None => word.to_owned(),
    };
    let (mut passed, mut failed) = (0, 0);
    for file in results {
        let _ = writeln!(text, "{}", file.name);
        if let Some(message) = &file.broken {
            failed += 1;
            let _ = writeln!(text, "  {} {message}", paint("31", "BROKEN"));
        }
        for outcome in &file.outcomes {
            let Some(failure) = &outcome.failure else {
                passed += 1;
                let _ = writeln!(text, "  {}     {}", paint("32", "ok"), outcome.name);
                tell(&mut text, outcome, options);
                continue;
            };
            failed += 1;
            let _ = writeln!(text, "  {} {}", paint("31", "FAILED"), outcome.name);
            tell(&mut text, outcome, options);
            let line = failure.line.map_or(String::new(), |line| format!(":{line}"));
            let _ = writeln!(text, "    {}{line}: {}", file.name, failure.message);
            if !failure.unread.is_empty() {
                let _ = writeln!(text, "    said since: {}", failure.unread.join(" / "));
            }
            let shown = failure.timeline.len().saturating_sub(options.timeline);
            for moment in &failure.timeline[shown..] {
                let _ = writeln!(text, "    {}", moment_line(moment));
            }
            for row in &failure.picture {
                let _ = writeln!(text, "    |{row}");
            }
            let _ = writeln!(
                text,
                "    again: vaultwright scenario {} --filter {:?} --seed {}",
                file.name, outcome.name, options.seed
            );
        }
    }
    let _ = writeln!(text, "{passed} passed, {failed} failed");
    text
}

/// Adds what was said in a scenario, if that is asked for.
fn tell(text: &mut String, outcome: &ScenarioOutcome, options: &ScenarioOptions) {
    for said in outcome.said.iter().filter(|_| options.verbose) {
        let _ = writeln!(text, "    said: {said}");
    }
}

/// Returns the report in the format that continuous integration reads.
fn junit_of(results: &[FileResult]) -> String {
    let mut text = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n");
    for file in results {
        let broken = usize::from(file.broken.is_some());
        let failures = file.outcomes.iter().filter(|outcome| outcome.failure.is_some()).count();
        let _ = writeln!(
            text,
            "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{failures}\" errors=\"{broken}\">",
            escape_xml(&file.name),
            file.outcomes.len() + broken,
        );
        if let Some(message) = &file.broken {
            let message = escape_xml(message);
            let _ = writeln!(
                text,
                "    <testcase name=\"(file)\"><error message=\"{message}\"/></testcase>"
            );
        }
        for outcome in &file.outcomes {
            let name = escape_xml(&outcome.name);
            match &outcome.failure {
                None => {
                    let _ = writeln!(text, "    <testcase name=\"{name}\"/>");
                }
                Some(failure) => {
                    let line = failure.line.map_or(String::new(), |line| format!(":{line}"));
                    let _ = writeln!(
                        text,
                        "    <testcase name=\"{name}\"><failure message=\"{}\">{}{line}\n{}</failure></testcase>",
                        escape_xml(&failure.message),
                        escape_xml(&file.name),
                        escape_xml(&failure.picture.join("\n")),
                    );
                }
            }
        }
        text.push_str("  </testsuite>\n");
    }
    text.push_str("</testsuites>\n");
    text
}
