//! A process that does the studio's work: it owns an engine, and answers one request after the
//! other.

mod build;
mod cell;
mod check;
mod colours;
mod coverage;
mod editing;
mod fault;
pub(crate) mod folder_opener;
mod hello;
mod import;
mod lair;
mod odds;
mod pack;
mod palette;
mod params;
mod pictures;
mod place;
mod play;
mod rolls;
mod statements;
mod text;

use std::io::{BufRead, Write};
use std::path::PathBuf;
use std::sync::mpsc::channel;

use serde_json::{Value, json};

use fault::Fault;
use folder_opener::FolderOpener;
use pack::WorkerPack;
use play::Playing;
use vaultwright_authoring::OpenError;

/// The longest request.
const MAX_REQUEST_BYTES: u64 = 64 << 20;

/// Answers requests from standard input, a line of JSON each, on standard output, until the input
/// ends: then the process ends at once, whatever it is at.
pub fn work(opener: &dyn FolderOpener) -> Result<(), OpenError> {
    let (sender, requests) = channel();
    std::thread::spawn(move || {
        let mut input = std::io::stdin().lock();
        loop {
            let mut line = Vec::new();
            let mut bounded = std::io::Read::take(&mut input, MAX_REQUEST_BYTES);
            match bounded.read_until(b'\n', &mut line) {
                Ok(count) if count > 0 && sender.send(line).is_ok() => {}
                // Nobody waits for this process any more.
                _ => std::process::exit(0),
            }
        }
    });
    let mut pack = WorkerPack::new(opener);
    let mut playing = None;
    for line in requests {
        let answer = match answer(&mut pack, &mut playing, &line) {
            Ok(value) => json!({ "ok": value }),
            Err(fault) => json!({ "error": fault.to_json(opener.folder()) }),
        };
        write_line(&answer)?;
    }
    Ok(())
}

fn write_line(value: &Value) -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    serde_json::to_writer(&mut out, value)?;
    out.write_all(b"\n")?;
    out.flush()
}

/// Tells how far a request is, before its end.
fn tell(progress: &Value) -> Result<(), Fault> {
    write_line(&json!({ "progress": progress })).map_err(|error| Fault::new(error.to_string()))
}

fn answer(
    pack: &mut WorkerPack,
    playing: &mut Option<Playing>,
    line: &[u8],
) -> Result<Value, Fault> {
    let request: Value =
        serde_json::from_slice(line).map_err(|error| Fault::new(error.to_string()))?;
    let changed = request["changed"].as_array().into_iter().flatten();
    let changed: Vec<PathBuf> = changed.filter_map(|path| Some(path.as_str()?.into())).collect();
    pack.note_changed(&changed);
    let params = &request["params"];
    let at_play = || Fault::new("nobody plays here");
    match request["method"].as_str().unwrap_or_default() {
        "hello" => hello::hello(pack),
        "check" => check::check(pack, params),
        "tokens" => editing::tokens(params),
        "complete" => editing::complete(pack, params),
        "hover" => editing::hover(pack, params),
        "rolls" => rolls::rolls(pack, params),
        "palette" => palette::palette(pack, params),
        "cell" => cell::cell(pack, params),
        "coverage" => coverage::coverage(pack, params),
        "place" => place::place(pack, params),
        "odds" => odds::odds(pack, params),
        "build" => build::build(pack, params),
        "import" => import::import(pack, params),
        "lair.floors" => lair::floors(pack, params),
        "lair.cell" => lair::cell(pack, params),
        "play.begin" => {
            let (begun, view) = play::begin(pack, params)?;
            *playing = Some(begun);
            Ok(view)
        }
        "play.act" => playing.as_mut().ok_or_else(at_play)?.act(params),
        "play.back" => playing.as_mut().ok_or_else(at_play)?.back(params),
        "play.scenario" => playing.as_ref().ok_or_else(at_play)?.scenario(),
        "animate" => build::animate(pack, params),
        other => Err(Fault::new(format!("there is no method '{other}'"))),
    }
}
