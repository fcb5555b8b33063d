//! The side of a campaign that distributes work and supervises workers.

use std::collections::VecDeque;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use crate::frames::{read_frame, write_frame};
use crate::logbook::{Entry, Logbook};
use crate::plan::Manifest;
use crate::record::Casualty;
use crate::shard::{ShardState, remove_halves, shard_files, shard_state};
use crate::survey::LeftOut;
use crate::worker::{Answer, Task};

/// How workers end when they are killed from outside: by a user, or by a system short of memory.
const KILLED: [&str; 2] = ["signal 9", "signal 15"];

/// How many workers may be killed in a shard without consequences.
const MAX_KILLED: usize = 8;

/// How often a silent worker is checked.
pub(crate) const LOOK: Duration = Duration::from_millis(100);
/// Reading a pack may take this many times as long as a map.
pub(crate) const READING: u32 = 10;

/// A campaign: a manifest, the folder for its shards, and the means to make them.
pub struct Campaign<'a> {
    /// What to do.
    pub manifest: &'a Manifest,
    /// The folder for shards. Existing ones are kept.
    pub folder: &'a Path,
    /// The number of workers.
    pub jobs: usize,
    /// How long a worker may spend on one map, or on one step of the builder.
    pub patience: Duration,
    /// Returns the command that starts a worker, which writes its logbook to this path.
    pub worker: &'a (dyn Fn(&Path) -> Command + Sync),
    /// Set this to end the campaign early. What is finished remains.
    pub stop: &'a AtomicBool,
    /// Receives progress events, from several threads.
    pub tell: &'a (dyn Fn(CampaignEvent) + Sync),
}

/// A progress event of a campaign.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CampaignEvent {
    /// This many games are already in the folder.
    Resumed(u64),
    /// A game is finished.
    Game {
        /// The number of its levels that were built.
        built: u64,
        /// The number of its levels that could not be built.
        failed: u64,
        /// The number of Lua errors.
        errors: u64,
    },
    /// A shard is written to the folder.
    Shard(u64),
    /// A file is damaged, or belongs to another campaign or place. Its games are made again.
    Damaged(PathBuf),
    /// A worker failed, and something was left out of a game because of it.
    Casualty(Casualty),
}

/// The reason why a campaign cannot continue.
#[derive(Debug)]
#[non_exhaustive]
pub enum CampaignError {
    /// An error with a file or process of the campaign itself.
    Io(PathBuf, std::io::Error),
    /// Workers end before they have read the pack.
    NoWorker(String),
}

impl std::fmt::Display for CampaignError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            CampaignError::Io(path, error) => write!(f, "{}: {error}", path.display()),
            CampaignError::NoWorker(end) => {
                write!(f, "a worker cannot read the pack: {end} (see vaultwright check)")
            }
        }
    }
}

impl std::error::Error for CampaignError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            CampaignError::Io(_, error) => Some(error),
            CampaignError::NoWorker(_) => None,
        }
    }
}

impl Campaign<'_> {
    /// Makes all missing shards of the manifest's part. Returns whether all are complete.
    pub fn run(&self) -> Result<bool, CampaignError> {
        let shards = self.folder.join("shards");
        let io = |path: &Path| {
            let path = path.to_owned();
            move |error| CampaignError::Io(path.clone(), error)
        };
        std::fs::create_dir_all(&shards).map_err(io(&shards))?;
        remove_halves(self.folder).map_err(io(&shards))?;
        self.manifest.write(self.folder).map_err(io(self.folder))?;
        let mut missing = VecDeque::new();
        for shard in self.manifest.own_shards() {
            match shard_state(self.folder, self.manifest, shard) {
                ShardState::Whole => {
                    (self.tell)(CampaignEvent::Resumed(self.manifest.seeds(shard).count() as u64));
                    (self.tell)(CampaignEvent::Shard(shard));
                    continue;
                }
                ShardState::Missing | ShardState::Begun => {}
                ShardState::Damaged => {
                    let [records, _] = shard_files(self.folder, shard);
                    (self.tell)(CampaignEvent::Damaged(records.clone()));
                    std::fs::remove_file(&records).map_err(io(&records))?;
                }
            }
            missing.push_back(shard);
        }
        let jobs = self.jobs.clamp(1, missing.len().max(1));
        let missing = Mutex::new(missing);
        let drive = |number: usize| {
            let logbook = self.folder.join(format!("worker-{number}.log"));
            let driven = self.drive(&missing, &logbook);
            // The logbook is not needed any more.
            let _ = std::fs::remove_file(&logbook);
            if driven.is_err() {
                self.stop.store(true, Ordering::Relaxed);
            }
            driven
        };
        std::thread::scope(|scope| {
            let drive = &drive;
            let drivers: Vec<_> =
                (0..jobs).map(|number| scope.spawn(move || drive(number))).collect();
            drivers.into_iter().try_for_each(|driver| {
                driver.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
            })
        })?;
        let whole = |shard| shard_state(self.folder, self.manifest, shard) == ShardState::Whole;
        Ok(self.manifest.own_shards().all(whole))
    }

    /// Lets a worker make shards until none is missing.
    fn drive(&self, missing: &Mutex<VecDeque<u64>>, logbook: &Path) -> Result<(), CampaignError> {
        let take = || missing.lock().ok().and_then(|mut missing| missing.pop_front());
        let Some(mut task) = take().map(|shard| self.task(shard)) else { return Ok(()) };
        let mut worker = self.start(logbook)?;
        worker.send(&task);
        // The next task is sent to the worker before it has finished this one.
        let mut next = take().map(|shard| self.task(shard));
        if let Some(next) = &next {
            worker.send(next);
        }
        // What workers were doing in this shard when they were killed from outside. If another one
        // fails at the same point, that is the cause.
        let mut killed_at: Vec<Option<Entry>> = Vec::new();
        while !self.stop.load(Ordering::Relaxed) {
            match worker.finish_shard(self) {
                Ok(()) => {
                    (self.tell)(CampaignEvent::Shard(task.shard));
                    killed_at.clear();
                    let Some(following) = next else { return Ok(()) };
                    task = following;
                    next = take().map(|shard| self.task(shard));
                    if let Some(next) = &next {
                        worker.send(next);
                    }
                }
                Err(Unfinished::Stopped) => return Ok(()),
                Err(Unfinished::Disk(error)) => {
                    let error = std::io::Error::other(error);
                    return Err(CampaignError::Io(self.folder.to_owned(), error));
                }
                Err(Unfinished::Death(end)) => {
                    let entry = Logbook::read(logbook);
                    let may_be_innocent = KILLED.contains(&&*end)
                        && killed_at.len() < MAX_KILLED
                        && !killed_at.contains(&entry);
                    match entry {
                        entry if may_be_innocent => killed_at.push(entry),
                        Some(entry) => self.leave_out(&mut task, entry, end)?,
                        None => return Err(CampaignError::NoWorker(end)),
                    }
                    worker = self.start(logbook)?;
                    worker.send(&task);
                    if let Some(next) = &next {
                        worker.send(next);
                    }
                }
            }
        }
        Ok(())
    }

    fn task(&self, shard: u64) -> Task {
        let games = self.manifest.seeds(shard).map(|seed| (seed, LeftOut::default()));
        Task { shard, games: games.collect() }
    }

    fn start(&self, logbook: &Path) -> Result<Worker, CampaignError> {
        // The logbook of an earlier worker is not needed any more.
        let _ = std::fs::remove_file(logbook);
        let mut command = (self.worker)(logbook);
        let started = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
        let program = || PathBuf::from(command.get_program());
        let mut child = started.map_err(|error| CampaignError::Io(program(), error))?;
        let no_pipe = || CampaignError::NoWorker("it has no pipes".to_owned());
        let input = child.stdin.take().ok_or_else(no_pipe)?;
        let mut output = child.stdout.take().ok_or_else(no_pipe)?;
        let (sender, answers) = channel();
        std::thread::spawn(move || {
            while let Ok(Some(answer)) = read_frame(&mut output) {
                if sender.send(answer).is_err() {
                    return;
                }
            }
        });
        Ok(Worker { child, input, answers, logbook: logbook.to_owned(), ready: false })
    }

    /// Leaves out of a game what a worker was doing when it failed.
    fn leave_out(&self, task: &mut Task, entry: Entry, end: String) -> Result<(), CampaignError> {
        let Entry { seed, place, mut map } = entry;
        let Some((_, left_out)) = task.games.iter_mut().find(|(game, _)| *game == seed) else {
            return Err(CampaignError::NoWorker(format!("{end} between games")));
        };
        if map.is_empty() || left_out.maps.contains(&map) {
            if left_out.places.contains(&place) {
                return Err(CampaignError::NoWorker(format!("{end} on {place}, left out already")));
            }
            map.clear();
            left_out.places.push(place.clone());
        } else {
            left_out.maps.push(map.clone());
        }
        let casualty = Casualty { seed, place, map, end };
        left_out.casualties.push(casualty.clone());
        (self.tell)(CampaignEvent::Casualty(casualty));
        Ok(())
    }
}

/// The reason why a worker has not finished a shard.
enum Unfinished {
    Stopped,
    Disk(String),
    Death(String),
}

/// A running worker.
struct Worker {
    child: Child,
    input: ChildStdin,
    answers: Receiver<Answer>,
    logbook: PathBuf,
    ready: bool,
}

impl Worker {
    /// Sends a task. If the worker has ended, this has no effect; waiting for its answer will show
    /// it.
    fn send(&mut self, task: &Task) {
        let _ = write_frame(&mut self.input, task).and_then(|()| self.input.flush());
    }

    /// Waits until the worker has made the first of its shards.
    fn finish_shard(&mut self, campaign: &Campaign) -> Result<(), Unfinished> {
        let mut seen = Logbook::read(&self.logbook);
        let mut since = Instant::now();
        loop {
            match self.answers.recv_timeout(LOOK) {
                Ok(Answer::Ready) => {
                    self.ready = true;
                    // The time for reading the pack does not count towards the first level.
                    since = Instant::now();
                }
                Ok(Answer::Game { built, failed, errors }) => {
                    (campaign.tell)(CampaignEvent::Game { built, failed, errors });
                }
                Ok(Answer::Shard) => return Ok(()),
                Ok(Answer::NotWritten(error)) => return Err(Unfinished::Disk(error)),
                Err(RecvTimeoutError::Disconnected) => {
                    let end = self.child.wait().map_or_else(|e| e.to_string(), end_of);
                    return Err(Unfinished::Death(end));
                }
                Err(RecvTimeoutError::Timeout) => {
                    let now = Logbook::read(&self.logbook);
                    if now != seen {
                        seen = now;
                        since = Instant::now();
                    }
                    let patience = campaign.patience * if self.ready { 1 } else { READING };
                    if since.elapsed() > patience {
                        // If the process has already ended, it need not be killed.
                        let _ = self.child.kill();
                        let _ = self.child.wait();
                        let end = format!("no answer for {} s", patience.as_secs_f64());
                        return Err(Unfinished::Death(end));
                    }
                }
            }
            if campaign.stop.load(Ordering::Relaxed) {
                return Err(Unfinished::Stopped);
            }
        }
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

pub(crate) fn end_of(status: ExitStatus) -> String {
    #[cfg(unix)]
    if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
        return format!("signal {signal}");
    }
    format!("exit code {}", status.code().unwrap_or(-1))
}
