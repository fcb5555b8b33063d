//! Makes levels on threads of their own, as a game does that must not wait:
//! `cargo run --example threads -- 2`. The page docs/embedding.md explains it.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};

use vaultwright::level::Level;
use vaultwright::{DataRoot, Engine, SharedLibrary};

/// What goes wrong, so that it can be sent.
type Error = Box<dyn std::error::Error + Send + Sync>;

/// What is asked for: a place such as `D:3` in the game of a seed.
type Request = (String, u64);

/// A finished level, or why there is none.
struct Answer {
    place: String,
    seed: u64,
    level: Result<Level, Error>,
}

/// Threads that make levels. An engine stays on its thread; the compiled vaults are shared.
struct LevelPool {
    requests: Option<Sender<Request>>,
    answers: Receiver<Answer>,
    threads: Vec<JoinHandle<()>>,
}

impl LevelPool {
    fn new(library: SharedLibrary, threads: usize) -> LevelPool {
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
    fn request(&self, place: &str, seed: u64) {
        if let Some(requests) = &self.requests {
            let _ = requests.send((place.to_owned(), seed));
        }
    }

    /// Returns the levels that have become ready, without waiting: once a frame is enough.
    fn finished(&self) -> impl Iterator<Item = Answer> {
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

fn main() -> Result<(), Error> {
    let threads = std::env::args().nth(1).map_or(Ok(2), |text| text.parse())?;
    let engine = Engine::open(DataRoot::Embedded)?;
    for problem in engine.problems() {
        eprintln!("{}", problem.message);
    }
    let pool = LevelPool::new(engine.share(), threads);
    let wanted = [("D:1", 7), ("D:2", 7), ("D:1", 8), ("D:2", 8)];
    for (place, seed) in wanted {
        pool.request(place, seed);
    }
    let mut lines = Vec::new();
    while lines.len() < wanted.len() {
        for answer in pool.finished() {
            let Answer { place, seed, level } = answer;
            let what = match level {
                Ok(level) => format!("{} vaults", level.vaults.len()),
                Err(error) => error.to_string(),
            };
            lines.push(format!("{place} of game {seed}: {what}"));
        }
        thread::yield_now();
    }
    // The order in which threads finish is nobody's; the levels are the same for any number of
    // them.
    lines.sort();
    lines.iter().for_each(|line| println!("{line}"));
    Ok(())
}
