//! `vaultwright check`.

use std::collections::HashSet;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use vaultwright::map::MapId;
use vaultwright::syntax::Source;
use vaultwright::{
    DataRoot, Engine, Problem, ReachedMaps, ReadError, Severity, SourceFile, lint, reachable_maps,
};
use vaultwright_files::Skipped;

use crate::arguments::{CheckFormat, CheckOptions, Common, OwnFiles, Profile};
use crate::check_fix::Fixes;
use crate::output::{Colours, counted_or_no};
use crate::progress::Bar;
use crate::session::{
    Broken, broken_line, engine_options, parse_all, sources_and_skipped, sources_with, unread_line,
};
use crate::settings::Settings;
use crate::{
    Failure, Outcome, UsageError, baseline, check_deep, check_kept, check_parts, output, report,
    watch,
};

/// What one run over the files found.
pub struct Findings {
    pub problems: Vec<Problem>,
    pub files: usize,
    pub maps: usize,
    /// How many maps of other files, which these need, do not compile.
    pub others: usize,
    /// That monsters of the tree are not read, if only some files of it are looked at.
    pub unread: Option<String>,
    /// What scripts have printed.
    pub messages: Vec<String>,
    /// That nothing of this can be kept, though the user has asked for it.
    pub unkept: Option<String>,
}

/// Returns whether a path only leads downwards. A project from elsewhere writes nowhere else.
fn stays_below(path: &str) -> bool {
    let plain = |part: Component| matches!(part, Component::Normal(_) | Component::CurDir);
    Path::new(path).components().all(plain)
}

pub fn run(common: &Common, options: &CheckOptions) -> Result<Outcome, Failure> {
    let settings = Settings::around(&options.paths)?;
    let mut options = options.clone();
    if options.paths.is_empty() {
        options.paths = settings.paths.iter().map(|path| settings.path(path)).collect();
    }
    options.profile = options.profile.or(settings.profile);
    let own = settings.baseline.as_ref().map(|baseline| settings.path(baseline));
    if let Some(named) = settings.baseline.as_deref().filter(|_| options.write_baseline)
        && options.baseline.is_none()
        && !stays_below(named)
    {
        let message = format!("vaultwright.toml has its baseline elsewhere: name {named} yourself");
        return Err(UsageError(format!("{message}, with --baseline")).into());
    }
    options.baseline = options.baseline.or(own);
    let options = &options;
    if options.write_baseline && options.baseline.is_none() {
        return Err(UsageError("--write-baseline needs --baseline FILE".to_owned()).into());
    }
    if options.diff && options.format != CheckFormat::Human {
        return Err(UsageError("--diff prints a difference: leave --format out".to_owned()).into());
    }
    let setting = &options.setting;
    if !options.deep && (setting.at.is_some() || setting.player.description.is_some()) {
        return Err(UsageError("--at and --player need --deep, which rolls maps".to_owned()).into());
    }
    if !options.watch {
        return once(common, options);
    }
    let paths = watched_paths(common, options)?;
    let beside: Vec<PathBuf> =
        Settings::path_around(&options.paths).into_iter().chain(options.baseline.clone()).collect();
    watch::repeat(&paths, &beside, || once(common, options).map(|_| ()))
}

fn watched_paths(common: &Common, options: &CheckOptions) -> Result<Vec<PathBuf>, Failure> {
    let mut paths = options.paths.clone();
    if let DataRoot::Directory(dir) = common.root.clone() {
        paths.push(dir);
    }
    match paths.is_empty() {
        true => Err("--watch needs files to watch, or --data".into()),
        false => Ok(paths),
    }
}

/// How often fixes are made of what is left after fixes: some hide others.
const MAX_ROUNDS: usize = 16;

fn once(common: &Common, options: &CheckOptions) -> Result<Outcome, Failure> {
    look_once(common, options).or_else(|error| {
        tell_programs(common, options, &error)?;
        Err(error)
    })
}

/// Tells programs, as a finding, what keeps the command from looking at anything; people read it on
/// standard error.
fn tell_programs(common: &Common, options: &CheckOptions, error: &Failure) -> Result<(), Failure> {
    let unread = || error.downcast_ref::<ReadError>().map(lint::unread_file);
    let unusable = || Some(lint::unusable_data(error.downcast_ref()?, &common.root));
    let Some(problem) = unusable().or_else(unread) else { return Ok(()) };
    match written(&[problem], options.format) {
        Some(text) => output::write(None, text.as_bytes()),
        None => Ok(()),
    }
}

/// Returns problems in a format for programs.
fn written(problems: &[Problem], format: CheckFormat) -> Option<String> {
    match format {
        CheckFormat::Human => None,
        CheckFormat::Json => Some(report::json(problems)),
        CheckFormat::Sarif => Some(report::sarif(problems)),
        CheckFormat::Github => Some(report::github(problems)),
    }
}

fn look_once(common: &Common, options: &CheckOptions) -> Result<Outcome, Failure> {
    if options.fix || options.diff {
        return fix(common, options);
    }
    let given = Given::read(options)?;
    let outcome = show(common, options, find(common, options, &given, Depth::of(options))?);
    if common.tiles.is_none() && common.root.has_unknown_tiles() && given.names_tiles(&common.root)
    {
        eprintln!("note: names of tiles are not checked: no rltiles folder lies beside the data");
    }
    outcome
}

fn fix(common: &Common, options: &CheckOptions) -> Result<Outcome, Failure> {
    if options.fix && options.paths.iter().any(|path| path.as_os_str() == "-") {
        return Err(UsageError("standard input cannot be written: use --diff".to_owned()).into());
    }
    if options.paths.is_empty() && !matches!(common.root, DataRoot::Directory(_)) {
        return Err(UsageError("--fix and --diff need files, or --data".to_owned()).into());
    }
    let mut given = Given::read(options)?;
    let (own, mut fixes) = (given.own.clone(), Fixes::default());
    let mut findings = find(common, options, &given, Depth::Quick)?;
    for _ in 0..MAX_ROUNDS {
        if !fixes.make(&findings.problems) {
            break;
        }
        given.own = fixes.applied_to(&own);
        findings = find(common, options, &given, Depth::Quick)?;
    }
    let (count, files) = fixes.counts();
    let what = format!("{} in {}", counted_or_no(count, "problem"), counted_or_no(files, "file"));
    if options.diff {
        fixes.print()?;
        if !fixes.is_empty() {
            eprintln!("{what} would be fixed");
        }
        let errors = findings.problems.iter().any(|p| p.severity == Severity::Error);
        let clean = fixes.is_empty() && !errors;
        return Ok(if clean { Outcome::Clean } else { Outcome::Findings });
    }
    fixes.write()?;
    if !fixes.is_empty() {
        eprintln!("{what} fixed");
    }
    if options.deep {
        findings = find(common, options, &given, Depth::Deep)?;
    }
    show(common, options, findings)
}

fn show(
    common: &Common,
    options: &CheckOptions,
    mut findings: Findings,
) -> Result<Outcome, Failure> {
    match &options.baseline {
        Some(path) if options.write_baseline => {
            baseline::write(path, &findings.problems)?;
            let count = counted_or_no(findings.problems.len(), "finding");
            eprintln!("{count} written to {}", path.display());
            return Ok(Outcome::Clean);
        }
        Some(path) => {
            let gone = baseline::without_known(path, &mut findings.problems)?;
            if gone > 0 {
                let are = if gone == 1 { "is" } else { "are" };
                let (gone, path) = (counted_or_no(gone, "finding"), path.display());
                eprintln!("note: {gone} of {path} {are} not found any more: --write-baseline");
            }
        }
        None => {}
    }
    let errors = findings.problems.iter().filter(|p| p.severity == Severity::Error).count();
    let warnings = findings.problems.len() - errors;
    let out = written(&findings.problems, options.format)
        .unwrap_or_else(|| report::human(&findings.problems, Colours::wanted(common)));
    output::write(None, out.as_bytes())?;
    output::script_messages(findings.messages);
    if options.format == CheckFormat::Human {
        output::line(format_args!(
            "{} in {}: {}, {}",
            counted_or_no(findings.maps, "map"),
            counted_or_no(findings.files, "file"),
            counted_or_no(errors, "error"),
            counted_or_no(warnings, "warning")
        ))?;
    }
    if let Some(line) = broken_line(findings.others, Broken::Others) {
        eprintln!("warning: {line}");
    }
    if findings.files == 0 {
        eprintln!("warning: there are no files of vaults (*.des) here");
    }
    for line in [&findings.unread, &findings.unkept].into_iter().flatten() {
        eprintln!("warning: {line}");
    }
    let is_pack = |path: &&PathBuf| path.join("pack.json").is_file();
    if let (Some(pack), true, DataRoot::Bare) =
        (options.paths.iter().find(is_pack), errors > 0, &common.root)
    {
        let pack = pack.display();
        eprintln!(
            "note: {pack} is a pack: `vaultwright check --data {pack}` checks it with its own tables"
        );
    }
    let failed = errors > 0 || (warnings > 0 && options.deny.is_some());
    Ok(if failed { Outcome::Findings } else { Outcome::Clean })
}

/// Returns what is wrong with files that have been read already, as `check` finds it.
pub fn of_sources(
    common: &Common,
    own: &[Source],
    profile: Option<Profile>,
) -> Result<Vec<Problem>, Failure> {
    let mut options = CheckOptions::of(common.own.files.clone());
    options.profile = profile;
    Ok(find(common, &options, &Given::of(own.to_vec(), Vec::new()), Depth::Quick)?.problems)
}

/// What the command is given to look at.
pub struct Given {
    own: Vec<Source>,
    skipped: Vec<Skipped>,
    /// The names of what is asked for; all that there is, if none.
    asked: HashSet<Arc<str>>,
}

impl Given {
    /// Returns whether the files have a word in them that gives a tile; those of the whole root,
    /// if none are given.
    fn names_tiles(&self, root: &DataRoot) -> bool {
        let words: [&[u8]; 2] = [b"TILE", b"tile"];
        let has = |source: &Source| source.text.windows(4).any(|four| words.contains(&four));
        match self.own.is_empty() {
            true => root.des_sources().is_ok_and(|sources| sources.iter().any(has)),
            false => self.own.iter().any(has),
        }
    }

    pub fn read(options: &CheckOptions) -> Result<Given, Failure> {
        let files = options.paths.clone();
        let paths = OwnFiles { files, stdin_filename: options.stdin_filename.clone() };
        let (own, skipped) = sources_and_skipped(&paths)?;
        Ok(Given::of(own, skipped))
    }

    fn of(own: Vec<Source>, skipped: Vec<Skipped>) -> Given {
        let asked = own.iter().map(|source| Arc::clone(&source.name)).collect();
        Given { own, skipped, asked }
    }
}

/// How much is checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
    /// What compiling and lints find.
    Quick,
    /// Also what shows only when maps are rolled and placed.
    Deep,
}

impl Depth {
    pub fn of(options: &CheckOptions) -> Depth {
        if options.deep { Depth::Deep } else { Depth::Quick }
    }
}

pub fn find(
    common: &Common,
    options: &CheckOptions,
    given: &Given,
    depth: Depth,
) -> Result<Findings, Failure> {
    let sources = sources_with(common, given.own.clone())?;
    let mut skipped = common.root.skipped()?;
    skipped.splice(0..0, given.skipped.iter().cloned());
    let asked = (!options.paths.is_empty()).then_some(&given.asked);
    let entry = match depth {
        Depth::Deep => None,
        Depth::Quick => check_kept::CacheEntry::of(common, &sources, asked, options.profile),
    };
    let mut found = match entry.as_ref().and_then(|entry| entry.take(&sources)) {
        Some(found) => found,
        None => {
            let (mut found, kept) = look(common, options, given, depth, sources.clone())?;
            if let Some(entry) = &entry {
                let kept = kept.and_then(|()| entry.keep(&sources, &found));
                found.unkept = kept.err().and_then(|error| entry.unkept_line(common, &error));
            }
            found
        }
    };
    Settings::around(&options.paths)?.apply(&mut found.problems);
    found
        .problems
        .extend(skipped.iter().map(|skipped| lint::skipped_file(&skipped.path, skipped.why)));
    Ok(found)
}

/// Compiles and lints the files. Returns as well whether the parts of that could be kept.
fn look(
    common: &Common,
    options: &CheckOptions,
    given: &Given,
    depth: Depth,
    sources: Vec<Source>,
) -> Result<(Findings, std::io::Result<()>), Failure> {
    let asked = &given.asked;
    let whole_pack = options.paths.is_empty();
    let mut engine = Engine::new(engine_options(common))?;
    let parsed = parse_all(sources.clone());
    let is_asked = |file: &SourceFile| whole_pack || asked.contains(&file.source.name);
    let maps = parsed.iter().filter(|file| is_asked(file)).map(|file| file.tree.maps.len()).sum();
    let files = parsed.iter().filter(|file| is_asked(file)).count();
    engine.note_glyphs();
    let parts = match whole_pack && depth == Depth::Quick {
        true => check_parts::CacheEntry::of(common, &sources),
        false => None,
    };
    let mut known = lint::KeptFindings::default();
    let taken_up = parts.as_ref().and_then(|parts| parts.load(&mut engine, &parsed, &mut known));
    let (mut problems, compiled) = match taken_up {
        Some(loaded) => (loaded.problems, loaded.compiled),
        None => {
            let problems = compile(&mut engine, &parsed, &is_asked);
            (problems, parts.as_ref().and_then(|_| engine.compiled()))
        }
    };
    let others = engine.library().broken.iter().filter(|map| !is_asked(&map.problem.file)).count();
    let unread = if whole_pack { None } else { unread_line(&engine) };
    if whole_pack {
        problems.extend(lint::data_problems(&engine));
    }
    let mut problems = lint::findings_keeping(&mut engine, problems, &is_asked, &mut known);
    let kept = match (&parts, &compiled) {
        (Some(parts), Some(compiled)) => parts.keep(&parsed, compiled, &known),
        _ => Ok(()),
    };
    if options.profile == Some(Profile::Crawl) {
        problems.extend(lint::house_style(&engine, &is_asked));
    }
    if depth == Depth::Deep {
        let library = engine.library();
        let maps = library.iter().filter(|(_, map)| is_asked(&map.file));
        let maps: Vec<MapId> = maps.map(|(index, _)| index).collect();
        let deep = check_deep::problems(&mut engine, &maps, options)?;
        problems.extend(deep);
        problems = lint::sorted(problems, &engine);
    }
    problems = lint::in_order(lint::without_allowed(problems, &parsed, &is_asked));
    // The command ends soon: taking the interpreter apart would only take time.
    let messages = engine.take_placed_messages();
    std::mem::forget(engine);
    Ok((Findings { problems, files, maps, others, unread, messages, unkept: None }, kept))
}

/// Compiles the files asked for, and of the rest what their subvaults reach.
fn compile(
    engine: &mut Engine,
    parsed: &[Arc<SourceFile>],
    is_asked: &dyn Fn(&SourceFile) -> bool,
) -> Vec<Problem> {
    let bar = Bar::new(parsed.iter().map(|file| file.tree.maps.len() as u64).sum(), "checking");
    let everything = parsed.iter().all(|file| is_asked(file));
    let reached = if everything {
        ReachedMaps::default()
    } else {
        let asked = parsed.iter().filter(|file| is_asked(file));
        reachable_maps(parsed, &asked.flat_map(|file| names_of(file)).collect::<Vec<_>>())
    };
    let problems = engine.load_files(parsed.to_vec(), &mut |file, map| {
        bar.step();
        everything || is_asked(file) || reached.contain(file, map)
    });
    bar.end();
    problems
}

fn names_of(file: &SourceFile) -> Vec<String> {
    let text = &file.source.text;
    file.tree.maps.iter().map(|map| map.name.str(text).into_owned()).collect()
}
