//! Findings that are known: `check --baseline FILE` tells only others.

use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::path::Path;

use vaultwright::Problem;
use vaultwright::lint::code_of;
use vaultwright_files::{read_regular, read_within, write_whole};

use crate::{Failure, IoFailure, UsageError};

const HEAD: &str =
    "# Findings that `vaultwright check --baseline` leaves out: code, file, map, message\n";
const MAX_BYTES: u64 = 64 << 20;

/// Leaves out the findings that the file has, each as often as it is there. Returns how many of the
/// file are not found any more.
pub fn without_known(path: &Path, problems: &mut Vec<Problem>) -> Result<usize, Failure> {
    let text = read_within(path, MAX_BYTES).map_err(|error| {
        let hint = match error.kind() {
            ErrorKind::NotFound => " (check --write-baseline makes it)",
            _ => "",
        };
        IoFailure(format!("cannot read {}: {error}{hint}", path.display()))
    })?;
    if !is_baseline(&text) {
        return Err(UsageError(no_baseline(path)).into());
    }
    let text = String::from_utf8_lossy(&text);
    let mut known: BTreeMap<&str, usize> = BTreeMap::new();
    for line in text.lines().filter(|line| !line.starts_with('#') && !line.is_empty()) {
        *known.entry(line).or_default() += 1;
    }
    problems.retain(|problem| match known.get_mut(&*line_of(problem, path)) {
        Some(left) if *left > 0 => {
            *left -= 1;
            false
        }
        _ => true,
    });
    Ok(known.values().sum())
}

/// Returns whether a file is a baseline: it has the first line of one, or nothing.
fn is_baseline(text: &[u8]) -> bool {
    let first = text.split(|&byte| byte == b'\n').next().unwrap_or_default();
    first.is_empty() || first.trim_ascii_end() == HEAD.trim_ascii_end().as_bytes()
}

fn no_baseline(path: &Path) -> String {
    let path = path.display();
    format!("{path} is no baseline: --write-baseline writes one where there is no file yet")
}

/// Writes the findings to the file, which is a baseline or does not exist: a project from elsewhere
/// may name any file.
pub fn write(path: &Path, problems: &[Problem]) -> Result<(), Failure> {
    match read_regular(path, MAX_BYTES) {
        Ok(text) if is_baseline(&text) => {}
        Err(error) if error.kind() == ErrorKind::NotFound => {}
        Ok(_) => return Err(UsageError(no_baseline(path)).into()),
        Err(error) => return Err(IoFailure::of("write", path)(error).into()),
    }
    let mut lines: Vec<String> = problems.iter().map(|problem| line_of(problem, path)).collect();
    lines.sort_unstable();
    let text = lines.into_iter().fold(HEAD.to_owned(), |text, line| text + &line + "\n");
    Ok(write_whole(path, text.as_bytes()).map_err(IoFailure::of("write", path))?)
}

/// Returns a finding without its line, which changes with every edit. Files are named from the
/// folder of the baseline.
fn line_of(problem: &Problem, baseline: &Path) -> String {
    let file = Path::new(&*problem.file.source.name);
    let folder = baseline.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new(".")).canonicalize().ok();
    let whole = file.canonicalize().ok();
    let below = whole
        .as_deref()
        .zip(folder.as_deref())
        .and_then(|(file, folder)| file.strip_prefix(folder).ok().map(Path::to_owned));
    let file = below.unwrap_or_else(|| file.to_owned());
    let file = file.to_string_lossy().replace('\\', "/");
    let (code, map) = (code_of(problem), problem.map.as_deref().unwrap_or("-"));
    let line = format!("{code}\t{file}\t{map}\t{}", problem.message);
    line.replace(['\n', '\r'], " ")
}
