//! A pass over a room: questions about every cell, column by column (spec 09 §4.3, §20.3).

use crate::error::LairError;
use crate::generate::{FLOOR_PASS, Generator, MOBILE_PASS, internal};
use crate::reading::words;
use crate::room::{Cursor, Site, position};
use crate::tower::{Mobile, TILE};

/// The questions about each cell in a pass.
pub struct Questions {
    /// The function that decides whether to remove what is there.
    pub remove: Option<String>,
    /// The function that decides whether something is there.
    pub cares: Option<String>,
    pub image: String,
    pub sound: String,
    pub fonts: String,
    /// The image if there is no answer.
    pub fallback: &'static str,
}

impl Questions {
    fn new(kind: &str, fallback: &'static str, cares: Option<String>) -> Questions {
        let named = |what| format!("{kind}_{what}_decide");
        let (image, sound, fonts) = (named("image"), named("sound"), named("fonts"));
        Questions { remove: None, cares, image, sound, fonts, fallback }
    }
}

impl Generator<'_> {
    /// Asks about every cell of a room, column by column.
    pub fn pass(&mut self, site: &Site, room: usize, pass: u64) -> Result<(), LairError> {
        self.use_stream(pass);
        let (width, height) = (i64::from(site.size.room.0), i64::from(site.size.room.1));
        let Some(questions) = self.questions(room, pass) else { return Ok(()) };
        for x in 0..width {
            for y in 0..height {
                let at = Cursor { room, x, y };
                self.publish(at, pass);
                match pass {
                    FLOOR_PASS => self.floor_tile(site, at, &questions)?,
                    MOBILE_PASS => self.mobile(site, at, &questions)?,
                    _ => self.particle(site, at, pass, &questions)?,
                }
            }
        }
        Ok(())
    }

    /// Returns the questions of a pass, with the functions that the script defines; `None` if there
    /// are none.
    fn questions(&self, room: usize, pass: u64) -> Option<Questions> {
        let defines = |name: &str| self.defines(room, name);
        match pass {
            FLOOR_PASS => {
                let own = defines("floor_cares_insert");
                let cares = if own { "floor_cares_insert" } else { "map_cares_insert" };
                let questions = Questions::new("floor", "floor", Some(cares.to_owned()));
                let hooks = [&questions.image, &questions.sound, &questions.fonts];
                let hooked = hooks.into_iter().any(|name| defines(name));
                hooked.then_some(questions)
            }
            MOBILE_PASS => Some(Questions::new("mob", "med", Some("mob_cares_insert".to_owned()))),
            _ => {
                let suffix = if pass == 1 { String::new() } else { format!("_{pass}") };
                let insert = format!("map_cares_insert{suffix}");
                let optional = pass > 1 || defines("map_fill_decide");
                let cares = (!optional || defines(&insert)).then_some(insert);
                let mut questions = Questions::new("map", "wall", cares);
                questions.remove =
                    Some(format!("map_cares_remove{suffix}")).filter(|name| defines(name));
                // A pass has its own functions, or uses those of the first pass.
                for name in [&mut questions.image, &mut questions.sound, &mut questions.fonts] {
                    let own = format!("{name}{suffix}");
                    if defines(&own) {
                        *name = own;
                    }
                }
                Some(questions)
            }
        }
    }

    /// Publishes the cell before the next question (spec 09 §5.2).
    pub fn publish(&mut self, at: Cursor, pass: u64) {
        self.unpublished = Some((at, pass));
    }

    fn floor_tile(
        &mut self,
        site: &Site,
        at: Cursor,
        questions: &Questions,
    ) -> Result<(), LairError> {
        if !self.cares(site, at, questions)? {
            return Ok(());
        }
        let Some(tile) = self.entity(site, at, questions)? else { return Ok(()) };
        let (x, y) = position(site, at);
        let index = site.floor.borrow().index(x, y);
        if let Some(index) = index {
            site.floor.borrow_mut().tiles[index] = Some(tile);
        }
        Ok(())
    }

    fn particle(
        &mut self,
        site: &Site,
        at: Cursor,
        pass: u64,
        questions: &Questions,
    ) -> Result<(), LairError> {
        let (x, y) = position(site, at);
        if let Some(remove) = &questions.remove
            && site.floor.borrow().particle(x, y).is_some()
            && self.says_yes(site, at, remove)?
        {
            site.remove(x, y).map_err(internal)?;
        }
        if !self.cares(site, at, questions)? {
            return Ok(());
        }
        let Some(particle) = self.entity(site, at, questions)? else { return Ok(()) };
        if pass > 1 && particle.tags[0] == "+" {
            if particle.tags.len() == 1 {
                let what = "no tags behind its +: nothing is placed";
                return self.wrong_answer(site, at, &questions.image, what, "");
            }
            site.add_tags(x, y, &particle.tags[1..]).map_err(internal)?;
        } else {
            site.put(x, y, particle).map_err(internal)?;
        }
        Ok(())
    }

    fn mobile(&mut self, site: &Site, at: Cursor, questions: &Questions) -> Result<(), LairError> {
        if !self.cares(site, at, questions)? {
            return Ok(());
        }
        let entity = self.entity(site, at, questions)?;
        let ai = self.ai(site, at)?;
        let Some(entity) = entity else { return Ok(()) };
        let (x, y) = position(site, at);
        let fine = (x * TILE, y * TILE);
        let mobile = Mobile { entity, ai, x: x as u32, y: y as u32, fine, body: None };
        site.add_mobile(mobile).map_err(internal)
    }

    /// Returns the call that decides for a mobile: `default()` unless the script names a function.
    fn ai(&mut self, site: &Site, at: Cursor) -> Result<String, LairError> {
        let name = "mob_ai_decide";
        let Some(answer) = self.ask(site, at, name)? else { return Ok(DEFAULT_CALL.to_owned()) };
        let words = words(&answer).filter(|words| words.len() <= 1);
        let word = match words.as_deref() {
            Some([]) => return Ok(DEFAULT_CALL.to_owned()),
            Some([word]) if is_call(word) => word,
            _ => {
                let what = "which is no name of a function: default() is called";
                self.wrong_answer(site, at, name, what, "")?;
                return Ok(DEFAULT_CALL.to_owned());
            }
        };
        if let Some(fault) = self.fault_of_ai(word) {
            self.wrong_answer(site, at, name, &fault, &format!("{word:?}, but "))?;
        }
        let brackets = if word.contains('(') { "" } else { "()" };
        Ok(format!("{word}{brackets}"))
    }
}

/// The call for a mobile whose script names none.
const DEFAULT_CALL: &str = "default()";
/// The maximum length of a call, in characters.
const MAX_CALL: usize = 200;

/// Returns whether a word is the name of a function, or a call of one.
fn is_call(word: &str) -> bool {
    let (name, arguments) = word.split_once('(').unwrap_or((word, ")"));
    let is_letter = |c: char| c.is_ascii_alphabetic() || c == '_';
    let starts = name.starts_with(is_letter);
    let named = starts && name.chars().all(|c| is_letter(c) || c.is_ascii_digit());
    named && arguments.ends_with(')') && word.len() <= MAX_CALL
}
