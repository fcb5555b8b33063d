//! A process that does the studio's work: it owns an engine, and answers one request after the other.

mod cell;
mod check;
mod colours;
mod desk;
mod fault;
mod hello;
mod palette;
mod params;
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
use workshop::{Workshop, WorkshopError};

/// The longest request.
const LONGEST: u64 = 64 << 20;

/// Answers requests from standard input, a line of JSON each, on standard output, until the input
/// ends: then the process ends at once, whatever it is at.
pub fn work(shop: &dyn Workshop) -> Result<(), WorkshopError> {
    let (sender, requests) = channel();
    std::thread::spawn(move || {
        let mut input = std::io::stdin().lock();
        loop {
            let mut line = Vec::new();
            let mut bounded = std::io::Read::take(&mut input, LONGEST);
            match bounded.read_until(b'\n', &mut line) {
                Ok(count) if count > 0 && sender.send(line).is_ok() => {}
                // Nobody waits for this process any more.
                _ => std::process::exit(0),
            }
        }
    });
    let mut desk = Desk::new(shop);
    for line in requests {
        let answer = match answer(&mut desk, &line) {
            Ok(value) => json!({ "ok": value }),
            Err(fault) => json!({ "error": fault.to_json(shop.folder()) }),
        };
        let mut out = std::io::stdout().lock();
        serde_json::to_writer(&mut out, &answer)?;
        out.write_all(b"\n")?;
        out.flush()?;
    }
    Ok(())
}

fn answer(desk: &mut Desk, line: &[u8]) -> Result<Value, Fault> {
    let request: Value =
        serde_json::from_slice(line).map_err(|error| Fault::new(error.to_string()))?;
    let changed = request["changed"].as_array().into_iter().flatten();
    let changed: Vec<PathBuf> = changed.filter_map(|path| Some(path.as_str()?.into())).collect();
    desk.note_changed(&changed);
    let params = &request["params"];
    match request["method"].as_str().unwrap_or_default() {
        "hello" => hello::hello(desk),
        "check" => check::check(desk, params),
        "rolls" => rolls::rolls(desk, params),
        "palette" => palette::palette(desk, params),
        "cell" => cell::cell(desk, params),
        other => Err(Fault::new(format!("there is no method '{other}'"))),
    }
}
