//! Campaigns over many games: each is a process of the program, with a folder that goes away with
//! the studio.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::io::AsyncReadExt;
use tokio::process::{Child, ChildStdin, Command};
use vaultwright::stats::{Manifest, TableQuery, query_table, shard_files, tables_in};

use super::answer::{Answer, Refusal};
use super::app::App;

/// How many are kept; the oldest that has ended goes first.
const MAX_KEPT: usize = 8;
/// How many run at once.
const MAX_RUNNING: usize = 2;
/// The most games of one.
const MAX_GAMES: u64 = 100_000;
/// How often pages are told how far one is.
const LOOK: Duration = Duration::from_millis(500);
/// What is kept of what a campaign says.
const LAST_WORDS: usize = 2000;
/// The largest report.
const MAX_REPORT_BYTES: u64 = 64 << 20;

#[derive(Default)]
pub struct Campaigns {
    all: Mutex<Vec<Arc<Campaign>>>,
    /// The comparison that was made last, under the name of its page.
    compared: Mutex<Option<(String, TempDir)>>,
}

struct Campaign {
    id: String,
    what: Value,
    started: u64,
    folder: TempDir,
    state: Mutex<State>,
}

struct State {
    name: &'static str,
    done: u64,
    of: u64,
    message: String,
    /// The input of the process, which stops when it ends, whatever it is that ends it.
    input: Option<ChildStdin>,
}

impl Campaigns {
    pub fn start(&self, app: &Arc<App>, params: &Value) -> Answer {
        let games = params["games"].as_u64().unwrap_or(100);
        if !(1..=MAX_GAMES).contains(&games) {
            return Err(Refusal::bad(format!("'games' has to be from 1 to {MAX_GAMES}")));
        }
        let digits = params["seed"].as_str().and_then(|digits| digits.trim().parse().ok());
        let seed: u64 = params["seed"].as_u64().or(digits).unwrap_or(1);
        let mut words: Vec<OsString> = vec!["mapstat".into(), games.to_string().into()];
        for place in params["places"].as_array().into_iter().flatten().take(100) {
            let place = place.as_str().unwrap_or_default();
            let is_plain = |c: char| c.is_ascii_alphanumeric() || ":-$!".contains(c);
            if place.is_empty() || place.starts_with('-') || !place.chars().all(is_plain) {
                return Err(Refusal::bad(format!("'{place}' names no levels")));
            }
            words.push(place.into());
        }
        let running = self.all().iter().filter(|campaign| campaign.is_running()).count();
        if running >= MAX_RUNNING {
            return Err(Refusal::bad(format!("{MAX_RUNNING} campaigns run already: stop one")));
        }
        let folder = app.scratch.folder();
        let folder = folder.map_err(|error| Refusal::bad(format!("no folder: {error}")))?;
        words.extend(["--while-input".into(), "--seed".into(), seed.to_string().into()]);
        words.extend(["--out".into(), folder.path().join("campaign").into_os_string()]);
        if let Some(path) = params["file"].as_str() {
            words.extend(["--file".into(), app.folder.resolve(path)?.into_os_string()]);
        }
        let mut child = spawned((app.settings.program)(&words))?;
        let id = super::app::random_word(6).map_err(|error| Refusal::bad(error.to_string()))?;
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
        let state = State {
            name: "running",
            done: 0,
            of: games,
            message: String::new(),
            input: child.stdin.take(),
        };
        let what = json!({ "games": games, "seed": seed, "places": params["places"] });
        let state = Mutex::new(state);
        let campaign = Arc::new(Campaign { id: id.clone(), what, started: now, folder, state });
        let mut all = self.all();
        while all.len() >= MAX_KEPT {
            let Some(old) = all.iter().position(|campaign| !campaign.is_running()) else { break };
            all.remove(old);
        }
        all.push(Arc::clone(&campaign));
        tokio::spawn(follow(Arc::clone(app), campaign, child));
        Ok(json!({ "campaign": id }))
    }

    pub fn status(&self) -> Answer {
        let all: Vec<Value> = self.all().iter().map(|campaign| campaign.told()).collect();
        Ok(json!({ "campaigns": all }))
    }

    /// Has a campaign end as Ctrl-C does: what is there is written.
    pub fn stop(&self, id: &str) -> Answer {
        let campaign = self.find(id)?;
        drop(campaign.state().input.take());
        Ok(campaign.told())
    }

    /// Returns the report of a campaign, or the comparison that was made last, by the name that
    /// pages know.
    pub fn report(&self, name: &str) -> Result<Vec<u8>, Refusal> {
        let compared = self.compared.lock().unwrap_or_else(PoisonError::into_inner);
        let path = match &*compared {
            Some((of, folder)) if of == name => folder.path().join("comparison.html"),
            _ => self.find(name)?.path().join("report.html"),
        };
        vaultwright_files::read_within(&path, MAX_REPORT_BYTES)
            .map_err(|_| Refusal::not_found("there is no report yet"))
    }

    pub fn tables(&self, id: &str) -> Answer {
        let tables = tables_in(&self.find(id)?.path().join("tables"));
        Ok(json!({ "tables": tables.map_err(Refusal::bad)? }))
    }

    pub fn query(&self, id: &str, params: &Value) -> Answer {
        let query: TableQuery = serde_json::from_value(params.clone())
            .map_err(|error| Refusal::bad(format!("no question: {error}")))?;
        let answer = query_table(&self.find(id)?.path().join("tables"), &query);
        Ok(json!(answer.map_err(Refusal::bad)?))
    }

    /// Has a report made on what differs between two, and returns its name.
    pub async fn compare(&self, app: &App, a: &str, b: &str) -> Answer {
        let (a, b) = (self.find(a)?, self.find(b)?);
        let folder = app.scratch.folder().map_err(|error| Refusal::bad(error.to_string()))?;
        let words = [
            "mapstat".into(),
            "--compare".into(),
            a.path().into_os_string(),
            b.path().into_os_string(),
            "--out".into(),
            folder.path().as_os_str().to_owned(),
        ];
        let mut child = spawned((app.settings.program)(&words))?;
        let said = last_words(&mut child).await;
        let _ = child.wait().await;
        if !folder.path().join("comparison.html").is_file() {
            return Err(Refusal::bad(said));
        }
        let name = format!("{}-{}", a.id, b.id);
        let mut compared = self.compared.lock().unwrap_or_else(PoisonError::into_inner);
        *compared = Some((name.clone(), folder));
        Ok(json!({ "report": name }))
    }

    fn find(&self, id: &str) -> Result<Arc<Campaign>, Refusal> {
        let found = self.all().iter().find(|campaign| campaign.id == id).cloned();
        found.ok_or_else(|| Refusal::not_found("there is no such campaign"))
    }

    fn all(&self) -> MutexGuard<'_, Vec<Arc<Campaign>>> {
        self.all.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn end_all(&self) {
        self.all().clear();
        self.compared.lock().unwrap_or_else(PoisonError::into_inner).take();
    }
}

impl Campaign {
    fn path(&self) -> PathBuf {
        self.folder.path().join("campaign")
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn is_running(&self) -> bool {
        self.state().name == "running"
    }

    fn told(&self) -> Value {
        let state = self.state();
        json!({
            "campaign": self.id,
            "what": self.what,
            "state": state.name,
            "done": state.done,
            "of": state.of,
            "message": state.message,
            "started": self.started,
        })
    }
}

/// Tells pages how far a campaign is, until it ends.
async fn follow(app: Arc<App>, campaign: Arc<Campaign>, mut child: Child) {
    let mut told = u64::MAX;
    let said = tokio::spawn(read_last(child.stderr.take()));
    let ended = loop {
        match tokio::time::timeout(LOOK, child.wait()).await {
            Ok(ended) => break ended,
            Err(_) => {
                let path = campaign.path();
                let done = tokio::task::spawn_blocking(move || games_done(&path)).await;
                let done = done.unwrap_or_default();
                campaign.state().done = done;
                if done != told {
                    told = done;
                    tell(&app, &campaign);
                }
            }
        }
    };
    let said = said.await.unwrap_or_default();
    let (done, whole) = (games_done(&campaign.path()), ended.is_ok_and(|ended| ended.success()));
    {
        let mut state = campaign.state();
        state.input = None;
        state.done = done;
        state.name = match whole {
            true => "done",
            false if campaign.path().join("report.html").is_file() => "stopped",
            false => "failed",
        };
        state.message = said;
    }
    tell(&app, &campaign);
}

fn tell(app: &App, campaign: &Campaign) {
    let mut event = campaign.told();
    event["kind"] = "campaign".into();
    app.events.tell(&event);
}

/// Returns how many games lie in the folder.
fn games_done(folder: &Path) -> u64 {
    let Ok(Some(manifest)) = Manifest::read(folder) else { return 0 };
    let is_there = |shard: &u64| shard_files(folder, *shard)[0].is_file();
    let games = |shard: u64| manifest.seeds(shard).count() as u64;
    manifest.own_shards().filter(is_there).map(games).sum()
}

fn spawned(command: std::process::Command) -> Result<Child, Refusal> {
    Command::from(command)
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .map_err(|error| Refusal::bad(format!("the campaign cannot be started: {error}")))
}

async fn last_words(child: &mut Child) -> String {
    read_last(child.stderr.take()).await
}

/// The end of what a process says.
async fn read_last(stream: Option<tokio::process::ChildStderr>) -> String {
    let Some(mut stream) = stream else { return String::new() };
    let (mut said, mut piece) = (Vec::new(), [0; 4096]);
    while let Ok(count) = stream.read(&mut piece).await {
        if count == 0 {
            break;
        }
        said.extend_from_slice(&piece[..count]);
        let surplus = said.len().saturating_sub(LAST_WORDS);
        said.drain(..surplus);
    }
    String::from_utf8_lossy(&said).trim().to_owned()
}
