//! Which address is answered by what.

use std::sync::Arc;

use axum::Router;
use axum::body::Bytes;
use axum::extract::{DefaultBodyLimit, Path, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::middleware::from_fn_with_state;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use base64::Engine as _;
use serde_json::{Value, json};

use super::answer::{Answer, Refusal, as_json};
use super::app::App;
use super::guard::guard;
use super::limits::MAX_BODY;
use super::{page, parameters};

/// Methods that workers answer.
const OF_WORKERS: [&str; 15] = [
    "import",
    "animate",
    "build",
    "cell",
    "check",
    "complete",
    "coverage",
    "hover",
    "lair.cell",
    "lair.floors",
    "odds",
    "palette",
    "place",
    "rolls",
    "tokens",
];

pub fn router(app: Arc<App>) -> Router {
    Router::new()
        .route("/", get(page::index))
        .route("/page/{*path}", get(page::file))
        .route("/report/{name}", get(report))
        .route("/api/events", get(events))
        .route("/api/{method}", post(call))
        .fallback(|| async { Refusal::not_found("there is nothing here").into_response() })
        .layer(DefaultBodyLimit::max(MAX_BODY))
        .layer(from_fn_with_state(Arc::clone(&app), guard))
        .with_state(app)
}

async fn events(State(app): State<Arc<App>>) -> Response {
    app.events.listen()
}

/// A report is a page of its own with its own script, which reaches nothing: not the studio either.
const OF_REPORTS: &str = "sandbox allow-scripts allow-downloads; default-src 'none'; \
    script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; \
    form-action 'none'; frame-ancestors 'self'";

async fn report(State(app): State<Arc<App>>, Path(name): Path<String>) -> Response {
    let read = tokio::task::spawn_blocking(move || app.campaigns.report(&name)).await;
    match read.unwrap_or_else(|_| Err(Refusal::bad("the studio is closing"))) {
        Ok(bytes) => {
            let kind = (header::CONTENT_TYPE, "text/html; charset=utf-8");
            ([kind, (header::CONTENT_SECURITY_POLICY, OF_REPORTS)], bytes).into_response()
        }
        Err(refusal) => refusal.into_response(),
    }
}

async fn call(
    State(app): State<Arc<App>>,
    Path(method): Path<String>,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let content = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
    if !content.is_some_and(|content| content.starts_with("application/json")) {
        let why = "requests are JSON";
        return Refusal::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, why).into_response();
    }
    let params: Value = match serde_json::from_slice(&body) {
        Ok(params @ Value::Object(_)) => params,
        Ok(_) => return Refusal::bad("the parameters are no object").into_response(),
        Err(error) => return Refusal::bad(format!("no JSON: {error}")).into_response(),
    };
    // A page that goes away does not leave a worker in the middle of an answer.
    let answered = tokio::spawn(async move { answer(&app, &method, params).await }).await;
    match answered.unwrap_or_else(|_| Err(Refusal::bad("the studio is closing"))) {
        Ok(value) => match bytes_of(&value) {
            Some(response) => response,
            None => as_json(&value).into_response(),
        },
        Err(refusal) => refusal.into_response(),
    }
}

/// Returns an answer that is a file: `{"bytes": base64, "type": …}`.
fn bytes_of(value: &Value) -> Option<Response> {
    let bytes = value.get("bytes")?.as_str()?;
    let kind = value.get("type")?.as_str()?.to_owned();
    let bytes = base64::engine::general_purpose::STANDARD.decode(bytes).ok()?;
    Some(([(header::CONTENT_TYPE, kind)], bytes).into_response())
}

async fn answer(app: &Arc<App>, method: &str, params: Value) -> Answer {
    if let Some(params) = params.as_object() {
        parameters::check(method, params)?;
    }
    let word = |name: &str| {
        let word = params.get(name).and_then(Value::as_str).map(str::to_owned);
        word.ok_or_else(|| Refusal::bad(format!("'{name}' is missing")))
    };
    match method {
        "hello" => hello(app).await,
        "files" => apart(app, |app| app.folder.list()).await,
        "read" => {
            let path = word("path")?;
            apart(app, move |app| app.folder.read(&path)).await
        }
        "save" => {
            let (path, text, revision) = (word("path")?, word("text")?, word("revision")?);
            apart(app, move |app| app.folder.save(&path, &text, &revision)).await
        }
        "create" => {
            let (path, text) = (word("path")?, word("text")?);
            apart(app, move |app| app.folder.create(&path, &text)).await
        }
        "campaign.start" => app.campaigns.start(app, &params),
        "campaign.status" => app.campaigns.status(),
        "campaign.stop" => app.campaigns.stop(&word("campaign")?),
        "campaign.tables" => {
            let id = word("campaign")?;
            apart(app, move |app| app.campaigns.tables(&id)).await
        }
        "campaign.query" => {
            let id = word("campaign")?;
            apart(app, move |app| app.campaigns.query(&id, &params)).await
        }
        "campaign.compare" => app.campaigns.compare(app, &word("a")?, &word("b")?).await,
        "play.start" => app.sessions.start(app, params).await,
        "play.act" | "play.back" | "play.scenario" => app.sessions.ask(app, method, params).await,
        "play.end" => app.sessions.end(&word("session")?),
        _ if OF_WORKERS.contains(&method) => {
            let ticket = app.generations.enter(&params).map_err(|()| Refusal::superseded())?;
            app.pool.ask(app, method, params, ticket).await
        }
        _ => Err(Refusal::not_found(format!("there is no method '{method}'"))),
    }
}

async fn hello(app: &Arc<App>) -> Answer {
    let mut hello = app.pool.ask(app, "hello", json!({}), None).await?;
    hello["version"] = app.settings.version.as_str().into();
    hello["data"] = app.settings.data.clone();
    hello["folder"] = app.folder.root().display().to_string().into();
    if let Some(file) = &app.settings.file {
        hello["file"] = file.as_str().into();
    }
    Ok(hello)
}

/// Does what waits for the disk beside everything else.
async fn apart(app: &Arc<App>, work: impl FnOnce(&App) -> Answer + Send + 'static) -> Answer {
    let app = Arc::clone(app);
    let done = tokio::task::spawn_blocking(move || work(&app)).await;
    done.unwrap_or_else(|_| Err(Refusal::bad("the studio is closing")))
}
