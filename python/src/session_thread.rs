//! A session on its own thread. An engine has an interpreter and cannot leave the thread that
//! created it; Python's threads send it jobs, and wait without blocking others.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::Duration;
use std::{process, thread};

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

/// How often a waiting thread checks whether Ctrl-C was pressed.
const LOOK: Duration = Duration::from_millis(50);
/// The same size as the main thread of a program.
const STACK: usize = 8 << 20;

/// A job. Returns whether the session can still be used.
type Job<S> = Box<dyn FnOnce(&mut S) -> bool + Send>;

/// A session that lives on its thread until this is dropped.
pub struct SessionThread<S: 'static> {
    jobs: Mutex<Sender<Job<S>>>,
    home: Home,
}

/// The process in which a thread was started: a fork of it has everything except its threads.
pub struct Home(u32);

impl Home {
    /// Returns the current process.
    pub fn here() -> Home {
        Home(process::id())
    }

    /// Fails in a fork, where nobody would ever answer.
    pub fn check(&self) -> PyResult<()> {
        if self.0 == process::id() {
            return Ok(());
        }
        Err(PyRuntimeError::new_err(
            "this was made before the process was forked, and its thread stayed behind: \
             make an Engine in this process (engine.another() is quick), or start processes by \
             'spawn' or 'forkserver'",
        ))
    }
}

impl<S: 'static> SessionThread<S> {
    /// Starts a thread on which `make` creates the session. Returns its error if it fails.
    pub fn start<T: Send + 'static, E: Send + 'static>(
        py: Python<'_>,
        make: impl FnOnce() -> Result<(S, T), E> + Send + 'static,
    ) -> PyResult<Result<(SessionThread<S>, T), E>> {
        let (jobs, to_do) = channel::<Job<S>>();
        let (made, wait) = channel();
        let work = move || match catch_unwind(AssertUnwindSafe(make)) {
            Ok(Ok((session, told))) => {
                let _ = made.send(Ok(Ok(told)));
                drop(made);
                run(session, &to_do);
            }
            // If nobody waits any more, there is nobody to inform.
            Ok(Err(error)) => drop(made.send(Ok(Err(error)))),
            Err(panic) => drop(made.send(Err(words_of(&*panic)))),
        };
        let builder = thread::Builder::new().name("vaultwright".to_owned()).stack_size(STACK);
        builder.spawn(work).map_err(|error| PyRuntimeError::new_err(error.to_string()))?;
        let told = answer(py, wait)?;
        let session = SessionThread { jobs: Mutex::new(jobs), home: Home::here() };
        Ok(told.map(|told| (session, told)))
    }

    /// Runs a job on the session after earlier ones, and returns its result. Ctrl-C ends the
    /// waiting, not the job.
    pub fn ask<R: Send + 'static>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut S) -> R + Send + 'static,
    ) -> PyResult<R> {
        self.home.check()?;
        let (done, wait) = channel();
        let job: Job<S> = Box::new(move |session| {
            let result = catch_unwind(AssertUnwindSafe(|| work(session)));
            let good = result.is_ok();
            // If nobody waits any more, there is nobody to inform.
            let _ = done.send(result.map_err(|panic| words_of(&*panic)));
            good
        });
        let sent = self.jobs.lock().map(|jobs| jobs.send(job));
        if !matches!(sent, Ok(Ok(()))) {
            return Err(gone());
        }
        answer(py, wait)
    }
}

/// Runs the session's jobs. After a panic the session may be inconsistent, so the thread ends.
fn run<S>(mut session: S, to_do: &Receiver<Job<S>>) {
    while let Ok(job) = to_do.recv() {
        if !job(&mut session) {
            return;
        }
    }
}

/// Waits for an answer.
fn answer<R: Send>(py: Python<'_>, wait: Receiver<Result<R, String>>) -> PyResult<R> {
    match next(py, wait)?.1 {
        Some(Ok(result)) => Ok(result),
        Some(Err(panic)) => Err(PyRuntimeError::new_err(format!(
            "the engine has come down, please report this: {panic}"
        ))),
        None => Err(gone()),
    }
}

/// Waits for the next value while other Python threads run; `None` if there are no more.
pub fn next<T: Send>(py: Python<'_>, mut wait: Receiver<T>) -> PyResult<(Receiver<T>, Option<T>)> {
    loop {
        let looked;
        (wait, looked) = py.detach(move || {
            let looked = wait.recv_timeout(LOOK);
            (wait, looked)
        });
        match looked {
            Ok(next) => return Ok((wait, Some(next))),
            Err(RecvTimeoutError::Timeout) => py.check_signals()?,
            Err(RecvTimeoutError::Disconnected) => return Ok((wait, None)),
        }
    }
}

fn gone() -> PyErr {
    PyRuntimeError::new_err("the engine came down at something it was asked before")
}

/// Returns the message of a panic.
fn words_of(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().cloned();
    text.or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()))
        .unwrap_or_else(|| "no words".to_owned())
}
