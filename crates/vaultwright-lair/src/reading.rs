//! What scripts answer, and how it is read (spec 09 §6.2).

use vaultwright_lua::mlua::{MultiValue, Value};

/// The last value of an answer, which is the one that counts.
pub fn last(values: MultiValue) -> Value {
    values.into_iter().next_back().unwrap_or(Value::Nil)
}

/// Whether an answer means yes.
pub fn means_yes(value: &Value) -> bool {
    match value {
        Value::Boolean(yes) => *yes,
        Value::String(text) => text.to_string_lossy().split(' ').next() == Some("true"),
        Value::Table(list) => list.raw_get::<Value>(1).is_ok_and(|first| means_yes(&first)),
        _ => false,
    }
}

/// The words of an answer.
pub fn words(value: &Value) -> Vec<String> {
    match value {
        Value::Boolean(true) => vec!["true".to_owned()],
        Value::String(text) => {
            let text = text.to_string_lossy();
            text.split(' ').filter(|word| !word.is_empty()).map(str::to_owned).collect()
        }
        Value::Integer(number) => vec![number.to_string()],
        Value::Number(number) => vec![shown(*number)],
        Value::Table(list) => {
            let elements = (1..).map_while(|index| match list.raw_get::<Value>(index) {
                Ok(Value::Nil) | Err(_) => None,
                Ok(element) => Some(element),
            });
            // A table inside a table is no word.
            let flat = elements.filter(|element| !matches!(element, Value::Table(_)));
            flat.flat_map(|element| words(&element)).collect()
        }
        _ => Vec::new(),
    }
}

/// Whether an answer is of a kind that no question has; what it was, for a warning.
pub fn strange(value: &Value) -> Option<&'static str> {
    match value {
        Value::Function(_) | Value::UserData(_) | Value::Thread(_) => Some(value.type_name()),
        _ => None,
    }
}

/// Integral numbers without a point.
fn shown(number: f64) -> String {
    if number.fract() == 0.0 && number.abs() < 1e15 {
        format!("{}", number as i64)
    } else {
        format!("{number}")
    }
}
