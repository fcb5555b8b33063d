//! `vaultwright studio`: the pack that a page works with, and the processes that do the work.

pub mod worker;

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use serde_json::json;
use vaultwright::content::Edition;
use vaultwright::{DataRoot, Engine};
use vaultwright_studio::{Settings, serve};

use crate::arguments::{Common, StudioOptions};
use crate::campaign::passed_on;
use crate::session::engine_options;
use crate::{Failure, Outcome, output};

pub fn run(common: &Common, options: &StudioOptions) -> Result<Outcome, Failure> {
    let (folder, file) = opened(common, options.path.as_deref())?;
    let (itself, same_data) = (common.itself.clone(), passed_on(common));
    let program = move |words: &[OsString]| {
        let mut command = itself.command();
        command.args(words).args(&same_data);
        command
    };
    let worker = {
        let program = program.clone();
        let words = ["studio-worker".into(), folder.clone().into_os_string()];
        move || program(&words)
    };
    let inside = match common.root {
        DataRoot::Embedded => common.root.des_sources()?,
        DataRoot::Bare | DataRoot::Directory(_) => Vec::new(),
    };
    let settings = Settings {
        inside,
        file,
        port: options.port,
        token: options.token.clone(),
        open: !options.no_open,
        frames: options.frame.clone(),
        page: options.page.clone(),
        watched: watched(common, &folder),
        program: Box::new(program),
        worker: Box::new(worker),
        workers: usize::from(options.workers),
        data: described(common)?,
        version: env!("CARGO_PKG_VERSION").to_owned(),
        folder,
    };
    serve(settings, &mut |url| {
        // Whoever started it has to know; where nobody reads it the browser may be open all the
        // same.
        let _ = output::line(format_args!("{url}"));
        eprintln!("the studio is open until Ctrl-C");
    })?;
    Ok(Outcome::Clean)
}

/// Returns the folder to open, and the file in it to begin with.
fn opened(common: &Common, path: Option<&Path>) -> Result<(PathBuf, Option<String>), Failure> {
    let Some(path) = path else {
        let folder = match &common.root {
            DataRoot::Directory(data) if data.join("des").is_dir() => data.join("des"),
            _ => PathBuf::from("."),
        };
        return Ok((whole(&folder)?, None));
    };
    if path.is_dir() {
        return Ok((whole(path)?, None));
    }
    let is_source = path.extension().is_some_and(|ending| ending == "des" || ending == "lua");
    let name = path.file_name().and_then(|name| name.to_str());
    let (true, Some(name)) = (is_source, name) else {
        let path = path.display();
        return Err(format!("{path} is neither a folder nor a file that ends with .des").into());
    };
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    Ok((whole(parent.unwrap_or(Path::new(".")))?, Some(name.to_owned())))
}

fn whole(folder: &Path) -> Result<PathBuf, Failure> {
    let failed = |error| format!("cannot open {}: {error}", folder.display());
    Ok(folder.canonicalize().map_err(failed)?)
}

/// Returns what of the data lies elsewhere and changes what maps become.
fn watched(common: &Common, folder: &Path) -> Vec<PathBuf> {
    let DataRoot::Directory(data) = &common.root else { return Vec::new() };
    let parts = ["des", "dlua", "tables"].map(|part| data.join(part));
    let parts = parts.into_iter().filter_map(|part| part.canonicalize().ok());
    parts.filter(|part| !part.starts_with(folder)).collect()
}

/// Returns what `hello` says of the data.
fn described(common: &Common) -> Result<serde_json::Value, Failure> {
    let kind = match &common.root {
        DataRoot::Embedded => "embedded",
        DataRoot::Bare => "none",
        DataRoot::Directory(_) if common.root.has_own_library() => "crawl",
        DataRoot::Directory(_) => "pack",
    };
    let path = match &common.root {
        DataRoot::Directory(data) => Some(data.display().to_string()),
        _ => None,
    };
    let edition: Edition = Engine::new(engine_options(common))?.content().rules.edition;
    Ok(json!({
        "kind": kind,
        "name": common.root.title()?,
        "edition": edition.name(),
        "path": path,
    }))
}
