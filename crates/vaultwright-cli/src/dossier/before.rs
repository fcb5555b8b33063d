//! The pack as it was before the change, and what the change does to odds.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Stdio};

use vaultwright::map::LevelPlace;
use vaultwright::syntax::Source;
use vaultwright::{Engine, MAX_SOURCE_BYTES, Odds};

use crate::{Failure, IoFailure, UsageError};

/// What git is told wherever it runs: the settings of a folder may come from anybody, and name
/// programs. Settings given here come before those of the folder.
const GIT_SETTINGS: [&str; 5] = [
    "core.fsmonitor=false",
    "core.hooksPath=/dev/null",
    "core.pager=cat",
    "core.alternateRefsCommand=",
    "protocol.allow=never",
];

/// Returns git in a folder, so that it runs no program that the folder names. All of the program
/// that asks git goes through here.
fn git_of(folder: &Path) -> Command {
    let mut git = Command::new("git");
    git.arg("-C").arg(folder).args(["--no-pager", "--no-replace-objects"]);
    for setting in GIT_SETTINGS {
        git.args(["-c", setting]);
    }
    // What is missing stays missing: fetching it would run the programs of the remote. Older
    // versions of git know only the list of protocols, which the folder's settings cannot change.
    git.env("GIT_NO_LAZY_FETCH", "1").env("GIT_ALLOW_PROTOCOL", "none");
    git.env("GIT_TERMINAL_PROMPT", "0").env("GIT_OPTIONAL_LOCKS", "0");
    git.stdin(Stdio::null());
    git
}

/// Returns the files as they were in a revision of git; those that it does not have are left out.
pub fn sources(own: &[Source], base: &str) -> Result<Vec<Source>, Failure> {
    let mut before = Vec::new();
    for source in own {
        let path = Path::new(&*source.name);
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        let folder = folder.unwrap_or(Path::new("."));
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let git = |words: &[&str]| {
            let run = git_of(folder).args(words).output();
            run.map_err(|error| IoFailure(format!("cannot run git: {error}")))
        };
        let commit = format!("{base}^{{commit}}");
        let known = git(&["rev-parse", "--quiet", "--verify", "--end-of-options", &commit])?;
        if !known.status.success() {
            let (folder, why) = (folder.display(), String::from_utf8_lossy(&known.stderr));
            let message = format!("--base: git knows no revision '{base}' in {folder} {why}");
            return Err(UsageError(message.trim_end().to_owned()).into());
        }
        let commit = String::from_utf8_lossy(&known.stdout);
        let object = format!("{}:./{name}", commit.trim());
        let size = git(&["cat-file", "-s", &object])?;
        let size = String::from_utf8_lossy(&size.stdout).trim().parse::<u64>();
        if size.is_ok_and(|size| size > MAX_SOURCE_BYTES) {
            let most = MAX_SOURCE_BYTES >> 20;
            return Err(IoFailure(format!("{object} has more than {most} MiB")).into());
        }
        // Unlike `show`, this asks neither filters nor the settings of the log.
        let shown = git(&["cat-file", "blob", &object])?;
        if shown.status.success() {
            before.push(Source::new(&*source.name, shown.stdout));
        }
    }
    Ok(before)
}

/// Returns the share of every map in the first draw of a level, by name, all ways together.
fn shares(engine: &Engine, place: LevelPlace) -> BTreeMap<String, f64> {
    let Odds { minivaults, vaults, placed, chances } = engine.odds(place);
    let library = engine.library();
    let mut shares = BTreeMap::new();
    for (map, share) in minivaults.into_iter().chain(vaults).chain(placed).chain(chances) {
        let name = library[map].selection.name.clone();
        *shares.entry(name).or_insert(0.0) += share;
    }
    shares
}

/// What a change does to the first draws of some levels.
pub struct Change {
    /// The level's name.
    pub place: String,
    /// The shares of the maps looked at, before and after.
    pub own: Vec<(String, f64, f64)>,
}

/// Returns what a change does to the draws of levels: for each level where a map that `is_own` has
/// a share, before or after; and the sums of what the others lose.
pub fn changes(
    before: &Engine,
    after: &Engine,
    places: &[LevelPlace],
    is_own: impl Fn(&str) -> bool,
) -> (Vec<Change>, Vec<(String, f64)>) {
    let mut rows = Vec::new();
    let mut lost: BTreeMap<String, f64> = BTreeMap::new();
    for &place in places {
        let (old, new) = (shares(before, place), shares(after, place));
        let share =
            |of: &BTreeMap<String, f64>, name: &String| of.get(name).copied().unwrap_or(0.0);
        let mut names: Vec<&String> = old.keys().chain(new.keys()).collect();
        names.sort();
        names.dedup();
        let (own, others): (Vec<&String>, Vec<&String>) =
            names.into_iter().partition(|name| is_own(name));
        let own: Vec<(String, f64, f64)> = own
            .into_iter()
            .map(|name| (name.clone(), share(&old, name), share(&new, name)))
            .filter(|(_, old, new)| *old > 0.0 || *new > 0.0)
            .collect();
        for name in others {
            let loss = share(&old, name) - share(&new, name);
            *lost.entry(name.clone()).or_default() += loss;
        }
        if !own.is_empty() {
            let place = place.name(after.content().branches());
            rows.push(Change { place, own });
        }
    }
    let mut lost: Vec<(String, f64)> = lost.into_iter().filter(|(_, loss)| *loss > 1e-9).collect();
    lost.sort_by(|a, b| b.1.total_cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    (rows, lost)
}
