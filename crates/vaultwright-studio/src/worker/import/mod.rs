//! Drawings of other programs as a vault with its legend.

mod cells;
mod png;
mod text;
mod tiled;
mod xp;

use base64::Engine as _;
use serde_json::{Value, json};

use super::fault::Fault;
use super::pack::WorkerPack;
use super::params;
use cells::{Drawing, written};

/// The largest file.
const MAX_FILE_BYTES: usize = 16 << 20;

pub fn import(pack: &mut WorkerPack, params: &Value) -> Result<Value, Fault> {
    let kind = params::word(params, "kind")?;
    let name = params.get("name").and_then(Value::as_str).unwrap_or("imported");
    let packed = params::word(params, "base64")?;
    if packed.len() / 4 * 3 > MAX_FILE_BYTES {
        return Err(Fault::new(format!("the file has more than {} MiB", MAX_FILE_BYTES >> 20)));
    }
    let bytes = base64::engine::general_purpose::STANDARD.decode(packed);
    let bytes = bytes.map_err(|_| Fault::new("'base64' is not base64"))?;
    let engine = pack.whole()?;
    let content = engine.content();
    let drawing: Drawing = match kind {
        "text" => text::read(&bytes, content),
        "xp" => xp::read(&bytes, content),
        "tmx" => tiled::read_xml(&bytes, content),
        "tmj" => tiled::read_json(&bytes, content),
        "png" => png::read(&bytes, &params["palette"], content),
        other => Err(Fault::new(format!("there is no kind '{other}': tmx, tmj, xp, text, png"))),
    }?;
    let (text, notes) = written(name, drawing, content)?;
    Ok(json!({ "text": text, "notes": notes }))
}
