//! Where results go: standard output or a file, in colour or not.

use std::collections::HashMap;
use std::fmt::{Arguments, Display};
use std::io::{IsTerminal, Write};
use std::path::Path;

use vaultwright::render::{Picture, to_ansi, to_text};
use vaultwright_files::write_whole;

use crate::arguments::{Common, When};
use crate::{Failure, IoFailure, UsageError, shown};

/// Whether a text for people has colours of our own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Colours {
    Ansi,
    None,
}

impl Colours {
    /// Returns colours if standard output takes them.
    pub fn wanted(common: &Common) -> Colours {
        if wants_colour(common) { Colours::Ansi } else { Colours::None }
    }

    /// Returns a row of a picture.
    pub fn row(self, picture: &Picture, y: usize) -> String {
        match self {
            Colours::Ansi => to_ansi(picture, y),
            Colours::None => picture.row(y).iter().map(|cell| cell.glyph).collect(),
        }
    }

    /// Returns a picture, each row a line.
    pub fn picture(self, picture: &Picture) -> String {
        match self {
            Colours::Ansi => (0..picture.height).map(|y| to_ansi(picture, y) + "\n").collect(),
            Colours::None => to_text(picture),
        }
    }
}

/// Returns whether standard output takes colours.
pub fn wants_colour(common: &Common) -> bool {
    match common.color {
        When::Always => true,
        When::Never => false,
        When::Auto => {
            let forbidden = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
            std::io::stdout().is_terminal() && !forbidden
        }
    }
}

/// Makes the folder that `--out` names, where it is not there yet.
pub fn make_folder(folder: &Path) -> Result<(), Failure> {
    may_be_folder(folder)?;
    Ok(std::fs::create_dir_all(folder).map_err(IoFailure::of("make", folder))?)
}

/// Refuses an image where it would go to a terminal; `out` is what to name instead.
pub fn may_be_image(to: Option<&Path>, out: &str) -> Result<(), Failure> {
    match to.is_none() && std::io::stdout().is_terminal() {
        true => Err(UsageError(format!("an image does not go to a terminal: use {out}")).into()),
        false => Ok(()),
    }
}

/// Tells whoever names a file where a folder is wanted.
pub fn may_be_folder(path: &Path) -> Result<(), Failure> {
    if path.exists() && !path.is_dir() {
        let path = path.display();
        return Err(UsageError(format!("{path} is a file: --out takes a folder")).into());
    }
    Ok(())
}

/// Writes a result: a file as a whole, or to standard output. On a terminal nothing but colours is
/// a command.
pub fn write(out: Option<&Path>, bytes: &[u8]) -> Result<(), Failure> {
    let Some(path) = out else {
        let mut stdout = std::io::stdout().lock();
        match stdout.is_terminal() {
            true => stdout.write_all(shown::on_terminal(bytes).as_bytes())?,
            false => stdout.write_all(bytes)?,
        }
        stdout.flush()?;
        return Ok(());
    };
    let failed = IoFailure::of("write", path);
    // What is no file, such as /dev/stdout, has nothing that could be lost.
    let is_file = std::fs::metadata(path).map_or(true, |data| data.is_file() || data.is_dir());
    match is_file {
        true => write_whole(path, bytes).map_err(&failed)?,
        false => std::fs::write(path, bytes).map_err(failed)?,
    }
    Ok(())
}

/// Writes a text for people to standard output or a file.
///
/// What strangers have put into it is escaped, and in a log of GitHub no line of it is a command.
pub fn write_text(out: Option<&Path>, text: &str, colours: Colours) -> Result<(), Failure> {
    let mut text = match colours {
        Colours::Ansi => shown::on_terminal(text.as_bytes()),
        Colours::None => shown::lines(text),
    };
    if std::env::var_os("GITHUB_ACTIONS").is_some() {
        text = shown::without_commands(&text);
    }
    write(out, text.as_bytes())
}

/// Writes a line for people to standard output.
pub fn line(text: impl Display) -> Result<(), Failure> {
    write_text(None, &format!("{text}\n"), Colours::None)
}

/// Says something on standard error. Where that cannot be written nobody could be told.
pub fn complain(text: Arguments) {
    let text = shown::without_commands(&shown::lines(&format!("{text}\n")));
    let _ = std::io::stderr().lock().write_all(text.as_bytes());
}

/// Passes on what scripts have printed and what went wrong in hooks, on standard error: each text
/// once, the first twenty of them, with how often it was said.
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
    for (message, times) in texts.iter().take(MAX_TEXTS) {
        let message = message.lines().collect::<Vec<_>>().join("\nlua: ");
        match times {
            1 => eprintln!("lua: {message}"),
            times => eprintln!("lua: {message} ({times} times)"),
        }
    }
    if texts.len() > MAX_TEXTS {
        eprintln!("lua: and {} other messages", texts.len() - MAX_TEXTS);
    }
}

/// How many different messages of scripts are told.
const MAX_TEXTS: usize = 20;

/// Returns whether a reader such as `head` has gone away.
pub fn is_broken_pipe(error: &(dyn std::error::Error + 'static)) -> bool {
    let io = error.downcast_ref::<std::io::Error>();
    io.is_some_and(|io| io.kind() == std::io::ErrorKind::BrokenPipe)
}

/// Returns the width to fill: that of the terminal as far as the shell tells it, else 100.
pub fn columns() -> usize {
    let columns = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    columns.filter(|&columns| columns >= 20).unwrap_or(100)
}

/// Returns a number with what it counts.
pub fn counted(count: u64, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

/// Returns a number with what it counts, in a sentence that has `no` for 0.
pub fn counted_or_no(count: usize, what: &str) -> String {
    match count {
        0 => format!("no {what}s"),
        _ => counted(count as u64, what),
    }
}
