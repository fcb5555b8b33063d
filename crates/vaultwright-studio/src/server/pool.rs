//! The workers: a few are kept ready, each has one request at a time, and one that takes too long
//! is ended and replaced.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::http::StatusCode;
use serde_json::{Value, json};
use tokio::sync::Semaphore;

use super::answer::{Answer, Refusal};
use super::app::App;
use super::generations::Ticket;
use super::limits::{MAX_WAITING, time_of};
use super::process::{Lost, Process};

pub struct Pool {
    size: usize,
    /// One permit for each worker.
    permits: Semaphore,
    idle: Mutex<Vec<(u64, Process)>>,
    waiting: AtomicUsize,
    /// Files that have changed since the studio was opened.
    changed: Mutex<Vec<PathBuf>>,
    /// Workers of an earlier round stand on data that has changed.
    round: AtomicU64,
}

impl Pool {
    pub fn new(size: usize) -> Pool {
        let size = size.clamp(1, 16);
        Pool {
            size,
            permits: Semaphore::new(size),
            idle: Mutex::default(),
            waiting: AtomicUsize::new(0),
            changed: Mutex::default(),
            round: AtomicU64::new(0),
        }
    }

    /// Starts the workers before the first request.
    pub fn warm(&self, app: &Arc<App>) {
        for _ in 0..self.size {
            let app = Arc::clone(app);
            tokio::spawn(async move { app.pool.add_ready(&app).await });
        }
    }

    async fn add_ready(&self, app: &App) {
        let Ok(_permit) = self.permits.acquire().await else { return };
        if lock(&self.idle).len() >= self.size {
            return;
        }
        let round = self.round.load(Ordering::Relaxed);
        if let Ok(mut process) = self.start(app)
            && process.warm().await
        {
            lock(&self.idle).push((round, process));
        }
    }

    pub fn start(&self, app: &App) -> Result<Process, String> {
        let seen = lock(&self.changed).len();
        Process::start((app.settings.worker)(), seen)
    }

    /// Has a worker answer. A request that is superseded while it waits is dropped.
    pub async fn ask(
        &self,
        app: &Arc<App>,
        method: &str,
        params: Value,
        ticket: Option<Ticket>,
    ) -> Answer {
        if self.waiting.fetch_add(1, Ordering::Relaxed) >= MAX_WAITING {
            self.waiting.fetch_sub(1, Ordering::Relaxed);
            return Err(Refusal::new(StatusCode::SERVICE_UNAVAILABLE, "too much is asked at once"));
        }
        let permit = self.permits.acquire().await;
        self.waiting.fetch_sub(1, Ordering::Relaxed);
        let Ok(_permit) = permit else { return Err(Refusal::bad("the studio is closing")) };
        if ticket.is_some_and(|ticket| app.generations.is_superseded(&ticket)) {
            return Err(Refusal::superseded());
        }
        let round = self.round.load(Ordering::Relaxed);
        let ready = lock(&self.idle).pop().filter(|(of, _)| *of == round);
        let mut process = match ready {
            Some((_, process)) => process,
            None => self.start(app).map_err(Refusal::bad)?,
        };
        let answer = self.ask_process(app, &mut process, method, params).await;
        match answer {
            Ok(answer) => {
                lock(&self.idle).push((round, process));
                answer
            }
            Err(refusal) => {
                process.end().await;
                let app = Arc::clone(app);
                tokio::spawn(async move { app.pool.add_ready(&app).await });
                Err(refusal)
            }
        }
    }

    /// Has one process answer; the outer error says that it is of no use any more.
    pub async fn ask_process(
        &self,
        app: &App,
        process: &mut Process,
        method: &str,
        params: Value,
    ) -> Result<Answer, Refusal> {
        let changed = lock(&self.changed).get(process.seen..).unwrap_or_default().to_vec();
        process.seen += changed.len();
        let request = json!({ "method": method, "params": params, "changed": changed });
        let time = time_of(method);
        let id = request["params"]["id"].clone();
        let tell = |mut progress: Value| {
            progress["kind"] = "progress".into();
            progress["id"] = id.clone();
            app.events.tell(&progress);
        };
        match process.ask(&request, time, &tell).await {
            Ok(mut answer) => Ok(match answer.get_mut("ok") {
                Some(value) => Ok(value.take()),
                None => Err(Refusal { status: StatusCode::UNPROCESSABLE_ENTITY, body: answer }),
            }),
            Err(Lost::Late) => {
                app.events.tell(&json!({ "kind": "worker", "state": "stopped", "method": method }));
                let seconds = time.as_secs();
                let message = format!("this took longer than {seconds} seconds and was stopped");
                Err(Refusal::new(StatusCode::GATEWAY_TIMEOUT, message))
            }
            Err(Lost::Gone(why)) => {
                app.events.tell(&json!({ "kind": "worker", "state": "gone", "method": method }));
                Err(Refusal::new(StatusCode::BAD_GATEWAY, why))
            }
        }
    }

    /// Workers read a file anew before they answer again.
    pub fn note_changed(&self, path: &Path) {
        lock(&self.changed).push(path.to_owned());
    }

    /// Workers are replaced, since what they stand on has changed.
    pub fn renew(&self) {
        self.round.fetch_add(1, Ordering::Relaxed);
        lock(&self.idle).clear();
    }

    /// Ends all that wait for work.
    pub async fn end(&self) {
        let idle = std::mem::take(&mut *lock(&self.idle));
        for (_, process) in idle {
            process.end().await;
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
