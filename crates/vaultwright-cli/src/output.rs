//! Where results go: standard output or a file, in colour or not.

use std::collections::HashMap;
use std::io::{IsTerminal, Write};
use std::path::Path;

use indicatif::{ProgressBar, ProgressStyle};

use crate::Failure;
use crate::arguments::{Common, When};

/// Whether standard output takes colours.
pub fn wants_colour(common: &Common) -> bool {
    colour(common, std::io::stdout().is_terminal())
}

fn colour(common: &Common, terminal: bool) -> bool {
    match common.color {
        When::Always => true,
        When::Never => false,
        When::Auto => terminal && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty()),
    }
}

/// Writes a result.
pub fn write(out: Option<&Path>, bytes: &[u8]) -> Result<(), Failure> {
    match out {
        Some(path) => {
            std::fs::write(path, bytes)
                .map_err(|e| format!("cannot write {}: {e}", path.display()))?;
        }
        None => {
            let mut stdout = std::io::stdout().lock();
            stdout.write_all(bytes)?;
            stdout.flush()?;
        }
    }
    Ok(())
}

/// Passes on what scripts have printed and what went wrong in hooks, on standard error: each text once, the first
/// twenty of them, with how often it was said.
pub fn script_messages(messages: impl IntoIterator<Item = String>) {
    let mut texts: Vec<(String, usize)> = Vec::new();
    let mut index_of: HashMap<String, usize> = HashMap::new();
    for message in messages {
        let index = *index_of.entry(message.clone()).or_insert(texts.len());
        match texts.get_mut(index) {
            Some((_, times)) => *times += 1,
            None => texts.push((message, 1)),
        }
    }
    for (message, times) in texts.iter().take(MOST_TEXTS) {
        match times {
            1 => eprintln!("lua: {message}"),
            times => eprintln!("lua: {message} ({times} times)"),
        }
    }
    if texts.len() > MOST_TEXTS {
        eprintln!("lua: and {} other messages", texts.len() - MOST_TEXTS);
    }
}

/// How many different messages of scripts are told.
const MOST_TEXTS: usize = 20;

/// Whether a reader such as `head` has gone away.
pub fn is_broken_pipe(error: &(dyn std::error::Error + 'static)) -> bool {
    let io = error.downcast_ref::<std::io::Error>();
    io.is_some_and(|io| io.kind() == std::io::ErrorKind::BrokenPipe)
}

/// A progress bar, if standard error is a terminal.
pub fn progress(length: u64, what: &'static str) -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new(length);
    // The template is a constant; a bad one would show in the first run.
    if let Ok(style) = ProgressStyle::with_template("{msg} {wide_bar} {pos}/{len} {eta}") {
        bar.set_style(style);
    }
    bar.set_message(what);
    bar
}

/// The width to fill: that of the terminal as far as the shell tells it, else 100.
pub fn columns() -> usize {
    let columns = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    columns.filter(|&columns| columns >= 20).unwrap_or(100)
}
