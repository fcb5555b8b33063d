//! Reading the answers of scripts (spec 09 §6.2).

use std::collections::{HashMap, HashSet};

use vaultwright_lua::mlua::{MultiValue, Value};

use crate::tower::Tags;

/// The maximum number of words in an answer, and of bytes in all of them.
const MAX_WORDS: usize = 1000;
const MAX_TEXT: usize = 16 << 10;
const TOO_LONG: &str = "more than 1000 words or 16 KiB, which counts as no answer";

/// Returns the last value of an answer, which is the one that counts.
pub fn last(values: MultiValue) -> Value {
    values.into_iter().next_back().unwrap_or(Value::Nil)
}

/// Returns whether an answer means yes.
pub fn means_yes(value: &Value) -> bool {
    match value {
        Value::Boolean(yes) => *yes,
        Value::String(text) => first_word(&text.as_bytes()) == b"true",
        Value::Table(list) => match list.raw_get::<Value>(1) {
            // A nested table has no meaning.
            Ok(Value::Table(_)) | Err(_) => false,
            Ok(first) => means_yes(&first),
        },
        _ => false,
    }
}

/// Returns the text before the first blank.
pub fn first_word(text: &[u8]) -> &[u8] {
    text.split(|byte| *byte == b' ').next().unwrap_or_default()
}

/// Returns the words of an answer; `None` if it is too long.
pub fn words(value: &Value) -> Option<Vec<String>> {
    let mut text = String::new();
    append_words(value, &mut text).then(|| split(&text).map(str::to_owned).collect())
}

/// Like [`words`], without duplicates.
pub fn unique_words(value: &Value) -> Option<Vec<String>> {
    let mut text = String::new();
    append_words(value, &mut text).then(|| each_once(&text))
}

/// Lists of words in answers of scripts. Most answers are repeated, so each list is stored once.
pub struct WordLists {
    known: HashMap<String, Tags>,
    text: String,
    /// The number of bytes that lists may still use.
    left: usize,
}

/// The maximum number of lists.
const MAX_LISTS: usize = 4096;

impl WordLists {
    /// Creates an empty store, with a maximum number of bytes for all lists together.
    pub fn new(memory: usize) -> WordLists {
        WordLists { known: HashMap::new(), text: String::new(), left: memory }
    }

    /// Returns the words of an answer without duplicates, or the reason why it is not read.
    pub fn read(&mut self, value: &Value) -> Result<Tags, &'static str> {
        self.text.clear();
        if !append_words(value, &mut self.text) {
            return Err(TOO_LONG);
        }
        if let Some(list) = self.known.get(&self.text) {
            return Ok(Tags::clone(list));
        }
        let Some(left) = self.left.checked_sub(self.text.len()) else {
            return Err("tags, but all together they take more memory than scripts may (--memory)");
        };
        self.left = left;
        let list = Tags::from(each_once(&self.text));
        if self.known.len() < MAX_LISTS {
            self.known.insert(self.text.clone(), Tags::clone(&list));
        }
        Ok(list)
    }
}

fn each_once(text: &str) -> Vec<String> {
    let mut seen = HashSet::new();
    split(text).filter(|word| seen.insert(*word)).map(str::to_owned).collect()
}

fn split(text: &str) -> impl Iterator<Item = &str> {
    text.split(' ').filter(|word| !word.is_empty())
}

/// Appends the words of an answer, separated by blanks. Returns false if there are too many.
fn append_words(value: &Value, text: &mut String) -> bool {
    match value {
        Value::Boolean(true) => text.push_str("true"),
        Value::String(words) => {
            let words = words.as_bytes();
            if words.len() > MAX_TEXT {
                return false;
            }
            text.push_str(&String::from_utf8_lossy(&words));
        }
        Value::Integer(number) => text.push_str(&number.to_string()),
        Value::Number(number) => text.push_str(&shown(*number)),
        Value::Table(list) => {
            for index in 1.. {
                match list.raw_get::<Value>(index) {
                    Ok(Value::Nil) | Err(_) => break,
                    _ if index > MAX_WORDS => return false,
                    // A nested table is not a word.
                    Ok(Value::Table(_)) => {}
                    Ok(element) => {
                        if !append_words(&element, text) {
                            return false;
                        }
                        text.push(' ');
                    }
                }
            }
        }
        _ => {}
    }
    text.len() <= MAX_TEXT && split(text).nth(MAX_WORDS).is_none()
}

/// Returns the message about an answer of a type that no question has; `None` for other types.
pub fn unusable_kind(value: &Value) -> Option<&'static str> {
    match value {
        Value::Function(_) => Some("a function, which says nothing: its brackets may be missing"),
        Value::UserData(_) => Some("a userdata, which says nothing"),
        Value::Thread(_) => Some("a thread, which says nothing"),
        _ => None,
    }
}

/// Returns a number as text, without a decimal point if it is an integer.
fn shown(number: f64) -> String {
    if number.fract() == 0.0 && number.abs() < 1e15 {
        format!("{}", number as i64)
    } else {
        format!("{number}")
    }
}

#[cfg(test)]
mod tests {
    use vaultwright_lua::{Interpreter, Limits};

    use super::*;

    fn value(text: &str) -> (Interpreter, Value) {
        let interpreter = Interpreter::new(Limits::default()).expect("an interpreter");
        let function = interpreter.load("test", format!("return {text}").as_bytes());
        let value = function.expect("a chunk").call(()).expect("a value");
        (interpreter, value)
    }

    #[test]
    fn answers_are_read_as_words_and_long_ones_are_refused() {
        let read = |text: &str| {
            let (_interpreter, value) = value(text);
            WordLists::new(1000).read(&value).map(|tags| tags.join(","))
        };
        assert_eq!(read("'wall  stone wall'").as_deref(), Ok("wall,stone"));
        assert_eq!(read("{'a b', 'c', {'d'}, 5, true}").as_deref(), Ok("a,b,c,5,true"));
        assert_eq!(read("nil").as_deref(), Ok(""));
        assert_eq!(read("('x'):rep(17000)"), Err(TOO_LONG));
        assert_eq!(read("('x '):rep(1001)"), Err(TOO_LONG));
        assert!(read("('x'):rep(1001)").is_err_and(|what| what.contains("--memory")));
        let many = "(function() local t = {} for i = 1, 1e6 do t[i] = i end return t end)()";
        assert_eq!(read(many), Err(TOO_LONG));
    }

    #[test]
    fn yes_is_true_or_a_text_that_begins_so() {
        for (text, expected) in [
            ("true", true),
            ("'true wall'", true),
            ("'truely'", false),
            ("{'true'}", true),
            ("{{true}}", false),
            ("1", false),
            ("nil", false),
        ] {
            let (_interpreter, value) = value(text);
            assert_eq!(means_yes(&value), expected, "{text}");
        }
    }
}
