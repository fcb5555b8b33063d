//! A pool of threads that make levels.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};

use vaultwright::level::Level;
use vaultwright::{Engine, SharedLibrary};

/// What goes wrong, so that it can be sent.
pub type Error = Box<dyn std::error::Error + Send + Sync>;

/// What is asked for: a place such as `D:3` in the game of a seed.
type Request = (String, u64);

/// A finished level, or why there is none.
pub struct Answer {
    pub place: String,
    pub seed: u64,
    pub level: Result<Level, Error>,
}

/// Threads that make levels, each with an engine of its own; the compiled vaults are shared.
pub struct LevelPool {
    requests: Option<Sender<Request>>,
    answers: Receiver<Answer>,
    threads: Vec<JoinHandle<()>>,
}

impl LevelPool {
    pub fn new(library: SharedLibrary, threads: usize) -> LevelPool {
        let (requests, to_do) = channel::<Request>();
        let (done, answers) = channel();
        let to_do = Arc::new(Mutex::new(to_do));
        let work = |_| {
            let (library, to_do, done) = (library.clone(), Arc::clone(&to_do), done.clone());
            thread::spawn(move || work(&library, &to_do, &done))
        };
        let threads = (0..threads.max(1)).map(work).collect();
        LevelPool { requests: Some(requests), answers, threads }
    }

    /// Asks for a level; it will come out of [`LevelPool::finished`].
    pub fn request(&self, place: &str, seed: u64) {
        if let Some(requests) = &self.requests {
            let _ = requests.send((place.to_owned(), seed));
        }
    }

    /// Returns the levels that have become ready, without waiting: once a frame is enough.
    pub fn finished(&self) -> impl Iterator<Item = Answer> + '_ {
        self.answers.try_iter()
    }
}

impl Drop for LevelPool {
    fn drop(&mut self) {
        self.requests = None;
        for thread in self.threads.drain(..) {
            let _ = thread.join();
        }
    }
}

fn work(library: &SharedLibrary, to_do: &Mutex<Receiver<Request>>, done: &Sender<Answer>) {
    let Ok(mut engine) = library.engine() else { return };
    loop {
        let next = to_do.lock().map(|requests| requests.recv());
        let Ok(Ok((place, seed))) = next else { return };
        let level = level(&mut engine, &place, seed);
        if done.send(Answer { place, seed, level }).is_err() {
            return;
        }
    }
}

fn level(engine: &mut Engine, place: &str, seed: u64) -> Result<Level, Error> {
    let at = engine.level_place(place)?;
    Ok(engine.level(at, seed)?.level)
}
