//! `vaultwright fmt`.

use vaultwright::syntax::{format, parse};

use crate::arguments::FmtOptions;
use crate::session::files_of;
use crate::{Failure, Outcome};

pub fn run(options: &FmtOptions) -> Result<Outcome, Failure> {
    let mut outcome = Outcome::Clean;
    let mut changed = 0;
    for path in files_of(&options.paths)? {
        let text =
            std::fs::read(&path).map_err(|e| format!("cannot read {}: {e}", path.display()))?;
        let file = parse(&text);
        if file.errors.iter().any(|error| !error.warning) {
            eprintln!("{}: not formatted, it has errors (see vaultwright check)", path.display());
            outcome = Outcome::Findings;
            continue;
        }
        let formatted = format(&text);
        if formatted == text {
            continue;
        }
        changed += 1;
        if options.check {
            println!("{}: would be formatted", path.display());
            outcome = Outcome::Findings;
        } else {
            write_whole(&path, &formatted)?;
            println!("{}: formatted", path.display());
        }
    }
    if changed == 0 && matches!(outcome, Outcome::Clean) {
        println!("nothing to format");
    }
    Ok(outcome)
}

/// Writes beside the file and renames, so that an interruption loses nothing.
fn write_whole(path: &std::path::Path, bytes: &[u8]) -> Result<(), Failure> {
    let mut beside = path.as_os_str().to_owned();
    beside.push(".vaultwright-new");
    let beside = std::path::PathBuf::from(beside);
    let failed = |e: std::io::Error| format!("cannot write {}: {e}", path.display());
    std::fs::write(&beside, bytes).map_err(failed)?;
    if let Ok(metadata) = std::fs::metadata(path) {
        std::fs::set_permissions(&beside, metadata.permissions()).map_err(failed)?;
    }
    std::fs::rename(&beside, path).map_err(failed)?;
    Ok(())
}
