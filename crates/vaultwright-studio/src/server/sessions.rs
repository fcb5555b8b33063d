//! Sessions of play: each has a process of its own, and what was done, so that it outlives that
//! process.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex as PlainMutex, PoisonError};

use axum::http::StatusCode;
use serde_json::{Value, json};
use tokio::sync::Mutex;

use super::answer::{Answer, Refusal};
use super::app::App;
use super::limits::MAX_SESSIONS;
use super::process::Process;

/// The sessions, the oldest first.
#[derive(Default)]
pub struct Sessions(PlainMutex<VecDeque<Arc<Session>>>);

struct Session {
    id: String,
    state: Mutex<State>,
}

struct State {
    process: Option<Process>,
    /// What it was begun with, with all that was done since.
    begun: Value,
}

impl Sessions {
    pub async fn start(&self, app: &Arc<App>, params: Value) -> Answer {
        let id = super::app::random_word(8).map_err(|error| Refusal::bad(error.to_string()))?;
        let state = Mutex::new(State { process: None, begun: params });
        let session = Arc::new(Session { id: id.clone(), state });
        let view = session.begin(app).await?;
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.push_back(session);
        // The oldest is given up; its process ends with it.
        while all.len() > MAX_SESSIONS {
            all.pop_front();
        }
        Ok(json!({ "session": id, "view": view }))
    }

    pub async fn ask(&self, app: &Arc<App>, method: &str, params: Value) -> Answer {
        let id = params.get("session").and_then(Value::as_str).unwrap_or_default();
        let session = self.find(id);
        let session = session.ok_or_else(|| {
            Refusal::new(StatusCode::GONE, "this session has ended: begin another one")
        })?;
        session.ask(app, method, params).await
    }

    pub fn end(&self, id: &str) -> Answer {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.retain(|session| session.id != id);
        Ok(json!({}))
    }

    pub fn end_all(&self) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    fn find(&self, id: &str) -> Option<Arc<Session>> {
        let all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.iter().find(|session| session.id == id).cloned()
    }
}

impl Session {
    /// Starts the process, and does again what was done.
    async fn begin(&self, app: &Arc<App>) -> Answer {
        let mut state = self.state.lock().await;
        begin(app, &mut state).await
    }

    async fn ask(&self, app: &Arc<App>, method: &str, params: Value) -> Answer {
        let mut state = self.state.lock().await;
        if state.process.is_none() {
            begin(app, &mut state).await?;
        }
        let Some(mut process) = state.process.take() else {
            return Err(Refusal::bad("the session cannot go on"));
        };
        let answer = app.pool.ask_process(app, &mut process, method, params).await;
        match answer {
            Ok(answer) => {
                state.process = Some(process);
                let answer = answer?;
                if let (Some(actions), Some(done)) = (answer.get("actions"), answer.get("done")) {
                    state.begun["actions"] = actions.clone();
                    state.begun["done"] = done.clone();
                    return Ok(json!({ "view": answer }));
                }
                Ok(answer)
            }
            Err(refusal) => {
                process.end().await;
                Err(refusal)
            }
        }
    }
}

async fn begin(app: &Arc<App>, state: &mut State) -> Answer {
    let mut process = app.pool.start(app).map_err(Refusal::bad)?;
    let begun = state.begun.clone();
    let view = app.pool.ask_process(app, &mut process, "play.begin", begun).await??;
    state.process = Some(process);
    Ok(view)
}
