//! What requests say.

use serde_json::Value;

use super::fault::Fault;

/// A file as it stands in a page.
pub struct FileParam {
    pub path: String,
    /// Its bytes, as they would lie on the disk.
    pub bytes: Vec<u8>,
}

/// The longest text of a file.
const MAX_TEXT_BYTES: usize = 4 << 20;

pub fn file(params: &Value) -> Result<FileParam, Fault> {
    let file = params.get("file").ok_or_else(|| missing("file"))?;
    let path = word(file, "path")?.to_owned();
    let text = word(file, "text")?;
    if text.len() > MAX_TEXT_BYTES {
        return Err(Fault::new("the text has more than 4 MiB"));
    }
    let latin1 = file.get("encoding").and_then(Value::as_str) == Some("latin1");
    let as_byte = |c: char| u8::try_from(u32::from(c)).unwrap_or(b'?');
    let bytes = match latin1 {
        true => text.chars().map(as_byte).collect(),
        false => text.as_bytes().to_vec(),
    };
    Ok(FileParam { path, bytes })
}

pub fn word<'v>(params: &'v Value, name: &str) -> Result<&'v str, Fault> {
    params.get(name).and_then(Value::as_str).ok_or_else(|| missing(name))
}

/// Returns a seed: a number, or its digits, since pages cannot count as far.
pub fn seed(params: &Value) -> Result<u64, Fault> {
    match params.get("seed") {
        None | Some(Value::Null) => Ok(1),
        Some(value) => seed_of(value),
    }
}

pub fn seed_of(value: &Value) -> Result<u64, Fault> {
    let digits = value.as_str().and_then(|digits| digits.trim().parse().ok());
    value.as_u64().or(digits).ok_or_else(|| Fault::new("a seed is a whole number from 0 on"))
}

/// Returns a number of things, from 1 to so many at most.
pub fn count(params: &Value, name: &str, usual: u64, most: u64) -> Result<u64, Fault> {
    match params.get(name).and_then(Value::as_u64).unwrap_or(usual) {
        count if (1..=most).contains(&count) => Ok(count),
        _ => Err(Fault::new(format!("'{name}' has to be from 1 to {most}"))),
    }
}

pub fn cell(params: &Value) -> Result<(i32, i32), Fault> {
    let number = |name: &str| {
        let number = params.get(name).and_then(Value::as_i64);
        number.and_then(|number| i32::try_from(number).ok()).ok_or_else(|| missing(name))
    };
    Ok((number("x")?, number("y")?))
}

fn missing(name: &str) -> Fault {
    Fault::new(format!("'{name}' is missing"))
}
