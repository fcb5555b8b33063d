//! What scripts answer, and how it is read (spec 09 §6.2).

use std::collections::HashMap;

use vaultwright_lua::mlua::{MultiValue, Value};

use crate::tower::Tags;

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
    let mut text = String::new();
    append_words(value, &mut text);
    split(&text).map(str::to_owned).collect()
}

/// Lists of words that scripts have answered. Most answers are the same again and again: their list is kept once.
#[derive(Default)]
pub struct WordLists {
    known: HashMap<String, Tags>,
    text: String,
}

/// So many lists are kept at most.
const MOST_LISTS: usize = 4096;

impl WordLists {
    /// The words of an answer, each once.
    pub fn read(&mut self, value: &Value) -> Tags {
        self.text.clear();
        append_words(value, &mut self.text);
        if let Some(list) = self.known.get(&self.text) {
            return Tags::clone(list);
        }
        let mut list: Vec<String> = Vec::new();
        for word in split(&self.text) {
            if !list.iter().any(|known| known == word) {
                list.push(word.to_owned());
            }
        }
        let list = Tags::from(list);
        if self.known.len() < MOST_LISTS {
            self.known.insert(self.text.clone(), Tags::clone(&list));
        }
        list
    }
}

fn split(text: &str) -> impl Iterator<Item = &str> {
    text.split(' ').filter(|word| !word.is_empty())
}

/// Adds the words of an answer, with blanks between.
fn append_words(value: &Value, text: &mut String) {
    match value {
        Value::Boolean(true) => text.push_str("true"),
        Value::String(words) => text.push_str(&words.to_string_lossy()),
        Value::Integer(number) => text.push_str(&number.to_string()),
        Value::Number(number) => text.push_str(&shown(*number)),
        Value::Table(list) => {
            for index in 1.. {
                match list.raw_get::<Value>(index) {
                    Ok(Value::Nil) | Err(_) => return,
                    // A table inside a table is no word.
                    Ok(Value::Table(_)) => {}
                    Ok(element) => {
                        append_words(&element, text);
                        text.push(' ');
                    }
                }
            }
        }
        _ => {}
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
