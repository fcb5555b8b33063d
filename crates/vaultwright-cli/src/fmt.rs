//! `vaultwright fmt`.

use std::path::{Path, PathBuf};

use vaultwright::MAX_SOURCE_BYTES;
use vaultwright::syntax::{format_whole, without_mark};
use vaultwright_files::{Links, Skipped, read_within, walk, write_whole};

use crate::arguments::FmtOptions;
use crate::session::{STDIN, stdin_source};
use crate::{Failure, IoFailure, Outcome, UsageError, output};

pub fn run(options: &FmtOptions) -> Result<Outcome, Failure> {
    if options.paths.iter().any(|path| path.as_os_str() == STDIN) {
        return match options.paths.len() {
            1 => format_stdin(options.check),
            _ => Err(UsageError("- is standard input, and stands alone".to_owned()).into()),
        };
    }
    let mut outcome = Outcome::Clean;
    let mut changed = 0;
    let (files, skipped) = files_to_format(&options.paths)?;
    for Skipped { path, why } in skipped {
        eprintln!("{}: not formatted: {why}", path.display());
        outcome = Outcome::Findings;
    }
    for path in files {
        let text = read_within(&path, MAX_SOURCE_BYTES).map_err(IoFailure::of("read", &path))?;
        let Some(formatted) = format_whole(without_mark(&text)) else {
            eprintln!("{}: not formatted, it has errors (see vaultwright check)", path.display());
            outcome = Outcome::Findings;
            continue;
        };
        if formatted == text {
            continue;
        }
        changed += 1;
        if options.check {
            output::line(format_args!("{}: would be formatted", path.display()))?;
            outcome = Outcome::Findings;
        } else {
            write_whole(&path, &formatted).map_err(IoFailure::of("write", &path))?;
            output::line(format_args!("{}: formatted", path.display()))?;
        }
    }
    if changed == 0 && matches!(outcome, Outcome::Clean) {
        output::line("nothing to format")?;
    }
    Ok(outcome)
}

/// Writes what standard input says in its canonical layout, or as it is if it has errors.
fn format_stdin(check: bool) -> Result<Outcome, Failure> {
    let source = stdin_source(Path::new(STDIN))?;
    let formatted = format_whole(&source.text);
    if formatted.is_none() {
        eprintln!("standard input: not formatted, it has errors (see vaultwright check)");
    }
    let is_clean = formatted.is_some();
    let text = formatted.unwrap_or_else(|| source.text.to_vec());
    if check {
        let is_changed = *text != *source.text;
        output::line(if is_changed {
            "standard input: would be formatted"
        } else {
            "nothing to format"
        })?;
        return Ok(if is_clean && !is_changed { Outcome::Clean } else { Outcome::Findings });
    }
    output::write(None, &text)?;
    Ok(if is_clean { Outcome::Clean } else { Outcome::Findings })
}

/// Returns the files themselves and those below folders; links are not followed, since what they
/// lead to may be somebody else's.
fn files_to_format(paths: &[PathBuf]) -> Result<(Vec<PathBuf>, Vec<Skipped>), Failure> {
    let (mut files, mut skipped) = (Vec::new(), Vec::new());
    for path in paths {
        if path.is_dir() {
            let below = walk(path, "des", Links::Leave).map_err(IoFailure::of("read", path))?;
            files.extend(below.files);
            skipped.extend(below.skipped);
        } else {
            files.push(path.clone());
        }
    }
    let is_link = |path: &Path| path.is_symlink();
    let (links, files) = files.into_iter().partition(|path| is_link(path));
    let why = "it is a link: name the file it leads to";
    skipped.extend(Vec::into_iter(links).map(|path| Skipped { path, why }));
    Ok((files, skipped))
}
