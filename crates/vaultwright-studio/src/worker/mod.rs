//! A process that does the studio's work: it owns an engine, and answers one request after the
//! other.

mod build;
mod cell;
mod check;
mod colours;
mod coverage;
mod desk;
mod editing;
mod fault;
mod hello;
mod import;
mod lair;
mod odds;
mod palette;
mod params;
mod pictures;
mod place;
mod play;
mod rolls;
mod statements;
mod text;
pub(crate) mod workshop;

use std::io::{BufRead, Write};
use std::path::PathBuf;
use std::sync::mpsc::channel;

use serde_json::{Value, json};

use desk::Desk;
use fault::Fault;
use play::Playing;
use vaultwright_authoring::DoorError;
use workshop::Workshop;

/// The longest request.
const MAX_REQUEST_BYTES: u64 = 64 << 20;

/// Answers requests from standard input, a line of JSON each, on standard output, until the input
/// ends: then the process ends at once, whatever it is at.
pub fn work(shop: &dyn Workshop) -> Result<(), DoorError> {
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
    let mut desk = Desk::new(shop);
    let mut playing = None;
    for line in requests {
        let answer = match answer(&mut desk, &mut playing, &line) {
            Ok(value) => json!({ "ok": value }),
            Err(fault) => json!({ "error": fault.to_json(shop.folder()) }),
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

fn answer(desk: &mut Desk, playing: &mut Option<Playing>, line: &[u8]) -> Result<Value, Fault> {
    let request: Value =
        serde_json::from_slice(line).map_err(|error| Fault::new(error.to_string()))?;
    let changed = request["changed"].as_array().into_iter().flatten();
    let changed: Vec<PathBuf> = changed.filter_map(|path| Some(path.as_str()?.into())).collect();
    desk.note_changed(&changed);
    let params = &request["params"];
    let at_play = || Fault::new("nobody plays here");
    match request["method"].as_str().unwrap_or_default() {
        "hello" => hello::hello(desk),
        "check" => check::check(desk, params),
        "tokens" => editing::tokens(params),
        "complete" => editing::complete(desk, params),
        "hover" => editing::hover(desk, params),
        "rolls" => rolls::rolls(desk, params),
        "palette" => palette::palette(desk, params),
        "cell" => cell::cell(desk, params),
        "coverage" => coverage::coverage(desk, params),
        "place" => place::place(desk, params),
        "odds" => odds::odds(desk, params),
        "build" => build::build(desk, params),
        "import" => import::import(desk, params),
        "lair.floors" => lair::floors(desk, params),
        "lair.cell" => lair::cell(desk, params),
        "play.begin" => {
            let (begun, view) = play::begin(desk, params)?;
            *playing = Some(begun);
            Ok(view)
        }
        "play.act" => playing.as_mut().ok_or_else(at_play)?.act(params),
        "play.back" => playing.as_mut().ok_or_else(at_play)?.back(params),
        "play.scenario" => playing.as_ref().ok_or_else(at_play)?.scenario(),
        "animate" => build::animate(desk, params),
        other => Err(Fault::new(format!("there is no method '{other}'"))),
    }
}
