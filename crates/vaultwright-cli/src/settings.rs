//! `vaultwright.toml`: what a project wants of `check`, found in the folder of its files or above.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use vaultwright::lint::{code_of, explain};
use vaultwright::{Problem, Severity};
use vaultwright_files::read_within;

use crate::arguments::Profile;
use crate::{Failure, IoFailure};

const NAME: &str = "vaultwright.toml";
/// Larger ones are a mistake.
const MAX_BYTES: u64 = 1 << 20;

/// What the file says; paths are relative to its folder.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// The data, as `--data` names it.
    pub data: Option<String>,
    /// Files and folders that are checked when none are named.
    pub paths: Vec<String>,
    /// The house style, as `--profile` names it.
    pub profile: Option<Profile>,
    /// Findings that are known, as `--baseline` names them.
    pub baseline: Option<String>,
    /// What findings of a code are: `error`, `warning`, or `allow` for nothing.
    severity: BTreeMap<String, Level>,
    /// Findings that are allowed in some places.
    allow: Vec<Allowance>,
    /// The folder that the file lies in.
    #[serde(skip)]
    folder: PathBuf,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Level {
    Allow,
    Warning,
    Error,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Allowance {
    code: String,
    map: Option<String>,
    file: Option<String>,
}

impl Settings {
    /// Reads the file in the folder of the first of these files, or the current one, or in the
    /// nearest above that has one. No settings, if there is none.
    pub fn around(files: &[PathBuf]) -> Result<Settings, Failure> {
        match Settings::path_around(files) {
            Some(path) => Settings::read(&path),
            None => Ok(Settings::default()),
        }
    }

    /// Returns the file that [`Settings::around`] reads, if there is one.
    pub fn path_around(files: &[PathBuf]) -> Option<PathBuf> {
        let first = files.iter().find(|file| file.exists());
        let start = first.map_or(Path::new("."), PathBuf::as_path).canonicalize().ok()?;
        start.ancestors().map(|folder| folder.join(NAME)).find(|path| path.is_file())
    }

    fn read(path: &Path) -> Result<Settings, Failure> {
        let shown = path.display();
        let text = read_within(path, MAX_BYTES).map_err(IoFailure::of("read", path))?;
        let text = String::from_utf8(text).map_err(|_| format!("{shown} is not in UTF-8"))?;
        let refused = |error: toml::de::Error| format!("{shown}: {error}");
        let mut settings: Settings = toml::from_str(&text).map_err(refused)?;
        let codes = settings.severity.keys().chain(settings.allow.iter().map(|row| &row.code));
        if let Some(code) = codes.into_iter().find(|code| explain(code).is_none()) {
            return Err(format!("{shown}: no finding has the code '{code}'").into());
        }
        settings.folder = path.parent().map(Path::to_owned).unwrap_or_default();
        Ok(settings)
    }

    /// Returns a path of the file, as the program can use it.
    pub fn path(&self, path: &str) -> PathBuf {
        let path = self.folder.join(path);
        // What lies below is named as somebody there would name it.
        let here = Path::new(".").canonicalize();
        match here.ok().and_then(|here| path.strip_prefix(here).ok().map(Path::to_owned)) {
            Some(below) if !below.as_os_str().is_empty() => below,
            _ => path,
        }
    }

    /// Leaves out what is allowed, and gives findings the severity that the project wants.
    pub fn apply(&self, problems: &mut Vec<Problem>) {
        problems.retain_mut(|problem| {
            let code = code_of(problem);
            let same = |other: &str| other.eq_ignore_ascii_case(code);
            let level = self.severity.iter().find(|(own, _)| same(own)).map(|(_, level)| *level);
            // What does not compile stays an error.
            if problem.severity == Severity::Warning {
                match level {
                    Some(Level::Allow) => return false,
                    Some(Level::Error) => problem.severity = Severity::Error,
                    Some(Level::Warning) | None => {}
                }
            }
            !self.allow.iter().any(|row| same(&row.code) && self.is_about(row, problem))
                || problem.severity == Severity::Error
        });
    }

    fn is_about(&self, row: &Allowance, problem: &Problem) -> bool {
        let file = Path::new(&*problem.file.source.name);
        let of_file = |own: &String| {
            let own = self.folder.join(own);
            file.canonicalize().is_ok_and(|file| file.starts_with(&own)) || file.starts_with(&own)
        };
        row.file.as_ref().is_none_or(of_file)
            && row.map.as_ref().is_none_or(|map| Some(map) == problem.map.as_ref())
    }
}
