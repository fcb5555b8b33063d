//! Asking a script: its answers, what is taken if it has none, what is told about that (spec 09 §6, §17).

use std::collections::BTreeSet;

use vaultwright_lua::mlua::{self, MultiValue, Value};

use crate::error::LairError;
use crate::generate::{Generator, internal};
use crate::passes::{Cursor, Questions, position};
use crate::reading::{last, means_yes, strange};
use crate::room::Site;
use crate::script::told;
use crate::tower::{Entity, TILE, Tags};

/// A function that has failed so often on a floor is not called there any more.
const MOST_FAILURES: u32 = 100;

/// What went wrong without stopping anything, each thing told once.
#[derive(Default)]
pub struct Warned {
    known: BTreeSet<String>,
    pub messages: Vec<String>,
}

impl Warned {
    pub fn add(&mut self, message: String) {
        if self.known.insert(message.clone()) {
            self.messages.push(message);
        }
    }

    /// With the place where it was first.
    fn add_at(&mut self, message: String, place: String) {
        if !self.known.contains(&message) {
            self.messages.push(format!("{message} {place}"));
            self.known.insert(message);
        }
    }
}

impl Generator<'_> {
    pub fn entity(
        &mut self,
        site: &Site,
        at: Cursor,
        questions: &Questions,
    ) -> Result<Entity, LairError> {
        let tags = self.words(site, at, &questions.image)?;
        let tags = tags.unwrap_or_else(|| Tags::from([questions.fallback.to_owned()]));
        let sounds = self.words(site, at, &questions.sound)?.unwrap_or_default();
        let fonts = self.words(site, at, &questions.fonts)?.unwrap_or_default();
        Ok(Entity { tags, sounds, fonts, files: None })
    }

    /// The words that a function answers, each once; none if it is missing or fails.
    pub fn words(
        &mut self,
        site: &Site,
        at: Cursor,
        name: &str,
    ) -> Result<Option<Tags>, LairError> {
        Ok(self.ask(site, at, name)?.map(|answer| self.word_lists.read(&answer)))
    }

    pub fn cares(
        &mut self,
        site: &Site,
        at: Cursor,
        questions: &Questions,
    ) -> Result<bool, LairError> {
        questions.cares.as_ref().map_or(Ok(false), |name| self.says_yes(site, at, name))
    }

    pub fn says_yes(&mut self, site: &Site, at: Cursor, name: &str) -> Result<bool, LairError> {
        let Some(answer) = self.ask(site, at, name)? else { return Ok(false) };
        let clear = strange(&answer).is_some()
            || match &answer {
                Value::Boolean(_) | Value::Nil | Value::Table(_) => true,
                Value::String(text) => {
                    let text = text.to_string_lossy();
                    matches!(text.split(' ').next(), Some("true" | "false" | ""))
                }
                _ => false,
            };
        if !clear {
            let shown = answer.to_string().unwrap_or_default();
            let message =
                format!("{name} answers {shown:?}, which is neither true nor false: read as no");
            self.warned.add_at(message, self.place(site, at, name));
        }
        Ok(means_yes(&answer))
    }

    /// What a function answers; none if it is missing or fails.
    pub fn ask(&mut self, site: &Site, at: Cursor, name: &str) -> Result<Option<Value>, LairError> {
        if self.failures.get(name).is_some_and(|&count| count >= MOST_FAILURES) {
            return Ok(None);
        }
        let number = self.scripts.number(name).map_err(internal)?;
        self.scripts.refill();
        let ask = site.rooms.borrow()[at.room].environment.ask.clone();
        let answer: mlua::Result<(bool, MultiValue)> = match self.unpublished.take() {
            Some((at, pass)) => {
                let (x, y, cx, cy, particles, mobiles) = cell_variables(site, at);
                ask.call((number, x, y, cx, cy, particles, mobiles, pass))
            }
            None => ask.call(number),
        };
        match answer {
            Ok((false, _)) => {
                self.warn_of_missing(name);
                Ok(None)
            }
            Ok((true, answer)) => {
                let answer = last(answer);
                if let Some(kind) = strange(&answer) {
                    let message = format!("{name} answers a {kind}, which says nothing");
                    self.warned.add_at(message, self.place(site, at, name));
                }
                Ok(Some(answer))
            }
            Err(error) => self.failed(site, at, name, &error).map(|()| None),
        }
    }

    fn failed(
        &mut self,
        site: &Site,
        at: Cursor,
        name: &str,
        error: &mlua::Error,
    ) -> Result<(), LairError> {
        let message = format!("{} {}", told(error), self.place(site, at, name));
        if self.options.strict {
            return Err(LairError::Strict(message));
        }
        let count = self.failures.entry(name.to_owned()).or_default();
        *count += 1;
        if *count == 1 {
            self.warned.messages.push(message);
        } else if *count == MOST_FAILURES {
            let floor = self.number;
            self.warned.messages.push(format!(
                "{name} has failed {MOST_FAILURES} times on floor {floor}, and is not called there any more"
            ));
        }
        Ok(())
    }

    /// Where a function was asked.
    fn place(&self, site: &Site, at: Cursor, name: &str) -> String {
        let room = (at.room as u32 / site.size.rooms.1, at.room as u32 % site.size.rooms.1);
        let (x, y) = position(site, at);
        format!("[{name}, floor {}, room {},{}, cell {x},{y}]", self.number, room.0, room.1)
    }

    fn warn_of_missing(&mut self, name: &str) {
        self.warned.add(format!("the script has no function {name}: the common answer is taken"));
    }

    pub fn tell_taken_tags(&mut self) {
        let taken: Vec<String> = self.scripts.taken.borrow().clone();
        for tag in taken {
            self.warned.add(format!(
                "the tag '{tag}' has the name of something else: it is counted in tag_counts only"
            ));
        }
        let printed = self.scripts.printed.take();
        self.warned.messages.extend(printed.into_iter().map(|line| format!("lua: {line}")));
    }
}

/// What is published of a cell: its fine coordinates on the floor, its coarse ones in the room, and how much
/// stands in the room.
fn cell_variables(site: &Site, at: Cursor) -> (i64, i64, i64, i64, u32, u32) {
    let rooms = site.rooms.borrow();
    let room = &rooms[at.room];
    let (x, y) = ((room.corner.0 + at.x) * TILE, (room.corner.1 + at.y) * TILE);
    (x, y, at.x, at.y, room.particles.get(), room.mobiles.get())
}
