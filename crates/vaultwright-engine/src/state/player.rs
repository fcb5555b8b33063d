//! The player that scripts see while maps are rolled, if it is not the one of a new game.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use vaultwright_content::{Content, NameList};
use vaultwright_rng::Streams;

/// The player as seen by scripts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Player {
    /// The species; if empty, the one a game begins with. The same applies to the other fields.
    pub species: String,
    /// The background.
    pub background: String,
    /// The god; `No God` for none.
    pub god: String,
    /// The experience level.
    pub level: Option<i32>,
    /// Skills by name, in lower case; all others are 0.
    pub skills: BTreeMap<String, i32>,
    /// Mutations by name; all others are 0.
    pub mutations: BTreeMap<String, i32>,
}

/// The experience levels, and those of a skill and a mutation.
const XL: RangeInclusive<i32> = 1..=27;
const SKILL: RangeInclusive<i32> = 0..=27;
const MUTATION: RangeInclusive<i32> = 0..=3;

fn number(key: &str, value: &str, range: RangeInclusive<i32>) -> Result<i32, String> {
    let digits = value.strip_prefix(['+', '-']).unwrap_or(value);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(format!("'{value}' is no number"));
    }
    let (first, last) = (range.start(), range.end());
    let number = value.parse().ok().filter(|number| range.contains(number));
    number.ok_or_else(|| format!("{key} is {value}: write {first} to {last}"))
}

/// Fails if a name is not in a list. Where the list may lack some, it does if one is near.
fn named(what: &str, name: &str, list: &NameList, content: &Content) -> Result<(), String> {
    if list.names().any(|known| known.eq_ignore_ascii_case(name)) || content.names_are_open() {
        return Ok(());
    }
    match list.nearest(name) {
        Some(near) => Err(format!("no {what} is called '{name}' (did you mean '{near}'?)")),
        None if content.rules.all_names_are_known => Err(format!("no {what} is called '{name}'")),
        None => Ok(()),
    }
}

impl Player {
    /// Parses `species=Felid god=Trog xl=12 background=Hunter skill.fighting=4 mutation.claws=3`.
    /// Spaces in names are written as `_`. The error says what is not valid.
    pub fn parse(text: &str, content: &Content) -> Result<Player, String> {
        let mut player = Player::default();
        for word in text.split_whitespace() {
            let (key, value) = word
                .split_once('=')
                .ok_or_else(|| format!("'{word}' says nothing: write key=value"))?;
            let name = value.replace('_', " ");
            let names = content.names();
            let known = |mut all: Vec<String>, what: &str| {
                all.retain(|known| known.eq_ignore_ascii_case(&name));
                all.pop().ok_or_else(|| format!("no {what} is called '{name}'"))
            };
            let owned = |names: &mut dyn Iterator<Item = &str>| names.map(str::to_owned).collect();
            match key.split_once('.').unwrap_or((key, "")) {
                ("species", _) => {
                    player.species = known(owned(&mut names.species.names()), "species")?;
                }
                ("background" | "class", _) => {
                    player.background = known(owned(&mut names.backgrounds.names()), "background")?;
                }
                ("god", _) => {
                    let mut gods: Vec<String> = owned(&mut names.gods().iter().map(|g| &*g.name));
                    gods.push("No God".to_owned());
                    player.god = known(gods, "god")?;
                }
                ("xl", _) => player.level = Some(number(key, value, XL)?),
                ("skill", skill) => {
                    let skill = skill.replace('_', " ").to_lowercase();
                    named("skill", &skill, &names.skills, content)?;
                    player.skills.insert(skill, number(key, value, SKILL)?);
                }
                ("mutation", mutation) => {
                    let mutation = mutation.replace('_', " ");
                    named("mutation", &mutation, &names.mutations, content)?;
                    player.mutations.insert(mutation, number(key, value, MUTATION)?);
                }
                _ => {
                    let keys = "species, background, god, xl, skill.NAME and mutation.NAME";
                    return Err(format!("a player has {keys}, but no '{key}'"));
                }
            }
        }
        Ok(player)
    }

    /// Draws a player at random. Species, background and god are mostly chosen from `wanted`, where
    /// it has names of that kind.
    pub fn drawn(content: &Content, wanted: &[String], seed: u64) -> Player {
        let mut rng = Streams::single(seed, 1);
        let names = content.names();
        let mut draw = |all: Vec<&str>| {
            let named: Vec<&str> =
                all.iter().copied().filter(|name| wanted.iter().any(|w| w == name)).collect();
            let from = if !named.is_empty() && rng.random2(4) > 0 { named } else { all };
            let index = rng.random2(from.len() as i32) as usize;
            from.get(index).map(|name| (*name).to_owned()).unwrap_or_default()
        };
        let species = draw(names.species.names().collect());
        let background = draw(names.backgrounds.names().collect());
        let gods = names.gods().iter().map(|god| &*god.name).filter(|name| !name.is_empty());
        let god = draw(std::iter::once("No God").chain(gods).collect());
        let level = Some(1 + rng.random2(27));
        let skills = names.skills.names().map(|name| (name.to_lowercase(), rng.random2(28)));
        let skills = skills.collect();
        let mutations = names.mutations.names().map(|name| (name.to_owned(), rng.random2(4)));
        let mutations = mutations.collect();
        Player { species, background, god, level, skills, mutations }
    }

    /// Describes the player in a few words.
    pub fn describe(&self) -> String {
        let level = self.level.unwrap_or(1);
        let god = if self.god == "No God" { "no god" } else { &self.god };
        format!("{} {} of {god}, level {level}", self.species, self.background)
    }
}

#[cfg(test)]
mod tests {
    use vaultwright_content::{Edition, Rules};

    use super::*;

    #[test]
    fn what_is_said_of_a_player_can_be() {
        let told = |text: &str| {
            let content = Content::new(Rules::of(Edition::V0_28));
            Player::parse(text, &content).err().unwrap_or_default()
        };
        assert_eq!(told("xl=12 skill.fighting=4 skill.short_blades=27 mutation.claws=3"), "");
        let near = "no skill is called 'fihgting' (did you mean 'fighting'?)";
        assert_eq!(told("skill.fihgting=4").to_lowercase(), near);
        assert_eq!(told("mutation.nosuchthing=3"), "no mutation is called 'nosuchthing'");
        for level in ["-1", "28", "99999999999"] {
            assert_eq!(told(&format!("xl={level}")), format!("xl is {level}: write 1 to 27"));
        }
        assert_eq!(told("xl=x"), "'x' is no number");
    }
}
