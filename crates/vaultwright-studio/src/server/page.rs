//! The files of the page.

use std::path::{Component, Path};
use std::sync::Arc;

use axum::extract::{self, State};
use axum::http::header;
use axum::response::{IntoResponse, Response};

use super::answer::Refusal;
use super::app::App;

/// The page as the program carries it: names below the folder `page`, and contents.
const FILES: &[(&str, &[u8])] = &include!(concat!(env!("OUT_DIR"), "/page.rs"));

pub async fn index(State(app): State<Arc<App>>) -> Response {
    serve(&app, "index.html")
}

pub async fn file(
    State(app): State<Arc<App>>,
    extract::Path(path): extract::Path<String>,
) -> Response {
    serve(&app, &path)
}

fn serve(app: &App, path: &str) -> Response {
    let contents = match &app.settings.page {
        Some(folder) if is_plain(path) => std::fs::read(folder.join(path)).ok(),
        Some(_) => None,
        None => FILES.iter().find(|(name, _)| *name == path).map(|(_, bytes)| bytes.to_vec()),
    };
    match contents {
        Some(bytes) => ([(header::CONTENT_TYPE, type_of(path))], bytes).into_response(),
        None => Refusal::not_found("the page has no such file").into_response(),
    }
}

fn is_plain(path: &str) -> bool {
    !path.contains('\\') && Path::new(path).components().all(|c| matches!(c, Component::Normal(_)))
}

fn type_of(path: &str) -> &'static str {
    match path.rsplit('.').next() {
        Some("html") => "text/html; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("js" | "mjs") => "text/javascript; charset=utf-8",
        Some("json") => "application/json",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        Some("webmanifest") => "application/manifest+json",
        _ => "text/plain; charset=utf-8",
    }
}
