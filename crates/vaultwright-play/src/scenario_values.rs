//! Lua values as text, for comparing and showing them in expectations.

use mlua::{Error, Value};

/// The maximum depth to which tables are shown.
const MAX_DEPTH: usize = 8;

/// Returns a value as a literal. Tables have their keys in order.
pub(crate) fn shown(value: &Value) -> String {
    shown_to(value, MAX_DEPTH)
}

fn shown_to(value: &Value, depth: usize) -> String {
    match value {
        Value::Nil => "nil".to_owned(),
        Value::Boolean(value) => value.to_string(),
        Value::Integer(value) => value.to_string(),
        Value::Number(value) => value.to_string(),
        Value::String(text) => format!("{:?}", text.to_string_lossy()),
        Value::Table(_) if depth == 0 => "{…}".to_owned(),
        Value::Table(table) => {
            let length = table.raw_len();
            let mut listed: Vec<String> = Vec::new();
            let mut keyed: Vec<(String, String)> = Vec::new();
            for pair in table.pairs::<Value, Value>().filter_map(Result::ok) {
                let inner = shown_to(&pair.1, depth - 1);
                match position(&pair.0).filter(|&index| (1..=length).contains(&index)) {
                    Some(_) => {}
                    None => keyed.push((key(&pair.0), inner)),
                }
            }
            for index in 1..=length {
                let inner = table.raw_get::<Value>(index).unwrap_or(Value::Nil);
                listed.push(shown_to(&inner, depth - 1));
            }
            keyed.sort();
            listed.extend(keyed.into_iter().map(|(key, value)| format!("{key} = {value}")));
            format!("{{{}}}", listed.join(", "))
        }
        other => other.type_name().to_owned(),
    }
}

fn position(key: &Value) -> Option<usize> {
    match key {
        Value::Integer(index) => usize::try_from(*index).ok(),
        Value::Number(index) if index.fract() == 0.0 && *index >= 0.0 => Some(*index as usize),
        _ => None,
    }
}

fn key(value: &Value) -> String {
    match value {
        Value::String(text) => text.to_string_lossy(),
        other => format!("[{}]", shown(other)),
    }
}

/// Returns a number or a list of numbers.
pub(crate) fn number_list(value: &Value) -> mlua::Result<Vec<i32>> {
    match value {
        Value::Table(list) => list.sequence_values().collect(),
        value => match value.as_f64().or_else(|| value.as_i64().map(|n| n as f64)) {
            Some(number) => Ok(vec![number as i32]),
            None => Err(Error::runtime("a number or a list of numbers expected")),
        },
    }
}
