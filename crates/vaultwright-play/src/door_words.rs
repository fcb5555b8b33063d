//! The names of doors, and the messages when one is used (spec 07 §13).

use vaultwright_engine::Play;
use vaultwright_map::Point;

use crate::doors::{Door, asked, door_cells, door_of};
use crate::sandbox::Sandbox;

/// One in this many doors creaks, for a player without stealth skill.
const CREAKS: i32 = 8;

/// How a door is opened or closed.
#[derive(Clone, Copy)]
enum Manner {
    Berserk,
    Creaking,
    Flying,
    Ordinary,
}

impl Manner {
    /// Returns the properties that can contain a pattern, of which the first one set is used, and
    /// the default pattern. The documents call the ordinary property `door_open_verb`, released
    /// games `door_verb_open`.
    fn patterns(self, to: Door) -> (&'static [&'static str], &'static str) {
        match (self, to) {
            (Manner::Berserk, Door::Open) => {
                (&["door_berserk_verb_open"], "You throw the %s%s open")
            }
            (Manner::Berserk, Door::Closed) => {
                (&["door_berserk_verb_close"], "You slam the %s%s shut")
            }
            (Manner::Creaking, Door::Open) => {
                (&["door_noisy_verb_open"], "As you open the %s%s, it creaks loudly!")
            }
            (Manner::Creaking, Door::Closed) => {
                (&["door_noisy_verb_close"], "As you close the %s%s, it creaks loudly!")
            }
            (Manner::Flying, Door::Open) => {
                (&["door_airborne_verb_open"], "You reach down and open the %s%s.")
            }
            (Manner::Flying, Door::Closed) => {
                (&["door_airborne_verb_close"], "You reach down and close the %s%s.")
            }
            (Manner::Ordinary, Door::Open) => {
                (&["door_verb_open", "door_open_verb"], "You open the %s%s.")
            }
            (Manner::Ordinary, Door::Closed) => {
                (&["door_verb_close", "door_close_verb"], "You close the %s%s.")
            }
        }
    }
}

/// Returns the message when the player opens or closes the door on a cell. Whether it creaks is
/// drawn at random, unless the player is berserk.
pub(crate) fn told(play: &mut Play<Sandbox>, p: Point, to: Door) -> String {
    let (berserk, flying, silent) = {
        let world = play.world();
        (world.berserk, world.flying, world.deaf)
    };
    let manner = match berserk {
        true => Manner::Berserk,
        false if play.with_rng(|rng| rng.one_chance_in(CREAKS)) => Manner::Creaking,
        false if flying => Manner::Flying,
        false => Manner::Ordinary,
    };
    let (properties, usual) = manner.patterns(to);
    let own = properties.iter().map(|name| asked(play, p, name)).find(|own| !own.is_empty());
    let adjective = match asked(play, p, "door_description_adjective") {
        none if none.is_empty() => none,
        adjective => format!("{adjective} "),
    };
    let pattern = own.as_deref().unwrap_or(usual);
    let noun = noun(play, p);
    let mut told = pattern.replacen("%s", &adjective, 1).replacen("%s", &noun, 1);
    if matches!(manner, Manner::Berserk) {
        let loudly = asked(play, p, "door_berserk_adjective");
        told += match (silent, own.is_some()) {
            (true, _) => ".".to_owned(),
            (false, true) if loudly.is_empty() => ".".to_owned(),
            (false, _) if !loudly.is_empty() => format!(" {loudly}"),
            (false, _) => " with a bang!".to_owned(),
        }
        .as_str();
    }
    told
}

fn noun(play: &mut Play<Sandbox>, p: Point) -> String {
    let is_gate = door_cells(play, p).len() > 1;
    match asked(play, p, "door_description_noun") {
        none if none.is_empty() => if is_gate { "gate" } else { "door" }.to_owned(),
        noun => noun,
    }
}

/// Returns the description of a door: whether it is open, unless a marker hides this, its adjective
/// and noun, and what comes before and after the noun. `None` if there is no door.
pub(crate) fn description(play: &mut Play<Sandbox>, p: Point) -> Option<String> {
    door_of(play, p)?;
    // For example "closed door", "runed translucent door": the last word is the noun.
    let usual = {
        let id = play.level().feature(p)?;
        play.content().features().get(id).description.clone()
    };
    let words = usual.rsplit_once(' ').map_or("", |(words, _)| words);
    let vetoed = asked(play, p, "door_description_veto") == "veto";
    let state = |word: &&str| ["open", "closed", "runed", "broken"].contains(word);
    let mut parts: Vec<String> = Vec::new();
    if !vetoed {
        parts.extend(words.split(' ').filter(state).map(str::to_owned));
    }
    match asked(play, p, "door_description_adjective") {
        none if none.is_empty() => {
            let others = words.split(' ').filter(|word| !state(word) && !word.is_empty());
            parts.extend(others.map(str::to_owned));
        }
        adjective => parts.push(adjective),
    }
    let prefix = asked(play, p, "door_description_prefix");
    let suffix = asked(play, p, "door_description_suffix");
    parts.push(format!("{prefix}{}{suffix}", noun(play, p)));
    Some(parts.join(" "))
}
