//! `vaultwright fmt`.

use std::path::{Path, PathBuf};

use vaultwright::MAX_SOURCE_BYTES;
use vaultwright::syntax::{format_whole, without_mark};
use vaultwright_files::{Links, Skipped, read_within, walk, write_whole};

use crate::arguments::FmtOptions;
use crate::{Failure, IoFailure, Outcome, output};

pub fn run(options: &FmtOptions) -> Result<Outcome, Failure> {
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
