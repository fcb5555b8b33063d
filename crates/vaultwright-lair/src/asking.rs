//! Asking scripts: their answers, the defaults, and the messages about both (spec 09 §6, §17).

use std::cell::RefMut;

use vaultwright_lua::FailureKind;
use vaultwright_lua::mlua::{self, MultiValue, Value};

use crate::error::LairError;
use crate::findings::{Findings, shortened};
use crate::generate::{Asked, Generator, internal};
use crate::names::nearest;
use crate::passes::Questions;
use crate::reading::{first_word, last, means_yes, unusable_kind};
use crate::room::{Cursor, Site, position};
use crate::tower::{Entity, TILE, Tags};

/// A function that fails this many times on a floor is not called there any more.
const MAX_FAILURES: u32 = 100;
/// The maximum number of recorded questions about a watched cell.
const MAX_ASKED: usize = 1000;
/// The maximum length of their answers, in characters.
const MAX_ANSWER: usize = 400;
/// The maximum length of an answer in a message, in characters.
const MAX_SHOWN: usize = 60;

impl Generator<'_> {
    pub fn findings(&self) -> RefMut<'_, Findings> {
        self.scripts.findings.borrow_mut()
    }

    /// Returns the entity on a cell; `None` if the script gives it no tags.
    pub fn entity(
        &mut self,
        site: &Site,
        at: Cursor,
        questions: &Questions,
    ) -> Result<Option<Entity>, LairError> {
        let tags = self.words(site, at, &questions.image)?;
        let tags = tags.unwrap_or_else(|| Tags::from([questions.fallback.to_owned()]));
        let sounds = self.words(site, at, &questions.sound)?.unwrap_or_default();
        let fonts = self.words(site, at, &questions.fonts)?.unwrap_or_default();
        if tags.is_empty() {
            self.wrong_answer(site, at, &questions.image, "no tags: nothing is placed", "")?;
            return Ok(None);
        }
        Ok(Some(Entity { tags, sounds, fonts, files: None }))
    }

    /// Returns the words that a function returns, without duplicates; `None` if it is missing or
    /// fails.
    pub fn words(
        &mut self,
        site: &Site,
        at: Cursor,
        name: &str,
    ) -> Result<Option<Tags>, LairError> {
        let Some(answer) = self.ask(site, at, name)? else { return Ok(None) };
        match self.word_lists.read(&answer) {
            Ok(words) => Ok(Some(words)),
            Err(what) => self.wrong_answer(site, at, name, what, "").map(|()| None),
        }
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
        let clear = match &answer {
            Value::Boolean(_) | Value::Nil | Value::Table(_) => true,
            Value::String(text) => matches!(first_word(&text.as_bytes()), b"true" | b"false" | b""),
            _ => unusable_kind(&answer).is_some(),
        };
        if !clear {
            let shown = match &answer {
                Value::String(text) => shortened(&text.to_string_lossy(), MAX_SHOWN),
                other => other.to_string().unwrap_or_default(),
            };
            let shown = format!("{shown:?}, ");
            let what = "which is neither true nor false: read as no";
            self.told_answer(site, at, name, what, &shown);
        }
        Ok(means_yes(&answer))
    }

    /// Returns the result of a function; `None` if it is missing or fails.
    pub fn ask(&mut self, site: &Site, at: Cursor, name: &str) -> Result<Option<Value>, LairError> {
        let answer = self.ask_unwatched(site, at, name)?;
        if self.watched.is_some_and(|cell| cell == position(site, at))
            && self.asked.len() < MAX_ASKED
        {
            let shown = |value: &Value| match value {
                Value::String(text) => shortened(&text.to_string_lossy(), MAX_ANSWER),
                other => other.to_string().unwrap_or_default(),
            };
            self.asked.push(Asked {
                pass: self.pass_name(),
                function: name.to_owned(),
                place: self.source_of(at, name),
                answer: answer.as_ref().map(shown),
            });
        }
        Ok(answer)
    }

    fn ask_unwatched(
        &mut self,
        site: &Site,
        at: Cursor,
        name: &str,
    ) -> Result<Option<Value>, LairError> {
        if self.failures.get(name).is_some_and(|&count| count >= MAX_FAILURES) {
            return Ok(None);
        }
        let number = self.scripts.number(name).map_err(internal)?;
        self.scripts.refill();
        let ask = self.scripts.ask();
        let answer: mlua::Result<(bool, MultiValue)> = match self.unpublished.take() {
            Some((cell, pass)) => {
                let (x, y, cx, cy, particles, mobiles) = cell_variables(site, cell);
                ask.call((at.room, number, x, y, cx, cy, particles, mobiles, pass))
            }
            None => ask.call((at.room, number)),
        };
        match answer {
            Ok((false, _)) => {
                if !self.missing.iter().any(|missing| missing == name) {
                    self.missing.push(name.to_owned());
                }
                Ok(None)
            }
            Ok((true, answer)) => {
                let answer = last(answer);
                if let Some(kind) = unusable_kind(&answer) {
                    self.told_answer(site, at, name, kind, "");
                }
                Ok(Some(answer))
            }
            Err(error) => self.failed(site, at, name, &error).map(|()| None),
        }
    }

    /// Records the faults that carving functions of a script report.
    pub fn note_faults_of_carving(&mut self, site: &Site, at: Cursor, name: &str) {
        for (kind, message) in site.faults.take() {
            self.findings().add_at(kind, message, || self.place(site, at, name));
        }
    }

    /// Records an answer that is not usable. In strict mode, this ends the tower.
    pub fn wrong_answer(
        &mut self,
        site: &Site,
        at: Cursor,
        name: &str,
        what: &str,
        shown: &str,
    ) -> Result<(), LairError> {
        if self.options.strict {
            let place = self.place(site, at, name);
            let source = self.source_of(at, name);
            return Err(LairError::Strict(format!(
                "{source}{name} answers {shown}{what} [{place}]"
            )));
        }
        self.told_answer(site, at, name, what, shown);
        Ok(())
    }

    fn told_answer(&mut self, site: &Site, at: Cursor, name: &str, what: &str, shown: &str) {
        let kind = format!("{name} answers {what}");
        let message = if self.findings().has(&kind) {
            String::new()
        } else {
            format!("{}{name} answers {shown}{what}", self.source_of(at, name))
        };
        self.findings().add_at(kind, message, || self.place(site, at, name));
    }

    fn failed(
        &mut self,
        site: &Site,
        at: Cursor,
        name: &str,
        error: &mlua::Error,
    ) -> Result<(), LairError> {
        let failure = self.scripts.failure(error);
        let mut message = failure.to_string();
        if failure.frames.is_empty() {
            message = format!("{}{message}", self.source_of(at, name));
        }
        // As `error()` gives it.
        if failure.message == "nil"
            && let Some(place) = message.strip_suffix("nil")
        {
            message = format!("{place}an error without a text");
        }
        if let Some(meant) = self.meant_global(at, &failure.message) {
            message.push_str(&format!(": did you mean {meant}?"));
        }
        if self.options.strict {
            let place = self.place(site, at, name);
            return Err(LairError::Strict(format!("{message} [{place}]")));
        }
        // Errors of memory and budget can occur anywhere.
        let kind = match failure.kind {
            FailureKind::Memory | FailureKind::Budget => format!("{name} {:?}", failure.kind),
            _ => format!("{name} {message}"),
        };
        self.findings().add_at(kind, message, || self.place(site, at, name));
        let count = self.failures.entry(name.to_owned()).or_default();
        *count += 1;
        if *count == MAX_FAILURES {
            let floor = self.floor_name();
            self.findings().add(format!(
                "{name} has failed {MAX_FAILURES} times on {floor}, and is not called there any more"
            ));
        }
        Ok(())
    }

    /// Returns the function that a call of an unknown global may have been meant for.
    fn meant_global(&self, at: Cursor, message: &str) -> Option<String> {
        let name = message.strip_prefix("attempt to call global '")?.split('\'').next()?;
        let mut known = Vec::new();
        for pair in self.scripts.room(at.room).ok()?.pairs::<Value, Value>() {
            if let Ok((Value::String(name), Value::Function(_))) = pair {
                known.push(name.to_string_lossy());
            }
        }
        known.sort();
        nearest(name, known.iter().map(String::as_str)).map(str::to_owned)
    }

    /// Returns the position of a room's function, as `file:line: `.
    fn source_of(&self, at: Cursor, name: &str) -> String {
        let function = self.scripts.room(at.room).and_then(|room| room.raw_get::<Value>(name));
        let Ok(Value::Function(function)) = function else { return String::new() };
        let info = function.info();
        let place = info.short_src.zip(info.line_defined);
        place.map_or(String::new(), |(file, line)| format!("{file}:{line}: "))
    }

    /// Returns where a function was called.
    fn place(&self, site: &Site, at: Cursor, name: &str) -> String {
        let room = (at.room as u32 / site.size.rooms.1, at.room as u32 % site.size.rooms.1);
        let (x, y) = position(site, at);
        format!("{name}, {}, room {},{}, cell {x},{y}", self.floor_name(), room.0, room.1)
    }

    /// Returns the name of the floor in messages: the level of a game that it becomes, or its
    /// number, from 1 as in pictures and file names.
    pub fn floor_name(&self) -> String {
        match &self.options.branch {
            Some(branch) => format!("{branch}:{}", self.number + 1),
            None => format!("floor {}", self.number + 1),
        }
    }
}

/// Returns the variables published for a cell: its fine coordinates on the floor, its coarse ones
/// in the room, and the number of things in the room.
fn cell_variables(site: &Site, at: Cursor) -> (i64, i64, i64, i64, u32, u32) {
    let rooms = site.rooms.borrow();
    let room = &rooms[at.room];
    let (x, y) = ((room.corner.0 + at.x) * TILE, (room.corner.1 + at.y) * TILE);
    (x, y, at.x, at.y, room.particles.get(), room.mobiles.get())
}
