//! Reading a pack where a crash does no harm: in a separate process, before any other process reads
//! it.

use std::io::{Result, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use vaultwright_engine::SourceFile;

use crate::campaign::{CampaignError, LOOK, READING, end_of};
use crate::frames::{read_frame, write_frame};

/// The maximum number of things that may be left out of a pack.
const MAX_LEFT_OUT: usize = 100;
/// The exit codes of a reader that has printed why a pack cannot be read: the pack is invalid, or a
/// file is unreadable.
const TOLD: [i32; 2] = [1, 3];

/// A part of a pack that is left out because a process that read it hung or died.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Unread {
    /// The file, below the root of the data.
    pub file: String,
    /// The map; `None` if it was the Lua outside maps, in which case the whole file is left out.
    pub map: Option<String>,
    /// How the process ended.
    pub end: String,
}

impl Unread {
    /// Returns a description of what is left out.
    pub fn what(&self) -> String {
        match &self.map {
            Some(map) => format!("'{map}' of {}", self.file),
            None => format!("all of {} (for its Lua outside maps)", self.file),
        }
    }
}

/// What a reader is doing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum Step {
    /// The Lua outside maps of a file.
    Prelude(String),
    /// A map of a file.
    Map(String, String),
    /// Everything is read.
    Done,
}

/// The reading side, which reports what it is doing.
pub struct Reader<W: Write> {
    root: PathBuf,
    out: W,
}

impl<W: Write> Reader<W> {
    /// Creates a reader of the data below a root that reports to a pipe.
    pub fn new(root: &Path, out: W) -> Reader<W> {
        Reader { root: root.to_owned(), out }
    }

    /// Reports that the Lua outside the maps of a file runs next.
    pub fn prelude(&mut self, file: &SourceFile) -> Result<()> {
        write_frame(&mut self.out, &Step::Prelude(name_below(&self.root, file)))
    }

    /// Reports that a map is compiled next.
    pub fn map(&mut self, file: &SourceFile, map: usize) -> Result<()> {
        let name = file.tree.maps[map].name.str(&file.source.text).into_owned();
        write_frame(&mut self.out, &Step::Map(name_below(&self.root, file), name))
    }

    /// Reports that everything is read.
    pub fn done(&mut self) -> Result<()> {
        write_frame(&mut self.out, &Step::Done)
    }
}

/// Returns the name of a file below a root, independent of the current folder.
fn name_below(root: &Path, file: &SourceFile) -> String {
    let path = Path::new(&*file.source.name);
    path.strip_prefix(root).unwrap_or(path).display().to_string()
}

/// Removes what is left out from files below a root. If the Lua outside maps is to be left out, the
/// whole file is removed.
pub fn leave_out_of(root: &Path, files: &mut Vec<SourceFile>, unread: &[Unread]) {
    for Unread { file, map, .. } in unread {
        match map {
            None => files.retain(|other| name_below(root, other) != *file),
            Some(map) => {
                for file in files.iter_mut().filter(|other| name_below(root, other) == *file) {
                    let text = &file.source.text;
                    file.tree.maps.retain(|other| other.name.str(text) != map.as_str());
                }
            }
        }
    }
}

/// Runs processes that read a pack until one reaches its end. Returns where they hung or died. Each
/// reader is told on its standard input what to leave out, and ends when its standard input is
/// closed.
pub fn read_apart(
    known: Vec<Unread>,
    reader: &dyn Fn() -> Command,
    patience: Duration,
    stop: &AtomicBool,
    tell: &mut dyn FnMut(&Unread),
) -> std::result::Result<Vec<Unread>, CampaignError> {
    let mut unread = known;
    loop {
        let (at, end) = match read_once(&unread, reader, patience, stop)? {
            Read::Whole => return Ok(unread),
            Read::Ended(at, end) => (at, end),
        };
        let found = match at {
            Some(Step::Prelude(file)) => Unread { file, map: None, end },
            Some(Step::Map(file, map)) => Unread { file, map: Some(map), end },
            Some(Step::Done) | None => return Err(CampaignError::NoWorker(end)),
        };
        if unread.len() >= MAX_LEFT_OUT {
            let end = format!("{MAX_LEFT_OUT} times: {}", found.end);
            return Err(CampaignError::NoWorker(end));
        }
        tell(&found);
        unread.push(found);
    }
}

/// The result of one reader.
enum Read {
    /// It has read everything, or reported what is wrong with the whole pack.
    Whole,
    /// It hung or died at a step.
    Ended(Option<Step>, String),
}

fn read_once(
    unread: &[Unread],
    reader: &dyn Fn() -> Command,
    patience: Duration,
    stop: &AtomicBool,
) -> std::result::Result<Read, CampaignError> {
    let mut command = reader();
    let program = PathBuf::from(command.get_program());
    let io = |error| CampaignError::Io(program.clone(), error);
    // Problems of the pack are reported by the next process that reads it.
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = Owned(command.spawn().map_err(io)?);
    let no_pipe = || CampaignError::NoWorker("it has no pipes".to_owned());
    let mut input = child.0.stdin.take().ok_or_else(no_pipe)?;
    let mut output = child.0.stdout.take().ok_or_else(no_pipe)?;
    let (sender, steps) = channel();
    std::thread::spawn(move || {
        while let Ok(Some(step)) = read_frame::<Step>(&mut output) {
            if sender.send(step).is_err() {
                return;
            }
        }
    });
    // If the process has already ended, waiting for it shows this.
    let _ = write_frame(&mut input, &unread);
    let mut at = None;
    let mut since = Instant::now();
    loop {
        match steps.recv_timeout(LOOK) {
            Ok(Step::Done) => return Ok(Read::Whole),
            Ok(step) => {
                at = Some(step);
                since = Instant::now();
            }
            Err(RecvTimeoutError::Disconnected) => {
                let status = child.0.wait().map_err(io)?;
                if status.code().is_some_and(|code| TOLD.contains(&code)) {
                    return Ok(Read::Whole);
                }
                return Ok(Read::Ended(at, end_of(status)));
            }
            Err(RecvTimeoutError::Timeout) => {
                let is_map = matches!(at, Some(Step::Map(..)));
                let patience = patience * if is_map { 1 } else { READING };
                if since.elapsed() > patience {
                    let end = format!("no answer for {} s", patience.as_secs_f64());
                    return Ok(Read::Ended(at, end));
                }
            }
        }
        if stop.load(Ordering::Relaxed) {
            return Ok(Read::Whole);
        }
    }
}

/// A process that is killed when it is dropped.
struct Owned(Child);

impl Drop for Owned {
    fn drop(&mut self) {
        // If the process has already ended, it need not be killed.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
