//! What monsters in sight say (spec 07 §12.9, and the properties listed in the documents).

use vaultwright_content::{ChannelId, PlayTables, TextBase};
use vaultwright_engine::{MonsterNumber, World};
use vaultwright_map::Point;
use vaultwright_rng::UI;

use crate::session::Session;

/// The value that a monster's function returns to keep it silent.
const NOTHING: &str = "__NONE";
/// The value that it returns to let the monster say the usual.
const USUAL: &str = "__NEXT";
/// The maximum depth of texts that refer to other texts.
const MAX_REPLACEMENTS: usize = 50;

impl Session {
    /// Lets monsters that notice the player shout, and others speak. Both happen only if they have
    /// something of their own to say.
    pub(crate) fn hear_monsters(&mut self) {
        let seen: Vec<MonsterNumber> = {
            let world = self.world();
            let in_sight = world.monsters().filter(|(_, monster)| world.can_see(monster.at));
            in_sight.map(|(number, _)| number).collect()
        };
        for number in seen {
            let noticed = self.play.world_mut().here.noticed.insert(number);
            if noticed && let Some(shout) = self.shout(number) {
                self.utter(number, &shout);
            } else if let Some(words) = self.speech(number) {
                self.utter(number, &words);
            }
        }
    }

    fn shout(&mut self, number: MonsterNumber) -> Option<String> {
        let shout = self.play.monster_answer(number, "shout_func")?;
        (shout != NOTHING && shout != USUAL).then_some(shout)
    }

    /// Returns what a monster says now, if it is its turn to speak.
    fn speech(&mut self, number: MonsterNumber) -> Option<String> {
        let has = |name: &str| self.play.has_monster_property(number, name);
        if !["speech_func", "speech_key", "speech_prefix"].iter().any(|name| has(name)) {
            return None;
        }
        let odds = self.play.content().play().speech_odds();
        if !self.with_own_die(|session| session.play.with_rng(|rng| rng.one_chance_in(odds))) {
            return None;
        }
        match self.play.monster_answer(number, "speech_func") {
            Some(silent) if silent == NOTHING => return None,
            Some(words) if words != USUAL => return Some(words),
            _ => {}
        }
        let kind = self.world().monster(number)?.names.kind;
        let key = self.play.monster_answer(number, "speech_key");
        let key = key.or_else(|| self.play.monster_answer(number, "dbname")).unwrap_or(kind);
        let prefix = self.play.monster_answer(number, "speech_prefix");
        let prefixed = prefix.and_then(|prefix| self.look_up(&format!("{prefix} {key}")));
        prefixed.or_else(|| self.look_up(&key))
    }

    /// Returns a text of the speech database, with the texts that it refers to.
    fn look_up(&mut self, key: &str) -> Option<String> {
        let mut text = self.draw_text(key)?;
        let mut from = 0;
        for _ in 0..MAX_REPLACEMENTS {
            let Some(start) = text[from..].find('@').map(|at| from + at) else { break };
            let Some(end) = text[start + 1..].find('@').map(|at| start + 1 + at) else { break };
            match self.draw_text(&text[start + 1..end]) {
                Some(words) => {
                    text.replace_range(start..=end, &words);
                    from = start;
                }
                None => from = end + 1,
            }
        }
        Some(text)
    }

    /// Draws one of the variants of a key by weight, ignoring those that are Lua.
    fn draw_text(&mut self, key: &str) -> Option<String> {
        let content = std::sync::Arc::clone(self.play.content());
        let variants = content.texts().variants(TextBase::Speech, key)?;
        let plain: Vec<_> = variants.iter().filter(|(_, text)| !text.contains("{{")).collect();
        let weights: Vec<i32> = plain.iter().map(|(weight, _)| *weight).collect();
        let drawn =
            self.with_own_die(|session| session.play.with_rng(|rng| rng.weighted_table(&weights)));
        Some(plain[drawn?].1.clone())
    }

    /// Uses separate random numbers: what monsters say must not change the draws of the level.
    fn with_own_die<R>(&mut self, draw: impl FnOnce(&mut Session) -> R) -> R {
        self.play.with_rng(|rng| rng.enter(UI));
        let drawn = draw(self);
        self.play.with_rng(|rng| rng.leave());
        drawn
    }

    /// Prints a monster's words with its name inserted, line by line. A line may start with its
    /// channel. Words with unknown placeholders are left out.
    fn utter(&mut self, number: MonsterNumber, words: &str) {
        let Some(name) = self.world().monster(number).map(|monster| monster.names.name) else {
            return;
        };
        let article = if name.starts_with(char::is_uppercase) { "" } else { "the " };
        let capital = if article.is_empty() { "" } else { "The " };
        let text = words
            .replace("@The_monster@", &format!("{capital}{name}"))
            .replace("@the_monster@", &format!("{article}{name}"))
            .replace("@monster@", &name);
        for line in text.lines().filter(|line| !line.trim().is_empty()) {
            let (channel, line) = self.channel_of(line);
            if line.matches('@').count() < 2 {
                self.play.world_mut().message(line, channel);
            }
        }
    }

    fn channel_of<'l>(&self, line: &'l str) -> (ChannelId, &'l str) {
        let play = self.play.content().play();
        let named = line.split_once(':').and_then(|(word, rest)| {
            let shouted = word.chars().all(|c| c.is_ascii_uppercase() || c == '_');
            let channel = shouted.then(|| play.channel(&word.to_lowercase())).flatten()?;
            Some((channel, rest.trim_start()))
        });
        named.unwrap_or_else(|| (play.channel("talk").unwrap_or(PlayTables::PLAIN), line))
    }

    /// Returns what can be seen on a cell, in lines: the terrain and a marker's description of it,
    /// the monster with its description and quote, and the items.
    pub fn look_at(&mut self, p: Point) -> Vec<String> {
        let mut lines = vec![self.describe(p)];
        lines.extend(self.long_description(p));
        let number = self.world().monster_at(p);
        if let Some(number) = number {
            lines.extend(self.world().monster(number).map(|monster| monster.names.name));
            for property in ["description", "quote"] {
                let told = self.play.monster_answer(number, property);
                lines.extend(told.map(|told| told.trim().to_owned()));
            }
        }
        let world = self.world();
        let items = world.items_at(p).into_iter().filter_map(|item| world.item(item));
        lines.extend(items.map(|item| item.name));
        lines
    }
}
